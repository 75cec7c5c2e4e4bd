"""Processor time of the exact analyzer: whole games, houses, one situation, and what the time goes into.

    python bench/bench_analyze.py [--repeat 30]

Each line is the best of the repeats on one core, in milliseconds, with the figure worked out beside it; tables that
hang on the rules alone (the dealer's draws, the list of hands) are made before. Memory is the process's peak.
A yardstick (float multiply-adds in plain Python) comes first, to compare machines by.
"""

from __future__ import annotations

import argparse
import platform
import resource
import sys
import time
from collections.abc import Callable
from functools import partial

from blackjack import Rules, action_values, analyze
from blackjack.presets import HOUSES
from blackjack_core.dealer import KERNELS


def best(run: Callable[[], object], repeat: int) -> float:
    """Milliseconds of processor time, the best of the repeats."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return 1e3 * min(times)


def yardstick() -> None:
    x = 0.5
    for _ in range(100_000):
        x = x * 0.9999 + 0.0001


def games(repeat: int) -> None:
    for decks in (1, 6, 8):
        for split_play in ("cdz", "cdp1", "cdp"):
            rules = Rules(decks=decks)
            ms = best(partial(analyze, rules, split_play=split_play), repeat)
            ev = analyze(rules, split_play=split_play).ev
            print(
                f"{decks} decks, four hands, best play, {split_play:5} {ms:8.2f} ms   ev {ev:+.9f}"
            )
    for house in HOUSES:
        ms = best(partial(analyze, house), repeat)
        print(f"{house:32} {ms:8.2f} ms   ev {analyze(house).ev:+.9f}")
    chart = analyze("vegas_strip").chart()
    ms = best(partial(analyze, "vegas_strip", strategy=chart), repeat)
    print(f"{'vegas_strip by a given chart':32} {ms:8.2f} ms")


def situations(repeat: int) -> None:
    for hand, upcard in (("T 6", "T"), ("2 3", "A"), ("8 8", "T"), ("A A", "6"), ("2 2", "2")):
        for house in ("vegas_strip", "goldfishka"):
            ms = best(partial(action_values, house, hand, upcard), repeat)
            print(f"action values, {house:12} {hand:4} against {upcard} {ms:6.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=30)
    repeat = parser.parse_args().repeat
    print(platform.platform(), sys.version.split()[0], "kernel", KERNELS[-1])
    analyze("vegas_strip")
    analyze(Rules())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"yardstick {best(yardstick, repeat):.2f} ms")
    games(repeat)
    situations(repeat)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"peak memory {peak / 1024:.0f} MB, {(peak - before) / 1024:.0f} MB more than after two games"
    )


if __name__ == "__main__":
    main()
