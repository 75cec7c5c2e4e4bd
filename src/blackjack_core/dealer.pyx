"""The dealer's final hand from any composition of the shoe, exactly.

Lives here: `Dealer`, the tables of what he draws under the rules, made once and summed over by the C
kernels (_dealer_kernel.h). Not here: what a final hand is worth to the player (analyze), dealing (machine).
"""
from libc.string cimport memset
from .ruleset cimport RuleSet

FINALS = ("17", "18", "19", "20", "21", "22", "bust", "blackjack")

cdef DealerSum _sum = dealer_sum_best()
KERNELS = ("plain",) if _sum == dealer_sum_plain else ("plain", "avx2")


cdef void dealer_outcomes(
        const DealerPlan* plan, const double* counts, int infinite, unsigned int ups, double* out) noexcept nogil:
    """out[upcard * DEALER_FINALS + final]: chances given that upcard, of ten counts it still belongs to.

    Finals: 17 .. 21 (naturals apart), 22, busts above, natural. Nothing is known of the hole card; given
    that there is no natural, divide by 1 - natural. Zeros where no such upcard is left.
    """
    dealer_finals(plan, counts, infinite, ups, out)


cdef void dealer_weigh(const DealerPlan* plan, const double* values, unsigned int ups,
                       DealerWeights* weights) noexcept nogil:
    """What the finals are worth (DEALER_FINALS values), written down row by row and node by node."""
    cdef int r, u, i, v
    cdef double own
    for r in range(plan.rows):
        for v in range(10):
            weights.weight[r][v] = values[plan.ends[r][v]] if plan.ends[r][v] >= 0 else 0.0
    for u in range(10):
        if not (ups >> u) & 1:
            continue
        for i in range(plan.up[u].n):
            own = 0.0
            for v in range(10):
                if plan.up[u].cards[i][v]:
                    own += weights.weight[plan.up[u].link[i] & 255][v] * plan.up[u].cards[i][v]
            weights.own[u][i] = own


cdef void dealer_stand(const DealerPlan* plan, const DealerWeights* weights, const double* counts,
                       int infinite, unsigned int ups, double* out) noexcept nogil:
    """out[upcard * 8 + lane]: the sum of the weighted finals of eight compositions, counts[value * 8 + lane]."""
    _sum(plan, weights, counts, infinite, ups, out)


cdef int final_of(int points, int ace) noexcept nogil:
    cdef int total = points + 10 if ace and points <= 11 else points
    return total - 17 if total <= 21 else 5 if total == 22 else 6


cdef class Dealer:
    """Dealer(rules)
    --

    What the dealer may draw under the rules: for each upcard the multisets of further cards with which he
    must draw again, and in how many orders he gets there. Depends on the soft-17 rule alone.
    """
    def __cinit__(self, RuleSet rules not None):
        cdef const RuleTable* t = &rules.t
        rows = {}
        memset(&self.plan, 0, sizeof(DealerPlan))
        for upcard in range(10):
            self.grow(t, upcard, rows)

    cdef grow(self, const RuleTable* t, int upcard, dict rows):
        """The nodes under one upcard, level by level; orders are counted from all parents."""
        cdef DealerUp* up = &self.plan.up[upcard]
        cdef int i, v, points, ace, first, at, depth = 0
        cdef list level = [(0,) * 10]
        cdef dict orders = {level[0]: 1}, index = {level[0]: 0}, found
        factorial = 1
        while level:
            up.start[depth] = up.n
            found = {}
            for cards in level:
                i = up.n
                up.n += 1
                if up.n > DEALER_NODES or depth >= DEALER_DEPTH:
                    raise AssertionError("more of the dealer's hands than there is room for")
                points = upcard + 1
                ace = upcard == 0
                ways = orders[cards]
                for v in range(10):
                    points += cards[v] * (v + 1)
                    ace |= cards[v] > 0 and v == 0
                    up.cards[i][v] = cards[v] + (v == upcard)
                    for at in range(2, cards[v] + 1):
                        ways *= at
                up.ways[i] = ways / factorial
                first = depth == 0 and (upcard == 0 or upcard == 9)
                up.link[i] |= self.row(t, points, ace, first, rows)
                index[cards] = i
                for v in range(10):
                    if t.dealer_draws[ace | (v == 0)][points + v + 1]:
                        more = cards[:v] + (cards[v] + 1,) + cards[v + 1:]
                        if more not in found:
                            found[more] = (i, v)
                        orders[more] = orders.get(more, 0) + orders[cards]
            level = sorted(found)
            for i, cards in enumerate(level):
                at, v = found[cards]
                up.link[up.n + i] = (at << 16) | ((DEALER_FACTOR_AT[v] + cards[v] - 1) << 8)
            depth += 1
            factorial *= depth
        up.start[depth] = up.n
        up.levels = depth

    cdef int row(self, const RuleTable* t, int points, int ace, int first, dict rows) except -1:
        cdef int r, v
        key = (points, ace, first)
        if key in rows:
            return rows[key]
        r = rows[key] = self.plan.rows
        self.plan.rows += 1
        if r >= DEALER_ROWS:
            raise AssertionError("more rows of the dealer's hands than there is room for")
        for v in range(10):
            if t.dealer_draws[ace | (v == 0)][points + v + 1]:
                self.plan.ends[r][v] = -1
            elif first and points + v + 1 == 11:
                self.plan.ends[r][v] = 7
            else:
                self.plan.ends[r][v] = final_of(points + v + 1, ace | (v == 0))
        return r

    def outcomes(self, counts, *, bint infinite=False):
        """Ten tuples, one per upcard A 2 .. T: the chances of `FINALS` given that upcard.

        counts: ten numbers of cards (A 2 .. 9 T) that the upcard is drawn from too; proportions where
        infinite. Nothing is known of the hole card: "blackjack" stands beside the others.
        """
        cdef double c[10]
        cdef double out[80]
        cdef int i
        if len(counts) != 10:
            raise ValueError(f"expected ten counts, got {len(counts)}")
        for i in range(10):
            c[i] = counts[i]
            if not 0 <= c[i] <= 1e6:
                raise ValueError(f"expected counts from 0 to 1000000, got {counts[i]!r}")
        with nogil:
            dealer_outcomes(&self.plan, c, infinite, 1023, out)
        return [tuple([out[u * 8 + x] for x in range(8)]) for u in range(10)]

    def weighted(self, hands, values, *, bint infinite=False, str kernel="best"):
        """For up to eight compositions: ten sums (one per upcard) of `values` (of `FINALS`; the last is
        taken as 0) over the chances. For tests of the kernels."""
        cdef double c[80]
        cdef double out[80]
        cdef double w[8]
        cdef DealerWeights weights
        cdef int i, v
        if kernel not in ("best", *KERNELS):
            raise ValueError(f"expected a kernel of {', '.join(KERNELS)}, got {kernel!r}")
        if not 1 <= len(hands) <= 8:
            raise ValueError(f"expected 1 to 8 compositions, got {len(hands)}")
        for i in range(8):
            w[i] = values[i] if i < 7 else 0.0
            for v in range(10):
                c[v * 8 + i] = hands[min(i, len(hands) - 1)][v]
        dealer_weigh(&self.plan, w, 1023, &weights)
        if kernel == "plain":
            dealer_sum_plain(&self.plan, &weights, c, infinite, 1023, out)
        else:
            dealer_stand(&self.plan, &weights, c, infinite, 1023, out)
        return [tuple([out[u * 8 + i] for u in range(10)]) for i in range(len(hands))]
