# The game as tables, hand by hand: see _sim_boxes.h.
#
# Lives here: the C structs for those who play them (stream, simulate). Not here: how they are made (boxes).
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t

cdef extern from "_sim_boxes.h" nogil:
    enum:
        SIM_LANES
        BOX_IDLE, BOX_END, BOX_SPLIT, BOX_HAND, BOX_FINAL, BOX_RANK
        BOX_COLUMN, BOX_STAKED
    ctypedef struct BoxEvent:
        uint16_t at
        uint8_t kind, cls, alike, asks
    ctypedef struct BoxPlace:
        uint16_t more, full
        uint8_t most, insured
        uint8_t asks[4]
    ctypedef struct SimBoxes:
        const uint16_t* next
        const uint32_t* actions
        const BoxEvent* events
        const BoxPlace* places
        const uint16_t* begin
        const uint16_t* dealer
        const uint8_t* late
        const uint16_t* start_class
        uint32_t n_rows
        uint16_t ends, results, finals, rows, start, first_pair, last_pair, first_context, last_context
        int32_t pay[9][256]
        int32_t lost[9][256]
        int32_t stake[256]
        uint8_t outcome[9][256]
        uint8_t flags[9][256]
        uint8_t column[256][2]
        uint8_t column_outcome[9][16]
        uint8_t column_flags[9][16]
        uint8_t dealer_code[9]
        int insurance
        int boxes, room, capped, bet, upcard_second, hole_dealt
        int ranks
        uint16_t counts[10]
        uint16_t size, limit, burn
        uint8_t infinite, deep, layout
        uint16_t suits[2][4]


cdef int count_shoe(bytes cards, uint16_t* counts, uint16_t* suits) except -1

cdef class BoxTables:
    cdef SimBoxes b
    cdef void* memory
    cdef readonly dict source
    cdef readonly str cards_only
    cdef _shoe(self, cards, infinite, depth, capacity, burn)
    cdef _fill(self)
    cdef _classes(self, list classes)
    cdef _write_event(self, BoxEvent* e, tuple event)
