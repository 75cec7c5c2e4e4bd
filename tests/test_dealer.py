"""The dealer's chances against an independent public engine, a printed table and plain enumeration."""

from __future__ import annotations

from fractions import Fraction

import pytest

from blackjack import Rules, analyze
from blackjack_core.dealer import FINALS, KERNELS, Dealer
from blackjack_core.removal import Finals, final_probabilities, finals

FULL = [4, 4, 4, 4, 4, 4, 4, 4, 4, 16]

# 17 18 19 20 21 blackjack bust, full shoe less the upcard, nothing known of the hole card:
# Eric Farmer, github possibly-wrong/blackjack at a1f7dbb, class BJDealer, double precision
FARMER = {
    (1, False, 0): (
        0.1261276047884464,
        0.1310030551059321,
        0.1294862054334997,
        0.1315533307315582,
        0.05156464692418797,
        0.3137254901960784,
        0.1165396668202971,
    ),
    (6, True, 5): (
        0.1150640042389171,
        0.1145743026041491,
        0.1150429097849637,
        0.1101774177340398,
        0.1058822241539031,
        0.0,
        None,
    ),
    (8, False, 1): (
        0.1396941124123881,
        0.1345183452213282,
        0.1299287332413169,
        0.1240209940477638,
        0.1183078290358131,
        0.0,
        None,
    ),
}


def dealer(soft: bool) -> Dealer:
    return Dealer(Rules(hit_soft_17=soft).compiled)


@pytest.mark.parametrize("key", FARMER)
def test_full_shoes(key: tuple[int, bool, int]) -> None:
    decks, soft, upcard = key
    got = dealer(soft).outcomes([decks * n for n in FULL])[upcard]
    want = FARMER[key]
    assert got[:5] == pytest.approx(want[:5], abs=1e-15)
    assert got[7] == pytest.approx(want[5], abs=1e-15)
    assert sum(got) == pytest.approx(1, abs=1e-14)
    if want[6] is not None:
        assert got[5] + got[6] == pytest.approx(want[6], abs=1e-15)


def test_printed_table() -> None:
    """Two decks, dealer stands, a ten up, given no blackjack: wizardofodds.com/blackjack/appendix2.html."""
    got = dealer(False).outcomes([2 * n for n in FULL])[9]
    given = [round(p / (1 - got[7]), 6) for p in (*got[:5], got[5] + got[6])]
    assert given == [0.122412, 0.1216, 0.122524, 0.36387, 0.038449, 0.231144]


def enumerate_finals(counts: list[int], upcard: int, soft: bool) -> dict[str, Fraction]:
    """Every order of cards, drawn one by one."""
    found = dict.fromkeys(FINALS, Fraction(0))

    def go(left: list[int], points: int, ace: bool, cards: int, chance: Fraction) -> None:
        total = points + 10 if ace and points <= 11 else points
        stand = total > 17 or (total == 17 and not (soft and ace and points <= 11))
        if cards >= 2 and stand:
            name = str(total) if total <= 22 else "bust"
            found["blackjack" if cards == 2 and total == 21 else name] += chance
            return
        size = sum(left)
        for v, n in enumerate(left):
            if n:
                left[v] -= 1
                go(left, points + v + 1, ace or v == 0, cards + 1, chance * n / size)
                left[v] += 1

    left = list(counts)
    left[upcard] -= 1
    go(left, upcard + 1, upcard == 0, 1, Fraction(1))
    return found


@pytest.mark.parametrize("soft", [False, True])
def test_odd_shoe_by_enumeration(soft: bool) -> None:
    counts = [3, 1, 0, 2, 0, 4, 1, 0, 1, 3]
    got = dealer(soft).outcomes(counts)
    for upcard, n in enumerate(counts):
        want = enumerate_finals(counts, upcard, soft) if n else dict.fromkeys(FINALS, 0)
        assert got[upcard] == pytest.approx([float(want[name]) for name in FINALS], abs=1e-15)


def test_infinite_shoe_is_the_limit() -> None:
    got = dealer(True).outcomes(FULL, infinite=True)
    near = dealer(True).outcomes([n * 60_000 for n in FULL])
    for a, b in zip(got, near, strict=True):
        assert a == pytest.approx(b, abs=1e-5)
    assert got[0][7] == pytest.approx(4 / 13, abs=1e-15)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("infinite", [False, True])
def test_weighted_sums_are_the_chances_weighted(kernel: str, infinite: bool) -> None:
    values = [1.0, -0.5, 0.25, 2.0, -1.0, 0.5, 3.0]
    hands = [[6 * n - (v == k) for v, n in enumerate(FULL)] for k in range(8)]
    d = dealer(True)
    got = d.weighted(hands, values, infinite=infinite, kernel=kernel)
    for hand, sums in zip(hands, got, strict=True):
        finals = d.outcomes(hand, infinite=infinite)
        want = [sum(p * w for p, w in zip(f, values, strict=False)) for f in finals]
        assert sums == pytest.approx(want, abs=1e-14)


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="expected ten counts, got 3"):
        dealer(False).outcomes([1, 2, 3])
    with pytest.raises(ValueError, match="expected counts from 0"):
        dealer(False).outcomes([-1, *FULL[1:]])
    with pytest.raises(ValueError, match="expected a kernel"):
        dealer(False).weighted([FULL], [0] * 7, kernel="none")


@pytest.mark.parametrize("up", [-(2**31), -1, 10, 2**31 - 1])
def test_an_upcard_out_of_range(up: int) -> None:
    rules = Rules().compiled
    for call in (
        lambda: Finals(rules, up),
        lambda: finals(rules, up),
        lambda: final_probabilities(rules, [4] * 9 + [16], up),
        lambda: analyze(Rules(decks=1))._solver.left_out(up),
    ):
        with pytest.raises(ValueError, match="expected an upcard's value index"):
            call()


def test_counts_of_another_size() -> None:
    for counts in ([], [4] * 9, [4] * 11, [-1] * 10, [10**30] * 10):
        with pytest.raises(ValueError, match="expected ten counts"):
            final_probabilities(Rules().compiled, counts, 0)
