# Rounds with real cards: what deals them, for those who play them (stream, simulate).
#
# Lives here: the C struct and `row_shoe`. Not here: the rounds (stream, _rows_round.h).
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from .rng cimport Rng

cdef extern from "_rows.h" nogil:
    enum:
        ROWS_LANES, ROWS_STREAMS
    ctypedef struct RowShoe:
        const uint8_t* cards
        int size, stacked
        uint64_t seeds[8][4]
        int own
        void (*words)(void*, uint32_t*, int) noexcept nogil
        void* source


cdef void row_shoe(RowShoe* s, const uint8_t* cards, int n, Rng* g) noexcept nogil
