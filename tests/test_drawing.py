"""Charts drawn: every cell with its letters, one page, nothing loaded from elsewhere.

Not here: what charts say (test_strategy, test_charts), the command (test_analysis_cli).
"""

from __future__ import annotations

import builtins
import re
import struct
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from blackjack._chart_page import COLOURS, page, rules_line
from blackjack.drawing import chart_html, chart_png, chart_svg, chart_text
from blackjack.errors import MissingExtra
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.strategy import Strategy

CHART = Strategy.published(Rules.preset("vegas_strip"))
SVG = "{http://www.w3.org/2000/svg}"


def drawn_cells(strategy: Strategy) -> list[str]:
    laid = page(strategy, "t")
    return [cell for section in laid.sections for row in section.rows for cell in row.cells]


def test_neighbours_that_say_the_same_are_one_row() -> None:
    hard, soft, pairs = page(CHART, "t").sections
    assert [row.label for row in hard.rows] == [
        "5-8",
        "9",
        "10",
        "11",
        "12",
        "13-14",
        "15",
        "16",
        "17",
        "18+",
    ]
    assert [row.label for row in soft.rows] == ["A,2-3", "A,4-5", "A,6", "A,7", "A,8", "A,9"]
    assert [row.label for row in pairs.rows][-2:] == ["10,10", "A,A"]


def test_cells_are_under_their_upcards() -> None:
    hard, _, pairs = page(CHART, "t").sections
    assert hard.rows[-3].cells == ("S", "S", "S", "S", "S", "H", "H", "Uh", "Uh", "Uh")
    assert pairs.rows[6].cells[-1] == "UPh"


def test_rows_after_a_split_are_shown_where_they_differ() -> None:
    rows = "    2 3 4 5 6 7 8 9 T A\nh11 H H H H H H H H H H\nh16 S S S S S H H H H H"
    sections = page(CHART.with_after_split(rows), "t").sections
    assert [(s.title, [r.label for r in s.rows]) for s in sections[3:]] == [
        ("After a split", ["11"])  # sixteen differs by surrender only, which no split hand has
    ]


def test_notes_say_what_is_taken_at_offers() -> None:
    some = CHART.replace(insurance=frozenset({("pT", "A"), ("h20", "A"), ("s21", "T")}))
    assert page(some, "t").notes == ("Insurance: with A,10 against T; with 10,10 20 against A.",)
    many = CHART.replace(insurance=True, even_money=True).with_exact("T 2", "4", "H")
    assert page(many, "t").notes == (
        "Insurance: always.",
        "Even money: always.",
        "By exact cards: T2 against 4: H.",
    )


@pytest.mark.parametrize("name", PRESETS)
def test_plain_text_fits_a_terminal(name: str) -> None:
    rules = PRESETS[name]
    chart = Strategy.published(rules)
    for width in (80, 60):
        lines = chart_text(chart, name, [rules_line(rules)], width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert "\x1b" not in "".join(lines)


def test_colours_repeat_the_letters() -> None:
    plain = chart_text(CHART, "t", ["x"])
    coloured = chart_text(CHART, "t", ["x"], colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).split() == plain.split()
    assert coloured.count("\x1b[38;5;16;48;5;") == len(drawn_cells(CHART)) + 9  # with the legend


class Reader(HTMLParser):
    """The cells of a page's tables, and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[tuple[str | None, str]] = []
        self.loaded: list[str] = []
        self._cell: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._cell = dict(attrs).get("class") if tag == "td" else None
        self.loaded += [str(v) for k, v in attrs if k in ("src", "href")]

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.cells.append((self._cell, data))
            self._cell = None


def test_html_page() -> None:
    text = chart_html(CHART, "<six> & more", ["rules"])
    reader = Reader()
    reader.feed(text)
    assert [cell for _, cell in reader.cells] == drawn_cells(CHART)
    assert all(name == cell[0].upper() for name, cell in reader.cells)
    assert reader.loaded == []
    assert "url(" not in text
    assert "<h1>&lt;six&gt; &amp; more</h1>" in text


def test_svg_stays_on_its_page() -> None:
    rules = Rules.preset("vegas_strip")
    long = CHART.with_after_split("2 3 4 5 6 7 8 9 T A\n" + "h16 H H H H H H H H H H\n")
    for chart in (CHART, long):
        root = ET.fromstring(chart_svg(chart, "t & t", [rules_line(rules)]))
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for rect in root.iter(f"{SVG}rect"):
            x, y, w, h = (float(rect.get(k, "0")) for k in ("x", "y", "width", "height"))
            assert 0 <= x < x + w <= width
            assert 0 <= y < y + h <= height
        texts = list(root.iter(f"{SVG}text"))
        assert all(0 < float(t.attrib["y"]) < height for t in texts)
        words = [t.text for t in texts]
        for cell in set(drawn_cells(chart)):
            assert words.count(cell) >= drawn_cells(chart).count(cell)


def test_letters_are_dark_on_light() -> None:
    # WCAG 2 contrast of black letters on each colour; 7 is its highest grade
    for colour in COLOURS.values():
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (
            p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        )
        assert (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) / 0.05 > 7


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    chart_png(CHART, "t", tmp_path / "c.png", ["x"])
    data = (tmp_path / "c.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert height / width == pytest.approx(297 / 210, abs=0.01)


def test_png_names_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    true_import = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return true_import(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"blackjack-engine\[plot\]"):
        chart_png(CHART, "t", tmp_path / "c.png")


def test_rules_line_says_what_is_special() -> None:
    lines = {name: rules_line(rules) for name, rules in PRESETS.items()}
    assert "7-card charlie 3:2" in lines["goldfishka"]
    assert "suited 2:1" in lines["las_vegas"]
    assert "hard only" in lines["european"]
    assert rules_line(Rules(decks=None)).startswith("infinite deck")
    assert "original bets only" in rules_line(Rules(dealer_blackjack_takes="original"))
