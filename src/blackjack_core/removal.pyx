# cython: infer_types=False
"""Removed cards: how likely they are, and what the dealer makes of the rest.

Lives here: a composition as tables of falling factorials, maps from removed cards to numbers, the
dealer's final hands as trees over card values, and the product of all that for many removals at once.
Not here: players' hands (outcomes), several of them (joint), money.

A sequence of cards has the probability prod_v n_v (n_v-1) ... / (N (N-1) ...) in whatever order they
come (MATHS: draws without replacement are exchangeable), so a removal is a multiset of cards, packed into
64 bits, and a dealer's final class is a sum over multisets times the number of their orders.
"""
cimport cython
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memset
from .ruleset cimport RuleSet, RuleTable

cdef extern from *:
    """
    /* A tree walked for sixteen keys at a time: v[depth] = v[depth - 1] * factor, added up where a hand is finished.
       The same multiplications in the same order on every processor; AVX2 only takes them four at a time. */
    #define BJ_LANES 16
    #if defined(__GNUC__)
    typedef double bj_four __attribute__((vector_size(32), aligned(8), may_alias));
    #define BJ_INLINE static inline __attribute__((always_inline))
    #define BJ_STEP 4
    #else
    typedef double bj_four;
    #define BJ_INLINE static inline
    #define BJ_STEP 1
    #endif
    BJ_INLINE void bj_walk_any(const bj_node *nodes, int n, const double *factor, double *sums, double *v)
    {
        for (int i = 1; i < n; i++) {
            const bj_node *node = nodes + i;
            bj_four *to = (bj_four *)(v + node->to);
            const bj_four *above = (const bj_four *)(v + node->to - BJ_LANES);
            const bj_four *f = (const bj_four *)(factor + node->factor);
            double orders = node->orders;
            bj_four x0 = above[0] * f[0], x1 = above[1] * f[1], x2 = above[2] * f[2], x3 = above[3] * f[3];
            to[0] = x0, to[1] = x1, to[2] = x2, to[3] = x3;
            if (BJ_STEP == 1)
                for (int k = 4; k < BJ_LANES; k++) to[k] = above[k] * f[k];
            if (orders != 0) {
                bj_four *s = (bj_four *)(sums + node->sum);
                s[0] += orders * x0, s[1] += orders * x1, s[2] += orders * x2, s[3] += orders * x3;
                if (BJ_STEP == 1)
                    for (int k = 4; k < BJ_LANES; k++) s[k] += orders * to[k];
            }
        }
    }
    static void bj_walk_plain(const bj_node *nodes, int n, const double *factor, double *sums, double *v)
    { bj_walk_any(nodes, n, factor, sums, v); }
    #if defined(__GNUC__) && defined(__x86_64__)
    __attribute__((target("avx2")))
    static void bj_walk_avx2(const bj_node *nodes, int n, const double *factor, double *sums, double *v)
    { bj_walk_any(nodes, n, factor, sums, v); }
    static void bj_walk(const bj_node *nodes, int n, const double *factor, double *sums, double *v)
    {
        if (__builtin_cpu_supports("avx2")) bj_walk_avx2(nodes, n, factor, sums, v);
        else bj_walk_plain(nodes, n, factor, sums, v);
    }
    #else
    #define bj_walk bj_walk_plain
    #endif
    """
    void bj_walk(const Node* nodes, int n, const double* factor, double* sums, double* v) noexcept nogil

cdef enum:
    LANES = 16

cdef double ROUNDING = 1e-14    # of what is left of a sum: that much is nothing


# ---------------------------------------------------------------- maps

@cython.overflowcheck(False)
cdef inline uint64_t spread(uint64_t key, int bits) noexcept nogil:
    return (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - bits)


cdef int map_open(KeyMap* m, int bits) noexcept nogil:
    """An empty map of 2**bits slots; -1 without memory."""
    memset(m, 0, sizeof(KeyMap))
    m.bits = bits
    m.room = <int64_t>1 << (bits - 1)
    m.slots = <Slot*>malloc((<size_t>1 << bits) * sizeof(Slot))
    m.keys = <uint64_t*>malloc(<size_t>m.room * sizeof(uint64_t))
    if m.slots == NULL or m.keys == NULL:
        map_close(m)
        return -1
    return map_clear(m)


cdef void map_close(KeyMap* m) noexcept nogil:
    free(m.slots)
    free(m.keys)
    memset(m, 0, sizeof(KeyMap))


cdef int map_clear(KeyMap* m) noexcept nogil:
    cdef int64_t i
    m.used = 0
    for i in range(<int64_t>1 << m.bits):
        m.slots[i].at = -1
    return 0


cdef int map_grow(KeyMap* m) noexcept nogil:
    cdef KeyMap bigger
    cdef int64_t i
    if map_open(&bigger, m.bits + 1) < 0:
        return -1
    for i in range(m.used):
        map_add(&bigger, m.keys[i])
    map_close(m)
    m[0] = bigger
    return 0


cdef int64_t map_add(KeyMap* m, uint64_t key) noexcept nogil:
    """The key's number, a new one (`used` before the call) if it was not there; -1 without memory."""
    cdef uint64_t at = spread(key, m.bits)
    cdef uint64_t last = (<uint64_t>1 << m.bits) - 1
    while m.slots[at].at >= 0:
        if m.slots[at].key == key:
            return m.slots[at].at
        at = (at + 1) & last
    if m.used == m.room:
        return -1 if map_grow(m) < 0 else map_add(m, key)
    m.slots[at].key = key
    m.slots[at].at = m.used
    m.keys[m.used] = key
    m.used += 1
    return m.used - 1


# ---------------------------------------------------------------- the composition

cdef void deck_tables(Deck* deck) noexcept nogil:
    """The tables of a deck whose n, infinite, shift and mask are set."""
    cdef int c, i
    deck.total = 0
    for c in range(CATS):
        deck.total += deck.n[c]
    for c in range(CATS):
        deck.fall[c][0] = 1
        for i in range(1, MOST + DEALT):
            if deck.infinite:
                deck.fall[c][i] = deck.fall[c][i - 1] * deck.n[c] / deck.total
            elif deck.n[c] >= i:
                deck.fall[c][i] = deck.fall[c][i - 1] * (deck.n[c] - i + 1) / deck.total
            else:
                deck.fall[c][i] = 0
    deck.inverse[0] = 1
    for i in range(1, MOST_ALL):
        if deck.infinite:
            deck.inverse[i] = 1
        elif deck.total >= i:
            deck.inverse[i] = deck.inverse[i - 1] * deck.total / (deck.total - i + 1)
        else:
            deck.inverse[i] = 0


cdef void measure(const Deck* deck, const Tree* tree, const uint64_t* keys, int64_t count,
                  double* out) noexcept nogil:
    """out[key][class of the tree]: how likely the key's cards are drawn and the dealer then ends so."""
    cdef double left[10][LANES]
    cdef double rest[LANES]
    cdef double drawn[LANES]
    cdef double factor[10][DEALT][LANES]
    cdef double sums[FINALS][DEALT][LANES]
    cdef double share
    cdef double said
    cdef double path[11][LANES]
    cdef double* v
    cdef int64_t first
    cdef int lane, lanes, c, d, i, m, size
    for first in range(0, count, 16):           # LANES
        lanes = <int>(count - first) if count - first < LANES else LANES
        for lane in range(LANES):
            size = 0
            drawn[lane] = 1
            for c in range(CATS):
                m = <int>((keys[first + lane] >> deck.shift[c]) & deck.mask[c]) if lane < lanes else 0
                size += m
                drawn[lane] *= deck.fall[c][m]
                if c < OTHER_TEN:
                    left[c][lane] = deck.n[c] - m
                else:
                    left[9][lane] += deck.n[c] - m
            drawn[lane] *= deck.inverse[size]
            rest[lane] = deck.total - size
        for c in range(10):
            for lane in range(LANES):
                factor[c][0][lane] = 1
            for d in range(1, tree.most[c] + 1):
                for lane in range(LANES):
                    factor[c][d][lane] = factor[c][d - 1][lane] * left[c][lane]
                if not deck.infinite:
                    for lane in range(LANES):
                        left[c][lane] = left[c][lane] - 1 if left[c][lane] > 0 else 0
        for m in range(tree.finals):
            for i in range(tree.longest + 1):
                for lane in range(LANES):
                    sums[m][i][lane] = 0
        for lane in range(LANES):
            path[0][lane] = 1
        bj_walk(tree.nodes, tree.n, &factor[0][0][0], &sums[0][0][0], &path[0][0])
        for lane in range(lanes):
            v = out + (first + lane) * tree.finals
            for m in range(tree.finals):
                v[m] = 0
            share = drawn[lane]
            said = 0
            for i in range(1, tree.longest + 1):
                if deck.infinite:
                    share /= rest[lane]
                elif rest[lane] >= i:
                    share /= rest[lane] - i + 1
                else:
                    share = 0
                for m in range(tree.finals):
                    v[m] += sums[m][i][lane] * share
                    said += sums[m][i][lane] * share
            if tree.rest:
                said = drawn[lane] - said
                v[tree.finals - 1] = said if said > ROUNDING * drawn[lane] else 0


# ---------------------------------------------------------------- the dealer

cdef int by_cards(const void* a, const void* b) noexcept nogil:
    """For qsort: most tens first compared."""
    cdef uint64_t x = (<const Way*>a).cards
    cdef uint64_t y = (<const Way*>b).cards
    return (x > y) - (x < y)


cdef int final_of(int points, int ace, bint natural) noexcept nogil:
    """What a dealer's finished hand counts as."""
    if natural:
        return FINAL_NATURAL
    if ace and points <= 11:
        return points + 10 - 16
    return points - 16 if points <= 22 else FINAL_BUST


cdef class Finals:
    """Finals(rules, up)
    --

    The dealer's final hands from an upcard (value index), as trees.
    """
    def __cinit__(self, RuleSet rules not None, int up):
        cdef KeyMap where
        cdef int i, final, failed
        cdef bint some[FINALS]
        memset(self.trees, 0, sizeof(self.trees))
        memset(&self.whole, 0, sizeof(Tree))
        self.folds = {}
        if not 0 <= up < 10:
            raise ValueError(f"expected an upcard's value index from 0 to 9, got {up}")
        if map_open(&where, 8) < 0:
            raise MemoryError
        with nogil:
            failed = self.draw(&rules.t, &where, 0, up + 1, up == 0, 0)
            map_close(&where)
        if failed == -1:
            raise MemoryError
        if failed:
            raise ValueError("expected a dealer who draws fewer cards")
        for final in range(FINALS):
            some[final] = False
        for i in range(self.n):
            if not rules.t.push_22 and self.ways[i].final == FINAL_22:      # then all busts are alike
                self.ways[i].final = FINAL_BUST
            some[self.ways[i].final] = True
        qsort(self.ways, <size_t>self.n, sizeof(Way), by_cards)
        for final in range(FINALS):
            if some[final]:
                self.plant(&self.trees[final], [final], False)
        self.plant(&self.whole, [final for final in range(FINALS) if some[final]], True)

    @cython.nonecheck(False)    # its increments of attributes need no interpreter then
    cdef int draw(self, const RuleTable* t, KeyMap* where, uint64_t cards, int points, int ace, int size) noexcept nogil:
        """Every order of cards in which the dealer ends his hand, counted by its cards; -1 without memory."""
        cdef int v, failed, room, total, aces
        cdef bint natural
        cdef int64_t at
        cdef uint64_t more
        cdef void* ways
        cdef Way* way
        if size >= DEALT:
            return -2
        for v in range(10):
            total, aces = points + v + 1, ace or v == 0
            natural = aces and total == 11 and size == 0
            more = cards + (<uint64_t>1 << (WAY_BITS * v))
            if t.dealer_draws[aces][total] and not natural:
                failed = self.draw(t, where, more, total, aces, size + 1)
                if failed:
                    return failed
                continue
            at = map_add(where, more)
            if at < 0:
                return -1
            if at == self.n:
                if self.n == self.room:
                    room = 2 * self.room + 256
                    ways = realloc(self.ways, <size_t>room * sizeof(Way))
                    if ways == NULL:
                        return -1
                    self.ways = <Way*>ways
                    self.room = room
                self.ways[at] = Way(more, 0, final_of(total, aces, natural))
                self.n = self.n + 1
            way = &self.ways[at]
            way.orders += 1
        return 0

    cdef int plant(self, Tree* tree, list finals, bint rest) except -1:
        """The tree of some classes; with `rest` the last one is left to what the others leave."""
        cdef Node* node
        cdef int i, v, count, depth, size, number, last
        cdef int at[FINALS]
        cdef uint64_t path, before = 0
        cdef bint same
        for i in range(FINALS):
            at[i] = -1
        for i, final in enumerate(finals):
            tree.final[i] = final
            if not rest or i + 1 < len(finals):
                at[<int>final] = i
        tree.finals = <int>len(finals)
        tree.rest = rest
        tree.nodes = <Node*>calloc(<size_t>(10 * self.n + 1), sizeof(Node))
        if tree.nodes == NULL:
            raise MemoryError
        tree.n = 1                  # parents first: cards are in order, and a part of them stands before all
        for i in range(self.n):
            if at[self.ways[i].final] < 0:
                continue
            path = self.ways[i].cards
            depth = size = 0
            same = tree.n > 1
            last = 0
            for v in range(9, -1, -1):
                count = count_of(path, v)
                same = same and count == count_of(before, v)
                if not count:
                    continue
                depth += 1
                size += count
                if same:
                    continue
                node = &tree.nodes[tree.n]
                tree.n += 1
                node.to = depth * LANES
                node.factor = (v * DEALT + count) * LANES
                tree.most[v] = max(tree.most[v], count)
                last = tree.n - 1
            if last == 0:
                raise AssertionError("a dealer's hand stands twice")
            number = at[self.ways[i].final]
            tree.nodes[last].sum = (number * DEALT + size) * LANES
            tree.nodes[last].orders = self.ways[i].orders
            tree.longest = max(tree.longest, size)
            before = path
        return 0

    def __dealloc__(self):
        cdef int final
        for final in range(FINALS):
            free(self.trees[final].nodes)
        free(self.whole.nodes)
        free(self.ways)


cdef dict FINALS_MADE = {}


def finals(RuleSet rules not None, int up):
    """Finals, made once for each way of drawing."""
    key = ((<const char*>&rules.t.dealer_draws[0][0])[:64], rules.t.push_22, up)
    if key not in FINALS_MADE:
        if len(FINALS_MADE) >= 100:
            FINALS_MADE.clear()
        FINALS_MADE[key] = Finals(rules, up)
    return FINALS_MADE[key]


def final_probabilities(RuleSet rules not None, counts, int up, bint infinite=False):
    """{final class: probability} from an upcard and the ten counts of cards that are left."""
    cdef Deck deck
    cdef Finals made = finals(rules, up)
    cdef uint64_t key = 0
    cdef double out[FINALS]
    if len(counts) != 10 or not all([0 <= n <= 1_000_000 for n in counts]):
        raise ValueError("expected ten counts from 0 to 1000000")
    memset(&deck, 0, sizeof(Deck))
    for c in range(10):
        deck.n[<int>c] = counts[c]
    deck.infinite = infinite
    deck_tables(&deck)
    measure(&deck, &made.whole, &key, 1, out)
    return {made.whole.final[i]: out[i] for i in range(made.whole.finals)}
