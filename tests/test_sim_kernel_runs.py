"""Runs of the simulator's kernels: the same integers everywhere, exact quotas, the general path."""

from __future__ import annotations

import math
from array import array
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from blackjack.rules import Rules
from blackjack.strategy import Strategy
from blackjack_core import simulate as sim
from sim_walk import chi_square, part, program, run

RULES = {
    "default": Rules(),
    "eight decks": Rules(decks=8),
    "twelve decks": Rules(decks=12),
    "infinite": Rules(decks=None),
    "every round": Rules(shuffle="every_round"),
    "one deck": Rules.preset("single_deck_65"),
    "suited": Rules.preset("las_vegas"),
    "burn": Rules(burn=5),
    "spanish": Rules(composition=[4] * 9 + [0, 4, 4, 4]),
    "runs out inside rounds": Rules(decks=1, shuffle={"cut_card": "47/52"}),
    "many results": Rules(
        charlie_cards=5,
        charlie_pays="2:1",
        insurance_on=["A", "T"],
        hole_card="none",
        redouble=True,
        double_any_number=True,
        surrender="early",
        blackjack_pays="6:5",
    ),
}
RULES["many situations"] = Rules(charlie_cards=5, max_hands=2)
INSURED = {"many results", "many situations"}


def game(name: str) -> sim.Program:
    rules = RULES[name]
    chart = Strategy.published(rules)
    if name in INSURED:
        chart = chart.replace(insurance=True, early_surrender=True)
    return program(rules, chart)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("rng", sim.GENERATORS)
def test_same_integers_on_every_instruction_set(name: str, rng: str) -> None:
    made = game(name)
    assert made.path == ("scalar" if name == "twelve decks" else "vector"), made.why
    first = run(made, 30011, rng=rng, isa="scalar")
    assert part(first, "rounds") == [30011]
    for isa in sim.ISAS:
        assert run(made, 30011, rng=rng, isa=isa) == first
        without = run(made, 30011, rng=rng, isa=isa, detail=False)
        assert without[: sim.LAYOUT["start_count"][0]] == first[: sim.LAYOUT["start_count"][0]]
        assert not any(without[sim.LAYOUT["start_count"][0] :])


def test_both_ways_of_counting_results_are_run() -> None:
    """Results below 64 are counted two windows at a time, more of them one by one."""
    counted = {name: len(game(name).tables()["results"]) for name in ("default", "many results")}
    assert counted["default"] < 64 < counted["many results"]


def test_states_above_32767_are_run() -> None:
    assert game("many situations").tables()["start"] > 1 << 15


@pytest.mark.parametrize("name", ["default", "eight decks", "suited", "runs out inside rounds"])
@pytest.mark.parametrize("detail", [False, True])
def test_same_whole_shoes_on_every_instruction_set(name: str, detail: bool) -> None:
    made = game(name)
    first = run(made, 0, shoes=400, isa="scalar", detail=detail)
    assert part(first, "shoes") == [400]
    for isa in sim.ISAS:
        assert run(made, 0, shoes=400, isa=isa, detail=detail) == first


@pytest.mark.parametrize("rounds", [1, 2, 127, 128, 129, 1000, 12345])
def test_quota_is_exact(rounds: int) -> None:
    made = program(Rules())
    for isa in sim.ISAS:
        assert part(run(made, rounds, isa=isa), "rounds") == [rounds]


def test_whole_shoes() -> None:
    made = program(Rules())
    first = run(made, 0, shoes=300, isa="scalar")
    assert part(first, "shoes") == [300]
    assert 300 * 234 <= part(first, "cards")[0] < 300 * 260
    for isa in sim.ISAS:
        assert run(made, 0, shoes=300, isa=isa) == first
    assert part(run(program(Rules(shuffle="every_round")), 0, shoes=300), "rounds") == [300]


def test_threads_share_a_program() -> None:
    made = program(Rules())
    alone = [run(made, 20000, chunk=k) for k in range(6)]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda k: run(made, 20000, chunk=k), range(6))) == alone
    assert len({tuple(sums) for sums in alone}) == 6


def test_stream_vectors() -> None:
    """bj-sim-1: these integers stay for as long as the id does."""
    made = program(Rules())
    got = {
        rng: [
            part(run(made, 100000, seed=2**200 + 7, chunk=5, rng=rng), k)[0]
            for k in ("net", "net_sq", "cards")
        ]
        for rng in sim.GENERATORS
    }
    assert got == VECTORS


VECTORS = {"xoshiro256++": [-729, 535283, 548214], "chacha20": [-1408, 535254, 547960]}


@pytest.mark.parametrize(
    "name", ["default", "one deck", "suited", "infinite", "burn", "runs out inside rounds"]
)
def test_general_path_plays_the_same_game(name: str) -> None:
    """Two independent ways to the same distribution: nets, cards, shoes within five standard errors."""
    rules = RULES[name]
    n = 1 << 20
    fast, slow = run(program(rules), n), run(program(rules, general=True), n // 4)
    for key, scale in (("net", 1.2 * rules.exact_unit), ("cards", 2.0)):
        a, b = part(fast, key)[0] / n, part(slow, key)[0] / (n // 4)
        assert abs(a - b) < 5 * scale * math.sqrt(5 / n), key
    for key in ("outcomes", "dealer"):
        for a, b in zip(part(fast, key), part(slow, key), strict=True):
            assert abs(a / n - 4 * b / n) < 5 * math.sqrt(5 * (a + 4) / n / n) + 1e-5, key
    assert part(slow, "rounds") == [n // 4]


@pytest.mark.slow
@pytest.mark.parametrize(
    "house",
    [
        {},
        {"hole_card": "none"},
        {"hole_card": "no_peek", "upcard": "second", "surrender": "late"},
        {"hole_card": "no_peek", "dealer_blackjack_takes": "original", "hit_split_aces": True},
        {"suited_blackjack_pays": "2:1", "shuffle": {"cut_card": "40/52"}},
    ],
    ids=str,
)
def test_shoes_that_run_out_inside_rounds(house: dict[str, Any]) -> None:
    """Every tenth shoe does: the kernels deal such a round again, the true round never needs to."""
    rules = Rules(**{"decks": 1, "shuffle": {"cut_card": "48/52"}, **house})
    fast, slow = program(rules), program(rules, general=True)
    assert fast.path == "vector"
    for key in ("dealer", "outcomes", "hands", "values", "start_count"):
        counts = [
            dict(enumerate(map(sum, zip(*(part(x, key) for x in runs), strict=True))))
            for runs in (
                [run(fast, 1 << 22, chunk=k) for k in range(16)],
                [run(slow, 1 << 22, chunk=k) for k in range(4)],
            )
        ]
        assert abs(chi_square(*counts)) < 5, key


def test_very_deep_shoes_are_dealt_in_order() -> None:
    """A round may begin with fewer cards than a window has rows, or need more than there are."""
    assert program(Rules(decks=1, shuffle={"cut_card": 0.98})).path == "boxes"
    assert program(Rules(decks=1, burn=1)).path == "boxes"


def test_exceptions_by_exact_cards() -> None:
    rules = Rules()
    plain = Strategy.published(rules)
    odd = plain.with_exact("T 2", "4", "H").with_exact("6 5 5", "T", "S")
    assert program(rules, odd).path == "vector"
    assert run(program(rules, odd), 200000) != run(program(rules, plain), 200000)


def test_refusals() -> None:
    made = program(Rules())
    out = array("q", bytes(8 * sim.SIZE))
    usual: dict[str, Any] = {"seed": 1, "chunk": 0, "rounds": 10, "out": out}
    for wrong in (
        {"seed": -1},
        {"seed": 2**256},
        {"chunk": -1},
        {"rounds": 0},
        {"rounds": sim.MAX_ROUNDS + 1},
        {"shoes": 3},
        {"isa": "neon"},
        {"rng": "dice"},
    ):
        with pytest.raises(ValueError, match="expected"):
            made.run(**{**usual, **wrong})
    with pytest.raises(ValueError, match="infinite deck has no shoes"):
        run(game("infinite"), 0, shoes=3)
    with pytest.raises(ValueError, match="numbers for the sums"):
        made.run(1, 0, 10, array("q", [0]))
