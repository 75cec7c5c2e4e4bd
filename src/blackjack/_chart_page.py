"""A chart as people know it, before it is drawn: sections, rows, legend, a line of rules.

Lives here: which rows are shown and merged, what they are called, what a cell's letters mean in words.
Not here: text and pictures (blackjack.drawing), the chart itself (blackjack.strategy).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from blackjack._chart_text import COLUMNS, PAIRS, Choice
from blackjack._fields import ratio_text
from blackjack.cards import UPCARDS

if TYPE_CHECKING:
    from blackjack.rules import Rules
    from blackjack.strategy import Strategy

# Okabe and Ito's colours, which people who see few colours can tell apart (and a light grey), all
# of them light enough for black letters: https://jfly.uni-koeln.de/color/
COLOURS: Final = {
    "H": "#eceff1",
    "S": "#f0e442",
    "D": "#56b4e9",
    "P": "#3dbb94",
    "U": "#e3a1c4",
}
WORDS: Final = {"H": "hit", "S": "stand", "D": "double", "P": "split", "U": "surrender"}

_HARD: Final = range(5, 21)
_SOFT: Final = range(13, 21)


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it is printed: its label, and ten cells under 2 ... T A."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under one heading."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All that is printed of a chart.

    Attributes:
        title: what it is the chart of.
        lines: what stands under the title: the rules in a line, the edge.
        sections: hard, soft, pairs, and what is different after a split.
        legend: (letters, meaning) of every cell there is.
        notes: offers, exceptions.
    """

    title: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    legend: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def page(strategy: Strategy, title: str, lines: Iterable[str] = ()) -> Page:
    """A strategy laid out."""
    sections = [
        Section("Hard", _totals(strategy, "h", _HARD)),
        Section("Soft", _totals(strategy, "s", _SOFT)),
        Section("Pairs", tuple(Row(_pair(p), _cells(strategy, p)) for p in PAIRS)),
    ]
    after = _after_split(strategy)
    if after:
        sections.append(Section("After a split", after))
    used = {cell for s in sections for row in s.rows for cell in row.cells}
    legend = tuple((cell, meaning(cell)) for cell in sorted(used, key=_in_legend))
    return Page(title, tuple(lines), tuple(sections), legend, _notes(strategy))


def meaning(cell: str) -> str:
    """A cell in words.

    >>> meaning("Ds"), meaning("UPh")
    ('double, else stand', 'surrender, else split, else hit')
    """
    return ", else ".join(WORDS[letter] for letter in cell.upper())


def _in_legend(cell: str) -> tuple[list[int], int]:
    return ["HSDPU".index(letter) for letter in cell.upper()], len(cell)


def _cells(strategy: Strategy, label: str, *, after: bool = False) -> tuple[str, ...]:
    return tuple(strategy.cell(label, up, after_split=after) for up in COLUMNS)


def _totals(strategy: Strategy, kind: str, totals: range) -> tuple[Row, ...]:
    """Rows of totals; neighbours that say the same are one row."""
    merged: list[tuple[int, int, tuple[str, ...]]] = []
    for total in totals:
        cells = _cells(strategy, f"{kind}{total}")
        if merged and merged[-1][2] == cells:
            merged[-1] = (merged[-1][0], total, cells)
        else:
            merged.append((total, total, cells))
    last = totals[-1]
    return tuple(Row(_name(kind, low, high, last), cells) for low, high, cells in merged)


def _name(kind: str, low: int, high: int, last: int) -> str:
    """What players call totals: 17+, 5-8, A,7, A,2-A,3."""
    if kind == "h":
        if high == last:
            return f"{low}+"
        return str(low) if low == high else f"{low}-{high}"
    first = f"A,{low - 11}"
    if high == last:
        return first + ("+" if low != high else "")
    return first if low == high else f"{first}-{high - 11}"


def _pair(label: str) -> str:
    rank = label[1].replace("T", "10")
    return f"{rank},{rank}"


def _after_split(strategy: Strategy) -> tuple[Row, ...]:
    """Rows that a split hand plays differently."""
    result: list[Row] = []
    labels = [f"h{n}" for n in _HARD] + [f"s{n}" for n in _SOFT] + list(PAIRS)
    for label in labels:
        if label in strategy.after_split:
            split = _cells(strategy, label, after=True)
            plain = _cells(strategy, label)
            if _without_u(plain) != _without_u(split):
                result.append(Row(_label(label), split))
    return tuple(result)


def _without_u(cells: Sequence[str]) -> list[str]:
    return [cell.upper().lstrip("U") for cell in cells]


def _label(label: str) -> str:
    """A row's label as players say it.

    >>> _label("h16"), _label("s18"), _label("pT")
    ('16', 'A,7', '10,10')
    """
    if label[0] == "p":
        return _pair(label)
    return label[1:] if label[0] == "h" else f"A,{int(label[1:]) - 11}"


def _notes(strategy: Strategy) -> tuple[str, ...]:
    notes = [f"Insurance: {_choice(strategy.insurance)}."]
    if strategy.even_money:
        notes.append(f"Even money: {_choice(strategy.even_money)}.")
    if strategy.early_surrender is True:
        notes.append("Early surrender, before the dealer looks for a blackjack: as the chart says.")
    elif strategy.early_surrender:
        which = _choice(strategy.early_surrender)
        notes.append(f"Early surrender, before the dealer looks for a blackjack: {which}.")
    if strategy.exact:
        some = [f"{e.cards} against {UPCARDS[e.upcard]}: {e.cell}" for e in strategy.exact[:6]]
        more = len(strategy.exact) - len(some)
        notes.append(
            "By exact cards: " + "; ".join(some) + (f"; and {more} more." if more > 0 else ".")
        )
    return tuple(notes)


def _choice(choice: Choice) -> str:
    if isinstance(choice, bool):
        return "always" if choice else "never"
    parts = []
    for up in COLUMNS:
        rows = {row for row, at in choice if at == up}
        if rows:
            parts.append(f"with {_hands(rows)} against {up}")
    return "; ".join(parts) or "never"


# The rows that two cards can be in: 20 and soft 12 only as a pair that is none by rank.
_TWO_CARDS: Final = (
    *(f"h{n}" for n in range(5, 20)),
    *(f"s{n}" for n in range(13, 22)),
    *PAIRS,
)


def _hands(rows: set[str]) -> str:
    """Rows in words: those that are meant, or those that are not where these are fewer."""
    others = [_label(row) for row in _TWO_CARDS if row not in rows]
    if len(others) < len(rows):
        return f"all hands but {' '.join(others)}" if others else "all hands"
    chosen = [row for row in _TWO_CARDS if row in rows]
    return " ".join(_label(row) for row in (*chosen, *sorted(rows.difference(chosen))))


def rules_line(rules: Rules) -> str:
    """The rules that matter to a chart, in a line.

    >>> from blackjack import Rules
    >>> rules_line(Rules.preset("vegas_strip"))
    '6 decks, H17, peek, double any two, DAS, 4 hands (aces 2), late surrender, blackjack 3:2'
    """
    decks = {None: "infinite deck", 1: "1 deck"}.get(rules.decks, f"{rules.decks} decks")
    parts = [decks, "H17" if rules.hit_soft_17 else "S17", _hole(rules)]
    if rules.dealer_blackjack_takes != "all":
        parts.append("original bets only" if rules.dealer_blackjack_takes == "original" else "OBBO")
    double = "any two"
    if not isinstance(rules.double_on, str):
        double = " ".join(map(str, rules.double_on)) or "never"
    if rules.double_any_number:
        double = double.replace("any two", "any number of cards")
    parts.append(f"double {double}" + ("" if rules.double_soft else ", hard only"))
    if rules.max_hands > 1:
        parts.append("DAS" if rules.double_after_split else "no DAS")
        aces = "" if rules.max_ace_hands == rules.max_hands else f" (aces {rules.max_ace_hands})"
        parts.append(f"{rules.max_hands} hands{aces}")
        if rules.hit_split_aces:
            parts.append("split aces draw")
    if rules.surrender != "none" and rules.surrender_on:
        parts.append(f"{rules.surrender} surrender")
    parts.append(f"blackjack {ratio_text(rules.blackjack_pays)}")
    if rules.suited_blackjack_pays not in (None, rules.blackjack_pays):
        parts.append(f"suited {ratio_text(rules.suited_blackjack_pays)}")
    if rules.charlie_cards is not None:
        parts.append(f"{rules.charlie_cards}-card charlie {ratio_text(rules.charlie_pays)}")
    if rules.push_on_22:
        parts.append("dealer 22 pushes")
    if rules.dealer_wins_ties:
        parts.append("dealer wins ties")
    return ", ".join(parts)


def _hole(rules: Rules) -> str:
    if rules.hole_card == "none":
        return "no hole card"
    if rules.hole_card == "no_peek" or not rules.peek_on:
        return "no peek"
    return "peek" if len(rules.peek_on) == 2 else f"peek on {rules.peek_on[0]}"
