"""The game in a terminal: played to the end by lines and by keys, in every house and language."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from blackjack.cli.play_session import KEYS, Session
from blackjack.cli.play_terminal import Terminal, width_of
from blackjack.cli.play_texts import HELP_BETS_KEYS, HELP_PLAY
from blackjack.labels import labels
from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import Rules
from blackjack.table import Table


class Scripted(Terminal):
    """A terminal whose person is a function or a list: each answer a key (or a line); None ends."""

    def __init__(
        self,
        person: Iterable[str] | Callable[[], str | None],
        *,
        keys: bool,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        super().__init__(colour=False)
        self.keys = keys
        self.unicode = True
        self.shown: list[str] = []
        self._size = size
        if callable(person):
            self._next = person
        else:
            answers = iter(person)
            self._next = lambda: next(answers, None)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def show(self, lines: Iterable[str]) -> None:
        self.shown.append("\n".join(lines))

    def write(self, text: str) -> None:
        pass

    def line(self, prompt: str) -> str | None:
        return self._next()

    def key(self) -> str:
        key = self._next()
        return "end" if key is None else key or "escape"


def session(
    house: str | Rules,
    person: Iterable[str] | Callable[[], str | None],
    *,
    keys: bool = False,
    language: str | None = "en",
    size: tuple[int, int] = (80, 24),
    **options: Any,
) -> tuple[Session, Scripted]:
    rules = Rules.preset(house) if isinstance(house, str) else house
    table = Table(rules, **{"balance": 1000, **options})
    terminal = Scripted(person, keys=keys, size=size)
    result = Session(table, labels(rules.name, language), terminal, rules.boxes)
    return result, terminal


def play(house: str | Rules, *answers: str, **options: Any) -> tuple[Session, str]:
    result, terminal = session(house, answers, **options)
    result.run()
    return result, "\n----\n".join(terminal.shown)


# ---------------------------------------------------------------- whole games


BETTING_KEYS = [
    "1",
    "2",
    "9",
    "0",
    "+",
    "-",
    "u",
    "x",
    "c",
    "r",
    "enter",
    "enter",
    "d",
    "d",
    "t",
    "n",
    " ",
    "?",
]
BETTING_LINES = [
    "20",
    "1:40",
    "2:20 3:4",
    "+4",
    "2+20",
    "u",
    "c",
    "c2",
    "r",
    "",
    "d",
    "n",
    "?",
    "u3",
    "zz",
]


@pytest.mark.parametrize("keys", [False, True], ids=["lines", "keys"])
@pytest.mark.parametrize(
    ("house", "language"), [*zip(PRESETS, (None, "ru", "ro", "en") * 3, strict=False)], ids=PRESETS
)
def test_a_person_who_presses_anything_offered_plays_every_house_to_the_end(
    house: str, language: str | None, keys: bool
) -> None:
    rng = random.Random(f"{house} {keys}")
    presses = 0

    def person() -> str | None:
        nonlocal presses
        presses += 1
        if presses > 700:
            return None
        turn = game.table.turn
        if turn is None:
            return rng.choice(BETTING_KEYS if keys else BETTING_LINES)
        if rng.random() < 0.1:
            return rng.choice(["", "?", "z", "7", "enter" if keys else "hit 5", "double"])
        return KEYS[rng.choice(sorted(turn.actions))]

    game, terminal = session(house, person, keys=keys, language=language, seed=5, balance=100_000)
    game.run()
    assert game.table.turn is None
    assert game.tally.rounds > 15
    balance = game.table.balance()
    assert balance is not None
    assert balance + sum(game.table.bets) == 100_000 + game.tally.net
    assert all("{" not in screen for screen in terminal.shown)


@pytest.mark.parametrize("house", HOUSES)
def test_until_the_money_ends(house: str) -> None:
    game, text = play(house, *["20 d", "s", "n", "s"] * 400, balance=20, seed=2)
    assert game.table.balance() in (0, 1, 2, 3) or game.tally.rounds > 10
    if game.table.balance() == 0:
        assert labels(house, "en").texts["broke"] in text


def test_a_round_with_everything_on_the_screen() -> None:
    cards = "8h 5c Ad 8s 6d Kc 2c Tc 9s 9d"
    game, text = play("continental", "50 2:20", "d", "i", "n", "p", "d", "s", "s", "q", cards=cards)
    first, *_ = text.split("\n----\n")
    assert "Balance: 1000" in first
    assert "Place your bets." in first
    assert "[i] Insurance 25   [n] Stand" in text
    assert "Box 1: an offer" in text
    assert "[h] Hit   [s] Stand   [d] Double 50   [p] Split 50" in text
    assert "▶ Box 1, hand 1 · 50   Box 1, hand 2 · 50" in text
    assert "Insurance 25" in text
    last = text.split("\n----\n")[-1]
    assert "Result: " in last
    assert game.tally.rounds == 1
    assert game.tally.staked == 195


def test_cards_are_drawn() -> None:
    _, text = play("vegas_strip", "10 d", "s", "q", cards="As 9h 6d Kc")
    assert "┌──┌───┐" in text
    assert "│A │6  │" in text
    assert "│♠ │♦  │" in text
    assert "│9 │░░░│" in text
    assert "soft 17" in text


def test_the_hidden_card_lies_where_it_was_dealt() -> None:
    _, text = play("goldfishka", "10 d", "q", cards="Ts 9h 7d 8c")
    assert "│░░│8  │" in text.split("\n----\n")[1]


def test_screens_do_not_tell_the_hidden_card() -> None:
    for house in ("goldfishka", "continental", "romanian", "vegas_strip"):
        seen = []
        second = PRESETS[house].upcard == "second"
        for hidden in ("4c", "5h", "9d"):
            dealer = (hidden, "6s") if second else ("6s", hidden)
            cards = f"5s {dealer[0]} 6h {dealer[1]} 2c 3d Ts Ks"
            _, terminal = game = session(house, ["20", "d", "h", "?"], cards=cards)
            game[0].run()
            seen.append(terminal.shown[:-1])
        assert seen[0] == seen[1] == seen[2]


def test_leaving_in_a_round_plays_it_to_its_end() -> None:
    for end in (["q"], ["quit"], ["й"], []):
        game, text = play("goldfishka", "10 2:10", "d", *end, cards="Ts 5c 9h 9s 6d 8c Kd")
        assert game.table.turn is None
        assert game.tally.rounds == 1
        assert "Result:" in text.split("\n----\n")[-1]


def test_enter_repeats_and_deals() -> None:
    game, _ = play("las_vegas", "10", "", "s", "", "s", "", "s", "q", seed=6)
    assert game.tally.rounds >= 3
    assert game.tally.staked >= 30


def test_without_bets_nothing_is_dealt() -> None:
    game, text = play("las_vegas", "", "d", "q")
    assert text.count("There are no bets.") == 2
    assert game.tally.rounds == 0


def test_the_offered_controls_are_those_that_are_active() -> None:
    _, text = play(
        "goldfishka", "10", "c", "10 d", "s", "n", "q", cards="Ts 9h 9d 8c", language="ru"
    )
    start, betted, cleared, playing, settled, new = text.split("\n----\n")
    for screen, names in (
        (start, "[?] помощь  [q] Лобби"),
        (betted, "[Enter] Раздать  [u] Снять фишку  [c] Отмена  [?] помощь  [q] Лобби"),
        (cleared, "[?] помощь  [q] Лобби"),
        (playing, "[h] Ещё   [s] Хватит   [d] Удвоить 10   [r] Отказаться"),
        (settled, "[Enter] те же ставки  [r] Повтор  [n] Новая игра  [?] помощь  [q] Лобби"),
        (new, "[Enter] те же ставки  [r] Повтор  [?] помощь  [q] Лобби"),
    ):
        assert screen.splitlines()[-1] == names
    assert "Крупье" in settled
    assert "Крупье" not in new


def test_what_cannot_be_done_is_said_and_changes_nothing() -> None:
    rules = Rules(min_bet=10, max_bet=100, bet_step=5, boxes=3)
    for line, message in (
        ("5", "The least here is 10."),
        ("105", "The most here is 100."),
        ("12", "Bets go in steps of 5."),
        ("4:10", "Boxes 1 to 3"),
        ("0:10", "Boxes 1 to 3"),
        ("c2", "There is nothing on it."),
        ("u2", "There is nothing on it."),
        ("u", "There are no bets."),
        ("c", "There are no bets."),
        ("r", "There are no last bets."),
        ("hello", "I do not understand 'hello'; ? helps."),
        ("1+5 d", "The least here is 10."),
    ):
        game, text = play(rules, line, "q", balance=200)
        assert message in text, line
        assert game.table.bets in ((0, 0, 0), (5, 0, 0))
    _, text = play(rules, "100", "2:100 3:10", "q", balance=200)
    assert "That is more than you have." in text
    _, text = play("romanian", "+5", "q")
    assert "Chips here: 4 20 40 100 200 400 2000." in text
    _, text = play("vegas_strip", "10 d", "p", "q", cards="Ts 9h 9d 8c Kd Kh")
    assert "Split: the two cards are no pair." in text
    _, text = play("vegas_strip", "10 d", "p", "q", cards="Ts 9h 9d 8c Kd Kh", language="ru")
    assert "Сейчас это невозможно." in text


def test_actions_by_key_name_and_label_in_any_keyboard() -> None:
    cards = "5s 9h 6d 8c 2c Kd Kh"
    for word in ("h", "H", "hit", "Ещё", "ещё", "р"):
        _, text = play("goldfishka", "10 d", word, "s", "q", cards=cards, language="ru")
        assert "│5 │6 │2  │" in text, word
    for word in ("r", "Отказаться", "surrender", "к"):
        game, _ = play("goldfishka", "10 d", word, "q", cards=cards, language="ru")
        assert game.tally.net == -5


def test_a_label_of_two_actions_is_the_one_that_is_legal() -> None:
    game, _ = play("continental", "10 d", "Insurance", "q", cards="As 9h Kd Ac Kh")
    assert game.tally.net == 10  # even money, which this house calls insurance too
    game, text = play("continental", "10 d", "Stand", "Stand", "q", cards="Ts 9h 8d Ac Kh")
    assert "an offer" in text
    assert game.tally.rounds == 1


def test_parts_where_the_rules_allow_them() -> None:
    rules = Rules(double_for_less=True, partial_insurance=True)
    cards = "5s Ah 6d 8c Tc"
    game, _ = play(rules, "50 d", "i10", "d 20", "q", cards=cards)
    assert game.tally.staked == 80
    game, _ = play(rules, "1", "enter", "i", "7", "d", "", "q", "x", cards=cards, keys=True)
    assert game.tally.staked == 25 + 7 + 25
    game, text = play(rules, "50 d", "n", "d 60", "s", "q", cards=cards)
    assert game.tally.staked == 50
    assert "not possible" in text


def test_a_public_table_shows_the_round_that_it_has_cleared() -> None:
    rules = Rules(private=False)
    game, text = play(rules, "10 d", "s", "", "s", "q", balance=None, players={"ann": 100}, seed=1)
    assert game.tally.rounds == 2
    assert "Result:" in text


def test_small_screens_show_cards_in_brief() -> None:
    _, text = play(
        "goldfishka", *"1234567", "enter", keys=True, size=(60, 20), seed=3, balance=10**6
    )
    assert "┌" not in text.split("\n----\n")[8]
    game, terminal = session(
        "goldfishka", [*"1234567", "enter", "h"], keys=True, size=(60, 20), seed=3
    )
    game.run()
    for screen in terminal.shown[:-1]:
        assert len(screen.splitlines()) <= 20
        assert max(map(width_of, screen.splitlines())) <= 60


def test_chips_by_keys() -> None:
    game, terminal = session(
        "romanian",
        ["-", "-", "1", "up", "+", "1", "1", "back", "x", "t", "8 1+20", "enter"],
        keys=True,
    )
    game.run()
    bets = [re.search(r"Box 1: (\d+)", screen) for screen in terminal.shown]
    assert [m[1] if m else None for m in bets[:12]] == [
        *[None] * 3, "4", "4", "4", "44", "84", "44", None, "28", None
    ]  # fmt: skip


@pytest.mark.parametrize("keys", [False, True])
def test_ctrl_c_settles_what_is_staked_before_it_counts(keys: bool) -> None:
    script = iter(["1", "enter"] if keys else ["25", "d"])

    def person() -> str:
        answer = next(script, None)
        if answer is None:
            raise KeyboardInterrupt
        return answer

    game, _ = session("las_vegas", person, keys=keys, seed=5)
    with pytest.raises(KeyboardInterrupt):
        game.run()
    assert game.table.turn is None
    assert game.tally.rounds == 1
    assert game.table.balance() == 1000 + game.tally.net


@pytest.mark.parametrize("size", [(40, 12), (60, 8), (80, 24), (200, 60)])
@pytest.mark.parametrize("language", ["en", "ru", "ro"])
def test_all_of_the_help_can_be_read_in_a_small_window(
    size: tuple[int, int], language: str
) -> None:
    game, terminal = session(
        "goldfishka", ["?", *["x"] * 30], keys=True, language=language, size=size
    )
    game.run()
    header = terminal.shown[0].split("\n")[0]
    shown = [text.split("\n") for text in terminal.shown if not text.startswith(header)]
    assert max(len(line) for lines in shown for line in lines) <= size[0]
    assert max(len(lines) for lines in shown) < size[1]
    said = " ".join(" ".join(line.split()) for lines in shown for line in lines)
    for line in (*HELP_BETS_KEYS[language], *HELP_PLAY[language]):
        assert " ".join(line.split()) in said
