"""The house's edge, for people: of one house in detail, of several as a table.

Lives here: the command `edge`. Not here: the computing (blackjack.analysis).
"""

from __future__ import annotations

import argparse
import json
import textwrap

from blackjack._chart_page import rules_line
from blackjack.analysis import Analysis, analyze
from blackjack.cli.analysis import COLUMNS, asked, house_title, percent, table
from blackjack.cli.house import read_house
from blackjack.rules import Rules

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "houses",
        nargs="+",
        metavar="HOUSE",
        help="presets' names, JSON objects of rules fields, or files of one",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per house, one a line")


def run(args: argparse.Namespace) -> int:
    """Compute and print."""
    games = [(text, read_house(text)) for text in args.houses]
    results = [(text, rules, *_both(rules)) for text, rules in games]
    if args.json:
        for text, _, optimal, chart in results:
            figures = {
                "house": text,
                "house_edge": optimal.house_edge,
                "house_edge_chart": chart.house_edge,
                "ev": optimal.ev,
                "ev_by_upcard": dict(optimal.ev_by_upcard),
            }
            print(json.dumps(figures))
        return 0
    if len(results) > 1:
        rows = [("house", "best play", "best chart")]
        rows += [
            (house_title(rules, text), percent(a.house_edge), percent(b.house_edge))
            for text, rules, a, b in results
        ]
        print("\n".join(table(rows)))
        return 0
    ((text, rules, optimal, chart),) = results
    _print_one(house_title(rules, text), rules, optimal, chart)
    return 0


def _both(rules: Rules) -> tuple[Analysis, Analysis]:
    return asked(lambda: analyze(rules)), asked(lambda: analyze(rules, strategy="chart"))


def _print_one(title: str, rules: Rules, optimal: Analysis, chart: Analysis) -> None:
    print(title)
    print("\n".join(textwrap.wrap(rules_line(rules), 78)))
    print()
    rows = [
        ("house edge", percent(optimal.house_edge), "best play by exact cards"),
        ("", percent(chart.house_edge), "best chart"),
    ]
    print("\n".join(f"{head:<12}{figure:>9}  {words}" for head, figure, words in rows))
    print("\nthe player's result by upcard, per 100 bet")
    by_upcard = optimal.ev_by_upcard
    columns = [up for up in COLUMNS if up in by_upcard]
    print("  " + "".join(f"{up.replace('T', '10'):>7}" for up in columns))
    print("  " + "".join(f"{100 * by_upcard[up]:>+7.1f}" for up in columns))
    print("\noff the top of a full shoe, per initial bet, before any cut card effect")
    if optimal.house_edge < 0:
        print("a negative edge is the player's")
