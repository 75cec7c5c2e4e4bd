"""The distribution of a round's result against brute force: tiny shoes, exact fractions.

Not here: figures of others, the expected value alone (test_analysis_bruteforce).
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from blackjack.outcomes import outcome_distribution
from blackjack.rules import Rules
from blackjack.strategy import Strategy
from reference.exact import Exact, RunsDry
from test_analysis_bruteforce import SUITED, like, random_strategy
from tiny_games import MORE, SHOES, cards, counts, exactly, random_rules, tiny_houses


def check(rules: Rules, shoe: dict[str, int], strategy: Strategy) -> bool:
    """Every result has its chance; False where there is nothing to compare."""
    suits = rules.suited_blackjack_pays not in (None, rules.blackjack_pays)
    try:
        got = outcome_distribution(rules, strategy, shoe=counts(shoe))
    except ValueError:
        return False  # refused by name
    seen: dict[Fraction, Fraction] = {}

    def chance_of(net: Fraction) -> Fraction:
        def worth(result: Fraction) -> Fraction:
            seen[result] = seen.get(result, Fraction(0))
            return Fraction(result == net)

        play = like(strategy, rules)
        return Exact(exactly(rules), cards(shoe, suits=suits), play=play, worth=worth).ev()

    try:
        for net, chance in got.items():
            assert chance == pytest.approx(float(chance_of(net)), abs=1e-12), (net, rules.to_json())
    except RunsDry:
        return False
    assert {net for net, chance in got.items() if chance > 1e-15} <= set(seen)
    assert sum(got.values()) == pytest.approx(1, abs=1e-12)
    return True


@pytest.mark.parametrize("name", ["goldfishka", "romanian"])
def test_houses(name: str) -> None:
    rules = tiny_houses()[name]
    assert check(rules, {"8": 4, "T": 7}, Strategy.published(rules))


@pytest.mark.slow
@pytest.mark.parametrize("name", tiny_houses())
def test_every_house(name: str) -> None:
    check(tiny_houses()[name], SUITED, Strategy.published(tiny_houses()[name]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10 * MORE))
def test_random_rules_and_strategies(seed: int) -> None:
    check(random_rules(seed), SHOES[seed % len(SHOES)], random_strategy(seed))
