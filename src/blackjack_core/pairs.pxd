# Two hands of a split at a time, against all of the dealer's final classes.
#
# Lives here: `Entry`, one hand as a sum over removed cards; `PairSums`, what two such hands come to together.
# Not here: where the entries come from (outcomes), three hands and more (joint), money (what a class means).
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from .removal cimport CATS, Deck, Finals, KeyMap

cdef extern from "_pairs.h":
    enum:
        PAIR_SLOTS
        FOLD_DRAWN
    ctypedef struct FoldStep:
        int start[FOLD_DRAWN + 1]
        int drawn
        int after
        int32_t* to
    ctypedef struct PairWork:
        const double* x
        const double* n
        const int32_t* high
        const int32_t* group
        const int32_t* both
        const int32_t* size
        const double* chance
        const double* table
        double* value
        int32_t* stamp
        double* sums
        int highs
        int draws
        int weights
        int groups
        int least
        int lanes
        int now
    ctypedef struct TripleWork:
        PairWork work
        const int32_t* high
        const int32_t* start
        const int32_t* pair
        const double* part
        int pairs
    ctypedef void (*TripleRun)(const TripleWork*, int, int, int, int) noexcept nogil
    void triples_plain(const TripleWork*, int, int, int, int) noexcept nogil
    void triples_avx2(const TripleWork*, int, int, int, int) noexcept nogil
    ctypedef void (*FoldRun)(const FoldStep*, const double*, const double*, double*, int) noexcept nogil
    ctypedef void (*PairRun)(const PairWork*, int, int, int, int) noexcept nogil
    void fold_plain(const FoldStep*, const double*, const double*, double*, int) noexcept nogil
    void fold_avx2(const FoldStep*, const double*, const double*, double*, int) noexcept nogil
    void pairs_plain(const PairWork*, int, int, int, int) noexcept nogil
    void pairs_avx2(const PairWork*, int, int, int, int) noexcept nogil
    int pairs_fast() noexcept nogil

cdef enum:
    LOWS = 5                # values that are summed over one by one, at the most

# A hand is a polynomial: sum of weight * removed cards * (becomes `to` and no longer `frm`).
cdef struct Entry:
    uint64_t key
    double x                # weight for a hand that may not be split again
    double n                # weight for one whose second card did not split it again
    int to                  # class of result
    int frm                 # class it takes the place of, -1: none

cdef struct Low:            # what two hands took of the low values
    uint64_t key
    int size                # cards
    int least               # of the high ones beside them
    int most
    int wide                # lanes that these take
    int base                # cards of both, in the first lane
    int digit[LOWS]         # counts, value by value

cdef struct Part:           # a range of what has the same low cards
    uint64_t key
    int begin
    int end
    int least               # high cards
    int most

cdef struct Block:          # all pairs of two parts
    int low
    int a
    int b

cdef class Fold:
    """The dealer's ways from one upcard, to be summed over value by value."""
    cdef int values[LOWS]       # the low ones in the order of summing
    cdef int n_values
    cdef int highs[10]
    cdef int n_highs
    cdef FoldStep steps[LOWS]
    cdef int n                  # ways, and one: no card at all
    cdef double* orders
    cdef int* size
    cdef int n_draws            # of high cards
    cdef int8_t* draws          # [draw][of the high values]
    cdef int32_t* place         # where the last step's sums stand: draw * PAIR_SLOTS + slot
    cdef int make(self, Finals made) except -1
    cdef int order(self, int k, KeyMap* now, KeyMap* after, int32_t** places) except -1
    cdef int begin(self, Finals made, KeyMap* ways, const int32_t* place, const int* slot) except -1
    cdef int end(self, KeyMap* sums) except -1

cdef class PairSums:
    """What each two groups of entries come to, by the dealer's final class."""
    cdef const Deck* deck
    cdef Finals made
    cdef Fold fold
    cdef int n                  # entries
    cdef int n_groups
    cdef Entry* entries         # by their low cards
    cdef list classes           # of each group: (to, frm)
    cdef double* sums           # [group][group][slot], slots as in made.whole; the first group is the smaller one
    cdef void* held[64]         # memory, given back at the end
    cdef int n_held
    cdef double* mixes          # [weight]: how much of 0, 1, 2 ... more pair cards
    cdef int of_pair            # category of these
    cdef int deep               # how many there may be, and one
    cdef PairWork work
    cdef uint64_t low_mask
    cdef Low* lows
    cdef int n_lows
    cdef Part* parts            # of the entries
    cdef int n_parts
    cdef const Part* some       # of what they are paired with
    cdef Block* blocks
    cdef int64_t n_blocks
    cdef double* levels[LOWS + 1]
    cdef double* table

    cdef void* hold(self, int64_t size) except NULL
    cdef int take(self, const Entry* entries) except -1
    cdef int prepare(self, const Deck* deck, Finals made, int n, int pair, list mix) except -1
    cdef Part* lay_parts(self, KeyMap* lows, const int32_t* low, int64_t n) except NULL
    cdef int place(self, Part* part, uint64_t key) noexcept nogil
    cdef int pair(self, KeyMap* highs) except -1
    cdef int meet_highs(self, KeyMap* some, KeyMap* others) except -1
    cdef int meet_lows(self, const Part* some, int n) except -1
    cdef void meet(self, const Part* some, const Part* others) noexcept nogil
    cdef int cards_of(self, uint64_t key) noexcept nogil
    cdef int lay(self, Low* low, uint64_t key) noexcept nogil
    cdef int sort_lows(self) except -1
    cdef const double* factors(self, int value, uint64_t key, double* room) noexcept nogil
    cdef void start(self, const Low* low) noexcept nogil
    cdef void spread(self, const Low* low, int weight, int more, double part) noexcept nogil
    cdef int measure_low(self, const Low* low, const Low* before) noexcept nogil
    cdef int run(self) except -1
    cdef void settle(self) noexcept nogil

cdef void leave_last(double* sums, int last) noexcept nogil
cdef FoldRun fold_run           # the best one for this processor
cdef TripleRun triple_run       # likewise
cdef PairSums pair_sums(const Deck* deck, Finals made, const Entry* entries, int n, int pair, list mix)
