"""The shoe: composition, shuffle, draw, discards.

Lives here: `Shoe`, the shuffle algorithm "bj-shuffle-1". Not here: the house's shuffle policy
(blackjack.table decides before a round), notation.

bj-shuffle-1: the cards to shuffle are put in ascending order of their codes (rank * 4 + suit, ranks
A 2 ... K, suits c d h s); then for i = n-1 down to 1, j is drawn with 0 <= j <= i by multiply and
reject on 32-bit words (`rng_below(i + 1)`), and cards i and j change places. Dealing begins at index 0.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.string cimport memcpy, memset
from .rng cimport RNG_BYTES

SHUFFLE_ID = "bj-shuffle-1"
cdef enum:
    INFINITE_ROOM = 4096    # cards of an infinite shoe kept for the record of one round


cdef void sort_cards(uint8_t* cards, int n) noexcept nogil:
    """Counting sort of card codes."""
    cdef int counts[52]
    cdef int i, c, k = 0
    memset(counts, 0, sizeof(counts))
    for i in range(n):
        counts[cards[i]] += 1
    for c in range(52):
        for i in range(counts[c]):
            cards[k] = <uint8_t>c
            k += 1


cdef void shuffle_sorted(uint8_t* cards, int n, Rng* rng) noexcept nogil:
    """bj-shuffle-1 of cards that are in canonical order."""
    cdef int i, j
    cdef uint8_t c
    cdef Rng g = rng[0]     # a local copy keeps the generator's state out of memory
    if g.kind == RNG_XOSHIRO:
        # the same draws as below, without asking at every card which generator it is
        for i in range(n - 1, 0, -1):
            j = <int>xoshiro_below(g.s, <uint32_t>(i + 1))
            c = cards[i]
            cards[i] = cards[j]
            cards[j] = c
    else:
        for i in range(n - 1, 0, -1):
            j = <int>rng_below(&g, <uint32_t>(i + 1))
            c = cards[i]
            cards[i] = cards[j]
            cards[j] = c
    rng[0] = g


cdef void shuffle_cards(uint8_t* cards, int n, Rng* rng) noexcept nogil:
    """bj-shuffle-1 in place."""
    sort_cards(cards, n)
    shuffle_sorted(cards, n, rng)


cdef int shoe_refill(ShoeState* s) noexcept nogil:
    """Shuffle the discards (never the cards on the table) to go on inside a round; 0: nothing left."""
    cdef int table = s.pos - s.base
    cdef int i, old = s.base
    cdef uint8_t c
    if s.kind != SHOE_FINITE or old == 0:
        return 0
    # table cards move to the front, the discards behind them: rotate by reversal, in place
    for i in range(s.pos // 2):
        c = s.cards[i]
        s.cards[i] = s.cards[s.pos - 1 - i]
        s.cards[s.pos - 1 - i] = c
    for i in range(table // 2):
        c = s.cards[i]
        s.cards[i] = s.cards[table - 1 - i]
        s.cards[table - 1 - i] = c
    shuffle_cards(s.cards + table, old, s.rng)
    s.base = 0
    s.pos = table
    s.size = table + old
    s.refills += 1
    return not s.rng.dry


cdef int shoe_draw_infinite(ShoeState* s) noexcept nogil:
    """A card with replacement; it is noted behind the composition so that the round has a record."""
    cdef int card
    if s.pos == s.size:
        return -1
    card = s.cards[rng_below(s.rng, s.total)]
    s.cards[s.pos] = <uint8_t>card
    s.pos += 1
    return -1 if s.rng.dry else card


cdef class Shoe:
    """Shoe(cards, source=None, *, infinite=False)
    --

    `cards` are card codes as bytes. With a `source` they are the whole shoe, to be shuffled before the
    first deal; without one they are a stacked order, dealt as given. `infinite` draws with replacement.
    """
    def __cinit__(self, bytes cards not None, Source source=None, *, bint infinite=False):
        cdef Py_ssize_t i, n = len(cards), room
        if infinite and (source is None or n == 0):
            raise ValueError("expected a source and at least one card for an infinite shoe")
        for i in range(n):
            if cards[i] >= 52:
                raise ValueError(f"expected card codes 0 to 51, got {cards[i]}")
        room = n + (INFINITE_ROOM if infinite else 0)
        self.memory = <uint8_t*>PyMem_Malloc(room or 1)
        if self.memory == NULL:
            raise MemoryError
        self.full = cards if source is None else bytes(sorted(cards))
        memcpy(self.memory, PyBytes_AS_STRING(self.full), n)
        self.source = source
        memset(&self.s, 0, sizeof(ShoeState))
        self.s.cards = self.memory
        self.s.size = <int>room
        if source is not None:
            self.s.rng = &source.rng
        if infinite:
            self.s.kind = SHOE_INFINITE
            self.s.total = <uint32_t>n
            self.s.pos = self.s.base = <int>n
        elif source is None:
            self.s.kind = SHOE_STACKED
        else:
            self.s.kind = SHOE_FINITE
            self.s.pos = self.s.base = self.s.size   # nothing to deal until the first shuffle

    def __dealloc__(self):
        PyMem_Free(self.memory)

    @property
    def stacked(self):
        """Whether the order was given."""
        return self.s.kind == SHOE_STACKED

    @property
    def infinite(self):
        """Whether cards are drawn with replacement."""
        return self.s.kind == SHOE_INFINITE

    @property
    def size(self):
        """Cards in the whole shoe (0 for an infinite one)."""
        return 0 if self.s.kind == SHOE_INFINITE else len(self.full)

    @property
    def left(self):
        """Cards still to come (0 for an infinite shoe)."""
        return 0 if self.s.kind == SHOE_INFINITE else self.s.size - self.s.pos

    @property
    def unshuffled(self):
        """Whether the first shuffle is still to come."""
        return self.s.kind == SHOE_FINITE and self.s.base == self.s.size

    @property
    def dealt(self):
        """Cards dealt since the last shuffle, burn cards included: the depth of the cut card's rule."""
        return 0 if self.s.kind == SHOE_INFINITE else self.s.pos

    @property
    def refills(self):
        """How often the shoe ran dry inside a round and its discards were shuffled."""
        return self.s.refills

    cdef Py_ssize_t capacity(self):
        return len(self.full) + (INFINITE_ROOM if self.s.kind == SHOE_INFINITE else 0)

    cdef bytes dealt_codes(self):
        return (<char*>(self.s.cards + self.s.base))[:self.s.pos - self.s.base]

    def round_cards(self):
        """The codes of the cards dealt in this round, in dealt order."""
        return self.dealt_codes()

    def discards(self):
        """The codes of the cards out of play, burn cards included, in the order they left."""
        if self.s.kind == SHOE_INFINITE:
            return b""
        return (<char*>self.s.cards)[:self.s.base]

    def remaining(self):
        """The codes of the cards to come, in order. Secret while the shoe is in use."""
        if self.s.kind == SHOE_INFINITE:
            return b""
        return (<char*>(self.s.cards + self.s.pos))[:self.s.size - self.s.pos]

    def shuffle(self, int burn=0):
        """Gather every card, shuffle, and burn the first `burn` cards."""
        if self.reshuffle(burn):
            raise ValueError("the byte source ran out of words")

    cdef int reshuffle(self, int burn) except -1:
        """`shuffle`; 1, and nothing changed, when the byte source runs out of words."""
        cdef Rng generator
        cdef bytes order = None
        if self.s.kind != SHOE_FINITE:
            return 0
        if not 0 <= burn <= len(self.full):
            raise ValueError(f"expected 0 <= burn <= {len(self.full)}, got {burn}")
        cdef int n = <int>PyBytes_GET_SIZE(self.full)
        if self.s.rng.kind == RNG_BYTES:    # the only one that can run dry
            generator = self.s.rng[0]
            order = (<char*>self.s.cards)[:n]
        memcpy(self.s.cards, PyBytes_AS_STRING(self.full), n)
        shuffle_sorted(self.s.cards, n, self.s.rng)
        if self.s.rng.dry:
            self.s.rng[0] = generator
            memcpy(self.s.cards, PyBytes_AS_STRING(order), n)
            return 1
        self.s.size = n
        self.s.pos = self.s.base = burn
        return 0

    def begin(self):
        """Begin a round: what was dealt before is discarded."""
        shoe_begin(&self.s)

    def draw(self):
        """The next card's code; IndexError when there is none."""
        cdef int card = shoe_draw(&self.s)
        if card < 0:
            raise IndexError("the shoe is empty")
        return card

    def state(self):
        """(numbers, cards, generator state): everything, for an operator's own records. Secret."""
        cdef Py_ssize_t n = self.s.pos if self.s.kind == SHOE_INFINITE else self.s.size
        return ((self.s.size, self.s.pos, self.s.base, self.s.refills), (<char*>self.s.cards)[:n],
                None if self.source is None else self.source.state())

    def restore(self, state):
        """Go back to a state given by `state()` of a shoe of the same make."""
        cdef int size, pos, base, refills
        cdef Py_ssize_t whole = len(self.full)
        cdef bytes cards
        (size, pos, base, refills), cards, generator = state
        if self.s.kind == SHOE_INFINITE:
            fits = (size == self.s.size and whole <= base <= pos <= size and len(cards) == pos
                    and cards[:whole] == self.full and max(cards) < 52)
        else:
            same = cards if self.s.kind == SHOE_STACKED else bytes(sorted(cards))
            fits = size == whole and 0 <= base <= pos <= size and same == self.full
        if not fits:
            raise ValueError("the shoe's state does not fit this shoe")
        if self.source is not None:
            self.source.restore(generator)
        memcpy(self.s.cards, PyBytes_AS_STRING(cards), len(cards))
        self.s.size, self.s.pos, self.s.base, self.s.refills = size, pos, base, refills
