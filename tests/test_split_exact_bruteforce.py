"""Full-memory play of split hands against brute force: every order of tiny shoes, exact fractions.

Not here: figures of others (test_outcomes and the like), other ways of playing split hands.
"""

from __future__ import annotations

import pytest

from blackjack.outcomes import exact_split_value
from blackjack.rules import Rules
from reference.exact import Exact, RunsDry
from tiny_games import MORE, cards, counts, exactly, random_rules, tiny_houses

SHOES = ({"A": 2, "8": 4, "T": 7}, {"6": 4, "7": 2, "T": 8}, {"A": 4, "9": 3, "T": 6})


def check(rules: Rules, shoe: dict[str, int]) -> int:
    """How many splits agree (all of them, or it fails)."""
    exact = Exact(exactly(rules), cards(shoe), split="exact")
    done = 0
    for pair, held in shoe.items():
        for up in shoe:
            if held < 2 + (pair == up):
                continue
            try:
                got = exact_split_value(rules, counts(shoe), pair, up)
            except ValueError:
                continue  # what is refused is refused by name; test_outcomes has those
            try:
                values = exact.values([f"{pair}c", f"{pair}c"], f"{up}c")
            except RunsDry:
                continue
            if "split" not in values:
                continue
            value = float(values["split"])
            assert got.given_no_blackjack == pytest.approx(value, abs=1e-12), (
                f"{pair} {pair} against {up}: {rules.to_json()} {shoe}"
            )
            done += 1
    return done


def test_a_plain_game() -> None:
    rules = Rules(decks=1, max_hands=2, shuffle="every_round", boxes=1)
    assert check(rules, SHOES[0]) >= 6


@pytest.mark.parametrize("name", ["las_vegas", "romanian"])
def test_houses(name: str) -> None:
    assert check(tiny_houses()[name], SHOES[0]) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12 * MORE))
def test_random_rules(seed: int) -> None:
    check(random_rules(seed, hands=2), SHOES[seed % len(SHOES)])
