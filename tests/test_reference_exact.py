"""Values in exact fractions: held against every order of the cards, one by one, and against themselves.

Not here: the analyzer, which is held against these values (test_analysis_bruteforce).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from reference.engine import ReferenceRound, total
from reference.exact import Exact, RunsDry

ACES = {"Ac": 2, "8c": 3, "Tc": 7}


def like_the_dealer(now: ReferenceRound) -> str:
    if "decline" in now.legal():
        return "decline"
    if "split" in now.legal():
        return "split"
    return "hit" if total(now.hand.cards) < 17 and "hit" in now.legal() else "stand"


@pytest.mark.parametrize("hole_card", ["peek", "no_peek", "none"])
def test_is_the_mean_over_every_order_of_the_cards(hole_card: str) -> None:
    rules = {"hole_card": hole_card, "max_hands": 2, "dealer_blackjack_takes": "original"}
    shoe = {"Ac": 1, "9c": 2, "8c": 2, "Tc": 2}
    orders = set(permutations([card for card, n in shoe.items() for _ in range(n)]))
    nets = []
    for order in orders:
        now = ReferenceRound(rules, [1], list(order))
        while not now.done:
            now.apply(like_the_dealer(now))
        nets.append(Fraction(now.result()["net"]))
    assert Exact(rules, shoe, play=like_the_dealer).ev() == sum(nets) / len(orders)


def test_a_peek_is_worth_what_original_bets_only_are_worth() -> None:
    shoe = {"Ac": 2, "9c": 3, "Tc": 5}
    peek = Exact({"max_hands": 2}, shoe, split="exact").ev()
    rules = {"max_hands": 2, "hole_card": "none", "dealer_blackjack_takes": "original"}
    assert Exact(rules, shoe, split="exact").ev() == peek


def test_more_freedom_is_worth_more() -> None:
    game = {"max_hands": 2}
    best = Exact(game, ACES, split="exact").ev()
    named = Exact(game, ACES).ev()
    fixed = Exact(game, ACES, play=like_the_dealer).ev()
    assert best >= named > fixed


def test_the_parts_add_up() -> None:
    game = Exact({"max_hands": 2}, ACES)
    cards = sum(ACES.values())
    chances = {"A": Fraction(2, cards), "8": Fraction(3, cards), "T": Fraction(7, cards)}
    assert sum(chances[up] * ev for up, ev in game.ev_by_upcard().items()) == game.ev()


def test_values_of_one_situation() -> None:
    # 9 9 against 9, left: two sixes and three tens (and no peek under a nine)
    values = Exact({"max_hands": 1, "max_ace_hands": 1}, {"6c": 2, "9c": 3, "Tc": 3}).values(
        ["9c", "9c"], "9c"
    )
    # the dealer has 19 (3/5), or 15 and busts with a ten (2/5 * 3/4), or gets 21 (2/5 * 1/4)
    assert values["stand"] == -Fraction(3, 5) + Fraction(3, 10) - Fraction(1, 10)
    assert values["hit"] == values["double"] / 2 == -1


def test_a_shoe_that_runs_dry_has_no_value() -> None:
    with pytest.raises(RunsDry):
        Exact({}, {"5c": 4, "6c": 3}).ev()
