"""The commands that analyze: `ev`, `edge`, `chart`, `compare`, `grade`, by the contract and for people.

Not here: the figures themselves (test_analysis), drawing (test_drawing), grading (test_grading).
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from blackjack.analysis import analyze
from blackjack.cards import UPCARDS
from blackjack.cli import main
from blackjack.rules import Rules
from blackjack.strategy import Strategy


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


def fits(text: str) -> bool:
    return all(len(line) <= 80 for line in text.splitlines())


# ---------------------------------------------------------------- ev


def test_ev_of_a_game_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "ev", "vegas_strip", "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    data = json.loads(out)
    want = analyze("vegas_strip")
    assert data["ev"] == want.ev
    assert data["house_edge"] == -want.ev
    assert list(data["ev_by_upcard"]) == list(UPCARDS)
    assert data["ev_by_upcard"] == want.ev_by_upcard


def test_ev_with_everything_else(capsys: pytest.CaptureFixture[str]) -> None:
    shoe = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
    words = ("--shoe", ",".join(map(str, shoe)), "--split-play", "cdp1", "--json")
    data = json.loads(run(capsys, "ev", '{"hit_soft_17": true}', *words)[1])
    want = analyze(Rules(hit_soft_17=True), shoe=shoe, split_play="cdp1")
    assert data["ev"] == want.ev


def test_ev_of_a_strategy_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = Rules.preset("atlantic_city_8")
    chart = Strategy.published(rules)
    text, as_json = tmp_path / "c.txt", tmp_path / "c.json"
    text.write_text(chart.to_chart())
    as_json.write_text(chart.to_json())
    want = analyze(rules, strategy=chart).ev
    for word in (str(text), str(as_json), "published"):
        out = run(capsys, "ev", "atlantic_city_8", "--strategy", word, "--json")[1]
        assert json.loads(out)["ev"] == want
    best = json.loads(run(capsys, "ev", "atlantic_city_8", "--strategy", "chart", "--json")[1])
    assert want <= best["ev"] <= analyze(rules).ev


def test_ev_of_a_situation(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "ev", "vegas_strip", "A 7", "9", "--json")
    assert status == 0
    data = json.loads(out)
    want = analyze("vegas_strip").values("A 7", "9")
    assert data == {"actions": {str(a): v for a, v in want.items()}, "best": "hit"}
    for upcard in ("T", "10", "Kd", "k"):
        there = json.loads(run(capsys, "ev", "vegas_strip", "Ts 6d", upcard, "--json")[1])
        assert there["best"] == "surrender"


def test_ev_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "ev", "goldfishka")
    assert status == 0
    assert fits(out)
    assert f"{100 * analyze('goldfishka').house_edge:.5f} %" in out
    _, out, _ = run(capsys, "ev", "goldfishka", "8 8", "T")
    lines = out.splitlines()
    assert lines[1].startswith("*")
    assert lines[1].endswith("best")
    assert fits(out)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere"], "is no house"),
        (["goldfishka", "A 7"], "a hand goes with an upcard"),
        (["goldfishka", "A 7", "X"], "expected a card"),
        (["goldfishka", "A 77", "9"], "expected"),
        (["goldfishka", "T 6 T", "9"], "up to 21 points"),
        (["goldfishka", "--shoe", "1,2,3"], "expected ten counts"),
        (["goldfishka", "--strategy", "/nowhere"], "cannot be read"),
        (["goldfishka", "--split-play", "best"], "invalid choice"),
        (["goldfishka", "--shoe", "1,0,0,0,0,0,0,0,0,3"], "shoe"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    status, out, err = run(capsys, "ev", *words)
    assert (status, out) == (2, "")
    assert says in err


# ---------------------------------------------------------------- edge, compare


def test_edge(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "edge", "romanian")
    assert status == 0
    assert fits(out)
    assert f"{100 * analyze('romanian').house_edge:.4f} %" in out
    status, out, _ = run(capsys, "edge", "las_vegas", "european")
    assert [line.split("  ")[0] for line in out.splitlines()] == ["house", "Las Vegas", "European"]
    assert fits(out)
    lines = run(capsys, "edge", "macau", "european", "--json")[1].splitlines()
    assert [json.loads(line)["house"] for line in lines] == ["macau", "european"]
    assert json.loads(lines[0])["house_edge"] == analyze("macau").house_edge


def test_compare_with_what_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "--change",
        "decks=8",
        "--change",
        '{"hit_soft_17": true}',
        "--change",
        "surrender=late",
    )
    status, out, _ = run(capsys, "compare", "atlantic_city_8", *words, "--json")
    assert status == 0
    data = json.loads(out)
    base = Rules.preset("atlantic_city_8")
    assert data["ev"] == analyze(base).ev
    assert [row["change"] for row in data["changes"]] == [
        "decks 8",
        "hit_soft_17 yes",
        "surrender late",
    ]
    same, soft, late = data["changes"]
    assert same["worth"] == 0
    assert soft["ev"] == analyze(base.replace(hit_soft_17=True)).ev
    assert soft["worth"] < 0 < late["worth"]


def test_compare_two_houses(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "compare", "vegas_strip", "downtown_vegas", "--json")
    assert status == 0
    rows = json.loads(out)["changes"]
    assert {row["change"] for row in rows[:-1]} == {"decks 2", "surrender none"}
    assert rows[-1]["change"] == "all of it: Downtown Vegas"
    assert rows[-1]["ev"] == analyze("downtown_vegas").ev


def test_compare_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "compare", "european")
    assert status == 0
    assert fits(out)
    lines = out.splitlines()
    assert lines[1].startswith("European")
    assert any(line.startswith("blackjack_pays 6:5") for line in lines)
    assert not any(line.startswith("decks 6 ") for line in lines)  # what it has already
    gains = [float(line.split()[-2]) for line in lines[2:]]
    assert gains == sorted(gains, reverse=True)


def test_compare_where_a_dealer_blackjack_takes_hands_together(
    capsys: pytest.CaptureFixture[str],
) -> None:
    change = '{"hole_card": "none", "dealer_blackjack_takes": "original"}'
    status, out, _ = run(capsys, "compare", "romanian", "--change", change)
    assert status == 0
    lines = out.splitlines()
    assert len(lines) == 3
    assert lines[-1].startswith("hole_card none, dealer_blackjack_takes original")


@pytest.mark.parametrize("change", ["decks", "decks=none", "nonsense=1", '{"decks": 0}', "{"])
def test_a_change_that_makes_no_rules(capsys: pytest.CaptureFixture[str], change: str) -> None:
    status, out, err = run(capsys, "compare", "european", "--change", change)
    assert (status, out) == (2, "")
    assert "--change" in err


# ---------------------------------------------------------------- chart


def test_chart_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "chart", "vegas_strip")
    assert status == 0
    assert fits(out)
    assert "\x1b" not in out  # no terminal here
    assert out.splitlines()[0] == "Vegas Strip"
    edge = analyze("vegas_strip", strategy="chart").house_edge
    assert f"House edge with this chart: {100 * edge:.3f} %" in out


def test_chart_as_text_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    want = Strategy.chart(Rules.preset("european"))
    text = run(capsys, "chart", "european", "--text")[1]
    assert Strategy.from_chart(text) == want
    out = run(capsys, "chart", "european", "--json")[1]
    assert out.count("\n") == 1
    assert Strategy.from_json(out) == want
    exact = Strategy.from_chart(
        run(capsys, "chart", "european", "--strategy", "optimal", "--text")[1]
    )
    assert exact == Strategy.optimal(Rules.preset("european"))
    old = Strategy.from_json(run(capsys, "chart", "macau", "--strategy", "published", "--json")[1])
    assert old == Strategy.published(Rules.preset("macau"))
    file = tmp_path / "mine.txt"
    file.write_text(text)
    drawn = run(capsys, "chart", "european", "--strategy", str(file))[1]
    assert drawn == run(capsys, "chart", "european")[1]


def test_chart_on_paper(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "chart", "macau", "--html", "--svg", "mine.svg")
    assert (status, out) == (0, "")
    assert err.split() == ["wrote", "macau.html", "wrote", "mine.svg"]
    assert "<h1>Macau</h1>" in (tmp_path / "macau.html").read_text(encoding="utf-8")
    assert ET.parse(tmp_path / "mine.svg").getroot().tag.endswith("svg")
    assert run(capsys, "chart", "macau", "--svg", "-")[1] == (tmp_path / "mine.svg").read_text()


@pytest.mark.slow
def test_chart_as_a_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    run(capsys, "chart", '{"preset": "macau", "decks": 6}', "--png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_chart_of_what_exact_cards_change(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "chart", "single_deck_65", "--exceptions")
    assert status == 0
    lines = out.partition("played better by their exact cards")[2].splitlines()
    assert lines[1].split() == ["cards", "upcard", "chart", "better", "gain"]
    gains = [float(line.split()[-1]) for line in lines[2:]]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0.001


# ---------------------------------------------------------------- grade


def test_grade(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = {
        "id": "x",
        "rules": "vegas_strip",
        "bets": [10],
        "cards": "Ts 6d 6h Td 5c 9c",
        "actions": ["hit", "stand"],
    }
    file = tmp_path / "rounds.jsonl"
    file.write_text(json.dumps(good) + "\n" + json.dumps({**good, "id": "y", "actions": []}) + "\n")
    status, out, _ = run(capsys, "grade", str(file), "--json")
    assert status == 1  # the second is cut short
    first, second = map(json.loads, out.splitlines())
    assert (first["id"], first["decisions"][0]["best"]) == ("x", "stand")
    assert second["id"] == "y"
    assert "error" in second
    status, out, _ = run(capsys, "grade", str(file), "--mistakes")
    assert "2 decisions, 1 mistakes, 0.3130 bets given away" in out
    assert "Ts 6h" in out
    assert "Ts 6h 5c" not in out
    assert run(capsys, "grade", str(tmp_path / "none"))[0] == 2
