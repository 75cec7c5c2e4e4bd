"""Playing very many rounds and adding them up exactly.

Lives here: `simulate` and `Simulation`, which splits the work into chunks, runs them anywhere and adds
them up in order. Not here: how a chunk is played (blackjack_core), the figures of a result
(blackjack._simulation_result), rounds one by one (blackjack.roundstream).

Every chunk has its own random streams, keyed by seed and chunk number; the chunks of a simulation and
their sizes follow from what is asked for alone. So the same seed gives the same integers on any
number of threads, processes or machines, in any order.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict, Unpack

import blackjack
from blackjack import _simulation_checkpoint as checkpoint_file
from blackjack._arguments import flag, function, number, one_of, seed_number, whole
from blackjack._simulation_jobs import GENERATORS, ROUND, Callable_, Job, Spec, backend, cores
from blackjack._simulation_result import SimulationResult, make_result
from blackjack._simulation_run import RETRIES, ExecutorLike, in_order
from blackjack._simulation_sums import Sums
from blackjack.errors import ArgumentError
from blackjack.rules import Rules, RulesLike
from blackjack.strategy import Strategy, named
from blackjack_core.simulate import ISAS

__all__ = ["Progress", "Simulation", "SimulationOptions", "SimulationResult", "simulate"]

_EVERY: Final = 0.1  # seconds between two calls of a progress callback
_SAVE_EVERY: Final = 10.0  # seconds between two checkpoints
_FAST_BATCH: Final = 4  # chunks a thread does before it reports
_FAR_BATCH: Final = 16  # chunks a job for an executor has


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a simulation stands.

    Attributes:
        result: the result so far.
        goal: rounds (or shoes) asked for, or None where only an error was.
        fraction: how much is done, 0 to 1.
        seconds: since the start.
        rate: rounds a second in this run.
    """

    result: SimulationResult
    goal: int | None
    fraction: float
    seconds: float
    rate: float


class SimulationOptions(TypedDict, total=False):
    """What `simulate` hands on to `Simulation` as it is; `simulate` says what each means."""

    boxes: int
    rng: str
    isa: str | None
    detail: bool
    checkpoint: str | Path | None
    first_chunk: int
    batch: int | None
    timeout: float | None
    retries: int
    every: float


class Simulation:
    """A simulation that can be watched, stopped and asked for its result at any time.

    Takes what `simulate` takes. Iterating plays it and yields a `Progress` now and then; leaving the
    loop early stops it, and `result` is what was played until then.

    >>> simulation = Simulation(Rules.preset("las_vegas"), rounds=1000, seed=7)
    >>> for progress in simulation:
    ...     pass
    >>> simulation.result.rounds
    1000
    """

    def __init__(
        self,
        rules: RulesLike,
        strategy: Strategy | str | Callable_ = "chart",
        *,
        rounds: float | None = None,
        shoes: int | None = None,
        until_error: float | None = None,
        seed: int | None = None,
        workers: int | None = None,
        executor: ExecutorLike | None = None,
        bet: int = 1,
        boxes: int = 1,
        rng: str = "xoshiro256++",
        isa: str | None = None,
        detail: bool = True,
        checkpoint: str | Path | None = None,
        first_chunk: int = 0,
        batch: int | None = None,
        timeout: float | None = None,
        retries: int = RETRIES,
        every: float = _EVERY,
    ) -> None:
        rules = Rules.of(rules)
        self._limit = _limit(rounds, shoes, until_error)
        self._by_shoes = shoes is not None
        self._until = until_error
        self._bet = whole("bet", bet, 1)
        self._first = whole("first_chunk", first_chunk, 0)
        if rules.decks is None and shoes is not None:
            raise ArgumentError("expected rounds or until_error: an infinite deck has no shoes")
        if not isinstance(executor, Executor | None):
            function("executor", executor)
        self._executor = executor
        self._workers = None if workers is None else whole("workers", workers, 1, 2**20)
        self._batch = None if batch is None else whole("batch", batch, 1, 2**32)
        self._timeout = None if timeout is None else number("timeout", timeout, above=0)
        self._retries = whole("retries", retries, 0)
        self._every = number("every", every)
        self._path = None if checkpoint is None else checkpoint_file.place(checkpoint)
        saved = None if self._path is None else checkpoint_file.load(self._path)
        if seed is None:
            seed = secrets.randbits(64) if saved is None else int(saved["seed"])
        seed = seed_number(seed)
        one_of("a generator", rng, GENERATORS)
        if isa is not None:
            one_of("an instruction set", isa, (*ISAS, ROUND))
        self._spec = Spec(
            rules=rules,
            strategy=_strategy(strategy, rules),
            seed=seed,
            boxes=whole("boxes", boxes, 1),
            rng=rng,
            isa=isa,
            detail=flag("detail", detail),
        )
        self._player = backend(self._spec)
        self._full = self._player.chunk_shoes if self._by_shoes else self._player.chunk_rounds
        self._identity = checkpoint_file.Identity(
            rules=rules.fingerprint,
            strategy=_strategy_name(self._spec.strategy),
            seed=seed,
            stream=self._player.stream,
            boxes=self._spec.boxes,
            detail=detail,
            by_shoes=self._by_shoes,
            first=self._first,
            chunk=self._full,
        )
        self._sums = Sums()
        self._done = self._whole_done = 0  # chunks in the sums; full ones
        self._seconds = self._before = 0.0
        self._played_here = 0
        self._saved_sums: Sums | None = None
        if saved is not None and self._path is not None:
            done, sums, seconds = checkpoint_file.resume(self._path, saved, self._identity)
            if self._limit is not None and done * self._full > self._limit:
                raise ArgumentError(
                    f"the checkpoint {self._path} has more than is asked for: {sums.rounds} rounds"
                )
            self._done = self._whole_done = done
            self._sums, self._before = sums, seconds

    # ------------------------------------------------------------ the work

    def _jobs(self) -> Iterator[Job]:
        """Ranges of chunks; full ones first, what is left over as a job of its own."""
        far = self._executor is not None
        fast = self._fast
        batch = self._batch or ((_FAR_BATCH if far else _FAST_BATCH) if fast else 1)
        if self._until is not None:  # where it stops must not hang on who does the work
            batch = _FAST_BATCH if fast else 1
        complete, rest = (None, 0) if self._limit is None else divmod(self._limit, self._full)
        at = self._done
        while complete is None or at < complete:
            stop = at + batch if complete is None else min(at + batch, complete)
            yield Job(self._first + at, self._first + stop, self._full, self._by_shoes)
            at = stop
        if rest:
            yield Job(self._first + at, self._first + at + 1, rest, self._by_shoes)

    @property
    def _fast(self) -> bool:
        return self._player.path not in ("round", "callable")

    def _parts(self) -> Generator[tuple[Job, Sums], None, None]:
        executor = self._executor
        if executor is None:
            # Python holds the interpreter's lock: threads would only be in each other's way
            workers = (self._workers or cores()) if self._fast else 1
            if workers > 1:
                executor = lambda: ThreadPoolExecutor(workers, "blackjack")  # noqa: E731
        else:
            workers = self._workers or getattr(executor, "_max_workers", None) or 16
        return in_order(
            self._spec,
            self._jobs(),
            executor=executor,
            window=4 * workers,
            timeout=self._timeout,
            retries=self._retries,
        )

    def __iter__(self) -> Generator[Progress, None, None]:
        start = reported = saved = time.monotonic()
        parts = self._parts()
        finished = False
        try:
            if not self._enough():
                for job, sums in parts:
                    self._add(job, sums)
                    now = time.monotonic()
                    self._seconds = now - start
                    if now - saved > _SAVE_EVERY:
                        self._save()
                        saved = now
                    if self._enough():
                        break
                    if now - reported > self._every:
                        reported = now
                        yield self.progress
            finished = True
        finally:
            parts.close()  # cancels what is out
            self._seconds = time.monotonic() - start
            self._save()
        if finished:
            yield self.progress

    def _add(self, job: Job, sums: Sums) -> None:
        if job.last != self._full and self._path is not None:
            # a checkpoint holds full chunks only, so that one may go on to any number of rounds
            self._saved_sums = Sums()
            self._saved_sums.add(self._sums)
        else:
            self._whole_done += job.stop - job.first
        self._sums.add(sums)
        self._done += job.stop - job.first
        self._played_here += sums.rounds

    def _enough(self) -> bool:
        if self._until is None:
            return False
        return self._sums.error(self._spec.rules.exact_unit, self._spec.boxes) <= self._until

    def _save(self) -> None:
        if self._path is not None:
            sums = self._saved_sums or self._sums
            seconds = self._before + self._seconds
            checkpoint_file.save(self._path, self._identity, self._whole_done, sums, seconds)

    # ------------------------------------------------------------ looking

    @property
    def progress(self) -> Progress:
        """Where it stands."""
        done = self._sums.scalars[-1] if self._by_shoes else self._sums.rounds
        fraction = 0.0
        if self._limit is not None:
            fraction = done / self._limit if self._limit else 1.0
        if self._until is not None and self._sums.rounds > 1:
            error = self._sums.error(self._spec.rules.exact_unit, self._spec.boxes)
            fraction = max(fraction, min(1.0, (self._until / error) ** 2 if error else 1.0))
        rate = self._played_here / self._seconds if self._seconds else 0.0
        return Progress(self.result, self._limit, min(1.0, fraction), self._seconds, rate)

    @property
    def seed(self) -> int:
        """The seed, drawn if none was given."""
        return self._spec.seed

    @property
    def result(self) -> SimulationResult:
        """What has been played until now."""
        spec = self._spec
        sources = ((spec.seed, self._first, self._first + self._done),) if self._done else ()
        return make_result(
            self._sums,
            unit=spec.rules.exact_unit,
            boxes=spec.boxes,
            bet=self._bet,
            rules=self._identity.rules,
            strategy=self._identity.strategy,
            stream=self._identity.stream,
            detail=spec.detail,
            sources=sources,
            version=blackjack.__version__,
            path=self._player.path,
            isa=self._player.isa,
            seconds=self._before + self._seconds,
        )


def simulate(
    rules: RulesLike,
    strategy: Strategy | str | Callable_ = "chart",
    *,
    rounds: float | None = None,
    shoes: int | None = None,
    until_error: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    executor: ExecutorLike | None = None,
    progress: Callable[[Progress], object] | None = None,
    bet: int = 1,
    **options: Unpack[SimulationOptions],
) -> SimulationResult:
    """Play very many rounds and add them up exactly.

    >>> result = simulate("atlantic_city", rounds=2000, seed=1, workers=1)
    >>> result.rounds, result == simulate("atlantic_city", rounds=2000, seed=1, workers=2)
    (2000, True)

    Args:
        rules: the game, or a preset's name.
        strategy: `"chart"` (the best total-dependent one for the rules), `"optimal"`, `"published"`,
            a `Strategy`, or a function that is asked at every decision (slow).
        rounds: how many rounds; a float such as 1e9 may be given where it is whole.
        shoes: how many whole shoes instead.
        until_error: stop at this standard error of the expected value; with `rounds` or `shoes`
            at whichever comes first.
        seed: 0 to 2**64 - 1; without one a random seed is drawn and noted in the result.
        workers: threads; all cores by default. With an `executor`: how many jobs it can run at once.
        executor: any `concurrent.futures.Executor`, or a function that makes one (so that a broken
            pool can be replaced).
        progress: called with a `Progress` about ten times a second.
        bet: the amount on each box.
        **options: `boxes` (how many have a bet), `rng` ("xoshiro256++" or
            "chacha20"), `isa` (an instruction set's name; "round" plays the true round in Python),
            `detail` (sums per starting hand), `checkpoint` (a file to go on from), `first_chunk`
            (to share a simulation out by hand), `batch` (chunks per job), `timeout` (seconds after
            which a job is sent again), `retries`, `every` (seconds between two calls of `progress`).

    Raises:
        ArgumentError: what is asked for makes no sense, or a checkpoint is of another simulation.
    """
    if progress is not None:
        function("progress", progress)
    simulation = Simulation(
        rules,
        strategy,
        rounds=rounds,
        shoes=shoes,
        until_error=until_error,
        seed=seed,
        workers=workers,
        executor=executor,
        bet=bet,
        **options,
    )
    with closing(iter(simulation)) as steps:
        for now in steps:
            if progress is not None:
                progress(now)
    return simulation.result


# ---------------------------------------------------------------- what is asked for


def _limit(rounds: float | None, shoes: int | None, until_error: float | None) -> int | None:
    if rounds is not None and shoes is not None:
        raise ArgumentError("expected rounds or shoes, not both")
    if until_error is not None:
        number("until_error", until_error, above=0)
    if shoes is not None:
        return whole("shoes", shoes, 0)
    if rounds is not None:
        if isinstance(rounds, float) and rounds.is_integer():
            rounds = int(rounds)
        return whole("rounds", rounds, 0)
    if until_error is None:
        raise ArgumentError("expected rounds, shoes or until_error")
    return None


def _strategy(strategy: Strategy | str | Callable_, rules: Rules) -> Strategy | Callable_:
    if isinstance(strategy, str):
        return named(strategy, rules)
    if isinstance(strategy, Strategy) or callable(strategy):
        return strategy
    raise ArgumentError(f"expected a name, a Strategy or a function, got {strategy!r}")


def _strategy_name(strategy: Strategy | Callable_) -> str:
    if isinstance(strategy, Strategy):
        return strategy.fingerprint
    name = getattr(strategy, "__qualname__", type(strategy).__qualname__)
    return f"callable:{getattr(strategy, '__module__', '?')}.{name}"
