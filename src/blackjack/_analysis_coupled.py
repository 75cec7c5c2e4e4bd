"""Splits whose hands a dealer blackjack takes together.

Lives here: `coupled`, `take_coupled`. Not here: all other values (blackjack_core.solve), results of
rounds (blackjack._outcomes).

Under some rules what a dealer blackjack takes of a box hangs on all of its hands: with "original_and_busted" on
whether all of them busted, with "original" on whether one of them is a charlie or ties. Such a split has no value
hand by hand. It is the mean of the round in which the pair is split, with all of its hands looked at together
(blackjack_core.outcomes.split_mean).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from blackjack._chart_text import LETTERS, ROWS, ExactCards
from blackjack.actions import Action
from blackjack.cards import UPCARDS
from blackjack.errors import RulesError
from blackjack.strategy import Strategy, hand_label

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    rules: Rules,
    shoe: Shoe,
    solver: Solver,
    strategy: Strategy | None,
    ups: list[int],
    values: Iterable[int] = range(10),
) -> list[tuple[int, int, float]]:
    """(pair's value index, upcard, value of splitting) where hands hang together.

    solver: of these rules and this shoe, for these upcards at least. values: the pairs that are wanted.
    """
    cells = [
        (v, up)
        for v in values
        for up in ups
        if _may_come(rules, shoe, v, up) and Action.SPLIT.code in solver.play(_pair(v), up)[0]
    ]
    if not cells:
        return []
    if strategy is None:
        strategy = _as_unsplit(rules, solver, cells)
    strategy = strategy.replace(insurance=False, even_money=False, early_surrender=False)
    return [(v, up, _mean(rules, shoe, strategy, v, up)) for v, up in cells]


def _may_come(rules: Rules, shoe: Shoe, v: int, up: int) -> bool:
    """Whether the shoe has the pair, and the upcard beside it."""
    two = 1 if shoe.infinite else 2
    if v == 9 and rules.split_by == "rank" and shoe.tens is not None and max(shoe.tens) < two:
        return False
    return shoe.counts[v] >= two and shoe.counts[up] >= (3 if up == v and two == 2 else 1)


def _pair(v: int) -> tuple[int, ...]:
    return tuple(2 * (i == v) for i in range(10))


def take_coupled(
    rules: Rules,
    shoe: Shoe,
    solver: Solver,
    strategy: Strategy | None,
    *,
    only: tuple[int, int] | None = None,
) -> None:
    """Put the values of such splits into a solved game, for insured boxes too where that bars actions.

    only: of one pair (its value index) under one upcard.
    """
    from blackjack.analysis import _solve

    ups = coupled(rules, shoe) if only is None else [only[1]]
    pairs = range(10) if only is None else [only[0]]
    mask = sum(1 << up for up in ups)
    first = _solve(rules, shoe, strategy, ups=mask)
    solver.take_splits(coupled_splits(rules, shoe, first, strategy, ups, pairs))
    asked = [up for up in ups if UPCARDS[up] in rules.insurance_on]
    if rules.insurance_blocks and asked:
        if strategy is not None:
            letters = {LETTERS[Action(name).code] for name in rules.insurance_blocks}
            strategy = _barred(strategy, letters)
        insured = _solve(rules, shoe, strategy, insured=True, ups=mask)
        values = coupled_splits(rules, shoe, insured, strategy, asked, pairs)
        solver.take_splits(values, insured=True)


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


def _as_unsplit(rules: Rules, solver: Solver, cells: list[tuple[int, int]]) -> Strategy:
    """The best play of hands that are not split, for split ones; these pairs are split up to the limit."""
    from blackjack._analysis_chart import best_rows

    best = best_rows(rules, solver)
    plain = best.replace(
        rows={label: tuple(map(_no_split, row)) for label, row in best.rows.items()},
        exact=tuple(
            ExactCards(e.counts, e.upcard, _no_split(e.cell), e.after_split) for e in best.exact
        ),
    )
    known = {(e.counts, e.upcard): e.cell for e in plain.exact}
    pairs = []
    for v, up in cells:
        pair = _pair(v)
        cell = known.get((pair, up)) or plain.cell(hand_label(pair, pair=True), UPCARDS[up])
        pairs.append(ExactCards(pair, up, f"P{cell.lower()}", None))
    return plain.replace(exact=(*pairs, *plain.exact))


def _no_split(cell: str) -> str:
    return "".join(x for x in cell if x not in "Pp") or "S"


def _mean(rules: Rules, shoe: Shoe, strategy: Strategy, v: int, up: int) -> float:
    """What a pair comes to that is split, with its hands played so."""
    from blackjack._outcomes import core_game
    from blackjack_core.outcomes import Unfit, split_mean

    try:
        return split_mean(
            *core_game(rules, strategy),
            list(shoe.counts),
            None if shoe.tens is None else list(shoe.tens),
            shoe.infinite,
            v,
            up,
        )
    except Unfit as error:
        field, reason = error.args
        raise RulesError([((field,), f"{reason}; the split is not computed")]) from None
