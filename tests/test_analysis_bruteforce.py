"""The analyzer against brute force: every order of the cards of tiny shoes, in exact fractions.

The brute force (reference.exact) plays the reference engine, which shares no line with the product.
Not here: figures of others (test_analysis), large shoes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from blackjack.actions import Action
from blackjack.analysis import Analysis, action_values, analyze
from blackjack.errors import RulesError
from blackjack.rules import Rules
from blackjack.strategy import Strategy
from reference.engine import ReferenceRound
from reference.exact import Ambiguous, Exact, RunsDry
from tiny_games import MORE, SHOES, UPCARDS, cards, counts, exactly, random_rules, tiny_houses

NEAR = 1e-12
HOUSES = tiny_houses()


def like(strategy: Strategy, rules: Rules) -> Callable[[ReferenceRound], str]:
    """A strategy as a way of playing on the reference engine."""

    def play(now: ReferenceRound) -> str:
        second = now.rules["upcard"] == "second" and len(now.dealer) == 2
        action = strategy.decide(
            " ".join(now.hand.cards),
            now.dealer[1 if second else 0],
            now.legal(),
            after_split=now.hand.from_split,
            split_by_rank=rules.split_by == "rank",
        )
        return str(action)

    return play


# What insured boxes may not do where several hands hang together, and a shoe that may run dry.
REFUSED = {"dealer_blackjack_takes", "insurance_blocks", "shoe"}


def analyzed(rules: Rules, shoe: dict[str, int], **options: Any) -> Analysis | None:
    """The analysis, or None where it is refused with the reason that is expected."""
    try:
        return analyze(rules, shoe=counts(shoe), **options)
    except RulesError as error:
        named = {field for fields, _ in error.problems for field in fields}
        if not named <= REFUSED:
            raise
        return None


def check(rules: Rules, shoe: dict[str, int]) -> bool:
    """Hold optimal play against brute force; False where that has no answer."""
    suits = rules.suited_blackjack_pays not in (None, rules.blackjack_pays)
    exact = Exact(exactly(rules), cards(shoe, suits=suits))
    try:
        by_upcard = {up: float(value) for up, value in exact.ev_by_upcard().items()}
    except (RunsDry, Ambiguous):
        return False
    got = analyzed(rules, shoe)
    if got is None:
        return False
    about = f"{rules.to_json()} {shoe}"
    for up, value in by_upcard.items():
        assert got.ev_by_upcard[up] == pytest.approx(value, abs=NEAR), f"upcard {up}: {about}"
    assert got.ev == pytest.approx(float(exact.ev()), abs=NEAR), about
    return True


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 6, 8, 9, 12, 14, 15])
def test_random_rules(seed: int) -> None:
    check(random_rules(seed), SHOES[seed % len(SHOES)])


def test_most_random_rules_have_an_answer() -> None:
    games = [(random_rules(seed), SHOES[seed % len(SHOES)]) for seed in range(64)]
    refused = [rules for rules, shoe in games if analyzed(rules, shoe) is None]
    assert len(refused) < 16


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 5, 7, 10, 11, 13, *range(100, 100 + 20 * MORE)])
def test_more_random_rules(seed: int) -> None:
    check(random_rules(seed), SHOES[seed % len(SHOES)])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(400, 400 + 2 * MORE))
def test_random_rules_of_three_hands(seed: int) -> None:
    shoe = SHOES[seed % 2 * 4]
    check(random_rules(seed, hands=3), {**shoe, "T": 12})


SUITED = {"A": 1, "8": 4, "T": 4}  # a ten of each suit, so that one blackjack in four is suited


@pytest.mark.parametrize("name", [name for name in HOUSES if name != "atlantic_city"])
def test_houses(name: str) -> None:
    assert check(HOUSES[name], SUITED)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize(
    "shoe",
    [{"A": 2, "6": 1, "8": 3, "T": 4}, {"A": 2, "9": 4, "T": 4}, {"A": 2, "7": 4, "T": 4}][:MORE],
)
def test_houses_with_more_shoes(name: str, shoe: dict[str, int]) -> None:
    check(HOUSES[name], shoe)


# ---------------------------------------------------------------- fixed strategies


def random_strategy(seed: int) -> Strategy:
    """A wild chart: any preference anywhere, split hands on rows of their own, some exact cards."""
    rng = random.Random(seed)
    letters = ["H", "S", "Dh", "Ds", "Uh", "Us", "Hs", "UDh"]
    totals = [f"h{n}" for n in range(4, 22)] + [f"s{n}" for n in range(12, 22)]

    def cells(of: list[str]) -> tuple[str, ...]:
        return tuple(rng.choice(of) for _ in UPCARDS)

    def row(label: str) -> tuple[str, ...]:
        low = label[0] == "h" and int(label[1:]) < 9
        return cells(["H", "Dh", "Uh"] if low else letters)

    strategy = Strategy(
        rows={label: row(label) for label in totals}
        | {f"p{u}": cells(["Ph", "Ps", "H", "UPs", "Dh"]) for u in UPCARDS},
        after_split={label: row(label) for label in rng.sample(totals, 8)},
        insurance=rng.random() < 0.5,
        even_money=rng.random() < 0.5,
        early_surrender=rng.random() < 0.5,
    )
    return strategy.with_exact("T 8", "T", "Dh").with_exact("8 8", "T", "S", after_split=True)


def check_fixed(rules: Rules, shoe: dict[str, int], strategy: Strategy) -> None:
    suits = rules.suited_blackjack_pays not in (None, rules.blackjack_pays)
    exact = Exact(exactly(rules), cards(shoe, suits=suits), play=like(strategy, rules))
    try:
        value = float(exact.ev())
    except RunsDry:
        return
    got = analyzed(rules, shoe, strategy=strategy)
    if got is None:
        return
    assert got.ev == pytest.approx(value, abs=NEAR), f"{rules.to_json()} {shoe}"


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 6])
def test_fixed_strategies(seed: int) -> None:
    check_fixed(random_rules(seed), SHOES[seed % len(SHOES)], random_strategy(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 5, 7, *range(1000, 1000 + 12 * MORE)])
def test_more_fixed_strategies(seed: int) -> None:
    check_fixed(random_rules(seed), SHOES[seed % len(SHOES)], random_strategy(seed))


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSES)
def test_houses_by_the_published_chart(name: str) -> None:
    check_fixed(HOUSES[name], SUITED, Strategy.published(HOUSES[name]))


# ---------------------------------------------------------------- one situation

HANDS = (("8", "8"), ("A", "8"), ("T", "8"), ("A", "A"), ("T", "T"))


@pytest.mark.parametrize("name", ["goldfishka", "vegas_strip"])
def test_values_of_situations(name: str) -> None:
    rules = HOUSES[name]
    shoe = {"A": 3, "8": 4, "T": 8}
    exact = Exact(exactly(rules), cards(shoe))
    got = analyze(rules, shoe=counts(shoe))
    for hand in HANDS:
        for upcard in "A8T":
            values = exact.values([f"{card}c" for card in hand], f"{upcard}c")
            there = got.values(" ".join(hand), upcard)
            assert {a: there[Action(a)] for a in values} == {
                a: pytest.approx(float(v), abs=NEAR) for a, v in values.items()
            }, (hand, upcard)


DOUBLED: dict[str, dict[str, Any]] = {
    "peek": {},
    "no peek": {"hole_card": "no_peek"},
    "original bets": {"hole_card": "none", "dealer_blackjack_takes": "original"},
    "original and busted": {"hole_card": "none", "dealer_blackjack_takes": "original_and_busted"},
    "charlie": {"charlie_cards": 5, "hit_soft_17": True},
    "no aces, ten and eleven": {"double_soft": False, "double_on": [10, 11]},
}


@pytest.mark.parametrize("name", DOUBLED)
@pytest.mark.parametrize(("stake", "part"), [(2, 0), (2, 1), (4, 3), (3, 0), (1, 0)])
def test_values_of_doubled_hands(name: str, stake: int, part: int) -> None:
    """Of hands that may be doubled again, with any stake, and doubles for less of it."""
    rules = Rules(
        decks=1, redouble=True, double_for_less=True, max_hands=1, insurance_on=[], **DOUBLED[name]
    )
    shoe = {"A": 4, "2": 3, "8": 4, "T": 5}
    exact = Exact(exactly(rules), cards(shoe))
    for hand in (("8", "2") if stake == 1 else ("A", "8", "2"), ("2", "8"), ("8", "A", "A")):
        for upcard in "A8T":
            values = exact.values(
                [f"{card}c" for card in hand], f"{upcard}c", stake=stake, part=part
            )
            got = action_values(
                rules,
                " ".join(hand),
                upcard,
                shoe=counts(shoe),
                stake=stake,
                part=part / stake or 1,
            )
            assert {str(a): v for a, v in got.items()} == {
                a: pytest.approx(float(v), abs=NEAR) for a, v in values.items()
            }, (hand, upcard)
