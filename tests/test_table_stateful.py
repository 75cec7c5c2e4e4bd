"""A table under random play, as a state machine with the invariants that must never break.

Lives here: the machine for one player's and for several players' tables. Not here: single behaviours
(test_table).

Invariants: money (balances and bets and what lies in the round) and cards (shoe, table, discards) are
conserved; the legal set is empty only when nobody must decide; a refused call changes nothing; a copy
made by save and load goes on in the same way.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from blackjack import Action, BlackjackError, Phase, Rules, Table
from blackjack import events as ev
from blackjack.history import replay
from blackjack.testing import rules
from outside import cards_of, everything

START = 20_000

amounts = st.one_of(st.integers(1, 400), st.integers(-5, 10_000), st.just(2**53))
garbage = st.sampled_from([True, 1.5, float("nan"), None, "10", 2**60])
boxes = st.integers(-1, 7)
playable = rules(bet_step=1, max_bet=None, min_bet=1)  # most bets are taken
games = st.one_of(playable, playable, playable, rules())


class TableMachine(RuleBasedStateMachine):
    """Calls anything at any time; what raises must have changed nothing."""

    table: Table
    game: Rules

    @initialize(game=games, seed=st.integers(0, 2**64 - 1), second=st.booleans())
    def open(self, game: Rules, seed: int, second: bool) -> None:
        self.game = game
        self.names = ["ann", "bob"] if not game.private and game.boxes > 1 and second else ["ann"]
        players: dict[str, int | None] = dict.fromkeys(self.names, START)
        self.table = Table(game, seed=seed, players=players, record=True)
        self.full = Counter(game.shoe_cards)
        self.heard: list[ev.Event] = []
        self.table.subscribe(self.heard.append)
        self.net = 0
        self.rounds = 0

    # -- calls

    def call(self, name: str, *args: Any, **more: Any) -> Any:
        """A call that does something whole, or raises and does nothing."""
        before, heard = everything(self.table), len(self.heard)
        try:
            return getattr(self.table, name)(*args, **more)
        except BlackjackError:
            assert everything(self.table) == before, name
            assert len(self.heard) == heard
            return None
        finally:
            self.look_at_the_end()

    def who(self, number: int) -> dict[str, str]:
        return {"player": self.names[number % len(self.names)]}

    @rule(box=boxes, amount=st.one_of(amounts, garbage), number=st.integers(0, 1))
    def bet(self, box: int, amount: Any, number: int) -> None:
        self.call("bet", box, amount, **self.who(number))

    @precondition(lambda self: self.table.phase in (Phase.BETTING, Phase.SETTLED))
    @rule(data=st.data(), number=st.integers(0, 1))
    def good_bet(self, data: st.DataObject, number: int) -> None:
        """A bet that most tables take, so that rounds come about."""
        game = self.game
        unit = game.bet_step * (game.exact_unit if game.rounding == "exact" else 1)
        low = -(-game.min_bet // unit)
        box = data.draw(st.integers(0, game.boxes - 1))
        self.call("bet", box, unit * data.draw(st.integers(low, low + 5)), **self.who(number))

    @rule(box=boxes, data=st.data(), number=st.integers(0, 1))
    def add_chip(self, box: int, data: st.DataObject, number: int) -> None:
        chip = data.draw(st.sampled_from(self.game.chips) if self.game.chips else amounts)
        self.call("add_chip", box, chip, **self.who(number))

    @rule(box=boxes, number=st.integers(0, 1))
    def take_back(self, box: int, number: int) -> None:
        self.call("take_back", box, **self.who(number))

    @rule(box=st.one_of(st.none(), boxes), number=st.integers(0, 1))
    def clear(self, box: int | None, number: int) -> None:
        self.call("clear", box, **self.who(number))

    @rule(number=st.integers(0, 1))
    def repeat(self, number: int) -> None:
        self.call("repeat", **self.who(number))

    @rule()
    def new_game(self) -> None:
        self.call("new_game")

    @rule(number=st.integers(0, 1))
    def leave_and_come_back(self, number: int) -> None:
        name = self.names[number % len(self.names)]
        money = self.call("leave", name)
        if name not in self.table.players:
            self.call("join", name, money)
        assert sorted(self.table.players) == sorted(self.names)

    @rule()
    def deal(self) -> None:
        self.call("deal")

    @precondition(lambda self: self.table.phase in (Phase.BETTING, Phase.SETTLED))
    @rule(data=st.data())
    def play_a_round(self, data: st.DataObject) -> None:
        """Bet and deal at once, so that most runs see many rounds."""
        for number in range(data.draw(st.integers(1, 3))):
            self.good_bet(data, number)
        self.call("deal")

    @precondition(lambda self: self.table.turn is not None)
    @rule(data=st.data(), wanted=st.sampled_from(Action))
    def finish(self, data: st.DataObject, wanted: Action) -> None:
        """Play the round to its end."""
        while (turn := self.table.turn) is not None:
            action = wanted if wanted in turn.actions else turn.passive
            known = len(self.table.events)
            self.call("act", action, player=turn.player)
            if len(self.table.events) == known:
                return

    @precondition(lambda self: self.table.turn is not None)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        turn = self.table.turn
        assert turn is not None
        action = data.draw(st.sampled_from(sorted(turn.actions)))
        part = None
        partial = (action is Action.DOUBLE and self.game.double_for_less) or (
            action is Action.INSURANCE and self.game.partial_insurance
        )
        if partial and data.draw(st.booleans()):
            part = data.draw(st.integers(1, self.table.cost(action)))
        known = len(self.table.events)
        self.call("act", action, amount=part, player=turn.player)
        if part is None and len(self.table.events) == known:
            # a legal action is only refused when the cards run out
            assert (self.table.shoe_left or 0) < 100

    @rule(
        action=st.one_of(st.sampled_from(Action), st.text(max_size=3)),
        part=st.one_of(st.none(), amounts, garbage),
        number=st.integers(0, 1),
    )
    def act_anyhow(self, action: str, part: Any, number: int) -> None:
        self.call("act", action, amount=part, **self.who(number))

    @precondition(lambda self: self.table.phase is not Phase.BETTING)
    @rule()
    def save_and_load(self) -> None:
        """Go on at a copy."""
        text = self.table.save()
        copy = Table.load(text)
        assert copy.save() == text
        before = everything(self.table)
        assert everything(copy) == {**before, "records": None}
        copy.records = self.table.records
        copy.subscribe(self.heard.append)
        self.table = copy

    # -- what must hold

    def look_at_the_end(self) -> None:
        """Count every settled round once, and replay it."""
        records = self.table.records
        assert records is not None
        if len(records) == self.rounds:
            return
        self.rounds += 1
        done = self.table.settlement
        assert done is not None
        self.net += done.net
        for box in done.boxes:
            assert box.staked == sum(hand.bet for hand in box.hands) + box.insurance
            assert box.net == box.returned - box.staked
            assert box.returned >= 0
            assert all(hand.outcome != "open" for hand in box.hands)
        answer = replay(records[-1])
        del answer["legal"]
        assert answer == done.to_dict()

    @invariant()
    def money_is_conserved(self) -> None:
        table = self.table
        lying = sum(table.bets)
        if table.phase in (Phase.OFFERS, Phase.PLAY):
            view = table.view(self.names[0])
            returned = sum(
                e.returned
                for e in table.events
                if isinstance(e, ev.HandSettled | ev.InsuranceSettled)
            )
            staked = sum(hand.stake for box in view.boxes for hand in box.hands)
            lying = staked + sum(box.insurance for box in view.boxes)
            assert lying == sum(table.bets) + sum(
                e.amount for e in table.events if isinstance(e, ev.Acted)
            )
            assert returned >= 0, "paid at the end of the round, whenever it was won"
        have = sum(table.balance(name) or 0 for name in self.names)
        assert have + lying == START * len(self.names) + self.net
        assert all((table.balance(name) or 0) >= 0 for name in self.names)

    @invariant()
    def cards_are_conserved(self) -> None:
        shoe = self.table._shoe
        if self.game.decks is not None and shoe.left + shoe.dealt:
            assert cards_of(self.table) == self.full
        on_the_table = Counter(shoe.round_cards())
        hands = [h.cards for box in self.table.view(self.names[0]).boxes for h in box.hands]
        seen = Counter(card.code for cards in hands for card in cards)
        seen += Counter(card.code for card in self.table.view(self.names[0]).dealer)
        assert seen <= on_the_table
        if self.table.phase is not Phase.BETTING:
            hidden = int(self.table.view(self.names[0]).hole_card)
            assert seen.total() + hidden == on_the_table.total()

    @invariant()
    def somebody_must_decide_or_nobody(self) -> None:
        table, turn = self.table, self.table.turn
        running = table.phase in (Phase.OFFERS, Phase.PLAY)
        assert (turn is not None) == running
        if turn is None:
            assert all(table.why_not(action) for action in Action)
            return
        assert len(turn.actions) >= 2
        assert turn.passive in turn.actions
        assert {a for a in Action if table.why_not(a) is None} == turn.actions
        assert turn.offer == (table.phase is Phase.OFFERS)
        view = table.view(self.names[0])
        assert view.boxes[turn.box].hands[turn.hand_index] == turn.hand
        for action in turn.actions:
            assert table.cost(action) <= (table.balance(turn.player) or 0) or (
                self.game.double_for_less or self.game.partial_insurance
            )

    @invariant()
    def controls_are_what_they_say(self) -> None:
        table = self.table
        running = table.phase in (Phase.OFFERS, Phase.PLAY)
        assert bool(table.controls) != running
        if "deal" in table.controls:
            assert any(table.bets)

    @invariant()
    def events_were_heard(self) -> None:
        events = self.table.events
        assert tuple(self.heard[len(self.heard) - len(events) :]) == events

    def teardown(self) -> None:
        """Every round can be brought to its end with passive answers."""
        if not hasattr(self, "table"):
            return
        for _ in range(1000):
            turn = self.table.turn
            if turn is None:
                return
            with contextlib.suppress(BlackjackError):
                self.table.act(turn.passive, player=turn.player)
                continue
            return


def test_table() -> None:
    run_state_machine_as_test(
        TableMachine, settings=settings(max_examples=50, stateful_step_count=40)
    )


@pytest.mark.slow
def test_table_for_longer() -> None:
    run_state_machine_as_test(
        TableMachine, settings=settings(max_examples=600, stateful_step_count=80)
    )
