from collections.abc import Iterable
from typing import Any, Final

from typing_extensions import disjoint_base

from blackjack_core.automaton import Bench, Builder
from blackjack_core.ruleset import RuleSet

FINALS: Final[int]
DEALER_CODES: Final[tuple[int, ...]]

@disjoint_base
class BoxBuilder(Builder):
    def __init__(self, b: Bench, exact: list[Any]) -> None: ...
    def run(self) -> dict[tuple[int, int], dict[int, Any]]: ...

@disjoint_base
class BoxTables:
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
    ) -> None: ...
    @property
    def cards_only(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def source(self) -> dict[str, Any]: ...
    def tables(self) -> dict[str, Any]: ...

def build_boxes(
    rules: RuleSet,
    play: bytes,
    offers: bytes,
    exact: list[tuple[tuple[int, ...], int, bool | None, int]],
    split_by_rank: bool,
    unit: int,
) -> dict[str, Any]: ...
def column_of(columns: list[Any], means: list[Any]) -> int: ...
def start_class(first: int, second: int) -> int: ...
