"""What people hand to the analyzer, read: shoes, hands, upcards, and what cannot be exact.

Lives here: `Shoe`, `Hand` and the refusals. Not here: values (blackjack.analysis), the mathematics
(blackjack_core.solve).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from blackjack.cards import RANKS, SUITS, UPCARDS, Card
from blackjack.errors import CardError, RulesError

if TYPE_CHECKING:
    from blackjack.rules import Rules

ShoeLike = Mapping[str, int] | Sequence[int]
"""Cards by value (A 2 ... 9 T) or by rank (A 2 ... T J Q K): a mapping, or ten or thirteen numbers."""
HandLike = str | Iterable[Card | str | int]
"""Cards as text (`"A 7"`, `"As 7d"`), or cards, ranks or values (1 or 11: an ace) one by one."""


_FEWEST: Final = 3
"""Cards that every deal takes: two for the player, one for the dealer."""


class Shoe(NamedTuple):
    """A shoe as the analyzer takes it.

    counts: cards by value; tens: of those worth ten, by rank T J Q K, None where that is not known;
    suited: the chance that an ace and a ten are of one suit, None where that is not known.
    """

    counts: tuple[int, ...]
    tens: tuple[int, ...] | None
    suited: float | None
    infinite: bool

    def without(self, counts: Sequence[int]) -> Shoe:
        """With cards taken out that are seen but belong to nobody (ten-values of unknown rank)."""
        left = tuple(n - m for n, m in zip(self.counts, counts, strict=True))
        tens = self.tens if not counts[9] else None
        return self._replace(counts=left, tens=tens)


class Hand(NamedTuple):
    """A player's hand: cards by value, and what is known of ranks and suits."""

    counts: tuple[int, ...]
    ranks: tuple[str, ...]
    suits: tuple[str, ...]

    @property
    def same_rank(self) -> bool:
        """Whether the first two cards are a pair where pairs are of a rank."""
        return len(self.ranks) == 2 and self.ranks[0] == self.ranks[1]

    @property
    def suited(self) -> bool | None:
        """Whether the first two cards are of one suit, None where no suits are given."""
        return None if "" in self.suits[:2] else self.suits[0] == self.suits[1]


@lru_cache(maxsize=64)
def full_shoe(rules: Rules) -> Shoe:
    """The rules' whole shoe; of an infinite one, the proportions of a deck."""
    ranks = [0] * 13
    by_suit = [[0] * 4, [0] * 4]
    for code in rules.shoe_cards:
        ranks[code >> 2] += 1
        if code < 4:
            by_suit[0][code & 3] += 1
        elif code >= 36:
            by_suit[1][code & 3] += 1
    counts = (*ranks[:9], sum(ranks[9:]))
    pairs = counts[0] * counts[9]
    alike = sum(a * t for a, t in zip(*by_suit, strict=True))
    return Shoe(counts, tuple(ranks[9:]), alike / pairs if pairs else 0.0, rules.decks is None)


def shoe_numbers(shoe: ShoeLike) -> tuple[int, ...]:
    """A shoe's ten or thirteen counts, in whatever form they come."""
    names = tuple(RANKS)
    if isinstance(shoe, Mapping):
        given = {("T" if str(k) == "10" else str(k).upper()): n for k, n in shoe.items()}
        wrong = [k for k in given if k not in names]
        if wrong:
            raise CardError(f"expected a shoe's ranks of {' '.join(names)}, got {wrong[0]!r}")
        size = 13 if any(k in given for k in "JQK") else 10
        values = tuple(given.get(name, 0) for name in names[:size])
    else:
        if isinstance(shoe, str) or not isinstance(shoe, Sequence):
            raise CardError(f"expected a shoe as a mapping or ten counts A 2 ... 9 T, got {shoe!r}")
        values = tuple(shoe)
    if len(values) not in (10, 13):
        raise CardError(f"expected ten counts (A 2 ... 9 T) or thirteen (to K), got {len(values)}")
    for n in values:
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= 100_000:
            raise CardError(f"expected counts as ints from 0 to 100000, got {n!r}")
    return values


def read_shoe(rules: Rules, shoe: ShoeLike | None) -> Shoe:
    """A shoe in any form; suits are as in the rules' shoe when the cards can come from it."""
    full = full_shoe(rules)
    if shoe is None:
        return full
    values = shoe_numbers(shoe)
    counts = (*values[:9], sum(values[9:]))
    tens: tuple[int, ...] | None = values[9:] if len(values) == 13 else None
    if tens is None and full.counts[9] == counts[9]:
        tens = full.tens
    part = all(n <= m for n, m in zip(counts, full.counts, strict=True))
    return Shoe(counts, tens, full.suited if part or full.infinite else None, False)


def check_exact(rules: Rules, shoe: Shoe) -> None:
    """Refuse what has no exact answer here, naming the field."""
    problems: list[tuple[tuple[str, ...], str]] = []
    if not shoe.infinite and sum(shoe.counts) < _FEWEST:
        what = f"expected enough cards for a deal, got a shoe of {sum(shoe.counts)}"
        problems.append((("shoe",), what))
    if rules.suited_blackjack_pays is not None and shoe.suited is None:
        what = "the suits of a shoe with more cards than the rules' own are not known"
        problems.append((("suited_blackjack_pays",), what))
    if rules.split_by == "rank" and rules.max_hands > 1 and shoe.tens is None:
        what = "expected a shoe of thirteen counts, A 2 ... T J Q K: pairs are of a rank"
        problems.append((("split_by",), what))
    if problems:
        raise RulesError(problems)


def _card(item: object) -> tuple[int, str, str]:
    """(value index, rank, suit or nothing) of a card, a rank or a value."""
    if isinstance(item, Card):
        rank, suit = item.text[0], item.text[1]
    elif isinstance(item, int) and not isinstance(item, bool) and 1 <= item <= 11:
        return (0, "A", "") if item in (1, 11) else (item - 1, UPCARDS[item - 1], "")
    elif isinstance(item, str) and item:
        text = item.strip()
        suit = text[-1].lower() if len(text) > 1 and text[-1].lower() in SUITS else ""
        rank = text[: len(text) - len(suit)].upper()
        rank = "T" if rank == "10" else rank
        if rank not in RANKS or len(rank) != 1:
            raise CardError(
                f"expected a card such as 'As', a rank of {RANKS} or a value, got {item!r}"
            )
    else:
        raise CardError(f"expected a card, a rank or a value from 1 to 11, got {item!r}")
    return min(RANKS.index(rank), 9), rank, suit


def read_hand(hand: HandLike) -> Hand:
    """A hand in any form: two cards or more, 21 points or less with every ace as 1."""
    items: list[object]
    if isinstance(hand, str):
        items = list(hand.split())
        if len(items) == 1 and len(hand) > 1 and hand.strip() != "10":
            items = list(hand.strip().replace("10", "T"))
    else:
        try:
            items = list(hand)
        except TypeError:
            raise CardError(f"expected a hand such as 'A 7', got {hand!r}") from None
    cards = [_card(item) for item in items]
    counts = [0] * 10
    for value, _, _ in cards:
        counts[value] += 1
    points = sum((v + 1) * n for v, n in enumerate(counts))
    if len(cards) < 2 or points > 21:
        raise CardError(f"expected a hand of two cards or more and up to 21 points, got {hand!r}")
    return Hand(tuple(counts), tuple(c[1] for c in cards), tuple(c[2] for c in cards))


def read_upcard(upcard: Card | str | int) -> int:
    """Value index of an upcard."""
    return _card(upcard)[0]


def check_cards(shoe: Shoe, counts: Sequence[int], upcard: int) -> None:
    """A hand and an upcard that the shoe can deal."""
    for v in range(10):
        wanted = (counts[v] + (v == upcard)) if not shoe.infinite else min(1, counts[v])
        if wanted > shoe.counts[v]:
            raise CardError(
                f"expected cards that the shoe holds: {wanted} of value {UPCARDS[v]}, "
                f"it has {shoe.counts[v]}"
            )
