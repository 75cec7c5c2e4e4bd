# cython: infer_types=False
"""The game and a strategy as a table: one number per situation, one entry per card.

Lives here: `build`, which plays the true round (machine) from every situation that can be reached with
every next card and writes down where that leads. Not here: a rule of the game, how the simulator uses
the table (simulate, _sim_kernel.h).

A split is left out of the numbers: hands after it are played from the same rows whatever became of the
hands before, and only what each ended as (its class) is kept until the dealer is done.
"""
from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset
from .hand cimport BJ_VALUE
from .machine cimport *
from .plan cimport plan_action
from .ruleset cimport RuleSet
from .shoe cimport SHOE_STACKED, ShoeState

cdef enum:
    ROWS = 6500
    CLASSES = 255
    RESULTS = 990
    BUSTED = 22             # dealer codes of the sums


class Unfit(Exception):
    """These rules or this strategy do not fit into a table; the general path plays them."""


cdef class LaidRound:
    """One box of the true round, whose hands and cards are laid as wanted."""

    def __cinit__(self, RuleSet rules not None, *_):
        self.rules = rules.t
        self.rules.boxes = 1
        memset(&self.r, 0, sizeof(RoundState))
        memset(&self.shoe, 0, sizeof(ShoeState))
        self.shoe.kind = SHOE_STACKED
        self.shoe.cards = self.cards
        self.r.rules = &self.rules
        self.r.shoe = &self.shoe
        self.r.boxes = &self.box
        self.r.hands = self.hands
        self.r.funds = &self.funds

    cdef void empty(self):
        """No card to come."""
        self.shoe.size = self.shoe.pos = self.shoe.base = 0

    cdef void lay_out(self, HandState* h, int64_t stake, int points, int outcome):
        """A finished hand of a split."""
        memset(h, 0, sizeof(HandState))
        h.stake = stake
        h.n = 3
        h.points = <uint8_t>points
        h.split = h.closed = 1
        h.outcome = <uint8_t>outcome


cdef class Bench(LaidRound):
    """A true round that a plan plays from any situation on."""

    def __cinit__(self, RuleSet rules, int64_t bet):
        self.bet = bet
        self.actions = []

    cdef void put(self, int value):
        """One more card for the shoe."""
        self.cards[self.shoe.size] = <uint8_t>(value * 4 + self.shoe.size % 4)
        self.shoe.size += 1

    cdef int go_on(self):
        """Let the plan decide until a card is missing, the round is over, or it splits."""
        cdef int action, code = 0
        while code == 0 and not self.r.dry and self.r.phase != DONE:
            action = plan_action(&self.plan, &self.r)
            self.actions.append(action)
            if action == SPLIT:
                return SPLITS
            code = round_apply(&self.r, action, 0)
            if code > 0:
                raise AssertionError(f"action {action} refused: {code}")
        if self.r.phase == DONE:
            return OVER
        return NEEDS_DEALER if self.r.box == 1 else NEEDS_PLAYER

    cdef int deal(self, tuple player, int up, int hole, tuple dealer):
        """A round from its start with these cards by value; hole < 0: not looked at yet."""
        cdef int first = up, second = PLACEHOLDER if hole < 0 else hole
        cdef Py_ssize_t i
        if self.rules.upcard_second:
            first, second = second, first
        self.empty()
        self.box.bet = self.bet
        self.funds = INT64_MAX
        self.actions = []
        self.cards[0] = <uint8_t>(<int>player[0] * 4)
        self.cards[1] = <uint8_t>(first * 4)
        self.cards[2] = <uint8_t>(<int>player[1] * 4 + (0 if self.alike else 1))
        self.shoe.size = 3
        if self.rules.hole_card != HOLE_NONE:
            self.put(second)
        for i in range(2, len(player)):
            self.put(player[i])
        for i in range(len(dealer)):
            self.put(dealer[i])
        round_start(&self.r)
        self.offered = self.r.phase == OFFERS and self.r.legal != 0
        return self.go_on()

    cdef int first_two(self, tuple player, int up, int hole) except -1:
        """Deal two cards that are played alike whatever the ranks of ten-values are."""
        cdef int status = self.deal(player, up, hole, ()), other
        if not self.plan.split_by_rank or player[0] != 9 or player[1] != 9:
            return status
        told = self.actions
        other = self.deal((9, OTHER_TEN), up, hole, ())
        if other != status or self.actions != told or status == SPLITS:
            raise Unfit("tens of one rank are played otherwise than others")
        return self.deal(player, up, hole, ())

    cdef HandState* lay(self, int hand, int points, int outcome):
        """A finished hand of a split."""
        self.lay_out(&self.hands[hand], self.bet, points, outcome)
        return &self.hands[hand]

    cdef void lay_two(self, int need):
        """Two finished hands that ask this of the dealer: 1 some hand is open, 2 some hand busted."""
        if need & 1:
            self.lay(0, 20, OPEN)
        else:
            self.lay(0, 22 if need & 2 else 20, BUST if need & 2 else CHARLIE)
        if need & 2:
            self.lay(1, 22, BUST)
        else:
            self.lay(1, 20, OPEN if need & 1 else CHARLIE)

    cdef int stir(self, int hands):
        """Go on behind the last but one hand, which is finished."""
        self.r.phase = PLAY
        self.r.box = 0
        self.r.hand = hands - 2
        self.r.dry = 0
        self.box.n_hands = <uint8_t>hands
        if round_apply(&self.r, STAND, 0) > 0:
            raise AssertionError("a finished hand may not stand")
        return self.go_on()

    cdef void stack(self, tuple cards):
        cdef Py_ssize_t i
        self.empty()
        self.actions = []
        for i in range(len(cards)):
            self.put(cards[i])


cdef class Builder:
    """Finds every situation and numbers it."""

    def __init__(self, Bench b, list exact):
        self.b = b
        self.bet = b.bet
        self.rows, self.found, self.moves = {}, [], []
        self.results, self.events, self.places, self.contexts = {}, {}, {}, {}
        self.classes, self.class_hands, self.suited = {}, [], {}
        self.exact = exact
        self.place_rows = {}

    # -- situations of one hand

    cdef object _held(self, const HandState* h, int up, bint split):
        """What of a hand's cards an exception of the strategy may still look at."""
        cdef int i
        if not self.exact:
            return None
        counts = [0] * 10
        for i in range(h.n):
            counts[BJ_VALUE[h.cards[i]]] += 1
        for wanted, at, when, _ in self.exact:
            if at == up and (when is None or when == split) and sum(wanted) > h.n and all(
                    w >= c for w, c in zip(wanted, counts)):
                return tuple(counts)
        return None

    cdef tuple _playing(self, const HandState* h, int up, bint split):
        cdef int n = 0
        if self.b.rules.charlie_cards:
            n = h.n if h.n < self.b.rules.charlie_cards else self.b.rules.charlie_cards
        return (n, h.points, h.ace, h.doubled, h.stake, h.aces, self._held(h, up, split))

    cdef tuple _closed(self):
        """What of the player's one hand its settlement may look at."""
        cdef const HandState* h = &self.b.hands[0]
        if h.outcome == OPEN:
            return (0, total_of(h), is_natural(h), h.stake, 0, 0)
        return (h.outcome, 0, is_natural(h), h.stake, h.returned, h.pending)

    cdef tuple _insured(self):
        return (self.b.box.insured, self.b.box.insurance_settled, self.b.box.insurance_returned)

    cdef object _row(self, tuple key, tuple sample, int taker):
        if key not in self.rows:
            if len(self.found) >= ROWS:
                raise Unfit("too many situations")
            self.rows[key] = len(self.found)
            self.found.append((key, sample, taker))
        return ("row", self.rows[key])

    cdef bint _peeks(self, int up):
        return self.b.rules.hole_card == HOLE_PEEK and (self.b.rules.peek_mask >> up) & 1

    cdef tuple _after(self, tuple player, int up, int hole, tuple dealer, int status, int seen):
        """(target, actions) of a round that the bench has just gone through."""
        cdef Bench b = self.b
        cdef tuple told = tuple(b.actions[seen:])
        cdef int n = len(b.actions)
        sample = ("one", player, up, hole, dealer, n)
        if status == SPLITS:
            context = (up, hole, b.box.insured)
            return (self._event_split(context, player, up, hole), told)
        if status == NEEDS_PLAYER:
            key = ("p", up, hole, self._playing(&b.hands[0], up, False), self._insured())
            return (self._row(key, sample, 0), told)
        if b.rules.hole_card != HOLE_NONE and hole < 0:
            key = ("h", up, self._closed(), self._insured())
            return (self._row(key, sample, 2), told)
        if status == NEEDS_DEALER:
            key = ("d", min(b.r.dealer_n, 3), b.r.dealer_points, b.r.dealer_ace,
                   up if b.r.dealer_n == 1 else 0, self._closed(), self._insured())
            return (self._row(key, sample, 3), told)
        return (self._result(player, up, hole, dealer), told)

    cdef int _dealer_code(self, bint played):
        if self.b.r.dealer_blackjack:
            return DEALER_BLACKJACK
        if not played:
            return 0
        total = self.b.r.dealer_points
        if self.b.r.dealer_ace and total <= 11:
            total += 10
        return min(total, BUSTED)

    cdef tuple _facts(self):
        cdef const HandState* h = &self.b.hands[0]
        cdef BoxState* box = &self.b.box
        net = h.returned - h.stake + box.insurance_returned - box.insurance
        return (net, h.stake + box.insurance,
                box.insured | (2 if box.insurance_returned else 0), 1,
                self._dealer_code(h.outcome in (WIN, LOSE, PUSH)), h.outcome)

    cdef object _numbered(self, tuple facts):
        if facts not in self.results:
            if len(self.results) >= RESULTS:
                raise Unfit("too many results")
            self.results[facts] = len(self.results) + 1
        return self.results[facts]

    cdef object _result(self, tuple player, int up, int hole, tuple dealer):
        cdef Bench b = self.b
        facts = self._facts()
        plain = self._numbered(facts)
        if b.rules.suited and b.hands[0].outcome == BLACKJACK:
            b.alike = True
            b.deal(player, up, hole, dealer)
            b.alike = False
            pair = (plain, self._numbered(self._facts()))
            if pair[0] != pair[1]:
                return ("suited", self.suited.setdefault(pair, len(self.suited)))
        return ("result", plain)

    # -- situations after a split

    cdef int _most(self, int value):
        return min(self.b.rules.max_hands, self.b.rules.max_ace_hands) if value == 0 else self.b.rules.max_hands

    cdef object _event_split(self, tuple context, tuple player, int up, int hole):
        """The first split of a round: the place it goes on from."""
        value = player[0]
        if self.b.rules.max_hands > 8:
            raise Unfit("more than eight hands")
        if context not in self.contexts:
            self.contexts[context] = len(self.contexts)
        place = self.contexts[context] * 10 + value
        key = (context, value)
        if key not in self.places:
            self.places[key] = place
            base = (player, up, hole)
            for hands in range(2, self._most(value) + 1):
                self.place_rows[place, hands] = self._wait(context, value, base, hands)
            for need in range(0 if self.b.rules.charlie_cards else 1, 4):
                self.place_rows[place, 9 + need] = self._dealers_turn(context, base, need)
        return self._event(("split", place))

    cdef object _event(self, tuple event):
        if event not in self.events:
            self.events[event] = len(self.events) + 1
        return ("event", self.events[event])

    cdef object _wait(self, tuple context, int value, tuple base, int hands):
        most = self._most(value)
        rep = most if hands >= most else 2
        key = ("w", context, value, rep)
        return self._row(key, ("split", context, value, base, rep, ()), 0)

    cdef int _play_split(self, int value, tuple base, int hands, tuple cards):
        """Put the bench to the last hand of a split, with these cards on top of its first."""
        cdef Bench b = self.b
        cdef HandState* h
        cdef int hand
        player, up, hole = base
        if b.deal(player, up, hole, ()) != SPLITS:
            raise AssertionError("the strategy changed its mind")
        b.stack(cards)
        for hand in range(hands - 1):
            b.lay(hand, 22, BUST)
        h = &b.hands[hands - 1]
        memset(h, 0, sizeof(HandState))
        h.stake = b.bet
        h.split = h.n = 1
        h.aces = value == 0
        h.cards[0] = <uint8_t>(value * 4)
        h.points = <uint8_t>(value + 1)
        h.ace = value == 0
        if b.rules.hole_card != HOLE_NONE:      # the dealer has to draw: the hand is seen unsettled
            b.r.dealer_points = 12
            b.r.dealer_ace = 0
        return b.stir(hands)

    cdef tuple _after_split_card(self, tuple context, int value, tuple base, int hands, tuple cards):
        cdef Bench b = self.b
        cdef HandState* h = &b.hands[hands - 1]
        cdef int status = self._play_split(value, base, hands, cards)
        cdef int seen = 0
        cdef int up = base[1]
        if len(cards) > 1:                      # what was decided before the last card
            told = b.actions
            self._play_split(value, base, hands, cards[:len(cards) - 1])
            seen = len(b.actions)
            status = self._play_split(value, base, hands, cards)
        told = tuple(b.actions[seen:])
        if status == SPLITS:
            return (self._event(("split", self.places[context, value])), told)
        if status == NEEDS_PLAYER:
            key = ("s", up, context[1], context[2], self._playing(h, up, True))
            return (self._row(key, ("split", context, value, base, hands, cards), 0), told)
        return (self._event(("hand", self._class(h))), told)

    cdef int _class(self, const HandState* h) except -1:
        first_21 = (self.b.rules.split_ace_ten and h.outcome == OPEN and h.n == 2 and total_of(h) == 21)
        key = (h.outcome, total_of(h) if h.outcome == OPEN else 0, h.stake,
               h.returned if h.outcome == CHARLIE else 0, first_21)
        if key not in self.classes:
            if len(self.classes) >= CLASSES:
                raise Unfit("too many kinds of split hands")
            self.classes[key] = len(self.classes) + 1
            self.class_hands.append((<const char*>h)[:sizeof(HandState)])
        return self.classes[key]

    cdef object _dealers_turn(self, tuple context, tuple base, int need):
        """After the last hand of a split: 1 some hand is open, 2 some hand busted."""
        return self._after_hands(context, base, need, context[1], (), False)[0]

    cdef tuple _after_hands(self, tuple context, tuple base, int need, int hole, tuple dealer, bint looked):
        cdef Bench b = self.b
        cdef int status
        player, up, _ = base
        if b.deal(player, up, hole, ()) != SPLITS and hole == context[1]:
            raise AssertionError("the strategy changed its mind")
        b.stack(dealer)
        b.lay_two(need)
        b.r.dealer_blackjack = 0
        sample = ("hands", context, base, need, hole, dealer)
        if b.rules.hole_card != HOLE_NONE and hole < 0:
            return (self._row(("m", up, context[2], need), sample, 2), ())
        status = b.stir(2)
        if status == NEEDS_PLAYER or status == SPLITS:
            raise AssertionError("a finished hand was asked")
        if status == NEEDS_DEALER:
            key = ("e", min(b.r.dealer_n, 3), b.r.dealer_points, b.r.dealer_ace,
                   up if b.r.dealer_n == 1 else 0, need, context[2])
            return (self._row(key, sample, 3), ())
        code = self._dealer_code(need & 1)
        total = b.r.dealer_points + (10 if b.r.dealer_ace and b.r.dealer_points <= 11 else 0)
        final = (FINAL_BLACKJACK if code == DEALER_BLACKJACK else 0 if code == 0
                 else 8 if total > 22 else total - 16)
        return (("multi", final + 16 * context[2]), ())

    # -- from a situation with a card to the next

    cdef tuple _move(self, tuple key, tuple sample, int taker, int card):
        cdef Bench b = self.b
        cdef int status, hole
        if sample[0] == "start":
            return (self._row(("1", card), ("first", card), 0), ())
        if sample[0] == "first":
            a, c = sorted((sample[1], card))
            return (self._row(("2", a, c), ("pair", (c, a)), 1), ())
        if sample[0] == "pair":
            player = sample[1]
            if self._peeks(card):
                return (self._row(("k", player, card), ("peek", player, card), 2), ())
            return self._first(player, card, -1)
        if sample[0] == "peek":
            return self._first(sample[1], sample[2], card)
        if sample[0] == "one":
            _, player, up, hole, dealer, seen = sample
            if taker == 0:
                player += (card,)
            elif taker == 2:
                hole = card
            else:
                dealer += (card,)
            status = b.deal(player, up, hole, dealer)
            return self._after(player, up, hole, dealer, status, seen)
        if sample[0] == "split":
            _, context, value, base, hands, cards = sample
            return self._after_split_card(context, value, base, hands, cards + (card,))
        _, context, base, need, hole, dealer = sample
        if taker == 2:
            return self._after_hands(context, base, need, card, dealer, True)
        return self._after_hands(context, base, need, hole, dealer + (card,), True)

    cdef tuple _first(self, tuple player, int up, int hole):
        """Two cards and the upcard (and what the dealer looks at): the first decision."""
        cdef Bench b = self.b
        cdef int status = b.first_two(player, up, hole)
        return self._after(player, up, hole, (), status, 0)

    def run(self):
        """Every row's ten moves."""
        self._row(("0",), ("start",), 0)
        for b in range(10):         # the two-card hands one behind the other
            for a in range(b + 1):
                self._row(("2", a, b), ("pair", (b, a)), 1)
        i = 0
        while i < len(self.found):
            key, sample, taker = self.found[i]
            self.moves.append([self._move(key, sample, taker, card) for card in range(10)])
            i += 1

    # -- money of split hands

    def settled(self, bytes hand, int final):
        """(net, outcome, what the original bet caps) of a split hand against a dealer's final hand."""
        cdef Bench b = self.b
        cdef HandState* h
        cdef int takes = b.rules.takes, hole = b.rules.hole_card
        base = next(iter(self._bases()))
        b.deal(base[0], base[1], base[2], ())
        b.rules.takes = TAKES_ALL
        b.rules.hole_card = HOLE_NO_PEEK
        b.stack(())
        b.lay(0, 22, BUST)
        h = &b.hands[1]
        h[0] = (<HandState*><const char*>hand)[0]
        b.r.dealer_n = 3
        b.r.dealer_ace = 0
        b.r.dealer_points = <uint8_t>(16 + final if final else 20)
        if final == 8:
            b.r.dealer_points = 23
        if final == FINAL_BLACKJACK:
            b.r.dealer_n = 2
            b.r.dealer_ace = 1
            b.r.dealer_points = 11
        b.r.dealer_blackjack = 0
        status = b.stir(2)
        b.rules.takes = takes
        b.rules.hole_card = hole
        if status != OVER:
            raise AssertionError("a finished hand is not settled")
        lost = 0
        if final == FINAL_BLACKJACK and (
                (takes != TAKES_ALL and h.outcome == LOSE) or (takes == TAKES_ORIGINAL and h.outcome == BUST)):
            lost = h.stake
        return h.returned - h.stake, h.outcome, lost, h.stake

    def _bases(self):
        for key, sample, taker in self.found:
            if sample[0] == "split":
                yield sample[3]

    def insurance(self):
        """(stake, net when the dealer has a blackjack)."""
        cdef Bench b = self.b
        cdef int64_t stake
        if not b.rules.insurance_mask:
            return 0, 0
        b.box.bet = b.bet
        stake = insurance_stake(&b.r, 0)
        won = stake * b.rules.insurance_pays.num
        if won % b.rules.insurance_pays.den:
            raise Unfit("insurance does not come out whole in units")
        return stake, won // b.rules.insurance_pays.den


cdef Bench bench_of(object rules, bytes play, bytes offers, list exact, bint split_by_rank, int unit):
    """A bench where a strategy's plan decides."""
    cdef Bench b = Bench(rules, unit)
    if len(play) != 3840 or len(offers) != 960:
        raise ValueError("expected a plan of 1920 preferences and 960 offers")
    b._play, b._offers = play, offers
    b._exact, b._prefs = pack_exact(exact)
    b.plan.play = <const uint16_t*><const char*>b._play
    b.plan.offers = <const uint8_t*><const char*>b._offers
    b.plan.split_by_rank = split_by_rank
    b.plan.n_exact = <int>len(exact)
    b.plan.exact = <const uint64_t*><const char*>b._exact
    b.plan.exact_pref = <const uint16_t*><const char*>b._prefs
    return b


def build(RuleSet rules not None, bytes play not None, bytes offers not None, list exact, bint split_by_rank,
          int unit):
    """The table as plain Python data: see `blackjack_core.simulate.Program`."""
    cdef Builder m
    b = bench_of(rules, play, offers, exact, split_by_rank, unit)
    m = Builder(b, exact)
    m.run()
    classes = [[m.settled(hand, final) for final in range(9)] for hand in m.class_hands]
    return {
        "found": [(key, taker) for key, _, taker in m.found], "moves": m.moves,
        "results": list(m.results), "events": list(m.events), "suited": list(m.suited),
        "class_keys": list(m.classes), "classes": classes, "contexts": list(m.contexts),
        "place_rows": m.place_rows, "insurance": m.insurance(),
    }


def pack_exact(exact):
    """Exceptions by exact cards as two byte strings of numbers."""
    from array import array
    keys, prefs = array("Q"), array("H")
    for counts, up, split, pref in exact:
        key = up << 50 | (2 if split is None else int(split)) << 56
        for v, n in enumerate(counts):
            key |= min(n, 31) << 5 * v
        keys.append(key)
        prefs.append(pref)
    return keys.tobytes(), prefs.tobytes()
