"""Amounts given from outside.

Lives here: the checks of bets and balances. Not here: limits of a table (layout), stakes inside a round
(blackjack_core.machine), where balances are kept (blackjack_core.desk).
"""

from __future__ import annotations

from blackjack.errors import BetError

__all__ = ["MAX_BET", "checked_balance", "whole_amount"]

MAX_BET = 2**53
"""The largest bet; stakes up to this settle exactly."""


def whole_amount(value: object, what: str = "bet") -> int:
    """`value` as an amount: an int from 1 to 2**53, in the smallest unit the caller deals in.

    >>> whole_amount(2.0)
    Traceback (most recent call last):
    blackjack.errors.BetError: expected a bet as an int from 1 to 9007199254740992, got 2.0
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_BET:
        raise BetError(f"expected a {what} as an int from 1 to {MAX_BET}, got {value!r}")
    return int(value)


def checked_balance(value: object) -> int | None:
    """`value` as a balance: an int of 0 or more, or None without limit."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BetError(f"expected a balance as an int of 0 or more, or None, got {value!r}")
    return int(value)
