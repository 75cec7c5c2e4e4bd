"""The table: controls, refusals, money, limits, turns.

Lives here: single behaviours of `blackjack.Table`. Not here: its shoe (test_table_shoe), what is seen of
it (test_table_seen), several players (test_table_public), long random play (test_table_stateful),
whole rounds as documents (test_goldens), the rules of a round (conformance).
"""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest

from blackjack import (
    Action,
    BetError,
    BlackjackError,
    Card,
    IllegalAction,
    InsufficientFunds,
    Phase,
    Rules,
    Table,
)
from blackjack import events as ev
from blackjack.presets import PRESETS
from outside import (
    MAX,
    NAN,
    at_decision,
    play_out,
    refused,
    started,
)

# ---------------------------------------------------------------- betting


def test_a_bet_is_set_and_not_added() -> None:
    table = Table("vegas_strip", seed=1, balance=100)
    table.bet(box=0, amount=30)
    table.bet(box=0, amount=50)
    table.bet(box=3, amount=20)
    assert table.bets == (50, 0, 0, 20, 0, 0, 0)
    assert table.owners == ("player", None, None, "player", None, None, None)
    assert table.balance() == 30
    table.bet(box=0, amount=10)
    assert table.balance() == 70


def test_chips_come_back_last_first() -> None:
    table = Table("romanian", seed=1, balance=1000)
    for chip in (4, 100, 20):
        table.add_chip(0, chip)
    assert table.bets == (124,)
    assert [table.take_back(0) for _ in range(2)] == [20, 100]
    assert (table.bets, table.balance()) == ((4,), 996)
    table.bet(0, 400)
    table.add_chip(0, 4)
    assert [table.take_back(0), table.take_back(0)] == [4, 400]
    with refused(table, BetError, "no bet on box 0"):
        table.take_back(0)


def test_clear_a_box_or_all() -> None:
    table = started(10, 20, 30, seed=1, balance=100)
    table.clear(1)
    assert (table.bets[:3], table.balance()) == ((10, 0, 30), 60)
    table.clear()
    assert (table.bets[:3], table.balance()) == ((0, 0, 0), 100)
    for box in (0, None):
        with refused(table, BetError, "no bet"):
            table.clear(box)


def test_repeat_and_new_game() -> None:
    table = started(10, 0, 20, seed=5, balance=1000)
    with refused(table, BetError, "no last round"):
        table.repeat()
    table.deal()
    play_out(table)
    assert table.phase is Phase.SETTLED
    before = table.balance()
    table.repeat()
    assert (table.phase, table.bets[:3], table.settlement) == (Phase.BETTING, (10, 0, 20), None)
    table.new_game()
    assert (table.bets[:3], table.balance(), table.events) == ((0, 0, 0), before, ())
    table.repeat()
    assert table.bets[:3] == (10, 0, 20)
    table.bet(1, 5)
    table.bet(0, 500)
    table.repeat()  # the same boxes as before, other bets stay
    assert table.bets[:3] == (10, 5, 20)


def test_repeat_needs_the_money() -> None:
    table = at_decision("Ts Kd 9h Qc 5d", balance=15)
    table.act("stand")
    assert table.balance() == 5
    with refused(table, InsufficientFunds, "balance of 5, got 10"):
        table.repeat()
    assert "balance" in (table.why_not("repeat") or "")
    assert "repeat" not in table.controls


def test_a_settled_table_is_cleared_by_the_next_bet() -> None:
    table = at_decision()
    table.act("stand")
    assert table.settlement is not None
    assert len(table.view().boxes[0].hands) == 1
    table.bet(box=2, amount=50)
    assert table.settlement is None
    assert table.phase is Phase.BETTING
    assert table.bets[:3] == (0, 0, 50)
    assert table.view().boxes[0].hands == ()
    assert table.view().dealer == ()
    assert [type(event) for event in table.events] == [ev.BetChanged]


def test_leave() -> None:
    table = started(10, seed=1, balance=100)
    assert table.leave() == 100
    assert table.bets[0] == 0


# ---------------------------------------------------------------- what is refused

AMOUNTS: list[Any] = [
    0, -1, -100, 1.0, 0.5, NAN, math.inf, True, False, None, "10", b"10", [10], MAX + 1, 10**40, 1j,
]  # fmt: skip
BOXES: list[Any] = [-1, 7, 64, 0.0, True, "0", None, [0], 10**40, NAN]


@pytest.mark.parametrize("amount", AMOUNTS, ids=repr)
def test_amounts_that_are_none(amount: Any) -> None:
    table = started(30, seed=1, balance=100)
    with refused(table, BetError, "expected a bet as an int"):
        table.bet(0, amount)
    with refused(table, BetError, "expected a bet as an int"):
        table.bet(1, amount)
    with refused(table, BetError, "expected a chip as an int"):
        table.add_chip(0, amount)


@pytest.mark.parametrize("box", BOXES, ids=repr)
def test_boxes_that_are_none(box: Any) -> None:
    table = started(30, seed=1)
    with refused(table, BetError, "expected a box from 0 to 6"):
        table.bet(box, 10)
    with refused(table, BetError, "expected a box from 0 to 6"):
        table.add_chip(box, 10)
    with refused(table, BetError, "expected a box from 0 to 6"):
        table.take_back(box)
    if box is not None:
        with refused(table, BetError, "expected a box from 0 to 6"):
            table.clear(box)


PARTS: list[Any] = [a for a in AMOUNTS if a is not None]


@pytest.mark.parametrize("amount", [*PARTS, 11, MAX], ids=repr)
def test_parts_that_are_none(amount: Any) -> None:
    for name in ("double_for_less", "partial_insurance"):
        on = PRESETS["vegas_strip"].replace(**{name: True})
        table = at_decision("Ts Ad 9h 9c 5d", on) if "ins" in name else at_decision(rules=on)
        action = Action.INSURANCE if "ins" in name else Action.DOUBLE
        with refused(table, IllegalAction):
            table.act(action, amount=amount)


@pytest.mark.parametrize("amount", [1, 9, 10])
def test_a_part_where_the_rules_allow_none(amount: int) -> None:
    table = at_decision()
    for action in ("double", "hit", "stand", "split", "surrender"):
        with refused(table, IllegalAction):
            table.act(action, amount=amount)


UNKNOWN: list[Any] = ["hit!", "HIT", "", "deal", 0, 1, 7, -1, None, True, b"hit", ["hit"], 2.0, NAN]


@pytest.mark.parametrize("action", UNKNOWN, ids=repr)
def test_actions_are_named_and_never_positional(action: Any) -> None:
    """BR-122."""
    table = at_decision("9s 6d 9h 9c 5d")
    with refused(table, IllegalAction, "there is no such action"):
        table.act(action)
    reason = table.why_not(action)
    assert reason is not None
    assert table.turn is not None
    assert table.turn.actions == {"hit", "stand", "double", "split", "surrender"}


def test_each_name_does_one_thing() -> None:
    """BR-122: ids stay the same whatever is legal."""
    assert [action.code for action in Action] == list(range(8))
    for action in Action:
        table = at_decision("9s 6d 9h 9c 5d 5h 5c 2s 2d 2c 2h")
        if action.code < 5:
            table.act(str(action))
            acted = [event for event in table.events if isinstance(event, ev.Acted)]
            assert acted == [ev.Acted(0, 0, action, 10 if action in ("double", "split") else 0)]
        else:
            with refused(table, IllegalAction, "no offer is open"):
                table.act(action)


def test_extra_words_of_a_client_are_not_believed() -> None:
    """BR-080: an action carries its kind and an amount; the card comes from the shoe."""
    table = at_decision()
    with pytest.raises(TypeError):
        table.act("hit", card="Ah", total=21)  # type: ignore[call-arg]
    assert table.phase is Phase.PLAY


def test_before_a_deal() -> None:
    table = Table("vegas_strip", seed=1)
    assert table.turn is None
    for action in Action:
        with refused(table, IllegalAction, "no hand is waiting"):
            table.act(action)
    with refused(table, BetError, "no bets"):
        table.deal()
    with refused(table, BlackjackError, "no finished round"):
        table.record()
    assert table.why_not("deal") == "no bets"


def controls(table: Table) -> list[tuple[str, Any]]:
    return [
        ("deal", table.deal),
        ("bet", lambda: table.bet(0, 10)),
        ("add_chip", lambda: table.add_chip(0, 10)),
        ("take_back", lambda: table.take_back(0)),
        ("clear", table.clear),
        ("repeat", table.repeat),
        ("new_game", table.new_game),
        ("leave", table.leave),
    ]


def test_while_a_round_runs() -> None:
    for table in (at_decision(), at_decision("Ts Ad 9h 9c 5d")):
        assert table.controls == frozenset()
        for name, control in controls(table):
            with refused(table, BlackjackError, "a round is running"):
                control()
            assert table.why_not(name) == "a round is running"


def test_after_the_end() -> None:
    table = at_decision(balance=100)
    table.act("stand")
    for action in Action:
        with refused(table, IllegalAction, "no hand is waiting"):
            table.act(action)
    with refused(table, BetError, "no bets"):
        table.deal()


def test_an_error_tells_the_action_the_reason_and_what_is_legal() -> None:
    table = at_decision()
    with pytest.raises(IllegalAction) as caught:
        table.act("split")
    error = caught.value
    assert (error.action, error.reason) == ("split", "the two cards are no pair")
    assert error.legal == ("double", "hit", "stand", "surrender")
    text = "cannot split: the two cards are no pair (legal: double, hit, stand, surrender)"
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == text


# ---------------------------------------------------------------- whose money


@pytest.mark.parametrize(
    ("cards", "game", "balance", "missing"),
    [
        ("6s 6d 5h 9c", "vegas_strip", 19, "double"),
        ("8s 6d 8h 9c", "vegas_strip", 19, "split"),
        ("Ts Ad 9h 9c", "vegas_strip", 14, "insurance"),
    ],
)
def test_what_cannot_be_paid_is_not_legal(
    cards: str, game: str, balance: int, missing: str
) -> None:
    more = " 2s 3s 4s 5s 6s 7s"
    enough = at_decision(cards + more, game, balance=balance + 1)
    assert enough.turn is not None
    assert missing in enough.turn.actions
    short = at_decision(cards + more, game, balance=balance)
    if missing != "insurance":  # an offer with nothing but `decline` in it is not made
        assert short.turn is not None
        assert missing not in short.turn.actions
        assert short.why_not(missing) == "the player cannot pay for it"
        with refused(short, IllegalAction, "cannot pay"):
            short.act(missing)
    else:
        assert short.turn is not None
        assert short.turn.offer is False


def test_the_money_of_a_round_goes_step_by_step() -> None:
    table = at_decision("8s 6d 8h 9c 3d Th 2s 8d Kd", balance=100)
    assert table.balance() == 90
    table.act("split")
    assert table.balance() == 80
    table.act("double")
    assert table.balance() == 70
    assert table.cost("double") == 10
    table.act("hit")
    table.act("stand")
    assert table.settlement is not None
    assert table.settlement.boxes[0].staked == 30
    assert table.balance() == 70 + table.settlement.boxes[0].returned


def test_aces_without_the_money_to_split() -> None:
    """BR-044: no dead end."""
    table = at_decision("As 6d Ah 9c 5d 5s 5h", balance=10)
    assert table.turn is not None
    assert table.turn.actions == {"hit", "stand", "surrender"}


def test_double_for_less() -> None:
    """BR-042: with the rule 40 more on a bet of 100; without it no double for want of money."""
    cards = "6h 6d 5c Ts Th 9c"
    plain = Rules(decks=6)
    on = at_decision(cards, plain.replace(double_for_less=True), 100, balance=140)
    on.act("double", amount=40)
    assert on.settlement is not None
    assert (on.settlement.net, on.balance()) == (140, 280)
    assert on.settlement.boxes[0].hands[0].bet == 140
    off = at_decision(cards, plain, 100, balance=140)
    assert off.turn is not None
    assert off.turn.actions == {"hit", "stand"}
    off.act("hit")
    play_out(off)
    assert off.settlement is not None
    assert off.settlement.net == 100


def test_a_part_may_be_all_the_player_has() -> None:
    on = Rules(double_for_less=True, partial_insurance=True, boxes=1)
    table = at_decision("6h 6d 5c Ts Th 9c", on, 100, balance=101)
    with refused(table, IllegalAction, "cannot pay"):
        table.act("double", amount=2)
    with refused(table, IllegalAction, "cannot pay"):
        table.act("double")
    table.act("double", amount=1)
    table = at_decision("6h Ad 5c 9s Th 9c", on, 100, balance=101)
    with refused(table, IllegalAction, "cannot pay"):
        table.act("insurance", amount=2)
    table.act("insurance", amount=1)
    assert table.balance() == 0


def test_partial_insurance_on_a_blackjack() -> None:
    """BR-011."""
    on = Rules(partial_insurance=True)
    for hole, net in (("Kc", 10), ("7c", 25)):
        table = at_decision(f"As Ad Kh {hole}", on, 20)
        table.act("insurance", amount=5)
        assert table.settlement is not None
        assert table.settlement.net == net


def test_insurance_limits() -> None:
    """BR-039: only under an ace, before play, between nothing and half the bet."""
    on = Rules(partial_insurance=True)
    ten_up = at_decision("9s Td 7h 9c 5d", on, 100)
    assert ten_up.why_not("insurance") == "no offer is open"
    with refused(ten_up, IllegalAction, "no offer is open"):
        ten_up.act("insurance")
    ace_in_the_hole = at_decision(
        "9s Td 7h Ac 5d", Rules(partial_insurance=True, peek_on=["A"]), 100
    )
    assert "insurance" not in {str(a) for a in ace_in_the_hole.turn.actions}  # type: ignore[union-attr]
    ace_up = at_decision("9s Ad 7h 9c 2d 5s", on, 100)
    for amount in (51, 100, -10):
        with refused(ace_up, IllegalAction):
            ace_up.act("insurance", amount=amount)
    ace_up.act("insurance", amount=50)
    assert ace_up.view().boxes[0].insurance == 50
    ace_up.act("hit")
    with refused(ace_up, IllegalAction, "no offer is open"):
        ace_up.act("insurance")


def test_negative_and_oversized_bets() -> None:
    """BR-073."""
    table = Table("vegas_strip", seed=1, balance=50)
    for amount in (-1, -100, 51, 10_000):
        with refused(table, BetError):
            table.bet(0, amount)
    with refused(table, InsufficientFunds, "balance of 50, got 51"):
        table.bet(0, 51)
    table.bet(0, 50)
    with refused(table, InsufficientFunds):
        table.bet(1, 1)
    table.clear(0)
    assert table.balance() == 50
    with refused(table, BetError):
        table.clear(0)


def test_the_same_bet_twice_is_one_bet() -> None:
    """BR-076: a bet sets; a second deal is refused."""
    table = Table("vegas_strip", seed=1, balance=1000)
    table.bet(0, 100)
    table.bet(0, 100)
    assert (table.bets[0], table.balance()) == (100, 900)
    table.deal()
    with pytest.raises(BlackjackError):
        table.deal()
    with pytest.raises(BlackjackError):
        table.bet(0, 100)


@pytest.mark.parametrize("balance", [-1, 1.0, True, "5", NAN], ids=repr)
def test_balances_that_are_none(balance: Any) -> None:
    with pytest.raises(BetError, match="balance"):
        Table("vegas_strip", balance=balance)
    with pytest.raises(BetError, match="balance"):
        Table(Rules(private=False), players={"a": balance})


def test_no_limit_and_a_balance_beyond_counting() -> None:
    for balance in (None, 10**30):
        table = at_decision("8s 6d 8h 9c 3d Th 2s 8d Kd", bet=MAX, balance=balance)
        table.act("split")
        table.act("double")
        table.act("stand")
        play_out(table)
        assert table.settlement is not None
        after = None if balance is None else balance + table.settlement.net
        assert table.balance() == after


STAKES = [1, 3, 1_500_000_000, 2**31, 2**32 + 1, 2**52 + 1, MAX - 1, MAX]


@pytest.mark.parametrize("stake", STAKES)
def test_stakes_settle_exactly(stake: int) -> None:
    """BR-070: win, blackjack, doubled win, four doubled hands: up to 2**53, and never negative."""
    win = at_decision("Ts 6d 9h Tc Td", bet=stake)
    win.act("stand")
    natural = at_decision("As 6d Kh Tc Td", bet=stake)
    doubled = at_decision("6s 6d 5h Tc Th Td", bet=stake)
    doubled.act("double")
    four = at_decision("8s 6d 8h Tc 8d 8c 2s Ts 3s Th 3h Tc 2h Kh Td", bet=stake, balance=8 * stake)
    for action in ("split", "split", "split", *["double"] * 4):
        four.act(action)
    returned = [t.settlement.boxes[0].returned for t in (win, natural, doubled, four)]  # type: ignore[union-attr]
    assert returned == [2 * stake, stake + stake * 3 // 2, 4 * stake, 16 * stake]
    assert four.balance() == 16 * stake


def test_whole_units_round_down() -> None:
    """BR-068: 6:5 on stakes that are not multiples of five."""
    paid = []
    for stake in (1, 3, 7, 12, 25, 75):
        table = at_decision("As 6d Kh Tc", Rules(blackjack_pays="6:5"), stake)
        paid.append(table.settlement.net)  # type: ignore[union-attr]
    assert paid == [1, 3, 8, 14, 30, 90]


def test_exact_rounding_refuses_what_does_not_come_out_whole() -> None:
    table = Table(Rules(blackjack_pays="6:5", rounding="exact"), seed=1)
    for amount in (1, 5, 12, 15):
        with refused(table, BetError, "multiple of 10"):
            table.bet(0, amount)
    table.bet(0, 20)


# ---------------------------------------------------------------- limits


def test_limits_per_box() -> None:
    table = Table(Rules(min_bet=10, max_bet=100, bet_step=5), seed=1)
    for amount, what in ((5, "at least 10"), (12, "multiple of 5"), (105, "at most 100")):
        with refused(table, BetError, what):
            table.bet(0, amount)
    for amount in (10, 100):
        table.bet(0, amount)
        table.bet(1, amount)


def test_limits_per_deal() -> None:
    table = Table(Rules(min_bet=10, max_bet=100, limit_per="deal", boxes=3), seed=1)
    table.bet(0, 4)
    assert table.why_not("deal") == "expected bets of at least 10 in all, got 4"
    with refused(table, BetError, "at least 10 in all"):
        table.deal()
    table.bet(1, 90)
    with refused(table, BetError, "at most 100 in all, got 101"):
        table.bet(2, 7)
    table.bet(2, 6)
    table.deal()


def test_chips_below_the_limit_are_looked_at_by_deal_only() -> None:
    table = Table(Rules(min_bet=10, chips=[5, 25]), seed=1)
    with refused(table, BetError, "expected a chip of 5, 25, got 10"):
        table.add_chip(0, 10)
    table.add_chip(0, 5)
    with refused(table, BetError, "at least 10 on box 0"):
        table.deal()
    assert "deal" not in table.controls
    table.add_chip(0, 5)
    table.deal()


def test_every_box_of_a_deal_is_looked_at() -> None:
    table = Table(Rules(min_bet=10, bet_step=10), seed=1)
    table.add_chip(0, 10)
    table.add_chip(4, 15)
    with refused(table, BetError, "multiple of 10, got 15 on box 4"):
        table.deal()


# ---------------------------------------------------------------- turns


def test_boxes_act_from_first_to_last() -> None:
    """BR-118: boxes 0, 2 and 3 bet; the empty one gets no card and is skipped."""
    table = Table(Rules(boxes=4), cards="2s 3s 4s 6d 5h 6h 7h 9c Td")
    for box in (3, 0, 2):
        table.bet(box, 10)
    table.deal()
    dealt = [(e.box, e.card.text) for e in table.events if isinstance(e, ev.CardDealt)]
    assert dealt == [(0, "2s"), (2, "3s"), (3, "4s"), (0, "5h"), (2, "6h"), (3, "7h")]
    order = []
    while table.turn is not None:
        order.append(table.turn.box)
        table.act("stand")
    assert order == [0, 2, 3]


def test_the_dealer_draws_after_the_last_hand() -> None:
    """BR-082."""
    table = Table("vegas_strip", cards="Ts Td 6d 8h 6h 9c 5s 4c")
    table.bet(0, 10)
    table.bet(1, 10)
    table.deal()
    table.act("stand")
    assert table.turn is not None
    assert table.turn.box == 1
    assert [card.text for card in table.view().dealer] == ["6d"]
    assert table.view().hole_card
    left = table.shoe_left
    table.act("hit")
    assert table.turn is None or table.turn.box == 1
    assert left is not None
    assert table.shoe_left is not None
    play_out(table)
    assert [card.text for card in table.view().dealer] == ["6d", "9c", "4c"]


def test_the_passive_action() -> None:
    """BR-120: silence declines an offer and stands in play."""
    table = at_decision("Ts Ad 8h 5c 9d Td Kh", bet=100)
    assert table.turn is not None
    assert (table.turn.offer, table.turn.passive) == (True, Action.DECLINE)
    table.act(table.turn.passive)
    assert table.turn is not None
    assert (table.turn.offer, table.turn.passive) == (False, Action.STAND)
    play_out(table)
    assert table.settlement is not None


def test_turns_are_values() -> None:
    one, other = at_decision(), at_decision()
    assert (one.turn, hash(one.turn)) == (other.turn, hash(other.turn))
    assert pickle.loads(pickle.dumps(one.turn)) == one.turn
    turn = one.turn
    assert turn is not None
    for name in ("box", "hand", "actions", "upcard", "player", "offer"):
        with pytest.raises(AttributeError):
            setattr(turn, name, None)
        with pytest.raises(AttributeError):
            setattr(turn.hand, "cards", ())  # noqa: B010
    one.act("hit")
    assert turn == other.turn, "a turn that was handed out does not change"
    assert isinstance(turn.actions, frozenset)
    assert turn.upcard == Card("6d")
