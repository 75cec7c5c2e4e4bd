# cython: infer_types=False
"""The game as tables, hand by hand: any number of boxes and hands.

Lives here: `BoxTables`, made by playing the true round (automaton's bench) with one box from every
situation, and the dealer from every hand. Not here: a rule of the game, how the tables are played
(_sim_boxes.h and those who include it).

Boxes do not see each other: each decides by its own cards and the upcard. So one box's situations serve
all, whatever their number; what each finished hand asks of the dealer is put together, the dealer
plays once, and every hand is settled by its class. A class is what the true round paid a hand for
each of the dealer's final hands: none, 17 to 21, 22, blackjack, 23 and more.
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memset
from .automaton import Unfit
from .automaton cimport FINAL_BLACKJACK, NEEDS_PLAYER, OTHER_TEN, OVER, PLACEHOLDER, SPLITS, Bench, Builder, bench_of
from .machine cimport *
from .ruleset cimport RuleSet

FINALS = 9
DEALER_CODES = (0, 17, 18, 19, 20, 21, 22, 23, 22)
cdef enum:
    MOST_CLASSES = 255
    MOST_UNITS = 32767          # of a box: the kernels keep it in 16 bits


cdef class BoxBuilder(Builder):
    """Finds every situation of a box and of the dealer."""
    cdef dict numbers       # (upcard, hole card or -1) -> context
    cdef dict ends          # what of a finished box its settlement may look at -> event
    cdef list kinds         # [stake, one (net, outcome, flags) per final hand or None] of whole boxes
    cdef dict paths         # (upcard, final) -> the dealer's further cards
    cdef dict asking        # place -> what a split box asks by what its hands do

    def __init__(self, Bench b, list exact):
        Builder.__init__(self, b, exact)
        self.numbers, self.ends, self.kinds, self.paths, self.asking = {}, {}, [], {}, {}

    # -- the dealer

    cdef tuple _dealer(self, int up, int want, tuple cards):
        """(target, actions) of a dealer with an upcard and these cards, asked for a total (3), a blackjack (1) or
        nothing (0)."""
        cdef Bench b = self.b
        cdef HandState* h
        cdef int total
        holds = b.rules.hole_card != HOLE_NONE
        b.deal((8, 5), up, cards[0] if holds else -1, ())
        if b.r.dealer_blackjack and b.r.peeked:
            return (self._event(("final", FINAL_BLACKJACK)), ())
        b.stack(cards[1:] if holds else cards)
        h = b.lay(0, 22, BUST) if want == 0 else b.lay(0, 20, OPEN)
        if want == 1:                           # a blackjack hangs on the dealer's second card only
            h.points, h.n, h.ace, h.split = 11, 2, 1, 0
        b.r.dealer_blackjack = 0
        b.r.phase = PLAY
        b.r.box = b.r.hand = b.r.dry = 0
        b.box.n_hands = 1
        b.box.insured = 0
        if round_apply(&b.r, STAND, 0) > 0:
            raise AssertionError("a finished hand may not stand")
        if b.r.phase != DONE:
            key = ("d", min(b.r.dealer_n, 3), b.r.dealer_points, b.r.dealer_ace,
                   up if b.r.dealer_n == 1 else 0, want)
            return (self._row(key, ("dealer", up, want, cards), 3), ())
        total = b.r.dealer_points + (10 if b.r.dealer_ace and b.r.dealer_points <= 11 else 0)
        if b.r.dealer_blackjack:
            return (self._event(("final", FINAL_BLACKJACK)), ())
        if want != 3:
            return (self._event(("final", 0)), ())
        return (self._event(("final", 8 if total > 22 else total - 16)), ())

    cdef object _dealer_from(self, int up, int hole, int want):
        """Where the dealer begins when the boxes are done."""
        if self.b.rules.hole_card == HOLE_NONE:
            return self._dealer(up, want, ())[0]
        if hole < 0:
            return self._row(("m", up, want), ("dealer", up, want, ()), 2)
        return self._dealer(up, want, (hole,))[0]

    cdef _find_paths(self):
        """For each upcard and final hand, as few cards of the dealer as lead there."""
        names = list(self.events)
        for up in range(10):
            todo = [((card,), self._dealer(up, 3, (card,))[0]) for card in range(10)]
            seen = set()
            for cards, (kind, at) in todo:
                if kind == "event":
                    name = list(self.events)[at - 1] if len(names) < at else names[at - 1]
                    self.paths.setdefault((up, name[1]), cards)
                elif at not in seen:
                    seen.add(at)
                    todo += [((*cards, card), self._dealer(up, 3, (*cards, card))[0]) for card in range(10)]

    # -- a box

    cdef object _context(self, int up, int hole):
        key = (up, hole)
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers)
        blackjack = hole >= 0 and {up, hole} == {0, 9}
        return self._row(("b", up, blackjack), ("box", up, blackjack), 0)

    cdef tuple _first_two(self, tuple player, int up, bint blackjack):
        if self.b.plan.split_by_rank and player == (9, 9):
            return self._by_rank(self._two_cards(player, up, blackjack),
                                 self._two_cards((9, OTHER_TEN), up, blackjack))
        return self._two_cards(player, up, blackjack)

    cdef tuple _two_cards(self, tuple player, int up, bint blackjack):
        cdef int hole = (9 if up == 0 else 0) if blackjack else -1
        cdef int status = self.b.deal(player, up, hole, ())
        return self._box_after(player, up, blackjack, status, 0)

    cdef tuple _by_rank(self, tuple alike, tuple unlike):
        """Where two tens lead to: as their ranks are alike or not, if that matters."""
        if alike == unlike:
            return alike
        _, row = self._row(("r", unlike, alike), ("rank", unlike, alike), 0)
        return (self._event(("rank", row)), ())

    cdef tuple _box_after(self, tuple player, int up, bint blackjack, int status, int seen):
        cdef Bench b = self.b
        cdef int n = len(b.actions)
        told = list(b.actions[seen:])
        if b.offered and seen == 0:
            told[0] += 4
        if status == SPLITS:
            return (self._event_split((up, -1, b.box.insured), player, up, -1), tuple(told))
        if status == NEEDS_PLAYER:
            key = ("p", up, self._playing(&b.hands[0], up, False), self._insured())
            return (self._row(key, ("one", player, up, n), 0), tuple(told))
        return (self._box_end(player, up, blackjack, status), tuple(told))

    cdef object _box_end(self, tuple player, int up, bint blackjack, int status):
        cdef Bench b = self.b
        key = (up, blackjack, self._closed(), b.hands[0].doubled, self._insured())
        if key not in self.ends:
            natural = b.rules.suited and is_natural(&b.hands[0])
            asks = self._asks(player, up, blackjack, status)
            plain = self._settlements(player, up, blackjack, asks)
            alike = plain
            if natural:
                b.alike = True
                alike = self._settlements(player, up, blackjack, asks)
                b.alike = False
            self.ends[key] = ("box", self._kind(plain), self._kind(alike), asks)
        return self._event(self.ends[key])

    cdef int _asks(self, tuple player, int up, bint blackjack, int status):
        """Does the box need the dealer's second card (1), total (3), or nothing (0)?"""
        cdef Bench b = self.b
        if blackjack or status == OVER:
            return 0
        if b.rules.hole_card != HOLE_NONE:
            return 3
        return 1 if b.deal(player, up, -1, (PLACEHOLDER,)) == OVER else 3

    cdef list _settlements(self, tuple player, int up, bint blackjack, int asks):
        """[stake, what the true round pays for each final hand of the dealer]."""
        cdef Bench b = self.b
        cdef int final
        cdef HandState* h = &b.hands[0]
        cdef bint holds = b.rules.hole_card != HOLE_NONE
        found = [None] * FINALS
        stake = 0
        for final in range(FINALS):
            if blackjack:
                cards = ((9 if up == 0 else 0),) if final == FINAL_BLACKJACK else None
            elif final == 0:
                cards = None if asks == 3 else (PLACEHOLDER,)
            elif final == FINAL_BLACKJACK and self._peeks(up):
                cards = None
            else:
                cards = self.paths.get((up, final))
            if cards is None:
                continue
            if holds:
                status = b.deal(player, up, cards[0], cards[1:])
            else:
                status = b.deal(player, up, -1, cards)
            if status != OVER:
                raise AssertionError("a finished box is not settled")
            flags = 4 | b.box.insured | (2 if b.box.insurance_returned else 0)
            net = h.returned - h.stake + b.box.insurance_returned - b.box.insurance
            stake = h.stake + b.box.insurance
            found[final] = (net, h.outcome, flags)
        return [stake, *found]

    cdef int _kind(self, list wanted) except -1:
        """The number of what a box is worth; hands that no final hand tells apart share one."""
        for i, known in enumerate(self.kinds):
            if all(a == b or a is None or b is None for a, b in zip(known, wanted)):
                self.kinds[i] = [b if a is None else a for a, b in zip(known, wanted)]
                return i
        self.kinds.append(wanted)
        return len(self.kinds) - 1

    # -- a split box

    cdef object _event_split(self, tuple context, tuple player, int up, int hole):
        cdef int need
        value = player[0]
        key = (context, value)
        if key not in self.places:
            place = self.places[key] = len(self.places)
            base = (player, up, hole)
            self.place_rows[place, 0] = self._wait(context, value, base, 2)
            self.place_rows[place, 1] = self._wait(context, value, base, self._most(value))
            self.asking[place] = [self._hands_ask(base, need) for need in range(4)]
        return self._event(("split", self.places[key]))

    cdef int _hands_ask(self, tuple base, int need):
        """What hands after a split ask of the dealer: 1 some hand is open, 2 some hand busted."""
        cdef Bench b = self.b
        cdef int tries, status = OVER
        player, up, hole = base
        for tries in range(2):
            if b.deal(player, up, hole, ()) != SPLITS:
                raise AssertionError("the strategy changed its mind")
            b.stack((PLACEHOLDER,) if tries else ())
            b.lay_two(need)
            b.r.dealer_blackjack = 0
            status = b.stir(2)
            if status == NEEDS_PLAYER or status == SPLITS:
                raise AssertionError("a finished hand was asked")
            if status == OVER:
                return tries
            if b.rules.hole_card != HOLE_NONE:
                return 3
        return 3

    # -- from a situation with a card to the next

    cdef tuple _move(self, tuple key, tuple sample, int taker, int card):
        cdef int status
        kind = sample[0]
        if kind == "up":
            if self._peeks(card):
                return (self._row(("k", card), ("hole", card), 2), ())
            return (self._context(card, -1), ())
        if kind == "hole":
            return (self._context(sample[1], card), ())
        if kind == "box":
            _, up, blackjack = sample
            return (self._row(("c", up, blackjack, card), ("second", up, blackjack, card), 0), ())
        if kind == "second":
            _, up, blackjack, other = sample
            return self._first_two((max(other, card), min(other, card)), up, blackjack)
        if kind == "one":
            _, player, up, seen = sample
            player += (card,)
            status = self.b.deal(player, up, -1, ())
            return self._box_after(player, up, False, status, seen)
        if kind == "split":
            _, context, value, base, hands, cards = sample
            to = self._after_split_card(context, value, base, hands, cards + (card,))
            if self.b.plan.split_by_rank and value == 9 and cards + (card,) == (9,):
                return self._by_rank(to, self._after_split_card(context, value, base, hands, (OTHER_TEN,)))
            return to
        if kind == "rank":
            return sample[2] if card == 1 else sample[1]
        _, up, want, cards = sample
        return self._dealer(up, want, cards + (card,))

    def run(self):
        """Every row's ten moves; the dealer's rows by (upcard, hole card), by what is asked of it."""
        self._find_paths()
        self._row(("0",), ("up",), 1)
        dealers = {}
        i = done = 0
        while i < len(self.found) or done < len(self.numbers):
            if i < len(self.found):
                key, sample, taker = self.found[i]
                self.moves.append([self._move(key, sample, taker, card) for card in range(10)])
                i += 1
            else:
                up, hole = list(self.numbers)[done]
                wants = [0] if hole >= 0 and {up, hole} == {0, 9} else [0, 1, 3]
                dealers[up, hole] = {want: self._dealer_from(up, hole, want) for want in wants}
                done += 1
        return dealers


def build_boxes(RuleSet rules not None, bytes play not None, bytes offers not None, list exact,
                bint split_by_rank, int unit):
    """The tables as plain Python data: see `BoxTables`."""
    cdef BoxBuilder m = BoxBuilder(bench_of(rules, play, offers, exact, split_by_rank, unit), exact)
    dealers = m.run()
    classes = []
    for hand in m.class_hands:
        facts = [m.settled(hand, final) for final in range(FINALS)]
        classes.append((facts[0][3], [(net, outcome, 4) for net, outcome, _, _ in facts], [f[2] for f in facts]))
    first_box = len(classes) + 1
    for stake, *facts in m.kinds:
        classes.append((stake, [(0, 0, 0) if f is None else f for f in facts], [0] * FINALS))
    stake, won = m.insurance()
    insured = [(won, 0, 3) if final == FINAL_BLACKJACK else (-stake, 0, 1) for final in range(FINALS)]
    classes.append((stake, insured, [0] * FINALS))
    if len(classes) > MOST_CLASSES:
        raise Unfit("too many kinds of finished hands")
    return {
        "found": [(key, taker) for key, _, taker in m.found], "moves": m.moves, "events": list(m.events),
        "classes": classes, "first_box": first_box, "dealers": dealers,
        "places": [(at, key[0], m._most(key[1])) for key, at in m.places.items()],
        "place_rows": m.place_rows, "asking": m.asking, "class_keys": list(m.classes),
    }


cdef int count_shoe(bytes cards, uint16_t* counts, uint16_t* suits) except -1:
    """Cards by value, and aces and ten-values by suit, four numbers each; the answer is the layout of _sim.h."""
    cdef int code, v
    if not cards or len(cards) >= 65535:
        raise ValueError(f"expected a shoe of 1 to 65534 cards, got {len(cards)}")
    for code in cards:
        v = min(code >> 2, 9)
        counts[v] += 1
        if v == 0 or v == 9:
            suits[4 * (v == 9) + (code & 3)] += 1
    if len(cards) - counts[9] <= 255:
        return 0
    return 1 if counts[0] + counts[1] + counts[2] + counts[3] + counts[4] + counts[5] <= 255 and (
        counts[7] + counts[8] + counts[9] <= 255) else 2


cdef class BoxTables:
    """BoxTables(rules, *, cards, infinite, depth, capacity, burn, boxes, play, offers, exact, split_by_rank, unit)
    --

    A game and a strategy made ready, hand by hand: the arguments of `blackjack_core.simulate.Program`.
    Raises `Unfit` for the few that do not fit. `cards_only` says why the tables can be played with real cards
    only (_rows_round.h), not by the kernels of values; else it is empty.
    """

    def __cinit__(self):
        memset(&self.b, 0, sizeof(SimBoxes))
        self.cards_only = ""

    def __init__(self, RuleSet rules not None, *, bytes cards not None, bint infinite=False, int depth=0,
                 int capacity=0, int burn=0, int boxes=1, bytes play not None, bytes offers not None,
                 exact=(), bint split_by_rank=False, int unit=2):
        self._shoe(cards, infinite, depth, capacity, burn)
        self.source = build_boxes(rules, play, offers, list(exact), split_by_rank, unit)
        self.b.boxes, self.b.bet = boxes, unit
        self.b.room = boxes * (rules.t.max_hands + 1)
        self.b.capped = rules.t.takes != TAKES_ALL
        self.b.upcard_second = rules.t.upcard_second and rules.t.hole_card != HOLE_NONE
        self.b.hole_dealt = rules.t.hole_card != HOLE_NONE
        self._fill()

    def __dealloc__(self):
        PyMem_Free(self.memory)

    cdef _shoe(self, cards, infinite, depth, capacity, burn):
        cdef SimBoxes* t = &self.b
        t.layout = count_shoe(cards, t.counts, &t.suits[0][0])
        t.size, t.infinite, t.burn = len(cards), infinite, 0 if infinite else burn
        t.limit = 0 if infinite else max(0, len(cards) - depth)
        # the fewest cards with which a round may begin
        fewest = len(cards) - burn if depth <= burn else t.limit + 1
        t.deep = not infinite and fewest < capacity

    cdef _fill(self):
        """Number the situations and write the tables."""
        cdef SimBoxes* t = &self.b
        cdef uint16_t* next_
        cdef uint32_t* actions
        cdef BoxEvent* events
        cdef BoxPlace* places
        cdef uint16_t* begin
        cdef uint16_t* dealer
        cdef uint16_t* starts
        cdef uint8_t* late
        cdef int i, k, n_rows, n_contexts
        s = self.source
        found, moves = s["found"], s["moves"]
        pairs = sorted((key, i) for i, (key, _) in enumerate(found) if key[0] == "c")
        contexts = [i for i, (key, _) in enumerate(found) if key[0] == "k"]
        contexts += [i for i, (key, _) in enumerate(found) if key[0] == "0"]
        order = [i for _, i in pairs] + [i for i, (key, _) in enumerate(found) if key[0] not in "ck0"] + contexts
        names = sorted(s["events"], key=lambda e: (0, e[3]) if e[0] == "box" else (1 if e[0] == "final" else 2, 0))
        t.ends = sum(event[0] == "box" for event in names)
        t.results = t.ends + t.ends + 1 + SIM_LANES * t.boxes
        t.finals = t.results + sum(event[0] == "final" for event in names)
        codes = [*range(1, t.ends + 1), *range(t.results + 1, t.results + 1 + len(names) - t.ends)]
        numbered = {s["events"].index(event) + 1: at for at, event in zip(codes, names)}
        t.rows = (codes[len(codes) - 1] // 10 + 1) * 10
        number = {row: t.rows + 10 * at for at, row in enumerate(order)}
        n_rows = t.rows // 10 + len(order)
        if 10 * n_rows > 65000:
            raise Unfit("too many situations")
        n_contexts = 10 * len(contexts)
        sizes = [40 * n_rows, sizeof(BoxEvent) * t.rows, sizeof(BoxPlace) * (len(s["places"]) + 1),
                 20 * n_rows, 2 * n_contexts, 8 * n_contexts, 20 * len(pairs), n_contexts]
        at = [sum(sizes[:i]) + 8 * i & ~7 for i in range(len(sizes) + 1)]
        PyMem_Free(self.memory)
        self.memory = PyMem_Calloc(1, at[8] + 64)
        if self.memory == NULL:
            raise MemoryError
        actions = <uint32_t*>(<char*>self.memory + <int>at[0])
        events = <BoxEvent*>(<char*>self.memory + <int>at[1])
        places = <BoxPlace*>(<char*>self.memory + <int>at[2])
        next_ = <uint16_t*>(<char*>self.memory + <int>at[3])
        begin = <uint16_t*>(<char*>self.memory + <int>at[4])
        dealer = <uint16_t*>(<char*>self.memory + <int>at[5])
        starts = <uint16_t*>(<char*>self.memory + <int>at[6])
        late = <uint8_t*>(<char*>self.memory + <int>at[7])

        def target(to):
            return number[to[1]] if to[0] == "row" else numbered[to[1]]

        for i in range(10 * n_rows):
            actions[i] = 0xffffffff
        for row, first in number.items():
            for k in range(10):
                to, told = moves[row][k]
                next_[<int>first + k] = <uint16_t><int>target(to)
                if len(told) > 7:
                    raise Unfit("too many decisions on one card")
                word = 0xffffffff
                for j, action in enumerate(told):
                    word = word & ~(15 << 4 * j) | action << 4 * j
                actions[<int>first + k] = <uint32_t>word
        t.ranks = any(event[0] == "rank" for event in names)
        if t.ranks:
            self.cards_only = "tens of one rank are played otherwise than others"
        for i, event in zip(codes, names):
            self._write_event(&events[i], event)
            if event[0] == "rank":
                events[i].at = number[event[1]]
        for i, context, most in s["places"]:
            places[<int>i].more = target(s["place_rows"][i, 0])
            places[<int>i].full = target(s["place_rows"][i, 1])
            places[<int>i].most = most
            places[<int>i].insured = len(s["classes"]) if context[2] else 0
            for k in range(4):
                places[<int>i].asks[k] = s["asking"][i][k]
        for i in range(n_contexts):
            key = found[contexts[i // 10]][0]
            up, hole = (i % 10, -1) if key[0] == "0" else (key[1], i % 10)
            if (up, hole) not in s["dealers"]:  # the hole card is to come
                continue
            begin[i] = target(moves[contexts[i // 10]][i % 10][0])
            late[i] = t.hole_dealt and hole < 0
            for k, to in s["dealers"][up, hole].items():
                dealer[4 * i + k] = target(to)
        for i, (key, _) in enumerate(pairs):
            for k in range(10):
                starts[10 * i + k] = start_class(key[3], k) * 10 + key[1]
        t.actions, t.events, t.places, t.next = actions, events, places, next_
        t.begin, t.dealer, t.start_class, t.late = begin, dealer, starts, late
        t.n_rows, t.start = n_rows, number[contexts[len(contexts) - 1]]
        t.first_context, t.last_context = number[contexts[0]], n_contexts - 1
        t.first_pair, t.last_pair = t.rows, 10 * len(pairs) - 1
        self._classes(s["classes"])

    cdef _classes(self, list classes):
        """What each class wins, loses and counts as."""
        cdef SimBoxes* t = &self.b
        cdef int i, k
        columns = []
        for i, (stake, facts, lost) in enumerate(classes):
            t.stake[i + 1] = stake
            for k in range(FINALS):
                t.pay[k][i + 1], t.outcome[k][i + 1], t.flags[k][i + 1] = facts[k]
                t.lost[k][i + 1] = lost[k]
            t.column[i + 1][0] = column_of(columns, [(fact[1], 4) if fact[2] & 4 else None for fact in facts])
            t.column[i + 1][1] = column_of(columns, [(0, fact[2] & 3) if fact[2] & 3 else None for fact in facts])
        if len(columns) > BOX_STAKED - BOX_COLUMN:
            self.cards_only = "too many kinds of outcomes"
            del columns[BOX_STAKED - BOX_COLUMN:]
        for i, column in enumerate(columns):
            for k in range(FINALS):
                t.column_outcome[k][BOX_COLUMN + i], t.column_flags[k][BOX_COLUMN + i] = column[k] or (0, 0)
        t.insurance = len(classes)
        most = max(abs(fact[0]) for _, facts, _ in classes for fact in facts)
        if t.room // t.boxes * max(most, *(stake for stake, _, _ in classes)) > MOST_UNITS:
            self.cards_only = "a round may win or lose too many units"
        for k in range(FINALS):
            t.dealer_code[k] = DEALER_CODES[k]

    cdef _write_event(self, BoxEvent* e, tuple event):
        kind, at = event[0], event[1]
        if kind == "box":
            e.kind, e.asks = BOX_END, event[3]
            e.cls, e.alike = self.source["first_box"] + at, self.source["first_box"] + event[2]
        elif kind == "hand":
            outcome = self.source["class_keys"][at - 1][0]
            e.kind, e.cls, e.alike = BOX_HAND, at, at
            e.asks = 1 if outcome == OPEN else 2 if outcome == BUST else 0
        else:
            e.kind = {"split": BOX_SPLIT, "final": BOX_FINAL, "rank": BOX_RANK}[kind]
            e.at = at

    @property
    def rows(self):
        """Situations."""
        return self.b.n_rows

    def tables(self):
        """The tables as Python data, for tests: what `_sim_boxes.h` says of `SimBoxes`."""
        cdef SimBoxes* t = &self.b
        cdef int i, k, n = <int>(10 * t.n_rows)
        return {
            "next": [t.next[i] for i in range(n)], "actions": [t.actions[i] for i in range(n)],
            "rows": t.rows, "start": t.start, "first_pair": t.first_pair, "last_pair": t.last_pair,
            "events": [(t.events[i].kind, t.events[i].at, t.events[i].cls, t.events[i].alike, t.events[i].asks)
                       for i in range(<int>t.rows)],
            "places": [(t.places[i].more, t.places[i].full, t.places[i].most, t.places[i].insured,
                        [t.places[i].asks[k] for k in range(4)]) for i in range(len(self.source["places"]))],
            "ends": t.ends, "finals": t.finals, "first_context": t.first_context,
            "begin": [t.begin[i] for i in range(t.last_context + 1)],
            "dealer": [t.dealer[i] for i in range(4 * (t.last_context + 1))],
            "late": [t.late[i] for i in range(t.last_context + 1)],
            "classes": len(self.source["classes"]),
        }


def column_of(list columns, list means):
    """Where a class that means this for the dealer's final hands (None: it cannot be) is counted; 0: nowhere."""
    if not any(means):
        return 0
    for i, known in enumerate(columns):
        if all(a == b or a is None or b is None for a, b in zip(known, means)):
            columns[i] = [b if a is None else a for a, b in zip(known, means)]
            return BOX_COLUMN + i
    columns.append(means)
    return BOX_COLUMN + len(columns) - 1


def start_class(int first, int second):
    """kind * 32 + row of two cards by value, as in a plan."""
    a, b = min(first, second), max(first, second)
    if a == b:
        return 64 + a + 1
    return 32 + b + 12 if a == 0 else a + b + 2
