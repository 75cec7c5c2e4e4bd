"""The compiled simulator as a backend: programs made once, chunks played, buffers read.

Lives here: `CompiledBackend`. Not here: the simulator (blackjack_core.simulate), how chunks become a
simulation (blackjack._simulation_run).
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from blackjack._arguments import one_of
from blackjack._capacity import round_capacity
from blackjack._simulation_slow import shuffle_depth
from blackjack._simulation_sums import SCALARS, Sums
from blackjack.errors import ArgumentError, ShoeExhausted
from blackjack_core.automaton import Unfit
from blackjack_core.boxes import BoxTables
from blackjack_core.simulate import (
    BOXES_STREAM,
    CARDS_STREAM,
    GENERAL_STREAM,
    GENERATORS,
    ISAS,
    LAYOUT,
    SIZE,
    STREAM,
    VALUE_ZERO,
    Program,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from blackjack._simulation_jobs import Job, Spec
    from blackjack.rules import Rules
    from blackjack.strategy import StrategyPlan
    from blackjack_core.ruleset import RuleSet

CHUNK_ROUNDS: Final = 1 << 22
CHUNK_SHOES: Final = 1 << 16
_FLUSH: Final = 1 << 10  # chunks whose sums are sure to fit 64 bits
_STREAMS: Final = {
    "boxes": BOXES_STREAM,
    "cards": CARDS_STREAM,
    "general": GENERAL_STREAM,
}
_KERNEL_NAMES: Final = {"net_squared": "net_sq"}


def facts(rules: Rules, plan: StrategyPlan, boxes: int) -> Mapping[str, Any]:
    """What the core wants to know of a game and a strategy."""
    return {
        "cards": rules.shoe_cards,
        "infinite": rules.decks is None,
        "depth": shuffle_depth(rules, boxes),
        "capacity": round_capacity(rules, boxes),
        "burn": rules.burn,
        "boxes": boxes,
        "play": plan.play,
        "offers": plan.offers,
        "exact": plan.exact,
        "split_by_rank": plan.split_by_rank,
        "unit": rules.exact_unit,
    }


def compiled_rules(rules: Rules, boxes: int) -> RuleSet:
    """The rules at a table of at least so many boxes."""
    return rules.replace(boxes=max(boxes, rules.boxes)).compiled


@lru_cache(maxsize=32)
def program(rules: Rules, plan: StrategyPlan, boxes: int) -> Program:
    """The game and the strategy as tables; made once in each process."""
    return Program(compiled_rules(rules, boxes), **facts(rules, plan, boxes))


@lru_cache(maxsize=32)
def box_tables(rules: Rules, plan: StrategyPlan, boxes: int) -> BoxTables | None:
    """The same hand by hand; None where they do not fit."""
    try:
        return BoxTables(compiled_rules(rules, boxes), **facts(rules, plan, boxes))
    except Unfit:
        return None


class CompiledBackend:
    """Plays chunks on the compiled simulator.

    Raises:
        ArgumentError: there is no such instruction set here.
        NotImplementedError: the compiled simulator does not play these rules.
    """

    def __init__(self, spec: Spec, plan: StrategyPlan) -> None:
        if spec.isa is not None:
            one_of("an instruction set", spec.isa, ISAS)
        assert spec.rng in GENERATORS
        self.spec = spec
        self.program = program(spec.rules, plan, spec.boxes)
        if self.program.path == "general":
            self.program.run(0, 0, 1, array("q", bytes(8 * SIZE)))
        self.path = self.program.path
        vectors = self.program.isa != "scalar"
        self.isa = spec.isa if spec.isa and vectors else self.program.isa
        self.stream = f"{_STREAMS.get(self.path, STREAM)}/{spec.rng}"
        self.chunk_rounds = CHUNK_ROUNDS
        self.chunk_shoes = CHUNK_SHOES

    def play(self, job: Job) -> Sums:
        spec, run = self.spec, self.program.run
        full = self.chunk_shoes if job.by_shoes else self.chunk_rounds
        sums = Sums()
        out = array("q", bytes(8 * SIZE))
        for chunk in range(job.first, job.stop):
            size = job.last if chunk == job.stop - 1 else full
            rounds, shoes = (0, size) if job.by_shoes else (size, 0)
            try:
                run(
                    spec.seed,
                    chunk,
                    rounds,
                    out,
                    shoes=shoes,
                    isa=spec.isa,
                    rng=spec.rng,
                    detail=spec.detail,
                )
            except OverflowError as error:
                raise ArgumentError(
                    f"{error} (a bet is {spec.rules.exact_unit}), more than tables count; "
                    'expected fewer boxes, plainer payouts, or isa="round", which is slow'
                ) from None
            except RuntimeError as error:
                raise ShoeExhausted(str(error)) from None
            if (chunk + 1 - job.first) % _FLUSH == 0:
                sums.add(read(out))
                out = array("q", bytes(8 * SIZE))
        sums.add(read(out))
        return sums


def read(out: array[int]) -> Sums:
    """The sums in a kernel's buffer."""

    def part(name: str) -> array[int]:
        at, length = LAYOUT[name]
        return out[at : at + length]

    sums = Sums()
    sums.scalars = [part(_KERNEL_NAMES.get(name, name))[0] for name in SCALARS]
    for name in ("outcomes", "hands", "dealer"):
        setattr(sums, name, {key: n for key, n in enumerate(part(name)) if n})
    sums.values = {key - VALUE_ZERO: n for key, n in enumerate(part("values")) if n}
    nets, squares = part("start_net"), part("start_sq")
    sums.starts = {
        key: (n, nets[key], squares[key]) for key, n in enumerate(part("start_count")) if n
    }
    return sums
