"""Cards as text art, and blocks of lines side by side.

Lives here: drawing. Not here: which cards are shown (play_screen).
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from blackjack.cards import Card
from blackjack.cli.play_terminal import Terminal, width_of

__all__ = ["beside", "brief", "card_art", "pages", "wrapped"]

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_RED: Final = "dh"
GAP: Final = 3


def _rank(card: Card) -> str:
    return "10" if card.rank == "T" else card.rank


def _suit(card: Card, terminal: Terminal) -> str:
    return _SUITS[card.suit] if terminal.unicode else card.suit


def brief(cards: Sequence[Card | None], terminal: Terminal) -> str:
    """Cards in a line: A♠ 10♥; one face down is ??."""
    words = []
    for card in cards:
        text = "??" if card is None else _rank(card) + _suit(card, terminal)
        words.append(terminal.style(text, "red" if card is not None and card.suit in _RED else ""))
    return " ".join(words)


def card_art(cards: Sequence[Card | None], terminal: Terminal) -> list[str]:
    """Four lines of overlapping cards; None lies face down."""
    if not cards:
        return [""] * 4
    corner, over, back = ("┌┐└┘", "│─", "░") if terminal.unicode else ("..''", "|-", "#")
    top, bottom = "", ""
    middle = ["", ""]
    for number, card in enumerate(cards):
        last = number == len(cards) - 1
        inner = 3 if last else 2
        top += corner[0] + over[1] * inner
        bottom += corner[2] + over[1] * inner
        for row in range(2):
            if card is None:
                text, style = back * inner, "dim"
            else:
                text = (_suit(card, terminal) if row else _rank(card)).ljust(inner)
                style = "red" if card.suit in _RED else ""
            middle[row] += over[0] + terminal.style(text, style)
    return [top + corner[1], middle[0] + over[0], middle[1] + over[0], bottom + corner[3]]


def wrapped(words: Sequence[str], columns: int, between: str = "  ") -> list[str]:
    """Words in a line, or in as many lines as it takes.

    >>> wrapped(["one", "two", "six"], 8)
    ['one  two', 'six']
    """
    lines: list[str] = []
    for word in words:
        if lines and width_of(lines[-1] + between + word) <= columns:
            lines[-1] += between + word
        else:
            lines.append(word)
    return lines


def pages(lines: Sequence[str], columns: int, rows: int) -> list[list[str]]:
    """Lines folded between words where they are too long, in as many screens as it takes.

    >>> pages(["one two three", "four"], 9, 2)
    [['one two', '    three'], ['four']]
    """
    folded = [
        part
        for line in lines
        for part in (textwrap.wrap(line, columns, subsequent_indent="    ") or [""])
    ]
    step = max(rows, 1)
    return [folded[at : at + step] for at in range(0, len(folded), step)]


def beside(blocks: Sequence[Sequence[str]], columns: int) -> list[str]:
    """Blocks of lines next to each other, in as many rows as it takes.

    >>> beside([["ab", "c"], ["d"]], 40)
    ['ab   d', 'c']
    """
    lines: list[str] = []
    row: list[Sequence[str]] = []
    used = 0
    for block in blocks:
        width = max(map(width_of, block), default=0)
        if row and used + GAP + width > columns:
            lines += _row(row)
            row, used = [], 0
        row.append(block)
        used += width + (GAP if used else 0)
    return lines + _row(row)


def _row(blocks: Sequence[Sequence[str]]) -> list[str]:
    lines = []
    widths = [max(map(width_of, block), default=0) for block in blocks]
    for number in range(max(map(len, blocks), default=0)):
        line = ""
        for block, width in zip(blocks, widths, strict=True):
            text = block[number] if number < len(block) else ""
            line += text + " " * (width - width_of(text) + GAP)
        lines.append(line.rstrip())
    return lines
