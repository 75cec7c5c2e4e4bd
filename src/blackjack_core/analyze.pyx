"""Expected values of the player's hands, as multisets of values, from any shoe.

Lives here: the table of hands; what is legal, asked of the compiled round once; one pass over the hands
that gives the value of every action under every upcard. Not here: the dealer's chances (dealer), what a
round does (machine), several hands of a split and whole rounds (solve).

Values are joint with "no dealer blackjack" where the dealer peeks or where all of a box's loss to one is
the original bet; `Pass.natural` says which.
"""
from libc.stdint cimport INT64_MAX, int64_t
from libc.string cimport memset
from .dealer cimport dealer_stand, dealer_weigh
from .hand cimport BJ_TOTAL
from .legality cimport legal_mask
from .state cimport DOUBLE, HIT, OFFERS, PLAY, SPLIT, SURRENDER, BoxState, HandState, RoundState

# ---------------------------------------------------------------- the hands


def _make_table():
    """Every multiset of 21 points or less, the one with most points first."""
    cdef int i, v, points
    hands = []

    def grow(int value, int left, cards):
        if value < 0:
            hands.append((left, tuple(cards)))
            return
        for n in range(left // (value + 1) + 1):
            cards[value] = n
            grow(value - 1, left - n * (value + 1), cards)
        cards[value] = 0

    grow(9, 21, [0] * 10)
    hands.sort()
    index = {cards: i for i, (_, cards) in enumerate(hands)}
    if len(hands) > HAND_ROOM:
        raise AssertionError("more hands than there is room for")
    hand_table.n = <int>len(hands)
    for i, (left, cards) in enumerate(hands):
        points = 21 - left
        hand_table.size[i] = sum(cards)
        hand_table.points[i] = points
        hand_table.ace[i] = cards[0] > 0
        hand_table.total[i] = BJ_TOTAL[cards[0] > 0][points]
        for v in range(10):
            hand_table.cards[i][v] = cards[v]
            hand_table.child[i][v] = index.get(cards[:v] + (cards[v] + 1,) + cards[v + 1:], -1)
            if cards[v]:
                hand_table.with_[v][hand_table.n_with[v]] = i
                hand_table.n_with[v] += 1
    for v in range(10):
        hand_table.one[v] = hand_table.child[hand_table.n - 1][v]
        for i in range(10):
            hand_table.two[v][i] = hand_table.child[hand_table.one[v]][i]


_make_table()


cdef int hand_of_counts(const uint8_t* counts) noexcept nogil:
    """A hand's number, -1 where it has busted."""
    cdef int v, j, at = hand_table.n - 1
    for v in range(10):
        for j in range(counts[v]):
            if at >= 0:
                at = hand_table.child[at][v]
    return at


# ---------------------------------------------------------------- what is legal, what a final hand is worth

cdef void legal_tables(Game* g) noexcept nogil:
    """Ask the compiled round what a hand may do, once for everything that the answer hangs on."""
    cdef RoundState r
    cdef BoxState box
    cdef HandState h
    cdef int64_t funds = INT64_MAX
    cdef int insured, kind, doubled, more, ace, points, v
    memset(&r, 0, sizeof(r))
    memset(&box, 0, sizeof(box))
    r.rules = g.rules
    r.boxes = &box
    r.hands = &h
    r.funds = &funds
    r.phase = PLAY
    r.dealer_n = 2
    box.bet = 2
    box.n_hands = 1
    for insured in range(2):
        box.insured = insured
        for kind in range(3):
            memset(&h, 0, sizeof(h))
            h.stake = 2
            h.split = kind > 0
            h.aces = kind == 2
            h.cards[1] = 4
            for doubled in range(2):
                h.doubled = doubled
                for more in range(2):
                    h.n = 3 if more else 2
                    for ace in range(2):
                        h.ace = ace
                        for points in range(22):
                            h.points = points
                            g.legal[insured][kind][doubled][more][ace][points] = legal_mask(&r) & 7
            h.doubled = 0
            h.n = 2
            for v in range(10):
                h.cards[0] = h.cards[1] = v * 4
                h.ace = v == 0
                h.points = 2 * (v + 1)
                g.pair_legal[insured][kind][v] = (legal_mask(&r) >> SPLIT) & 1
        h.split = h.aces = h.ace = 0
        h.points = 16
        for v in range(10):
            r.dealer[0] = r.dealer[1] = v * 4
            g.surrender[insured][v] = (legal_mask(&r) >> SURRENDER) & 1
    box.insured = 0
    r.phase = OFFERS
    for v in range(10):
        r.dealer[0] = r.dealer[1] = v * 4
        g.offers[0][v] = legal_mask(&r)
    h.ace = 1
    h.points = 11
    for v in range(10):
        r.dealer[0] = r.dealer[1] = v * 4
        g.offers[1][v] = legal_mask(&r)


cdef void stand_weights(Game* g) noexcept nogil:
    """What each final hand of the dealer's is worth to a hand that stands, by kind of stand."""
    cdef double worth[8]
    cdef int kind, final, total
    for kind in range(7):
        total = 16 + kind if kind < 6 else 21
        for final in range(5):
            if total == 17 + final:
                worth[final] = -1.0 if (g.rules.dealer_wins_ties >> total) & 1 else 0.0
            else:
                worth[final] = 1.0 if total > 17 + final else -1.0
        if kind == 6:
            worth[4] = 1.0
        worth[5] = 0.0 if g.rules.push_22 else 1.0
        worth[6] = 1.0
        worth[7] = 0.0
        dealer_weigh(g.dealer, worth, g.ups, &g.weights[kind])


cdef inline int stand_kind(const Game* g, const Pass* p, int hand) noexcept nogil:
    cdef int total = hand_table.total[hand]
    if total == 21 and p.kind and hand_table.size[hand] == 2 and g.rules.split_ace_ten:
        return 6
    return total - 16 if total > 16 else 0


# ---------------------------------------------------------------- one pass

cdef inline double cards_left(const Game* g, const Pass* p, int hand, int value) noexcept nogil:
    cdef int away = hand_table.cards[hand][value] + (p.extra if value == p.rank else 0)
    return g.counts[value] - g.gone * away


cdef double natural_chance(const Game* g, const Pass* p, int hand, int up, int more) noexcept nogil:
    """The chance of a dealer blackjack; with one card more (a value, or -1) in the hand."""
    cdef int hole
    cdef double left, cards
    if up != 0 and up != 9:
        return 0.0
    hole = 9 - up
    left = cards_left(g, p, hand, hole)
    cards = g.cards - g.gone * (hand_table.size[hand] + p.extra + 1)
    if more >= 0:
        left -= g.gone * (more == hole)
        cards -= g.gone
    return left / cards if left > 0 and cards > 0 else 0.0


cdef inline double natural_stand(const Game* g, int natural, int total, double stake) noexcept nogil:
    """What a standing hand makes of a dealer blackjack."""
    if natural == LEFT_OUT:
        return 0.0
    if total == 21 and g.rules.ties_21 and not (g.rules.dealer_wins_ties >> 21) & 1:
        return 0.0
    return -stake if natural == LOSES_ALL else -1.0


cdef inline double natural_bust(int natural, double stake) noexcept nogil:
    """What a busted hand comes to at a dealer blackjack."""
    if natural == LEFT_OUT:
        return 0.0
    return -1.0 if natural == LOSES_ORIGINAL else -stake


cdef enum:
    LOW_UPCARDS = 62            # 2 to 6


cdef struct Lanes:
    int n
    unsigned int ups
    int16_t hand[8]
    double counts[80]


cdef void sum_lanes(const Game* g, const Pass* p, int kind, Lanes* lanes) noexcept nogil:
    cdef double out[80]
    cdef int i, v, u
    for i in range(lanes.n, 8):
        for v in range(10):
            lanes.counts[v * 8 + i] = lanes.counts[v * 8]
    dealer_stand(g.dealer, &g.weights[kind], lanes.counts, g.infinite, lanes.ups, out)
    for i in range(lanes.n):
        for u in range(10):
            if (lanes.ups >> u) & 1:
                p.stand_sum[lanes.hand[i] * 10 + u] = out[u * 8 + i]
    lanes.n = 0
    lanes.ups = 0


cdef void stand_sums(const Game* g, const Pass* p, const int16_t* hands, int n) noexcept nogil:
    """Fill `stand_sum` where it is needed: eight hands of a kind at a time."""
    # where low upcards matter, and where only others do: the low ones take most of the time
    cdef Lanes lanes[14]
    cdef Lanes* here
    cdef int kind, at, v, hand, k, away
    cdef bint there
    cdef double left
    for kind in range(14):
        lanes[kind].n = 0
        lanes[kind].ups = 0
    for at in range(n):
        hand = hands[at]
        if not p.need[hand] & g.ups:
            continue
        kind = stand_kind(g, p, hand)
        if p.need[hand] & g.ups & LOW_UPCARDS:
            kind += 7
        here = &lanes[kind]
        k = here.n
        there = True
        for v in range(10):
            away = hand_table.cards[hand][v] + (p.extra if v == p.rank else 0)
            left = g.counts[v] - g.gone * away
            here.counts[v * 8 + k] = left
            there = there and left >= 0
        if not there:
            continue
        here.hand[k] = <int16_t>hand
        here.ups |= p.need[hand] & g.ups
        here.n = k + 1
        if here.n == 8:
            sum_lanes(g, p, kind % 7, here)
    for kind in range(14):
        if lanes[kind].n:
            sum_lanes(g, p, kind % 7, &lanes[kind])


cdef double next_card_under(const Game* g, const Pass* p, int hand, const double* after, double stake,
                            double scale, int u) noexcept nogil:
    """`next_card` under one upcard."""
    cdef int v, child
    cdef double left, natural, total = 0.0
    for v in range(10):
        left = cards_left(g, p, hand, v) - g.gone * (v == u)
        if left <= 0:
            continue
        child = hand_table.child[hand][v]
        if child >= 0:
            total += left * after[child * 10 + u]
        else:
            natural = natural_chance(g, p, hand, u, v)
            total += left * (natural * (stake + natural_bust(p.natural[u], stake)) - stake)
    return total * scale


cdef void next_card(const Game* g, const Pass* p, int hand, const double* after, double stake,
                    double* out) noexcept nogil:
    """out[upcard]: the average of `after` over the next card; a bust costs the stake."""
    cdef double left[10]
    cdef double cards = g.cards - g.gone * (hand_table.size[hand] + p.extra + 1)
    cdef double scale, bust, natural
    cdef int v, u, child
    cdef const double* there
    if cards <= 0:
        for u in range(10):
            out[u] = 0.0
        return
    scale = 1.0 / cards
    bust = 0.0
    if g.only >= 0:
        out[g.only] = next_card_under(g, p, hand, after, stake, scale, g.only)
        return
    for u in range(10):
        out[u] = 0.0
    for v in range(10):
        left[v] = cards_left(g, p, hand, v)
        child = hand_table.child[hand][v]
        if child < 0:
            bust += left[v]
        elif left[v] > 0:
            there = after + child * 10
            for u in range(10):
                out[u] += left[v] * there[u]
    for u in range(10):
        # the upcard is not there to be drawn
        child = hand_table.child[hand][u]
        if child < 0:
            out[u] -= stake * (bust - g.gone)
        else:
            out[u] -= stake * bust
            if left[u] > 0:
                out[u] -= g.gone * after[child * 10 + u]
        out[u] *= scale
    if bust > 0:
        for u in range(0, 10, 9):
            natural = 0.0
            for v in range(10):
                if hand_table.child[hand][v] < 0 and left[v] - g.gone * (v == u) > 0:
                    natural += (left[v] - g.gone * (v == u)) * natural_chance(g, p, hand, u, v)
            out[u] += scale * natural * (stake + natural_bust(p.natural[u], stake))


cdef void final_values(const Game* g, const Pass* p, int hand, double stake, double* out) noexcept nogil:
    """out[upcard]: a hand with no more decisions is worth: a charlie, or it stands."""
    cdef int u
    cdef double natural
    if hand_table.size[hand] >= g.charlie:
        for u in range(10):
            natural = 0.0 if p.natural[u] else natural_chance(g, p, hand, u, -1)
            out[u] = stake * g.charlie_pays * (1.0 - natural)
        return
    for u in range(10):
        out[u] = stake * p.stand_sum[hand * 10 + u]
    for u in range(0, 10, 9):
        if p.natural[u]:
            out[u] += natural_chance(g, p, hand, u, -1) * natural_stand(
                g, p.natural[u], hand_table.total[hand], stake)


cdef inline int legal_of(const Game* g, const Pass* p, int hand, int doubled) noexcept nogil:
    return g.legal[p.insured][p.kind][doubled][hand_table.size[hand] > 2][
        hand_table.ace[hand]][hand_table.points[hand]]


cdef void doubled_values(const Game* g, const Pass* p, const int16_t* hands, int n, double first) noexcept nogil:
    """`doubled`: what a hand is worth with a stake of `first` after a double (and another, where rules let)."""
    cdef double row[10]
    cdef double stake
    cdef double* after
    cdef double* here
    cdef int i, u, hand, times, last = REDOUBLES if g.rules.redouble else 1
    cdef uint16_t again
    for times in range(last, 0, -1):
        # the values of the next redouble and of this one take turns, so that `doubled` comes last
        here = p.doubled if times & 1 else p.spare
        after = p.spare if times & 1 else p.doubled
        stake = first * <double>(1 << (times - 1))
        for i in range(n):
            hand = hands[i]
            # each double has dealt it a card
            if hand_table.size[hand] < times + 2 or not (p.all_actions or p.reach_doubled[hand]):
                continue
            final_values(g, p, hand, stake, &here[hand * 10])
            if times == last or hand_table.size[hand] >= g.charlie or not legal_of(g, p, hand, 1) & (1 << DOUBLE):
                continue
            next_card(g, p, hand, after, 2 * stake, row)
            again = p.again[times * HAND_ROOM + hand]
            if p.optimal:
                again = 0
                for u in range(10):
                    if row[u] > here[hand * 10 + u]:
                        again |= 1 << u
                p.again[times * HAND_ROOM + hand] = again
            for u in range(10):
                if again >> u & 1:
                    here[hand * 10 + u] = row[u]


cdef void double_to(const Game* g, const Pass* p, const int16_t* hands, int n, int hand, double stake,
                    double* out) noexcept nogil:
    """out[upcard]: one card more for a hand of a pass that has run, with that stake, and what comes after it."""
    doubled_values(g, p, hands, n, stake)
    next_card(g, p, hand, p.doubled, stake, out)
    doubled_values(g, p, hands, n, 2.0)


cdef void run_pass(const Game* g, const Pass* p, const int16_t* hands, int n) noexcept nogil:
    """The values of all hands, children first; `optimal` chooses and writes down what."""
    cdef int i, u, hand, legal, at
    cdef double best
    if not p.summed:
        stand_sums(g, p, hands, n)
    doubled_values(g, p, hands, n, 2.0)
    for i in range(n):
        hand = hands[i]
        at = hand * 10
        if not p.all_actions and not p.reach[hand]:
            continue
        final_values(g, p, hand, 1.0, &p.stand[at])
        for u in range(10):
            p.value[at + u] = p.stand[at + u]
        if hand_table.size[hand] >= g.charlie:
            continue
        legal = legal_of(g, p, hand, 0)
        if p.optimal:
            p.hits[hand] = 0
            p.doubles[hand] = 0
        if legal & (1 << HIT) and (p.all_actions or p.optimal or p.hits[hand]):
            next_card(g, p, hand, p.value, 1.0, &p.hit[at])
        if legal & (1 << DOUBLE) and (p.all_actions or p.optimal or p.doubles[hand]):
            next_card(g, p, hand, p.doubled, 2.0, &p.double_[at])
        for u in range(10):
            if p.optimal:
                best = p.stand[at + u]
                if legal & (1 << HIT) and p.hit[at + u] > best:
                    best = p.hit[at + u]
                    p.hits[hand] |= 1 << u
                if legal & (1 << DOUBLE) and p.double_[at + u] > best:
                    p.hits[hand] &= ~(1 << u)
                    p.doubles[hand] |= 1 << u
            if p.hits[hand] >> u & 1:
                p.value[at + u] = p.hit[at + u]
            elif p.doubles[hand] >> u & 1:
                p.value[at + u] = p.double_[at + u]


def table_size():
    """The number of hands of 21 points or less, the empty one among them."""
    return hand_table.n
