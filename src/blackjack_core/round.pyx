"""The round, for Python.

Lives here: `Round`, codes in and codes out over the compiled state machine; its memory, its log, undo,
state. Not here: the rules (machine), words and messages (blackjack).
"""
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.stdint cimport INT64_MAX, uint8_t
from libc.string cimport memcpy, memset
from .hand cimport BJ_VALUE, is_soft
from .legality cimport legal_mask
from .machine cimport *
from .rng cimport RNG_BYTES, Rng
from .shoe cimport SHOE_STACKED, ShoeState, shoe_begin


cdef enum:
    MOST_POINTS = 31        # what tables of totals go up to


cdef bint cards_sound(const uint8_t* cards, int n, int points, int ace) noexcept nogil:
    """Whether cards are cards, and come to these points."""
    cdef int i, sum = 0, aces = 0
    if n > MAX_CARDS:
        return False
    for i in range(n):
        if cards[i] >= 52:
            return False
        sum += BJ_VALUE[cards[i]] + 1
        aces |= BJ_VALUE[cards[i]] == 0
    return sum == points and aces == ace and points <= MOST_POINTS


cdef bint box_sound(const RoundState* r, int box) noexcept nogil:
    """Whether a box's bytes can be one."""
    cdef const BoxState* b = &r.boxes[box]
    cdef const HandState* h
    cdef int hand
    if (b.bet < 0 or b.insurance < 0 or b.insurance_returned < 0 or b.account < 0
            or b.account >= r.rules.boxes or b.n_hands > r.rules.max_hands):
        return False
    for hand in range(b.n_hands):
        h = hand_of(r, box, hand)
        if (h.stake < 0 or h.returned < 0 or h.outcome > CHARLIE or (h.points > 21 and not h.closed)
                or not cards_sound(h.cards, h.n, h.points, h.ace)):
            return False
    return True


cdef bint round_sound(const RoundState* r) noexcept nogil:
    """Whether a state given back can be a round of these rules: nothing in it leads out of its memory."""
    cdef int box
    cdef bint deciding = r.phase == OFFERS or r.phase == PLAY
    if r.phase < IDLE or r.phase > DONE or r.offer_next < 0 or r.offer_next > r.rules.boxes:
        return False
    if not cards_sound(r.dealer, r.dealer_n, r.dealer_points, r.dealer_ace):
        return False
    for box in range(r.rules.boxes):
        if not box_sound(r, box):
            return False
    if not deciding:
        return r.legal == 0
    if not 0 <= r.box < r.rules.boxes or not 0 <= r.hand < r.boxes[r.box].n_hands or round_upcard(r) < 0:
        return False
    return (hand_of(r, r.box, r.hand).n >= 2 and not hand_of(r, r.box, r.hand).closed
            and r.legal != 0 and r.legal == legal_mask(r))


cdef bint log_sound(const LogEntry* e, Py_ssize_t n, int boxes) noexcept nogil:
    """Whether entries can be those of a round."""
    cdef Py_ssize_t i
    cdef int limit
    for i in range(n):
        limit = 255
        if e[i].kind == LOG_CARD or e[i].kind == LOG_DEALER_CARD or e[i].kind == LOG_REVEAL:
            limit = 51
        elif e[i].kind == LOG_ACTION:
            limit = ACTIONS - 1
        elif e[i].kind == LOG_SETTLED:
            limit = CHARLIE
        if e[i].kind == LOG_TURN and not 0 <= e[i].amount < 1 << ACTIONS:
            return False
        if not LOG_CARD <= e[i].kind <= LOG_DONE or e[i].value > limit or e[i].box >= boxes:
            return False
    return True


cdef class Round:
    """Round(rules, shoe)
    --

    One round after another on one shoe. Codes in, codes out; not safe for two threads at a time.
    Memory is taken once here, none while a round is played.
    """
    def __cinit__(self, RuleSet rules not None, Shoe shoe not None):
        cdef Py_ssize_t hands = rules.t.boxes * rules.t.max_hands
        # one hand to spare: a split moves the later hands up by one
        cdef Py_ssize_t at_boxes = (hands + 1) * sizeof(HandState)
        cdef Py_ssize_t at_funds = at_boxes + rules.t.boxes * sizeof(BoxState)
        memset(&self.r, 0, sizeof(RoundState))
        self.rules = rules
        self.shoe = shoe
        self.memory_size = at_funds + rules.t.boxes * sizeof(int64_t)
        self.memory = PyMem_Calloc(1, self.memory_size)
        self.log_step = <int>(4 * hands + 4 * rules.t.boxes + 64)
        self.backup = NULL
        if self.memory == NULL:
            raise MemoryError
        self.r.rules = &rules.t
        self.r.shoe = &shoe.s
        self.r.hands = <HandState*>self.memory
        self.r.boxes = <BoxState*>(<char*>self.memory + at_boxes)
        self.r.funds = <int64_t*>(<char*>self.memory + at_funds)

    def __dealloc__(self):
        PyMem_Free(self.memory)
        PyMem_Free(self.r.log)
        PyMem_Free(self.backup)

    # -- undo: a call that the shoe cannot serve changes nothing

    cdef Py_ssize_t _backup_size(self):
        return (self.memory_size + sizeof(RoundState) + sizeof(ShoeState) + sizeof(Rng)
                + self.shoe.capacity())

    cdef bint _may_run_dry(self):
        return self._may_lack(RISKY)

    cdef bint _may_lack(self, int cards):
        cdef ShoeState* s = &self.shoe.s
        return s.size - s.pos < cards or s.kind == SHOE_STACKED or s.rng.kind == RNG_BYTES

    cdef int _save(self) except -1:
        cdef char* to
        if self.backup == NULL:
            self.backup = PyMem_Malloc(self._backup_size())
            if self.backup == NULL:
                raise MemoryError
        to = <char*>self.backup
        memcpy(to, self.memory, self.memory_size)
        to += self.memory_size
        memcpy(to, &self.r, sizeof(RoundState))
        to += sizeof(RoundState)
        memcpy(to, &self.shoe.s, sizeof(ShoeState))
        to += sizeof(ShoeState)
        if self.shoe.s.rng != NULL:
            memcpy(to, self.shoe.s.rng, sizeof(Rng))
        to += sizeof(Rng)
        memcpy(to, self.shoe.s.cards, self.shoe.capacity())
        return 0

    cdef int _back(self) except -1:
        cdef char* to = <char*>self.backup
        cdef LogEntry* log = self.r.log     # may have moved since
        cdef int room = self.r.log_room
        memcpy(self.memory, to, self.memory_size)
        to += self.memory_size
        memcpy(&self.r, to, sizeof(RoundState))
        self.r.log = log
        self.r.log_room = room
        to += sizeof(RoundState)
        memcpy(&self.shoe.s, to, sizeof(ShoeState))
        to += sizeof(ShoeState)
        if self.shoe.s.rng != NULL:
            memcpy(self.shoe.s.rng, to, sizeof(Rng))
        to += sizeof(Rng)
        memcpy(self.shoe.s.cards, to, self.shoe.capacity())
        return 0

    # -- play

    def start(self, bets, accounts=None, funds=None):
        """Deal to `bets` (one amount per box, 0 for none).

        `accounts` names each box's account by number, `funds` what each account has left after its bets
        (None: without limit). LookupError, and nothing changed, when the shoe cannot serve the deal.
        """
        cdef int box, n = self.rules.t.boxes
        if self.r.phase == OFFERS or self.r.phase == PLAY:
            raise RuntimeError("a round is running")
        if len(bets) > n:
            raise ValueError(f"expected bets on at most {n} boxes, got {len(bets)}")
        if accounts is not None and (len(accounts) != n or not all([0 <= a < n for a in accounts])):
            raise ValueError(f"expected {n} accounts from 0 to {n - 1}, got {accounts!r}")
        if funds is not None and len(funds) > n:
            raise ValueError(f"expected funds of at most {n} accounts, got {len(funds)}")
        before = [self.r.boxes[box].bet for box in range(n)]
        try:
            for box in range(n):
                self.r.boxes[box].bet = bets[box] if box < len(bets) else 0
                self.r.boxes[box].account = accounts[box] if accounts is not None else 0
                self.r.funds[box] = INT64_MAX
            if funds is not None:
                for box in range(len(funds)):
                    self.r.funds[box] = INT64_MAX if funds[box] is None else funds[box]
            if self.deal() < 0:
                raise LookupError("the shoe is empty")
        except BaseException:
            for box in range(n):
                self.r.boxes[box].bet = before[box]
            raise

    cdef int deal(self) except -2:
        """Deal to the boxes' bets; -1, and nothing changed, when the shoe cannot serve the deal."""
        cdef int code, mark = self.log_mark
        cdef bint saved = self._may_lack(2 * self.rules.t.boxes + RISKY)
        if saved:
            self._save()
        if self.r.log_room:
            self.r.log_n = self.log_mark = 0
            self._log_room()
        shoe_begin(&self.shoe.s)
        code = round_start(&self.r)
        if code < 0 and saved:
            self._back()
            self.log_mark = mark
        return code

    cdef int do(self, int action, int64_t amount) except -2:
        """An action: 0, the reason that refuses it, or -1; nothing changed where it is not 0."""
        cdef int code, mark = self.log_mark
        cdef bint saved = self._may_run_dry()
        if saved:
            self._save()
        if self.r.log_room:
            self._log_room()
        code = round_apply(&self.r, action, amount)
        if code < 0 and saved:
            self._back()
        if code:
            self.log_mark = mark
        return code

    cpdef int apply(self, int action, int64_t amount=0) except? -2:
        """Do an action for whose turn it is: 0, or the reason that refuses it.

        LookupError, and nothing changed, when the shoe has no card left for it.
        """
        cdef int code = self.do(action, amount)
        if code < 0:
            raise LookupError("the shoe is empty")
        return code

    cpdef int reason(self, int action):
        """Why an action is not legal now; 0 when it is."""
        return round_reason(&self.r, action)

    def rest(self):
        """Clear a finished round away (its cards stay on the shoe's record until the next)."""
        cdef int box
        if self.r.phase == OFFERS or self.r.phase == PLAY:
            raise RuntimeError("a round is running")
        self.r.phase = IDLE
        self.r.dealer_n = 0
        for box in range(self.rules.t.boxes):
            self.r.boxes[box].n_hands = 0
            self.r.boxes[box].bet = 0

    # -- looking

    @property
    def phase(self):
        """0 idle, 1 offers, 2 play, 3 settled."""
        return self.r.phase

    @property
    def box(self):
        """The box whose turn it is."""
        return self.r.box

    @property
    def turn_hand(self):
        """The hand, within its box, whose turn it is."""
        return self.r.hand

    @property
    def legal(self):
        """Mask of the legal actions (1 << code); 0 when nobody must decide."""
        return self.r.legal

    @property
    def upcard(self):
        """The dealer's upcard, or -1."""
        return round_upcard(&self.r)

    @property
    def peeked(self):
        """Whether the dealer has looked at the hole card."""
        return bool(self.r.peeked)

    @property
    def dealer_blackjack(self):
        """Whether the dealer is known to have a blackjack."""
        return bool(self.r.dealer_blackjack)

    def dealer(self):
        """All of the dealer's cards in dealt order, the hole card too. Secret until it is open."""
        return (<char*>self.r.dealer)[:self.r.dealer_n]

    def dealer_visible(self):
        """The dealer's cards that everyone may see, in dealt order, and whether one lies face down."""
        cdef int hidden = -1
        if self.rules.t.hole_card != HOLE_NONE and not self.r.hole_open and self.r.dealer_n:
            hidden = 0 if self.rules.t.upcard_second else 1
        return (bytes([self.r.dealer[i] for i in range(self.r.dealer_n) if i != hidden]),
                0 <= hidden < self.r.dealer_n)

    cdef HandState* _hand(self, int box, int hand) except NULL:
        if not 0 <= box < self.rules.t.boxes or not 0 <= hand < self.r.boxes[box].n_hands:
            raise IndexError(f"no hand {hand} in box {box}")
        return hand_of(&self.r, box, hand)

    cpdef int hand_count(self, int box) except -1:
        """Hands in a box (0: no bet)."""
        if not 0 <= box < self.rules.t.boxes:
            raise IndexError(f"no box {box}")
        return self.r.boxes[box].n_hands

    cpdef bytes hand_cards(self, int box, int hand):
        """A hand's card codes."""
        cdef HandState* h = self._hand(box, hand)
        return (<char*>h.cards)[:h.n]

    cpdef int hand_total(self, int box, int hand) except -1:
        """A hand's best total."""
        return total_of(self._hand(box, hand))

    cpdef tuple hand_state(self, int box, int hand):
        """(stake, returned, total, soft, outcome, from a split, times doubled, natural)."""
        cdef HandState* h = self._hand(box, hand)
        return (h.stake, h.returned, total_of(h), bool(is_soft(h.points, h.ace)), h.outcome,
                bool(h.split), h.doubled, bool(is_natural(h)))

    cpdef tuple box_state(self, int box):
        """(bet, insurance, insurance returned)."""
        if not 0 <= box < self.rules.t.boxes:
            raise IndexError(f"no box {box}")
        return self.r.boxes[box].bet, self.r.boxes[box].insurance, self.r.boxes[box].insurance_returned

    cpdef int64_t stake_of(self, int action) except -1:
        """What a legal action would stake in full (0 for those that cost nothing)."""
        if self.r.phase != OFFERS and self.r.phase != PLAY:
            return 0
        return full_cost(&self.r, action)

    cpdef object funds_of(self, int account):
        """What an account has left, or None without limit."""
        cdef int64_t left
        if not 0 <= account < self.rules.t.boxes:
            raise IndexError(f"no account {account}")
        left = self.r.funds[account]
        return None if left == INT64_MAX else left

    cpdef int64_t box_returned(self, int box) except -1:
        """What a box of a finished round gets back: its hands and its insurance."""
        cdef int hand
        cdef int64_t returned
        if not 0 <= box < self.rules.t.boxes:
            raise IndexError(f"no box {box}")
        returned = self.r.boxes[box].insurance_returned
        for hand in range(self.r.boxes[box].n_hands):
            returned += hand_of(&self.r, box, hand).returned
        return returned

    def totals(self):
        """(staked, returned) per box of a finished round, as a list."""
        cdef int box, hand
        cdef int64_t staked, returned
        result = []
        for box in range(self.rules.t.boxes):
            staked = self.r.boxes[box].insurance
            returned = self.r.boxes[box].insurance_returned
            for hand in range(self.r.boxes[box].n_hands):
                staked += hand_of(&self.r, box, hand).stake
                returned += hand_of(&self.r, box, hand).returned
            result.append((staked, returned))
        return result

    # -- the log of one call

    def log_on(self, bint on=True):
        """Note what happens in a round, for `log()` and `log_bytes()`."""
        if on:
            self._log_room()
        else:
            PyMem_Free(self.r.log)
            self.r.log = NULL
            self.r.log_room = 0
        self.r.log_n = self.log_mark = 0

    cdef int _log_room(self) except -1:
        """Room for the entries of one more call; taken once for all but the longest rounds."""
        cdef int room = self.r.log_n + self.log_step
        cdef void* memory
        self.log_mark = self.r.log_n
        if room > self.r.log_room:
            memory = PyMem_Realloc(self.r.log, room * sizeof(LogEntry))
            if memory == NULL:
                raise MemoryError
            self.r.log = <LogEntry*>memory
            # what lies between an entry's fields is handed out too: nothing of other memory may be in it
            memset(self.r.log + self.r.log_room, 0, (room - self.r.log_room) * sizeof(LogEntry))
            self.r.log_room = room
        return 0

    cpdef bytes log_bytes(self, bint whole_round=False):
        """The log of the last call, or of the whole round, for `decode_log`."""
        cdef int first = 0 if whole_round else self.log_mark
        if self.r.log == NULL or self.r.log_n <= first:
            return b""
        return (<char*>(self.r.log + first))[:(self.r.log_n - first) * sizeof(LogEntry)]

    def restore_log(self, bytes log not None):
        """Put back a log given by `log_bytes(True)`."""
        cdef Py_ssize_t n = len(log) // <Py_ssize_t>sizeof(LogEntry)
        if not log_sound(<const LogEntry*>PyBytes_AS_STRING(log), n, self.rules.t.boxes):
            raise ValueError("the log is none of a round under these rules")
        self.r.log_n = <int>n
        self._log_room()
        memcpy(self.r.log, PyBytes_AS_STRING(log), self.r.log_n * sizeof(LogEntry))

    def log(self):
        """What the last call did: a list of (kind, box, hand, value, amount)."""
        return decode_log(self.log_bytes())

    # -- keeping and restoring

    def state(self):
        """Everything, with the shoe's cards and generator, for an operator's own records. Secret."""
        cdef RoundState copy = self.r
        copy.rules = NULL
        copy.shoe = NULL
        copy.boxes = NULL
        copy.hands = NULL
        copy.funds = NULL
        copy.log = NULL
        copy.log_n = copy.log_room = 0      # the log is kept apart
        return (<char*>&copy)[:sizeof(RoundState)], (<char*>self.memory)[:self.memory_size], self.shoe.state()

    def restore(self, state):
        """Go back to a state given by `state()` under the same rules, version and platform."""
        cdef RoundState copy
        cdef bytes head, body
        cdef bint sound
        cdef char* kept
        head, body, shoe = state
        if len(head) != sizeof(RoundState) or len(body) != self.memory_size:
            raise ValueError("the round's state does not fit these rules")
        memcpy(&copy, PyBytes_AS_STRING(head), sizeof(RoundState))
        copy.rules, copy.shoe, copy.boxes = self.r.rules, self.r.shoe, self.r.boxes
        copy.hands, copy.funds, copy.log = self.r.hands, self.r.funds, self.r.log
        copy.log_room, copy.log_n = self.r.log_room, 0
        before = (<char*>self.memory)[:self.memory_size]
        memcpy(self.memory, PyBytes_AS_STRING(body), self.memory_size)
        sound = round_sound(&copy)
        try:
            if not sound:
                raise ValueError("the round's state is none of these rules")
            self.shoe.restore(shoe)
        except BaseException:
            kept = PyBytes_AS_STRING(before)
            memcpy(self.memory, kept, self.memory_size)
            raise
        self.log_mark = 0
        self.r = copy


def decode_log(bytes log not None):
    """The entries of `Round.log_bytes()`: a list of (kind, box, hand, value, amount)."""
    cdef const LogEntry* e = <const LogEntry*>PyBytes_AS_STRING(log)
    return [(e[i].kind, e[i].box, e[i].hand, e[i].value, e[i].amount)
            for i in range(<Py_ssize_t>(len(log) // sizeof(LogEntry)))]
