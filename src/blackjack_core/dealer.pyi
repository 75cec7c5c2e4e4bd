from collections.abc import Sequence
from typing import Final, Self

from typing_extensions import disjoint_base

from blackjack_core.ruleset import RuleSet

FINALS: Final[tuple[str, ...]]
KERNELS: Final[tuple[str, ...]]

@disjoint_base
class Dealer:
    def __new__(cls, rules: RuleSet) -> Self: ...
    def outcomes(
        self, counts: Sequence[float], *, infinite: bool = False
    ) -> list[tuple[float, ...]]: ...
    def weighted(
        self,
        hands: Sequence[Sequence[float]],
        values: Sequence[float],
        *,
        infinite: bool = False,
        kernel: str = "best",
    ) -> list[tuple[float, ...]]: ...
