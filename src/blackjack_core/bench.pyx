# cython: infer_types=False
"""The true round, put into any situation that somebody wants to know about.

Lives here: `Bench`. Not here: a rule of the game (machine), which situations there are (outcomes, memory).
"""
from libc.string cimport memset

cdef class Bench(LaidRound):
    """A true round that can be put into any situation."""
    def __cinit__(self, RuleSet rules not None, bytes play, bytes offers, list exact, bint by_rank, int64_t bet):
        self.bet = bet
        self.play, self.offers = play, offers
        if len(play) != 3840 or len(offers) != 960:
            raise ValueError("expected a plan of 1920 preferences and 960 offers")
        self.plan.play = <const uint16_t*><const char*>play
        self.plan.offers = <const uint8_t*><const char*>offers
        self.plan.split_by_rank = by_rank
        self.plan.exact = &self.exact_key
        self.plan.exact_pref = &self.exact_pref
        self.exact = {}
        for counts, up, split, pref in exact:
            key = up << 50
            for v, n in enumerate(counts):
                key |= min(n, 31) << 5 * v
            for after in (0, 1):
                if split is None or split == after:
                    self.exact.setdefault(key | after << 56, pref)

    cdef int plays(self):
        """What the plan does with whose turn it is; the exception that fits is laid before it."""
        cdef const HandState* h = hand_of(&self.r, self.r.box, self.r.hand)
        cdef int i
        cdef uint64_t key
        self.plan.n_exact = 0
        if self.exact and self.r.phase == PLAY:
            key = (<uint64_t>h.split << 56) | (<uint64_t>BJ_VALUE[round_upcard(&self.r)] << 50)
            for i in range(h.n):
                key += <uint64_t>1 << (5 * BJ_VALUE[h.cards[i]])
            pref = self.exact.get(key)
            if pref is not None:
                self.plan.n_exact = 1
                self.exact_key = key
                self.exact_pref = pref
        return plan_action(&self.plan, &self.r)

    cdef void put(self, int card):
        self.cards[self.shoe.size] = <uint8_t>card
        self.shoe.size += 1

    cdef int deal(self, int first, int second, int up, int hole) except -1:
        """A round (card codes; upcard and hole by value), its offers answered."""
        cdef int code
        self.empty()
        self.box.bet = self.bet
        self.funds = INT64_MAX
        self.put(first)
        self.put(hole * 4 + 2 if self.rules.upcard_second and self.rules.hole_card != HOLE_NONE else up * 4 + 3)
        self.put(second)
        if self.rules.hole_card != HOLE_NONE:
            self.put(up * 4 + 3 if self.rules.upcard_second else hole * 4 + 2)
        self.r.dry = 0
        round_start(&self.r)
        while self.r.phase == OFFERS and not self.r.dry:
            code = round_apply(&self.r, self.plays(), 0)
            if code > 0:
                raise AssertionError(f"an offer was answered with what is illegal: {code}")
        if self.r.phase == DONE and not self.r.peeked:  # settled against the bench's hole card: not yet
            self.box.insurance_settled = 0
            self.box.insurance_returned = 0
        return 0

    cdef void keep(self):
        """Remember the round as it is, for `put_hand` and `settle`."""
        self.r_kept = self.r
        self.box_kept = self.box
        self.r_kept.phase = PLAY
        self.r_kept.box = self.r_kept.hand = self.r_kept.dry = 0

    cdef int next_of(self, int at):
        """The plan's action for the hand, or CLOSED."""
        if self.r.dry or self.r.phase != PLAY or self.r.box or self.r.hand != at or not self.r.legal:
            return CLOSED
        return self.plays()

    cdef int reach(self, const HandState* h, int at, int action, int card, HandState* out) except -2:
        """Do an action with hand `at` (those before it have busted): its next one, and the hand then."""
        cdef int i, code
        self.r = self.r_kept
        self.box = self.box_kept
        self.box.n_hands = <uint8_t>(at + 1)
        self.r.hand = at
        for i in range(at):
            self.lay_bust(&self.hands[i], self.bet)
        self.hands[at] = h[0]
        if action == SURRENDER:     # a hand that waits for the dealer, so that nothing is settled yet
            self.lay_bust(&self.hands[at + 1], self.bet)
            self.hands[at + 1].points = 20
            self.hands[at + 1].outcome = OPEN
            self.box.n_hands += 1
        self.empty()
        if card >= 0:
            self.put(card)
        code = round_apply(&self.r, action, 0)
        if code > 0:
            raise AssertionError(f"action {action} refused: {code}")
        out[0] = self.hands[at]
        return self.next_of(at)

    cdef int second(self, int first, int card, int on_table, HandState* out) except -2:
        """The last of `on_table` split hands gets its second card: its next action, and the hand."""
        cdef int i, at = on_table - 1
        cdef HandState* h = &self.hands[at]
        self.r = self.r_kept
        self.box = self.box_kept
        self.box.n_hands = <uint8_t>on_table
        self.r.hand = at - 1
        for i in range(at):
            self.lay_bust(&self.hands[i], self.bet)
        memset(h, 0, sizeof(HandState))
        h.stake = self.bet
        h.split = h.n = 1
        h.cards[0] = <uint8_t>first
        h.points = <uint8_t>(BJ_VALUE[first] + 1)
        h.ace = h.aces = BJ_VALUE[first] == 0
        self.empty()
        self.put(card)
        if round_apply(&self.r, STAND, 0) > 0:
            raise AssertionError("a finished hand may not stand")
        out[0] = h[0]
        return self.next_of(at)

    cdef void lay_bust(self, HandState* h, int64_t stake):
        self.lay_out(h, stake, 22, BUST)

    cdef int settle(self, list samples, int final) except -1:
        """Settle finished hands (HandStates as bytes) against a final class of the dealer."""
        cdef int hole = self.rules.hole_card, i = 0
        self.r = self.r_kept
        self.box = self.box_kept
        self.box.n_hands = <uint8_t>len(samples)
        for sample in samples:
            self.hands[i] = (<HandState*><const char*>sample)[0]
            i += 1
        self.r.dealer_blackjack = 0
        self.r.dealer_ace = final == FINAL_NATURAL
        self.r.dealer_n = 2 if final == FINAL_NATURAL else 3
        self.r.dealer_points = <uint8_t>(11 if final == FINAL_NATURAL else 16 + final)
        self.empty()
        self.rules.hole_card = HOLE_NO_PEEK
        round_apply(&self.r, STAND, 0)
        self.rules.hole_card = hole
        if self.r.phase != DONE:
            raise AssertionError("finished hands are not settled")
        return 0

    cdef int64_t net(self):
        """Of the settled box, insurance included."""
        cdef int i
        cdef int64_t net = self.box.insurance_returned - self.box.insurance
        for i in range(self.box.n_hands):
            net += self.hands[i].returned - self.hands[i].stake
        return net
