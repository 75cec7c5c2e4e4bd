# Three hands of a split at a time, against all of the dealer's final classes.
#
# Lives here: `TripleSums`, what three such hands come to together. Not here: two of them (pairs), what it is worth
# (joint).
from libc.stdint cimport int32_t, int64_t, uint64_t
from .pairs cimport Entry, PairSums, Part, TripleWork
from .removal cimport Deck, Finals, KeyMap

cdef class TripleSums(PairSums):
    """Sums over three entries: [group of one][pair of groups of two][slot]."""
    cdef TripleWork triple
    cdef KeyMap unions              # what two hands took
    cdef KeyMap parts_of            # union and pair of groups
    cdef double* weights            # of the latter
    cdef uint64_t shift             # cards that are gone besides
    cdef Part* rows                 # the unions, by their low cards
    cdef int n_rows
    cdef int gather(self) except -1
    cdef int32_t* lay_rows(self) except NULL
    cdef int lay_row_parts(self, const int32_t* places) except -1

cdef inline int pair_of(int a, int b) noexcept nogil:
    """The number of a pair of groups."""
    return b * (b + 1) // 2 + a if a <= b else a * (a + 1) // 2 + b

cdef TripleSums triple_sums(const Deck* deck, Finals made, const Entry* entries, int n, int pair, double of_x,
                            double of_n)
