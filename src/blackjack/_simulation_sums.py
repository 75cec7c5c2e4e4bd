"""The integers a simulation adds up, and how they merge.

Lives here: `Sums`. Not here: what they mean to people (blackjack._simulation_result), who adds them up
(blackjack._simulation_jobs and blackjack._simulation_slow).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

SCALARS: Final = ("rounds", "net", "net_squared", "staked", "insured", "cards", "shoes")
# Keys of the dealer's final hands besides 17 to 21.
DEALER_NONE: Final = 0  # no hand hung on the dealer's total
DEALER_BUST: Final = 22
DEALER_BLACKJACK: Final = 23


class Sums:
    """Exact sums over rounds; Python ints, so nothing can overflow.

    Attributes:
        scalars: rounds, net, net squared (of a round, all boxes together), staked, insurances taken,
            cards and shuffles, as in `SCALARS`; money in 1/unit of a bet.
        outcomes: final hands by outcome code.
        hands: boxes by the number of their final hands.
        dealer: rounds by the dealer's final total, 22 for any bust, 23 for a blackjack, 0 where no
            hand hung on it.
        values: rounds by net.
        starts: (boxes, net, net squared) by (kind * 32 + row) * 10 + upcard, the index of a plan.
    """

    __slots__ = ("dealer", "hands", "outcomes", "scalars", "starts", "values")

    def __init__(self) -> None:
        self.scalars = [0] * len(SCALARS)
        self.outcomes: dict[int, int] = {}
        self.hands: dict[int, int] = {}
        self.dealer: dict[int, int] = {}
        self.values: dict[int, int] = {}
        self.starts: dict[int, tuple[int, int, int]] = {}

    def add(self, other: Sums) -> None:
        """Add another's to these."""
        for i, n in enumerate(other.scalars):
            self.scalars[i] += n
        for name in ("outcomes", "hands", "dealer", "values"):
            mine: dict[int, int] = getattr(self, name)
            theirs: dict[int, int] = getattr(other, name)
            for key, n in theirs.items():
                mine[key] = mine.get(key, 0) + n
        for key, (boxes, net, squared) in other.starts.items():
            a, b, c = self.starts.get(key, (0, 0, 0))
            self.starts[key] = (a + boxes, b + net, c + squared)

    @property
    def rounds(self) -> int:
        return self.scalars[0]

    def error(self, unit: int, boxes: int) -> float:
        """Standard error of the mean net of a round per initial bet (inf below two rounds)."""
        n, net, squared = self.scalars[:3]
        if n < 2:
            return float("inf")
        spread = n * squared - net * net  # exact; n * (n - 1) * the sample variance
        return float((spread / (n * n * (n - 1))) ** 0.5) / (unit * boxes)

    def to_json(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {
            "scalars": list(self.scalars),
            **{
                name: sorted(getattr(self, name).items())
                for name in ("outcomes", "hands", "dealer", "values")
            },
            "starts": [[key, *value] for key, value in sorted(self.starts.items())],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sums:
        """What `to_json` made."""
        sums = cls()
        sums.scalars = [int(n) for n in data["scalars"]]
        for name in ("outcomes", "hands", "dealer", "values"):
            pairs: Iterable[tuple[int, int]] = data[name]
            setattr(sums, name, {int(k): int(n) for k, n in pairs})
        sums.starts = {int(k): (int(a), int(b), int(c)) for k, a, b, c in data["starts"]}
        return sums

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sums) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> tuple[object, ...]:
        return (self.scalars, self.outcomes, self.hands, self.dealer, self.values, self.starts)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        (self.scalars, self.outcomes, self.hands, self.dealer, self.values, self.starts) = state
