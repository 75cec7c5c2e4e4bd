"""What rules are worth: each change against a base, as a table.

Lives here: the command `compare` and which changes it tries by itself. Not here: the computing
(blackjack.analysis).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from blackjack.analysis import analyze
from blackjack.cli import UsageError
from blackjack.cli.analysis import SPLIT_PLAY, asked, house_title, percent, table
from blackjack.cli.house import add_house, read_house
from blackjack.errors import BlackjackError
from blackjack.history import load_json
from blackjack.rules import TABLE_FIELDS, Rules

__all__ = ["configure", "run"]

_IDLE = (*TABLE_FIELDS, "shuffle", "boxes", "burn", "pay_blackjack_at_once", "upcard")
# What a base is varied by when nothing is asked for: the changes people argue about.
_USUAL: tuple[dict[str, Any], ...] = (
    {"decks": 1}, {"decks": 2}, {"decks": 4}, {"decks": 6}, {"decks": 8},
    {"hit_soft_17": True}, {"hit_soft_17": False},
    {"hole_card": "none", "dealer_blackjack_takes": "all"}, {"hole_card": "peek"},
    {"hole_card": "none", "dealer_blackjack_takes": "original"},
    {"blackjack_pays": "6:5"}, {"blackjack_pays": "1:1"}, {"blackjack_pays": "3:2"},
    {"suited_blackjack_pays": "2:1"},
    {"double_on": "any", "double_soft": True}, {"double_on": [9, 10, 11], "double_soft": False},
    {"double_on": [10, 11], "double_soft": False}, {"double_any_number": True},
    {"double_after_split": True}, {"double_after_split": False},
    {"max_hands": 1, "max_ace_hands": 1}, {"max_hands": 2, "max_ace_hands": 2}, {"max_hands": 4},
    {"max_hands": 4, "max_ace_hands": 4}, {"hit_split_aces": True}, {"hit_split_aces": False},
    {"surrender": "none"}, {"surrender": "late"}, {"surrender": "early"},
    {"charlie_cards": 5}, {"charlie_cards": 6}, {"charlie_cards": 7},
    {"push_on_22": True},
)  # fmt: skip


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_house(parser, "base")
    parser.add_argument(
        "other",
        nargs="?",
        metavar="HOUSE2",
        help="another house: what each rule in which it differs is worth",
    )
    parser.add_argument(
        "--change",
        action="append",
        default=[],
        metavar="FIELDS",
        help='a change as a JSON object, {"decks": 8}, or field=value; may be given often',
    )
    parser.add_argument(
        "--strategy", choices=("optimal", "chart"), default="optimal", help="default: optimal"
    )
    parser.add_argument("--split-play", choices=SPLIT_PLAY, default="cdz", help="default: cdz")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """Compute and print."""
    base = read_house(args.base)
    changes = list(_changes(args, base))

    def ev(rules: Rules) -> float:
        return asked(lambda: analyze(rules, strategy=args.strategy, split_play=args.split_play)).ev

    start = ev(base)
    results: list[tuple[str, float]] = []
    without: list[str] = []
    for words, rules in changes:
        try:
            results.append((words, ev(rules)))
        except UsageError:
            if args.change:  # it was asked for
                raise
            without.append(words)
    if args.json:
        rows = [{"change": w, "ev": v, "house_edge": -v, "worth": v - start} for w, v in results]
        print(json.dumps({"base": args.base, "ev": start, "house_edge": -start, "changes": rows}))
        return 0
    title = house_title(base, args.base)
    lines = [("change", "house edge", "for the player"), (title, percent(-start), "")]
    if args.other is None:
        results.sort(key=lambda result: -result[1])
    lines += [(w, percent(-v), f"{100 * (v - start):+.4f} %") for w, v in results]
    print("\n".join(table(lines)))
    if without:
        print("no exact value: " + "; ".join(without))
    return 0


def _changes(args: argparse.Namespace, base: Rules) -> Iterator[tuple[str, Rules]]:
    """Each change in words, with the rules that it makes."""
    if args.other is not None:
        other = read_house(args.other)
        values = other.to_dict()
        fields = [name for name in base.diff(other) if name not in _IDLE]
        for name in fields:
            made = _made(base, {name: values[name]})
            if made is not None:
                yield _words({name: values[name]}), made
        yield f"all of it: {house_title(other, args.other)}", other
    for text in args.change:
        fields_changed = _read_change(text)
        try:
            yield _words(fields_changed), base.replace(**fields_changed)
        except (BlackjackError, TypeError) as error:
            raise UsageError(f"--change: {error}") from None
    if args.other is None and not args.change:
        for usual in _USUAL:
            made = _made(base, usual)
            if made is not None and any(name not in _IDLE for name in base.diff(made)):
                yield _words({name: usual[name] for name in usual if name in base.diff(made)}), made


def _made(base: Rules, fields: dict[str, Any]) -> Rules | None:
    """The base with a change, or None where it cannot be made alone."""
    if fields.get("max_hands", base.max_hands) < base.max_ace_hands:
        fields = {"max_ace_hands": fields["max_hands"], **fields}
    if not isinstance(base.shuffle, str):
        fields = {"shuffle": "every_round", **fields}
    try:
        return base.replace(**fields)
    except BlackjackError:
        return None


def _read_change(text: str) -> dict[str, Any]:
    try:
        if text.lstrip().startswith("{"):
            value = load_json(text)
            return value if isinstance(value, dict) else {}
        name, equals, word = text.partition("=")
        if not equals:
            raise UsageError(f"--change: expected a JSON object or field=value, got {text!r}")
        try:
            return {name.strip(): load_json(word)}
        except BlackjackError:
            return {name.strip(): word.strip()}
    except BlackjackError as error:
        raise UsageError(f"--change: {error}") from None


def _words(fields: dict[str, Any]) -> str:
    """A change in words.

    >>> _words({"double_on": [10, 11], "double_soft": False})
    'double_on 10 11, double_soft no'
    """
    texts = []
    for name, value in fields.items():
        if isinstance(value, bool):
            word = "yes" if value else "no"
        elif isinstance(value, list | tuple):
            word = " ".join(map(str, value)) or "none"
        elif isinstance(value, dict):
            word = json.dumps(value)
        else:
            word = "none" if value is None else str(value)
        texts.append(f"{name} {word}")
    return ", ".join(texts)
