"""Strategies as JSON: the same as the chart's text says, as an object.

Lives here: writing and strict reading. Not here: the text format (blackjack._chart_text).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from blackjack._chart_text import (
    COLUMNS,
    OFFERS,
    ROWS,
    Cells,
    ChartData,
    Choice,
    read_chart,
    row_label,
    tidy,
    upcard_index,
)
from blackjack.cards import UPCARDS
from blackjack.errors import ChartError, HistoryError

if TYPE_CHECKING:
    from blackjack.strategy import Strategy

_KEYS: Final = ("name", "columns", "rows", "after_split", "exact", *OFFERS)
_WHEN: Final = {None: "", "split": " split", "unsplit": " unsplit"}


def to_object(strategy: Strategy) -> dict[str, Any]:
    def rows(of: Mapping[str, Cells]) -> dict[str, list[str]]:
        order = [UPCARDS.index(up) for up in COLUMNS]
        return {label: [of[label][i] for i in order] for label in ROWS if label in of}

    def choice(of: Choice) -> bool | list[str]:
        return of if isinstance(of, bool) else [f"{row}/{up}" for row, up in sorted(of)]

    exact = []
    for e in strategy.exact:
        one = {"cards": e.cards, "upcard": UPCARDS[e.upcard], "cell": e.cell}
        if e.after_split is not None:
            one["when"] = "split" if e.after_split else "unsplit"
        exact.append(one)
    return {
        "name": strategy.name,
        "columns": list(COLUMNS),
        "rows": rows(strategy.rows),
        "after_split": rows(strategy.after_split),
        "exact": exact,
        **{name: choice(getattr(strategy, name)) for name in OFFERS},
    }


def to_json(strategy: Strategy) -> str:
    """One row a line, so that it can be read and compared."""
    parts = []
    for key, value in to_object(strategy).items():
        if isinstance(value, dict) and value:
            rows = ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            parts.append(f"  {json.dumps(key)}: {{\n{rows}\n  }}")
        elif key == "exact" and value:
            lines = ",\n".join(f"    {json.dumps(one)}" for one in value)
            parts.append(f"  {json.dumps(key)}: [\n{lines}\n  ]")
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def from_json(text: str | bytes) -> tuple[str | None, ChartData]:
    """A strategy's name and what it says; every complaint is a ChartError that names the place."""
    from blackjack.history import load_json

    try:
        value = load_json(text)
    except HistoryError as error:
        raise ChartError(str(error)) from None
    if not isinstance(value, dict) or "rows" not in value:
        raise ChartError("expected a JSON object with rows")
    unknown = [key for key in value if key not in _KEYS]
    if unknown:
        raise ChartError(f"expected the keys {', '.join(_KEYS)}, got {unknown[0]!r}")
    name = value.get("name")
    if name is not None and not isinstance(name, str):
        raise ChartError(f"name: expected a text or null, got {name!r}")
    columns = _columns(value.get("columns", list(COLUMNS)))
    data = ChartData()
    data.rows = _rows("rows", value["rows"], columns)
    data.after_split = _rows("after_split", value.get("after_split", {}), columns)
    exact = value.get("exact", [])
    if not isinstance(exact, list):
        raise ChartError(f"exact: expected a list, got {exact!r}")
    for number, one in enumerate(exact):
        data.exact += _line(f"exact[{number}]", _exact_text(number, one)).exact
    for offer in OFFERS:
        data.offers[offer] = _choice(offer, value.get(offer, False))
    return name, data


def _columns(value: object) -> list[int]:
    items = value if isinstance(value, list) else []
    indices = [upcard_index(item) if isinstance(item, str) else None for item in items]
    result = [i for i in indices if i is not None]
    if len(indices) != 10 or sorted(result) != list(range(10)):
        raise ChartError(f"columns: expected each of {' '.join(UPCARDS)} once, got {value!r}")
    return result


def _rows(key: str, value: object, columns: list[int]) -> dict[str, Cells]:
    if not isinstance(value, dict):
        raise ChartError(f"{key}: expected an object of rows, got {value!r}")
    result: dict[str, Cells] = {}
    for given, cells in value.items():
        label = row_label(given)
        if label is None:
            raise ChartError(
                f"{key}: expected rows h4 to h21, s12 to s21 or pA to pT, got {given!r}"
            )
        if label in result:
            raise ChartError(f"{key}: the row {label} is here twice")
        if not isinstance(cells, list) or len(cells) != 10:
            raise ChartError(f"{key}.{label}: expected ten cells, got {cells!r}")
        row = [""] * 10
        for cell, index in zip(cells, columns, strict=True):
            try:
                row[index] = tidy(cell if isinstance(cell, str) else repr(cell))
            except ValueError as error:
                raise ChartError(f"{key}.{label}, upcard {UPCARDS[index]}: {error}") from None
        result[label] = tuple(row)
    return result


def _exact_text(number: int, one: object) -> str:
    words = one if isinstance(one, dict) else {}
    when = words.get("when")
    texts = [words.get(key) for key in ("cards", "upcard", "cell")]
    known = set(words) <= {"cards", "upcard", "cell", "when"}
    if not known or when not in _WHEN or not all(isinstance(t, str) and t.strip() for t in texts):
        raise ChartError(
            f"exact[{number}]: expected cards, upcard, cell and perhaps when (split, unsplit), got {one!r}"
        )
    cards, upcard, cell = (str(text).replace(" ", "") for text in texts)
    return f"exact: {cards} {upcard} {cell}{_WHEN[when]}"


def _choice(offer: str, value: object) -> Choice:
    if isinstance(value, bool):
        return value
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ChartError(f"{offer}: expected true, false or a list such as ['pT/A'], got {value!r}")
    if not value:
        return False
    return _line(offer, f"{offer}: {' '.join(value)}").offers[offer]


def _line(where: str, text: str) -> ChartData:
    try:
        return read_chart(f"{' '.join(COLUMNS)}\n{text}")
    except ChartError as error:
        raise ChartError(f"{where}: {str(error).partition(': ')[2]}") from None
