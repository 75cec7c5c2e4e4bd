from typing import Any, Self

from typing_extensions import disjoint_base

from blackjack_core.automaton import LaidRound
from blackjack_core.ruleset import RuleSet

@disjoint_base
class Bench(LaidRound):
    def __new__(
        cls,
        rules: RuleSet,
        play: bytes,
        offers: bytes,
        exact: list[Any],
        by_rank: bool,
        bet: int,
    ) -> Self: ...
