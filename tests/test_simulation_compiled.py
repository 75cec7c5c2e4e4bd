"""The compiled simulator as simulations use it: bit-identical everywhere, and the true round's game.

Not here: the kernel's tables entry by entry, the facade's own work (test_simulation).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest

from blackjack.errors import ArgumentError, ShoeExhausted
from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import Rules
from blackjack.simulation import SimulationResult, simulate
from blackjack.strategy import Strategy
from sim_walk import check_sums, chi_square

compiled = pytest.importorskip("blackjack._simulation_compiled")
ISAS: tuple[str, ...] = compiled.ISAS


@cache
def played(rules: Rules, rounds: int = 1 << 20) -> SimulationResult:
    return simulate(rules, rounds=rounds, seed=11, workers=1)


@cache
def dealt(rules: Rules, rounds: int = 20_000) -> SimulationResult:
    return simulate(rules, rounds=rounds, seed=12, isa="round")


def held_against_the_round(result: SimulationResult, true: SimulationResult) -> None:
    """Two independent samples of one game: every histogram by chi-square, every mean by its error."""
    starts = [{(h, u): n for h, u, n, _, _ in r.starts} for r in (result, true)]
    for mine, theirs in (
        (result.values, true.values),
        (result.outcomes, true.outcomes),
        (result.hands, true.hands),
        (result.dealer, true.dealer),
        tuple(starts),
    ):
        assert chi_square(dict(mine), dict(theirs)) < 4.5
    error = math.hypot(result.stderr, true.stderr)
    assert abs(result.ev - true.ev) < 4.5 * error
    assert math.isclose(result.cards / result.rounds, true.cards / true.rounds, rel_tol=0.01)
    assert math.isclose(result.staked / result.rounds, true.staked / true.rounds, rel_tol=0.02)
    assert math.isclose(result.shoes / result.rounds, true.shoes / true.rounds, rel_tol=0.03)


# ---------------------------------------------------------------- the same game


def some(names: Iterable[str], *quick: str) -> list[Any]:
    """Parameters of which all but a few are slow tests."""
    return [pytest.param(n, marks=[] if n in quick else [pytest.mark.slow]) for n in names]


@pytest.mark.parametrize("name", some(PRESETS, "goldfishka", "las_vegas", "romanian", "macau"))
def test_against_the_true_round(name: str) -> None:
    rules = PRESETS[name]
    result = played(rules)
    check_sums(result)
    held_against_the_round(result, dealt(rules))


CUSTOM: dict[str, dict[str, Any]] = {
    "insured": {"preset": "continental"},
    "one deck, every round": {"decks": 1, "shuffle": "every_round"},
    "eight decks": {"decks": 8, "hit_soft_17": True, "surrender": "late"},
    "infinite": {"decks": None},
    "48 cards": {"composition": {"T": 0}},
    "22 pushes": {"push_on_22": True, "hit_soft_17": True},
    "five cards": {"charlie_cards": 5, "max_hands": 2},
    "original bets": {"hole_card": "none", "dealer_blackjack_takes": "original"},
    "busted too": {"hole_card": "no_peek", "dealer_blackjack_takes": "original_and_busted"},
    "by rank": {"split_by": "rank", "max_ace_hands": 4},
    "burn": {"burn": 5},
    "ties lose": {"dealer_wins_ties": [17]},
    "no splits": {"max_hands": 1},
    "6:5": {"blackjack_pays": "6:5", "suited_blackjack_pays": "2:1"},
    "any double": {"double_any_number": True},
    "odd ratios": {"surrender": "late", "surrender_returns": "1:3", "blackjack_pays": "7:5"},
}


@pytest.mark.parametrize("case", some(CUSTOM, "insured", "infinite", "busted too", "burn", "6:5"))
def test_rare_rules_against_the_true_round(case: str) -> None:
    rules = Rules.from_dict(CUSTOM[case])
    strategy = Strategy.published(rules).replace(insurance=True, even_money=case == "insured")
    result = simulate(rules, strategy, rounds=1 << 19, seed=3, workers=1)
    check_sums(result)
    assert result.insured > 0
    held_against_the_round(result, simulate(rules, strategy, rounds=20_000, seed=4, isa="round"))


def test_exceptions_and_split_hands_against_the_true_round() -> None:
    rules = Rules(decks=1, shuffle="every_round")
    head = "2 3 4 5 6 7 8 9 T A\n"
    strategy = (
        Strategy.published(rules)
        .with_exact("T 2", "4", "H")
        .with_exact("8 8", "T", "S")
        .with_exact("7 7 2", "T", "S")
        .with_after_split(head + "h11" + " H" * 10)
    )
    result = simulate(rules, strategy, rounds=1 << 19, seed=3, workers=1)
    held_against_the_round(result, simulate(rules, strategy, rounds=20_000, seed=4, isa="round"))
    assert result != simulate(rules, rounds=1 << 19, seed=3, workers=1)


def test_several_boxes_against_the_true_round() -> None:
    result = simulate("goldfishka", rounds=200_000, seed=3, boxes=3)
    check_sums(result)
    assert (result.path, result.stream) == ("boxes", "bj-sim-boxes-2/xoshiro256++")
    true = simulate("goldfishka", rounds=10_000, seed=4, boxes=3, isa="round")
    held_against_the_round(result, true)
    assert result == simulate("goldfishka", rounds=200_000, seed=3, boxes=3, workers=2)


# ---------------------------------------------------------------- the same integers


@pytest.mark.parametrize("name", HOUSES)
def test_every_instruction_set(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "CHUNK_ROUNDS", 1 << 17)
    rounds = 3 * (1 << 17) + 1234
    results = [simulate(name, rounds=rounds, seed=5, isa=isa, workers=1) for isa in ISAS]
    assert all(r == results[0] for r in results)
    assert [r.isa for r in results] == list(ISAS)
    if name == "romanian":
        chacha = [simulate(name, rounds=rounds, seed=5, isa=i, rng="chacha20") for i in ISAS]
        assert all(r == chacha[0] for r in chacha)
        assert chacha[0] != results[0]


def test_any_number_of_threads_and_any_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "CHUNK_ROUNDS", 1 << 15)
    rounds = 40 * (1 << 15) + 77
    first = simulate("atlantic_city", rounds=rounds, seed=5, workers=1)
    for workers in (2, 5):
        assert simulate("atlantic_city", rounds=rounds, seed=5, workers=workers) == first
    with ThreadPoolExecutor(3) as pool:
        assert simulate("atlantic_city", rounds=rounds, seed=5, executor=pool, batch=7) == first
    parts = [
        simulate("atlantic_city", rounds=20 << 15, seed=5),
        simulate("atlantic_city", rounds=rounds - (20 << 15), seed=5, first_chunk=20),
    ]
    assert parts[1] + parts[0] == first


def test_processes() -> None:
    with ProcessPoolExecutor(2) as pool:
        result = simulate("romanian", rounds=300_000, seed=5, executor=pool)
    assert result == simulate("romanian", rounds=300_000, seed=5)
    assert result.path == "vector"


def test_whole_shoes() -> None:
    result = simulate("atlantic_city", shoes=1000, seed=5)
    assert result.shoes == 1000
    check_sums(result)
    assert result == simulate("atlantic_city", shoes=1000, seed=5, isa=ISAS[-1])


def test_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="instruction set"):
        simulate("romanian", rounds=10, isa="abacus")


# ---------------------------------------------------------------- figures of others

# Expected values of a fixed chart, fresh shoes, by an independent engine (E. Farmer's, commit
# a1f7dbb): decks, soft 17 hit, hands, late surrender, blackjack, expected value.
FARMER = [
    (6, False, 4, True, "3:2", -0.0033321555950716134),
    (8, True, 2, True, "3:2", -0.006093906115888059),
]


def fixed(decks: int, h17: bool, hands: int, late: bool, pays: str) -> tuple[Rules, Strategy]:
    rules = Rules(
        decks=decks,
        shuffle="every_round",
        hit_soft_17=h17,
        max_hands=hands,
        surrender="late" if late else "none",
        blackjack_pays=pays,
    )
    return rules, Strategy.published(rules.replace(decks=6))


@pytest.mark.parametrize("case", FARMER)
def test_expected_values(case: tuple[int, bool, int, bool, str, float]) -> None:
    rules, strategy = fixed(*case[:5])
    result = simulate(rules, strategy, rounds=1 << 22, seed=1, detail=False)
    assert abs(result.ev - case[5]) < 4 * result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("case", FARMER)
def test_expected_values_closely(case: tuple[int, bool, int, bool, str, float]) -> None:
    rules, strategy = fixed(*case[:5])
    result = simulate(rules, strategy, rounds=2e9, seed=1, detail=False)
    assert result.stderr < 3e-5
    assert abs(result.ev - case[5]) < 4 * result.stderr


def test_rounds_of_more_units_than_tables_count() -> None:
    rules = Rules(blackjack_pays="601:600", boxes=7)
    with pytest.raises(
        ArgumentError, match=r"more than 2048 units \(a bet is 600\).*isa=\"round\""
    ):
        simulate(rules, "published", rounds=10_000, seed=1, boxes=7)
    slow = simulate(rules, "published", rounds=200, seed=1, boxes=7, isa="round")
    assert max(map(abs, slow.values)) > 2048


def test_a_shoe_too_small_for_its_boxes() -> None:
    rules = Rules(decks=1, composition=[0] * 9 + [4, 4, 4, 2], max_hands=1, boxes=7)
    with pytest.raises(ShoeExhausted, match="ran out inside a round"):
        simulate(rules, "published", rounds=1000, seed=1, boxes=7)
