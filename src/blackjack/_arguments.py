"""Arguments given from outside, checked once and in one voice.

Lives here: numbers, seeds, names, texts and functions. Not here: bets and balances (blackjack.wallet),
cards (blackjack.cards), fields of rules (blackjack._fields).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from blackjack.errors import ArgumentError

__all__ = ["byte_text", "flag", "function", "number", "one_of", "seed_number", "whole"]


def whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """`value` as an int from `low` up, to `high` where there is one.

    >>> whole("rounds", 2.5, 0)
    Traceback (most recent call last):
    blackjack.errors.ArgumentError: expected rounds to be an int of 0 or more, got 2.5
    """
    right = isinstance(value, int) and not isinstance(value, bool)
    if not right or value < low or (high is not None and value > high):  # type: ignore[operator]
        span = f"of {low} or more" if high is None else f"from {low} to {high}"
        raise ArgumentError(f"expected {name} to be an int {span}, got {value!r}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def number(name: str, value: object, *, above: float | None = None) -> float:
    """`value` as a finite number of 0 or more, or above what it must be above.

    >>> number("timeout", float("nan"), above=0)
    Traceback (most recent call last):
    blackjack.errors.ArgumentError: expected timeout above 0, got nan
    """
    right = isinstance(value, int | float) and not isinstance(value, bool)
    low = 0 if above is None else above
    if not right or not low <= value < math.inf or value == above:  # type: ignore[operator]
        span = "to be a number of 0 or more" if above is None else f"above {above}"
        raise ArgumentError(f"expected {name} {span}, got {value!r}")
    return value  # type: ignore[return-value]


def flag(name: str, value: object) -> bool:
    """`value` as true or false, nothing that merely counts as one of them."""
    if not isinstance(value, bool):
        raise ArgumentError(f"expected {name} to be True or False, got {value!r}")
    return value


def seed_number(seed: object) -> int:
    """`seed` as an int of 64 bits."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise ArgumentError(f"expected an int seed with 0 <= seed < 2**64, got {seed!r}")
    return int(seed)


def one_of(what: str, value: object, known: Iterable[str]) -> str:
    """`value` as one of the known names.

    >>> one_of("a generator", "mt19937", ("xoshiro256++", "chacha20"))
    Traceback (most recent call last):
    blackjack.errors.ArgumentError: expected a generator of xoshiro256++, chacha20, got 'mt19937'
    """
    names = tuple(known)
    if not isinstance(value, str) or value not in names:
        raise ArgumentError(f"expected {what} of {', '.join(names)}, got {value!r}")
    return value


def function(name: str, value: object) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise ArgumentError(f"expected {name} to be a function, got {value!r}")


def byte_text(name: str, value: object, size: int | None = None) -> bytes:
    """`value` as bytes, of a size where one is asked for; never a number, of which `bytes` makes zeros.

    >>> byte_text("key", 32, 32)
    Traceback (most recent call last):
    blackjack.errors.ArgumentError: expected key to be 32 bytes, got 32
    >>> byte_text("key", b"too short", 32)
    Traceback (most recent call last):
    blackjack.errors.ArgumentError: expected key to be 32 bytes, got 9 of them
    """
    try:
        data = memoryview(value).tobytes()  # type: ignore[arg-type]
    except TypeError:
        length = "" if size is None else f"{size} "
        raise ArgumentError(f"expected {name} to be {length}bytes, got {value!r}") from None
    if size is not None and len(data) != size:  # a secret: its value goes into no message
        raise ArgumentError(f"expected {name} to be {size} bytes, got {len(data)} of them")
    return data
