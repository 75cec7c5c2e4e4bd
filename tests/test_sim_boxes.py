"""Tables of any number of boxes: every entry and dealt rounds against the true round, sums on every
instruction set, rounds in columns. Not here: the kernel of one box (test_sim_kernel), columns as the facade
gives them (test_roundstream).
"""

from __future__ import annotations

import hashlib
import math
import random
from array import array
from collections.abc import Sequence
from typing import Any

import pytest

from blackjack._capacity import round_capacity
from blackjack._simulation_compiled import box_tables
from blackjack.actions import Action
from blackjack.rules import Rules
from blackjack.strategy import Situation, Strategy
from blackjack_core import simulate as sim
from blackjack_core.rng import Source
from blackjack_core.round import Round
from blackjack_core.shoe import Shoe
from blackjack_core.stream import STREAM, Rows, fill
from sim_walk import GAMES, GIVEN, chi_square, insured, part, program, run

WIDTH, HANDS = 160, 40

Columns = dict[str, Any]


def columns(rounds: int) -> Columns:
    wide = {"cards": WIDTH, "actions": WIDTH, "outcomes": HANDS}
    names = ("cards", "n_cards", "actions", "n_actions", "outcomes", "n_hands")
    made: Columns = {name: array("B", bytes(rounds * wide.get(name, 1))) for name in names}
    return {**made, "net": array("i", bytes(4 * rounds))}


def by_tables(
    rules: Rules, plays: Strategy, boxes: int, rounds: int, cards: bytes | None = None
) -> Columns:
    """Rounds played by tables, from a shuffled shoe or from these cards."""
    tables = box_tables(rules, plays.compile(rules), boxes)
    assert tables is not None
    into = columns(rounds)
    source = Source(seed=5) if cards is None else None
    shoe = rules.shoe_cards if cards is None else cards
    Rows(tables, shoe, source).fill(rounds=rounds, **into)
    return into


def by_the_true_round(
    rules: Rules, plays: Strategy, boxes: int, rounds: int, cards: bytes
) -> Columns:
    """Rounds of the true round with these cards."""
    plan, into = plays.compile(rules), columns(rounds)
    fill(
        Round(rules.replace(boxes=boxes).compiled, Shoe(cards)),
        boxes=boxes,
        unit=rules.exact_unit,
        depth=0,
        burn=0,
        capacity=0,
        chart=plan.play,
        offers=plan.offers,
        exact=plan.exact,
        split_by_rank=plan.split_by_rank,
        rounds=rounds,
        **into,
    )
    return into


def rows(into: Columns, rounds: int) -> list[tuple[Any, ...]]:
    """Every row without what is behind its counts."""
    wide = (("cards", WIDTH), ("actions", WIDTH), ("outcomes", HANDS))
    counts = {name: into["n_" + name.replace("outcomes", "hands")] for name, _ in wide}
    return [
        (*(into[k][i * w : i * w + counts[k][i]].tobytes() for k, w in wide), into["net"][i])
        for i in range(rounds)
    ]


def dealt(into: Columns, rounds: int) -> bytes:
    return b"".join(
        into["cards"][i * WIDTH : i * WIDTH + into["n_cards"][i]].tobytes() for i in range(rounds)
    )


# ---------------------------------------------------------------- one truth


@pytest.mark.parametrize(("name", "rules", "more"), GIVEN)
@pytest.mark.parametrize("boxes", [1, 3])
def test_dealt_rounds_card_for_card(name: str, rules: Rules, more: bool, boxes: int) -> None:
    plays, n = insured(rules, more), 5000
    got = by_tables(rules, plays, boxes, n)
    assert rows(got, n) == rows(by_the_true_round(rules, plays, boxes, n, dealt(got, n)), n)


class Walk:
    """A box's tables followed in Python: the cards that lead everywhere."""

    def __init__(self, tables: dict[str, Any], rules: Rules) -> None:
        self.t, self.rules = tables, rules
        self.second = rules.upcard == "second" and rules.hole_card != "none"
        self.used = [False] * len(tables["next"])

    def step(self, node: tuple[int, ...], card: int) -> tuple[tuple[int, ...], str]:
        """(the next node, who took the card); a node: state, context, place, hands, open, need, asks."""
        t = self.t
        state, context, place, hands, more, need, asks = node
        entry = state + card
        self.used[entry] = True
        who = "dealer" if place < 0 else "player"
        if t["first_context"] <= entry:  # the upcard, or what the dealer peeks at
            who = "up" if state == t["start"] else "hole"
            context = entry - t["first_context"]
        state = t["next"][entry]
        while state < t["rows"]:
            kind, at, _, _, wants = t["events"][state]
            if kind == 4:  # over
                return (-1, context, -1, 0, 0, 0, 0), who
            if kind == 1:
                asks |= wants
            else:
                if kind == 2:
                    place, hands, more = at, hands + 1, more + 1
                else:
                    need, more = need | wants, more - 1
                open_, full, most, _, ask = t["places"][place]
                if more >= 0:
                    state = full if hands >= most else open_
                    continue
                asks |= ask[need]
            state, place = t["dealer"][4 * context + asks], -1
        return (state, context, place, hands, more, need, asks), who

    def ways(self) -> dict[int, list[int]]:
        """As few cards as lead to each row."""
        first: tuple[int, ...] = (self.t["start"], 0, 0, 1, 0, 0, 0)
        todo: list[tuple[tuple[int, ...], list[int]]] = [(first, [])]
        seen = {first}
        ways: dict[int, list[int]] = {}
        for node, cards in todo:
            ways.setdefault(node[0], cards)
            for card in range(10):
                new, _ = self.step(node, card)
                if new[0] >= 0 and new not in seen:
                    seen.add(new)
                    todo.append((new, [*cards, card]))
        return ways

    def round(self, way: Sequence[int], rest: random.Random) -> list[int]:
        """A round that begins so, values in the order of the table."""
        node: tuple[int, ...] = (self.t["start"], 0, 0, 1, 0, 0, 0)
        left = list(way)
        took: dict[str, list[int]] = {"up": [], "hole": [], "player": [], "dealer": []}
        while node[0] >= 0:
            late = node[2] < 0 and not took["hole"] and self.rules.hole_card != "none"
            card = left.pop(0) if left else rest.randrange(10)
            node, who = self.step(node, card)
            took["hole" if late else who].append(card)
        player, dealer = took["player"], took["up"] + took["hole"]
        if self.second:
            dealer.reverse()
        return [*player[:1], *dealer[:1], *player[1:2], *dealer[1:], *player[2:], *took["dealer"]]


@pytest.mark.parametrize(("name", "rules", "more"), GIVEN)
def test_every_entry_is_the_true_round(name: str, rules: Rules, more: bool) -> None:
    plays = insured(rules, more)
    tables = box_tables(rules, plays.compile(rules), 1)
    assert tables is not None
    walk, rest = Walk(tables.tables(), rules), random.Random(1)
    ways = walk.ways()
    rounds = [walk.round([*way, card], rest) for way in ways.values() for card in range(10)]
    # all rows but the dealer's that no cards of a box lead to
    assert len(ways) > 0.9 * (tables.rows - walk.t["rows"] // 10)
    assert all(walk.used[row + card] for row in ways for card in range(10))
    suits = [
        bytes(4 * v + (0 if alike and i in (0, 2) else i % 4) for i, v in enumerate(values))
        for k, values in enumerate(rounds)
        for alike in ([False, True] if k % 5 == 0 else [False])
    ]
    cards, n = b"".join(suits), len(suits)
    got = by_tables(rules, plays, 1, n, cards)
    assert got["n_cards"].tolist() == [len(round_) for round_ in suits]
    assert rows(got, n) == rows(by_the_true_round(rules, plays, 1, n, cards), n)


# ---------------------------------------------------------------- sums

SHOES = {
    "default": Rules(),
    "eight decks": Rules(decks=8),
    "twelve decks": Rules(decks=12),
    "infinite": Rules(decks=None),
    "every round": Rules(shuffle="every_round", surrender="early"),
    "one deck": Rules.preset("single_deck_65"),
    "suited": Rules.preset("las_vegas").replace(boxes=7),
    "burn": Rules(decks=1, burn=5),
    "to the end": Rules(decks=1, burn=3, shuffle={"cut_card": 1}),
}


@pytest.mark.parametrize("name", SHOES)
@pytest.mark.parametrize("boxes", [1, 3])
def test_same_integers_on_every_instruction_set(name: str, boxes: int) -> None:
    made = program(SHOES[name], boxes=boxes, boxwise=True)
    assert made.path == "boxes"
    for rng in sim.GENERATORS:
        first = run(made, 7001, rng=rng, isa="scalar")
        assert part(first, "rounds") == [7001]
        assert sum(part(first, "hands")) == 7001 * boxes == sum(part(first, "start_count"))
        assert sum(part(first, "start_net")) == part(first, "net")[0]
        for isa in sim.ISAS:
            assert run(made, 7001, rng=rng, isa=isa) == first
            at = sim.LAYOUT["start_count"][0]
            without = run(made, 7001, rng=rng, isa=isa, detail=False)
            assert without[:at] == first[:at]
            assert not any(without[at:])


@pytest.mark.parametrize("name", SHOES)
def test_the_same_game_as_the_true_round(name: str) -> None:
    """Two independent ways to one distribution, three boxes."""
    n = 1 << 17
    fast = run(program(SHOES[name], boxes=3), n)
    slow = run(program(SHOES[name], boxes=3, general=True), n)
    for key in ("values", "dealer"):
        counts = [dict(enumerate(part(sums, key))) for sums in (fast, slow)]
        assert chi_square(*counts) < 4.5, key
    for key, sd in (("cards", 3.0), ("staked", 2.5 * SHOES[name].exact_unit)):
        a, b = (part(sums, key)[0] / n for sums in (fast, slow))
        assert abs(a - b) < 5 * sd * math.sqrt(2 / n), key
    a, b = (part(sums, "shoes")[0] for sums in (fast, slow))
    assert abs(a - b) < 0.02 * b + 256


@pytest.mark.parametrize("name", ["goldfishka", "original", "suited", "aces"])
def test_shoes_of_one_value_exactly(name: str) -> None:
    """No chance at all: the same sums, hand for hand, as by the true round."""
    rules = GAMES[name].replace(boxes=7)
    for value in (0, 1, 4, 7, 9):
        for boxes in (1, 5) if value else (3,):
            shoe: dict[str, Any] = {
                "cards": bytes([4 * value]) * 250,
                "boxes": boxes,
                "depth": 0,
                "burn": 0,
            }
            made = program(rules, boxwise=True, **shoe)
            assert run(made, 300) == run(program(rules, general=True, **shoe), 300)


def test_more_units_than_16_bits_hold() -> None:
    """Forty boxes double three times and push: a shoe of fours."""

    def doubles(s: Situation) -> Action:
        if s.offer:
            return Action.DECLINE
        again = Action.DOUBLE in s.legal and s.total in (8, 12, 16) and not s.soft
        return Action.DOUBLE if again else Action.STAND

    rules = Rules(boxes=40, blackjack_pays="211:210", double_any_number=True, redouble=True)
    shoe: dict[str, Any] = {"cards": bytes([12]) * 250, "boxes": 40, "depth": 0}
    plays = Strategy.from_function(doubles)
    made = program(rules, plays, **shoe)
    assert (made.path, rules.exact_unit) == ("boxes", 210)
    want = run(program(rules, plays, general=True, **shoe), 300)
    assert part(want, "staked")[0] == 300 * 40 * 8 * 210
    assert all(run(made, 300, isa=isa) == want for isa in sim.ISAS)


def test_whole_shoes() -> None:
    made = program(Rules(), boxes=4)
    first = run(made, 0, shoes=300, isa="scalar")
    assert part(first, "shoes") == [300]
    assert 300 * 234 <= part(first, "cards")[0] < 300 * 260
    assert all(run(made, 0, shoes=300, isa=isa) == first for isa in sim.ISAS)


def test_stream_vectors() -> None:
    """bj-sim-boxes-2 and bj-rounds-2: these stay for as long as the ids do."""
    got = {}
    for name, boxes in (("default", 3), ("one deck", 2), ("suited", 7)):
        made = program(SHOES[name], boxes=boxes)
        sums = run(made, 20000, seed=2**200 + 7, chunk=5)
        got[name] = [part(sums, key)[0] for key in ("net", "net_sq", "cards")]
    assert got == VECTORS
    assert sim.BOXES_STREAM == "bj-sim-boxes-2"


def test_stream_vectors_of_rows() -> None:
    """bj-rounds-2, the same: the first row's cards, and all of 5000 rows, refills and redraws included."""
    assert STREAM == "bj-rounds-2"
    got = {}
    for name, boxes in (("default", 1), ("to the end", 3), ("suited", 7), ("infinite", 1)):
        rules = SHOES[name]
        into = by_tables(rules, insured(rules, True), boxes, 5000)
        text = repr(rows(into, 5000)).encode()
        got[name] = (list(dealt(into, 1)), hashlib.sha256(text).hexdigest()[:16])
    assert got == ROWS


VECTORS = {
    "default": [-896, 552800, 220945],
    "one deck": [-5832, 7028128, 165608],
    "suited": [185, 2174433, 442598],
}
ROWS = {
    "default": ([4, 24, 1, 12, 3, 13, 46], "cb208a9f3049e4e9"),
    "to the end": ([45, 11, 22, 19, 7, 2, 30, 43, 42, 10], "5c4777e924e7a6c8"),
    "suited": (
        [0, 47, 1, 45, 11, 22, 19, 7, 2, 30, 43, 42, 10, 35, 49, 8, 29, 28, 20, 48, 21, 4, 40],
        "71d3f1534a3c444f",
    ),
    "infinite": ([0, 47, 47, 45], "5f0e26a2dc8e397c"),
}


# ---------------------------------------------------------------- what does not fit elsewhere


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"max_hands": 12}, "more than eight hands"),
        ({"decks": 1, "burn": 5, "shuffle": {"cut_card": 1}}, "burnt cards"),
    ],
)
def test_games_beyond_the_kernel_of_one_box(fields: dict[str, Any], why: str) -> None:
    rules = Rules(**fields)
    made = program(rules)
    assert (made.path, why in made.why) == ("boxes", True)
    plays, n = Strategy.published(rules), 2000
    got = by_tables(rules, plays, 1, n)
    assert rows(got, n) == rows(by_the_true_round(rules, plays, 1, n, dealt(got, n)), n)


def test_starts_by_value_whatever_may_be_split() -> None:
    """Two tens are a pair of tens on every path."""
    rules = Rules(split_by="rank", shuffle="every_round")
    tens = [(64 + 10) * 10 + up for up in range(10)]
    ways: list[dict[str, Any]] = [{}, {"boxwise": True}, {"cardwise": True}, {"general": True}]
    for how in ways:
        counts = part(run(program(rules, **how), 50000), "start_count")
        assert abs(sum(counts[at] for at in tens) / 50000 - 96 * 95 / 312 / 311) < 0.006


def test_a_shoe_without_discards_says_so() -> None:
    rules = Rules(decks=1, shuffle="every_round", boxes=7)
    short: dict[str, Any] = {"cards": bytes(range(30)), "capacity": round_capacity(rules, 7)}
    for way in ("boxwise", "cardwise", "general"):
        with pytest.raises(RuntimeError, match="no discards"):
            run(program(rules, boxes=7, **{**short, way: True}), 1000)


def test_columns_that_are_too_narrow_and_cards_that_end() -> None:
    rules = Rules()
    tables = box_tables(rules, Strategy.published(rules).compile(rules), 1)
    assert tables is not None
    into = columns(4)
    with pytest.raises(LookupError):
        Rows(tables, bytes(range(12)), None).fill(rounds=4, **into)
    with pytest.raises(ValueError, match="expected a shoe of 312"):
        Rows(tables, bytes(range(12)), Source(seed=1))
    with pytest.raises(ValueError, match="wider"):
        Rows(tables, rules.shoe_cards, Source(seed=1)).fill(
            rounds=4, **{**into, "cards": array("B", bytes(8))}
        )
    with pytest.raises(ValueError, match="5 rows"):
        Rows(tables, rules.shoe_cards, Source(seed=1)).fill(first=1, rounds=4, **into)


@pytest.mark.parametrize("boxes", [1, 2])
def test_columns_narrower_than_most_rows_at_once(boxes: int) -> None:
    """Rows are the same in columns that are only as wide as they must be."""
    rules, n = Rules(), 300
    plays = insured(rules, False)
    wide = by_tables(rules, plays, boxes, n)
    least = [max(wide["n_" + k]) for k in ("cards", "actions", "hands")]
    narrow = {**wide, "net": array("i", bytes(4 * n))}
    for name, width in zip(("cards", "actions", "outcomes"), least, strict=True):
        narrow[name] = array("B", bytes(n * width))
    tables = box_tables(rules, plays.compile(rules), boxes)
    assert tables is not None
    Rows(tables, rules.shoe_cards, Source(seed=5)).fill(rounds=n, **narrow)
    counts = (("cards", WIDTH), ("actions", WIDTH), ("outcomes", HANDS))
    for (name, w), width in zip(counts, least, strict=True):
        for i in range(n):
            much = wide["n_" + name.replace("outcomes", "hands")][i]
            assert narrow[name][i * width : i * width + much] == wide[name][i * w : i * w + much]
    for name, width in zip(("cards", "actions", "outcomes"), least, strict=True):
        with pytest.raises(ValueError, match="wider"):
            Rows(tables, rules.shoe_cards, Source(seed=5)).fill(
                rounds=n, **{**narrow, name: array("B", bytes(n * (width - 1)))}
            )


def test_insurance_that_is_not_offered_needs_no_units() -> None:
    rules = Rules(insurance_on=[], insurance_pays="9:4", blackjack_pays="2:1", surrender="none")
    assert rules.exact_unit == 1
    assert program(rules).path == "vector"
