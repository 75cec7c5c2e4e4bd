from typing import Any

from blackjack_core.ruleset import RuleSet

class Unfit(Exception): ...

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
