"""What a hand may do, and why not.

Lives here: one function per action that gives `LEGAL` or the reason (`Reason` in ruleset.pxd), and the
mask of them all. Not here: what an action does (machine), words for the reasons (blackjack.errors).
"""
from .hand cimport BJ_VALUE, card_rank, is_soft

# The largest bet is 2**53; doubling and the scaling of exact replays may take a stake to
# 2**STAKE_SHIFT, and that times (1 + MAX_RATIO) fits 63 bits, so that no amount can overflow.
cdef enum:
    STAKE_SHIFT = 56


cdef int64_t insurance_stake(const RoundState* r, int box) noexcept nogil:
    """Half the box's bet, rounded by the rules."""
    return (r.boxes[box].bet + r.rules.round_up) // 2


cdef int64_t full_cost(const RoundState* r, int action) noexcept nogil:
    """What a legal action of whose turn it is stakes in full (0 for those that cost nothing)."""
    if action == INSURANCE:
        return insurance_stake(r, r.box)
    if action == DOUBLE or action == SPLIT:
        return hand_of(r, r.box, r.hand).stake
    return 0


cdef int reason_insurance(const RoundState* r, const HandState* h) noexcept nogil:
    cdef int64_t stake = insurance_stake(r, r.box)
    if not r.rules.insurance_mask & up_bit(r):
        return NO_INSURANCE_UPCARD
    if is_natural(h) and r.rules.even_money_mask & up_bit(r):
        return EVEN_MONEY_INSTEAD
    if stake == 0:
        return NOTHING_TO_INSURE
    if not can_pay(r, r.box, 1 if r.rules.partial_insurance else stake):
        return FUNDS
    return LEGAL


cdef int reason_even_money(const RoundState* r, const HandState* h) noexcept nogil:
    if not r.rules.even_money_mask & up_bit(r):
        return NO_EVEN_MONEY_UPCARD
    return LEGAL if is_natural(h) else NO_BLACKJACK


cdef int reason_surrender(const RoundState* r, const HandState* h) noexcept nogil:
    if r.rules.surrender == SURRENDER_NONE:
        return NO_SURRENDER_HOUSE
    if not r.rules.surrender_mask & up_bit(r):
        return NO_SURRENDER_UPCARD
    if h.split:
        return AFTER_SPLIT
    if h.n != 2:
        return NOT_FIRST_TWO
    if is_natural(h):
        return HAS_BLACKJACK
    if r.phase == OFFERS:
        # before the peek only where there is one, and only early surrender
        return LEGAL if r.rules.surrender == SURRENDER_EARLY and peeks(r) else SURRENDER_IN_PLAY
    return LEGAL


cdef int reason_hit(const RoundState* r, const HandState* h) noexcept nogil:
    if h.doubled:
        return DOUBLED
    if h.aces and not r.rules.hit_split_aces:
        return ONE_CARD_TO_SPLIT_ACES
    if total_of(h) == 21 and not r.rules.hit_on_21:
        return HIT_ON_21
    return LEGAL


cdef int reason_double(const RoundState* r, const HandState* h) noexcept nogil:
    if h.doubled and not r.rules.redouble:
        return NO_REDOUBLE
    if h.n != 2 and not r.rules.double_any_number and not h.doubled:
        return NOT_FIRST_TWO
    if h.split and not r.rules.das:
        return NO_DOUBLE_AFTER_SPLIT
    if h.aces and not r.rules.double_split_aces:
        return NO_DOUBLE_SPLIT_ACES
    if total_of(h) == 21 and not r.rules.hit_on_21:
        return DOUBLE_ON_21
    if r.rules.double_bar[is_soft(h.points, h.ace)][h.points] != LEGAL:
        return r.rules.double_bar[is_soft(h.points, h.ace)][h.points]
    if h.stake > (<int64_t>1 << (STAKE_SHIFT - 1)):
        return STAKE_LIMIT
    if not can_pay(r, r.box, 1 if r.rules.double_for_less else h.stake):
        return FUNDS
    return LEGAL


cdef int reason_split(const RoundState* r, const HandState* h) noexcept nogil:
    if h.n != 2 or h.doubled:
        return NOT_FIRST_TWO
    if r.rules.split_by_rank:
        if card_rank(h.cards[0]) != card_rank(h.cards[1]):
            return NOT_A_PAIR
    elif BJ_VALUE[h.cards[0]] != BJ_VALUE[h.cards[1]]:
        return NOT_A_PAIR
    if r.boxes[r.box].n_hands >= r.rules.max_hands:
        return HANDS_LIMIT
    if BJ_VALUE[h.cards[0]] == 0 and r.boxes[r.box].n_hands >= r.rules.max_ace_hands:
        return ACE_HANDS_LIMIT
    if not can_pay(r, r.box, h.stake):
        return FUNDS
    return LEGAL


cdef int round_reason(const RoundState* r, int action) noexcept nogil:
    """LEGAL, or why the hand whose turn it is may not do this."""
    cdef const HandState* h
    if action < 0 or action >= ACTIONS:
        return UNKNOWN_ACTION
    if r.phase != OFFERS and r.phase != PLAY:
        return NO_ROUND
    h = hand_of(r, r.box, r.hand)
    if r.phase == OFFERS:
        if action == DECLINE:
            return LEGAL
        if action == INSURANCE:
            return reason_insurance(r, h)
        if action == EVEN_MONEY:
            return reason_even_money(r, h)
        if action == SURRENDER:
            return reason_surrender(r, h)
        return OFFER_WAITS
    if action >= INSURANCE:
        return NO_OFFER
    if r.boxes[r.box].insured and (r.rules.insurance_blocks >> action) & 1:
        return INSURED_BOX
    if action == HIT:
        return reason_hit(r, h)
    if action == DOUBLE:
        return reason_double(r, h)
    if action == SPLIT:
        return reason_split(r, h)
    if action == SURRENDER:
        return reason_surrender(r, h)
    return LEGAL


cdef int legal_mask(const RoundState* r) noexcept nogil:
    cdef int action, mask = 0   # over the 8 actions
    for action in range(8):
        if round_reason(r, action) == LEGAL:
            mask |= 1 << action
    return mask
