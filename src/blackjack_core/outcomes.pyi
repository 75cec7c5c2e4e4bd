from typing import Self

from typing_extensions import disjoint_base

from blackjack_core.bench import Bench
from blackjack_core.ruleset import RuleSet

class Unfit(ValueError): ...

@disjoint_base
class Exact:
    def __new__(
        cls,
        rules: RuleSet,
        b: Bench,
        counts: list[int],
        tens: list[int] | None,
        infinite: bool,
        suited: float,
    ) -> Self: ...

def distribution(
    rules: RuleSet,
    play: bytes,
    offers: bytes,
    exact: list[tuple[tuple[int, ...], int, bool | None, int]],
    split_by_rank: bool,
    unit: int,
    counts: list[int],
    tens: list[int] | None,
    infinite: bool,
    suited: float,
    short: bool = False,
) -> tuple[dict[int, float], tuple[float, float, float]]: ...
def split_mean(
    rules: RuleSet,
    play: bytes,
    offers: bytes,
    exact: list[tuple[tuple[int, ...], int, bool | None, int]],
    split_by_rank: bool,
    unit: int,
    counts: list[int],
    tens: list[int] | None,
    infinite: bool,
    value: int,
    up: int,
) -> float: ...
