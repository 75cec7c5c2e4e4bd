"""The table's hot path, and the small immutable values it hands out at every decision.

Lives here: `Desk` (bets on boxes, balances, deal, act, turn), `Turn`, `HandView`. Not here: limits and
who may bet where (blackjack.layout), messages (blackjack.table), the round (machine). Where a call is
not the plain one, the methods marked "for the facade" decide; `blackjack.Table` overrides them.
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport INT64_MAX
from .hand cimport is_soft
from .machine cimport *
from .round cimport RISKY
from .shoe cimport SHOE_FINITE

MAX_BET = 2**53

cdef enum:
    FULL_BALANCE_SHIFT = 62

cdef int64_t LARGEST_BET = <int64_t>1 << 53

# The facade's words for codes, set once by `name_codes` when blackjack is imported.
cdef tuple CARDS = ()
cdef tuple ACTIONS_BY_CODE = ()
cdef tuple ACTION_SETS = ()
cdef tuple OUTCOMES = ()
cdef object STAND_ACTION = None
cdef object DECLINE_ACTION = None


def name_codes(cards, actions, action_sets, outcomes):
    """Give card, action and outcome codes their names: tuples indexed by code (masks for the sets)."""
    global CARDS, ACTIONS_BY_CODE, ACTION_SETS, OUTCOMES, STAND_ACTION, DECLINE_ACTION
    if len(cards) != 52 or len(actions) != 8 or len(action_sets) != 256 or len(outcomes) != 9:
        raise ValueError("expected 52 cards, 8 actions, 256 sets of actions and 9 outcomes")
    CARDS, ACTIONS_BY_CODE, ACTION_SETS, OUTCOMES = tuple(cards), tuple(actions), tuple(action_sets), tuple(outcomes)
    STAND_ACTION, DECLINE_ACTION = ACTIONS_BY_CODE[STAND], ACTIONS_BY_CODE[DECLINE]


cdef class HandView:
    """HandView(cards, total, soft, stake, outcome)
    --

    A player's hand as it lies: its cards in dealt order, the best total and whether an ace counts 11 in
    it, what is staked on it (doubles included), and its outcome (`Outcome.OPEN` until it is settled).
    Immutable, hashable, compared by value.
    """
    def __init__(self, cards, int total, bint soft, stake, outcome):
        self.cards = tuple(cards)
        self.total = total
        self.soft = soft
        self.stake = stake
        self.outcome = outcome

    cdef tuple _key(self):
        return self.cards, self.total, self.soft, self.stake, self.outcome

    def to_dict(self):
        """The hand as JSON values."""
        return {"cards": " ".join([str(c) for c in self.cards]), "total": self.total, "soft": self.soft,
                "stake": self.stake, "outcome": str(self.outcome)}

    def __eq__(self, other):
        return isinstance(other, HandView) and self._key() == (<HandView>other)._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"<HandView {' '.join([str(c) for c in self.cards])}: {self.total}>"

    def __reduce__(self):
        return HandView, self._key()


cdef HandView view_of(const HandState* h):
    cdef HandView view = HandView.__new__(HandView)
    cdef int i
    cdef list cards = []
    for i in range(h.n):
        cards.append(CARDS[h.cards[i]])
    view.cards = tuple(cards)
    view.total = total_of(h)
    view.soft = is_soft(h.points, h.ace)
    view.stake = h.stake
    view.outcome = OUTCOMES[h.outcome]
    return view


cdef class Turn:
    """Turn(box, hand_index, mask, offer, hand, upcard_code, player)
    --

    Who must decide, and between what. Immutable, hashable, compared by value.
    """
    def __init__(self, int box, int hand_index, int mask, bint offer, HandView hand not None, int upcard, str player):
        if not 0 <= mask < 256 or not 0 <= upcard < 52:
            raise ValueError("expected a mask of actions and a card code")
        self.box = box
        self.hand_index = hand_index
        self.mask = mask
        self.offer = offer
        self.hand = hand
        self.up = upcard
        self.player = player

    @property
    def actions(self):
        """The legal actions, those the player can pay for, as a frozenset."""
        return ACTION_SETS[self.mask]

    @property
    def passive(self):
        """What silence means: `STAND` in play, `DECLINE` at an offer."""
        return DECLINE_ACTION if self.offer else STAND_ACTION

    @property
    def upcard(self):
        """The dealer's upcard."""
        return CARDS[self.up]

    cdef tuple _key(self):
        return self.box, self.hand_index, self.mask, self.offer, self.hand, self.up, self.player

    def to_dict(self):
        """The turn as JSON values."""
        return {"box": self.box, "hand_index": self.hand_index, "player": self.player,
                "hand": self.hand.to_dict(), "upcard": str(self.upcard), "offer": self.offer,
                "actions": sorted([str(a) for a in self.actions])}

    def __eq__(self, other):
        return isinstance(other, Turn) and self._key() == (<Turn>other)._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        cards = " ".join([str(c) for c in self.hand.cards])
        actions = ", ".join(sorted([str(a) for a in self.actions]))
        return f"<Turn box {self.box} hand {self.hand_index}: {cards} against {self.upcard} ({actions})>"

    def __reduce__(self):
        return Turn, self._key()


cdef class Desk:
    """Desk(rules, shoe, players, balances)
    --

    Boxes, bets, balances and the round. `players` are names, `balances` ints or None (without limit).
    """
    def __cinit__(self, rules, Shoe shoe not None, list players not None, list balances not None):
        cdef int box
        self._round = Round(rules, shoe)
        self._round.log_on()
        self._shoe = shoe
        self._players = players
        self._balances = balances
        self.boxes = rules.fields["boxes"]
        self._cleared = True
        self._plain = False
        self._bet_low, self._bet_high, self._bet_unit = 1, LARGEST_BET, 1
        self._shuffle_depth = 2**30
        self._shuffle_left = 0
        self.bet_log = []
        self._told = 0
        self.actions_done = []
        self.bets = <int64_t*>PyMem_Calloc(2 * self.boxes, sizeof(int64_t))
        self.owners = <int*>PyMem_Calloc(2 * self.boxes, sizeof(int))
        self.funds_before = <int64_t*>PyMem_Calloc(self.boxes, sizeof(int64_t))
        if self.bets == NULL or self.owners == NULL or self.funds_before == NULL:
            raise MemoryError
        self.last_bets = self.bets + self.boxes
        self.last_owners = self.owners + self.boxes
        for box in range(2 * self.boxes):
            self.owners[box] = -1

    def __dealloc__(self):
        PyMem_Free(self.bets)
        PyMem_Free(self.owners)
        PyMem_Free(self.funds_before)

    # -- for the facade: overridden there

    def _bet(self, box, amount, player):
        """Any bet that is not the plain one."""
        raise NotImplementedError

    def _refuse_deal(self):
        """Raise if the bets cannot be dealt to."""

    def _refuse_act(self, action, amount, player, code):
        """Raise for an action that is refused, or return (code, amount) of one given in another form."""
        raise NotImplementedError

    def _out_of_cards(self):
        raise LookupError("the shoe is empty")

    def _heard(self, log, bint dealt):
        """Tell the subscribers what a call did."""

    def _settled(self):
        """A round is over and paid."""

    # -- bets

    cdef int _find_box(self, object box) except -1:
        if isinstance(box, bool) or not isinstance(box, int) or not 0 <= box < self.boxes:
            raise IndexError(f"no box {box!r}")
        return box

    def _bet_on(self, box):
        """The bet on a box."""
        return self.bets[self._find_box(box)]

    def _owner_of(self, box):
        """The player who bets on a box, or None."""
        cdef int owner = self.owners[self._find_box(box)]
        return None if owner < 0 else self._players[owner]

    def _last_bet(self, box):
        """(player's number, bet) of a box in the last round; (-1, 0) for none."""
        cdef int b = self._find_box(box)
        return self.last_owners[b], self.last_bets[b]

    def _put_bet(self, box, amount, int player):
        """Set a box's bet and move the difference to or from the player's balance. No checks but these."""
        cdef int b = self._find_box(box)
        cdef int64_t a = amount
        cdef object balance = self._balances[player]
        if not 0 <= a <= LARGEST_BET:
            raise ValueError(f"expected a bet from 0 to {MAX_BET}, got {amount}")
        if balance is not None:
            balance = balance + self.bets[b] - amount
            if balance < 0:
                raise ValueError("expected no more than the balance")
            self._balances[player] = balance
        self.bets[b] = a
        self.owners[b] = player if a else -1
        self._uncover()
        self.bet_log.append((b, amount, self._players[player]))

    cdef int _uncover(self) except -1:
        """The last round goes off the table when the first bet for the next one is made."""
        if not self._cleared or self._stale:
            self._clear_round()
        return 0

    def _clear_round(self):
        """Take a finished round off the table."""
        if self._round.r.phase == OFFERS or self._round.r.phase == PLAY:
            raise RuntimeError("a round is running")
        self._cleared = True
        self._stale = False
        self.bet_log = []
        self._told = 0

    def _clear_itself(self):
        """A public table clears itself after a round; its settlement and events stay readable."""
        self._cleared = True
        self._stale = True

    def _remove_player(self, int player):
        """Take a player (who has no bets) off the list, between rounds; the answer is the balance."""
        cdef int box
        if self._round.r.phase == OFFERS or self._round.r.phase == PLAY:
            raise RuntimeError("a round is running")
        for box in range(self.boxes):
            if self.owners[box] == player:
                raise RuntimeError("the player has bets")
            if self.owners[box] > player:
                self.owners[box] -= 1
            if self.last_owners[box] == player:
                self.last_owners[box] = -1
                self.last_bets[box] = 0
            elif self.last_owners[box] > player:
                self.last_owners[box] -= 1
        self._players.pop(player)
        return self._balances.pop(player)

    def bet(self, box, amount, *, player=None):
        """Set a box's bet (it does not add). On a settled table this clears the last round.

        Raises:
            BetError: not an int, outside the limits or steps, no such box, someone else's box, a round
                is running. InsufficientFunds: more than the player has.
        """
        cdef int64_t a
        cdef long b
        cdef int phase = self._round.r.phase
        if (self._plain and player is None and phase != OFFERS and phase != PLAY
                and PyLong_CheckExact(box) and PyLong_CheckExact(amount)):
            balance = self._balances[0]
            if 0 <= box < self.boxes and self._bet_low <= amount <= self._bet_high and amount % self._bet_unit == 0:
                b = box
                a = amount
                if balance is not None:
                    balance = balance + self.bets[b] - a
                    if balance < 0:
                        self._bet(box, amount, player)
                        return
                    self._balances[0] = balance
                self.bets[b] = a
                self.owners[b] = 0
                if not self._cleared:
                    self._cleared = True
                    self.bet_log = []
                    self._told = 0
                self.bet_log.append((b, amount, self._players[0]))
                if self.heard:
                    self._heard(None, False)
                return
        self._bet(box, amount, player)

    # -- the round

    def _listen(self, bint on):
        """Whether `_heard` is to be called after every call."""
        self.heard = on

    def deal(self):
        """Deal a round to the bets on the layout, shuffling first where the house does.

        Raises:
            BetError: the bets are not valid. IllegalAction: a round is running. ShoeExhausted: a
                stacked shoe has not enough cards.
        """
        if not self._plain_bets():
            self._refuse_deal()
        if self._start() < 0:
            self._out_of_cards()
            return
        if self.heard:
            self._heard(self._round.log_bytes(), True)

    cdef bint _plain_bets(self):
        """Whether a deal needs no more looking at: some bet, and every bet within the limits."""
        cdef int box
        cdef bint some = False
        if not self._plain or self._round.r.phase == OFFERS or self._round.r.phase == PLAY:
            return False
        for box in range(self.boxes):
            if self.bets[box]:
                some = True
                if self.bets[box] < self._bet_low or self.bets[box] % self._bet_unit:
                    return False
        return some

    cdef int _start(self) except -2:
        """Shuffle where it is due, hand the bets to the round and deal; -1, and nothing changed, when
        there are not enough cards (or words to shuffle them)."""
        cdef Round core = self._round
        cdef int box, player, n = self.boxes
        cdef bint old_shuffled = self._shuffled
        cdef object balance
        cdef object old_shoe = None
        cdef list old_bets = None
        self._shuffled = False
        if self._shoe.s.kind == SHOE_FINITE and (
                self._shoe.s.pos >= self._shuffle_depth or self._shoe.s.pos == self._shoe.s.size
                or self._shoe.s.size - self._shoe.s.pos < self._shuffle_left):
            if len(self._shoe.full) - self._burn < 2 * n + RISKY:
                old_shoe = self._shoe.state()
            if self._shoe.reshuffle(self._burn):
                self._shuffled = old_shuffled
                return -1
            self._shuffled = True
        if core._may_lack(2 * n + RISKY):
            old_bets = [core.r.boxes[box].bet for box in range(n)]
        for box in range(n):
            core.r.boxes[box].bet = self.bets[box]
            core.r.boxes[box].account = self.owners[box] if self.owners[box] > 0 else 0
            core.r.funds[box] = INT64_MAX
        for player in range(<int>min(n, len(self._balances))):
            balance = self._balances[player]
            if balance is not None and balance < <int64_t>1 << FULL_BALANCE_SHIFT:
                core.r.funds[player] = balance
            self.funds_before[player] = core.r.funds[player]
        if core.deal() < 0:
            self._shuffled = old_shuffled
            if old_shoe is not None:
                self._shoe.restore(old_shoe)
            for box in range(n):
                core.r.boxes[box].bet = old_bets[box]
            return -1
        self._cleared = self._stale = False
        self.turn_now = None
        self.actions_done = []
        if core.r.phase == DONE:
            self._settle()
        return 0

    def act(self, action, *, amount=None, player=None):
        """Do an action for the hand whose turn it is.

        Args:
            action: an `Action` or its name.
            amount: the part of a double or an insurance, where the rules allow one; None: in full.
            player: who acts. A public table wants it; only the owner of the box whose turn it is may act.

        Raises:
            IllegalAction: with the reason and what is legal. ShoeExhausted: no card is left anywhere.
        """
        cdef int code, reason
        cdef int64_t part = 0
        for code in range(8):
            if ACTIONS_BY_CODE[code] is action:
                break
        else:
            code = -1
        if code < 0 or amount is not None or player is not None or not self._single:
            code, part = self._refuse_act(action, amount, player, -1)
        reason = self._round.do(code, part)
        if reason > 0:
            self._refuse_act(action, amount, player, reason)
            raise RuntimeError("the facade must refuse")
        if reason < 0:
            self._out_of_cards()
            return
        self.actions_done.append(<object>code if part == 0 else <object>(code, part))
        self.turn_now = None
        if self._round.r.phase == DONE:
            self._settle()
        if self.heard:
            self._heard(self._round.log_bytes(), False)

    cdef int _settle(self) except -1:
        """Pay the boxes and take the bets off the layout."""
        cdef Round core = self._round
        cdef int box, player
        cdef object balance
        for player in range(<int>min(self.boxes, len(self._balances))):
            balance = self._balances[player]
            if balance is not None and self.funds_before[player] != INT64_MAX:
                self._balances[player] = balance - (self.funds_before[player] - core.r.funds[player])
            elif balance is not None:
                self._balances[player] = balance - self._staked_inside(player)
        for box in range(self.boxes):
            self.last_bets[box] = self.bets[box]
            self.last_owners[box] = self.owners[box]
            if self.owners[box] >= 0:
                balance = self._balances[self.owners[box]]
                if balance is not None:
                    self._balances[self.owners[box]] = balance + core.box_returned(box)
                self.bets[box] = 0
                self.owners[box] = -1
        self._settled()
        return 0

    def _staked_inside(self, int player):
        """What a player with a balance beyond counting staked on doubles, splits and insurance."""
        total = 0
        for box, (staked, _) in enumerate(self._round.totals()):
            if self.owners[box] == player:
                total += staked - self.bets[box]
        return total

    @property
    def turn(self):
        """Who must decide (a `Turn`), or None when nobody must."""
        cdef Round core = self._round
        cdef Turn turn
        cdef int owner
        if self.turn_now is None:
            if core.r.phase != OFFERS and core.r.phase != PLAY:
                return None
            turn = Turn.__new__(Turn)
            turn.box = core.r.box
            turn.hand_index = core.r.hand
            turn.mask = core.r.legal
            turn.offer = core.r.phase == OFFERS
            turn.hand = view_of(hand_of(&core.r, core.r.box, core.r.hand))
            turn.up = round_upcard(&core.r)
            owner = self.owners[core.r.box]
            turn.player = self._players[owner if owner > 0 else 0]
            self.turn_now = turn
        return self.turn_now

    def _hand_view(self, int box, int hand):
        """A hand of the round on the table as a `HandView`."""
        return view_of(self._round._hand(box, hand))

    def _balance_now(self, int player):
        """A player's balance, what is staked in the running round already taken off."""
        cdef Round core = self._round
        balance = self._balances[player]
        if balance is None or (core.r.phase != OFFERS and core.r.phase != PLAY):
            return balance
        if player < self.boxes and self.funds_before[player] != INT64_MAX:
            return balance - (self.funds_before[player] - core.r.funds[player])
        return balance - self._staked_inside(player)

    def _kept(self):
        """Everything a table must keep to go on where it stands, as nested tuples. Secret."""
        n = self.boxes
        return (list(self._players), list(self._balances), [self.bets[i] for i in range(2 * n)],
                [self.owners[i] for i in range(2 * n)], [self.funds_before[i] for i in range(n)],
                bool(self._cleared), bool(self._stale), bool(self._shuffled), list(self.bet_log),
                list(self.actions_done), self._round.log_bytes(True), self._round.state())

    def _restore_kept(self, kept):
        """Go back to what `_kept` gave, under the same rules, version and platform."""
        (players, balances, bets, owners, funds, cleared, stale, shuffled, bet_log, actions, log,
         core) = kept
        n = self.boxes
        if len(bets) != 2 * n or len(owners) != 2 * n or len(funds) != n or len(players) != len(balances):
            raise ValueError("the table's state does not fit these rules")
        if (not all([-1 <= owner < len(players) for owner in owners])
                or not all([0 <= bet <= LARGEST_BET for bet in bets])
                or not all([0 <= left <= INT64_MAX for left in funds])
                or not all([isinstance(name, str) for name in players])
                or not all([b is None or (isinstance(b, int) and b >= 0) for b in balances])):
            raise ValueError("the table's state is none of these rules")
        bet_log = [(int(box), int(amount), str(name)) for box, amount, name in bet_log]
        done = []
        for action in actions:
            code, part = (action, 0) if isinstance(action, int) else action
            if not 0 <= code < 8 or part < 0:
                raise ValueError("the table's actions are none")
            done.append(code if isinstance(action, int) else (code, part))
        self._round.restore(core)
        self._round.restore_log(log)
        self._players[:] = players
        self._balances[:] = balances
        for i in range(2 * n):
            self.bets[i] = bets[i]
            self.owners[i] = owners[i]
        for i in range(n):
            self.funds_before[i] = funds[i]
        self._cleared, self._stale, self._shuffled = cleared, stale, shuffled
        self.bet_log = bet_log
        self.actions_done = done
        self.turn_now = None

    def _done_actions(self):
        """The actions of this round, as (code, part amount or 0)."""
        return [(a, 0) if isinstance(a, int) else a for a in self.actions_done]

    def _bet_changes(self):
        """Bets made since the table was cleared, as (box, amount, player's name)."""
        return list(self.bet_log)
