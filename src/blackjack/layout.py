"""Bets on the layout between rounds.

Lives here: who bets what on which box, chips and their order, limits and steps, paying after a round.
Not here: stakes inside a round (blackjack_core.round), when bets may be made (blackjack.table).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from blackjack.errors import BetError, InsufficientFunds
from blackjack.wallet import MAX_BET, Wallet, whole_amount

if TYPE_CHECKING:
    from blackjack.rules import Rules
    from blackjack_core.round import Round

__all__ = ["Layout"]

_NO_LIMIT = 2**62   # a balance from here on cannot run out in one round


class Layout:
    """The boxes of one table and the bets on them."""

    def __init__(self, rules: Rules, wallets: dict[str, Wallet]) -> None:
        self.rules = rules
        self.wallets = wallets
        self.bets: list[int] = [0] * rules.boxes
        self.owners: list[str | None] = [None] * rules.boxes
        self.last_player = ""
        self._chips: list[list[int]] = [[] for _ in range(rules.boxes)]
        self._last: dict[str, dict[int, int]] = {}      # player -> box -> bet of the last round
        self._limited = rules.max_bet is not None or rules.min_bet > 1
        self._unit = rules.bet_step
        self._exact = rules.exact_unit if rules.rounding == "exact" else 1
        self._max = MAX_BET if rules.max_bet is None else rules.max_bet

    # ------------------------------------------------------------ looking

    def wallet(self, player: str | None) -> Wallet:
        """A player's wallet; without a name, that of the only player."""
        if player is None:
            if len(self.wallets) == 1:
                for wallet in self.wallets.values():
                    return wallet
            raise BetError(f"expected a player of {', '.join(self.wallets) or 'a table without any'}, got None")
        wallet_ = self.wallets.get(player) if isinstance(player, str) else None
        if wallet_ is None:
            raise BetError(f"expected a player of {', '.join(self.wallets) or 'a table without any'}, got {player!r}")
        return wallet_

    def count(self) -> int:
        """Boxes with a bet."""
        return len(self.bets) - self.bets.count(0)

    def accounts(self) -> list[int] | None:
        """Each box's account number; None where one player owns all."""
        if len(self.wallets) == 1:
            return None
        names = list(self.wallets)
        return [0 if owner is None else names.index(owner) for owner in self.owners]

    def funds(self) -> list[int | None] | None:
        """What each account has left after its bets; None where nobody has a limit."""
        funds = [
            None if w.balance is None or w.balance >= _NO_LIMIT else w.balance for w in self.wallets.values()
        ]
        return None if funds.count(None) == len(funds) else funds

    def problem(self) -> str | None:
        """Why these bets cannot be dealt to, or None."""
        rules, total, per_deal = self.rules, 0, self.rules.limit_per == "deal"
        for box, bet in enumerate(self.bets):
            if not bet:
                continue
            total += bet
            if not per_deal and bet < rules.min_bet:
                return f"expected at least {rules.min_bet} on box {box}, got {bet}"
            why = self._step_problem(bet)
            if why is not None:
                return f"{why} on box {box}"
        if not total:
            return "no bets"
        if per_deal and total < rules.min_bet:
            return f"expected bets of at least {rules.min_bet} in all, got {total}"
        return None

    def _step_problem(self, bet: int) -> str | None:
        if bet % self._unit:
            return f"expected a multiple of {self._unit}, got {bet}"
        if bet % self._exact:
            return f"expected a multiple of {self._exact} (these rules pay exactly), got {bet}"
        return None

    # ------------------------------------------------------------ changing

    def set_bet(self, box: int, amount: int, player: str | None) -> None:
        """Set a box's bet."""
        wallet = self._own_box(box, player)
        amount = whole_amount(amount)
        why = self._step_problem(amount)
        if why is not None:
            raise BetError(why)
        if self.rules.limit_per == "box" and amount < self.rules.min_bet:
            raise BetError(f"expected a bet of at least {self.rules.min_bet}, got {amount}")
        self._put(box, amount, wallet, [amount])

    def add_chip(self, box: int, chip: int, player: str | None) -> None:
        """Put a chip on a box."""
        wallet = self._own_box(box, player)
        chip = whole_amount(chip, "chip")
        if self.rules.chips and chip not in self.rules.chips:
            raise BetError(f"expected a chip of {', '.join(map(str, self.rules.chips))}, got {chip}")
        self._put(box, self.bets[box] + chip, wallet, [*self._chips[box], chip])

    def take_back(self, box: int, player: str | None) -> int:
        """Take the last chip back."""
        wallet = self._own_box(box, player)
        if not self._chips[box]:
            raise BetError(f"no bet on box {box} to take back")
        chip = self._chips[box][-1]
        self._put(box, self.bets[box] - chip, wallet, self._chips[box][:-1])
        return chip

    def clear(self, box: int | None, player: str | None) -> list[int]:
        """Take back a box's bet, or all of a player's; the boxes that changed."""
        if box is None:
            wallet = self.wallet(player)
            boxes = [b for b, owner in enumerate(self.owners) if owner == wallet.player]
            if not boxes:
                raise BetError("no bets to clear")
            return self.clear_all(wallet.player)
        wallet = self._own_box(box, player)
        if not self.bets[box]:
            raise BetError(f"no bet on box {box} to clear")
        self._put(box, 0, wallet, [])
        return [box]

    def clear_all(self, player: str | None = None) -> list[int]:
        """Take every bet (of one player) back; the boxes that changed."""
        boxes = [b for b, o in enumerate(self.owners) if o is not None and player in (None, o)]
        for box in boxes:
            self._put(box, 0, self.wallets[str(self.owners[box])], [])
        return boxes

    def why_not_repeat(self, player: str | None) -> str | None:
        """Why the last bets cannot be made again, or None."""
        try:
            self._repeatable(player)
        except BetError as error:
            return str(error)
        return None

    def repeat(self, player: str | None) -> list[int]:
        """Make a player's last bets again; the boxes that changed."""
        wallet, last = self._repeatable(player)
        for box, amount in last.items():
            self._put(box, amount, wallet, [amount])
        return list(last)

    def _repeatable(self, player: str | None) -> tuple[Wallet, dict[int, int]]:
        wallet = self.wallet(player)
        last = self._last.get(wallet.player)
        if not last:
            raise BetError("no last round to repeat")
        for box in last:
            if self.owners[box] not in (None, wallet.player):
                raise BetError(f"box {box} is {self.owners[box]}'s")
        mine = sum(bet for bet, owner in zip(self.bets, self.owners, strict=True) if owner == wallet.player)
        kept = sum(
            bet
            for box, (bet, owner) in enumerate(zip(self.bets, self.owners, strict=True))
            if owner == wallet.player and box not in last
        )
        if wallet.balance is not None and sum(last.values()) + kept > wallet.balance + mine:
            raise InsufficientFunds(
                f"expected no more than {wallet.player}'s balance of {wallet.balance + mine}, "
                f"got {sum(last.values()) + kept}"
            )
        if self.rules.limit_per == "deal":
            others = sum(bet for box, bet in enumerate(self.bets) if box not in last)
            self._check_total(others + sum(last.values()))
        return wallet, last

    def _own_box(self, box: object, player: str | None) -> Wallet:
        """The wallet that may touch this box."""
        if isinstance(box, bool) or not isinstance(box, int) or not 0 <= box < len(self.bets):
            raise BetError(f"expected a box from 0 to {len(self.bets) - 1}, got {box!r}")
        wallet = self.wallet(player)
        if self.owners[box] not in (None, wallet.player):
            raise BetError(f"box {box} is {self.owners[box]}'s")
        return wallet

    def _check_total(self, total: int) -> None:
        if total > self._max:
            raise BetError(f"expected bets of at most {self._max} in all, got {total}")

    def _put(self, box: int, amount: int, wallet: Wallet, chips: list[int]) -> None:
        """Change a box's bet and pay the difference; checks first, so that a refusal changes nothing."""
        before = self.bets[box]
        if amount > before:
            if amount > self._max:
                raise BetError(f"expected a bet of at most {self._max}, got {amount}")
            if self.rules.limit_per == "deal":
                self._check_total(sum(self.bets) - before + amount)
        wallet.take(amount - before)
        self.bets[box] = amount
        self.owners[box] = wallet.player if amount else None
        self._chips[box] = chips
        self.last_player = wallet.player

    # ------------------------------------------------------------ after a round

    def pay(self, core: Round, staked: list[int | None] | None) -> None:
        """Book a finished round: what was staked inside it, and what each box gets back."""
        wallets = list(self.wallets.values())
        if staked is not None:
            for wallet, amount in zip(wallets, staked, strict=False):
                if amount is not None and wallet.balance is not None:
                    wallet.balance -= amount
        for box, owner in enumerate(self.owners):
            if owner is not None:
                wallet = self.wallets[owner]
                if wallet.balance is not None:
                    wallet.balance += core.box_returned(box)

    def end_round(self) -> None:
        """Take the bets off the layout and remember them for `repeat`."""
        last: dict[str, dict[int, int]] = {}
        for box, owner in enumerate(self.owners):
            if owner is not None:
                last.setdefault(owner, {})[box] = self.bets[box]
                self.bets[box] = 0
                self.owners[box] = None
                self._chips[box] = []
        self._last.update(last)
