# Mean and square of what several split hands add up to.
#
# Lives here: `joint_moments`, `joint_means`. Not here: the whole distribution of it (joint).
from .pairs cimport Entry
from .removal cimport Deck, Finals

cdef dict joint_moments(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                        int pair, double pair_weight)
cdef dict joint_means(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                      int pair, double pair_weight)
