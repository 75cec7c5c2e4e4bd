# Several hands of one split against the dealer's final classes.
#
# Lives here: `Entry`, one hand as a sum over removed cards; `joint_codes`, what several such hands add up to.
# Not here: where the entries come from (outcomes), how likely cards are (removal).
from libc.stdint cimport uint64_t
from .removal cimport Deck, Finals

# A hand is a polynomial: sum of weight * removed cards * (becomes `to` and no longer `frm`).
cdef struct Entry:
    uint64_t key
    double x                # weight for a hand that may not be split again
    double n                # weight for one whose second card did not split it again
    int to                  # class of result
    int frm                 # class it takes the place of, -1: none

cdef dict joint_codes(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                      uint64_t pair_key, double pair_weight)
