"""Grading: what each decision of a recorded round cost, against the best one.

Lives here: `grade`, and `values_at`, the values of the actions in one situation from the cards that a
player sees. Not here: the mathematics (blackjack.analysis), the replay of a round (blackjack.history).

A value is what the box's player can expect to win or lose, in initial bets, from that moment on if every
later decision is the best one: after a peek given that the dealer has no blackjack, with every card on
the table known (other boxes' too) and none of the cards before this round. In a split hand it is that
hand's own value, with the hands that may still come from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blackjack.actions import ACTION_SETS, ACTIONS, Action
from blackjack.analysis import action_values, offer_values
from blackjack.cards import CARDS, UPCARDS, cards_text
from blackjack.errors import HistoryError
from blackjack.history import OpenRecord, open_record, parse_record
from blackjack.rules import Rules

__all__ = ["Decision", "Grade", "grade", "values_at"]

Counts = tuple[int, ...]
"""Cards per value, A 2 ... 9 T."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A moment in which somebody must decide, as far as the cards go.

    Attributes:
        cards: the hand, cards per value A 2 ... 9 T.
        upcard: its value index, 0 to 9.
        legal: the legal actions; with `Action.DECLINE` among them it is an offer.
        others: the other cards on the table that lie open, per value.
        hands: how many hands the box has; more than one after a split.
        insured: whether the box is insured.
    """

    cards: Counts
    upcard: int
    legal: frozenset[Action]
    others: Counts = (0,) * 10
    hands: int = 1
    insured: bool = False


def counted(codes: Iterable[int]) -> Counts:
    """Card codes as cards per value.

    >>> counted([0, 51, 47])
    (1, 0, 0, 0, 0, 0, 0, 0, 0, 2)
    """
    counts = [0] * 10
    for code in codes:
        counts[min(code >> 2, 9)] += 1
    return tuple(counts)


def shoe_counts(rules: Rules) -> Counts | None:
    """The rules' full shoe, cards per value; None for an infinite deck."""
    return None if rules.decks is None else counted(rules.shoe_cards)


def values_at(rules: Rules, at: Situation, *, shoe: Counts | None = None) -> dict[Action, float]:
    """What every legal action is worth in a situation, in initial bets.

    Args:
        rules: the game.
        at: the situation.
        shoe: cards in the shoe before the round; the rules' full shoe by default.

    Raises:
        HistoryError: the cards on the table do not come from that shoe.
    """
    full = shoe_counts(rules) if shoe is None else shoe
    left: Counts | None = None
    if full is not None:
        left = tuple(n - seen for n, seen in zip(full, at.others, strict=True))
        up = [i == at.upcard for i in range(10)]
        if any(n < c + u for n, c, u in zip(left, at.cards, up, strict=True)):
            raise HistoryError("cards: more of a rank on the table than the shoe holds")
    if Action.DECLINE in at.legal:
        values = offer_values(rules, at.cards, at.upcard, shoe=left)
    else:
        values = action_values(
            rules,
            at.cards,
            at.upcard,
            shoe=left,
            hands=at.hands,
            after_split=at.hands > 1,
            insured=at.insured,
        )
    return {action: values[action] for action in ACTIONS if action in at.legal}


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision and what it was worth.

    Attributes:
        number: its place among the round's actions, from 1.
        box, hand: whose it was, from 0.
        cards: the hand, as text.
        upcard: `A 2 ... 9 T`.
        action: what was done.
        part: the part of a double or an insurance that was named, else None.
        value: what that was worth, in initial bets.
        values: what every legal action was worth.
        best: the best one.
        bet: the box's initial bet.
    """

    number: int
    box: int
    hand: int
    cards: str
    upcard: str
    action: Action
    part: int | None
    value: float
    values: Mapping[Action, float]
    best: Action
    bet: int

    @property
    def cost(self) -> float:
        """What it gave away, in initial bets: 0 for the best action."""
        return max(0.0, self.values[self.best] - self.value)

    def to_dict(self) -> dict[str, object]:
        """The decision as JSON values."""
        return {
            "number": self.number,
            "box": self.box,
            "hand": self.hand,
            "cards": self.cards,
            "upcard": self.upcard,
            "action": str(self.action) if self.part is None else f"{self.action}:{self.part}",
            "best": str(self.best),
            "value": self.value,
            "cost": self.cost,
            "lost": self.cost * self.bet,
            "values": {str(action): value for action, value in self.values.items()},
        }


@dataclass(frozen=True, slots=True)
class Grade:
    """The decisions of a round, in order."""

    decisions: tuple[Decision, ...]

    @property
    def cost(self) -> float:
        """What all of them gave away, in initial bets of their boxes."""
        return sum(d.cost for d in self.decisions)

    @property
    def lost(self) -> float:
        """The same in money."""
        return sum(d.cost * d.bet for d in self.decisions)

    @property
    def mistakes(self) -> tuple[Decision, ...]:
        """Those that were not the best (equally good ones are no mistakes)."""
        return tuple(d for d in self.decisions if d.cost > 1e-9)

    def to_dict(self) -> dict[str, object]:
        """The grade as JSON values."""
        return {
            "cost": self.cost,
            "lost": self.lost,
            "decisions": [d.to_dict() for d in self.decisions],
        }


def grade(record: Mapping[str, Any] | str, *, shoe: Sequence[int] | None = None) -> Grade:
    """Grade every decision of a recorded round.

    Args:
        record: a round file's record (`Table.record()`, an item of `Table.records`), or its text.
        shoe: cards in the shoe before the round, ten counts A 2 ... 9 T; the rules' full shoe by
            default.

    >>> played = {"rules": "vegas_strip", "bets": [10], "cards": "Ts 6d 6h Td 5c 9c",
    ...           "actions": ["hit", "stand"]}
    >>> first = grade(played).decisions[0]
    >>> first.cards, first.upcard, str(first.action), str(first.best), round(first.cost, 3)
    ('Ts 6h', '6', 'hit', 'stand', 0.346)

    Raises:
        HistoryError: the record is no legal round, or its cards do not come from the shoe.
    """
    if isinstance(record, str):
        record = parse_record(record)
    game = open_record(record)
    full = shoe_counts(game.rules) if shoe is None else tuple(shoe)
    decisions = [_decision(game, full, *step) for step in game.play()]
    return Grade(tuple(decisions))


def _decision(game: OpenRecord, full: Counts | None, number: int, code: int, part: int) -> Decision:
    round_, rules = game.round, game.rules
    box, hand = round_.box, round_.turn_hand
    action = ACTIONS[code]
    cards = round_.hand_cards(box, hand)
    others = [
        c
        for b in range(len(game.bets))
        for h in range(round_.hand_count(b))
        if (b, h) != (box, hand)
        for c in round_.hand_cards(b, h)
    ]
    at = Situation(
        cards=counted(cards),
        upcard=min(round_.upcard >> 2, 9),
        legal=ACTION_SETS[round_.legal],
        others=counted(others),
        hands=round_.hand_count(box),
        insured=round_.box_state(box)[1] > 0,
    )
    values = values_at(rules, at, shoe=full)
    full_stake = round_.stake_of(code)
    share = game.inside(part) / full_stake if part and full_stake else 1.0
    return Decision(
        number=number,
        box=box,
        hand=hand,
        cards=cards_text(CARDS[c] for c in cards),
        upcard=UPCARDS[at.upcard],
        action=action,
        part=part or None,
        value=values[action] if share == 1.0 else _partly(rules, at, values, action, share, full),
        values=values,
        best=max(values, key=lambda a: values[a]),
        bet=game.bets[box],
    )


def _partly(
    rules: Rules,
    at: Situation,
    values: Mapping[Action, float],
    action: Action,
    share: float,
    full: Counts | None,
) -> float:
    """What a part of a double or an insurance is worth: its stake counts in proportion."""
    if action is Action.DOUBLE:
        # one card and one bet on it, and the part on the same card
        return values[action] * (1 + share) / 2
    known = tuple(a + b for a, b in zip(at.cards, at.others, strict=True))
    whole = _insurance(rules, at.upcard, known, full)
    return values[action] - (1 - share) * whole


def _insurance(rules: Rules, upcard: int, known: Counts, full: Counts | None) -> float:
    """The result of the insurance bet alone, in initial bets: half a bet at insurance_pays."""
    if full is None:
        counts = list(counted(rules.shoe_cards))
    else:
        counts = [n - k for n, k in zip(full, known, strict=True)]
        counts[upcard] -= 1
    hits = {0: counts[9], 9: counts[0]}.get(upcard, 0)
    chance = hits / sum(counts)
    return 0.5 * (float(rules.insurance_pays) * chance - (1 - chance))
