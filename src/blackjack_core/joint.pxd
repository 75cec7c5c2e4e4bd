# Several hands of one split against the dealer's final classes.
#
# Lives here: `joint_codes`, what several such hands add up to.
# Not here: one hand (pairs.Entry), where the entries come from (outcomes), how likely cards are (removal).
from libc.stdint cimport uint64_t
from .pairs cimport Entry
from .removal cimport Deck, Finals

cdef dict joint_codes(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                      int pair, double pair_weight)
