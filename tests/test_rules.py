"""`Rules`: every field and its forms, contradictions, files, fingerprint, presets.

Lives here: rules as data. Not here: what they do to a round (test_differential, the conformance
rounds), their words (test_describe).
"""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.errors import BlackjackError, RulesError
from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import TABLE_FIELDS, Rules, Shuffle
from blackjack.testing import rules
from blackjack_core.ruleset import RuleSet

UPCARDS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
HALF, TWO = Fraction(1, 2), Fraction(2)

# The table of fields, typed a second time on purpose.
DEFAULTS: dict[str, Any] = {
    "decks": 6,
    "shuffle": Shuffle("cut_card", Fraction(3, 4)),
    "boxes": 7,
    "hit_soft_17": False,
    "hole_card": "peek",
    "peek_on": ("A", "T"),
    "upcard": "first",
    "dealer_blackjack_takes": "all",
    "blackjack_pays": Fraction(3, 2),
    "suited_blackjack_pays": None,
    "pay_blackjack_at_once": False,
    "blackjack_ties_21": False,
    "double_on": "any",
    "double_soft": True,
    "double_after_split": True,
    "double_split_aces": False,
    "hit_split_aces": False,
    "split_by": "value",
    "max_hands": 4,
    "max_ace_hands": 2,
    "surrender": "none",
    "surrender_on": UPCARDS,
    "surrender_returns": HALF,
    "insurance_on": ("A",),
    "insurance_pays": TWO,
    "insurance_blocks": (),
    "even_money_on": (),
    "charlie_cards": None,
    "charlie_pays": Fraction(1),
    "hit_on_21": True,
    "push_on_22": False,
    "dealer_wins_ties": (),
    "split_ace_ten_beats_21": False,
    "double_any_number": False,
    "redouble": False,
    "double_for_less": False,
    "partial_insurance": False,
    "burn": 0,
    "composition": None,
    "min_bet": 1,
    "max_bet": None,
    "bet_step": 1,
    "chips": (),
    "limit_per": "box",
    "rounding": "down",
    "private": True,
}

SOURCE_001: dict[str, Any] = {
    "boxes": 1,
    "hole_card": "none",
    "suited_blackjack_pays": TWO,
    "double_on": (9, 10, 11),
    "max_hands": 2,
    "hit_on_21": False,
    "limit_per": "deal",
}
# What each preset is besides the defaults.
EXPECTED: dict[str, dict[str, Any]] = {
    "goldfishka": {
        "shuffle": Shuffle("every_round"),
        "hole_card": "no_peek",
        "upcard": "second",
        "even_money_on": ("A",),
        "hit_split_aces": True,
        "max_hands": 3,
        "surrender": "early",
        "charlie_cards": 7,
        "charlie_pays": Fraction(3, 2),
    },
    "las_vegas": {**SOURCE_001, "decks": 1, "shuffle": Shuffle("fewer_than", 22)},
    "atlantic_city": {**SOURCE_001, "shuffle": Shuffle("fewer_than", 44)},
    "continental": {
        "hole_card": "no_peek",
        "upcard": "second",
        "pay_blackjack_at_once": True,
        "even_money_on": ("A", "T"),
        "insurance_on": ("A", "T"),
        "max_hands": 2,
    },
    "romanian": {
        "boxes": 1,
        "peek_on": ("A",),
        "blackjack_ties_21": True,
        "insurance_pays": Fraction(5, 2),
        "insurance_blocks": ("double", "split"),
        "max_hands": 2,
        "hit_split_aces": True,
        "double_split_aces": True,
        "surrender": "early",
        "chips": (4, 20, 40, 100, 200, 400, 2000),
        "bet_step": 4,
    },
    "vegas_strip": {"hit_soft_17": True, "surrender": "late"},
    "downtown_vegas": {"decks": 2, "hit_soft_17": True},
    "single_deck_65": {
        "decks": 1,
        "hit_soft_17": True,
        "double_after_split": False,
        "blackjack_pays": Fraction(6, 5),
    },
    "european": {
        "hole_card": "none",
        "double_on": (9, 10, 11),
        "double_soft": False,
        "max_hands": 2,
    },
    "atlantic_city_8": {"decks": 8},
    "macau": {
        "decks": 8,
        "hole_card": "none",
        "surrender": "early",
        "surrender_on": UPCARDS[1:],
    },
}


def held(game: Rules) -> dict[str, Any]:
    return {field.name: getattr(game, field.name) for field in fields(game)}


def test_defaults() -> None:
    assert held(Rules()) == DEFAULTS


@pytest.mark.parametrize("name", EXPECTED)
def test_preset(name: str) -> None:
    assert held(Rules.preset(name)) == {**DEFAULTS, **EXPECTED[name]}
    assert Rules.preset(name) is PRESETS[name]
    assert Rules.from_dict(name) is PRESETS[name]
    assert PRESETS[name].name == name


def test_no_preset_is_missing() -> None:
    assert list(PRESETS) == list(EXPECTED)
    assert list(HOUSES) == list(EXPECTED)[:5]
    with pytest.raises(TypeError):
        PRESETS["mine"] = Rules()  # type: ignore[index]


@pytest.mark.parametrize("name", ["nowhere", "", None, 7, "Goldfishka"])
def test_a_preset_that_is_none_is_refused(name: Any) -> None:
    with pytest.raises(RulesError, match="goldfishka, las_vegas"):
        Rules.preset(name)


# -- every field: (given, held) and what is refused

THREE_TO_TWO = ("3:2", "3/2", Fraction(3, 2))
RATIO = [*((form, Fraction(3, 2)) for form in THREE_TO_TWO), (2, TWO), ("2", TWO), ("0:1", 0)]
NO_RATIO = [1.5, "1.5", "1e2", "3:0", "3:2:1", "", "x", -1, "-1:2", "101:1", "1:1001", True, [3, 2]]
FLAG = [(True, True), (False, False)]
NO_FLAG = [1, 0, "true", None]

ACCEPTED: dict[str, list[tuple[Any, Any]]] = {
    "decks": [(1, 1), (8, 8), (1000, 1000), (None, None)],
    "shuffle": [
        ("every_round", Shuffle("every_round")),
        ("exhaust", Shuffle("exhaust")),
        ("continuous", Shuffle("continuous")),
        ({"cut_card": 0.75}, Shuffle("cut_card", Fraction(3, 4))),
        ({"cut_card": 0.1}, Shuffle("cut_card", Fraction(1, 10))),
        ({"cut_card": "2/3"}, Shuffle("cut_card", Fraction(2, 3))),
        ({"cut_card": 1}, Shuffle("cut_card", Fraction(1))),
        ({"fewer_than": 52}, Shuffle("fewer_than", 52)),
        (Shuffle("exhaust"), Shuffle("exhaust")),
    ],
    "boxes": [(1, 1), (64, 64)],
    "hole_card": [(name, name) for name in ("peek", "no_peek", "none")],
    "peek_on": [(["T", "A"], ("A", "T")), ([], ()), (("A",), ("A",))],
    "upcard": [("first", "first"), ("second", "second")],
    "dealer_blackjack_takes": [(n, n) for n in ("all", "original", "original_and_busted")],
    "blackjack_pays": RATIO,
    "suited_blackjack_pays": [*RATIO, (None, None)],
    "double_on": [
        ("any", "any"),
        ([11, 10, 10], (10, 11)),
        ([], ()),
        (range(2, 22), tuple(range(2, 22))),
    ],
    "split_by": [("value", "value"), ("rank", "rank")],
    "max_hands": [(2, 2), (64, 64)],
    "max_ace_hands": [(1, 1), (4, 4), (None, 2)],
    "surrender": [(name, name) for name in ("none", "late", "early")],
    "surrender_on": [(["T", "2"], ("2", "T")), ([], ()), ("all", UPCARDS), (None, UPCARDS)],
    "surrender_returns": [("1:2", HALF), (1, Fraction(1)), (0, Fraction(0))],
    "insurance_on": [(["T", "A"], ("A", "T")), ([], ())],
    "insurance_pays": RATIO,
    "insurance_blocks": [
        (["split", "double"], ("double", "split")),
        (["hit", "surrender"], ("hit", "surrender")),
    ],
    "even_money_on": [(["A", "T", "9"], ("A", "9", "T"))],
    "charlie_cards": [(3, 3), (7, 7), (22, 22), (None, None)],
    "charlie_pays": RATIO,
    "dealer_wins_ties": [
        (True, (17, 18, 19, 20, 21)),
        (False, ()),
        ([19, 17], (17, 19)),
        ("all", (17, 18, 19, 20, 21)),
    ],
    "burn": [(0, 0), (5, 5)],
    "composition": [
        ({"T": 0}, (4,) * 9 + (0,) + (4,) * 3),
        ([4] * 13, None),
        ([4] * 9 + [16], None),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 7], (1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 2, 2)),
        (None, None),
    ],
    "min_bet": [(5, 5), (2**53, 2**53)],
    "max_bet": [(5, 5), (2**53, 2**53), (None, None)],
    "bet_step": [(5, 5)],
    "chips": [([100, 25, 25], (25, 100)), ([], ())],
    "limit_per": [("box", "box"), ("deal", "deal")],
    "rounding": [(name, name) for name in ("down", "up", "exact")],
}
REFUSED: dict[str, list[Any]] = {
    "decks": [0, -1, 1001, 6.0, "6", True, [6]],
    "shuffle": [
        "never",
        "fewer_than",
        {},
        {"cut_card": 0},
        {"cut_card": 1.01},
        {"cut_card": float("nan")},
        {"cut_card": True},
        {"cut_card": None},
        {"cut_card": "x"},
        {"fewer_than": 0},
        {"fewer_than": 1.5},
        {"fewer_than": 10, "cut_card": 0.5},
        {"exhaust": 1},
        0.75,
        None,
    ],
    "boxes": [0, 65, 1.0, True, None],
    "hole_card": ["second", None, True, ""],
    "peek_on": [["K"], ["2"], "A", 1, None, {}],
    "upcard": ["third", None],
    "dealer_blackjack_takes": ["none", None],
    "blackjack_pays": [*NO_RATIO, None],
    "suited_blackjack_pays": NO_RATIO,
    "double_on": ["all", [1], [22], ["10"], [10.0], [True], 10, None],
    "split_by": ["suit", None],
    "max_hands": [0, 65, None, 2.0, True],
    "max_ace_hands": [0, 65, 1.0, True],
    "surrender": ["always", None, False],
    "surrender_on": [["K"], ["10"], 7],
    "surrender_returns": [*NO_RATIO, "3:2", 2, None],
    "insurance_on": [["K"], "A", 1, None, {}],
    "insurance_pays": [*NO_RATIO, None],
    "insurance_blocks": [["stand"], ["insurance"], "hit", None],
    "even_money_on": [["J"], "A", None, {}],
    "charlie_cards": [2, 23, 5.0, True, "5"],
    "charlie_pays": [*NO_RATIO, None],
    "dealer_wins_ties": [[16], [22], ["17"], 17, None],
    "burn": [-1, 1001, 1.0, None],
    "composition": [[4] * 12, [-1] * 13, [4.0] * 13, {"X": 1}, {"A": -1}, 4, "A"],
    "min_bet": [0, -1, 1.0, True, None, 2**53 + 1],
    "max_bet": [0, 1.0, True, 2**53 + 1],
    "bet_step": [0, 1.0, None],
    "chips": [[0], [-5], [1.0], [True], 5, None],
    "limit_per": ["table", None],
    "rounding": ["nearest", None],
}
for flag, default in DEFAULTS.items():
    if isinstance(default, bool):
        ACCEPTED.setdefault(flag, FLAG)
        REFUSED.setdefault(flag, NO_FLAG)


def test_every_field_is_tried() -> None:
    assert set(ACCEPTED) == set(REFUSED) == set(DEFAULTS)


def cases(table: dict[str, list[Any]]) -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}-{i}")
        for name, tried in table.items()
        for i, case in enumerate(tried)
    ]


@pytest.mark.parametrize(("name", "case"), cases(ACCEPTED))
def test_accepted(name: str, case: tuple[Any, Any]) -> None:
    given_, expected = case
    game = Rules(**{name: given_})
    assert getattr(game, name) == expected
    assert type(getattr(game, name)) is not list
    assert {**held(game), name: DEFAULTS[name]} == DEFAULTS | (
        {"max_ace_hands": game.max_ace_hands} if name == "max_hands" else {}
    )
    assert Rules.from_dict(json.loads(json.dumps(game.to_dict()))) == game


@pytest.mark.parametrize(("name", "value"), cases(REFUSED))
def test_refused(name: str, value: Any) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**{name: value})
    assert caught.value.fields == (name,)
    assert len(caught.value.problems) == 1
    assert "got" in str(caught.value)


# -- contradictions


def test_all_problems_are_named_at_once() -> None:
    wrong: dict[str, Any] = {name: tried[0] for name, tried in REFUSED.items()}
    with pytest.raises(RulesError) as caught:
        Rules(**wrong, surprise=1)
    assert set(caught.value.fields) == {*wrong, "surprise"}
    assert len(caught.value.problems) == len(wrong) + 1
    for name in wrong:
        assert name in str(caught.value)


def test_all_contradictions_are_named_at_once() -> None:
    wrong = {"max_hands": 2, "max_ace_hands": 3, "min_bet": 10, "max_bet": 5, "burn": 400}
    with pytest.raises(RulesError) as caught:
        Rules(**wrong)
    contradictions = [("max_ace_hands", "max_hands"), ("min_bet", "max_bet"), ("decks", "burn")]
    assert [names for names, _ in caught.value.problems] == contradictions
    with pytest.raises(RulesError) as caught:
        Rules(**wrong, rounding="nearest")
    # the shoe can be looked at only when every value is right
    assert [n for n, _ in caught.value.problems] == [("rounding",), *contradictions[:2]]


def test_a_wrong_value_brings_no_contradiction_with_it() -> None:
    with pytest.raises(RulesError) as caught:
        Rules(max_hands="four", max_ace_hands=3, decks="many", burn=50)
    assert caught.value.fields == ("decks", "max_hands")


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"max_hands": 3, "max_ace_hands": 4}, ("max_ace_hands", "max_hands")),
        ({"min_bet": 2, "max_bet": 1}, ("min_bet", "max_bet")),
        ({"composition": [0] * 13}, ("composition",)),
        ({"decks": 1, "composition": dict.fromkeys("A23456789TJ", 0)}, ("decks", "composition")),
        ({"decks": 1, "burn": 40}, ("decks", "burn")),
        ({"decks": 1, "shuffle": {"fewer_than": 53}}, ("shuffle", "decks")),
    ],
)
def test_contradiction(values: dict[str, Any], named: tuple[str, ...]) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**values)
    assert [names for names, _ in caught.value.problems] == [named]


@pytest.mark.parametrize(
    "idle",
    [
        {"charlie_pays": "5:1"},
        {"hole_card": "none", "upcard": "second"},
        {"hole_card": "none", "peek_on": ["A"]},
        {"hole_card": "no_peek", "peek_on": []},
        {"surrender": "none", "surrender_on": ["A"], "surrender_returns": "1:1"},
        {"insurance_on": [], "insurance_pays": "5:2", "insurance_blocks": ["hit"]},
        {"insurance_on": [], "partial_insurance": True},
        {"max_hands": 1, "double_after_split": True, "hit_split_aces": True, "split_by": "rank"},
        {"double_on": [], "double_soft": False, "redouble": True, "double_for_less": True},
        {"decks": None, "shuffle": {"fewer_than": 1000}, "burn": 1000},
        {"even_money_on": ["2", "9"], "insurance_on": ["7"]},
        {"blackjack_pays": "1:1", "suited_blackjack_pays": "0:1"},
        {"max_bet": 10, "chips": [100], "bet_step": 7},
    ],
)
def test_idle_fields_are_no_contradiction(idle: dict[str, Any]) -> None:
    game = Rules(**idle)
    assert game == Rules.from_json(game.to_json())


def test_unknown_fields() -> None:
    with pytest.raises(RulesError) as caught:
        Rules(decks=6, deck=6, hit_soft17=True)
    assert caught.value.fields == ("deck", "hit_soft17")
    with pytest.raises(TypeError):
        Rules(6)  # type: ignore[call-arg]


def test_the_error_is_a_value() -> None:
    with pytest.raises(BlackjackError) as caught:
        Rules(decks=0)
    error = caught.value
    assert isinstance(error, RulesError)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.problems, str(again)) == (error.problems, str(error))


# -- values


@given(rules())
def test_values_are_frozen_and_hashable(game: Rules) -> None:
    with pytest.raises(FrozenInstanceError):
        game.decks = 1  # type: ignore[misc]
    twin = Rules(**held(game))
    assert (twin, hash(twin)) == (game, hash(game))
    assert eval(repr(game), {"Rules": Rules, "Shuffle": Shuffle, "Fraction": Fraction}) == game


@given(rules())
def test_round_trips(game: Rules) -> None:
    assert Rules.from_dict(game.to_dict()) == game
    assert Rules.from_json(game.to_json()) == game
    assert Rules.from_toml(game.to_toml()) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert copy.copy(game) == game
    assert copy.deepcopy(game) == game
    assert set(json.loads(game.to_json())) == set(DEFAULTS)


@given(rules())
def test_the_compiled_form_follows(game: Rules) -> None:
    compiled = game.compiled
    assert isinstance(compiled, RuleSet)
    assert compiled == Rules(**held(game)).compiled
    assert hash(compiled) == hash(Rules(**held(game)).compiled)
    assert pickle.loads(pickle.dumps(compiled)) == compiled


def test_files_with_a_preset() -> None:
    expected = PRESETS["goldfishka"].replace(decks=8)
    assert Rules.from_dict({"preset": "goldfishka", "decks": 8}) == expected
    assert Rules.from_json('{"preset": "goldfishka", "decks": 8}') == expected
    assert Rules.from_toml('preset = "goldfishka"\ndecks = 8\n') == expected
    assert Rules.from_json('"macau"') == PRESETS["macau"]
    assert Rules.from_toml('decks = "infinite"').decks is None


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", '{"deck": 6}', '{"preset": 7}'])
def test_json_that_is_no_rules(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(text)


@pytest.mark.parametrize("text", ["decks", "deck = 6", 'decks = "six"', 'preset = "nowhere"'])
def test_toml_that_is_no_rules(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.from_toml(text)


def test_replace() -> None:
    game = PRESETS["vegas_strip"]
    assert game.replace() == game
    assert game.replace(decks=8).replace(decks=6) == game
    assert game.decks == 6
    with pytest.raises(RulesError):
        game.replace(decks=0)
    with pytest.raises(RulesError):
        game.replace(deck=1)


def test_replace_lowers_the_ace_hands_along() -> None:
    four = Rules(max_hands=4, max_ace_hands=4)
    assert four.replace(max_hands=2).max_ace_hands == 2
    assert four.replace(max_hands=1).max_ace_hands == 1
    assert four.replace(max_hands=6).max_ace_hands == 4
    with pytest.raises(RulesError):
        four.replace(max_hands=2, max_ace_hands=3)
    assert Rules(max_hands=1).max_ace_hands == 1


# -- fingerprint and difference

OTHER: dict[str, Any] = {
    name: next(value for value, kept in tried if kept != DEFAULTS[name])
    for name, tried in ACCEPTED.items()
}


def test_table_fields() -> None:
    assert set(TABLE_FIELDS) == {
        "min_bet", "max_bet", "bet_step", "chips", "limit_per", "rounding", "private",
    }  # fmt: skip


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_fingerprint_is_of_the_game(name: str) -> None:
    changed = Rules().replace(**{name: OTHER[name]})
    assert changed != Rules()
    same_game = name in TABLE_FIELDS
    assert (changed.fingerprint == Rules().fingerprint) == same_game
    assert list(Rules().diff(changed))[0:1] == [name] or name == "max_hands"
    assert set(Rules().diff(changed)) <= {name, "max_ace_hands"}
    assert Rules().diff(changed)[name] == (Rules().to_dict()[name], changed.to_dict()[name])
    assert changed.diff(Rules()) == {n: (b, a) for n, (a, b) in Rules().diff(changed).items()}


@given(rules(), rules())
def test_equal_games_have_equal_fingerprints(one: Rules, other: Rules) -> None:
    same = {n for n in one.diff(other) if n not in TABLE_FIELDS} == set()
    assert (one.fingerprint == other.fingerprint) == same
    assert len(one.fingerprint) == 16
    assert int(one.fingerprint, 16) >= 0
    assert one.diff(one) == {}


def test_presets_are_different_games() -> None:
    assert len({game.fingerprint for game in PRESETS.values()}) == len(PRESETS)
    assert PRESETS["romanian"].replace(chips=[], min_bet=100).name == "romanian"
    assert PRESETS["romanian"].replace(decks=8).name is None


# -- derived


@given(rules(), st.integers(1, 1000))
def test_the_cut(game: Rules, n: int) -> None:
    if game.shuffle.kind == "cut_card":
        depth = game.shuffle.cut(n)
        assert isinstance(game.shuffle.value, Fraction)
        assert depth - 1 < game.shuffle.value * n <= depth


@given(rules())
def test_the_shoe(game: Rules) -> None:
    if game.decks is None:
        assert game.shoe_size is None
        assert len(game.shoe_cards) == sum(game.rank_counts)
    else:
        assert game.shoe_size == len(game.shoe_cards) == game.decks * sum(game.rank_counts)


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ({"insurance_on": []}, 2),
        ({}, 2),
        ({"blackjack_pays": "6:5", "insurance_on": []}, 5),
        ({"blackjack_pays": "6:5"}, 10),
        ({"blackjack_pays": "1:1", "insurance_on": []}, 1),
        ({"blackjack_pays": "1:1", "insurance_pays": "5:2"}, 4),
        ({"charlie_pays": "7:3"}, 2),
        ({"charlie_pays": "7:3", "charlie_cards": 5}, 6),
        ({"surrender_returns": "3:4"}, 2),
        ({"surrender_returns": "3:4", "surrender": "late"}, 4),
        ({"suited_blackjack_pays": "9:7", "insurance_on": []}, 14),
    ],
)
def test_the_exact_unit(values: dict[str, Any], unit: int) -> None:
    assert Rules(**values).exact_unit == unit


def test_compiled_rules_refuse_what_rules_cannot_hold() -> None:
    whole = Rules().compiled.fields
    for wrong in ({"boxes": 0}, {"boxes": 65}, {"max_hands": 0}, {"max_hands": 65}):
        with pytest.raises(ValueError, match="boxes"):
            RuleSet(**{**whole, **wrong})
    with pytest.raises(ValueError, match="ratio"):
        RuleSet(**{**whole, "blackjack_pays": (101, 1)})
    with pytest.raises(TypeError, match="redouble"):
        RuleSet(**{name: value for name, value in whole.items() if name != "redouble"})
