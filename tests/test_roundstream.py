"""Rounds in columns, and what they are as round files. Not here: sums (test_simulation)."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from array import array
from typing import Any

import pytest

from blackjack.actions import OUTCOMES
from blackjack.history import replay, replay_lines
from blackjack.presets import PRESETS
from blackjack.roundstream import RoundColumns, RoundStream, play_rounds
from blackjack.rules import Rules
from blackjack.simulation import simulate
from blackjack.strategy import Strategy


def rows(stream: RoundStream, rounds: int, capacity: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    columns = stream.columns(capacity)
    while len(found) < rounds:
        stream.fill(columns, rounds - len(found))
        found += columns.records()
    return found


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("boxes", [1, 2])
def test_every_round_replays(name: str, boxes: int) -> None:
    (columns,) = play_rounds(name, rounds=200, seed=3, boxes=boxes)
    for i, record in enumerate(columns.records()):
        answer = replay(record)
        hands = [hand for box in answer["boxes"] for hand in box["hands"]]
        assert answer["cards_used"] == columns["n_cards"][i]
        assert answer["net"] == columns["net"][i]
        codes = columns["outcomes"][i][: columns["n_hands"][i]]
        assert [hand["outcome"] for hand in hands] == [str(OUTCOMES[c]) for c in codes]


def test_as_a_round_file() -> None:
    (columns,) = play_rounds("goldfishka", rounds=50, seed=3)
    file = io.StringIO()
    columns.write(file)
    answers = list(replay_lines(file.getvalue()))
    assert [a["id"] for a in answers] == list(range(50))
    assert not any("error" in a for a in answers)
    assert json.loads(file.getvalue().splitlines()[0])["rules"] == "goldfishka"


def test_the_same_rounds_in_any_portions() -> None:
    whole = rows(RoundStream("las_vegas", seed=5), 3000, 3000)
    assert [r["id"] for r in whole] == list(range(3000))
    for capacity in (1024, 700, 2500):
        assert rows(RoundStream("las_vegas", seed=5), 3000, capacity) == whole
    again = RoundStream("las_vegas", seed=5)
    again.seek(2100)
    assert rows(again, 100, 30) == whole[2100:2200]
    assert rows(RoundStream("las_vegas", seed=6), 100, 100) != whole[:100]


def test_buffers_of_the_caller() -> None:
    stream = RoundStream("romanian", seed=5)
    net = array("i", [0] * 64)
    cards = bytearray(64 * stream.columns(1).shape["cards"][1])
    columns = stream.columns(64, net=net, cards=cards)
    stream.fill(columns)
    assert list(columns["net"]) == list(net)
    assert any(net)
    assert cards[:4] == bytes(columns.flat("cards")[:4])
    for given, what in (
        ({"net": array("i", [0] * 63)}, "256 bytes"),
        ({"net": bytes(256)}, "writable"),
        ({"net": bytearray(256)}, "items of 4"),
        ({"nets": net}, "got nets"),
    ):
        with pytest.raises(ValueError, match=what):
            stream.columns(64, **given)


def test_numpy_arrays() -> None:
    np = pytest.importorskip("numpy")
    stream = RoundStream("romanian", seed=5)
    width = stream.columns(1).shape["cards"][1]
    cards = np.zeros((64, width), dtype=np.uint8)
    net = np.zeros(64, dtype=np.int32)
    columns = stream.columns(64, cards=cards, net=net)
    stream.fill(columns)
    assert columns["cards"].shape == (64, width)
    assert columns["net"].dtype == np.int32
    assert np.shares_memory(columns["cards"], cards)
    assert (columns["net"] == net).all()
    assert columns["cards"].max() < 52
    with pytest.raises(ValueError, match="contiguous"):
        stream.columns(64, cards=np.zeros((64, 2 * width), dtype=np.uint8)[:, ::2])


def test_without_numpy() -> None:
    code = """if 1:
        import sys
        sys.modules["numpy"] = None
        from blackjack.roundstream import play_rounds
        from blackjack.simulation import simulate
        (columns,) = play_rounds("romanian", rounds=20, seed=1)
        assert columns["cards"].shape[0] == 20 and len(columns["net"]) == 20
        assert simulate("romanian", rounds=20, seed=1).rounds == 20
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_out_is_filled_again() -> None:
    out = RoundColumns(Rules.preset("romanian"), 100)
    seen = [(len(c), c.first) for c in play_rounds("romanian", rounds=250, seed=1, out=out)]
    assert seen == [(100, 0), (100, 100), (50, 200)]


def test_a_callable_and_the_means() -> None:
    rules = Rules.preset("atlantic_city")
    net = [0, 0]
    for batch in play_rounds(rules, Strategy.chart(rules), rounds=4000, seed=2):
        net[0] += sum(batch.flat("net")[: len(batch)])
    result = simulate(rules, rounds=4000, seed=2, isa="round")
    assert abs(net[0] / 4000 - result.net / 4000) < 10 * result.stderr
    assert RoundStream(rules, lambda now: next(iter(now.legal))).path == "callable"


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": True}, "seed"),
        ({"rng": "dice"}, "dice"),
        ({"strategy": "best"}, "best"),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        RoundStream("romanian", **options)
    with pytest.raises(ValueError, match="capacity"):
        RoundStream("romanian").columns(0)
    with pytest.raises(IndexError, match="expected a round"):
        RoundStream("romanian").columns(1).record(0)
