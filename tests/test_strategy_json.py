"""Strategies as JSON: what is written is read back, and what is wrong is named.

Not here: charts as text (test_strategy).
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from blackjack.errors import ChartError
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.strategy import Strategy

CHART = Strategy.published(Rules())


def full() -> Strategy:
    rich = CHART.with_exact("T 2", "4", "H").with_exact("8 8", "T", "S", after_split=True)
    rich = rich.with_after_split("2 3 4 5 6 7 8 9 T A\nh11 H H H H H H H H H H")
    return rich.replace(
        insurance=frozenset({("pT", "A"), ("h20", "A")}), even_money=True, name="mine"
    )


@pytest.mark.parametrize("name", PRESETS)
def test_published_charts_come_back(name: str) -> None:
    chart = Strategy.published(PRESETS[name])
    assert Strategy.from_json(chart.to_json()) == chart


def test_everything_comes_back() -> None:
    again = Strategy.from_json(full().to_json())
    assert again == full()
    assert again.name == "mine"
    assert again.compile(Rules()) == full().compile(Rules())


def test_columns_may_stand_in_any_order() -> None:
    value = json.loads(CHART.to_json())
    value["columns"].reverse()
    value["rows"] = {label: cells[::-1] for label, cells in value["rows"].items()}
    assert Strategy.from_json(json.dumps(value)) == CHART


def test_a_row_is_a_line() -> None:
    assert '    "h11": ["Dh", "Dh", "Dh", "Dh", "Dh", "Dh", "Dh", "Dh", "Dh", "H"],' in (
        CHART.to_json().splitlines()
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rows": []}, "rows: expected an object of rows, got []"),
        ({"rows": {"h3": []}}, "rows: expected rows h4 to h21, s12 to s21 or pA to pT, got 'h3'"),
        ({"rows": {"h5": ["H"] * 9}}, "rows.h5: expected ten cells"),
        ({"rows": {"h5": ["H"] * 9 + ["X"]}}, "rows.h5, upcard A: expected letters of S H D P U"),
        ({"rows": {"h5": ["H"] * 9 + [3]}}, "rows.h5, upcard A: expected letters of S H D P U"),
        ({"rows": {"pT": ["S"] * 10, "p10": ["S"] * 10}}, "rows: the row pT is here twice"),
        ({"columns": ["2"]}, "columns: expected each of A 2 3 4 5 6 7 8 9 T once"),
        ({"colums": []}, "expected the keys name, columns"),
        ({"name": 3}, "name: expected a text or null"),
        ({"exact": {}}, "exact: expected a list"),
        ({"exact": [{"cards": "T2", "upcard": "4"}]}, "exact[0]: expected cards, upcard, cell"),
        ({"exact": [{"cards": "TTT", "upcard": "4", "cell": "S"}]}, "exact[0]: expected two cards"),
        ({"insurance": "yes"}, "insurance: expected true, false or a list"),
        ({"insurance": ["h20"]}, "insurance: expected yes, no, or hands such as pT/A, got 'h20'"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], says: str) -> None:
    value = {**json.loads(CHART.to_json()), **change}
    with pytest.raises(ChartError) as caught:
        Strategy.from_json(json.dumps(value))
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rows": {}, "rows": {}}', "{"])
def test_no_object_of_rows(text: str) -> None:
    with pytest.raises(ChartError):
        Strategy.from_json(text)
