"""The analyzer against the bulk simulator: two independent ways to the same expected value.

Not here: exact figures (test_analysis, test_analysis_bruteforce).
"""

from __future__ import annotations

from typing import Any

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


@pytest.mark.parametrize("name", ["goldfishka", "atlantic_city", "vegas_strip", "macau"])
def test_starts(name: str) -> None:
    """What each pair came to under each upcard: as often as the shoe says, worth what the analyzer says."""
    rules = PRESETS[name].replace(shuffle="every_round")
    result = simulate(rules, "chart", rounds=1 << 23, seed=2024, workers=1)
    game = analyze(rules, strategy="chart")
    shoe = {"A": 4, "T": 16}
    size = rules.shoe_size
    assert size is not None
    for label, upcard, boxes, net, squared in result.starts:
        if label[0] != "p":
            continue
        hand = f"{label[1]} {label[1]}"
        n, up = (rules.decks or 0) * shoe.get(label[1], 4), (rules.decks or 0) * shoe.get(upcard, 4)
        chance = n * (n - 1) * (up - 2 * (label[1] == upcard)) / (size * (size - 1) * (size - 2))
        offers = game.offers(hand, upcard)
        if offers:
            value = offers[game.best_offer(hand, upcard)]
        else:
            values = game.values(hand, upcard, given_no_blackjack=False)
            value = values[game.best(hand, upcard)]
        expected = chance * result.rounds
        assert abs(boxes - expected) < 5 * expected**0.5, (label, upcard)
        mean, unit = net / boxes, result.unit
        error = ((squared / boxes - mean * mean) / boxes) ** 0.5 / unit
        assert abs(mean / unit - value) < 5 * error + 1e-12, (label, upcard)


# A rank that is not there, one of each ten-value, a single ace: pairs and upcards that never come.
SCANT: dict[str, dict[str, Any]] = {
    "no threes, infinite": {"decks": None, "composition": [3, 1, 0, 2, 0, 3, 2, 3, 2, 2, 3, 1, 3]},
    "no threes": {"decks": 2, "composition": [4, 1, 0, *[4] * 10]},
    "no pair of tens by rank": {
        "decks": 1,
        "composition": [*[8] * 9, *[1] * 4],
        "split_by": "rank",
    },
    "one ten": {"decks": 1, "composition": [*[8] * 9, 1, 0, 0, 0]},
    "one ace": {"decks": 1, "composition": [1, *[8] * 12]},
}


@pytest.mark.parametrize("name", SCANT)
def test_pairs_that_never_come_where_hands_are_taken_together(name: str) -> None:
    rules = Rules(
        **SCANT[name],
        hole_card="none",
        dealer_blackjack_takes="original_and_busted",
        max_hands=2,
        shuffle="every_round",
    )
    held(rules, Strategy.chart(rules), 1 << 20)
