"""How a player plays: charts, exceptions by exact cards, choices at offers, compiled or asked.

Lives here: `Strategy`, `StrategyPlan` (what the compiled simulator takes) and `Situation` (what a
callable is asked). Not here: the text format (blackjack._chart_text), the published charts
(blackjack.charts), what is legal (blackjack_core.round).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from blackjack._arguments import function
from blackjack._chart_text import (
    HARD,
    LETTERS,
    OFFERS,
    PAIRS,
    SOFT,
    Cells,
    ChartData,
    Choice,
    ExactCards,
    checked_choice,
    read_chart,
    row_label,
    tidy,
    upcard_index,
    write_chart,
)
from blackjack.actions import ACTIONS, Action
from blackjack.cards import UPCARDS, CardsLike, parse_cards
from blackjack.errors import ArgumentError, CardError, ChartError

if TYPE_CHECKING:
    from blackjack.rules import Rules, RulesLike

__all__ = ["Situation", "Strategy", "StrategyPlan"]

_PLAY_SIZE: Final = 2 * 3 * 32 * 10
_OFFER_BITS: Final = {"insurance": 1, "even_money": 2, "early_surrender": 4}
_OFFER_ACTIONS: Final = {
    "early_surrender": Action.SURRENDER,
    "even_money": Action.EVEN_MONEY,
    "insurance": Action.INSURANCE,
}  # in the order in which they are considered
_END: Final = 0xF
NAMES: Final = ("chart", "optimal", "published")
"""What a strategy may be called where one is asked for by name."""


def encode(cell: str) -> int:
    """A cell as a preference list: action codes in nibbles, lowest first, 0xF ends.

    >>> hex(encode("Dh")), hex(encode("S")), hex(encode("UPh")), encode("Hs") == encode("H")
    ('0xff12', '0xfff0', '0xf134', True)
    """
    value, shift = 0xFFFF, 0
    letters = tidy(cell).upper()
    for letter in letters[:1] + letters[1:].removesuffix("S"):  # the last resort is to stand
        value &= ~(_END << shift)
        value |= LETTERS.index(letter) << shift
        shift += 4
    return value


def decode(preference: int) -> tuple[Action, ...]:
    """The actions of a preference list, best first.

    >>> [str(a) for a in decode(0xFF12)]
    ['double', 'hit']
    """
    codes = ((preference >> shift) & _END for shift in (0, 4, 8, 12))
    result: list[Action] = []
    for code in codes:
        if code == _END:
            break
        result.append(ACTIONS[code])
    return tuple(result)


def _row_at(label: str) -> tuple[int, int]:
    """(kind, row) of a label in a plan."""
    if label[0] == "p":
        return 2, UPCARDS.index(label[1]) + 1
    return "hs".index(label[0]), int(label[1:])


def plan_index(label: str, upcard: int) -> int:
    """Where a row stands in a plan's tables, under an upcard's value index.

    >>> plan_index("h16", 0), plan_index("pA", 9)
    (160, 659)
    """
    kind, row = _row_at(label)
    return (kind * 32 + row) * 10 + upcard


def plan_label(index: int) -> tuple[str, str]:
    """(row, upcard) at an index of a plan's tables.

    >>> plan_label(160), plan_label(659)
    (('h16', 'A'), ('pA', 'T'))
    """
    at, upcard = divmod(index, 10)
    kind, row = divmod(at, 32)
    return ("h", "s", "p")[kind] + (UPCARDS[row - 1] if kind == 2 else str(row)), UPCARDS[upcard]


def _total_label(label: str) -> str:
    """The total row that plays a pair without a row of its own."""
    if label == "pA":
        return "s12"
    return f"h{2 * (UPCARDS.index(label[1]) + 1)}"


def _default(label: str) -> Cells:
    total = int(label[1:])
    return ("H" if total < (17 if label[0] == "h" else 18) else "S",) * 10


def hand_label(counts: Iterable[int], pair: bool) -> str:
    """The row that plays a hand given by its cards per value.

    >>> hand_label((1, 0, 0, 0, 0, 1, 0, 0, 0, 0), pair=False)
    's17'
    """
    counts = tuple(counts)
    if pair:
        return f"p{UPCARDS[next(i for i, n in enumerate(counts) if n)]}"
    points = sum((i + 1) * n for i, n in enumerate(counts))
    soft = counts[0] > 0 and points <= 11
    return f"s{points + 10}" if soft else f"h{points}"


@dataclass(frozen=True, slots=True)
class StrategyPlan:
    """A strategy as the compiled simulator takes it: tables, no text.

    Attributes:
        play: little-endian uint16[2][3][32][10]: after split, hard/soft/pair, row, upcard by value;
            each a preference list of action codes in nibbles.
        offers: uint8[3][32][10]: bit 0 insurance, bit 1 even money, bit 2 surrender at the offer.
        exact: (cards per value, upcard, after split or None, preference list), the exceptions.
        split_by_rank: pairs are of equal rank, so that K-Q is played as hard 20.
    """

    play: bytes
    offers: bytes
    exact: tuple[tuple[tuple[int, ...], int, bool | None, int], ...] = ()
    split_by_rank: bool = False

    @property
    def fingerprint(self) -> str:
        """16 hex digits that name the way of playing."""
        text = b"|".join((self.play, self.offers, repr(sorted(self.exact, key=repr)).encode()))
        return hashlib.sha256(text).hexdigest()[:16]

    def _at(self, after_split: bool, codes: bytes, up: int) -> tuple[tuple[int, ...], int, int]:
        counts = [0] * 10
        for code in codes:
            counts[min(code >> 2, 9)] += 1
        pair = len(codes) == 2 and max(counts) == 2
        if pair and self.split_by_rank:
            pair = codes[0] >> 2 == codes[1] >> 2
        kind, row = _row_at(hand_label(counts, pair))
        return tuple(counts), (kind * 32 + row) * 10 + up, 960 if after_split else 0

    def choose(self, codes: bytes, upcard: int, legal: int, after_split: bool = False) -> int:
        """The action's code for a hand and an upcard (card codes) and a mask of legal actions."""
        up = min(upcard >> 2, 9)
        counts, index, half = self._at(after_split, codes, up)
        if legal >> Action.DECLINE.code & 1:
            taken = self.offers[index]
            for name, action in _OFFER_ACTIONS.items():
                if taken & _OFFER_BITS[name] and legal >> action.code & 1:
                    return action.code
            return Action.DECLINE.code
        (preference,) = struct.unpack_from("<H", self.play, 2 * (half + index))
        for exact, at, split, instead in self.exact:
            if exact == counts and at == up and split in (None, after_split):
                preference = instead
                break
        for shift in (0, 4, 8, 12):
            code = preference >> shift & _END
            if code == _END:
                break
            if legal >> code & 1:
                return int(code)
        return Action.STAND.code


@dataclass(frozen=True, slots=True)
class Situation:
    """What a callable strategy is asked: it answers with one of the legal actions.

    Attributes:
        total: the hand's best total.
        soft: whether an ace counts 11 in it.
        pair: the pair's value (`A 2 ... T`) if the two cards are one, else None.
        upcard: `A 2 ... 9 T`.
        after_split: the hand comes from a split.
        legal: what may be answered; with `Action.DECLINE` in it, it is an offer before play.
        cards: the hand's cards by value, `A 2 ... T`; empty when asked by totals.
    """

    total: int
    soft: bool
    pair: str | None
    upcard: str
    after_split: bool
    legal: frozenset[Action]
    cards: tuple[str, ...] = ()

    @property
    def offer(self) -> bool:
        """Whether this is an offer (insurance, even money, early surrender) and not play."""
        return Action.DECLINE in self.legal


Asked = Callable[[Situation], Action]


@dataclass(frozen=True, kw_only=True, eq=False)
class Strategy:
    """A way of playing. Frozen and hashable; equal when they say the same.

    >>> s = Strategy.from_chart('''
    ...     2  3  4  5  6  7  8  9  T  A
    ... h11 Dh Dh Dh Dh Dh Dh Dh Dh H  H
    ... ''')
    >>> s.decide("6h 5c", "4d", ["hit", "stand", "double"])
    <Action.DOUBLE: 'double'>
    >>> s.decide("6h 5c", "Kd", ["hit", "stand", "double"])
    <Action.HIT: 'hit'>

    Attributes:
        rows: what is played by row label (`h11`, `s18`, `p8`): ten cells in the order A 2 ... T.
        after_split: rows that are played instead by hands that come from a split.
        exact: exceptions by exact cards, the first that fits wins.
        insurance, even_money, early_surrender: what is taken at offers: always, never, or with
            which (row, upcard).
        name: what people call it; no part of equality.
    """

    rows: Mapping[str, Cells]
    after_split: Mapping[str, Cells] = field(default_factory=dict)
    exact: tuple[ExactCards, ...] = ()
    insurance: Choice = False
    even_money: Choice = False
    early_surrender: Choice = False
    name: str | None = None

    def __post_init__(self) -> None:
        for attribute in ("rows", "after_split"):
            given: Mapping[str, Iterable[str]] = getattr(self, attribute)
            checked: dict[str, Cells] = {}
            for label, cells in given.items():
                known, row = row_label(label), tuple(cells)
                if known is None or len(row) != 10:
                    raise ChartError(f"{attribute}: expected rows of ten cells, got {label!r}")
                try:
                    checked[known] = tuple(tidy(cell) for cell in row)
                except ValueError as error:
                    raise ChartError(f"{attribute}: {error} (row {label})") from None
            object.__setattr__(self, attribute, MappingProxyType(checked))
        object.__setattr__(self, "exact", tuple(self.exact))
        for offer in OFFERS:
            object.__setattr__(self, offer, checked_choice(offer, getattr(self, offer)))

    # ------------------------------------------------------------ making one

    @classmethod
    def from_chart(cls, text: str, *, name: str | None = None) -> Strategy:
        """Read a chart as people print it (docs/strategies.md has the format).

        >>> Strategy.from_chart("2 3 4 5 6 7 8 9 T A\\nh11 D D D X D D D D D D")
        Traceback (most recent call last):
        blackjack.errors.ChartError: line 2, column 11: expected letters of S H D P U, got 'X' \
(row h11, upcard 5)

        Raises:
            ChartError: it cannot be read; the text names line and column.
        """
        return cls._of(read_chart(text), name)

    @classmethod
    def from_json(cls, text: str | bytes) -> Strategy:
        """Read what `to_json` writes.

        >>> Strategy.from_json('{"rows": {"h16": ["S","S","S","S","S","H","H","Uh","Uh","Uh"]}}').cell("h16", "9")
        'Uh'

        Raises:
            ChartError: it cannot be read; the text names the place.
        """
        from blackjack._strategy_json import from_json

        name, data = from_json(text)
        return cls._of(data, name)

    @classmethod
    def _of(cls, data: ChartData, name: str | None) -> Strategy:
        return cls(
            rows=data.rows,
            after_split=data.after_split,
            exact=tuple(data.exact),
            name=name,
            insurance=data.offers.get("insurance", False),
            even_money=data.offers.get("even_money", False),
            early_surrender=data.offers.get("early_surrender", False),
        )

    @classmethod
    def chart(cls, rules: RulesLike) -> Strategy:
        """The best total-dependent chart for the very rules, computed by the exact analyzer.

        Cells are chosen off the top of a full shoe, each by what is best for the hands that it
        plays, weighted by how often they come; offers are taken with the hands that gain by them.

        >>> Strategy.chart("vegas_strip").cell("h11", "A")
        'Dh'

        Raises:
            BlackjackError: the analyzer has no exact answer for these rules; the text says why.
        """
        from blackjack.analysis import analyze

        return analyze(rules, strategy="chart").chart()

    @classmethod
    def optimal(cls, rules: RulesLike) -> Strategy:
        """The best play by exact cards off the top of a full shoe: the best chart and exceptions.

        Split hands play as the same cards in a hand that is not split (docs/analysis.md).

        Raises:
            BlackjackError: the analyzer has no exact answer for these rules; the text says why.
        """
        from blackjack.analysis import analyze

        return analyze(rules).optimal()

    @classmethod
    def published(cls, rules: RulesLike) -> Strategy:
        """The common published total-dependent chart that fits the rules, as people print it.

        >>> Strategy.published("vegas_strip").cell("h11", "A")
        'Dh'
        """
        from blackjack.charts import published_rows
        from blackjack.rules import Rules

        rules = Rules.of(rules)
        peek = rules.hole_card == "peek" and bool(rules.peek_on)
        return cls(
            rows=published_rows(rules),
            early_surrender=rules.surrender == "early" and peek,
            name="published",
        )

    @classmethod
    def from_function(
        cls, f: Asked, *, by_cards: bool = False, name: str | None = None
    ) -> Strategy:
        """Compile a function by asking it once per situation and set of legal actions.

        It is asked for every total (and pair) against every upcard, in split hands and others, and
        at offers; `by_cards` asks for every hand by its cards. Its answers must hang on nothing
        else, and an action taken away may not change its mind about the others.

        >>> def like_the_dealer(s):
        ...     if s.offer:
        ...         return Action.DECLINE
        ...     return Action.HIT if s.total < 17 else Action.STAND
        >>> mimic = Strategy.from_function(like_the_dealer)
        >>> mimic.cell("h16", "6"), mimic.cell("s17", "A")
        ('Hs', 'S')

        Raises:
            ChartError: an answer that is not legal, or that shows no order of preference.
        """
        from blackjack._strategy_callable import compile_callable

        function("f", f)
        return compile_callable(f, by_cards=by_cards, name=name)

    @classmethod
    def from_callable(
        cls, f: Asked, *, by_cards: bool = False, name: str | None = None
    ) -> Strategy:
        """The older name of `from_function`."""
        return cls.from_function(f, by_cards=by_cards, name=name)

    def replace(self, **changes: object) -> Strategy:
        """This strategy with some attributes changed."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        unknown = [name for name in changes if name not in values]
        if unknown:
            known = ", ".join(values)
            raise ArgumentError(f"expected attributes {known}, got {unknown[0]!r}")
        return Strategy(**{**values, **changes})

    def with_exact(
        self, cards: str, upcard: str, cell: str, *, after_split: bool | None = None
    ) -> Strategy:
        """With an exception for one hand by its cards; it goes before those there are.

        >>> from blackjack.rules import Rules
        >>> s = Strategy.chart(Rules()).with_exact("T 2", "4", "H")
        >>> s.decide("Kd 2c", "4s", ["hit", "stand"]), s.decide("7d 5c", "4s", ["hit", "stand"])
        (<Action.HIT: 'hit'>, <Action.STAND: 'stand'>)
        """
        word = {None: "", True: "split", False: "unsplit"}[after_split]
        if not all(isinstance(text, str) for text in (cards, upcard, cell)):
            got = f"{cards!r}, {upcard!r}, {cell!r}"
            raise ChartError(f"expected texts such as 'T 2', '4', 'H', got {got}")
        line = f"exact: {''.join(cards.split())} {upcard} {cell} {word}"
        (new,) = read_chart(f"2 3 4 5 6 7 8 9 T A\n{line}").exact
        return self.replace(exact=(new, *self.exact), name=None)

    def with_after_split(self, text: str) -> Strategy:
        """With rows (a chart's text) that hands from a split play instead."""
        rows = {**self.after_split, **read_chart(text).rows}
        return self.replace(after_split=rows, name=None)

    # ------------------------------------------------------------ looking

    def cell(self, row: str, upcard: str, *, after_split: bool = False) -> str:
        """What a row says under an upcard, fallbacks for missing rows included."""
        label, index = row_label(row), upcard_index(upcard)
        if label is None or index is None:
            raise ChartError(f"expected a row such as h11 and an upcard, got {row!r}, {upcard!r}")
        return self._row(label, after_split)[index]

    def _row(self, label: str, after_split: bool) -> Cells:
        names = (label, _total_label(label)) if label[0] == "p" else (label,)
        for name in names:
            if after_split and name in self.after_split:
                return self.after_split[name]
            if name in self.rows:
                return self.rows[name]
        return _default(names[-1])

    def to_chart(self) -> str:
        """The chart's text; `from_chart` reads it back to an equal strategy."""
        offers = {name: getattr(self, name) for name in OFFERS}
        return write_chart(self.rows, self.after_split, self.exact, offers)

    def to_json(self) -> str:
        """The same as a JSON object; `from_json` reads it back to an equal strategy.

        >>> from blackjack.rules import Rules
        >>> chart = Strategy.published(Rules())
        >>> Strategy.from_json(chart.to_json()) == chart
        True
        """
        from blackjack._strategy_json import to_json

        return to_json(self)

    def decide(
        self,
        cards: CardsLike,
        upcard: CardsLike,
        legal: Iterable[Action | str],
        *,
        after_split: bool = False,
        split_by_rank: bool = False,
    ) -> Action:
        """What this strategy does with a hand, among the legal actions.

        With `decline` among them it is an offer: surrender, even money, insurance are considered in
        this order, else it declines.
        """
        codes = bytes(c.code for c in parse_cards(cards))
        up, *more = parse_cards(upcard) or (None,)
        if up is None or more:
            raise CardError(f"expected one card as upcard, got {upcard!r}")
        try:
            actions = [Action(a) for a in legal]
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"expected legal actions by name: {error}") from None
        if not actions:
            raise ArgumentError("expected at least one legal action")
        mask = sum(1 << a.code for a in set(actions))
        plan = self._rank_plan if split_by_rank else self._plan
        return ACTIONS[plan.choose(codes, up.code, mask, after_split)]

    # ------------------------------------------------------------ compiled

    def compile(self, rules: Rules) -> StrategyPlan:
        """The strategy as tables for the compiled simulator."""
        return self._rank_plan if rules.split_by == "rank" else self._plan

    @cached_property
    def _plan(self) -> StrategyPlan:
        play = [encode("S")] * _PLAY_SIZE
        offers = bytearray(_PLAY_SIZE // 2)
        for label in (*HARD, *SOFT, *PAIRS):
            kind, row = _row_at(label)
            at = (kind * 32 + row) * 10
            for after in (False, True):
                cells = self._row(label, after)
                start = at + (960 if after else 0)
                play[start : start + 10] = [encode(cell) for cell in cells]
            for up, upcard in enumerate(UPCARDS):
                offers[at + up] = self._offer_bits(label, upcard)
        exact = tuple((e.counts, e.upcard, e.after_split, encode(e.cell)) for e in self.exact)
        return StrategyPlan(struct.pack(f"<{_PLAY_SIZE}H", *play), bytes(offers), exact)

    def _offer_bits(self, label: str, upcard: str) -> int:
        bits = 0
        for name, bit in _OFFER_BITS.items():
            choice: Choice = getattr(self, name)
            taken = choice if isinstance(choice, bool) else (label, upcard) in choice
            if name == "early_surrender" and isinstance(choice, bool):
                # the chart's own U, where it comes first
                taken = taken and self.cell(label, upcard).startswith("U")
            bits |= bit if taken else 0
        return bits

    @cached_property
    def _rank_plan(self) -> StrategyPlan:
        plan = self._plan
        return StrategyPlan(plan.play, plan.offers, plan.exact, split_by_rank=True)

    @property
    def fingerprint(self) -> str:
        """16 hex digits that name the way of playing: equal for charts that play alike."""
        return self._plan.fingerprint

    def _key(self) -> str:
        return self.to_chart()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Strategy) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Callable[[str, str | None], Strategy], tuple[str, str | None]]:
        return _from_text, (self.to_chart(), self.name)

    def __repr__(self) -> str:
        return f"<Strategy {self.name or self.fingerprint}>"


def named(name: str, rules: Rules) -> Strategy:
    """The strategy that a name stands for: "chart", "optimal" or "published".

    Raises:
        ArgumentError: it is none of them.
    """
    if name not in NAMES:
        known = ", ".join(repr(known) for known in NAMES)
        raise ArgumentError(
            f"expected {known}, a Strategy or a function, got {name!r}; "
            "Strategy.from_chart reads a chart's text"
        )
    made: Strategy = getattr(Strategy, name)(rules)
    return made


def _from_text(text: str, name: str | None) -> Strategy:
    return Strategy.from_chart(text, name=name)
