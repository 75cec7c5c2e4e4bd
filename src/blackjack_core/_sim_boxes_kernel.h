/* Sums over rounds of any number of boxes: cards by vectors, what follows from them by the tables of
 * _sim_boxes.h. Included once for each instruction set, with its vector type V of W bytes or, for plain
 * C, without.
 *
 * Lives here: `run_boxes`. Not here: a rule of the game, the streams' words and shoes' suits
 * (_sim_group.h), the words of rows by vectors (_sim_kernel.h, _sim_scalar.c).
 *
 * Stream "bj-sim-boxes-1": lanes, streams and rows of words as in "bj-sim-1"; every row gives a card to each
 * lane that still plays. A round's cards go to the upcard, to the hole card if the dealer peeks under it,
 * to box after box, hand after hand, then to the hole card and the dealer: any order is as good as that
 * of the table as long as the shoe lasts. A round that begins with fewer cards than `enough` is dealt in the
 * table's order, cards drawn with the generator for redraws. Lanes are looked at in the order of byte places.
 */
#include "_sim_boxes.h"

typedef struct {
    Group g;
    SimTables suits;                    /* only what sim_suits reads */
    const SimBoxes *b;
    BoxRound round[SIM_LANES];
    uint64_t hist[SIM_FINALS][BOX_CLASSES], finals[SIM_FINALS], splits[N_HANDS];
    uint64_t values[N_VALUES];
    int64_t (*starts)[3];               /* count, net, net squared by first two cards, or NULL */
    int64_t refunds;
    int every, failed, cards, wide;
    SIM_ALIGN uint16_t floor[SIM_LANES];         /* burn cards: in the shoe, but not to be dealt */
    SIM_ALIGN uint16_t context[SIM_LANES];
    uint16_t suit_0[SIM_LANES][2][5];   /* suits seen then */
    uint16_t cum_0[SIM_LANES][9];       /* cards of each value and those below it when the round began */
} BoxGroup;

/* The discards come back: of the suits seen, only those of this round's cards are still out. */
SIM_COLD void box_back(BoxGroup *q, int p) {
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 5; i++)
            q->g.suit[p][k][i] = (uint16_t)(q->g.suit[p][k][i] - q->suit_0[p][k][i]);
    memset(q->suit_0[p], 0, sizeof q->suit_0[p]);
}

/* -- a round in the table's order */

typedef struct {
    BoxGroup *q;
    int p, n;
    uint32_t left, floor, left_0;
    uint16_t cum[10], cum_0[10];        /* cards of each value and those below it */
} InOrder;

static int order_draw(void *who) {
    InOrder *o = (InOrder *)who;
    const SimBoxes *t = o->q->b;
    uint32_t x;
    uint64_t m;
    int v = 9;
    if (o->left == o->floor && !t->infinite) {      /* the discards, and what was burnt */
        if (o->left_0 == t->size) return -4;
        box_back(o->q, o->p);
        for (int j = 0, sum = 0; j < 9; j++) {
            sum += t->counts[j];
            o->cum[j] = (uint16_t)(o->cum[j] + sum - o->cum_0[j]);
            o->cum_0[j] = (uint16_t)sum;
        }
        o->left += t->size - o->left_0;
        o->left_0 = t->size;
        o->floor = 0;
    }
    m = (uint64_t)(uint32_t)(sim_extra(&o->q->g) >> 32) * o->left;
    if ((uint32_t)m < o->left) {
        uint32_t unfair = (0u - o->left) % o->left;
        while ((uint32_t)m < unfair) m = (uint64_t)(uint32_t)(sim_extra(&o->q->g) >> 32) * o->left;
    }
    x = (uint32_t)(m >> 32);
    for (int j = 0; j < 9; j++) {
        int m1 = o->cum[j] > x;
        v -= m1;
        if (!t->infinite) o->cum[j] = (uint16_t)(o->cum[j] - m1);
    }
    if (!t->infinite) o->left--;
    o->n++;
    return 4 * v;
}

static int order_told(void *who, uint32_t a) { (void)who; (void)a; return 0; }

static int order_alike(void *who, int first, int second) {
    InOrder *o = (InOrder *)who;
    (void)first; (void)second;
    return sim_suits(&o->q->g, o->p);
}

static const BoxDealer IN_ORDER = {order_draw, order_told, order_alike};

/* -- the end of a round */

SIM_INLINE void box_settle(BoxGroup *q, const BoxRound *r, int f) {
    const SimBoxes *t = q->b;
    int32_t net = 0;
    for (int i = 0; i < r->n; i++) {
        net += t->pay[f][r->cls[i]];
        q->hist[f][r->cls[i]]++;
    }
    if (t->capped && f == BOX_BLACKJACK)
        for (int b = 0; b < t->boxes; b++) net += box_refund(t, r, b);
    if (q->starts) {
        for (int b = 0, i = 0; b < t->boxes; b++) {
            int64_t gain = t->capped && f == BOX_BLACKJACK ? box_refund(t, r, b) : 0, *to = q->starts[r->first[b]];
            for (; i < r->end[b]; i++) gain += t->pay[f][r->cls[i]];
            to[0]++;
            to[1] += gain;
            to[2] += gain * gain;
        }
    }
    q->finals[f]++;
    if ((uint32_t)(net + SIM_SPAN) > 2 * SIM_SPAN) q->failed = -3;
    else q->values[net + SIM_SPAN]++;
}

/* Place of the bytes of 16-bit place p: see place_of. */
SIM_INLINE int byte_of(int p) { return (p & (HALF - 1)) / 8 * 16 + (p & 7) + (p < HALF ? 0 : 8); }

SIM_INLINE void box_shuffle(BoxGroup *q, int p) {
    Group *g = &q->g;
    g->left[p] = q->b->size;
    q->floor[p] = q->b->burn;
    if (q->wide) for (int j = 0; j < 9; j++) g->wide[j][p] = g->full_wide[j];
    else for (int j = 0; j < 9; j++) g->below[j][byte_of(p)] = g->full[j];
    if (q->suits.n_suited) memset(g->suit[p], 0, sizeof g->suit[p]);
}

/* The shoe of place p as counts, and back. */
SIM_INLINE uint16_t box_count(const BoxGroup *q, int p, int j) {
    const Group *g = &q->g;
    int n;
    if (q->wide) return g->wide[j][p];
    n = (uint8_t)(g->below[j][byte_of(p)] + 128);
    return (uint16_t)(q->b->layout == 1 && j >= 6 ? g->left[p] - n : n);
}

SIM_INLINE void box_put(BoxGroup *q, int p, int j, uint16_t n) {
    Group *g = &q->g;
    if (q->wide) g->wide[j][p] = n;
    else g->below[j][byte_of(p)] = (int8_t)(uint8_t)((q->b->layout == 1 && j >= 6 ? g->left[p] - n : n) - 128);
}

/* Whether place p is to go on; a shuffle if the house has one now. */
SIM_INLINE int box_goes_on(BoxGroup *q, int p) {
    Group *g = &q->g;
    const SimBoxes *t = q->b;
    if (!g->by_shoes && --g->quota[p] == 0) return 0;
    if (t->infinite || g->left[p] > t->limit + q->floor[p]) return 1;
    box_shuffle(q, p);
    if (q->every) return 1;
    if (--g->shoes_left[p] == 0) return 0;
    g->shoes++;
    return 1;
}

/* A shoe that ran out inside a round goes on with the discards, and what was burnt. */
SIM_COLD void box_refill(BoxGroup *q, int p) {
    Group *g = &q->g;
    const SimBoxes *t = q->b;
    uint16_t cum[9];
    if (g->left_0[p] == t->size) { q->failed = -4; return; }
    box_back(q, p);
    for (int j = 0, sum = 0; j < 9; j++) {
        sum += t->counts[j];
        cum[j] = (uint16_t)(box_count(q, p, j) + sum - q->cum_0[p][j]);
        q->cum_0[p][j] = (uint16_t)sum;
    }
    g->left[p] = (uint16_t)(g->left[p] + t->size - g->left_0[p]);
    g->left_0[p] = t->size;
    q->floor[p] = 0;
    for (int j = 0; j < 9; j++) box_put(q, p, j, cum[j]);
}

SIM_COLD int box_in_order(BoxGroup *q, int p) {
    Group *g = &q->g;
    BoxRound r = q->round[p];
    InOrder o = {q, p, 0, g->left[p], q->floor[p], g->left[p], {0}, {0}};
    int f;
    for (int j = 0; j < 9; j++) o.cum[j] = o.cum_0[j] = box_count(q, p, j);
    memcpy(q->suit_0[p], g->suit[p], sizeof g->suit[p]);
    f = box_round(q->b, &r, &IN_ORDER, &o);
    if (f < 0) { q->failed = f; return 0; }
    g->left[p] = (uint16_t)o.left;
    q->floor[p] = (uint16_t)o.floor;
    for (int j = 0; j < 9; j++) box_put(q, p, j, o.cum[j]);
    g->cards += (uint64_t)o.n;
    box_settle(q, &r, f);
    return box_goes_on(q, p);
}

/* Where place p goes on after a round; `on`: it does. */
SIM_INLINE uint16_t box_over(BoxGroup *q, int p, int on) {
    Group *g = &q->g;
    if (q->b->deep) {
        while (on && !q->failed && g->left[p] < q->b->enough + q->floor[p]) on = box_in_order(q, p);
        if (g->left[p] < q->b->capacity + q->floor[p]) {
            g->left_0[p] = g->left[p];
            memcpy(q->suit_0[p], g->suit[p], sizeof g->suit[p]);
            for (int j = 0; j < 9; j++) q->cum_0[p][j] = box_count(q, p, j);
        }
    }
    box_begin(&q->round[p]);
    if (on) return q->b->start;
    g->active--;
    return 0;
}

/* The three kinds of events, at place p. */
SIM_INLINE void box_hands(BoxGroup *q, int p) {
    q->g.state[p] = (uint16_t)box_hand(q->b, &q->round[p], q->b->events[q->g.state[p]], q->context[p], q->g.first[p]);
}

SIM_INLINE void box_ends(BoxGroup *q, int p) {
    BoxEvent e = q->b->events[q->g.state[p]];
    int alike = e.cls != e.alike && sim_suits(&q->g, p);
    q->g.state[p] = (uint16_t)box_end(q->b, &q->round[p], e, q->context[p], q->g.first[p], alike);
}

SIM_INLINE void box_finals(BoxGroup *q, int p) {
    box_settle(q, &q->round[p], q->b->events[q->g.state[p]].at);
    q->g.state[p] = box_over(q, p, box_goes_on(q, p));
}

/* -- a row */

#ifdef V
enum { BOX_NW = SIM_LANES / WORDS };

/* Bit b: byte place b of the 64 from 64 * half on is flagged (1 .. 0x7fff). */
SIM_INLINE uint64_t box_bits(const uint16_t *x, int half) {
    uint64_t m = 0;
    for (int k = 0; k < 64 / W; k++) {
        int at = (half * (64 / W) + k) * WORDS;
        m |= v_mask8(v_packs(v_ld(x + at), v_ld(x + HALF + at))) << (k * W % 64);
    }
    return m;
}

#define BOX_EACH(x, p) \
    for (int half_ = 0; half_ < L / 64; half_++) \
        for (uint64_t m_ = box_bits(x, half_), p; \
             m_ && (p = (uint64_t)place_of(64 * half_ + sim_ctz(m_)), 1); m_ &= m_ - 1)

SIM_COLD void box_redraws(Group *g) {
    for (int k = 0; k < BOX_NW; k++)
        v_st(g->flag + k * WORDS, v_subs16(v_ld(g->left + k * WORDS), v_ld(g->low + k * WORDS)));
    BOX_EACH(g->flag, p) sim_redraw(g, (int)p);
}

SIM_INLINE void box_deal(BoxGroup *q, const uint16_t *words, int layout, int removes, int detail) {
    Group *g = &q->g;
    const V z = v_zero(), b = v_set16(128), far = v_set16(0x3fff);
    const V first = v_set16(q->b->first_pair), last = v_set16(q->b->last_pair);
    const V first_c = v_set16(q->b->first_context), last_c = v_set16(q->b->last_context);
    V any = z;
    for (int k = 0; k < BOX_NW; k++) {
        int at = k * WORDS;
        V w = v_ld(words + at), n = v_ld(g->left + at), low = v_mullo16(w, n);
        v_st(g->high + at, v_mulhi16(w, n));
        v_st(g->low + at, low);
        any = v_or(any, v_subs16(n, low));
    }
    if (v_any(any)) box_redraws(g);
    for (int k = 0; k < NV; k++) {
        int at = k * WORDS;
        V sa = v_ld(g->state + at), sb = v_ld(g->state + HALF + at);
        V ra = v_eq16(sa, z), rb = v_eq16(sb, z);                   /* -1: at rest */
        V na = v_ld(g->left + at), nb = v_ld(g->left + HALF + at);
        V ha = v_ld(g->high + at), hb = v_ld(g->high + HALF + at);
        V fa = v_andnot(v_eq16(ra, z), far), fb = v_andnot(v_eq16(rb, z), far);
        V d = v_packs(v_sub16(v_or(ha, fa), b), v_sub16(v_or(hb, fb), b));
        V v = v_set8(layout == 1 ? 6 : 9);
        for (int j = 0; j < (layout == 1 ? 6 : 9); j++) {
            V c = v_ld(&g->below[j][k * W]), m = v_gt8(c, d);
            v = v_add8(v, m);
            if (removes) v_st(&g->below[j][k * W], v_add8(c, m));
        }
        if (layout == 1) {
            V one = v_set16(1);
            V e = v_packs(v_sub16(v_or(v_sub16(v_sub16(na, one), ha), fa), b),
                          v_sub16(v_or(v_sub16(v_sub16(nb, one), hb), fb), b));
            for (int j = 6; j < 9; j++) {
                V c = v_ld(&g->below[j][k * W]), m = v_gt8(c, e);
                v = v_sub8(v, m);
                if (removes) v_st(&g->below[j][k * W], v_add8(c, m));
            }
        }
        if (removes) {
            v_st(g->left + at, v_add16(na, v_eq16(ra, z)));
            v_st(g->left + HALF + at, v_add16(nb, v_eq16(rb, z)));
        }
        V ia = v_add16(sa, v_unlo8(v)), ib = v_add16(sb, v_unhi8(v));
        v_st(g->place + at, ia);
        v_st(g->place + HALF + at, ib);
        V ca = v_sub16(ia, first_c), cb = v_sub16(ib, first_c);
        v_st(q->context + at, v_blend(v_ld(q->context + at), ca, v_eq16(v_subs16(ca, last_c), z)));
        v_st(q->context + HALF + at, v_blend(v_ld(q->context + HALF + at), cb, v_eq16(v_subs16(cb, last_c), z)));
        if (detail) {
            V xa = v_sub16(ia, first), xb = v_sub16(ib, first);
            v_st(g->first + at, v_blend(v_ld(g->first + at), xa, v_eq16(v_subs16(xa, last), z)));
            v_st(g->first + HALF + at, v_blend(v_ld(g->first + HALF + at), xb, v_eq16(v_subs16(xb, last), z)));
        }
    }
}

SIM_INLINE void box_empty(BoxGroup *q) {
    const Group *g = &q->g;
    V any = v_zero();
    for (int k = 0; k < BOX_NW; k++) {
        int at = k * WORDS;
        any = v_or(any, v_andnot(v_eq16(v_ld(g->state + at), v_zero()), v_eq16(v_ld(g->left + at), v_ld(q->floor + at))));
    }
    if (!v_any(any)) return;
    for (int p = 0; p < L; p++)
        if (g->state[p] && g->left[p] == q->floor[p]) box_refill(q, p);
}

/* Flags the places whose states lie between two others; 0: there are none. */
SIM_INLINE int box_flags(Group *g, V low, V high) {
    V any = v_zero();
    for (int k = 0; k < BOX_NW; k++) {
        V s = v_ld(g->state + k * WORDS), f = v_andnot(v_eq16(v_subs16(s, low), v_zero()), v_subs16(high, s));
        v_st(g->flag + k * WORDS, f);
        any = v_or(any, f);
    }
    return v_any(any);
}

/* The next states, and what happens in them. */
SIM_INLINE void box_look(BoxGroup *q) {
    Group *g = &q->g;
    const uint16_t *next = q->b->next;
    const V z = v_zero(), rows = v_set16(q->b->rows);
    SIM_FENCE;
    for (int i = 0; i < L; i += 4) {
        uint64_t x, r;
        memcpy(&x, g->place + i, 8);
        r = (uint64_t)next[x & 0xffff] | (uint64_t)next[x >> 16 & 0xffff] << 16
            | (uint64_t)next[x >> 32 & 0xffff] << 32 | (uint64_t)next[x >> 48] << 48;
        memcpy(g->state + i, &r, 8);
    }
    SIM_FENCE;
    /* splits and their hands lead to the dealer's final hand, and so do boxes: one after the other */
    if (box_flags(g, v_set16(q->b->finals), rows)) BOX_EACH(g->flag, p) box_hands(q, (int)p);
    box_flags(g, z, v_set16(q->b->ends + 1));
    BOX_EACH(g->flag, p) box_ends(q, (int)p);
    box_flags(g, v_set16(q->b->ends), v_set16(q->b->finals + 1));
    BOX_EACH(g->flag, p) box_finals(q, (int)p);
}

#else
static void box_empty(BoxGroup *q) {
    for (int p = 0; p < L; p++)
        if (q->g.state[p] && q->g.left[p] == q->floor[p]) box_refill(q, p);
}

static void box_deal(BoxGroup *q, const uint16_t *words, int layout, int removes, int detail) {
    Group *g = &q->g;
    SIM_ALIGN uint16_t v[SIM_LANES];
    (void)layout;
    draw(g, words);
    for (int p = 0; p < L; p++) {
        v[p] = 9;
        g->high[p] = g->state[p] ? g->high[p] : 0xffff;
    }
    for (int j = 0; j < 9; j++)
        for (int p = 0; p < L; p++) {
            uint16_t m = g->wide[j][p] > g->high[p];
            v[p] = (uint16_t)(v[p] - m);
            if (removes) g->wide[j][p] = (uint16_t)(g->wide[j][p] - m);
        }
    for (int p = 0; p < L; p++) {
        if (removes) g->left[p] = (uint16_t)(g->left[p] - (g->state[p] != 0));
        g->place[p] = (uint16_t)(g->state[p] + v[p]);
        uint16_t x = (uint16_t)(g->place[p] - q->b->first_context);
        q->context[p] = x <= q->b->last_context ? x : q->context[p];
    }
    if (detail)
        for (int p = 0; p < L; p++) {
            uint16_t x = (uint16_t)(g->place[p] - q->b->first_pair);
            g->first[p] = x <= q->b->last_pair ? x : g->first[p];
        }
}

static void box_look(BoxGroup *q) {
    Group *g = &q->g;
    for (int p = 0; p < L; p++) g->state[p] = q->b->next[g->place[p]];
    const uint16_t ends = q->b->ends, finals = q->b->finals, rows = q->b->rows;
    for (int b = 0; b < L; b++) {
        int p = place_of(b);
        if (g->state[p] > finals && g->state[p] < rows) box_hands(q, p);
    }
    for (int b = 0; b < L; b++) {
        int p = place_of(b);
        if (g->state[p] && g->state[p] <= ends) box_ends(q, p);
    }
    for (int b = 0; b < L; b++) {
        int p = place_of(b);
        if (g->state[p] > ends && g->state[p] <= finals) box_finals(q, p);
    }
}
#endif

SIM_INLINE void box_play(BoxGroup *q, int layout, int removes, int detail) {
    Group *g = &q->g;
    while (g->active && !q->failed) {
        if (g->row == SIM_BATCH) fill(g);
        if (q->b->deep) box_empty(q);
        g->cards += g->active;
        box_deal(q, g->words[g->row++], layout, removes, detail);
        box_look(q);
    }
}

/* Bytes of a lane's lists behind the group. */
SIM_INLINE size_t box_stride(const SimBoxes *t) { return ((size_t)(4 * t->boxes + t->room) + 7) & ~(size_t)7; }

/* Fresh shoes and everyone's share of the work. */
SIM_COLD void box_lanes(BoxGroup *q, const SimBoxes *t, const SimJob *job) {
    Group *g = &q->g;
    uint64_t all = job->shoes ? job->shoes : job->rounds;
    g->t = &q->suits;
    g->by_shoes = job->shoes != 0;
    g->row = SIM_BATCH;
    sim_seed(g, job);
    for (int j = 0, sum = 0; j < 9; j++) {
        sum += t->counts[j];
        g->full[j] = (int8_t)(uint8_t)((t->layout == 1 && j >= 6 ? t->size - sum : sum) - 128);
        g->full_wide[j] = (uint16_t)sum;
    }
    for (int p = 0; p < L; p++) {
        uint64_t share = all / L + ((uint64_t)p < all % L);
        g->state[p] = share ? t->start : 0;
        g->active += share != 0;
        g->quota[p] = g->by_shoes ? 0xffff : (uint16_t)share;
        g->shoes_left[p] = g->by_shoes ? (uint32_t)share : 0xffffffff;
        box_shuffle(q, p);
    }
    if (!t->infinite) g->shoes = g->active;
}

SIM_COLD void box_open(BoxGroup *q, const SimBoxes *t) {
    Group *g = &q->g;
    for (int b = 0; b < L; b++) {
        int p = place_of(b);
        BoxRound *r = &q->round[p];
        r->end = (uint16_t *)((char *)q + sizeof(BoxGroup) + (size_t)p * box_stride(t));
        r->first = r->end + t->boxes;
        r->cls = (uint8_t *)(r->first + t->boxes);
        r->splits = q->splits;
        if (g->state[p]) g->state[p] = box_over(q, p, 1);
    }
}

SIM_COLD void box_close(BoxGroup *q, int64_t *o) {
    const SimBoxes *t = q->b;
    int64_t rounds = 0, split = 0;
    for (int f = 0; f < SIM_FINALS; f++) {
        rounds += (int64_t)q->finals[f];
        o[O_DEALER + t->dealer_code[f]] += (int64_t)q->finals[f];
        for (int c = 1; c < BOX_CLASSES; c++) {
            int64_t n = (int64_t)q->hist[f][c];
            if (!n) continue;
            o[O_STAKED] += n * t->stake[c];
            o[O_INSURED] += n * (t->flags[f][c] & 1);
            o[O_INSURED_WON] += n * (t->flags[f][c] >> 1 & 1);
            if (t->flags[f][c] & 4) o[O_OUTCOMES + t->outcome[f][c]] += n;
        }
    }
    for (int i = 0; i < N_VALUES; i++) {
        int64_t n = (int64_t)q->values[i], net = i - SIM_SPAN;
        o[O_VALUES + i] += n;
        o[O_NET] += n * net;
        o[O_NET_SQ] += n * net * net;
    }
    for (int i = 2; i < N_HANDS; i++) {
        o[O_HANDS + i] += (int64_t)q->splits[i];
        split += (int64_t)q->splits[i];
    }
    o[O_HANDS + 1] += rounds * t->boxes - split;
    o[O_ROUNDS] += rounds;
    o[O_CARDS] += (int64_t)q->g.cards;
    o[O_SHOES] += (int64_t)q->g.shoes;
    if (q->starts)
        for (int i = 0; i <= t->last_pair; i++) {
            o[O_START_COUNT + t->start_class[i]] += q->starts[i][0];
            o[O_START_NET + t->start_class[i]] += q->starts[i][1];
            o[O_START_SQ + t->start_class[i]] += q->starts[i][2];
        }
}

/* 0; -1 no memory, -3 a round's net is beyond the histogram, -4 a shoe ran out and had no discards */
static int run_boxes(const SimBoxes *t, const SimJob *job, int64_t *sums) {
    SimJob j = *job;
    int failed = 0;
    size_t size = sizeof(BoxGroup) + SIM_LANES * box_stride(t);
    BoxGroup *q = (BoxGroup *)sim_alloc(size);
    SimTables *s;
    if (!q) return -1;
    memset(q, 0, size);
    q->b = t;
    q->every = t->limit >= t->size && !t->infinite;
    if (q->every && j.shoes) { j.rounds = j.shoes; j.shoes = 0; }
    s = &q->suits;
    s->infinite = t->infinite;
    s->n_suited = 1;
    memcpy(s->suits, t->suits, sizeof s->suits);
#ifndef V
    q->wide = 1;
#endif
    box_lanes(q, t, &j);
    if (job->detail) {
        q->starts = (int64_t (*)[3])calloc((size_t)t->last_pair + 1, sizeof *q->starts);
        if (!q->starts) failed = -1;
    }
    if (!failed) {
        box_open(q, t);
        if (q->every) q->g.shoes = j.rounds;
#ifdef V
        if (t->layout) box_play(q, 1, !t->infinite, job->detail);
        else
#endif
        box_play(q, 0, !t->infinite, job->detail);
        failed = q->failed;
        if (!failed) box_close(q, sums);
    }
    free(q->starts);
    sim_free(q);
    return failed;
}
