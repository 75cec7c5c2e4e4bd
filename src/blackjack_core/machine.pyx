"""The round of blackjack as one compiled state machine.

Lives here: deal, offers, peek, play, dealer, settle. Every rule of the game is in this file and in
legality, and nowhere else. Not here: rules as tables (ruleset), the handle for Python (round), words and
messages (blackjack), the order of the cards (shoe).
"""
from libc.stdint cimport INT64_MAX
from libc.string cimport memmove, memset
from .hand cimport BJ_TOTAL, BJ_VALUE, card_suit
from .shoe cimport shoe_draw

# ---------------------------------------------------------------- small helpers

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
    cdef int64_t full = full_cost(r, action)
    cdef bint partial = ((action == INSURANCE and r.rules.partial_insurance)
                         or (action == DOUBLE and r.rules.double_for_less))
    if amount == 0:
        amount = full
    elif amount < 0 or amount > full or not partial:
        return -PARTIAL_AMOUNT
    return amount if can_pay(r, r.box, amount) else -FUNDS


cdef void do_split(RoundState* r, HandState* h) noexcept nogil:
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


