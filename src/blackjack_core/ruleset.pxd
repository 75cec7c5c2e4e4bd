# Rules as tables and masks (plain C).
#
# Lives here: `RuleTable`, what its fields mean, the codes of reasons. Not here: what a round does with
# them (machine), the rules people write (blackjack.rules).
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

cdef enum:
    MAX_BOXES = 64
    MAX_HANDS = 64

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


cdef class RuleSet:
    cdef RuleTable t
    cdef readonly dict fields
