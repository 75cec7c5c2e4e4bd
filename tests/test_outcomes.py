"""The exact distribution of a round: published figures, brute force, the simulator, its own laws."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from blackjack import HOUSES, Rules, Strategy, simulate
from blackjack.charts import published_rows
from blackjack.outcomes import mean_and_variance, outcome_distribution, outcome_moments
from outcomes_brute import brute

SIMPLE = """
    2  3  4  5  6  7  8  9  T  A
h9  Dh Dh Dh Dh Dh H  H  H  H  H
h10 Dh Dh Dh Dh Dh Dh Dh Dh H  H
h11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
h12 H  S  S  S  S  H  H  H  H  H
h13 S  S  S  S  S  H  H  H  H  H
h16 S  S  S  S  S  H  H  H  U  U
p8  Ph Ph Ph Ph Ph Ph Ph Ph Ph Ph
pA  Ph Ph Ph Ph Ph Ph Ph Ph Ph Ph
p3  Ph Ph Ph Ph Ph Ph Ph Ph Ph Ph
"""


def printed(rules: Rules) -> Strategy:
    return Strategy(rows=published_rows(rules))


# ---------------------------------------------------------------- published figures

# E. Farmer's blackjack engine, compute_pdf (explicit enumeration of both split hands), commit a1f7dbb, with
# the published total-dependent charts for six decks; dealer peeks, two hands, double after split.
FARMER: list[tuple[dict[str, Any], dict[str, float]]] = [
    (
        {"decks": 8, "hit_soft_17": True},
        {
            "-4": 0.00020987190420767145,
            "-3": 0.0017866312432636446,
            "-2": 0.04459998780147153,
            "-1": 0.43373218996583696,
            "0": 0.08732368861406661,
            "1": 0.3230251279739495,
            "3/2": 0.045266132052185624,
            "2": 0.061387456875414484,
            "3": 0.002255063243387658,
            "4": 0.0004138503262164192,
        },
    ),
    (
        {"decks": 8, "hit_soft_17": True, "surrender": "late"},
        {
            "-4": 0.00020945010710904111,
            "-3": 0.00177335977935976,
            "-2": 0.04448883572348899,
            "-1": 0.3960851668486261,
            "-1/2": 0.05202078569446346,
            "0": 0.0839918874576839,
            "1": 0.31216291035438926,
            "3/2": 0.045266132052185624,
            "2": 0.0613425945692511,
            "3": 0.0022456024314780818,
            "4": 0.0004132749819647564,
        },
    ),
]


@pytest.mark.parametrize(("fields", "figures"), FARMER, ids=["H17", "H17 late surrender"])
def test_published_distributions(fields: dict[str, Any], figures: dict[str, float]) -> None:
    rules = Rules(max_hands=2, **fields)
    found = outcome_distribution(rules, printed(rules))
    assert [str(net) for net in found] == list(figures)
    worst = max(abs(found[Fraction(net)] - p) for net, p in figures.items())
    assert worst < 1e-12


# ---------------------------------------------------------------- brute force

BRUTE: dict[str, tuple[dict[str, Any], str, str]] = {
    "a dealer who never busts": (
        {"max_ace_hands": 2, "hit_split_aces": True, "blackjack_ties_21": True},
        SIMPLE,
        "9c 9c 9c 9c 9c Tc Tc Tc Tc Tc Ac Ac Ac",
    ),
    "no peek, doubles and splits coupled": (
        {"hole_card": "no_peek", "dealer_blackjack_takes": "original", "surrender": "late"},
        SIMPLE,
        "8c 8c 8c 8c 8c 8c Tc Tc Tc Tc Tc Tc Ac Ac Ac Ac",
    ),
}
SLOW: dict[str, tuple[dict[str, Any], str, str]] = {
    "peek": ({}, SIMPLE, "8c 8c 8c 8c 8c 8c Tc Tc Tc Tc Tc Tc 3c 3c 3c 3c"),
    "no hole card, busted too": (
        {"hole_card": "none", "dealer_blackjack_takes": "original_and_busted", "max_hands": 3},
        SIMPLE,
        "8c 8c 8c 8c 8c 8c Tc Tc Tc Tc Tc Tc Ac Ac Ac Ac",
    ),
    "three hands": (
        {"max_hands": 3, "push_on_22": True, "hit_soft_17": True},
        SIMPLE,
        "8c 8c 8c 8c 8c 8c Tc Tc Tc Tc Tc Tc 3c 3c 3c 3c",
    ),
    "aces split again": (
        {"max_hands": 3, "max_ace_hands": 3, "hit_split_aces": True, "blackjack_ties_21": True},
        SIMPLE,
        "9c 9c 9c 9c 9c 9c Tc Tc Tc Tc Tc Tc Ac Ac Ac Ac",
    ),
    "insured": (
        {"hole_card": "no_peek", "insurance_blocks": ["double", "split"], "insurance_pays": "5:2"},
        SIMPLE + "insurance: yes\n",
        "5c 5c 5c 5c 5c 5c Tc Tc Tc Tc Tc Tc Ac Ac Ac Ac Ac Ac",
    ),
    "early surrender, even money": (
        {"peek_on": ["A"], "surrender": "early", "even_money_on": ["A"], "upcard": "second"},
        SIMPLE + "early_surrender: yes\neven_money: yes\n",
        "6c 6c 6c 6c 6c 6c Tc Tc Tc Tc Tc Tc Ac Ac Ac Ac Ac Ac",
    ),
    "charlie": (
        {"charlie_cards": 4, "charlie_pays": "2:1", "dealer_wins_ties": [17]},
        SIMPLE,
        "3c 3c 3c 3c 3c 3c 3c 3c Tc Tc Tc Tc Tc Tc Tc Tc Ac Ac Ac Ac",
    ),
    "tens split by rank": (
        {"split_by": "rank", "max_hands": 3, "double_after_split": False},
        SIMPLE + "pT Ps Ps Ps Ps Ps Ps Ps Ps Ps Ps\n",
        "6c 6c 6c 6c Kc Kc Kc Kc Qc Qc Qc Qc Qc",
    ),
    "late surrender without a peek": (
        {"peek_on": ["T"], "surrender": "late"},
        SIMPLE + "h17 U U U U U U U U U U\n",
        "6c 6c 6c 6c 6c 6c Tc Tc Tc Tc Tc Tc Ac Ac Ac Ac Ac Ac",
    ),
    "exceptions": (
        {"split_ace_ten_beats_21": True, "double_any_number": True, "double_split_aces": True},
        SIMPLE + "exact: 88 T S split\nexact: 83 T H\nexact: 88 3 H unsplit\n",
        "8c 8c 8c 8c 8c 8c Tc Tc Tc Tc Tc Tc 3c 3c 3c 3c",
    ),
    "infinite": (
        {"decks": None, "max_hands": 3},
        SIMPLE,
        "8c 8c Tc Tc Tc",
    ),
    "infinite, tens split by rank": (
        {"decks": None, "split_by": "rank", "max_hands": 3, "double_after_split": False},
        SIMPLE + "pT Ps Ps Ps Ps Ps Ps Ps Ps Ps Ps\n",
        "6c Kc Kc Qc",
    ),
    "doubled again": (
        {"redouble": True, "max_hands": 2, "hit_on_21": False},
        SIMPLE,
        "5c 5c 5c 5c 5c 5c 5c 5c Tc Tc Tc Tc Tc Tc Tc Tc",
    ),
}


def agrees_with_brute_force(fields: dict[str, Any], chart: str, shoe: str) -> None:
    cards = shoe.split()
    ranks = [sum(c[0] == r for c in cards) for r in "A23456789TJQK"]
    basic = {"decks": 1, "max_hands": 2, "composition": ranks, "shuffle": "every_round"}
    rules = Rules(**{**basic, **fields})
    strategy = Strategy.from_chart(chart)
    found = outcome_distribution(rules, strategy)
    wanted = brute(rules, strategy, {c: cards.count(c) for c in dict.fromkeys(cards)})
    assert list(found) == list(wanted)
    assert max(abs(found[net] - float(p)) for net, p in wanted.items()) < 1e-13


@pytest.mark.parametrize("case", BRUTE)
def test_every_order_of_a_tiny_shoe(case: str) -> None:
    agrees_with_brute_force(*BRUTE[case])


@pytest.mark.slow
@pytest.mark.parametrize("case", SLOW)
def test_every_order_of_a_tiny_shoe_under_more_rules(case: str) -> None:
    agrees_with_brute_force(*SLOW[case])


# ---------------------------------------------------------------- the simulator


def distance(rules: Rules, strategy: Strategy, rounds: int, seed: int) -> tuple[float, int]:
    """(chi-square of the simulator's results, degrees of freedom); rare results are put together."""
    result = simulate(rules, strategy, rounds=rounds, seed=seed)
    exact = outcome_distribution(rules, strategy)
    expected: list[float] = []
    observed: list[int] = []
    rare, rarely = 0.0, 0
    for net, p in exact.items():
        seen = result.values.get(int(net * result.unit), 0)
        if p * rounds < 25:
            rare, rarely = rare + p * rounds, rarely + seen
        else:
            expected.append(p * rounds)
            observed.append(seen)
    assert sum(observed) + rarely == rounds  # nothing happens that cannot
    if rare > 5:
        expected.append(rare)
        observed.append(rarely)
    chi = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    return chi, len(expected) - 1


@pytest.mark.parametrize("house", ["las_vegas", "continental"])
def test_the_simulator_scatters_as_it_should(house: str) -> None:
    rules = Rules.preset(house).replace(shuffle="every_round", boxes=1)
    chi, freedom = distance(rules, printed(rules), 400_000, 11)
    assert chi < freedom + 5 * math.sqrt(2 * freedom)


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
def test_the_simulator_scatters_as_it_should_in_every_house(house: str) -> None:
    rules = Rules.preset(house).replace(shuffle="every_round", boxes=1, max_hands=2)
    chi, freedom = distance(rules, printed(rules), 4_000_000, 12)
    assert chi < freedom + 5 * math.sqrt(2 * freedom)


# ---------------------------------------------------------------- mean and variance by pairs of hands


def test_published_mean_of_four_hands() -> None:
    """E. Farmer's BJPlayer, commit a1f7dbb: eight decks, H17, split to four hands, no surrender."""
    rules = Rules(decks=8, hit_soft_17=True)
    mean, variance = outcome_moments(rules, printed(rules))
    assert mean == pytest.approx(-0.006464501070274083, abs=1e-12)
    assert variance == pytest.approx(1.347158716575892, abs=1e-12)  # ours, against later changes


@pytest.mark.parametrize(
    "fields",
    [
        {"decks": None, "max_hands": 4},
        {"max_hands": 4, "hole_card": "none", "insurance_pays": "5:2"},
        {"max_hands": 3, "hole_card": "none", "dealer_blackjack_takes": "original"},
    ],
    ids=["infinite", "insured", "settled together"],
)
def test_moments_are_those_of_the_distribution(fields: dict[str, Any]) -> None:
    shoe = [8, 0, 8, 0, 0, 0, 0, 8, 0, 16]
    rules = Rules(**{"decks": 1, "composition": shoe, "shuffle": "every_round", **fields})
    strategy = Strategy.from_chart(SIMPLE + "insurance: yes\n")
    whole = mean_and_variance(outcome_distribution(rules, strategy))
    short = outcome_moments(rules, strategy)
    assert short[0] == pytest.approx(whole[0], abs=1e-13)
    assert short[1] == pytest.approx(whole[1], abs=1e-13)


# ---------------------------------------------------------------- its own laws


def test_an_infinite_shoe_is_the_limit_of_many_decks() -> None:
    rules = Rules(max_hands=2, hole_card="none")
    strategy = printed(rules)
    infinite = outcome_distribution(rules.replace(decks=None), strategy)
    assert math.fsum(infinite.values()) == pytest.approx(1, abs=1e-13)
    away = []
    for decks in (50, 100):
        finite = outcome_distribution(rules.replace(decks=decks), strategy)
        away.append(max(abs(finite[net] - p) for net, p in infinite.items()))
    assert away[0] < 2e-4
    assert away[1] == pytest.approx(away[0] / 2, rel=0.05)


def test_a_suited_blackjack_is_as_likely_as_its_suits() -> None:
    rules = Rules.preset("las_vegas")
    found = outcome_distribution(rules, printed(rules))
    both = 2 * 4 * 16 / (52 * 51)
    dealer = (3 * 15) * 2 / (50 * 49)
    assert found[Fraction(3, 2)] == pytest.approx(both * (1 - dealer) * 3 / 4, abs=1e-14)


PORTABLE = """
from blackjack import Rules, Strategy
from blackjack.outcomes import outcome_distribution, outcome_moments
for hands in (2, 3):
    rules = Rules(decks=1, max_hands=hands, hit_split_aces=True)
    chart = Strategy.published(rules)
    print(*map(float.hex, outcome_distribution(rules, chart).values()))
    print(*map(float.hex, outcome_moments(rules, chart)))
"""


def test_the_portable_loops() -> None:
    """Those of a processor without AVX2 are of the same source; they add up to the same."""

    def figures(**kernels: str) -> list[float]:
        done = subprocess.run(
            [sys.executable, "-c", PORTABLE],
            env={**os.environ, **kernels},
            capture_output=True,
            text=True,
            check=True,
        )
        return [float.fromhex(x) for x in done.stdout.split()]

    usual = figures()
    assert len(usual) > 20
    assert figures(BLACKJACK_KERNELS="plain") == pytest.approx(usual, rel=1e-12, abs=1e-15)


def test_mean_and_variance_of_a_known_distribution() -> None:
    assert mean_and_variance({Fraction(-1): 0.5, Fraction(3, 2): 0.5}) == (0.25, 1.5625)


def test_a_shoe_of_ones_own() -> None:
    rules = Rules(decks=1, max_hands=2)
    strategy = printed(rules)
    full = outcome_distribution(rules, strategy)
    assert outcome_distribution(rules, strategy, shoe=[4] * 9 + [16]) == full
    other = outcome_distribution(rules, strategy, shoe={**dict.fromkeys("A23456789", 4), "T": 20})
    assert other[Fraction(3, 2)] > full[Fraction(3, 2)]


@pytest.mark.parametrize(
    ("fields", "shoe", "text"),
    [
        ({}, [1, 2, 3], "shoe: expected ten counts"),
        ({}, {"X": 3}, "shoe: expected values of A 2 3 4 5 6 7 8 9 T, got 'X'"),
        (
            {"decks": 1},
            {"A": 1, "2": 1, "T": 1},
            "shoe: decks, composition: expected a shoe of at least",
        ),
        ({"suited_blackjack_pays": "2:1"}, [23] * 9 + [96], "suited_blackjack_pays: expected"),
        ({"split_by": "rank"}, [23] * 9 + [96], "shoe: pairs go by rank"),
    ],
)
def test_what_is_not_exact_is_refused(fields: dict[str, Any], shoe: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        outcome_distribution(Rules(**fields), Strategy.from_chart(SIMPLE), shoe=shoe)
