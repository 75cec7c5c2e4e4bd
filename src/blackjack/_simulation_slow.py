"""Rounds played one by one on the true round, in Python: slow, and right by construction.

Lives here: `Game` (a shoe, a round, the house's shuffle), the decisions of plans and of callables,
and the sums over rounds played so. Not here: the compiled simulator; tests hold it against this.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from blackjack._capacity import round_capacity
from blackjack._simulation_sums import DEALER_BLACKJACK, DEALER_BUST, DEALER_NONE, Sums
from blackjack.actions import ACTION_SETS, ACTIONS, Action
from blackjack.cards import UPCARDS
from blackjack.errors import ChartError, IllegalAction
from blackjack.strategy import Situation, StrategyPlan, hand_label, plan_index
from blackjack_core.hand import total as hand_total
from blackjack_core.rng import Source
from blackjack_core.round import Round
from blackjack_core.shoe import Shoe

if TYPE_CHECKING:
    from blackjack.rules import Rules

STREAM: Final = "bj-round-1"
CHUNK_ROUNDS: Final = 1 << 13
CHUNK_SHOES: Final = 1 << 8
_PLAYED: Final = {2, 3, 4}  # win, lose, push: hands that hung on the dealer

Choose = Callable[["Game"], int]
"""Gives the code of the action for whose turn it is."""


def shuffle_depth(rules: Rules, boxes: int) -> int:
    """Shuffle before a round when this many cards or more have been dealt (0: before every one).

    Burn cards count as dealt. An infinite shoe is never shuffled.

    >>> from blackjack.rules import Rules
    >>> shuffle_depth(Rules(), 1), shuffle_depth(Rules.preset("las_vegas"), 1)
    (234, 31)
    """
    size, shuffle = rules.shoe_size, rules.shuffle
    if size is None or shuffle.kind in ("every_round", "continuous"):
        return 0
    if shuffle.kind == "cut_card":
        return shuffle.cut(size)
    needs = shuffle.value if shuffle.kind == "fewer_than" else round_capacity(rules, boxes)
    return max(0, size - int(needs or 0) + 1)


class Game:
    """One table for a simulation: the same bet on each of `boxes` boxes, round after round."""

    def __init__(self, rules: Rules, source: Source, boxes: int = 1) -> None:
        self.rules = rules
        self.boxes = boxes
        self.unit = rules.exact_unit
        self.shoe = Shoe(rules.shoe_cards, source, infinite=rules.decks is None)
        self.round = Round(rules.replace(boxes=max(boxes, rules.boxes)).compiled, self.shoe)
        self.depth = shuffle_depth(rules, boxes)
        self.bets = [self.unit] * boxes
        self.shuffles = 0
        self.actions: list[int] = []

    @property
    def shuffle_due(self) -> bool:
        """Whether the next round begins with a shuffle."""
        if self.rules.decks is None:
            return False
        return self.shoe.left == 0 or self.shoe.dealt >= self.depth or not self.shuffles

    def play(self, choose: Choose) -> None:
        """Play one round."""
        if self.shuffle_due:
            self.shoe.shuffle(self.rules.burn)
            self.shuffles += 1
        now = self.round
        now.start(self.bets)
        self.actions = []
        while now.legal:
            code = choose(self)
            reason = now.apply(code)
            if reason:
                legal = ACTION_SETS[now.legal]
                raise IllegalAction(ACTIONS[code], "the strategy chose it", legal)
            self.actions.append(code)

    @property
    def turn(self) -> tuple[bytes, int, bool]:
        """(cards, upcard, after a split) of whose turn it is."""
        now = self.round
        cards = now.hand_cards(now.box, now.turn_hand)
        return cards, now.upcard, bool(now.hand_state(now.box, now.turn_hand)[5])

    def tally(self, sums: Sums, detail: bool) -> int:
        """Add the round that has just ended to the sums; its net."""
        now = self.round
        net = staked_all = insured = 0
        played = False
        for box in range(self.boxes):
            _, insurance, insurance_back = now.box_state(box)
            staked, back = insurance, insurance_back
            insured += insurance > 0
            count = now.hand_count(box)
            for hand in range(count):
                stake, returned, _, _, outcome, *_ = now.hand_state(box, hand)
                staked += stake
                back += returned
                played |= outcome in _PLAYED
                sums.outcomes[outcome] = sums.outcomes.get(outcome, 0) + 1
            sums.hands[count] = sums.hands.get(count, 0) + 1
            net += back - staked
            staked_all += staked
            if detail:
                key = self._start(box)
                a, b, c = sums.starts.get(key, (0, 0, 0))
                gain = back - staked
                sums.starts[key] = (a + 1, b + gain, c + gain * gain)
        if now.dealer_blackjack:
            dealer = DEALER_BLACKJACK
        else:
            total = hand_total(now.dealer())[0]
            dealer = min(total, DEALER_BUST) if played else DEALER_NONE
        sums.dealer[dealer] = sums.dealer.get(dealer, 0) + 1
        sums.values[net] = sums.values.get(net, 0) + 1
        gains = (1, net, net * net, staked_all, insured, len(self.shoe.round_cards()), 0)
        for i, n in enumerate(gains):
            sums.scalars[i] += n
        return net

    def _start(self, box: int) -> int:
        """The plan's index of a box's first two cards under the upcard."""
        now = self.round
        # every box's first card is dealt, then the dealer's, then every second one
        dealt = self.shoe.round_cards()
        first, second = dealt[box], dealt[self.boxes + 1 + box]
        counts = [0] * 10
        for code in (first, second):
            counts[min(code >> 2, 9)] += 1
        pair = max(counts) == 2  # by value, whatever may be split
        return plan_index(hand_label(counts, pair), min(now.upcard >> 2, 9))


def by_plan(plan: StrategyPlan) -> Choose:
    """The decisions of a compiled strategy."""

    def choose(game: Game) -> int:
        cards, upcard, split = game.turn
        return plan.choose(cards, upcard, game.round.legal, split)

    return choose


def by_callable(f: Callable[[Situation], Action], rules: Rules) -> Choose:
    """The decisions of a Python function, asked every time."""
    by_rank = rules.split_by == "rank"

    def choose(game: Game) -> int:
        codes, up, split = game.turn
        total, soft = hand_total(codes)
        values = tuple(UPCARDS[min(c >> 2, 9)] for c in codes)
        pair = None
        if len(codes) == 2 and (
            codes[0] >> 2 == codes[1] >> 2 if by_rank else values[0] == values[1]
        ):
            pair = values[0]
        legal = ACTION_SETS[game.round.legal]
        upcard = UPCARDS[min(up >> 2, 9)]
        given = f(Situation(total, soft, pair, upcard, split, legal, values))
        try:
            answer = Action(given)
        except ValueError:
            names = ", ".join(sorted(legal))
            raise ChartError(
                f"expected the strategy to answer one of {names}, got {given!r}"
            ) from None
        if answer is Action.HIT and answer not in legal and Action.STAND in legal:
            answer = Action.STAND  # where no card may be had, who would draw stands
        return answer.code

    return choose


def chunk_source(seed: int, chunk: int, rng: str, stream: str = STREAM) -> Source:
    """The generator of one chunk."""
    key = hashlib.sha256(f"{stream}|{seed}|{chunk}".encode()).digest()
    if rng == "chacha20":
        return Source(key=key)
    return Source(seed=int.from_bytes(key[:8], "little"))


def play_chunk(
    rules: Rules,
    choose: Choose,
    seed: int,
    chunk: int,
    *,
    rounds: int | None = None,
    shoes: int | None = None,
    boxes: int = 1,
    rng: str = "xoshiro256++",
    detail: bool = True,
) -> Sums:
    """The sums of a chunk of so many rounds, or of so many whole shoes."""
    sums = Sums()
    game = Game(rules, chunk_source(seed, chunk, rng), boxes)
    while True:
        if shoes is not None:
            if game.shuffle_due and game.shuffles == shoes:
                break
        elif sums.rounds == rounds:
            break
        game.play(choose)
        game.tally(sums, detail)
    sums.scalars[-1] = game.shuffles
    return sums
