"""How long exact distributions and full-memory splits take, in CPU time of one core.

    python bench/bench_outcomes.py [--hands 3] [--repeat 5]

Best of several, the first call apart: it also makes the dealer's trees, once for each way of drawing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from blackjack import HOUSES, Rules, Strategy
from blackjack.charts import published_rows
from blackjack.outcomes import exact_split_value, outcome_distribution


def best(f: Callable[[], object], repeat: int) -> tuple[float, float]:
    """(seconds of the first call, of the best one behind it)."""
    times = []
    for _ in range(repeat + 1):
        begin = time.process_time()
        f()
        times.append(time.process_time() - begin)
    return times[0], min(times[1:], default=times[0])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    games = {f"{decks} decks": Rules(decks=decks) for decks in (1, 2, 6, 8)}
    games |= {house: Rules.preset(house) for house in HOUSES}
    for name, rules in games.items():
        hands = min(options.hands, rules.max_hands)
        game = rules.replace(max_hands=hands)
        plan = Strategy(rows=published_rows(game))
        first, again = best(lambda g=game, p=plan: outcome_distribution(g, p), options.repeat)  # type: ignore[misc]
        print(
            f"distribution {name:15} {hands} hands  first {first:7.3f} s  then {again:7.3f} s",
            flush=True,
        )
    one = Rules(decks=1, max_hands=2)
    for pair, upcard in ("A6", "26", "88", "T6"):
        first, again = best(lambda p=pair, u=upcard: exact_split_value(one, None, p, u), 2)  # type: ignore[misc]
        print(f"full memory, one deck, {pair}{pair} against {upcard}: {again:7.3f} s", flush=True)


if __name__ == "__main__":
    main()
