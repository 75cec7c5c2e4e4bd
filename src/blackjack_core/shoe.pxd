# The shoe (inline draw, nogil).
#
# Lives here: the order of the cards, what is dealt, on the table and discarded, draw and refill.
# Not here: when a house shuffles (the table asks `needs_shuffle`), what the cards mean (round).
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from .rng cimport RNG_XOSHIRO, Rng, Source, rng_below, xoshiro_below

cdef enum:
    SHOE_FINITE = 0     # shuffled; when dry inside a round the discards are shuffled and go on
    SHOE_INFINITE = 1   # every card drawn with replacement from the composition
    SHOE_STACKED = 2    # a given order; when dry, it is dry

cdef struct ShoeState:
    int kind
    int size        # cards in `cards`
    int pos         # cards[pos:size] are still to come
    int base        # cards[base:pos] were dealt in this round, cards[:base] are discards
    int refills     # times the discards were shuffled inside a round
    uint8_t* cards
    uint32_t total  # SHOE_INFINITE: cards to choose from, in `cards`
    Rng* rng

cdef int shoe_refill(ShoeState* s) noexcept nogil
cdef int shoe_draw_infinite(ShoeState* s) noexcept nogil
cdef void shuffle_cards(uint8_t* cards, int n, Rng* rng) noexcept nogil


cdef inline int shoe_draw(ShoeState* s) noexcept nogil:
    """The next card's code, or -1 when there is none."""
    cdef int card
    if s.kind == SHOE_INFINITE:
        return shoe_draw_infinite(s)
    if s.pos == s.size and not shoe_refill(s):
        return -1
    card = s.cards[s.pos]
    s.pos += 1
    return card


cdef inline void shoe_begin(ShoeState* s) noexcept nogil:
    """Begin a round: what was dealt before is discarded."""
    if s.kind == SHOE_INFINITE:
        s.pos = <int>s.total
    s.base = s.pos


cdef class Shoe:
    cdef ShoeState s
    cdef readonly Source source
    cdef bytes full         # one of each card of the whole shoe, in canonical order
    cdef uint8_t* memory
    cdef bytes dealt_codes(self)
    cdef int reshuffle(self, int burn) except -1
    cdef Py_ssize_t capacity(self)
