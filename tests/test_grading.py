"""Grading: each decision against brute force, whatever was on the table and in the shoe.

Not here: the analyzer (test_analysis), the command (test_analysis_cli).
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from blackjack import Action, Table, analyze, grade
from blackjack.cards import Card, parse_cards
from blackjack.errors import HistoryError
from blackjack.grading import Situation, values_at
from blackjack.history import replay
from blackjack.rules import Rules
from blackjack.testing import rounds
from blackjack.testing import rules as any_rules
from reference.exact import Exact
from tiny_games import cards, counts, exactly, tiny_houses

NEAR = 1e-12
SHOE = {"A": 3, "8": 4, "T": 8}
PLAYED = {
    "rules": "vegas_strip", "bets": [10], "cards": "Ts 6d 6h Td 5c 9c", "actions": ["hit", "stand"],
}  # fmt: skip


def test_what_a_decision_cost() -> None:
    result = grade(PLAYED)
    hit, stand = result.decisions
    assert (hit.cards, hit.upcard, hit.action, hit.best) == ("Ts 6h", "6", "hit", "stand")
    assert set(hit.values) == {"stand", "hit", "double", "surrender"}
    assert hit.cost == hit.values[Action.STAND] - hit.values[Action.HIT] > 0.3
    assert stand.cost == 0
    assert result.mistakes == (hit,)
    assert result.cost == hit.cost
    assert result.lost == 10 * hit.cost


def test_text_is_read_and_json_written() -> None:
    result = grade(json.dumps(PLAYED))
    data = json.loads(json.dumps(result.to_dict()))
    assert data["cost"] == result.cost
    assert data["decisions"][0]["best"] == "stand"
    assert data["decisions"][0]["values"]["hit"] == result.decisions[0].value


@pytest.mark.parametrize("name", ["goldfishka", "romanian", "continental", "vegas_strip"])
def test_first_decisions_against_brute_force(name: str) -> None:
    rules = tiny_houses()[name]
    exact = Exact(exactly(rules), cards(SHOE))
    for text in ("8h 8d", "Ac 8s", "Td 8c"):
        for up in "A8T":
            hand = tuple(parse_cards(text))
            own = [f"{card.rank}c" for card in hand]
            want = exact.values(own, f"{up}c")
            at = Situation(hand, Card(f"{up}s"), frozenset(map(Action, want)))
            assert values_at(rules, at, shoe=counts(SHOE)) == {
                action: pytest.approx(float(value), abs=NEAR) for action, value in want.items()
            }


@pytest.mark.parametrize("name", ["romanian", "continental", "vegas_strip"])
def test_offers_against_brute_force(name: str) -> None:
    rules = tiny_houses()[name]
    exact = Exact(exactly(rules), cards(SHOE))
    for text in ("8h 8d", "Ac Ts", "Td 8c"):
        hand = tuple(parse_cards(text))
        want = exact.offers([f"{card.rank}c" for card in hand], "Ac")
        at = Situation(hand, Card("As"), frozenset(map(Action, want)))
        assert values_at(rules, at, shoe=counts(SHOE)) == {
            action: pytest.approx(float(value), abs=NEAR) for action, value in want.items()
        }


def test_cards_of_other_boxes_are_seen() -> None:
    rules = Rules.preset("vegas_strip")
    legal = frozenset({Action.HIT, Action.STAND})
    few = [20] * 9 + [90]
    without = [*few[:9], few[9] - 4]
    hand, up = tuple(parse_cards("Ts 6h")), Card("Td")
    tens = tuple(parse_cards("Tc Jc Qc Kc"))
    seen = values_at(rules, Situation(hand, up, legal, tens), shoe=few)
    assert seen == values_at(rules, Situation(hand, up, legal), shoe=without)
    assert seen != values_at(rules, Situation(hand, up, legal), shoe=few)
    record = {
        "rules": "vegas_strip",
        "bets": [10, 0, 10],
        "cards": "Ts Tc Td 6h Jc 9d",
        "actions": ["stand", "stand"],
    }
    first = grade(record).decisions[0]
    full = [24] * 9 + [96]
    others = tuple(parse_cards("Tc Jc"))
    whole = frozenset(first.values)
    assert first.values == values_at(rules, Situation(hand, up, whole, others), shoe=full)


def test_split_hands_are_graded_on_their_own() -> None:
    record = {
        "rules": "vegas_strip",
        "bets": [10],
        "cards": "8s 6d 8h Td 3c Tc 9c Kh",
        "actions": ["split", "double", "stand"],
    }
    split, double, stand = grade(record).decisions
    assert (split.best, double.best, stand.best) == ("split", "double", "stand")
    assert (double.cards, double.hand) == ("8s 3c", 0)
    assert (stand.cards, stand.hand) == ("8h 9c", 1)
    assert set(double.values) == {"stand", "hit", "double"}


def test_a_part_counts_in_proportion() -> None:
    rules = {"preset": "vegas_strip", "partial_insurance": True, "double_for_less": True}
    base = {"rules": rules, "bets": [40], "cards": "5s As 6h 7d Tc"}
    whole = grade({**base, "actions": ["insurance", "double"]}).decisions
    half = grade({**base, "actions": ["insurance:10", "double:20"]}).decisions
    none = grade({**base, "actions": ["decline", "hit", "stand"]}).decisions
    insured = [d[0].value for d in (whole, half, none)]
    assert insured[1] == pytest.approx((insured[0] + insured[2]) / 2, abs=NEAR)
    assert half[1].value == pytest.approx(0.75 * whole[1].value, abs=NEAR)
    assert half[1].part == 20
    assert half[1].to_dict()["action"] == "double:20"


def test_a_tables_record_is_graded() -> None:
    table = Table("romanian", seed=5, record=True)
    for _ in range(20):
        table.bet(0, 4)
        table.deal()
        while (turn := table.turn) is not None:
            table.act(turn.passive)
    results = [grade(record) for record in table.records or []]
    assert sum(len(r.decisions) for r in results) >= 20
    assert all(d.cost >= 0 for r in results for d in r.decisions)
    assert any(r.mistakes for r in results)


def test_best_play_costs_nothing() -> None:
    table = Table("goldfishka", seed=3, record=True)
    for _ in range(12):
        table.bet(0, 10)
        table.deal()
        while table.turn is not None:
            record_so_far = values_at(table.rules, situation(table))
            table.act(max(record_so_far, key=lambda a: record_so_far[a]))
        assert grade((table.records or [])[-1]).mistakes == ()


def situation(table: Table) -> Situation:
    """What a single player's table shows."""
    turn = table.turn
    assert turn is not None
    box = table.view().boxes[turn.box]
    others = [c for i, h in enumerate(box.hands) if i != turn.hand_index for c in h.cards]
    return Situation(
        turn.hand.cards,
        turn.upcard,
        turn.actions,
        tuple(others),
        len(box.hands),
        box.insurance > 0,
        turn.hand.stake / box.bet,
    )


def test_cards_that_the_shoe_does_not_have() -> None:
    with pytest.raises(HistoryError, match="more of a rank on the table than the shoe holds"):
        grade({**PLAYED, "rules": {"preset": "vegas_strip", "decks": 1},
               "cards": "2s 6d 2h Td 2c 2c 2d Tc", "actions": ["hit", "hit", "hit", "stand"]})  # fmt: skip
    with pytest.raises(HistoryError, match="more of a rank"):
        grade(PLAYED, shoe=[4] * 9 + [0])


def test_no_legal_round() -> None:
    with pytest.raises(HistoryError, match="the round goes on"):
        grade({**PLAYED, "actions": ["hit"]})
    with pytest.raises(HistoryError, match="has no bets"):
        grade({"rules": "macau"})


@settings(max_examples=15, deadline=None)
@given(rounds(any_rules()))
def test_any_round_is_graded(record: dict[str, Any]) -> None:
    decisions = grade(record).decisions
    legal = replay(record)["legal"]
    assert [sorted(map(str, d.values)) for d in decisions] == legal
    assert all(d.cost >= 0 for d in decisions)


def test_a_doubled_hand_may_double_again() -> None:
    record = {
        "rules": {"redouble": True, "double_for_less": True},
        "bets": [10],
        "cards": "2s 6d 3s 8h 4c 2c Ts 9c",
        "actions": ["double:5", "double", "stand"],
    }
    first, second, third = grade(record).decisions
    assert set(second.values) == {Action.STAND, Action.DOUBLE}
    assert third.values.keys() == second.values.keys()
    # one and a half bets lie on it, and all is in proportion after the peek
    whole = grade({**record, "actions": ["double", "double", "stand"]}).decisions
    assert second.value == pytest.approx(0.75 * whole[1].value, abs=1e-12)
    assert first.value == pytest.approx(0.75 * whole[0].value, abs=1e-12)
    assert whole[2].values[Action.STAND] == pytest.approx(
        2 * whole[1].values[Action.STAND], rel=0.2
    )


def test_a_double_for_less_where_only_the_original_bet_is_lost() -> None:
    """What a dealer blackjack takes is no part of what is doubled."""
    rules = {
        "hole_card": "none",
        "dealer_blackjack_takes": "original",
        "double_for_less": True,
        "max_hands": 1,
    }
    record = {"rules": rules, "bets": [10], "cards": "6s Td 5s Ts 9c", "actions": ["double:1"]}
    (least,) = grade(record).decisions
    (whole,) = grade({**record, "actions": ["double"]}).decisions
    game = analyze(Rules.from_dict(rules))
    loss = game.dealer("T", hand="6 5")["blackjack"]
    assert least.value + loss == pytest.approx((whole.value + loss) * 11 / 20, abs=1e-12)


@pytest.mark.parametrize("takes", ["original", "original_and_busted"])
def test_hands_that_cannot_split_are_graded_under_any_rules(takes: str) -> None:
    rules = {"hole_card": "none", "dealer_blackjack_takes": takes, "blackjack_ties_21": True}
    record = {**PLAYED, "rules": rules, "cards": "Ts Ad 6h 9c 5c Tc"}
    hit, stand = grade({**record, "actions": ["decline", "hit"]}).decisions[:2]
    assert hit.values[Action.DECLINE] > hit.values[Action.INSURANCE]
    assert Action.HIT in stand.values
