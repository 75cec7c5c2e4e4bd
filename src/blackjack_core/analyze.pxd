# Expected values over the player's hands as multisets (plain C, nogil).
#
# Lives here: the table of hands, a game off the top, one pass over the hands. Not here: the dealer's
# chances (dealer), what an action does (machine), several hands of a split (splits).
from libc.stdint cimport int16_t, uint8_t, uint16_t
from .dealer cimport DealerPlan, DealerWeights
from .ruleset cimport RuleTable

cdef enum:
    HAND_ROOM = 3136            # multisets of values with 21 points or less
    REDOUBLES = 20

cdef struct HandTable:
    int n                               # children come before their parents
    int16_t child[HAND_ROOM][10]        # with one card more, -1: bust
    uint8_t cards[HAND_ROOM][10]
    uint8_t size[HAND_ROOM]
    uint8_t points[HAND_ROOM]           # every ace 1
    uint8_t ace[HAND_ROOM]
    uint8_t total[HAND_ROOM]
    int16_t one[10]
    int16_t two[10][10]
    int n_with[10]
    int16_t with_[10][HAND_ROOM]        # hands that hold a value, children first

# What the legal actions hang on besides the hand.
cdef enum HandKind:
    PLAIN = 0
    SPLIT_HAND = 1
    SPLIT_ACES = 2

# What a dealer blackjack that nobody saw coming does to a hand.
cdef enum Natural:
    LEFT_OUT = 0                # values are joint with "no dealer blackjack"
    LOSES_ALL = 1
    LOSES_ORIGINAL = 2
    LOSES_BUSTED = 3

cdef struct Game:
    const RuleTable* rules
    const DealerPlan* dealer
    DealerWeights* weights              # by kind of stand: up to 16, 17 .. 21, ace and ten after a split
    double counts[10]
    double cards
    double gone                         # 1: cards leave the shoe, 0: infinite
    int infinite
    unsigned int ups
    int only                            # the one upcard, -1: several
    int charlie                         # cards of a charlie; beyond any hand where there is none
    double charlie_pays
    uint8_t legal[2][3][2][2][2][22]    # [insured][kind][doubled][over two cards][ace][points]
    uint8_t pair_legal[2][3][10]        # [insured][kind][value]: may split
    uint8_t surrender[2][10]            # [insured][upcard]: in play
    uint8_t offers[2][10]               # [natural][upcard]: legal actions

# One pass: every hand's values under all upcards, with further cards gone.
cdef struct Pass:
    int rank                            # of the further cards that are gone
    int extra
    int kind
    int insured
    int natural[10]
    int optimal                         # choose; otherwise play by the masks
    int all_actions                     # work out actions that are not taken, too
    double* stand_sum                   # [hand][upcard]: without dealer blackjacks
    double* stand
    double* hit
    double* double_
    double* doubled                     # of a doubled hand
    double* value
    double* spare
    uint16_t* hits                      # upcards under which a hand hits, doubles
    uint16_t* doubles
    uint16_t* again                     # [redoubles][hand]: doubles again
    int summed                          # stand_sum is there already
    uint16_t* reach_doubled
    uint16_t* reach                     # upcards under which a hand comes up
    uint16_t* need                      # upcards under which its stand_sum is wanted

cdef HandTable hand_table
cdef int hand_of_counts(const uint8_t* counts) noexcept nogil
cdef double natural_chance(const Game* g, const Pass* p, int hand, int up, int more) noexcept nogil
cdef void stand_sums(const Game* g, const Pass* p, const int16_t* hands, int n) noexcept nogil
cdef void next_card(const Game* g, const Pass* p, int hand, const double* after, double stake,
                    double* out) noexcept nogil
cdef void final_values(const Game* g, const Pass* p, int hand, double stake, double* out) noexcept nogil
cdef void double_to(const Game* g, const Pass* p, const int16_t* hands, int n, int hand, double stake,
                    double* out) noexcept nogil
cdef void run_pass(const Game* g, const Pass* p, const int16_t* hands, int n) noexcept nogil
cdef void legal_tables(Game* g) noexcept nogil
cdef void stand_weights(Game* g) noexcept nogil
