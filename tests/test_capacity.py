"""The most cards a round can take: known numbers, brute force, and rounds that reach it.

Lives here: `blackjack._capacity`. Not here: what a table does about it (test_table).

Two sides. That no round takes more: every deal of tiny shoes by the reference engine, and random
greedy play of larger ones. That some round takes as many: the search's own way of dealing is turned
into cards and actions and played on the reference engine.
"""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack import _capacity
from blackjack._capacity import round_capacity
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.testing import rules
from reference.engine import IllegalRound, ReferenceRound

VALUES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"]

KNOWN = {
    # preset: at one box, two boxes, seven boxes
    "goldfishka": (32, 53, 157),
    "las_vegas": (21, 29, 53),
    "atlantic_city": (42, 60, 121),
    "continental": (43, 61, 124),
    "romanian": (43, 61, 124),
    "vegas_strip": (61, 90, 186),
    "downtown_vegas": (40, 58, 105),
    "single_deck_65": (30, 44, 53),
    "european": (43, 61, 124),
    "atlantic_city_8": (69, 101, 208),
    "macau": (69, 101, 208),
}


@pytest.mark.parametrize("name", KNOWN)
def test_houses(name: str) -> None:
    """21 and 42 are given by the rules of the houses; 53 and 105: these shoes may run dry."""
    assert tuple(round_capacity(PRESETS[name], boxes) for boxes in (1, 2, 7)) == KNOWN[name]
    assert set(KNOWN) == set(PRESETS)


def test_by_hand() -> None:
    plain: dict[str, Any] = {"max_hands": 1, "decks": 1}
    # 4 aces, 4 twos, 4 threes, 4 fours make 40; 21 + 16 = 37 leave 15 of them, and the dealer's last
    assert round_capacity(Rules(**plain), 1) == 16
    # three cards at the most, or two and the dealer's: 4 4 3 ... 9 cards sum up to 16, one more
    assert round_capacity(Rules(**plain, charlie_cards=3), 1) == 2 + 10
    # nobody is left when the hand busts, nothing but tens: 3 + 2
    tens: dict[str, Any] = {"composition": dict.fromkeys("A23456789", 0)}
    assert round_capacity(Rules(max_hands=1, **tens), 1) == 5
    assert round_capacity(Rules(max_hands=1, hole_card="none", insurance_on=[], **tens), 1) == 4
    assert round_capacity(Rules(max_hands=1, hole_card="none", insurance_on=["T"], **tens), 1) == 5
    # an infinite shoe: 21 aces and the dealer's twelve; two hands of a two, 19 aces and any card, one
    # of them without the last
    assert round_capacity(Rules(decks=None, max_hands=1), 1) == 21 + 12
    assert round_capacity(Rules(decks=None, max_hands=1, hit_soft_17=True), 1) == 21 + 13
    assert round_capacity(Rules(decks=None, max_hands=2), 1) == 21 + 20 + 12
    assert round_capacity(Rules(decks=None, max_hands=2), 64) == 64 * 44 - 2 * 64 - 1 + 12


def test_the_validation_of_rules_takes_microseconds() -> None:
    game, small = Rules(), PRESETS["single_deck_65"]
    start = time.perf_counter()
    for _ in range(200):
        round_capacity(game, 1, enough=312)
        round_capacity(small, 1, enough=52)
    assert (time.perf_counter() - start) / 200 < 0.002


@pytest.mark.parametrize("boxes", [1, 2, 7, 20, 64])
@pytest.mark.parametrize("decks", [2, 8])
def test_many_boxes_take_no_seconds(boxes: int, decks: int) -> None:
    start = time.perf_counter()
    for hands in (2, 4):
        round_capacity(Rules(decks=decks, max_hands=hands), boxes)
    assert time.perf_counter() - start < 5


def test_a_limit_that_never_ends_the_search_is_a_bound() -> None:
    """64 boxes of four hands: more hands than are searched; the bound is one above the shoe."""
    assert round_capacity(PRESETS["vegas_strip"], 64) == 313


# -- no round takes more


class Replay:
    """Every way a round can go, as far as its number of cards is concerned."""

    def __init__(self, game: dict[str, Any], boxes: int, size: int) -> None:
        self.game, self.boxes, self.size = game, boxes, size
        self.most = 0

    def explore(self, cards: tuple[str, ...], actions: tuple[str, ...] = ()) -> None:
        """All actions on these cards; a round that runs out of them asked for one more."""
        if self.most > self.size:
            return
        try:
            current = ReferenceRound(self.game, [10] * self.boxes, list(cards))
            for action in actions:
                current.apply(action)
        except IllegalRound as error:
            if "not enough cards" not in str(error):
                raise
            self.most = self.size + 1
            return
        self.most = max(self.most, current.cards_used)
        for action in current.legal():
            self.explore(cards, (*actions, action))


def permutations(cards: list[str]) -> set[tuple[str, ...]]:
    return set(itertools.permutations(cards))


SWITCHES: list[dict[str, Any]] = [
    {},
    {"hit_on_21": False},
    {"hole_card": "none"},
    {"hole_card": "none", "dealer_blackjack_takes": "original"},
    {"hole_card": "none", "insurance_on": ["A", "T"]},
    {"hole_card": "none", "insurance_on": ["A", "T"], "insurance_blocks": ["hit", "split"]},
    {"hole_card": "no_peek"},
    {"peek_on": ["A"]},
    {"charlie_cards": 3},
    {"charlie_cards": 4, "hole_card": "none"},
    {"hit_split_aces": True},
    {"double_split_aces": True, "redouble": True},
    {"double_split_aces": True, "double_soft": False},
    {"double_split_aces": True, "double_on": [11], "hit_on_21": False},
    {"split_by": "rank"},
    {"hit_soft_17": True, "max_hands": 1},
    {"max_hands": 1},
    {"max_ace_hands": 1},
    {"surrender": "late", "hole_card": "none", "max_hands": 1},
]


def full_game(counts: list[int], fields: dict[str, Any]) -> tuple[Rules, list[str]]:
    """Rules over a shoe of so many cards per rank, its validation set aside, and its cards."""
    game = Rules(**fields)
    object.__setattr__(game, "decks", 1)
    object.__setattr__(game, "composition", tuple(counts))
    cards = [
        r + "cdhs"[i % 4] for r, n in zip("A23456789TJQK", counts, strict=True) for i in range(n)
    ]
    return game, cards


def tiny(chance: random.Random, size: int) -> list[int]:
    """A few ranks only, so that hands are long, pairs come up and few orders are different."""
    few = chance.sample(range(13), k=chance.choice([1, 2, 2, 3]))
    counts = [0] * 13
    for _ in range(size):
        counts[chance.choice(few)] += 1
    return counts


def check_tiny(chance: random.Random, size: int) -> None:
    fields = dict(chance.choice(SWITCHES))
    fields.setdefault("max_hands", chance.choice([1, 2, 3]))
    fields["max_ace_hands"] = min(fields["max_hands"], fields.get("max_ace_hands", 2))
    boxes = chance.choice([1, 1, 2])
    counts = tiny(chance, size)
    game, cards = full_game(counts, fields)
    search = Replay(fields, boxes, size)
    # suits never change how many cards a round takes: one of each rank is enough
    for order in permutations([card[0] + "s" for card in cards]):
        search.explore(order)
    number, exact = _capacity._exact(_capacity._facts(game), boxes)
    assert exact
    assert number == search.most, (fields, boxes, counts)


@pytest.mark.parametrize("seed", range(60))
def test_every_deal_of_a_tiny_shoe(seed: int) -> None:
    chance = random.Random(seed)
    check_tiny(chance, chance.choice([3, 4, 5, 6, 7]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_every_deal_of_a_small_shoe(seed: int) -> None:
    chance = random.Random(seed)
    check_tiny(chance, chance.choice([5, 6, 7, 8, 9]))


@given(rules(boxes=7, burn=0), st.integers(1, 3), st.integers(0, 2**32))
@settings(max_examples=30)
def test_greedy_play_never_takes_more(game: Rules, boxes: int, seed: int) -> None:
    """Players who draw whatever they can from shoes with the small cards in front."""
    number = round_capacity(game, boxes)
    chance = random.Random(seed)
    fields = game.to_dict()
    deck = [
        r + "s" for r, n in zip("A23456789TJQK", game.rank_counts, strict=True) for _ in range(n)
    ]
    deck *= game.decks or 8
    ranks = "A23456789TJQK"
    for eager in ("hit", "split", "double"):
        deck.sort(
            key=lambda card: ranks.index(card[0]) + chance.random() * chance.choice([1, 4, 9])
        )
        current = ReferenceRound(fields, [game.exact_unit] * boxes, deck)
        while not current.done:
            legal = current.legal()
            wanted = [a for a in (eager, "split", "hit", "double", "decline") if a in legal]
            try:
                current.apply(
                    wanted[0] if wanted and chance.random() < 0.95 else chance.choice(legal)
                )
            except IllegalRound:
                break
        assert current.cards_used <= number


# -- some round takes as many


class Witness:
    """The way of dealing that a search found, as the cards and actions of a round."""

    def __init__(self, game: Rules, search: _capacity._Search) -> None:
        self.game = game
        self.hole = game.hole_card != "none"
        decks = game.decks or 0
        ranks = zip("A23456789TJQK", game.rank_counts, strict=True)
        self.left = Counter({rank: n * decks for rank, n in ranks})
        self.size = sum(self.left.values())
        self.splits: list[int] = []
        self.insured: list[bool] = []
        self.hands: list[list[list[str]]] = []
        self.asks_for_more = (
            False  # the last hand that is told of asks for a card that is not there
        )
        dealer: list[str] = []
        firsts: list[str] = []
        for step in search.witness:
            if step[0] == "box":
                _, _, first, hands, insured = step
                self.splits.append(hands)
                self.insured.append(insured)
                self.hands.append([])
                firsts = [] if first is None else self.same_rank(first, hands)
            elif step[0] == "hand":
                _, order, last = step
                start = [firsts.pop()] if self.splits[-1] > 1 else []
                cards = start + [self.take(v) for v in order[len(start) :]]
                self.hands[-1].append(cards if last is None else [*cards, self.take(last)])
                self.asks_for_more = last is None
            else:
                dealer = [self.take(v) for v in step[1]]
        self.hands[-1] += [[rank] for rank in firsts]
        while len(self.hands) < search.boxes:
            self.hands.append([[self.any(), self.any()]])
            self.splits.append(1)
            self.insured.append(False)
        self.cards = self.in_order(dealer)

    def take(self, value: int) -> str:
        ranks = "TJQK" if value == 9 else "A23456789"[value]
        rank = next(rank for rank in ranks if self.left[rank])
        self.left[rank] -= 1
        return rank

    def same_rank(self, value: int, n: int) -> list[str]:
        ranks = "TJQK" if value == 9 else "A23456789"[value]
        if self.game.split_by == "value":
            return [self.take(value) for _ in range(n)]
        rank = max(ranks, key=lambda rank: self.left[rank])
        self.left[rank] -= n
        assert self.left[rank] >= 0
        return [rank] * n

    def any(self, besides: str = "") -> str:
        rank = next(r for r in "KQJT98765432A" if self.left[r] and r not in besides)
        self.left[rank] -= 1
        return rank

    def in_order(self, dealer: list[str]) -> list[str]:
        """All cards as they are dealt; the dealer's last, and whatever nobody asked for, at the end."""
        split = [n > 1 for n in self.splits]
        seconds = [b[1][0] if s else b[0][1] for b, s in zip(self.hands, split, strict=True)]
        later: list[str] = []
        for hands, is_split in zip(self.hands, split, strict=True):
            if is_split:
                later += [hand[0] for hand in hands[2:]]
                later += [card for hand in hands for card in hand[1:]]
            else:
                later += hands[0][2:]
        while len(dealer) < 1 + self.hole:
            dealer.append(self.any())
        if self.hole and set(dealer[:2]) & set("TJQK") and "A" in dealer[:2]:
            dealer = self.hide_blackjack(dealer)
        rest = sorted(self.left.elements(), key="A23456789TJQK".index, reverse=True)
        shown = dealer[: 1 + self.hole]
        front = [hands[0][0] for hands in self.hands]
        order = [*front, shown[0], *seconds, *shown[1:], *later, *dealer[len(shown) :], *rest]
        assert len(order) == self.size
        return [rank + "s" for rank in order]

    def hide_blackjack(self, dealer: list[str]) -> list[str]:
        """Where a dealer's blackjack is peeked at under one upcard only, the other one lies open."""
        first, second = dealer[:2]
        others = [r for r in "TJQKA" if self.left[r]]
        if self.game.hole_card == "peek" and len(self.game.peek_on) == 2:
            same = next(r for r in self.left.elements() if (r == "A") == (first == "A"))
            self.left[same] -= 1
            self.left[second] += 1
            return [first, same]
        assert others is not None
        up = 1 if self.game.upcard == "second" else 0
        peeked = self.game.hole_card == "peek" and (
            ("A" if dealer[up] == "A" else "T") in self.game.peek_on
        )
        return [second, first, *dealer[2:]] if peeked else dealer

    def play(self) -> int:
        """Cards that the round took, one more than there are if it asked for one too many."""
        current = ReferenceRound(
            self.game.to_dict(), [20 * self.game.exact_unit] * len(self.hands), self.cards
        )
        try:
            while not current.done:
                current.apply(self.decide(current))
        except IllegalRound as error:
            if "not enough cards" not in str(error):
                raise
            return self.size + 1
        return current.cards_used

    def decide(self, current: ReferenceRound) -> str:
        box, hand, legal = current.box_index, current.hand_index, current.legal()
        if current.phase == "offers":
            wants = self.insured[box] and "insurance" in legal
            return "insurance" if wants else "decline"
        if len(current.box.hands) < self.splits[box]:
            return "split"
        planned = len(self.hands[box][hand])
        more = self.asks_for_more and current.cards_used == self.size
        if len(current.hand.cards) < planned or more:
            return "hit" if "hit" in legal else "double"
        return "stand"


def check_witness(game: Rules, boxes: int) -> bool:
    """Play the round that a search found; False where it gave up or found none but the first deal."""
    search = _capacity._Search(_capacity._facts(game), boxes)
    number, exact = search.run()
    if not exact or not search.witness:
        return False
    assert Witness(game, search).play() == number, (game, boxes, search.witness)
    return True


@pytest.mark.parametrize("name", KNOWN)
def test_the_houses_have_such_a_round(name: str) -> None:
    for boxes in (1, 2, 3, 7):
        assert check_witness(PRESETS[name], boxes)


def test_any_rules_have_such_a_round() -> None:
    played = []

    @given(rules(boxes=7, burn=0), st.integers(1, 3))
    @settings(max_examples=30)
    def check(game: Rules, boxes: int) -> None:
        played.append(check_witness(game, boxes))

    check()
    assert sum(played) > len(played) / 2


@pytest.mark.parametrize("seed", range(40))
def test_small_shoes_have_such_a_round(seed: int) -> None:
    chance = random.Random(seed)
    fields = {"max_hands": 3, "insurance_on": [], **chance.choice(SWITCHES)}
    fields["max_ace_hands"] = min(fields["max_hands"], fields.get("max_ace_hands", 2))
    counts = [chance.choice([0, 0, 1, 2, 4]) for _ in range(13)]
    if sum(counts) >= 8:
        game, _ = full_game(counts, fields)
        check_witness(game, chance.choice([1, 2, 3]))


@pytest.mark.parametrize("name", KNOWN)
def test_exact_for_the_houses(name: str) -> None:
    facts = _capacity._facts(PRESETS[name])
    for boxes in (1, 2, 7):
        assert _capacity._exact(facts, boxes)[1]
