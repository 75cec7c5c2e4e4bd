"""What a player may see: turns, hands, boxes, the table, the settlement. All immutable.

Lives here: the frozen values a table hands out, with their JSON forms. Not here: the table itself
(blackjack.table), `Turn` and `HandView` (compiled, in blackjack_core.desk). Nothing here ever holds a
face-down card or the order of the shoe.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

from blackjack.actions import Outcome, Phase
from blackjack.cards import Card, cards_text
from blackjack_core.desk import HandView, Turn

__all__ = ["BoxResult", "BoxView", "HandResult", "HandView", "Settlement", "TableView", "Turn"]


@dataclass(frozen=True, slots=True)
class HandResult:
    """A settled hand. `bet` is its whole stake, `returned` what came back with it (stake included)."""

    cards: tuple[Card, ...]
    bet: int
    outcome: Outcome
    returned: int

    @property
    def net(self) -> int:
        """Won (or lost, negative) by this hand."""
        return self.returned - self.bet

    def to_dict(self) -> dict[str, object]:
        """The hand in the form of a replay's answer."""
        return {
            "cards": cards_text(self.cards),
            "bet": self.bet,
            "outcome": str(self.outcome),
            "returned": self.returned,
        }


@dataclass(frozen=True, slots=True)
class BoxResult:
    """A settled box; an empty one has no hands."""

    box: int
    player: str | None
    hands: tuple[HandResult, ...]
    insurance: int
    insurance_returned: int

    @property
    def staked(self) -> int:
        """All that was staked on the box, insurance included."""
        return sum(h.bet for h in self.hands) + self.insurance

    @property
    def returned(self) -> int:
        """All that came back."""
        return sum(h.returned for h in self.hands) + self.insurance_returned

    @property
    def net(self) -> int:
        """Won (or lost, negative) by the box."""
        return self.returned - self.staked

    def to_dict(self) -> dict[str, object]:
        """The box in the form of a replay's answer."""
        return {
            "hands": [h.to_dict() for h in self.hands],
            "insurance": self.insurance,
            "insurance_returned": self.insurance_returned,
            "staked": self.staked,
            "returned": self.returned,
            "net": self.net,
        }


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a round ended: per box and hand, and the dealer's cards in dealt order."""

    boxes: tuple[BoxResult, ...]
    dealer: tuple[Card, ...]
    cards_used: int

    @property
    def net(self) -> int:
        """Won (or lost, negative) by all boxes together."""
        return sum(b.net for b in self.boxes)

    def to_dict(self) -> dict[str, object]:
        """The settlement in the form of a replay's answer (without `id` and `legal`)."""
        return {
            "dealer": cards_text(self.dealer),
            "cards_used": self.cards_used,
            "boxes": [b.to_dict() for b in self.boxes],
            "net": self.net,
        }


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box as it stands: who bets on it, how much, and its hands."""

    bet: int
    player: str | None
    insurance: int
    hands: tuple[HandView, ...]

    def to_dict(self) -> dict[str, object]:
        """The box as JSON values."""
        return {
            "bet": self.bet,
            "player": self.player,
            "insurance": self.insurance,
            "hands": [h.to_dict() for h in self.hands],
        }


@dataclass(frozen=True)
class TableView:
    """The table as one player (or, with `player` None, a bystander) sees it.

    Attributes:
        dealer: the dealer's open cards, in dealt order.
        hole_card: whether a card lies face down.
        balance: the player's own; None without limit and for a bystander.
        controls: what the player may do besides the actions of `turn`.
    """

    phase: Phase
    player: str | None
    balance: int | None
    boxes: tuple[BoxView, ...]
    dealer: tuple[Card, ...]
    hole_card: bool
    turn: Turn | None
    settlement: Settlement | None
    controls: frozenset[str]
    rules_fingerprint: str
    cards_left: int | None

    def to_dict(self) -> dict[str, object]:
        """The view as JSON values."""
        return {
            "phase": str(self.phase),
            "player": self.player,
            "balance": self.balance,
            "boxes": [b.to_dict() for b in self.boxes],
            "dealer": cards_text(self.dealer),
            "hole_card": self.hole_card,
            "turn": None if self.turn is None else self.turn.to_dict(),
            "settlement": None if self.settlement is None else self.settlement.to_dict(),
            "controls": sorted(self.controls),
            "rules_fingerprint": self.rules_fingerprint,
            "cards_left": self.cards_left,
        }

    @cached_property
    def _json(self) -> str:
        return json.dumps(self.to_dict())

    def to_json(self) -> str:
        """The view as a JSON object."""
        return self._json
