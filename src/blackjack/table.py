"""The table: what a front end embeds.

Lives here: `Table`, from bets over decisions to settlement, its shoe and its players' money. Not here:
the rules of a round (blackjack_core.round), what is handed out (views, events), bets on the layout
(layout), round files (history).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from fractions import Fraction

from blackjack._capacity import round_capacity
from blackjack.actions import ACTIONS, OUTCOMES, PHASES, Action, Outcome, Phase
from blackjack.cards import CARDS, CardsLike, parse_cards
from blackjack.errors import REASONS, BetError, BlackjackError, IllegalAction, ShoeExhausted
from blackjack.events import BetChanged, Event, Shuffled, read_log
from blackjack.layout import Layout
from blackjack.rules import Rules
from blackjack.views import BoxResult, BoxView, HandResult, HandView, Settlement, TableView, Turn
from blackjack.wallet import MAX_BET, Wallet, whole_amount
from blackjack_core.rng import Source
from blackjack_core.round import Round
from blackjack_core.shoe import SHUFFLE_ID, Shoe

__all__ = ["Table"]

PLAYER = "player"
"""The name of the one player of a private table that names none."""

_IN_ROUND = (1, 2)
_DONE = 3
_NO_LIMIT = 2**62   # balances above this cannot be exhausted in one round


class Table:
    """A blackjack table: a shoe, boxes, players' balances, one round after another.

    >>> table = Table("vegas_strip", cards="Ts 6d Kh 9c 5d", balance=1000)
    >>> table.bet(box=0, amount=50)
    >>> table.deal()
    >>> table.turn
    <Turn box 0 hand 0: Ts Kh against 6d (double, hit, split, stand, surrender)>
    >>> table.act(Action.STAND)
    >>> table.settlement.net, table.balance()
    (-50, 950)

    Args:
        rules: `Rules`, a preset's name or an object of fields.
        seed: an int of 64 bits for a reproducible table (training, tests). Without it the shoe is
            shuffled by ChaCha20 under a key of the operating system, as a game for money must be.
        key: 32 bytes for ChaCha20 instead of the operating system's (an audited or revealed shuffle).
        words: bytes to read random words from, e.g. a provably fair stream.
        cards: the order of the cards; nothing is shuffled and the table ends when they do.
        balance: what the only player has; None without limit.
        players: a public table's players and balances (`rules.private` false).
        record: keep every round in `records` as a round file.

    One thread at a time. Amounts are ints in the smallest unit the caller deals in. Every refused call
    raises a `BlackjackError` and changes nothing.
    """

    def __init__(
        self,
        rules: Rules | str | Mapping[str, object],
        *,
        seed: int | None = None,
        key: bytes | None = None,
        words: bytes | None = None,
        cards: CardsLike | None = None,
        balance: int | None = None,
        players: Mapping[str, int | None] | None = None,
        record: bool = False,
    ) -> None:
        self.rules: Rules = rules if isinstance(rules, Rules) else Rules.from_dict(rules)
        self._shoe = _make_shoe(self.rules, seed, key, words, cards)
        self.seeded: bool = seed is not None
        self._wallets = _make_wallets(self.rules, balance, players)
        self._shared = not self.rules.private
        self._layout = Layout(self.rules, self._wallets)
        self._round = Round(self.rules.compiled, self._shoe)
        self._round.log_on()
        self._cleared = True        # the last round lies no more on the table
        self._logs: list[bytes] = []
        self._bet_events: list[BetChanged] = []
        self._shuffled = False
        self._actions: list[str] = []
        self._turn: Turn | None = None
        self._funds: list[int | None] | None = None
        self._settlement: Settlement | None = None
        self._subscribers: list[Callable[[Event], None]] = []
        self._last_record: dict[str, object] | None = None
        self.records: list[dict[str, object]] | None = [] if record else None

    # ------------------------------------------------------------ the state

    @property
    def phase(self) -> Phase:
        """Where the table stands: betting, offers, play, settled."""
        return Phase.BETTING if self._cleared else PHASES[self._round.phase]

    @property
    def turn(self) -> Turn | None:
        """Who must decide, or None when nobody must."""
        turn = self._turn
        if turn is None:
            state = self._round.turn_state()
            if state is None:
                return None
            turn = self._turn = Turn(state, self._layout.owners[state[0]] or PLAYER)
        return turn

    @property
    def bets(self) -> tuple[int, ...]:
        """The bet on each box now (the bets of the running round while one runs)."""
        return tuple(self._layout.bets)

    @property
    def owners(self) -> tuple[str | None, ...]:
        """Who bets on each box."""
        return tuple(self._layout.owners)

    @property
    def players(self) -> tuple[str, ...]:
        """The players at the table."""
        return tuple(self._wallets)

    def balance(self, player: str | None = None) -> int | None:
        """What a player has besides what lies on the table; None without limit."""
        wallet = self._layout.wallet(player)
        if self._round.phase in _IN_ROUND and wallet.balance is not None and self._funds is not None:
            account = list(self._wallets).index(wallet.player)
            if account < len(self._funds):
                before, left = self._funds[account], self._round.funds_of(account)
                if before is not None and left is not None:
                    return wallet.balance - (before - left)
        return wallet.balance

    @property
    def shoe_left(self) -> int | None:
        """Cards still to come; None for an infinite shoe."""
        return None if self._shoe.infinite else self._shoe.left

    @property
    def shuffle_due(self) -> bool:
        """Whether the next deal begins with a shuffle."""
        return self._needs_shuffle(self._layout.count() or 1)

    # ------------------------------------------------------------ betting

    def bet(self, box: int, amount: int, *, player: str | None = None) -> None:
        """Set a box's bet (it does not add). On a settled table this clears the last round.

        Raises:
            BetError: not an int, outside the limits or steps, no such box, someone else's box, a round
                is running. InsufficientFunds: more than the player has.
        """
        layout = self._layout
        if self._round.phase in _IN_ROUND:
            raise BetError("a round is running: bets are made between rounds")
        layout.set_bet(box, amount, player)
        self._after_bet(box)

    def add_chip(self, box: int, chip: int, *, player: str | None = None) -> None:
        """Put one more chip on a box. The limits' lower end is looked at only by `deal`.

        Raises:
            BetError, InsufficientFunds: as `bet`; also a chip that this table has not.
        """
        self._between_rounds()
        self._layout.add_chip(box, chip, player)
        self._after_bet(box)

    def take_back(self, box: int, *, player: str | None = None) -> int:
        """Take the last chip (or the bet that was set at once) back from a box; returns its amount.

        Raises:
            BetError: there is none, or it is someone else's box.
        """
        self._between_rounds()
        chip = self._layout.take_back(box, player)
        self._after_bet(box)
        return chip

    def clear(self, box: int | None = None, *, player: str | None = None) -> None:
        """Take back the bet of a box, or all bets of a player.

        Raises:
            BetError: there is nothing to take back, or it is someone else's box.
        """
        self._between_rounds()
        for cleared in self._layout.clear(box, player):
            self._after_bet(cleared)

    def repeat(self, *, player: str | None = None) -> None:
        """Bet what this player bet in the last round, on the same boxes.

        Raises:
            BetError, InsufficientFunds: there is no last round, or the bets cannot be made again.
        """
        self._between_rounds()
        for box in self._layout.repeat(player):
            self._after_bet(box)

    def new_game(self) -> None:
        """Clear bets and cards away (private tables; public ones clear themselves).

        Raises:
            IllegalAction: on a public table, or while a round is running.
        """
        self._control("new_game")
        for box in self._layout.clear_all():
            self._note_bet(box)
        self._clear_round()

    def join(self, player: str, balance: int | None = None) -> None:
        """Let a player come to a public table.

        Raises:
            BetError: the table is private, the name is taken, or the balance is no amount.
        """
        if not self._shared:
            raise BetError("a private table has one player")
        self._between_rounds()
        if not isinstance(player, str) or not player or player in self._wallets:
            raise BetError(f"expected a new player's name, got {player!r}")
        if len(self._wallets) >= self.rules.boxes:
            raise BetError(f"expected at most {self.rules.boxes} players, one per box")
        self._wallets[player] = Wallet(player, balance)

    def leave(self, player: str | None = None) -> int | None:
        """Go back to the lobby: bets on the layout return; the answer is the player's balance.

        Raises:
            BetError: no such player. IllegalAction: the player has a box in the running round.
        """
        wallet = self._layout.wallet(player)
        if self._round.phase in _IN_ROUND:
            if wallet.player in self._layout.owners:
                raise IllegalAction("leave", "a round is running on the player's boxes", self._legal())
            return self._gone(wallet)
        for box in self._layout.clear_all(wallet.player):
            self._note_bet(box)
        return self._gone(wallet)

    def _gone(self, wallet: Wallet) -> int | None:
        if self._shared:
            if self._round.phase in _IN_ROUND:
                # the running round knows its accounts by position: keep the place until it is over
                raise IllegalAction("leave", "a round is running", self._legal())
            del self._wallets[wallet.player]
        else:
            self._clear_round()
        return wallet.balance

    def _between_rounds(self) -> None:
        if self._round.phase in _IN_ROUND:
            raise BetError("a round is running: bets are made between rounds")

    def _after_bet(self, box: int) -> None:
        if not self._cleared:
            self._clear_round()
        self._note_bet(box)

    def _note_bet(self, box: int) -> None:
        event = BetChanged(box, self._layout.bets[box], self._layout.last_player)
        self._bet_events.append(event)
        if self._subscribers:
            self._publish([event])

    def _clear_round(self) -> None:
        """Take the last round off the table; its settlement stays readable on a public table."""
        self._cleared = True
        if not self._shared:
            self._settlement = None
        self._logs = []
        self._bet_events = []

    # ------------------------------------------------------------ the round

    def deal(self) -> None:
        """Deal a round to the bets on the layout, shuffling first where the house does.

        Raises:
            BetError: the bets are not valid. IllegalAction: a round is running. ShoeExhausted: a
                stacked shoe has not enough cards.
        """
        layout = self._layout
        core = self._round
        if core.phase in _IN_ROUND:
            raise IllegalAction("deal", "a round is running", self._legal())
        problem = layout.problem()
        if problem is not None:
            raise BetError(problem)
        if not self._cleared:
            self._clear_round()
        shuffled = self._needs_shuffle(layout.count())
        if shuffled:
            self._shuffle()
        funds = layout.funds()
        try:
            core.start(layout.bets, layout.accounts(), funds)
        except LookupError:
            raise ShoeExhausted(
                f"the shoe has {self._shoe.left} cards, too few to deal to {layout.count()} boxes"
            ) from None
        self._funds = funds
        self._shuffled = shuffled
        self._cleared = False
        self._settlement = None
        self._actions = []
        self._logs = [core.log_bytes()]
        if self._subscribers:
            self._publish([Shuffled(in_round=False)] if shuffled else [])
            self._publish(list(read_log(self._logs[0])))
        self._turn = None
        if core.phase == _DONE:
            self._settle()

    def act(
        self, action: Action | str, *, amount: int | None = None, player: str | None = None
    ) -> None:
        """Do an action for the hand whose turn it is.

        Args:
            action: an `Action` or its name.
            amount: the part of a double or an insurance, where the rules allow one; None: in full.
            player: who acts. A public table with several players wants it; only the owner of the box
                whose turn it is may act.

        Raises:
            IllegalAction: with the reason and what is legal. ShoeExhausted: no card is left anywhere.
        """
        if action.__class__ is not Action:
            action = self._action(action)
        if self._shared or player is not None:
            self._check_player(action, player)
        core = self._round
        try:
            code = core.apply(action.code, 0 if amount is None else self._part(action, amount))  # type: ignore[union-attr]
        except LookupError:
            raise ShoeExhausted("the shoe and its discards have no card left") from None
        if code:
            raise IllegalAction(str(action), REASONS[code], self._legal())
        self._actions.append(str(action) if amount is None else f"{action}:{amount}")
        log = core.log_bytes()
        self._logs.append(log)
        self._turn = None
        if self._subscribers:
            self._publish(list(read_log(log)))
        if core.phase == _DONE:
            self._settle()

    def why_not(self, action: Action | str) -> str | None:
        """Why an action or a control is not legal now; None when it is.

        >>> Table("las_vegas", balance=10).why_not("deal")
        'no bets'
        """
        name = str(action)
        if name in CONTROLS:
            return CONTROLS[name](self)
        try:
            code = ACTIONS.index(Action(name))
        except ValueError:
            return f"there is no such action as {name!r}"
        return REASONS[self._round.reason(code)] or None

    @property
    def controls(self) -> frozenset[str]:
        """The controls that are active now: bet, clear, take_back, deal, repeat, new_game, leave."""
        return frozenset(name for name, why in CONTROLS.items() if why(self) is None)

    def cost(self, action: Action | str) -> int:
        """What an action would stake in full (0 for those that cost nothing)."""
        return self._round.stake_of(self._action(action).code)

    def _legal(self) -> list[str]:
        turn = self.turn
        return [] if turn is None else [str(a) for a in turn.actions]

    def _action(self, action: object) -> Action:
        try:
            return Action(action)  # type: ignore[arg-type]
        except ValueError:
            raise IllegalAction(action, REASONS[30], self._legal()) from None

    def _part(self, action: object, amount: object) -> int:
        if isinstance(amount, bool) or not isinstance(amount, int) or not 1 <= amount <= MAX_BET:
            raise IllegalAction(
                str(action), f"expected an amount as an int from 1 to {MAX_BET}, got {amount!r}", self._legal()
            )
        if self.rules.rounding == "exact" and (Fraction(amount) % self.rules.exact_unit):
            raise IllegalAction(
                str(action), f"expected an amount that is a multiple of {self.rules.exact_unit}", self._legal()
            )
        return amount

    def _check_player(self, action: object, player: str | None) -> None:
        wallet = self._layout.wallet(player)
        turn = self.turn
        if turn is not None and turn.player != wallet.player:
            raise IllegalAction(str(action), f"it is the turn of {turn.player}", self._legal())

    def _control(self, name: str) -> None:
        why = CONTROLS[name](self)
        if why is not None:
            raise IllegalAction(name, why, self._legal())

    def _settle(self) -> None:
        """Pay the boxes, keep the record, take the bets off the layout."""
        core, layout = self._round, self._layout
        staked = (
            None
            if self._funds is None
            else [
                None if before is None else before - (core.funds_of(account) or 0)
                for account, before in enumerate(self._funds)
            ]
        )
        layout.pay(core, staked)
        if self.records is not None:
            self.records.append(self.record())
        self._round_owners = tuple(layout.owners)
        layout.end_round()
        if self._shared:
            self._settlement = self._make_settlement()
            self._cleared = True

    # ------------------------------------------------------------ the shoe

    def _needs_shuffle(self, boxes: int) -> bool:
        shoe, shuffle = self._shoe, self.rules.shuffle
        if shoe.stacked or shoe.infinite:
            return False
        if shoe.left == 0 or shuffle.kind in ("every_round", "continuous"):
            return True
        if shuffle.kind == "cut_card":
            return shoe.dealt >= self._cut_depth
        needs = shuffle.value if shuffle.kind == "fewer_than" else round_capacity(self.rules, boxes)
        return shoe.left < needs  # type: ignore[operator]

    @property
    def _cut_depth(self) -> int:
        return self.rules.shuffle.cut(self._shoe.size)

    def _shuffle(self) -> None:
        try:
            self._shoe.shuffle(self.rules.burn)
        except ValueError as error:
            raise ShoeExhausted(str(error)) from None

    # ------------------------------------------------------------ looking back and around

    @property
    def settlement(self) -> Settlement | None:
        """How the last round ended, per box and hand; None while a round runs or once it is cleared."""
        if self._settlement is None and not self._cleared and self._round.phase == _DONE:
            self._settlement = self._make_settlement()
        return self._settlement

    def _make_settlement(self) -> Settlement:
        core = self._round
        boxes = []
        for box in range(self.rules.boxes):
            hands = []
            for hand in range(core.hand_count(box)):
                stake, returned, _, _, outcome, *_rest = core.hand_state(box, hand)
                cards = tuple([CARDS[c] for c in core.hand_cards(box, hand)])
                hands.append(HandResult(cards, stake, OUTCOMES[outcome], returned))
            _, insurance, back = core.box_state(box)
            player = self._round_owners[box] if hands else None
            boxes.append(BoxResult(box, player, tuple(hands), insurance, back))
        dealer = tuple([CARDS[c] for c in core.dealer()])
        return Settlement(tuple(boxes), dealer, len(self._shoe.round_cards()))

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything since the table was last cleared: bets, cards, decisions, settlement."""
        result: list[Event] = list(self._bet_events)
        if self._logs and self._shuffled:
            result.append(Shuffled(in_round=False))
        for log in self._logs:
            result += read_log(log)
        return tuple(result)

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Call `callback` with every event from now on; the answer, called, ends that.

        A callback sees the table after the call that made the event; what it raises goes to that
        call's caller, with the table's state already complete.
        """
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    def _publish(self, events: list[Event]) -> None:
        for event in events:
            for callback in tuple(self._subscribers):
                callback(event)

    def record(self) -> dict[str, object]:
        """The finished round as a round file (see blackjack.history).

        Raises:
            BlackjackError: no round is finished; a running one would tell the hole card.
        """
        if self._round.phase != _DONE:
            raise BlackjackError("no finished round to record")
        from blackjack.history import record_of

        if self._last_record is None:
            self._last_record = record_of(
                self.rules,
                [self._round.box_state(box)[0] for box in range(self.rules.boxes)],
                [CARDS[c] for c in self._shoe.round_cards()],
                self._actions,
            )
        return self._last_record

    def view(self, player: str | None = None) -> TableView:
        """The table as a player sees it; on a public table without a name, as a bystander does."""
        core, layout = self._round, self._layout
        if player is None and not self._shared:
            player = next(iter(self._wallets))
        on_table = not self._cleared
        boxes = []
        for box in range(self.rules.boxes):
            hands = []
            for hand in range(core.hand_count(box) if on_table else 0):
                stake, _, total, soft, outcome, *_rest = core.hand_state(box, hand)
                cards = tuple([CARDS[c] for c in core.hand_cards(box, hand)])
                hands.append(HandView(cards, total, soft, stake, OUTCOMES[outcome]))
            bet, insurance, _ = core.box_state(box) if on_table else (0, 0, 0)
            owner = layout.owners[box] or (self._round_owners[box] if hands else None)
            boxes.append(BoxView(layout.bets[box] or bet, owner, insurance, tuple(hands)))
        open_cards, hidden = core.dealer_visible() if on_table else (b"", False)
        return TableView(
            phase=self.phase,
            player=player,
            balance=None if player is None else self.balance(player),
            boxes=tuple(boxes),
            dealer=tuple([CARDS[c] for c in open_cards]),
            hole_card=hidden,
            turn=self.turn,
            settlement=self.settlement,
            controls=self.controls,
            rules_fingerprint=self.rules.fingerprint,
            cards_left=self.shoe_left,
        )

    _round_owners: tuple[str | None, ...] = ()

    def __repr__(self) -> str:
        name = self.rules.name or self.rules.fingerprint
        source = "stacked" if self._shoe.source is None else self._shoe.source.name
        kind = "seeded" if self.seeded else "not seeded"
        return f"<Table {name}: {self.phase}, {kind}, {SHUFFLE_ID} by {source}>"


def _make_shoe(
    rules: Rules, seed: int | None, key: bytes | None, words: bytes | None, cards: CardsLike | None
) -> Shoe:
    given = [n for n, v in (("seed", seed), ("key", key), ("words", words), ("cards", cards)) if v is not None]
    if len(given) > 1:
        raise TypeError(f"expected at most one of seed, key, words and cards, got {' and '.join(given)}")
    if cards is not None:
        return Shoe(bytes(c.code for c in parse_cards(cards)))
    if seed is not None:
        source = Source(seed=seed)
    elif words is not None:
        source = Source(data=words)
    else:
        source = Source(key=os.urandom(32) if key is None else key)
    return Shoe(rules.shoe_cards, source, infinite=rules.decks is None)


def _make_wallets(
    rules: Rules, balance: int | None, players: Mapping[str, int | None] | None
) -> dict[str, Wallet]:
    if players is None:
        return {PLAYER: Wallet(PLAYER, balance)} if rules.private or balance is not None else {}
    if balance is not None:
        raise TypeError("expected either balance or players, got both")
    if rules.private and len(players) != 1:
        raise BetError(f"expected one player at a private table, got {len(players)}")
    if len(players) > rules.boxes:
        raise BetError(f"expected at most {rules.boxes} players, one per box, got {len(players)}")
    return {str(name): Wallet(str(name), money) for name, money in players.items()}


def _why_not_betting(table: Table) -> str | None:
    return "a round is running" if table._round.phase in _IN_ROUND else None


def _why_not_deal(table: Table) -> str | None:
    return _why_not_betting(table) or table._layout.problem()


def _why_not_clear(table: Table) -> str | None:
    return _why_not_betting(table) or (None if table._layout.count() else "no bets")


def _why_not_repeat(table: Table) -> str | None:
    return _why_not_betting(table) or table._layout.why_not_repeat(None)


def _why_not_new_game(table: Table) -> str | None:
    if table._shared:
        return "a public table clears itself"
    return _why_not_betting(table)


CONTROLS: dict[str, Callable[[Table], str | None]] = {
    "bet": _why_not_betting,
    "add_chip": _why_not_betting,
    "take_back": _why_not_clear,
    "clear": _why_not_clear,
    "deal": _why_not_deal,
    "repeat": _why_not_repeat,
    "new_game": _why_not_new_game,
    "leave": _why_not_betting,
}
"""Why each control is not active; None when it is."""
