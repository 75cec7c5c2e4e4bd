"""Play very many rounds of a house and measure: edge, error, deviation, speed.

Lives here: the command's words, its progress bar, and how a result is printed. Not here: the
simulation (blackjack.simulation), the pictures (blackjack._simulation_plot).
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
from contextlib import closing
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final

from blackjack._simulation_plot import SUFFIXES, Point, plot
from blackjack.cli import UsageError
from blackjack.cli.analysis import read_strategy
from blackjack.cli.house import add_house, read_house
from blackjack.errors import BlackjackError
from blackjack.rules import Rules
from blackjack.simulation import Progress, Simulation, SimulationResult
from blackjack.strategy import NAMES

_DEFAULT_ROUNDS: Final = 100_000_000
_INTERRUPTED: Final = 130
_BAR: Final = 24
_POINTS: Final = 400
_CSV: Final = (
    "house", "rounds", "ev", "stderr", "sd", "edge", "net", "unit", "net_squared", "staked",
    "insured", "cards", "shoes", "seed", "stream", "rules", "strategy", "version", "path", "isa",
    "seconds", "rounds_per_second",
)  # fmt: skip


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_house(parser)
    much = parser.add_argument_group("how much")
    much.add_argument("--rounds", metavar="N", help="rounds to play; 1e9 is fine (default: 1e8)")
    much.add_argument("--shoes", metavar="N", help="whole shoes to play instead")
    much.add_argument(
        "--until-error", metavar="E", help="stop at this standard error (of --rounds, if given)"
    )
    how = parser.add_argument_group("how")
    how.add_argument("--seed", metavar="S", help="0 to 2**64 - 1 (default: drawn, and printed)")
    how.add_argument(
        "--strategy",
        default="chart",
        metavar="chart|optimal|published|FILE",
        help="the best chart for the rules (default), the best play by exact cards, "
        "the chart that people print, or a file of one",
    )
    how.add_argument("--boxes", default="1", metavar="B", help="boxes with a bet (default: 1)")
    how.add_argument("--workers", metavar="K", help="threads (default: all cores)")
    how.add_argument("--isa", metavar="NAME", help="an instruction set (default: the best here)")
    how.add_argument(
        "--rng", default="xoshiro256++", metavar="NAME", help="xoshiro256++ (default) or chacha20"
    )
    how.add_argument("--detail", action="store_true", help="sums per starting hand and upcard too")
    how.add_argument("--checkpoint", metavar="FILE", help="go on from this file, and keep it")
    out = parser.add_argument_group("output")
    kind = out.add_mutually_exclusive_group()
    kind.add_argument("--json", action="store_true", help="one JSON object")
    kind.add_argument("--csv", action="store_true", help="a line of names and a line per house")
    out.add_argument("--compare", metavar="HOUSE2", help="play this house too, with the same seed")
    out.add_argument("--plot", metavar="FILE", help="a picture (.png, .svg) of the results")
    out.add_argument("--progress", action="store_true", help="a progress bar even without a screen")
    out.add_argument("--quiet", action="store_true", help="no progress bar")


def run(args: argparse.Namespace) -> int:
    """Do it; the exit status."""
    houses = [args.house] + ([args.compare] if args.compare is not None else [])
    games = [(_house_name(text), read_house(text)) for text in houses]
    if args.plot is not None and Path(args.plot).suffix.lower() not in SUFFIXES:
        raise UsageError(
            f"--plot: expected a name ending in {', '.join(SUFFIXES)}, got {args.plot!r}"
        )
    if args.compare is not None and args.checkpoint is not None:
        raise UsageError("--checkpoint is for one house, without --compare")
    options = _options(args)
    runs: list[tuple[str, SimulationResult, list[Point]]] = []
    stopped = False
    for name, rules in games:
        simulation = _simulation(args, rules, options)
        options["seed"] = simulation.seed
        points: list[Point] = []
        stopped = _watch(simulation, name, points, _bar_wanted(args))
        runs.append((name, simulation.result, points))
        if stopped:
            break
    if args.json:
        print(json.dumps(_json(runs, stopped)))
    elif args.csv:
        _csv(runs)
    else:
        _print(runs, stopped)
    if args.plot is not None:
        try:
            plot(runs, args.plot)
        except BlackjackError as error:
            raise UsageError(str(error)) from None
    return _INTERRUPTED if stopped else 0


# ---------------------------------------------------------------- reading


def whole_number(text: str, name: str) -> int:
    """A whole number as people write large ones.

    >>> whole_number("1e9", "--rounds"), whole_number("2.5e6", "--rounds")
    (1000000000, 2500000)
    """
    try:
        value = Decimal(text.replace("_", ""))
        if not value.is_finite() or value < 0 or value != value.to_integral_value():
            raise InvalidOperation
        if value > Decimal(10) ** 24:
            raise InvalidOperation
    except InvalidOperation:
        raise UsageError(f"{name}: expected a whole number such as 1e9, got {text!r}") from None
    return int(value)


def _house_name(text: str) -> str:
    return text if len(text) <= 24 and not text.lstrip().startswith("{") else "custom"


def _options(args: argparse.Namespace) -> dict[str, Any]:
    options: dict[str, Any] = {"detail": args.detail, "rng": args.rng, "isa": args.isa}
    for name in ("rounds", "shoes", "seed", "workers", "boxes"):
        text = getattr(args, name)
        if text is not None:
            options[name] = whole_number(text, f"--{name}")
    if args.until_error is not None:
        try:
            options["until_error"] = float(args.until_error)
        except ValueError:
            raise UsageError(
                f"--until-error: expected a number such as 1e-5, got {args.until_error!r}"
            ) from None
    if not {"rounds", "shoes", "until_error"} & options.keys():
        options["rounds"] = _DEFAULT_ROUNDS
    if args.plot is not None:
        options |= {"every": 0.0, "batch": 1}  # every point of the curve, and many of them
    if args.checkpoint is not None:
        options["checkpoint"] = args.checkpoint
    return options


def _simulation(args: argparse.Namespace, rules: Rules, options: dict[str, Any]) -> Simulation:
    try:
        return Simulation(rules, read_strategy(args.strategy, rules, NAMES), **options)
    except (ValueError, NotImplementedError) as error:
        raise UsageError(str(error)) from None


# ---------------------------------------------------------------- watching


def _bar_wanted(args: argparse.Namespace) -> bool:
    return not args.quiet and (args.progress or sys.stderr.isatty())


def _watch(simulation: Simulation, name: str, points: list[Point], bar: bool) -> bool:
    """Run it to the end or to Ctrl-C; whether it was stopped."""
    stopped = False
    try:
        with closing(iter(simulation)) as steps:
            for now in steps:
                result = now.result
                if not points or points[-1][0] != result.rounds:
                    points.append((result.rounds, result.ev, result.stderr))
                    if len(points) > _POINTS:
                        del points[1::2]
                if bar:
                    print("\r" + bar_text(name, now), end="\x1b[K", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        stopped = True
    except BlackjackError as error:  # what shows only when it is played
        raise UsageError(str(error)) from None
    if bar:
        print(file=sys.stderr)
    return stopped


def bar_text(name: str, now: Progress) -> str:
    """The progress bar's line."""
    filled = int(now.fraction * _BAR)
    bar = "=" * filled + ">" * (filled < _BAR) + " " * (_BAR - filled - 1)
    left = ""
    if 0 < now.fraction < 1:
        seconds = round(now.seconds * (1 - now.fraction) / now.fraction)
        left = f"  {seconds // 60}:{seconds % 60:02} left"
    edge = ""
    if now.result.rounds > 1:
        edge = f"  edge {100 * now.result.edge:.4f} % ± {100 * now.result.stderr:.4f} %"
    return f"{name} [{bar}] {100 * now.fraction:3.0f} %  {rate_text(now.rate)}{edge}{left}"


def rate_text(rate: float) -> str:
    """A speed for people.

    >>> rate_text(184.3e6), rate_text(21500)
    ('184.3 million/s', '21,500/s')
    """
    if not math.isfinite(rate):
        return "-/s"
    return f"{rate / 1e6:.1f} million/s" if rate >= 1e6 else f"{rate:,.0f}/s"


# ---------------------------------------------------------------- printing

_Runs = list[tuple[str, SimulationResult, list[Point]]]


def _difference(runs: _Runs) -> dict[str, float]:
    (_, a, _), (_, b, _) = runs
    return {"ev": b.ev - a.ev, "stderr": math.hypot(a.stderr, b.stderr)}


def _json(runs: _Runs, stopped: bool) -> dict[str, Any]:
    first, *others = ({"house": name, **result.to_dict()} for name, result, _ in runs)
    if stopped:
        first["interrupted"] = True
    if others:
        first["compare"] = others[0]
        if not stopped:
            first["difference"] = _difference(runs)
    return first


def _csv(runs: _Runs) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(_CSV)
    for name, result, _ in runs:
        data = {"house": name, **result.to_dict()}
        writer.writerow(["" if data[c] is None else data[c] for c in _CSV])


def _print(runs: _Runs, stopped: bool) -> None:
    for i, (name, result, _) in enumerate(runs):
        if i:
            print()
        _print_one(name, result)
    if stopped:
        print("\nstopped early: this is the result so far")
    elif len(runs) == 2:
        difference = _difference(runs)
        print(
            f"\n{runs[1][0]} against {runs[0][0]}: the player's ev differs by "
            f"{100 * difference['ev']:+.4f} % ± {100 * difference['stderr']:.4f} %"
        )


def _print_one(name: str, result: SimulationResult) -> None:
    lines = [
        (name, f"{result.rounds:,} rounds, {result.shoes:,} shoes, {result.cards:,} cards"),
        ("house edge", f"{100 * result.edge:.5f} % ± {100 * result.stderr:.5f} %"),
    ]
    if result.rounds > 1:
        low, high = result.interval(0.95)
        lines += [
            ("ev", f"{result.ev:+.7f} ± {result.stderr:.7f}  (95 %: {low:+.7f} to {high:+.7f})"),
            ("sd", f"{result.sd:.5f} a round"),
        ]
    total = sum(result.outcomes.values()) or 1
    shares = (f"{k} {100 * n / total:.3f} %" for k, n in result.outcomes.items() if n)
    lines.append(("hands", ", ".join(shares)))
    drawn = result.rounds or 1
    dealer = (f"{k.replace('_', ' ')} {100 * n / drawn:.3f} %" for k, n in result.dealer.items())
    lines.append(("dealer", ", ".join(dealer)))
    staked = result.staked / (result.unit * result.boxes * drawn)
    lines.append(("staked", f"{staked:.5f} bets a round, {result.insured:,} insurances"))
    speed = rate_text(result.rounds_per_second)
    lines.append(("speed", f"{speed} ({result.seconds:.2f} s; {result.path}, {result.isa})"))
    lines.append(("seed", f"{result.seed}  ({result.stream}, strategy {result.strategy})"))
    for head, text in lines:
        print(f"{head:<13} {text}")
