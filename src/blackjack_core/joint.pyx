# cython: infer_types=False
"""The joint result of several split hands, exactly.

Lives here: products of hands as polynomials in removed cards, evaluated against the shoe and one final
class of the dealer. Not here: how one hand ends (outcomes), the shoe (removal), money (what a code means).

Every hand begins with a card of the pair and draws what its own cards tell it to, so the hands are the
same polynomial G over removals, and k of them are G**k: a removal's coefficient counts the orders of the
cards, its exponent is what all hands removed together. Where a pair may be split again, a hand dealt
before the last split is one whose second card did not make a pair (N), one dealt after the last split
that was allowed is any (X), and each split takes one more card of the pair (p):

    sum_{h<H} w(h) p^(h-2) N^h  +  p^(H-2) sum_a w(H, a) N^a X^(H-a)

where w counts the orders of splits and finished hands. The commonest result, a bust at the original
stake, is written as "all minus the others", so that no busted hand is ever listed.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t
from libc.math cimport fabs
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from .pairs cimport PAIR_SLOTS, PairSums, pair_sums
from .triples cimport TripleSums, pair_of, triple_sums
from .removal cimport KeyMap, Tree, map_add, map_close, map_open, measure, unit_of

cdef enum:
    CHUNK = 1048576         # products between two looks at signals

cdef double NOISE = 1e-13


cdef struct Term:
    uint64_t key
    double x
    double n
    int kind

cdef struct Poly:
    KeyMap map
    double* rows            # one per key, `width` codes each
    int64_t room
    int width


cdef int poly_open(Poly* p, int width, int bits) noexcept nogil:
    memset(p, 0, sizeof(Poly))
    p.width = width
    return map_open(&p.map, bits)


cdef void poly_close(Poly* p) noexcept nogil:
    map_close(&p.map)
    free(p.rows)
    memset(p, 0, sizeof(Poly))


cdef double* poly_row(Poly* p, uint64_t key) noexcept nogil:
    """The row of a key, made if it is not there; NULL without memory."""
    cdef int64_t at = map_add(&p.map, key)
    cdef int64_t room
    cdef double* rows
    if at < 0:
        return NULL
    if at >= p.room:
        room = p.map.room
        rows = <double*>realloc(p.rows, <size_t>(room * p.width) * sizeof(double))
        if rows == NULL:
            return NULL
        memset(rows + p.room * p.width, 0, <size_t>((room - p.room) * p.width) * sizeof(double))
        p.rows = rows
        p.room = room
    return p.rows + at * p.width


def split_orders(int hands):
    """({h: orders in which h < hands hands come of a split}, {a: orders with a finished before the last}).

    >>> split_orders(4)
    ({2: 1, 3: 2}, {0: 1, 1: 2, 2: 2})
    """
    level = {(2, 0): 1}         # (hands on the table, finished)
    less, full = {}, {}
    while level:
        after = {}
        for (on, done), ways in level.items():
            if on == hands:
                full[done] = full.get(done, 0) + ways
                continue
            if done == on:
                less[on] = less.get(on, 0) + ways
                continue
            for state in ((on + 1, done), (on, done + 1)):
                after[state] = after.get(state, 0) + ways
        level = after
    return dict(sorted(less.items())), dict(sorted(full.items()))


cdef class Product:
    """Hands multiplied and summed for one final class of the dealer."""
    cdef const Deck* deck
    cdef const Tree* tree
    cdef Term* terms
    cdef int n
    cdef int kinds
    cdef int* to            # per kind: index into the codes of one hand
    cdef int* frm
    cdef list codes         # per level: what that many hands add up to
    cdef dict sizes         # per sum of codes: what was added and taken away
    cdef KeyMap unions
    cdef double* values     # per union
    cdef int64_t values_room
    cdef int64_t measured
    cdef int32_t* slots
    cdef int64_t slots_room

    def __dealloc__(self):
        free(self.terms)
        free(self.to)
        free(self.frm)
        free(self.values)
        free(self.slots)
        map_close(&self.unions)

    cdef int take(self, const Entry* entries, int n, list codes) except -1:
        """The entries that matter against this final class, ordered by kind."""
        cdef int i, j, kind
        cdef list kinds = []
        cdef list mine = [[] for _ in range(0)]
        numbers = {}
        used = sorted({codes[entries[i].to] for i in range(n)} | {
            codes[entries[i].frm] for i in range(n) if entries[i].frm >= 0})
        index = {code: i for i, code in enumerate(used)}
        for i in range(n):
            key = (index[codes[entries[i].to]], index[codes[entries[i].frm]] if entries[i].frm >= 0 else -1)
            if key[0] != key[1] and key not in numbers:
                numbers[key] = len(kinds)
                kinds.append(key)
                mine.append([])
            if key[0] != key[1]:
                mine[numbers[key]].append(i)
        self.codes = [[0], used]
        self.kinds = <int>len(kinds)
        self.terms = <Term*>malloc(<size_t>(n + 1) * sizeof(Term))
        self.to = <int*>malloc(<size_t>(self.kinds + 1) * sizeof(int))
        self.frm = <int*>malloc(<size_t>(self.kinds + 1) * sizeof(int))
        if self.terms == NULL or self.to == NULL or self.frm == NULL:
            raise MemoryError
        self.n = 0
        for kind in range(self.kinds):
            self.to[kind], self.frm[kind] = kinds[kind]
            for j in mine[kind]:
                self.terms[self.n] = Term(entries[j].key, entries[j].x, entries[j].n, kind)
                self.n += 1
        return 0

    cdef int need(self, int64_t slots) except -1:
        cdef int32_t* more
        if slots > self.slots_room:
            more = <int32_t*>realloc(self.slots, <size_t>slots * sizeof(int32_t))
            if more == NULL:
                raise MemoryError
            self.slots = more
            self.slots_room = slots
        return 0

    cdef int weigh(self) except -1:
        """Measure the unions that are new."""
        cdef double* more
        if self.unions.used > self.values_room:
            more = <double*>realloc(self.values, <size_t>self.unions.room * sizeof(double))
            if more == NULL:
                raise MemoryError
            self.values = more
            self.values_room = self.unions.room
        with nogil:
            measure(self.deck, self.tree, self.unions.keys + self.measured, self.unions.used - self.measured,
                    self.values + self.measured)
        self.measured = self.unions.used
        return 0

    cdef list sums_after(self, int level):
        """The codes that `level` + 1 hands add up to."""
        while len(self.codes) <= level + 1:
            self.codes.append(sorted({a + b for a in self.codes[len(self.codes) - 1] for b in self.codes[1]}))
        return self.codes[level + 1]

    # -- more

    cdef int32_t* adding(self, int level) except NULL:
        """[code of `level` hands][code of one more] -> index among the codes of `level` + 1."""
        cdef int i = 0
        after = {code: k for k, code in enumerate(self.sums_after(level))}
        table = [after[a + b] for a in self.codes[level] for b in self.codes[1]]
        cdef int32_t* result = <int32_t*>malloc(<size_t>(len(table) + 1) * sizeof(int32_t))
        if result == NULL:
            raise MemoryError
        for k in table:
            result[i] = k
            i += 1
        return result

    cdef int times(self, Poly* out, Poly* p, int level, bint any_second) except -1:
        """out += p * X (any_second) or p * N, where p is a product of `level` hands."""
        cdef int32_t* add = self.adding(level)
        cdef int64_t r, first, stop
        cdef int i, j, failed = 0
        cdef int one = <int>len(self.codes[1])
        cdef const Term* t = self.terms
        cdef const double* row
        cdef double* to
        cdef double w
        try:
            first = 0
            while first < p.map.used:
                stop = min(p.map.used, first + 1 + CHUNK // max(self.n, 1))
                PyErr_CheckSignals()  # minutes of work may lie ahead: Ctrl-C is heard
                with nogil:
                    for r in range(first, stop):
                        row = p.rows + r * p.width
                        for j in range(self.n):
                            w = t[j].x if any_second else t[j].n
                            if w == 0:
                                continue
                            to = poly_row(out, p.map.keys[r] + t[j].key)
                            if to == NULL:
                                failed = 1
                                break
                            for i in range(p.width):
                                to[add[i * one + self.to[t[j].kind]]] += w * row[i]
                                if self.frm[t[j].kind] >= 0:
                                    to[add[i * one + self.frm[t[j].kind]]] -= w * row[i]
                        if failed:
                            break
                if failed:
                    raise MemoryError
                first = stop
        finally:
            free(add)
        return 0

    cdef int close(self, dict found, Poly* p, int level, bint any_second, uint64_t key, double weight) except -1:
        """found += weight * key * p * (X or N), summed over all removals."""
        cdef int32_t* add = self.adding(level)
        cdef int one = <int>len(self.codes[1]), wide = <int>len(self.codes[level + 1])
        cdef int64_t r, first, stop, size, at = 0
        cdef int i, j, kind
        cdef const Term* t = self.terms
        cdef const double* row
        cdef double part
        cdef double* sums = <double*>calloc(<size_t>(2 * wide + 1), sizeof(double))
        cdef double* sizes = sums + wide
        cdef double* mine = <double*>malloc(<size_t>(self.kinds + 1) * sizeof(double))
        try:
            if sums == NULL or mine == NULL:
                raise MemoryError
            first = 0
            while first < p.map.used:
                stop = min(p.map.used, first + 1 + CHUNK // max(self.n, 1))
                self.need((stop - first) * self.n)
                PyErr_CheckSignals()
                with nogil:
                    size = 0
                    for r in range(first, stop):
                        for j in range(self.n):
                            at = map_add(&self.unions, p.map.keys[r] + t[j].key + key)
                            if at < 0:
                                break
                            self.slots[size] = <int32_t>at
                            size += 1
                        if at < 0:
                            break
                if at < 0:
                    raise MemoryError
                self.weigh()
                with nogil:
                    size = 0
                    for r in range(first, stop):
                        row = p.rows + r * p.width
                        memset(mine, 0, <size_t>self.kinds * sizeof(double))
                        for j in range(self.n):
                            mine[t[j].kind] += (t[j].x if any_second else t[j].n) * self.values[self.slots[size]]
                            size += 1
                        for kind in range(self.kinds):
                            for i in range(p.width):
                                part = row[i] * mine[kind]
                                sums[add[i * one + self.to[kind]]] += part
                                sizes[add[i * one + self.to[kind]]] += fabs(part)
                                if self.frm[kind] >= 0:
                                    sums[add[i * one + self.frm[kind]]] -= part
                                    sizes[add[i * one + self.frm[kind]]] += fabs(part)
                first = stop
            for i in range(wide):
                code = self.codes[level + 1][i]
                found[code] = found.get(code, 0.0) + weight * sums[i]
                self.sizes[code] = self.sizes.get(code, 0.0) + weight * sizes[i]
        finally:
            free(add)
            free(sums)
            free(mine)
        return 0

    cdef int add_to(self, Poly* out, Poly* p, double weight) except -1:
        """out += weight * p."""
        cdef int64_t r
        cdef int i
        cdef double* to
        for r in range(p.map.used):
            to = poly_row(out, p.map.keys[r])
            if to == NULL:
                raise MemoryError
            for i in range(p.width):
                to[i] += weight * p.rows[r * p.width + i]
        return 0

    cdef int many(self, dict found, int hands, uint64_t pair_key, double pair_weight) except -1:
        """The sum in the module's head for a pair that may be split again."""
        cdef Poly power         # N**a
        cdef Poly after         # the same, one higher
        cdef Poly chain         # sum of w(a) N**a X**(level - a)
        cdef Poly more
        cdef double* row
        cdef int a
        less, full = split_orders(hands)
        memset(&power, 0, sizeof(Poly))
        memset(&after, 0, sizeof(Poly))
        memset(&chain, 0, sizeof(Poly))
        memset(&more, 0, sizeof(Poly))
        try:
            if poly_open(&power, 1, 4) < 0 or poly_open(&chain, 1, 4) < 0:
                raise MemoryError
            row = poly_row(&power, 0)
            if row == NULL:
                raise MemoryError
            row[0] = 1
            for a in range(hands - 1):
                # here power is N**a, chain has level a
                self.add_to(&chain, &power, full.get(a, 0))
                if a + 1 in less:
                    self.close(found, &power, a, False, pair_key * <uint64_t>(a - 1),
                               less[a + 1] * pair_weight**(a - 1))
                if poly_open(&more, <int>len(self.sums_after(a)), 12) < 0:
                    raise MemoryError
                self.times(&more, &chain, a, True)
                poly_close(&chain)
                memcpy(&chain, &more, sizeof(Poly))
                memset(&more, 0, sizeof(Poly))
                if a + 2 < hands:
                    if poly_open(&after, <int>len(self.sums_after(a)), 12) < 0:
                        raise MemoryError
                    self.times(&after, &power, a, False)
                    poly_close(&power)
                    memcpy(&power, &after, sizeof(Poly))
                    memset(&after, 0, sizeof(Poly))
            poly_close(&power)
            self.close(found, &chain, hands - 1, True, pair_key * <uint64_t>(hands - 2), pair_weight**(hands - 2))
        finally:
            poly_close(&power)
            poly_close(&after)
            poly_close(&chain)
            poly_close(&more)
        return 0


cdef dict without_noise(dict found, dict sizes):
    """Without what is nothing but the rounding of sums that cancel: results that cannot be."""
    return {code: p for code, p in found.items() if p > NOISE * sizes[code]}


cdef dict told_parts(PairSums p, int at, list codes):
    """{sum of two hands' codes: (probability, what was added and taken away)} for one final class."""
    cdef int a, b, i, j, k, l, sign, wide, n = p.n_groups
    cdef double value
    cdef int[2][2] side
    used = sorted(set(codes))
    index = {code: i for i, code in enumerate(used)}
    wide = <int>len(used)
    cdef double* out = <double*>calloc(<size_t>(2 * wide * wide), sizeof(double))
    cdef double* size = out + wide * wide       # what was added and taken away
    try:
        if out == NULL:
            raise MemoryError
        number = [(index[codes[to]], index[codes[frm]] if frm >= 0 else -1) for to, frm in p.classes]
        for a in range(n):
            side[0][0], side[0][1] = number[a]
            for b in range(a, n):
                side[1][0], side[1][1] = number[b]
                value = p.sums[(a * n + b) * PAIR_SLOTS + at]
                for i in range(2):
                    for j in range(2):
                        k, l = side[0][i], side[1][j]
                        sign = 1 if i == j else -1
                        if k >= 0 and l >= 0:
                            out[k * wide + l] += sign * value
                            size[k * wide + l] += value
        found = {}
        for i in range(wide):
            for j in range(wide):
                if size[i * wide + j] != 0:
                    code = used[i] + used[j]
                    p_, size_ = found.get(code, (0.0, 0.0))
                    found[code] = (p_ + out[i * wide + j], size_ + size[i * wide + j])
        return found
    finally:
        free(out)


cdef dict told_of_three(TripleSums p, int at, list codes):
    """{sum of three hands' codes: (probability, what was added and taken away)} for one final class."""
    cdef int a, b, c, i, j, k, sign, code, wide, n = p.n_groups
    cdef double value
    cdef int* number
    cdef double* out
    cdef double* size
    used = sorted(set(codes))
    sums = sorted({x + y + z for x in used for y in used for z in used})
    index = {code: i for i, code in enumerate(sums)}
    # [group][to or from] -> which of the codes, and three of those -> which of the sums
    number = <int*>malloc(<size_t>(2 * n + len(used)**3 + 1) * sizeof(int))
    out = <double*>calloc(<size_t>(2 * len(sums) + 1), sizeof(double))
    try:
        if number == NULL or out == NULL:
            raise MemoryError
        wide = <int>len(used)
        size = out + len(sums)
        for a, (to, frm) in enumerate(p.classes):
            number[2 * a] = used.index(codes[to])
            number[2 * a + 1] = used.index(codes[frm]) if frm >= 0 else -1
        for a in range(wide):
            for b in range(wide):
                for c in range(wide):
                    number[2 * n + (a * wide + b) * wide + c] = index[used[a] + used[b] + used[c]]
        for c in range(n):
            for b in range(n):
                for a in range(b + 1):
                    value = p.sums[(<int64_t>c * p.triple.pairs + pair_of(a, b)) * PAIR_SLOTS + at]
                    if value == 0:
                        continue
                    for i in range(2):
                        for j in range(2):
                            for k in range(2):
                                if number[2 * a + i] < 0 or number[2 * b + j] < 0 or number[2 * c + k] < 0:
                                    continue
                                sign = -1 if (i + j + k) & 1 else 1
                                code = number[2 * n + (number[2 * a + i] * wide + number[2 * b + j]) * wide
                                              + number[2 * c + k]]
                                out[code] += sign * value
                                size[code] += fabs(value)
        return {sums[i]: (out[i], size[i]) for i in range(<int>len(sums)) if size[i] != 0}
    finally:
        free(number)
        free(out)


cdef dict three_hands(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int pair,
                      double pair_weight):
    """`joint_codes` of a pair that may be split once more."""
    cdef PairSums two
    cdef TripleSums three
    cdef Entry* plain = <Entry*>malloc(<size_t>(n + 1) * sizeof(Entry))
    cdef int i, final
    less, full = split_orders(3)
    try:
        if plain == NULL:
            raise MemoryError
        for i in range(n):              # two hands: neither was split again
            plain[i] = entries[i]
            plain[i].x = entries[i].n
        two = pair_sums(deck, made, plain, n, pair, [[1.0]])
    finally:
        free(plain)
    three = triple_sums(deck, made, entries, n, pair, full[0] * pair_weight, full.get(1, 0) * pair_weight)
    result = {}
    for i in range(made.whole.finals):
        final = made.whole.final[i]
        if final not in codes:
            continue
        found, sizes = {}, {}
        for part, times in ((told_parts(two, i, codes[final]), less[2]), (told_of_three(three, i, codes[final]), 1)):
            for code, (p, size) in part.items():
                found[code] = found.get(code, 0.0) + times * p
                sizes[code] = sizes.get(code, 0.0) + times * size
        result[final] = without_noise(found, sizes)
    return result


cdef dict joint_codes(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                      int pair, double pair_weight):
    """{final class: {what the hands' codes add up to: probability}}.

    `codes` has a number per class of result for each final class that is asked for; `hands` is the most
    there may be, 2 where a pair is not split again; `pair` the category of the cards.
    """
    cdef PairSums two
    cdef uint64_t pair_key = unit_of(deck, pair)
    cdef Product p
    cdef int i, final
    result = {}
    if not codes:
        return result
    if hands == 2:
        two = pair_sums(deck, made, entries, n, pair, [[1.0]])
        for i in range(made.whole.finals):
            if made.whole.final[i] in codes:
                parts = told_parts(two, i, codes[made.whole.final[i]])
                result[made.whole.final[i]] = without_noise(
                    {code: p for code, (p, _) in parts.items()}, {code: size for code, (_, size) in parts.items()})
        return result
    if hands == 3:
        return three_hands(deck, made, entries, n, codes, pair, pair_weight)
    for final, of_class in codes.items():
        p = Product.__new__(Product)
        p.deck, p.tree = deck, &made.trees[final]
        if map_open(&p.unions, 12) < 0:
            raise MemoryError
        p.take(entries, n, of_class)
        found, p.sizes = {}, {}
        p.many(found, hands, pair_key, pair_weight)
        result[final] = without_noise(found, p.sizes)
    return result
