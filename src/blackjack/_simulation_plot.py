"""Pictures of a simulation: how rounds end, and how the edge settles.

Lives here: `plot`, for the extra `plot` (matplotlib, imported only here). Not here: the figures.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from blackjack.errors import ArgumentError, MissingExtra

if TYPE_CHECKING:
    from blackjack._simulation_result import SimulationResult

SUFFIXES: Final = (".png", ".svg", ".pdf")
Point = tuple[int, float, float]
"""Rounds, ev and standard error at a moment of a simulation."""

_BLUE, _RED, _GREY = "#20639b", "#c0392b", "#7f8c8d"


def plot(runs: Sequence[tuple[str, SimulationResult, Sequence[Point]]], path: str | Path) -> None:
    """Draw one simulation, or two on the same axes, into a PNG, SVG or PDF.

    Raises:
        MissingExtra: matplotlib is not installed.
        ArgumentError: the file's name ends in something else.
    """
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ArgumentError(
            f"expected a file name ending in {', '.join(SUFFIXES)}, got {str(path)!r}"
        )
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("matplotlib", "plot") from None
    figure = Figure(figsize=(11, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    colours = (_BLUE, _RED)
    rarest = min((n / r.rounds for _, r, _ in runs for n in r.values.values()), default=0.01)
    left.set_yscale("log")
    left.set_ylim(10 ** (math.floor(math.log10(rarest)) - 0.3), 3)
    for i, (name, result, points) in enumerate(runs):
        _histogram(left, name, result, colours[i % 2], i, len(runs))
        _convergence(right, name, result, points, colours[i % 2])
    left.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    left.set_xlabel("net of a round, in bets")
    left.set_ylabel("share of rounds (log scale)")
    left.set_title("How rounds end")
    right.set_xscale("log")
    right.set_xlabel("rounds")
    right.set_ylabel("house edge")
    right.yaxis.set_major_formatter(lambda edge, _: f"{100 * edge:.3f} %")
    right.set_title("How the edge settles (band: 95 %)")
    right.grid(alpha=0.3)
    left.grid(alpha=0.3, axis="y")
    if len(runs) > 1:
        left.legend()
    right.legend()
    figure.savefig(path, dpi=150)


def _histogram(
    axes: Any, name: str, result: SimulationResult, colour: str, at: int, of: int
) -> None:
    total = result.rounds or 1
    nets = [net / (result.unit * result.boxes) for net in result.values]
    shares = [n / total for n in result.values.values()]
    gap = min((b - a for a, b in itertools.pairwise(nets)), default=1.0)
    width = 0.8 * gap / of
    shift = (at - (of - 1) / 2) * width
    axes.bar([net + shift for net in nets], shares, width, color=colour, label=name, zorder=2)
    if of == 1:
        for net, share in zip(nets, shares, strict=True):
            if share > 0.005:
                axes.annotate(
                    f"{100 * share:.1f} %",
                    (net, share),
                    ha="center",
                    va="bottom",
                    fontsize=7,
                    color=_GREY,
                    rotation=90 if gap < 1 else 0,
                    xytext=(0, 2),
                    textcoords="offset points",
                )


def _convergence(
    axes: Any, name: str, result: SimulationResult, points: Sequence[Point], colour: str
) -> None:
    shown = [p for p in points if p[2] == p[2]] or [(result.rounds, result.ev, result.stderr)]
    x = [p[0] for p in shown]
    edge = [-p[1] for p in shown]
    low = [-p[1] - 1.96 * p[2] for p in shown]
    high = [-p[1] + 1.96 * p[2] for p in shown]
    axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, edge, color=colour, marker=".", markersize=3, linewidth=1.2)
    label = f"{name}: {100 * result.edge:.4f} % ± {100 * result.stderr:.4f} %"
    axes.axhline(result.edge, color=colour, linewidth=0.8, linestyle="--", label=label)
