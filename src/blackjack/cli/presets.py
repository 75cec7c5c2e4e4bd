"""The houses there are: the name of each preset and its rules in short.

Lives here: the command `presets`. Not here: the presets (blackjack.presets).
"""

from __future__ import annotations

import argparse
import json

from blackjack._fields import ratio_text
from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import Rules

__all__ = ["configure", "run"]

_HOLE = {"peek": "peeks", "no_peek": "no peek", "none": "no hole card"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--json", action="store_true", help="one JSON object: name -> fields")


def _short(rules: Rules) -> str:
    peeks = rules.peek_on if rules.hole_card == "peek" else ()
    parts = [
        "infinite shoe" if rules.decks is None else f"{rules.decks} deck{'s' * (rules.decks > 1)}",
        "H17" if rules.hit_soft_17 else "S17",
        _HOLE[rules.hole_card] + (f" on {'/'.join(peeks)}" if peeks else ""),
        f"blackjack {ratio_text(rules.blackjack_pays)}",
        f"up to {rules.max_hands} hands",
        "no surrender" if rules.surrender == "none" else f"{rules.surrender} surrender",
    ]
    return ", ".join(parts)


def run(args: argparse.Namespace) -> int:
    """Print them."""
    if args.json:
        print(json.dumps({name: rules.to_dict() for name, rules in PRESETS.items()}))
        return 0
    width = max(map(len, PRESETS))
    for name, rules in PRESETS.items():
        if name not in HOUSES and list(PRESETS).index(name) == len(HOUSES):
            print()
        print(f"{name:<{width}}  {_short(rules)}")
    return 0
