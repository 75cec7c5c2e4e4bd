"""Tiny games for brute force: random rules and shoes of few ranks that no round runs dry.

Not here: the brute force (reference.exact), what is held against it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from typing import Any

from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import Rules

UPCARDS = "A23456789T"
# The slow tier holds this many times as many games against brute force (a quarter of an hour at 15).
MORE = int(os.environ.get("BLACKJACK_MORE", "1"))
# Cards per value; small enough to be enumerated, large enough for every round of two hands.
SHOES: tuple[dict[str, int], ...] = (
    {"A": 2, "8": 3, "T": 7},
    {"6": 4, "7": 4, "T": 8},
    {"A": 3, "7": 3, "9": 3, "T": 4},
    {"A": 1, "5": 3, "6": 3, "T": 8},
    {"A": 4, "9": 4, "T": 8},
    {"4": 2, "8": 4, "9": 2, "T": 6},
    {"A": 2, "3": 2, "T": 10},
    {"2": 1, "7": 4, "8": 3, "T": 5},
)


def counts(shoe: dict[str, int]) -> tuple[int, ...]:
    """Ten counts A 2 ... T."""
    return tuple(shoe.get(up, 0) for up in UPCARDS)


def cards(shoe: dict[str, int], *, suits: bool = False) -> dict[str, int]:
    """The shoe as cards; where suits matter, ten-values are in all suits alike (4 or 8 of them)."""
    result = {f"{up}c": n for up, n in shoe.items() if n}
    if suits and (tens := result.pop("Tc", 0)):
        if tens % 4:
            raise ValueError("expected ten-values in multiples of four")
        result |= {f"T{suit}": tens // 4 for suit in "cdhs"}
    return result


def exactly(rules: Rules) -> dict[str, Any]:
    """The rules for the reference engine, without rounding."""
    return {name: value for name, value in rules.to_dict().items() if name != "rounding"}


def random_rules(seed: int, *, hands: int = 2) -> Rules:
    """Rules with every field that matters to a round at random."""
    rng = random.Random(seed)

    def flip(chance: float = 0.5) -> bool:
        return rng.random() < chance

    def some(of: Iterable[Any]) -> list[Any]:
        return [item for item in of if flip()]

    max_hands = rng.choice([1, *range(2, hands + 1), hands])
    fields: dict[str, Any] = {
        "decks": 1,
        "boxes": 1,
        "shuffle": "every_round",
        "hit_soft_17": flip(),
        "hole_card": rng.choice(["peek", "no_peek", "none"]),
        "peek_on": rng.choice([["A", "T"], ["A", "T"], ["A"], ["T"], []]),
        "upcard": rng.choice(["first", "second"]),
        "dealer_blackjack_takes": rng.choice(["all", "original", "original_and_busted"]),
        "blackjack_pays": rng.choice(["3:2", "6:5", "1:1", "2:1"]),
        "blackjack_ties_21": flip(),
        "double_on": rng.choice(["any", "any", [9, 10, 11], some(range(4, 22))]),
        "double_soft": flip(0.7),
        "double_after_split": flip(0.7),
        "double_split_aces": flip(),
        "hit_split_aces": flip(),
        "max_hands": max_hands,
        "max_ace_hands": rng.randint(1, max_hands),
        "surrender": rng.choice(["none", "late", "early"]),
        "surrender_on": rng.choice([list(UPCARDS), some(UPCARDS)]),
        "surrender_returns": rng.choice(["1:2", "1:2", "2:3"]),
        "insurance_on": rng.choice([["A"], ["A", "T"], [], some(UPCARDS)]),
        "insurance_pays": rng.choice(["2:1", "5:2"]),
        "insurance_blocks": rng.choice([[], [], ["double", "split"], some(["hit", "surrender"])]),
        "even_money_on": rng.choice([[], ["A"], ["A", "T"]]),
        "charlie_cards": rng.choice([None, None, 3, 4, 5]),
        "charlie_pays": rng.choice(["1:1", "3:2"]),
        "hit_on_21": flip(),
        "push_on_22": flip(0.3),
        "dealer_wins_ties": rng.choice([[], [], [17], [20, 21], [17, 18, 19, 20, 21]]),
        "split_ace_ten_beats_21": flip(0.3),
        "double_any_number": flip(0.3),
        "redouble": flip(0.2),
    }
    return Rules(**fields)


def tiny_houses() -> dict[str, Rules]:
    """The five houses and those of the real world, with no more than two hands."""
    result = {}
    for name, rules in PRESETS.items():
        few = min(2, rules.max_hands)
        result[name] = rules.replace(
            max_hands=few,
            max_ace_hands=min(few, rules.max_ace_hands),
            shuffle="every_round",
            boxes=1,
        )
    assert set(HOUSES) <= set(result)
    return result
