"""A game between a person and a table, from the first bet to the lobby.

Lives here: the loop, the menus, what keys and lines mean. Not here: drawing (play_screen), bets
(play_bets), reading keys (play_terminal).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from blackjack.actions import Action, Outcome
from blackjack.cli.play_bets import Command, Desk, chips_of, parse_bets
from blackjack.cli.play_cards import pages, wrapped
from blackjack.cli.play_hint import hint
from blackjack.cli.play_screen import Screen
from blackjack.cli.play_terminal import Terminal, latin
from blackjack.cli.play_texts import HELP_BETS_KEYS, HELP_BETS_LINES, HELP_PLAY, PROMPTS
from blackjack.errors import BlackjackError
from blackjack.labels import Labels
from blackjack.table import Table
from blackjack.views import Settlement, Turn

__all__ = ["HINT", "KEYS", "Session", "Tally"]

KEYS: Final[dict[Action, str]] = {
    Action.HIT: "h",
    Action.STAND: "s",
    Action.DOUBLE: "d",
    Action.SPLIT: "p",
    Action.SURRENDER: "r",
    Action.INSURANCE: "i",
    Action.EVEN_MONEY: "e",
    Action.DECLINE: "n",
}
"""The key of each action, in the order of the menu."""
HINT: Final = "v"
"""The key that shows what each action is worth."""

_PART: Final = re.compile(r"([a-z_]+)[: ]?(\d{1,17})", re.ASCII)


@dataclass
class Tally:
    """What the rounds so far came to."""

    rounds: int = 0
    hands: int = 0
    staked: int = 0
    returned: int = 0
    outcomes: dict[Outcome, int] = field(default_factory=dict)

    def add(self, settlement: Settlement) -> None:
        """Count a round."""
        self.rounds += 1
        for box in settlement.boxes:
            if box.hands:
                self.staked += box.staked
                self.returned += box.returned
                for hand in box.hands:
                    self.hands += 1
                    self.outcomes[hand.outcome] = self.outcomes.get(hand.outcome, 0) + 1

    @property
    def net(self) -> int:
        """Won (or lost, negative) so far."""
        return self.returned - self.staked


class _Left(Exception):
    """The player leaves, or the input ends."""


class Session:
    """One player at one table, until they leave, the money ends, or the input does."""

    def __init__(self, table: Table, words: Labels, terminal: Terminal, boxes: int) -> None:
        self.table = table
        self.words = words
        self.terminal = terminal
        self.tally = Tally()
        self._prompts = PROMPTS[words.language]
        self._desk = Desk(table, words, boxes)
        self._screen = Screen(table, words, terminal)
        self._chips = chips_of(table)
        self._chip = next((n for n, c in enumerate(self._chips) if c >= 10), len(self._chips) - 1)
        self._message = ""
        self._hint: list[str] = []

    def run(self) -> None:
        """Play."""
        try:
            while True:
                self._bet()
                while (turn := self.table.turn) is not None:
                    self._decide(turn)
                self._count()
        except _Left:
            self._finish_round(wait=self.terminal.keys)
        except KeyboardInterrupt:  # leaving, too: what is staked is settled before it is counted
            self._finish_round(wait=False)
            raise

    def _count(self) -> None:
        settlement = self.table.settlement
        if settlement is not None:
            self.tally.add(settlement)

    def _finish_round(self, *, wait: bool) -> None:
        """Nobody is there to decide any more: the round goes on as silence would have it."""
        if (turn := self.table.turn) is None:
            return
        while turn is not None:
            self.table.act(turn.passive, player=turn.player)
            turn = self.table.turn
        self._count()
        self._draw([])
        if wait:
            self._key(self._prompts["again"])

    def _draw(self, menu: list[str]) -> None:
        below = [self.terminal.style(self._message, "yellow"), *self._hint, *menu]
        self._message, self._hint = "", []
        self.terminal.show([*self._screen.lines(len(below) + 1), *below])

    def _help(self, *parts: tuple[str, ...]) -> None:
        columns, rows = self.terminal.size
        for page in pages([line for part in parts for line in (*part, "")], columns, rows - 1):
            self.terminal.show(page)
            if self.terminal.keys and self._key(self._prompts["again"]) == "end":
                raise _Left

    def _key(self, prompt: str = "") -> str:
        if prompt:
            self.terminal.write(prompt)
        key = self.terminal.key()
        return latin(key) if len(key) == 1 else key

    def _line(self, prompt: str) -> str:
        line = self.terminal.line(prompt)
        if line is None:
            raise _Left
        return line

    # ------------------------------------------------------------ before the deal

    def _bet(self) -> None:
        """Take bets until a round has been dealt."""
        dealt = False
        while not dealt:
            if self._desk.broke():
                self._draw([self.words.texts["broke"]])
                if self.terminal.keys:
                    self._key(self._prompts["again"])
                raise _Left
            commands = self._bet_by_key() if self.terminal.keys else self._bet_by_line()
            for command in commands:
                if command.name == "leave":
                    raise _Left
                if command.name == "help":
                    keys = self.terminal.keys
                    texts = (HELP_BETS_KEYS if keys else HELP_BETS_LINES)[self.words.language]
                    self._help(texts, HELP_PLAY[self.words.language])
                    continue
                if command.name == "deal":
                    dealt = self._deal()
                    if dealt:
                        break
                else:
                    self._message = self._desk.apply(command) or ""
                if self._message:
                    break

    def _deal(self) -> bool:
        why = self._desk.why_no_deal()
        if why is not None:
            self._message = why
            return False
        try:
            self.table.deal()
        except BlackjackError as error:
            self._message = str(error)
            return False
        return True

    def _enter(self) -> list[Command]:
        """The Enter key: deal, and with no bets repeat the last ones first."""
        if any(self.table.bets) or not (self.tally.rounds and self._desk.can_repeat()):
            return [Command("deal")]
        return [Command("repeat"), Command("deal")]

    def _wrapped(self, words: list[str], between: str = "  ") -> list[str]:
        return wrapped(words, self.terminal.size[0], between)

    def _bets(self) -> list[str]:
        """What lies on the boxes."""
        bets = [
            self.terminal.style(f"{self.words.text('box', box=box + 1)}: {bet}", "bold")
            for box, bet in enumerate(self.table.bets)
            if bet
        ]
        if not bets:
            return [self.terminal.style(self.words.texts["place_bets"], "bold")]
        return self._wrapped(bets, "   ")

    def _limits(self) -> str:
        rules, low = self.table.rules, self._desk.least()
        name = "limits_open" if rules.max_bet is None else "limits"
        text = self.words.text(name, low=low, high=rules.max_bet, step=rules.bet_step)
        return self.terminal.style(text, "dim")

    def _control(self, key: str, name: str) -> str:
        return f"[{key}] {self.words.controls[name]}"

    def _controls(self) -> list[str]:
        """The controls that are active now, with their keys."""
        bets, private = any(self.table.bets), self.table.rules.private
        again = not bets and self.tally.rounds and self._desk.can_repeat()
        menu = []
        if again:
            menu.append(f"[Enter] {self._prompts['repeat_deal']}")
            menu.append(self._control("r", "repeat"))
        elif bets and self._desk.why_no_deal() is None:
            menu.append(self._control("Enter", "deal"))
        if bets:
            menu += [self._control("u", "take_back"), self._control("c", "clear")]
        if private and self.table.settlement is not None:
            menu.append(self._control("n", "new_game"))
        return [*menu, f"[?] {self._prompts['help']}", self._control("q", "leave")]

    def _bet_by_line(self) -> list[Command]:
        chips = self.words.text("chips", chips=" ".join(map(str, self._chips)))
        limits = [self._limits(), chips]
        if self._desk.boxes > 1:
            limits.append(self.words.text("no_box", boxes=self._desk.boxes))
        dot = " · " if self.terminal.unicode else " - "
        self._draw([*self._bets(), *self._wrapped(limits, dot), *self._wrapped(self._controls())])
        line = self._line(self._prompts["bets"])
        return self._parse(line) if line else self._enter()

    def _parse(self, line: str) -> list[Command]:
        commands = parse_bets(line, self.words)
        if isinstance(commands, str):
            commands = parse_bets(latin(line), self.words)
        if isinstance(commands, str):
            self._message = self._prompts["unknown"].format(text=commands)
            return []
        return commands

    def _bet_by_key(self) -> list[Command]:
        several = self._desk.boxes > 1
        chips = "  ".join(
            self.terminal.style(f"({chip})", "turn") if n == self._chip else f" {chip} "
            for n, chip in enumerate(self._chips)
        )
        keys = f"1-{min(9, self._desk.boxes)}" if several else "1"
        more = [f"[{keys}] {self._prompts['on_box']}", f"[+ -] {self._prompts['other_chip']}"]
        if several and any(self.table.bets):
            more.append(f"[x] {self._prompts['one_box']}")
        more.append(f"[t] {self._prompts['type']}")
        self._draw(
            [
                *self._bets(),
                *self._wrapped([self.words.text("chips", chips=chips), self._limits()], "   "),
                *self._wrapped(more),
                *self._wrapped(self._controls()),
            ]
        )
        return self._pressed(self._key())

    def _pressed(self, key: str) -> list[Command]:
        if key in ("end", "q"):
            return [Command("leave")]
        if key == " " or (key.isdigit() and key != "0"):
            return [Command("chip", 1 if key == " " else int(key), self._chips[self._chip])]
        if key in ("+", "=", "up"):
            self._chip = min(self._chip + 1, len(self._chips) - 1)
        elif key in ("-", "_", "down"):
            self._chip = max(self._chip - 1, 0)
        elif key in ("enter", "d"):
            return self._enter()
        elif key in ("u", "back"):
            return [Command("take_back")]
        elif key == "x":
            box = self._key(self._prompts["which_box"]) if self._desk.boxes > 1 else "1"
            return [Command("clear", int(box))] if box.isdigit() and box != "0" else []
        elif key == "t":
            return self._parse(self._line(self._prompts["type_bets"]))
        elif key in ("c", "r", "n"):
            return self._parse(key)
        elif key in ("?", "h"):
            return [Command("help")]
        return []

    # ------------------------------------------------------------ in play

    def _where(self, turn: Turn) -> str:
        hands = len(self.table.view(turn.player).boxes[turn.box].hands)
        return self._screen.where(turn.box, turn.hand_index, hands)

    def _menu(self, turn: Turn) -> list[str]:
        title = self.words.text("offer" if turn.offer else "your_turn", where=self._where(turn))
        buttons = []
        for action, key in KEYS.items():
            if action in turn.actions:
                cost = self.table.cost(action)
                buttons.append(
                    f"[{key}] {self.words.actions[action]}" + (f" {cost}" if cost else "")
                )
        hint = f"[{HINT}] {self._prompts['hint']}"
        more = f"{hint}  [?] {self._prompts['help']}  {self._control('q', 'leave')}"
        parts = [self.terminal.style(title, "turn"), self.terminal.style(more, "dim")]
        return [*self._wrapped(parts, "      "), *self._wrapped(buttons, "   ")]

    def _decide(self, turn: Turn) -> None:
        self._draw(self._menu(turn))
        if self.terminal.keys:
            text = self._key()
            if text == "end":
                raise _Left
        else:
            text = self._line(self._prompts["action"])
        if text in ("q", "quit", "exit") or latin(text) == "q":
            raise _Left
        if text in ("?", "help"):
            self._help(HELP_PLAY[self.words.language])
            return
        if latin(text) == HINT:
            self._hint = self._hints(turn)
            return
        chosen = self._chosen(text, turn)
        if chosen is None:
            if text:
                self._message = self._prompts["unknown"].format(text=text)
            return
        action, amount = chosen
        if self.terminal.keys and action in turn.actions and self._takes_part(action):
            amount = self._part(action)
        try:
            self.table.act(action, amount=amount, player=turn.player)
        except BlackjackError:
            self._message = self._refused(action, amount)

    def _hints(self, turn: Turn) -> list[str]:
        """What each action is worth, the best one marked."""
        values = hint(self.table, turn, self.words)
        if values is None:
            return [self.terminal.style(self._prompts["no_hint"], "yellow")]
        texts = [
            self.terminal.style(f"* {text}", "green") if best else f"  {text}"
            for text, best in values
        ]
        return self._wrapped([self._prompts["worth"], *texts], " ")

    def _chosen(self, text: str, turn: Turn) -> tuple[Action, int | None] | None:
        """The action that a key, a name or a label stands for, with the amount behind it."""
        amount = None
        if match := _PART.fullmatch(text.lower()):
            text, amount = match[1], int(match[2])
        labels, folded = self.words.actions, text.casefold()
        meant = [
            action
            for action, key in KEYS.items()
            if folded in (key, action, labels[action].casefold()) or latin(text) == key
        ]
        # a word may stand for two actions of different moments: the one that is legal counts
        legal = [action for action in meant if action in turn.actions]
        return ((legal or meant)[0], amount) if meant else None

    def _takes_part(self, action: Action) -> bool:
        rules = self.table.rules
        return (action is Action.DOUBLE and rules.double_for_less) or (
            action is Action.INSURANCE and rules.partial_insurance
        )

    def _part(self, action: Action) -> int | None:
        prompt = self._prompts["amount"].format(full=self.table.cost(action))
        text = self._line(f"\n{prompt}")
        return int(text) if text.isascii() and text.isdigit() else None

    def _refused(self, action: Action, amount: int | None) -> str:
        why = self.table.why_not(action)
        if why is None or self.words.language != "en":
            return self.words.texts["not_now"]
        return f"{self.words.actions[action]}: {why}."
