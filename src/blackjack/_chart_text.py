"""Charts as text: reading with exact complaints, and writing.

Lives here: the line format of docs/strategies.md and nothing else. Not here: what a chart means
(blackjack.strategy), the published ones (blackjack.charts).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from blackjack.cards import UPCARDS
from blackjack.errors import ChartError

LETTERS: Final = "SHDPU"  # in the order of the action codes
COLUMNS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
HARD: Final = tuple(f"h{n}" for n in range(4, 22))
SOFT: Final = tuple(f"s{n}" for n in range(12, 22))
PAIRS: Final = tuple(f"p{u}" for u in COLUMNS)
ROWS: Final = HARD + SOFT + PAIRS
OFFERS: Final = ("insurance", "even_money", "early_surrender")

Cells = tuple[str, ...]
"""Ten cells in the order of the value index: A 2 ... 9 T."""
Choice = bool | frozenset[tuple[str, str]]
"""Whether an offer is taken: always, never, or with these (row, upcard)."""


@dataclass(frozen=True, slots=True, order=True)
class ExactCards:
    """An exception for one hand by its exact cards.

    Attributes:
        counts: cards by value, A 2 ... 9 T.
        upcard: value index of the upcard, 0 to 9.
        cell: what to do instead, as in a chart.
        after_split: only after a split, only without one, or either (None).
    """

    counts: tuple[int, ...]
    upcard: int
    cell: str
    after_split: bool | None = None

    @property
    def cards(self) -> str:
        """The hand as letters, ten-values first: `T2`."""
        return "".join(u * n for u, n in zip(UPCARDS[::-1], self.counts[::-1], strict=True))


@dataclass
class ChartData:
    """What a chart's text says."""

    rows: dict[str, Cells] = field(default_factory=dict)
    after_split: dict[str, Cells] = field(default_factory=dict)
    exact: list[ExactCards] = field(default_factory=list)
    offers: dict[str, Choice] = field(default_factory=dict)


def tidy(cell: str) -> str:
    """A cell in its one spelling: nothing twice, nothing after `S` (it is always legal).

    >>> [tidy(c) for c in ("dh", "UPH", "HSD", "Ss", "dhs")]
    ['Dh', 'UPh', 'Hs', 'S', 'DHs']

    Raises:
        ValueError: a letter that is none of S H D P U, or no letter at all.
    """
    letters = list(dict.fromkeys(cell.upper())) if isinstance(cell, str) else []
    wrong = [c for c in letters if c not in LETTERS]
    if wrong or not letters:
        raise ValueError(f"expected letters of {' '.join(LETTERS)}, got {cell!r}")
    if "S" in letters:
        del letters[letters.index("S") + 1 :]
    if len(letters) > 1:
        letters[-1] = letters[-1].lower()
    return "".join(letters)


def row_label(text: str) -> str | None:
    """A row's label in its one spelling, or None.

    >>> row_label("H11"), row_label("p10"), row_label("s11"), row_label("pt")
    ('h11', 'pT', None, 'pT')
    """
    if not isinstance(text, str):
        return None
    head, rest = text[:1].lower(), text[1:].upper()
    if head == "p" and rest == "10":
        rest = "T"
    label = head + rest
    return label if label in ROWS else None


def upcard_index(text: str) -> int | None:
    """Value index of an upcard's text, or None."""
    if not isinstance(text, str):
        return None
    name = "T" if text == "10" else text.upper()
    return UPCARDS.index(name) if name in UPCARDS else None


def checked_choice(offer: str, value: object) -> Choice:
    """What is taken at an offer, as a strategy keeps it: yes, no, or which rows under which upcards.

    >>> sorted(checked_choice("insurance", [("H20", "a"), ("p10", "A")]))
    [('h20', 'A'), ('pT', 'A')]

    Raises:
        ChartError: it is none of these.
    """
    if isinstance(value, bool):
        return value
    found: set[tuple[str, str]] = set()
    try:
        if isinstance(value, str):
            raise TypeError
        for row, upcard in value:  # type: ignore[attr-defined]
            label, index = row_label(row), upcard_index(upcard)
            if label is None or index is None:
                raise ValueError
            found.add((label, UPCARDS[index]))
    except (TypeError, ValueError):
        what = "expected True, False or pairs such as ('h20', 'A')"
        raise ChartError(f"{offer}: {what}, got {value!r}") from None
    return frozenset(found)


class _Line:
    """One line being read; knows how to complain about a place in it."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.words = [(m.start() + 1, m.group()) for m in re.finditer(r"\S+", text)]

    def error(self, column: int, what: str) -> ChartError:
        return ChartError(f"line {self.number}, column {column}: {what}")

    @property
    def end(self) -> int:
        column, word = self.words[-1]
        return column + len(word)


def _read_columns(line: _Line) -> list[int]:
    columns: list[int] = []
    for at, word in line.words:
        index = upcard_index(word)
        if index is None:
            raise line.error(at, f"expected upcards A 2 3 4 5 6 7 8 9 T as columns, got {word!r}")
        if index in columns:
            raise line.error(at, f"the column {word} is here twice")
        columns.append(index)
    if len(columns) < 10:
        missing = " ".join(u for i, u in enumerate(UPCARDS) if i not in columns)
        raise line.error(line.end, f"expected ten columns, missing {missing}")
    return columns


def _read_row(
    line: _Line, words: list[tuple[int, str]], columns: list[int], into: dict[str, Cells]
) -> None:
    (at, name), *cells = words
    label = row_label(name)
    if label is None:
        raise line.error(
            at, f"expected a row h4 to h21, s12 to s21, or p and a rank A 2 ... 9 T, got {name!r}"
        )
    if label in into:
        raise line.error(at, f"the row {label} is here twice")
    row = [""] * 10
    for (where, cell), index in zip(cells, columns, strict=False):
        try:
            row[index] = tidy(cell)
        except ValueError as error:
            raise line.error(where, f"{error} (row {label}, upcard {UPCARDS[index]})") from None
    if len(cells) != 10:
        where = cells[10][0] if len(cells) > 10 else line.end
        raise line.error(where, f"expected ten cells in the row {label}, got {len(cells)}")
    into[label] = tuple(row)


def _read_offer(line: _Line, words: list[tuple[int, str]]) -> Choice:
    if not words:
        raise line.error(line.end, "expected yes or no")
    first = words[0][1].lower()
    if len(words) == 1 and first in ("yes", "no"):
        return first == "yes"
    chosen: set[tuple[str, str]] = set()
    for at, word in words:
        row, slash, upcard = word.partition("/")
        label, index = row_label(row), upcard_index(upcard)
        if not slash or label is None or index is None:
            raise line.error(at, f"expected yes, no, or hands such as pT/A, got {word!r}")
        chosen.add((label, UPCARDS[index]))
    return frozenset(chosen)


def _read_exact(line: _Line, words: list[tuple[int, str]]) -> ExactCards:
    if not 3 <= len(words) <= 4:
        raise line.error(line.end, "expected a hand, an upcard and a cell, such as T2 4 H")
    (at, hand), (at_up, up), (at_cell, cell) = words[:3]
    counts = [0] * 10
    for card in hand.upper().replace("10", "T"):
        if card not in UPCARDS:
            raise line.error(at, f"expected cards of A 2 ... 9 T, got {hand!r}")
        counts[UPCARDS.index(card)] += 1
    points = sum((i + 1) * n for i, n in enumerate(counts))
    if sum(counts) < 2 or points > 21:
        raise line.error(at, f"expected two cards or more and no more than 21, got {hand!r}")
    index = upcard_index(up)
    if index is None:
        raise line.error(at_up, f"expected an upcard A 2 ... 9 T, got {up!r}")
    after: bool | None = None
    if len(words) == 4:
        where, word = words[3]
        if word not in ("split", "unsplit"):
            raise line.error(where, f"expected split or unsplit, got {word!r}")
        after = word == "split"
    try:
        return ExactCards(tuple(counts), index, tidy(cell), after)
    except ValueError as error:
        raise line.error(at_cell, str(error)) from None


def read_chart(text: str) -> ChartData:
    """Read a chart; every complaint is a ChartError that names line and column."""
    if not isinstance(text, str):
        raise ChartError(f"expected a chart's text, got {text!r}")
    data = ChartData()
    columns: list[int] | None = None
    for number, full in enumerate(text.splitlines(), 1):
        line = _Line(number, full.partition("#")[0])
        if not line.words:
            continue
        at, head = line.words[0]
        name, colon, rest = head.partition(":")
        if colon:
            words = ([(at + len(name) + 1, rest)] if rest else []) + line.words[1:]
            name = name.lower()
            if name in OFFERS:
                if name in data.offers:
                    raise line.error(at, f"{name} is here twice")
                data.offers[name] = _read_offer(line, words)
            elif name == "exact":
                data.exact.append(_read_exact(line, words))
            elif name == "after_split":
                if columns is None:
                    raise line.error(at, "expected the line that names the columns first")
                if not words:
                    raise line.error(line.end, "expected a row")
                _read_row(line, words, columns, data.after_split)
            else:
                known = ", ".join(OFFERS)
                raise line.error(
                    at, f"expected {known}, after_split or exact before ':', got {name!r}"
                )
        elif columns is None:
            columns = _read_columns(line)
        else:
            _read_row(line, line.words, columns, data.rows)
    if columns is None:
        raise ChartError("line 1, column 1: expected a line that names the columns")
    return data


def _row_text(label: str, cells: Cells, width: int) -> str:
    ordered = (cells[UPCARDS.index(u)] for u in COLUMNS)
    return f"{label:4}" + " ".join(f"{c:{width}}" for c in ordered).rstrip()


def write_chart(
    rows: Mapping[str, Cells],
    after_split: Mapping[str, Cells],
    exact: tuple[ExactCards, ...],
    offers: Mapping[str, Choice],
) -> str:
    """A chart's text; `read_chart` gives the same back."""
    width = max([2, *(len(c) for m in (rows, after_split) for r in m.values() for c in r)])
    lines = ["    " + " ".join(f"{u:{width}}" for u in COLUMNS).rstrip()]
    lines += [_row_text(label, rows[label], width) for label in ROWS if label in rows]
    lines += [
        "after_split: " + _row_text(label, after_split[label], width)
        for label in ROWS
        if label in after_split
    ]
    for e in exact:
        word = {None: "", True: " split", False: " unsplit"}[e.after_split]
        lines.append(f"exact: {e.cards} {UPCARDS[e.upcard]} {e.cell}{word}")
    for name in OFFERS:
        choice = offers.get(name, False)
        if isinstance(choice, bool):
            value = "yes" if choice else "no"
        else:
            value = " ".join(f"{row}/{up}" for row, up in sorted(choice)) or "no"
        lines.append(f"{name}: {value}")
    return "\n".join(lines) + "\n"
