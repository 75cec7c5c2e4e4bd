"""HOUSE on a command line: a preset's name, a JSON object of `Rules` fields, or a file of one.

Lives here: reading that one word. Not here: what rules mean (blackjack.rules).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from blackjack.cli import UsageError
from blackjack.errors import BlackjackError
from blackjack.history import load_json
from blackjack.presets import PRESETS
from blackjack.rules import Rules

__all__ = ["add_house", "read_house"]


def add_house(parser: argparse.ArgumentParser, name: str = "house") -> None:
    """Add the argument HOUSE, read afterwards by `read_house`."""
    parser.add_argument(
        name,
        metavar=name.upper(),
        help="a preset's name, a JSON object of rules fields, or a JSON or TOML file of one",
    )


def read_house(text: str) -> Rules:
    """The rules that a word on the command line names.

    >>> read_house('{"preset": "macau", "decks": 6}').decks
    6

    Raises:
        UsageError: it names none, with what is wrong.
    """
    if text in PRESETS:
        return PRESETS[text]
    try:
        if text.lstrip().startswith("{"):
            return _from_json(text)
        return _from_file(Path(text))
    except BlackjackError as error:
        raise UsageError(f"the rules cannot be played: {error}") from None
    except (OSError, ValueError):
        known = ", ".join(PRESETS)
        raise UsageError(
            f"{text!r} is no house: expected one of {known}, a JSON object of rules fields, or a file of one"
        ) from None


def _from_json(data: str | bytes) -> Rules:
    value = load_json(data)
    if isinstance(value, Mapping | str):
        return Rules.from_dict(value)
    raise UsageError(f"expected an object of rules fields, got {value!r}")


def _from_file(path: Path) -> Rules:
    data = path.read_bytes()
    if path.suffix.lower() == ".toml":
        try:
            return Rules.from_toml(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise UsageError(f"{path} is not UTF-8: {error}") from None
    return _from_json(data)
