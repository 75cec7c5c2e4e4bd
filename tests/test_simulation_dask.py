"""A simulation on a real dask cluster, on this machine's loopback. Not here: other executors."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from blackjack.simulation import Simulation, simulate

pytestmark = pytest.mark.slow

distributed = pytest.importorskip("distributed")


@pytest.fixture(name="client")
def a_client() -> Any:
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.filterwarnings("ignore")
def test_the_same_integers_and_a_lost_worker(client: Any) -> None:
    # small chunks of the compiled simulator would need a setting on the workers: many full ones
    options: dict[str, Any] = {"rounds": 24 << 22, "seed": 5, "detail": False}
    want = simulate("romanian", **options)
    assert want.path == "vector"
    executor = client.get_executor()
    assert simulate("romanian", executor=executor, workers=2, batch=4, **options) == want
    # a worker dies in the middle
    simulation = Simulation("romanian", executor=executor, workers=2, batch=1, every=0.0, **options)
    killed = False
    for now in simulation:
        if not killed and now.result.rounds:
            killed = True
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    assert killed
    assert simulation.result == want
