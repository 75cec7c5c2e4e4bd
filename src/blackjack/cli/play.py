"""Play a house in the terminal.

Lives here: the command `play`, its arguments and the table it sets up. Not here: the game's loop
(play_session), a table that plays by itself (play_auto).
"""

from __future__ import annotations

import argparse
import json
import sys

from blackjack.cli import UsageError
from blackjack.cli.house import add_house, read_house
from blackjack.cli.play_auto import auto_play, default_bet, summary_lines
from blackjack.cli.play_session import Session, Tally
from blackjack.cli.play_terminal import Terminal
from blackjack.cli.play_texts import PROMPTS
from blackjack.errors import BlackjackError
from blackjack.labels import LANGUAGES, Labels, labels
from blackjack.rules import Rules
from blackjack.table import Table

__all__ = ["configure", "run"]

_BALANCE = 1000
_MOST = 2**62


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_house(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="the same cards every time")
    parser.add_argument(
        "--balance",
        type=int,
        metavar="N",
        help=f"the money you bring (default: {_BALANCE}; with --auto: without limit)",
    )
    parser.add_argument(
        "--boxes",
        type=int,
        metavar="N",
        help="boxes to play on (default: the house's; with --auto: 1)",
    )
    parser.add_argument("--language", choices=LANGUAGES, help="default: the house's own")
    parser.add_argument("--no-color", action="store_true", help="plain text, a line at a time")
    parser.add_argument(
        "--auto",
        type=int,
        metavar="N",
        help="play N rounds by itself: hit below 17, decline offers",
    )
    parser.add_argument("--bet", type=int, metavar="N", help="with --auto: the bet on each box")
    parser.add_argument("--json", action="store_true", help="with --auto: the summary as JSON")


def _check(args: argparse.Namespace, rules: Rules) -> None:
    """Refuse numbers out of range, all by the same words."""
    for name, low, high in (
        ("seed", 0, 2**64 - 1),
        ("balance", 1, _MOST),
        ("boxes", 1, rules.boxes),
        ("auto", 1, None),
        ("bet", 1, None),
    ):
        value = getattr(args, name)
        if value is not None and (value < low or (high is not None and value > high)):
            span = f"from {low} to {high}" if high is not None else f"of {low} or more"
            raise UsageError(f"--{name}: expected a number {span}, got {value}")
    if args.auto is None and (args.bet is not None or args.json):
        raise UsageError("--bet and --json go with --auto")


def _table(args: argparse.Namespace, rules: Rules) -> Table:
    balance = args.balance
    if balance is None and args.auto is None:
        balance = _BALANCE
    return Table(rules, seed=args.seed, players={"player": balance})


def _words(args: argparse.Namespace, rules: Rules, terminal: Terminal) -> Labels:
    words = labels(rules.name, args.language)
    if args.language is None and not terminal.can_write("".join(words.controls.values())):
        return labels(rules.name, "en")
    return words


def run(args: argparse.Namespace) -> int:
    """Play until the player leaves, or N rounds."""
    rules = read_house(args.house)
    _check(args, rules)
    table = _table(args, rules)
    terminal = Terminal(colour=not args.no_color)
    words = _words(args, rules, terminal)
    if args.auto is not None:
        return _auto(args, table, words)
    session = Session(table, words, terminal, args.boxes or rules.boxes)
    try:
        with terminal.screen():
            session.run()
    finally:
        if session.tally.rounds:
            print("\n".join(["", *summary_lines(session.tally, table, words)]))
    print(words.texts["bye"])
    return 0


def _auto(args: argparse.Namespace, table: Table, words: Labels) -> int:
    boxes = args.boxes or 1
    bet = args.bet or default_bet(table.rules, boxes)
    try:
        tally = auto_play(table, args.auto, bet, boxes)
    except BlackjackError as error:
        raise UsageError(f"the bets cannot be made: {error}") from None
    if args.json:
        print(json.dumps(_json(tally, table)))
        return 0
    text = PROMPTS[words.language]["auto"]
    house = words.house or "Blackjack"
    of = table.rules.boxes
    print(text.format(house=house, rounds=args.auto, bet=bet, boxes=boxes, of=of), file=sys.stdout)
    print("\n".join(summary_lines(tally, table, words)))
    return 0


def _json(tally: Tally, table: Table) -> dict[str, object]:
    return {
        "rounds": tally.rounds,
        "hands": tally.hands,
        "outcomes": {str(outcome): count for outcome, count in sorted(tally.outcomes.items())},
        "staked": tally.staked,
        "returned": tally.returned,
        "net": tally.net,
        "balance": table.balance(table.players[0]),
    }
