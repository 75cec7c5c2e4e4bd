"""Readers of single rule values: from what people write to what `Rules` holds.

Lives here: one small function per kind of value, each raising ValueError with what was expected.
Not here: how the fields go together (blackjack.rules).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from blackjack.cards import RANKS, UPCARDS

ShuffleKind = Literal["cut_card", "every_round", "fewer_than", "exhaust", "continuous"]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """When the house shuffles; `value` is the cut card's depth (a Fraction of the shoe) or a number of cards.

    >>> Shuffle.read({"cut_card": 0.75}).cut(312)
    234
    """

    kind: ShuffleKind
    value: Fraction | int | None = None

    @classmethod
    def read(cls, value: object) -> Shuffle:
        """From the form of a rules file: a name or an object with one entry."""
        if isinstance(value, Shuffle):
            return value
        if value in ("every_round", "exhaust", "continuous"):
            return cls(value)
        if isinstance(value, Mapping) and len(value) == 1:
            ((kind, number),) = value.items()
            if kind == "cut_card":
                depth = _fraction_of_one(number)
                return cls("cut_card", depth)
            if kind == "fewer_than":
                return cls("fewer_than", whole(1)(number))
        raise ValueError(
            'expected {"cut_card": f}, {"fewer_than": n}, "every_round", "exhaust" or "continuous", '
            f"got {value!r}"
        )

    def to_json(self) -> object:
        """The form of a rules file."""
        if self.kind == "cut_card":
            assert isinstance(self.value, Fraction)
            number = float(self.value)
            return {"cut_card": number if Fraction(str(number)) == self.value else str(self.value)}
        if self.kind == "fewer_than":
            return {"fewer_than": self.value}
        return self.kind

    def cut(self, size: int) -> int:
        """The depth in cards at which a shoe of `size` cards is shuffled before the next round."""
        assert isinstance(self.value, Fraction)
        return math.ceil(self.value * size)


def _fraction_of_one(value: object) -> Fraction:
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
            raise ValueError
        depth = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"expected a cut card's depth as a number, got {value!r}") from None
    if not 0 < depth <= 1:
        raise ValueError(f"expected a cut card's depth 0 < f <= 1, got {value!r}")
    return depth


def whole(low: int, high: int | None = None, *, none: bool = False) -> Callable[[object], int]:
    """A reader of whole numbers in a range; `none` lets None through."""
    span = f"an int of {low} or more" if high is None else f"an int from {low} to {high}"

    def read(value: object) -> int:
        if none and value is None:
            return value  # type: ignore[return-value]
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"expected {span}{' or null' if none else ''}, got {value!r}")
        if value < low or (high is not None and value > high):
            raise ValueError(f"expected {span}{' or null' if none else ''}, got {value!r}")
        return int(value)

    return read


def flag(value: object) -> bool:
    """True or false, nothing else."""
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {value!r}")
    return value


def choice(*names: str) -> Callable[[object], str]:
    """A reader of one of several names."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"expected one of {', '.join(map(repr, names))}, got {value!r}")
        return str(value)

    return read


def ratio(high: int = 100, *, none: bool = False) -> Callable[[object], Fraction]:
    """A reader of exact ratios from 0 to `high`: "3:2", "3/2", an int, a Fraction; never a float."""

    def read(value: object) -> Fraction:
        if none and value is None:
            return value  # type: ignore[return-value]
        error = ValueError(
            f'expected an exact ratio such as "3:2", from 0 to {high}, got {value!r}'
        )
        try:
            if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
                raise error
            if isinstance(value, str) and ("." in value or "e" in value.lower()):
                raise error
            q = Fraction(value.replace(":", "/") if isinstance(value, str) else value)
        except (ValueError, ZeroDivisionError):
            raise error from None
        if not 0 <= q <= high or q.denominator > 1000:
            raise error
        return q

    return read


def ratio_text(value: Fraction) -> str:
    """A ratio as people write odds.

    >>> ratio_text(Fraction(3, 2))
    '3:2'
    """
    return f"{value.numerator}:{value.denominator}"


def _listed(value: object, what: str) -> list[object]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise ValueError(f"expected a list of {what}, got {value!r}")
    return list(value)


def upcards(
    allowed: tuple[str, ...] = UPCARDS, *, none: bool = False
) -> Callable[[object], tuple[str, ...]]:
    """A reader of lists of upcards, in the order A 2 ... T; "all" (with `none` None too) means every one."""

    def read(value: object) -> tuple[str, ...]:
        if value in ("all", "any") or (none and value is None):
            return allowed
        items = _listed(value, "upcards")
        wrong = [u for u in items if u not in allowed]
        if wrong:
            raise ValueError(f"expected upcards of {' '.join(allowed)}, got {wrong[0]!r}")
        return tuple(u for u in allowed if u in items)

    return read


def totals(low: int, high: int, *, word: str) -> Callable[[object], str | tuple[int, ...]]:
    """A reader of `word` or a list of totals."""

    def read(value: object) -> str | tuple[int, ...]:
        if value == word:
            return word
        items = _listed(value, "totals")
        for t in items:
            if isinstance(t, bool) or not isinstance(t, int) or not low <= t <= high:
                raise ValueError(f"expected {word!r} or totals from {low} to {high}, got {t!r}")
        return tuple(sorted({t for t in items if isinstance(t, int)}))

    return read


def ties(value: object) -> tuple[int, ...]:
    """Totals on which the dealer wins a tie; true means 17 to 21, false none."""
    if isinstance(value, bool):
        return tuple(range(17, 22)) if value else ()
    result = totals(17, 21, word="all")(value)
    return tuple(range(17, 22)) if isinstance(result, str) else result


def names(allowed: tuple[str, ...]) -> Callable[[object], tuple[str, ...]]:
    """A reader of lists of names out of `allowed`, kept in that order."""

    def read(value: object) -> tuple[str, ...]:
        items = [str(v) for v in _listed(value, "actions")]
        wrong = [v for v in items if v not in allowed]
        if wrong:
            raise ValueError(f"expected names of {' '.join(allowed)}, got {wrong[0]!r}")
        return tuple(n for n in allowed if n in items)

    return read


def chips(value: object) -> tuple[int, ...]:
    """Chip values, ascending, each once."""
    return tuple(sorted({whole(1, 2**53)(v) for v in _listed(value, "chip values")}))


def composition(value: object) -> tuple[int, ...] | None:
    """Cards per rank of one deck, A 2 ... K: a mapping (ranks left out keep 4), 13 counts, or 10 counts
    (A 2 ... 9 and all ten-value cards, shared out over T J Q K)."""
    if value is None:
        return None
    count = whole(0, 1000)
    if isinstance(value, Mapping):
        wrong = [k for k in value if k not in tuple(RANKS)]
        if wrong:
            raise ValueError(f"expected ranks of {' '.join(RANKS)}, got {wrong[0]!r}")
        result = tuple(count(value.get(r, 4)) for r in RANKS)
    else:
        counts = [count(v) for v in _listed(value, "counts per rank")]
        if len(counts) == 10:
            tens = counts.pop()
            counts += [tens // 4 + (tens % 4 > i) for i in (3, 2, 1, 0)]
        if len(counts) != 13:
            raise ValueError(
                f"expected 13 counts (A to K) or 10 (A to 9, ten-values), got {len(counts)}"
            )
        result = tuple(counts)
    return None if result == (4,) * 13 else result
