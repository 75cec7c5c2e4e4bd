"""Hold the simulator against exact and simulated figures of independent engines.

    python bench/verify_reference.py edges FOLDER --rounds 1e10 --sets 8
    python bench/verify_reference.py cut FOLDER --rounds 1e10
    python bench/verify_reference.py outcomes FOLDER --rounds 1e9

FOLDER holds `ev_fixed_chart.json`, `basic_strategy_charts.json`, `cut_card_effect.json` and
`outcome_distribution.json` (their semantics stand inside them; they are not part of this project).
`edges`: a published chart, shuffled before every round, against exact values, within four standard
errors. `cut`: with a cut card, against a simulation of 5 * 10^10 shoes. `outcomes`: chi-square of the
nets of a round against their exact distribution. Exit status 1 when something does not agree.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

from blackjack import Rules, Strategy, simulate

COLUMNS = "2 3 4 5 6 7 8 9 T A"


def chart(folder: Path, name: str) -> Strategy:
    """One of the published charts, from the cells as printed."""
    data = json.loads((folder / "basic_strategy_charts.json").read_text())["charts"][name]
    lines = [COLUMNS]
    for kind, letter in (("hard", "h"), ("soft", "s")):
        lines += [f"{letter}{total} {' '.join(cells)}" for total, cells in data[kind].items()]
    for pair, cells in data["pair"].items():
        rank = pair.split(",")[0].replace("10", "T")
        lines.append(f"p{rank} {' '.join(cells)}")
    return Strategy.from_chart("\n".join([*lines, "insurance: no"]))


def game(fields: dict[str, Any], **more: object) -> Rules:
    """Their rules in our fields."""
    double = {0: "any", 9: [9, 10, 11], 10: [10, 11]}[fields["dbl"]]
    return Rules(
        decks=fields["decks"],
        hit_soft_17=bool(fields["h17"]),
        double_after_split=bool(fields["das"]),
        double_on=double,
        double_soft=fields["dbl"] == 0,
        max_hands=fields["hands"],
        max_ace_hands=min(fields["aces"], fields["hands"]),
        surrender="late" if fields["ls"] else "none",
        blackjack_pays=str(Fraction(fields["bj"]).limit_denominator(100)).replace("/", ":"),
        insurance_on=[],
        **{"shuffle": "every_round", **more},
    )


def line(text: str, ours: float, error: float, theirs: float, since: float, path: str) -> bool:
    """Print a comparison; whether it is within four standard errors."""
    z = (ours - theirs) / error
    seconds = time.perf_counter() - since
    print(
        f"{text:62} {ours:+.7f} ± {error:.7f}  exact {theirs:+.7f}  z {z:+.2f}  {path} {seconds:.0f} s"
    )
    sys.stdout.flush()
    return abs(z) <= 4


def edges(folder: Path, rounds: int, sets: int, seed: int) -> bool:
    """Exact values of the published charts, fresh shoe every round."""
    data = json.loads((folder / "ev_fixed_chart.json").read_text())["sets"]
    step = max(1, len(data) // sets)
    good = True
    for item in data[::step][:sets]:
        start = time.perf_counter()
        r = simulate(
            game(item["rules"]),
            chart(folder, item["chart"]),
            rounds=rounds,
            seed=seed,
            detail=False,
        )
        text = f"{item['rules']} {item['chart']}".replace("'", "").replace(" ", "")
        good &= line(text, r.ev, r.stderr, item["ev"], start, f"{r.path} {r.isa}")
    return good


def cut(folder: Path, rounds: int, seed: int) -> bool:
    """The cut-card effect, H17, double after split, late surrender."""
    data = json.loads((folder / "cut_card_effect.json").read_text())["by_decks"]
    good = True
    for decks, depth in ((6, 234), (8, 338), (4, 130), (6, 150), (2, 60), (1, 26)):
        item = data[str(decks)]
        theirs = -item["house_edge_by_cut_card"][str(depth)]
        fields = {
            "decks": decks,
            "h17": 1,
            "das": 1,
            "dbl": 0,
            "hands": 4,
            "aces": 2,
            "ls": 1,
            "bj": 1.5,
        }
        start = time.perf_counter()
        depth_text = {"shuffle": {"cut_card": f"{depth}/{52 * decks}"}}
        strategy = chart(folder, "1DECK_H17" if decks == 1 else "6DECKS_H17")
        r = simulate(game(fields, **depth_text), strategy, rounds=rounds, seed=seed, detail=False)
        error = math.hypot(r.stderr, 1.15 / math.sqrt(item["num_hands"]))
        good &= line(
            f"{decks} decks, cut card behind {depth} cards",
            r.ev,
            error,
            theirs,
            start,
            f"{r.path} {r.isa}",
        )
    return good


def outcomes(folder: Path, rounds: int, seed: int) -> bool:
    """Chi-square of a round's net against its exact distribution (fixed charts, two hands)."""
    data = json.loads((folder / "outcome_distribution.json").read_text())["sets"]
    good = True
    for item in data:
        if not item["strategy"].startswith("TD chart "):
            continue
        name = item["strategy"].removeprefix("TD chart ")
        start = time.perf_counter()
        r = simulate(
            game(item["rules"]), chart(folder, name), rounds=rounds, seed=seed, detail=False
        )
        counts = {value / r.unit: n for value, n in r.values.items()}
        chi, cells = 0.0, -1
        for value, p in item["pdf"].items():
            n = counts.pop(float(value), 0)
            chi += (n - p * rounds) ** 2 / (p * rounds)
            cells += 1
        z = (chi - cells) / math.sqrt(2 * cells)
        fine = z < 5 and not any(counts.values())
        good &= fine
        seconds = time.perf_counter() - start
        print(
            f"{item['rules']} {name}: chi-square {chi:.1f} on {cells} degrees, {seconds:.0f} s {'' if fine else 'BAD'}"
        )
        sys.stdout.flush()
    return good


def main() -> None:
    """Run one comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=("edges", "cut", "outcomes"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=float, default=1e9)
    parser.add_argument("--sets", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rounds = int(args.rounds)
    if args.what == "edges":
        good = edges(args.folder, rounds, args.sets, args.seed)
    elif args.what == "cut":
        good = cut(args.folder, rounds, args.seed)
    else:
        good = outcomes(args.folder, rounds, args.seed)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
