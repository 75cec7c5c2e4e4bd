from collections.abc import Sequence
from typing import Final, Self

from blackjack_core.dealer import Dealer
from blackjack_core.ruleset import RuleSet
from blackjack_core.splits import Splitter

SPLIT_PLAYS: Final[tuple[str, ...]]

class Solver(Splitter):
    def __new__(
        cls,
        rules: RuleSet,
        dealer: Dealer,
        counts: Sequence[float],
        *,
        tens: Sequence[float],
        suited: float = 0.25,
        infinite: bool = False,
        ups: int = 1023,
        plan: tuple[bytes, bytes, Sequence[tuple[Sequence[int], int, bool | None, int]], bool]
        | None = None,
        split_play: int = 0,
        hand: Sequence[int] | None = None,
        after_split: int = 0,
        aces: bool = False,
        insured: bool = False,
    ) -> Self: ...
    @property
    def ev(self) -> float: ...
    @property
    def by_upcard(self) -> tuple[list[float], list[float]]: ...
    def take_splits(
        self, values: Sequence[tuple[int, int, float]], *, insured: bool = False
    ) -> None: ...
    def natural(self, counts: Sequence[int], upcard: int) -> float: ...
    def left_out(self, upcard: int) -> bool: ...
    def play(
        self,
        counts: Sequence[int],
        upcard: int,
        *,
        insured: bool = False,
        same_rank: bool = True,
    ) -> tuple[dict[int, float], int]: ...
    def double(
        self,
        counts: Sequence[int],
        upcard: int,
        stake: float,
        more: float,
        *,
        insured: bool = False,
    ) -> float: ...
    def doubled(
        self, counts: Sequence[int], upcard: int, stake: float, *, insured: bool = False
    ) -> tuple[dict[int, float], int]: ...
    def offer(
        self, counts: Sequence[int], upcard: int, *, same_rank: bool = True
    ) -> tuple[dict[int, float], int]: ...
