# Cards and hand totals by table (inline, nogil).
#
# Lives here: card codes, the value of a card, totals. Not here: what a total wins (round).
from libc.stdint cimport uint8_t

cdef extern from *:
    """
    #ifndef BJ_HAND_TABLES
    #define BJ_HAND_TABLES
    /* value index 0..9 (A, 2..9, T) of the card codes rank * 4 + suit */
    static const unsigned char BJ_VALUE[52] = {
        0,0,0,0, 1,1,1,1, 2,2,2,2, 3,3,3,3, 4,4,4,4, 5,5,5,5, 6,6,6,6, 7,7,7,7, 8,8,8,8,
        9,9,9,9, 9,9,9,9, 9,9,9,9, 9,9,9,9};
    /* best total by [holds an ace][points with every ace as 1]: an ace counts 11 up to 11 points */
    static const unsigned char BJ_TOTAL[2][32] = {
        {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31},
        {0,11,12,13,14,15,16,17,18,19,20,21,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,
         29,30,31}};
    #endif
    """
    const uint8_t BJ_VALUE[52]
    const uint8_t BJ_TOTAL[2][32]


cdef inline int card_value(int card) noexcept nogil:
    """Value index of a card code: 0 ace, 1..8 for 2..9, 9 for T J Q K."""
    return BJ_VALUE[card]


cdef inline int card_rank(int card) noexcept nogil:
    """Rank 0..12 of a card code: A 2 3 4 5 6 7 8 9 T J Q K."""
    return card >> 2


cdef inline int card_suit(int card) noexcept nogil:
    """Suit 0..3 of a card code: c d h s."""
    return card & 3


cdef inline int best_total(int points, int ace) noexcept nogil:
    """The hand's total from its points (every ace 1) and whether it holds an ace."""
    return BJ_TOTAL[ace][points]


cdef inline bint is_soft(int points, int ace) noexcept nogil:
    """Whether an ace counts 11 in the best total."""
    return ace and points <= 11
