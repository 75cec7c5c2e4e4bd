"""Several hands of a split: one hand, several times.

Lives here: `Splitter`. Not here: one hand's values (analyze), whole rounds (solve).

By exchangeability of the unseen cards a split is worth the sum over its numbers of hands of what one hand is
worth with so many pair cards and others known to be gone; it takes no looking at several hands together.
"""
from libc.stdint cimport int16_t, uint16_t
from .analyze cimport (
    HAND_ROOM, LEFT_OUT, LOSES_ALL, PLAIN, SPLIT_ACES, SPLIT_HAND, Pass, hand_table, natural_chance,
    next_card, run_pass,
)
from .player cimport CDP1, CDZ, EXTRAS, Player, share
from .state cimport DOUBLE, HIT, SPLIT

cdef enum:
    HANDS = 64                  # of a box, at most


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
    for i in range(2, hands + 1):
        for j in range(i + 1):
            chance[i][j] = 0.0
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


cdef class Splitter(Player):
    """The base of `Solver` that knows what splitting is worth."""

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
        cdef int action
        cdef double value
        cdef uint16_t again = self.g.ups
        if most < 2:
            return
        if not self.g.infinite and most > self.g.counts[v]:
            most = <int>self.g.counts[v]
        last = 2 * most - 3 if most > 2 else 1
        self.point(p, 2)
        p.kind = SPLIT_ACES if v == 0 else SPLIT_HAND
        p.insured = base.insured
        p.rank = v
        for u in range(10):
            # what the original bet caps is taken off the whole box, not off its hands
            p.natural[u] = LOSES_ALL if base.natural[u] == LOSES_ALL else LEFT_OUT
        p.optimal = not self.fixed and self.split_play != CDZ
        if self.fixed:
            self.follow_plan(p, hands, n)
            if not self.g.pair_legal[p.insured][p.kind][v]:
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
                value = self.split_under(v, u, keep)
                if base.natural[u] != LEFT_OUT and base.natural[u] != LOSES_ALL:
                    value -= natural_chance(&self.g, base, pair, u, -1)
                self.split[insured][v][u] = value

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
