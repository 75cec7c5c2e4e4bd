"""The fields, defaults and presets of the reference engine, written down a second time on purpose.

What does not live here: what the fields do to a round (`engine`), the shoe, the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

UPCARDS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"]


class IllegalRound(ValueError):
    """A round that is illegal, cut short or malformed."""


# Every field that can change what happens to the cards and chips of one round.
DEFAULTS: dict[str, Any] = {
    "hit_soft_17": False,
    "hole_card": "peek",
    "peek_on": ["A", "T"],
    "upcard": "first",
    "dealer_blackjack_takes": "all",
    "blackjack_pays": "3:2",
    "suited_blackjack_pays": None,
    "pay_blackjack_at_once": False,  # the order of events only: nothing below asks for it
    "blackjack_ties_21": False,
    "double_on": "any",
    "double_soft": True,
    "double_after_split": True,
    "double_split_aces": False,
    "hit_split_aces": False,
    "split_by": "value",
    "max_hands": 4,
    "max_ace_hands": 2,
    "surrender": "none",
    "surrender_on": UPCARDS,
    "surrender_returns": "1:2",
    "insurance_on": ["A"],
    "insurance_pays": "2:1",
    "insurance_blocks": [],
    "even_money_on": [],
    "charlie_cards": None,
    "charlie_pays": "1:1",
    "hit_on_21": True,
    "push_on_22": False,
    "dealer_wins_ties": [],
    "split_ace_ten_beats_21": False,
    "double_any_number": False,
    "redouble": False,
    "double_for_less": False,
    "partial_insurance": False,
    "rounding": None,
}

# Fields of the shoe and the table: known, and without meaning for a round whose cards are given.
OTHER_FIELDS = [
    "decks", "shuffle", "boxes", "burn", "composition", "min_bet", "max_bet", "bet_step", "chips",
    "limit_per", "private",
]  # fmt: skip

CHOICES: dict[str, list[Any]] = {
    "hole_card": ["peek", "no_peek", "none"],
    "upcard": ["first", "second"],
    "dealer_blackjack_takes": ["all", "original", "original_and_busted"],
    "split_by": ["value", "rank"],
    "surrender": ["none", "late", "early"],
    "rounding": [None, "down", "up", "exact"],
}

# Fields that are lists, and what may be in them.
LISTS: dict[str, list[Any]] = {
    "peek_on": ["A", "T"],
    "surrender_on": UPCARDS,
    "insurance_on": UPCARDS,
    "insurance_blocks": ["hit", "double", "split", "surrender"],
    "even_money_on": UPCARDS,
    "dealer_wins_ties": [17, 18, 19, 20, 21],
    "double_on": list(range(2, 22)),
}

_SOURCE_001: dict[str, Any] = {
    "hole_card": "none",
    "suited_blackjack_pays": "2:1",
    "double_on": [9, 10, 11],
    "max_hands": 2,
    "hit_on_21": False,
}

PRESETS: dict[str, dict[str, Any]] = {
    "goldfishka": {
        "decks": 6,
        "hole_card": "no_peek",
        "upcard": "second",
        "even_money_on": ["A"],
        "max_hands": 3,
        "hit_split_aces": True,
        "surrender": "early",
        "charlie_cards": 7,
        "charlie_pays": "3:2",
    },
    "las_vegas": {"decks": 1, "boxes": 1, **_SOURCE_001},
    "atlantic_city": {"decks": 6, "boxes": 1, **_SOURCE_001},
    "continental": {
        "decks": 6,
        "hole_card": "no_peek",
        "upcard": "second",
        "pay_blackjack_at_once": True,
        "even_money_on": ["A", "T"],
        "insurance_on": ["A", "T"],
        "max_hands": 2,
    },
    "romanian": {
        "decks": 6,
        "boxes": 1,
        "peek_on": ["A"],
        "blackjack_ties_21": True,
        "insurance_pays": "5:2",
        "insurance_blocks": ["split", "double"],
        "double_split_aces": True,
        "hit_split_aces": True,
        "max_hands": 2,
        "surrender": "early",
    },
    "vegas_strip": {"decks": 6, "hit_soft_17": True, "surrender": "late"},
    "downtown_vegas": {"decks": 2, "hit_soft_17": True},
    "single_deck_65": {
        "decks": 1,
        "hit_soft_17": True,
        "double_after_split": False,
        "blackjack_pays": "6:5",
    },
    "european": {
        "decks": 6,
        "hole_card": "none",
        "double_on": [9, 10, 11],
        "double_soft": False,
        "max_hands": 2,
    },
    "atlantic_city_8": {"decks": 8},
    "macau": {
        "decks": 8,
        "hole_card": "none",
        "surrender": "early",
        "surrender_on": ["2", "3", "4", "5", "6", "7", "8", "9", "T"],
    },
}


def ratio(value: Any) -> Fraction:
    """Read "3:2", "3/2", 2 or a Fraction."""
    try:
        if isinstance(value, str):
            return Fraction(value.replace(":", "/"))
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            return Fraction(value)
    except (ValueError, ZeroDivisionError):
        pass
    raise IllegalRound(f"not a ratio: {value!r}")


def complete_rules(rules: str | Mapping[str, Any]) -> dict[str, Any]:
    """All fields of DEFAULTS, from a preset's name or from a dict of fields."""
    given = {"preset": rules} if isinstance(rules, str) else dict(rules)
    preset = given.pop("preset", None)
    if preset is not None and preset not in list(PRESETS):
        raise IllegalRound(f"unknown preset: {preset!r}")
    named = given if preset is None else {**PRESETS[preset], **given}
    for name in named:
        if name not in DEFAULTS and name not in OTHER_FIELDS:
            raise IllegalRound(f"unknown rule: {name!r}")
    full = {name: named.get(name, default) for name, default in DEFAULTS.items()}
    if full["surrender_on"] in (None, "all", "any"):
        full["surrender_on"] = LISTS["surrender_on"]
    if isinstance(full["dealer_wins_ties"], bool):
        full["dealer_wins_ties"] = LISTS["dealer_wins_ties"] if full["dealer_wins_ties"] else []
    if full["suited_blackjack_pays"] is None:
        full["suited_blackjack_pays"] = full["blackjack_pays"]
    for name in DEFAULTS:
        if name.endswith(("_pays", "_returns")):
            full[name] = ratio(full[name])
        elif not allowed(name, full[name]):
            raise IllegalRound(f"{name} may not be {full[name]!r}")
    if full["max_ace_hands"] > full["max_hands"]:
        raise IllegalRound("max_ace_hands is above max_hands")
    return full


def allowed(name: str, value: Any) -> bool:
    """Whether a field, ratios apart, may have this value."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if name in CHOICES:
        return value in CHOICES[name]
    if name in LISTS:
        is_list = isinstance(value, list | tuple) and all(item in LISTS[name] for item in value)
        return is_list or (name == "double_on" and value == "any")
    if name in ("max_hands", "max_ace_hands"):
        return is_number and value >= 1
    if name == "charlie_cards":
        return value is None or (is_number and value >= 3)
    return isinstance(value, bool)
