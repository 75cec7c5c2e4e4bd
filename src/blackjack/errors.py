"""Errors, and the words for every reason an action is refused.

Lives here: one base class, its kinds, the reasons by code. Not here: the decision whether something
is legal (blackjack_core.round) or affordable (blackjack.table).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = [
    "ArgumentError",
    "BetError",
    "BlackjackError",
    "CardError",
    "ChartError",
    "HistoryError",
    "IllegalAction",
    "InsufficientFunds",
    "MissingExtra",
    "RulesError",
    "ShoeExhausted",
]


class BlackjackError(Exception):
    """Base of every error this package raises on purpose. A refused call has changed nothing."""


class IllegalAction(BlackjackError, ValueError):
    """An action that is not legal now.

    Attributes:
        action: what was asked for, as given.
        reason: why not, in words.
        legal: the names of the actions that are legal, sorted (empty when nobody must decide).
    """

    def __init__(self, action: object, reason: str, legal: Iterable[str] = ()) -> None:
        self.action = action
        self.reason = reason
        self.legal: tuple[str, ...] = tuple(sorted(str(a) for a in legal))
        what = ", ".join(self.legal) if self.legal else "nothing"
        super().__init__(f"cannot {action}: {reason} (legal: {what})")

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[object, str, tuple[str, ...]]]:
        return type(self), (self.action, self.reason, self.legal)


class ArgumentError(BlackjackError, ValueError):
    """An argument that a call does not take: a seed, a number of rounds, a file's name, a way of asking."""


class BetError(BlackjackError, ValueError):
    """A bet, chip, box or amount that the table does not take."""


class InsufficientFunds(BetError):
    """More than the player has."""


class CardError(BlackjackError, ValueError):
    """Text or codes that are no cards."""


class RulesError(BlackjackError, ValueError):
    """Rules that cannot be played; `problems` lists all of them as (fields, what is wrong)."""

    def __init__(self, problems: Sequence[tuple[tuple[str, ...], str]]) -> None:
        self.problems: tuple[tuple[tuple[str, ...], str], ...] = tuple(problems)
        super().__init__(
            "; ".join(f"{', '.join(f)}: {what}" if f else what for f, what in self.problems)
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """Every field named by a problem, once each, in order."""
        return tuple(dict.fromkeys(f for fields, _ in self.problems for f in fields))

    def __reduce__(self) -> tuple[type[RulesError], tuple[object]]:
        return type(self), (self.problems,)


class ShoeExhausted(BlackjackError, RuntimeError):
    """A card was needed and the shoe (with its discards) had none."""


class HistoryError(BlackjackError, ValueError):
    """A round file that is malformed, cut short or describes an illegal round."""


class ChartError(BlackjackError, ValueError):
    """A strategy chart that cannot be read; the text names line and column."""


class MissingExtra(BlackjackError, ImportError):
    """An optional part is not installed; the text names the extra that brings it."""

    def __init__(self, module: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"this needs {module}: pip install 'blackjack-engine[{extra}]'")


# Indexed by blackjack_core.round's Reason codes.
REASONS: tuple[str, ...] = (
    "",
    "no hand is waiting for a decision",
    "an offer must be answered first",
    "no offer is open",
    "no insurance against this upcard",
    "this box holds a blackjack and is offered even money instead",
    "no even money against this upcard",
    "even money is for a blackjack only",
    "this house has no surrender",
    "no surrender against this upcard",
    "only the first two cards",
    "not after a split",
    "surrender comes in play here, not before the peek",
    "a blackjack is not surrendered",
    "no card on a total of 21",
    "split aces get one card each",
    "a doubled hand gets no further card",
    "no double on a total of 21",
    "no double on this total",
    "no double on a soft hand",
    "no double after a split",
    "no double on split aces",
    "the two cards are no pair",
    "the box has as many hands as the rules allow",
    "the box has as many hands of aces as the rules allow",
    "an insured box may not do this",
    "the player cannot pay for it",
    "the stake is at its limit",
    "half of this bet is nothing to insure",
    "a doubled hand is not doubled again",
    "there is no such action",
    "the amount is not one the rules allow for this action",
)
