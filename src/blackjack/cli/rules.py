"""The rules of a house: in plain English, or as JSON or TOML to start your own from.

Lives here: the command `rules`. Not here: the words (blackjack.describe), the forms (blackjack.rules).
"""

from __future__ import annotations

import argparse

from blackjack.cli.house import add_house, read_house

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_house(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="every field as one JSON object")
    form.add_argument("--toml", action="store_true", help="every field as TOML")


def run(args: argparse.Namespace) -> int:
    """Print the rules."""
    rules = read_house(args.house)
    if args.json:
        print(rules.to_json())
    elif args.toml:
        print(rules.to_toml(), end="")
    else:
        print(rules.describe())
    return 0
