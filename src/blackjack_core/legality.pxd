# What is legal (nogil).
#
# Lives here: the one answer to "may this hand do that now", and why not. Not here: what an action does
# (machine), words for the reasons (blackjack.errors).
from libc.stdint cimport int64_t
from .state cimport *

cdef int round_reason(const RoundState* r, int action) noexcept nogil
cdef int legal_mask(const RoundState* r) noexcept nogil
cdef int64_t insurance_stake(const RoundState* r, int box) noexcept nogil
cdef int64_t full_cost(const RoundState* r, int action) noexcept nogil
