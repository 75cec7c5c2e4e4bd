"""The stream of several boxes dealt once more, in Python and as its definition says, to the true round: every sum.

Not here: the tables themselves, chance (test_sim_boxes).
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from typing import Any

import pytest

from blackjack._simulation_compiled import read
from blackjack._simulation_slow import Choose, Game, by_plan
from blackjack._simulation_sums import Sums
from blackjack.rules import Rules
from blackjack_core import simulate as sim
from blackjack_core.rng import Source
from blackjack_core.round import Round
from blackjack_core.shoe import Shoe
from reference import randomness as reference
from sim_walk import insured, program

LANES = 128
ORDER = [  # lanes as redraws go through them
    8 * (b // 16) + b % 8 + (LANES // 2 if b % 16 >= 8 else 0) for b in range(LANES)
]


def generator(seed: int, chunk: int, tag: int, counter: int) -> Iterator[int]:
    """xoshiro256++ from the first half of a ChaCha20 block."""
    start = counter | chunk << 32 | tag << 96
    block = next(reference.chacha20(seed.to_bytes(32, "little"), start))
    return reference.xoshiro256pp(list(struct.unpack("<4Q", block[:32])))


class Lane:
    """A shoe, and the round that is dealt from it."""

    def __init__(self, rules: Rules, boxes: int, depth: int, choose: Choose) -> None:
        self.rules, self.boxes, self.depth, self.choose = rules, boxes, depth, choose
        self.full = [sum(min(c >> 2, 9) == v for c in rules.shoe_cards) for v in range(10)]
        self.infinite = rules.decks is None
        self.shuffles = self.refills = self.floor = 0
        self.game = Game(rules, Source(seed=1), boxes)
        self.counts: list[int] = []
        self.playing = False

    def begin(self) -> None:
        """A shuffle if it is time, and a round without cards."""
        gone = sum(self.full) - sum(self.counts) + self.floor  # dealt or burnt
        if not self.shuffles or (not self.infinite and gone >= self.depth):
            self.counts, self.floor = list(self.full), 0 if self.infinite else self.rules.burn
            self.shuffles += 1
        self.before, self.cards, self.playing = list(self.counts), bytearray(), True

    def refill(self) -> None:
        """The discards come back where no card is left."""
        if not self.infinite and sum(self.counts) == self.floor:
            here = zip(self.counts, self.full, self.before, strict=True)
            self.counts = [now + full - before for now, full, before in here]
            self.before, self.floor = list(self.full), 0
            self.refills += 1

    def take(self, number: int) -> bool:
        """The card of that number, by value; whether the round is over with it."""
        value = 0
        while number >= self.counts[value]:
            number -= self.counts[value]
            value += 1
        if not self.infinite:
            self.counts[value] -= 1
        self.cards.append(4 * value + len(self.cards) % 4)
        game = self.game
        game.shoe = Shoe(bytes(self.cards))
        game.round = Round(self.rules.replace(boxes=self.boxes).compiled, game.shoe)
        game.shuffles, game.depth = 1, len(self.cards) + 1
        try:
            game.play(self.choose)
        except LookupError:
            return False
        self.playing = False
        return True


def dealt(lanes: list[Lane], rounds: int, seed: int, chunk: int) -> Sums:
    """The sums of so many rounds."""
    rows = [generator(seed, chunk, 1, j) for j in range(LANES // 4)]
    extra = generator(seed, chunk, 2, 0)
    sums = Sums()
    for at in range(0, rounds, LANES):
        for lane in lanes[: rounds - at]:
            lane.begin()
        while any(lane.playing for lane in lanes):
            words = [next(row) for row in rows]
            numbers = [word >> 16 * k & 0xFFFF for word in words for k in range(4)]
            for p in ORDER:
                lane = lanes[p]
                if lane.playing:
                    lane.refill()
                left = sum(lane.counts)
                number, low = divmod(numbers[p] * left, 65536)
                while left and low < 65536 % left:
                    number, low = divmod((next(extra) >> 48) * left, 65536)
                if lane.playing and lane.take(number):
                    lane.game.tally(sums, detail=True)
    return sums


DEEP: dict[str, Any] = {"decks": 1, "shuffle": {"cut_card": "50/52"}}
GAMES = {
    "three boxes": (Rules(), 3, True),
    "seven boxes": (Rules.preset("goldfishka").replace(boxes=7), 7, False),
    "one deck": (Rules(decks=1, hit_soft_17=True), 4, False),
    "shoes that run out, burnt cards": (Rules(**DEEP, burn=3, surrender="late"), 5, True),
    "no hole card": (Rules(**DEEP, hole_card="none", dealer_blackjack_takes="original"), 6, False),
    "upcard second": (Rules(**DEEP, hole_card="no_peek", upcard="second"), 4, True),
    "infinite": (Rules(decks=None, max_ace_hands=4, hit_split_aces=True), 2, False),
    "one box": (Rules(max_hands=12), 1, False),
}


@pytest.mark.parametrize("name", GAMES)
def test_the_stream_dealt_by_hand(name: str) -> None:
    rules, boxes, takes = GAMES[name]
    plays = insured(rules, takes)
    made = program(rules, plays, boxes=boxes)
    assert (made.path, sim.BOXES_STREAM) == ("boxes", "bj-sim-boxes-2")
    rounds, seed, chunk = 5 * LANES - 40, 2**255 + 77, 2**40 + 3
    choose, depth = by_plan(plays.compile(rules)), Game(rules, Source(seed=1), boxes).depth
    lanes = [Lane(rules, boxes, depth, choose) for _ in range(LANES)]
    want = dealt(lanes, rounds, seed, chunk)
    assert any(lane.refills for lane in lanes) == (rules.decks == 1)
    shoes = 0 if rules.decks is None else sum(lane.shuffles for lane in lanes)
    for isa in sim.ISAS:
        out = array("q", bytes(8 * sim.SIZE))
        made.run(seed, chunk, rounds, out, isa=isa)
        got = read(out)
        assert got.scalars == [*want.scalars[:-1], shoes]
        for part in ("outcomes", "hands", "dealer", "values", "starts"):
            assert getattr(got, part) == getattr(want, part), (isa, part)
