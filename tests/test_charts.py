"""The published charts against a collection of them. Not here: their format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blackjack.cards import UPCARDS
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.strategy import Strategy, encode

REFERENCE = Path(__file__).parents[2] / "shared" / "reference" / "basic_strategy_charts.json"


@pytest.mark.skipif(
    not REFERENCE.exists(), reason="the reference charts are not part of the project"
)
@pytest.mark.parametrize("name", ["6DECKS_H17", "6DECKS_S17", "1DECK_H17", "1DECK_S17"])
def test_against_the_reference(name: str) -> None:
    data = json.loads(REFERENCE.read_text())
    columns = ["T" if c == "10" else c for c in data["columns"]]
    rules = Rules(decks=int(name[0]), hit_soft_17=name.endswith("H17"), surrender="late")
    chart = Strategy.published(rules)
    seen = 0
    for kind, rows in data["charts"][name].items():
        for row, cells in rows.items():
            label = f"p{row.split(',')[0].replace('10', 'T')}" if kind == "pair" else kind[0] + row
            for upcard, cell in zip(columns, cells, strict=True):
                assert encode(chart.cell(label, upcard)) == encode(cell), (label, upcard)
                seen += 1
    assert seen == 10 * (17 + 9 + 10)


@pytest.mark.parametrize("name", PRESETS)
def test_every_house_has_one(name: str) -> None:
    rules = PRESETS[name]
    chart = Strategy.published(rules)
    assert Strategy.from_chart(chart.to_chart()) == chart
    text = "".join(cell for row in chart.rows.values() for cell in row).upper()
    assert ("U" in text) == (rules.surrender != "none")
    assert chart.early_surrender == (name == "romanian")
    assert not chart.insurance
    assert not chart.even_money


def test_what_the_rules_change() -> None:
    def cells(label: str, **rules: object) -> list[str]:
        chart = Strategy.published(Rules(**rules))
        return [chart.cell(label, u) for u in UPCARDS]

    a, t = 0, 9
    assert cells("h11")[a] == "H"
    assert cells("h11", hit_soft_17=True)[a] == "Dh"
    assert cells("h11", decks=2)[a] == "Dh"
    # all bets lost to a dealer blackjack: no double or split into an ace or ten
    unpeeked: list[dict[str, object]] = [
        {"hole_card": "none"},
        {"hole_card": "no_peek"},
        {"peek_on": []},
    ]
    for rules in unpeeked:
        assert cells("h11", **rules)[t] == "H"
        assert cells("p8", **rules)[t] == "H"
        assert cells("pA", **rules)[a] == "H"
        assert cells("pA", **rules)[t] == "Ph"
    kept = cells("p8", hole_card="none", dealer_blackjack_takes="original")
    assert kept == cells("p8")
    assert cells("p8", peek_on=["A"])[t] == "H"
    assert cells("p8", peek_on=["A"])[a] == "Ph"
    # no double after a split
    assert cells("p4", double_after_split=False)[4] == "H"
    assert cells("p4")[4] == "Ph"
    # surrender only where it is offered
    early = {"surrender": "early", "hole_card": "none", "surrender_on": ["T"]}
    assert cells("h14", **early)[t] == "Uh"
    assert cells("h14", **early)[a] == "H"
    assert cells("p8", **early)[t] == "Uh"
    assert cells("h16", **early)[8] == "H"
    # no split at all
    assert cells("p8", max_hands=1)[5] == "S"
    assert cells("p8", max_hands=1)[9] == "H"
