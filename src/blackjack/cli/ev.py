"""The exact expected value of a game, or of every action in one situation.

Lives here: the command `ev`. Not here: the computing (blackjack.analysis).

`ev` is the player's expected net result per initial bet, off the top of the shoe.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Mapping
from itertools import zip_longest

from blackjack.actions import Action
from blackjack.analysis import Analysis, analyze
from blackjack.cli import UsageError
from blackjack.cli.analysis import (
    COLUMNS,
    SPLIT_PLAY,
    add_shoe,
    asked,
    house_title,
    percent,
    read_shoe,
    read_strategy,
    table,
)
from blackjack.cli.house import add_house, read_house
from blackjack.rules import Rules
from blackjack.strategy import NAMES

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_house(parser)
    parser.add_argument("hand", nargs="?", metavar="CARDS", help='the cards of a hand: "A 7"')
    parser.add_argument("upcard", nargs="?", metavar="UPCARD", help="the dealer's: A, 2 to 9, T")
    parser.add_argument(
        "--strategy",
        default="optimal",
        metavar="optimal|chart|published|FILE",
        help="best play by exact cards (default), the best chart, the chart people print, "
        "or a file of a chart",
    )
    parser.add_argument(
        "--split-play",
        choices=SPLIT_PLAY,
        default="cdz",
        help="how split hands play: as the same unsplit hand (default), with one more pair card "
        "gone, or by the number of pair cards gone",
    )
    add_shoe(parser)
    parser.add_argument("--sd", action="store_true", help="the standard deviation of a round too")
    parser.add_argument("--json", action="store_true", help="one JSON object at full precision")


def run(args: argparse.Namespace) -> int:
    """Compute and print."""
    if args.hand is not None and args.upcard is None:
        raise UsageError("a hand goes with an upcard: ev HOUSE CARDS UPCARD")
    rules = read_house(args.house)
    strategy = read_strategy(args.strategy, rules, NAMES)
    shoe = read_shoe(args.shoe)
    analysis = asked(
        lambda: analyze(rules, shoe=shoe, strategy=strategy, split_play=args.split_play)
    )
    if args.hand is not None:
        return _situation(args, analysis)
    return _game(args, rules, analysis)


def _game(args: argparse.Namespace, rules: Rules, analysis: Analysis) -> int:
    sd = asked(lambda: analysis.sd) if args.sd else None
    if args.json:
        result: dict[str, object] = {
            "ev": analysis.ev,
            "house_edge": analysis.house_edge,
            "ev_by_upcard": dict(analysis.ev_by_upcard),
        }
        if sd is not None:
            result["sd"] = sd
        result["strategy"] = args.strategy
        result["split_play"] = args.split_play
        result["assumptions"] = list(analysis.assumptions)
        print(json.dumps(result))
        return 0
    lines = [
        ("house", house_title(rules, args.house)),
        ("strategy", args.strategy),
        ("ev", f"{analysis.ev:+.10f} of a bet"),
        ("house edge", percent(analysis.house_edge, 5)),
    ]
    if sd is not None:
        lines.append(("sd", f"{sd:.6f} bets a round"))
    print("\n".join(table(lines, left=2)))
    print("\nev by upcard")
    values = analysis.ev_by_upcard
    rows = [(up.replace("T", "10"), f"{values[up]:+.8f}") for up in COLUMNS if up in values]
    half = -(-len(rows) // 2)
    pairs = zip_longest(table(rows[:half]), table(rows[half:]) or [""], fillvalue="")
    print("\n".join(f"  {a}      {b}".rstrip() for a, b in pairs))
    print()
    for text in analysis.assumptions:
        print(textwrap.fill(text, 78, initial_indent="- ", subsequent_indent="  "))
    return 0


def _situation(args: argparse.Namespace, analysis: Analysis) -> int:
    hand, upcard = args.hand, args.upcard
    values = asked(lambda: analysis.values(hand, upcard))
    if not values:
        raise UsageError(f"there is nothing to decide with {hand} against {upcard}")
    best = asked(lambda: analysis.best(hand, upcard))
    if args.json:
        actions = {str(action): value for action, value in values.items()}
        print(json.dumps({"actions": actions, "best": str(best)}))
        return 0
    print(f"{hand} against {upcard}, {house_title(analysis.rules, args.house)}")
    print("\n".join(_lines(values, best)))
    offers = asked(lambda: analysis.offers(hand, upcard))
    if offers:
        print("at the offer, before the dealer looks:")
        print("\n".join(_lines(offers, asked(lambda: analysis.best_offer(hand, upcard)))))
    return 0


def _lines(values: Mapping[Action, float], best: Action) -> list[str]:
    """The values of actions, the highest first, and how far each is below the best."""
    rows = [
        (
            "*" if action is best else " ",
            str(action),
            f"{value:+.8f}",
            "best" if action is best else f"{value - values[best]:+.8f}",
        )
        for action, value in sorted(values.items(), key=lambda item: -item[1])
    ]
    return table(rows, left=2)
