# Mean and square of what several split hands add up to.
#
# Lives here: `joint_moments`. Not here: the whole distribution of it (joint).
from libc.stdint cimport uint64_t
from .joint cimport Entry
from .removal cimport Deck, Finals

cdef dict joint_moments(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                        uint64_t pair_key, double pair_weight)
