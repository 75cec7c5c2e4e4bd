from collections.abc import Sequence
from typing import Self

from typing_extensions import disjoint_base

from blackjack_core.bench import Bench
from blackjack_core.ruleset import RuleSet

@disjoint_base
class Split:
    def __new__(cls, rules: RuleSet, b: Bench, up: int, peeked: bool) -> Self: ...

def split_value(
    rules: RuleSet, counts: Sequence[int], value: int, up: int, unit: int
) -> tuple[float, float]: ...
