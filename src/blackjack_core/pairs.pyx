# cython: infer_types=False
"""Two hands of a split at a time: every pair of their terms, against all of the dealer's final classes.

Lives here: `Fold`, the dealer's ways in the order in which they are summed; `PairSums`, the sums over pairs;
the loops over entries are C (_pairs_kernel.h). Not here: hands (outcomes), what their sums are worth (joint,
moments), how likely cards are (removal).

How likely it is that two hands took some cards and the dealer ends in a class is a sum over his ways: one
factor for each value, and one for how many cards there are in all. It is taken apart. The low values come
first (A 2 3 4, where most of his ways differ): for the low cards that the hands took together, the sum over
his low cards, for every set of his high ones. It is made value by value, so that low cards which begin alike
share the work, and for several numbers of high cards at once. What is left for each pair of hands is a sum over
his high cards, at most 38 sets, for all classes side by side; and it is taken once for all pairs of hands
that removed the same.

Where further cards of the pair are gone, too (moments), the pair's value is the last of the low ones, and the
sum of what is wanted of each number of such cards is taken there.
"""
from os import environ
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.math cimport fabs
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from .removal cimport CATS, DEALT, FINALS, MOST, OTHER_TEN, count_of, map_add, map_close, map_open, unit_of

# BLACKJACK_KERNELS=plain: the loops of a processor without AVX2, for tests and comparisons
cdef bint fast = pairs_fast() and environ.get("BLACKJACK_KERNELS") != "plain"
fold_run = fold_avx2 if fast else fold_plain
triple_run = triples_avx2 if fast else triples_plain
cdef PairRun pair_run = pairs_avx2 if fast else pairs_plain

cdef enum:
    ALL_CARDS = 50          # bits of the dealer's cards; his final class stands above
    LANE_STEP = 4           # lanes come by so many
    LEVEL_SPARE = 64        # numbers behind a level, which shifted lanes may look at

cdef double NOISE = 1e-13


cdef class Fold:
    def __cinit__(self):
        self.n_values = self.n_highs = self.n = self.n_draws = 0

    def __dealloc__(self):
        cdef int k
        for k in range(LOWS):
            free(self.steps[k].to)
        free(self.orders)
        free(self.size)
        free(self.draws)
        free(self.place)

    cdef int make(self, Finals made) except -1:
        """The ways of every class but the last, which gets what is drawn whatever the dealer does."""
        cdef KeyMap maps[LOWS + 1]
        cdef int32_t* places[LOWS + 1]
        cdef int slot[FINALS]
        cdef int i, k
        cdef uint64_t key
        memset(maps, 0, sizeof(maps))
        memset(places, 0, sizeof(places))
        for i in range(FINALS):
            slot[i] = -1
        for i in range(made.whole.finals - 1):
            slot[made.whole.final[i]] = i
        try:
            for k in range(self.n_values + 1):
                if map_open(&maps[k], 8) < 0:
                    raise MemoryError
            for i in range(-1, made.n):
                if i >= 0 and slot[made.ways[i].final] < 0:
                    continue
                key = <uint64_t>(made.whole.finals - 1 if i < 0 else slot[made.ways[i].final]) << ALL_CARDS
                key |= 0 if i < 0 else made.ways[i].cards
                for k in range(self.n_values + 1):
                    if map_add(&maps[k], key) < 0:
                        raise MemoryError
                    if k < self.n_values:
                        key -= <uint64_t>count_of(key, self.values[k]) << (5 * self.values[k])
            for k in range(self.n_values, -1, -1):
                places[k] = <int32_t*>malloc(<size_t>(maps[k].used + 1) * sizeof(int32_t))
                if places[k] == NULL:
                    raise MemoryError
                if k == self.n_values:
                    for i in range(maps[k].used):
                        places[k][i] = i
                else:
                    self.order(k, &maps[k], &maps[k + 1], places)
            self.begin(made, &maps[0], places[0], slot)
            self.end(&maps[self.n_values])
        finally:
            for k in range(self.n_values + 1):
                map_close(&maps[k])
                free(places[k])
        return 0

    cdef int order(self, int k, KeyMap* now, KeyMap* after, int32_t** places) except -1:
        """Put what a step sums in the order of the cards drawn, and say which sum it belongs to."""
        cdef FoldStep* step = &self.steps[k]
        cdef int i, d, v = self.values[k], at = 0
        cdef uint64_t key
        step.after = <int>after.used
        step.to = <int32_t*>malloc(<size_t>(now.used + 1) * sizeof(int32_t))
        if step.to == NULL:
            raise MemoryError
        for d in range(DEALT):
            step.start[d] = at
            for i in range(now.used):
                if count_of(now.keys[i], v) != d:
                    continue
                key = now.keys[i] - (<uint64_t>d << (5 * v))
                step.to[at] = places[k + 1][map_add(after, key)]
                places[k][i] = at
                at += 1
                step.drawn = d + 1
        step.start[DEALT] = at
        return 0

    cdef int begin(self, Finals made, KeyMap* ways, const int32_t* place, const int* slot) except -1:
        """Orders and numbers of cards of the dealer's ways."""
        cdef int i, v, at
        cdef uint64_t key
        self.n = <int>ways.used
        self.orders = <double*>calloc(<size_t>self.n, sizeof(double))
        self.size = <int*>calloc(<size_t>self.n, sizeof(int))
        if self.orders == NULL or self.size == NULL:
            raise MemoryError
        for i in range(self.n):
            for v in range(10):
                self.size[place[i]] += count_of(ways.keys[i], v)
            if self.size[place[i]] == 0:
                self.orders[place[i]] = 1
        for i in range(made.n):
            if slot[made.ways[i].final] >= 0:
                key = made.ways[i].cards | (<uint64_t>slot[made.ways[i].final] << ALL_CARDS)
                at = place[map_add(ways, key)]
                self.orders[at] = made.ways[i].orders
        return 0

    cdef int end(self, KeyMap* sums) except -1:
        """The sets of high cards, and where the sums stand among them."""
        cdef KeyMap sets
        cdef int i, k
        cdef int64_t at
        if map_open(&sets, 6) < 0:
            raise MemoryError
        try:
            self.place = <int32_t*>malloc(<size_t>(sums.used + 1) * sizeof(int32_t))
            if self.place == NULL:
                raise MemoryError
            for i in range(sums.used):
                at = map_add(&sets, sums.keys[i] & ((<uint64_t>1 << ALL_CARDS) - 1))
                if at < 0:
                    raise MemoryError
                self.place[i] = <int32_t>(at * PAIR_SLOTS + <int64_t>(sums.keys[i] >> ALL_CARDS))
            self.n_draws = <int>sets.used
            self.draws = <int8_t*>calloc(<size_t>(self.n_draws * self.n_highs + 1), 1)
            if self.draws == NULL:
                raise MemoryError
            for i in range(self.n_draws):
                for k in range(self.n_highs):
                    self.draws[i * self.n_highs + k] = <int8_t>count_of(sets.keys[i], self.highs[k])
        finally:
            map_close(&sets)
        return 0


cdef Fold fold_of(Finals made, tuple values):
    """The fold with these low values, made once."""
    cdef Fold fold = made.folds.get(values)
    if fold is None:
        fold = Fold.__new__(Fold)
        for v in range(10):
            if v not in values:
                fold.highs[fold.n_highs] = v
                fold.n_highs += 1
        for v in values:
            fold.values[fold.n_values] = v
            fold.n_values += 1
        fold.make(made)
        made.folds[values] = fold
    return fold


cdef class PairSums:
    def __dealloc__(self):
        cdef int i
        for i in range(self.n_held):
            free(self.held[i])

    cdef void* hold(self, int64_t size) except NULL:
        """Memory of zeros for as long as this lives."""
        cdef void* memory = calloc(<size_t>size + 8, 1)
        if memory == NULL:
            raise MemoryError
        self.held[self.n_held] = memory
        self.n_held += 1
        return memory

    cdef int prepare(self, const Deck* deck, Finals made, int n, int pair, list mix) except -1:
        """What is asked, and the fold for it."""
        cdef int c, i, value = pair if pair < 9 else 9
        values = (0, 1, 2, 3)
        self.deck, self.made, self.n, self.of_pair = deck, made, n, pair
        self.deep = <int>len(mix[0])
        if self.deep > 1:
            values = (*(v for v in values if v != value), value)
        self.fold = fold_of(made, values)
        for c in range(CATS):
            if min(c, 9) in values:
                self.low_mask |= deck.mask[c] << deck.shift[c]
        self.work.weights = <int>len(mix)
        self.mixes = <double*>self.hold(8 * len(mix) * self.deep)
        for c, parts in enumerate(mix):
            for i in range(self.deep):
                self.mixes[c * self.deep + i] = parts[i]
        return 0

    # -- the entries

    cdef int take(self, const Entry* entries) except -1:
        """Entries by their low cards, their groups and their high cards by number."""
        cdef KeyMap lows, highs, groups
        cdef int32_t* low = <int32_t*>self.hold(4 * self.n)
        cdef int32_t* high_of = <int32_t*>self.hold(4 * self.n)
        cdef int32_t* group_of = <int32_t*>self.hold(4 * self.n)
        cdef int32_t* high = <int32_t*>self.hold(4 * self.n)
        cdef int32_t* group = <int32_t*>self.hold(4 * self.n)
        cdef double* x = <double*>self.hold(8 * self.n)
        cdef double* n = <double*>self.hold(8 * self.n)
        cdef int i, at, failed
        memset(&lows, 0, sizeof(KeyMap))
        memset(&highs, 0, sizeof(KeyMap))
        memset(&groups, 0, sizeof(KeyMap))
        try:
            if map_open(&lows, 9) < 0 or map_open(&highs, 7) < 0 or map_open(&groups, 7) < 0:
                raise MemoryError
            failed = 0
            for i in range(self.n):
                low[i] = <int32_t>map_add(&lows, entries[i].key & self.low_mask)
                high_of[i] = <int32_t>map_add(&highs, entries[i].key & ~self.low_mask)
                group_of[i] = <int32_t>map_add(
                    &groups, (<uint64_t>entries[i].to << 32) + <uint64_t>(entries[i].frm + 1))
                failed |= low[i] < 0 or high_of[i] < 0 or group_of[i] < 0
            if failed:
                raise MemoryError
            self.n_parts = <int>lows.used
            self.parts = self.lay_parts(&lows, low, self.n)
            self.entries = <Entry*>self.hold(self.n * <int64_t>sizeof(Entry))
            for i in range(self.n):
                at = self.place(&self.parts[low[i]], entries[i].key)
                self.entries[at] = entries[i]
                x[at], n[at], high[at], group[at] = entries[i].x, entries[i].n, high_of[i], group_of[i]
            self.n_groups = <int>groups.used
            self.classes = [(<int>(groups.keys[i] >> 32), <int>(groups.keys[i] & 0xFFFFFFFF) - 1)
                            for i in range(self.n_groups)]
            self.work.x, self.work.n, self.work.high, self.work.group = x, n, high, group
            self.work.groups = self.n_groups
            self.pair(&highs)
        finally:
            map_close(&lows)
            map_close(&highs)
            map_close(&groups)
        return 0

    cdef Part* lay_parts(self, KeyMap* lows, const int32_t* low, int64_t n) except NULL:
        """The ranges of what has the same low cards, for `place` to fill."""
        cdef Part* parts = <Part*>self.hold(lows.used * <int64_t>sizeof(Part))
        cdef int64_t i
        cdef int at = 0
        for i in range(n):
            parts[low[i]].end += 1
        for i in range(lows.used):
            parts[i].key, parts[i].least = lows.keys[i], 1 << 20
            at += parts[i].end
            parts[i].begin = parts[i].end = at - parts[i].end
        return parts

    cdef int place(self, Part* part, uint64_t key) noexcept nogil:
        """The next place in a part, for what took these cards."""
        cdef int size = self.cards_of(key & ~self.low_mask)
        part.least, part.most = min(part.least, size), max(part.most, size)
        part.end += 1
        return part.end - 1

    cdef int pair(self, KeyMap* highs) except -1:
        """Entries with themselves, whose high cards those are."""
        self.sums = <double*>self.hold(8 * PAIR_SLOTS * self.n_groups * self.n_groups)
        self.work.sums = self.sums
        self.meet_highs(highs, highs)
        return self.meet_lows(self.parts, self.n_parts)

    cdef int meet_highs(self, KeyMap* some, KeyMap* others) except -1:
        """The high cards of both together, and how likely they and the dealer's are."""
        cdef KeyMap sums
        cdef int n = <int>others.used
        cdef int32_t* both = <int32_t*>self.hold(4 * some.used * n)
        cdef int32_t* size
        cdef double* chance
        cdef const double* rows[10]
        cdef double room[10][DEALT]
        cdef double p
        cdef int i, j, k
        cdef int64_t at
        if map_open(&sums, 8) < 0:
            raise MemoryError
        try:
            for i in range(some.used):
                for j in range(n):
                    at = map_add(&sums, some.keys[i] + others.keys[j])
                    if at < 0:
                        raise MemoryError
                    both[i * n + j] = <int32_t>at
            size = <int32_t*>self.hold(4 * sums.used)
            chance = <double*>self.hold(8 * sums.used * self.fold.n_draws)
            for i in range(sums.used):
                size[i] = self.cards_of(sums.keys[i])
                for k in range(self.fold.n_highs):
                    rows[k] = self.factors(self.fold.highs[k], sums.keys[i], &room[k][0])
                for j in range(self.fold.n_draws):
                    p = 1
                    for k in range(self.fold.n_highs):
                        p *= rows[k][self.fold.draws[j * self.fold.n_highs + k]]
                    chance[i * self.fold.n_draws + j] = p
            self.work.highs, self.work.draws = n, self.fold.n_draws
            self.work.both, self.work.size, self.work.chance = both, size, chance
            self.work.value = <double*>self.hold(8 * PAIR_SLOTS * self.work.weights * sums.used)
            self.work.stamp = <int32_t*>self.hold(4 * sums.used)
        finally:
            map_close(&sums)
        return 0

    cdef int cards_of(self, uint64_t key) noexcept nogil:
        cdef int c, size = 0
        for c in range(CATS):
            size += <int>((key >> self.deck.shift[c]) & self.deck.mask[c])
        return size

    cdef const double* factors(self, int value, uint64_t key, double* room) noexcept nogil:
        """[cards the dealer draws of a value] -> how likely those in the key and they are drawn."""
        cdef int u = <int>((key >> self.deck.shift[value]) & self.deck.mask[value])
        cdef int other, d
        cdef double left
        if value < 9:
            return &self.deck.fall[value][u]
        other = <int>((key >> self.deck.shift[OTHER_TEN]) & self.deck.mask[OTHER_TEN])
        left = self.deck.n[9] + self.deck.n[OTHER_TEN] - u - other
        room[0] = self.deck.fall[9][u] * self.deck.fall[OTHER_TEN][other]
        for d in range(1, DEALT):
            room[d] = room[d - 1] * left / self.deck.total
            if not self.deck.infinite:
                left = left - 1 if left > 0 else 0
        return room

    # -- the low cards of two hands

    cdef int meet_lows(self, const Part* some, int n) except -1:
        """Which low cards those parts and the entries' may take together; each pair once where they are the same."""
        cdef KeyMap sums
        cdef int a, b, i, size
        cdef int64_t at = 0
        cdef Low* more
        self.some = some
        for a in range(n):
            self.n_blocks += self.n_parts - (a if some == self.parts else 0)
        self.blocks = <Block*>self.hold(self.n_blocks * <int64_t>sizeof(Block))
        if map_open(&sums, 9) < 0:
            raise MemoryError
        try:
            i = 0
            for a in range(n):
                for b in range(a if some == self.parts else 0, self.n_parts):
                    at = map_add(&sums, some[a].key + self.parts[b].key)
                    if at < 0:
                        raise MemoryError
                    self.blocks[i] = Block(<int>at, a, b)
                    i += 1
            self.n_lows = <int>sums.used
            self.lows = <Low*>self.hold(self.n_lows * <int64_t>sizeof(Low))
            for i in range(self.n_lows):
                self.lay(&self.lows[i], sums.keys[i])
        finally:
            map_close(&sums)
        for i in range(self.n_blocks):
            more = &self.lows[self.blocks[i].low]
            more.least = min(more.least, some[self.blocks[i].a].least + self.parts[self.blocks[i].b].least)
            more.most = max(more.most, some[self.blocks[i].a].most + self.parts[self.blocks[i].b].most)
        for i in range(self.n_lows):
            more = &self.lows[i]
            self.work.lanes = max(self.work.lanes, more.most - more.least + 1)
            size = more.most - more.least + self.deep
            more.wide = (size + LANE_STEP - 1) // LANE_STEP * LANE_STEP
            more.base = more.size + more.least
        return 0

    cdef int lay(self, Low* low, uint64_t key) noexcept nogil:
        cdef int k, v
        low.key, low.size, low.least, low.most = key, self.cards_of(key), 1 << 20, 0
        for k in range(self.fold.n_values):
            v = self.fold.values[k]
            low.digit[k] = <int>((key >> self.deck.shift[v]) & self.deck.mask[v])
            if v == 9:
                low.digit[k] = low.digit[k] * MOST + <int>(
                    (key >> self.deck.shift[OTHER_TEN]) & self.deck.mask[OTHER_TEN])
        return 0

    cdef int sort_lows(self) except -1:
        """Lows whose sums begin alike one after the other, and the blocks by their lows."""
        cdef int32_t* order = <int32_t*>malloc(<size_t>(2 * self.n_lows + 1) * sizeof(int32_t))
        cdef int32_t* other = order + self.n_lows
        cdef int32_t* digit = <int32_t*>malloc(<size_t>(self.n_lows + 1) * sizeof(int32_t))
        cdef int32_t* counts = NULL
        cdef int i, k, most
        cdef Low* lows
        cdef Block* blocks
        try:
            if order == NULL or digit == NULL:
                raise MemoryError
            for i in range(self.n_lows):
                order[i] = i
            for k in range(self.fold.n_values + 1, -1, -1):     # the last digit first
                most = 0
                for i in range(self.n_lows):
                    digit[i] = (self.lows[i].wide if k == 0 else self.lows[i].base if k == 1
                                else self.lows[i].digit[k - 2])
                    most = max(most, digit[i])
                free(counts)
                counts = <int32_t*>calloc(<size_t>most + 2, sizeof(int32_t))
                if counts == NULL:
                    raise MemoryError
                for i in range(self.n_lows):
                    counts[digit[i] + 1] += 1
                for i in range(most):
                    counts[i + 1] += counts[i]
                for i in range(self.n_lows):
                    other[counts[digit[order[i]]]] = order[i]
                    counts[digit[order[i]]] += 1
                order, other = other, order
            lows = <Low*>self.hold(self.n_lows * <int64_t>sizeof(Low))
            for i in range(self.n_lows):
                lows[i] = self.lows[order[i]]
                digit[order[i]] = i
            self.lows = lows
            free(counts)
            counts = <int32_t*>calloc(<size_t>self.n_lows + 2, sizeof(int32_t))
            if counts == NULL:
                raise MemoryError
            for i in range(self.n_blocks):
                self.blocks[i].low = digit[self.blocks[i].low]
                counts[self.blocks[i].low + 1] += 1
            for i in range(self.n_lows):
                counts[i + 1] += counts[i]
            blocks = <Block*>self.hold(self.n_blocks * <int64_t>sizeof(Block))
            for i in range(self.n_blocks):
                blocks[counts[self.blocks[i].low]] = self.blocks[i]
                counts[self.blocks[i].low] += 1
            self.blocks = blocks
        finally:
            free(min(order, other))
            free(digit)
            free(counts)
        return 0

    # -- how likely they are

    cdef void start(self, const Low* low) noexcept nogil:
        """The dealer's ways before any sum: orders and the number of all cards, lane by lane."""
        cdef int i, k
        cdef double* to = self.levels[0]
        for i in range(self.fold.n):
            for k in range(low.wide):
                to[i * low.wide + k] = self.fold.orders[i] * self.deck.inverse[low.base + k + self.fold.size[i]]

    cdef void spread(self, const Low* low, int weight, int more, double part) noexcept nogil:
        """Add part of the last sums to a weight's table."""
        cdef int j, k, n = self.fold.steps[self.fold.n_values - 1].after
        cdef const double* sums = self.levels[self.fold.n_values]
        cdef double* to
        for k in range(low.most - low.least + 1):
            to = self.table + (weight * self.work.lanes + k) * self.fold.n_draws * PAIR_SLOTS
            if more == 0:
                for j in range(n):
                    to[self.fold.place[j]] = part * sums[j * low.wide + k]
            else:
                for j in range(n):
                    to[self.fold.place[j]] += part * sums[j * low.wide + k]

    cdef int measure_low(self, const Low* low, const Low* before) noexcept nogil:
        """The table of some low cards, from what it shares with those before."""
        cdef double room[DEALT]
        cdef int k = 0, last = self.fold.n_values - 1, more, weight
        cdef double part
        if before == NULL or low.wide != before.wide or low.base != before.base:
            self.start(low)
        else:
            while k < last and low.digit[k] == before.digit[k]:
                k += 1
        while k < last:
            fold_run(&self.fold.steps[k], self.factors(self.fold.values[k], low.key, room), self.levels[k],
                     self.levels[k + 1], low.wide)
            k += 1
        for more in range(self.deep):
            fold_run(
                &self.fold.steps[last],
                self.factors(self.fold.values[last], low.key + <uint64_t>more * unit_of(self.deck, self.of_pair), room),
                self.levels[last] + more, self.levels[last + 1], low.wide)
            for weight in range(self.work.weights):
                part = self.mixes[weight * self.deep + more]
                if more == 0 or part != 0:
                    self.spread(low, weight, more, part)
        return 0

    cdef int run(self) except -1:
        """All pairs, from low cards to low cards."""
        cdef int i, k, widest = 0
        cdef int64_t at = 0
        cdef Block* b
        self.sort_lows()
        for i in range(self.n_lows):
            widest = max(widest, self.lows[i].wide)
        for k in range(self.fold.n_values + 1):
            i = self.fold.n if k == 0 else self.fold.steps[k - 1].after
            self.levels[k] = <double*>self.hold(8 * (i * widest + LEVEL_SPARE))
        self.table = <double*>self.hold(
            8 * PAIR_SLOTS * self.work.weights * self.work.lanes * self.fold.n_draws)
        self.work.table = self.table
        with nogil:
            for i in range(self.n_lows):
                self.measure_low(&self.lows[i], &self.lows[i - 1] if i else NULL)
                self.work.now, self.work.least = i + 1, self.lows[i].least
                while at < self.n_blocks and self.blocks[at].low == i:
                    b = &self.blocks[at]
                    self.meet(&self.some[b.a], &self.parts[b.b])
                    at += 1
        return 0

    cdef void meet(self, const Part* some, const Part* others) noexcept nogil:
        pair_run(&self.work, some.begin, some.end, others.begin, others.end)

    cdef void settle(self) noexcept nogil:
        """Both orders of two groups together, and the last class as what the others leave."""
        cdef int a, b, k, last = self.made.whole.finals - 1
        cdef double* s
        cdef double* t
        for a in range(self.n_groups):
            for b in range(a, self.n_groups):
                s = self.sums + (a * self.n_groups + b) * PAIR_SLOTS
                if a != b:
                    t = self.sums + (b * self.n_groups + a) * PAIR_SLOTS
                    for k in range(PAIR_SLOTS):
                        s[k] += t[k]
                        t[k] = 0
                leave_last(s, last)


cdef void leave_last(double* sums, int last) noexcept nogil:
    """The last class is what the others leave of all; nothing, where that is no more than their rounding."""
    cdef int k
    cdef double all = sums[last]
    for k in range(last):
        sums[last] -= sums[k]
    if fabs(sums[last]) < NOISE * fabs(all):
        sums[last] = 0


cdef PairSums pair_sums(const Deck* deck, Finals made, const Entry* entries, int n, int pair, list mix):
    """Sums over pairs of entries, for one list of weights or for three.

    One: of the product of both x. Three: of n and n, n and x, x and x. Each list says how much of a round in which
    0, 1, 2 ... further cards of the pair (a category) are gone is wanted.
    """
    cdef PairSums p = PairSums.__new__(PairSums)
    p.prepare(deck, made, n, pair, mix)
    p.take(entries)
    p.run()
    p.settle()
    return p
