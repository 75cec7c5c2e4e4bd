"""The command line: dispatch, houses, exit statuses, and what goes to which stream."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from blackjack.cli import COMMANDS, UsageError, main
from blackjack.cli.house import read_house
from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import Rules

GOOD = {"id": "a", "rules": "las_vegas", "bets": [10], "cards": "As 9c Kh", "actions": []}
MODULE = (sys.executable, "-m", "blackjack")
# a test run in the background may have been told to ignore interrupts, and hands that on
INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from blackjack.cli import main
sys.exit(main())
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


# ---------------------------------------------------------------- dispatch


def test_help_names_the_commands_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--help")
    assert (status, err) == (0, "")
    for command in ("play", "rules", "presets", "replay"):
        assert f"\n  {command} " in out


def test_without_a_command_the_help_goes_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = run(capsys)
    assert (status, out) == (2, "")
    assert "commands:" in err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--version")
    assert status == 0
    assert out.strip()[0].isdigit()


@pytest.mark.parametrize(
    "words",
    [
        ("dance",),
        ("--dance",),
        ("replay",),
        ("replay", "--dance", "x"),
        ("replay", "a", "b"),
        ("replay", "/no/such/file"),
        ("replay", "."),
        ("replay", "\0"),
        ("rules",),
        ("rules", "nowhere"),
        ("rules", "."),
        ("rules", '{"decks": 0}'),
        ("rules", '{"decks": 6, "decks": 8}'),
        ("rules", '{"decks": NaN}'),
        ("rules", '{"decks": 6'),
        ("rules", "goldfishka", "--json", "--toml"),
        ("presets", "x"),
        ("play",),
        ("play", "nowhere"),
        ("play", "las_vegas", "--boxes", "2"),
        ("play", "las_vegas", "--boxes", "0"),
        ("play", "las_vegas", "--balance", "0"),
        ("play", "las_vegas", "--balance", "x"),
        ("play", "las_vegas", "--seed", "-1"),
        ("play", "las_vegas", "--seed", "1.5"),
        ("play", "las_vegas", "--auto", "0"),
        ("play", "las_vegas", "--auto", "-3"),
        ("play", "las_vegas", "--bet", "5"),
        ("play", "las_vegas", "--json"),
        ("play", "las_vegas", "--language", "de"),
        ("play", "romanian", "--auto", "1", "--bet", "5"),
        ("play", "romanian", "--auto", "1", "--bet", str(2**60)),
        ("play", "romanian", "--auto", "1", "--balance", "3"),
    ],
    ids=lambda words: " ".join(words).replace("\0", "NUL"),
)
def test_wrong_usage_is_status_2_and_a_message_on_standard_error(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert err.strip()
    assert "Traceback" not in err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_is_there_has_a_help(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    status, out, err = run(capsys, command, "--help")
    if status:
        assert f"no command '{command}'" in err  # its module is not there (yet)
    else:
        assert out.startswith("usage: ")


def test_only_the_commands_own_modules_are_loaded() -> None:
    code = (
        "import sys; from blackjack.cli import main; main(['presets']);"
        "bad = [m for m in sys.modules if m.startswith('blackjack.cli.play') or m == 'numpy'];"
        "sys.exit(len(bad))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


# ---------------------------------------------------------------- houses


@pytest.mark.parametrize("name", PRESETS)
def test_a_house_in_every_form(name: str, tmp_path: Path) -> None:
    rules = PRESETS[name]
    assert read_house(name) is rules
    assert read_house(rules.to_json()) == rules
    for suffix, text in (("json", rules.to_json()), ("toml", rules.to_toml())):
        file = tmp_path / f"house.{suffix}"
        file.write_text(text, encoding="utf-8")
        assert read_house(str(file)) == rules


def test_a_house_from_a_preset_and_some_fields(tmp_path: Path) -> None:
    assert read_house('{"preset": "macau", "decks": 2}') == Rules.preset("macau").replace(decks=2)
    file = tmp_path / "house.toml"
    file.write_text('preset = "macau"\ndecks = 2\n', encoding="utf-8")
    assert read_house(str(file)) == Rules.preset("macau").replace(decks=2)


@pytest.mark.parametrize("text", ["decks = ", "\xff".encode("latin-1"), 'decks = "two"', "[]"])
def test_files_that_are_no_house(text: str | bytes, tmp_path: Path) -> None:
    for suffix in ("toml", "json"):
        file = tmp_path / f"house.{suffix}"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        if (suffix, text) == ("toml", "[]"):
            continue
        with pytest.raises(UsageError):
            read_house(str(file))


def test_all_that_is_wrong_with_a_house_is_told_at_once() -> None:
    with pytest.raises(UsageError, match=r"dekcs.*decks"):
        read_house('{"dekcs": 1, "decks": -1}')


def test_rules_in_words_and_as_files(capsys: pytest.CaptureFixture[str]) -> None:
    _, words, _ = run(capsys, "rules", "romanian")
    assert words.strip() == Rules.preset("romanian").describe().strip()
    _, as_json, _ = run(capsys, "rules", "romanian", "--json")
    assert Rules.from_json(as_json) == Rules.preset("romanian")
    _, as_toml, _ = run(capsys, "rules", "romanian", "--toml")
    assert Rules.from_toml(as_toml) == Rules.preset("romanian")


def test_presets(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "presets")
    assert [line.split()[0] for line in out.splitlines() if line] == list(PRESETS)
    _, out, _ = run(capsys, "presets", "--json")
    assert {name: Rules.from_dict(r) for name, r in json.loads(out).items()} == dict(PRESETS)


# ---------------------------------------------------------------- replay


def test_replay_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(json.dumps(GOOD) + "\n{\n" + json.dumps(GOOD), encoding="utf-8")
    status, out, err = run(capsys, "replay", str(file))
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (1, "")
    assert [a["id"] for a in answers] == ["a", 2, "a"]
    assert ["error" in a for a in answers] == [False, True, False]


def test_replay_of_standard_input() -> None:
    done = subprocess.run(
        [*MODULE, "replay", "-"], input=json.dumps(GOOD).encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["net"] == 15


def test_replay_of_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.touch()
    assert run(capsys, "replay", str(file)) == (0, "", "")


def test_replay_checks_what_is_expected(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    right = {**GOOD, "legal": [], "expect": {"net": 15}}
    wrong = {**GOOD, "id": "b", "expect": {"net": 14}}
    broken = {**GOOD, "id": "c", "cards": "As"}
    file.write_text("\n".join(map(json.dumps, (right, wrong, broken))), encoding="utf-8")
    status, out, err = run(capsys, "replay", "--check", str(file))
    assert status == 1
    assert out.splitlines()[0] == "b: net: expected 14, got 15"
    assert out.splitlines()[1].startswith("c: cards: ")
    assert err == "3 rounds, 2 differ\n"
    file.write_text(json.dumps(right), encoding="utf-8")
    assert run(capsys, "replay", "--check", str(file)) == (0, "", "1 rounds, 0 differ\n")


# ---------------------------------------------------------------- the process


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise there")
def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text((json.dumps(GOOD) + "\n") * 5000, encoding="utf-8")
    with subprocess.Popen(
        [*MODULE, "replay", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other ones there")
def test_an_interrupt_leaves_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "replay", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(GOOD).encode() + b"\n" + b"\n" * 70_000)
        process.stdin.flush()
        time.sleep(1.0)
        os.kill(process.pid, signal.SIGINT)
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 130


def test_main_answers_with_a_status_and_never_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert main(["presets"]) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's notation")
@pytest.mark.parametrize("words", ["replay - <&-", "play romanian <&-", "presets >&-", "x 2>&-"])
def test_closed_streams_read_and_write_nothing(words: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m blackjack {words}', sys.executable], capture_output=True, check=False
    )
    assert done.returncode == (2 if words.startswith("x") else 0)
    assert done.stderr == b""


@pytest.mark.parametrize("house", HOUSES)
def test_the_five_houses_are_offered(house: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "play", house, "--seed", "1", "--auto", "50", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["rounds"] == 50
