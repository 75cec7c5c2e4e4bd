"""The bulk simulator.

Lives here: `Program`, a game and a strategy made ready to be played in bulk, and its runs. Not here: the
rules (machine), the table of situations (automaton), how rows of cards are dealt (_sim_kernel.h), chunks
and what the sums mean to people (blackjack.simulation).

The kernels release the GIL and share nothing but the program's tables, which never change: one program
may be run by many threads at a time.
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdint cimport INT64_MAX
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from .automaton import Unfit, build, pack_exact
from .boxes cimport BoxTables, SimBoxes, count_shoe
from .hand cimport BJ_VALUE
from .machine cimport *
from .plan cimport Plan, plan_action, plan_row
from .rng cimport RNG_XOSHIRO, Rng, rng_key
from .stream cimport RowShoe, row_shoe
from .ruleset cimport RuleSet, RuleTable
from .shoe cimport SHOE_FINITE, SHOE_INFINITE, ShoeState, shoe_begin, shuffle_cards

cdef extern from "_sim.h" nogil:
    enum:
        SIM_LANES, SIM_CLASSES, SIM_FINALS, SIM_MULTI, SIM_SPAN, SIM_HIST, SIM_SUMS, SIM_WINDOW, SIM_DRAWN
        O_ROUNDS, O_NET, O_NET_SQ, O_STAKED, O_INSURED, O_INSURED_WON, O_CARDS, O_SHOES
        O_HANDS, N_HANDS, O_OUTCOMES, N_OUTCOMES, O_DEALER, N_DEALER, O_VALUES, N_VALUES
        O_START_COUNT, O_START_NET, O_START_SQ, N_START
    ctypedef struct SimResult:
        int32_t net, staked
        uint8_t insured, hands, dealer, outcome
    ctypedef struct SimEvent:
        uint16_t place
        uint8_t split, cls, need, shift
    ctypedef struct SimTables:
        const uint16_t* next
        const uint32_t* actions
        const uint8_t* taker
        uint32_t n_rows
        uint16_t special_end, first_pair, start, n_results, n_suited
        SimResult results[1024]
        uint16_t suited[1024][2]
        SimEvent* events
        uint16_t* places
        int32_t pay[256][9]
        int32_t lost[256][9]
        uint8_t outcome[256][9]
        int32_t stake[256]
        int32_t insurance_net[2][9]
        int32_t insurance_stake, bet
        uint8_t dealer_code[9]
        uint16_t counts[10]
        uint16_t size, limit
        uint8_t infinite, deep, layout, hole_dealt, upcard_second
        uint16_t suits[2][4]
    ctypedef struct SimJob:
        uint64_t key[4]
        uint64_t chunk, rounds, shoes
        int chacha, detail
    ctypedef struct SimTrace:
        uint8_t* cards
        uint8_t* n_cards
        uint8_t* actions
        uint8_t* n_actions
        uint8_t* outcome
        uint8_t* suited
        int32_t* net
        int width, a_width, first_dealer_is_hole, hole_dealt
    int sim_run_scalar(const SimTables*, const SimJob*, int64_t*)
    int sim_run_sse41(const SimTables*, const SimJob*, int64_t*)
    int sim_run_avx2(const SimTables*, const SimJob*, int64_t*)
    int sim_run_avx512(const SimTables*, const SimJob*, int64_t*)
    int sim_has(int)
    void sim_words(const uint64_t*, uint64_t, uint32_t, uint32_t, uint32_t*)
    int sim_trace(const SimTables*, const SimJob*, int64_t*, const SimTrace*)

cdef extern from "_sim_boxes.h" nogil:
    int sim_boxes_scalar(const SimBoxes*, const SimJob*, int64_t*)
    int sim_boxes_sse41(const SimBoxes*, const SimJob*, int64_t*)
    int sim_boxes_avx2(const SimBoxes*, const SimJob*, int64_t*)
    int sim_boxes_avx512(const SimBoxes*, const SimJob*, int64_t*)

cdef extern from "_rows.h" nogil:
    int sim_cards(const SimBoxes*, const RowShoe*, const SimJob*, int64_t*)

STREAM = "bj-sim-1"
BOXES_STREAM = "bj-sim-boxes-2"
CARDS_STREAM = "bj-sim-cards-1"
GENERAL_STREAM = "bj-sim-general-1"
GENERATORS = ("xoshiro256++", "chacha20")
LANES = SIM_LANES
SIZE = SIM_SUMS
VALUE_ZERO = SIM_SPAN
MAX_ROUNDS = 65535 * SIM_LANES
_NAMES = ("scalar", "sse4.1", "avx2", "avx512")
ISAS = tuple(_NAMES[i] for i in (3, 2, 1, 0) if sim_has(i))
LAYOUT = {
    "rounds": (O_ROUNDS, 1), "net": (O_NET, 1), "net_sq": (O_NET_SQ, 1), "staked": (O_STAKED, 1),
    "insured": (O_INSURED, 1), "insured_won": (O_INSURED_WON, 1), "cards": (O_CARDS, 1),
    "shoes": (O_SHOES, 1), "hands": (O_HANDS, N_HANDS), "outcomes": (O_OUTCOMES, N_OUTCOMES),
    "dealer": (O_DEALER, N_DEALER), "values": (O_VALUES, N_VALUES),
    "start_count": (O_START_COUNT, N_START), "start_net": (O_START_NET, N_START),
    "start_sq": (O_START_SQ, N_START),
}


cdef class Program:
    """Program(rules, *, cards, infinite, depth, capacity, burn, boxes, play, offers, exact, split_by_rank, unit)
    --

    A game and a strategy made ready. `cards` are the whole shoe's codes (one deck's for an infinite one);
    a round that would begin with `depth` cards dealt (burn cards too) is begun with a shuffle; `capacity`
    is the most cards of a round. `play`, `offers`, `exact` are a strategy's plan; `unit` the bet.
    """
    cdef SimTables t
    cdef void* memory
    cdef readonly str path
    cdef readonly str why
    cdef readonly int rows
    cdef RuleSet rules
    cdef readonly dict source
    cdef readonly BoxTables by_box
    cdef Plan plan
    cdef const uint8_t* full
    cdef bytes cards, play, offers, exact_keys, exact_prefs
    cdef int boxes, depth, burn, unit
    cdef bint real          # played with real cards

    def __cinit__(self):
        memset(&self.t, 0, sizeof(SimTables))

    def __init__(self, RuleSet rules not None, *, bytes cards not None, bint infinite=False, int depth=0,
                 int capacity=0, int burn=0, int boxes=1, bytes play not None, bytes offers not None,
                 exact=(), bint split_by_rank=False, int unit=2, bint general=False, bint boxwise=False,
                 bint cardwise=False):
        if len(play) != 3840 or len(offers) != 960:
            raise ValueError("expected a plan of 1920 preferences and 960 offers")
        if not 1 <= boxes <= rules.t.boxes or unit < 1 or depth < 0 or burn < 0:
            raise ValueError("expected boxes within the rules', unit of 1 or more, depth and burn of 0 or more")
        self.rules = rules
        self.cards, self.play, self.offers = cards, play, offers
        self.full = <const uint8_t*><const char*>self.cards
        self.exact_keys, self.exact_prefs = pack_exact(exact)
        self.plan.play = <const uint16_t*><const char*>self.play
        self.plan.offers = <const uint8_t*><const char*>self.offers
        self.plan.split_by_rank = split_by_rank
        self.plan.n_exact = <int>len(exact)
        self.plan.exact = <const uint64_t*><const char*>self.exact_keys
        self.plan.exact_pref = <const uint16_t*><const char*>self.exact_prefs
        self.boxes, self.depth, self.burn, self.unit = boxes, depth, burn, unit
        self.source = None
        self.path, self.why = "vector", ""
        self._shoe(cards, infinite, depth, capacity, burn)
        try:
            if general or boxwise or cardwise:
                raise Unfit("asked for")
            if boxes != 1:
                raise Unfit("several boxes")
            if self.t.deep and burn:
                raise Unfit("burnt cards may come back inside a round")
            if self.t.deep and (self.t.limit < SIM_WINDOW or capacity > min(len(cards), SIM_DRAWN - 32)):
                raise Unfit("very few cards may be left for a round")
            self.source = build(rules, play, offers, list(exact), split_by_rank, unit)
            self._tables(unit)
        except Unfit as error:
            self.t.next = NULL
            self.path, self.why = "boxes", str(error)
            if general:
                self.path = "general"
                return
            try:
                self.by_box = BoxTables(rules, cards=cards, infinite=infinite, depth=depth, capacity=capacity,
                                        burn=burn, boxes=boxes, play=play, offers=offers, exact=exact,
                                        split_by_rank=split_by_rank, unit=unit)
                self.rows = self.by_box.rows
                why = self.by_box.cards_only
                if not why and self.t.layout == 2 and not boxwise:
                    why = "a shoe of more cards of some ranks than a byte counts"
                self.real = cardwise or why
                if self.real:
                    self.path, self.why = "cards", why or self.why
            except Unfit as worse:
                self.path, self.why = "general", str(worse)
            return
        if self.t.layout == 2:
            self.path, self.why = "scalar", "a shoe of more cards of some ranks than a byte counts"

    def __dealloc__(self):
        PyMem_Free(self.memory)

    cdef _shoe(self, bytes cards, bint infinite, int depth, int capacity, int burn):
        self.t.layout = count_shoe(cards, self.t.counts, &self.t.suits[0][0])
        self.t.size = <uint16_t>len(cards)
        self.t.infinite = infinite
        self.t.limit = 0 if infinite else <uint16_t>max(0, min(len(cards), len(cards) - max(0, depth - burn)))
        self.t.deep = not infinite and self.t.limit + 1 < capacity + burn
        self.t.hole_dealt = self.rules.t.hole_card != HOLE_NONE
        self.t.upcard_second = self.rules.t.upcard_second

    cdef _tables(self, int unit):
        cdef SimTables* t = &self.t
        cdef uint16_t* next_
        cdef uint32_t* actions
        cdef uint8_t* taker
        cdef int i, k, f
        s = self.source
        found, moves, events = s["found"], s["moves"], s["events"]
        n_events = len(events)
        # idle, events, two-card hands, the others, start
        order = [i for i in range(len(found)) if found[i][0][0] == "2"]
        order += [i for i in range(1, len(found)) if found[i][0][0] != "2"] + [0]
        number = {row: 1 + n_events + at for at, row in enumerate(order)}
        rows = 1 + n_events + len(order)
        start, n_results = 10 * (rows - 1), len(s["results"])
        if 10 * rows + n_results + SIM_MULTI + len(s["suited"]) + 8 > 65535:
            raise Unfit("too many situations")

        def target(to):
            kind, at = to
            if kind == "row":
                return 10 * number[at]
            if kind == "event":
                return 10 * at
            if kind == "result":
                return start + at
            return start + n_results + 1 + at + (SIM_MULTI if kind == "suited" else 0)

        places = 10 * len(s["contexts"])
        at_actions = 20 * rows
        at_events = at_actions + 40 * rows
        at_places = at_events + <int>sizeof(SimEvent) * (n_events + 1)
        at_taker = at_places + 32 * places
        PyMem_Free(self.memory)
        self.memory = PyMem_Calloc(1, at_taker + rows + 64)
        if self.memory == NULL:
            raise MemoryError
        next_ = <uint16_t*>self.memory
        actions = <uint32_t*>(<char*>self.memory + <int>at_actions)
        t.events = <SimEvent*>(<char*>self.memory + <int>at_events)
        t.places = <uint16_t*>(<char*>self.memory + <int>at_places)
        taker = <uint8_t*>(<char*>self.memory + <int>at_taker)
        for i in range(10 * rows):
            actions[i] = 0xffffffff
        for i in range(1 + n_events):
            for k in range(10):
                next_[10 * i + k] = <uint16_t>(10 * i)
        for row in order:
            i = number[row]
            taker[i] = found[row][1]
            for k in range(10):
                to, told = moves[row][k]
                next_[10 * i + k] = <uint16_t><int>target(to)
                if len(told) > 7:
                    raise Unfit("too many decisions on one card")
                word = 0xffffffff
                for j, action in enumerate(told):
                    word = word & ~(15 << 4 * j) | action << 4 * j
                actions[10 * i + k] = <uint32_t>word
        t.next, t.actions, t.taker = next_, actions, taker
        t.n_rows = rows
        t.special_end = 10 * (1 + n_events)
        t.first_pair = t.special_end
        t.start = start
        t.n_results = n_results
        t.n_suited = len(s["suited"])
        for i, event in enumerate(events):
            if event[0] == "split":
                t.events[i + 1].split = 1
                t.events[i + 1].place = event[1]
            else:
                outcome = s["class_keys"][event[1] - 1][0]
                t.events[i + 1].cls = event[1]
                t.events[i + 1].shift = 8
                t.events[i + 1].need = 1 if outcome == 0 else 2 if outcome == 5 else 0
        for (place, k), to in s["place_rows"].items():
            t.places[place * 16 + k] = target(to)
        for i, facts in enumerate(s["results"]):
            net, staked, insured, hands, dealer, outcome = facts
            if not -SIM_SPAN <= net <= SIM_SPAN:
                raise Unfit("a round may win or lose too many units")
            t.results[i + 1].net, t.results[i + 1].staked = net, staked
            t.results[i + 1].insured, t.results[i + 1].hands = insured, hands
            t.results[i + 1].dealer, t.results[i + 1].outcome = dealer, outcome
        for i, (plain, alike) in enumerate(s["suited"]):
            t.suited[i][0], t.suited[i][1] = plain, alike
        largest = 0
        for i, finals in enumerate(s["classes"]):
            for f, (net, outcome, lost, stake) in enumerate(finals):
                t.pay[i + 1][f], t.outcome[i + 1][f], t.lost[i + 1][f] = net, outcome, lost
                t.stake[i + 1] = stake
                largest = max(largest, abs(net))
        stake, won = s["insurance"]
        if 8 * largest + stake + won > SIM_SPAN:
            raise Unfit("a round may win or lose too many units")
        for f in range(9):
            t.insurance_net[1][f] = won if f == 7 else -stake
        t.insurance_stake, t.bet = stake, unit
        for f in range(9):
            t.dealer_code[f] = (0, 17, 18, 19, 20, 21, 22, 23, 22)[f]
        self.rows = rows

    @property
    def isa(self):
        """The instruction set that a run takes by itself."""
        return ISAS[0] if self._by_vectors() else "scalar"

    cdef bint _by_vectors(self):
        return self.path == "vector" or (self.path == "boxes" and self.by_box.b.layout != 2)

    def tables(self):
        """The table as Python data, for tests: what `_sim.h` says of `SimTables`."""
        cdef SimTables* t = &self.t
        cdef int i, n = <int>(10 * t.n_rows)
        if t.next == NULL:
            raise ValueError(f"there is no table: {self.why}")
        return {
            "next": [t.next[i] for i in range(n)], "actions": [t.actions[i] for i in range(n)],
            "taker": [t.taker[i] for i in range(<int>t.n_rows)], "special_end": t.special_end,
            "first_pair": t.first_pair, "start": t.start,
            "results": [(t.results[i].net, t.results[i].staked, t.results[i].insured, t.results[i].hands,
                         t.results[i].dealer, t.results[i].outcome) for i in range(t.n_results + 1)],
            "suited": [(t.suited[i][0], t.suited[i][1]) for i in range(t.n_suited)],
            "events": [(t.events[i].place, t.events[i].split, t.events[i].cls, t.events[i].need)
                       for i in range(t.special_end // 10)],
            "places": [t.places[i] for i in range(160 * len(self.source["contexts"]))],
            "pay": [[t.pay[i][f] for f in range(SIM_FINALS)] for i in range(SIM_CLASSES)],
            "lost": [[t.lost[i][f] for f in range(SIM_FINALS)] for i in range(SIM_CLASSES)],
            "insurance_net": [t.insurance_net[1][f] for f in range(SIM_FINALS)],
            "multi": SIM_MULTI,
        }

    cdef _job(self, SimJob* job, seed, chunk, rounds, shoes, rng, detail):
        cdef int i
        if not 0 <= seed < 1 << 256:
            raise ValueError(f"expected a seed of 0 to 2**256 - 1, got {seed}")
        if rng not in GENERATORS:
            raise ValueError(f"expected one of {', '.join(GENERATORS)} for rng, got {rng!r}")
        if not 0 <= chunk < 1 << 64:
            raise ValueError(f"expected a chunk of 0 to 2**64 - 1, got {chunk}")
        if (rounds > 0) == (shoes > 0) or rounds < 0 or shoes < 0:
            raise ValueError("expected a number of rounds or of shoes")
        if rounds > MAX_ROUNDS:
            raise ValueError(f"expected at most {MAX_ROUNDS} rounds in a chunk, got {rounds}")
        for i in range(4):
            job.key[i] = seed >> 64 * i & 0xffffffffffffffff
        job.chunk, job.rounds, job.shoes = chunk, rounds, shoes
        job.chacha, job.detail = rng == "chacha20", detail

    def run(self, seed, chunk, rounds, int64_t[::1] out not None, *, shoes=0, isa=None, str rng="xoshiro256++",
            bint detail=True):
        """Play one chunk and add its sums to `out` (SIZE numbers, places in LAYOUT)."""
        cdef SimJob job
        cdef int code, which
        cdef int64_t* to
        if out.shape[0] != SIM_SUMS:
            raise ValueError(f"expected {SIM_SUMS} numbers for the sums, got {out.shape[0]}")
        if isa is not None and isa not in ISAS:
            raise ValueError(f"expected one of {', '.join(ISAS)} for isa, got {isa!r}")
        if shoes and self.t.infinite:
            raise ValueError("expected a number of rounds: an infinite deck has no shoes")
        self._job(&job, seed, chunk, rounds, shoes, rng, detail)
        to = &out[0]
        if rounds == 0 and self.path == "general" and self.depth == 0:
            job.rounds = shoes
        which = _NAMES.index(isa if isa is not None and self._by_vectors() else self.isa)
        with nogil:
            code = play_chunk(self, which, &job, to)
        if code == -3:
            raise OverflowError(f"a round won or lost more than {SIM_SPAN} units")
        if code == -4:
            raise RuntimeError("a shoe ran out inside a round and had no discards")
        if code:
            raise MemoryError

    def trace(self, seed, chunk, rounds, uint8_t[::1] cards not None, uint8_t[::1] n_cards not None,
              uint8_t[::1] actions not None, uint8_t[::1] n_actions not None, uint8_t[::1] outcome not None,
              uint8_t[::1] suited not None, int32_t[::1] net not None, *, str rng="xoshiro256++"):
        """The rounds that `run` plays with the same arguments, a row each, into the caller's columns.

        Cards are value indices in the order in which the table deals them, `len(cards) // rounds` to a row
        (a longer round is cut short, its `n_cards` is not); actions are codes; `outcome` is the first
        hand's; `suited` is 1 for a blackjack whose suits were drawn alike. All of a lane's rounds, lane
        after lane. Returns nothing; not for the general path.
        """
        cdef SimJob job
        cdef SimTrace to
        cdef int64_t* sums
        cdef int code
        if self.t.next == NULL:
            raise ValueError(f"these rounds cannot be traced: {self.why}")
        self._job(&job, seed, chunk, rounds, 0, rng, False)
        if len(cards) < rounds or len(actions) < rounds or min(
                len(n_cards), len(n_actions), len(outcome), len(suited), len(net)) < rounds:
            raise ValueError(f"expected columns of {rounds} rows")
        to.cards, to.n_cards, to.actions, to.n_actions = &cards[0], &n_cards[0], &actions[0], &n_actions[0]
        to.outcome, to.suited, to.net = &outcome[0], &suited[0], &net[0]
        to.width, to.a_width = <int>(len(cards) // rounds), <int>(len(actions) // rounds)
        to.hole_dealt = self.rules.t.hole_card != HOLE_NONE
        to.first_dealer_is_hole = self.rules.t.upcard_second
        sums = <int64_t*>PyMem_Calloc(SIM_SUMS, sizeof(int64_t))
        if sums == NULL:
            raise MemoryError
        with nogil:
            code = sim_trace(&self.t, &job, sums, &to)
        PyMem_Free(sums)
        if code:
            raise MemoryError


cdef int play_chunk(Program p, int isa, const SimJob* job, int64_t* to) noexcept nogil:
    if p.real:
        return by_cards(p, job, to)
    if p.by_box is not None:
        if isa == 3:
            return sim_boxes_avx512(&p.by_box.b, job, to)
        if isa == 2:
            return sim_boxes_avx2(&p.by_box.b, job, to)
        if isa == 1:
            return sim_boxes_sse41(&p.by_box.b, job, to)
        return sim_boxes_scalar(&p.by_box.b, job, to)
    if p.t.next == NULL:
        return general(p, job, to)
    if isa == 3:
        return sim_run_avx512(&p.t, job, to)
    if isa == 2:
        return sim_run_avx2(&p.t, job, to)
    if isa == 1:
        return sim_run_sse41(&p.t, job, to)
    return sim_run_scalar(&p.t, job, to)


cdef struct Hall:
    RoundState r
    RuleTable rules
    ShoeState shoe
    Rng rng
    int64_t funds[MAX_BOXES]
    BoxState boxes[MAX_BOXES]


cdef void job_words(const SimJob* job, Rng* g) noexcept nogil:
    """The one generator of a chunk that is not played by rows of words."""
    cdef uint32_t words[16]
    cdef int i
    sim_words(job.key, job.chunk, 4, 0, words)
    rng_key(g, <const uint8_t*>words)
    if not job.chacha:
        g.kind = RNG_XOSHIRO
        for i in range(4):
            g.s[i] = words[2 * i] | <uint64_t>words[2 * i + 1] << 32


cdef int by_cards(Program p, const SimJob* job, int64_t* o) noexcept nogil:
    """Real cards by tables: streams as those of rounds in columns, from the chunk's generator."""
    cdef Rng g
    cdef RowShoe shoe
    job_words(job, &g)
    row_shoe(&shoe, p.full, p.t.size, &g)
    return sim_cards(&p.by_box.b, &shoe, job, o)


cdef int general(Program p, const SimJob* job, int64_t* o) noexcept nogil:
    """The true round, as often as asked: any rules, any number of boxes. -1 memory, -3 span, -4 dry."""
    cdef Hall* g = <Hall*>calloc(1, sizeof(Hall))
    cdef const uint8_t* full = p.full
    cdef int n = p.t.size, room = 4096 if p.t.infinite else 0, box, code = 0
    cdef uint8_t* cards = <uint8_t*>calloc(n + room, 1)
    cdef HandState* hands = <HandState*>calloc(p.boxes * p.rules.t.max_hands + 1, sizeof(HandState))
    cdef uint64_t played = 0, shoes = 0
    if g == NULL or cards == NULL or hands == NULL:
        code = -1
    else:
        job_words(job, &g.rng)
        g.rules = p.rules.t
        g.rules.boxes = p.boxes
        memcpy(cards, full, n)
        g.shoe.cards = cards
        g.shoe.rng = &g.rng
        g.shoe.kind = SHOE_INFINITE if p.t.infinite else SHOE_FINITE
        g.shoe.total = n
        g.shoe.size = n + room
        g.shoe.pos = g.shoe.base = n
        g.r.rules = &g.rules
        g.r.shoe = &g.shoe
        g.r.boxes = g.boxes
        g.r.hands = hands
        g.r.funds = g.funds
        for box in range(p.boxes):
            g.funds[box] = INT64_MAX
            g.boxes[box].account = box
        while code == 0:
            if job.rounds and played == job.rounds:
                break
            if not p.t.infinite and (shoes == 0 or g.shoe.pos >= p.depth or g.shoe.pos == g.shoe.size):
                if job.shoes and not job.rounds and shoes == job.shoes:
                    break
                memcpy(cards, full, n)
                shuffle_cards(cards, n, &g.rng)
                g.shoe.size = n
                g.shoe.pos = g.shoe.base = p.burn
                shoes += 1
            played += 1
            for box in range(p.boxes):
                g.boxes[box].bet = p.unit
            shoe_begin(&g.shoe)
            round_start(&g.r)
            while g.r.legal and not g.r.dry:
                if round_apply(&g.r, plan_action(&p.plan, &g.r), 0) > 0:
                    code = -4
                    break
            if g.r.dry:
                code = -4
            if code == 0:
                code = tally(p, g, o, job.detail)
        if code == 0:
            o[O_SHOES] += <int64_t>shoes
    free(g)
    free(cards)
    free(hands)
    return code


cdef int tally(Program p, Hall* g, int64_t* o, int detail) noexcept nogil:
    """Adds the round that has just ended."""
    cdef int64_t net = 0, staked = 0, gain
    cdef int box, hand, played = 0, at, total
    cdef HandState* h
    cdef BoxState* b
    cdef HandState first
    for box in range(p.boxes):
        b = &g.boxes[box]
        gain = b.insurance_returned - b.insurance
        staked += b.insurance
        o[O_INSURED] += b.insured
        o[O_INSURED_WON] += b.insurance_returned > 0
        for hand in range(b.n_hands):
            h = hand_of(&g.r, box, hand)
            gain += h.returned - h.stake
            staked += h.stake
            o[O_OUTCOMES + h.outcome] += 1
            played |= h.outcome == WIN or h.outcome == LOSE or h.outcome == PUSH
        o[O_HANDS + b.n_hands] += 1
        net += gain
        if detail:
            memset(&first, 0, sizeof(HandState))
            first.n = 2
            first.cards[0] = g.shoe.cards[g.shoe.base + box]
            first.cards[1] = g.shoe.cards[g.shoe.base + p.boxes + 1 + box]
            if BJ_VALUE[first.cards[0]] == BJ_VALUE[first.cards[1]]:
                first.cards[1] = first.cards[0]     # a pair by value, whatever may be split
            for hand in range(2):
                first.points += BJ_VALUE[first.cards[hand]] + 1
                first.ace |= BJ_VALUE[first.cards[hand]] == 0
            at = plan_row(&p.plan, &first) * 10 + BJ_VALUE[round_upcard(&g.r)]
            o[O_START_COUNT + at] += 1
            o[O_START_NET + at] += gain
            o[O_START_SQ + at] += gain * gain
    if net > SIM_SPAN or net < -SIM_SPAN:
        return -3
    total = g.r.dealer_points + (10 if g.r.dealer_ace and g.r.dealer_points <= 11 else 0)
    o[O_DEALER + (23 if g.r.dealer_blackjack else 0 if not played else 22 if total > 22 else total)] += 1
    o[O_ROUNDS] += 1
    o[O_NET] += net
    o[O_NET_SQ] += net * net
    o[O_STAKED] += staked
    o[O_VALUES + SIM_SPAN + net] += 1
    o[O_CARDS] += g.shoe.pos - g.shoe.base
    return 0
