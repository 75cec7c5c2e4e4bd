"""Cards and their two-letter text.

Lives here: `Card`, reading and writing lists of cards, totals. Not here: shoes and shuffles
(blackjack_core.shoe), what a hand wins (blackjack_core.round).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from blackjack.errors import CardError
from blackjack_core.hand import total as _total

__all__ = ["Card", "CardsLike", "cards_text", "hand_total", "parse_cards"]

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
UPCARDS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")


class Card:
    """A card: immutable, hashable, one object per card.

    >>> Card("Ts").text, Card("10s") is Card("Ts"), Card("As").value
    ('Ts', True, 11)
    """

    __slots__ = ("code", "rank", "suit", "text")

    code: int
    rank: str
    suit: str
    text: str

    def __new__(cls, text: str) -> Card:
        """The card named by its rank (A 2-9 T J Q K, or 10) and suit (c d h s), any case."""
        if not isinstance(text, str):
            raise CardError(f"expected a card's text such as 'As', got {text!r}")
        card = _BY_TEXT.get(text)
        if card is None:
            rank = "T" if text[:-1] == "10" else text[:-1].upper()
            card = _BY_TEXT.get(rank + text[-1:].lower())
        if card is None:
            raise CardError(f"expected a rank of A23456789TJQK and a suit of cdhs, got {text!r}")
        return card

    @staticmethod
    def from_code(code: int) -> Card:
        """The card with a code 0..51 (rank * 4 + suit)."""
        if not isinstance(code, int) or not 0 <= code < 52:
            raise CardError(f"expected a card code from 0 to 51, got {code!r}")
        return CARDS[code]

    @property
    def value(self) -> int:
        """Points: 2 to 10, an ace 11."""
        return (11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)[self.code >> 2]

    @property
    def upcard(self) -> str:
        """The card as an upcard: A, 2 to 9, or T for any ten-value card."""
        return UPCARDS[min(self.code >> 2, 9)]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a card does not change")

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self.text,)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


def _make(code: int) -> Card:
    card = object.__new__(Card)
    rank, suit = RANKS[code >> 2], SUITS[code & 3]
    for name, value in (("code", code), ("rank", rank), ("suit", suit), ("text", rank + suit)):
        object.__setattr__(card, name, value)
    return card


CARDS: Final = tuple(_make(code) for code in range(52))
_BY_TEXT: Final = {card.text: card for card in CARDS}

CardsLike = str | bytes | Iterable[Card | str]
"""Cards as text separated by spaces, codes as bytes, or cards or texts one by one."""


def parse_cards(cards: CardsLike) -> tuple[Card, ...]:
    """Cards from any of the forms people have them in.

    >>> parse_cards("As 10d kh")
    (Card('As'), Card('Td'), Card('Kh'))

    Raises:
        CardError: something in it is no card.
    """
    if isinstance(cards, str):
        return tuple(Card(text) for text in cards.split())
    if isinstance(cards, bytes | bytearray):
        return tuple(Card.from_code(code) for code in cards)
    try:
        items = tuple(cards)
    except TypeError:
        raise CardError(
            f"expected cards as text such as 'As Td', card objects or codes, got {cards!r}"
        ) from None
    return tuple(c if isinstance(c, Card) else Card(c) for c in items)


def cards_text(cards: Iterable[Card]) -> str:
    """Cards as text separated by spaces.

    >>> cards_text(parse_cards("10h,As".replace(",", " ")))
    'Th As'
    """
    try:
        return " ".join([c.text for c in cards])
    except (AttributeError, TypeError):
        raise CardError(f"expected cards one by one, got {cards!r}") from None


def hand_total(cards: CardsLike) -> tuple[int, bool]:
    """(best total, soft): an ace counts 11 where that does not bust.

    >>> hand_total("As 6d"), hand_total("As 6d Kh"), hand_total("Ah Ac Ad 6h")
    ((17, True), (17, False), (19, True))
    """
    return _total(bytes(c.code for c in parse_cards(cards)))
