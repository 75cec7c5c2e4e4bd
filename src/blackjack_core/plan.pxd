# A strategy's plan in C, and the one lookup of it (inline, nogil).
#
# Lives here: `Plan`, what a plan does with a turn of the true round. Not here: charts and text
# (blackjack.strategy), tables made from it (automaton).
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from .hand cimport BJ_TOTAL, BJ_VALUE, card_rank, is_soft
from .machine cimport *

cdef struct Plan:
    const uint16_t* play        # [after split][hard, soft, pair][row][upcard]
    const uint8_t* offers       # [kind][row][upcard]: 1 insurance, 2 even money, 4 surrender
    int split_by_rank
    int n_exact
    const uint64_t* exact       # cards by value, five bits each, upcard << 50, after split << 56 (2: any)
    const uint16_t* exact_pref


cdef inline int plan_row(const Plan* plan, const HandState* h) noexcept nogil:
    """kind * 32 + row of a hand."""
    cdef int v
    if h.n == 2 and BJ_VALUE[h.cards[0]] == BJ_VALUE[h.cards[1]]:
        v = BJ_VALUE[h.cards[0]]
        if not plan.split_by_rank or card_rank(h.cards[0]) == card_rank(h.cards[1]):
            return 64 + v + 1
    return 32 * is_soft(h.points, h.ace) + BJ_TOTAL[h.ace][h.points]


cdef inline int offer_answer(int choices, int legal) noexcept nogil:
    """What a plan's choices (1 insurance, 2 even money, 4 surrender) make of an offer."""
    if choices & 4 and (legal >> SURRENDER) & 1:
        return SURRENDER
    if choices & 1 and (legal >> INSURANCE) & 1:
        return INSURANCE
    if choices & 2 and (legal >> EVEN_MONEY) & 1:
        return EVEN_MONEY
    return DECLINE


cdef inline int plan_action(const Plan* plan, const RoundState* r) noexcept nogil:
    """The action for whose turn it is."""
    cdef const HandState* h = hand_of(r, r.box, r.hand)
    cdef int up = BJ_VALUE[round_upcard(r)]
    cdef int at = plan_row(plan, h) * 10 + up
    cdef int i, code
    cdef uint16_t pref
    cdef uint64_t key, split
    if r.phase == OFFERS:
        return offer_answer(plan.offers[at], r.legal)
    pref = plan.play[(960 if h.split else 0) + at]
    if plan.n_exact:
        key = <uint64_t>up << 50
        for i in range(h.n):
            key += <uint64_t>1 << (5 * BJ_VALUE[h.cards[i]])
        for i in range(plan.n_exact):
            split = plan.exact[i] >> 56
            if (plan.exact[i] & ((<uint64_t>1 << 56) - 1)) == key and (split == 2 or split == h.split):
                pref = plan.exact_pref[i]
                break
    for i in range(4):
        code = pref & 15
        if code == 15:
            break
        if code < 8 and (r.legal >> code) & 1:
            return code
        pref >>= 4
    return STAND
