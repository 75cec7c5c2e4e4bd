# cython: infer_types=False
"""Both hands of a split, played as well as somebody can who remembers every card of the round.

Lives here: `split_value`. Not here: what is legal and what hands are worth (the true round, by bench),
how likely cards are (removal).

The second hand is played knowing all cards of the first: for every way in which the first one can end
there is one best play of the second. The first hand is then played for its own result plus the value of
what comes after, which differs by the cards it has shown. Cards drawn later never change what a finished
hand may expect (draws without replacement are exchangeable), so no more than the removed cards has to be
carried from hand to hand.

All values are joint with the probability of the cards that they come after, so that a hit is a plain sum
over the next card; and they count from a bust at the original stake, so that a bust is worth nothing.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from .bench cimport CLOSED, HOLE, Bench
from .hand cimport BJ_TOTAL
from .machine cimport *
from .outcomes import Unfit
from .removal cimport *
from .removal import finals
from .ruleset cimport RuleSet

cdef enum:
    NODES = 4096
    ROOM = 1048576          # unions kept at a time

# A hand that can be reached; what one more card makes of it by hitting and by doubling.
cdef struct Node2:
    uint64_t cards
    int points
    int ace
    int can_hit
    int can_double
    double stand[FINALS]        # net over a bust at the original stake, per class of the tree
    int32_t hit[10]             # node, -1: bust
    int32_t doubled[10]         # row of `doubles`, -1: bust


cdef class Split:
    """One pair under one upcard."""
    cdef Bench b
    cdef Finals made
    cdef Deck deck
    cdef Node2* nodes
    cdef int n
    cdef int n_first                # of them are the pair's card and one more
    cdef int order[NODES]           # nodes, most points first
    cdef list doubles               # nets per class, by row
    cdef double* doubled            # the same, plain
    cdef uint64_t* doubled_cards
    cdef int n_doubled
    cdef double worst               # what a doubled bust costs more than a bust
    cdef int finals
    cdef double counted[FINALS]     # 1 for the classes that a hand is played against
    cdef KeyMap unions
    cdef double* out                # per union: probability with each class
    cdef double* after              # per first hand's cards: worth of the second, by number in `firsts`
    cdef KeyMap firsts
    cdef int64_t after_room
    cdef double unit
    cdef double bust                # net of a bust at the original stake, in bets

    def __cinit__(self, RuleSet rules not None, Bench b not None, int up, bint peeked):
        cdef int i
        self.b = b
        self.made = finals(rules, up)
        self.finals = self.made.whole.finals
        for i in range(self.finals):
            self.counted[i] = not (peeked and self.made.whole.final[i] == FINAL_NATURAL)
        self.nodes = <Node2*>calloc(NODES, sizeof(Node2))
        self.out = <double*>malloc(<size_t>(ROOM + 2 * NODES) * self.finals * sizeof(double))
        if self.nodes == NULL or self.out == NULL:
            raise MemoryError
        if map_open(&self.unions, 14) < 0 or map_open(&self.firsts, 12) < 0:
            raise MemoryError
        self.unit = <double>b.bet
        self.bust = -1
        self.doubles = []

    def __dealloc__(self):
        map_close(&self.unions)
        map_close(&self.firsts)
        free(self.nodes)
        free(self.out)
        free(self.after)
        free(self.doubled)
        free(self.doubled_cards)

    cdef int lay_out(self, list counts) except -1:
        """The deck, with keys for two hands, one of them busted."""
        cdef int c, most, bits, at = 0
        for c in range(CATS):
            self.deck.n[c] = 0 if c == OTHER_TEN else counts[c]
            most = 0 if c == OTHER_TEN else min(2 * (21 // (c + 1) + 1), 2 * counts[c] + 1)
            bits = most.bit_length()
            self.deck.shift[c] = at
            self.deck.mask[c] = (<uint64_t>1 << bits) - 1
            at += bits
        deck_tables(&self.deck)
        return 0

    # -- the hands there are

    cdef list nets(self, HandState* h):
        """Of a finished hand, per class of the tree, over a bust at the original stake."""
        h.closed = 1
        sample = (<const char*>h)[:sizeof(HandState)]
        result = []
        for i in range(self.finals):
            if not self.counted[<int>i]:
                result.append(0.0)
                continue
            self.b.settle([sample], self.made.whole.final[<int>i])
            result.append((self.b.hands[0].returned - self.b.hands[0].stake) / self.unit - self.bust)
        return result

    cdef int explore(self, int value) except -1:
        """Every hand from one card of the pair, each played from the true round."""
        cdef Bench b = self.b
        cdef HandState h, child
        cdef Node2* node
        cdef int c, i, action
        states, numbers, doubles = [], {}, {}
        for c in range(10):
            if self.deck.n[c] > 0:
                b.second(value * 4, c * 4 + 2, 2, &h)
                states.append((<const char*>&h)[:sizeof(HandState)])
                numbers[<uint64_t>1 << self.deck.shift[c]] = len(states) - 1
        keys = list(numbers)
        self.n_first = <int>len(keys)
        i = 0
        while i < len(states):
            if i >= NODES:
                raise Unfit("decks", "too many different hands")
            node = &self.nodes[i]
            node.cards = keys[i]
            h = (<HandState*><const char*>states[i])[0]
            node.points, node.ace = h.points, h.ace
            if not h.closed:
                self.b_legal(&h)
                node.can_hit = b.r.legal >> HIT & 1
                node.can_double = b.r.legal >> DOUBLE & 1
            for c in range(10):
                node.hit[c] = node.doubled[c] = -1
                if self.deck.n[c] <= 0 or BJ_TOTAL[h.ace or c == 0][h.points + c + 1] > 21:
                    continue
                if ((node.cards >> self.deck.shift[c]) & self.deck.mask[c]) >= self.deck.n[c]:
                    continue
                key = node.cards + (<uint64_t>1 << self.deck.shift[c])
                if node.can_hit:
                    if key not in numbers:
                        b.reach(&h, 1, HIT, c * 4, &child)
                        numbers[key] = len(states)
                        states.append((<const char*>&child)[:sizeof(HandState)])
                        keys.append(key)
                    node.hit[c] = numbers[key]
                if node.can_double:
                    if key not in doubles:
                        action = b.reach(&h, 1, DOUBLE, c * 4, &child)
                        if action != CLOSED and (b.r.legal & (1 << DOUBLE)):
                            raise Unfit("redouble", "full-memory play knows one double of a hand")
                        doubles[key] = len(self.doubles)
                        self.doubles.append(self.nets(&child))
                    node.doubled[c] = doubles[key]
            for k, net in enumerate(self.nets(&h)):
                node.stand[<int>k] = net
            i += 1
        self.n = i
        at = sorted(range(self.n), key=lambda i: -self.nodes[<int>i].points)
        for i in range(self.n):
            self.order[i] = at[i]
        self.doubled = <double*>malloc(<size_t>(len(self.doubles) * self.finals + 1) * sizeof(double))
        self.n_doubled = <int>len(self.doubles)
        self.doubled_cards = <uint64_t*>malloc(<size_t>(self.n_doubled + 1) * sizeof(uint64_t))
        if self.doubled == NULL or self.doubled_cards == NULL or self.n_doubled > NODES:
            raise MemoryError
        for key, i in doubles.items():
            self.doubled_cards[i] = key
        for i in range(self.n_doubled):
            for c in range(self.finals):
                self.doubled[i * self.finals + c] = self.doubles[i][c]
        b.lay_bust(&h, 2 * b.bet)
        self.worst = max(self.nets(&h), key=abs)
        return 0

    cdef int b_legal(self, const HandState* h) except -1:
        """Make the bench's mask of legal actions that of a hand which is the second of two."""
        cdef Bench b = self.b
        b.r = b.r_kept
        b.box = b.box_kept
        b.box.n_hands = 2
        b.lay_bust(&b.hands[0], b.bet)
        b.hands[1] = h[0]
        b.r.hand = 1
        b.r.legal = legal_mask(&b.r)
        return 0

    # -- values

    cdef const double* seen(self, uint64_t key) noexcept nogil:
        """Probabilities with each class of a union that has been measured."""
        return self.out + map_add(&self.unions, key) * self.finals

    cdef int meet(self, uint64_t base) except -1:
        """Measure the unions of every hand with `base`."""
        cdef int i
        cdef int64_t before
        if self.unions.used > ROOM:
            map_clear(&self.unions)
        before = self.unions.used
        with nogil:
            for i in range(self.n):
                map_add(&self.unions, base + self.nodes[i].cards)
            for i in range(self.n_doubled):
                map_add(&self.unions, base + self.doubled_cards[i])
            measure(&self.deck, &self.made.whole, self.unions.keys + before, self.unions.used - before,
                    self.out + before * self.finals)
        return 0

    cdef double doubling(self, const Node2* node, uint64_t base, const double* own) noexcept nogil:
        """A double's worth: the doubled bust, and what the card that comes makes of it."""
        cdef double sum = 0
        cdef const double* out
        cdef const double* net
        cdef int c, k
        for k in range(self.finals):
            sum += self.worst * own[k] * self.counted[k]
        for c in range(10):
            if node.doubled[c] < 0:
                continue
            out = self.seen(base + node.cards + (<uint64_t>1 << self.deck.shift[c]))
            net = self.doubled + node.doubled[c] * self.finals
            for k in range(self.finals):
                sum += (net[k] - self.worst) * out[k] * self.counted[k]
        return sum

    cdef double second(self, uint64_t base, double* values) noexcept nogil:
        """The best of the second hand behind a first that took `base`; its unions are measured."""
        cdef const Node2* node
        cdef const double* out
        cdef double best, sum, total = 0
        cdef int i, c, k
        for i in range(self.n):
            node = &self.nodes[self.order[i]]
            out = self.seen(base + node.cards)
            best = 0
            for k in range(self.finals):
                best += node.stand[k] * out[k]
            if node.can_hit:
                sum = 0
                for c in range(10):
                    if node.hit[c] >= 0:
                        sum += values[node.hit[c]]
                if sum > best:
                    best = sum
            if node.can_double:
                sum = self.doubling(node, base, out)
                if sum > best:
                    best = sum
            values[self.order[i]] = best
            if self.order[i] < self.n_first:
                total += best
        return total

    cdef double behind(self, uint64_t base, double* values) except? -1e300:
        """`second`, once for each removal."""
        cdef int64_t before = self.firsts.used
        cdef int64_t at = map_add(&self.firsts, base)
        cdef double* more
        if at < 0:
            raise MemoryError
        if at < before:
            return self.after[at]
        if at >= self.after_room:
            more = <double*>realloc(self.after, <size_t>self.firsts.room * sizeof(double))
            if more == NULL:
                raise MemoryError
            self.after = more
            self.after_room = self.firsts.room
        self.meet(base)
        with nogil:
            self.after[at] = self.second(base, values)
        return self.after[at]

    cdef double run(self) except? -1e300:
        """The worth of both hands in bets, joint with the classes that count."""
        cdef double* values = <double*>malloc(NODES * sizeof(double))
        cdef double* first = <double*>malloc(NODES * sizeof(double))
        cdef double* own = <double*>malloc(NODES * 2 * sizeof(double))
        cdef const Node2* node
        cdef const double* out
        cdef double total, best, sum
        cdef int i, c, k, at
        cdef uint64_t key
        try:
            if values == NULL or first == NULL or own == NULL:
                raise MemoryError
            self.meet(0)
            for i in range(self.n):         # what the first hand is worth by itself, if it stands or doubles
                node = &self.nodes[i]
                out = self.seen(node.cards)
                own[2 * i] = 0
                for k in range(self.finals):
                    own[2 * i] += node.stand[k] * out[k]
                own[2 * i + 1] = self.doubling(node, 0, out) if node.can_double else 0
            total = 0
            for i in range(self.n):
                at = self.order[i]
                node = &self.nodes[at]
                best = own[2 * at] + self.behind(node.cards, values)
                if node.can_hit:
                    sum = 0
                    for c in range(10):
                        key = node.cards + (<uint64_t>1 << self.deck.shift[c])
                        if node.hit[c] >= 0:
                            sum += first[node.hit[c]]
                        elif self.left(node.cards, c):
                            sum += self.behind(key, values)
                    best = max(best, sum)
                if node.can_double:
                    sum = own[2 * at + 1]
                    for c in range(10):
                        if self.left(node.cards, c):
                            sum += self.behind(node.cards + (<uint64_t>1 << self.deck.shift[c]), values)
                    best = max(best, sum)
                first[at] = best
                if at < self.n_first:
                    total += best
            return total
        finally:
            free(values)
            free(first)
            free(own)

    cdef bint left(self, uint64_t cards, int c):
        """Whether the deck has one more card of a value."""
        return <double>((cards >> self.deck.shift[c]) & self.deck.mask[c]) < self.deck.n[c]

    cdef tuple value(self):
        """(unconditional value, value given no dealer blackjack where it peeks)."""
        cdef uint64_t key = 0
        cdef double out[FINALS]
        cdef double counted = 0, natural = 0
        cdef double total = self.run()
        cdef int k
        measure(&self.deck, &self.made.whole, &key, 1, out)
        for k in range(self.finals):
            if self.counted[k]:
                counted += out[k]
            else:
                natural += out[k]
        total += 2 * self.bust * counted
        return total - natural, total / (1 - natural)


def split_value(RuleSet rules not None, counts not None, int value, int up, int64_t unit):
    """(unconditional, given no dealer blackjack if it peeks) worth of a split pair, in bets.

    `counts` are the ten counts of the shoe before the pair and the upcard are taken out.
    """
    cdef Bench b = Bench(rules, bytes(3840), bytes(960), [], False, unit)
    cdef bint peeked = b.rules.hole_card == HOLE_PEEK and (b.rules.peek_mask >> up) & 1
    cdef Split split
    most = b.rules.max_hands if value else min(b.rules.max_hands, b.rules.max_ace_hands)
    left = list(counts)
    left[value] -= 2
    left[up] -= 1
    if min(left) < 0:
        raise Unfit("shoe", "the pair and the upcard are not in it")
    if most < 2:
        raise Unfit("max_hands", "pairs may not be split")
    if most > 2 and left[value] > 0:
        raise Unfit("max_hands" if value else "max_ace_hands", "full-memory play is known for two hands")
    if b.rules.takes != TAKES_ALL and not peeked and up in (0, 9):
        raise Unfit("dealer_blackjack_takes", "a dealer blackjack settles the two hands together")
    if b.rules.split_by_rank and value == 9:
        raise Unfit("split_by", "ten counts do not tell the ten-value ranks apart")
    b.deal(value * 4, value * 4 + 1, up, HOLE)
    b.keep()
    split = Split(rules, b, up, peeked)
    split.lay_out(left)
    split.explore(value)
    return split.value()
