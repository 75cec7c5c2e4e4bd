from collections.abc import Sequence
from typing import Final, Self

from typing_extensions import Buffer, disjoint_base

from blackjack_core.boxes import BoxTables
from blackjack_core.rng import Source
from blackjack_core.round import Round

STREAM: Final[str]
GENERAL_STREAM: Final[str]
LANES: Final[int]

@disjoint_base
class Rows:
    def __new__(cls, tables: BoxTables, shoe: Buffer, source: Source | None) -> Self: ...
    def fill(
        self,
        *,
        first: int = 0,
        rounds: int,
        cards: Buffer,
        n_cards: Buffer,
        actions: Buffer,
        n_actions: Buffer,
        outcomes: Buffer,
        n_hands: Buffer,
        net: Buffer,
    ) -> None: ...

def fill(
    table: Round,
    *,
    boxes: int,
    unit: int,
    depth: int,
    burn: int,
    chart: bytes,
    offers: bytes,
    exact: Sequence[tuple[tuple[int, ...], int, bool | None, int]] = (),
    split_by_rank: bool = False,
    fresh: bool = True,
    first: int = 0,
    rounds: int,
    capacity: int,
    cards: Buffer,
    n_cards: Buffer,
    actions: Buffer,
    n_actions: Buffer,
    outcomes: Buffer,
    n_hands: Buffer,
    net: Buffer,
) -> None: ...
