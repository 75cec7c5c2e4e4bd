# The round's handle for Python, and the state machine for those who cimport `round`.
#
# Lives here: `Round`'s memory. Not here: the state machine (machine), rules (ruleset).
from libc.stdint cimport int64_t
from .machine cimport *
from .shoe cimport Shoe

cdef enum:
    # Cards left below which one call might empty the shoe: a card to each of the hands split aces can
    # make (MAX_HANDS), and the dealer's. No sum here: Cython cannot check an overflow in an enum.
    RISKY = 96


cdef class Round:
    cdef RoundState r
    cdef readonly RuleSet rules
    cdef readonly Shoe shoe
    cdef void* memory
    cdef Py_ssize_t memory_size
    cdef void* backup
    cdef int log_step          # entries that one call may add
    cdef int log_mark          # where the last call's entries begin
    cdef Py_ssize_t _backup_size(self)
    cdef bint _may_run_dry(self)
    cdef bint _may_lack(self, int cards)
    cdef int _log_room(self) except -1
    cdef int deal(self) except -2
    cdef int do(self, int action, int64_t amount) except -2
    cdef int _save(self) except -1
    cdef int _back(self) except -1
    cdef HandState* _hand(self, int box, int hand) except NULL
    cpdef int apply(self, int action, int64_t amount=*) except? -2
    cpdef int reason(self, int action)
    cpdef int hand_count(self, int box) except -1
    cpdef bytes hand_cards(self, int box, int hand)
    cpdef int hand_total(self, int box, int hand) except -1
    cpdef tuple hand_state(self, int box, int hand)
    cpdef tuple box_state(self, int box)
    cpdef int64_t stake_of(self, int action) except -1
    cpdef object funds_of(self, int account)
    cpdef int64_t box_returned(self, int box) except -1
    cpdef bytes log_bytes(self, bint whole_round=*)
