"""Rounds a second through the public Table API, against other engines in the same run.

    python bench/bench_table.py [--rounds 200000] [--repeat 5]

One player, flat bet, hit below 17, decline every offer, events on (they are materialised when read).
Each line is the median of the repeats in processor time, with the player's mean net per round and its
standard error beside it, so that a fast wrong engine shows. `blackjack21` and OpenSpiel come with the
extra: pip install 'blackjack-engine[bench]'; what is not installed is left out and said so.
Also measured: import time and memory of an idle table.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable

BET = 20

Result = tuple[int, float, float]  # rounds, sum of nets per unit bet, sum of squared nets


def play_here(house: str, events: bool) -> Callable[[int, int], Result]:
    """Our table; with `events` every round's events are read, too."""
    from blackjack import Action, Table

    hit = Action.HIT

    def run(rounds: int, seed: int) -> Result:
        table = Table(house, seed=seed, balance=BET * rounds * 20)
        before, total, squares = table.balance(), 0, 0
        for _ in range(rounds):
            table.bet(box=0, amount=BET)
            table.deal()
            while (turn := table.turn) is not None:
                table.act(hit if turn.hand.total < 17 and hit in turn.actions else turn.passive)
            after = table.balance()
            net = after - before  # type: ignore[operator]
            before = after
            total += net
            squares += net * net
            if events:
                len(table.events)
        return rounds, total / BET, squares / BET**2

    return run


def play_blackjack21() -> Callable[[int, int], Result]:
    """blackjack21: six decks, shuffled at three quarters, as its documentation shows."""
    module = importlib.import_module("blackjack21")
    nets = {"BLACKJACK": 1.5, "PLAYER_WIN": 1.0, "DEALER_BUST": 1.0, "PUSH": 0.0}

    def run(rounds: int, seed: int) -> Result:
        random.seed(seed)
        deck = module.Deck(("Hearts", "Diamonds", "Spades", "Clubs"), count=6)
        table = module.Table([("player", BET)], deck)
        total = squares = 0.0
        for _ in range(rounds):
            if deck.penetration > 0.75:
                deck.reset()
            table.start_game()
            while (hand := table.current_hand) is not None:
                if hand.total < 17:
                    table.hit()
                else:
                    table.stand()
            net = nets.get(table.players[0].hands[0].result.name, -1.0)
            total += net
            squares += net * net
        return rounds, total, squares

    return run


def play_openspiel() -> Callable[[int, int], Result]:
    """OpenSpiel's blackjack (hit and stand only, one deck, pays 1:1) through pyspiel."""
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game("blackjack")

    def run(rounds: int, seed: int) -> Result:
        rng = random.Random(seed)
        total = squares = 0.0
        for _ in range(rounds):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions = state.legal_actions()
                    state.apply_action(actions[rng.randrange(len(actions))])
                else:
                    state.apply_action(0 if state.get_best_player_total(0) < 17 else 1)
            net = state.returns()[0]
            total += net
            squares += net * net
        return rounds, total, squares

    return run


def measure(
    name: str, make: Callable[[], Callable[[int, int], Result]], rounds: int, repeat: int
) -> float:
    """Print a line for one engine; its rounds a second."""
    try:
        run = make()
        run(min(rounds, 2000), 1)
    except ImportError as error:
        print(f"{name:38} not installed ({error.name}): pip install 'blackjack-engine[bench]'")
        return math.nan
    speeds, n, total, squares = [], 0, 0.0, 0.0
    for seed in range(repeat):
        start = time.process_time()
        done, s, q = run(rounds, seed + 1)
        speeds.append(done / (time.process_time() - start))
        n, total, squares = n + done, total + s, squares + q
    mean = total / n
    deviation = math.sqrt(max(squares / n - mean * mean, 0.0) / n)
    speed = statistics.median(speeds)
    print(f"{name:38} {speed:12,.0f} rounds/s   net {mean:+.4f} ± {deviation:.4f}")
    return speed


def import_milliseconds() -> float:
    """Processor time that `import blackjack` adds to an interpreter's start, best of ten.

    Byte code is kept, as an installation keeps it; the first run writes it.
    """
    with tempfile.TemporaryDirectory() as kept:
        settings = {**os.environ, "PYTHONPYCACHEPREFIX": kept}
        settings.pop("PYTHONDONTWRITEBYTECODE", None)

        def best(code: str) -> float:
            times = []
            for _ in range(11):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([sys.executable, "-c", code], check=True, env=settings)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            return min(times[1:])

        return 1000 * (best("import blackjack") - best("pass"))


def idle_table_bytes(count: int = 1000) -> float:
    """Memory of one idle table, the C parts included where the resident size tells."""
    from blackjack import Table

    Table("vegas_strip", seed=0)
    tracemalloc.start()
    tables = [Table("vegas_strip", seed=i) for i in range(count)]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(tables)


def main() -> None:
    """Run everything and print a line each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=100_000, help="rounds per repeat")
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores")
    rounds, repeat = args.rounds, args.repeat
    ours = measure(
        "blackjack-engine, vegas_strip", lambda: play_here("vegas_strip", False), rounds, repeat
    )
    read = measure(
        "  every round's events read", lambda: play_here("vegas_strip", True), rounds // 5, repeat
    )
    for house in ("goldfishka", "las_vegas", "atlantic_city", "continental", "romanian"):
        measure(f"  {house}", lambda house=house: play_here(house, False), args.rounds, 3)  # type: ignore[misc]
    other = measure("blackjack21", play_blackjack21, args.rounds // 10, args.repeat)
    third = measure("OpenSpiel blackjack (pyspiel)", play_openspiel, args.rounds // 10, args.repeat)
    print(f"reading all events costs {1e6 / read - 1e6 / ours:.1f} microseconds a round")
    for name, speed in (("blackjack21", other), ("OpenSpiel", third)):
        if not math.isnan(speed):
            print(f"ratio to {name}: {ours / speed:.1f}")
    print(f"import blackjack: {import_milliseconds():.0f} ms of processor time")
    print(f"idle table: {idle_table_bytes() / 1000:.1f} kB")


if __name__ == "__main__":
    main()
