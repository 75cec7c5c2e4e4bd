"""What a simulation found: integers, and the figures that follow from them.

Lives here: `SimulationResult`. Not here: how the integers came about (blackjack.simulation).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, Literal

from blackjack._simulation_sums import DEALER_BLACKJACK, DEALER_BUST, DEALER_NONE, Sums
from blackjack.actions import OUTCOMES
from blackjack.errors import ArgumentError, MissingExtra
from blackjack.strategy import plan_label

if TYPE_CHECKING:
    import pandas
    import pyarrow

Table = Literal["starts", "values", "outcomes", "hands", "dealer"]
Source = tuple[int, int, int]
_DEALER: Final = {DEALER_NONE: "not_drawn", DEALER_BUST: "bust", DEALER_BLACKJACK: "blackjack"}
_DEALER_KEYS: Final = {name: key for key, name in _DEALER.items()}
# What must be alike for two results to be parts of one.
_ALIKE: Final = ("unit", "boxes", "bet", "rules", "strategy", "stream", "detail")


@dataclass(frozen=True, kw_only=True)
class SimulationResult:
    """Exact sums over the rounds of a simulation. Results of different parts add up with `+`.

    Money is in 1/`unit` of a box's initial bet, so that every payout is whole.

    Attributes:
        rounds: rounds played.
        net: the players' net, all boxes together.
        net_squared: the sum over rounds of the square of a round's net.
        unit: parts of a bet that `net`, `staked` and `values` count.
        boxes, bet: boxes with a bet, and the amount on each.
        staked: everything staked: bets, doubles, splits, insurance.
        insured: insurances taken.
        cards, shoes: cards dealt and shoes begun.
        outcomes: final hands by outcome.
        hands: boxes by the number of their final hands.
        dealer: rounds by the dealer's final hand (`not_drawn`: no hand hung on it).
        values: rounds by net.
        starts: (first two cards' row, upcard, boxes, net, net squared), if `detail` was on; pairs
            go by value here, `s21` is a blackjack.
        rules, strategy: fingerprints of what was played.
        stream: the name of the random streams; with the seed it fixes every card.
        sources: (seed, first chunk, chunk after the last) of each part.
        version: of blackjack-engine.
        path: what played: compiled `vector`, `scalar`, `boxes` (hand by hand), `cards` (the same with
            real cards) or `general` (the true round: slow), or in Python `callable` or `round`.
        isa: the instruction set.
        seconds: how long it took; like `path` and `isa` no part of equality.
    """

    rounds: int
    net: int
    net_squared: int
    unit: int
    boxes: int
    bet: int
    staked: int
    insured: int
    cards: int
    shoes: int
    outcomes: Mapping[str, int]
    hands: Mapping[int, int]
    dealer: Mapping[str, int]
    values: Mapping[int, int]
    starts: tuple[tuple[str, str, int, int, int], ...]
    detail: bool
    rules: str
    strategy: str
    stream: str
    sources: tuple[Source, ...]
    version: str
    path: str = field(compare=False)
    isa: str = field(compare=False)
    seconds: float = field(compare=False, default=0.0)

    # ------------------------------------------------------------ figures

    @property
    def seed(self) -> int | None:
        """The seed, or None for a sum over several."""
        seeds = {seed for seed, _, _ in self.sources}
        return seeds.pop() if len(seeds) == 1 else None

    @property
    def ev(self) -> float:
        """The player's mean net per initial bet."""
        return self.net / (self.unit * self.boxes * self.rounds) if self.rounds else math.nan

    @property
    def edge(self) -> float:
        """The house's edge per initial bet: `-ev`."""
        return -self.ev

    @property
    def sd(self) -> float:
        """The standard deviation of a round's net per initial bet."""
        n = self.rounds
        if n < 2:
            return math.nan
        spread = Fraction(n * self.net_squared - self.net**2, n * (n - 1))
        return math.sqrt(spread) / (self.unit * self.boxes)

    @property
    def stderr(self) -> float:
        """The standard error of `ev`."""
        return self.sd / math.sqrt(self.rounds) if self.rounds > 1 else math.nan

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The interval that holds the true `ev` with this confidence.

        Raises:
            ArgumentError: the confidence is not between 0 and 1.
        """
        if not isinstance(confidence, float) or not 0 < confidence < 1:
            raise ArgumentError(f"expected 0 < confidence < 1, got {confidence!r}")
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.stderr
        return self.ev - reach, self.ev + reach

    @property
    def total_net(self) -> Fraction:
        """The players' net in the unit of `bet`."""
        return Fraction(self.net * self.bet, self.unit)

    @property
    def rounds_per_second(self) -> float:
        """Speed."""
        return self.rounds / self.seconds if self.seconds > 0 else math.nan

    # ------------------------------------------------------------ merging

    def __add__(self, other: SimulationResult) -> SimulationResult:
        """Both together.

        Raises:
            ArgumentError: they are of different games, or share rounds.
        """
        if not isinstance(other, SimulationResult):
            return NotImplemented
        for name in _ALIKE:
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise ArgumentError(
                    f"expected results of one game, got {name} {mine!r} and {theirs!r}"
                )
        sums = self._sums()
        sums.add(other._sums())
        return make_result(
            sums,
            sources=_join(self.sources + other.sources),
            version=self.version if self.version == other.version else "mixed",
            path=self.path if self.path == other.path else "mixed",
            isa=self.isa if self.isa == other.isa else "mixed",
            seconds=self.seconds + other.seconds,
            **{name: getattr(self, name) for name in _ALIKE},
        )

    def _sums(self) -> Sums:
        sums = Sums()
        sums.scalars = [
            self.rounds, self.net, self.net_squared, self.staked, self.insured, self.cards,
            self.shoes,
        ]  # fmt: skip
        sums.outcomes = {i: self.outcomes[str(o)] for i, o in enumerate(OUTCOMES) if i}
        sums.hands = dict(self.hands)
        sums.dealer = {
            _DEALER_KEYS[k] if k in _DEALER_KEYS else int(k): n for k, n in self.dealer.items()
        }
        sums.values = dict(self.values)
        sums.starts = {_start_index(h, u): (a, b, c) for h, u, a, b, c in self.starts}
        return sums

    # ------------------------------------------------------------ other forms

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON takes it, figures included; `from_dict` reads it back."""
        data = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in ("outcomes", "dealer"):
            data[name] = dict(data[name])
        for name in ("hands", "values"):
            data[name] = {str(k): n for k, n in data[name].items()}
        data["starts"] = [list(row) for row in self.starts]
        data["sources"] = [list(row) for row in self.sources]
        figures = ("ev", "edge", "stderr", "sd", "rounds_per_second", "seed")
        return {**{name: _plain(getattr(self, name)) for name in figures}, **data}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SimulationResult:
        """What `to_dict` made.

        Raises:
            ArgumentError: it is something else; the text names what is missing or wrong.
        """
        try:
            values = {f.name: data[f.name] for f in fields(cls)}
            for name in ("hands", "values"):
                values[name] = {int(k): n for k, n in values[name].items()}
            for name in ("starts", "sources"):
                values[name] = tuple(tuple(row) for row in values[name])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            what = f"{type(error).__name__}: {error}"
            raise ArgumentError(f"expected what `to_dict` made: {what}") from None
        return cls(**values)

    def table(self, name: Table = "starts") -> dict[str, list[Any]]:
        """A part as columns: `starts` (hand by upcard), `values`, `outcomes`, `hands`, `dealer`."""
        if name == "starts":
            rows = [(*row, *_mean(row[2], row[3], row[4], self.unit)) for row in self.starts]
            names = ("hand", "upcard", "boxes", "net", "net_squared", "ev", "stderr")
            return {n: [row[i] for row in rows] for i, n in enumerate(names)}
        if name not in ("values", "outcomes", "hands", "dealer"):
            raise ArgumentError(f"expected starts, values, outcomes, hands or dealer, got {name!r}")
        part: Mapping[Any, int] = getattr(self, name)
        first = {"values": "net", "outcomes": "outcome", "hands": "hands", "dealer": "dealer"}[name]
        keys: list[Any] = list(part)
        if name == "values":
            keys = [key / self.unit for key in part]
        count = {"values": "rounds", "dealer": "rounds", "outcomes": "hands", "hands": "boxes"}[
            name
        ]
        return {first: keys, count: list(part.values())}

    def to_pandas(self, name: Table = "starts") -> pandas.DataFrame:
        """A part (see `table`) as a pandas DataFrame."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtra("pandas", "data") from None
        return pd.DataFrame(self.table(name))

    def to_arrow(self, name: Table = "starts") -> pyarrow.Table:
        """A part (see `table`) as an Arrow table."""
        try:
            import pyarrow as pa
        except ImportError:
            raise MissingExtra("pyarrow", "data") from None
        return pa.table(self.table(name))

    def __str__(self) -> str:
        return (
            f"{self.rounds:,} rounds: ev {self.ev:+.5%} ± {self.stderr:.5%}, "
            f"sd {self.sd:.4f}, house edge {self.edge:+.5%}"
        )


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _mean(n: int, net: int, squared: int, unit: int) -> tuple[float, float]:
    if n < 2:
        return (net / unit if n else math.nan), math.nan
    spread = Fraction(n * squared - net * net, n * n * (n - 1))
    return net / (n * unit), math.sqrt(spread) / unit


def _start_index(hand: str, upcard: str) -> int:
    from blackjack.cards import UPCARDS
    from blackjack.strategy import plan_index

    return plan_index(hand, UPCARDS.index(upcard))


def _join(sources: tuple[Source, ...]) -> tuple[Source, ...]:
    """Sources in order, neighbours as one."""
    joined: list[Source] = []
    for seed, first, stop in sorted(sources):
        if joined and joined[-1][0] == seed:
            _, begin, end = joined[-1]
            if first < end:
                raise ArgumentError(
                    f"expected different rounds, got chunk {first} of seed {seed} in both results"
                )
            if first == end:
                joined[-1] = (seed, begin, stop)
                continue
        joined.append((seed, first, stop))
    return tuple(joined)


def make_result(sums: Sums, **known: Any) -> SimulationResult:
    rounds, net, squared, staked, insured, cards, shoes = sums.scalars
    return SimulationResult(
        rounds=rounds,
        net=net,
        net_squared=squared,
        staked=staked,
        insured=insured,
        cards=cards,
        shoes=shoes,
        outcomes={str(o): sums.outcomes.get(i, 0) for i, o in enumerate(OUTCOMES) if i},
        hands=dict(sorted(sums.hands.items())),
        dealer={
            _DEALER.get(key, str(key)): sums.dealer.get(key, 0)
            for key in (17, 18, 19, 20, 21, *_DEALER)
        },
        values=dict(sorted(sums.values.items())),
        starts=tuple((*plan_label(key), *row) for key, row in sorted(sums.starts.items())),
        **known,
    )
