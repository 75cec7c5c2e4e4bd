"""Helpers of the simulator's tests: games, a program from rules and its runs, a walk over every entry of its
table, the true round played along, two samples held against each other.

Lives here: no test. Not here: anything that the library ships.
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Sequence
from typing import Any

import pytest

from blackjack._capacity import round_capacity
from blackjack._simulation_slow import shuffle_depth
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.simulation import SimulationResult
from blackjack.strategy import Strategy, StrategyPlan
from blackjack_core import simulate as sim
from blackjack_core.round import Round
from blackjack_core.shoe import Shoe
from blackjack_core.simulate import Program

GAMES = {
    **PRESETS,
    "default": Rules(),
    "surrender late, no peek": Rules(hole_card="no_peek", surrender="late"),
    "original": Rules(hole_card="none", dealer_blackjack_takes="original", max_hands=4),
    "original and busted": Rules(hole_card="none", dealer_blackjack_takes="original_and_busted"),
    "original with hole": Rules(
        hole_card="no_peek", dealer_blackjack_takes="original", surrender="early"
    ),
    "charlie": Rules(charlie_cards=5, charlie_pays="2:1", hit_soft_17=True),
    "charlie without peek": Rules(
        charlie_cards=6, hole_card="none", dealer_blackjack_takes="original"
    ),
    "push 22": Rules(push_on_22=True, hit_soft_17=True, hit_on_21=False),
    "ties": Rules(dealer_wins_ties=[17, 18, 21], blackjack_ties_21=True, hole_card="no_peek"),
    "double anything": Rules(double_any_number=True, redouble=True, max_hands=3),
    "aces": Rules(
        max_ace_hands=4, hit_split_aces=True, double_split_aces=True, split_ace_ten_beats_21=True
    ),
    "no splits": Rules(max_hands=1),
    "by rank": Rules(split_by="rank"),
    "six five": Rules(blackjack_pays="6:5", peek_on=["A"], upcard="second"),
    "suited": Rules(suited_blackjack_pays="2:1", even_money_on=["A"]),
    "insurance blocks": Rules(
        insurance_on=["A", "T"], insurance_blocks=["double", "split"], hole_card="none"
    ),
}
INSURES = {"insurance blocks", "romanian", "continental", "suited", "default"}


def insured(rules: Rules, takes: bool) -> Strategy:
    """The house's chart, with everything that is offered before the peek taken or not."""
    chart = Strategy.published(rules)
    if not takes:
        return chart
    return chart.replace(insurance=True, even_money=True, early_surrender=True)


def program(rules: Rules, strategy: Strategy | None = None, **changes: Any) -> Program:
    """What the facade makes of rules and a strategy."""
    plan = (strategy or Strategy.published(rules)).compile(rules)
    boxes = changes.get("boxes", 1)
    facts: dict[str, Any] = {
        "cards": rules.shoe_cards,
        "infinite": rules.decks is None,
        "depth": shuffle_depth(rules, boxes),
        "capacity": round_capacity(rules, boxes),
        "burn": rules.burn,
        "play": plan.play,
        "offers": plan.offers,
        "exact": plan.exact,
        "split_by_rank": plan.split_by_rank,
        "unit": rules.exact_unit,
    }
    rules = rules.replace(boxes=max(boxes, rules.boxes))
    return Program(rules.compiled, **{**facts, **changes})


def run(made: sim.Program, rounds: int, seed: int = 1, chunk: int = 0, **how: object) -> list[int]:
    out = array("q", bytes(8 * sim.SIZE))
    made.run(seed, chunk, rounds, out, **how)  # type: ignore[arg-type]
    return out.tolist()


def part(sums: list[int], name: str) -> list[int]:
    at, length = sim.LAYOUT[name]
    return sums[at : at + length]


def check_sums(result: SimulationResult) -> None:
    """What must hold between the integers of any result with detail."""
    boxes = result.rounds * result.boxes
    assert sum(result.values.values()) == result.rounds
    assert sum(v * n for v, n in result.values.items()) == result.net
    assert sum(v * v * n for v, n in result.values.items()) == result.net_squared
    assert sum(result.hands.values()) == boxes
    assert sum(k * n for k, n in result.hands.items()) == sum(result.outcomes.values())
    assert sum(result.dealer.values()) == result.rounds
    assert sum(row[2] for row in result.starts) == boxes
    assert sum(row[3] for row in result.starts) == result.net
    assert result.staked >= boxes * result.unit
    assert result.cards >= 3 * result.rounds


def chi_square(counts: dict[Any, int], others: dict[Any, int]) -> float:
    """Two samples' counts against each other: as a standard normal, by Wilson and Hilferty."""
    n, m = sum(counts.values()), sum(others.values())
    pairs = [(counts.get(k, 0), others.get(k, 0)) for k in {*counts, *others}]
    large = [(a, b) for a, b in pairs if (a + b) * min(n, m) / (n + m) >= 10]
    rare = (n - sum(a for a, _ in large), m - sum(b for _, b in large))
    if sum(rare) * min(n, m) / (n + m) >= 10:
        large.append(rare)
    total = 0.0
    for a, b in large:
        share = (a + b) / (n + m)
        total += (a - n * share) ** 2 / (n * share) + (b - m * share) ** 2 / (m * share)
    df = max(1, len(large) - 1)
    return float((total / df) ** (1 / 3) - (1 - 2 / (9 * df))) / math.sqrt(2 / (9 * df))


def codes(values: list[int], rules: Rules, suited: bool) -> bytes:
    """Card codes for value indices in dealt order; the player's first two of one suit if `suited`."""
    cards = [4 * v + (i % 4) for i, v in enumerate(values)]
    if suited:
        cards[2] = 4 * values[2] + cards[0] % 4
    return bytes(cards)


class TrueRound:
    """One box on the true round with stacked cards, played by a plan."""

    def __init__(self, rules: Rules, plan: StrategyPlan) -> None:
        self.rules = rules
        self.plan = plan
        self.compiled = rules.replace(boxes=1).compiled

    def play(self, cards: bytes) -> tuple[int, list[int], int, int]:
        """(net, actions, cards taken, outcome of the first hand)."""
        shoe = Shoe(cards)
        now = Round(self.compiled, shoe)
        now.start([self.rules.exact_unit])
        actions = []
        while now.legal:
            state = now.hand_state(now.box, now.turn_hand)
            code = self.plan.choose(
                now.hand_cards(now.box, now.turn_hand), now.upcard, now.legal, bool(state[5])
            )
            assert now.apply(code) == 0
            actions.append(code)
        ((staked, returned),) = now.totals()
        return returned - staked, actions, len(shoe.round_cards()), now.hand_state(0, 0)[4]


class Walker:
    """Random rounds over a table that prefer entries not yet used."""

    def __init__(self, table: dict[str, Any], rules: Rules, seed: int = 1) -> None:
        self.t = table
        self.rules = rules
        self.used = [0] * len(table["next"])
        self.random = random.Random(seed)

    def left(self) -> list[int]:
        """Rows with entries that were never used."""
        first = self.t["first_pair"] // 10
        return [
            row
            for row in range(first, self.t["start"] // 10 + 1)
            if 0 in self.used[10 * row : 10 * row + 10]
        ]

    def ways(self) -> dict[int, list[int]]:
        """The cards that lead to each row, as few as there are."""
        t = self.t
        todo: list[tuple[int, int, int, int, int, tuple[int, ...]]] = [(t["start"], 0, 0, 0, 0, ())]
        seen = {todo[0][:5]}
        ways: dict[int, list[int]] = {}
        for state, place, hands, opened, need, cards in todo:
            ways.setdefault(state // 10, list(cards))
            for card in range(10):
                side = self._settle(t["next"][state + card], place, hands, opened, need, [])
                if side[0] <= t["start"] and side not in seen:
                    seen.add(side)
                    todo.append((*side, (*cards, card)))
        return ways

    def _settle(
        self, state: int, place: int, hands: int, opened: int, need: int, classes: list[int]
    ) -> tuple[int, int, int, int, int]:
        """Behind a split or the end of a split hand."""
        t = self.t
        if state < t["special_end"]:
            at, split, cls, wants = t["events"][state // 10]
            if not hands:
                place, hands, opened, need = at, 1, 0, 0
            hands += split
            opened += 1 if split else -1
            if not split:
                classes.append(cls)
                need |= wants
            if opened < 0:
                return t["places"][place * 16 + 9 + need], 0, 0, 0, 0
            state = t["places"][place * 16 + hands]
        return state, place, hands, opened, need

    def round(self, way: Sequence[int] = ()) -> tuple[list[int], list[int], int, bool]:
        """(cards in dealt order, actions, net, suited) of one round."""
        t = self.t
        state, player, dealer, up, hole = t["start"], [], [], -1, -1
        actions: list[int] = []
        side = (0, 0, 0, 0)
        classes: list[int] = []
        left = list(way)
        while state <= t["start"]:
            options = self.used[state : state + 10]
            fresh = [c for c in range(10) if not options[c]] or range(10)
            card = left.pop(0) if left else self.random.choice(fresh)
            entry = state + card
            self.used[entry] += 1
            taker = t["taker"][state // 10]
            if taker == 0:
                player.append(card)
            elif taker == 1:
                up = card
            elif taker == 2:
                hole = card
            else:
                dealer.append(card)
            word = t["actions"][entry]
            while word & 15 != 15:
                actions.append(word & 15)
                word >>= 4
            state, *rest = self._settle(t["next"][entry], *side, classes)
            side = (rest[0], rest[1], rest[2], rest[3])
        net, suited = self._net(state, classes)
        second = self.rules.upcard == "second"
        if self.rules.hole_card == "none":
            cards = [player[0], up, *player[1:], *([hole] if hole >= 0 else []), *dealer]
        else:
            a, b = (hole, up) if second else (up, hole)
            cards = [player[0], a, player[1], b, *player[2:], *dealer]
        return cards, actions, net, suited

    def _net(self, state: int, classes: list[int]) -> tuple[int, bool]:
        t = self.t
        plain = len(t["results"]) - 1
        r = state - t["start"]
        if r <= plain:
            return t["results"][r][0], False
        code = r - plain - 1
        if code >= t["multi"]:
            suited = self.random.random() < 0.5
            return t["results"][t["suited"][code - t["multi"]][suited]][0], suited
        f, insured = code & 15, code >> 4
        net = sum(t["pay"][c][f] for c in classes)
        lost = sum(t["lost"][c][f] for c in classes)
        net += max(0, lost - self.rules.exact_unit)
        return net + (t["insurance_net"][f] if insured else 0), False


# The rest is slow: what is peculiar to a game is among these.
QUICK: tuple[str, ...] = (
    "goldfishka",
    "las_vegas",
    "romanian",
    "original and busted",
    "aces",
)
QUICK += ("charlie without peek", "double anything", "insurance blocks+", "suited+")
CASES = [(name, rules, False) for name, rules in GAMES.items()]
CASES += [(name, rules, True) for name, rules in GAMES.items() if name in INSURES]
# (name, rules, insures) of every game, for parametrize
GIVEN = [
    pytest.param(*case, id=name, marks=[] if name in QUICK else [pytest.mark.slow])
    for case in CASES
    for name in [f"{case[0]}{'+' * case[2]}"]
]
