"""What is seen of a table: nothing that is hidden; events, views, settlements.

Lives here: everything a table hands out. Not here: what it does (test_table).
"""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack import (
    Action,
    Outcome,
    Phase,
    Rules,
    Table,
    Turn,
)
from blackjack import events as ev
from blackjack.presets import PRESETS
from blackjack.testing import rules, shoes
from outside import (
    PLAIN,
    at_decision,
    play_out,
    seen,
    started,
)

# ---------------------------------------------------------------- nothing leaks


def hidden_until(table: Table, other: Table, choose: Callable[[Turn], Action]) -> int:
    """Play both the same way until the hole card is turned; how many looks there were."""
    looks = 0
    while True:
        if turned(table) or turned(other):
            return looks
        assert seen(table) == seen(other)
        looks += 1
        if table.turn is None:
            return looks
        action = choose(table.turn)
        for one in (table, other):
            one.act(action)


def turned(table: Table) -> bool:
    return any(isinstance(e, ev.HoleCardOpened) for e in table.events)


@given(st.data())
@settings(max_examples=80)
def test_two_tables_that_differ_in_the_hole_card_only(data: st.DataObject) -> None:
    game = data.draw(rules(private=True))
    if game.hole_card == "none":
        game = game.replace(hole_card="no_peek")
    order = [c.text for c in data.draw(shoes(Rules(decks=2)))] * 3
    boxes = [0] if game.boxes == 1 else [0, game.boxes - 1]
    hole = 2 * len(boxes) + 1 if game.upcard == "first" else len(boxes)
    other = list(order)
    other[hole] = data.draw(st.sampled_from([f"{r}{s}" for r in "A23456789TJQK" for s in "cdhs"]))
    unit = math.lcm(game.exact_unit, game.bet_step)
    bet = -(-game.min_bet // unit) * unit
    tables = []
    for cards in (order, other):
        table = Table(game.replace(max_bet=None), cards=" ".join(cards), balance=20 * bet)
        for box in boxes:
            table.bet(box, bet)
        table.deal()
        tables.append(table)
    hidden_until(
        tables[0], tables[1], lambda turn: data.draw(st.sampled_from(sorted(turn.actions)))
    )


def test_the_order_of_the_shoe_is_not_seen() -> None:
    """Two shoes whose next cards are alike and whose later ones are not: the same table until then."""
    one = at_decision("Ts 6d 2h 9c 2d 3d 4d 5d")
    other = at_decision("Ts 6d 2h 9c 2d 5s 8s Ks")
    assert seen(one) == seen(other)
    one.act("hit")
    other.act("hit")
    assert seen(one) == seen(other)
    one.act("hit")
    other.act("hit")
    assert seen(one) != seen(other)


@pytest.mark.parametrize("name", PRESETS)
def test_no_public_name_holds_the_hole_card(name: str) -> None:
    table = Table(name, cards="Ts 6d 9h 6c 5d 5s 4s 4c")
    table.bet(0, 20)
    table.deal()
    if table._shoe.round_cards()[-1:] and PRESETS[name].hole_card != "none":
        hole = "6d" if PRESETS[name].upcard == "second" else "6c"
        assert hole not in json.dumps(seen(table), default=str)
        assert table.view().hole_card
        shown = [e.card for e in table.events if isinstance(e, ev.DealerCardDealt)]
        assert shown.count(None) == 1
    play_out(table)
    assert not table.view().hole_card


def test_the_peek_tells_only_what_it_must() -> None:
    table = at_decision("Ts Kd 9h Qc 5d")
    assert [e for e in table.events if isinstance(e, ev.Peeked)] == [ev.Peeked(blackjack=False)]
    assert "Qc" not in json.dumps(seen(table), default=str)


# ---------------------------------------------------------------- events and views


def test_events_tell_the_round() -> None:
    table = at_decision("8s Ad 8h 9c 3d Th 2s 9d 7d", balance=100)
    table.act("insurance")
    table.act("split")
    table.act("double")
    table.act("hit")
    told = [json.dumps(event.to_dict()) for event in table.events]
    kinds = [type(event).__name__ for event in table.events]
    assert kinds == [
        "BetChanged",
        "CardDealt",
        "DealerCardDealt",
        "CardDealt",
        "DealerCardDealt",
        "Asked",
        "Acted",
        "Peeked",
        "InsuranceSettled",
        "Asked",
        "Acted",
        "CardDealt",
        "Asked",
        "Acted",
        "CardDealt",
        "CardDealt",
        "Asked",
        "Acted",
        "CardDealt",
        "Asked",
    ]
    assert told[4] == '{"event": "DealerCardDealt", "card": null}'
    table.act("stand")
    rest = [type(event).__name__ for event in table.events[len(kinds) :]]
    assert rest == ["Acted", "HoleCardOpened", "HandSettled", "HandSettled", "RoundSettled"]
    for event in table.events:
        assert dataclasses.is_dataclass(event)
        with pytest.raises((AttributeError, TypeError)):  # TypeError: python/cpython issue 90562
            event.box = 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", PRESETS)
def test_events_add_up(name: str) -> None:
    """Cards dealt, money staked and money returned, told by events alone."""
    game = PRESETS[name]
    table = Table(name, seed=6, balance=10**6)
    wanted = [Action.SPLIT, Action.DOUBLE, Action.INSURANCE, Action.HIT]
    for i in range(200):
        table.bet(0, 40)
        before = table.balance()
        table.deal()
        play_out(table, wanted[i % 4])
        events, done = table.events, table.settlement
        assert done is not None
        dealt = [e.card for e in events if isinstance(e, ev.CardDealt)]
        dealer = [e for e in events if isinstance(e, ev.DealerCardDealt)]
        assert len(dealt) + len(dealer) == done.cards_used
        returned = sum(
            e.returned for e in events if isinstance(e, ev.HandSettled | ev.InsuranceSettled)
        ) + sum(e.amount for e in events if isinstance(e, ev.BetReturned))
        staked = 40 + sum(e.amount for e in events if isinstance(e, ev.Acted))
        assert (staked, returned) == (done.boxes[0].staked, done.boxes[0].returned)
        assert before is not None
        assert table.balance() == before - (staked - 40) + returned
        assert events[-1] == ev.RoundSettled()
        turned_up = [e.card for e in events if isinstance(e, ev.HoleCardOpened)]
        assert len(turned_up) == (game.hole_card != "none")


def test_subscribers_hear_what_events_tell() -> None:
    table = Table("vegas_strip", seed=9, balance=1000)
    heard: list[ev.Event] = []
    stop = table.subscribe(heard.append)
    for _ in range(30):
        heard.clear()
        table.add_chip(0, 10)
        table.add_chip(2, 5)
        table.take_back(2)
        table.bet(1, 20)
        table.deal()
        play_out(table, Action.HIT)
        assert tuple(heard) == table.events
    stop()
    stop()
    heard.clear()
    table.bet(0, 10)
    table.deal()
    play_out(table)
    assert heard == []


def test_a_subscriber_that_raises_leaves_the_table_whole() -> None:
    def angry(event: ev.Event) -> None:
        if isinstance(event, ev.CardDealt):
            raise RuntimeError("angry")

    table = started(10, cards=PLAIN)
    table.subscribe(angry)
    with pytest.raises(RuntimeError, match="angry"):
        table.deal()
    assert table.phase is Phase.PLAY
    assert seen(table) == seen(at_decision())


def test_views_are_frozen_and_serialise() -> None:
    table = at_decision("8s Ad 8h 9c 3d Th 2s 9d 7d", balance=100)
    while True:
        view = table.view()
        data = json.loads(view.to_json())
        assert data["phase"] == str(table.phase)
        assert data == json.loads(table.view().to_json())
        assert view == table.view()
        assert pickle.loads(pickle.dumps(view)) == view
        assert data["rules_fingerprint"] == PRESETS["vegas_strip"].fingerprint
        with pytest.raises(dataclasses.FrozenInstanceError):
            view.phase = Phase.BETTING  # type: ignore[misc]
        if table.turn is None:
            break
        table.act(table.turn.passive)
    assert data["settlement"]["net"] == table.settlement.net  # type: ignore[union-attr]


def test_a_settlement_in_full() -> None:
    table = at_decision("8s Ad 8h 9c 3d Th 2s 9d 7d", balance=100)
    for action in ("insurance", "split", "double", "hit", "stand"):
        table.act(action)
    done = table.settlement
    assert done is not None
    box = done.boxes[0]
    assert (box.insurance, box.insurance_returned, box.player) == (5, 0, "player")
    assert [hand.outcome for hand in box.hands] == [Outcome.WIN, Outcome.LOSE]
    assert [(hand.bet, hand.returned, hand.net) for hand in box.hands] == [
        (20, 40, 20),
        (10, 0, -10),
    ]
    assert (box.staked, box.returned, box.net, done.net) == (35, 40, 5, 5)
    assert [hand.outcome for other in done.boxes[1:] for hand in other.hands] == []
    assert [card.text for card in done.dealer] == ["Ad", "9c"]
    assert done.cards_used == 8
    assert table.balance() == 100 + done.net
