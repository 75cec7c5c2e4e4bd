"""What each decision of recorded rounds cost, against the best one.

Lives here: the command `grade`. Not here: the grading (blackjack.grading), round files
(blackjack.history).
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from blackjack.cli.analysis import add_shoe, read_shoe, table
from blackjack.cli.replay import open_rounds
from blackjack.errors import BlackjackError
from blackjack.grading import Grade, grade
from blackjack.history import read_records

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE", help="rounds, as `replay` reads them; - is stdin")
    add_shoe(parser)
    parser.add_argument("--mistakes", action="store_true", help="only what was not the best")
    parser.add_argument("--json", action="store_true", help="one JSON object per round, one a line")


def run(args: argparse.Namespace) -> int:
    """Grade every round; 1 if some could not be."""
    shoe = read_shoe(args.shoe)
    status = 0
    total = decisions = mistakes = 0.0
    with open_rounds(args.file) as lines:
        for number, record in read_records(lines):
            name = record.get("id", number) if isinstance(record, dict) else number
            try:
                if not isinstance(record, dict):
                    raise record
                result = grade(record, shoe=shoe)
            except BlackjackError as error:
                status = 1
                print(
                    json.dumps({"id": name, "error": str(error)})
                    if args.json
                    else f"{name}: {error}"
                )
                continue
            total += result.cost
            decisions += len(result.decisions)
            mistakes += len(result.mistakes)
            _print(args, name, result)
    if not args.json:
        print(f"{decisions:.0f} decisions, {mistakes:.0f} mistakes, {total:.4f} bets given away")
    return status


def _print(args: argparse.Namespace, name: Any, result: Grade) -> None:
    if args.json:
        print(json.dumps({"id": name, **result.to_dict()}))
        return
    shown = result.mistakes if args.mistakes else result.decisions
    if not shown:
        return
    rows = []
    for d in shown:
        values = " ".join(f"{a} {v:+.4f}" for a, v in sorted(d.values.items(), key=lambda i: -i[1]))
        done = str(d.action) if d.part is None else f"{d.action}:{d.part}"
        cost = f"-{d.cost:.4f}" if d in result.mistakes else "best"
        rows.append((f"  {d.cards}", f"v {d.upcard}", done, cost, values))
    print(f"round {name}")
    print("\n".join(table(rows, left=3)))
