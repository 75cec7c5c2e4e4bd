"""Whole rounds off the top of any shoe: offers, choices, the expected value.

Lives here: `Solver`. Not here: one hand's values (analyze), several hands of a split (splits), text and types
(blackjack.analysis).
"""
from .analyze cimport (
    HAND_ROOM, LEFT_OUT, PLAIN, Pass, double_to, final_values, hand_of_counts, hand_table, legal_tables, natural_chance,
    run_pass, stand_weights,
)
from .plan cimport offer_answer
from .player cimport share, times
from .ruleset cimport SURRENDER_EARLY
from .splits cimport Splitter
from .state cimport DECLINE, DOUBLE, EVEN_MONEY, HIT, INSURANCE, SPLIT, STAND, SURRENDER

SPLIT_PLAYS = ("cdz", "cdp1", "cdp")


cdef class Solver(Splitter):
    """Solver(rules, dealer, counts, *, tens, suited, infinite, ups, plan, split_play, hand)
    --

    Everything about one game off the top of one shoe, worked out when it is made.

    counts: ten numbers of cards; tens: how many of the last are T, J, Q, K (used where pairs are of a rank).
    suited: the chance that an ace and a ten are of one suit. ups: a bit per upcard. plan: None for the best
    play, or (play, offers, exact, split_by_rank) of a StrategyPlan. split_play: an index of SPLIT_PLAYS.
    hand: ten counts; only what bears on that hand. after_split: it is one of so many hands of its box,
    split from aces or not. insured: the box is, from the start.
    """
    def __cinit__(self, *_, **__):
        with nogil:
            self.work()

    cdef void work(self) noexcept nogil:
        cdef int u, v, i, insured
        cdef Pass* p
        for u in range(10):
            if self.g.counts[u] <= 0:
                self.g.ups = self.g.ups & ~(<unsigned int>1 << u)
        self.g.only = -1
        for u in range(10):
            if self.g.ups == <unsigned int>1 << u:
                self.g.only = u
        legal_tables(&self.g)
        stand_weights(&self.g)
        self.two_bases = not self.barred and self.rules.t.insurance_blocks != 0 and (
            self.rules.t.insurance_mask & self.g.ups) != 0
        for insured in range(1 + self.two_bases):
            p = &self.base[insured]
            self.point(p, insured)
            p.insured = insured or self.barred
            p.kind = self.kind
            p.summed = insured
            p.all_actions = 1
            p.optimal = not self.fixed
            for u in range(10):
                p.natural[u] = self.natural_mode(u)
            for i in range(self.n_hands):
                p.need[self.hands[i]] = self.g.ups
            if self.fixed:
                self.follow_plan(p, self.hands, self.n_hands)
            run_pass(&self.g, p, self.hands, self.n_hands)
            for v in range(10):
                if self.g.counts[v] >= 1 + self.g.gone and self.g.pair_legal[p.insured][self.kind][v] and (
                        self.pair == 10 or self.pair == v):
                    self.work_split(insured, v)
        if self.root < 0:
            self.work_round()

    # ------------------------------------------------------------ rounds

    cdef double surrender_value(self, int hand, int u) noexcept nogil:
        cdef Pass* p = &self.base[0]
        cdef double lost = 1.0 - times(self.rules.t.surrender_returns)
        cdef double natural = natural_chance(&self.g, p, hand, u, -1)
        if p.natural[u] == LEFT_OUT:
            return -lost * (1.0 - natural)
        if self.rules.t.surrender == SURRENDER_EARLY:
            return -lost
        return -lost * (1.0 - natural) - natural

    cdef double act_value(self, int insured, int hand, int u, int action) noexcept nogil:
        """A legal action in play, joint with no dealer blackjack where those are left out."""
        cdef Pass* p = &self.base[insured if self.two_bases else 0]
        cdef int v, at = hand * 10 + u
        if action == HIT:
            return p.hit[at]
        if action == DOUBLE:
            return p.double_[at]
        if action == SPLIT:
            for v in range(10):
                if hand_table.cards[hand][v] == 2:
                    return self.split[insured if self.two_bases else 0][v][u]
        if action == SURRENDER:
            return self.surrender_value(hand, u)
        return p.stand[at]

    cdef int legal_round(self, int insured, int hand, int u, int same_rank) noexcept nogil:
        """Legal actions in play of a hand that comes from no split."""
        cdef Pass* p = &self.base[insured if self.two_bases else 0]
        cdef int v, legal
        if self.is_natural(hand) or hand_table.size[hand] >= self.g.charlie:
            return 1 << STAND
        legal = self.legal_play(p, hand, 0)
        if hand_table.size[hand] == 2:
            if self.kind == PLAIN and self.g.surrender[p.insured][u]:
                legal |= 1 << SURRENDER
            for v in range(10):
                if hand_table.cards[hand][v] == 2 and same_rank and self.more_hands(v) > 1 and (
                        self.g.pair_legal[p.insured][self.kind][v]):
                    legal |= 1 << SPLIT
        return legal

    cdef bint is_natural(self, int hand) noexcept nogil:
        return (self.kind == PLAIN and hand_table.size[hand] == 2 and hand_table.ace[hand]
                and hand_table.points[hand] == 11)

    cdef int choose(self, int insured, int hand, int u, int same_rank) noexcept nogil:
        """What is played by a first hand, of its legal actions."""
        cdef int action, best = STAND, legal = self.legal_round(insured, hand, u, same_rank)
        cdef double value, top
        if self.fixed:
            if hand == hand_table.two[9][9] and not same_rank:
                return self.preferred(self.mixed[0][u], legal)
            return self.preferred(self.prefs[hand * 10 + u], legal)
        top = self.act_value(insured, hand, u, STAND)
        for action in range(1, 5):
            if (legal >> action) & 1:
                value = self.act_value(insured, hand, u, action)
                if value > top:
                    top = value
                    best = action
        return best

    cdef double played(self, int insured, int hand, int u, int same_rank) noexcept nogil:
        """A two-card hand from the peek on, dealer blackjacks among it."""
        cdef double natural = natural_chance(&self.g, &self.base[0], hand, u, -1), pays
        if self.is_natural(hand):
            pays = times(self.rules.t.blackjack_pays)
            if self.rules.t.suited:
                pays += self.suited * (times(self.rules.t.suited_pays) - pays)
            return pays * (1.0 - natural)
        return self.act_value(insured, hand, u, self.choose(insured, hand, u, same_rank)) - (
            natural if self.base[0].natural[u] == LEFT_OUT else 0.0)

    cdef double offer_value(self, int hand, int u, int same_rank, int action) noexcept nogil:
        cdef double natural = natural_chance(&self.g, &self.base[0], hand, u, -1)
        if action == INSURANCE:
            return self.played(1, hand, u, same_rank) + 0.5 * (
                natural * times(self.rules.t.insurance_pays) - (1.0 - natural))
        if action == EVEN_MONEY:
            return 1.0
        if action == SURRENDER:
            return times(self.rules.t.surrender_returns) - 1.0
        return self.played(0, hand, u, same_rank)

    cdef int take_offer(self, int hand, int u, int same_rank) noexcept nogil:
        cdef int legal = self.g.offers[self.is_natural(hand)][u]
        cdef int action, best = DECLINE, row, kind, v
        cdef double value, top
        if legal == 1 << DECLINE:
            return DECLINE
        if self.fixed:
            row = hand_table.total[hand]
            kind = hand_table.ace[hand] and hand_table.points[hand] <= 11
            for v in range(10):
                if hand_table.cards[hand][v] == 2 and same_rank:
                    kind = 2
                    row = v + 1
            return offer_answer(self.offer_bits[kind][row][u], legal)
        top = self.offer_value(hand, u, same_rank, DECLINE)
        for action in range(SURRENDER, EVEN_MONEY + 1):
            if (legal >> action) & 1:
                value = self.offer_value(hand, u, same_rank, action)
                if value > top:
                    top = value
                    best = action
        return best

    cdef double same_rank_chance(self) noexcept nogil:
        """Of two ten-values: that they make a pair."""
        cdef double n, sum_ = 0.0
        cdef int k
        if not self.by_rank:
            return 1.0
        for k in range(4):
            n = self.tens[k]
            sum_ += n * (n - self.g.gone)
        return share(sum_, self.g.counts[9] * (self.g.counts[9] - self.g.gone))

    cdef double best_start(self, int hand, int u, int same_rank) noexcept nogil:
        return self.offer_value(hand, u, same_rank, self.take_offer(hand, u, same_rank))

    cdef void work_round(self) noexcept nogil:
        """The expected value off the top, upcard by upcard."""
        cdef int i, j, u, hand
        cdef double n = self.g.cards, gone = self.g.gone, weight, all, value, pair, total, under
        cdef double* c = self.g.counts
        pair = self.same_rank_chance()
        total = 0.0
        for u in range(10):
            self.up_value[u] = self.up_chance[u] = 0.0
            if not (self.g.ups >> u) & 1:
                continue
            all = (n - gone) * (n - 2 * gone)
            under = 0.0
            for i in range(10):
                for j in range(i, 10):
                    weight = (c[i] - gone * (i == u)) * (c[j] - gone * ((j == u) + (i == j))) / all
                    if weight <= 0 or c[i] - gone * (i == u) <= 0:
                        continue
                    if i != j:
                        weight *= 2
                    hand = hand_table.two[i][j]
                    if i == 9 and j == 9 and pair < 1.0:
                        value = (1.0 - pair) * self.best_start(hand, u, 0)
                        if pair > 0:
                            value += pair * self.best_start(hand, u, 1)
                    else:
                        value = self.best_start(hand, u, 1)
                    under += weight * value
            self.up_chance[u] = c[u] / n
            self.up_value[u] = under
            total += c[u] / n * under
        self.value = total

    # ------------------------------------------------------------ for Python

    @property
    def ev(self):
        """The expected net of a round, in bets."""
        return self.value

    @property
    def by_upcard(self):
        """Ten expected nets given the upcard, and the ten chances of the upcards."""
        return [self.up_value[u] for u in range(10)], [self.up_chance[u] for u in range(10)]

    cdef int find(self, counts, int u) except -2:
        cdef unsigned char own[10]
        cdef int v, hand
        if len(counts) != 10 or not 0 <= u < 10:
            raise ValueError("expected ten counts and an upcard's value index")
        for v in range(10):
            own[v] = counts[v]
        hand = hand_of_counts(own)
        if hand < 0 or hand_table.size[hand] < 2:
            raise ValueError("expected a hand of two cards or more and of 21 points or less")
        for v in range(10):
            if self.g.counts[v] - self.g.gone * (own[v] + (v == u)) < 0:
                raise ValueError("expected cards that the shoe holds")
        return hand

    def take_splits(self, values, *, bint insured=False):
        """Take other values of splitting, (pair's value index, upcard, value) with dealer blackjacks in them.

        insured: for boxes that are, where that bars actions.
        """
        cdef int v, u
        cdef double value
        for v, u, value in values:
            if not 0 <= v < 10 or not 0 <= u < 10:
                raise ValueError("expected value indices")
            if self.base[0].natural[u] == LEFT_OUT:
                value += natural_chance(&self.g, &self.base[0], hand_table.two[v][v], u, -1)
            self.split[insured][v][u] = value
        if self.root < 0:
            self.work_round()

    def natural(self, counts, int upcard):
        """The chance of a dealer blackjack with that hand and upcard off the shoe."""
        return natural_chance(&self.g, &self.base[0], self.find(counts, upcard), upcard, -1)

    def left_out(self, int upcard):
        """Whether values under the upcard are joint with "no dealer blackjack", which costs one bet."""
        if not 0 <= upcard < 10:
            raise ValueError(f"expected an upcard's value index from 0 to 9, got {upcard}")
        return self.base[0].natural[upcard] == LEFT_OUT

    def play(self, counts, int upcard, *, bint insured=False, bint same_rank=True):
        """({action: value}, what is played) of the legal actions in play."""
        cdef int hand = self.find(counts, upcard)
        cdef int action, legal = self.legal_round(insured, hand, upcard, same_rank)
        if self.is_natural(hand):
            return {0: self.played(insured, hand, upcard, same_rank)}, 0
        return (
            {action: self.act_value(insured, hand, upcard, action) for action in range(5) if (legal >> action) & 1},
            self.choose(insured, hand, upcard, same_rank),
        )

    def double(self, counts, int upcard, double stake, double more, *, bint insured=False):
        """What a double is worth that adds `more` bets to the `stake` of them that lie on a hand."""
        cdef double out[10]
        double_to(&self.g, &self.base[insured if self.two_bases else 0], self.hands, self.n_hands,
                  self.find(counts, upcard), stake + more, out)
        return out[upcard]

    def doubled(self, counts, int upcard, double stake, *, bint insured=False):
        """`play` of a hand that was doubled to so many bets: it stands, or is doubled again."""
        cdef Pass* p = &self.base[insured if self.two_bases else 0]
        cdef int hand = self.find(counts, upcard), played = STAND, legal = 1 << STAND
        cdef double out[10]
        final_values(&self.g, p, hand, stake, out)
        values = {STAND: out[upcard]}
        if hand_table.size[hand] < self.g.charlie:
            legal = self.legal_play(p, hand, 1)
        if (legal >> DOUBLE) & 1:
            values[DOUBLE] = self.double(counts, upcard, stake, stake, insured=insured)
            if self.fixed:
                played = self.preferred(self.prefs[((self.kind != PLAIN) * HAND_ROOM + hand) * 10 + upcard], legal)
            elif values[DOUBLE] > values[STAND]:
                played = DOUBLE
        return values, played

    def offer(self, counts, int upcard, *, bint same_rank=True):
        """({action: value}, what is taken) at the offer before play, dealer blackjacks among it."""
        cdef int hand = self.find(counts, upcard)
        cdef int action, legal = self.g.offers[self.is_natural(hand)][upcard]
        if hand_table.size[hand] != 2 or legal == 1 << DECLINE:
            return {}, 7
        return (
            {action: self.offer_value(hand, upcard, same_rank, action) for action in range(8) if (legal >> action) & 1},
            self.take_offer(hand, upcard, same_rank),
        )
