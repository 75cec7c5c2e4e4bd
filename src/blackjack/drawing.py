"""Charts drawn: for a terminal, as a page to print (HTML, SVG), as a picture (PNG).

Lives here: how a chart looks. Not here: what it says (blackjack.strategy), the format that is read
back (`Strategy.to_chart`).

Every cell carries its letters; the colours only repeat them, and can be told apart by people who see
few colours.
"""

from __future__ import annotations

import html
import itertools
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from blackjack._chart_page import COLOURS, Page, Section, page
from blackjack._chart_text import COLUMNS
from blackjack.errors import MissingExtra

if TYPE_CHECKING:
    from blackjack.strategy import Strategy

__all__ = ["chart_html", "chart_png", "chart_svg", "chart_text"]

_ANSI: Final = {"H": "255", "S": "227", "D": "117", "P": "79", "U": "218"}
_LABEL: Final = 7  # columns for a row's label
_GAP: Final = 3
_HEADS: Final = tuple(up.replace("T", "10") for up in COLUMNS)


# ---------------------------------------------------------------- text


def chart_text(
    strategy: Strategy,
    title: str,
    lines: Iterable[str] = (),
    *,
    colour: bool = False,
    width: int = 80,
) -> str:
    """A chart for a terminal: hard totals on the left, soft totals and pairs on the right.

    Args:
        strategy: the chart.
        title: what it is the chart of.
        lines: what stands under the title.
        colour: whether cells are coloured (ANSI, 256 colours).
        width: columns there are; where they do not suffice the sections stand one below the other.

    >>> from blackjack import Rules, Strategy
    >>> text = chart_text(Strategy.published(Rules()), "Six decks")
    >>> print(text.splitlines()[4][:37].rstrip())
       5-8  H  H  H  H  H  H  H  H  H  H
    """
    laid = page(strategy, title, lines)
    hard, *others = laid.sections
    widths = _widths(others[:2])
    right = [
        line for section in others[:2] for line in ("", *_text_section(section, widths, colour))
    ][1:]
    left = _text_section(hard, _widths([hard]), colour)
    each = _LABEL + sum(_widths([hard])) + 10
    result = [title, *(line for text in laid.lines for line in textwrap.wrap(text, width)), ""]
    if each + _GAP + _LABEL + sum(widths) + 10 <= width:
        blank = " " * each
        for a, b in itertools.zip_longest(left, right, fillvalue=""):
            result.append(f"{a or blank}{' ' * _GAP}{b}".rstrip())
    else:
        result += [line.rstrip() for line in (*left, "", *right)]
    for section in others[2:]:
        block = _text_section(section, _widths([section]), colour)
        result += ["", *(line.rstrip() for line in block)]
    result += ["", *_text_legend(laid, colour, width)]
    for note in laid.notes:
        result += textwrap.wrap(note, width)
    return "\n".join(result) + "\n"


def _paint(cell: str, width: int, colour: bool) -> str:
    text = f"{cell:{width}}"
    if not colour:
        return text
    return f"\x1b[38;5;16;48;5;{_ANSI[cell[0].upper()]}m{text}\x1b[0m"


def _widths(sections: Iterable[Section]) -> list[int]:
    """How wide each column of cells is: two letters, or more where a cell has more."""
    columns = zip(*(row.cells for section in sections for row in section.rows), strict=True)
    return [max(2, *map(len, column)) for column in columns]


def _text_section(section: Section, widths: list[int], colour: bool) -> list[str]:
    head = "".join(f" {up:{width}}" for up, width in zip(_HEADS, widths, strict=True))
    if colour:
        head = f"\x1b[1m{head}\x1b[0m"
    lines = [section.title, " " * _LABEL + head]
    for row in section.rows:
        pairs = zip(row.cells, widths, strict=True)
        cells = "".join(" " + _paint(cell, width, colour) for cell, width in pairs)
        lines.append(f"{row.label:>{_LABEL - 1}} {cells}")
    lines[0] = f"{section.title:<{_LABEL + sum(widths) + 10}}"
    return lines


def _text_legend(laid: Page, colour: bool, width: int) -> list[str]:
    lines: list[str] = []
    used = width
    for cell, words in laid.legend:
        size = len(cell) + len(words) + 4
        text = f"{_paint(cell, len(cell), colour)} {words}"
        if used + size > width:
            lines.append(text)
            used = size
        else:
            lines[-1] += f"   {text}"
            used += size
    return lines


# ---------------------------------------------------------------- pages: HTML

_CSS: Final = """
:root { color-scheme: light; }
body { font: 15px/1.35 system-ui, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; color: #111;
  background: #fff; max-width: 44rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; }
p { margin: .15rem 0; }
.rules { color: #444; }
table { border-collapse: collapse; width: 100%; margin: .9rem 0 0; table-layout: fixed;
  break-inside: avoid; }
caption { text-align: left; font-weight: 700; padding-bottom: .15rem; }
th, td { border: 1px solid #fff; text-align: center; padding: .16rem 0; }
thead th { background: #263238; color: #fff; font-weight: 600; }
tbody th { text-align: right; padding-right: .5rem; font-weight: 600; white-space: nowrap; }
th:first-child { width: 5.2rem; }
thead th:first-child { background: none; }
td, .key { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
thead th { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.legend { display: flex; flex-wrap: wrap; gap: .35rem 1.2rem; margin: 1rem 0 .6rem; padding: 0;
  list-style: none; }
.key { display: inline-block; min-width: 2.4rem; text-align: center; border-radius: 3px;
  margin-right: .4rem; }
@page { size: A4 portrait; margin: 12mm; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 12.5px; } }
"""


def chart_html(strategy: Strategy, title: str, lines: Iterable[str] = ()) -> str:
    """A chart as a page of its own, which prints on one sheet; nothing is loaded from elsewhere.

    >>> from blackjack import Rules, Strategy
    >>> chart_html(Strategy.published(Rules()), "Six decks").startswith("<!DOCTYPE html>")
    True
    """
    laid = page(strategy, title, lines)
    colours = "".join(f".{name} {{ background: {c}; }}\n" for name, c in COLOURS.items())
    body = [f"<h1>{html.escape(title)}</h1>"]
    body += [f'<p class="rules">{html.escape(line)}</p>' for line in laid.lines]
    body += [_html_section(section) for section in laid.sections]
    keys = "".join(
        f'<li><span class="key {cell[0].upper()}">{cell}</span>{words}</li>'
        for cell, words in laid.legend
    )
    body.append(f'<ul class="legend">{keys}</ul>')
    body += [f"<p>{html.escape(note)}</p>" for note in laid.notes]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_CSS}{colours}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _html_section(section: Section) -> str:
    heads = "".join(f'<th scope="col">{up}</th>' for up in _HEADS)
    rows = "\n".join(
        f'<tr><th scope="row">{row.label}</th>'
        + "".join(f'<td class="{cell[0].upper()}">{cell}</td>' for cell in row.cells)
        + "</tr>"
        for row in section.rows
    )
    return (
        f"<table>\n<caption>{section.title}</caption>\n"
        f"<thead><tr><th></th>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
    )


# ---------------------------------------------------------------- pages: shapes on a sheet

_SHEET: Final = (840.0, 1188.0)  # A4, in quarters of a millimetre
_MARGIN: Final = 48.0
_DARK: Final = "#263238"


@dataclass(frozen=True, slots=True)
class _Shape:
    """A rectangle, or a text whose middle line is at y."""

    x: float
    y: float
    width: float = 0.0
    height: float = 0.0
    fill: str = "#111111"
    text: str = ""
    size: float = 0.0
    anchor: str = "middle"
    bold: bool = False


def _sheet(laid: Page) -> Iterator[_Shape]:
    """The shapes of a page; rows are as high as the sheet allows."""
    right = _SHEET[0] - _MARGIN
    yield _Shape(_MARGIN, 62, text=laid.title, size=30, anchor="start", bold=True)
    y = 94.0
    for line in laid.lines:
        for part in textwrap.wrap(line, 100):
            yield _Shape(_MARGIN, y, text=part, size=14.5, anchor="start", fill="#444444")
            y += 19
    foot = [part for note in laid.notes for part in textwrap.wrap(note, 104)]
    legend_rows = -(-len(laid.legend) // 3)
    bottom = _SHEET[1] - 40 - 18 * len(foot) - 25 * legend_rows
    rows = sum(len(s.rows) + 2.1 for s in laid.sections)
    step = min(27.0, (bottom - y - 14) / rows)
    y += 4
    column = (right - _MARGIN - 86) / 10
    for section in laid.sections:
        y += 0.55 * step
        yield from _table(section, y, step, column)
        y += (len(section.rows) + 1.55) * step
    yield from _foot(laid, foot, y + 24)


def _table(section: Section, y: float, step: float, column: float) -> Iterator[_Shape]:
    left = _MARGIN + 86
    size = 0.6 * step
    middle = y + step / 2
    yield _Shape(_MARGIN, middle, text=section.title, size=0.62 * step, anchor="start", bold=True)
    width = column - 2
    # the heads stand beside a short title; a long one gets the line above
    above = len(section.title) > 11
    if above:
        y += step
        middle = y + step / 2
    for i, up in enumerate(_HEADS):
        yield _Shape(left + i * column, y, width, step - 2, fill=_DARK)
        x = left + i * column + width / 2
        yield _Shape(x, middle - 1, text=up, size=size, fill="#ffffff", bold=True)
    for row in section.rows:
        y += step
        middle = y + step / 2 - 1
        yield _Shape(left - 10, middle, text=row.label, size=size, anchor="end", bold=True)
        for i, cell in enumerate(row.cells):
            yield _Shape(left + i * column, y, width, step - 2, fill=COLOURS[cell[0].upper()])
            yield _Shape(left + i * column + width / 2, middle, text=cell, size=size)


def _foot(laid: Page, foot: list[str], y: float) -> Iterator[_Shape]:
    each = (_SHEET[0] - 2 * _MARGIN) / 3
    for i, (cell, words) in enumerate(laid.legend):
        x = _MARGIN + i % 3 * each
        at = y + i // 3 * 25
        yield _Shape(x, at - 10, 42, 20, fill=COLOURS[cell[0].upper()])
        yield _Shape(x + 21, at, text=cell, size=13.5)
        yield _Shape(x + 50, at, text=words, size=13.5, anchor="start")
    y += -(-len(laid.legend) // 3) * 25 + 6
    for line in foot:
        yield _Shape(_MARGIN, y, text=line, size=13.5, anchor="start")
        y += 18


def chart_svg(strategy: Strategy, title: str, lines: Iterable[str] = ()) -> str:
    """A chart as an SVG picture of one A4 page.

    >>> from blackjack import Rules, Strategy
    >>> chart_svg(Strategy.published(Rules()), "Six decks").startswith("<svg ")
    True
    """
    width, height = _SHEET
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="DejaVu Sans, Verdana, Arial, sans-serif">'
        ),
        f"<title>{html.escape(title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
    ]
    for s in _sheet(page(strategy, title, lines)):
        if s.text:
            weight = ' font-weight="bold"' if s.bold else ""
            anchor = "" if s.anchor == "start" else f' text-anchor="{s.anchor}"'
            parts.append(
                f'<text x="{s.x:.1f}" y="{s.y + 0.35 * s.size:.1f}" font-size="{s.size:.1f}" '
                f'fill="{s.fill}"{anchor}{weight}>{html.escape(s.text)}</text>'
            )
        else:
            parts.append(
                f'<rect x="{s.x:.1f}" y="{s.y:.1f}" width="{s.width:.1f}" height="{s.height:.1f}" '
                f'rx="2" fill="{s.fill}"/>'
            )
    return "\n".join([*parts, "</svg>"]) + "\n"


def chart_png(strategy: Strategy, title: str, path: str | Path, lines: Iterable[str] = ()) -> None:
    """A chart as a PNG picture of one A4 page, with the extra `plot` (matplotlib).

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
    except ImportError:
        raise MissingExtra("matplotlib", "plot") from None
    width, height = _SHEET
    figure = Figure(figsize=(width / 25.4 / 4, height / 25.4 / 4))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    points = 72 / 25.4 / 4
    across = {"start": "left", "middle": "center", "end": "right"}
    for s in _sheet(page(strategy, title, lines)):
        if s.text:
            axes.text(
                s.x, s.y, s.text, fontsize=s.size * points, color=s.fill, parse_math=False,
                ha=across[s.anchor], va="center_baseline", weight="bold" if s.bold else "normal",
            )  # fmt: skip
        else:
            axes.add_patch(Rectangle((s.x, s.y), s.width, s.height, facecolor=s.fill, linewidth=0))
    figure.savefig(path, dpi=160, format="png")
