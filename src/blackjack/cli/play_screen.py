"""The table as a person sees it in a terminal.

Lives here: what is shown of a table, and where. Not here: drawing cards (play_cards), keys and what
they do (play_session). Only views and settlements are read, so nothing hidden can be shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from blackjack.actions import Outcome, Phase
from blackjack.cards import Card, hand_total
from blackjack.cli.play_cards import beside, brief, card_art
from blackjack.cli.play_terminal import Terminal
from blackjack.events import BetReturned, Peeked, Shuffled
from blackjack.labels import Labels
from blackjack.table import Table
from blackjack.views import BoxResult, BoxView, Settlement

__all__ = ["Screen", "signed"]

_GOOD = (Outcome.BLACKJACK, Outcome.WIN, Outcome.CHARLIE, Outcome.EVEN_MONEY)


def signed(amount: int) -> str:
    """An amount won or lost, with its sign.

    >>> signed(5), signed(-5), signed(0)
    ('+5', '-5', '0')
    """
    return f"{amount:+d}" if amount else "0"


@dataclass(frozen=True, slots=True)
class _Hand:
    """A hand to draw: the words above and below its cards."""

    title: str
    cards: Sequence[Card | None]
    total: str
    notes: tuple[str, ...] = ()


class Screen:
    """Draws one table for its player."""

    def __init__(self, table: Table, words: Labels, terminal: Terminal) -> None:
        self.table = table
        self.words = words
        self.terminal = terminal

    def lines(self, below: int = 0) -> list[str]:
        """The whole table; cards as art if it fits with `below` more lines, else in brief."""
        columns, rows = self.terminal.size
        head = [self._head(columns), ""]
        lines = self._body(columns, art=True)
        if len(head) + len(lines) + below > rows:
            lines = self._body(columns, art=False)
        return head + lines

    def balance(self) -> str:
        """The player's balance in words."""
        amount = self.table.balance(self._player())
        shown = self.words.texts["no_limit"] if amount is None else str(amount)
        return f"{self.words.texts['balance']}: {shown}"

    def where(self, box: int, hand: int, hands: int) -> str:
        """The name of a hand: its box, and its number once there are several."""
        name = self.words.text("box", box=box + 1)
        return f"{name}, {self.words.text('hand', hand=hand + 1)}" if hands > 1 else name

    # ------------------------------------------------------------ parts

    def _body(self, columns: int, *, art: bool) -> list[str]:
        dealer, hands = self._dealer(), self._hands()
        lines = [] if dealer is None else [*self._block(dealer, art), *self._news(), ""]
        lines += beside([self._block(hand, art) for hand in hands], columns)
        return lines + self._result()

    def _player(self) -> str:
        return self.table.players[0]

    def _head(self, columns: int) -> str:
        house, balance = self.words.house or "Blackjack", self.balance()
        gap = max(2, columns - 2 - len(house) - len(balance))
        return self.terminal.style(house, "bold") + " " * gap + balance

    def _block(self, hand: _Hand, art: bool) -> list[str]:
        cards = card_art(hand.cards, self.terminal) if art else [brief(hand.cards, self.terminal)]
        return [hand.title, *cards, hand.total, *hand.notes]

    def _total(self, cards: Sequence[Card]) -> str:
        total, soft = hand_total([card for card in cards if card is not None])
        return self.words.text("soft", total=total) if soft and total < 21 else str(total)

    def _dealer(self) -> _Hand | None:
        settlement = self.table.settlement
        cards: list[Card | None]
        if settlement is not None:
            cards = list(settlement.dealer)
        else:
            view = self.table.view(self._player())
            cards = list(view.dealer)
            if view.hole_card:
                # face down lies the card that was dealt first or second
                cards.insert(0 if self.table.rules.upcard == "second" else len(cards), None)
        if not cards:
            return None
        seen = [card for card in cards if card is not None]
        total = self._total(seen)
        if len(cards) == 2 == len(seen) and hand_total(seen)[0] == 21:
            total = self._outcome(Outcome.BLACKJACK)
        return _Hand(self.terminal.style(self.words.texts["dealer"], "bold"), cards, total)

    def _news(self) -> list[str]:
        """What happened that the cards do not show."""
        table, words = self.table, self.words
        every_time = table.rules.shuffle.kind in ("every_round", "continuous")
        lines = []
        for event in table.events:
            if isinstance(event, Shuffled) and (event.in_round or not every_time):
                lines.append(words.texts["shuffled"])
            elif isinstance(event, Peeked) and not event.blackjack:
                lines.append(words.texts["peeked"])
        return [self.terminal.style(line, "dim") for line in lines]

    def _hands(self) -> list[_Hand]:
        settlement = self.table.settlement
        if settlement is not None:
            return self._settled(settlement)
        view = self.table.view(self._player())
        if view.phase is Phase.BETTING:
            return []
        result = []
        for number, box in enumerate(view.boxes):
            result += self._box(number, box)
        return result

    def _box(self, number: int, box: BoxView) -> list[_Hand]:
        turn = self.table.turn
        result = []
        for index, hand in enumerate(box.hands):
            mine = turn is not None and (turn.box, turn.hand_index) == (number, index)
            mark = (">" if not self.terminal.unicode else "▶") + " " if mine else ""
            title = f"{mark}{self.where(number, index, len(box.hands))} · {hand.stake}"
            title = title if self.terminal.unicode else title.replace("·", "-")
            total = self._total(hand.cards)
            if hand.outcome is not Outcome.OPEN:
                total = f"{total}  {self._outcome(hand.outcome)}"
            elif len(box.hands) == 1 and len(hand.cards) == 2 and hand.total == 21:
                total = self._outcome(Outcome.BLACKJACK)
            insured = box.insurance and index == 0
            note = self.words.text("insurance_bet", amount=box.insurance)
            title = self.terminal.style(title, "turn" if mine else "")
            result.append(_Hand(title, hand.cards, total, (note,) if insured else ()))
        return result

    def _settled(self, settlement: Settlement) -> list[_Hand]:
        back = {(e.box, e.hand): e.amount for e in self.table.events if isinstance(e, BetReturned)}
        return [
            self._settled_hand(box, index, back.get((box.box, index), 0))
            for box in settlement.boxes
            for index in range(len(box.hands))
        ]

    def _settled_hand(self, box: BoxResult, index: int, back: int) -> _Hand:
        hand, words = box.hands[index], self.words
        notes = [f"{self._outcome(hand.outcome)} {signed(hand.net)}"]
        if back:
            notes.append(words.text("bet_back", amount=back))
        if box.insurance and index == 0:
            net = signed(box.insurance_returned - box.insurance)
            won = box.insurance_returned > 0
            notes.append(words.text("insurance_won" if won else "insurance_lost", net=net))
        title = self.where(box.box, index, len(box.hands))
        dot = "·" if self.terminal.unicode else "-"
        return _Hand(f"{title} {dot} {hand.bet}", hand.cards, self._total(hand.cards), tuple(notes))

    def _outcome(self, outcome: Outcome) -> str:
        style = "green" if outcome in _GOOD else "red"
        if outcome in (Outcome.PUSH, Outcome.SURRENDER, Outcome.OPEN):
            style = "yellow"
        return self.terminal.style(self.words.outcomes[outcome], style)

    def _result(self) -> list[str]:
        settlement = self.table.settlement
        if settlement is None:
            return []
        text = self.words.text("result", net=signed(settlement.net))
        return [self.terminal.style(text, "bold")]
