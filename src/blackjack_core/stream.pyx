"""Rounds one by one, into columns.

Lives here: `Rows`, which writes each round's cards, actions, outcomes and net into the caller's
buffers by the tables of a game, and `fill`, which does so by the true round for the games that have
none. Not here: how the tables are played (_rows.c), sums (simulate), what a plan is made from
(blackjack.strategy), chunks and portions (blackjack.roundstream).
"""
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from .automaton import pack_exact
from .boxes cimport BoxTables, SimBoxes
from .machine cimport *
from .plan cimport Plan, plan_action
from .round cimport Round
from .rng cimport RNG_XOSHIRO, Rng, Source, rng_below, rng_next32, rng_seed
from .shoe cimport SHOE_FINITE, ShoeState, shoe_begin

cdef extern from "_rows.h" nogil:
    ctypedef struct RowColumns:
        uint8_t* cards
        uint8_t* n_cards
        uint8_t* actions
        uint8_t* n_actions
        uint8_t* outcomes
        uint8_t* n_hands
        int32_t* net
        int width, a_width, o_width
    enum:
        ROWS_NARROW
    ctypedef struct RowPlay:
        pass
    RowPlay* rows_open(const SimBoxes*, const RowShoe*)
    int rows_play(RowPlay*, const RowColumns*, int64_t, int64_t)
    void rows_close(RowPlay*)

STREAM = "bj-rounds-2"
LANES = ROWS_LANES
GENERAL_STREAM = "bj-rounds-general-1"


cdef int columns(RowColumns* to, int first, int rounds, uint8_t[::1] cards, uint8_t[::1] n_cards,
                 uint8_t[::1] actions, uint8_t[::1] n_actions, uint8_t[::1] outcomes, uint8_t[::1] n_hands,
                 int32_t[::1] net) except -1:
    """The caller's columns: a column's width is its length by that of `net`."""
    cdef Py_ssize_t rows = net.shape[0]
    if first < 0 or rounds < 0 or first + rounds > rows or min(
            n_cards.shape[0], n_actions.shape[0], n_hands.shape[0]) < rows:
        raise ValueError(f"expected columns of {first + rounds} rows")
    if rounds == 0:
        return 0
    to.width, to.a_width, to.o_width = (<int>(cards.shape[0] // rows), <int>(actions.shape[0] // rows),
                                        <int>(outcomes.shape[0] // rows))
    if to.width < 1 or to.a_width < 1 or to.o_width < 1 or to.width > 255 or to.a_width > 255:
        raise ValueError("expected columns of 1 to 255 items a row")
    to.cards, to.n_cards, to.actions, to.n_actions = &cards[0], &n_cards[0], &actions[0], &n_actions[0]
    to.outcomes, to.n_hands, to.net = &outcomes[0], &n_hands[0], &net[0]
    return rounds


cdef int done(int code) except -1:
    if code == ROWS_NARROW:
        raise ValueError("expected wider columns: a round did not fit")
    if code:
        raise LookupError("the shoe is empty")
    return 0


# -- by tables

cdef void more_words(void* source, uint32_t* words, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        words[i] = rng_next32(<Rng*>source)


cdef void row_shoe(RowShoe* s, const uint8_t* cards, int n, Rng* g) noexcept nogil:
    """A shoe to be shuffled with the words of a generator, or (NULL) to be dealt as it lies."""
    cdef Rng one
    cdef uint64_t low
    cdef int i
    memset(s, 0, sizeof(RowShoe))
    s.cards, s.size, s.stacked, s.words, s.source = cards, n, g == NULL, more_words, g
    if g == NULL or g.kind != RNG_XOSHIRO:
        return
    s.own = 1
    for i in range(ROWS_STREAMS):
        low = rng_next32(g)
        rng_seed(&one, low | <uint64_t>rng_next32(g) << 32)
        memcpy(s.seeds[i], one.s, sizeof(one.s))


cdef class Rows:
    """Rows(tables, shoe, source)
    --

    Rounds by the tables of a game, one chunk of the stream.

    `shoe` is the whole shoe (one deck of an infinite one), shuffled with the words of `source` as the tables
    say; without a source the cards come as they lie.
    """
    cdef RowPlay* play
    cdef BoxTables tables
    cdef Source source

    def __cinit__(self, BoxTables tables not None, const uint8_t[::1] shoe not None, Source source):
        cdef RowShoe s
        cdef int n = <int>shoe.shape[0]
        if not 1 <= shoe.shape[0] < 1 << 30:
            raise ValueError(f"expected a shoe of one card or more, got {shoe.shape[0]}")
        if tables.b.next == NULL:
            raise ValueError("expected tables that were made")
        if source is not None and n != tables.b.size:
            raise ValueError(f"expected a shoe of {tables.b.size} cards, got {n}")
        self.tables, self.source = tables, source
        row_shoe(&s, &shoe[0], n, NULL if source is None else &source.rng)
        self.play = rows_open(&tables.b, &s)
        if self.play == NULL:
            raise MemoryError

    def __dealloc__(self):
        rows_close(self.play)

    def fill(self, *, int first=0, int rounds, uint8_t[::1] cards not None, uint8_t[::1] n_cards not None,
             uint8_t[::1] actions not None, uint8_t[::1] n_actions not None, uint8_t[::1] outcomes not None,
             uint8_t[::1] n_hands not None, int32_t[::1] net not None):
        """Play the next `rounds` rounds and write the rows from `first` on.

        All calls but the last ask for a multiple of `LANES` rounds. A column's width is its length by that of
        `net`. ValueError where a column is too short or too narrow, LookupError where the shoe runs dry.
        """
        cdef RowColumns to
        cdef int code
        if columns(&to, first, rounds, cards, n_cards, actions, n_actions, outcomes, n_hands, net) == 0:
            return
        with nogil:
            code = rows_play(self.play, &to, first, rounds)
        done(code)


# -- by the true round


cdef void mix(ShoeState* shoe, int n, int burn, int need) noexcept nogil:
    """Shuffles the first `need` of all n cards (Fisher and Yates from the front); the rest stays unseen."""
    cdef int i, j
    cdef uint8_t c
    for i in range(need if need < n - 1 else n - 1):
        j = i + <int>rng_below(shoe.rng, <uint32_t>(n - i))
        c = shoe.cards[i]
        shoe.cards[i] = shoe.cards[j]
        shoe.cards[j] = c
    shoe.size = n
    shoe.pos = burn


cdef int play(RoundState* r, const Plan* plan, const RowColumns* to, int row) noexcept nogil:
    """One round and its row: 0, -1 the shoe is dry, -2 a column is too narrow."""
    cdef ShoeState* shoe = r.shoe
    cdef uint8_t* actions = to.actions + <int64_t>row * to.a_width
    cdef uint8_t* outcomes = to.outcomes + <int64_t>row * to.o_width
    cdef int n = 0, hands = 0, box, hand, action, used
    cdef int64_t net = 0
    cdef HandState* h
    shoe_begin(shoe)
    if round_start(r) < 0:
        return -1
    while r.legal:
        action = plan_action(plan, r)
        if n == to.a_width:
            return -2
        actions[n] = <uint8_t>action
        n += 1
        if round_apply(r, action, 0) != 0:
            return -1
    used = shoe.pos - shoe.base
    if used > to.width:
        return -2
    memcpy(to.cards + <int64_t>row * to.width, shoe.cards + shoe.base, used)
    for box in range(r.rules.boxes):
        if r.boxes[box].n_hands == 0:
            continue
        net += r.boxes[box].insurance_returned - r.boxes[box].insurance
        if hands + r.boxes[box].n_hands > to.o_width:
            return -2
        for hand in range(r.boxes[box].n_hands):
            h = hand_of(r, box, hand)
            net += h.returned - h.stake
            outcomes[hands] = h.outcome
            hands += 1
    to.n_cards[row] = <uint8_t>used
    to.n_actions[row] = <uint8_t>n
    to.n_hands[row] = <uint8_t>hands
    to.net[row] = <int32_t>net
    return 0


def fill(Round table not None, *, int boxes, int unit, int depth, int burn, bytes chart not None,
         bytes offers not None, exact=(), bint split_by_rank=False, bint fresh=True, int first=0, int rounds,
         int capacity,
         uint8_t[::1] cards not None, uint8_t[::1] n_cards not None, uint8_t[::1] actions not None,
         uint8_t[::1] n_actions not None, uint8_t[::1] outcomes not None, uint8_t[::1] n_hands not None,
         int32_t[::1] net not None):
    """Play `rounds` rounds on `table` by a plan, and write the rows from `first` on.

    The rounds begin with a shuffle if `fresh`; further ones come before a round that finds `depth` cards
    dealt. No round takes more than `capacity` cards: those that cannot be reached are left unshuffled. A stacked
    shoe is dealt as it lies. Else as `Rows.fill`.
    """
    cdef RowColumns to
    cdef Plan plan
    cdef RoundState* r = &table.r
    cdef ShoeState* shoe = &table.shoe.s
    cdef int i, code = 0, n = <int>len(table.shoe.full)
    cdef const char* full = PyBytes_AS_STRING(table.shoe.full)
    # the last round begins with depth - 1 cards dealt, or right behind the burn cards
    cdef int need = (depth if depth > burn else burn) + capacity
    if len(chart) != 3840 or len(offers) != 960:
        raise ValueError("expected a plan of 1920 preferences and 960 offers")
    if not 1 <= boxes <= r.rules.boxes:
        raise ValueError(f"expected 1 to {r.rules.boxes} boxes, got {boxes}")
    if columns(&to, first, rounds, cards, n_cards, actions, n_actions, outcomes, n_hands, net) == 0:
        return
    if r.phase == OFFERS or r.phase == PLAY:
        raise RuntimeError("a round is running")
    keys, prefs = pack_exact(exact)
    plan.play = <const uint16_t*>PyBytes_AS_STRING(chart)
    plan.offers = <const uint8_t*>PyBytes_AS_STRING(offers)
    plan.split_by_rank = split_by_rank
    plan.n_exact = <int>len(exact)
    plan.exact = <const uint64_t*>PyBytes_AS_STRING(keys)
    plan.exact_pref = <const uint16_t*>PyBytes_AS_STRING(prefs)
    for i in range(r.rules.boxes):
        r.boxes[i].bet = unit if i < boxes else 0
        r.boxes[i].account = 0
        r.funds[i] = INT64_MAX
    with nogil:
        for i in range(rounds):
            if shoe.kind == SHOE_FINITE and (fresh or shoe.pos >= depth or shoe.pos == shoe.size):
                if fresh:
                    memcpy(shoe.cards, full, n)
                    fresh = False
                mix(shoe, n, burn, need)
            code = play(r, &plan, &to, first + i)
            if code:
                break
    r.phase = DONE
    r.legal = 0
    done(code)
