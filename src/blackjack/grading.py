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
from functools import lru_cache
from typing import Any

from blackjack._analysis_input import shoe_numbers
from blackjack.actions import ACTION_SETS, ACTIONS, Action
from blackjack.analysis import action_values, offer_values
from blackjack.cards import CARDS, UPCARDS, Card, cards_text
from blackjack.errors import HistoryError
from blackjack.history import OpenRecord, open_record, parse_record
from blackjack.rules import Rules

__all__ = ["Decision", "Grade", "grade", "values_at"]


@dataclass(frozen=True, slots=True)
class Situation:
    """A moment in which somebody must decide, as far as the cards go.

    Attributes:
        cards: the hand.
        upcard: the dealer's.
        legal: the legal actions; with `Action.DECLINE` among them it is an offer.
        others: the other cards that lie open on the table.
        hands: how many hands the box has; more than one after a split.
        insured: whether the box is insured.
        stake: what lies on the hand, in initial bets; more than one once it was doubled.
    """

    cards: tuple[Card, ...]
    upcard: Card
    legal: frozenset[Action]
    others: tuple[Card, ...] = ()
    hands: int = 1
    insured: bool = False
    stake: float = 1.0


def _left(rules: Rules, cards: Iterable[Card], shoe: Sequence[int] | None) -> list[int] | None:
    """The shoe without some cards: by value or by rank, as it was given; None where it is infinite."""
    if shoe is None:
        if rules.decks is None:
            return None
        left = [0] * 13
        for code in rules.shoe_cards:
            left[code >> 2] += 1
    else:
        left = list(shoe_numbers(shoe))
    for card in cards:
        left[min(card.code >> 2, len(left) - 1)] -= 1
    if min(left) < 0:
        raise HistoryError("cards: more of a rank on the table than the shoe holds")
    return left


def _is_pair(cards: tuple[Card, ...]) -> bool:
    return len(cards) == 2 and len({min(card.code >> 2, 9) for card in cards}) == 1


@lru_cache(maxsize=64)
def _without_splits(rules: Rules) -> Rules:
    return rules.replace(max_hands=1, max_ace_hands=1)


def values_at(
    rules: Rules, at: Situation, *, shoe: Sequence[int] | None = None
) -> dict[Action, float]:
    """What every legal action is worth in a situation, in initial bets.

    Args:
        rules: the game.
        at: the situation.
        shoe: cards in the shoe before the round, by value (ten counts A 2 ... 9 T) or by rank
            (thirteen, to K); the rules' full shoe by default.

    Raises:
        HistoryError: the cards on the table do not come from that shoe.
        RulesError: these rules have no exact value; the text names the field.
    """
    return _values(rules, at, shoe)


def _values(
    rules: Rules, at: Situation, shoe: Sequence[int] | None, part: float = 1.0
) -> dict[Action, float]:
    """`values_at`, with doubles for a part of the stake."""
    _left(rules, (*at.cards, at.upcard, *at.others), shoe)
    left = _left(rules, at.others, shoe)
    if at.hands == 1 and not _is_pair(at.cards):
        rules = _without_splits(rules)  # none can come, and some rules are exact only without
    if Action.DECLINE in at.legal:
        values = offer_values(rules, at.cards, at.upcard, shoe=left)
    else:
        after = at.hands > 1
        values = action_values(
            rules,
            at.cards,
            at.upcard,
            shoe=left,
            after_split=after,
            hands=at.hands if after else 2,
            insured=at.insured,
            stake=at.stake,
            part=part,
        )
    if not at.legal <= values.keys():
        wrong = ", ".join(str(action) for action in ACTIONS if action in at.legal - values.keys())
        raise HistoryError(f"legal: expected what these rules allow there, got {wrong}")
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
        shoe: cards in the shoe before the round, by value (ten counts A 2 ... 9 T) or by rank
            (thirteen, to K); the rules' full shoe by default.

    >>> played = {"rules": "vegas_strip", "bets": [10], "cards": "Ts 6d 6h Td 5c 9c",
    ...           "actions": ["hit", "stand"]}
    >>> first = grade(played).decisions[0]
    >>> first.cards, first.upcard, str(first.action), str(first.best), round(first.cost, 3)
    ('Ts 6h', '6', 'hit', 'stand', 0.313)

    Raises:
        HistoryError: the record is no legal round, or its cards do not come from the shoe.
    """
    if isinstance(record, str):
        record = parse_record(record)
    game = open_record(record)
    decisions = [_decision(game, shoe, *step) for step in game.play()]
    return Grade(tuple(decisions))


def _decision(
    game: OpenRecord, shoe: Sequence[int] | None, number: int, code: int, part: int
) -> Decision:
    round_, rules = game.round, game.rules
    box, hand = round_.box, round_.turn_hand
    action = ACTIONS[code]
    hands = {
        (b, h): tuple(CARDS[c] for c in round_.hand_cards(b, h))
        for b in range(len(game.bets))
        for h in range(round_.hand_count(b))
    }
    own = hands.pop((box, hand))
    at = Situation(
        cards=own,
        upcard=CARDS[round_.upcard],
        legal=ACTION_SETS[round_.legal],
        others=tuple(card for cards in hands.values() for card in cards),
        hands=round_.hand_count(box),
        insured=round_.box_state(box)[1] > 0,
        stake=round_.hand_state(box, hand)[0] / round_.box_state(box)[0],
    )
    values = values_at(rules, at, shoe=shoe)
    if action not in values:
        raise HistoryError(f"action {number}: {action} is not legal here")
    full_stake = round_.stake_of(code)
    share = game.inside(part) / full_stake if part and full_stake else 1.0
    return Decision(
        number=number,
        box=box,
        hand=hand,
        cards=cards_text(own),
        upcard=UPCARDS[min(at.upcard.code >> 2, 9)],
        action=action,
        part=part or None,
        value=values[action] if share == 1.0 else _partly(rules, at, values, action, share, shoe),
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
    shoe: Sequence[int] | None,
) -> float:
    """What a part of a double or an insurance is worth: its stake counts in proportion."""
    if action is Action.DOUBLE:
        return _values(rules, at, shoe, share)[action]
    left = _left(rules, (*at.cards, at.upcard, *at.others), shoe)
    if left is None:
        left = list(rules.rank_counts)
    rank = min(at.upcard.code >> 2, 9)
    hits = {0: sum(left[9:]), 9: left[0]}.get(rank, 0)
    chance = hits / sum(left)
    whole = 0.5 * (float(rules.insurance_pays) * chance - (1 - chance))
    return values[action] - (1 - share) * whole
