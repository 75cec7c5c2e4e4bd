"""The table: what a front end embeds.

Lives here: `Table`, from bets over decisions to settlement, its shoe and its players' money. Not here:
the rules of a round (blackjack_core.machine), the plain calls' hot path (blackjack_core.desk), limits
and rights over boxes (layout), what is handed out (views, events), round files (history).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from blackjack._arguments import function
from blackjack._opening import make_players, make_shoe, sealed, unsealed
from blackjack.actions import ACTION_SETS, ACTIONS, OUTCOMES, PHASES, Action, Phase
from blackjack.cards import CARDS, CardsLike
from blackjack.errors import (
    REASONS,
    BetError,
    BlackjackError,
    HistoryError,
    IllegalAction,
    ShoeExhausted,
)
from blackjack.layout import Layout
from blackjack.rules import Rules, RulesLike
from blackjack.wallet import MAX_BET, checked_balance
from blackjack_core.desk import Desk, name_codes
from blackjack_core.shoe import SHUFFLE_ID

if TYPE_CHECKING:
    from blackjack.events import BetChanged, Event
    from blackjack.views import Settlement, TableView

# Views, events and round files are imported where they are made, so that `import blackjack` is quick.

__all__ = ["Table"]

name_codes(CARDS, ACTIONS, ACTION_SETS, OUTCOMES)

_RUNNING = (1, 2)  # phase codes of offers and play
_DONE = 3


class Table(Desk):
    """A blackjack table: a shoe, boxes, players' balances, one round after another.

    >>> table = Table("vegas_strip", cards="Ts 6d Kh 9c 5d", balance=1000)
    >>> table.bet(box=0, amount=50)
    >>> table.deal()
    >>> table.turn
    <Turn box 0 hand 0: Ts Kh against 6d (double, hit, split, stand, surrender)>
    >>> table.act(Action.STAND)
    >>> table.settlement.net, table.balance()
    (0, 1000)

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

    `bet`, `deal`, `act` and `turn` come from the compiled `blackjack_core.desk.Desk`. One thread at a
    time. Amounts are ints in the smallest unit the caller deals in. Every refused call raises a
    `BlackjackError` and changes nothing.
    """

    rules: Rules
    seeded: bool
    records: list[dict[str, object]] | None

    def __new__(
        cls,
        rules: RulesLike,
        *,
        seed: int | None = None,
        key: bytes | None = None,
        words: bytes | None = None,
        cards: CardsLike | None = None,
        balance: int | None = None,
        players: Mapping[str, int | None] | None = None,
        record: bool = False,
    ) -> Table:
        """Open a table."""
        game = Rules.of(rules)
        shoe = make_shoe(game, seed, key, words, cards)
        names, balances = make_players(game, balance, players)
        table = super().__new__(cls, game.compiled, shoe, names, balances)
        table.rules = game
        table.seeded = seed is not None
        table.records = [] if record else None
        table._layout = Layout(game, table)
        table._subscribers = []
        table._settlement = None
        table._single = game.private
        table._layout.teach()
        table._burn = game.burn
        table._set_shuffle(1)
        return table

    _layout: Layout
    _subscribers: list[Callable[[Event], None]]
    _settlement: Settlement | None

    # ------------------------------------------------------------ the state

    @property
    def phase(self) -> Phase:
        """Where the table stands: betting, offers, play, settled."""
        return Phase.BETTING if self._cleared else PHASES[self._round.phase]

    @property
    def bets(self) -> tuple[int, ...]:
        """The bet on each box for the running or coming round."""
        return tuple(self._layout.bets())

    @property
    def owners(self) -> tuple[str | None, ...]:
        """Who bets on each box."""
        return tuple(self._layout.owners())

    @property
    def players(self) -> tuple[str, ...]:
        """The players at the table."""
        return tuple(self._players)

    def balance(self, player: str | None = None) -> int | None:
        """What a player has besides what lies on the table; None without limit."""
        return self._balance_now(self._layout.player(player))

    @property
    def shoe_left(self) -> int | None:
        """Cards still to come (before the first shuffle all of the shoe); None for an infinite shoe.

        >>> Table("las_vegas").shoe_left
        52
        """
        if self._shoe.infinite:
            return None
        return self._shoe.size if self._shoe.unshuffled else self._shoe.left

    # ------------------------------------------------------------ betting

    def _bet(self, box: object, amount: object, player: str | None) -> None:
        self._between_rounds()
        self._layout.set_bet(box, amount, player)
        self._tell_bets()

    def add_chip(self, box: int, chip: int, *, player: str | None = None) -> None:
        """Put one more chip on a box. The limits' lower end is looked at only by `deal`.

        Raises:
            BetError, InsufficientFunds: as `bet`; also a chip that this table has not.
        """
        self._between_rounds()
        self._layout.add_chip(box, chip, player)
        self._tell_bets()

    def take_back(self, box: int, *, player: str | None = None) -> int:
        """Take the last chip (or the bet that was set at once) back from a box; its amount.

        Raises:
            BetError: there is none, or it is someone else's box.
        """
        self._between_rounds()
        chip = self._layout.take_back(box, player)
        self._tell_bets()
        return chip

    def clear(self, box: int | None = None, *, player: str | None = None) -> None:
        """Take back the bet of a box, or all bets of a player.

        Raises:
            BetError: there is nothing to take back, or it is someone else's box.
        """
        self._between_rounds()
        self._layout.clear(box, player)
        self._tell_bets()

    def repeat(self, *, player: str | None = None) -> None:
        """Bet what this player bet in the last round, on the same boxes.

        Raises:
            BetError, InsufficientFunds: there is no last round, or the bets cannot be made again.
        """
        self._between_rounds()
        self._layout.repeat(player)
        self._tell_bets()

    def new_game(self) -> None:
        """Clear bets and cards away (private tables; public ones clear themselves).

        Raises:
            IllegalAction: on a public table, or while a round is running.
        """
        why = _why_not_new_game(self)
        if why is not None:
            raise IllegalAction("new_game", why, self._legal())
        self._layout.clear_all()
        self._tell_bets()
        self._clear_round()

    def join(self, player: str, balance: int | None = None) -> None:
        """Let a player come to a public table.

        Raises:
            BetError: the table is private or full, a round is running, the name is taken, or the
                balance is no amount.
        """
        if self.rules.private:
            raise BetError("a private table has one player")
        self._between_rounds()
        if not isinstance(player, str) or not player or player in self._players:
            raise BetError(f"expected a new player's name, got {player!r}")
        if len(self._players) >= self.rules.boxes:
            raise BetError(f"expected at most {self.rules.boxes} players, one per box")
        money = checked_balance(balance)
        self._players.append(player)
        self._balances.append(money)

    def leave(self, player: str | None = None) -> int | None:
        """Go back to the lobby: bets on the layout return; the answer is the player's balance.

        Raises:
            BetError: no such player. IllegalAction: a round is running.
        """
        number = self._layout.player(player)
        if self._round.phase in _RUNNING:
            raise IllegalAction("leave", "a round is running", self._legal())
        self._layout.clear_all(self._players[number])
        self._tell_bets()
        if self.rules.private:
            self._clear_round()
            return self._balances[number]
        return self._remove_player(number)

    def _between_rounds(self) -> None:
        if self._round.phase in _RUNNING:
            raise BetError("a round is running: bets are made between rounds")

    # ------------------------------------------------------------ the round

    def _refuse_deal(self) -> None:
        """Raise if there can be no deal now; called by the desk unless the bets are plainly right."""
        if self._round.phase in _RUNNING:
            raise IllegalAction("deal", "a round is running", self._legal())
        problem = self._layout.problem()
        if problem is not None:
            raise BetError(problem)
        if self.rules.shuffle.kind == "exhaust":
            self._set_shuffle(sum(1 for bet in self._layout.bets() if bet))

    def _refuse_act(
        self, action: object, amount: object, player: str | None, code: int
    ) -> tuple[int, int]:
        """The action's code and part amount; raise if it cannot be one, or for a reason's code."""
        if code > 0:
            raise IllegalAction(str(action), REASONS[code], self._legal())
        known = self._action(action)
        if player is not None or not self.rules.private:
            turn, number = self.turn, self._layout.player(player)
            if turn is not None and turn.player != self._players[number]:
                raise IllegalAction(str(known), f"it is the turn of {turn.player}", self._legal())
        return known.code, 0 if amount is None else self._part(known, amount)

    def _action(self, action: object) -> Action:
        try:
            return Action(action)  # type: ignore[arg-type]
        except ValueError:
            raise IllegalAction(action, REASONS[30], self._legal()) from None

    def _part(self, action: Action, amount: object) -> int:
        if isinstance(amount, bool) or not isinstance(amount, int) or not 1 <= amount <= MAX_BET:
            why = f"expected an amount as an int from 1 to {MAX_BET}, got {amount!r}"
            raise IllegalAction(str(action), why, self._legal())
        unit = self.rules.exact_unit if self.rules.rounding == "exact" else 1
        if amount % unit:
            why = f"expected an amount that is a multiple of {unit} (these rules pay exactly), got {amount}"
            raise IllegalAction(str(action), why, self._legal())
        return int(amount)

    def _out_of_cards(self) -> NoReturn:
        source = self._shoe.source
        if source is not None and source.name == "bytes":
            raise ShoeExhausted(
                "expected more cards, but the shoe or the random words have run out"
            )
        raise ShoeExhausted(
            f"expected more cards, but the shoe and its discards have not enough ({self._shoe.left} left)"
        )

    def _legal(self) -> list[str]:
        turn = self.turn
        return [] if turn is None else [str(a) for a in turn.actions]

    def why_not(self, action: Action | str) -> str | None:
        """Why an action or a control is not legal now; None when it is.

        >>> Table("las_vegas", balance=10).why_not("deal")
        'no bets'
        """
        if isinstance(action, str) and action in CONTROLS:
            return CONTROLS[action](self)
        try:
            code = Action(action).code
        except ValueError:
            return f"there is no such action as {action!r}"
        return REASONS[self._round.reason(code)] or None

    @property
    def controls(self) -> frozenset[str]:
        """The controls that are active now: bet, clear, take_back, deal, repeat, new_game, leave."""
        return frozenset(name for name, why in CONTROLS.items() if why(self) is None)

    def cost(self, action: Action | str) -> int:
        """What an action would stake in full (0 for those that cost nothing)."""
        return self._round.stake_of(self._action(action).code)

    def _settled(self) -> None:
        """Called by the desk when a round is over and paid."""
        self._settlement = None
        if self.records is not None:
            self.records.append(self.record())
        if not self.rules.private:
            self._settlement = self._make_settlement()
            self._clear_itself()

    # ------------------------------------------------------------ the shoe

    def _set_shuffle(self, boxes: int) -> None:
        """Tell the desk when to shuffle: at a depth in cards, or with fewer than so many left."""
        shuffle = self.rules.shuffle
        if shuffle.kind in ("every_round", "continuous"):
            self._shuffle_depth = 0
        elif shuffle.kind == "cut_card":
            self._shuffle_depth = shuffle.cut(self._shoe.size)
        elif shuffle.kind == "fewer_than":
            self._shuffle_left = int(shuffle.value or 0)
        else:
            from blackjack._capacity import round_capacity

            self._shuffle_left = min(round_capacity(self.rules, boxes), self._shoe.size)
            self._plain = False  # the number depends on the boxes bet: look at every deal

    # ------------------------------------------------------------ looking back and around

    @property
    def settlement(self) -> Settlement | None:
        """How the last round ended, per box and hand; None while a round runs or once it is cleared.

        A public table clears itself, and keeps its settlement readable until the next deal.
        """
        if self._round.phase != _DONE or (self._cleared and self.rules.private):
            return None
        if self._settlement is None:
            self._settlement = self._make_settlement()
        return self._settlement

    def _make_settlement(self) -> Settlement:
        from blackjack.views import BoxResult, HandResult, Settlement

        core = self._round
        boxes = []
        for box in range(self.rules.boxes):
            hands = []
            for hand in range(core.hand_count(box)):
                stake, returned, _, _, outcome, *_rest = core.hand_state(box, hand)
                cards = tuple([CARDS[c] for c in core.hand_cards(box, hand)])
                hands.append(HandResult(cards, stake, OUTCOMES[outcome], returned))
            _, insurance, back = core.box_state(box)
            owner = self._last_bet(box)[0]
            player = self._players[owner] if hands and owner >= 0 else None
            boxes.append(BoxResult(box, player, tuple(hands), insurance, back))
        dealer = tuple([CARDS[c] for c in core.dealer()])
        return Settlement(tuple(boxes), dealer, len(self._shoe.round_cards()))

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything since the table was last cleared: bets, cards, decisions, settlement."""
        from blackjack.events import Shuffled, read_log

        result: list[Event] = list(self._bet_events())
        if not self._cleared or self._stale:
            if self._shuffled:
                result.append(Shuffled(in_round=False))
            result += read_log(self._round.log_bytes(True))
        return tuple(result)

    def _bet_events(self) -> list[BetChanged]:
        from blackjack.events import BetChanged

        return [BetChanged(*change) for change in self._bet_changes()]

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Call `callback` with every event from now on; the answer, called, ends that.

        A callback sees the table after the call that made the event; what it raises goes to that
        call's caller, with the table's state already complete.
        """
        function("callback", callback)
        self._subscribers.append(callback)
        self._told = len(self._bet_changes())
        self._listen(True)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)
                self._listen(bool(self._subscribers))

        return unsubscribe

    def _heard(self, log: bytes | None, dealt: bool) -> None:
        """Called by the desk after a bet (log None), a deal or an action while somebody listens."""
        from blackjack.events import Shuffled, read_log

        if log is None:
            self._tell_bets()
            return
        if dealt:
            self._publish([Shuffled(in_round=False)] if self._shuffled else [])
        self._publish(list(read_log(log)))

    def _tell_bets(self) -> None:
        if self._subscribers:
            events = self._bet_events()
            told, self._told = self._told, len(events)
            self._publish(events[told:])

    def _publish(self, events: Sequence[Event]) -> None:
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

        return record_of(
            self.rules,
            [self._round.box_state(box)[0] for box in range(self.rules.boxes)],
            [CARDS[c] for c in self._shoe.round_cards()],
            [
                str(ACTIONS[a]) if not part else f"{ACTIONS[a]}:{part}"
                for a, part in self._done_actions()
            ],
        )

    def save(self) -> str:
        """The whole table as text, also in the middle of a round, to go on with `Table.load`.

        For the operator only: it tells every coming card. It belongs to this version and platform.

        >>> table = Table("goldfishka", seed=1)
        >>> table.bet(0, 10); table.deal()
        >>> Table.load(table.save()).view() == table.view()
        True
        """
        import json

        kept = {
            "version": 1,
            "rules": self.rules.to_dict(),
            "seeded": self.seeded,
            "desk": self._kept(),
            "source": None if self._shoe.source is None else self._shoe.source.name,
        }
        return sealed(json.dumps(kept, default=lambda b: {"hex": b.hex()}))

    @classmethod
    def load(cls, text: str) -> Table:
        """A table as `save` left it; subscribers and `records` are not kept.

        Raises:
            HistoryError: the text is not one of `save`, is damaged, or of another version.
        """
        try:
            kept = unsealed(text)
            if kept["version"] != 1:
                raise ValueError("another version")
            rules, desk = Rules.from_dict(kept["rules"]), kept["desk"]
            players = dict(zip(desk[0], desk[1], strict=True))
            stacked = kept["source"] is None
            table = cls(
                rules,
                players=players,
                cards=desk[-1][2][1] if stacked else None,
                seed=0 if kept["seeded"] else None,
            )
            table._restore_kept(desk)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            what = f"{type(error).__name__}: {error}"
            raise HistoryError(f"expected a text that `save` wrote, not changed: {what}") from None
        return table

    def view(self, player: str | None = None) -> TableView:
        """The table as a player sees it; on a public table without a name, as a bystander does."""
        from blackjack.views import BoxView, TableView

        if player is None and self.rules.private:
            player = self._players[0]
        core, shown = self._round, not self._cleared
        boxes = []
        for box in range(self.rules.boxes):
            hands = tuple(
                [self._hand_view(box, i) for i in range(core.hand_count(box) if shown else 0)]
            )
            bet, insurance, _ = core.box_state(box) if hands else (self._bet_on(box), 0, 0)
            owner = self._owner_of(box)
            if hands and owner is None:
                owner = self._players[self._last_bet(box)[0]]
            boxes.append(BoxView(bet, owner, insurance, hands))
        open_cards, hidden = core.dealer_visible() if shown else (b"", False)
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

    def __repr__(self) -> str:
        name = self.rules.name or self.rules.fingerprint
        source = "stacked" if self._shoe.source is None else self._shoe.source.name
        kind = "seeded" if self.seeded else "not seeded"
        return f"<Table {name}: {self.phase}, {kind}, {SHUFFLE_ID} by {source}>"


def _why_not_betting(table: Table) -> str | None:
    return "a round is running" if table._round.phase in _RUNNING else None


def _why_not_deal(table: Table) -> str | None:
    return _why_not_betting(table) or table._layout.problem()


def _why_not_clear(table: Table) -> str | None:
    return _why_not_betting(table) or (None if any(table.bets) else "no bets")


def _why_not_repeat(table: Table) -> str | None:
    if table._round.phase in _RUNNING:
        return "a round is running"
    return None if not table.rules.private else table._layout.why_not_repeat(None)


def _why_not_new_game(table: Table) -> str | None:
    return _why_not_betting(table) if table.rules.private else "a public table clears itself"


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
