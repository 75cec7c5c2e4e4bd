"""The houses: five of the rule sets this engine was built for, and six of the real world.

Lives here: one `Rules` per house. Not here: the readings behind them (docs/rules.md), labels.
`las_vegas` and `atlantic_city` are the games of one online house under those names, not what is
played in those cities.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from blackjack.rules import Rules

__all__ = ["HOUSES", "PRESETS"]

_LAS_VEGAS = Rules(
    decks=1,
    shuffle={"fewer_than": 22},
    boxes=1,
    hole_card="none",
    suited_blackjack_pays="2:1",
    double_on=[9, 10, 11],
    max_hands=2,
    hit_on_21=False,
    limit_per="deal",
)

_GOLDFISHKA = Rules(
    decks=6,
    shuffle="every_round",
    hole_card="no_peek",
    upcard="second",
    hit_split_aces=True,
    max_hands=3,
    max_ace_hands=2,
    surrender="early",
    even_money_on=["A"],
    charlie_cards=7,
    charlie_pays="3:2",
)

_EUROPEAN = Rules(
    decks=6,
    hole_card="none",
    double_on=[9, 10, 11],
    double_soft=False,
    max_hands=2,
)

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        "goldfishka": _GOLDFISHKA,
        "las_vegas": _LAS_VEGAS,
        "atlantic_city": _LAS_VEGAS.replace(decks=6, shuffle={"fewer_than": 44}),
        "continental": Rules(
            decks=6,
            hole_card="no_peek",
            upcard="second",
            pay_blackjack_at_once=True,
            max_hands=2,
            insurance_on=["A", "T"],
            even_money_on=["A", "T"],
        ),
        "romanian": Rules(
            decks=6,
            boxes=1,
            peek_on=["A"],
            blackjack_ties_21=True,
            double_split_aces=True,
            hit_split_aces=True,
            max_hands=2,
            surrender="early",
            insurance_pays="5:2",
            insurance_blocks=["double", "split"],
            bet_step=4,
            chips=[4, 20, 40, 100, 200, 400, 2000],
        ),
        "vegas_strip": Rules(decks=6, hit_soft_17=True, surrender="late"),
        "downtown_vegas": Rules(decks=2, hit_soft_17=True),
        "single_deck_65": Rules(
            decks=1, hit_soft_17=True, double_after_split=False, blackjack_pays="6:5"
        ),
        "european": _EUROPEAN,
        "atlantic_city_8": Rules(decks=8),
        "macau": Rules(
            decks=8,
            hole_card="none",
            surrender="early",
            surrender_on=["2", "3", "4", "5", "6", "7", "8", "9", "T"],
        ),
    }
)
"""Rules by preset name."""

HOUSES: tuple[str, ...] = ("goldfishka", "las_vegas", "atlantic_city", "continental", "romanian")
"""The five houses."""
