"""The most cards one round can take.

Lives here: `round_capacity`. Not here: what the shoe does about it (blackjack.table).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blackjack.rules import Rules


def round_capacity(rules: Rules, boxes: int, *, enough: int | None = None) -> int:
    """The most cards that one round at `boxes` boxes can take."""
    return 0
