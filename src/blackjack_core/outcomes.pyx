# cython: infer_types=False
"""The exact distribution of a round's result, off the top of a shoe, for one player and a fixed strategy.

Lives here: `distribution`, which plays the true round (machine) into every state a hand can come to, and
adds up what each is worth. Not here: a rule of the game, how likely cards are (removal), the product of
several split hands (joint), texts and fractions (blackjack._outcomes).

A hand is written as a sum of terms: a removal of cards, the number of orders they come in, the class of
result they lead to and the class whose place it takes. The place is always a bust at that stake: what is
not listed as anything else has busted, so that no busted hand is ever visited.
"""
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from .bench cimport CLOSED, HOLE, Bench
from .hand cimport BJ_TOTAL
from .joint cimport joint_codes
from .machine cimport *
from .moments cimport joint_moments
from .pairs cimport Entry
from .removal cimport *
from .removal import finals
from .ruleset cimport RuleSet
from .together cimport mean_together

cdef enum:
    KEY_BITS = 58           # of a key, so that the times doubled fit above it

cdef double NOISE = 1e-13    # of sums that cancel: what is less cannot be

cdef struct Spot:
    uint64_t cards          # drawn by this hand, by value
    double x                # orders; see joint.Entry
    double n
    HandState h
    int action
    int after               # next spot with as many points, -1: none


cdef struct Class:              # what a finished hand may be worth hangs on this alone
    int64_t stake
    int64_t returned
    int64_t pending
    int outcome
    int total
    int kind                # 1 a natural, 2 one of one suit, 3 an ace and a ten after a split


class Unfit(ValueError):
    """These rules or this strategy are not computed exactly: (field, reason)."""


cdef class Exact:
    """The distribution, gathered upcard by upcard."""
    cdef Bench b
    cdef RuleSet rules
    cdef Deck deck              # what is drawn from in this context
    cdef Spot* spots
    cdef int n_spots
    cdef int room
    cdef int heads[32]          # spots by points
    cdef KeyMap where           # (cards, times doubled) -> number in `numbers`
    cdef int* numbers           # of spots
    cdef int64_t numbers_room
    cdef Entry* entries
    cdef int n_entries
    cdef int entries_room
    cdef list classes           # finished hands as bytes
    cdef Class* told            # the same by what tells them apart
    cdef int n_told
    cdef int told_room
    cdef double* work
    cdef int64_t work_room
    cdef dict found             # net in units -> probability
    cdef bint short             # of more than two hands only mean and square are wanted
    cdef bint means             # only the mean, of one split
    cdef double more[3]         # of those: chance, mean, mean square, in units
    cdef list counts            # the shoe by value
    cdef list tens              # ten-values by rank, or None
    cdef bint infinite
    cdef double suited

    def __cinit__(self, RuleSet rules not None, Bench b not None, list counts, tens, bint infinite, double suited):
        self.b, self.rules = b, rules
        self.counts, self.tens, self.infinite, self.suited = counts, tens, infinite, suited
        self.classes, self.found = [], {}
        if map_open(&self.where, 12) < 0:
            raise MemoryError

    def __dealloc__(self):
        map_close(&self.where)
        free(self.spots)
        free(self.numbers)
        free(self.entries)
        free(self.told)
        free(self.work)

    # -- the cards of a context

    cdef int lay_out(self, list counts, int other_tens, int hands, int extra) except -1:
        """The deck a context draws from, with keys for what `hands` hands and `extra` cards may take."""
        cdef int c, most, bits, at = 0
        for c in range(CATS):
            self.deck.n[c] = other_tens if c == OTHER_TEN else counts[c]
            most = hands * (21 // (min(c, 9) + 1) + 1) + extra
            if not self.infinite:
                most = min(most, hands * int(self.deck.n[c]) + extra)   # keys of several hands are added
            bits = most.bit_length() if most > 0 else 0
            if most >= MOST:
                raise Unfit("max_hands", "too many cards of one value may leave the shoe in one round")
            self.deck.shift[c] = at
            self.deck.mask[c] = (<uint64_t>1 << bits) - 1
            at += bits
        if at > KEY_BITS:
            raise Unfit("max_hands", "too many cards may leave the shoe in one round")
        self.deck.infinite = self.infinite
        deck_tables(&self.deck)
        return 0

    cdef int code_of(self, int cat, int nth):
        """A card of a category: the ten-values that are split are kings."""
        return 12 * 4 + nth % 4 if cat == OTHER_TEN else cat * 4 + nth % 4

    # -- classes and entries

    cdef int class_of(self, HandState* h) except -1:
        """The number of a finished hand's class."""
        cdef Class now
        cdef Class* old
        cdef void* more
        cdef int i
        cdef bint natural = is_natural(h) and h.outcome == OPEN
        now.stake, now.returned, now.pending = h.stake, h.returned, h.pending
        now.outcome = h.outcome
        now.total = total_of(h) if h.outcome == OPEN else 0
        now.kind = 0
        if natural:
            now.kind = 2 if (h.cards[0] & 3) == (h.cards[1] & 3) else 1
        elif self.b.rules.split_ace_ten and h.split and h.n == 2 and now.total == 21:
            now.kind = 3
        for i in range(self.n_told):
            old = &self.told[i]
            if (old.total == now.total and old.stake == now.stake and old.outcome == now.outcome
                    and old.kind == now.kind and old.returned == now.returned and old.pending == now.pending):
                return i
        if self.n_told == self.told_room:
            more = realloc(self.told, <size_t>(2 * self.told_room + 32) * sizeof(Class))
            if more == NULL:
                raise MemoryError
            self.told = <Class*>more
            self.told_room = 2 * self.told_room + 32
        self.told[self.n_told] = now
        self.n_told += 1
        h.closed = 1
        self.classes.append((<const char*>h)[:sizeof(HandState)])
        return self.n_told - 1

    cdef int bust_of(self, int64_t stake) except -1:
        cdef HandState h
        self.b.lay_bust(&h, stake)
        return self.class_of(&h)

    cdef int emit(self, uint64_t cards, double x, double n, int to, int frm) except -1:
        cdef Entry* more
        if self.n_entries == self.entries_room:
            self.entries_room = 2 * self.entries_room + 256
            more = <Entry*>realloc(self.entries, <size_t>self.entries_room * sizeof(Entry))
            if more == NULL:
                raise MemoryError
            self.entries = more
        self.entries[self.n_entries] = Entry(0 if self.infinite else cards, x, n, to, frm)
        self.n_entries += 1
        return 0

    # -- one hand's states

    cdef void clear(self):
        cdef int p
        self.n_spots = self.n_entries = 0
        for p in range(32):
            self.heads[p] = -1
        map_clear(&self.where)

    cdef Spot* new_spot(self) except NULL:
        cdef Spot* more
        if self.n_spots == self.room:
            self.room = 2 * self.room + 256
            more = <Spot*>realloc(self.spots, <size_t>self.room * sizeof(Spot))
            if more == NULL:
                raise MemoryError
            self.spots = more
        self.n_spots += 1
        return &self.spots[self.n_spots - 1]

    cdef int add_spot(self, uint64_t cards, double x, double n, const HandState* h, int action) except -1:
        """A state that others cannot lead to."""
        cdef Spot* s = self.new_spot()
        s.cards, s.x, s.n, s.h, s.action = cards, x, n, h[0], action
        s.after = self.heads[h.points]
        self.heads[h.points] = self.n_spots - 1
        return 0

    cdef int spot_of(self, int number, int at, int action, int cat, uint64_t cards) except -1:
        """The spot that a spot's hand comes to with one more card, made if it is new."""
        cdef int64_t before = self.where.used
        cdef uint64_t doubled = self.spots[number].h.doubled + (action == DOUBLE)
        cdef int64_t key = map_add(&self.where, cards | (doubled << KEY_BITS))
        cdef int* more
        cdef int next_action
        cdef HandState h
        if key < 0:
            raise MemoryError
        if key < before:
            return self.numbers[key]
        if key >= self.numbers_room:
            more = <int*>realloc(self.numbers, <size_t>self.where.room * sizeof(int))
            if more == NULL:
                raise MemoryError
            self.numbers = more
            self.numbers_room = self.where.room
        next_action = self.b.reach(&self.spots[number].h, at, action, self.code_of(cat, 0), &h)
        self.numbers[key] = self.n_spots
        self.add_spot(cards, 0, 0, &h, next_action)
        return self.n_spots - 1

    cdef int lead(self, int number, int at, int action) except -1:
        """Deal a spot's hand one more card of each kind."""
        cdef uint64_t cards
        cdef int c, v, to, points = self.spots[number].h.points, ace = self.spots[number].h.ace
        cdef double part
        for c in range(CATS):
            v = c if c < 9 else 9
            cards = self.spots[number].cards
            if self.deck.n[c] <= 0 or BJ_TOTAL[ace or v == 0][points + v + 1] > 21:
                continue
            if not self.infinite and <double>((cards >> self.deck.shift[c]) & self.deck.mask[c]) >= self.deck.n[c]:
                continue
            part = self.deck.n[c] / self.deck.total if self.infinite else 1
            to = self.spot_of(number, at, action, c, cards + (<uint64_t>1 << self.deck.shift[c]))
            self.spots[to].x += self.spots[number].x * part
            self.spots[to].n += self.spots[number].n * part
        return 0

    cdef int explore(self, int at) except -1:
        """Every state from those laid, as entries; `at` is the hand's place on the table."""
        cdef int points, i, bust
        cdef Spot s
        cdef HandState h
        for points in range(32):
            while self.heads[points] >= 0:
                i = self.heads[points]
                self.heads[points] = self.spots[i].after
                s = self.spots[i]
                bust = self.bust_of(s.h.stake)
                if s.action == HIT:
                    self.lead(i, at, HIT)
                elif s.action == DOUBLE:
                    self.emit(s.cards, s.x, s.n, self.bust_of(2 * s.h.stake), bust)
                    self.lead(i, at, DOUBLE)
                elif s.action == SURRENDER:
                    self.b.reach(&s.h, at, SURRENDER, -1, &h)
                    self.emit(s.cards, s.x, s.n, self.class_of(&h), bust)
                elif s.action == STAND or s.action == CLOSED:
                    self.emit(s.cards, s.x, s.n, self.class_of(&s.h), bust)
                else:
                    raise AssertionError(f"action {s.action} in play")
        return 0

    # -- sums

    cdef int room_for(self, int64_t keys) except -1:
        """Work space for measuring that many keys."""
        cdef int64_t numbers = <int64_t>keys * FINALS
        cdef double* more
        if numbers > self.work_room:
            more = <double*>realloc(self.work, <size_t>numbers * sizeof(double))
            if more == NULL:
                raise MemoryError
            self.work = more
            self.work_room = numbers
        return 0

    cdef int add(self, int64_t net, double probability) except -1:
        self.found[net] = self.found.get(net, 0.0) + probability
        return 0

    cdef int sum_hand(self, Finals made, bint peeked, double weight) except -1:
        """Add the context's one hand up against the dealer's final classes."""
        cdef int i, k, wide = made.whole.finals, n = <int>len(self.classes)
        cdef double* values
        cdef double x
        cdef uint64_t* keys = <uint64_t*>malloc(<size_t>(self.n_entries + 1) * sizeof(uint64_t))
        cdef double* sums = <double*>calloc(<size_t>(2 * n * wide + 1), sizeof(double))
        cdef double* sizes = sums + n * wide      # what was added and taken away
        try:
            if keys == NULL or sums == NULL:
                raise MemoryError
            self.room_for(self.n_entries)
            values = self.work
            with nogil:
                for i in range(self.n_entries):
                    keys[i] = self.entries[i].key
                measure(&self.deck, &made.whole, keys, self.n_entries, values)
                for i in range(self.n_entries):
                    for k in range(wide):
                        x = self.entries[i].x * values[i * wide + k]
                        sums[self.entries[i].to * wide + k] += x
                        sizes[self.entries[i].to * wide + k] += x
                        if self.entries[i].frm >= 0:
                            sums[self.entries[i].frm * wide + k] -= x
                            sizes[self.entries[i].frm * wide + k] += x
            for k in range(wide):
                if peeked and made.whole.final[k] == FINAL_NATURAL:
                    continue
                for i in range(n):
                    if sums[i * wide + k] > NOISE * sizes[i * wide + k]:
                        self.b.settle([self.classes[i]], made.whole.final[k])
                        self.add(self.b.net(), weight * sums[i * wide + k])
        finally:
            free(keys)
            free(sums)
        return 0

    cdef tuple codes_of(self, int final, int hands):
        """(a number per class that adds up over hands, what to make of a sum: a function of it)."""
        cdef int takes = self.b.rules.takes
        cdef Bench b = self.b
        coupled = final == FINAL_NATURAL and takes != TAKES_ALL
        codes, kinds = [], {}
        b.rules.takes = TAKES_ALL
        for sample in self.classes:
            b.settle([sample], final)
            if coupled:
                seen = (b.hands[0].outcome, b.hands[0].stake, b.hands[0].returned)
                kinds.setdefault(seen, (len(kinds), sample))
                codes.append((hands + 1) ** kinds[seen][0])
            else:
                codes.append(b.hands[0].returned - b.hands[0].stake)
        b.rules.takes = takes
        return codes, [sample for _, sample in kinds.values()] if coupled else None

    cdef int sum_split(self, Finals made, bint peeked, double weight, int hands, int pair,
                       double pair_weight) except -1:
        """Add the hands of a split up against the dealer's final classes."""
        cdef Bench b = self.b
        told = {made.whole.final[k]: None for k in range(made.whole.finals)}
        if peeked:
            told.pop(FINAL_NATURAL, None)
        told = {final: self.codes_of(final, hands) for final in told}
        if self.short and hands > 2:
            plain = {final: codes for final, (codes, kinds) in told.items() if kinds is None}
            told = {final: both for final, both in told.items() if both[1] is not None}
            for final, (p, mean, square) in joint_moments(
                    &self.deck, made, self.entries, self.n_entries, plain, hands, pair, pair_weight).items():
                b.settle([self.classes[0]], final)
                base = b.box.insurance_returned - b.box.insurance
                self.more[0] += weight * p
                self.more[1] += weight * (mean + base * p)
                self.more[2] += weight * (square + 2 * base * mean + base * base * p)
        sums = joint_codes(&self.deck, made, self.entries, self.n_entries, {f: codes for f, (codes, _) in told.items()},
                           hands, pair, pair_weight)
        for final, by_code in sums.items():
            kinds = told[final][1]
            if kinds is None:
                b.settle([self.classes[0]], final)
                base = b.box.insurance_returned - b.box.insurance
                for code, probability in by_code.items():
                    self.add(code + base, weight * probability)
                continue
            for code, probability in by_code.items():
                table = []
                for sample in kinds:
                    code, count = divmod(code, hands + 1)
                    table += [sample] * count
                b.settle(table, final)
                self.add(b.net(), weight * probability)
        return 0

    # -- from the start

    cdef list starts(self, int up):
        """((a, b), card codes, orders times the part of them) of every two cards there are."""
        cdef int a, b, spare
        cdef list result = []
        left = self.counts.copy()
        if not self.infinite:
            left[up] -= 1
        for a in range(10):
            for b in range(a, 10):
                spare = 1 if a == b and not self.infinite else 0
                if left[a] <= 0 or left[b] <= spare:
                    continue
                orders = 1 if a == b else 2
                if a == 0 and b == 9 and self.b.rules.suited:
                    result += [((a, b), 0, 36, orders * self.suited), ((a, b), 0, 37, orders * (1 - self.suited))]
                elif a == b == 9 and self.b.plan.split_by_rank:
                    alike = self.alike()
                    result += [((a, b), 36, 37, alike), ((a, b), 36, 41, 1 - alike)]
                else:
                    result.append(((a, b), a * 4, b * 4 + 1, orders))
        return [start for start in result if start[3] > 0]

    cdef double alike(self) except -1:
        """How likely two ten-values are of one rank."""
        if self.tens is None:
            raise Unfit("shoe", "pairs go by rank, and ten counts do not tell the ten-value ranks apart")
        total = sum(self.tens)
        if self.infinite:
            return sum(n * n for n in self.tens) / (total * total)
        return sum(n * (n - 1) for n in self.tens) / (total * (total - 1)) if total > 1 else 0.0

    cdef uint64_t start_key(self, int a, int b):
        return 0 if self.infinite else unit_of(&self.deck, a) + unit_of(&self.deck, b)

    cdef double start_weight(self, int a, int b, double orders):
        """Weight of an entry that begins with two cards."""
        if self.infinite:
            return orders * self.deck.n[a] * self.deck.n[b] / (self.deck.total * self.deck.total)
        return orders

    cdef int upcard(self, int up) except -1:
        """Everything under one upcard."""
        cdef Bench b = self.b
        cdef Finals made = finals(self.rules, up)
        cdef bint peeked = b.rules.hole_card == HOLE_PEEK and (b.rules.peek_mask >> up) & 1
        cdef list groups = [[], []]
        cdef list splits = []
        cdef HandState h
        left = [n - (v == up and not self.infinite) for v, n in enumerate(self.counts)]
        weight = self.counts[up] / sum(self.counts)
        for cards, first, second, orders in self.starts(up):
            b.deal(first, second, up, HOLE)
            h = b.hands[0]
            if h.outcome != SURRENDERED and h.outcome != EVEN_MONEY_PAID and not is_natural(&h):
                action = b.next_of(0)
                if action == SPLIT:
                    splits.append((cards[0], first, second, orders))
                    continue
            else:
                action = None
            groups[b.box.insured].append((cards, first, second, orders, action))
        for group in groups:
            if not group:
                continue
            self.lay_out(left, 0, 1, 2)
            self.first_hands(group, up)
            self.sum_hand(made, peeked, weight)
        if peeked and made.trees[FINAL_NATURAL].n > 1:
            self.lay_out(left, 0, 1, 2)
            self.peek(up, made, weight)
        for split in splits:
            self.split(up, made, split[0], split[1], split[2], split[3])
        return 0

    cdef int first_hands(self, list group, int up) except -1:
        """The entries of all hands that begin with two cards and are not split."""
        cdef Bench b = self.b
        cdef HandState h
        cdef uint64_t key
        cdef double x
        kept = False
        self.clear()
        for (a, c), first, second, orders, action in group:
            b.deal(first, second, up, HOLE)
            if not kept:
                b.keep()
                kept = True
            h = b.hands[0]
            key, x = self.start_key(a, c), self.start_weight(a, c, orders)
            if action is not None:
                self.emit(key, x, 0, self.bust_of(b.bet), -1)
                self.add_spot((<uint64_t>1 << self.deck.shift[<int>a]) + (<uint64_t>1 << self.deck.shift[<int>c]),
                              x, 0, &h, action)
                continue
            if is_natural(&h) and h.outcome != EVEN_MONEY_PAID:
                h.outcome = OPEN
                h.returned = 0
            self.emit(key, x, 0, self.class_of(&h), -1)
        self.explore(0)
        return 0

    cdef int peek(self, int up, Finals made, double weight) except -1:
        """The rounds that end with the dealer's peek."""
        cdef uint64_t key
        cdef double value
        for (a, c), first, second, orders in self.starts(up):
            key = self.start_key(a, c)
            measure(&self.deck, &made.trees[FINAL_NATURAL], &key, 1, &value)
            self.b.deal(first, second, up, 9 if up == 0 else 0)
            if self.b.r.phase != DONE:
                raise AssertionError("a round goes on behind a dealer's blackjack")
            self.add(self.b.net(), weight * self.start_weight(a, c, orders) * value)
        return 0

    cdef int split(self, int up, Finals made, int value, int first, int second, double orders) except -1:
        """A pair that is split."""
        cdef int other
        left = [n - (v == up and not self.infinite) for v, n in enumerate(self.counts)]
        total = sum(self.counts)
        if value != 9 or not self.b.plan.split_by_rank:
            if self.infinite:
                weight = self.counts[up] * self.counts[value] ** 2 / total**3
            else:
                weight = self.counts[up] * left[value] * (left[value] - 1) / (total * (total - 1) * (total - 2))
                left[value] -= 2
            return self.split_hands(up, made, value, left, 0, first, second, weight)
        if self.tens is None:
            self.alike()
        for rank in set(self.tens):
            times = self.tens.count(rank)
            if self.infinite:
                left[9] = self.counts[9] - rank
                self.split_hands(up, made, OTHER_TEN, left, rank, 12 * 4, 12 * 4 + 1,
                                 times * self.counts[up] * rank * rank / total**3)
                continue
            for other in range(2 if up == 9 else 1):
                # the upcard is a ten-value of another rank, or (other = 1) of the pair's
                of_up = rank if other else (self.counts[9] - rank if up == 9 else self.counts[up])
                pairs = (rank - other) * (rank - other - 1)
                if of_up <= 0 or pairs <= 0:
                    continue
                rest = left.copy()
                rest[9] = self.counts[9] - rank - (up == 9 and not other)
                self.split_hands(up, made, OTHER_TEN, rest, rank - other - 2, 12 * 4, 12 * 4 + 1,
                                 times * of_up * pairs / (total * (total - 1) * (total - 2)))
        return 0

    cdef int split_hands(self, int up, Finals made, int cat, list left, int other_tens, int first, int second,
                         double weight) except -1:
        cdef Bench b = self.b
        cdef HandState h
        cdef int c, action, hands, most = b.rules.max_hands
        cdef bint again, pair
        cdef double part
        cdef bint peeked = b.rules.hole_card == HOLE_PEEK and (b.rules.peek_mask >> up) & 1
        if cat == 0:
            most = min(most, b.rules.max_ace_hands)
        b.deal(first, second, up, HOLE)
        b.keep()
        again = most > 2 and b.second(first, self.code_of(cat, 2), 2, &h) == SPLIT
        hands = most if again else 2
        if not self.infinite:
            hands = min(hands, 2 + int(other_tens if cat == OTHER_TEN else left[cat]))
        self.lay_out(left, other_tens, hands, hands - 2)
        self.clear()
        self.emit(0, 1, 1, self.bust_of(b.bet), -1)
        if hands > 2:
            part = self.deck.n[cat] / self.deck.total if self.infinite else 1
            self.emit(unit_of(&self.deck, cat), 0, -part, self.bust_of(b.bet), -1)
        for c in range(CATS):
            if self.deck.n[c] <= 0:
                continue
            pair = again and c == cat
            action = b.second(first, self.code_of(c, 2), most if pair else 2, &h)
            part = self.deck.n[c] / self.deck.total if self.infinite else 1
            self.add_spot(<uint64_t>1 << self.deck.shift[c], part, 0 if pair else part, &h, action)
        self.explore(1)
        part = self.deck.n[cat] / self.deck.total if self.infinite else 1
        if self.means:
            self.more[0] += weight
            self.more[1] += weight * mean_together(
                self.b, self.classes, &self.deck, made, self.entries, self.n_entries, hands, cat, part)
            return 0
        return self.sum_split(made, peeked, weight, hands, cat, part)


def distribution(RuleSet rules not None, bytes play not None, bytes offers not None, list exact not None,
                 bint split_by_rank, int64_t unit, list counts not None, list tens, bint infinite, double suited,
                 bint short=False):
    """({net of a round with a bet of `unit`: probability}, (chance, mean, mean square) of what is not in it).

    With `short` rounds of more than two hands are not in it, except where a dealer blackjack settles their
    hands together; without, nothing is left out. See blackjack._outcomes.
    """
    cdef Bench b = Bench(rules, play, offers, exact, split_by_rank, unit)
    cdef Exact e = Exact(rules, b, counts, tens, infinite, suited)
    cdef int up
    e.short = short
    for up in range(10):
        if counts[up] > 0:
            e.upcard(up)
    return e.found, (e.more[0], e.more[1], e.more[2])


def split_mean(RuleSet rules not None, bytes play not None, bytes offers not None, list exact not None,
               bint split_by_rank, int64_t unit, list counts not None, list tens, bint infinite, int value, int up):
    """The mean net, in bets, of a box whose pair of a value is split under an upcard, where nothing is known of the
    dealer's blackjack. The plan says how its hands are played."""
    cdef Bench b = Bench(rules, play, offers, exact, split_by_rank, unit)
    cdef Exact e = Exact(rules, b, counts, tens, infinite, 0.0)
    e.means = True
    e.split(up, finals(rules, up), value, value * 4, value * 4 + 1, 1.0)
    return e.more[1] / e.more[0] / unit
