"""Rounds with real cards by tables: games in which ranks of ten-values matter, sums against other ways.

Not here: the tables of values alone (test_sim_boxes), columns as the facade gives them (test_roundstream).
"""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from blackjack._simulation_compiled import box_tables
from blackjack.actions import Action
from blackjack.rules import Rules
from blackjack.simulation import simulate
from blackjack.strategy import Situation, Strategy
from blackjack_core import simulate as sim
from sim_walk import GAMES, chi_square, insured, part, program, run
from test_sim_boxes import SHOES, by_tables, by_the_true_round, dealt, rows

BY_RANK = Rules(split_by="rank")
SPLITS = Strategy.published(BY_RANK)
for _up in "456":
    SPLITS = SPLITS.with_exact("T T", _up, "P")


def whim(seed: int) -> Strategy:
    """Plays each situation as it likes, but splits tens often."""

    def choose(now: Situation) -> Action:
        key = (seed, now.total, now.soft, now.pair, now.upcard, now.after_split)
        likes = random.Random(repr(key)).sample(list(Action), len(Action))
        if now.pair == "T" and seed % 2:
            likes.insert(0, Action.SPLIT)
        return next(a for a in likes if a in now.legal)

    return Strategy.from_function(choose)


GAMES_BY_RANK = {
    "default": BY_RANK,
    "without peek": BY_RANK.replace(hole_card="none", max_hands=3),
    "early surrender": BY_RANK.replace(surrender="early", insurance_on=["A", "T"]),
    "charlie": BY_RANK.replace(charlie_cards=6, decks=2, upcard="second"),
}


@pytest.mark.parametrize("name", GAMES_BY_RANK)
@pytest.mark.parametrize("seed", [*range(4), None])
def test_tens_of_one_rank_card_for_card(name: str, seed: int | None) -> None:
    """Rows by tables are the true round's, from a shoe of mostly tens."""
    rules = GAMES_BY_RANK[name]
    plays = SPLITS if seed is None else whim(seed)
    tables = box_tables(rules, plays.compile(rules), 1)
    assert tables is not None
    assert "tens of one rank" in tables.cards_only
    for boxes in (1, 3):
        n = 1500
        pick = random.Random(boxes)
        cards = bytes(
            pick.randrange(36, 52) if pick.random() < 0.6 else pick.randrange(52)
            for _ in range(n * 60 * boxes)
        )
        got = by_tables(rules, plays, boxes, n, cards)
        want = by_the_true_round(rules, plays, boxes, n, cards)
        assert rows(got, n) == rows(want, n)
        assert seed in (0, 2) or sum(hands > boxes for hands in got["n_hands"]) > 15
        got = by_tables(rules, plays, boxes, n)
        assert rows(got, n) == rows(by_the_true_round(rules, plays, boxes, n, dealt(got, n)), n)


def test_tables_without_ranks_where_they_do_not_matter() -> None:
    for rules, plays in ((BY_RANK, Strategy.published(BY_RANK)), (Rules(), SPLITS)):
        tables = box_tables(rules, plays.compile(rules), 1)
        assert tables is not None
        assert tables.cards_only == ""


# ---------------------------------------------------------------- sums


def alike(fast: Any, slow: Any, rules: Rules, boxes: int) -> None:
    """Two ways of playing one game, by all that is added up."""
    n, m = (part(sums, "rounds")[0] for sums in (fast, slow))
    for key in ("values", "dealer", "hands", "outcomes", "start_count"):
        counts = [dict(enumerate(part(sums, key))) for sums in (fast, slow)]
        assert chi_square(*counts) < 4.5, key
    unit = rules.exact_unit
    for key, sd in (("cards", 2.0), ("staked", 0.9 * unit), ("net", 1.3 * unit), ("insured", 0.3)):
        a, b = part(fast, key)[0] / n, part(slow, key)[0] / m
        assert abs(a - b) < 5 * sd * boxes * math.sqrt(1 / n + 1 / m), key
    a, b = part(fast, "shoes")[0] / n, part(slow, "shoes")[0] / m
    assert abs(a - b) < 0.02 * b + 256 / n


@pytest.mark.parametrize("boxes", [1, 3])
def test_tens_of_one_rank_in_sums(boxes: int) -> None:
    made = program(BY_RANK, SPLITS, boxes=boxes)
    assert (made.path, made.isa) == ("cards", "scalar")
    assert "tens of one rank" in made.why
    fast, slow = (
        run(made, 1 << 18),
        run(program(BY_RANK, SPLITS, boxes=boxes, general=True), 1 << 17),
    )
    alike(fast, slow, BY_RANK, boxes)
    assert part(fast, "hands")[2] > 0.022 * (1 << 18)
    assert sum(part(fast, "start_net")) == part(fast, "net")[0]


def test_more_units_than_the_kernels_count() -> None:
    rules = Rules(blackjack_pays="601:600", max_hands=30, boxes=7)
    made = program(rules, boxes=7)
    assert (made.path, "too many units" in made.why) == ("cards", True)
    plays, n = Strategy.published(rules), 500
    got = by_tables(rules, plays, 7, n)
    assert rows(got, n) == rows(by_the_true_round(rules, plays, 7, n, dealt(got, n)), n)
    assert max(abs(net) for net in got["net"]) > sim.VALUE_ZERO
    with pytest.raises(OverflowError):
        run(made, 1000)


def test_large_shoes_for_several_boxes() -> None:
    made = program(Rules(decks=12), boxes=2)
    assert (made.path, "than a byte counts" in made.why) == ("cards", True)
    assert [program(Rules(decks=8), boxes=2).path, program(Rules(decks=12)).path] == [
        "boxes",
        "scalar",
    ]


@pytest.mark.parametrize("name", SHOES)
def test_the_same_game_as_by_values(name: str) -> None:
    rules = SHOES[name].replace(boxes=7)
    for boxes in (1, 2):
        made = program(rules, insured(rules, True), boxes=boxes, cardwise=True)
        assert made.path == "cards"
        fast = run(made, 1 << 17)
        other = program(rules, insured(rules, True), boxes=boxes, boxwise=True)
        alike(fast, run(other, 1 << 17), rules, boxes)
        assert sum(part(fast, "hands")) == boxes << 17 == sum(part(fast, "start_count"))
        assert run(made, 1 << 17) == fast
        assert (
            run(made, 1 << 17, detail=False)[: sim.LAYOUT["start_count"][0]]
            == (fast[: sim.LAYOUT["start_count"][0]])
        )
        assert run(made, 1 << 17, chunk=1) != fast


@pytest.mark.parametrize("name", ["goldfishka", "original", "suited", "aces"])
def test_shoes_of_one_card_exactly(name: str) -> None:
    """No chance at all: the same sums, hand for hand, as by the true round."""
    rules = GAMES[name].replace(boxes=7)
    for card, boxes in ((0, 3), (4, 5), (17, 1), (31, 5), (38, 1), (51, 5)):
        shoe: dict[str, Any] = {"cards": bytes([card]) * 250, "boxes": boxes, "depth": 0, "burn": 0}
        made = program(rules, cardwise=True, **shoe)
        assert run(made, 300) == run(program(rules, general=True, **shoe), 300)


def test_tens_of_one_rank_only() -> None:
    for boxes in (1, 4):
        shoe: dict[str, Any] = {"cards": bytes([45]) * 250, "boxes": boxes, "depth": 0}
        ways = [program(BY_RANK, whim(1), **shoe, general=way) for way in (False, True)]
        assert [way.path for way in ways] == ["cards", "general"]
        assert run(ways[0], 200) == run(ways[1], 200)


def test_whole_shoes() -> None:
    made = program(Rules(), boxes=2, cardwise=True)
    for shoes in (1, 63, 300):
        sums = run(made, 0, shoes=shoes)
        assert part(sums, "shoes") == [shoes]
        assert 234 * shoes <= part(sums, "cards")[0] < 260 * shoes
    every = program(Rules(shuffle="every_round"), cardwise=True)
    assert part(run(every, 0, shoes=130), "rounds") == [130]
    assert part(run(every, 130), "shoes") == [130]


def test_stream_vectors() -> None:
    """bj-sim-cards-1: these stay for as long as the id does."""
    assert sim.CARDS_STREAM == "bj-sim-cards-1"
    got = {}
    for name, boxes, rng in (("default", 1, "xoshiro256++"), ("to the end", 3, "chacha20")):
        made = program(SHOES[name], boxes=boxes, cardwise=True)
        sums = run(made, 20000, seed=2**200 + 7, chunk=5, rng=rng)
        got[name] = [part(sums, key)[0] for key in ("net", "net_sq", "cards", "shoes")]
    assert got == VECTORS


VECTORS = {
    "default": [-207, 106325, 109353, 512],
    "to the end": [-1267, 553643, 219919, 456],
}


def test_simulate_says_what_played() -> None:
    result = simulate(BY_RANK, SPLITS, rounds=200_000, seed=3)
    assert (result.path, result.stream) == ("cards", "bj-sim-cards-1/xoshiro256++")
    assert simulate(BY_RANK, SPLITS, rounds=200_000, seed=3, workers=2) == result
    assert sum(net for *_, net, _ in result.starts) == result.net
