"""The table's shoe: when it is shuffled, when it runs dry, seeds, saving, records.

Lives here: cards over several rounds of `blackjack.Table`. Not here: the shuffle itself (test_shuffle).
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from blackjack import (
    Action,
    ArgumentError,
    BlackjackError,
    Card,
    Phase,
    Rules,
    ShoeExhausted,
    Table,
)
from blackjack import events as ev
from blackjack.errors import HistoryError
from blackjack.history import replay
from blackjack.presets import PRESETS
from blackjack_core.rng import Source
from blackjack_core.shoe import Shoe
from outside import (
    at_decision,
    cards_of,
    everything,
    last_record,
    play_out,
    refused,
    seen,
    started,
)

# ---------------------------------------------------------------- the shoe


def test_the_cut_card_ends_the_shoe_after_the_round() -> None:
    """BR-051: at exactly the cut or past it the next round begins with a shuffle, none does inside."""
    game = Rules(decks=1, shuffle={"cut_card": 0.75}, boxes=1, max_hands=1, insurance_on=[])
    table = Table(game, seed=8)
    cut = 39
    shuffles = 0
    for number in range(300):
        dealt = 52 - (table.shoe_left or 0)
        table.bet(0, 1)
        table.deal()
        due = number == 0 or dealt >= cut
        shuffled = [e for e in table.events if isinstance(e, ev.Shuffled)]
        assert shuffled == ([ev.Shuffled(in_round=False)] if due else [])
        shuffles += due
        play_out(table, Action.HIT)
        assert [e for e in table.events if isinstance(e, ev.Shuffled)] == shuffled
    assert 30 < shuffles < 100


def test_a_shoe_exactly_at_the_cut_is_shuffled() -> None:
    game = Rules(decks=1, shuffle={"cut_card": "4/52"}, boxes=1)
    table = Table(game, seed=3)
    for _ in range(20):
        table.bet(0, 1)
        table.deal()
        assert [e.in_round for e in table.events if isinstance(e, ev.Shuffled)] == [False]
        play_out(table)


@pytest.mark.parametrize("kind", ["every_round", "continuous"])
def test_a_shuffle_before_every_round(kind: str) -> None:
    table = Table(Rules(shuffle=kind, decks=1, boxes=1), seed=3)
    for _ in range(10):
        table.bet(0, 1)
        table.deal()
        assert any(e == ev.Shuffled(in_round=False) for e in table.events)
        play_out(table)


def test_fewer_than() -> None:
    table = Table("las_vegas", seed=3)
    assert table.shoe_left == 52
    for number in range(100):
        left = table.shoe_left or 0
        table.bet(0, 1)
        table.deal()
        assert (ev.Shuffled(in_round=False) in table.events) == (number == 0 or left < 22)
        play_out(table, Action.HIT)
        assert table._shoe.refills == 0


@pytest.mark.parametrize("boxes", [1, 2])
def test_exhaust_goes_by_the_boxes_bet(boxes: int) -> None:
    """21 for one box of las_vegas' game, 29 for two (so many are then kept for it)."""
    game = PRESETS["las_vegas"].replace(shuffle="exhaust", boxes=2)
    table = Table(game, seed=4)
    needed = {1: 21, 2: 29}[boxes]
    shuffles = 0
    for number in range(100):
        left = table.shoe_left or 0
        for box in range(boxes):
            table.bet(box, 1)
        table.deal()
        due = number == 0 or left < needed
        assert (ev.Shuffled(in_round=False) in table.events) == due
        shuffles += due
        play_out(table, Action.HIT)
        assert table._shoe.refills == 0
    assert shuffles > 10


def test_burn_cards() -> None:
    table = Table(Rules(decks=1, burn=3, boxes=1, shuffle="every_round"), seed=3)
    table.bet(0, 1)
    table.deal()
    assert len(table._shoe.discards()) == 3
    play_out(table)
    assert table.record()["cards"] == " ".join(
        str(Card.from_code(c)) for c in table._shoe.round_cards()
    )


def test_a_shoe_that_runs_dry_takes_its_discards() -> None:
    """BR-052: a shuffle inside the round, told by an event, of the discards only."""
    game = Rules(decks=1, boxes=7, shuffle={"cut_card": 1}, max_hands=4)
    table = Table(game, seed=2)
    refills = 0
    for _ in range(60):
        for box in range(7):
            table.bet(box, 1)
        try:
            table.deal()
            play_out(table, Action.HIT)
        except ShoeExhausted:
            while table.turn is not None:  # 52 cards do not suffice for all that drawing
                table.act(table.turn.passive)
        refills += sum(e == ev.Shuffled(in_round=True) for e in table.events)
        assert cards_of(table) == Counter(range(52))
    assert refills > 10


def test_no_cards_anywhere() -> None:
    crowded = Table(Rules(decks=1, boxes=30, max_hands=2), seed=3)
    for box in range(30):
        crowded.bet(box, 10)
    with refused(crowded, ShoeExhausted):
        crowded.deal()
    for cards in ("", "Ts", "Ts 6d 9h"):
        table = started(10, cards=cards, balance=100)
        with refused(table, ShoeExhausted, f"{len(cards.split())} left"):
            table.deal()
    table = at_decision("Ts 6d 2h 9c 2d", balance=100)
    table.act("hit")
    for action in ("hit", "stand"):
        with refused(table, ShoeExhausted, "0 left"):
            table.act(action)
    assert table.phase is Phase.PLAY


def test_a_refused_deal_leaves_the_last_round_alone() -> None:
    table = started(10, 20, cards="Ts 9s 6d 9h 8h 9c 5d 8s", balance=100)
    table.deal()
    play_out(table)
    before = last_record(table)
    assert before is not None
    table.bet(0, 30)
    with refused(table, ShoeExhausted):
        table.deal()
    assert last_record(table) == before


@pytest.mark.parametrize("decks", [1, None])
def test_words_that_run_out(decks: int | None) -> None:
    words = bytes(range(1, 248)) + bytes(1)
    table = started(
        10, rules=Rules(decks=decks, boxes=1), words=words[: 4 * 3 if decks is None else 100]
    )
    with refused(table, ShoeExhausted, "words"):
        table.deal()


def test_a_long_round_keeps_its_log_when_a_call_fails() -> None:
    """The log moves in memory as a round grows; a call taken back must not go back to where it was."""
    for n in range(1, 9):
        table = at_decision("2s 2d 2h 3c " + "2c " * n, Rules(max_hands=1, boxes=1))
        for _ in range(n):
            table.act("hit")
        for _ in range(3):
            with refused(table, ShoeExhausted):
                table.act("hit")
        hands = [e for e in table.events if isinstance(e, ev.CardDealt)]
        assert len(hands) == 2 + n


# ---------------------------------------------------------------- seeds


def test_a_seed_gives_the_same_table() -> None:
    def run(**origin: Any) -> list[Any]:
        table = Table("goldfishka", **origin)
        rounds = []
        for _ in range(20):
            table.bet(0, 10)
            table.deal()
            play_out(table)
            rounds.append(table.settlement)
        return rounds

    assert run(seed=7) == run(seed=7) != run(seed=8)
    key = bytes(range(32))
    assert run(key=key) == run(key=key) != run(key=key[::-1])
    words = bytes(range(256)) * 200
    assert run(words=words) == run(words=words)
    assert run() != run()


def test_a_seeded_table_says_so() -> None:
    assert Table("goldfishka", seed=7).seeded
    origins: list[dict[str, Any]] = [
        {}, {"key": bytes(32)}, {"words": bytes(9999)}, {"cards": "As"},
    ]  # fmt: skip
    for origin in origins:
        assert not Table("goldfishka", **origin).seeded
    assert "seeded, bj-shuffle-1 by xoshiro256++" in repr(Table("goldfishka", seed=7))
    assert "not seeded, bj-shuffle-1 by chacha20" in repr(Table("goldfishka"))


@pytest.mark.parametrize(
    "origin",
    [
        {"seed": -1},
        {"seed": 2**64},
        {"seed": 1.0},
        {"seed": True},
        {"key": b"short"},
        {"cards": "Zs"},
        {"cards": 7},
    ],
)
def test_origins_that_are_none(origin: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        Table("goldfishka", **origin)


def test_one_origin_only() -> None:
    with pytest.raises(ArgumentError, match="at most one of seed, key, words and cards"):
        Table("goldfishka", seed=1, cards="As")
    with pytest.raises(ArgumentError, match="balance or players"):
        Table(Rules(private=False), balance=1, players={"a": 1})


def test_looking_does_not_change_the_cards() -> None:
    """BR-063."""

    def run(*, look: bool) -> tuple[Any, ...]:
        table = Table("goldfishka", seed=77, balance=10_000)
        for _ in range(20):
            table.bet(1, 10)
            table.deal()
            while table.turn is not None:
                if look:
                    upcards = {seen(table)["turn"].upcard for _ in range(10)}
                    assert upcards == {table.turn.upcard}
                hit = table.turn.hand.total < 15 and Action.HIT in table.turn.actions
                table.act(Action.HIT if hit else table.turn.passive)
        return table.settlement, table.balance(), table._shoe.state()

    assert run(look=True) == run(look=False)


# ---------------------------------------------------------------- saving


def test_a_saved_table_gives_the_same_next_card() -> None:
    """BR-081: save, hit, load, hit: the same card, and the same dealer's cards."""
    origins: list[dict[str, Any]] = [
        {"seed": 5}, {"key": bytes(range(32))}, {"words": bytes(range(256)) * 99}, {},
    ]  # fmt: skip
    for origin in origins:
        table = Table("goldfishka", balance=1000, **origin)
        for _ in range(5):
            table.bet(0, 10)
            table.bet(3, 20)
            table.deal()
            while table.turn is not None:
                text = table.save()
                other = Table.load(text)
                assert everything(other)["shoe"] == everything(table)["shoe"]
                assert seen(other) == {**seen(table), "records": None}
                assert other.save() == text
                hit = table.turn.hand.total < 17 and Action.HIT in table.turn.actions
                for one in (table, other):
                    assert one.turn is not None
                    one.act(Action.HIT if hit else one.turn.passive)
                assert seen(other) == seen(table)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"version": 2}', "7", '{"version": 1}'])
def test_text_that_is_no_table(text: str) -> None:
    with pytest.raises(HistoryError):
        Table.load(text)


def test_saved_text_that_is_damaged() -> None:
    table = at_decision(balance=100)
    kept = json.loads(table.save())
    flags = [i for i, value in enumerate(kept["desk"]) if isinstance(value, bool)]
    for i in set(range(len(kept["desk"]))) - set(flags):
        broken = json.loads(json.dumps(kept))
        broken["desk"][i] = None
        with pytest.raises(HistoryError):
            Table.load(json.dumps(broken))
    kept["rules"]["max_hands"] = 2
    with pytest.raises(HistoryError):
        Table.load(json.dumps(kept))


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("name", PRESETS)
def test_recorded_rounds_replay_to_the_same_settlement(name: str) -> None:
    table = Table(name, seed=12, record=True, balance=10**6)
    wanted = [Action.SPLIT, Action.DOUBLE, Action.INSURANCE, Action.HIT, Action.SURRENDER]
    settlements = []
    for i in range(60):
        table.bet(0, 40)
        if PRESETS[name].boxes > 2:
            table.bet(2, 60)
        table.deal()
        play_out(table, wanted[i % 5])
        assert table.settlement is not None
        settlements.append(table.settlement.to_dict())
    assert table.records is not None
    assert len(table.records) == 60
    for record, settled in zip(table.records, settlements, strict=True):
        answer = replay(record)
        del answer["legal"]
        assert answer == settled


def test_money_is_conserved() -> None:
    """BR-072: what the boxes net is what the balance gains, all rules on, several boxes."""
    total = 0
    table = Table("goldfishka", seed=99, balance=10**9)
    for i in range(500):
        for box in range(1 + i % 7):
            table.bet(box, 2 * (box + 1))
        table.deal()
        if table.turn is not None:
            assert table.balance() == 10**9 + total - sum(table.bets)
        play_out(table, [Action.SPLIT, Action.DOUBLE, Action.HIT, Action.INSURANCE][i % 4])
        assert table.settlement is not None
        total += table.settlement.net
        assert table.balance() == 10**9 + total
        assert table.bets == (0,) * 7


def test_shoe_and_source_are_the_tables_own() -> None:
    table = Table("goldfishka", seed=1)
    assert isinstance(table._shoe, Shoe)
    assert isinstance(table._shoe.source, Source)
    assert isinstance(HistoryError("x"), BlackjackError)
