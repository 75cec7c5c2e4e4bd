"""What a chart's rows are worth: a solved game's hands gathered by total, and in order of preference.

Lives here: `rows`, `orders`, `runs_dry`. Not here: charts and cells (blackjack._analysis_chart), values (solve).
"""
from libc.stdint cimport uint16_t
from libc.stdlib cimport calloc, free
from .analyze cimport HAND_ROOM, Pass, hand_table
from .dealer cimport dealer_outcomes
from .player cimport share
from .solve cimport Solver
from .state cimport DOUBLE, HIT, STAND

# Of a cell: legal actions of PLAY (five bits), then weight and the five actions' values times weight.
cdef enum:
    CELLS = 960
    SETS = 32


cdef inline int row_of(int hand, int pair) noexcept nogil:
    """kind * 32 + row, as in a plan."""
    cdef int v
    if pair and hand_table.size[hand] == 2:
        for v in range(10):
            if hand_table.cards[hand][v] == 2:
                return 64 + v + 1
    return hand_table.total[hand] + (32 if hand_table.ace[hand] and hand_table.points[hand] <= 11 else 0)


cdef inline double start_chance(Solver s, int i, int j, int u) noexcept nogil:
    """Of these two cards (in either order), given the upcard."""
    cdef double gone = s.g.gone, n = s.g.cards
    cdef double a = s.g.counts[i] - gone * (i == u)
    cdef double b = s.g.counts[j] - gone * ((j == u) + (i == j))
    return (1 if i == j else 2) * share(a, n - gone) * share(b, n - 2 * gone) if a > 0 and b > 0 else 0.0


cdef void reach_weights(Solver s, double* weights) noexcept:
    """weights[hand * 10 + upcard]: how often a hand has to be played, given the upcard."""
    cdef int i, j, u, v, hand, child, action
    cdef double w, left, cards, pair = s.same_rank_chance()
    for u in range(10):
        if not (s.g.ups >> u) & 1:
            continue
        for i in range(10):
            for j in range(i, 10):
                hand = hand_table.two[i][j]
                if not s.is_natural(hand):
                    weights[hand * 10 + u] = start_chance(s, i, j, u)
        for i in range(s.n_hands - 1, -1, -1):      # parents first
            hand = s.hands[i]
            w = weights[hand * 10 + u]
            if w <= 0 or hand_table.size[hand] >= s.g.charlie:
                continue
            action = s.choose(0, hand, u, 1)
            if hand == hand_table.two[9][9] and pair < 1.0 and s.choose(0, hand, u, 0) == HIT:
                w *= 1.0 - pair if action != HIT else 1.0
            elif action != HIT:
                continue
            cards = s.g.cards - s.g.gone * (hand_table.size[hand] + 1)
            for v in range(10):
                child = hand_table.child[hand][v]
                left = s.g.counts[v] - s.g.gone * (hand_table.cards[hand][v] + (v == u))
                if child >= 0 and left > 0:
                    weights[child * 10 + u] += w * left / cards


def rows(Solver s not None):
    """{(row index, upcard): [(legal actions, weight, stand, hit, double, split, surrender)]}.

    The row index is that of a plan (32 * kind + row); values are summed with their weights: how often the hand
    has to be played. Rows that are never played weigh all of their hands alike (with weight 0 given).
    """
    cdef double* weights = <double*>calloc(HAND_ROOM * 10, sizeof(double))
    cdef double* sums = <double*>calloc(CELLS * SETS * 7, sizeof(double))
    cdef double* cell
    cdef int i, u, hand, legal, a, at
    cdef double w, pair = s.same_rank_chance()
    try:
        if weights == NULL or sums == NULL:
            raise MemoryError
        reach_weights(s, weights)
        for i in range(s.n_hands):
            hand = s.hands[i]
            if s.is_natural(hand) or hand_table.size[hand] >= s.g.charlie or not held(s, hand):
                continue
            for u in range(10):
                if not (s.g.ups >> u) & 1:
                    continue
                w = weights[hand * 10 + u]
                if s.by_rank and hand == hand_table.two[9][9]:
                    add(s, sums, row_of(hand, 0), hand, u, 0, w * (1.0 - pair))
                    w *= pair
                add(s, sums, row_of(hand, 1), hand, u, 1, w)
                if row_of(hand, 1) >= 64 and hand_table.points[hand] < 5:
                    add(s, sums, row_of(hand, 0), hand, u, 0, 0.0)      # hard 4, soft 12: pairs only
        result = {}
        for at in range(CELLS):
            found = []
            for legal in range(SETS):
                cell = sums + (at * SETS + legal) * 7
                if cell[6] > 0:
                    found.append((legal, cell[0], *[cell[1 + a] for a in range(5)]))
            if found:
                result[at // 10, at % 10] = found
        return result
    finally:
        free(weights)
        free(sums)


def runs_dry(Solver s not None):
    """Whether a round without a split may need a card when the shoe is empty, as it is played here."""
    cdef double* weights = <double*>calloc(HAND_ROOM * 10, sizeof(double))
    cdef int i, u, v, hand, child, action
    try:
        if weights == NULL:
            raise MemoryError
        reach_weights(s, weights)
        for i in range(s.n_hands):
            hand = s.hands[i]
            for u in range(10):
                if weights[hand * 10 + u] <= 0 or hand_table.size[hand] >= s.g.charlie:
                    continue
                action = s.choose(0, hand, u, 1)
                if action == STAND and not dealer_ends(s, hand, u):
                    return True
                if action in (HIT, DOUBLE) and s.g.cards <= hand_table.size[hand] + 1:
                    return True
                if action == DOUBLE:
                    for v in range(10):
                        child = hand_table.child[hand][v]
                        if child >= 0 and s.g.counts[v] > hand_table.cards[hand][v] + (v == u) and (
                                not dealer_ends(s, child, u)):
                            return True
        return False
    finally:
        free(weights)


cdef bint dealer_ends(Solver s, int hand, int u) noexcept:
    cdef double counts[10]
    cdef double out[80]
    cdef double all = 0.0
    cdef int v
    for v in range(10):
        counts[v] = s.g.counts[v] - hand_table.cards[hand][v]
    dealer_outcomes(s.g.dealer, counts, 0, 1 << u, out)
    for v in range(8):
        all += out[u * 8 + v]
    return all > 1.0 - 1e-9


cdef void add(Solver s, double* sums, int row, int hand, int u, int pair, double w):
    """A hand into its row. What is never played counts very little, so that it decides where it is alone."""
    cdef int a, legal = s.legal_round(0, hand, u, pair)
    cdef double* cell = sums + ((row * 10 + u) * SETS + legal) * 7
    cdef double weight = w if w > 1e-18 else 1e-18
    cell[0] += w
    cell[6] += 1
    for a in range(5):
        if (legal >> a) & 1:
            cell[1 + a] += weight * s.act_value(0, hand, u, a)


def orders(Solver s not None):
    """[(cards, legal sets, [per upcard])] of every hand that can come up.

    Legal sets (masks): after a split, with split aces, once doubled. Per upcard None, or: how often the hand has
    to be played, its actions unsplit from best to worst up to standing, all of their values, what is legal.
    """
    cdef double* weights = <double*>calloc(HAND_ROOM * 10, sizeof(double))
    cdef uint16_t* touched = <uint16_t*>calloc(HAND_ROOM, sizeof(uint16_t))
    cdef const Pass* p = &s.base[0]
    cdef int i, j, u, v, hand, child, more, ace, points
    result = []
    try:
        if weights == NULL or touched == NULL:
            raise MemoryError
        reach_weights(s, weights)
        for i in range(10):
            for j in range(i, 10):
                touched[hand_table.two[i][j]] = s.g.ups
        for i in range(s.n_hands - 1, -1, -1):
            hand = s.hands[i]
            if not touched[hand] or hand_table.size[hand] >= s.g.charlie or not held(s, hand):
                continue
            more = hand_table.size[hand] > 2
            ace = hand_table.ace[hand]
            points = hand_table.points[hand]
            per_upcard = []
            for u in range(10):
                if not (touched[hand] >> u) & 1:
                    per_upcard.append(None)
                    continue
                per_upcard.append((weights[hand * 10 + u], *order(s, hand, u)))
                # drawn to wherever standing is worse, though something else may be better still
                if s.g.legal[s.base[0].insured][0][0][more][ace][points] & (1 << HIT) and (
                        p.hit[hand * 10 + u] > p.stand[hand * 10 + u]):
                    for v in range(10):
                        child = hand_table.child[hand][v]
                        if child >= 0:
                            touched[child] |= 1 << u
            legal = (
                s.g.legal[s.base[0].insured][1][0][more][ace][points],
                s.g.legal[s.base[0].insured][2][0][more][ace][points] if ace else 1,
                s.g.legal[s.base[0].insured][0][1][more][ace][points],
            )
            cards = tuple([hand_table.cards[hand][v] for v in range(10)])
            result.append((cards, legal, per_upcard))
        return result
    finally:
        free(weights)
        free(touched)


cdef bint held(Solver s, int hand):
    cdef int v
    for v in range(10):
        if s.g.counts[v] - s.g.gone * hand_table.cards[hand][v] < 0 or (
                hand_table.cards[hand][v] and s.g.counts[v] <= 0):
            return False
    return True


cdef order(Solver s, int hand, int u):
    """The legal actions from best to worst, up to the first of standing; and their values."""
    cdef int a, legal = s.legal_round(0, hand, u, 1)
    if s.is_natural(hand):      # has nothing to decide, but after a split it is an ordinary 21
        legal = s.legal_play(&s.base[0], hand, 0)
    # equal values: the plainer action first
    ranked = sorted([(-s.act_value(0, hand, u, a), a) for a in range(5) if (legal >> a) & 1])
    actions = [a for _, a in ranked]
    return tuple(actions[:actions.index(STAND) + 1]), {a: -value for value, a in ranked}, legal
