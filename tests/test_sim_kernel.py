"""The simulator's table against the true round: every entry, card for card."""

from __future__ import annotations

from array import array

import pytest

from blackjack.presets import PRESETS
from blackjack.rules import Rules
from blackjack.strategy import Strategy
from blackjack_core import simulate as sim
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


def start_of(values: list[int], rules: Rules) -> int:
    """Where the sums keep a round with these cards, in dealt order: by two cards and upcard."""
    a, b = sorted((values[0], values[2]))
    up = values[3 if rules.upcard == "second" and rules.hole_card != "none" else 1]
    kind, row = (2, a + 1) if a == b else (1, b + 12) if a == 0 else (0, a + b + 2)
    return (kind * 32 + row) * 10 + up


DEEP = {"decks": 1, "shuffle": {"cut_card": "47/52"}}  # many shoes run out inside a round
DEALT = {
    **PRESETS,
    "deep": Rules(**DEEP, hit_soft_17=True),
    "deep, no hole card": Rules(**DEEP, hole_card="none"),
    "deep, no peek, upcard second": Rules(**DEEP, hole_card="no_peek", upcard="second"),
}


@pytest.mark.parametrize(("name", "rules"), DEALT.items(), ids=list(DEALT))
def test_dealt_rounds_card_for_card(name: str, rules: Rules) -> None:
    """What the kernels dealt, replayed on the true round, and added up."""
    n, width = 5000, 48
    made = program(rules)
    assert made.path == "vector"
    cards, actions = array("B", bytes(n * width)), array("B", bytes(n * 32))
    n_cards, n_actions, outcome, suited = (array("B", bytes(n)) for _ in range(4))
    net = array("i", bytes(4 * n))
    made.trace(7, 3, n, cards, n_cards, actions, n_actions, outcome, suited, net)
    true = TrueRound(rules, Strategy.published(rules).compile(rules))
    length = sim.LAYOUT["start_count"][1]
    starts = {key: [0] * length for key in ("start_count", "start_net", "start_sq")}
    for i in range(n):
        values = cards[i * width : i * width + n_cards[i]].tolist()
        got = (net[i], actions[i * 32 : i * 32 + n_actions[i]].tolist(), n_cards[i], outcome[i])
        assert got == true.play(codes(values, rules, bool(suited[i]))), values
        for power, sums in enumerate(starts.values()):
            sums[start_of(values, rules)] += net[i] ** power
    for isa in sim.ISAS:
        out = array("q", bytes(8 * sim.SIZE))
        made.run(7, 3, n, out, isa=isa)
        at = {key: out[a : a + length].tolist() for key, (a, length) in sim.LAYOUT.items()}
        assert at["rounds"] == [n]
        assert at["net"] == [sum(net)]
        assert at["net_sq"] == [sum(x * x for x in net)]
        assert at["cards"] == [sum(n_cards)]
        assert {key: at[key] for key in starts} == starts
        assert sum(at["hands"]) == sum(at["values"]) == sum(at["dealer"]) == n
        assert sum(i * k for i, k in enumerate(at["hands"])) == sum(at["outcomes"])
