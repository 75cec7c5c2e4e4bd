"""Expected values in exact fractions, by playing every order of the cards on the reference engine.

Slow and obvious, for shoes of few ranks. What the player cannot see (the hole card) is a set of
worlds with weights that share one decision; equal situations are looked up instead of played again.
What does not live here: rules (`engine`), arithmetic in floats, anything of the product.

    Exact(rules, shoe).ev()                     optimal play, split hands as the same unsplit hands
    Exact(rules, shoe, split="exact").ev()      optimal play with full memory, resplits free
    Exact(rules, shoe, play=f).ev()             f(round) names the action, seeing what a player sees

`shoe` counts cards by their text: {"Ac": 2, "6c": 3, "Tc": 8}. One suit is enough where suits do
not matter. Values are net results per unit bet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from .engine import Box, Hand, ReferenceRound
from .rules import UPCARDS, IllegalRound, complete_rules

__all__ = ["Ambiguous", "Exact", "RunsDry"]

PLAIN = ("stand", "hit", "double")
Play = Callable[[ReferenceRound], str]


class RunsDry(Exception):
    """Some order of the cards leaves none for a card that is due: this shoe has no value."""


class Ambiguous(Exception):
    """Two plays are worth the same to the unsplit hand but not to the split one."""


class _Ordinary(Hand):
    """A hand that is no blackjack whatever its cards: how a split ace and ten count."""

    @property
    def is_blackjack(self) -> bool:
        return False


class _Group:
    """The worlds that look the same to the player who must decide, each with its weight."""

    def __init__(self) -> None:
        self.worlds: dict[Any, tuple[Fraction, ReferenceRound]] = {}

    def add(self, weight: Fraction, world: ReferenceRound) -> None:
        hidden = tuple(world.dealer)
        before = self.worlds[hidden][0] if hidden in self.worlds else Fraction(0)
        self.worlds[hidden] = (before + weight, world)

    @property
    def weight(self) -> Fraction:
        return sum((weight for weight, _ in self.worlds.values()), Fraction(0))

    @property
    def look(self) -> ReferenceRound:
        """One of the worlds, for what all of them have in common."""
        return next(iter(self.worlds.values()))[1]


def _twin(thing: Any) -> Any:
    twin = object.__new__(type(thing))
    twin.__dict__.update(thing.__dict__)
    return twin


def _copy(world: ReferenceRound) -> ReferenceRound:
    twin: ReferenceRound = _twin(world)
    twin.dealer = list(world.dealer)
    twin.legal_before = []
    twin.boxes = [_twin(box) for box in world.boxes]
    for box in twin.boxes:
        box.hands = [_twin(hand) for hand in box.hands]
        for hand in box.hands:
            hand.cards = list(hand.cards)
    return twin


def _upcard(world: ReferenceRound) -> str:
    second = world.rules["upcard"] == "second" and world.rules["hole_card"] != "none"
    return world.dealer[1 if second else 0]


def _seen(world: ReferenceRound) -> Any:
    """What the player knows, and all that legality and settlement hang on."""
    hands = tuple(
        (
            *(hand.from_split and hand.cards[0], *sorted(hand.cards)),
            (hand.bet, hand.doubled, hand.stood, hand.surrendered, hand.outcome, hand.returned),
            type(hand),
        )
        for hand in world.box.hands
    )
    return world.phase, _upcard(world), world.box.insurance, world.hand_index, hands


def _net(world: ReferenceRound) -> Fraction:
    (box,) = world.boxes
    staked = sum((hand.bet for hand in box.hands), box.insurance)
    returned = sum((hand.returned for hand in box.hands), box.insurance_returned)
    return returned - staked


class Exact:
    """The values of one game with one shoe under one way of playing."""

    def __init__(
        self,
        rules: str | Mapping[str, Any],
        shoe: Mapping[str, int],
        *,
        play: Play | None = None,
        split: str = "cdz",
        worth: Callable[[Fraction], Fraction] = lambda net: net,
    ) -> None:
        self.rules = complete_rules(rules)
        self.shoe = {card: n for card, n in shoe.items() if n}
        self.play = play
        self.split = split
        self.worth = worth  # of a round's net result; what is expected is this
        self._known: dict[Any, Fraction] = {}
        self._chosen: dict[Any, dict[str, Fraction]] = {}

    # -- results

    def ev(self) -> Fraction:
        """The expected net result of a round."""
        return sum((value for _, value in self._by_upcard().values()), Fraction(0))

    def ev_by_upcard(self) -> dict[str, Fraction]:
        """The same given the upcard."""
        return {up: value / chance for up, (chance, value) in self._by_upcard().items()}

    def values(
        self, cards: list[str], upcard: str, *, insurance: int = 0, stake: int = 1, part: int = 0
    ) -> dict[str, Fraction]:
        """What each legal action is worth to an unsplit hand in play, after a peek if there is one.

        `cards` and `upcard` are cards of the shoe. stake: bets on the hand, more than one if it was doubled.
        part: how many of them a double adds; all if it is 0.
        """
        hand = Hand(list(cards), Fraction(stake), doubled=stake > 1)
        group = self._situation(hand, upcard, Fraction(insurance, 2))
        said = {"double": f"double:{part}"} if part else {}
        return {a: self._after(group, said.get(a, a)) / group.weight for a in group.look.legal()}

    def offers(self, cards: list[str], upcard: str) -> dict[str, Fraction]:
        """What each action at the offer is worth, for the round from there, before any peek."""
        group = self._situation(Hand(list(cards), Fraction(1)), upcard, Fraction(0), "offers")
        return {a: self._after(group, a) / group.weight for a in group.look.legal()}

    def _by_upcard(self) -> dict[str, tuple[Fraction, Fraction]]:
        result: dict[str, tuple[Fraction, Fraction]] = {}
        groups: dict[Any, _Group] = {}
        for chance, world in self._every(None, self._deal):
            before, value = result.get(world.upcard, (Fraction(0), Fraction(0)))
            done = chance * self.worth(_net(world)) if world.done else Fraction(0)
            result[world.upcard] = before + chance, value + done
            if not world.done:
                groups.setdefault(_seen(world), _Group()).add(chance, world)
        for group in groups.values():
            upcard = group.look.upcard
            chance, value = result[upcard]
            result[upcard] = chance, value + self._value(group)
        return {up: result[up] for up in UPCARDS if up in result}

    def _deal(self, cards: list[str]) -> ReferenceRound:
        return ReferenceRound(self.rules, [1], cards)

    # -- every order of the cards

    def _every(
        self, before: ReferenceRound | None, step: Callable[[list[str]], ReferenceRound]
    ) -> Iterator[tuple[Fraction, ReferenceRound]]:
        """Each way the cards may fall until somebody must decide or the round is over."""
        left = dict(self.shoe)
        for card in [] if before is None else self._on_table(before):
            left[card] -= 1
        size = sum(left.values())
        todo: list[tuple[int, int, list[str]]] = [(1, 1, [])]
        while todo:
            ways, of, cards = todo.pop()
            try:
                yield Fraction(ways, of), step(cards)
                continue
            except IllegalRound as error:
                if str(error) != "not enough cards":
                    raise
            total = size - len(cards)
            if total == 0:
                raise RunsDry
            for card, n in left.items():
                if (rest := n - cards.count(card)) > 0:
                    todo.append((ways * rest, of * total, [*cards, card]))

    def _on_table(self, world: ReferenceRound) -> list[str]:
        return [*world.dealer, *(card for hand in world.box.hands for card in hand.cards)]

    def _step(
        self, world: ReferenceRound, action: str
    ) -> Iterator[tuple[Fraction, ReferenceRound]]:
        def step(cards: list[str]) -> ReferenceRound:
            twin = _copy(world)
            twin.cards, twin.cards_used = cards, 0
            name, _, part = action.partition(":")
            twin.apply(name, int(part) if part else None)
            return twin

        return self._every(world, step)

    # -- values: of a group as it is, and after an action; both times its weight

    def _value(self, group: _Group) -> Fraction:
        key = _seen(group.look)
        if key not in self._known:
            values = [self._after(group, action) for action in self._candidates(group.look)]
            if self._is_named(group.look) and min(values) != max(values):
                raise Ambiguous
            self._known[key] = max(values) / group.weight
        return self._known[key] * group.weight

    def _after(self, group: _Group, action: str) -> Fraction:
        value = Fraction(0)
        groups: dict[Any, _Group] = {}
        for weight, world in group.worlds.values():
            for chance, next_world in self._step(world, action):
                if next_world.done:
                    value += weight * chance * self.worth(_net(next_world))
                else:
                    seen = groups.setdefault(_seen(next_world), _Group())
                    seen.add(weight * chance, next_world)
        return value + sum((self._value(g) for g in groups.values()), Fraction(0))

    def _candidates(self, world: ReferenceRound) -> list[str]:
        legal = world.legal()
        if self.play is not None:
            return [self.play(world)]
        if not self._is_named(world):
            return legal
        if "split" in legal:
            return ["split"]  # resplits are forced
        return self._as_unsplit(world, [action for action in PLAIN if action in legal])

    def _is_named(self, world: ReferenceRound) -> bool:
        """Whether the hand is played by the rule for split hands and not at will."""
        return self.play is None and self.split == "cdz" and world.hand.from_split

    # -- how a split hand is played: as the same cards in a hand that is not split

    def _as_unsplit(self, world: ReferenceRound, legal: list[str]) -> list[str]:
        """The best action, or those that are equally good."""
        cards = sorted(world.hand.cards)
        upcard = _upcard(world)
        like = _Ordinary(cards, world.hand.bet, doubled=world.hand.doubled)
        key = (tuple(cards), like.bet, upcard, world.box.insurance)
        if key not in self._chosen:
            group = self._situation(like, upcard, world.box.insurance)
            all_legal = group.look.legal()
            values = {a: self._after(group, a) for a in PLAIN if a in all_legal}
            self._chosen[key] = values
        values = self._chosen[key]
        best = max(values[action] for action in legal)
        return [action for action in legal if values[action] == best]

    def _situation(
        self, hand: Hand, upcard: str, insurance: Fraction, phase: str = "play"
    ) -> _Group:
        """A hand against an upcard, with every hole card there may be under it."""
        left = dict(self.shoe)
        for card in (*hand.cards, upcard):
            left[card] -= 1
        if min(left.values()) < 0:
            raise ValueError("these cards are not in the shoe")
        group = _Group()
        hidden = [card for card, n in left.items() if n]
        for card in [upcard] if self.rules["hole_card"] == "none" else hidden:
            world = self._placed(hand, upcard, card, insurance)
            world.phase = phase
            if phase == "offers" or not (world.dealer_peeks and world.dealer_has_blackjack):
                group.add(Fraction(left[card] or 1), world)
        return group

    def _placed(self, hand: Hand, upcard: str, hole: str, insurance: Fraction) -> ReferenceRound:
        world = ReferenceRound.__new__(ReferenceRound)
        world.rules = self.rules
        world.cards, world.cards_used, world.legal_before = [], 0, []
        world.phase, world.box_index, world.hand_index = "play", 0, 0
        world.boxes = [Box(Fraction(1), [_twin(hand)], insurance)]
        world.dealer = [upcard]
        if self.rules["hole_card"] != "none":
            world.dealer.insert(0 if self.rules["upcard"] == "second" else 1, hole)
        return world
