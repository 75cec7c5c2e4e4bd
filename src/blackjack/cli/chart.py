"""The strategy chart of a house: in the terminal, as a page to print, as a picture.

Lives here: the command `chart`. Not here: drawing (blackjack.drawing), computing (blackjack.analysis).
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from blackjack import drawing
from blackjack._chart_page import rules_line
from blackjack.analysis import Analysis, analyze
from blackjack.cli import UsageError
from blackjack.cli.analysis import (
    add_shoe,
    asked,
    house_title,
    percent,
    read_shoe,
    read_strategy,
    table,
)
from blackjack.cli.house import add_house, read_house
from blackjack.cli.play_terminal import shows_colour
from blackjack.errors import MissingExtra
from blackjack.rules import Rules
from blackjack.strategy import NAMES, Strategy

__all__ = ["configure", "run"]

_FORMS = ("html", "svg", "png")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_house(parser)
    parser.add_argument(
        "--strategy",
        default="chart",
        metavar="chart|optimal|published|FILE",
        help="the best chart for these rules (default), the same with its exceptions by exact "
        "cards, the one people print, or a file of one",
    )
    add_shoe(parser)
    out = parser.add_argument_group("output (default: a chart for the terminal)")
    for form, what in (
        ("html", "a page to print, all in one file"),
        ("svg", "a picture of one A4 page"),
        ("png", "the same as PNG (needs the extra `plot`)"),
    ):
        out.add_argument(
            f"--{form}",
            nargs="?",
            const="",
            metavar="FILE",
            help=f"{what} (default: HOUSE.{form}; - is standard output)",
        )
    out.add_argument("--text", action="store_true", help="as a file for --strategy FILE")
    out.add_argument("--json", action="store_true", help="the chart as a JSON object")
    out.add_argument("--no-color", action="store_true", help="plain letters")
    out.add_argument(
        "--exceptions",
        action="store_true",
        help="the hands whose exact cards are played better in another way, and the gain",
    )


def run(args: argparse.Namespace) -> int:
    """Compute, then draw."""
    rules = read_house(args.house)
    strategy = read_strategy(args.strategy, rules, NAMES)
    analysis = asked(lambda: analyze(rules, shoe=read_shoe(args.shoe), strategy=strategy))
    if isinstance(strategy, Strategy):
        chart = strategy
    elif strategy == "published":
        chart = Strategy.published(rules)
    else:
        chart = analysis.chart() if strategy == "chart" else analysis.optimal()
    if args.text:
        print(chart.to_chart(), end="")
        return 0
    if args.json:
        print(" ".join(chart.to_json().split()))
        return 0
    title = house_title(rules, args.house)
    lines = [
        rules_line(rules),
        f"House edge with this chart: {percent(analysis.house_edge, 3)} (off the top, per initial bet)",
    ]
    wanted = [(form, getattr(args, form)) for form in _FORMS if getattr(args, form) is not None]
    for form, name in wanted:
        _write(form, name or f"{_stem(rules, args.house)}.{form}", chart, title, lines)
    if not wanted:
        _show(args, chart, title, lines)
    if args.exceptions:
        _exceptions(analysis)
    return 0


def _show(args: argparse.Namespace, chart: Strategy, title: str, lines: list[str]) -> None:
    colour = not args.no_color and shows_colour(sys.stdout)
    width = max(40, shutil.get_terminal_size((80, 24)).columns)
    print(drawing.chart_text(chart, title, lines, colour=colour, width=min(width, 100)), end="")


def _stem(rules: Rules, house: str) -> str:
    if rules.name is not None:
        return rules.name
    return "chart" if house.lstrip().startswith("{") else Path(house).stem


def _write(form: str, name: str, chart: Strategy, title: str, lines: list[str]) -> None:
    if form == "png":
        if name == "-":
            raise UsageError("--png: a picture goes to a file")
        try:
            drawing.chart_png(chart, title, name, lines)
        except MissingExtra as error:
            raise UsageError(f"--png: {error}") from None
        _done(name)
        return
    draw = drawing.chart_html if form == "html" else drawing.chart_svg
    text = draw(chart, title, lines)
    if name == "-":
        sys.stdout.write(text)
        return
    Path(name).write_text(text, encoding="utf-8")
    _done(name)


def _done(name: str) -> None:
    print(f"wrote {name}", file=sys.stderr)


def _exceptions(analysis: Analysis) -> None:
    """Where exact cards matter, the dearest first."""
    found = analysis.differences()
    print(f"\nplayed better by their exact cards: {len(found)} hands")
    if found:
        rows = [("cards", "upcard", "chart", "better", "gain")]
        rows += [
            (
                str(d["cards"]),
                str(d["upcard"]).replace("T", "10"),
                str(d["chart"]),
                str(d["action"]),
                f"{d['cost']:.6f}",
            )
            for d in found
        ]
        print("\n".join(table(rows, left=4)))
