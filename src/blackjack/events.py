"""What happens at a table, as frozen values.

Lives here: one dataclass per kind of event and the reading of the compiled round's log. Not here: who
listens (blackjack.table). A face-down card is None until it is turned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from blackjack.actions import ACTION_SETS, ACTIONS, OUTCOMES, Action, Outcome
from blackjack.cards import CARDS, Card
from blackjack_core.round import decode_log

__all__ = [
    "Acted",
    "Asked",
    "BetChanged",
    "BetReturned",
    "CardDealt",
    "DealerCardDealt",
    "Event",
    "HandSettled",
    "HoleCardOpened",
    "InsuranceSettled",
    "Peeked",
    "RoundSettled",
    "Shuffled",
]


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events.

    >>> CardDealt(box=0, hand=0, card=Card("As")).to_dict()
    {'event': 'CardDealt', 'box': 0, 'hand': 0, 'card': 'As'}
    """

    def to_dict(self) -> dict[str, object]:
        """The event as JSON values, its kind under "event"."""
        result: dict[str, object] = {"event": type(self).__name__}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Card):
                value = value.text
            elif isinstance(value, frozenset):
                value = sorted(str(a) for a in value)
            elif isinstance(value, Action | Outcome):
                value = str(value)
            result[field.name] = value
        return result


@dataclass(frozen=True, slots=True)
class BetChanged(Event):
    """A box's bet is now `amount` (0: taken away)."""

    box: int
    amount: int
    player: str


@dataclass(frozen=True, slots=True)
class Shuffled(Event):
    """The shoe was shuffled; `in_round`: it ran dry, and its discards were shuffled."""

    in_round: bool


@dataclass(frozen=True, slots=True)
class CardDealt(Event):
    """A card to a player's hand."""

    box: int
    hand: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealerCardDealt(Event):
    """A card to the dealer; None when it lies face down."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """A hand must decide; `actions` are the legal ones."""

    box: int
    hand: int
    actions: frozenset[Action]


@dataclass(frozen=True, slots=True)
class Acted(Event):
    """A decision, and what it staked."""

    box: int
    hand: int
    action: Action
    amount: int


@dataclass(frozen=True, slots=True)
class Peeked(Event):
    """The dealer looked at the hole card."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class HoleCardOpened(Event):
    """The hole card is turned."""

    card: Card


@dataclass(frozen=True, slots=True)
class InsuranceSettled(Event):
    """A box's insurance won or lost; `returned` includes its stake."""

    box: int
    won: bool
    returned: int


@dataclass(frozen=True, slots=True)
class HandSettled(Event):
    """A hand is settled; `returned` includes its stake."""

    box: int
    hand: int
    outcome: Outcome
    returned: int


@dataclass(frozen=True, slots=True)
class BetReturned(Event):
    """What a dealer blackjack may not take (`dealer_blackjack_takes`) comes back to a lost hand."""

    box: int
    hand: int
    amount: int


@dataclass(frozen=True, slots=True)
class RoundSettled(Event):
    """The round is over."""


def read_log(log: bytes) -> Iterator[Event]:
    """The events of one call of the compiled round (LogKind in round.pxd), as everyone may see them."""
    for kind, box, hand, value, amount in decode_log(log):
        if kind == 1:
            yield CardDealt(box, hand, CARDS[value])
        elif kind == 2:
            yield DealerCardDealt(CARDS[value] if hand else None)
        elif kind == 3:
            yield Asked(box, hand, ACTION_SETS[amount])
        elif kind == 4:
            yield Acted(box, hand, ACTIONS[value], amount)
        elif kind == 5:
            yield Peeked(bool(value))
        elif kind == 6:
            yield HoleCardOpened(CARDS[value])
        elif kind == 7:
            yield Shuffled(in_round=True)
        elif kind == 8:
            yield HandSettled(box, hand, OUTCOMES[value], amount)
        elif kind == 9:
            yield InsuranceSettled(box, bool(value), amount)
        elif kind == 10:
            yield BetReturned(box, hand, amount)
        else:
            yield RoundSettled()
