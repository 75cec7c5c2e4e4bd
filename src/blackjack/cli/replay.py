"""Play recorded rounds again: one line of JSON per round, with its legal actions and its money.

Lives here: the command `replay`. Not here: round files and their answers (blackjack.history).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from blackjack.cli import UsageError
from blackjack.history import Entry, answer, read_records

__all__ = ["configure", "open_rounds", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="rounds as JSON Lines, or one JSON document; - is standard input",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="print only the rounds whose `expect` or `legal` differs from the answer; status 1 if any",
    )


def run(args: argparse.Namespace) -> int:
    """Answer every round of the file; 1 if some could not be played (or, checked, differ)."""
    with open_rounds(args.file) as lines:
        entries = read_records(lines)
        return _check(entries) if args.check else _answer(entries)


def open_rounds(name: str) -> AbstractContextManager[BinaryIO]:
    """A file of rounds to read; - is standard input."""
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {name!r}: {error}") from None


def _answer(entries: Iterable[Entry]) -> int:
    status = 0
    for number, record in entries:
        result = answer(number, record)
        if "error" in result:
            status = 1
        sys.stdout.write(json.dumps(result) + "\n")
    return status


def _differences(record: dict[str, Any], result: dict[str, Any]) -> list[str]:
    found = []
    expected = {**record["expect"]} if isinstance(record.get("expect"), dict) else {}
    if "legal" in record:
        expected["legal"] = record["legal"]
    for key, value in expected.items():
        if result.get(key) != value:
            found.append(f"{key}: expected {json.dumps(value)}, got {json.dumps(result.get(key))}")
    return found


def _check(entries: Iterable[Entry]) -> int:
    rounds = failed = 0
    for number, record in entries:
        rounds += 1
        result = answer(number, record)
        if isinstance(record, dict) and "error" not in result:
            found = _differences(record, result)
        else:
            found = [str(result["error"])]
        failed += bool(found)
        for line in found:
            print(f"{result['id']}: {line}")
    print(f"{rounds} rounds, {failed} differ", file=sys.stderr)
    return 1 if failed else 0
