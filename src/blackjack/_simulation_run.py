"""Running jobs: a bounded window of them on any executor, in order, with retries and clean ends.

Lives here: `in_order`, which hands finished jobs on in the order of their chunks, so that what is
added up never depends on who ran what when. Not here: what a job is (blackjack._simulation_jobs),
what is done with the sums (blackjack.simulation).
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from blackjack._simulation_jobs import Job, Spec, run_job
from blackjack._simulation_sums import Sums
from blackjack.errors import BlackjackError

RETRIES: Final = 3
# What a job raises because of what it is asked, not of where it runs: never tried again.
_OWN_ERRORS: Final = (BlackjackError, TypeError, ValueError, AttributeError, NotImplementedError)
_POLL: Final = 0.2  # seconds between looks at the clock, and for Ctrl-C

ExecutorLike = Executor | Callable[[], Executor]


@dataclass
class _Open:
    """A job that is out, perhaps more than once."""

    job: Job
    tries: int = 0
    since: float = 0.0
    futures: dict[Any, int] = field(default_factory=dict)
    """Each with the number of the pool that it was given to."""


class _Pool:
    """Keeps jobs out on an executor and collects what comes back, each job once."""

    def __init__(
        self, spec: Spec, executor: ExecutorLike, timeout: float | None, retries: int
    ) -> None:
        self.spec = spec
        self.factory = None if isinstance(executor, Executor) else executor
        self.executor: Executor = executor if isinstance(executor, Executor) else executor()
        self.number = 0  # of the pool: a broken one is replaced once
        self.timeout = timeout
        self.retries = retries
        self.open: dict[int, _Open] = {}
        self.came: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def submit(self, index: int, job: Job) -> None:
        self.open[index] = _Open(job)
        self._send(index)

    def _send(self, index: int) -> None:
        entry = self.open[index]
        entry.tries += 1
        entry.since = time.monotonic()
        number = self.number
        try:
            future = self.executor.submit(run_job, self.spec, entry.job)
        except RuntimeError as error:  # broken, or shut down by its owner
            self._lost(index, number, error)
            return
        entry.futures[future] = number
        future.add_done_callback(lambda done: self.came.put((index, done)))

    def _lost(self, index: int, number: int, error: BaseException) -> None:
        """Send a job again, or give up."""
        if self.open[index].tries > self.retries:
            raise error
        if isinstance(error, BrokenExecutor) and number == self.number:
            if self.factory is None:
                raise error
            self.executor.shutdown(wait=False)
            self.executor = self.factory()
            self.number += 1
        self._send(index)

    def collect(self) -> tuple[int, Job, Sums] | None:
        """The next job that has come back, or None after a moment without one."""
        try:
            index, future = self.came.get(timeout=_POLL)
        except queue.Empty:
            self._late()
            return None
        entry = self.open.get(index)
        if entry is None or future not in entry.futures:
            return None  # the same job came back before, from somewhere else
        error: BaseException | None = (
            CancelledError("the executor cancelled a job")
            if future.cancelled()
            else future.exception()
        )
        if error is None:
            del self.open[index]
            for other in entry.futures:
                other.cancel()
            return index, entry.job, future.result()
        if isinstance(error, _OWN_ERRORS):
            raise error
        number = entry.futures.pop(future)
        if not entry.futures:  # no other copy of it is out
            self._lost(index, number, error)
        return None

    def _late(self) -> None:
        if self.timeout is None:
            return
        now = time.monotonic()
        for index, entry in list(self.open.items()):
            if now - entry.since > self.timeout:
                if entry.tries > self.retries:
                    raise TimeoutError(
                        f"no answer for chunk {entry.job.first}, asked {entry.tries} times"
                    )
                self._send(index)

    def close(self) -> None:
        """Cancel what is out; an executor that was made here is shut down."""
        for entry in self.open.values():
            for future in entry.futures:
                future.cancel()
        if self.factory is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)


def in_order(
    spec: Spec,
    jobs: Iterator[Job],
    *,
    executor: ExecutorLike | None,
    window: int,
    timeout: float | None = None,
    retries: int = RETRIES,
) -> Generator[tuple[Job, Sums], None, None]:
    """Each job with its sums, in the order of the jobs; without an executor they run right here.

    At most `window` jobs are out or waiting for an earlier one. An error, or the end of whoever asks,
    cancels the rest.
    """
    if executor is None:
        for job in jobs:
            yield job, run_job(spec, job)
        return
    pool = _Pool(spec, executor, timeout, retries)
    done: dict[int, tuple[Job, Sums]] = {}
    sent = due = 0
    try:
        while True:
            for job in islice(jobs, window - (sent - due)):
                pool.submit(sent, job)
                sent += 1
            if due == sent:
                return
            while due not in done:
                came = pool.collect()
                if came is not None:
                    index, job, sums = came
                    done[index] = (job, sums)
            yield done.pop(due)
            due += 1
    finally:
        pool.close()
