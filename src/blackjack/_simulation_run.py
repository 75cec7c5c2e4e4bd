"""Running jobs: a bounded window of them on any executor, in order, with retries and clean ends.

Lives here: `in_order`, which hands finished jobs on in the order of their chunks, so that what is
added up never depends on who ran what when. Not here: what a job is (blackjack._simulation_jobs),
what is done with the sums (blackjack.simulation).
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field
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
    """A job that is out."""

    job: Job
    tries: int = 0
    since: float = field(default_factory=time.monotonic)
    futures: list[Any] = field(default_factory=list)


class _Pool:
    """Keeps jobs out on an executor and collects what comes back, each job once."""

    def __init__(
        self, spec: Spec, executor: ExecutorLike, timeout: float | None, retries: int
    ) -> None:
        self.spec = spec
        self.factory = None if isinstance(executor, Executor) else executor
        self.executor: Any = executor if self.factory is None else self.factory()
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
        try:
            future = self.executor.submit(run_job, self.spec, entry.job)
        except (BrokenExecutor, RuntimeError) as error:
            self._lost(index, error)
            return
        entry.futures.append(future)
        future.add_done_callback(lambda done: self.came.put((index, done)))

    def _lost(self, index: int, error: BaseException) -> None:
        """Send a job again, or give up."""
        if self.open[index].tries > self.retries:
            raise error
        if isinstance(error, BrokenExecutor):
            if self.factory is None:
                raise error
            self.executor.shutdown(wait=False)
            self.executor = self.factory()
        self._send(index)

    def collect(self) -> tuple[int, Sums] | None:
        """The next job that has come back, or None after a moment without one."""
        try:
            index, future = self.came.get(timeout=_POLL)
        except queue.Empty:
            self._late()
            return None
        entry = self.open.get(index)
        if entry is None or future not in entry.futures:
            return None  # the same job came back before from somewhere else
        if future.cancelled():
            self._again(index, future, BrokenExecutor("the executor cancelled a job"))
            return None
        error = future.exception()
        if error is None:
            del self.open[index]
            return index, future.result()
        if isinstance(error, _OWN_ERRORS) or not isinstance(error, Exception):
            raise error
        self._again(index, future, error)
        return None

    def _again(self, index: int, future: Any, error: BaseException) -> None:
        entry = self.open[index]
        entry.futures.remove(future)
        if entry.futures:
            return  # another copy of it is still out
        # a broken pool fails all its jobs: only the first to come back makes a new one
        if isinstance(error, BrokenExecutor) and self.factory is not None:
            broken = getattr(self.executor, "_broken", True)
            if not broken:
                error = RuntimeError(str(error))
        self._lost(index, error)

    def _late(self) -> None:
        if self.timeout is None:
            return
        now = time.monotonic()
        for index, entry in list(self.open.items()):
            if now - entry.since > self.timeout:
                if entry.tries > self.retries:
                    raise TimeoutError(f"no answer for chunk {entry.job.first}, tried {entry.tries}x")
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
) -> Iterator[tuple[Job, Sums]]:
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
    more = True
    try:
        while True:
            while more and sent - due < window:
                job = next(jobs, None)
                if job is None:
                    more = False
                    break
                pool.submit(sent, job)
                sent += 1
            if due == sent:
                return
            while due not in done:
                waiting = dict(pool.open)
                came = pool.collect()
                if came is not None:
                    index, sums = came
                    done[index] = (waiting[index].job, sums)
            yield done.pop(due)
            due += 1
    finally:
        pool.close()
