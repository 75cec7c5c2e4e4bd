"""Splits whose hands a dealer blackjack takes together.

Lives here: `coupled`, `take_coupled`. Not here: all other values (blackjack_core.solve), results of
rounds (blackjack._outcomes).

Under some rules what a dealer blackjack takes of a box hangs on all of its hands: with "original_and_busted" on
whether all of them busted, with "original" on whether one of them is a charlie or ties. Such a split has no value
hand by hand. It follows from the exact means of two ways of playing the whole round that differ in nothing
else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from blackjack._chart_text import LETTERS, ROWS, ExactCards
from blackjack.actions import Action
from blackjack.cards import UPCARDS
from blackjack.errors import RulesError
from blackjack.strategy import Strategy, hand_label

if TYPE_CHECKING:
    from blackjack._analysis_input import Shoe
    from blackjack.rules import Rules
    from blackjack_core.solve import Solver


def coupled(rules: Rules, shoe: Shoe) -> list[int]:
    """The upcards under which splits are worth something only as a whole."""
    takes = rules.dealer_blackjack_takes
    together = takes == "original_and_busted" or (
        takes == "original" and (rules.charlie_cards is not None or rules.blackjack_ties_21)
    )
    if not together or rules.max_hands < 2:
        return []
    return [
        up
        for up in (0, 9)
        if not (rules.hole_card == "peek" and UPCARDS[up] in rules.peek_on)
        and shoe.counts[up]
        and shoe.counts[9 - up]
    ]


def coupled_splits(
    rules: Rules, shoe: Shoe, solver: Solver, strategy: Strategy | None
) -> list[tuple[int, int, float]]:
    """(pair's value index, upcard, value of splitting) where hands hang together."""
    ups = coupled(rules, shoe)
    plain = _without_splits(rules, solver, strategy)
    base = _mean(rules, shoe, plain)
    values = []
    for v in range(10):
        pair = tuple(2 * (i == v) for i in range(10))
        for up in ups:
            chance = _chance(rules, shoe, v, up)
            if chance <= 0:  # such a pair is never dealt
                continue
            worth, _ = solver.play(pair, up)
            if Action.SPLIT.code not in worth:
                continue
            cell = next(
                (e.cell for e in plain.exact if (e.counts, e.upcard) == (pair, up)),
                plain.cell(hand_label(pair, pair=True), UPCARDS[up]),
            )
            played = next((c for c in map(LETTERS.index, cell.upper()) if c in worth), 0)
            # a given strategy goes on splitting as it says; the best play up to the limit
            when = None if strategy is None else False
            split = ExactCards(pair, up, f"P{cell.lower()}", when)
            gain = _mean(rules, shoe, plain.replace(exact=(split, *plain.exact))) - base
            values.append((v, up, worth[played] + gain / chance))
    return values


def take_coupled(rules: Rules, shoe: Shoe, solver: Solver, strategy: Strategy | None) -> None:
    """Put the values of such splits into a solved game, for insured boxes too where that bars actions."""
    from blackjack.analysis import _solve

    solver.take_splits(coupled_splits(rules, shoe, solver, strategy))
    asked = [UPCARDS[up] for up in coupled(rules, shoe) if UPCARDS[up] in rules.insurance_on]
    if rules.insurance_blocks and asked:
        if strategy is not None:
            letters = {LETTERS[Action(name).code] for name in rules.insurance_blocks}
            strategy = _barred(strategy, letters)
        insured = _solve(rules, shoe, strategy, insured=True)
        values = coupled_splits(rules, shoe, insured, strategy)
        solver.take_splits([x for x in values if UPCARDS[x[1]] in asked], insured=True)


def _barred(strategy: Strategy, letters: set[str]) -> Strategy:
    """A strategy that never does some things."""

    def cell(text: str) -> str:
        return "".join(x for x in text if x.upper() not in letters) or "S"

    return strategy.replace(
        rows={
            label: tuple(map(cell, cells)) for label, cells in _all_rows(strategy, False).items()
        },
        after_split={
            label: tuple(map(cell, cells)) for label, cells in _all_rows(strategy, True).items()
        },
        exact=tuple(
            ExactCards(e.counts, e.upcard, cell(e.cell), e.after_split) for e in strategy.exact
        ),
    )


def _all_rows(strategy: Strategy, after_split: bool) -> dict[str, tuple[str, ...]]:
    return {
        label: tuple(strategy.cell(label, up, after_split=after_split) for up in UPCARDS)
        for label in ROWS
    }


def _without_splits(rules: Rules, solver: Solver, strategy: Strategy | None) -> Strategy:
    """The way of playing with no pair split at first, and nothing taken at offers."""
    from blackjack._analysis_chart import best_rows

    if strategy is None:
        strategy = best_rows(rules, solver)
        strategy = strategy.replace(
            rows={label: tuple(map(_no_split, cells)) for label, cells in strategy.rows.items()},
            exact=tuple(
                ExactCards(e.counts, e.upcard, _no_split(e.cell), e.after_split)
                for e in strategy.exact
            ),
        )
    else:
        unsplit = tuple(_first_pairs(strategy))
        strategy = strategy.replace(exact=(*unsplit, *strategy.exact))
    return strategy.replace(insurance=False, even_money=False, early_surrender=False)


def _no_split(cell: str) -> str:
    return "".join(x for x in cell if x not in "Pp") or "S"


def _first_pairs(strategy: Strategy) -> list[ExactCards]:
    found = []
    for v in range(10):
        pair = tuple(2 * (i == v) for i in range(10))
        for up in range(10):
            cell = next(
                (
                    e.cell
                    for e in strategy.exact
                    if (e.counts, e.upcard) == (pair, up) and not e.after_split
                ),
                strategy.cell(hand_label(pair, pair=True), UPCARDS[up]),
            )
            found.append(ExactCards(pair, up, _no_split(cell), False))
    return found


def _mean(rules: Rules, shoe: Shoe, strategy: Strategy) -> float:
    from blackjack._analysis_input import full_shoe
    from blackjack._outcomes import outcome_moments

    counts: Any = None if shoe == full_shoe(rules) else shoe.counts
    try:
        mean, _ = outcome_moments(rules, strategy, shoe=counts)
    except ValueError as error:
        field, _, reason = str(error).partition(": ")
        raise RulesError([((field,), reason)]) from None
    return float(mean)


def _chance(rules: Rules, shoe: Shoe, v: int, up: int) -> float:
    """Of the pair and the upcard."""
    gone, n = (0 if shoe.infinite else 1), sum(shoe.counts)
    chance = shoe.counts[v] / n * (shoe.counts[v] - gone) / (n - gone)
    chance *= (shoe.counts[up] - 2 * gone * (up == v)) / (n - 2 * gone)
    if v == 9 and rules.split_by == "rank" and shoe.tens is not None and chance > 0:
        tens = shoe.counts[9]
        chance *= sum(k * (k - gone) for k in shoe.tens) / (tens * (tens - gone))
    return chance
