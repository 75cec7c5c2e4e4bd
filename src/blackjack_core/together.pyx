# cython: infer_types=False
"""Split hands that a dealer blackjack settles together: what they come to on average.

Lives here: `mean_together`, and the chance that it needs, that all hands of a split end alike. Not here: one
hand (outcomes), how the results of several are distributed (joint, moments), a rule of the game (machine).

What a dealer blackjack takes of a box may hang on whether any of its hands is lost to it; all else of it is
a sum over hands. Hands are polynomials in removed cards, as in joint, but with one number a term. The
hands are parted into two products P and Q, and what is wanted is the sum over u of P and v of Q of

    P(u) Q(v) K(u + v),    K(w) = one factor for each value's cards in w, and one for how many there are

which would be as many terms as P has times those of Q. Instead Q is summed value by value, for the cards of u
in that value: u that begin alike share the sums, and so do v that end alike.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from .bench cimport Bench
from .joint import split_orders
from .machine cimport BUST, LOSE
from .moments cimport joint_means
from .pairs cimport FoldStep, fold_run
from .removal cimport FINAL_NATURAL, OTHER_TEN, KeyMap, map_add, map_close, map_open, unit_of
from .ruleset cimport TAKES_ALL, TAKES_ORIGINAL

cdef enum:
    VALUES = 9                  # that are summed over one by one: all but the tens
    LANES = 4                   # numbers of cards side by side


cdef class Terms:
    """A polynomial in removed cards."""
    cdef KeyMap map
    cdef double* x              # of each key
    cdef int64_t room

    def __cinit__(self):
        if map_open(&self.map, 8) < 0:
            raise MemoryError

    def __dealloc__(self):
        map_close(&self.map)
        free(self.x)

    cdef int add(self, uint64_t key, double x) except -1:
        cdef int64_t at = map_add(&self.map, key)
        cdef int64_t i
        cdef double* more
        if at < 0:
            raise MemoryError
        if at >= self.room:
            more = <double*>calloc(<size_t>self.map.room, sizeof(double))
            if more == NULL:
                raise MemoryError
            for i in range(self.room):
                more[i] = self.x[i]
            free(self.x)
            self.x, self.room = more, self.map.room
        self.x[at] += x
        return 0

    cdef int add_all(self, Terms other, double weight) except -1:
        cdef int64_t i
        for i in range(other.map.used):
            self.add(other.map.keys[i], weight * other.x[i])
        return 0

    cdef Terms times(self, Terms other):
        cdef Terms result = Terms.__new__(Terms)
        cdef int64_t i, j
        for i in range(self.map.used):
            for j in range(other.map.used):
                result.add(self.map.keys[i] + other.map.keys[j], self.x[i] * other.x[j])
        return result


cdef list powers(Terms base, int most):
    """The powers of a polynomial, from 0 on."""
    cdef Terms one = Terms.__new__(Terms), two = Terms.__new__(Terms)
    cdef int64_t i, j
    one.add(0, 1.0)
    result = [one, base]
    if most >= 2:
        for i in range(base.map.used):
            two.add(2 * base.map.keys[i], base.x[i] * base.x[i])
            for j in range(i):
                two.add(base.map.keys[i] + base.map.keys[j], 2 * base.x[i] * base.x[j])
        result.append(two)
    while len(result) <= most:
        result.append((<Terms>result[len(result) - 1]).times(base))
    return result


cdef class Meeting:
    """Sums over the terms of two polynomials together."""
    cdef const Deck* deck
    cdef int hole                           # value of the card that makes the dealer's blackjack
    cdef FoldStep steps[VALUES]
    cdef double* levels[VALUES + 1]
    cdef int64_t n[VALUES + 1]
    cdef double* x                          # of Q's terms, in the order of the first level
    cdef int32_t* size
    cdef uint64_t* tens                     # of the last level's sums
    cdef int32_t* order                     # of P's terms

    def __dealloc__(self):
        cdef int k
        for k in range(VALUES + 1):
            free(self.levels[k])
            if k < VALUES:
                free(self.steps[k].to)
        free(self.x)
        free(self.size)
        free(self.tens)
        free(self.order)

    cdef int count(self, uint64_t key, int c) noexcept nogil:
        return <int>((key >> self.deck.shift[c]) & self.deck.mask[c])

    cdef int cards(self, uint64_t key) noexcept nogil:
        cdef int c, size = 0
        for c in range(OTHER_TEN + 1):
            size += self.count(key, c)
        return size

    cdef int lay_out(self, Terms q) except -1:
        """Q's terms and all that is left of them, value by value."""
        cdef KeyMap maps[VALUES + 1]
        cdef int32_t* place = NULL
        cdef int32_t* after = NULL
        cdef int k
        cdef int64_t i
        cdef uint64_t key
        memset(maps, 0, sizeof(maps))
        try:
            for k in range(VALUES + 1):
                if map_open(&maps[k], 8) < 0:
                    raise MemoryError
            for i in range(q.map.used):
                key = q.map.keys[i]
                for k in range(VALUES + 1):
                    if map_add(&maps[k], key) < 0:
                        raise MemoryError
                    if k < VALUES:
                        key &= ~(self.deck.mask[k] << self.deck.shift[k])
            for k in range(VALUES, -1, -1):
                self.n[k] = maps[k].used
                self.levels[k] = <double*>malloc(<size_t>(self.n[k] * LANES + LANES) * sizeof(double))
                place = <int32_t*>malloc(<size_t>(self.n[k] + 1) * sizeof(int32_t))
                if self.levels[k] == NULL or place == NULL:
                    raise MemoryError
                if k == VALUES:
                    self.last(&maps[k], place)
                else:
                    self.step(k, &maps[k], &maps[k + 1], place, after)
                free(after)
                after, place = place, NULL
            self.x = <double*>malloc(<size_t>(self.n[0] + 1) * sizeof(double))
            self.size = <int32_t*>malloc(<size_t>(self.n[0] + 1) * sizeof(int32_t))
            if self.x == NULL or self.size == NULL:
                raise MemoryError
            for i in range(self.n[0]):
                self.x[after[i]] = q.x[i]
                self.size[after[i]] = self.cards(q.map.keys[i])
        finally:
            for k in range(VALUES + 1):
                map_close(&maps[k])
            free(place)
            free(after)
        return 0

    cdef int last(self, KeyMap* sums, int32_t* place) except -1:
        cdef int64_t i
        self.tens = <uint64_t*>malloc(<size_t>(sums.used + 1) * sizeof(uint64_t))
        if self.tens == NULL:
            raise MemoryError
        for i in range(sums.used):
            place[i] = <int32_t>i
            self.tens[i] = sums.keys[i]
        return 0

    cdef int step(self, int k, KeyMap* now, KeyMap* sums, int32_t* place, const int32_t* after) except -1:
        """What is summed over a value, ordered by its count."""
        cdef FoldStep* step = &self.steps[k]
        cdef int64_t i
        cdef int d
        step.after = <int>sums.used
        step.to = <int32_t*>malloc(<size_t>(now.used + 1) * sizeof(int32_t))
        if step.to == NULL:
            raise MemoryError
        for i in range(now.used):
            d = self.count(now.keys[i], k)
            step.start[d + 1] += 1
            step.drawn = max(step.drawn, d + 1)
        for d in range(step.drawn):
            step.start[d + 1] += step.start[d]
        for i in range(now.used):
            d = self.count(now.keys[i], k)
            place[i] = step.start[d]
            step.start[d] += 1
            step.to[place[i]] = after[map_add(sums, now.keys[i] & ~(self.deck.mask[k] << self.deck.shift[k]))]
        for d in range(step.drawn, 0, -1):
            step.start[d] = step.start[d - 1]
        step.start[0] = 0
        return 0

    cdef int digit(self, uint64_t key, int k) noexcept nogil:
        """What P's terms are ordered by: lanes, then value by value."""
        return self.cards(key) // LANES if k < 0 else self.count(key, k)

    cdef int sort(self, Terms p) except -1:
        """P's terms in the order of their cards, by one digit after the other, the last one first."""
        cdef int64_t i, n = p.map.used
        cdef int32_t* other = <int32_t*>malloc(<size_t>(n + 1) * sizeof(int32_t))
        cdef int32_t* order = <int32_t*>malloc(<size_t>(n + 1) * sizeof(int32_t))
        cdef int64_t counts[513]
        cdef int k, d
        if order == NULL or other == NULL:
            free(order)
            free(other)
            raise MemoryError
        for i in range(n):
            order[i] = <int32_t>i
        for k in range(VALUES - 1, -2, -1):
            memset(counts, 0, sizeof(counts))
            for i in range(n):
                counts[self.digit(p.map.keys[i], k) + 1] += 1
            for d in range(512):
                counts[d + 1] += counts[d]
            for i in range(n):
                d = self.digit(p.map.keys[order[i]], k)
                other[counts[d]] = order[i]
                counts[d] += 1
            order, other = other, order
        free(other)
        free(self.order)
        self.order = order
        return 0

    cdef void start(self, int base) noexcept nogil:
        cdef int64_t i
        cdef int lane
        for i in range(self.n[0]):
            for lane in range(LANES):
                self.levels[0][i * LANES + lane] = self.x[i] * self.deck.inverse[base + lane + self.size[i] + 1]

    cdef double ten_factor(self, uint64_t key) noexcept nogil:
        cdef int u = self.count(key, 9), other = self.count(key, OTHER_TEN)
        cdef double f = self.deck.fall[9][u] * self.deck.fall[OTHER_TEN][other], left
        if self.hole == 9:
            left = self.deck.n[9] + self.deck.n[OTHER_TEN]
            if not self.deck.infinite:
                left -= u + other
            f *= left / self.deck.total if left > 0 else 0.0
        return f

    cdef double run(self, Terms p, uint64_t shift) except? -1:
        """The sum over P and Q, with the cards of `shift` gone, too."""
        cdef int64_t i
        cdef int k, lane, u, base = -1
        cdef uint64_t key, before = 0
        cdef double total = 0.0, sum_
        cdef const double* last
        self.sort(p)
        with nogil:
            for i in range(p.map.used):
                key = p.map.keys[self.order[i]]
                k = 0
                if i == 0 or self.cards(key) // LANES != base:
                    base = self.cards(key) // LANES
                    self.start(base * LANES + self.cards(shift))
                else:
                    while k < VALUES and self.count(key, k) == self.count(before, k):
                        k += 1
                while k < VALUES:
                    u = self.count(key, k) + self.count(shift, k) + (k == self.hole)
                    fold_run(&self.steps[k], &self.deck.fall[k][u], self.levels[k], self.levels[k + 1], LANES)
                    k += 1
                before = key
                lane = self.cards(key) % LANES
                last = self.levels[VALUES]
                sum_ = 0.0
                for k in range(self.n[VALUES]):
                    sum_ += last[k * LANES + lane] * self.ten_factor(key + shift + self.tens[k])
                total += p.x[self.order[i]] * sum_
        return total


cdef double meet(const Deck* deck, Terms p, Terms q, uint64_t shift, int hole) except? -1:
    cdef Meeting m = Meeting.__new__(Meeting)
    if p.map.used == 0 or q.map.used == 0:
        return 0.0
    if p.map.used > q.map.used:
        p, q = q, p
    m.deck, m.hole = deck, hole
    m.lay_out(q)
    return m.run(p, shift)


cdef double all_alike(const Deck* deck, const Entry* entries, int n, list alike, int hands, int pair,
                      double pair_weight, int hole) except? -1:
    """The chance that every hand of a split is of a class that `alike` says true of, and the dealer's next card `hole`."""
    cdef Terms x = Terms.__new__(Terms), n_ = Terms.__new__(Terms), rest = Terms.__new__(Terms)
    cdef int i, a, h
    cdef double one, total = 0.0
    cdef uint64_t key = unit_of(deck, pair)
    for i in range(n):
        one = alike[entries[i].to] - (alike[entries[i].frm] if entries[i].frm >= 0 else 0)
        if one != 0:
            x.add(entries[i].key, one * entries[i].x)
            n_.add(entries[i].key, one * entries[i].n)
    if hands == 2:
        return meet(deck, x, x, 0, hole)
    less, full = split_orders(hands)
    of_x, of_n = powers(x, max(2, hands - 2)), powers(n_, hands - 2)
    for h, ways in less.items():
        total += ways * pair_weight**(h - 2) * meet(
            deck, of_n[h // 2], of_n[h - h // 2], key * <uint64_t>(h - 2), hole)
    for a, ways in full.items():
        rest.add_all(of_x[hands - 2] if a == 0 else (<Terms>of_n[a]).times(of_x[hands - 2 - a]), ways)
    return total + pair_weight**(hands - 2) * meet(deck, of_x[2], rest, key * <uint64_t>(hands - 2), hole)


cdef double mean_together(Bench b, list classes, const Deck* deck, Finals made, const Entry* entries, int n,
                          int hands, int pair, double pair_weight) except? -1:
    """What the hands of a split come to on average, against all of the dealer's final classes.

    Of what they lose to a blackjack all but the original bet comes back. So each hand counts without what it
    loses, and the box loses one bet unless no hand does.
    """
    cdef int i, final, takes = b.rules.takes
    cdef bint back
    codes, kept = {}, []
    b.rules.takes = TAKES_ALL
    for i in range(made.whole.finals):
        final = made.whole.final[i]
        codes[final] = of_class = []
        for sample in classes:
            b.settle([sample], final)
            back = False
            if final == FINAL_NATURAL and takes != TAKES_ALL:
                back = b.hands[0].outcome == LOSE or (takes == TAKES_ORIGINAL and b.hands[0].outcome == BUST)
                kept.append(not back)
            of_class.append(b.hands[0].returned - (0 if back else b.hands[0].stake))
    b.rules.takes = takes
    means = joint_means(deck, made, entries, n, codes, hands, pair, pair_weight)
    mean = sum([mean for _, mean in means.values()])
    if kept:
        i = 9 if made.trees[FINAL_NATURAL].most[9] else 0
        mean -= b.bet * (means[FINAL_NATURAL][0] - all_alike(deck, entries, n, kept, hands, pair, pair_weight, i))
    return mean
