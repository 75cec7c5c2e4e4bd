"""The common published total-dependent charts, as data, and which one fits which rules.

Lives here: one full chart per number of decks and soft-17 rule, and what changes without a double
after a split, without a peek and with early surrender. Not here: reading and playing a chart
(blackjack.strategy), charts computed for exactly these rules (blackjack.analysis).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from blackjack._chart_text import Cells, read_chart, tidy
from blackjack.cards import UPCARDS

if TYPE_CHECKING:
    from blackjack.rules import Rules

__all__ = ["published_rows"]

_COLUMNS = "    2  3  4  5  6  7  8  9  T  A\n"

# Stand on soft 17, double after split, late surrender, peek: four decks and more.
_MANY = """
h5  H  H  H  H  H  H  H  H  H  H
h6  H  H  H  H  H  H  H  H  H  H
h7  H  H  H  H  H  H  H  H  H  H
h8  H  H  H  H  H  H  H  H  H  H
h9  H  Dh Dh Dh Dh H  H  H  H  H
h10 Dh Dh Dh Dh Dh Dh Dh Dh H  H
h11 Dh Dh Dh Dh Dh Dh Dh Dh Dh H
h12 H  H  S  S  S  H  H  H  H  H
h13 S  S  S  S  S  H  H  H  H  H
h14 S  S  S  S  S  H  H  H  H  H
h15 S  S  S  S  S  H  H  H  Uh H
h16 S  S  S  S  S  H  H  Uh Uh Uh
h17 S  S  S  S  S  S  S  S  S  S
h18 S  S  S  S  S  S  S  S  S  S
h19 S  S  S  S  S  S  S  S  S  S
h20 S  S  S  S  S  S  S  S  S  S
h21 S  S  S  S  S  S  S  S  S  S
s13 H  H  H  Dh Dh H  H  H  H  H
s14 H  H  H  Dh Dh H  H  H  H  H
s15 H  H  Dh Dh Dh H  H  H  H  H
s16 H  H  Dh Dh Dh H  H  H  H  H
s17 H  Dh Dh Dh Dh H  H  H  H  H
s18 S  Ds Ds Ds Ds S  S  H  H  H
s19 S  S  S  S  S  S  S  S  S  S
s20 S  S  S  S  S  S  S  S  S  S
s21 S  S  S  S  S  S  S  S  S  S
p2  Ph Ph Ph Ph Ph Ph H  H  H  H
p3  Ph Ph Ph Ph Ph Ph H  H  H  H
p4  H  H  H  Ph Ph H  H  H  H  H
p5  Dh Dh Dh Dh Dh Dh Dh Dh H  H
p6  Ph Ph Ps Ps Ps H  H  H  H  H
p7  Ps Ps Ps Ps Ps Ph H  H  H  H
p8  Ps Ps Ps Ps Ps Ph Ph Ph Ph Ph
p9  Ps Ps Ps Ps Ps S  Ps Ps S  S
pT  S  S  S  S  S  S  S  S  S  S
pA  Ph Ph Ph Ph Ph Ph Ph Ph Ph Ph
"""
_MANY_H17 = """
h11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
h15 S  S  S  S  S  H  H  H  Uh Uh
h17 S  S  S  S  S  S  S  S  S  Us
s18 Ds Ds Ds Ds Ds S  S  H  H  H
s19 S  S  S  S  Ds S  S  S  S  S
p8  Ps Ps Ps Ps Ps Ph Ph Ph Ph UPh
"""
# What two decks change in _MANY, and the dealer's soft 17 in that.
_TWO = """
h9  Dh Dh Dh Dh Dh H  H  H  H  H
h11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
h16 S  S  S  S  S  H  H  H  Uh Uh
p6  Ph Ph Ps Ps Ps Ph H  H  H  H
p7  Ps Ps Ps Ps Ps Ph Ph H  H  H
"""
_TWO_H17 = """
h15 S  S  S  S  S  H  H  H  Uh Uh
h17 S  S  S  S  S  S  S  S  S  Us
s14 H  H  Dh Dh Dh H  H  H  H  H
s18 Ds Ds Ds Ds Ds S  S  H  H  H
s19 S  S  S  S  Ds S  S  S  S  S
"""
# One deck, likewise.
_ONE = """
h8  H  H  H  Dh Dh H  H  H  H  H
h9  Dh Dh Dh Dh Dh H  H  H  H  H
h11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
h15 S  S  S  S  S  H  H  H  H  H
h16 S  S  S  S  S  H  H  H  Uh Uh
s13 H  H  Dh Dh Dh H  H  H  H  H
s14 H  H  Dh Dh Dh H  H  H  H  H
s17 Dh Dh Dh Dh Dh H  H  H  H  H
s18 S  Ds Ds Ds Ds S  S  H  H  S
s19 S  S  S  S  Ds S  S  S  S  S
p3  Ph Ph Ph Ph Ph Ph Ph H  H  H
p4  H  H  Ph Ph Ph H  H  H  H  H
p6  Ph Ps Ps Ps Ps Ph H  H  H  H
p7  Ps Ps Ps Ps Ps Ph Ph H  Us H
"""
_ONE_H17 = """
h15 S  S  S  S  S  H  H  H  H  Uh
h17 S  S  S  S  S  S  S  S  S  Us
s18 S  Ds Ds Ds Ds S  S  H  H  H
p7  Ps Ps Ps Ps Ps Ph Ph H  Us Uh
p9  Ps Ps Ps Ps Ps S  Ps Ps S  Ps
"""
# Without a double after a split fewer pairs are worth splitting.
_MANY_NDAS = """
p2  H  H  Ph Ph Ph Ph H  H  H  H
p3  H  H  Ph Ph Ph Ph H  H  H  H
p4  H  H  H  H  H  H  H  H  H  H
p6  H  Ph Ps Ps Ps H  H  H  H  H
"""
_TWO_NDAS = """
p2  H  H  Ph Ph Ph Ph H  H  H  H
p3  H  H  Ph Ph Ph Ph H  H  H  H
p4  H  H  H  H  H  H  H  H  H  H
p6  Ph Ph Ps Ps Ps H  H  H  H  H
p7  Ps Ps Ps Ps Ps Ph H  H  H  H
"""
_ONE_NDAS = """
p2  H  Ph Ph Ph Ph Ph H  H  H  H
p3  H  H  Ph Ph Ph Ph H  H  H  H
p4  H  H  H  Dh Dh H  H  H  H  H
p6  Ph Ps Ps Ps Ps H  H  H  H  H
p7  Ps Ps Ps Ps Ps Ph H  H  Us H
p9  Ps Ps Ps Ps Ps S  Ps Ps S  S
"""

# Where a dealer blackjack takes doubled and split bets too: no such bets under that upcard.
_UNPEEKED = {"A": ("h11 H", "p8 H", "p9 S", "pA H"), "T": ("h11 H", "p8 H")}
# Surrender before the dealer's blackjack is known: the more hands, by upcard.
_EARLY = {
    "A": ("h5", "h6", "h7", "h12", "h13", "h14", "h15", "h16", "h17", "p3", "p6", "p7", "p8"),
    "T": ("h14", "h15", "h16", "p7", "p8"),
}


@cache
def _rows(text: str) -> dict[str, Cells]:
    return read_chart(_COLUMNS + text).rows


def _base(rules: Rules) -> dict[str, Cells]:
    decks = rules.decks or 8
    layers = [_MANY]
    if decks == 1:
        layers += [_ONE, _ONE_H17] if rules.hit_soft_17 else [_ONE]
        das = _ONE_NDAS
    elif decks <= 3:
        layers += [_TWO, _TWO_H17] if rules.hit_soft_17 else [_TWO]
        das = _TWO_NDAS
    else:
        layers += [_MANY_H17] if rules.hit_soft_17 else []
        das = _MANY_NDAS
    if not rules.double_after_split:
        layers.append(das)
    rows: dict[str, Cells] = {}
    for layer in layers:
        rows |= _rows(layer)
    if not rules.double_after_split and decks == 1 and rules.hit_soft_17:
        rows["p7"] = _rows(_ONE_H17)["p7"][:1] + rows["p7"][1:]
    return rows


def _set(rows: dict[str, Cells], label: str, upcard: str, cell: str) -> None:
    index = UPCARDS.index(upcard)
    row = rows[label]
    rows[label] = (*row[:index], tidy(cell), *row[index + 1 :])


def published_rows(rules: Rules) -> dict[str, Cells]:
    """The rows of the chart that people print for such rules.

    Rare rules (a charlie, a dealer's 22, who may double on what) do not change the choice; letters
    that can never be legal under the rules are left out.
    """
    rows = _base(rules)
    for upcard, changes in _UNPEEKED.items():
        peeked = rules.hole_card == "peek" and upcard in rules.peek_on
        if peeked or rules.dealer_blackjack_takes != "all":
            continue
        for change in changes:
            label, cell = change.split()
            had_u = "U" in rows[label][UPCARDS.index(upcard)] or label == "p8"
            _set(rows, label, upcard, ("U" if had_u else "") + cell)
    if rules.surrender == "early":
        for upcard, labels in _EARLY.items():
            more = labels
            if upcard == "A" and (rules.hit_soft_17 or rules.decks == 1):
                more = ("p2", *labels)
            if upcard == "T" and rules.decks == 1:
                more = labels[1:]
            for label in more:
                _set(rows, label, upcard, "U" + rows[label][UPCARDS.index(upcard)])
    return {label: _legal_letters(rules, cells) for label, cells in rows.items()}


def _legal_letters(rules: Rules, cells: Cells) -> Cells:
    def prune(cell: str, upcard: str) -> str:
        never = ""
        if rules.surrender == "none" or upcard not in rules.surrender_on:
            never += "U"
        if rules.max_hands == 1:
            never += "P"
        kept = "".join(c for c in cell.upper() if c not in never)
        return tidy(kept)

    return tuple(prune(cell, upcard) for cell, upcard in zip(cells, UPCARDS, strict=True))
