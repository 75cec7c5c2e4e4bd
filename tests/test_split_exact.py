"""Split hands played with full memory: published figures, laws, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from blackjack import Rules
from blackjack.outcomes import exact_split_value

# E. Farmer's blackjack_split (dynamic programming over the complete state of the round), one deck, any two
# cards may be doubled, two hands, one card to split aces: (pair, upcard) -> value.
PEEK = {  # dealer stands on soft 17, double after split; given no dealer blackjack
    "AA": 0.22393140310932302,
    "8T": -0.4512626075678025,
    "T6": 0.5251069076266405,
    "55": 0.20529205249506197,
}
H17 = {"8T": -0.4512626075678025, "T6": 0.5079745294527944, "55": 0.20780184930908313}
NDAS = {"8T": -0.46136490699831767, "55": 0.06811715183228835}
NO_HOLE_CARD = {"AA": -0.5022502795386192, "8T": -0.5868267808164528}  # all bets lost


@pytest.mark.parametrize(
    ("fields", "figures"),
    [
        ({}, PEEK),
        ({"hit_soft_17": True}, H17),
        ({"double_after_split": False}, NDAS),
        ({"hole_card": "none"}, NO_HOLE_CARD),
    ],
    ids=["S17", "H17", "no double after split", "no hole card"],
)
def test_published_values(fields: dict[str, Any], figures: dict[str, float]) -> None:
    rules = Rules(decks=1, max_hands=2, **fields)
    for cards, figure in figures.items():
        value = exact_split_value(rules, None, cards[0], cards[1])
        assert value.given_no_blackjack == pytest.approx(figure, abs=1e-12)


@pytest.mark.slow
def test_published_value_of_twos() -> None:
    value = exact_split_value(Rules(decks=1, max_hands=2), None, "2", "T")
    assert value.given_no_blackjack == pytest.approx(-0.4505217446870412, abs=1e-12)


def test_a_peek_is_weighed_at_the_end() -> None:
    value = exact_split_value(Rules(decks=1, max_hands=2), None, "8", "T")
    natural = 4 / 49
    assert value.unconditional == pytest.approx(
        (1 - natural) * value.given_no_blackjack - natural, abs=1e-14
    )


@pytest.mark.parametrize(
    ("fields", "pair", "text"),
    [
        ({"decks": None, "max_hands": 2}, "8", "decks: an infinite shoe"),
        ({"max_hands": 4}, "8", "max_hands: full-memory play is known for two hands"),
        ({"max_hands": 4, "max_ace_hands": 3}, "A", "max_ace_hands: full-memory"),
        ({"max_hands": 1}, "8", "max_hands: pairs may not be split"),
        (
            {"hole_card": "none", "dealer_blackjack_takes": "original", "max_hands": 2},
            "8",
            "dealer_blackjack_takes",
        ),
        ({"split_by": "rank", "max_hands": 2}, "T", "split_by"),
        ({}, "B", "expected a pair and an upcard"),
    ],
)
def test_what_is_not_computed_is_refused(fields: dict[str, Any], pair: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        exact_split_value(Rules(**fields), None, pair, "T")
