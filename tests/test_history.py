"""Round files: what is read, what is refused, exact amounts, and records that replay alike."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack.actions import Action
from blackjack.errors import HistoryError, RulesError
from blackjack.history import (
    load_json,
    parse_record,
    read_records,
    record_of,
    record_text,
    replay,
    replay_lines,
    rules_of,
)
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.table import Table

GOOD: dict[str, Any] = {
    "id": "x1",
    "rules": "goldfishka",
    "bets": [40, 80],
    "cards": "4h 8c Jh 6s 3s 2d Jc 7d",
    "actions": ["double", "stand"],
}


def error_of(record: object) -> str:
    """The error in the answer to one record, whatever it is."""
    text = record if isinstance(record, str) else json.dumps(record)
    (answer,) = replay_lines(text)
    assert set(answer) == {"id", "error"}, answer
    assert isinstance(answer["error"], str)
    assert answer["error"]
    return str(answer["error"])


# ---------------------------------------------------------------- the shape of an answer


def test_the_answer_has_the_contracts_shape() -> None:
    (answer,) = replay_lines(json.dumps(GOOD))
    assert answer == {
        "id": "x1",
        "legal": [["double", "hit", "stand", "surrender"]] * 2,
        "dealer": "Jh 2d 7d",
        "cards_used": 8,
        "net": 0,
        "boxes": [
            {
                "hands": [{"cards": "4h 6s Jc", "bet": 80, "outcome": "win", "returned": 160}],
                "insurance": 0,
                "insurance_returned": 0,
                "staked": 80,
                "returned": 160,
                "net": 80,
            },
            {
                "hands": [{"cards": "8c 3s", "bet": 80, "outcome": "lose", "returned": 0}],
                "insurance": 0,
                "insurance_returned": 0,
                "staked": 80,
                "returned": 0,
                "net": -80,
            },
        ],
    }


def test_an_empty_box_has_no_hands() -> None:
    answer = replay({**GOOD, "bets": [0, 40, 0], "cards": "4h Jh 6s 7d", "actions": ["stand"]})
    assert [len(box["hands"]) for box in answer["boxes"]] == [0, 1, 0]
    assert answer["boxes"][0]["net"] == 0


def test_more_boxes_than_the_table_has_are_no_error() -> None:
    record = {"rules": "las_vegas", "bets": [0, 5, 4], "cards": "As 9h 7d Ks Kh Ts"}
    answer = replay({**record, "actions": ["stand"]})
    assert [box["net"] for box in answer["boxes"]] == [0, 10, 4]


def test_table_limits_are_ignored() -> None:
    answer = replay({**GOOD, "rules": {"preset": "goldfishka", "min_bet": 500, "bet_step": 7}})
    assert answer["net"] == 0


@pytest.mark.parametrize("extra", ["legal", "expect", "about", "comment", "source", "номер"])
def test_other_keys_are_let_be(extra: str) -> None:
    assert replay({**GOOD, extra: {"any": ["thing"]}}) == replay(GOOD)


@pytest.mark.parametrize("name", ["x1", 7, 2.5, "", "раунд", "\ud800"])
def test_the_id_comes_back(name: object) -> None:
    (answer,) = replay_lines(json.dumps({**GOOD, "id": name}))
    assert answer["id"] == name
    json.dumps(answer).encode("ascii")


def test_without_an_id_the_line_number_is_it() -> None:
    bare = json.dumps({k: v for k, v in GOOD.items() if k != "id"})
    null = json.dumps({**GOOD, "id": None})
    assert [a["id"] for a in replay_lines(f"\n{bare}\n\n{null}\nnonsense\n")] == [2, 4, 5]


def test_the_ten_may_be_written_with_two_digits_and_any_case() -> None:
    cards = GOOD["cards"].replace("Jh", "10H").lower()
    assert replay({**GOOD, "cards": cards})["dealer"] == "Th 2d 7d"


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("key", ["rules", "bets", "cards", "actions"])
def test_every_deciding_key_must_be_there(key: str) -> None:
    assert key in error_of({k: v for k, v in GOOD.items() if k != key})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("id", True),
        ("id", ["x"]),
        ("id", {}),
        ("rules", "nowhere"),
        ("rules", None),
        ("rules", 6),
        ("rules", []),
        ("rules", {"decks": 0}),
        ("rules", {"no_such_field": 1}),
        ("rules", {"preset": 5}),
        ("rules", {"blackjack_pays": 1.5}),
        ("rules", {"max_hands": 2, "max_ace_hands": 3}),
        ("bets", []),
        ("bets", 40),
        ("bets", "40"),
        ("bets", {"0": 40}),
        ("bets", [0, 0]),
        ("bets", [40, -80]),
        ("bets", [40.0, 80]),
        ("bets", [True, 80]),
        ("bets", ["40", 80]),
        ("bets", [None, 80]),
        ("bets", [2**53 + 1, 80]),
        ("bets", [10**400, 80]),
        ("bets", [10] * 65),
        ("cards", ""),
        ("cards", None),
        ("cards", 5),
        ("cards", ["4h", "8c"]),
        ("cards", "4h 8c Jh 6s 3s 2d Jc 7d Xx"),
        ("cards", "4h8cJh6s3s2dJc7d"),
        ("cards", "4h,8c,Jh,6s,3s,2d,Jc,7d"),
        ("cards", "4h 8c Jh"),
        ("actions", None),
        ("actions", "double"),
        ("actions", {}),
        ("actions", ["double"]),
        ("actions", ["double", "stand", "stand"]),
        ("actions", ["double", "Stand"]),
        ("actions", ["double", "stay"]),
        ("actions", ["double", ""]),
        ("actions", ["double", None]),
        ("actions", ["double", 0]),
        ("actions", ["split", "stand"]),
        ("actions", ["decline", "double", "stand"]),
        ("actions", ["double:40", "stand"]),
        ("actions", ["double:", "stand"]),
        ("actions", ["double:-5", "stand"]),
        ("actions", ["double:4.5", "stand"]),
        ("actions", ["double:" + "9" * 400, "stand"]),
        ("actions", ["double:٤", "stand"]),
        ("actions", ["double", "stand:1"]),
        ("actions", ["hit:40", "stand", "stand"]),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_wrong_is_an_error_of_its_line(key: str, value: object) -> None:
    error_of({**GOOD, key: value})


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "}",
        "null",
        "3",
        '"goldfishka"',
        "[1]",
        "[[]]",
        "nonsense",
        '{"id": "x"',
        '{"id": "x", "id": "y"}',
        '{"rules": {"decks": 6, "decks": 8}}',
        '{"bets": [NaN]}',
        '{"bets": [-Infinity]}',
        '{"id": 1e999, "rules": "macau"}',
        '{"bets": [' + "9" * 5000 + "]}",
        '{"rules":' * 3000,
        "[" * 100_000,
        '{"a":' * 400 + "1" + "}" * 400,
        '{"rules": ' + "[" * 600 + "]" * 600 + ', "bets": [1], "cards": "As", "actions": []}',
        '{"id": "\x00"}',  # a raw control character
        "\ufeff\ufeff{}",
        "\x0b",
    ],
)
def test_malformed_lines_are_errors_and_nothing_worse(text: str) -> None:
    error_of(text)


def test_bytes_that_are_no_utf8_spoil_only_their_line() -> None:
    good = json.dumps(GOOD).encode()
    answers = list(replay_lines([good, b'{"id": "\xff"}', good.decode().encode("utf-16"), good]))
    assert ["error" in a for a in answers] == [False, True, True, False]


def test_one_bad_line_leaves_the_others_answered() -> None:
    good = json.dumps(GOOD)
    answers = list(replay_lines(f"{{\n{good}\nxx\n[{good}]\n{good}\n"))
    assert ["error" in a for a in answers] == [True, False, True, True, False]
    answers = list(replay_lines(f"[{good}]\n{good}\n"))
    assert ["error" in a for a in answers] == [True, False]


def test_lines_end_at_newlines_only() -> None:
    text = '{"id": "a\u2028b", "rules": "x"}\r\n{"id": "c"}'
    assert [a["id"] for a in replay_lines(text)] == ["a\u2028b", "c"]
    assert [n for n, _ in read_records(text.encode().split(b"\n"))] == [1, 2]


def test_reading_is_lazy() -> None:
    def lines() -> Any:
        yield json.dumps(GOOD)
        raise AssertionError("read too far")

    assert next(replay_lines(lines()))["net"] == 0


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "  \n\t\n", "[]"])
def test_nothing_to_answer(text: str) -> None:
    assert list(replay_lines(text)) == []


@pytest.mark.parametrize("indent", [None, 2])
def test_whole_documents(indent: int | None) -> None:
    bare = {k: v for k, v in GOOD.items() if k != "id"}
    one = json.dumps(GOOD, indent=indent)
    assert [a["id"] for a in replay_lines(one)] == ["x1"]
    many = json.dumps([GOOD, bare, 5], indent=indent)
    assert [(a["id"], "error" in a) for a in replay_lines(many)] == [
        ("x1", False),
        (2, False),
        (3, True),
    ]
    nested = json.dumps(
        [{"title": "no rounds"}, {"rounds": [GOOD, bare]}, {"bets": []}], indent=indent
    )
    assert [(a["id"], "error" in a) for a in replay_lines(nested)] == [
        ("x1", False),
        (2, False),
        (3, True),
    ]
    assert len(list(replay_lines(json.dumps({"rounds": [GOOD, GOOD]}, indent=indent)))) == 2


def test_replay_raises_one_kind_of_error() -> None:
    for record in (
        {},
        {**GOOD, "rules": "x"},
        {**GOOD, "cards": "x"},
        {**GOOD, "actions": ["split"]},
    ):
        with pytest.raises(HistoryError):
            replay(record)
    with pytest.raises(HistoryError) as caught:
        replay({**GOOD, "rules": "x"})
    assert isinstance(caught.value.__cause__, RulesError)


def test_the_reason_is_told() -> None:
    assert "the two cards are no pair" in error_of({**GOOD, "actions": ["split"]})
    assert "the round is over" in error_of({**GOOD, "actions": ["double", "stand", "hit"]})
    assert "box 1, hand 0 must decide (double, hit, stand, surrender)" in error_of(
        {**GOOD, "actions": ["double"]}
    )
    assert "too few" in error_of({**GOOD, "cards": "4h 8c Jh"})
    assert "do not suffice" in error_of({**GOOD, "cards": "4h 8c Jh 6s 3s 2d"})


def test_strict_json() -> None:
    assert load_json(b'\xef\xbb\xbf {"a": [1, 2.5, null]} ') == {"a": [1, 2.5, None]}
    with pytest.raises(HistoryError, match="'a' is there twice"):
        load_json('[{"b": {"a": 1, "a": 1}}]')
    with pytest.raises(HistoryError, match="expected a JSON object"):
        parse_record("[]")


RECORD = st.fixed_dictionaries(
    {},
    optional={
        "id": st.one_of(st.text(max_size=3), st.integers(), st.floats(), st.none(), st.booleans()),
        "rules": st.one_of(
            st.sampled_from([*PRESETS, "x", ""]),
            st.dictionaries(
                st.sampled_from([*Rules().to_dict(), "preset"]),
                st.recursive(
                    st.one_of(
                        st.none(),
                        st.booleans(),
                        st.integers(-3, 30),
                        st.integers(),
                        st.floats(),
                        st.sampled_from(
                            ["3:2", "any", "A", "T", "none", "1:0", "early", "exact", "macau"]
                        ),
                    ),
                    lambda inner: st.one_of(
                        st.lists(inner, max_size=3),
                        st.dictionaries(
                            st.sampled_from(["cut_card", "fewer_than", "A"]), inner, max_size=2
                        ),
                    ),
                    max_leaves=4,
                ),
                max_size=4,
            ),
        ),
        "bets": st.lists(
            st.one_of(st.integers(-1, 60), st.sampled_from([2**53, 1.5, None])), max_size=4
        ),
        "cards": st.lists(
            st.sampled_from([r + s for r in "A2345678TK" for s in "ch"] + ["10d", "Xx"]),
            max_size=40,
        ).map(" ".join),
        "actions": st.lists(
            st.sampled_from([*map(str, Action), "insurance:3", "double:2", "x"]),
            max_size=8,
        ),
    },
)


@settings(max_examples=200, deadline=None)
@given(RECORD)
def test_any_json_is_answered_or_refused(record: dict[str, Any]) -> None:
    (answer,) = replay_lines(json.dumps(record))
    json.dumps(answer, allow_nan=False)
    if "error" in answer:
        assert set(answer) == {"id", "error"}
        assert not answer["error"].startswith("unexpected"), answer
    else:
        assert len(answer["boxes"]) == len(record["bets"])
        assert len(answer["legal"]) == len(record["actions"])


# ---------------------------------------------------------------- amounts


def amount(value: int | str) -> Fraction:
    assert not isinstance(value, str) or Fraction(value).denominator > 1
    return Fraction(value)


def test_amounts_that_are_not_whole_are_ratios() -> None:
    record = {"rules": "las_vegas", "bets": [5], "cards": "As 9c Kh", "actions": []}
    answer = replay(record)
    assert answer["net"] == "15/2"
    assert answer["boxes"][0]["hands"][0]["returned"] == "25/2"
    assert replay({**record, "bets": [6]})["net"] == 9


@pytest.mark.parametrize(
    ("rounding", "insurance", "back", "net"),
    [("down", 2, 7, 0), ("up", 3, 11, 3), (None, "5/2", "35/4", "5/4")],
)
def test_a_named_rounding_holds(
    rounding: str | None, insurance: int | str, back: int | str, net: int | str
) -> None:
    rules = {"preset": "romanian", **({"rounding": rounding} if rounding else {})}
    record = {"rules": rules, "bets": [5], "cards": "9s Ac 8d Tc", "actions": ["insurance"]}
    answer = replay(record)
    box = answer["boxes"][0]
    assert (box["insurance"], box["insurance_returned"], answer["net"]) == (insurance, back, net)


def test_named_exact_refuses_bets_that_cannot_come_out_whole() -> None:
    rules = {"preset": "romanian", "rounding": "exact"}
    record = {"rules": rules, "bets": [5], "cards": "9s Ac 8d Tc", "actions": ["insurance"]}
    assert "multiples of 4" in error_of(record)
    assert replay({**record, "bets": [8]})["net"] == 2


def test_a_bet_of_one_with_rounding_down_has_nothing_to_insure() -> None:
    rules = {"preset": "las_vegas"}
    record = {"bets": [1], "cards": "9s Ac 8d 9c", "actions": ["stand"]}
    down = replay({"rules": {**rules, "rounding": "down"}, **record})
    assert down["legal"] == [["hit", "stand"]]
    exact = replay({"rules": rules, **record, "actions": ["decline", "stand"]})
    assert exact["legal"][0] == ["decline", "insurance"]


@pytest.mark.parametrize("bet", [2**53, 2**53 - 1, 2**52 + 1])
@pytest.mark.parametrize("pays", ["3:2", "6:5", "997:991"])
def test_stakes_up_to_the_largest_bet_settle_exactly(bet: int, pays: str) -> None:
    rules = {"blackjack_pays": pays, "redouble": True, "double_any_number": True}
    answer = replay({"rules": rules, "bets": [bet], "cards": "As 9c Kh 9d", "actions": []})
    assert amount(answer["net"]) == bet * Fraction(pays.replace(":", "/"))
    record = {"rules": rules, "bets": [bet, 3], "cards": "2s 2h 9c 2d 3h 8d 2c 2h 5h Th"}
    answer = replay({**record, "actions": ["double", "double", "stand", "stand"]})
    assert answer["boxes"][0]["staked"] == 4 * bet
    assert answer["boxes"][1]["staked"] == 3


def test_parts_are_in_the_callers_unit() -> None:
    rules: dict[str, object] = {"partial_insurance": True, "double_for_less": True}
    rules["insurance_pays"] = "5:2"
    cards = "6s Ac 5d 9c 7h"
    record = {"rules": rules, "bets": [61], "cards": cards, "actions": ["insurance:30", "double:7"]}
    answer = replay(record)
    box = answer["boxes"][0]
    assert (box["insurance"], box["insurance_returned"]) == (30, 0)
    assert box["hands"][0]["bet"] == 68
    full = replay({**record, "actions": ["insurance", "double"]})["boxes"][0]
    assert (full["insurance"], full["hands"][0]["bet"]) == ("61/2", 122)
    won = replay({**record, "cards": "6s Ac 5d Kc", "actions": ["insurance:1"]})
    assert won["boxes"][0]["insurance_returned"] == "7/2"
    for actions in (["insurance:31", "stand"], ["insurance:0", "stand"], ["decline", "double:62"]):
        error_of({**record, "actions": actions})
    for off in ("partial_insurance", "double_for_less"):
        error_of({**record, "rules": dict(rules, **{off: False})})


def test_parts_of_very_large_bets() -> None:
    rules = {"double_for_less": True, "blackjack_pays": "6:5"}
    record = {"rules": rules, "cards": "6s 9c 5d 9d 7h", "actions": [f"double:{2**50}"]}
    assert replay({**record, "bets": [2**53]})["boxes"][0]["staked"] == 2**53 + 2**50
    assert "too large" in error_of({**record, "bets": [2**53 - 1]})


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_amount_is_in_proportion_to_the_bet(data: st.DataObject) -> None:
    """The exact answer of a bet is the answer of a bet large enough to come out whole, scaled."""
    name = data.draw(st.sampled_from(sorted(PRESETS)))
    rules = PRESETS[name].replace(boxes=3, insurance_pays="5:3", blackjack_pays="7:5")
    table = Table(
        rules.replace(min_bet=1, bet_step=1, chips=[]), seed=data.draw(st.integers(0, 2**32))
    )
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    unit = rules.exact_unit
    for box in range(3):
        table.bet(box, unit)
    play_at_random(table, rng)
    record = table.record()
    whole = replay(record)
    bets = data.draw(st.lists(st.integers(1, 99), min_size=3, max_size=3))
    fields = {k: v for k, v in rules.to_dict().items() if k != "rounding"}
    exact = replay({**record, "rules": fields, "bets": bets})
    assert exact["legal"] == whole["legal"]
    for bet, one, other in zip(bets, whole["boxes"], exact["boxes"], strict=True):
        for key in ("insurance", "insurance_returned", "staked", "returned", "net"):
            assert amount(other[key]) == amount(one[key]) * bet / unit
    assert amount(exact["net"]) == sum(amount(box["net"]) for box in exact["boxes"])


# ---------------------------------------------------------------- writing


def play_at_random(table: Table, rng: random.Random) -> None:
    table.deal()
    while (turn := table.turn) is not None:
        action = rng.choice(sorted(turn.actions))
        amount = None
        full = table.cost(action)
        named = {"insurance": table.rules.partial_insurance, "double": table.rules.double_for_less}
        if named.get(action) and rng.random() < 0.5 and full:
            amount = rng.randint(1, full)
        table.act(action, amount=amount)


WRITTEN = {
    **PRESETS,
    "parts": Rules(partial_insurance=True, double_for_less=True, redouble=True, boxes=4),
    "up": Rules(rounding="up", charlie_cards=5, charlie_pays="7:3", surrender="early", boxes=2),
    "exact": Rules(rounding="exact", boxes=2),
    "burn": Rules(
        decks=2, burn=3, shuffle={"cut_card": 1}, boxes=7, dealer_blackjack_takes="original"
    ),
    "infinite": Rules(decks=None, insurance_pays="9:4", blackjack_pays="6:5"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_recorded_round_replays_to_the_same_settlement(name: str) -> None:
    rules = WRITTEN[name].replace(bet_step=1)
    table = Table(rules, seed=3, record=True)
    rng = random.Random(name)
    settlements = []
    for _ in range(150):
        for box in rng.sample(range(rules.boxes), rng.randint(1, min(3, rules.boxes))):
            unit = rules.exact_unit if rules.rounding == "exact" else 1
            table.bet(box, unit * rng.randint(1, 50))
        play_at_random(table, rng)
        assert table.settlement is not None
        settlements.append(table.settlement.to_dict())
    assert table.records is not None
    answers = list(replay_lines("\n".join(record_text(r) for r in table.records)))
    for settlement, answer in zip(settlements, answers, strict=True):
        assert {k: answer.get(k) for k in settlement} == settlement, answer


def test_rules_of_says_no_more_than_it_must() -> None:
    macau = Rules.preset("macau")
    assert rules_of(macau.replace(max_bet=500), [10, 20]) == "macau"
    assert rules_of(macau, [5]) == {"preset": "macau", "rounding": "down"}
    assert rules_of(macau.replace(rounding="up"), [5]) == {"preset": "macau", "rounding": "up"}
    assert rules_of(Rules(decks=7, min_bet=5), [10]) == {"decks": 7}
    assert rules_of(Rules(decks=7), [10], [3]) == {"decks": 7, "rounding": "down"}
    for bets in ([10], [5]):
        written = Rules.from_dict(rules_of(Rules(decks=None, charlie_cards=6), bets))
        assert written.fingerprint == Rules(decks=None, charlie_cards=6).fingerprint


def test_record_of_refuses_what_replay_would() -> None:
    with pytest.raises(HistoryError):
        record_of(Rules(), [10], "As", ["stay"])
    assert record_of(Rules(), [10, 0], "as 10d", ["double:5"], id="r") == {
        "id": "r",
        "rules": {"rounding": "down"},
        "bets": [10, 0],
        "cards": "As Td",
        "actions": ["double:5"],
    }
