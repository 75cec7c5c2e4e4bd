"""Every order of the cards on the reference engine: exact distributions of tiny games.

Lives here: `brute`. Not here: tests (test_outcomes), expected values (reference.exact).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from blackjack import Action, Rules, Strategy
from reference.engine import IllegalRound, ReferenceRound


class _Game:
    def __init__(self, rules: Rules, strategy: Strategy, shoe: Mapping[str, int]) -> None:
        self.fields = {**rules.to_dict(), "boxes": 1}
        self.rules, self.strategy, self.shoe = rules, strategy, shoe
        self.found: dict[Fraction, Fraction] = {}

    def play(self, cards: list[str]) -> Fraction | None:
        """The net of the round with these cards, None if it needs one more."""
        unit = self.rules.exact_unit
        try:
            world = ReferenceRound(self.fields, [unit], cards)
            while not world.done:
                world.apply(self.choice(world))
        except IllegalRound as error:
            if "not enough cards" not in str(error):
                raise
            return None
        (box,) = world.boxes
        net = sum((hand.returned - hand.bet for hand in box.hands), Fraction(0))
        return (net + box.insurance_returned - box.insurance) / unit

    def choice(self, world: ReferenceRound) -> str:
        second = self.rules.upcard == "second" and self.rules.hole_card != "none"
        hand = world.hand
        return str(
            self.strategy.decide(
                list(hand.cards),
                world.dealer[1 if second else 0],
                [Action(a) for a in world.legal()],
                after_split=hand.from_split,
                split_by_rank=self.rules.split_by == "rank",
            )
        )

    def deal(self, cards: list[str], left: dict[str, int], weight: Fraction) -> None:
        net = self.play(cards)
        if net is not None:
            self.found[net] = self.found.get(net, Fraction(0)) + weight
            return
        total = sum(left.values())
        for card, n in left.items():
            if n:
                rest = left if self.rules.decks is None else {**left, card: n - 1}
                self.deal([*cards, card], rest, weight * Fraction(n, total))


def brute(rules: Rules, strategy: Strategy, shoe: Mapping[str, int]) -> dict[Fraction, Fraction]:
    """{net: probability} with the cards of a shoe counted by their text."""
    game = _Game(rules, strategy, shoe)
    game.deal([], dict(shoe), Fraction(1))
    return dict(sorted(game.found.items()))
