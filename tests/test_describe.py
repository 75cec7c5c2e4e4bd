"""`describe`: every rule that matters is said, none that is idle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.describe import describe
from blackjack.presets import PRESETS
from blackjack.rules import Rules

# field -> (a value other than the default, changes that make the field count)
CHANGES: dict[str, tuple[object, dict[str, object]]] = {
    "decks": (8, {}),
    "shuffle": ("every_round", {}),
    "boxes": (5, {}),
    "hit_soft_17": (True, {}),
    "hole_card": ("no_peek", {}),
    "peek_on": (["A"], {}),
    "upcard": ("second", {}),
    "dealer_blackjack_takes": ("original", {"hole_card": "none"}),
    "blackjack_pays": ("6:5", {}),
    "suited_blackjack_pays": ("2:1", {}),
    "pay_blackjack_at_once": (True, {}),
    "blackjack_ties_21": (True, {}),
    "double_on": ([10, 11], {}),
    "double_soft": (False, {}),
    "double_after_split": (False, {}),
    "double_split_aces": (True, {}),
    "hit_split_aces": (True, {}),
    "split_by": ("rank", {}),
    "max_hands": (3, {}),
    "max_ace_hands": (3, {"max_hands": 4}),
    "surrender": ("late", {}),
    "surrender_on": (["A", "T"], {"surrender": "late"}),
    "surrender_returns": ("1:4", {"surrender": "early"}),
    "insurance_on": (["A", "T"], {}),
    "insurance_pays": ("5:2", {}),
    "insurance_blocks": (["split"], {}),
    "even_money_on": (["A"], {}),
    "charlie_cards": (5, {}),
    "charlie_pays": ("2:1", {"charlie_cards": 7}),
    "hit_on_21": (False, {}),
    "push_on_22": (True, {}),
    "dealer_wins_ties": ([17], {}),
    "split_ace_ten_beats_21": (True, {}),
    "double_any_number": (True, {}),
    "redouble": (True, {}),
    "double_for_less": (True, {}),
    "partial_insurance": (True, {}),
    "burn": (1, {}),
    "composition": ({"T": 0}, {}),
    "min_bet": (5, {}),
    "max_bet": (500, {}),
    "bet_step": (5, {}),
    "chips": ([1, 5], {}),
    "limit_per": ("deal", {}),
    "rounding": ("up", {}),
    "private": (False, {}),
}

IDLE: list[tuple[dict[str, object], dict[str, object]]] = [
    ({}, {"charlie_pays": "2:1"}),
    ({}, {"dealer_blackjack_takes": "original"}),  # a peek on ace and ten finds every one
    ({}, {"surrender_returns": "1:4"}),
    ({"hole_card": "none"}, {"upcard": "second"}),
    ({"hole_card": "no_peek"}, {"peek_on": ["A"]}),
    ({"max_hands": 1}, {"double_after_split": False}),
    ({"max_hands": 1}, {"split_by": "rank"}),
    ({"max_ace_hands": 1}, {"hit_split_aces": True}),
    ({"double_on": []}, {"redouble": True}),
    ({"insurance_on": []}, {"insurance_pays": "5:2"}),
    ({"decks": None}, {"shuffle": "continuous"}),
    ({"decks": None}, {"burn": 1}),
]


def game(rules: Rules) -> list[str]:
    """The description without the title of a preset."""
    lines = describe(rules).splitlines()
    return lines[1:] if rules.name else lines


def test_every_field_has_a_case() -> None:
    assert set(CHANGES) == set(Rules().to_dict())


@pytest.mark.parametrize("field", CHANGES)
def test_a_rule_that_counts_is_said(field: str) -> None:
    value, setting = CHANGES[field]
    plain = Rules(**setting)
    assert game(plain) != game(plain.replace(**{field: value}))


@pytest.mark.parametrize(("setting", "change"), IDLE)
def test_an_idle_rule_is_not_said(setting: dict[str, object], change: dict[str, object]) -> None:
    plain = Rules(**setting)
    assert game(plain) == game(plain.replace(**change))


@given(st.sampled_from(sorted(PRESETS)), st.data())
def test_two_changes_at_once_are_both_said(name: str, data: st.DataObject) -> None:
    fields = data.draw(
        st.lists(st.sampled_from(sorted(CHANGES)), min_size=2, max_size=2, unique=True)
    )
    rules = Rules.preset(name)
    for field in fields:
        value, setting = CHANGES[field]
        rules = rules.replace(**setting, **{field: value})
    lines = describe(rules).splitlines()
    assert len(lines) == len(set(lines))
    assert all(line.endswith(".") and line.strip() == line for line in lines)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_named(name: str) -> None:
    rules = Rules.preset(name)
    assert rules.describe() == describe(rules)
    assert rules.name == name
    assert not describe(rules).startswith("Shoe")


@pytest.mark.parametrize("name", ["las_vegas", "atlantic_city"])
def test_houses_named_after_cities_are_not_the_cities(name: str) -> None:
    assert "not what is played in the city" in describe(Rules.preset(name)).splitlines()[0]


def test_a_changed_preset_loses_its_title() -> None:
    assert describe(Rules.preset("las_vegas").replace(decks=2)).startswith(
        "Shoe: 2 decks of 52 cards"
    )


def test_goldfishka_reads_as_its_page() -> None:
    text = describe(Rules.preset("goldfishka"))
    for line in (
        "Shoe: 6 decks of 52 cards, 312 in all.",
        "Shuffle: before every round.",
        "Dealer: two cards, the second one face up, the other one hidden.",
        "Split: two cards of equal value, a king and a ten too; up to 3 hands a box.",
        "Aces are split to 2 hands at most.",
    ):
        assert line in text.splitlines()
    assert "\n7-card charlie: a hand of 7 cards and 21 or less is paid 3:2 at once" in text


def test_upcards_in_a_row_are_a_range() -> None:
    assert "against 2 to 9 or a ten-value card;" in describe(Rules.preset("macau"))
