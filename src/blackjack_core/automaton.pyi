from collections.abc import Iterator
from typing import Any, Self

from typing_extensions import disjoint_base

from blackjack_core.ruleset import RuleSet

class Unfit(Exception): ...

@disjoint_base
class LaidRound:
    def __new__(cls, rules: RuleSet, *_: Any) -> Self: ...

@disjoint_base
class Bench(LaidRound):
    def __new__(cls, rules: RuleSet, bet: int) -> Self: ...

@disjoint_base
class Builder:
    def __init__(self, b: Bench, exact: list[Any]) -> None: ...
    def run(self) -> Any: ...
    def settled(self, hand: bytes, final: int) -> tuple[int, int, int, int]: ...
    def insurance(self) -> tuple[int, int]: ...
    def _bases(self) -> Iterator[Any]: ...

def build(
    rules: RuleSet,
    play: bytes,
    offers: bytes,
    exact: list[tuple[tuple[int, ...], int, bool | None, int]],
    split_by_rank: bool,
    unit: int,
) -> dict[str, Any]: ...
def pack_exact(
    exact: list[tuple[tuple[int, ...], int, bool | None, int]],
) -> tuple[bytes, bytes]: ...
