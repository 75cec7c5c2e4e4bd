"""`blackjack.testing`: what the strategies promise to people who use them.

Lives here: cards, shoes, rules, bets, rounds as drawn. Not here: what this suite tests with them.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack import Card, Rules, Table
from blackjack.history import replay
from blackjack.presets import PRESETS
from blackjack.testing import bets, cards, rounds, rules, shoes


@given(cards(), cards(ranks="AT", suits="s"))
def test_cards(card: Card, other: Card) -> None:
    assert Card(card.text) is card
    assert other.text in ("As", "Ts")


@given(st.data(), rules())
@settings(max_examples=40)
def test_shoes_hold_the_games_cards(data: st.DataObject, game: Rules) -> None:
    shoe = data.draw(shoes(game))
    assert Counter(c.code for c in shoe) == Counter(game.shoe_cards * (1 if game.decks else 8))


@given(rules(decks=2, surrender="late"), rules(presets=False))
def test_rules_with_fixed_fields(game: Rules, other: Rules) -> None:
    assert (game.decks, game.surrender) == (2, "late")
    assert isinstance(other, Rules)


@pytest.mark.parametrize("fixed", [{"max_hands": 1}, {"max_bet": 7}, {"max_ace_hands": 2}])
def test_a_fixed_field_pulls_others_along(fixed: dict[str, Any]) -> None:
    @settings(max_examples=20)
    @given(rules(**fixed))
    def check(game: Rules) -> None:
        assert {name: getattr(game, name) for name in fixed} == fixed

    check()


@given(st.data(), rules(private=True))
@settings(max_examples=60)
def test_bets_are_dealt_to(data: st.DataObject, game: Rules) -> None:
    amounts = data.draw(bets(game))
    assert len(amounts) == game.boxes
    assert any(amounts)
    table = Table(game, seed=1)
    for box, amount in enumerate(amounts):
        if amount:
            table.bet(box, amount)
    assert table.why_not("deal") is None


@given(rounds(), rounds(PRESETS["romanian"]), rounds(rules(decks=1)))
@settings(max_examples=40)
def test_rounds_replay(one: dict[str, Any], house: dict[str, Any], single: dict[str, Any]) -> None:
    for record in (one, house, single):
        answer = replay(record)
        assert len(answer["legal"]) == len(record["actions"])
        assert answer["cards_used"] == len(record["cards"].split())
    assert Rules.from_dict(house["rules"]) == PRESETS["romanian"]


@given(st.data(), rules(min_bet=1, max_bet=7, limit_per="deal", rounding="down", bet_step=3))
@settings(max_examples=30)
def test_bets_share_the_limit_of_a_deal(data: st.DataObject, game: Rules) -> None:
    amounts = data.draw(bets(game))
    assert 0 < sum(amounts) <= 7
    assert all(amount in (0, 3, 6) for amount in amounts)


def test_limits_that_leave_no_bet() -> None:
    with pytest.raises(ValueError, match="leave some bet"):
        bets(Rules(min_bet=4, max_bet=5, bet_step=3))


def test_without_hypothesis_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "try:\n    import blackjack.testing\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'blackjack-engine[testing]'" in done.stdout
