"""The most cards that one round can take.

Lives here: `round_capacity`, its bounds and its search. Not here: what the shoe does about it
(blackjack.table), the rules of a round (blackjack_core.round: this only counts cards, and tests hold it
against rounds).

Players choose, and the order of the shoe may be the worst one, so the number is the largest way of
dealing the shoe's own cards out to hands: every hand but its last card has a limit of points (21, or 20
where a 21 may not be hit; 16 for the dealer), its last card may be any, and the dealer draws only if
some hand is still open. A bound follows from handing the smallest cards out to the sum of those limits,
another one from giving every hand the whole shoe; a search then looks for hands that reach the bound,
and where there are none for the best that there are. Only a search that takes more than `_STEPS` steps,
or would be about more than `_HANDS` hands, answers with the bound: then the number is safe, but may be
a card or two too large. For an infinite shoe the second bound is the number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import le
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from blackjack.rules import Rules

_STEPS = (2_000, 3_000, 5_000, 10_000)
_STYLES = ("most", "even", "large", "most")
_HANDS = 128
_LONGEST, _DEALER = 22, 13  # cards of any hand, of the dealer's
_MANY = 10**6  # cards of a value in an infinite shoe
_ACE, _TEN = 0, 9  # value indices; a card's points are its index and one
_CLIP = (18, 10, 7, 6, 5, 4, 4, 4, 4, 4)  # more cards of a value make no difference to a dealer

Counts = tuple[int, ...]
Cards = tuple[int, ...]


def round_capacity(rules: Rules, boxes: int, *, enough: int | None = None) -> int:
    """The most cards that one round at `boxes` boxes can take.

    One more than the shoe holds when a round may ask for a card that is not there. With `enough` any
    number up to it may come back as soon as it is clear that a round never takes more than that.
    """
    quick = boxes * rules.max_hands * min(_LONGEST, rules.charlie_cards or _LONGEST) + _DEALER
    if enough is not None and quick <= enough:
        return quick
    facts = _facts(rules)
    if enough is not None:
        bound = _bound(facts, boxes)
        if bound > enough:
            bound, _ = _Search(facts, boxes, enough).run()
        if bound <= enough:
            return bound
    return _exact(facts, boxes)[0]


class _Facts(NamedTuple):
    """What of the rules can change how many cards a round takes."""

    counts: Counts  # cards of the whole shoe by value index
    tens: Counts  # the ten-value ranks one by one where pairs go by rank, else all together
    infinite: bool
    max_hands: int
    max_ace_hands: int
    hit_on_21: bool
    charlie: int
    hit_split_aces: bool
    double_split_aces: bool
    double_on: tuple[int, ...]
    double_soft: bool
    double_after_split: bool
    double_any_number: bool
    redouble: bool
    hit_soft_17: bool
    hole: bool
    no_play_on_blackjack: bool  # a dealer blackjack always ends the round before play
    refunds: bool
    insurance: tuple[int, ...]  # upcards (ace, ten) under which insurance keeps a dealer waiting
    blocks: tuple[str, ...]

    @property
    def room(self) -> int:
        """The largest total, an ace 1, on which a card may still be taken."""
        return 21 if self.hit_on_21 else 20

    @property
    def dealt(self) -> int:
        """The dealer's cards before play."""
        return 2 if self.hole else 1


def _facts(rules: Rules) -> _Facts:
    infinite = rules.decks is None
    decks = 1 if rules.decks is None else rules.decks
    full = tuple((_MANY if n else 0) if infinite else n * decks for n in rules.rank_counts)
    insurance = tuple(i for i, u in ((_ACE, "A"), (_TEN, "T")) if u in rules.insurance_on)
    return _Facts(
        counts=(*full[:9], sum(full[9:])),
        tens=full[9:] if rules.split_by == "rank" else (sum(full[9:]),),
        infinite=infinite,
        max_hands=rules.max_hands,
        max_ace_hands=rules.max_ace_hands,
        hit_on_21=rules.hit_on_21,
        charlie=rules.charlie_cards or _MANY,
        hit_split_aces=rules.hit_split_aces,
        double_split_aces=rules.double_split_aces,
        double_on=tuple(range(2, 22)) if isinstance(rules.double_on, str) else rules.double_on,
        double_soft=rules.double_soft,
        double_after_split=rules.double_after_split,
        double_any_number=rules.double_any_number,
        redouble=rules.redouble,
        hit_soft_17=rules.hit_soft_17,
        hole=rules.hole_card != "none",
        # with a peek under one of its two upcards only, it can stay hidden until after play
        no_play_on_blackjack=rules.hole_card == "peek" and len(rules.peek_on) == 2,
        refunds=rules.dealer_blackjack_takes != "all",
        insurance=insurance if rules.hole_card == "none" else (),
        blocks=rules.insurance_blocks,
    )


@lru_cache(maxsize=256)
def _exact(facts: _Facts, boxes: int) -> tuple[int, bool]:
    """(the number, whether it is exact rather than a bound)."""
    return _Search(facts, boxes).run()


# ---------------------------------------------------------------- bounds


def _less(counts: Counts, value: int, n: int) -> Counts:
    return (*counts[:value], counts[value] - n, *counts[value + 1 :])


def _fit(counts: Counts, points: int, most: int = _MANY) -> int:
    """The most cards, `most` at the utmost, whose points (an ace 1) sum up to no more than `points`."""
    cards = 0
    for value, n in enumerate(counts, 1):
        take = min(n, points // value, most - cards)
        cards += take
        points -= take * value
        if take < n:
            break
    return cards


def _upper(
    facts: _Facts, counts: Counts, hands: int, points: int, is_open: bool, dealer: int = _DEALER
) -> int:
    """No fewer than what `hands` more hands with room for `points`, and the dealer, can take."""
    most = hands * min(_LONGEST, facts.charlie)
    if is_open:
        dealt = min(_fit(counts, points + 16) + hands + 1, most + dealer)
    else:
        # nobody's hand open: the dealer keeps what was dealt. Else one hand has no last card on top.
        dealt = min(_fit(counts, points) + hands, most) + 2
        if hands:
            played = _fit(counts, points + 21 - facts.room + 16) + hands
            shorter = facts.charlie <= _LONGEST  # a hand so long is paid: one must stop before
            dealt = max(dealt, min(played, most - shorter + dealer))
    return min(dealt, sum(counts) + 1)


def _hands_of(facts: _Facts, value: int, tens: Counts, n: int) -> int:
    """The most hands a box can split into with `n` cards of a value left."""
    if value == _TEN:
        n = max(tens)
    return min(facts.max_ace_hands if value == _ACE else facts.max_hands, n)


def _all_hands(facts: _Facts, boxes: int) -> int:
    each = (_hands_of(facts, value, facts.tens, n) for value, n in enumerate(facts.counts))
    return boxes * max(1, *each)


def _bound(facts: _Facts, boxes: int) -> int:
    """A number that one round never exceeds: the smallest cards go into one hand as large as all."""
    hands = _all_hands(facts, boxes)
    return _upper(facts, facts.counts, hands, hands * facts.room, False)


def _apart(facts: _Facts, boxes: int) -> int:
    """Another one: every hand is dealt from a whole shoe of its own."""
    box = box_open = 0
    for first, hands in _splits(facts, facts.counts, facts.tens):
        left = facts.counts if first is None else _less(facts.counts, first, hands)
        longest = _Hands(facts, _kind(facts, first, False), first).longest(left)
        # a hand that stays open may have to do without its last card
        fits = _fit(left, 21) if first is None else _fit(left, 20 - first) + 1
        opens = longest < facts.charlie and fits >= longest
        box = max(box, hands * longest)
        box_open = max(box_open, hands * longest - (not opens))
    dealer, _ = _dealer_most(tuple(map(min, facts.counts, _CLIP)), facts.hit_soft_17)
    return max(boxes * box + 2, (boxes - 1) * box + box_open + dealer)


# ---------------------------------------------------------------- one hand


class _Kind(NamedTuple):
    """What a hand may do, as far as taking cards goes."""

    split: bool
    may_hit: bool
    may_double: bool


def _kind(facts: _Facts, first: int | None, insured: bool) -> _Kind:
    """A hand after a split on `first` (None: not split), of an insured box or not."""
    blocks = facts.blocks if insured else ()
    hit, double = "hit" not in blocks, "double" not in blocks
    if first is not None:
        double = double and facts.double_after_split
    if first == _ACE:
        hit = hit and facts.hit_split_aces
        double = double and facts.double_split_aces
    return _Kind(first is not None, hit, double)


def _splits(facts: _Facts, counts: Counts, tens: Counts) -> Iterator[tuple[int | None, int]]:
    """What a box can become: (the value it is split on, how many hands)."""
    yield None, 1
    for value, n in enumerate(counts):
        for hands in range(2, _hands_of(facts, value, tens, n) + 1):
            yield value, hands


class _Hands:
    """The hands of one kind: which cards one can hold and still take another."""

    def __init__(self, facts: _Facts, kind: _Kind, first: int | None) -> None:
        self.facts = facts
        self.kind = kind
        self.first = () if first is None else (first,)
        self.room = facts.room - sum(self.first) - len(self.first)
        # cards, its first after a split not counted, that may be there when the last one is asked for
        self.most = _MANY
        if not kind.may_hit:
            soft = first == _ACE and not facts.double_soft  # an ace and any other card are soft
            if not kind.may_double or soft:
                self.most = 1 - len(self.first)
            elif not facts.redouble:
                self.most = 2 - len(self.first)
            self.room = min(self.room, 10 * self.most)
        self.orders: dict[Counts, Cards | None] = {}

    def takes(self, cards: Cards, doubled: bool) -> str:
        """How a hand of these cards may take one more: "deal", "hit", "double" or "" (not at all)."""
        n, low = len(cards), sum(cards) + len(cards)
        if n < 2:
            return "deal"
        soft = _ACE in cards and low <= 11
        total = low + 10 if soft else low
        natural = n == 2 and total == 21 and not self.kind.split
        if (
            natural
            or total > 21
            or n >= self.facts.charlie
            or (total == 21 and not self.facts.hit_on_21)
        ):
            return ""
        if self.kind.may_hit and not doubled:
            return "hit"
        return "double" if self.doubles(cards, doubled) else ""

    def doubles(self, cards: Cards, doubled: bool = False) -> bool:
        """Whether this hand, which may take a card, may do so by doubling."""
        facts, low = self.facts, sum(cards) + len(cards)
        return (
            self.kind.may_double
            and len(cards) >= 2
            and (facts.redouble if doubled else len(cards) == 2 or facts.double_any_number)
            and low in facts.double_on
            and (facts.double_soft or low > 11 or _ACE not in cards)
        )

    def sizes(self, counts: Counts, spare: int) -> range:
        """How many cards, its first after a split not counted, a hand may hold before its last."""
        fewest = 0 if self.first else 1
        most = min(self.facts.charlie - 1 - len(self.first), self.most, spare)
        return range(fewest, _fit(counts, self.room, most) + 1)

    def longest(self, counts: Counts) -> int:
        """The most cards of a hand that may take any of these."""
        for n in reversed(self.sizes(counts, _MANY)):
            for points in range(self.room, n - 1, -1):
                if any(self.order(taken) is not None for taken in _multisets(counts, n, points)):
                    return n + len(self.first) + 1
        return 2

    def order(self, taken: Counts) -> Cards | None:
        """An order in which a hand can take these cards and then one more; None: there is none."""
        if taken not in self.orders:
            self.orders[taken] = self._ordered(self.first, taken, False, set())
        return self.orders[taken]

    def _ordered(
        self, cards: Cards, left: Counts, doubled: bool, failed: set[object]
    ) -> Cards | None:
        how = self.takes(cards, doubled)
        if not how or (left, doubled) in failed:
            return None
        if not any(left):
            return cards
        for card in range(_TEN, -1, -1):
            if left[card]:
                found = self._ordered(
                    (*cards, card), _less(left, card, 1), doubled or how == "double", failed
                )
                if found is not None:
                    return found
        failed.add((left, doubled))
        return None


def _multisets(counts: Counts, n: int, points: int, *, few_small: bool = False) -> Iterator[Counts]:
    """Every choice of `n` cards with exactly `points` points, small cards first unless `few_small`."""
    rest_n, largest = 0, 0
    # the most points that n of these cards can have, so that nothing is tried in vain
    for value in range(10, 0, -1):
        take = min(counts[value - 1], n - rest_n)
        rest_n += take
        largest += take * value
    if rest_n == n and points <= largest:
        yield from _choices(counts, n, points, 0, few_small)


def _choices(counts: Counts, n: int, points: int, value: int, few_small: bool) -> Iterator[Counts]:
    if n == 0:
        if points == 0:
            yield (0,) * (10 - value)
        return
    if value == 10 or points < n * (value + 1) or points > n * 10:
        return
    takes = range(min(n, counts[value], points // (value + 1)), -1, -1)
    for take in reversed(takes) if few_small else takes:
        for rest in _choices(counts, n - take, points - take * (value + 1), value + 1, few_small):
            yield (take, *rest)


@lru_cache(maxsize=2)
def _dealer_hands(hit_soft_17: bool) -> list[tuple[Counts, Cards]]:
    """What a dealer who has to draw can hold, most cards first, each with an order of it."""
    orders: dict[Counts, Cards] = {}

    def draw(counts: Counts, cards: Cards) -> None:
        low = sum(cards) + len(cards)
        total = low + 10 if _ACE in cards and low <= 11 else low
        if counts in orders or total > 17 or (total == 17 and not (hit_soft_17 and low == 7)):
            return
        orders[counts] = cards
        for card in range(10):
            draw(_less(counts, card, -1), (*cards, card))

    for card in range(10):
        draw(_less((0,) * 10, card, -1), (card,))
    return sorted(orders.items(), key=lambda hand: -len(hand[1]))


@lru_cache(maxsize=4096)
def _dealer_most(counts: Counts, hit_soft_17: bool) -> tuple[int, Cards]:
    """(the most cards of the dealer's final hand, an order of all but the last of them)."""
    for hand, order in _dealer_hands(hit_soft_17):
        if all(map(le, hand, counts)):
            return len(order) + 1, order
    return 1, ()


# ---------------------------------------------------------------- the whole round


class _At(NamedTuple):
    """The box whose hands are filled: what it was split on, into how many hands, whether insured."""

    box: int
    first: int | None
    hands: int
    insured: bool


class _State(NamedTuple):
    """What is left, whether a hand is open, and the upcards under which a dealer without a hole card
    takes a second card though no hand is."""

    counts: Counts
    tens: Counts
    is_open: bool
    matters: Cards


class _Search:
    """Deals the shoe out to the hands of a round in every way that may beat the best one yet."""

    def __init__(self, facts: _Facts, boxes: int, enough: int | None = None) -> None:
        self.facts = facts
        self.boxes = boxes
        self.enough = enough  # no way with no more cards than this is of interest
        self.size = sum(facts.counts)
        self.best = min(2 * boxes + facts.dealt, self.size + 1)
        self.top = _bound(facts, boxes)
        self.hands: dict[tuple[int | None, bool], _Hands] = {}
        self.seen: set[object] = set()
        self.steps = self.limit = 0
        self.style = ""
        self.usual = 0  # cards, besides the last, of a hand in a round that reaches the bound
        self.largest = _TEN  # the largest value among them
        self.path: list[tuple[Any, ...]] = []  # how the cards are dealt out now
        self.witness: list[tuple[Any, ...]] = []  # and in the best way so far

    def run(self) -> tuple[int, bool]:
        """(the number, whether it is exact)."""
        if self.best > self.size:
            return self.best, True
        self.top = min(self.top, _apart(self.facts, self.boxes))
        hands = _all_hands(self.facts, self.boxes)
        if self.facts.infinite or hands > _HANDS:
            return self.top, self.facts.infinite
        self.usual = (self.top - hands) // (hands + 1)
        if self.enough is not None:
            self.best = max(self.best, self.enough)
            self.top = min(self.top, self.best + 1)
        points = hands * self.facts.room + 16
        for value, n in enumerate(self.facts.counts):
            self.largest = value
            points -= n * (value + 1)
            if points <= 0:
                break
        for self.style, self.limit in zip(_STYLES, _STEPS, strict=True):
            self.steps = 0
            self.seen.clear()
            self._box(0, _State(self.facts.counts, self.facts.tens, False, ()))
            if self.best >= self.top or self.steps < self.limit:
                return self.best, True
        return self.top, False

    def _over(self) -> bool:
        return self.best >= self.top or self.steps >= self.limit

    def _reached(self, cards: int) -> None:
        if cards > self.best:
            self.best = cards
            self.witness = list(self.path)

    def _known(self, *key: object) -> bool:
        if key in self.seen:
            return True
        self.seen.add(key)
        return False

    def _box(self, box: int, state: _State) -> None:
        if self._over() or self._known(box, state):
            return
        if box == self.boxes:
            self._dealer(state)
            return
        facts = self.facts
        options = list(_splits(facts, state.counts, state.tens))
        self.steps += len(options) // 2
        # hands that end at a number of cards need few small ones
        small = -1 if self.style == "even" and facts.charlie <= _LONGEST else 1
        for first, hands in sorted(
            options, key=lambda o: (-self._promise(box, state, *o), -o[1], small * (o[0] or 0))
        ):
            counts, tens = state.counts, state.tens
            if first is not None:
                counts = _less(counts, first, hands)
            if first == _TEN:  # of one rank: the fullest that is left
                tens = _less(tens, max(range(len(tens)), key=tens.__getitem__), hands)
            after = _State(counts, tens, state.is_open, state.matters)
            self.path.append(("box", box, first, hands, False))
            self._hand(_At(box, first, hands, False), 0, after)
            self.path.pop()
            # an insured box makes a dealer without a hole card look for a blackjack
            waits = facts.insurance and not state.is_open and not state.matters
            if waits and not (hands > 1 and "split" in facts.blocks):
                self.path.append(("box", box, first, hands, True))
                self._hand(_At(box, first, hands, True), 0, after._replace(matters=facts.insurance))
                self.path.pop()

    def _kind_of(self, first: int | None, insured: bool) -> _Hands:
        found = self.hands.get((first, insured))
        if found is None:
            found = _Hands(self.facts, _kind(self.facts, first, insured), first)
            self.hands[first, insured] = found
        return found

    def _promise(self, box: int, state: _State, first: int | None, hands: int) -> int:
        """A bound on what is still to come if this box becomes so many hands."""
        counts, taken = state.counts, 0
        if first is not None:
            counts, taken = _less(counts, first, hands), hands
        later = (self.boxes - box - 1) * self.facts.max_hands
        points = later * self.facts.room + hands * self._kind_of(first, False).room
        return taken + _upper(self.facts, counts, later + hands, points, state.is_open)

    def _hand(self, at: _At, hand: int, state: _State) -> None:
        if hand == at.hands:
            self._box(at.box + 1, state)
            return
        hands = self._kind_of(at.first, at.insured)
        later = (self.boxes - at.box - 1) * self.facts.max_hands
        more = at.hands - hand
        points = later * self.facts.room + more * hands.room
        left = sum(state.counts)
        dealer, _ = _dealer_most(tuple(map(min, state.counts, _CLIP)), self.facts.hit_soft_17)
        bound = self.size - left
        bound += _upper(self.facts, state.counts, later + more, points, state.is_open, dealer)
        self.steps += 1
        if self._over() or bound <= self.best or self._known(at, hand, state):
            return
        spare = left - 2 * (self.boxes - at.box - 1) - self.facts.dealt
        for taken in self._patterns(hands, state.counts, spare):
            self.steps += 1
            order = hands.order(taken)
            if order is not None:
                counts = tuple(a - b for a, b in zip(state.counts, taken, strict=True))
                self.path.append(("hand", order, None))
                if sum(taken) < spare:
                    self._last_card(at, hand, state._replace(counts=counts), hands, order)
                elif self._players_turn(counts):  # the shoe is empty, and a card may be asked for
                    self._reached(self.size + 1)
                self.path.pop()
            if self._over():
                return

    def _patterns(self, hands: _Hands, counts: Counts, spare: int) -> Iterator[Counts]:
        """What a hand can hold before its last card, in an order that depends on the style."""
        sizes: Iterable[int] = hands.sizes(counts, spare)
        if self.style == "large":  # full hands of large cards, which are hard to place later
            counts = (*counts[: self.largest + 1], *(0,) * (_TEN - self.largest))
            for points in range(hands.room, -1, -1):
                for n in sizes:
                    self.steps += 1
                    yield from _multisets(counts, n, points, few_small=True)
            return
        even = self.style == "even"  # hands of the usual length first; else the longest first
        usual = self.usual - len(hands.first) if even else _MANY
        for n in sorted(sizes, key=lambda n: (abs(n - usual), -n)):
            for points in range(hands.room, n - 1, -1):
                self.steps += 1
                yield from _multisets(counts, n, points, few_small=even)

    def _last_card(self, at: _At, hand: int, state: _State, hands: _Hands, order: Cards) -> None:
        points, n = sum(order) + len(order), len(order)
        for card in range(_TEN, -1, -1):
            if not state.counts[card]:
                continue
            natural = (
                not at.first
                and n == 1
                and {order[0], card} == {_ACE, _TEN}
                and not hands.kind.split
            )
            bust = points + card + 1 > 21
            stays = not bust and n + 1 < self.facts.charlie and not natural
            matters = state.matters
            if natural or (bust and self.facts.refunds and (at.hands > 1 or hands.doubles(order))):
                matters = () if self.facts.hole else (_ACE, _TEN)
            is_open = state.is_open or stays
            after = _State(
                _less(state.counts, card, 1), state.tens, is_open, () if is_open else matters
            )
            self.path[-1] = ("hand", order, card)
            self._hand(at, hand + 1, after)
            if self._over():
                return

    def _players_turn(self, counts: Counts) -> bool:
        """Whether it may come to the players when these cards are left, the dealer's among them."""
        blackjack = sum(counts) == 2 and counts[_ACE] == 1 and counts[_TEN] == 1
        return not (blackjack and self.facts.no_play_on_blackjack)

    def _dealer(self, state: _State) -> None:
        left = sum(state.counts)
        if not self._players_turn(state.counts):
            return
        cards = self.facts.dealt
        order: Cards = ()
        if state.is_open:
            clipped = tuple(map(min, state.counts, _CLIP))
            cards, order = _dealer_most(clipped, self.facts.hit_soft_17)
        elif any(state.counts[up] for up in state.matters):
            cards, order = 2, (next(up for up in state.matters if state.counts[up]),)
        self.path.append(("dealer", order))
        self._reached(self.size - left + cards if cards <= left else self.size + 1)
        self.path.pop()
