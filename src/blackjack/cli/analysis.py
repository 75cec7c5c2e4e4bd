"""What the commands that analyze share: reading strategies, shoes and hands, and printing figures.

Lives here: words of the command line around the analyzer. Not here: the analyzer (blackjack.analysis);
this is no command.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

from blackjack.cli import UsageError
from blackjack.errors import BlackjackError
from blackjack.rules import Rules
from blackjack.strategy import Strategy

__all__ = [
    "COLUMNS",
    "SPLIT_PLAY",
    "add_shoe",
    "asked",
    "house_title",
    "percent",
    "read_shoe",
    "read_strategy",
    "table",
]

_T = TypeVar("_T")

SPLIT_PLAY: Final = ("cdz", "cdp1", "cdp")
COLUMNS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
"""Upcards in the order in which charts print them."""


def add_shoe(parser: argparse.ArgumentParser) -> None:
    """Add the option --shoe, read afterwards by `read_shoe`."""
    parser.add_argument(
        "--shoe",
        metavar="COUNTS",
        help="cards in the shoe: ten counts A,2,...,9,T (default: the house's full shoe)",
    )


def read_shoe(text: str | None) -> tuple[int, ...] | None:
    """Ten counts in the order A 2 ... 9 T.

    >>> read_shoe("4,4,4,4,4,4,4,4,4,16")
    (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)

    Raises:
        UsageError: they are not, with what is wrong.
    """
    if text is None:
        return None
    parts = text.replace(",", " ").split()
    if len(parts) != 10 or not all(part.isascii() and part.isdigit() for part in parts):
        raise UsageError(f"--shoe: expected ten counts A,2,...,9,T, got {text!r}")
    return tuple(int(part) for part in parts)


def read_strategy(text: str, rules: Rules, names: Iterable[str] = ("chart",)) -> Strategy | str:
    """A strategy that a word names: one of some names, or a file of a chart or of its JSON.

    Returns:
        The name itself ("optimal", "chart"), or the strategy.

    Raises:
        UsageError: it is neither.
    """
    if text in names:
        return text
    try:
        data = Path(text).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        known = ", ".join(names)
        raise UsageError(
            f"--strategy: expected {known} or a file, and {text!r} cannot be read: {error}"
        ) from None
    try:
        if data.lstrip().startswith("{"):
            return Strategy.from_json(data)
        return Strategy.from_chart(data, name=Path(text).stem)
    except BlackjackError as error:
        raise UsageError(f"--strategy: {text}: {error}") from None


def asked(what: Callable[[], _T]) -> _T:
    """The answer of a question to the analyzer; what it cannot answer is wrong usage here."""
    try:
        return what()
    except (BlackjackError, ValueError, NotImplementedError) as error:
        raise UsageError(str(error)) from None


def percent(value: float, digits: int = 4) -> str:
    """A share in percent.

    >>> percent(0.0044321), percent(-0.25, 2)
    ('0.4432 %', '-25.00 %')
    """
    return f"{100 * value:.{digits}f} %"


def house_title(rules: Rules, text: str) -> str:
    """What a house is called on paper.

    >>> house_title(Rules.preset("vegas_strip"), "vegas_strip")
    'Vegas Strip'
    """
    if rules.name is not None:
        return rules.name.replace("_", " ").title()
    inline = text.lstrip().startswith("{")
    return "Blackjack" if inline else Path(text).stem.replace("_", " ").title()


def table(rows: Iterable[Iterable[str]], *, left: int = 1) -> list[str]:
    """Lines of columns as wide as they need to be; the first `left` columns begin at the left.

    >>> table([("a", "1"), ("bc", "10")])
    ['a    1', 'bc  10']
    """
    cells = [tuple(row) for row in rows]
    if not cells:
        return []
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return [
        "  ".join(
            f"{cell:<{width}}" if i < left else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
