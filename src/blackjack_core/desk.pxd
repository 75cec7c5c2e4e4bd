# The table's hot path: bets, deal, act, turn.
#
# Lives here: `Desk`'s memory. Not here: limits, players' rights, messages (blackjack.table).
from libc.stdint cimport int64_t
from .round cimport Round
from .shoe cimport Shoe

cdef class HandView:
    cdef readonly tuple cards
    cdef readonly int total
    cdef readonly bint soft
    cdef readonly object stake
    cdef readonly object outcome
    cdef tuple _key(self)

cdef class Turn:
    cdef readonly int box
    cdef readonly int hand_index
    cdef readonly bint offer
    cdef readonly HandView hand
    cdef readonly str player
    cdef int mask
    cdef int up
    cdef tuple _key(self)

cdef class Desk:
    cdef readonly Round _round
    cdef readonly Shoe _shoe
    cdef readonly list _players
    cdef readonly list _balances
    cdef readonly bint _cleared  # the last round lies no more on the table
    cdef readonly bint _stale    # ... but can still be looked at
    cdef readonly bint _shuffled
    cdef public bint _plain      # one player, limits per box: the three numbers below say all
    cdef public int64_t _bet_low
    cdef public int64_t _bet_high
    cdef public int64_t _bet_unit
    cdef public bint _single     # one player: no rights to check
    cdef public int _shuffle_depth
    cdef public int _shuffle_left
    cdef public int _burn
    cdef int boxes
    cdef bint heard
    cdef int64_t* bets
    cdef int64_t* last_bets
    cdef int* owners
    cdef int* last_owners
    cdef int64_t* funds_before
    cdef object turn_now
    cdef list bet_log
    cdef public int _told       # of these, by the facade, to those who listen
    cdef list actions_done
    cdef int _find_box(self, object box) except -1
    cdef bint _plain_bets(self)
    cdef int _start(self) except -2
    cdef int _settle(self) except -1
    cdef int _uncover(self) except -1
