"""The round of blackjack as one compiled state machine.

Lives here: `RuleSet` (rules as tables and masks), `Round` (deal, offers, peek, play, dealer, settle).
Every rule of the game is in this file and nowhere else. Not here: words and messages (blackjack),
the order of the cards (shoe).
"""
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.stdint cimport INT64_MAX
from libc.string cimport memcpy, memmove, memset
from .hand cimport BJ_TOTAL, BJ_VALUE, card_rank, card_suit, is_soft
from .rng cimport Rng
from .shoe cimport SHOE_FINITE, SHOE_STACKED, shoe_draw

# The largest bet is 2**53; doubling and the scaling of exact replays may take a stake to MAX_STAKE,
# and MAX_STAKE * (1 + MAX_RATIO) fits 63 bits, so that no amount of a round can overflow.
MAX_BET = 2**53
MAX_RATIO = 100
cdef enum:
    STAKE_SHIFT = 56
    RISKY = 64      # cards left below which one call might empty the shoe


# ---------------------------------------------------------------- small helpers

cdef inline HandState* hand_of(const RoundState* r, int box, int hand) noexcept nogil:
    return &r.hands[box * r.rules.max_hands + hand]


cdef inline int total_of(const HandState* h) noexcept nogil:
    return BJ_TOTAL[h.ace][h.points]


cdef inline bint is_natural(const HandState* h) noexcept nogil:
    """A blackjack: two cards, 21, not after a split."""
    return h.n == 2 and h.ace and h.points == 11 and not h.split


cdef inline int64_t part(int64_t amount, Ratio q, int up) noexcept nogil:
    """amount * q, rounded; computed by quotient and remainder so that it cannot overflow early."""
    cdef int64_t whole = amount // q.den
    cdef int64_t rest = (amount - whole * q.den) * q.num
    return whole * q.num + (rest + q.den - 1 if up else rest) // q.den


cdef inline void log_add(RoundState* r, int kind, int box, int hand, int value, int64_t amount) noexcept nogil:
    cdef LogEntry* e
    if r.log == NULL or r.log_n >= r.log_room:
        return
    e = &r.log[r.log_n]
    e.kind = <uint8_t>kind
    e.box = <uint8_t>box
    e.hand = <uint8_t>hand
    e.value = <uint8_t>value
    e.amount = amount
    r.log_n += 1


cdef inline int next_card(RoundState* r) noexcept nogil:
    """A card from the shoe, or -1 with `dry` set."""
    cdef int card = shoe_draw(r.shoe)
    if card < 0:
        r.dry = 1
    elif r.shoe.refills != r.seen_refills:
        r.seen_refills = r.shoe.refills
        log_add(r, LOG_REFILL, 0, 0, 0, 0)
    return card


cdef inline void give(HandState* h, int card) noexcept nogil:
    h.cards[h.n] = <uint8_t>card
    h.n += 1
    h.points += BJ_VALUE[card] + 1
    h.ace |= BJ_VALUE[card] == 0


cdef int deal_to(RoundState* r, int box, int hand) noexcept nogil:
    cdef int card = next_card(r)
    if card < 0:
        return -1
    give(hand_of(r, box, hand), card)
    log_add(r, LOG_CARD, box, hand, card, 0)
    return 0


cdef int deal_dealer(RoundState* r, int face_up) noexcept nogil:
    cdef int card = next_card(r)
    if card < 0:
        return -1
    r.dealer[r.dealer_n] = <uint8_t>card
    r.dealer_n += 1
    r.dealer_points += BJ_VALUE[card] + 1
    r.dealer_ace |= BJ_VALUE[card] == 0
    log_add(r, LOG_DEALER_CARD, 0, face_up, card, 0)
    return 0


cdef int round_upcard(const RoundState* r) noexcept nogil:
    """The dealer's face-up card, or -1 before it is dealt."""
    cdef int index = 1 if r.rules.upcard_second and r.rules.hole_card != HOLE_NONE else 0
    return r.dealer[index] if r.dealer_n > index else -1


cdef inline int up_bit(const RoundState* r) noexcept nogil:
    return 1 << BJ_VALUE[round_upcard(r)]


cdef inline bint peeks(const RoundState* r) noexcept nogil:
    return r.rules.hole_card == HOLE_PEEK and (r.rules.peek_mask & up_bit(r)) != 0


cdef inline bint may_be_blackjack(const RoundState* r) noexcept nogil:
    """Whether the upcard alone allows a dealer blackjack."""
    cdef int v = BJ_VALUE[round_upcard(r)]
    return v == 0 or v == 9


cdef inline bint dealer_has_blackjack(const RoundState* r) noexcept nogil:
    return r.dealer_n == 2 and r.dealer_ace and r.dealer_points == 11


cdef void close_hand(RoundState* r, int box, int hand, int outcome, int64_t returned) noexcept nogil:
    """Settle one hand for good."""
    cdef HandState* h = hand_of(r, box, hand)
    h.closed = 1
    h.outcome = <uint8_t>outcome
    h.returned = returned
    log_add(r, LOG_SETTLED, box, hand, outcome, returned)


cdef int64_t blackjack_returns(const RoundState* r, const HandState* h) noexcept nogil:
    cdef Ratio q = r.rules.blackjack_pays
    if r.rules.suited and card_suit(h.cards[0]) == card_suit(h.cards[1]):
        q = r.rules.suited_pays
    return h.stake + part(h.stake, q, r.rules.round_up)


cdef int64_t surrender_returns(const RoundState* r, const HandState* h) noexcept nogil:
    return part(h.stake, r.rules.surrender_returns, r.rules.round_up)


# ---------------------------------------------------------------- legality

cdef int64_t insurance_stake(const RoundState* r, int box) noexcept nogil:
    """Half the box's bet, rounded by the rules."""
    return (r.boxes[box].bet + r.rules.round_up) // 2


cdef inline bint can_pay(const RoundState* r, int box, int64_t amount) noexcept nogil:
    return r.funds[r.boxes[box].account] >= amount


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
    cdef int action, mask = 0
    for action in range(ACTIONS):
        if round_reason(r, action) == LEGAL:
            mask |= 1 << action
    return mask


# ---------------------------------------------------------------- from decision to decision

cdef bint ask(RoundState* r, int box, int hand, int alone) noexcept nogil:
    """Make it this hand's turn if it has something to decide besides `alone`."""
    r.box = box
    r.hand = hand
    r.legal = legal_mask(r)
    if r.legal == 1 << alone:
        r.legal = 0
        return False
    log_add(r, LOG_TURN, box, hand, 0, r.legal)
    return True


cdef bint next_offer(RoundState* r) noexcept nogil:
    """Stop at the next box that has an offer; False when there is none."""
    cdef int box
    while r.offer_next < r.rules.boxes:
        box = r.offer_next
        r.offer_next += 1
        if r.boxes[box].n_hands and ask(r, box, 0, DECLINE):
            return True
    return False


cdef bint next_hand(RoundState* r) noexcept nogil:
    """Stop at the next hand with something to decide; False when there is none, or the shoe is dry."""
    cdef int hand
    cdef HandState* h
    while r.box < r.rules.boxes:
        hand = r.hand
        while hand < r.boxes[r.box].n_hands:
            h = hand_of(r, r.box, hand)
            if h.n == 1 and not h.closed:
                if deal_to(r, r.box, hand) < 0:
                    return False
            if not h.closed:
                if not is_natural(h) and ask(r, r.box, hand, STAND):
                    return True
                h.closed = 1
            hand += 1
        r.box += 1
        r.hand = 0
    return False


cdef void after_card(RoundState* r, HandState* h) noexcept nogil:
    """Close a hand that busted or made a charlie."""
    if total_of(h) > 21:
        close_hand(r, r.box, r.hand, BUST, 0)
    elif r.rules.charlie_cards and h.n >= r.rules.charlie_cards:
        close_hand(r, r.box, r.hand, CHARLIE,
                   h.stake + part(h.stake, r.rules.charlie_pays, r.rules.round_up))


cdef void begin_play(RoundState* r) noexcept nogil:
    cdef int box
    cdef HandState* h
    r.phase = PLAY
    if r.rules.pay_at_once and not may_be_blackjack(r):
        for box in range(r.rules.boxes):
            h = hand_of(r, box, 0)
            if r.boxes[box].n_hands and not h.closed and is_natural(h):
                close_hand(r, box, 0, BLACKJACK, blackjack_returns(r, h))
    r.box = 0
    r.hand = 0


cdef int advance(RoundState* r) noexcept nogil:
    """Go on to the next decision or to the end; -1 when the shoe runs dry."""
    r.legal = 0
    if r.phase == OFFERS:
        if next_offer(r):
            return 0
        if peeks(r):
            r.peeked = 1
            r.dealer_blackjack = dealer_has_blackjack(r)
            log_add(r, LOG_PEEK, 0, 0, r.dealer_blackjack, 0)
            if r.dealer_blackjack:
                reveal(r)
                settle(r)
                return 0
            settle_insurance(r, False)
        begin_play(r)
    if next_hand(r):
        return 0
    if r.dry or play_dealer(r) < 0:
        return -1
    settle(r)
    return 0


cdef int round_start(RoundState* r) noexcept nogil:
    """Deal a round; bets, accounts and funds are set, everything else is reset here."""
    cdef int box, pass_
    cdef BoxState* b
    cdef HandState* h
    r.phase = OFFERS
    r.box = r.hand = r.legal = r.offer_next = r.dry = 0
    r.dealer_n = r.dealer_points = r.dealer_ace = 0
    r.dealer_blackjack = r.peeked = r.hole_open = 0
    r.log_n = 0
    r.seen_refills = r.shoe.refills
    for box in range(r.rules.boxes):
        b = &r.boxes[box]
        b.insurance = b.insurance_returned = 0
        b.insured = b.insurance_settled = 0
        b.n_hands = b.bet > 0
        if b.n_hands:
            h = hand_of(r, box, 0)
            memset(h, 0, sizeof(HandState))
            h.stake = b.bet
    for pass_ in range(2):
        for box in range(r.rules.boxes):
            if r.boxes[box].n_hands and deal_to(r, box, 0) < 0:
                return -1
        if pass_ == 0 or r.rules.hole_card != HOLE_NONE:
            if deal_dealer(r, r.rules.hole_card == HOLE_NONE or pass_ == r.rules.upcard_second) < 0:
                return -1
    return advance(r)


cdef void stake_more(RoundState* r, int64_t amount) noexcept nogil:
    cdef int64_t* funds = &r.funds[r.boxes[r.box].account]
    if funds[0] != INT64_MAX:
        funds[0] -= amount


cdef int64_t amount_of(const RoundState* r, int action, int64_t amount) noexcept nogil:
    """What this legal action stakes (amount 0: the full one), or -Reason."""
    cdef int64_t full = 0
    cdef bint partial = False
    if action == INSURANCE:
        full = insurance_stake(r, r.box)
        partial = r.rules.partial_insurance
    elif action == DOUBLE or action == SPLIT:
        full = hand_of(r, r.box, r.hand).stake
        partial = action == DOUBLE and r.rules.double_for_less
    if amount == 0:
        amount = full
    elif amount < 0 or amount > full or not partial:
        return -PARTIAL_AMOUNT
    return amount if can_pay(r, r.box, amount) else -FUNDS


cdef int do_split(RoundState* r, HandState* h) noexcept nogil:
    """The second card moves to a new hand directly behind; its own second card comes at its turn."""
    cdef BoxState* b = &r.boxes[r.box]
    cdef HandState* other = h + 1
    cdef int card = h.cards[1]
    memmove(h + 2, h + 1, (b.n_hands - r.hand - 1) * sizeof(HandState))
    b.n_hands += 1
    memset(other, 0, sizeof(HandState))
    other.stake = h.stake
    other.split = h.split = 1
    other.aces = h.aces = BJ_VALUE[card] == 0
    give(other, card)
    card = h.cards[0]
    h.n = h.points = h.ace = 0
    give(h, card)
    return 0


cdef int round_apply(RoundState* r, int action, int64_t amount) noexcept nogil:
    """Do an action: 0, a Reason that refuses it (nothing changed), or -1 when the shoe runs dry."""
    cdef HandState* h
    cdef BoxState* b
    cdef int64_t staked
    cdef int reason = round_reason(r, action)
    if reason != LEGAL:
        return reason
    staked = amount_of(r, action, amount)
    if staked < 0:
        return <int>-staked
    r.log_n = 0
    h = hand_of(r, r.box, r.hand)
    b = &r.boxes[r.box]
    log_add(r, LOG_ACTION, r.box, r.hand, action, staked)
    stake_more(r, staked)
    if action == STAND:
        h.closed = 1
    elif action == HIT:
        if deal_to(r, r.box, r.hand) < 0:
            return -1
        after_card(r, h)
    elif action == DOUBLE:
        h.stake += staked
        h.doubled += 1
        if deal_to(r, r.box, r.hand) < 0:
            return -1
        after_card(r, h)
        if not r.rules.redouble:
            h.closed = 1
    elif action == SPLIT:
        do_split(r, h)
    elif action == SURRENDER:
        h.closed = 1
        if r.rules.surrender == SURRENDER_EARLY or r.peeked or not may_be_blackjack(r):
            close_hand(r, r.box, r.hand, SURRENDERED, surrender_returns(r, h))
        else:
            h.outcome = SURRENDERED
            h.pending = 1
    elif action == INSURANCE:
        b.insurance = staked
        b.insured = 1
    elif action == EVEN_MONEY:
        close_hand(r, r.box, r.hand, EVEN_MONEY_PAID, 2 * h.stake)
    return advance(r)


# ---------------------------------------------------------------- the dealer and the money

cdef void reveal(RoundState* r) noexcept nogil:
    if r.rules.hole_card != HOLE_NONE and not r.hole_open:
        r.hole_open = 1
        log_add(r, LOG_REVEAL, 0, 0, r.dealer[0 if r.rules.upcard_second else 1], 0)


cdef bint waits_for_blackjack(const RoundState* r) noexcept nogil:
    """No hole card, ace or ten up: does money hang on whether the dealer has a blackjack?"""
    cdef int box, hand
    cdef const BoxState* b
    cdef const HandState* h
    cdef bint busted, doubled
    if not may_be_blackjack(r):
        return False
    for box in range(r.rules.boxes):
        b = &r.boxes[box]
        if b.insured:
            return True
        busted = doubled = False
        for hand in range(b.n_hands):
            h = hand_of(r, box, hand)
            if h.outcome == OPEN and is_natural(h):
                return True
            if h.pending:
                return True
            busted |= h.outcome == BUST
            doubled |= h.doubled > 0
        if r.rules.takes != TAKES_ALL and busted and (b.n_hands > 1 or doubled):
            return True
    return False


cdef bint waits_for_total(const RoundState* r) noexcept nogil:
    """Does some hand still depend on the dealer's total?"""
    cdef int box, hand
    cdef const HandState* h
    for box in range(r.rules.boxes):
        for hand in range(r.boxes[box].n_hands):
            h = hand_of(r, box, hand)
            if h.outcome == OPEN and not is_natural(h):
                return True
    return False


cdef int play_dealer(RoundState* r) noexcept nogil:
    """Open the hole card or deal the second one, and draw if some hand depends on it; -1: shoe dry."""
    cdef bint total = waits_for_total(r)
    if r.rules.hole_card == HOLE_NONE:
        if not total and not waits_for_blackjack(r):
            return 0
        if deal_dealer(r, 1) < 0:
            return -1
    else:
        reveal(r)
    r.dealer_blackjack = dealer_has_blackjack(r)
    if total and not r.dealer_blackjack:
        while r.rules.dealer_draws[r.dealer_ace][r.dealer_points]:
            if deal_dealer(r, 1) < 0:
                return -1
    return 0


cdef void settle_insurance(RoundState* r, bint won) noexcept nogil:
    cdef int box
    cdef BoxState* b
    for box in range(r.rules.boxes):
        b = &r.boxes[box]
        if b.n_hands and b.insured and not b.insurance_settled:
            b.insurance_settled = 1
            if won:
                b.insurance_returned = b.insurance + part(b.insurance, r.rules.insurance_pays, r.rules.round_up)
            log_add(r, LOG_INSURANCE, box, 0, won, b.insurance_returned)


cdef int compare(const RoundState* r, const HandState* h) noexcept nogil:
    """An open, ordinary hand against the dealer's final hand."""
    cdef int dealer = BJ_TOTAL[r.dealer_ace][r.dealer_points]
    cdef int total = total_of(h)
    if r.dealer_blackjack:
        if r.rules.ties_21 and total == 21:
            return LOSE if (r.rules.dealer_wins_ties >> 21) & 1 else PUSH
        return LOSE
    if dealer > 21:
        return PUSH if dealer == 22 and r.rules.push_22 else WIN
    if total == 21 and dealer == 21 and r.rules.split_ace_ten and h.split and h.n == 2:
        return WIN
    if total == dealer:
        return LOSE if (r.rules.dealer_wins_ties >> dealer) & 1 else PUSH
    return WIN if total > dealer else LOSE


cdef void settle_hand(RoundState* r, int box, int hand) noexcept nogil:
    cdef HandState* h = hand_of(r, box, hand)
    cdef int outcome
    if h.pending:
        h.pending = 0
        if r.dealer_blackjack:
            close_hand(r, box, hand, LOSE, 0)
        else:
            close_hand(r, box, hand, SURRENDERED, surrender_returns(r, h))
    elif h.outcome != OPEN:
        return
    elif is_natural(h):
        if r.dealer_blackjack:
            close_hand(r, box, hand, PUSH, h.stake)
        else:
            close_hand(r, box, hand, BLACKJACK, blackjack_returns(r, h))
    else:
        outcome = compare(r, h)
        close_hand(r, box, hand, outcome,
                   2 * h.stake if outcome == WIN else h.stake if outcome == PUSH else 0)


cdef void refund(RoundState* r, int box) noexcept nogil:
    """What `dealer_blackjack_takes` gives back: the lost hands cost no more than the original bet."""
    cdef BoxState* b = &r.boxes[box]
    cdef bint busted_too = r.rules.takes == TAKES_ORIGINAL
    cdef int64_t lost = 0, back
    cdef int hand
    cdef HandState* h
    for hand in range(b.n_hands):
        h = hand_of(r, box, hand)
        if h.outcome == LOSE or (busted_too and h.outcome == BUST):
            lost += h.stake
    lost -= b.bet
    for hand in range(b.n_hands):
        h = hand_of(r, box, hand)
        if lost > 0 and (h.outcome == LOSE or (busted_too and h.outcome == BUST)):
            back = h.stake if h.stake < lost else lost
            lost -= back
            h.returned = back
            log_add(r, LOG_REFUND, box, hand, 0, back)


cdef void settle(RoundState* r) noexcept nogil:
    cdef int box, hand
    settle_insurance(r, r.dealer_blackjack)
    for box in range(r.rules.boxes):
        for hand in range(r.boxes[box].n_hands):
            settle_hand(r, box, hand)
        if r.dealer_blackjack and r.rules.takes != TAKES_ALL and r.boxes[box].n_hands:
            refund(r, box)
    r.phase = DONE
    r.legal = 0
    log_add(r, LOG_DONE, 0, 0, 0, 0)


# ---------------------------------------------------------------- Python handles

cdef Ratio ratio(object pair) except *:
    cdef Ratio q
    q.num, q.den = pair
    if q.num < 0 or q.den < 1 or q.den > 1000 or q.num > MAX_RATIO * q.den or q.num > 100_000:
        raise ValueError(f"expected a ratio from 0 to {MAX_RATIO} with a denominator up to 1000, got {pair!r}")
    return q


cdef class RuleSet:
    """RuleSet(**fields)
    --

    Rules compiled into tables and masks. The fields are plain ints and pairs of ints, one for every
    name of `RuleTable`; blackjack.Rules.compile() is what people call. Immutable.
    """
    def __cinit__(self, **fields):
        cdef int a, p, total
        cdef RuleTable* t = &self.t
        memset(t, 0, sizeof(RuleTable))
        self.fields = fields
        t.boxes = fields["boxes"]
        t.max_hands = fields["max_hands"]
        if not 1 <= t.boxes <= MAX_BOXES or not 1 <= t.max_hands <= MAX_HANDS:
            raise ValueError(f"expected 1 to {MAX_BOXES} boxes and 1 to {MAX_HANDS} hands")
        for name in FLAG_FIELDS:
            if name not in fields:
                raise TypeError(f"expected the field {name!r}")
        t.max_ace_hands = fields["max_ace_hands"]
        t.hole_card = fields["hole_card"]
        t.upcard_second = fields["upcard_second"]
        t.takes = fields["takes"]
        t.ties_21 = fields["ties_21"]
        t.surrender = fields["surrender"]
        t.charlie_cards = fields["charlie_cards"]
        t.suited = fields["suited"]
        t.das = fields["das"]
        t.double_split_aces = fields["double_split_aces"]
        t.hit_split_aces = fields["hit_split_aces"]
        t.split_by_rank = fields["split_by_rank"]
        t.hit_on_21 = fields["hit_on_21"]
        t.push_22 = fields["push_22"]
        t.split_ace_ten = fields["split_ace_ten"]
        t.double_any_number = fields["double_any_number"]
        t.redouble = fields["redouble"]
        t.double_for_less = fields["double_for_less"]
        t.partial_insurance = fields["partial_insurance"]
        t.pay_at_once = fields["pay_at_once"]
        t.round_up = fields["round_up"]
        t.peek_mask = fields["peek_mask"]
        t.surrender_mask = fields["surrender_mask"]
        t.insurance_mask = fields["insurance_mask"]
        t.even_money_mask = fields["even_money_mask"]
        t.insurance_blocks = fields["insurance_blocks"]
        t.dealer_wins_ties = fields["dealer_wins_ties"]
        t.blackjack_pays = ratio(fields["blackjack_pays"])
        t.suited_pays = ratio(fields["suited_pays"])
        t.insurance_pays = ratio(fields["insurance_pays"])
        t.charlie_pays = ratio(fields["charlie_pays"])
        t.surrender_returns = ratio(fields["surrender_returns"])
        double_on, double_soft, h17 = fields["double_on"], fields["double_soft"], fields["hit_soft_17"]
        for a in range(2):
            for p in range(32):
                total = BJ_TOTAL[a][p]
                t.dealer_draws[a][p] = total < 17 or (total == 17 and h17 and is_soft(p, a))
                # [soft][points]: the totals that may double count every ace as 1
                if not (double_on >> p) & 1:
                    t.double_bar[a][p] = DOUBLE_TOTAL
                elif a and not double_soft:
                    t.double_bar[a][p] = DOUBLE_SOFT

    def __reduce__(self):
        return _rules, (self.fields,)

    def __eq__(self, other):
        return isinstance(other, RuleSet) and self.fields == (<RuleSet>other).fields

    def __hash__(self):
        return hash(tuple(sorted(self.fields.items())))


FLAG_FIELDS = (
    "boxes", "max_hands", "max_ace_hands", "hole_card", "upcard_second", "takes", "ties_21", "surrender",
    "charlie_cards", "suited", "das", "double_split_aces", "hit_split_aces", "split_by_rank", "hit_on_21",
    "push_22", "split_ace_ten", "double_any_number", "redouble", "double_for_less", "partial_insurance",
    "pay_at_once", "round_up", "peek_mask", "surrender_mask", "insurance_mask", "even_money_mask",
    "insurance_blocks", "dealer_wins_ties", "blackjack_pays", "suited_pays", "insurance_pays",
    "charlie_pays", "surrender_returns", "double_on", "double_soft", "hit_soft_17",
)


def _rules(fields):
    return RuleSet(**fields)


cdef class Round:
    """Round(rules, shoe)
    --

    One round after another on one shoe. Codes in, codes out; not safe for two threads at a time.
    Memory is taken once here, none while a round is played.
    """
    def __cinit__(self, RuleSet rules not None, Shoe shoe not None):
        cdef Py_ssize_t hands = rules.t.boxes * rules.t.max_hands
        cdef Py_ssize_t log_room = 4 * hands + 4 * rules.t.boxes + 64
        # one hand to spare: a split moves the later hands up by one
        cdef Py_ssize_t at_boxes = (hands + 1) * sizeof(HandState)
        cdef Py_ssize_t at_funds = at_boxes + rules.t.boxes * sizeof(BoxState)
        cdef Py_ssize_t at_log = at_funds + rules.t.boxes * sizeof(int64_t)
        memset(&self.r, 0, sizeof(RoundState))
        self.rules = rules
        self.shoe = shoe
        self.memory_size = at_log
        self.memory = PyMem_Calloc(1, at_log + log_room * sizeof(LogEntry))
        self.backup = NULL
        if self.memory == NULL:
            raise MemoryError
        self.r.rules = &rules.t
        self.r.shoe = &shoe.s
        self.r.hands = <HandState*>self.memory
        self.r.boxes = <BoxState*>(<char*>self.memory + at_boxes)
        self.r.funds = <int64_t*>(<char*>self.memory + at_funds)
        self.r.log_room = 0
        self.r.log = NULL

    def __dealloc__(self):
        PyMem_Free(self.memory)
        PyMem_Free(self.backup)

    # -- undo: a call that the shoe cannot serve changes nothing

    cdef Py_ssize_t _backup_size(self):
        return (self.memory_size + sizeof(RoundState) + sizeof(ShoeState) + sizeof(Rng)
                + self.shoe.capacity())

    cdef bint _may_run_dry(self):
        return self.shoe.s.kind == SHOE_STACKED or (
            self.shoe.s.kind == SHOE_FINITE and self.shoe.s.size - self.shoe.s.pos < RISKY)

    cdef int _save(self) except -1:
        cdef char* to
        if self.backup == NULL:
            self.backup = PyMem_Malloc(self._backup_size())
            if self.backup == NULL:
                raise MemoryError
        to = <char*>self.backup
        memcpy(to, self.memory, self.memory_size)
        to += self.memory_size
        memcpy(to, &self.r, sizeof(RoundState))
        to += sizeof(RoundState)
        memcpy(to, &self.shoe.s, sizeof(ShoeState))
        to += sizeof(ShoeState)
        if self.shoe.s.rng != NULL:
            memcpy(to, self.shoe.s.rng, sizeof(Rng))
        to += sizeof(Rng)
        memcpy(to, self.shoe.s.cards, self.shoe.capacity())
        return 0

    cdef int _back(self) except -1:
        cdef char* to = <char*>self.backup
        memcpy(self.memory, to, self.memory_size)
        to += self.memory_size
        memcpy(&self.r, to, sizeof(RoundState))
        to += sizeof(RoundState)
        memcpy(&self.shoe.s, to, sizeof(ShoeState))
        to += sizeof(ShoeState)
        if self.shoe.s.rng != NULL:
            memcpy(self.shoe.s.rng, to, sizeof(Rng))
        to += sizeof(Rng)
        memcpy(self.shoe.s.cards, to, self.shoe.capacity())
        return 0

    # -- play

    def start(self, bets, accounts=None, funds=None):
        """Deal to `bets` (one amount per box, 0 for none).

        `accounts` names each box's account by number, `funds` what each account has left after its bets
        (None: without limit). LookupError, and nothing changed, when the shoe cannot serve the deal.
        """
        cdef int box, n = self.rules.t.boxes
        cdef bint saved
        if self.r.phase == OFFERS or self.r.phase == PLAY:
            raise RuntimeError("a round is running")
        if len(bets) > n:
            raise ValueError(f"expected bets on at most {n} boxes, got {len(bets)}")
        saved = self._may_run_dry() or self.shoe.s.size - self.shoe.s.pos < 2 * n + RISKY
        if saved:
            self._save()
        for box in range(n):
            self.r.boxes[box].bet = bets[box] if box < len(bets) else 0
            self.r.boxes[box].account = accounts[box] if accounts is not None else 0
        for box in range(n):
            self.r.funds[box] = INT64_MAX
        if funds is not None:
            for box in range(len(funds)):
                self.r.funds[box] = INT64_MAX if funds[box] is None else funds[box]
        self.shoe.begin()
        if round_start(&self.r) < 0:
            if saved:
                self._back()
            raise LookupError("the shoe is empty")

    cpdef int apply(self, int action, int64_t amount=0) except? -2:
        """Do an action for whose turn it is: 0, or the reason that refuses it.

        LookupError, and nothing changed, when the shoe has no card left for it.
        """
        cdef int code
        cdef bint saved = self._may_run_dry()
        if saved:
            self._save()
        code = round_apply(&self.r, action, amount)
        if code < 0:
            if saved:
                self._back()
            raise LookupError("the shoe is empty")
        return code

    cpdef int reason(self, int action):
        """Why an action is not legal now; 0 when it is."""
        return round_reason(&self.r, action)

    def rest(self):
        """Clear a finished round away (its cards stay on the shoe's record until the next)."""
        cdef int box
        if self.r.phase == OFFERS or self.r.phase == PLAY:
            raise RuntimeError("a round is running")
        self.r.phase = IDLE
        self.r.dealer_n = 0
        for box in range(self.rules.t.boxes):
            self.r.boxes[box].n_hands = 0
            self.r.boxes[box].bet = 0

    # -- looking

    @property
    def phase(self):
        """0 idle, 1 offers, 2 play, 3 settled."""
        return self.r.phase

    @property
    def box(self):
        """The box whose turn it is."""
        return self.r.box

    @property
    def turn_hand(self):
        """The hand, within its box, whose turn it is."""
        return self.r.hand

    @property
    def legal(self):
        """Mask of the legal actions (1 << code); 0 when nobody must decide."""
        return self.r.legal

    @property
    def upcard(self):
        """The dealer's upcard, or -1."""
        return round_upcard(&self.r)

    @property
    def peeked(self):
        """Whether the dealer has looked at the hole card."""
        return bool(self.r.peeked)

    @property
    def dealer_blackjack(self):
        """Whether the dealer is known to have a blackjack."""
        return bool(self.r.dealer_blackjack)

    def dealer(self):
        """All of the dealer's cards in dealt order, the hole card too. Secret until it is open."""
        return (<char*>self.r.dealer)[:self.r.dealer_n]

    def dealer_visible(self):
        """The dealer's cards that everyone may see, in dealt order, and whether one lies face down."""
        cdef int hidden = -1
        if self.rules.t.hole_card != HOLE_NONE and not self.r.hole_open and self.r.dealer_n:
            hidden = 0 if self.rules.t.upcard_second else 1
        return (bytes([self.r.dealer[i] for i in range(self.r.dealer_n) if i != hidden]),
                0 <= hidden < self.r.dealer_n)

    cdef HandState* _hand(self, int box, int hand) except NULL:
        if not 0 <= box < self.rules.t.boxes or not 0 <= hand < self.r.boxes[box].n_hands:
            raise IndexError(f"no hand {hand} in box {box}")
        return hand_of(&self.r, box, hand)

    cpdef int hand_count(self, int box) except -1:
        """Hands in a box (0: no bet)."""
        if not 0 <= box < self.rules.t.boxes:
            raise IndexError(f"no box {box}")
        return self.r.boxes[box].n_hands

    cpdef bytes hand_cards(self, int box, int hand):
        """A hand's card codes."""
        cdef HandState* h = self._hand(box, hand)
        return (<char*>h.cards)[:h.n]

    cpdef int hand_total(self, int box, int hand) except -1:
        """A hand's best total."""
        return total_of(self._hand(box, hand))

    cpdef tuple hand_state(self, int box, int hand):
        """(stake, returned, total, soft, outcome, from a split, times doubled, natural)."""
        cdef HandState* h = self._hand(box, hand)
        return (h.stake, h.returned, total_of(h), bool(is_soft(h.points, h.ace)), h.outcome,
                bool(h.split), h.doubled, bool(is_natural(h)))

    cpdef tuple box_state(self, int box):
        """(bet, insurance, insurance returned)."""
        if not 0 <= box < self.rules.t.boxes:
            raise IndexError(f"no box {box}")
        return self.r.boxes[box].bet, self.r.boxes[box].insurance, self.r.boxes[box].insurance_returned

    cpdef int64_t stake_of(self, int action) except -1:
        """What a legal action would stake in full (0 for those that cost nothing)."""
        if self.r.phase != OFFERS and self.r.phase != PLAY:
            return 0
        if action == INSURANCE:
            return insurance_stake(&self.r, self.r.box)
        if action == DOUBLE or action == SPLIT:
            return hand_of(&self.r, self.r.box, self.r.hand).stake
        return 0

    cpdef object funds_of(self, int account):
        """What an account has left, or None without limit."""
        cdef int64_t left = self.r.funds[account]
        return None if left == INT64_MAX else left

    cpdef tuple turn_state(self):
        """(box, hand, legal mask, at an offer, card codes, stake, total, soft, upcard code), or None."""
        cdef HandState* h
        if self.r.phase != OFFERS and self.r.phase != PLAY:
            return None
        h = hand_of(&self.r, self.r.box, self.r.hand)
        return (self.r.box, self.r.hand, self.r.legal, self.r.phase == OFFERS, (<char*>h.cards)[:h.n],
                h.stake, total_of(h), bool(is_soft(h.points, h.ace)), round_upcard(&self.r))

    cpdef int64_t box_returned(self, int box) except -1:
        """What a box of a finished round gets back: its hands and its insurance."""
        cdef int hand
        cdef int64_t returned
        if not 0 <= box < self.rules.t.boxes:
            raise IndexError(f"no box {box}")
        returned = self.r.boxes[box].insurance_returned
        for hand in range(self.r.boxes[box].n_hands):
            returned += hand_of(&self.r, box, hand).returned
        return returned

    def totals(self):
        """(staked, returned) per box of a finished round, as a list."""
        cdef int box, hand
        cdef int64_t staked, returned
        result = []
        for box in range(self.rules.t.boxes):
            staked = self.r.boxes[box].insurance
            returned = self.r.boxes[box].insurance_returned
            for hand in range(self.r.boxes[box].n_hands):
                staked += hand_of(&self.r, box, hand).stake
                returned += hand_of(&self.r, box, hand).returned
            result.append((staked, returned))
        return result

    # -- the log of one call

    def log_on(self, bint on=True):
        """Note what each `start` and `apply` does, for `log()`."""
        cdef Py_ssize_t hands = self.rules.t.boxes * self.rules.t.max_hands
        self.r.log = <LogEntry*>(<char*>self.memory + self.memory_size) if on else NULL
        self.r.log_room = <int>(4 * hands + 4 * self.rules.t.boxes + 64) if on else 0
        self.r.log_n = 0

    cpdef bytes log_bytes(self):
        """What the last call did, as the bytes of its log entries (see `decode_log`)."""
        return (<char*>self.r.log)[:self.r.log_n * sizeof(LogEntry)] if self.r.log != NULL else b""

    def log(self):
        """What the last call did: a list of (kind, box, hand, value, amount)."""
        return decode_log(self.log_bytes())

    # -- keeping and restoring

    def state(self):
        """Everything, with the shoe's cards and generator, for an operator's own records. Secret."""
        cdef RoundState copy = self.r
        copy.rules = NULL
        copy.shoe = NULL
        copy.boxes = NULL
        copy.hands = NULL
        copy.funds = NULL
        copy.log = NULL
        return (<char*>&copy)[:sizeof(RoundState)], (<char*>self.memory)[:self.memory_size], self.shoe.state()

    def restore(self, state):
        """Go back to a state given by `state()` under the same rules, version and platform."""
        cdef RoundState copy
        head, body, shoe = state
        if len(head) != sizeof(RoundState) or len(body) != self.memory_size:
            raise ValueError("the round's state does not fit these rules")
        self.shoe.restore(shoe)
        memcpy(&copy, PyBytes_AS_STRING(head), sizeof(RoundState))
        copy.rules, copy.shoe, copy.boxes = self.r.rules, self.r.shoe, self.r.boxes
        copy.hands, copy.funds, copy.log = self.r.hands, self.r.funds, self.r.log
        copy.log_room, copy.log_n = self.r.log_room, 0
        self.r = copy
        memcpy(self.memory, PyBytes_AS_STRING(body), self.memory_size)


def decode_log(bytes log not None):
    """The entries of `Round.log_bytes()`: a list of (kind, box, hand, value, amount)."""
    cdef const LogEntry* e = <const LogEntry*>PyBytes_AS_STRING(log)
    return [(e[i].kind, e[i].box, e[i].hand, e[i].value, e[i].amount)
            for i in range(<Py_ssize_t>(len(log) // sizeof(LogEntry)))]
