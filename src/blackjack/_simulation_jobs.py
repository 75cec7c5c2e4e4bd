"""What a worker does: a range of chunks of one simulation, as a small picklable job.

Lives here: `Spec` (what is simulated), `Job` (which part of it), `run_job` (the one function that
executors call), the choice between the compiled simulator and the true round. Not here: who runs the
jobs and in which order (blackjack._simulation_run).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Final, Protocol

from blackjack import _simulation_slow as slow
from blackjack._simulation_sums import Sums
from blackjack.actions import Action
from blackjack.rules import Rules
from blackjack.strategy import Situation, Strategy

GENERATORS: Final = ("xoshiro256++", "chacha20")
ROUND: Final = "round"  # the "instruction set" that is none: the true round in Python

Callable_ = Callable[[Situation], Action]


@dataclass(frozen=True, slots=True)
class Spec:
    """What is simulated; equal specs give equal integers, chunk by chunk (isa makes no difference)."""

    rules: Rules
    strategy: Strategy | Callable_
    seed: int
    boxes: int = 1
    rng: str = "xoshiro256++"
    isa: str | None = None
    detail: bool = True


@dataclass(frozen=True, slots=True)
class Job:
    """A range of chunks; all are full but the last, which has `last` rounds (or shoes)."""

    first: int
    stop: int
    last: int
    by_shoes: bool = False


class Backend(Protocol):
    """Something that plays chunks."""

    path: str
    isa: str
    stream: str
    chunk_rounds: int
    chunk_shoes: int

    def play(self, job: Job) -> Sums:
        """The sums of a job's chunks."""


class SlowBackend:
    """The true round, decision by decision."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.isa = ROUND
        self.stream = f"{slow.STREAM}/{spec.rng}"
        self.chunk_rounds = slow.CHUNK_ROUNDS
        self.chunk_shoes = slow.CHUNK_SHOES
        if isinstance(spec.strategy, Strategy):
            self.path = "round"
            self.choose = slow.by_plan(spec.strategy.compile(spec.rules))
        else:
            self.path = "callable"
            self.choose = slow.by_callable(spec.strategy, spec.rules)

    def play(self, job: Job) -> Sums:
        spec, sums = self.spec, Sums()
        full = self.chunk_shoes if job.by_shoes else self.chunk_rounds
        for chunk in range(job.first, job.stop):
            size = job.last if chunk == job.stop - 1 else full
            sums.add(
                slow.play_chunk(
                    spec.rules,
                    self.choose,
                    spec.seed,
                    chunk,
                    rounds=None if job.by_shoes else size,
                    shoes=size if job.by_shoes else None,
                    boxes=spec.boxes,
                    rng=spec.rng,
                    detail=spec.detail,
                )
            )
        return sums


@lru_cache(maxsize=8)
def backend(spec: Spec) -> Backend:
    """Who plays this: the compiled simulator, or for callables (and `isa="round"`) the true round."""
    if not isinstance(spec.strategy, Strategy) or spec.isa == ROUND:
        return SlowBackend(spec)
    if find_spec("blackjack_core.simulate") is None:
        return SlowBackend(spec)
    from blackjack._simulation_compiled import CompiledBackend

    try:
        return CompiledBackend(spec, spec.strategy.compile(spec.rules))
    except NotImplementedError:  # a rare rule that the compiled simulator leaves to the true round
        return SlowBackend(spec)


def run_job(spec: Spec, job: Job) -> Sums:
    """Play a job. A module's function with positional arguments: every executor takes it."""
    return backend(spec).play(job)


def cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
