"""What a player may do, and what became of a hand.

Lives here: `Action`, `Outcome`, `Phase`. Not here: when an action is legal (blackjack_core.round),
labels in a house's language (blackjack.labels).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

__all__ = ["Action", "Outcome", "Phase"]


class Action(StrEnum):
    """A decision of a player; the value is its name in round files.

    >>> Action("even_money")
    <Action.EVEN_MONEY: 'even_money'>
    """

    code: int

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURANCE = "insurance"
    EVEN_MONEY = "even_money"
    DECLINE = "decline"


class Outcome(StrEnum):
    """What became of a hand."""

    OPEN = "open"
    BLACKJACK = "blackjack"
    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    BUST = "bust"
    SURRENDER = "surrender"
    EVEN_MONEY = "even_money"
    CHARLIE = "charlie"


class Phase(StrEnum):
    """Where the table is between two rounds."""

    BETTING = "betting"
    OFFERS = "offers"
    PLAY = "play"
    SETTLED = "settled"


# Codes of blackjack_core are positions in these tuples; they never change, new ones are appended.
ACTIONS: Final = tuple(Action)
OUTCOMES: Final = tuple(Outcome)
PHASES: Final = tuple(Phase)

for _code, _action in enumerate(ACTIONS):
    _action.code = _code

# Every set of legal actions by its mask.
ACTION_SETS: Final = tuple(
    frozenset(a for a in ACTIONS if mask >> a.code & 1) for mask in range(1 << len(ACTIONS))
)
