from collections.abc import Sequence
from typing import Final

from typing_extensions import disjoint_base

from blackjack_core.ruleset import RuleSet

FINALS: Final[tuple[str, ...]]
KERNELS: Final[tuple[str, ...]]

@disjoint_base
class Dealer:
    def __init__(self, rules: RuleSet) -> None: ...
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
