"""Players' money.

Lives here: balances, and the check of an amount given from outside. Not here: limits of a table
(blackjack.table), stakes inside a round (blackjack_core.round).
"""

from __future__ import annotations

from blackjack.errors import BetError, InsufficientFunds

__all__ = ["MAX_BET", "Wallet", "whole_amount"]

MAX_BET = 2**53
"""The largest bet; stakes up to this settle exactly."""


def whole_amount(value: object, what: str = "bet") -> int:
    """`value` as an amount: an int from 1 to 2**53, in the smallest unit the caller deals in.

    >>> whole_amount(2.0)
    Traceback (most recent call last):
    blackjack.errors.BetError: expected a bet as an int from 1 to 9007199254740992, got 2.0
    """
    if value.__class__ is not int and (isinstance(value, bool) or not isinstance(value, int)):
        raise BetError(f"expected a {what} as an int from 1 to {MAX_BET}, got {value!r}")
    if not 1 <= value <= MAX_BET:  # type: ignore[operator]
        raise BetError(f"expected a {what} as an int from 1 to {MAX_BET}, got {value!r}")
    return int(value)  # type: ignore[call-overload, no-any-return]


class Wallet:
    """One player's money: a balance in whole units, or None without limit.

    >>> wallet = Wallet("ann", 100)
    >>> wallet.take(30); wallet.balance
    70
    """

    __slots__ = ("balance", "player")

    def __init__(self, player: str, balance: int | None) -> None:
        if balance is not None and (
            isinstance(balance, bool) or not isinstance(balance, int) or balance < 0
        ):
            raise BetError(f"expected a balance as an int of 0 or more, or None, got {balance!r}")
        self.player = player
        self.balance = balance

    def check(self, amount: int) -> None:
        """Raise InsufficientFunds unless the player can pay `amount`."""
        if self.balance is not None and amount > self.balance:
            raise InsufficientFunds(
                f"expected no more than {self.player}'s balance of {self.balance}, got {amount}"
            )

    def take(self, amount: int) -> None:
        """Pay `amount` (negative: receive it)."""
        self.check(amount)
        if self.balance is not None:
            self.balance -= amount
