"""A player at one game off the top of a shoe: memory, preferences, what can come up.

Lives here: `Player`, the base of `Solver`. Not here: one hand's values (analyze), several hands of a split
(splits), whole rounds (solve).
"""
from libc.stdint cimport int16_t, uint16_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset
from .analyze cimport (
    HAND_ROOM, LEFT_OUT, LOSES_ALL, LOSES_BUSTED, LOSES_ORIGINAL, PLAIN, REDOUBLES, SPLIT_ACES, SPLIT_HAND,
    Pass, hand_of_counts, hand_table,
)
from .dealer cimport Dealer, DealerWeights
from .ruleset cimport HOLE_PEEK, TAKES_ALL, TAKES_ORIGINAL, RuleSet
from .state cimport DOUBLE, HIT, STAND


cdef class Player:
    """The base of `Solver`, which says what the arguments mean."""

    def __cinit__(self, RuleSet rules not None, Dealer dealer not None, counts, *, tens, double suited=0.25,
                  bint infinite=False, unsigned int ups=1023, plan=None, int split_play=0, hand=None,
                  int after_split=0, bint aces=False, bint insured=False):
        cdef int v
        self.rules = rules
        self.dealer = dealer
        self.weights = <DealerWeights*>malloc(7 * sizeof(DealerWeights))
        # what is read has been written; nothing of it comes from a hand that the shoe does not hold
        self.doubles = <double*>malloc(HAND_ROOM * 10 * 18 * sizeof(double))
        self.masks = <uint16_t*>calloc(HAND_ROOM * (3 * (REDOUBLES + 5) + 3), sizeof(uint16_t))
        if plan is not None:
            self.prefs = <uint16_t*>calloc(HAND_ROOM * 20, sizeof(uint16_t))
        if self.weights == NULL or self.doubles == NULL or self.masks == NULL or (
                plan is not None and self.prefs == NULL):
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
        self.barred = insured
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

    cdef read_plan(self, bytes tables, bytes taken, exact, bint by_rank):
        """Preference lists of every hand under every upcard, exceptions by exact cards last."""
        cdef int i, v, u, row, split, at, hand
        cdef unsigned char counts[10]
        cdef const unsigned char* play = tables
        cdef const unsigned char* offers = taken
        if len(tables) != 3840 or len(taken) != 960:
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
        if self.rules.t.redouble:
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
