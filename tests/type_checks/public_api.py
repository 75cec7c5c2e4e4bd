"""What a type checker must make of the public face. `.ci/types` checks it, `test_typing` runs it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, assert_type

from blackjack import (
    Action,
    Card,
    HandView,
    IllegalAction,
    Outcome,
    Phase,
    Rules,
    Settlement,
    Strategy,
    Table,
    TableView,
    Turn,
    analyze,
    grade,
    hand_total,
    parse_cards,
)
from blackjack.drawing import chart_svg
from blackjack.events import Event
from blackjack.grading import Decision
from blackjack.history import replay


def rules() -> None:
    game = Rules.preset("goldfishka")
    assert_type(game, Rules)
    assert_type(game.replace(decks=8), Rules)
    assert_type(game.decks, int | None)
    assert_type(game.blackjack_pays, Fraction)
    assert_type(game.peek_on, tuple[str, ...])
    assert_type(game.fingerprint, str)
    assert_type(game.describe(), str)
    assert_type(game.diff(game), dict[str, tuple[object, object]])


def cards() -> None:
    assert_type(parse_cards("As Td"), tuple[Card, ...])
    assert_type(hand_total("As Td"), tuple[int, bool])


def table() -> None:
    game = Table("vegas_strip", cards="Ts 6d Kh 9c 5d", balance=100)
    heard: list[Event] = []
    assert_type(game.subscribe(heard.append), Callable[[], None])
    assert_type(game.phase, Phase)
    game.bet(box=0, amount=10)
    game.deal()
    turn = game.turn
    assert_type(turn, Turn | None)
    assert turn is not None
    assert_type(turn.actions, frozenset[Action])
    assert_type(turn.passive, Action)
    assert_type(turn.hand, HandView)
    assert_type(turn.hand.cards, tuple[Card, ...])
    assert_type(turn.hand.total, int)
    assert_type(turn.upcard, Card)
    assert_type(game.why_not(Action.SPLIT), str | None)
    try:
        game.act("insurance")
    except IllegalAction as error:
        assert_type(error.legal, tuple[str, ...])
    game.act(Action.STAND)
    assert_type(game.view(), TableView)
    assert_type(game.balance(), int | None)
    settlement = game.settlement
    assert_type(settlement, Settlement | None)
    assert settlement is not None
    assert_type(settlement.net, int)
    assert_type(settlement.boxes[0].hands[0].outcome, Outcome)
    assert_type(game.events, tuple[Event, ...])
    assert_type(replay(game.record()), dict[str, Any])


def strategies() -> None:
    chart = Strategy.chart(Rules())
    assert_type(chart, Strategy)
    assert_type(Strategy.from_json(chart.to_json()), Strategy)
    assert_type(chart_svg(chart, "mine"), str)
    assert_type(chart.decide("6h 5c", "4d", ["hit", "double"]), Action)


def exactly() -> None:
    game = analyze("vegas_strip")
    assert_type(game.ev, float)
    assert_type(game.values("T 6", "T"), dict[Action, float])
    assert_type(game.chart(), Strategy)
    cards, played = "Ts 6d 6h Td 9c", ["stand"]
    record = {"rules": "vegas_strip", "bets": [10], "cards": cards, "actions": played}
    decisions = grade(record).decisions
    assert_type(decisions, tuple[Decision, ...])
    assert_type(decisions[0].cost, float)
