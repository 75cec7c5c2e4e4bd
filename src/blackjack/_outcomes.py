"""The exact distribution of a round's result.

Lives here: `outcome_distribution` and what of rules and shoes it cannot do. Not here: the arithmetic
(blackjack_core.outcomes), expected values and optimal play (blackjack.analysis).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from blackjack.cards import UPCARDS
from blackjack.errors import ArgumentError
from blackjack_core.outcomes import Unfit, distribution

if TYPE_CHECKING:
    from blackjack.rules import Rules
    from blackjack.strategy import Strategy
    from blackjack_core.ruleset import RuleSet

__all__ = [
    "Shoe",
    "full_counts",
    "mean_and_variance",
    "outcome_distribution",
    "outcome_moments",
    "read_shoe",
]

Shoe = Mapping[str, int] | Sequence[int]


def outcome_distribution(
    rules: Rules, strategy: Strategy, *, shoe: Shoe | None = None
) -> dict[Fraction, float]:
    """The probability of every net result of a round, in units of the bet, smallest net first.

    One player, off the top of the shoe, playing the strategy whatever comes; nothing is sampled and
    nothing is left out. The probabilities are doubles that add up to 1 within rounding (about 1e-14).

    >>> from blackjack import Rules, Strategy
    >>> rules = Rules.preset("european")
    >>> found = outcome_distribution(rules, Strategy.chart(rules))
    >>> [str(net) for net in found]
    ['-4', '-3', '-2', '-1', '0', '1', '3/2', '2', '3', '4']
    >>> f"{found[Fraction(3, 2)]:.6f}"
    '0.045323'

    Args:
        rules: any rules.
        strategy: how it is played, its exceptions by exact cards and rows after a split included.
        shoe: cards per value, A 2 ... 9 T (a mapping may leave values out: none); by default the
            rules' full shoe.

    Raises:
        ArgumentError: what cannot be computed exactly, with the field's name; a shoe that one round may
            use up.
    """
    nets, _ = _run(rules, strategy, shoe, short=False)
    return {Fraction(net, rules.exact_unit): p for net, p in sorted(nets.items())}


def outcome_moments(
    rules: Rules, strategy: Strategy, *, shoe: Shoe | None = None
) -> tuple[float, float]:
    """(mean, variance) of `outcome_distribution`, without the distribution.

    A variance needs no more than two hands at a time, so that it is exact and quick where a box may
    have three hands or more and the distribution is slow.

    >>> from blackjack import Rules, Strategy
    >>> rules = Rules.preset("european")
    >>> mean, variance = outcome_moments(rules, Strategy.chart(rules))
    >>> of_all = mean_and_variance(outcome_distribution(rules, Strategy.chart(rules)))
    >>> abs(mean - of_all[0]) < 1e-12, abs(variance - of_all[1]) < 1e-12
    (True, True)

    Raises:
        ArgumentError: as `outcome_distribution`.
    """
    import math

    unit = rules.exact_unit
    nets, (_, mean, square) = _run(rules, strategy, shoe, short=True)
    mean = math.fsum([mean, *(net * p for net, p in nets.items())]) / unit
    square = math.fsum([square, *(net * net * p for net, p in nets.items())]) / unit**2
    return mean, square - mean * mean


def core_game(
    rules: Rules, strategy: Strategy
) -> tuple[RuleSet, bytes, bytes, list[tuple[tuple[int, ...], int, bool | None, int]], bool, int]:
    """What the core's functions take first: the rules, how it is played, the bet."""
    plan = strategy.compile(rules)
    return (
        rules.compiled,
        plan.play,
        plan.offers,
        list(plan.exact),
        plan.split_by_rank,
        rules.exact_unit,
    )


def _run(
    rules: Rules, strategy: Strategy, shoe: Shoe | None, *, short: bool
) -> tuple[dict[int, float], tuple[float, float, float]]:
    """What the core says, its refusals in words."""
    counts = full = full_counts(rules)
    tens: list[int] | None = [n * (rules.decks or 1) for n in rules.rank_counts[9:]]
    if shoe is not None:
        counts = read_shoe(rules, shoe)
    if counts != full:
        tens = None
        if rules.suited_blackjack_pays is not None:
            raise ArgumentError(
                "suited_blackjack_pays: expected the rules' full shoe, because ten counts do not tell "
                "suits apart"
            )
    try:
        return distribution(
            *core_game(rules, strategy),
            counts,
            tens,
            rules.decks is None,
            _suited(rules),
            short,
        )
    except Unfit as error:
        field, reason = error.args
        raise ArgumentError(f"{field}: {reason}; the distribution is not computed") from None


def mean_and_variance(distribution: Mapping[Fraction, float]) -> tuple[float, float]:
    """Of a distribution as `outcome_distribution` gives it.

    >>> mean_and_variance({Fraction(-1): 0.5, Fraction(1): 0.5})
    (0.0, 1.0)
    """
    import math

    mean = math.fsum(float(net) * p for net, p in distribution.items())
    return mean, math.fsum((float(net) - mean) ** 2 * p for net, p in distribution.items())


def full_counts(rules: Rules) -> list[int]:
    """Cards per value of the rules' full shoe (of one deck where it is infinite)."""
    ranks = rules.rank_counts
    return [n * (rules.decks or 1) for n in (*ranks[:9], sum(ranks[9:]))]


def read_shoe(rules: Rules, shoe: Shoe) -> list[int]:
    """The ten counts, checked."""
    if isinstance(shoe, Mapping):
        wrong = [k for k in shoe if k not in UPCARDS]
        if wrong:
            raise ArgumentError(f"shoe: expected values of {' '.join(UPCARDS)}, got {wrong[0]!r}")
        counts = [shoe.get(u, 0) for u in UPCARDS]
    else:
        counts = list(shoe)
    if len(counts) != 10 or any(type(n) is not int or n < 0 for n in counts) or not any(counts):
        raise ArgumentError(f"shoe: expected ten counts (A 2 ... 9 T), got {shoe!r}")
    if rules.decks is not None:
        _check_enough(rules, counts)
    return counts


def _check_enough(rules: Rules, counts: list[int]) -> None:
    from blackjack._capacity import round_capacity
    from blackjack.errors import RulesError

    try:
        held = rules.replace(decks=1, composition=counts, burn=0, shuffle="every_round")
    except RulesError as error:
        raise ArgumentError(f"shoe: {error}") from None
    round_capacity(held, 1, enough=sum(counts))


def _suited(rules: Rules) -> float:
    """How likely an ace and a ten-value are of one suit."""
    if rules.suited_blackjack_pays is None:
        return 0.0
    aces, tens = [0] * 4, [0] * 4
    for code in rules.shoe_cards:
        if code >> 2 == 0:
            aces[code & 3] += 1
        elif code >> 2 >= 9:
            tens[code & 3] += 1
    pairs = sum(aces) * sum(tens)
    return sum(a * t for a, t in zip(aces, tens, strict=True)) / pairs if pairs else 0.0
