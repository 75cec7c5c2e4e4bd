"""Asking a Python function once per situation and writing its answers down as a strategy.

Lives here: `compile_callable`. Not here: the slow path that asks at every decision
(blackjack._simulation_slow).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from blackjack._chart_text import HARD, LETTERS, PAIRS, SOFT, Cells, Choice, ExactCards, tidy
from blackjack.actions import ACTIONS, Action
from blackjack.cards import UPCARDS
from blackjack.errors import ChartError
from blackjack.strategy import Asked, Situation, Strategy, hand_label

_PLAY = ACTIONS[:5]
_OFFERED = (
    ("early_surrender", Action.SURRENDER),
    ("even_money", Action.EVEN_MONEY),
    ("insurance", Action.INSURANCE),
)


def _situation(
    label: str, upcard: str, after: bool, legal: frozenset[Action], cards: tuple[str, ...]
) -> Situation:
    pair = label[1] if label[0] == "p" else None
    if pair is not None:
        value = UPCARDS.index(pair) + 1
        total, soft = (12, True) if value == 1 else (2 * value, False)
        cards = cards or (pair, pair)
    else:
        total, soft = int(label[1:]), label[0] == "s"
    return Situation(total, soft, pair, upcard, after, legal, cards)


def _ask(f: Asked, situation: Situation) -> Action:
    answer = f(situation)
    try:
        action = Action(answer)
    except ValueError:
        raise ChartError(f"expected an Action for {situation}, got {answer!r}") from None
    if action is Action.HIT and action not in situation.legal and not situation.offer:
        return Action.STAND  # where no card may be had, who would draw stands
    if action not in situation.legal:
        raise ChartError(f"expected a legal action for {situation}, got {answer!r}")
    return action


def _preferences(f: Asked, label: str, upcard: str, after: bool, cards: tuple[str, ...]) -> str:
    """The order of preference behind f's answers, checked on every set of legal actions."""
    actions = [a for a in _PLAY if a is not Action.SPLIT or label[0] == "p"]
    if after:
        actions.remove(Action.SURRENDER)
    if len(cards) > 2:
        actions = [a for a in actions if a not in (Action.SPLIT, Action.SURRENDER)]
    left = frozenset(actions)
    order: list[Action] = []
    while left:
        best = _ask(f, _situation(label, upcard, after, left, cards))
        order.append(best)
        if best is Action.STAND:
            break
        left -= {best}
    rest = [a for a in actions if a is not Action.STAND]
    for size in range(len(rest)):
        for some in combinations(rest, size):
            legal = frozenset((Action.STAND, *some))
            expected = next(a for a in order if a in legal)
            situation = _situation(label, upcard, after, legal, cards)
            answer = _ask(f, situation)
            if answer is not expected:
                raise ChartError(
                    f"no order of preference: {answer} where {expected} was better with more to "
                    f"choose from ({situation}); simulate it as it is, decision by decision"
                )
    return tidy("".join(LETTERS[a.code] for a in order))


def _hands() -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Every hand of two cards or more and 21 or less, by value."""

    def grow(value: int, points: int, counts: list[int]) -> Iterator[tuple[int, ...]]:
        if value == 10:
            if sum(counts) >= 2:
                yield tuple(counts)
            return
        for n in range((21 - points) // (value + 1) + 1):
            counts[value] = n
            yield from grow(value + 1, points + n * (value + 1), counts)
        counts[value] = 0

    for counts in grow(0, 0, [0] * 10):
        yield counts, tuple(u for u, n in zip(UPCARDS, counts, strict=True) for _ in range(n))


def _offers(f: Asked) -> dict[str, Choice]:
    chosen: dict[str, set[tuple[str, str]]] = {name: set() for name, _ in _OFFERED}
    for label in (*HARD[1:16], *SOFT[1:], *PAIRS):  # two cards: hard 5 to 19, soft 13 to 21, pairs
        for upcard in UPCARDS:
            for name, action in _OFFERED:
                blackjack = label == "s21"
                if (name == "even_money" and not blackjack) or (
                    name == "early_surrender" and blackjack
                ):
                    continue
                legal = frozenset((action, Action.DECLINE))
                if _ask(f, _situation(label, upcard, False, legal, ())) is action:
                    chosen[name].add((label, upcard))
    return {name: frozenset(rows) if rows else False for name, rows in chosen.items()}


def compile_callable(f: Asked, *, by_cards: bool, name: str | None) -> Strategy:
    """What `Strategy.from_callable` does."""
    rows: dict[bool, dict[str, Cells]] = {False: {}, True: {}}
    exact: list[ExactCards] = []
    for after in (False, True):
        if by_cards:
            _by_cards(f, after, rows[after], exact)
            continue
        for label in (*HARD, *SOFT, *PAIRS):
            cells = tuple(_preferences(f, label, u, after, ()) for u in UPCARDS)
            if not after:
                rows[False][label] = cells
            elif [c.replace("U", "") for c in cells] != [
                c.replace("U", "") for c in rows[False][label]
            ]:
                rows[True][label] = cells
    offers = _offers(f)
    return Strategy(
        rows=rows[False],
        after_split=rows[True],
        exact=tuple(exact),
        name=name or getattr(f, "__name__", None),
        insurance=offers["insurance"],
        even_money=offers["even_money"],
        early_surrender=offers["early_surrender"],
    )


def _by_cards(f: Asked, after: bool, rows: dict[str, Cells], exact: list[ExactCards]) -> None:
    """Each row gets the commonest answer of its hands, the others become exceptions."""
    answers: dict[str, list[dict[tuple[int, ...], str]]] = {}
    for counts, cards in _hands():
        pair = len(cards) == 2 and cards[0] == cards[1]
        label = hand_label(counts, pair)
        for up, upcard in enumerate(UPCARDS):
            tables = answers.setdefault(label, [{} for _ in UPCARDS])
            tables[up][counts] = _preferences(f, label, upcard, after, cards)
    for label, tables in answers.items():
        cells: list[str] = []
        for up, table in enumerate(tables):
            # ties are broken by the spelling, so that the same function gives the same chart
            usual = max(sorted(Counter(table.values()).items()), key=lambda item: item[1])[0]
            cells.append(usual)
            exact += [
                ExactCards(counts, up, cell, after)
                for counts, cell in table.items()
                if cell != usual
            ]
        rows[label] = tuple(cells)
