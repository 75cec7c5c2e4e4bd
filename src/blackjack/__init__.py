"""blackjack-engine: an exact, fast, embeddable blackjack engine.

Lives here: the public names, re-exported. Everything not named here is private.

>>> from blackjack import Action, Table
>>> table = Table("goldfishka", seed=7)
>>> table.bet(box=0, amount=50)
>>> table.deal()
>>> while (turn := table.turn) is not None:
...     hit = turn.hand.total < 17 and Action.HIT in turn.actions
...     table.act(Action.HIT if hit else turn.passive)
>>> table.settlement is not None
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from blackjack.actions import Action, Outcome, Phase
from blackjack.cards import Card, cards_text, hand_total, parse_cards
from blackjack.errors import (
    ArgumentError,
    BetError,
    BlackjackError,
    CardError,
    ChartError,
    HistoryError,
    IllegalAction,
    InsufficientFunds,
    MissingExtra,
    RulesError,
    ShoeExhausted,
)
from blackjack.rules import Rules, Shuffle
from blackjack.table import Table
from blackjack_core.desk import HandView, Turn

if TYPE_CHECKING:
    from blackjack.analysis import Analysis, action_values, analyze, offer_values
    from blackjack.grading import grade
    from blackjack.presets import HOUSES, PRESETS
    from blackjack.roundstream import play_rounds
    from blackjack.simulation import SimulationResult, simulate
    from blackjack.strategy import Strategy
    from blackjack.views import BoxResult, BoxView, HandResult, Settlement, TableView

__version__ = "0.1.0"

__all__ = [
    "HOUSES",
    "PRESETS",
    "Action",
    "Analysis",
    "ArgumentError",
    "BetError",
    "BlackjackError",
    "BoxResult",
    "BoxView",
    "Card",
    "CardError",
    "ChartError",
    "HandResult",
    "HandView",
    "HistoryError",
    "IllegalAction",
    "InsufficientFunds",
    "MissingExtra",
    "Outcome",
    "Phase",
    "Rules",
    "RulesError",
    "Settlement",
    "ShoeExhausted",
    "Shuffle",
    "SimulationResult",
    "Strategy",
    "Table",
    "TableView",
    "Turn",
    "__version__",
    "action_values",
    "analyze",
    "cards_text",
    "grade",
    "hand_total",
    "offer_values",
    "parse_cards",
    "play_rounds",
    "simulate",
]

# Loaded when first asked for, so that `import blackjack` stays quick for those who only play.
_LATER = {
    "Analysis": "blackjack.analysis",
    "BoxResult": "blackjack.views",
    "BoxView": "blackjack.views",
    "HandResult": "blackjack.views",
    "HOUSES": "blackjack.presets",
    "PRESETS": "blackjack.presets",
    "Settlement": "blackjack.views",
    "SimulationResult": "blackjack.simulation",
    "Strategy": "blackjack.strategy",
    "TableView": "blackjack.views",
    "action_values": "blackjack.analysis",
    "analyze": "blackjack.analysis",
    "grade": "blackjack.grading",
    "offer_values": "blackjack.analysis",
    "play_rounds": "blackjack.roundstream",
    "simulate": "blackjack.simulation",
}


def __getattr__(name: str) -> object:
    if name in _LATER:
        from importlib import import_module

        value: object = getattr(import_module(_LATER[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
