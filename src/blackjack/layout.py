"""Bets on the layout between rounds.

Lives here: who may bet what on which box, chips and their order, limits and steps, repeat. Not here:
where bets and balances are kept (blackjack_core.desk), when bets may be made (blackjack.table).
"""

from __future__ import annotations

import math

from blackjack.errors import BetError, InsufficientFunds
from blackjack.rules import Rules
from blackjack.wallet import MAX_BET, whole_amount
from blackjack_core.desk import Desk

__all__ = ["Layout"]


class Layout:
    """The limits and rights over a desk's boxes. Checks first, changes then: a refusal changes nothing."""

    def __init__(self, rules: Rules, desk: Desk) -> None:
        self.rules = rules
        self._desk = desk
        self._chips: list[list[int]] = [[] for _ in range(rules.boxes)]
        self._exact = rules.exact_unit if rules.rounding == "exact" else 1
        self._max = MAX_BET if rules.max_bet is None else rules.max_bet
        self._per_deal = rules.limit_per == "deal"

    def teach(self) -> None:
        """Tell the desk the limits, so that it need not ask about bets that are plainly right."""
        desk = self._desk
        desk._bet_low, desk._bet_high = self.rules.min_bet, self._max
        desk._bet_unit = math.lcm(self.rules.bet_step, self._exact)
        desk._plain = self.rules.private and (not self._per_deal or self.rules.boxes == 1)

    # ------------------------------------------------------------ looking

    def player(self, name: str | None) -> int:
        """A player's number; without a name, that of the only player."""
        players = self._desk._players
        if name is None and len(players) == 1:
            return 0
        if not isinstance(name, str) or name not in players:
            raise BetError(
                f"expected a player's name ({', '.join(map(repr, players)) or 'nobody sits here'}), got {name!r}"
            )
        return players.index(name)

    def bets(self) -> list[int]:
        """The bet on each box."""
        return [self._desk._bet_on(box) for box in range(self.rules.boxes)]

    def owners(self) -> list[str | None]:
        """Who bets on each box."""
        return [self._desk._owner_of(box) for box in range(self.rules.boxes)]

    def problem(self) -> str | None:
        """Why these bets cannot be dealt to, or None."""
        bets, low = self.bets(), self.rules.min_bet
        for box, bet in enumerate(bets):
            if bet:
                if not self._per_deal and bet < low:
                    return f"expected at least {low} on box {box}, got {bet}"
                why = self._step_problem(bet)
                if why is not None:
                    return f"{why} on box {box}"
        if not any(bets):
            return "no bets"
        if self._per_deal and sum(bets) < low:
            return f"expected bets of at least {low} in all, got {sum(bets)}"
        return None

    def _step_problem(self, bet: int) -> str | None:
        if bet % self.rules.bet_step:
            return f"expected a multiple of {self.rules.bet_step}, got {bet}"
        if bet % self._exact:
            return f"expected a multiple of {self._exact} (these rules pay exactly), got {bet}"
        return None

    def _own_box(self, box: object, name: str | None) -> tuple[int, int]:
        """(box, player) if this player may touch this box."""
        if isinstance(box, bool) or not isinstance(box, int) or not 0 <= box < self.rules.boxes:
            raise BetError(f"expected a box from 0 to {self.rules.boxes - 1}, got {box!r}")
        player, owner = self.player(name), self._desk._owner_of(box)
        if owner is not None and owner != self._desk._players[player]:
            raise BetError(f"box {box} is {owner}'s")
        return int(box), player

    # ------------------------------------------------------------ changing

    def set_bet(self, box: object, amount: object, name: str | None) -> int:
        """Set a box's bet; the box."""
        where, player = self._own_box(box, name)
        bet = whole_amount(amount)
        why = self._step_problem(bet)
        if why is not None:
            raise BetError(why)
        if not self._per_deal and bet < self.rules.min_bet:
            raise BetError(f"expected a bet of at least {self.rules.min_bet}, got {bet}")
        self._put(where, bet, player, [bet])
        return where

    def add_chip(self, box: object, chip: object, name: str | None) -> int:
        """Put a chip on a box; the box."""
        where, player = self._own_box(box, name)
        value = whole_amount(chip, "chip")
        if self.rules.chips and value not in self.rules.chips:
            raise BetError(
                f"expected a chip of {', '.join(map(str, self.rules.chips))}, got {value}"
            )
        self._put(where, self._desk._bet_on(where) + value, player, [*self._stack(where), value])
        return where

    def take_back(self, box: object, name: str | None) -> int:
        """Take the last chip back; its amount."""
        where, player = self._own_box(box, name)
        stack = self._stack(where)
        if not stack:
            raise BetError(f"no bet on box {where} to take back")
        self._put(where, self._desk._bet_on(where) - stack[-1], player, stack[:-1])
        return stack[-1]

    def _stack(self, box: int) -> list[int]:
        """The chips on a box, first below; a bet that was set at once is one chip."""
        bet = self._desk._bet_on(box)
        stack = self._chips[box]
        return stack if sum(stack) == bet else [bet] if bet else []

    def clear(self, box: object, name: str | None) -> None:
        """Take back a box's bet, or (box None) all of a player's."""
        if box is not None:
            where, player = self._own_box(box, name)
            if not self._desk._bet_on(where):
                raise BetError(f"no bet on box {where} to clear")
            self._put(where, 0, player, [])
            return
        player = self.player(name)
        if not self.clear_all(self._desk._players[player]):
            raise BetError("no bets to clear")

    def clear_all(self, name: str | None = None) -> int:
        """Take every bet (of one player) back; how many there were."""
        cleared = 0
        for box, owner in enumerate(self.owners()):
            if owner is not None and name in (None, owner):
                self._put(box, 0, self.player(owner), [])
                cleared += 1
        return cleared

    def why_not_repeat(self, name: str | None) -> str | None:
        """Why the last bets cannot be made again, or None."""
        try:
            self._repeatable(name)
        except BetError as error:
            return str(error)
        return None

    def repeat(self, name: str | None) -> None:
        """Make a player's last bets again."""
        player, last = self._repeatable(name)
        # lower bets first, so that no moment between them costs more than the end
        for box in sorted(last, key=lambda box: last[box] - self._desk._bet_on(box)):
            self._put(box, last[box], player, [last[box]])

    def _repeatable(self, name: str | None) -> tuple[int, dict[int, int]]:
        desk, player = self._desk, self.player(name)
        bets, owners = self.bets(), self.owners()
        me = desk._players[player]
        last = {}
        for box in range(self.rules.boxes):
            owner, bet = desk._last_bet(box)
            if owner == player and bet:
                last[box] = bet
        if not last:
            raise BetError("no last round to repeat")
        for box in last:
            if owners[box] not in (None, me):
                raise BetError(f"box {box} is {owners[box]}'s")
        balance = desk._balances[player]
        mine = sum(bets[box] for box in range(self.rules.boxes) if owners[box] == me)
        kept = sum(
            bets[box] for box in range(self.rules.boxes) if owners[box] == me and box not in last
        )
        needed = sum(last.values()) + kept
        if balance is not None and needed > balance + mine:
            raise InsufficientFunds(
                f"expected no more than {me}'s balance of {balance + mine}, got {needed}"
            )
        if self._per_deal:
            self._check_total(
                sum(b for box, b in enumerate(bets) if box not in last) + sum(last.values())
            )
        return player, last

    def _check_total(self, total: int) -> None:
        if total > self._max:
            raise BetError(f"expected bets of at most {self._max} in all, got {total}")

    def _put(self, box: int, amount: int, player: int, chips: list[int]) -> None:
        desk = self._desk
        before, balance = desk._bet_on(box), desk._balances[player]
        if amount > before:
            if amount > self._max:
                raise BetError(f"expected a bet of at most {self._max}, got {amount}")
            if self._per_deal:
                self._check_total(sum(self.bets()) - before + amount)
            if balance is not None and amount - before > balance:
                raise InsufficientFunds(
                    f"expected no more than {desk._players[player]}'s balance of {balance + before}, got {amount}"
                )
        desk._put_bet(box, amount, player)
        self._chips[box] = chips
