"""One simulation on a Ray cluster: Ray has no executor, so here is one in twenty lines.

Run: python examples/simulate_with_ray.py
Needs ray. `ray.init()` starts a small cluster here, or joins the one that RAY_ADDRESS names.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from blackjack import simulate


class RayExecutor(Executor):
    """Runs each call as a Ray task; Ray itself replaces workers that are lost."""

    def __init__(self) -> None:
        import ray

        self._call = ray.remote(lambda fn, args: fn(*args))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send one call out; `kwargs` are not needed by simulations."""
        assert not kwargs
        future: Future[Any] = self._call.remote(fn, args).future()
        return future


def main() -> None:
    """Simulate a house on all of the cluster's processors."""
    try:
        import ray
    except ImportError:
        print("this example needs ray")
        return
    ray.init()
    slots = int(ray.cluster_resources()["CPU"])
    result = simulate(
        "goldfishka", rounds=20_000_000, seed=7, executor=RayExecutor(), workers=slots
    )
    print(result)


if __name__ == "__main__":
    main()
