# cython: infer_types=False
"""Mean and mean square of the sum of several split hands, from pairs of them.

Lives here: `joint_moments`, `joint_means`. Not here: the distribution of that sum (joint), one hand (outcomes).

A sum's square needs no more than two hands at a time; the others count only by whether they were dealt a
card of the pair. With g0, g1, g2 the sums of a hand's chances, results and squared results over removals
(g0 is 1 for a hand X that may not be split again, 1 - p for N: see joint), a term p^s N^a X^b has

    the mean    a g1(N) g0(N)^(a-1) + b g1(X) g0(N)^a
    the square  the same of g2, + a (a-1) g1(N)^2 g0(N)^(a-2) + 2 a b g1(N) g1(X) g0(N)^(a-1)
                + b (b-1) g1(X)^2 g0(N)^a,           all times p^s

so that six polynomials in p, summed over all terms, are all that is to be known of the other hands.
"""
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from .joint import split_orders
from .pairs cimport PAIR_SLOTS, PairSums, pair_sums
from .removal cimport measure, unit_of


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
    used = 1 + max(d for row in sums for d, x in enumerate(row) if x)
    return [row[:used] for row in sums]


cdef dict joint_moments(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                        int pair, double pair_weight):
    """{final class: (chance, mean, mean square)} of what the hands' codes add up to, joint with the final."""
    cdef PairSums two
    cdef int i, j, k, wide = made.whole.finals
    cdef double value
    sums = [[x * pair_weight**d for d, x in enumerate(row)] for row in others(hands)]
    moments = single(deck, made, entries, n, codes, sums[:3], pair)
    two = pair_sums(deck, made, entries, n, pair, sums[3:])
    for k in range(wide):
        of_class = codes.get(made.whole.final[k])
        if of_class is None:
            continue
        results = [of_class[to] - (of_class[frm] if frm >= 0 else 0) for to, frm in two.classes]
        square = 0.0
        for i in range(two.n_groups):
            if not results[i]:
                continue
            for j in range(i, two.n_groups):
                value = two.sums[(i * two.n_groups + j) * PAIR_SLOTS + k]
                square += results[i] * results[j] * value
        moments[made.whole.final[k]][2] += square
    return {final: tuple(found) for final, found in moments.items()}


cdef dict joint_means(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, int hands,
                      int pair, double pair_weight):
    """{final class: (chance, mean)} of the same, which takes no pairs."""
    sums = [[x * pair_weight**d for d, x in enumerate(row)] for row in others(hands)[:3]]
    moments = single(deck, made, entries, n, codes, sums, pair)
    return {final: (found[0], found[1]) for final, found in moments.items()}


cdef dict single(const Deck* deck, Finals made, const Entry* entries, int n, dict codes, list sums, int pair):
    """{final class: [chance, mean, mean square of single results]}: what needs one hand."""
    cdef int i, k, d, wide = made.whole.finals, deep = <int>len(sums[0])
    cdef int64_t at, count = 0
    cdef uint64_t unit = unit_of(deck, pair)
    cdef double weight
    cdef uint64_t* keys = <uint64_t*>malloc(<size_t>((n + 1) * deep) * sizeof(uint64_t))
    cdef double* out = <double*>malloc(<size_t>((n + 1) * deep * wide) * sizeof(double))
    cdef double* total = <double*>calloc(<size_t>((n + 1) * wide), sizeof(double))
    cdef double* parts = <double*>calloc(<size_t>(3 * deep), sizeof(double))
    try:
        if keys == NULL or out == NULL or total == NULL or parts == NULL:
            raise MemoryError
        for i in range(3):
            for d in range(deep):
                parts[i * deep + d] = sums[i][d]
        with nogil:
            for i in range(n + 1):          # the last: nobody's cards
                for d in range(deep):
                    keys[count] = (entries[i].key if i < n else 0) + unit * <uint64_t>d
                    count += 1
            measure(deck, &made.whole, keys, count, out)
            at = 0
            for i in range(n + 1):
                for d in range(deep):
                    weight = (parts[deep + d] * entries[i].n + parts[2 * deep + d] * entries[i].x if i < n
                              else parts[d])
                    for k in range(wide):
                        total[i * wide + k] += weight * out[at * wide + k]
                    at += 1
        found = {}
        for k in range(wide):
            of_class = codes.get(made.whole.final[k])
            if of_class is None:
                continue
            mean = square = 0.0
            for i in range(n):
                one, other = of_class[entries[i].to], of_class[entries[i].frm] if entries[i].frm >= 0 else 0
                mean += (one - other) * total[i * wide + k]
                square += (one * one - other * other) * total[i * wide + k]
            found[made.whole.final[k]] = [total[n * wide + k], mean, square]
        return found
    finally:
        free(keys)
        free(out)
        free(total)
        free(parts)
