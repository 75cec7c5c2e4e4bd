"""The hint of the game in a terminal: the values of the actions, in the house's language.

Not here: the values (test_grading), the rest of the game (test_play).
"""

from __future__ import annotations

import pytest

from blackjack import Action, Table
from blackjack.cli.play_hint import hint
from blackjack.cli.play_terminal import width_of
from blackjack.grading import Situation, values_at
from blackjack.labels import labels
from blackjack.presets import HOUSES
from test_play import play

CARDS = "Ts 6d 6h Td 5c 9c 2c 3c 4c"


def table(house: str, cards: str) -> Table:
    result = Table(house, cards=cards)
    result.bet(0, 4)
    result.deal()
    return result


def test_values_are_in_order_and_the_best_is_marked() -> None:
    there = table("vegas_strip", CARDS)
    assert there.turn is not None
    values = hint(there, there.turn, labels("vegas_strip", "en"))
    assert values is not None
    assert [text.split()[0] for text, _ in values] == ["Stand", "Hit", "Surrender", "Double"]
    assert [best for _, best in values] == [True, False, False, False]
    turn = there.turn
    want = values_at(there.rules, Situation(turn.hand.cards, turn.upcard, turn.actions))
    assert values[0][0] == f"Stand {want[Action.STAND]:+.3f}"


def test_an_offer_has_values_too() -> None:
    there = table("continental", "As Td Ts Ac 2c 3c")  # the second dealer card is up
    assert there.turn is not None
    assert there.turn.offer
    values = hint(there, there.turn, labels("continental", "en"))
    assert values is not None
    assert {text.rpartition(" ")[2] for text, _ in values} >= {"+1.000"}


@pytest.mark.parametrize("hands", [2, 5])
def test_what_takes_long_has_no_hint(hands: int) -> None:
    rules = Table("vegas_strip").rules.replace(
        hole_card="none",
        dealer_blackjack_takes="original_and_busted",
        insurance_on=["A", "T"],
        insurance_blocks=["double"],
        max_hands=hands,
        max_ace_hands=2,
    )
    there = Table(rules, cards="8s Td 8h 6d 5c 9c 2c 3c 4c")
    there.bet(0, 4)
    there.deal()
    there.act("decline")
    assert there.turn is not None
    assert (hint(there, there.turn, labels(None, "en")) is None) == (hands > 4)


@pytest.mark.parametrize("keys", [False, True], ids=["lines", "keys"])
@pytest.mark.parametrize("language", ["en", "ru", "ro"])
def test_the_key_shows_them_and_the_turn_stays(language: str, keys: bool) -> None:
    bets = ["1", "enter"] if keys else ["4", "d"]
    press = "м" if language == "ru" else "v"
    _, shown = play("vegas_strip", *bets, press, "s", keys=keys, language=language, cards=CARDS)
    words = labels("vegas_strip", language)
    screens = [s for s in shown.split("\n----\n") if f"* {words.actions[Action.STAND]} -0." in s]
    assert len(screens) == 1
    assert words.actions[Action.SURRENDER] + " -0.500" in screens[0]
    assert max(map(width_of, screens[0].splitlines())) <= 80


@pytest.mark.parametrize("house", HOUSES)
def test_every_house_has_hints(house: str) -> None:
    there = table(house, "8s 9d 8h 7d 5c 9c 2c 3c 4c Ts Td")
    assert there.turn is not None
    assert hint(there, there.turn, labels(house)) is not None
