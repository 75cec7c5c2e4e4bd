# cython: infer_types=False
"""Three hands of a split at a time: what two of them took, with every term of the third.

Lives here: `TripleSums`. Not here: the pairs and the dealer's ways (pairs), what the sums are worth (joint).

Two hands are gathered by what they took: a row for each removal, with a part for each pair of groups of
results. Rows and entries meet as entries do with one another in pairs; one more card of the pair is gone,
the one that made the third hand.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, realloc
from .pairs cimport PAIR_SLOTS, leave_last, triple_run
from .removal cimport map_add, map_close, map_open, unit_of


cdef class TripleSums(PairSums):
    def __cinit__(self):
        if map_open(&self.unions, 10) < 0 or map_open(&self.parts_of, 10) < 0:
            raise MemoryError

    def __dealloc__(self):
        map_close(&self.unions)
        map_close(&self.parts_of)
        free(self.weights)

    cdef int gather(self) except -1:
        """Every two entries, by what they took and by their groups."""
        cdef int i, j
        cdef int64_t at = 0, before, room = 0
        cdef double weight
        cdef double* more
        cdef const double* x = self.work.x
        with nogil:
            for i in range(self.n):
                for j in range(i + 1):
                    weight = x[i] * x[j] * (1 if i == j else 2)
                    if weight == 0:
                        continue
                    at = map_add(&self.unions, self.entries[i].key + self.entries[j].key + self.shift)
                    if at < 0:
                        break
                    before = self.parts_of.used
                    at = map_add(&self.parts_of, <uint64_t>(
                        at * self.triple.pairs + pair_of(self.work.group[i], self.work.group[j])))
                    if at < 0:
                        break
                    if at >= room:
                        room = self.parts_of.room
                        more = <double*>realloc(self.weights, <size_t>room * sizeof(double))
                        if more == NULL:
                            at = -1
                            break
                        self.weights = more
                    more = self.weights + at
                    more[0] = weight if at == before else more[0] + weight
                if at < 0:
                    break
        if at < 0:
            raise MemoryError
        return 0

    cdef int32_t* lay_rows(self) except NULL:
        """The place of each union among those in the order of their low cards."""
        cdef KeyMap lows
        cdef int64_t i, n = self.unions.used
        cdef int32_t* low = <int32_t*>self.hold(4 * n)
        cdef int failed = 0
        if map_open(&lows, 9) < 0:
            raise MemoryError
        try:
            for i in range(n):
                low[i] = <int32_t>map_add(&lows, self.unions.keys[i] & self.low_mask)
                failed |= low[i] < 0
            if failed:
                raise MemoryError
            self.n_rows = <int>lows.used
            self.rows = self.lay_parts(&lows, low, n)
            for i in range(n):
                low[i] = self.place(&self.rows[low[i]], self.unions.keys[i])
            return low
        finally:
            map_close(&lows)

    cdef int lay_row_parts(self, const int32_t* places) except -1:
        """The parts of the rows, row by row."""
        cdef int64_t i, n = self.parts_of.used
        cdef int32_t* start = <int32_t*>self.hold(4 * (self.unions.used + 2))
        cdef int32_t* pair = <int32_t*>self.hold(4 * n)
        cdef double* part = <double*>self.hold(8 * n)
        cdef int row, at
        for i in range(n):
            start[places[self.parts_of.keys[i] // <uint64_t>self.triple.pairs] + 2] += 1
        for i in range(self.unions.used):
            start[i + 2] += start[i + 1]
        for i in range(n):
            row = places[self.parts_of.keys[i] // <uint64_t>self.triple.pairs]
            at = start[row + 1]
            start[row + 1] += 1
            pair[at] = <int32_t>(self.parts_of.keys[i] % <uint64_t>self.triple.pairs)
            part[at] = self.weights[i]
        self.triple.start, self.triple.pair, self.triple.part = start, pair, part
        return 0

    cdef int pair(self, KeyMap* highs) except -1:
        """Rows with the entries, whose high cards those are."""
        cdef KeyMap some
        cdef int32_t* places
        cdef int32_t* high
        cdef int64_t i
        cdef int failed = 0
        self.triple.pairs = pair_of(self.n_groups - 1, self.n_groups - 1) + 1
        self.gather()
        places = self.lay_rows()
        self.lay_row_parts(places)
        high = <int32_t*>self.hold(4 * self.unions.used)
        if map_open(&some, 8) < 0:
            raise MemoryError
        try:
            for i in range(self.unions.used):
                high[places[i]] = <int32_t>map_add(&some, self.unions.keys[i] & ~self.low_mask)
                failed |= high[places[i]] < 0
            if failed:
                raise MemoryError
            self.meet_highs(&some, highs)
        finally:
            map_close(&some)
        self.triple.high = high
        self.sums = <double*>self.hold(8 * PAIR_SLOTS * <int64_t>self.n_groups * self.triple.pairs)
        self.work.sums = self.sums
        return self.meet_lows(self.rows, self.n_rows)

    cdef void meet(self, const Part* some, const Part* others) noexcept nogil:
        self.triple.work = self.work
        triple_run(&self.triple, some.begin, some.end, others.begin, others.end)

    cdef void settle(self) noexcept nogil:
        """The last class is what the others leave."""
        cdef int64_t i
        for i in range(<int64_t>self.n_groups * self.triple.pairs):
            leave_last(self.sums + i * PAIR_SLOTS, self.made.whole.finals - 1)


cdef TripleSums triple_sums(const Deck* deck, Finals made, const Entry* entries, int n, int pair, double of_x,
                            double of_n):
    """Sums over two entries by the product of both x, with a third by so much of its x and its n."""
    cdef TripleSums t = TripleSums.__new__(TripleSums)
    cdef double* mixed
    cdef int i
    t.prepare(deck, made, n, pair, [[1.0]])
    t.shift = unit_of(deck, pair)
    t.take(entries)
    mixed = <double*>t.hold(8 * n)
    for i in range(n):
        mixed[i] = of_x * t.entries[i].x + of_n * t.entries[i].n
    t.work.x = mixed
    t.run()
    t.settle()
    return t
