# The dealer's final hand from any composition (plain C, nogil).
#
# Lives here: the tables of what he draws and the sums over them. Not here: what a final hand is worth
# (analyze), what a player does.
from libc.stdint cimport int8_t, uint8_t, uint32_t
from .ruleset cimport RuleTable

cdef extern from "_dealer.h" nogil:
    enum:
        DEALER_NODES
        DEALER_ROWS
        DEALER_DEPTH
        DEALER_FINALS       # 17 .. 21, 22, more, natural
        DEALER_LANES

    ctypedef struct DealerUp:
        int n
        int levels
        int start[25]
        double ways[768]
        uint32_t link[768]
        uint8_t cards[768][10]

    ctypedef struct DealerPlan:
        int rows
        int8_t ends[40][10]
        DealerUp up[10]

    ctypedef struct DealerWeights:
        double weight[40][10]
        double own[10][768]

    ctypedef void (*DealerSum)(
        const DealerPlan*, const DealerWeights*, const double*, int, unsigned int, double*) noexcept nogil

    const uint8_t DEALER_FACTOR_AT[10]
    # out[upcard][final], ten counts with the upcard still among them; a bit of `ups` for each upcard wanted
    void dealer_finals(
        const DealerPlan* plan, const double* counts, int infinite, unsigned int ups, double* out) noexcept
    void dealer_sum_plain(
        const DealerPlan*, const DealerWeights*, const double*, int, unsigned int, double*) noexcept
    DealerSum dealer_sum_best() noexcept


cdef class Dealer:
    cdef DealerPlan plan
    cdef grow(self, const RuleTable* t, int upcard, dict rows)
    cdef int row(self, const RuleTable* t, int points, int ace, int first, dict rows) except -1


cdef void dealer_outcomes(
    const DealerPlan* plan, const double* counts, int infinite, unsigned int ups, double* out) noexcept nogil
cdef void dealer_weigh(const DealerPlan* plan, const double* values, unsigned int ups,
                       DealerWeights* weights) noexcept nogil
cdef void dealer_stand(const DealerPlan* plan, const DealerWeights* weights, const double* counts,
                       int infinite, unsigned int ups, double* out) noexcept nogil
