"""The compiled round by itself: reasons, funds, the log, state, misuse, hand totals.

Lives here: `blackjack_core.round.Round` and `blackjack_core.hand`, codes in and codes out. Not here: what
a round is worth (test_differential, conformance), the table around it (test_table).
"""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack.actions import ACTION_SETS, ACTIONS, Action
from blackjack.cards import CARDS, cards_text, parse_cards
from blackjack.errors import REASONS
from blackjack.rules import Rules
from blackjack.testing import rules, shoes
from blackjack_core.hand import total
from blackjack_core.rng import Source
from blackjack_core.round import Round, decode_log
from blackjack_core.ruleset import RuleSet
from blackjack_core.shoe import Shoe
from reference.engine import is_soft, low_total
from reference.engine import total as reference_total

IDLE, OFFERS, PLAY, DONE = range(4)
MORE = " 5d 4h 6s 7h 8s 9c Tc 2d 3h 4s 5c 6d"


def codes(cards: str) -> bytes:
    return bytes(card.code for card in parse_cards(cards))


def begin(
    cards: str, *actions: str, bets: tuple[int, ...] = (100,), funds: Any = None, **fields: Any
) -> Round:
    """A round on these cards after these actions."""
    fields.setdefault("boxes", len(bets))
    round_ = Round(Rules(**fields).compiled, Shoe(codes(cards + MORE)))
    round_.start(bets, None, None if funds is None else [funds])
    for action in actions:
        assert round_.apply(Action(action).code) == 0
    return round_


# ---------------------------------------------------------------- reasons

# code: (cards, actions before, the action refused, what else)
REFUSALS: dict[int, tuple[str, str, str, dict[str, Any]]] = {
    2: ("Ts Ad 9h 5c", "", "hit", {}),
    3: ("Ts 6d 9h 5c", "", "decline", {}),
    4: ("Ts Ad 9h 5c", "", "insurance", {"insurance_on": [], "surrender": "early"}),
    5: ("As Ad Kh 5c", "", "insurance", {"even_money_on": ["A"]}),
    6: ("As Ad Kh 5c", "", "even_money", {}),
    7: ("Ts Ad 9h 5c", "", "even_money", {"even_money_on": ["A"]}),
    8: ("Ts 6d 6h 5c", "", "surrender", {}),
    9: ("Ts 6d 6h 5c", "", "surrender", {"surrender": "late", "surrender_on": ["T"]}),
    10: ("Ts 6d 2h 5c", "hit", "double", {}),
    11: ("8s 6d 8h 5c 3d", "split", "surrender", {"surrender": "late"}),
    12: ("Ts Ad 6h 5c", "", "surrender", {"surrender": "late"}),
    13: ("As Ad Kh 5c", "", "surrender", {"surrender": "early"}),
    15: ("As 6d Ah 5c Ac", "split", "hit", {"max_ace_hands": 3}),
    16: ("6s 6d 5h 5c 2d", "double", "hit", {"redouble": True}),
    18: ("8s 6d 5h 5c", "", "double", {"double_on": [9, 10, 11]}),
    19: ("As 6d 7h 5c", "", "double", {"double_soft": False}),
    20: ("8s 6d 8h 5c 3d", "split", "double", {"double_after_split": False}),
    21: ("As 6d Ah 5c 3d", "split", "double", {"hit_split_aces": True}),
    22: ("Ts 6d 9h 5c", "", "split", {}),
    23: ("8s 6d 8h 5c 8d", "split", "split", {"max_hands": 2}),
    24: ("As 6d Ah 5c Ac", "split", "split", {"max_ace_hands": 2, "hit_split_aces": True}),
    25: ("8s Ad 8h 5c", "insurance", "split", {"insurance_blocks": ["split"]}),
    26: ("8s 6d 8h 5c", "", "split", {"funds": 99}),
    28: ("Ts Ad 6h 5c", "", "insurance", {"bets": (1,), "surrender": "early"}),
    30: ("Ts 6d 9h 5c", "", "?", {}),
    31: ("6s 6d 5h 5c", "", "double", {"amount": 50}),
}
# A hand in which only standing is left is passed by unasked, so nobody can be told these; 1 and 27 below.
NEVER_TOLD = {14, 17, 29}


@pytest.mark.parametrize("code", REFUSALS)
def test_reason(code: int) -> None:
    cards, before, action, more = REFUSALS[code]
    more = dict(more)
    amount = more.pop("amount", 0)
    round_ = begin(cards, *before.split(), **more)
    number = 8 if action == "?" else Action(action).code
    state = round_.state()
    assert round_.apply(number, amount) == code
    assert round_.state() == state
    if not amount:
        assert round_.reason(number) == code
        assert not round_.legal >> number & 1
    assert REASONS[code]


def test_every_reason_is_told() -> None:
    assert {*REFUSALS, *NEVER_TOLD, 0, 1, 27} == set(range(len(REASONS)))


def test_no_round() -> None:
    round_ = Round(Rules().compiled, Shoe(codes(MORE)))
    for _ in range(2):
        assert [round_.reason(code) for code in range(8)] == [1] * 8
        assert [round_.apply(code) for code in range(8)] == [1] * 8
        assert (round_.legal, round_.stake_of(2)) == (0, 0)
        round_.start([10])
        while round_.phase != DONE:
            assert round_.apply(0) == 0


@pytest.mark.parametrize("action", [-1, 8, 9, 255, 2**31 - 1, -(2**31)])
def test_unknown_actions(action: int) -> None:
    round_ = begin("Ts 6d 9h 5c")
    state = round_.state()
    assert round_.apply(action) == 30
    assert round_.state() == state


@pytest.mark.parametrize("amount", [-1, -(2**63), 101, 2**63 - 1])
def test_amounts_that_are_no_part(amount: int) -> None:
    for cards, action in (("6s 6d 5h 5c", Action.DOUBLE), ("Ts Ad 9h 5c", Action.INSURANCE)):
        round_ = begin(cards, double_for_less=True, partial_insurance=True)
        state = round_.state()
        assert round_.apply(action.code, amount) == 31
        assert round_.state() == state


def test_the_mask_and_the_reasons_agree() -> None:
    """At every decision of any rules: legal is what has no reason against it."""

    @settings(max_examples=60)
    @given(rules(), st.data())
    def check(game: Rules, data: st.DataObject) -> None:
        order = bytes(card.code for card in data.draw(shoes(Rules(decks=2)))) * 8
        round_ = Round(game.compiled, Shoe(order))
        round_.start([6] * game.boxes, None, [data.draw(st.integers(0, 60))])
        while round_.phase != DONE:
            legal = {code for code in range(8) if round_.reason(code) == 0}
            assert legal == {code for code in range(8) if round_.legal >> code & 1}
            assert {action.code for action in ACTION_SETS[round_.legal]} == legal
            assert len(legal) >= 2
            funds = round_.funds_of(0)
            assert funds is not None
            assert funds >= 0
            assert round_.apply(data.draw(st.sampled_from(sorted(legal)))) == 0
        assert round_.legal == 0

    check()


# ---------------------------------------------------------------- funds and stakes


def test_funds_go_down_with_every_stake() -> None:
    round_ = begin("8s 6d 8h 5c 3d Th 2s", funds=250)
    assert round_.apply(Action.SPLIT.code) == 0
    assert round_.funds_of(0) == 150
    assert round_.apply(Action.DOUBLE.code) == 0
    assert round_.funds_of(0) == 50
    assert round_.reason(Action.DOUBLE.code) == 26
    assert begin("Ts 6d 9h 5c").funds_of(0) is None


def test_each_box_pays_from_its_account() -> None:
    round_ = Round(Rules(boxes=3).compiled, Shoe(codes("8s 8d 8h 6d 8c 8s 8d 5c" + MORE * 2)))
    round_.start([10, 10, 10], [0, 1, 0], [10, 0])
    assert round_.reason(Action.SPLIT.code) == 0
    assert round_.apply(Action.SPLIT.code) == 0
    while round_.box < 1:
        round_.apply(0)
    assert round_.reason(Action.SPLIT.code) == 26
    while round_.box < 2:
        round_.apply(0)
    assert round_.reason(Action.SPLIT.code) == 26
    assert (round_.funds_of(0), round_.funds_of(1)) == (0, 0)


def test_redoubling_ends_before_a_stake_could_overflow() -> None:
    round_ = begin(
        "2s 6d 2h 5c" + " Ac" * 20, bets=(2**53,), redouble=True, charlie_cards=22, charlie_pays=100
    )
    stakes = []
    while round_.phase != DONE and not round_.reason(Action.DOUBLE.code):
        assert round_.apply(Action.DOUBLE.code) == 0
        stakes.append(round_.hand_state(0, 0)[0])
    assert stakes == [2**54, 2**55, 2**56]
    assert round_.phase == DONE, "only standing was left"
    larger = begin("6s 6d 5h 5c", bets=(2**55 + 1,))  # as replay may scale them
    assert larger.apply(Action.DOUBLE.code) == larger.reason(Action.DOUBLE.code) == 27


@pytest.mark.parametrize("pays", ["100:1", "99:1000", "997:1000", "100000:1000"])
@pytest.mark.parametrize("bet", [1, 999, 2**53 - 1, 2**53])
@pytest.mark.parametrize("rounding", ["down", "up"])
def test_payouts_are_exact_at_any_size(pays: str, bet: int, rounding: str) -> None:
    from fractions import Fraction
    from math import ceil, floor

    round_ = begin("As 6d Kh 5c", bets=(bet,), blackjack_pays=pays, rounding=rounding)
    won = bet * Fraction(pays.replace(":", "/"))
    expected = bet + (floor(won) if rounding == "down" else ceil(won))
    assert round_.hand_state(0, 0)[1] == expected
    assert round_.totals() == [(bet, expected)]


# ---------------------------------------------------------------- size


def test_64_boxes_of_64_hands() -> None:
    eights = " ".join(["8s"] * 64 + ["6d"] + ["8h"] * 64 + ["5c"])
    round_ = Round(
        Rules(decks=None, boxes=64, max_hands=64).compiled,
        Shoe(codes(eights + " 8d" * 62 + " Ts" * 64 + " Tc" * 300)),
    )
    round_.start([1] * 64)
    for _ in range(63):
        assert round_.apply(Action.SPLIT.code) == 0
    assert round_.hand_count(0) == 64
    assert round_.reason(Action.SPLIT.code) in (22, 23)
    while round_.phase != DONE:
        assert round_.apply(0) == 0
    assert [round_.hand_count(box) for box in range(64)] == [64] + [1] * 63
    assert sum(staked for staked, _ in round_.totals()) == 64 + 63


def test_the_longest_hand() -> None:
    """21 aces and one more card."""
    round_ = begin("As 6d " + "Ah 5c " + "Ac " * 19 + "Td")
    for _ in range(19):
        assert round_.apply(Action.HIT.code) == 0
    assert len(round_.hand_cards(0, 0)) == 21
    assert round_.hand_total(0, 0) == 21
    assert round_.apply(Action.HIT.code) == 0
    assert len(round_.hand_cards(0, 0)) == 22
    assert round_.hand_total(0, 0) == 31
    assert round_.phase == DONE


# ---------------------------------------------------------------- misuse


def test_a_running_round_is_not_started_or_cleared() -> None:
    for round_ in (begin("Ts 6d 9h 5c"), begin("Ts Ad 9h 5c")):
        state = round_.state()
        with pytest.raises(RuntimeError, match="a round is running"):
            round_.start([10])
        with pytest.raises(RuntimeError, match="a round is running"):
            round_.rest()
        assert round_.state() == state


def test_bets_that_do_not_fit() -> None:
    round_ = Round(Rules(boxes=2).compiled, Shoe(codes(MORE)))
    with pytest.raises(ValueError, match="at most 2 boxes"):
        round_.start([1, 2, 3])
    for wrong in (["10"], [None], [2**63]):
        with pytest.raises((TypeError, OverflowError)):
            round_.start(wrong)  # type: ignore[arg-type]
        assert (round_.phase, round_.box_state(0)[0]) == (IDLE, 0)


def test_looking_where_nothing_is() -> None:
    round_ = begin("Ts 6d 9h 5c", boxes=2)
    for box, hand in ((0, 1), (0, -1), (1, 0), (2, 0), (-1, 0)):
        with pytest.raises(IndexError):
            round_.hand_cards(box, hand)
        with pytest.raises(IndexError):
            round_.hand_state(box, hand)
        with pytest.raises(IndexError):
            round_.hand_total(box, hand)
    for box in (2, -1):
        with pytest.raises(IndexError):
            round_.hand_count(box)
        with pytest.raises(IndexError):
            round_.box_state(box)
    assert (round_.hand_count(1), round_.box_state(1)) == (0, (0, 0, 0))


def test_no_rules_and_no_shoe() -> None:
    for arguments in ((None, Shoe(b"")), (Rules().compiled, None)):
        with pytest.raises(TypeError):
            Round(*arguments)


def test_rest_clears_a_finished_round() -> None:
    round_ = begin("Ts 6d 9h 5c", "stand")
    assert round_.phase == DONE
    round_.rest()
    assert (round_.phase, round_.dealer(), round_.hand_count(0)) == (IDLE, b"", 0)


# ---------------------------------------------------------------- the log


def test_the_log_of_each_call() -> None:
    round_ = Round(
        Rules(boxes=1, insurance_on=["A"]).compiled, Shoe(codes("8s Ad 8h 9c 3d Th 2s 9d"))
    )
    round_.log_on()
    round_.start([10])
    c = {card.text: card.code for card in CARDS}
    assert round_.log() == [
        (1, 0, 0, c["8s"], 0),
        (2, 0, 1, c["Ad"], 0),
        (1, 0, 0, c["8h"], 0),
        (2, 0, 0, c["9c"], 0),
        (3, 0, 0, 0, 1 << 5 | 1 << 7),
    ]
    round_.apply(5)
    kinds = [entry[0] for entry in round_.log()]
    assert kinds == [4, 5, 9, 3]
    round_.apply(3)
    assert round_.log()[:2] == [(4, 0, 0, 3, 10), (1, 0, 0, c["3d"], 0)]
    assert round_.apply(5) == 3
    assert round_.log()[:2] == [(4, 0, 0, 3, 10), (1, 0, 0, c["3d"], 0)], "refused: the log stays"
    round_.apply(0)
    round_.apply(0)
    assert [entry[0] for entry in round_.log()] == [4, 6, 8, 8, 11]
    whole = decode_log(round_.log_bytes(True))
    assert [entry[0] for entry in whole].count(1) == 4
    assert whole[-5:] == round_.log()
    round_.log_on(False)
    assert round_.log() == []


# ---------------------------------------------------------------- state


@given(rules(), st.data())
@settings(max_examples=60)
def test_state_goes_back_at_every_decision(game: Rules, data: st.DataObject) -> None:
    """Undo, and go on in the same way; RandomSimTest of OpenSpiel, on states."""
    order = bytes(card.code for card in data.draw(shoes(Rules(decks=2)))) * 8
    round_ = Round(game.compiled, Shoe(order))
    other = Round(game.compiled, Shoe(order))
    round_.start([6] * game.boxes)
    while round_.phase != DONE:
        state = round_.state()
        legal = sorted(code for code in range(8) if round_.legal >> code & 1)
        action = data.draw(st.sampled_from(legal))
        round_.apply(data.draw(st.sampled_from(legal)))
        round_.restore(state)
        assert round_.state() == state
        other.restore(pickle.loads(pickle.dumps(state)))
        for one in (round_, other):
            assert one.apply(action) == 0
        assert other.state() == round_.state()
        assert other.totals() == round_.totals()


def test_a_state_of_other_rules_is_refused() -> None:
    round_ = begin("Ts 6d 9h 5c")
    other = Round(Rules(boxes=2).compiled, Shoe(codes("Ts 6d 9h 5c" + MORE)))
    with pytest.raises(ValueError, match="does not fit"):
        other.restore(round_.state())
    assert other.phase == IDLE


# ---------------------------------------------------------------- hand totals


def test_totals_of_all_small_hands() -> None:
    """Every multiset of one to five ranks, in one order each, against the reference."""
    for n in range(1, 6):
        for ranks in itertools.combinations_with_replacement(range(13), n):
            cards = bytes(rank * 4 for rank in ranks)
            words = [CARDS[code].text for code in cards]
            assert total(cards) == (reference_total(words), is_soft(words))


@given(st.lists(st.integers(0, 51), min_size=1, max_size=31))
def test_totals_of_any_hand(cards: list[int]) -> None:
    words = [CARDS[code].text for code in cards]
    assert total(bytes(cards)) == (reference_total(words), is_soft(words))
    assert total(bytes(cards)) == total(bytes(reversed(cards)))
    assert total(bytes(cards))[0] - low_total(words) == 10 * is_soft(words)


def test_hands_that_are_none() -> None:
    with pytest.raises(ValueError, match="0 to 51"):
        total(bytes([52]))
    with pytest.raises(ValueError, match="at most 31"):
        total(bytes(32))
    assert total(b"") == (0, False)


def test_codes_are_for_ever() -> None:
    """What round files, logs and saved tables rely on."""
    assert cards_text(CARDS[:5]) == "Ac Ad Ah As 2c"
    assert cards_text(CARDS[36:42]) == "Tc Td Th Ts Jc Jd"
    assert [str(action) for action in ACTIONS] == [
        "stand", "hit", "double", "split", "surrender", "insurance", "even_money", "decline",
    ]  # fmt: skip
    assert isinstance(Rules().compiled, RuleSet)


def test_accounts_and_funds_beyond_the_boxes_are_refused() -> None:
    round_ = Round(Rules(boxes=2).compiled, Shoe(Rules().shoe_cards, Source(seed=1)))
    round_.shoe.shuffle()
    before = round_.state()
    for accounts, funds in (([0], None), ([0, 2], None), ([-1, 0], None), (None, [5, 5, 5])):
        with pytest.raises(ValueError, match="expected"):
            round_.start([10, 10], accounts, funds)
        assert round_.state() == before
    for account in (-1, 2, 2**31 - 1):
        with pytest.raises(IndexError, match="no account"):
            round_.funds_of(account)
    round_.start([10, 10], [1, 0], [90, None])
    assert (round_.funds_of(0), round_.funds_of(1)) == (90, None)
