from collections.abc import Iterable
from typing import Any, Final

from typing_extensions import Buffer, disjoint_base

from blackjack_core.boxes import BoxTables
from blackjack_core.ruleset import RuleSet

STREAM: Final[str]
BOXES_STREAM: Final[str]
CARDS_STREAM: Final[str]
GENERAL_STREAM: Final[str]
GENERATORS: Final[tuple[str, ...]]
ISAS: Final[tuple[str, ...]]
LANES: Final[int]
SIZE: Final[int]
VALUE_ZERO: Final[int]
MAX_ROUNDS: Final[int]
LAYOUT: Final[dict[str, tuple[int, int]]]

@disjoint_base
class Program:
    def __init__(
        self,
        rules: RuleSet,
        *,
        cards: bytes,
        infinite: bool = False,
        depth: int = 0,
        capacity: int = 0,
        burn: int = 0,
        boxes: int = 1,
        play: bytes,
        offers: bytes,
        exact: Iterable[tuple[tuple[int, ...], int, bool | None, int]] = (),
        split_by_rank: bool = False,
        unit: int = 2,
        general: bool = False,
        boxwise: bool = False,
        cardwise: bool = False,
    ) -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def isa(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def by_box(self) -> BoxTables | None: ...
    @property
    def source(self) -> dict[str, Any] | None: ...
    def tables(self) -> dict[str, Any]: ...
    def run(
        self,
        seed: int,
        chunk: int,
        rounds: int,
        out: Buffer,
        *,
        shoes: int = 0,
        isa: str | None = None,
        rng: str = "xoshiro256++",
        detail: bool = True,
    ) -> None: ...
    def trace(
        self,
        seed: int,
        chunk: int,
        rounds: int,
        cards: Buffer,
        n_cards: Buffer,
        actions: Buffer,
        n_actions: Buffer,
        outcome: Buffer,
        suited: Buffer,
        net: Buffer,
        *,
        rng: str = "xoshiro256++",
    ) -> None: ...
