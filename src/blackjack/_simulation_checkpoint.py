"""A simulation's checkpoint file: what has been added up so far, and of what.

Lives here: reading, checking and the atomic writing of that file. Not here: when it is written
(blackjack.simulation).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from blackjack._simulation_sums import Sums
from blackjack.errors import ArgumentError

FORMAT: Final = "blackjack-simulation-1"


@dataclass(frozen=True, slots=True)
class Identity:
    """What must be the same for a checkpoint to be gone on from."""

    rules: str
    strategy: str
    seed: int
    stream: str
    boxes: int
    detail: bool
    by_shoes: bool
    first: int
    chunk: int

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def place(file: str | os.PathLike[str]) -> Path:
    """A checkpoint's path, in a folder that is there: not after hours must it turn out to be missing.

    Raises:
        ArgumentError: it is no path, or its folder is missing.
    """
    try:
        path = Path(file)
    except TypeError:
        raise ArgumentError(f"expected a checkpoint's file name, got {file!r}") from None
    if not path.parent.is_dir():
        raise ArgumentError(f"expected a folder for the checkpoint, got {str(path.parent)!r}")
    return path


def load(path: Path) -> dict[str, Any] | None:
    """The file's contents, or None where there is none.

    Raises:
        ArgumentError: it is no checkpoint.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        raise ArgumentError(f"expected a checkpoint in {path}, got something else") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ArgumentError(f"expected a checkpoint in {path}, got something else")
    return data


def resume(path: Path, data: dict[str, Any], identity: Identity) -> tuple[int, Sums, float]:
    """(chunks done, their sums, seconds) of a checkpoint of this very simulation.

    Raises:
        ArgumentError: it is of another one; the text says in what they differ.
    """
    for name, mine in identity.to_json().items():
        if data.get(name) != mine:
            raise ArgumentError(
                f"the checkpoint {path} is of another simulation: expected {name} {mine!r}, "
                f"got {data.get(name)!r}"
            )
    try:
        return int(data["done"]), Sums.from_json(data["sums"]), float(data["seconds"])
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ArgumentError(f"expected a whole checkpoint in {path}, got a part of one") from None


def save(path: Path, identity: Identity, done: int, sums: Sums, seconds: float) -> None:
    """Write the file anew; at every moment it is whole, old or new."""
    data = {
        "format": FORMAT,
        **identity.to_json(),
        "done": done,
        "seconds": seconds,
        "sums": sums.to_json(),
    }
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with temporary.open("w", encoding="utf-8") as file:
        json.dump(data, file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
