"""Hypothesis strategies for programs that embed the engine: cards, shoes, rules, rounds, tables.

Lives here: what a front end's own tests draw from. Not here: this package's own tests (they use these
too). Needs the extra: `pip install 'blackjack-engine[testing]'`.

>>> from hypothesis import given
>>> from blackjack.history import replay
>>> from blackjack.testing import rounds
>>> @given(rounds())
... def test_money_is_whole(record):
...     assert isinstance(replay(record)["net"], int)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import TYPE_CHECKING, Any

from blackjack.actions import ACTION_SETS, Action
from blackjack.cards import CARDS, UPCARDS, Card, cards_text
from blackjack.errors import ArgumentError, MissingExtra, RulesError
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack_core.rng import Source
from blackjack_core.round import Round
from blackjack_core.ruleset import RuleSet
from blackjack_core.shoe import Shoe

try:
    from hypothesis import strategies as st
except ImportError:
    raise MissingExtra("hypothesis", "testing") from None

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = ["bets", "cards", "rounds", "rules", "shoes"]

_DONE = 3
_ODDS = ["3:2", "6:5", "1:1", "2:1", "5:2", "7:5", "0:1", "11:10", "8:1"]


def cards(ranks: str = "A23456789TJQK", suits: str = "cdhs") -> SearchStrategy[Card]:
    """Single cards, of some ranks and suits only if wanted."""
    return st.sampled_from([c for c in CARDS if c.rank in ranks and c.suit in suits])


# Every field is one or two small integers, so that drawing whole rules stays cheap.


def _some(of: Sequence[Any]) -> SearchStrategy[list[Any]]:
    """A list of some of these, each once, often none or all."""
    every = (1 << len(of)) - 1
    masks = st.one_of(st.sampled_from([0, every]), st.integers(0, every))
    return masks.map(lambda mask: [item for i, item in enumerate(of) if mask >> i & 1])


def _rare(default: object, other: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.one_of(st.just(default), other)


def _ratio(parts: tuple[int, int]) -> str:
    return f"{parts[0]}:{parts[1]}"


def _refund(parts: tuple[int, int]) -> str:
    return f"{min(parts)}:{parts[1]}"


_parts_of_ratio = st.tuples(st.integers(0, 36), st.integers(1, 12))
_ratios = st.one_of(st.sampled_from(_ODDS), _parts_of_ratio.map(_ratio))
_composition = st.one_of(
    st.lists(st.integers(0, 8), min_size=13, max_size=13),
    st.dictionaries(st.sampled_from("A23456789TJQK"), st.integers(0, 12), max_size=4),
)
_shuffles: SearchStrategy[object] = st.one_of(
    st.sampled_from(["every_round", "exhaust", "continuous"]),
    st.integers(1, 50).map(lambda n: {"cut_card": f"{n}/50"}),
    st.integers(1, 60).map(lambda n: {"fewer_than": n}),
)
_FLAGS = (
    "hit_soft_17",
    "pay_blackjack_at_once",
    "blackjack_ties_21",
    "double_soft",
    "double_after_split",
    "double_split_aces",
    "hit_split_aces",
    "hit_on_21",
    "push_on_22",
    "split_ace_ten_beats_21",
    "double_any_number",
    "redouble",
    "double_for_less",
    "partial_insurance",
    "private",
)
_FIELDS: dict[str, SearchStrategy[Any]] = {
    "decks": st.sampled_from([6, 1, 2, 8, 4, None, 3, 5, 7, 12]),
    "shuffle": _shuffles,
    "boxes": st.integers(1, 7),
    "hole_card": st.sampled_from(["peek", "no_peek", "none"]),
    "peek_on": _some(["A", "T"]),
    "upcard": st.sampled_from(["first", "second"]),
    "dealer_blackjack_takes": st.sampled_from(["all", "original", "original_and_busted"]),
    "blackjack_pays": _ratios,
    "suited_blackjack_pays": _rare(None, _ratios),
    "double_on": _rare("any", _some(range(2, 22))),
    "split_by": st.sampled_from(["value", "rank"]),
    "max_hands": st.integers(1, 6),
    "surrender": st.sampled_from(["none", "late", "early"]),
    "surrender_on": _some(UPCARDS),
    "surrender_returns": st.one_of(st.just("1:2"), _parts_of_ratio.map(_refund)),
    "insurance_on": _some(UPCARDS),
    "insurance_pays": _ratios,
    "insurance_blocks": _some(["hit", "double", "split", "surrender"]),
    "even_money_on": _some(UPCARDS),
    "charlie_cards": _rare(None, st.integers(3, 9)),
    "charlie_pays": _ratios,
    "dealer_wins_ties": st.one_of(st.booleans(), _some([17, 18, 19, 20, 21])),
    "burn": _rare(0, st.integers(0, 10)),
    "composition": _rare(None, _composition),
    "min_bet": _rare(1, st.integers(1, 100)),
    "bet_step": _rare(1, st.integers(1, 50)),
    "chips": _rare([], st.lists(st.integers(1, 5000), unique=True, max_size=6)),
    "limit_per": st.sampled_from(["box", "deal"]),
    "rounding": st.sampled_from(["down", "up", "exact"]),
}
_values = st.tuples(
    st.fixed_dictionaries(_FIELDS),
    st.integers(0, (1 << len(_FLAGS)) - 1),
    st.integers(0, 5),
    _rare(None, st.integers(100, 10**6)),
)


def _make(drawn: tuple[dict[str, Any], int, int, int | None], fixed: dict[str, Any]) -> Rules:
    values, flags, aces, above = drawn
    values = values | {name: bool(flags >> i & 1) for i, name in enumerate(_FLAGS)} | fixed
    if "max_hands" not in fixed:
        values["max_hands"] = max(values["max_hands"], fixed.get("max_ace_hands") or 1)
    if "min_bet" not in fixed:
        values["min_bet"] = min(values["min_bet"], fixed.get("max_bet") or values["min_bet"])
    values.setdefault("max_ace_hands", min(values["max_hands"], aces + 1))
    values.setdefault("max_bet", None if above is None else values["min_bet"] + above)
    try:
        game = Rules(**values)
    except RulesError:
        # a shoe too small for its own round: take what is always large enough
        large = {"decks": 8, "composition": None, "burn": 0, "shuffle": "every_round"}
        game = Rules(**{**values, **large, **fixed})
    if "max_bet" not in fixed and not _bet_range(game):
        return game.replace(max_bet=None)
    return game


def rules(*, presets: bool = True, **fixed: Any) -> SearchStrategy[Rules]:
    """Rules with every field at random, now and then those of a house; all of them can be played.

    Args:
        presets: whether houses are among them.
        fixed: fields that are the same in all of them (`rules(decks=1, surrender="late")`).
    """
    anything = _values.map(lambda drawn: _make(drawn, fixed))
    if not presets:
        return anything
    houses = st.sampled_from([house.replace(**fixed) for house in PRESETS.values()])
    return st.one_of(anything, anything, anything, houses)


@st.composite
def _shuffled(draw: DrawFn, game: Rules, chosen: int) -> tuple[Card, ...]:
    rest = bytearray(sorted(game.shoe_cards * (1 if game.decks else 8)))
    picks = draw(st.lists(st.integers(0, 2**16), max_size=min(chosen, len(rest))))
    front = [rest.pop(pick % len(rest)) for pick in picks]
    seed = draw(st.integers(0, 2**64 - 1))
    if rest:
        behind = Shoe(bytes(rest), Source(seed=seed))
        behind.shuffle()
        rest = bytearray(behind.remaining())
    return tuple(CARDS[code] for code in (*front, *rest))


def shoes(game: Rules | None = None, *, chosen: int = 24) -> SearchStrategy[tuple[Card, ...]]:
    """Whole shoes of a game (six decks without one), in dealt order.

    Args:
        game: whose composition; for an infinite one, eight of its decks.
        chosen: at most so many cards are drawn one by one, so that examples shrink; a seeded shuffle
            puts the others behind them.
    """
    return _shuffled(Rules() if game is None else game, chosen)


def bets(game: Rules, *, empty: bool = True) -> SearchStrategy[list[int]]:
    """Bets that a table of this game deals to: one for every box, 0 for none, at least one.

    Args:
        game: its limits, steps and rounding hold.
        empty: whether boxes may stay empty.
    """
    unit, amounts = _unit(game), _bet_range(game)
    if not amounts:
        raise ArgumentError("expected rules whose limits, steps and rounding leave some bet")
    low, high = amounts[0], amounts[-1]
    several = game.boxes if game.limit_per == "deal" else 1  # boxes that share the limit
    one = st.integers(low, max(low, high // several)).map(lambda n: n * unit)
    only = st.integers(0, game.boxes - 1)
    if low * several > high:
        return st.tuples(only, one).map(lambda drawn: _with([0] * game.boxes, *drawn))
    any_bet = st.one_of(st.just(0), one) if empty else one
    all_bets = st.lists(any_bet, min_size=game.boxes, max_size=game.boxes)
    return st.tuples(all_bets, only, one).map(
        lambda drawn: drawn[0] if any(drawn[0]) else _with(*drawn)
    )


def _bet_range(game: Rules) -> range:
    """The bets that this game's limits allow on one box, in multiples of `_unit`."""
    unit = _unit(game)
    low = -(-game.min_bet // unit)
    high = low + 200 if game.max_bet is None else game.max_bet // unit
    return range(low, high + 1)


def _unit(game: Rules) -> int:
    return lcm(game.bet_step, game.exact_unit) if game.rounding == "exact" else game.bet_step


def _with(amounts: list[int], box: int, amount: int) -> list[int]:
    return [*amounts[:box], amount, *amounts[box + 1 :]]


@st.composite
def _played(draw: DrawFn, game: SearchStrategy[Rules]) -> dict[str, Any]:
    table = draw(game)
    amounts = draw(bets(table))
    order = bytes(card.code for card in draw(shoes(table)))
    compiled = RuleSet(**{**table.compiled.fields, "boxes": len(amounts)})
    shoe = Shoe(order)
    played = Round(compiled, shoe)
    actions = []
    try:
        played.start(amounts)
        while played.phase != _DONE:
            action = draw(st.sampled_from(sorted(ACTION_SETS[played.legal])))
            part = draw(_parts(table, action, played.stake_of(action.code)))
            played.apply(action.code, part)
            actions.append(f"{action}:{part}" if part else str(action))
    except LookupError:  # more boxes than this shoe serves: the round stays unfinished
        return draw(_played(st.just(table.replace(decks=8, composition=None))))
    return {
        "rules": table.to_dict(),
        "bets": amounts,
        "cards": cards_text(CARDS[code] for code in shoe.round_cards()),
        "actions": actions,
    }


def _parts(game: Rules, action: Action, full: int) -> SearchStrategy[int]:
    """A part of a double or an insurance where the rules allow one; 0: all of it."""
    allowed = (action is Action.DOUBLE and game.double_for_less) or (
        action is Action.INSURANCE and game.partial_insurance
    )
    unit = game.exact_unit if game.rounding == "exact" else 1
    if not allowed or full < unit:
        return st.just(0)
    return st.one_of(st.just(0), st.integers(1, full // unit).map(lambda n: n * unit))


def rounds(game: Rules | SearchStrategy[Rules] | None = None) -> SearchStrategy[dict[str, Any]]:
    """Whole legal rounds as round files: `{"rules", "bets", "cards", "actions"}`.

    Args:
        game: whose rounds, or a strategy of rules; any rules without it.
    """
    if game is None:
        game = rules()
    return _played(st.just(game) if isinstance(game, Rules) else game)
