"""Split hands played with full memory of the round.

Lives here: `exact_split_value`. Not here: the arithmetic (blackjack_core.memory), other ways of playing
split hands (blackjack.analysis).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from blackjack._outcomes import Shoe, full_counts, read_shoe
from blackjack.cards import UPCARDS
from blackjack.errors import ArgumentError
from blackjack_core.memory import split_value
from blackjack_core.outcomes import Unfit

if TYPE_CHECKING:
    from blackjack.rules import Rules

__all__ = ["SplitValue", "exact_split_value"]


class SplitValue(NamedTuple):
    """What splitting a pair is worth, per initial bet.

    Attributes:
        unconditional: the dealer's blackjacks included.
        given_no_blackjack: where the dealer has peeked, given that there is none; elsewhere the same.
    """

    unconditional: float
    given_no_blackjack: float


def exact_split_value(rules: Rules, shoe: Shoe | None, pair: str, upcard: str) -> SplitValue:
    """What a pair is worth split, if every later decision remembers every card of the round.

    Two hands, the second played in full knowledge of the first, the first with an eye to that. No
    insurance.

    >>> from blackjack import Rules
    >>> rules = Rules(decks=1, max_hands=2)
    >>> f"{exact_split_value(rules, None, '8', 'T').given_no_blackjack:.6f}"
    '-0.451263'

    Args:
        rules: a finite shoe, no more than two hands of such a pair.
        shoe: cards per value, A 2 ... 9 T, before the pair and the upcard are taken out; None: the
            rules' full shoe.
        pair: the pair's value, A 2 ... 9 T.
        upcard: A 2 ... 9 T.

    Raises:
        ArgumentError: what is not computed, with the field's name.
    """
    if pair not in UPCARDS or upcard not in UPCARDS:
        raise ArgumentError(
            f"expected a pair and an upcard of {' '.join(UPCARDS)}, got {pair!r}, {upcard!r}"
        )
    if rules.decks is None:
        raise ArgumentError(
            "decks: an infinite shoe does not change by what is remembered; the other ways of playing "
            "split hands are exact there"
        )
    counts = full_counts(rules) if shoe is None else read_shoe(rules, shoe)
    try:
        both = split_value(
            rules.compiled, counts, UPCARDS.index(pair), UPCARDS.index(upcard), rules.exact_unit
        )
    except Unfit as error:
        field, reason = error.args
        raise ArgumentError(f"{field}: {reason}; split_play='exact' is not computed") from None
    return SplitValue(*both)
