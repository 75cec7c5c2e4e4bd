# cython: infer_types=False
"""Mean and mean square of the sum of several split hands, from pairs of them.

Lives here: `joint_moments`. Not here: the distribution of that sum (joint), one hand (outcomes).

A sum's square needs no more than two hands at a time; the others count only by whether they were dealt a
card of the pair. With g0, g1, g2 the sums of a hand's chances, results and squared results over removals
(g0 is 1 for a hand X that may not be split again, 1 - p for N: see joint), a term p^s N^a X^b has

    the mean    a g1(N) g0(N)^(a-1) + b g1(X) g0(N)^a
    the square  the same of g2, + a (a-1) g1(N)^2 g0(N)^(a-2) + 2 a b g1(N) g1(X) g0(N)^(a-1)
                + b (b-1) g1(X)^2 g0(N)^a,           all times p^s

so that six polynomials in p, summed over all terms, are all that is to be known of the other hands.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset
from .joint import split_orders
from .removal cimport FINALS, KeyMap, map_add, map_close, map_open, measure

cdef enum:
    DEGREE = 128            # of p, at the most
    ROWS = 131072           # unions before they are measured


cdef list times_less(list p, int power):
    """p * (1 - x)**power."""
    for _ in range(power):
        p = [a - b for a, b in zip([*p, 0.0], [0.0, *p])]
    return p


cdef list others(int hands):
    """For what is asked of one or two hands: the sum over all terms of what the others leave, in powers of p.

    In the order: none, one N, one X, N and N, N and X, X and X.
    """
    less, full = split_orders(hands)
    terms = [(h - 2, h, 0, ways) for h, ways in less.items()]
    terms += [(hands - 2, a, hands - a, ways) for a, ways in full.items()]
    sums = [[0.0] * (2 * hands) for _ in range(6)]
    for s, a, b, ways in terms:
        parts = ((1, a), (a, a - 1), (b, a), (a * (a - 1), a - 2), (2 * a * b, a - 1), (b * (b - 1), a))
        for i, (number, power) in enumerate(parts):
            if number:
                for d, x in enumerate(times_less([1.0], power)):
                    sums[i][s + d] += number * ways * x
    return sums


cdef class Pairs:
    """Sums over pairs of entries for all final classes at a time."""
    cdef const Deck* deck
    cdef Finals made
    cdef const Entry* entries
    cdef int n
    cdef int finals
    cdef int degree
    cdef uint64_t pair_key
    cdef double coefficients[6][DEGREE]
    cdef KeyMap unions
    cdef double* weights        # [union][N and N, N and X, X and X][final]: sums of products of results
    cdef int64_t room
    cdef double* results        # [entry][final]: what it adds to a hand's result
    cdef double moments[3][FINALS]

    def __dealloc__(self):
        map_close(&self.unions)
        free(self.weights)
        free(self.results)

    cdef int prepare(self, dict codes, double pair_weight, int hands) except -1:
        cdef int i, d
        self.finals = self.made.whole.finals
        self.degree = 2 * hands
        if self.degree > DEGREE:
            raise ValueError("expected fewer hands")
        for i, sums in enumerate(others(hands)):
            for d in range(self.degree):
                self.coefficients[i][d] = sums[d] * pair_weight**d
        self.results = <double*>calloc(<size_t>(self.n * self.finals + 1), sizeof(double))
        if self.results == NULL or map_open(&self.unions, 12) < 0:
            raise MemoryError
        memset(self.moments, 0, sizeof(self.moments))
        return 0

    cdef int single(self, dict codes) except -1:
        """What needs one hand: every final's chance, mean, and the squares of single results."""
        cdef int i, k, d
        cdef uint64_t key
        cdef double out[FINALS]
        cdef double one, square, weight
        for d in range(self.degree):
            if self.coefficients[0][d] != 0:
                key = self.pair_key * <uint64_t>d
                measure(self.deck, &self.made.whole, &key, 1, out)
                for k in range(self.finals):
                    self.moments[0][k] += self.coefficients[0][d] * out[k]
        for i in range(self.n):
            for d in range(self.degree):
                weight = (self.coefficients[1][d] * self.entries[i].n + self.coefficients[2][d] * self.entries[i].x)
                if weight == 0:
                    continue
                key = self.entries[i].key + self.pair_key * <uint64_t>d
                measure(self.deck, &self.made.whole, &key, 1, out)
                for k in range(self.finals):
                    of_class = codes.get(self.made.whole.final[k])
                    if of_class is None:
                        continue
                    one = of_class[self.entries[i].to]
                    square = one * one
                    if self.entries[i].frm >= 0:
                        one -= <double>of_class[self.entries[i].frm]
                        square -= <double>of_class[self.entries[i].frm] ** 2
                    self.results[i * self.finals + k] = one
                    self.moments[1][k] += weight * one * out[k]
                    self.moments[2][k] += weight * square * out[k]
        return 0

    cdef int measured(self) except -1:
        """Add up the unions there are, and forget them."""
        cdef int64_t u, used = self.unions.used
        cdef int d, k, i
        cdef double c
        cdef const double* w
        cdef double* square = &self.moments[2][0]
        cdef uint64_t* keys = <uint64_t*>malloc(<size_t>(used + 1) * sizeof(uint64_t))
        cdef double* out = <double*>malloc(<size_t>(used * self.finals + 1) * sizeof(double))
        try:
            if keys == NULL or out == NULL:
                raise MemoryError
            with nogil:
                for d in range(self.degree):
                    if (self.coefficients[3][d] == 0 and self.coefficients[4][d] == 0
                            and self.coefficients[5][d] == 0):
                        continue
                    for u in range(used):
                        keys[u] = self.unions.keys[u] + self.pair_key * <uint64_t>d
                    measure(self.deck, &self.made.whole, keys, used, out)
                    for u in range(used):
                        w = self.weights + u * 3 * self.finals
                        for i in range(3):
                            c = self.coefficients[3 + i][d]
                            for k in range(self.finals):
                                square[k] += c * w[i * self.finals + k] * out[u * self.finals + k]
                map_close(&self.unions)
        finally:
            free(keys)
            free(out)
        free(self.weights)
        self.weights = NULL
        self.room = 0
        if map_open(&self.unions, 12) < 0:
            raise MemoryError
        return 0

    cdef int pairs(self) except -1:
        cdef int64_t at = 0, room
        cdef int i, j, k
        cdef double nn, nx, xx, part
        cdef double* w
        cdef double* more
        cdef const Entry* e = self.entries
        cdef const double* a
        cdef const double* b
        for i in range(self.n):
            with nogil:
                for j in range(i, self.n):
                    at = map_add(&self.unions, e[i].key + e[j].key)
                    if at < 0:
                        break
                    if at >= self.room:
                        room = self.unions.room
                        more = <double*>realloc(self.weights, <size_t>(room * 3 * self.finals) * sizeof(double))
                        if more == NULL:
                            at = -1
                            break
                        memset(more + self.room * 3 * self.finals, 0,
                               <size_t>((room - self.room) * 3 * self.finals) * sizeof(double))
                        self.weights = more
                        self.room = room
                    nn, xx = e[i].n * e[j].n, e[i].x * e[j].x
                    nx = (e[i].n * e[j].x + e[i].x * e[j].n) / 2
                    w = self.weights + at * 3 * self.finals
                    a = self.results + i * self.finals
                    b = self.results + j * self.finals
                    for k in range(self.finals):
                        part = a[k] * b[k]
                        if i != j:
                            part *= 2
                        w[k] += nn * part
                        w[self.finals + k] += nx * part
                        w[2 * self.finals + k] += xx * part
            if at < 0:
                raise MemoryError
            if self.unions.used > ROWS:
                self.measured()
        return self.measured()


cdef dict joint_moments(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                        uint64_t pair_key, double pair_weight):
    """{final class: (chance, mean, mean square)} of what the hands' codes add up to, joint with the final."""
    cdef Pairs p = Pairs.__new__(Pairs)
    cdef int k
    p.deck, p.made, p.entries, p.n, p.pair_key = deck, made, entries, n, pair_key
    p.prepare(codes, pair_weight, hands)
    p.single(codes)
    p.pairs()
    return {made.whole.final[k]: (p.moments[0][k], p.moments[1][k], p.moments[2][k])
            for k in range(made.whole.finals) if made.whole.final[k] in codes}
