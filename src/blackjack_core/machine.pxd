# The round: one state machine, deal -> offers -> peek -> play -> dealer -> settle (nogil, no allocation).
#
# Lives here: its two calls, and all names of a round for those who cimport `machine`.
# Not here: names, messages and amounts' meaning (blackjack), when to shuffle (desk).
from libc.stdint cimport int64_t
from .legality cimport full_cost, insurance_stake, legal_mask, round_reason
from .state cimport *

cdef int round_start(RoundState* r) noexcept nogil
cdef int round_apply(RoundState* r, int action, int64_t amount) noexcept nogil
