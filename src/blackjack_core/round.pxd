# The round: one state machine, deal -> offers -> peek -> play -> dealer -> settle (nogil, no allocation).
#
# Lives here: compiled rules (`RuleTable`), the state of a round, legality, transitions, settlement.
# Every rule of the game is here and nowhere else; table, replay and simulator all run this.
# Not here: names, messages and amounts' meaning (blackjack), when to shuffle (blackjack.table).
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from .shoe cimport Shoe, ShoeState

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

cdef enum HoleCard:
    HOLE_PEEK = 0
    HOLE_NO_PEEK = 1
    HOLE_NONE = 2

cdef enum Takes:
    TAKES_ALL = 0
    TAKES_ORIGINAL = 1
    TAKES_ORIGINAL_AND_BUSTED = 2

cdef enum SurrenderKind:
    SURRENDER_NONE = 0
    SURRENDER_LATE = 1
    SURRENDER_EARLY = 2

# Why an action is refused; blackjack.errors has the words, in this order.
cdef enum Reason:
    LEGAL = 0
    NO_ROUND = 1
    OFFER_WAITS = 2
    NO_OFFER = 3
    NO_INSURANCE_UPCARD = 4
    EVEN_MONEY_INSTEAD = 5
    NO_EVEN_MONEY_UPCARD = 6
    NO_BLACKJACK = 7
    NO_SURRENDER_HOUSE = 8
    NO_SURRENDER_UPCARD = 9
    NOT_FIRST_TWO = 10
    AFTER_SPLIT = 11
    SURRENDER_IN_PLAY = 12
    HAS_BLACKJACK = 13
    HIT_ON_21 = 14
    ONE_CARD_TO_SPLIT_ACES = 15
    DOUBLED = 16
    DOUBLE_ON_21 = 17
    DOUBLE_TOTAL = 18
    DOUBLE_SOFT = 19
    NO_DOUBLE_AFTER_SPLIT = 20
    NO_DOUBLE_SPLIT_ACES = 21
    NOT_A_PAIR = 22
    HANDS_LIMIT = 23
    ACE_HANDS_LIMIT = 24
    INSURED_BOX = 25
    FUNDS = 26
    STAKE_LIMIT = 27
    NOTHING_TO_INSURE = 28
    NO_REDOUBLE = 29
    UNKNOWN_ACTION = 30
    PARTIAL_AMOUNT = 31

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
    MAX_BOXES = 64
    MAX_HANDS = 64

cdef struct Ratio:
    int64_t num
    int64_t den

cdef struct RuleTable:
    int boxes
    int max_hands
    int max_ace_hands
    int hole_card
    int upcard_second
    int takes
    int ties_21
    int surrender
    int charlie_cards           # 0: none
    int suited
    int das
    int double_split_aces
    int hit_split_aces
    int split_by_rank
    int hit_on_21
    int push_22
    int split_ace_ten
    int double_any_number
    int redouble
    int double_for_less
    int partial_insurance
    int pay_at_once
    int round_up
    uint16_t peek_mask          # masks over the upcard's value index
    uint16_t surrender_mask
    uint16_t insurance_mask
    uint16_t even_money_mask
    uint16_t insurance_blocks   # mask over actions
    uint32_t dealer_wins_ties   # mask over totals
    uint8_t dealer_draws[2][32] # [holds an ace][points]
    uint8_t double_bar[2][32]   # [soft][points]: LEGAL, DOUBLE_TOTAL or DOUBLE_SOFT
    Ratio blackjack_pays
    Ratio suited_pays
    Ratio insurance_pays
    Ratio charlie_pays
    Ratio surrender_returns

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

cdef int round_start(RoundState* r) noexcept nogil
cdef int round_apply(RoundState* r, int action, int64_t amount) noexcept nogil
cdef int round_reason(const RoundState* r, int action) noexcept nogil
cdef int round_upcard(const RoundState* r) noexcept nogil
cdef int64_t insurance_stake(const RoundState* r, int box) noexcept nogil

cdef class RuleSet:
    cdef RuleTable t
    cdef readonly dict fields

cdef class Round:
    cdef RoundState r
    cdef readonly RuleSet rules
    cdef readonly Shoe shoe
    cdef void* memory
    cdef Py_ssize_t memory_size
    cdef void* backup
    cdef Py_ssize_t _backup_size(self)
    cdef bint _may_run_dry(self)
    cdef int _save(self) except -1
    cdef int _back(self) except -1
    cdef HandState* _hand(self, int box, int hand) except NULL
    cpdef int apply(self, int action, int64_t amount=*) except? -2
    cpdef int reason(self, int action)
    cpdef int hand_count(self, int box) except -1
    cpdef bytes hand_cards(self, int box, int hand)
    cpdef int hand_total(self, int box, int hand) except -1
    cpdef tuple hand_state(self, int box, int hand)
    cpdef tuple box_state(self, int box)
    cpdef int64_t stake_of(self, int action) except -1
    cpdef object funds_of(self, int account)
    cpdef tuple turn_state(self)
    cpdef int64_t box_returned(self, int box) except -1
    cpdef bytes log_bytes(self)
