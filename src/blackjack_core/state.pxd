# The state of a round (plain C): structs, codes, and the small readings of them that all share.
#
# Lives here: what a round is made of. Not here: what is legal (legality), what happens (machine).
from libc.stdint cimport int64_t, uint8_t
from .hand cimport BJ_TOTAL, BJ_VALUE
from .ruleset cimport *
from .shoe cimport ShoeState

cdef enum Action:
    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4
    INSURANCE = 5
    EVEN_MONEY = 6
    DECLINE = 7
    ACTIONS = 8

cdef enum Outcome:
    OPEN = 0
    BLACKJACK = 1
    WIN = 2
    LOSE = 3
    PUSH = 4
    BUST = 5
    SURRENDERED = 6
    EVEN_MONEY_PAID = 7
    CHARLIE = 8

cdef enum Phase:
    IDLE = 0
    OFFERS = 1
    PLAY = 2
    DONE = 3

# What one call did, in order; blackjack.events makes events of it.
cdef enum LogKind:
    LOG_CARD = 1            # box, hand, value: card
    LOG_DEALER_CARD = 2     # hand: 1 face up, 0 face down; value: card
    LOG_TURN = 3            # box, hand, amount: legal mask
    LOG_ACTION = 4          # box, hand, value: action, amount: staked by it
    LOG_PEEK = 5            # value: 1 blackjack
    LOG_REVEAL = 6          # value: card
    LOG_REFILL = 7
    LOG_SETTLED = 8         # box, hand, value: outcome, amount: returned
    LOG_INSURANCE = 9       # box, value: 1 won, amount: returned
    LOG_REFUND = 10         # box, hand, amount: given back by dealer_blackjack_takes
    LOG_DONE = 11

cdef enum:
    MAX_CARDS = 24          # the longest hand has 22 cards: aces to 21, and one more

cdef struct HandState:
    int64_t stake
    int64_t returned
    uint8_t cards[MAX_CARDS]
    uint8_t n
    uint8_t points              # every ace as 1
    uint8_t ace                 # holds an ace
    uint8_t split               # came from a split
    uint8_t aces                # came from splitting aces
    uint8_t doubled             # times doubled
    uint8_t closed              # no more decisions
    uint8_t pending             # surrendered late, unpeeked: a dealer blackjack may still take it
    uint8_t outcome

cdef struct BoxState:
    int64_t bet
    int64_t insurance
    int64_t insurance_returned
    int account                 # index into funds
    uint8_t n_hands
    uint8_t insured
    uint8_t insurance_settled

cdef struct LogEntry:
    uint8_t kind
    uint8_t box
    uint8_t hand
    uint8_t value
    int64_t amount

cdef struct RoundState:
    int phase
    int box                     # who must decide
    int hand
    int legal                   # mask of the legal actions, 0 when nobody must decide
    int offer_next              # next box to look at for an offer
    int dry                     # a card was needed and the shoe had none
    uint8_t dealer[MAX_CARDS]
    uint8_t dealer_n
    uint8_t dealer_points
    uint8_t dealer_ace
    uint8_t dealer_blackjack    # known to be one (peeked or opened)
    uint8_t peeked
    uint8_t hole_open
    const RuleTable* rules
    ShoeState* shoe
    BoxState* boxes             # rules.boxes of them
    HandState* hands            # rules.boxes * rules.max_hands
    int64_t* funds              # per account; INT64_MAX: without limit
    LogEntry* log               # NULL: no log
    int log_n
    int log_room
    int seen_refills


cdef inline HandState* hand_of(const RoundState* r, int box, int hand) noexcept nogil:
    return &r.hands[box * r.rules.max_hands + hand]


cdef inline int total_of(const HandState* h) noexcept nogil:
    """A hand's best total."""
    return BJ_TOTAL[h.ace][h.points]


cdef inline bint is_natural(const HandState* h) noexcept nogil:
    """A blackjack: two cards, 21, not after a split."""
    return h.n == 2 and h.ace and h.points == 11 and not h.split


cdef inline int round_upcard(const RoundState* r) noexcept nogil:
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


cdef inline bint can_pay(const RoundState* r, int box, int64_t amount) noexcept nogil:
    """Whether the box's player can stake this much more."""
    return r.funds[r.boxes[box].account] >= amount
