"""Bets as a person makes them: what was typed, done on the table, with a word on what went wrong.

Lives here: the bets' little language and `Desk`, which applies it. Not here: keys (play_session),
whether a bet is right (blackjack.table; the reasons here only say it in the player's language).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from blackjack.errors import BlackjackError
from blackjack.labels import Labels
from blackjack.table import Table

__all__ = ["Command", "Desk", "chips_of", "parse_bets"]

_SET: Final = re.compile(r"(?:(\d{1,3})[:=])?(\d{1,17})", re.ASCII)
_CHIP: Final = re.compile(r"(\d{0,3})\+(\d{1,17})", re.ASCII)
_LETTER: Final = re.compile(r"([ucx])(\d{0,3})", re.ASCII)
_WORDS: Final = {
    "d": "deal",
    "r": "repeat",
    "n": "new_game",
    "q": "leave",
    "quit": "leave",
    "exit": "leave",
    "?": "help",
    "h": "help",
    "help": "help",
}


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to do before the deal. `box` counts from 1; 0 names none."""

    name: str
    box: int = 0
    amount: int = 0


def parse_bets(line: str, words: Labels) -> list[Command] | str:
    """What a line asks for, or the part of it that says nothing.

    >>> from blackjack.labels import labels
    >>> parse_bets("1:50 3+25 d", labels())
    [Command(name='set', box=1, amount=50), Command(name='chip', box=3, amount=25), \
Command(name='deal', box=0, amount=0)]
    >>> parse_bets("50 please", labels())
    'please'
    """
    named = {label.casefold(): name for name, label in words.controls.items()}
    whole = named.get(line.strip().casefold())
    if whole is not None and whole not in ("bet", "add_chip"):
        return [Command(whole)]
    result = []
    for word in line.replace(",", " ").split():
        command = _parse_word(word, named)
        if command is None:
            return word
        result.append(command)
    return result


def _parse_word(word: str, named: dict[str, str]) -> Command | None:
    folded = word.casefold()
    if folded in _WORDS:
        return Command(_WORDS[folded])
    if match := _SET.fullmatch(word):
        return Command("set", int(match[1] or 1), int(match[2]))
    if match := _CHIP.fullmatch(word):
        return Command("chip", int(match[1] or 1), int(match[2]))
    if match := _LETTER.fullmatch(folded):
        return Command({"u": "take_back"}.get(match[1], "clear"), int(match[2] or 0))
    name = named.get(folded)
    return Command(name) if name not in (None, "bet", "add_chip") else None


def chips_of(table: Table) -> tuple[int, ...]:
    """The chips to bet with: the house's own, or such as fit its steps."""
    rules = table.rules
    if rules.chips:
        return rules.chips
    unit = math.lcm(rules.bet_step, rules.exact_unit if rules.rounding == "exact" else 1)
    chips = tuple(unit * n for n in (1, 5, 25, 100, 500))
    return tuple(c for c in chips if rules.max_bet is None or c <= rules.max_bet) or chips[:1]


class Desk:
    """Applies commands to a table for its first player."""

    def __init__(self, table: Table, words: Labels, boxes: int) -> None:
        self.table = table
        self.words = words
        self.boxes = boxes
        self._touched: list[int] = []

    @property
    def player(self) -> str:
        """Who bets."""
        return self.table.players[0]

    def least(self) -> int:
        """The smallest amount that a single bet can be dealt with."""
        rules = self.table.rules
        unit = math.lcm(rules.bet_step, rules.exact_unit if rules.rounding == "exact" else 1)
        return max(1, -(-rules.min_bet // unit)) * unit

    def broke(self) -> bool:
        """Whether nothing lies on the table and the balance reaches for no bet."""
        balance = self.table.balance(self.player)
        return balance is not None and not any(self.table.bets) and balance < self.least()

    def why_no_deal(self) -> str | None:
        """Why these bets cannot be dealt to, in the player's language."""
        rules, bets = self.table.rules, [bet for bet in self.table.bets if bet]
        if not bets:
            return self.words.texts["no_bets"]
        counted = bets if rules.limit_per == "box" else [sum(bets)]
        if min(counted) < rules.min_bet:
            return self.words.text("too_small", low=rules.min_bet)
        return self.table.why_not("deal")

    def can_repeat(self) -> bool:
        """Whether last round's bets can be made again."""
        return self.table.why_not("repeat") is None if self.table.rules.private else True

    def apply(self, command: Command) -> str | None:
        """Do it; None, or why it cannot be done. A refused command changes nothing."""
        if command.box > self.boxes:
            return self.words.text("no_box", boxes=self.boxes)
        if command.name in ("set", "chip") and command.box == 0:
            return self.words.text("no_box", boxes=self.boxes)
        try:
            return self._apply(command)
        except BlackjackError as error:
            return str(error)

    def _apply(self, command: Command) -> str | None:
        table, player, box = self.table, self.player, command.box - 1
        if command.name == "set" and command.amount:
            why = self._why_not(box, command.amount)
            if why is None:
                table.bet(box, command.amount, player=player)
                self._touched.append(box)
            return why
        if command.name == "chip":
            why = self._why_no_chip(box, command.amount)
            if why is None:
                table.add_chip(box, command.amount, player=player)
                self._touched.append(box)
            return why
        if command.name == "take_back":
            return self._take_back(box)
        if command.name in ("clear", "set"):
            return self._clear(box)
        if command.name == "repeat":
            if not self.can_repeat():
                return self.words.texts["no_last"]
            table.repeat(player=player)
        elif command.name == "new_game":
            if table.why_not("new_game") is not None:
                return self.words.texts["not_now"]
            table.new_game()
        return None

    def _take_back(self, box: int) -> str | None:
        if box < 0:
            while self._touched and not self.table.bets[self._touched[-1]]:
                self._touched.pop()
            betted = [b for b, bet in enumerate(self.table.bets) if bet]
            if not betted:
                return self.words.texts["no_bets"]
            box = self._touched.pop() if self._touched else betted[-1]
        elif not self.table.bets[box]:
            return self.words.texts["nothing_there"]
        self.table.take_back(box, player=self.player)
        return None

    def _clear(self, box: int) -> str | None:
        if box >= 0:
            if not self.table.bets[box]:
                return self.words.texts["nothing_there"]
            self.table.clear(box, player=self.player)
        elif not any(self.table.bets):
            return self.words.texts["no_bets"]
        else:
            self.table.clear(player=self.player)
        return None

    def _why_no_chip(self, box: int, chip: int) -> str | None:
        chips = self.table.rules.chips
        if chips and chip not in chips:
            return self.words.text("bad_chip", chips=" ".join(map(str, chips)))
        return self._why_not(box, self.table.bets[box] + chip, small_ok=True)

    def _why_not(self, box: int, amount: int, *, small_ok: bool = False) -> str | None:
        """Why a box cannot hold this bet, as far as there are words for it in every language."""
        rules, words = self.table.rules, self.words
        before, balance = self.table.bets[box], self.table.balance(self.player)
        others = sum(self.table.bets) - before if rules.limit_per == "deal" else 0
        unit = math.lcm(rules.bet_step, rules.exact_unit if rules.rounding == "exact" else 1)
        if rules.max_bet is not None and amount + others > rules.max_bet:
            return words.text("too_large", high=rules.max_bet)
        if not small_ok and rules.limit_per == "box" and amount < rules.min_bet:
            return words.text("too_small", low=rules.min_bet)
        if not small_ok and amount % unit:
            return words.text("bad_step", step=unit)
        if balance is not None and amount > balance + before:
            return words.texts["no_money"]
        return None
