"""Public tables: several players, each on their own boxes.

Lives here: rights, turns and money of more than one player. Not here: one player's table (test_table).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from blackjack import (
    BetError,
    BlackjackError,
    IllegalAction,
    Phase,
    Rules,
    Table,
)
from blackjack.presets import PRESETS
from outside import (
    refused,
)

# ---------------------------------------------------------------- public tables


def public(**more: Any) -> Table:
    game = Rules(private=False, boxes=3, insurance_on=[])
    return Table(game, players={"ann": 100, "bob": 50}, **more)


def test_everyone_acts_on_their_own_boxes() -> None:
    table = public(cards="2s 3s 4s 6d 5h 6h 7h Tc Td Ts Th 8s 8d 8c 9d")
    table.bet(0, 10, player="ann")
    table.bet(1, 20, player="bob")
    table.bet(2, 30, player="ann")
    assert table.owners == ("ann", "bob", "ann")
    assert (table.balance("ann"), table.balance("bob")) == (60, 30)
    not_theirs: list[Callable[[], object]] = [
        lambda: table.bet(1, 10, player="ann"),
        lambda: table.add_chip(0, 10, player="bob"),
        lambda: table.take_back(0, player="bob"),
        lambda: table.clear(2, player="bob"),
    ]
    for call in not_theirs:
        with refused(table, BetError, "box . is (ann|bob)'s"):
            call()
    nobody: list[Callable[[], object]] = [
        lambda: table.bet(1, 10),
        lambda: table.bet(1, 10, player="eve"),
        table.balance,
        table.repeat,
        lambda: table.bet(1, 10, player=7),  # type: ignore[arg-type]
    ]
    for ask in nobody:
        with refused(table, BetError, "expected a player's name .'ann', 'bob'."):
            ask()
    table.deal()
    for player in ("bob", "eve", None):
        with refused(table, BlackjackError):
            table.act("stand", player=player)
    table.act("stand", player="ann")
    assert table.turn is not None
    assert table.turn.player == "bob"
    with refused(table, IllegalAction, "it is the turn of bob"):
        table.act("stand", player="ann")
    table.act("stand", player="bob")
    table.act("stand", player="ann")


def test_a_public_table_clears_itself() -> None:
    table = public(cards="Ts 6d 9h Tc Td " * 3)
    table.bet(1, 20, player="bob")
    table.deal()
    table.act("stand", player="bob")
    assert table.phase is Phase.BETTING
    assert table.settlement is not None
    assert table.settlement.boxes[1].player == "bob"
    assert table.balance("bob") == 70
    assert table.view().dealer == ()
    with refused(table, IllegalAction, "clears itself"):
        table.new_game()
    table.repeat(player="bob")
    assert table.bets == (0, 20, 0)
    with refused(table, BetError, "no last round"):
        table.repeat(player="ann")
    table.deal()


def test_coming_and_going() -> None:
    table = public(cards="Ts 6d 9h Tc Td " * 3)
    table.join("cid", 10)
    assert table.players == ("ann", "bob", "cid")
    for name, money, why in (
        ("cid", 1, "new player's name"),
        ("dan", 1, "at most 3"),
        ("", 1, "name"),
    ):
        with refused(table, BetError, why):
            table.join(name, money)
    table.bet(0, 10, player="cid")
    table.bet(1, 10, player="bob")
    assert table.leave("bob") == 50
    assert list(table.players) == ["ann", "cid"]
    assert list(table.owners) == ["cid", None, None]
    table.deal()
    assert table.turn is not None
    assert table.turn.player == "cid"
    with refused(table, BlackjackError, "round is running"):
        table.leave("ann")
    with refused(table, BlackjackError, "round is running"):
        table.join("dan", 1)
    table.act("stand", player="cid")
    assert table.balance("cid") == 20
    assert table.settlement is not None
    assert table.settlement.boxes[0].player == "cid"
    with refused(table, BetError, "expected a player"):
        table.leave("bob")
    assert table.leave("ann") == 100
    assert table.leave("cid") == 20
    with refused(table, BetError, "nobody sits here"):
        table.bet(0, 1, player="cid")


def test_what_others_see() -> None:
    table = public(cards="2s 3s 6d 5h 6h Tc Td Ts Th 8s 8d 8c 9d")
    table.bet(0, 10, player="ann")
    table.bet(1, 20, player="bob")
    table.deal()
    views = {name: table.view(name) for name in ("ann", "bob", None)}
    assert (views["ann"].balance, views["bob"].balance, views[None].balance) == (90, 30, None)
    assert views["ann"].boxes == views["bob"].boxes == views[None].boxes


def test_a_players_money_is_his_own() -> None:
    """Funds are looked at per player: what ann has is no help to bob."""
    table = public(cards="8s 8d 6d 8h 8c Tc 2d 3d 2s 3s 9s 9d 9h 9c")
    table.bet(0, 50, player="bob")
    table.bet(1, 50, player="ann")
    table.deal()
    assert table.turn is not None
    assert "split" not in {str(a) for a in table.turn.actions}
    table.act("stand", player="bob")
    assert table.turn is not None
    assert "split" in {str(a) for a in table.turn.actions}
    table.act("split", player="ann")
    assert (table.balance("ann"), table.balance("bob")) == (0, 0)


def test_players_of_a_table() -> None:
    with pytest.raises(BetError, match="one player at a private table"):
        Table("goldfishka", players={"a": 1, "b": 2})
    with pytest.raises(BetError, match="at most 1 players"):
        Table(PRESETS["romanian"].replace(private=False), players={"a": 1, "b": 2})
    table = Table("goldfishka", players={"ann": 30}, seed=1)
    table.bet(0, 10)
    table.bet(1, 10, player="ann")
    assert table.owners[:2] == ("ann", "ann")
