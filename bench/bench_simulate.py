"""How fast the bulk simulator is: rounds a second by instruction set, house and option, edge beside each.

    python bench/bench_simulate.py [--rounds 2e7] [--repeat 3] [--json FILE]

One thread, fresh shoes, processor time, the best of `--repeat`. Every line also gives the ratio to a plain
scalar C loop (baseline_sim.c, compiled with `cc -O3` and run in the same minutes), because that is what
can be compared between machines. Not here: the facade's overhead (chunks, executors).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blackjack._simulation_compiled import compiled_rules, facts
from blackjack.roundstream import RoundStream
from blackjack.rules import Rules
from blackjack.strategy import Strategy
from blackjack_core import simulate as sim

CHUNK = 1 << 22
HOUSES = ("goldfishka", "las_vegas", "atlantic_city", "continental", "romanian")
REAL = ("vegas_strip", "single_deck_65", "european", "atlantic_city_8", "macau")


@dataclass
class Line:
    """One measurement."""

    what: str
    isa: str
    rate: float
    edge: float
    error: float
    ratio: float = 0.0


def program(rules: Rules, boxes: int = 1, **how: Any) -> sim.Program:
    """What the facade makes of rules and the house's chart."""
    plan = Strategy.published(rules).compile(rules)
    return sim.Program(compiled_rules(rules, boxes), **facts(rules, plan, boxes), **how)


def rows(rules: Rules, boxes: int, rounds: int) -> Line:
    """Rounds a second into columns that are there; the edge is that of all the rows."""
    stream = RoundStream(rules, seed=1, boxes=boxes)
    columns = stream.columns(1 << 16)
    stream.fill(columns)
    seconds, n, net, squared = 0.0, 0, 0, 0
    for _ in range(0, rounds, len(columns)):
        cpu = time.process_time()
        stream.fill(columns)
        seconds += time.process_time() - cpu
        nets = columns["net"].tolist()
        n += len(nets)
        net += sum(nets)
        squared += sum(x * x for x in nets)
    bets = rules.exact_unit * boxes
    error = math.sqrt((squared / n - (net / n) ** 2) / n) / bets
    return Line("", "-", n / seconds, -net / n / bets, error)


class Bench:
    """Runs and prints."""

    def __init__(self, rounds: int, repeat: int) -> None:
        self.rounds, self.repeat = rounds, repeat
        self.lines: list[Line] = []
        self.base = 0.0

    def baseline(self) -> None:
        """Compile and run the plain loop, if there is a C compiler."""
        compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            return
        source = Path(__file__).with_name("baseline_sim.c")
        best = Line("plain scalar C loop", "-", 0.0, 0.0, 0.0)
        with tempfile.TemporaryDirectory() as folder:
            loop = str(Path(folder) / "baseline")
            subprocess.run([compiler, "-O3", str(source), "-o", loop, "-lm"], check=True)
            for _ in range(self.repeat):
                text = subprocess.run(
                    [loop, str(self.rounds // 4)], check=True, capture_output=True, text=True
                )
                n, seconds, ev, error = map(float, text.stdout.split())
                rate = n / seconds
                if rate > self.base:
                    self.base = rate
                    best = Line("plain scalar C loop", "-", rate, -ev, error)
        self.add(best)

    def add(self, line: Line) -> None:
        """Note and print a measurement."""
        line.ratio = line.rate / self.base if self.base else 0.0
        self.lines.append(line)
        print(
            f"{line.what:34} {line.isa:8} {line.rate / 1e6:8.1f} M/s  x{line.ratio:5.1f}"
            f"   edge {line.edge:+.6f} ± {line.error:.6f}",
            flush=True,
        )

    def run(
        self,
        what: str,
        made: sim.Program,
        unit: int,
        rounds: int = 0,
        threads: int = 1,
        boxes: int = 1,
        **how: object,
    ) -> None:
        """Measure one program; the edge is per bet."""
        sums = [0] * sim.SIZE
        best = 0.0
        rounds = rounds or self.rounds
        sizes = [min(CHUNK, rounds - at) for at in range(0, rounds, CHUNK)]
        for again in range(self.repeat):
            outs = [array("q", bytes(8 * sim.SIZE)) for _ in sizes]
            jobs = [(1, len(sizes) * again + k, n, outs[k]) for k, n in enumerate(sizes)]
            wall, cpu = time.perf_counter(), time.process_time()
            if threads > 1:
                with ThreadPoolExecutor(threads) as pool:
                    list(pool.map(lambda job: made.run(*job, **how), jobs))  # type: ignore[arg-type]
            else:
                for job in jobs:
                    made.run(*job, **how)  # type: ignore[arg-type]
            took = time.perf_counter() - wall if threads > 1 else time.process_time() - cpu
            best = max(best, rounds / took)
            for out in outs:
                sums = [a + b for a, b in zip(sums, out, strict=True)]
        n, net, sq = (sums[sim.LAYOUT[k][0]] for k in ("rounds", "net", "net_sq"))
        ev = net / unit / n
        error = math.sqrt((sq / unit**2 / n - ev * ev) / n)
        isa = how.get("isa") or made.isa
        ev /= boxes
        error /= boxes
        self.add(
            Line(what, f"{made.path}" if made.path == "general" else str(isa), best, -ev, error)
        )


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=float, default=2e7, help="rounds per measurement")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many")
    parser.add_argument("--json", help="write the measurements to this file")
    given = parser.parse_args()
    bench = Bench(int(given.rounds), given.repeat)
    print(f"Python {sys.version.split()[0]}, instruction sets: {', '.join(sim.ISAS)}")
    bench.baseline()
    plain = Rules()
    made = program(plain)
    unit = plain.exact_unit
    for isa in sim.ISAS:
        bench.run("six decks, S17, DAS, 4 hands", made, unit, isa=isa, detail=False)
        bench.run("  with hand x upcard statistics", made, unit, isa=isa, detail=True)
        bench.run("  ChaCha20", made, unit, isa=isa, detail=False, rng="chacha20")
    bench.run("  two threads (wall clock)", made, unit, threads=2, detail=False)
    for name in HOUSES + REAL:
        rules = Rules.preset(name)
        bench.run(name, program(rules), rules.exact_unit, detail=False)
    bench.run("eight decks", program(Rules(decks=8)), unit, detail=False)
    bench.run("infinite deck", program(Rules(decks=None)), unit, detail=False)
    several = {"boxes": plain, "boxes, one deck": Rules.preset("single_deck_65")}
    several["boxes, one deck, 5 burnt"] = Rules(decks=1, burn=5)
    several["boxes, goldfishka"] = Rules.preset("goldfishka")
    for what, rules in several.items():
        for boxes in (2, 3, 5, 7) if rules is plain else (2, 7):
            made = program(rules, boxes)
            how: dict[str, Any] = {"rounds": bench.rounds // boxes, "boxes": boxes, "detail": False}
            for isa in sim.ISAS if rules is plain else sim.ISAS[:1]:
                bench.run(f"{boxes} {what}", made, rules.exact_unit, isa=isa, **how)
    made = program(plain, 7)
    bench.run("7 boxes, two threads (wall clock)", made, unit, threads=2, boxes=7, detail=False)
    bench.run("7 boxes, hand x upcard statistics", made, unit, boxes=7, detail=True)
    bench.run(
        "one box by the tables of many",
        program(plain, boxwise=True),
        unit,
        detail=False,
    )
    for boxes in (1, 3):
        bench.run(
            f"real cards by tables, {boxes} boxes",
            program(plain, boxes, cardwise=True),
            unit,
            rounds=bench.rounds // 2,
            boxes=boxes,
            detail=False,
        )
    for name, boxes in (("", 1), ("goldfishka", 1), ("las_vegas", 1), ("", 3)):
        rules = Rules.preset(name) if name else plain
        runs = [rows(rules, boxes, bench.rounds // 8) for _ in range(bench.repeat)]
        best = max(runs, key=lambda line: line.rate)
        best.what = f"play_rounds {name or 'six decks'}, {boxes} boxes"
        bench.add(best)
    bench.run(
        "true round, any rules",
        program(plain, general=True),
        unit,
        rounds=bench.rounds // 16,
        detail=False,
    )
    if given.json:
        Path(given.json).write_text(
            json.dumps([vars(line) for line in bench.lines], indent=1), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
