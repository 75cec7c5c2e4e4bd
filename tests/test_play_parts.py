"""The game's parts: bets as typed, cards as drawn, a table by itself, the process and its terminal."""

from __future__ import annotations

import io
import json
import os
import re
import select
import subprocess
import sys
import time

import pytest

from blackjack.actions import Action
from blackjack.cards import parse_cards
from blackjack.cli import main
from blackjack.cli.play_auto import auto_play, default_bet
from blackjack.cli.play_bets import Command, Desk, chips_of, parse_bets
from blackjack.cli.play_cards import brief, card_art
from blackjack.cli.play_screen import Screen
from blackjack.cli.play_session import KEYS
from blackjack.cli.play_terminal import Terminal, latin
from blackjack.cli.play_texts import HELP_BETS_KEYS, HELP_BETS_LINES, HELP_PLAY, PROMPTS
from blackjack.labels import LANGUAGES, labels
from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import Rules
from blackjack.table import Table

# a test run in the background may have been told to ignore interrupts, and hands that on
INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from blackjack.cli import main
sys.exit(main())
"""


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize("house", [*PRESETS])
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_there_in_every_language(house: str, language: str) -> None:
    assert set(PROMPTS[language]) == set(PROMPTS["en"])
    for texts in (HELP_BETS_KEYS, HELP_BETS_LINES, HELP_PLAY):
        assert len(texts[language]) == len(texts["en"])
        assert max(map(len, texts[language])) < 100
    words = labels(house, language)
    for name, label in words.controls.items():
        if name not in ("bet", "add_chip"):
            assert parse_bets(label, words) == [Command(name)]


def test_the_language_of_bets() -> None:
    words = labels()
    assert parse_bets("50", words) == [Command("set", 1, 50)]
    assert parse_bets(" 2:50,3=20 ", words) == [Command("set", 2, 50), Command("set", 3, 20)]
    assert parse_bets("+5 12+7", words) == [Command("chip", 1, 5), Command("chip", 12, 7)]
    assert parse_bets("u u3 C c12", words) == [
        Command("take_back"),
        Command("take_back", 3),
        Command("clear"),
        Command("clear", 12),
    ]
    assert parse_bets("R d N Q ? help", words) == [
        Command(n) for n in ("repeat", "deal", "new_game", "leave", "help", "help")
    ]
    for wrong in ("5.5", "-5", "5:", ":5", "٥", "1:2:3", "9" * 30, "y", "bet", "2 fast"):
        assert isinstance(parse_bets(wrong, words), str), wrong


def test_chips_fit_the_house() -> None:
    assert chips_of(Table("romanian")) == (4, 20, 40, 100, 200, 400, 2000)
    assert chips_of(Table(Rules())) == (1, 5, 25, 100, 500)
    assert chips_of(Table(Rules(rounding="exact", bet_step=3))) == (6, 30, 150, 600, 3000)
    assert chips_of(Table(Rules(max_bet=30))) == (1, 5, 25)


def test_take_back_goes_back_in_the_order_of_the_chips() -> None:
    table = Table("goldfishka", balance=100)
    desk = Desk(table, labels(), 7)
    for line in ("+5", "3+7", "1+1", "2:10"):
        commands = parse_bets(line, labels())
        assert isinstance(commands, list)
        assert [desk.apply(command) for command in commands] == [None]
    seen = []
    while any(table.bets):
        assert desk.apply(Command("take_back")) is None
        seen.append(table.bets[:3])
    assert seen == [(6, 0, 7), (5, 0, 7), (5, 0, 0), (0, 0, 0)]
    assert table.balance() == 100


def test_keys_of_a_russian_keyboard() -> None:
    assert "".join(map(latin, "рывзкшутйг")) == "hsdpriuenqu"[:6] + "enqu"
    for letter in KEYS.values():
        assert latin(letter) == letter


def test_every_action_has_its_own_key() -> None:
    assert set(KEYS) == set(Action)
    assert len(set(KEYS.values())) == len(KEYS)
    assert "q" not in KEYS.values()


def test_plain_letters_where_there_are_no_suits() -> None:
    terminal = Terminal(colour=False)
    terminal.unicode = False
    cards = [*parse_cards("As Td"), None]
    assert card_art(cards, terminal) == [
        ".--.--.---.",
        "|A |10|###|",
        "|s |d |###|",
        "'--'--'---'",
    ]
    assert brief(cards, terminal) == "As 10d ??"
    assert card_art([], terminal) == [""] * 4


def test_balance_without_limit() -> None:
    screen = Screen(Table("goldfishka"), labels("goldfishka"), Terminal(colour=False))
    assert screen.balance() == "Баланс: без предела"


# ---------------------------------------------------------------- by itself


@pytest.mark.parametrize("house", [*PRESETS])
def test_auto_accounts_for_every_unit(house: str) -> None:
    rules = PRESETS[house]
    table = Table(rules, seed=4, balance=10**6)
    tally = auto_play(table, 300, default_bet(rules, 1), 1)
    assert tally.rounds == 300
    assert table.balance() == 10**6 + tally.net
    assert sum(tally.outcomes.values()) == tally.hands == 300


def test_auto_stops_when_the_money_ends() -> None:
    table = Table("goldfishka", seed=4, balance=50)
    tally = auto_play(table, 100_000, 25, 2)
    assert tally.rounds < 100_000
    balance = table.balance()
    assert balance is not None
    assert balance + sum(table.bets) == 50 + tally.net < 50


@pytest.mark.parametrize(
    ("rules", "boxes", "bet"),
    [
        (Rules(), 1, 10),
        (Rules(min_bet=25), 2, 25),
        (Rules(bet_step=7), 1, 14),
        (Rules(max_bet=4), 1, 4),
        (Rules(min_bet=100, limit_per="deal"), 4, 25),
        (Rules(max_bet=20, limit_per="deal"), 4, 5),
        (Rules(chips=[3, 30]), 1, 30),
        (Rules(chips=[3]), 1, 10),
        (Rules(rounding="exact", blackjack_pays="7:6"), 1, 12),
    ],
    ids=range(9),
)
def test_the_default_bet_is_one_the_table_takes(rules: Rules, boxes: int, bet: int) -> None:
    assert default_bet(rules, boxes) == bet
    assert auto_play(Table(rules, seed=1), 3, bet, boxes).rounds == 3


def test_auto_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "play",
        "goldfishka",
        "--seed",
        "7",
        "--auto",
        "200",
        "--boxes",
        "3",
        "--balance",
        "99999",
    ]
    assert main([*words, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert first["hands"] == 600
    assert first["balance"] == 99999 + first["net"]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert re.search(r"Раздачи +200\n", text)
    assert str(first["balance"]) in text


# ---------------------------------------------------------------- the process


def command(*words: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "blackjack", "play", *words],
        input=stdin.encode(),
        capture_output=True,
        env={**os.environ, **env},
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("house", HOUSES)
def test_in_a_pipe_it_is_plain_and_ends_with_the_input(house: str) -> None:
    done = command(house, "--seed", "3", stdin="20\nd\ns\nn\ns\n", PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "\x1b" not in text
    assert "┌──┌───┐" in text
    assert text.rstrip().endswith(labels(house).texts["bye"])


def test_no_input_at_all() -> None:
    done = command("romanian", PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_output_of_few_letters() -> None:
    done = command("goldfishka", "--seed", "3", stdin="20 d\ns\n", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode("ascii")
    assert "Place your bets." in text
    assert ".--.---." in text
    assert "?" not in re.sub(r"\? |\?\?|\[\?\]|; \?", "", text)


def test_input_that_is_no_text() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "blackjack", "play", "las_vegas"],
        input=b"\xff\xfe\n20 d\n\x00\n\xff\ns\ns\ns\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_styles_only_where_there_is_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tty(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    for env, colour, expected in (
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
    ):
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setattr(sys, "stdin", Tty())
        monkeypatch.setattr(sys, "stdout", Tty())
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        terminal = Terminal(colour=colour)
        assert terminal.colour is terminal.keys is expected
        assert ("\x1b" in terminal.style("x", "red")) is expected


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_terminal_single_keys_play_and_the_screen_comes_back() -> None:
    import pty
    import termios

    primary, secondary = pty.openpty()
    before = termios.tcgetattr(secondary)
    env = {
        **os.environ,
        "TERM": "xterm",
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "80",
        "LINES": "30",
    }
    env.pop("NO_COLOR", None)
    with subprocess.Popen(
        [sys.executable, "-m", "blackjack", "play", "goldfishka", "--seed", "7"],
        stdin=secondary,
        stdout=secondary,
        stderr=secondary,
        env=env,
    ) as process:
        seen = ""

        def until(text: str) -> None:
            nonlocal seen
            end = time.monotonic() + 30
            while text not in seen:
                assert time.monotonic() < end, seen
                if select.select([primary], [], [], 0.2)[0]:
                    seen += os.read(primary, 65536).decode(errors="replace")

        def press(keys: str, then: str) -> None:
            nonlocal seen
            seen = ""
            os.write(primary, keys.encode())
            until(then)

        until("Делайте ставки.")
        press("1", "Бокс 1: 25")
        press("\x1b[C1", "Бокс 1: 125")
        press("\x7f", "Бокс 1: 25")
        press("t", "например")
        press("3:20х\x7f\n", "Бокс 3: 20")
        press("?", "дальше")
        press("\n", "Раздать")
        press("\n", "Бокс 1: ваш ход")
        press("ы", "Бокс 3: ваш ход")
        press("s", "Итог: ")
        press("q", "Спасибо за игру.")
        assert process.wait(10) == 0
    assert termios.tcgetattr(secondary) == before
    assert "\x1b[?1049l" in seen
    assert re.search(r"Раздачи +1\r?\n", seen)
    os.close(primary)
    os.close(secondary)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_an_interrupt_gives_the_terminal_back() -> None:
    import pty
    import signal
    import termios

    primary, secondary = pty.openpty()
    before = termios.tcgetattr(secondary)
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "play", "las_vegas"],
        stdin=secondary,
        stdout=secondary,
        stderr=secondary,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": ""},
    ) as process:
        seen = b""
        while b"Place your bets." not in seen:
            seen += os.read(primary, 65536)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    assert b"Traceback" not in os.read(primary, 65536)
    assert termios.tcgetattr(secondary) == before
    os.close(primary)
    os.close(secondary)
