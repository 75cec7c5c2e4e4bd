"""The bulk simulator.

Lives here: `Program`, a game and a strategy made ready to be played in bulk, and its runs. Not here: the
rules (machine), the table of situations (automaton), how rows of cards are dealt (_sim_kernel.h), chunks
and what the sums mean to people (blackjack.simulation).

The kernels release the GIL and share nothing but the program's tables, which never change: one program
may be run by many threads at a time.
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset
from .automaton import Unfit, build
from .ruleset cimport RuleSet

cdef extern from "_sim.h" nogil:
    enum:
        SIM_LANES, SIM_CLASSES, SIM_FINALS, SIM_MULTI, SIM_SPAN, SIM_HIST, SIM_SUMS
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
        int32_t pay[64][9]
        int32_t lost[64][9]
        uint8_t outcome[64][9]
        int32_t stake[64]
        int32_t insurance_net[2][9]
        int32_t insurance_stake, bet
        uint8_t dealer_code[9]
        uint16_t counts[10]
        uint16_t size, limit
        uint8_t infinite, layout
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
    int sim_trace(const SimTables*, const SimJob*, int64_t*, const SimTrace*)

STREAM = "bj-sim-1"
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
    """Program(rules, *, cards, infinite, depth, capacity, burn, play, offers, exact, split_by_rank, unit)
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

    def __cinit__(self):
        memset(&self.t, 0, sizeof(SimTables))

    def __init__(self, RuleSet rules not None, *, bytes cards not None, bint infinite=False, int depth=0,
                 int capacity=0, int burn=0, int boxes=1, bytes play not None, bytes offers not None,
                 exact=(), bint split_by_rank=False, int unit=2):
        self.rules = rules
        self.path, self.why = "vector", ""
        self._shoe(cards, infinite, depth, capacity, burn)
        try:
            if boxes != 1:
                raise Unfit("several boxes")
            if not infinite and self.t.limit + 1 < capacity:
                raise Unfit("the shoe may run out inside a round")
            self.source = build(rules, play, offers, list(exact), split_by_rank, unit)
            self._tables(unit)
        except Unfit as error:
            self.path, self.why = "general", str(error)
            return
        if self.t.layout == 2:
            self.path, self.why = "scalar", "a shoe of more cards of some ranks than a byte counts"

    def __dealloc__(self):
        PyMem_Free(self.memory)

    cdef _shoe(self, bytes cards, bint infinite, int depth, int capacity, int burn):
        cdef int v
        if not cards or len(cards) >= 65535:
            raise ValueError(f"expected a shoe of 1 to 65534 cards, got {len(cards)}")
        counts = [0] * 10
        for code in cards:
            v = min(code >> 2, 9)
            counts[v] += 1
            if v == 0 or v == 9:
                self.t.suits[v == 9][code & 3] += 1
        for v in range(10):
            self.t.counts[v] = counts[v]
        self.t.size = <uint16_t>len(cards)
        self.t.infinite = infinite
        self.t.limit = 0 if infinite else <uint16_t>max(0, min(len(cards), len(cards) - max(0, depth - burn)))
        if sum(counts[:9]) <= 255:
            self.t.layout = 0
        else:
            self.t.layout = 1 if sum(counts[:6]) <= 255 and sum(counts[7:]) <= 255 else 2

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
        base = <size_t>self.memory
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
        return "scalar" if self.path == "scalar" else ISAS[0]

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
        if self.path == "general":
            raise NotImplementedError(self.why)
        self._job(&job, seed, chunk, rounds, shoes, rng, detail)
        which = _NAMES.index(isa if isa is not None and self.path == "vector" else self.isa)
        to = &out[0]
        with nogil:
            if which == 3:
                code = sim_run_avx512(&self.t, &job, to)
            elif which == 2:
                code = sim_run_avx2(&self.t, &job, to)
            elif which == 1:
                code = sim_run_sse41(&self.t, &job, to)
            else:
                code = sim_run_scalar(&self.t, &job, to)
        if code:
            raise MemoryError
