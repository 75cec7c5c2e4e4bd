"""One simulation on a dask cluster: the same integers as on one core.

Run: python examples/simulate_with_dask.py [SCHEDULER_ADDRESS]
Needs the extra `dask`. Without an address a small cluster is started on this machine's loopback.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack

from blackjack import simulate


def main(address: str | None = None) -> None:
    """Simulate a house on a cluster and once more here."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        print("this example needs the extra dask: pip install 'blackjack-engine[dask]'")
        return
    with ExitStack() as stack:
        if address is None:
            cluster = LocalCluster(
                n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
            )
            address = stack.enter_context(cluster).scheduler_address
        client = stack.enter_context(Client(address))
        slots = sum(client.ncores().values())
        result = simulate(
            "goldfishka", rounds=20_000_000, seed=7, executor=client.get_executor(), workers=slots
        )
    print(result)
    assert result == simulate("goldfishka", rounds=20_000_000, seed=7)


if __name__ == "__main__":
    main(*sys.argv[1:2])
