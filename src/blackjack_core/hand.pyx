"""Hand evaluation for Python callers.

Lives here: totals of card codes. Not here: notation (blackjack.cards), settlement (round).
"""


def total(bytes cards not None):
    """(best total, soft) of a hand of card codes, e.g. `bytes([0, 20])` for an ace and a six."""
    cdef int points = 0, ace = 0
    cdef Py_ssize_t i
    if len(cards) > 31:
        raise ValueError(f"expected at most 31 cards, got {len(cards)}")
    for i in range(len(cards)):
        if cards[i] >= 52:
            raise ValueError(f"expected card codes 0 to 51, got {cards[i]}")
        points += BJ_VALUE[cards[i]] + 1
        ace |= BJ_VALUE[cards[i]] == 0
    if points > 31:
        return points, False
    return BJ_TOTAL[ace][points], bool(is_soft(points, ace))
