"""The simulator's table against the true round: every entry, card for card."""

from __future__ import annotations

from array import array

import pytest

from blackjack._simulation_compiled import read
from blackjack._simulation_slow import Game, by_plan
from blackjack._simulation_sums import Sums
from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.strategy import StrategyPlan
from blackjack_core import simulate as sim
from blackjack_core.rng import Source
from blackjack_core.round import Round
from blackjack_core.shoe import Shoe
from sim_walk import GIVEN, TrueRound, Walker, codes, insured, program


@pytest.mark.parametrize(("name", "rules", "more"), GIVEN)
def test_every_entry_is_the_true_round(name: str, rules: Rules, more: bool) -> None:
    plays = insured(rules, more)
    made = program(rules, plays)
    assert made.path in ("vector", "scalar"), made.why
    walker = Walker(made.tables(), rules)
    true = TrueRound(rules, plays.compile(rules))
    ways = walker.ways()
    for row, way in ways.items():
        for card in range(10):
            if walker.used[10 * row + card]:
                continue
            cards, actions, net, suited = walker.round([*way, card])
            want = true.play(codes(cards, rules, suited))
            assert (net, actions, len(cards)) == want[:3], (cards, suited)
    # rows that no cards lead to: what the dealer does after splits that cannot end so
    assert not set(walker.left()) & set(ways)
    assert len(ways) > 0.9 * (made.rows - made.tables()["special_end"] // 10)


DEEP = {"decks": 1, "shuffle": {"cut_card": "47/52"}}  # many shoes run out inside a round
DEALT = {
    **PRESETS,
    "deep": Rules(**DEEP, hit_soft_17=True),
    "deep, no hole card": Rules(**DEEP, hole_card="none"),
    "deep, no peek, upcard second": Rules(**DEEP, hole_card="no_peek", upcard="second"),
    "insurance blocks": Rules(insurance_on=["A", "T"], insurance_blocks=["double", "split"]),
    "original": Rules(hole_card="none", dealer_blackjack_takes="original", even_money_on=["A"]),
}


class Stacked(Game):
    """The simulator's slow way of adding up, on cards that are given."""

    def __init__(self, rules: Rules, plan: StrategyPlan) -> None:
        super().__init__(rules, Source(seed=1))
        self.choose = by_plan(plan)

    def again(self, cards: bytes, sums: Sums) -> tuple[int, list[int], int, int]:
        """(net, actions, cards taken, outcome of the first hand)."""
        self.shoe = Shoe(cards)
        self.round = Round(self.rules.replace(boxes=1).compiled, self.shoe)
        self.shuffles, self.depth = 1, len(cards) + 1
        self.play(self.choose)
        net = self.tally(sums, detail=True)
        return net, self.actions, len(self.shoe.round_cards()), self.round.hand_state(0, 0)[4]


@pytest.mark.parametrize("takes", [False, True], ids=["declines", "takes offers"])
@pytest.mark.parametrize(("name", "rules"), DEALT.items(), ids=list(DEALT))
def test_dealt_rounds_card_for_card(name: str, rules: Rules, takes: bool) -> None:
    """What the kernels dealt, replayed on the true round, and every sum of it."""
    n, width = 5000, 48
    plays = insured(rules, takes)
    made = program(rules, plays)
    assert made.path == "vector"
    cards, actions = array("B", bytes(n * width)), array("B", bytes(n * 32))
    n_cards, n_actions, outcome, suited = (array("B", bytes(n)) for _ in range(4))
    net = array("i", bytes(4 * n))
    made.trace(7, 3, n, cards, n_cards, actions, n_actions, outcome, suited, net)
    true, want = Stacked(rules, plays.compile(rules)), Sums()
    for i in range(n):
        values = cards[i * width : i * width + n_cards[i]].tolist()
        got = (net[i], actions[i * 32 : i * 32 + n_actions[i]].tolist(), n_cards[i], outcome[i])
        assert got == true.again(codes(values, rules, bool(suited[i])), want), values
    for isa in sim.ISAS:
        out = array("q", bytes(8 * sim.SIZE))
        made.run(7, 3, n, out, isa=isa)
        sums = read(out)
        assert sums.scalars[:-1] == want.scalars[:-1]  # shoes apart
        for part in ("outcomes", "hands", "dealer", "values", "starts"):
            assert getattr(sums, part) == getattr(want, part), (isa, part)
