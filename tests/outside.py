"""Tables to start from, and what can be seen of one from outside.

What does not live here: tests, and anything a player could not call.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from blackjack.actions import Action
from blackjack.errors import BlackjackError
from blackjack.rules import Rules
from blackjack.table import CONTROLS, Table

PLAIN = "Ts 6d 9h 9c 5d 8s 8c 8d 7h 7s 7c 6s 6h 6c"  # T-9 against 6, nine in the hole
MAX = 2**53
NAN = float("nan")


def at_decision(
    cards: str = PLAIN, rules: Rules | str = "vegas_strip", bet: int = 10, **more: Any
) -> Table:
    """A table after the deal of these cards to one box."""
    table = Table(rules, cards=cards, **more)
    table.bet(0, bet)
    table.deal()
    return table


def started(*bets: int, rules: Rules | str = "vegas_strip", **more: Any) -> Table:
    """A table with these bets on its first boxes."""
    table = Table(rules, **more)
    for box, amount in enumerate(bets):
        if amount:
            table.bet(box, amount)
    return table


def seen(table: Table) -> dict[str, Any]:
    """Everything a player (or a bystander) can learn from a table by public calls."""
    viewers: list[str | None] = [None, *table.players]
    return {
        "phase": table.phase,
        "bets": table.bets,
        "owners": table.owners,
        "players": table.players,
        "balances": [table.balance(name) for name in table.players],
        "turn": table.turn,
        "settlement": table.settlement,
        "events": table.events,
        "views": [table.view(name).to_json() for name in viewers],
        "controls": table.controls,
        "reasons": {str(what): table.why_not(what) for what in [*Action, *CONTROLS]},
        "costs": {str(action): table.cost(action) for action in Action},
        "left": table.shoe_left,
        "records": table.records,
        "record": last_record(table),
        "repr": repr(table),
    }


def last_record(table: Table) -> dict[str, Any] | None:
    with contextlib.suppress(BlackjackError):
        return table.record()
    return None


def everything(table: Table) -> dict[str, Any]:
    """What is seen, and the shoe with its generator."""
    return {**seen(table), "shoe": table._shoe.state()}


@contextlib.contextmanager
def refused(table: Table, error: type[BlackjackError], match: str | None = None) -> Iterator[None]:
    """The block raises this error and changes nothing."""
    before = everything(table)
    with pytest.raises(error, match=match):
        yield
    assert everything(table) == before


def cards_of(table: Table) -> Counter[int]:
    """All cards of a finite shoe, wherever they are."""
    shoe = table._shoe
    return Counter(shoe.remaining() + shoe.discards() + shoe.round_cards())


def play_out(table: Table, action: Action | None = None) -> None:
    """Play a round to its end: an action where it is legal, else the passive one."""
    while (turn := table.turn) is not None:
        table.act(action if action in turn.actions else turn.passive)
