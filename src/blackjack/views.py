"""What a player may see: turns, hands, boxes, the table, the settlement. All immutable.

Lives here: the frozen values a table hands out, with their JSON forms. Not here: the table itself
(blackjack.table). Nothing here ever holds a face-down card or the order of the shoe.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

from blackjack.actions import ACTION_SETS, Action, Outcome, Phase
from blackjack.cards import CARDS, Card, cards_text

__all__ = ["BoxResult", "BoxView", "HandResult", "HandView", "Settlement", "TableView", "Turn"]


@dataclass(frozen=True, slots=True)
class HandView:
    """A player's hand as it lies.

    Attributes:
        cards: in dealt order.
        total: the best total, one ace as 11 where that does not bust.
        soft: whether an ace counts 11 in it.
        stake: what is staked on the hand (doubles included).
        outcome: `Outcome.OPEN` until the hand is settled.
    """

    cards: tuple[Card, ...]
    total: int
    soft: bool
    stake: int
    outcome: Outcome = Outcome.OPEN

    def to_dict(self) -> dict[str, object]:
        """The hand as JSON values."""
        return {
            "cards": cards_text(self.cards),
            "total": self.total,
            "soft": self.soft,
            "stake": self.stake,
            "outcome": str(self.outcome),
        }


_TurnState = tuple[int, int, int, bool, bytes, int, int, bool, int]


class Turn:
    """Who must decide, and between what. Immutable; compared by value.

    Attributes:
        player: who owns the box.
    """

    __slots__ = ("_hand", "_state", "player")

    player: str

    def __init__(self, state: _TurnState, player: str) -> None:
        object.__setattr__(self, "_state", state)
        object.__setattr__(self, "player", player)
        object.__setattr__(self, "_hand", None)

    _state: _TurnState
    _hand: HandView | None

    @property
    def box(self) -> int:
        """The box's number."""
        return self._state[0]

    @property
    def hand_index(self) -> int:
        """The hand's number within its box (0 before any split)."""
        return self._state[1]

    @property
    def actions(self) -> frozenset[Action]:
        """The legal actions, those the player can pay for."""
        return ACTION_SETS[self._state[2]]

    @property
    def offer(self) -> bool:
        """Whether this is an offer before play (insurance, even money, early surrender)."""
        return self._state[3]

    @property
    def passive(self) -> Action:
        """What silence means: `STAND` in play, `DECLINE` at an offer."""
        return Action.DECLINE if self._state[3] else Action.STAND

    @property
    def hand(self) -> HandView:
        """The hand that must decide."""
        hand = self._hand
        if hand is None:
            state = self._state
            hand = HandView(tuple([CARDS[c] for c in state[4]]), state[6], state[7], state[5])
            object.__setattr__(self, "_hand", hand)
        return hand

    @property
    def upcard(self) -> Card:
        """The dealer's upcard."""
        return CARDS[self._state[8]]

    def to_dict(self) -> dict[str, object]:
        """The turn as JSON values."""
        return {
            "box": self.box,
            "hand_index": self.hand_index,
            "player": self.player,
            "hand": self.hand.to_dict(),
            "upcard": self.upcard.text,
            "offer": self.offer,
            "actions": sorted(str(a) for a in self.actions),
        }

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a turn does not change")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Turn):
            return NotImplemented
        return self._state == other._state and self.player == other.player

    def __hash__(self) -> int:
        return hash((self._state, self.player))

    def __repr__(self) -> str:
        actions = ", ".join(sorted(str(a) for a in self.actions))
        return (
            f"<Turn box {self.box} hand {self.hand_index}: {cards_text(self.hand.cards)} "
            f"against {self.upcard.text} ({actions})>"
        )


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
