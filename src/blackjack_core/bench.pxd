# The true round as a bench: hands and dealers laid as wanted, the machine says what comes of them.
#
# Lives here: what outcomes and memory cimport. Not here: a rule of the game (machine).
from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uint16_t, uint64_t
from .automaton cimport LaidRound
from .hand cimport BJ_VALUE
from .machine cimport *
from .plan cimport Plan, plan_action
from .removal cimport FINAL_NATURAL
from .ruleset cimport RuleSet, RuleTable

cdef enum:
    CLOSED = -1             # next action of a hand with none
    HOLE = 4                # the hole card of a bench: a five, no blackjack and the dealer has to draw

cdef class Bench(LaidRound):
    cdef uint64_t exact_key
    cdef uint16_t exact_pref
    cdef dict exact
    cdef bytes play
    cdef bytes offers
    cdef RoundState r_kept
    cdef BoxState box_kept
    cdef int plays(self)
    cdef void put(self, int card)
    cdef int deal(self, int first, int second, int up, int hole) except -1
    cdef void keep(self)
    cdef int next_of(self, int at)
    cdef int reach(self, const HandState* h, int at, int action, int card, HandState* out) except -2
    cdef int second(self, int first, int card, int on_table, HandState* out) except -2
    cdef void lay_bust(self, HandState* h, int64_t stake)
    cdef int settle(self, list samples, int final) except -1
    cdef int64_t net(self)
