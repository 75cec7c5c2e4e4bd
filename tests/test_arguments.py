"""Wrong arguments of every public call: one clear error of this package, and nothing changed.

What cards, bets, rules and actions refuse is tested with them.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blackjack import (
    ArgumentError,
    BlackjackError,
    CardError,
    ChartError,
    HistoryError,
    Rules,
    RulesError,
    SimulationResult,
    Strategy,
    Table,
    analyze,
    cards_text,
    grade,
    play_rounds,
    simulate,
)
from blackjack._arguments import byte_text, number
from blackjack.history import read_records, record_text, replay, replay_lines
from outside import refused

RECORD = {
    "rules": "vegas_strip",
    "bets": [10],
    "cards": "Ts 6d 6h Td 5c 9c",
    "actions": ["hit", "stand"],
}
ODD: tuple[Any, ...] = (math.nan, True, -1, 2.5, "x", None, [], {}, object())
TEN_NO = Strategy.published(Rules())


def without(*legal: object) -> list[Any]:
    return [value for value in ODD if not any(value is one for one in legal)]


@pytest.mark.parametrize("value", [32, True, 2.5, "x" * 32, [1] * 32, object(), bytes(31)])
def test_a_key_is_32_bytes_and_never_a_number(value: Any) -> None:
    with pytest.raises(ArgumentError, match="expected key to be 32 bytes, got"):
        Table("goldfishka", key=value)


def test_a_key_is_not_told() -> None:
    secret = b"hush"
    with pytest.raises(ArgumentError) as caught:
        Table("goldfishka", key=secret)
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("value", [5, True, 2.5, "x", [1, 2], object()])
def test_words_are_bytes(value: Any) -> None:
    with pytest.raises(ArgumentError, match="expected words to be bytes, got"):
        Table("goldfishka", words=value)


def test_bytes_in_any_buffer() -> None:
    key = bytes(range(32))
    assert byte_text("key", bytearray(key), 32) == byte_text("key", memoryview(key), 32) == key


@pytest.mark.parametrize("value", [5, True, "ann", ["ann"], {1: 5}, math.nan])
def test_players_are_names_with_balances(value: Any) -> None:
    with pytest.raises(ArgumentError, match="expected players as names"):
        Table(Rules(private=False), players=value)


@pytest.mark.parametrize("value", [None, 5, "print"])
def test_a_subscriber_can_be_called(value: Any) -> None:
    table = Table("goldfishka", seed=1)
    with refused(table, ArgumentError, "expected callback to be a function"):
        table.subscribe(value)
    table.bet(0, 5)
    table.deal()


@pytest.mark.parametrize("text", ["", "{}", "null", "[]", '{"version": 1}', math.nan, None])
def test_a_saved_text_that_is_none(text: Any) -> None:
    with pytest.raises(HistoryError, match="expected a text that `save` wrote"):
        Table.load(text)


SIMULATE: list[tuple[str, list[Any]]] = [
    ("rounds", without(None)),
    ("shoes", [math.nan, True, -1, 2.5, "x", [], {}]),
    ("until_error", [math.nan, math.inf, True, 0, -1, "x", [], {}]),
    ("seed", without(None)),
    ("workers", [*without(None), 10**30, 0]),
    ("executor", without(None)),
    ("progress", without(None)),
    ("bet", without()),
    ("boxes", [*without(), 65]),
    ("rng", without()),
    ("isa", without(None)),
    ("checkpoint", without(None, "x")),
    ("first_chunk", without()),
    ("batch", without(None)),
    ("timeout", [math.nan, 0, -1, True, "x", []]),
    ("retries", without()),
    ("every", [math.nan, -1, True, "x", None, []]),
    ("detail", without(True)),
    ("strategy", without()),
]


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in SIMULATE for v in values])
def test_simulate(name: str, value: Any) -> None:
    words = {"rounds": 100} if name not in ("rounds", "shoes") else {}
    with pytest.raises(BlackjackError, match="expected"):
        simulate("vegas_strip", **{"strategy": TEN_NO, "seed": 1, **words, name: value})


def test_an_infinite_deck_has_no_shoes() -> None:
    with pytest.raises(ArgumentError, match="an infinite deck has no shoes"):
        simulate(Rules(decks=None), TEN_NO, shoes=10)


def test_a_checkpoint_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="expected a folder for the checkpoint"):
        simulate("vegas_strip", TEN_NO, rounds=10, checkpoint=tmp_path / "no" / "file")


def test_a_checkpoint_with_a_part_missing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    simulate("vegas_strip", TEN_NO, rounds=10, seed=1, checkpoint=file)
    file.write_text(file.read_text().replace('"sums"', '"sum"'))
    with pytest.raises(ArgumentError, match="expected a whole checkpoint"):
        simulate("vegas_strip", TEN_NO, rounds=10, checkpoint=file)


@pytest.mark.parametrize("answer", [None, "x", 5])
def test_a_function_that_answers_nonsense(answer: Any) -> None:
    with pytest.raises(ChartError, match=r"expected the strategy to answer one of .*, got"):
        simulate("vegas_strip", lambda now: answer, rounds=10, seed=1)


@pytest.mark.parametrize("data", [{}, 5, None, {"rounds": 5}])
def test_a_result_from_something_else(data: Any) -> None:
    with pytest.raises(ArgumentError, match="expected what `to_dict` made"):
        SimulationResult.from_dict(data)


@pytest.mark.parametrize("value", [*without(), 0.0, 1.0])
def test_a_confidence(value: Any) -> None:
    with pytest.raises(ArgumentError, match=r"expected 0 < confidence < 1"):
        simulate("vegas_strip", TEN_NO, rounds=10, seed=1).interval(value)


ROUNDS: list[tuple[str, list[Any]]] = [
    ("rounds", without()),
    ("batch", without()),
    ("seed", without(None)),
    ("boxes", without()),
    ("rng", without()),
    ("strategy", without()),
]


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in ROUNDS for v in values])
def test_play_rounds(name: str, value: Any) -> None:
    words = {"strategy": TEN_NO, "rounds": 10, "seed": 1, name: value}
    with pytest.raises(BlackjackError, match="expected"):
        list(play_rounds("vegas_strip", **words))


@pytest.mark.parametrize("shoe", [[0] * 10, {}, {"A": 1}, {"T": 2}, [0] * 13])
def test_no_deal_from_no_cards(shoe: Any) -> None:
    with pytest.raises(RulesError, match="shoe: expected enough cards for a deal"):
        analyze("vegas_strip", shoe=shoe)


def test_an_edge_of_nothing_has_no_sign() -> None:
    edge = analyze("las_vegas", shoe=[0] * 9 + [16]).house_edge
    assert (edge, math.copysign(1, edge)) == (0, 1)


@pytest.mark.parametrize("value", without())
def test_split_play(value: Any) -> None:
    with pytest.raises(ChartError, match="expected a split_play"):
        analyze("vegas_strip", split_play=value)


CHARTS: dict[str, Callable[[Any], object]] = {
    "from_chart": Strategy.from_chart,
    "from_json": Strategy.from_json,
    "from_function": Strategy.from_function,
    "with_after_split": TEN_NO.with_after_split,
    "with_exact": lambda value: TEN_NO.with_exact(value, "4", "H"),
    "with_exact, upcard": lambda value: TEN_NO.with_exact("T 2", value, "H"),
    "with_exact, cell": lambda value: TEN_NO.with_exact("T 2", "4", value),
    "insurance": lambda value: TEN_NO.replace(insurance=value),
    "even_money": lambda value: TEN_NO.replace(even_money=value),
    "early_surrender": lambda value: TEN_NO.replace(early_surrender=value),
    "cell, row": lambda value: TEN_NO.cell(value, "T"),
    "cell, upcard": lambda value: TEN_NO.cell("h16", value),
    "published": Strategy.published,
    "chart": Strategy.chart,
    "optimal": Strategy.optimal,
    "decide, cards": lambda value: TEN_NO.decide(value, "4s", ["hit"]),
    "decide, upcard": lambda value: TEN_NO.decide("Ts 2s", value, ["hit"]),
    "decide, legal": lambda value: TEN_NO.decide("Ts 2s", "4s", value),
}
# what is no mistake there: yes and no; nothing at all; no fields that differ
FINE: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("insurance", "even_money", "early_surrender"), (True, [], {})),
    **dict.fromkeys(("published", "chart", "optimal"), ({},)),
    "decide, cards": ([], {}),
}


@pytest.mark.parametrize("name", CHARTS)
def test_strategies(name: str) -> None:
    fine = FINE.get(name, ())
    for value in ODD:
        if any(value is one or (value == one and value in ([], {})) for one in fine):
            continue
        with pytest.raises(BlackjackError, match=r"expected|line 1|not JSON"):
            CHARTS[name](value)


def test_pairs_at_an_offer_are_read_as_charts_are() -> None:
    chart = TEN_NO.replace(insurance=[("H20", "a"), ("p10", "A")])
    assert chart.insurance == frozenset({("h20", "A"), ("pT", "A")})
    assert Strategy.from_chart(chart.to_chart()) == chart


def test_an_unknown_attribute() -> None:
    with pytest.raises(ArgumentError, match=r"expected attributes rows, .*, got 'insurence'"):
        TEN_NO.replace(insurence=True)


def test_a_house_by_its_name() -> None:
    assert Strategy.published("vegas_strip") == Strategy.published(Rules.preset("vegas_strip"))


RECORDS: dict[str, Callable[[Any], object]] = {
    "replay": replay,
    "grade": grade,
    "replay_lines": lambda value: list(replay_lines(value)),
    "read_records": lambda value: list(read_records(value)),
    "record_text": lambda value: record_text({"id": value}),
}


@pytest.mark.parametrize("value", [math.nan, object()])
@pytest.mark.parametrize("name", RECORDS)
def test_records(name: str, value: Any) -> None:
    with pytest.raises(HistoryError, match="expected"):
        RECORDS[name](value)


@pytest.mark.parametrize("value", [math.nan, True, 5, None, []])
def test_a_record_is_an_object(value: Any) -> None:
    with pytest.raises(HistoryError, match="expected a record as an object"):
        replay(value)
    with pytest.raises(HistoryError, match="expected a record as an object"):
        grade(value)


@pytest.mark.parametrize("shoe", without(None))
def test_the_shoe_of_a_grade(shoe: Any) -> None:
    with pytest.raises(BlackjackError, match=r"expected|more of a rank"):
        grade(RECORD, shoe=shoe)


def test_a_grade_takes_shoes_as_the_analyzer_does() -> None:
    by_rank = {"A": 24, **{str(n): 24 for n in range(2, 10)}, "T": 96}
    assert grade(RECORD, shoe=by_rank) == grade(RECORD)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [5, "Ts", b"5s", None, [5]])
def test_cards_to_text(value: Any) -> None:
    with pytest.raises(CardError, match="expected cards one by one"):
        cards_text(value)


def test_rules_from_something_else() -> None:
    calls: list[Callable[[], object]] = [
        lambda: Rules().diff("vegas_strip"),  # type: ignore[arg-type]
        lambda: Rules.from_json(5),  # type: ignore[arg-type]
        lambda: Rules.from_json(b"\xff"),  # type: ignore[arg-type]
        lambda: Rules.from_toml(b"decks = 1"),  # type: ignore[arg-type]
        lambda: Rules.from_dict(None),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(RulesError, match=r"^expected"):
            call()


def test_a_number() -> None:
    assert number("x", 0) == 0
    assert number("x", 2.5, above=0) == 2.5


LONG = """
import os, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
from blackjack import Rules, analyze
game = analyze(Rules(max_hands=4))
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    game.distribution()
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other ones there")
def test_an_analysis_of_minutes_hears_ctrl_c() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LONG],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "interrupted\n"
