"""The analyzer against the bulk simulator: two independent ways to the same expected value.

Not here: exact figures (test_analysis, test_analysis_bruteforce).
"""

from __future__ import annotations

import pytest

from blackjack import Rules, Strategy, analyze, simulate
from blackjack.presets import PRESETS
from tiny_games import MORE, random_rules

FULL = {"decks": 6, "shuffle": "every_round"}


def held(rules: Rules, strategy: Strategy, rounds: float) -> None:
    """Five standard errors, with a shuffle before every round as the analyzer has it."""
    game = rules.replace(shuffle="every_round")
    result = simulate(game, strategy, rounds=rounds, seed=2024, workers=1)
    exact = analyze(game, strategy=strategy)
    assert abs(result.ev - exact.ev) < 5 * result.stderr, game.to_json()


@pytest.mark.parametrize("name", PRESETS)
def test_houses(name: str) -> None:
    held(PRESETS[name], Strategy.chart(PRESETS[name]), 1 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_houses_by_exact_cards(name: str) -> None:
    held(PRESETS[name], Strategy.optimal(PRESETS[name]), 1 << 22)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_houses_long(name: str) -> None:
    held(PRESETS[name], Strategy.chart(PRESETS[name]), 1 << 25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6 * MORE))
def test_random_rules(seed: int) -> None:
    rules = random_rules(seed, hands=4).replace(**FULL, dealer_blackjack_takes="all")
    held(rules, Strategy.published(rules).replace(insurance=seed % 2 == 0), 1 << 20)
