"""The best chart of a game, and where exact cards want another play.

Lives here: `best_chart`, `optimal_strategy`, `differences`. Not here: values (blackjack.analysis), the format
of charts (blackjack._chart_text), published charts (blackjack.charts).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from blackjack._chart_text import LETTERS, Cells, Choice, ExactCards, tidy
from blackjack.actions import ACTIONS, Action
from blackjack.cards import UPCARDS
from blackjack.strategy import Strategy, hand_label, plan_label
from blackjack_core.rows import orders, rows

if TYPE_CHECKING:
    from blackjack._analysis_input import Shoe
    from blackjack.rules import Rules
    from blackjack_core.solve import Solver

# The cells that a row of totals may have, the plainest first: what comes first of equals is taken.
_CELLS = ("S", "H", "Ds", "Dh", "Us", "Uh", "UDs", "UDh", "DUs", "DUh")
_STAND, _HIT, _DOUBLE, _SPLIT, _SURRENDER = (LETTERS.index(x) for x in "SHDPU")
_ROUNDS = 12


def _solver(rules: Rules, shoe: Shoe, strategy: Strategy | None = None) -> Solver:
    from blackjack.analysis import _solve, _solved

    # charts are improved by values of splits as if a dealer blackjack took each hand by itself
    return _solved(rules, shoe, None) if strategy is None else _solve(rules, shoe, strategy)


def _first(codes: Iterable[int], legal: int) -> int:
    return next((code for code in codes if legal >> code & 1), _STAND)


def _codes(cell: str) -> tuple[int, ...]:
    return tuple(LETTERS.index(letter) for letter in cell.upper())


def _total_cell(groups: Sequence[tuple[Any, ...]]) -> str:
    """The cell that is worth most to all hands of a total together.

    Between cells that are worth the same (the second letter of a row that always doubles) their worth without
    doubling and surrender decides, then that to hands which are never played.
    """

    def worth(cell: str) -> tuple[float, float, float]:
        codes = _codes(cell)
        plain = codes[-1:]
        played = [g for g in groups if g[1] > 0]
        return (
            sum(g[2 + _first(codes, g[0])] for g in played),
            sum(g[2 + _first(plain, g[0])] for g in played),
            sum(g[2 + _first(plain, g[0])] for g in groups if g[1] <= 0),
        )

    near = [
        1e-12 * sum(abs(x) for g in groups for x in g[2:7] if (g[1] > 0) is p)
        for p in (True, False)
    ]
    best, top = "S", worth("S")
    for cell in _CELLS[1:]:
        for value, other, close in zip(worth(cell), top, (near[0], near[0], near[1]), strict=True):
            if abs(value - other) > close:
                if value > other:
                    best, top = cell, worth(cell)
                break
    return best


def _pair_cell(group: tuple[Any, ...], late_double: bool) -> str:
    """A pair's own order of preference, as people write it: nothing after hit or stand.

    late_double: whether the pair may be doubled once it may no longer be split.
    """
    legal, values = group[0], group[2:7]
    order = sorted((a for a in range(5) if legal >> a & 1), key=lambda a: (-values[a], a))
    letters: list[int] = []
    for a in order:
        # where it may surrender it may split, too
        useless = a == _SURRENDER or (a == _DOUBLE and not late_double)
        if not (useless and _SPLIT in letters):
            letters.append(a)
        if a in (_STAND, _HIT):
            break
    return tidy("".join(LETTERS[a] for a in letters))


def _cells(rules: Rules, solver: Solver) -> dict[str, Cells]:
    found: dict[str, list[str]] = {}
    for (row, up), groups in rows(solver).items():
        label, _ = plan_label(row * 10)
        if label[0] == "h" and int(label[1:]) < 4:
            continue
        plain = "H" if label[0] == "p" or int(label[1:]) < 17 else "S"
        cells = found.setdefault(label, [plain] * 10)
        if label[0] == "p":
            late = rules.double_after_split and (label != "pA" or rules.double_split_aces)
            cells[up] = _pair_cell(groups[0], late)
        else:
            cells[up] = _total_cell(groups)
    return {label: tuple(cells) for label, cells in found.items()}


def _start_chance(shoe: Shoe, i: int, j: int, u: int) -> float:
    """Of two cards (in either order) and an upcard."""
    gone, n = (0 if shoe.infinite else 1), sum(shoe.counts)
    ways = shoe.counts[i] * (shoe.counts[j] - gone * (i == j))
    ways *= shoe.counts[u] - gone * ((u == i) + (u == j))
    everything = n * (n - gone) * (n - 2 * gone)
    return (1 if i == j else 2) * max(0, ways) / everything if everything > 0 else 0.0


def _offers(rules: Rules, shoe: Shoe, solver: Solver) -> dict[str, Choice]:
    """What is taken at offers, row by row."""
    sums: dict[tuple[str, str], dict[int, float]] = {}
    for i in range(10):
        for j in range(i, 10):
            counts = tuple((v == i) + (v == j) for v in range(10))
            labels = [hand_label(counts, i == j)]
            if i == j == 9 and rules.split_by == "rank":
                labels.append("h20")
            for u in range(10):
                chance = _start_chance(shoe, i, j, u)
                values = solver.offer(counts, u)[0] if chance > 0 else {}
                for code, value in values.items():
                    for label in labels:
                        row = sums.setdefault((label, UPCARDS[u]), {})
                        row[code] = row.get(code, 0.0) + chance * value
    names = {
        Action.INSURANCE: "insurance",
        Action.EVEN_MONEY: "even_money",
        Action.SURRENDER: "early_surrender",
    }
    taken: dict[str, set[tuple[str, str]]] = {name: set() for name in names.values()}
    could: dict[str, set[tuple[str, str]]] = {name: set() for name in names.values()}
    for at, row in sums.items():
        for code in row:
            if ACTIONS[code] in names:
                could[names[ACTIONS[code]]].add(at)
        best = max(row, key=lambda code: (row[code], code))
        if ACTIONS[best] in names:
            taken[names[ACTIONS[best]]].add(at)
    return {
        name: (name != "early_surrender" and chosen == could[name]) or frozenset(chosen)
        if chosen
        else False
        for name, chosen in taken.items()
    }


def _strategy(rules: Rules, shoe: Shoe, solver: Solver, name: str) -> Strategy:
    strategy = Strategy(rows=_cells(rules, solver), name=name)
    return strategy.replace(**_offers(rules, shoe, solver))


@lru_cache(maxsize=32)
def best_chart(rules: Rules, shoe: Shoe) -> Strategy:
    """The total-dependent chart that no change of a row's cell makes better.

    Cells are chosen by what all hands of a row are worth together, each as often as it has to be played; as
    that hangs on the other cells, they are chosen anew until nothing changes.
    """
    best = _strategy(rules, shoe, _solver(rules, shoe), "chart")
    solver = _solver(rules, shoe, best)
    seen, now = {best}, best
    top = solver.ev
    for _ in range(_ROUNDS):
        now = _strategy(rules, shoe, solver, "chart")
        if now in seen:
            break
        seen.add(now)
        solver = _solver(rules, shoe, now)
        if solver.ev > top:
            best, top = now, solver.ev
    return best


def _exceptions(solver: Solver, chart: Strategy) -> Iterable[tuple[ExactCards, Any]]:
    """Hands whose own order of preference leads to another action than the chart, in play or in a split."""
    for counts, kinds, per_upcard in orders(solver):
        pair = sum(counts) == 2 and max(counts) == 2
        label = hand_label(counts, pair)
        for up, found in enumerate(per_upcard):
            if found is None:
                continue
            _, actions, _, legal = found
            cell = _codes(chart.cell(label, UPCARDS[up]))
            split = (1 << _SPLIT) if pair else 0
            sets = {legal, *kinds, kinds[0] | split, kinds[1] | split}
            if any(_first(actions, s) != _first(cell, s) for s in sets):
                letters = tidy("".join(LETTERS[a] for a in actions))
                yield ExactCards(counts, up, letters), found


def best_rows(rules: Rules, solver: Solver) -> Strategy:
    """A solved game's own best play in rows and exceptions, offers apart."""
    chart = Strategy(rows=_cells(rules, solver))
    return chart.replace(exact=tuple(e for e, _ in _exceptions(solver, chart)))


@lru_cache(maxsize=8)
def optimal_strategy(rules: Rules, shoe: Shoe) -> Strategy:
    """The best chart, the best play of exact cards as its exceptions, offers by row."""
    chart, solver = best_chart(rules, shoe), _solver(rules, shoe)
    exact = tuple(e for e, _ in _exceptions(solver, chart))
    return chart.replace(exact=exact, name="optimal", **_offers(rules, shoe, solver))


def differences(rules: Rules, shoe: Shoe) -> list[dict[str, object]]:
    """What `Analysis.differences` gives."""
    chart, solver = best_chart(rules, shoe), _solver(rules, shoe)
    result: list[dict[str, Any]] = []
    for exact, (weight, actions, values, legal) in _exceptions(solver, chart):
        up, counts = exact.upcard, exact.counts
        pair = sum(counts) == 2 and max(counts) == 2
        instead = _first(_codes(chart.cell(hand_label(counts, pair), UPCARDS[up])), legal)
        if weight <= 0 or instead == actions[0]:
            continue
        cost = values[actions[0]] - values[instead]
        if solver.left_out(up):
            cost /= 1 - solver.natural(counts, up)
        result.append(
            {
                "cards": " ".join(
                    u for u, n in zip(UPCARDS, counts, strict=True) for _ in range(n)
                ),
                "upcard": UPCARDS[up],
                "action": ACTIONS[actions[0]],
                "chart": ACTIONS[instead],
                "cost": cost,
                "chance": weight * shoe.counts[up] / sum(shoe.counts),
            }
        )
    return sorted(result, key=lambda row: (-row["cost"], row["cards"], row["upcard"]))
