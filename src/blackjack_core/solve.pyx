"""Whole rounds off the top of any shoe: several hands of a split, offers, the expected value.

Lives here: `Solver`. Not here: one hand's values (analyze), text and types (blackjack.analysis).

Several hands are one hand several times: by exchangeability of the unseen cards a split is worth the sum
over its numbers of hands of what one hand is worth with so many pair cards and others known to be gone.
"""
from libc.stdint cimport int16_t, uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from .analyze cimport (
    HAND_ROOM, LEFT_OUT, LOSES_ALL, LOSES_BUSTED, LOSES_ORIGINAL, PLAIN, REDOUBLES, SPLIT_ACES, SPLIT_HAND,
    Game, Pass, hand_of_counts, hand_table, legal_tables, natural_chance, next_card, run_pass, stand_weights,
)
from .dealer cimport Dealer, DealerWeights
from .ruleset cimport (
    HOLE_PEEK, SURRENDER_EARLY, TAKES_ALL, TAKES_ORIGINAL, Ratio, RuleSet,
)
from .state cimport DECLINE, DOUBLE, EVEN_MONEY, HIT, INSURANCE, SPLIT, STAND, SURRENDER

cdef enum:
    HANDS = 64                  # of a box, at most
    EXTRAS = 128                # pair cards gone besides a hand's own, at most 2 * HANDS - 3

cdef enum SplitPlay:
    CDZ = 0
    CDP1 = 1
    CDP = 2

SPLIT_PLAYS = ("cdz", "cdp1", "cdp")


cdef inline double times(Ratio q) noexcept nogil:
    return <double>q.num / <double>q.den


cdef inline double share(double part, double all) noexcept nogil:
    return part / all if part > 0 and all > 0 else 0.0


# ---------------------------------------------------------------- several hands

cdef double split_total(int hands, double pairs, double unseen, double gone,
                        const double* x, const double* p) noexcept nogil:
    """What all hands of a split come to.

    pairs, unseen: pair cards and cards that are left beside one hand's first card and the upcard.
    x[a], p[a]: a hand that starts on the pair card, and one that is a pair and played as it is, with `a`
    further pair cards gone. Pairs are split again up to `hands`.
    """
    cdef double ex[EXTRAS][HANDS]
    cdef double en[EXTRAS][HANDS]
    cdef double chance[HANDS + 1][HANDS + 1]
    cdef double v, total = 0.0, here
    cdef int a, b, i, j, last = 2 * hands - 3 if hands > 2 else 1
    for a in range(1, last + 1):
        ex[a][0] = x[a]
        v = share(pairs - gone * a, unseen - gone * a)
        en[a][0] = (x[a] - v * p[a]) / (1.0 - v) if v < 1.0 else 0.0
    for b in range(1, hands - 1):
        for a in range(1, last - b + 1):
            # what is known of one card more: it is no pair card
            v = share(pairs - gone * a, unseen - gone * (a + b - 1))
            ex[a][b] = (ex[a][b - 1] - v * ex[a + 1][b - 1]) / (1.0 - v) if v < 1.0 else 0.0
            v = share(pairs - gone * a, unseen - gone * (a + b))
            en[a][b] = (en[a][b - 1] - v * en[a + 1][b - 1]) / (1.0 - v) if v < 1.0 else 0.0
    memset(chance, 0, sizeof(chance))
    chance[2][0] = 1.0
    for i in range(2, hands + 1):
        for j in range(i + 1):
            here = chance[i][j]
            if here <= 0.0:
                continue
            if i == hands:
                if j:
                    total += here * j * en[hands - 1][j - 1]
                total += here * (hands - j) * ex[hands - 1][j]
            elif j == i:
                total += here * i * en[i - 1][i - 1]
            else:
                v = share(pairs - gone * (i - 1), unseen - gone * (i - 1 + j))
                chance[i + 1][j] += here * v
                chance[i][j + 1] += here * (1.0 - v)
    return total


cdef class Solver:
    """Solver(rules, dealer, counts, *, tens, suited, infinite, ups, plan, split_play, hand)
    --

    Everything about one game off the top of one shoe, worked out when it is made.

    counts: ten numbers of cards; tens: how many of the last are T, J, Q, K (used where pairs are of a rank).
    suited: the chance that an ace and a ten are of one suit. ups: a bit per upcard. plan: None for the best
    play, or (play, offers, exact, split_by_rank) of a StrategyPlan. split_play: an index of SPLIT_PLAYS.
    hand: ten counts; only what bears on that hand. after_split: it is one of so many hands of its box,
    split from aces or not.
    """
    cdef Game g
    cdef RuleSet rules
    cdef Dealer dealer
    cdef DealerWeights* weights
    cdef double* doubles
    cdef uint16_t* masks
    cdef uint16_t* prefs                    # [after split][hand][upcard]: preference lists
    cdef uint16_t mixed[2][10]              # of two ten-values of different ranks
    cdef unsigned char offer_bits[3][32][10]
    cdef Pass base[2]                       # not insured, insured
    cdef Pass part
    cdef int two_bases
    cdef int fixed
    cdef int split_play
    cdef readonly int kind                  # of the hands: 0, or after a split
    cdef int boxed                          # hands of the box already
    cdef int by_rank
    cdef int root
    cdef int pair                           # the root's pair, -1: none; 10: every pair
    cdef int16_t hands[HAND_ROOM]
    cdef int n_hands
    cdef double tens[4]
    cdef double suited
    cdef double split[2][10][10]            # [insured][value][upcard]
    cdef double split_x[EXTRAS][10]
    cdef double split_p[EXTRAS][10]
    cdef double split_mixed[EXTRAS][10]
    cdef double up_chance[10]
    cdef double up_value[10]
    cdef double value

    def __cinit__(self, RuleSet rules not None, Dealer dealer not None, counts, *, tens, double suited=0.25,
                  bint infinite=False, unsigned int ups=1023, plan=None, int split_play=0, hand=None,
                  int after_split=0, bint aces=False):
        cdef int v
        self.rules = rules
        self.dealer = dealer
        self.weights = <DealerWeights*>calloc(7, sizeof(DealerWeights))
        self.doubles = <double*>calloc(HAND_ROOM * 10 * 18, sizeof(double))
        self.masks = <uint16_t*>calloc(HAND_ROOM * (3 * (REDOUBLES + 5) + 3), sizeof(uint16_t))
        self.prefs = <uint16_t*>calloc(HAND_ROOM * 20, sizeof(uint16_t))
        if self.weights == NULL or self.doubles == NULL or self.masks == NULL or self.prefs == NULL:
            raise MemoryError
        if len(counts) != 10 or len(tens) != 4:
            raise ValueError("expected ten counts and four of ten-values")
        self.g.rules = &rules.t
        self.g.dealer = &dealer.plan
        self.g.weights = self.weights
        for v in range(10):
            self.g.counts[v] = counts[v]
            self.g.cards += self.g.counts[v]
        for v in range(4):
            self.tens[v] = tens[v]
        self.g.infinite = infinite
        self.g.gone = 0.0 if infinite else 1.0
        self.g.ups = ups
        self.g.charlie = rules.t.charlie_cards if rules.t.charlie_cards else 99
        self.g.charlie_pays = times(rules.t.charlie_pays)
        self.suited = suited
        self.split_play = split_play
        self.by_rank = rules.t.split_by_rank
        self.fixed = plan is not None
        self.pair = 10
        self.root = -1
        if after_split and hand is None:
            raise ValueError("expected a hand after a split")
        self.choose_hands(hand)
        if after_split:
            self.kind = SPLIT_ACES if aces else SPLIT_HAND
            self.boxed = after_split
        if plan is not None:
            play, offers, exact, same = plan
            self.read_plan(play, offers, exact, same)
        with nogil:
            self.work()

    def __dealloc__(self):
        free(self.weights)
        free(self.doubles)
        free(self.masks)
        free(self.prefs)

    # ------------------------------------------------------------ what to work out, and how to play

    cdef choose_hands(self, hand):
        """All hands of two cards and more, or those that one hand's values hang on."""
        cdef unsigned char own[10]
        cdef int i, v
        memset(own, 0, sizeof(own))
        if hand is not None:
            for v in range(10):
                own[v] = hand[v]
            self.root = hand_of_counts(own)
            if self.root < 0:
                raise ValueError("expected a hand of 21 points or less")
            self.pair = -1
            for v in range(10):
                if hand_table.size[self.root] == 2 and own[v] == 2:
                    self.pair = v
                    own[v] = 1      # the play of split hands follows that of other hands with this card
        for i in range(hand_table.n):
            if hand_table.size[i] < 2:
                continue
            for v in range(10):
                if hand_table.cards[i][v] < own[v]:
                    break
            else:
                self.hands[self.n_hands] = i
                self.n_hands += 1

    cdef read_plan(self, const unsigned char[:] play, const unsigned char[:] offers, exact, bint by_rank):
        """Preference lists of every hand under every upcard, exceptions by exact cards last."""
        cdef int i, v, u, row, split, at, hand
        cdef unsigned char counts[10]
        if play.shape[0] != 3840 or offers.shape[0] != 960:
            raise ValueError("expected a plan's tables")
        for i in range(hand_table.n):
            row = hand_table.total[i] + (32 if hand_table.ace[i] and hand_table.points[i] <= 11 else 0)
            if hand_table.size[i] == 2:
                for v in range(10):
                    if hand_table.cards[i][v] == 2:
                        row = 64 + v + 1
            for split in range(2):
                for u in range(10):
                    at = 2 * (960 * split + row * 10 + u)
                    self.prefs[(split * HAND_ROOM + i) * 10 + u] = play[at] | (play[at + 1] << 8)
        for split in range(2):
            for u in range(10):
                at = 2 * (960 * split + (20 if by_rank else 74) * 10 + u)
                self.mixed[split][u] = play[at] | (play[at + 1] << 8)
        for i in range(960):
            (<unsigned char*>self.offer_bits)[i] = offers[i]
        for cards, up, when, pref in reversed(exact):   # the first that fits wins
            for v in range(10):
                counts[v] = cards[v]
            hand = hand_of_counts(counts)
            if hand < 0:
                continue
            for split in range(2):
                if when is None or bool(when) == bool(split):
                    self.prefs[(split * HAND_ROOM + hand) * 10 + <int>up] = pref
                    if hand == hand_table.two[9][9]:
                        self.mixed[split][<int>up] = pref

    cdef int preferred(self, uint16_t pref, int legal) noexcept nogil:
        cdef int i, code
        for i in range(4):
            code = pref & 15
            if code == 15:
                break
            if code < 8 and (legal >> code) & 1:
                return code
            pref >>= 4
        return STAND

    cdef int legal_play(self, const Pass* p, int hand, int doubled) noexcept nogil:
        return self.g.legal[p.insured][p.kind][doubled][hand_table.size[hand] > 2][
            hand_table.ace[hand]][hand_table.points[hand]]

    cdef void follow_plan(self, Pass* p, const int16_t* hands, int n) noexcept nogil:
        """The masks of a pass from the plan."""
        cdef int i, u, hand, action, d, split = p.kind != PLAIN
        cdef uint16_t pref, again
        for i in range(n):
            hand = hands[i]
            p.hits[hand] = p.doubles[hand] = again = 0
            for u in range(10):
                pref = self.prefs[(split * HAND_ROOM + hand) * 10 + u]
                action = self.preferred(pref, self.legal_play(p, hand, 0))
                p.hits[hand] |= (action == HIT) << u
                p.doubles[hand] |= (action == DOUBLE) << u
                again |= (self.preferred(pref, self.legal_play(p, hand, 1)) == DOUBLE) << u
            for d in range(1, REDOUBLES + 1):
                p.again[d * HAND_ROOM + hand] = again

    cdef void follow_base(self, Pass* p, const Pass* base, const int16_t* hands, int n) noexcept nogil:
        """The masks of a split hand's pass: what is best for the same cards unsplit (cdz)."""
        cdef int i, u, at, hand, legal
        cdef double best
        for i in range(n):
            hand = hands[i]
            p.hits[hand] = p.doubles[hand] = 0
            if hand_table.size[hand] < 2 or hand_table.size[hand] >= self.g.charlie:
                continue
            legal = self.legal_play(p, hand, 0)
            for u in range(10):
                at = hand * 10 + u
                best = base.stand[at]
                if legal & (1 << HIT) and base.hit[at] > best:
                    best = base.hit[at]
                    p.hits[hand] |= 1 << u
                if legal & (1 << DOUBLE) and base.double_[at] > best:
                    p.hits[hand] &= ~(1 << u)
                    p.doubles[hand] |= 1 << u
        memcpy(p.again, base.again, sizeof(uint16_t) * HAND_ROOM * (REDOUBLES + 1))

    cdef void set_reach(self, Pass* p, const int16_t* hands, int n, int start) noexcept nogil:
        """Where play from a hand's first card can come, upcard by upcard, and which sums that takes."""
        cdef int i, v, hand, child, legal
        cdef uint16_t ups = self.g.ups, hit, double_, again
        for i in range(n):
            p.reach[hands[i]] = p.reach_doubled[hands[i]] = p.need[hands[i]] = 0
        for v in range(10):
            p.reach[hand_table.child[start][v]] = ups
        for i in range(n - 1, -1, -1):      # parents first
            hand = hands[i]
            if hand_table.size[hand] >= self.g.charlie or not p.reach[hand] | p.reach_doubled[hand]:
                continue
            legal = self.legal_play(p, hand, 0)
            hit = double_ = 0
            if legal & (1 << HIT):
                hit = p.reach[hand] & (ups if p.optimal else p.hits[hand])
            if legal & (1 << DOUBLE):
                double_ = p.reach[hand] & (ups if p.optimal else p.doubles[hand])
            again = p.reach_doubled[hand] if self.legal_play(p, hand, 1) & (1 << DOUBLE) else 0
            p.need[hand] = p.reach_doubled[hand] | (
                p.reach[hand] if p.optimal else p.reach[hand] & ~(hit | double_))
            for v in range(10):
                child = hand_table.child[hand][v]
                if child >= 0:
                    p.reach[child] |= hit
                    p.reach_doubled[child] |= double_ | again

    # ------------------------------------------------------------ working it out

    cdef void point(self, Pass* p, int which) noexcept nogil:
        """Give a pass its memory."""
        cdef double* d = self.doubles + which * 6 * HAND_ROOM * 10
        cdef uint16_t* m = self.masks + which * (REDOUBLES + 5) * HAND_ROOM
        memset(p, 0, sizeof(Pass))
        p.stand_sum = self.doubles if which == 1 else d     # insured or not, the dealer draws the same
        p.stand = d + HAND_ROOM * 10
        p.hit = d + 2 * HAND_ROOM * 10
        p.double_ = d + 3 * HAND_ROOM * 10
        p.doubled = d + 4 * HAND_ROOM * 10
        p.value = d + 5 * HAND_ROOM * 10
        p.spare = self.doubles + 6 * HAND_ROOM * 10         # the second pass's idle stand_sum
        p.hits = m
        p.doubles = m + HAND_ROOM
        p.again = m + 2 * HAND_ROOM
        p.reach = m + (REDOUBLES + 3) * HAND_ROOM
        p.need = m + (REDOUBLES + 4) * HAND_ROOM
        p.reach_doubled = self.masks + (3 * (REDOUBLES + 5) + which) * HAND_ROOM

    cdef bint peeks(self, int u) noexcept nogil:
        return self.rules.t.hole_card == HOLE_PEEK and (self.rules.t.peek_mask >> u) & 1

    cdef int natural_mode(self, int u) noexcept nogil:
        if self.kind != PLAIN:      # what the original bet caps is the box's, not one hand's
            return LOSES_ALL if self.rules.t.takes == TAKES_ALL and not self.peeks(u) and (
                u == 0 or u == 9) else LEFT_OUT
        if self.peeks(u) or (u != 0 and u != 9):
            return LEFT_OUT
        if self.rules.t.takes == TAKES_ALL:
            return LOSES_ALL
        return LOSES_ORIGINAL if self.rules.t.takes == TAKES_ORIGINAL else LOSES_BUSTED

    cdef void work(self) noexcept nogil:
        cdef int u, v, i, insured
        cdef Pass* p
        legal_tables(&self.g)
        stand_weights(&self.g)
        for u in range(10):
            if self.g.counts[u] <= 0:
                self.g.ups &= ~(<unsigned int>1 << u)
        self.two_bases = self.rules.t.insurance_blocks != 0 and (self.rules.t.insurance_mask & self.g.ups) != 0
        for insured in range(1 + self.two_bases):
            p = &self.base[insured]
            self.point(p, insured)
            p.insured = insured
            p.kind = self.kind
            p.summed = insured
            p.all_actions = 1
            p.optimal = not self.fixed
            for u in range(10):
                p.natural[u] = self.natural_mode(u)
            for i in range(self.n_hands):
                p.need[self.hands[i]] = self.g.ups
            if self.fixed:
                self.follow_plan(p, self.hands, self.n_hands)
            run_pass(&self.g, p, self.hands, self.n_hands)
            for v in range(10):
                if self.g.counts[v] >= 1 + self.g.gone and self.g.pair_legal[insured][self.kind][v] and (
                        self.pair == 10 or self.pair == v):
                    self.work_split(insured, v)
        if self.root < 0:
            self.work_round()

    cdef int more_hands(self, int v) noexcept nogil:
        """How many hands one hand may become."""
        cdef int most = self.rules.t.max_ace_hands if v == 0 else self.rules.t.max_hands
        return most - (self.boxed - 1 if self.kind != PLAIN else 0)

    cdef void work_split(self, int insured, int v) noexcept nogil:
        """The value of splitting a pair, under every upcard."""
        cdef Pass* p = &self.part
        cdef Pass* base = &self.base[insured]
        cdef int16_t* hands = hand_table.with_[v]
        cdef int n = hand_table.n_with[v], one = hand_table.one[v], pair = hand_table.two[v][v]
        cdef int most = self.more_hands(v)
        cdef int a, u, last, keep, legal
        cdef double x[EXTRAS]
        cdef double q[EXTRAS]
        cdef int action
        cdef uint16_t again = self.g.ups
        if most < 2:
            return
        if not self.g.infinite and most > self.g.counts[v]:
            most = <int>self.g.counts[v]
        last = 2 * most - 3 if most > 2 else 1
        self.point(p, 2)
        p.kind = SPLIT_ACES if v == 0 else SPLIT_HAND
        p.insured = insured
        p.rank = v
        for u in range(10):
            # what the original bet caps is taken off the whole box, not off its hands
            p.natural[u] = LOSES_ALL if base.natural[u] == LOSES_ALL else LEFT_OUT
        p.optimal = not self.fixed and self.split_play != CDZ
        if self.fixed:
            self.follow_plan(p, hands, n)
            if not self.g.pair_legal[insured][p.kind][v]:
                again = 0
            for u in range(10):
                legal = self.legal_play(p, pair, 0) | (1 << SPLIT)
                if self.preferred(self.prefs[(HAND_ROOM + pair) * 10 + u], legal) != SPLIT:
                    again &= ~(<uint16_t>1 << u)
            if not again:
                most = 2
                last = 1
        elif not p.optimal:
            self.follow_base(p, base, hands, n)
        self.set_reach(p, hands, n, one)
        for a in range(1, last + 1):
            p.extra = a
            if self.g.infinite and a > 1:
                for u in range(10):
                    self.split_x[a][u] = self.split_x[1][u]
                    self.split_p[a][u] = self.split_p[1][u]
                    self.split_mixed[a][u] = self.split_mixed[1][u]
                continue
            if self.g.counts[v] - self.g.gone * (1 + a) < 0:
                for u in range(10):
                    self.split_x[a][u] = self.split_p[a][u] = self.split_mixed[a][u] = 0.0
                continue
            run_pass(&self.g, p, hands, n)
            if p.optimal and self.split_play == CDP1 and a == 1:
                p.optimal = 0       # from here on as with one pair card gone
                self.set_reach(p, hands, n, one)
            next_card(&self.g, p, one, p.value, 1.0, self.split_x[a])
            for u in range(10):
                self.split_p[a][u] = p.value[pair * 10 + u]
                self.split_mixed[a][u] = self.split_p[a][u]
                if self.fixed and self.by_rank and v == 9:
                    action = self.preferred(self.mixed[1][u], self.legal_play(p, pair, 0))
                    self.split_mixed[a][u] = self.mixed_value(p, pair, u, action)
        for u in range(10):
            if (self.g.ups >> u) & 1:
                keep = most if (again >> u) & 1 else 2
                self.split[insured][v][u] = self.split_under(v, u, keep)
                if base.natural[u] != LEFT_OUT and base.natural[u] != LOSES_ALL:
                    self.split[insured][v][u] -= natural_chance(&self.g, base, pair, u, -1)

    cdef double mixed_value(self, Pass* p, int hand, int u, int action) noexcept nogil:
        """Two ten-values that are no pair, played by another row than those that are."""
        cdef double row[10]
        if action == HIT:
            next_card(&self.g, p, hand, p.value, 1.0, row)
            return row[u]
        if action == DOUBLE:
            next_card(&self.g, p, hand, p.doubled, 2.0, row)
            return row[u]
        return p.stand[hand * 10 + u]

    cdef double split_under(self, int v, int u, int hands) noexcept nogil:
        """One upcard; pairs of a rank are looked at rank by rank."""
        cdef double total = 0.0, weight, all = 0.0, n, same, other
        cdef double gone = self.g.gone
        cdef int k
        if v != 9 or not self.by_rank:
            return self.one_split(v, u, hands, self.g.counts[v] - gone * (1 + (u == v)))
        for k in range(4):
            n = self.tens[k]
            weight = n * (n - gone)
            if weight <= 0:
                continue
            if u != 9:
                total += weight * self.one_split(v, u, hands, n - gone)
            else:
                # the upcard is of the pair's rank, or of another
                same = share(n - 2 * gone, self.g.counts[9] - 2 * gone)
                other = 1.0 - same
                total += weight * (
                    (same * self.one_split(v, u, hands, n - 2 * gone) if same > 0 else 0.0)
                    + (other * self.one_split(v, u, hands, n - gone) if other > 0 else 0.0))
            all += weight
        return total / all if all > 0 else 0.0

    cdef double one_split(self, int v, int u, int hands, double pairs) noexcept nogil:
        """pairs: cards that would pair up with a hand's first card, the upcard off."""
        cdef double x[EXTRAS]
        cdef double p[EXTRAS]
        cdef double gone = self.g.gone, unseen = self.g.cards - 2 * gone, mixed
        cdef int a, last = 2 * hands - 3 if hands > 2 else 1
        for a in range(1, last + 1):
            x[a] = self.split_x[a][u]
            p[a] = self.split_p[a][u]
            if self.fixed and self.by_rank and v == 9:
                mixed = (self.g.counts[9] - gone * (1 + a + (u == 9))) - (pairs - gone * a)
                x[a] += share(mixed, unseen - gone * a) * (self.split_mixed[a][u] - p[a])
        return split_total(hands, pairs, unseen, gone, x, p)

    # ------------------------------------------------------------ rounds

    cdef double surrender_value(self, int hand, int u) noexcept nogil:
        cdef Pass* p = &self.base[0]
        cdef double lost = 1.0 - times(self.rules.t.surrender_returns)
        cdef double natural = natural_chance(&self.g, p, hand, u, -1)
        if p.natural[u] == LEFT_OUT:
            return -lost * (1.0 - natural)
        if self.rules.t.surrender == SURRENDER_EARLY:
            return -lost
        return -lost * (1.0 - natural) - natural

    cdef double act_value(self, int insured, int hand, int u, int action) noexcept nogil:
        """A legal action in play, joint with no dealer blackjack where those are left out."""
        cdef Pass* p = &self.base[insured if self.two_bases else 0]
        cdef int v, at = hand * 10 + u
        if action == HIT:
            return p.hit[at]
        if action == DOUBLE:
            return p.double_[at]
        if action == SPLIT:
            for v in range(10):
                if hand_table.cards[hand][v] == 2:
                    return self.split[p.insured][v][u]
        if action == SURRENDER:
            return self.surrender_value(hand, u)
        return p.stand[at]

    cdef int legal_round(self, int insured, int hand, int u, int same_rank) noexcept nogil:
        """Legal actions in play of a hand that comes from no split."""
        cdef Pass* p = &self.base[insured if self.two_bases else 0]
        cdef int v, legal
        if self.is_natural(hand) or hand_table.size[hand] >= self.g.charlie:
            return 1 << STAND
        legal = self.legal_play(p, hand, 0)
        if hand_table.size[hand] == 2:
            if self.kind == PLAIN and self.g.surrender[p.insured][u]:
                legal |= 1 << SURRENDER
            for v in range(10):
                if hand_table.cards[hand][v] == 2 and same_rank and self.more_hands(v) > 1 and (
                        self.g.pair_legal[p.insured][self.kind][v]):
                    legal |= 1 << SPLIT
        return legal

    cdef bint is_natural(self, int hand) noexcept nogil:
        return (self.kind == PLAIN and hand_table.size[hand] == 2 and hand_table.ace[hand]
                and hand_table.points[hand] == 11)

    cdef int choose(self, int insured, int hand, int u, int same_rank) noexcept nogil:
        """What is played by a first hand, of its legal actions."""
        cdef int action, best = STAND, legal = self.legal_round(insured, hand, u, same_rank)
        cdef double value, top
        if self.fixed:
            if hand == hand_table.two[9][9] and not same_rank:
                return self.preferred(self.mixed[0][u], legal)
            return self.preferred(self.prefs[hand * 10 + u], legal)
        top = self.act_value(insured, hand, u, STAND)
        for action in range(1, 5):
            if (legal >> action) & 1:
                value = self.act_value(insured, hand, u, action)
                if value > top:
                    top = value
                    best = action
        return best

    cdef double played(self, int insured, int hand, int u, int same_rank) noexcept nogil:
        """A two-card hand from the peek on, dealer blackjacks among it."""
        cdef double natural = natural_chance(&self.g, &self.base[0], hand, u, -1), pays
        if self.is_natural(hand):
            pays = times(self.rules.t.blackjack_pays)
            if self.rules.t.suited:
                pays += self.suited * (times(self.rules.t.suited_pays) - pays)
            return pays * (1.0 - natural)
        return self.act_value(insured, hand, u, self.choose(insured, hand, u, same_rank)) - (
            natural if self.base[0].natural[u] == LEFT_OUT else 0.0)

    cdef double offer_value(self, int hand, int u, int same_rank, int action) noexcept nogil:
        cdef double natural = natural_chance(&self.g, &self.base[0], hand, u, -1)
        if action == INSURANCE:
            return self.played(1, hand, u, same_rank) + 0.5 * (
                natural * times(self.rules.t.insurance_pays) - (1.0 - natural))
        if action == EVEN_MONEY:
            return 1.0
        if action == SURRENDER:
            return times(self.rules.t.surrender_returns) - 1.0
        return self.played(0, hand, u, same_rank)

    cdef int take_offer(self, int hand, int u, int same_rank) noexcept nogil:
        cdef int legal = self.g.offers[self.is_natural(hand)][u]
        cdef int action, best = DECLINE, bits, row, kind, v
        cdef double value, top
        if legal == 1 << DECLINE:
            return DECLINE
        if self.fixed:
            row = hand_table.total[hand]
            kind = hand_table.ace[hand] and hand_table.points[hand] <= 11
            for v in range(10):
                if hand_table.cards[hand][v] == 2 and same_rank:
                    kind = 2
                    row = v + 1
            bits = self.offer_bits[kind][row][u]
            if bits & 4 and (legal >> SURRENDER) & 1:
                return SURRENDER
            if bits & 1 and (legal >> INSURANCE) & 1:
                return INSURANCE
            if bits & 2 and (legal >> EVEN_MONEY) & 1:
                return EVEN_MONEY
            return DECLINE
        top = self.offer_value(hand, u, same_rank, DECLINE)
        for action in range(SURRENDER, EVEN_MONEY + 1):
            if (legal >> action) & 1:
                value = self.offer_value(hand, u, same_rank, action)
                if value > top:
                    top = value
                    best = action
        return best

    cdef double same_rank_chance(self) noexcept nogil:
        """Of two ten-values: that they make a pair."""
        cdef double n, sum_ = 0.0
        cdef int k
        if not self.by_rank:
            return 1.0
        for k in range(4):
            n = self.tens[k]
            sum_ += n * (n - self.g.gone)
        return share(sum_, self.g.counts[9] * (self.g.counts[9] - self.g.gone))

    cdef double best_start(self, int hand, int u, int same_rank) noexcept nogil:
        return self.offer_value(hand, u, same_rank, self.take_offer(hand, u, same_rank))

    cdef void work_round(self) noexcept nogil:
        """The expected value off the top, upcard by upcard."""
        cdef int i, j, u, hand
        cdef double n = self.g.cards, gone = self.g.gone, weight, all, value, pair
        cdef double* c = self.g.counts
        pair = self.same_rank_chance()
        self.value = 0.0
        for u in range(10):
            self.up_value[u] = self.up_chance[u] = 0.0
            if not (self.g.ups >> u) & 1:
                continue
            self.up_chance[u] = c[u] / n
            all = (n - gone) * (n - 2 * gone)
            for i in range(10):
                for j in range(i, 10):
                    weight = (c[i] - gone * (i == u)) * (c[j] - gone * ((j == u) + (i == j))) / all
                    if weight <= 0 or c[i] - gone * (i == u) <= 0:
                        continue
                    if i != j:
                        weight *= 2
                    hand = hand_table.two[i][j]
                    if i == 9 and j == 9 and pair < 1.0:
                        value = (1.0 - pair) * self.best_start(hand, u, 0)
                        if pair > 0:
                            value += pair * self.best_start(hand, u, 1)
                    else:
                        value = self.best_start(hand, u, 1)
                    self.up_value[u] += weight * value
            self.value += self.up_chance[u] * self.up_value[u]

    # ------------------------------------------------------------ for Python

    @property
    def ev(self):
        """The expected net of a round, in bets."""
        return self.value

    @property
    def by_upcard(self):
        """Ten expected nets given the upcard, and the ten chances of the upcards."""
        return [self.up_value[u] for u in range(10)], [self.up_chance[u] for u in range(10)]

    cdef int find(self, counts, int u) except -2:
        cdef unsigned char own[10]
        cdef int v, hand
        if len(counts) != 10 or not 0 <= u < 10:
            raise ValueError("expected ten counts and an upcard's value index")
        for v in range(10):
            own[v] = counts[v]
        hand = hand_of_counts(own)
        if hand < 0 or hand_table.size[hand] < 2:
            raise ValueError("expected a hand of two cards or more and of 21 points or less")
        for v in range(10):
            if self.g.counts[v] - self.g.gone * (own[v] + (v == u)) < 0:
                raise ValueError("expected cards that the shoe holds")
        return hand

    def natural(self, counts, int upcard):
        """The chance of a dealer blackjack with that hand and upcard off the shoe."""
        return natural_chance(&self.g, &self.base[0], self.find(counts, upcard), upcard, -1)

    def left_out(self, int upcard):
        """Whether values under the upcard are joint with "no dealer blackjack", which costs one bet."""
        return self.base[0].natural[upcard] == LEFT_OUT

    def play(self, counts, int upcard, *, bint insured=False, bint same_rank=True):
        """({action: value}, what is played) of the legal actions in play."""
        cdef int hand = self.find(counts, upcard)
        cdef int action, legal = self.legal_round(insured, hand, upcard, same_rank)
        cdef double natural = natural_chance(&self.g, &self.base[0], hand, upcard, -1)
        if self.is_natural(hand):
            return {0: self.played(insured, hand, upcard, same_rank)}, 0
        return (
            {action: self.act_value(insured, hand, upcard, action) for action in range(5) if (legal >> action) & 1},
            self.choose(insured, hand, upcard, same_rank),
        )

    def offer(self, counts, int upcard, *, bint same_rank=True):
        """({action: value}, what is taken) at the offer before play, dealer blackjacks among it."""
        cdef int hand = self.find(counts, upcard)
        cdef int action, legal = self.g.offers[self.is_natural(hand)][upcard]
        if hand_table.size[hand] != 2 or legal == 1 << DECLINE:
            return {}, 7
        return (
            {action: self.offer_value(hand, upcard, same_rank, action) for action in range(8) if (legal >> action) & 1},
            self.take_offer(hand, upcard, same_rank),
        )
