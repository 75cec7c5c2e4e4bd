from collections.abc import Sequence
from typing import Self

from typing_extensions import disjoint_base

from blackjack_core.ruleset import RuleSet

@disjoint_base
class Finals:
    def __new__(cls, rules: RuleSet, up: int) -> Self: ...

def finals(rules: RuleSet, up: int) -> Finals: ...
def final_probabilities(
    rules: RuleSet, counts: Sequence[float], up: int, infinite: bool = False
) -> dict[int, float]: ...
