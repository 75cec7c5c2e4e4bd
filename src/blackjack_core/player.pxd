# A player at one game off the top: its memory, its passes, what it follows.
#
# Lives here: `Player`. Not here: several hands of a split (splits), rounds (solve).
from libc.stdint cimport int16_t, uint16_t
from .analyze cimport HAND_ROOM, Game, Pass
from .dealer cimport Dealer, DealerWeights
from .ruleset cimport Ratio, RuleSet

cdef enum:
    EXTRAS = 128                # pair cards gone besides a hand's own, at most 2 * 64 - 3

cdef enum SplitPlay:
    CDZ = 0
    CDP1 = 1
    CDP = 2

SPLIT_PLAYS = ("cdz", "cdp1", "cdp")


cdef inline double times(Ratio q) noexcept nogil:
    return <double>q.num / <double>q.den


cdef inline double share(double part, double all) noexcept nogil:
    return part / all if part > 0 and all > 0 else 0.0


cdef class Player:
    cdef Game g
    cdef RuleSet rules
    cdef Dealer dealer
    cdef DealerWeights* weights
    cdef double* doubles
    cdef uint16_t* masks
    cdef uint16_t* prefs                    # [after split][hand][upcard]: preference lists
    cdef uint16_t mixed[2][10]              # of two ten-values of different ranks
    cdef unsigned char offer_bits[3][32][10]
    cdef Pass base[2]                       # not insured, insured
    cdef Pass part
    cdef int two_bases
    cdef int fixed
    cdef int barred                         # the box is insured from the start
    cdef int split_play
    cdef readonly int kind                  # of the hands: 0, or after a split
    cdef int boxed                          # hands of the box already
    cdef int by_rank
    cdef int root
    cdef int pair                           # the root's pair, -1: none; 10: every pair
    cdef int16_t hands[HAND_ROOM]
    cdef int n_hands
    cdef double tens[4]
    cdef double suited
    cdef double split[2][10][10]            # [insured][value][upcard]
    cdef double split_x[EXTRAS][10]
    cdef double split_p[EXTRAS][10]
    cdef double split_mixed[EXTRAS][10]
    cdef double up_chance[10]
    cdef double up_value[10]
    cdef double value

    cdef choose_hands(self, hand)
    cdef read_plan(self, bytes tables, bytes taken, exact, bint by_rank)
    cdef int preferred(self, uint16_t pref, int legal) noexcept nogil
    cdef int legal_play(self, const Pass* p, int hand, int doubled) noexcept nogil
    cdef void follow_plan(self, Pass* p, const int16_t* hands, int n) noexcept nogil
    cdef void follow_base(self, Pass* p, const Pass* base, const int16_t* hands, int n) noexcept nogil
    cdef void set_reach(self, Pass* p, const int16_t* hands, int n, int start) noexcept nogil
    cdef void point(self, Pass* p, int which) noexcept nogil
    cdef bint peeks(self, int u) noexcept nogil
    cdef int natural_mode(self, int u) noexcept nogil
