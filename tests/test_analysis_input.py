"""Reading of shoes, hands and strategies by the analyzer, and what it says of those that are none."""

from __future__ import annotations

from typing import Any

import pytest

from blackjack import Action, Card, Rules, action_values, analyze
from blackjack._analysis_input import full_shoe, read_hand, read_shoe
from blackjack.errors import CardError, ChartError, RulesError

RULES = Rules(decks=1)


@pytest.mark.parametrize(
    "hand", ["A 7", "A7", "7 A", "As 7d", ["A", "7"], [1, 7], [11, "7d"], (Card("As"), Card("7d"))]
)
def test_forms_of_a_hand(hand: Any) -> None:
    assert read_hand(hand).counts == (1, 0, 0, 0, 0, 0, 1, 0, 0, 0)


def test_tens_of_a_hand() -> None:
    assert read_hand("10 K").counts[9] == 2
    assert read_hand("T10").counts[9] == 2
    assert not read_hand("K Q").same_rank
    assert read_hand("K K").same_rank
    assert read_hand("As Ks").suited is True
    assert read_hand("As Kd").suited is False
    assert read_hand("A K").suited is None


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        ("A", "expected a hand of two cards or more"),
        ("T T 2", "up to 21 points"),
        ("A x", "expected a card such as 'As', a rank of"),
        ([1, 12], "expected a card, a rank or a value from 1 to 11, got 12"),
        (5, "expected a hand such as 'A 7', got 5"),
    ],
)
def test_no_hands(hand: Any, text: str) -> None:
    with pytest.raises(CardError, match=text):
        action_values(RULES, hand, "5")


def test_forms_of_a_shoe() -> None:
    full = full_shoe(RULES)
    assert full.counts == (*[4] * 9, 16)
    assert full.suited == 0.25
    ranks = [4] * 13
    by_name = dict(zip("A23456789T", full.counts, strict=True))
    for shoe in (
        None,
        list(full.counts),
        ranks,
        by_name,
        dict(zip("A23456789TJQK", ranks, strict=True)),
    ):
        assert read_shoe(RULES, shoe) == full
    assert read_shoe(RULES, {"A": 3, "10": 9}).counts == (3, *[0] * 8, 9)
    assert read_shoe(RULES, {"A": 3, "10": 9}).tens is None


@pytest.mark.parametrize(
    ("shoe", "text"),
    [
        ([4] * 9, "expected ten counts .* or thirteen .*, got 9"),
        ({"X": 1}, "expected a shoe's ranks of A 2"),
        ([4.0] * 10, "expected counts as ints from 0 to 100000, got 4.0"),
        ([-1, *[4] * 9], "expected counts as ints"),
        ("4444", "expected a shoe as a mapping or ten counts"),
    ],
)
def test_no_shoes(shoe: Any, text: str) -> None:
    with pytest.raises(CardError, match=text):
        analyze(RULES, shoe=shoe)


def test_cards_that_are_not_there() -> None:
    with pytest.raises(
        CardError, match="expected cards that the shoe holds: 3 of value 8, it has 2"
    ):
        action_values(Rules(decks=1, double_any_number=True), "8 8", "8", shoe=[4] * 7 + [2, 4, 16])
    with pytest.raises(CardError, match="5 of value A, it has 4"):
        analyze(RULES).values("A A A A", "A")
    infinite = analyze(Rules(decks=None))
    assert Action.HIT in infinite.values("A A A A A", "A")


def test_ways_of_playing() -> None:
    with pytest.raises(ChartError, match="expected 'optimal', 'chart', 'published' or a Strategy"):
        analyze(RULES, strategy="best")
    with pytest.raises(ChartError, match="expected a split_play of cdz, "):
        analyze(RULES, split_play="cdq")
    with pytest.raises(ChartError, match="expected 2 hands or more after a split, got 1"):
        action_values(RULES, "8 8", "5", after_split=True, hands=1)
    with pytest.raises(RulesError, match="preset"):
        analyze("no_such_house")
