"""One simulation on an MPI cluster: mpi4py's executor is a `concurrent.futures` one.

Run: mpiexec -n 65 python -m mpi4py.futures examples/simulate_with_mpi.py
Needs mpi4py; the first process hands out the work, the other 64 play.
"""

from __future__ import annotations

from blackjack import simulate


def main() -> None:
    """Simulate a house on every process but the first."""
    try:
        from mpi4py import MPI
        from mpi4py.futures import MPIPoolExecutor
    except ImportError:
        print("this example needs mpi4py")
        return
    others = max(1, MPI.COMM_WORLD.Get_size() - 1)
    with MPIPoolExecutor(others) as executor:
        # with checkpoint="FILE" too, a job that the scheduler kills goes on from there
        result = simulate(
            "goldfishka", rounds=20_000_000, seed=7, executor=executor, workers=others
        )
    print(result)


if __name__ == "__main__":
    main()
