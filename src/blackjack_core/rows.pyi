from blackjack_core.solve import Solver

def rows(
    s: Solver,
) -> dict[tuple[int, int], list[tuple[int, float, float, float, float, float, float]]]: ...
def orders(
    s: Solver,
) -> list[
    tuple[
        tuple[int, ...],
        tuple[int, int, int],
        list[tuple[float, tuple[int, ...], dict[int, float], int] | None],
    ]
]: ...
def runs_dry(s: Solver) -> bool: ...
