"""The compiled round against the reference engine: any rules, any cards, any legal play.

Lives here: whole rounds on `blackjack_core.round.Round` and the reference side by side, decision by
decision. Not here: recorded rounds (test_replay_conformance), the table around a round (test_table).

A failure prints the round as a round file, so that it can be replayed.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from blackjack.actions import ACTION_SETS, ACTIONS, OUTCOMES, Action
from blackjack.cards import CARDS, cards_text, parse_cards
from blackjack.history import replay
from blackjack.rules import TABLE_FIELDS, Rules
from blackjack.testing import rounds, rules
from blackjack_core.round import Round
from blackjack_core.ruleset import RuleSet
from blackjack_core.shoe import Shoe
from reference.engine import IllegalRound, ReferenceRound, plain

DONE = 3
PHASES = {1: "offers", 2: "play", 3: "done"}

# Shoes that make the rare things common: by weight of the value indices A 2 ... 9 T.
TASTES = {
    "even": [1, 1, 1, 1, 1, 1, 1, 1, 1, 4],
    "aces and tens": [6, 1, 1, 1, 1, 1, 1, 1, 1, 10],
    "aces": [8, 2, 1, 1, 0, 0, 0, 0, 1, 1],
    "small": [3, 6, 5, 4, 2, 1, 0, 0, 0, 0],
    "pairs": [0, 0, 0, 0, 0, 0, 0, 9, 1, 3],
    "middle": [1, 0, 0, 2, 3, 4, 4, 3, 1, 1],
}


class Pair:
    """One round on both engines; every look compares them."""

    def __init__(self, game: Rules, bets: list[int], cards: str, fields: dict[str, Any]) -> None:
        self.actions: list[str] = []
        self.record = {"rules": fields, "bets": bets, "cards": cards, "actions": self.actions}
        self.shoe = Shoe(bytes(card.code for card in parse_cards(cards)))
        compiled = RuleSet(**{**game.compiled.fields, "boxes": len(bets)})
        self.round = Round(compiled, self.shoe)
        self.reference = ReferenceRound(fields, bets, cards)
        self.round.start(bets)
        self.compare()

    @property
    def legal(self) -> list[str]:
        return sorted(ACTION_SETS[self.round.legal])

    @property
    def why(self) -> str:
        return json.dumps(self.record)

    def compare(self) -> None:
        """What can be seen between two decisions is the same."""
        mine, other = self.round, self.reference
        assert self.legal == other.legal(), self.why
        assert PHASES[mine.phase] == other.phase, self.why
        assert cards_text(parse_cards(mine.dealer())) == " ".join(other.dealer), self.why
        assert len(self.shoe.round_cards()) == other.cards_used, self.why
        for box, its in enumerate(other.boxes):
            hands = [cards_text(parse_cards(self.hand(box, i))) for i in range(len(its.hands))]
            assert hands == [" ".join(hand.cards) for hand in its.hands], self.why
            assert mine.hand_count(box) == len(its.hands), self.why
            stakes = [mine.hand_state(box, i)[0] for i in range(len(its.hands))]
            assert stakes == [hand.bet for hand in its.hands], self.why
            assert mine.box_state(box)[1] == its.insurance, self.why
        if mine.phase != DONE:
            assert (mine.box, mine.turn_hand) == (other.box_index, other.hand_index), self.why
            assert mine.stake_of(Action.DOUBLE.code) == other.hand.bet, self.why
            if "insurance" in self.legal:
                assert mine.stake_of(Action.INSURANCE.code) == other.limit("insurance"), self.why

    def hand(self, box: int, hand: int) -> bytes:
        return self.round.hand_cards(box, hand)

    def apply(self, action: str, amount: int | None) -> bool:
        """Do it on both sides; False when the cards do not suffice, which changes nothing."""
        before = self.round.state()
        try:
            assert self.round.apply(Action(action).code, amount or 0) == 0, self.why
        except LookupError:
            assert self.round.state() == before, self.why
            with pytest.raises(IllegalRound, match="not enough cards"):
                self.reference.apply(action, amount)
            return False
        self.actions.append(action if amount is None else f"{action}:{amount}")
        self.reference.apply(action, amount)
        self.compare()
        return True

    def refuse(self, action: str, amount: int | None) -> None:
        """Both refuse it, and nothing has changed on the compiled side."""
        before = self.round.state()
        reason = self.round.apply(Action(action).code, amount or 0)
        assert reason > 0, (action, amount, self.why)
        assert self.round.state() == before, (action, amount, self.why)
        with pytest.raises(IllegalRound):
            self.reference.apply(action, amount)

    def settle(self) -> None:
        """The answers are the same, and so is that of `replay`."""
        answer = self.reference.result()
        boxes: list[dict[str, Any]] = []
        for box in range(len(self.reference.boxes)):
            hands: list[dict[str, Any]] = []
            for i in range(self.round.hand_count(box)):
                stake, returned, _, _, outcome, *_ = self.round.hand_state(box, i)
                hands.append(
                    {
                        "cards": cards_text(parse_cards(self.hand(box, i))),
                        "bet": stake,
                        "outcome": str(OUTCOMES[outcome]),
                        "returned": returned,
                    }
                )
            _, insurance, back = self.round.box_state(box)
            staked, returned = self.round.totals()[box]
            boxes.append(
                {
                    "hands": hands,
                    "insurance": insurance,
                    "insurance_returned": back,
                    "staked": staked,
                    "returned": returned,
                    "net": returned - staked,
                }
            )
        assert boxes == answer["boxes"], self.why
        assert sum(box["net"] for box in boxes) == answer["net"], self.why
        assert replay(self.record) == answer, self.why


def fields_of(game: Rules, *, rounded: bool) -> dict[str, Any]:
    """The rules for both engines; without `rounded` they do not name how amounts are rounded."""
    fields = game.to_dict()
    if not rounded:
        del fields["rounding"]
    return fields


def unit_of(game: Rules, *, rounded: bool) -> int:
    """What bets must be multiples of so that both engines deal in whole amounts."""
    return 1 if rounded and game.rounding != "exact" else game.exact_unit


def loaded_shoe(chance: random.Random, size: int) -> str:
    weights = TASTES[chance.choice(list(TASTES))]
    values = chance.choices(range(10), weights, k=size)
    ranks = [chance.choice((9, 10, 11, 12)) if v == 9 else v for v in values]
    suits = chance.choice(["cdhs", "cdhs", "ss"])
    return cards_text(CARDS[rank * 4 + "cdhs".index(chance.choice(suits))] for rank in ranks)


def play_one(game: Rules, chance: random.Random) -> int:
    """One random round to its end, with refusals on the way; the number of its decisions."""
    rounded = chance.random() < 0.7
    unit = unit_of(game, rounded=rounded)
    boxes = chance.choice([1, 1, 2, 3, 5])
    bets = [chance.choice([0, 1, 2, 3, 10, 99]) * unit for _ in range(boxes)]
    if not any(bets):
        bets[chance.randrange(boxes)] = unit
    cards = loaded_shoe(chance, 60 + 30 * boxes)
    pair = Pair(game, bets, cards, fields_of(game, rounded=rounded))
    decisions = 0
    # some players only stand, some draw until they bust, some split whatever they can
    eager = chance.choice(["", "hit", "split", "double", "insurance"])
    while pair.round.phase != DONE:
        legal = pair.legal
        if chance.random() < 0.3:
            refuse_something(pair, game, chance)
        action = eager if eager in legal and chance.random() < 0.7 else chance.choice(legal)
        amount = None
        allowed = {"double": game.double_for_less, "insurance": game.partial_insurance}
        if allowed.get(action) and chance.random() < 0.5:
            full = int(pair.reference.limit(action))
            if full >= unit:
                amount = chance.randint(1, full // unit) * unit
        if not pair.apply(action, amount):
            return decisions
        decisions += 1
    pair.settle()
    for action in ACTIONS:
        pair.refuse(str(action), None)
    return decisions


def refuse_something(pair: Pair, game: Rules, chance: random.Random) -> None:
    legal = pair.legal
    action = str(chance.choice(ACTIONS))
    if action not in legal:
        pair.refuse(action, chance.choice([None, 1]))
        return
    allowed = {"double": game.double_for_less, "insurance": game.partial_insurance}
    full = int(pair.reference.limit(action)) if action in allowed else 0
    if allowed.get(action):
        pair.refuse(action, full + 1)
    else:
        pair.refuse(action, max(1, full - 1))


def play_many(game: Rules, seed: int, n: int) -> None:
    chance = random.Random(f"{seed} {game.fingerprint}")
    for _ in range(n):
        play_one(game, chance)


@settings(max_examples=80)
@given(rules(boxes=7))
def test_random_rounds(game: Rules) -> None:
    play_many(game, 1, 25)


@pytest.mark.slow
@settings(max_examples=1200)
@given(rules(boxes=7))
def test_more_random_rounds(game: Rules) -> None:
    play_many(game, 2, 25)


@settings(max_examples=100)
@given(rounds())
def test_drawn_rounds(record: dict[str, Any]) -> None:
    """Rounds that hypothesis can shrink, from real shoes, by the record alone."""
    other = ReferenceRound(record["rules"], record["bets"], record["cards"])
    for text in record["actions"]:
        action, _, part = text.partition(":")
        other.apply(action, int(part) if part else None)
    assert replay(record) == other.result()


@pytest.mark.slow
def test_every_field_is_drawn() -> None:
    """The strategy knows every field of the rules, and gives each of them more than one value."""
    seen: dict[str, set[str]] = {name: set() for name in Rules().to_dict()}

    @settings(max_examples=150)
    @given(rules())
    def look(game: Rules) -> None:
        for name, value in game.to_dict().items():
            seen[name].add(json.dumps(value))

    look()
    assert {name for name, values in seen.items() if len(values) < 2} == set()


def test_an_exact_unit_makes_every_amount_whole() -> None:
    """What `exact_unit` promises, on rounds that the reference settles in fractions."""
    chance = random.Random(3)

    @settings(max_examples=60)
    @given(rules(boxes=7, rounding="exact"))
    def check(game: Rules) -> None:
        fields = fields_of(game, rounded=False)
        unit = game.exact_unit
        reference = ReferenceRound(fields, [unit, 3 * unit], loaded_shoe(chance, 400))
        while not reference.done:
            reference.apply(chance.choice(reference.legal()))
        for box in reference.result()["boxes"]:
            amounts = [box["returned"], box["staked"], *(h["returned"] for h in box["hands"])]
            assert all(isinstance(amount, int) for amount in amounts)

    check()


def test_fractions_of_a_bet_without_rounding() -> None:
    record = {
        "rules": {"blackjack_pays": "6:5"},
        "bets": [1, 7],
        "cards": "As 9d 5c Kh 9h 8c Td",
        "actions": ["stand"],
    }
    assert replay(record)["boxes"][0]["returned"] == plain(Fraction(11, 5)) == "11/5"


def test_table_fields_do_not_change_a_round() -> None:
    """Limits, steps and chips are the table's: the compiled rules know nothing of them."""
    plain_rules = Rules()
    other = plain_rules.replace(
        min_bet=5, max_bet=10, bet_step=5, chips=[5], limit_per="deal", private=False
    )
    assert set(TABLE_FIELDS) - {"rounding"} == set(plain_rules.diff(other))
    assert plain_rules.compiled == other.compiled
