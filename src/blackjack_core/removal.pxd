# How likely cards are to leave a shoe, and the dealer's final hand with them gone (plain C, nogil).
#
# Lives here: `Deck` (a composition that keys of removed cards are measured against), `KeyMap` (removed
# cards -> number), `Tree` (the dealer's ways to one final class). Not here: hands, strategies, money.
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from .ruleset cimport RuleTable

cdef enum:
    CATS = 11               # values A 2 ... 9 T, and ten-values of the rank that is split
    OTHER_TEN = 10
    FINALS = 8              # what the dealer may end with:
    FINAL_NATURAL = 0       # a blackjack; 1..5 are 17..21 otherwise
    FINAL_22 = 6
    FINAL_BUST = 7          # 23 and more
    MOST = 128              # cards of one value that may be removed, and one
    MOST_ALL = 512
    DEALT = 24              # cards that a dealer may draw, and one
    WAY_BITS = 5            # of a value's count in the cards he drew

cdef struct Deck:
    double n[CATS]
    double total
    int infinite
    int shift[CATS]             # where a value's count stands in a key
    uint64_t mask[CATS]
    double fall[CATS][MOST + DEALT]     # falling factorials of n, each factor over total
    double inverse[MOST_ALL]    # total**m over the falling factorial of total

cdef struct Slot:
    uint64_t key
    int64_t at                  # -1: empty

cdef struct KeyMap:
    Slot* slots
    uint64_t* keys              # by number
    int64_t used
    int64_t room
    int bits

# A dealer's multisets of cards as a tree over the values: a node adds `count` cards of `value` to its
# parent's; `orders` is the number of orders in which those cards are a finished hand.
cdef extern from *:
    """
    #ifndef BJ_DEALER_NODE
    #define BJ_DEALER_NODE
    #include <stdint.h>
    typedef struct { double orders; int32_t to, factor, sum; } bj_node;
    #endif
    """
    ctypedef struct Node "bj_node":
        double orders
        int32_t to              # where its product goes: by depth, each node behind its parent
        int32_t factor          # where the factor of its cards stands
        int32_t sum             # where its finished hands are added up: by class and number of cards

cdef struct Way:                    # a final hand of the dealer
    uint64_t cards              # drawn after the upcard
    double orders               # in which they are a finished hand
    int final

cdef struct Tree:
    Node* nodes
    int n
    int finals                  # how many classes it tells apart
    int rest                    # the last of them is all that the others leave
    int final[FINALS]           # which classes they are
    int most[10]
    int longest

cdef int map_open(KeyMap* m, int bits) noexcept nogil
cdef void map_close(KeyMap* m) noexcept nogil
cdef int map_clear(KeyMap* m) noexcept nogil
cdef int64_t map_add(KeyMap* m, uint64_t key) noexcept nogil
cdef void deck_tables(Deck* deck) noexcept nogil
cdef void measure(const Deck* deck, const Tree* tree, const uint64_t* keys, int64_t count,
                  double* out) noexcept nogil


cdef inline uint64_t unit_of(const Deck* deck, int cat) noexcept nogil:
    """What one card adds to a key; nothing where removing cards changes nothing."""
    return 0 if deck.infinite else <uint64_t>1 << deck.shift[cat]


cdef inline int count_of(uint64_t cards, int value) noexcept nogil:
    """How many of a value the dealer drew."""
    return <int>(cards >> (WAY_BITS * value)) & ((1 << WAY_BITS) - 1)


cdef class Finals:
    """A dealer's ways from one upcard, by final class."""
    cdef Way* ways
    cdef int n
    cdef int room
    cdef dict folds                 # made from the ways by those who need them
    cdef Tree trees[FINALS]         # one class each
    cdef Tree whole                 # all of them
    cdef int draw(self, const RuleTable* t, KeyMap* where, uint64_t cards, int points, int ace, int size) noexcept nogil
    cdef int plant(self, Tree* tree, list finals, bint rest) except -1
