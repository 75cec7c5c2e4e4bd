# Split hands that a dealer blackjack settles together.
#
# Lives here: `mean_together`. Not here: one hand (outcomes), how results of several are distributed (joint, moments).
from .bench cimport Bench
from .pairs cimport Entry
from .removal cimport Deck, Finals

cdef double mean_together(Bench b, list classes, const Deck* deck, Finals made, const Entry* entries, int n,
                          int hands, int pair, double pair_weight) except? -1
