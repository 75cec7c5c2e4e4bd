"""The command `simulate`: its words, its output, Ctrl-C. Not here: the simulation itself."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blackjack.cli import main
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.simulation import Progress, Simulation, simulate
from blackjack.strategy import Strategy


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["simulate", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "romanian", "--rounds", "2e3", "--seed", "7", "--json")
    data = json.loads(out)
    assert status == 0
    assert err == ""
    assert out.count("\n") == 1
    assert {"rounds", "ev", "stderr", "sd", "rounds_per_second", "seconds"} <= data.keys()
    want = simulate("romanian", rounds=2000, seed=7, detail=False)
    assert (data["rounds"], data["ev"], data["stderr"]) == (2000, want.ev, want.stderr)
    assert data["seed"] == 7
    assert data["rules"] == PRESETS["romanian"].fingerprint
    assert data["starts"] == []
    assert data["house"] == "romanian"


def test_the_forms_of_a_house(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "house.json"
    text = '{"preset": "romanian", "decks": 2}'
    file.write_text(text)
    words = ("--rounds", "500", "--seed", "1", "--json")
    first = json.loads(run(capsys, text, *words)[1])
    second = json.loads(run(capsys, str(file), *words)[1])
    assert first["ev"] == second["ev"]
    assert first["rules"] == Rules.preset("romanian").replace(decks=2).fingerprint


def test_a_chart_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("2 3 4 5 6 7 8 9 T A\nh12 S S S S S S S S S S\n")
    words = ("atlantic_city", "--rounds", "500", "--seed", "1", "--json", "--strategy", str(file))
    status, out, _ = run(capsys, *words)
    assert status == 0
    chart = Strategy.from_chart(file.read_text())
    want = simulate("atlantic_city", chart, rounds=500, seed=1)
    assert json.loads(out)["ev"] == want.ev
    assert json.loads(out)["strategy"] == chart.fingerprint


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("goldfishka", "--rounds", "20000", "--seed", "1", "--isa", "round", "--progress")
    status, out, err = run(capsys, *words)
    assert status == 0
    for word in ("goldfishka", "20,000 rounds", "house edge", "±", "sd", "dealer", "seed"):
        assert word in out
    assert "100 %" in err
    assert "±" in err
    assert "/s" in err


def test_csv_and_compare(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("romanian", "--compare", "macau", "--rounds", "1000")
    status, out, _ = run(capsys, *words, "--csv")
    first, second = csv.DictReader(io.StringIO(out))
    assert status == 0
    assert (first["house"], second["house"]) == ("romanian", "macau")
    assert first["seed"] == second["seed"] != ""
    assert first["rounds"] == "1000"
    _, out, _ = run(capsys, *words, "--seed", "2")
    assert "macau against romanian" in out
    data = json.loads(run(capsys, *words, "--seed", "2", "--json")[1])
    assert data["compare"]["seed"] == 2
    assert data["difference"]["ev"] == data["compare"]["ev"] - data["ev"]


def test_detail_shoes_boxes_until(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("romanian", "--shoes", "5", "--seed", "1", "--json", "--detail", "--boxes", "2")
    data = json.loads(run(capsys, *words)[1])
    assert data["shoes"] == 5
    assert data["boxes"] == 2
    assert data["starts"]
    until = ("romanian", "--until-error", "0.01", "--seed", "1", "--json", "--rng", "chacha20")
    data = json.loads(run(capsys, *until)[1])
    assert data["stderr"] <= 0.01
    assert "chacha20" in data["stream"]


def test_checkpoint(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "c.json")
    words = ("romanian", "--isa", "round", "--json", "--checkpoint", file)
    first = json.loads(run(capsys, *words, "--rounds", "9e3", "--seed", "3")[1])
    second = json.loads(run(capsys, *words, "--rounds", "1e4")[1])
    assert (first["rounds"], second["rounds"], second["seed"]) == (9000, 10000, 3)
    status, _, err = run(capsys, *words, "--rounds", "1e4", "--seed", "4")
    assert status == 2
    assert "another simulation" in err


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["nowhere"], "nowhere"),
        (["romanian", "--rounds", "many"], "--rounds"),
        (["romanian", "--rounds", "1.5"], "--rounds"),
        (["romanian", "--rounds", "-1"], "--rounds"),
        (["romanian", "--rounds", "nan"], "--rounds"),
        (["romanian", "--rounds", "1e99"], "--rounds"),
        (["romanian", "--seed", "x"], "--seed"),
        (["romanian", "--seed", "1e30"], "--seed"),
        (["romanian", "--workers", "0"], "workers"),
        (["romanian", "--rng", "dice"], "dice"),
        (["romanian", "--rounds", "1", "--shoes", "1"], "not both"),
        (["romanian", "--until-error", "small"], "--until-error"),
        (["romanian", "--strategy", "/no/such/file"], "--strategy"),
        (["romanian", "--plot", "picture.txt"], ".png"),
        (["romanian", "--json", "--csv"], "--csv"),
        (["romanian", "--compare", "macau", "--checkpoint", "x"], "--checkpoint"),
        (["romanian", "--strategy", "CHART"], "line 2, column 4"),
    ],
)
def test_wrong_usage(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], what: str
) -> None:
    chart = tmp_path / "bad.txt"
    chart.write_text("2 3 4 5 6 7 8 9 T A\nh9 X\n")
    words = [str(chart) if w == "CHART" else w for w in words]
    if "--rounds" not in words:
        words += ["--rounds", "10"] if "--shoes" not in words else []
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert what in err


class Stopped(Simulation):
    """Ctrl-C after the second report."""

    def __iter__(self) -> Iterator[Progress]:  # type: ignore[override]
        steps = super().__iter__()
        yield next(steps)
        yield next(steps)
        steps.close()
        raise KeyboardInterrupt


def test_ctrl_c_gives_the_result_so_far(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("blackjack.cli.simulate.Simulation", Stopped)
    words = ("romanian", "--isa", "round", "--rounds", "1e6", "--seed", "1")
    status, out, _ = run(capsys, *words)
    assert status == 130
    assert "stopped early" in out
    status, out, _ = run(capsys, *words, "--json", "--compare", "macau")
    data = json.loads(out)
    assert status == 130
    assert data["interrupted"]
    assert 0 < data["rounds"] < 1e6


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_real_ctrl_c() -> None:
    words = ["simulate", "romanian", "--isa", "round", "--rounds", "1e9", "--json", "--progress"]
    with subprocess.Popen(
        [sys.executable, "-m", "blackjack", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        # a suite that runs in the background inherits an ignored SIGINT
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stderr is not None
        assert process.stderr.read(8) == b"\rromania"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    data: dict[str, Any] = json.loads(out)
    assert process.returncode == 130
    assert data["interrupted"]
    assert data["rounds"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_plots(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"picture{suffix}"
    words = ("romanian", "--rounds", "2e4", "--seed", "1", "--isa", "round", "--plot", str(file))
    assert run(capsys, *words)[0] == 0
    start = file.read_bytes()[:5]
    assert start == (b"\x89PNG\r" if suffix == ".png" else b"<?xml")
    assert run(capsys, *words, "--compare", "macau")[0] == 0


def test_plot_without_matplotlib(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    words = ("romanian", "--rounds", "10", "--seed", "1", "--plot", str(tmp_path / "a.png"))
    status, _, err = run(capsys, *words)
    assert status == 2
    assert "blackjack-engine[plot]" in err


@pytest.mark.parametrize(
    ("house", "text"),
    [
        ('{"blackjack_pays": "601:600"}', "more than 2048 units"),
        (
            '{"decks": 1, "composition": [0,0,0,0,0,0,0,0,0,4,4,4,2], "max_hands": 1}',
            "ran out inside a round",
        ),
    ],
)
def test_what_shows_only_when_it_is_played(
    capsys: pytest.CaptureFixture[str], house: str, text: str
) -> None:
    status, out, err = run(
        capsys, house, "--boxes", "7", "--rounds", "1e4", "--strategy", "published"
    )
    assert (status, out) == (2, "")
    assert text in err
