/* Rows of cards by vectors, written once; the including file gives the vector type V of W bytes and its
 * operations (v_...) and the name of the entry.
 *
 * Lives here: a row (draw, deal, next state) for all lanes side by side. Not here: what an instruction
 * set calls its instructions, what happens to one lane at a time (_sim_group.h).
 *
 * Order of the places 0 .. 127: 16-bit arrays in order; byte arrays in the order in which 128-bit packs
 * of words p and HALF + p put them, the same for every W: byte 16i + k is place 8i + k for k < 8, else
 * HALF + 8i + k - 8. A strip is one vector of bytes and its two vectors of words. A row goes strip by strip,
 * so that the look-ups of one run beside the vector work of the next, and no strip loads what was stored
 * in smaller pieces a moment before.
 */
#include "_sim_dry.h"

enum { WORDS = W / 2, NV = SIM_LANES / W };

SIM_INLINE int place_of(int b) { return (b >> 4) * 8 + (b & 7) + (b >> 3 & 1) * HALF; }

/* Two vectors of generators side by side: one alone waits for itself. */
#define XOSHIRO_LOAD(x, o) V x##0 = v_ld(&g->s[0][o]), x##1 = v_ld(&g->s[1][o]), x##2 = v_ld(&g->s[2][o]), x##3 = v_ld(&g->s[3][o])
#define XOSHIRO_STORE(x, o) v_st(&g->s[0][o], x##0); v_st(&g->s[1][o], x##1); v_st(&g->s[2][o], x##2); v_st(&g->s[3][o], x##3)
#define XOSHIRO_STEP(x, to) do { \
        V t_ = v_shl64(x##1, 17); \
        v_st(to, v_add64(v_rot64(v_add64(x##0, x##3), 23), x##0)); \
        x##2 = v_xor(x##2, x##0); x##3 = v_xor(x##3, x##1); x##1 = v_xor(x##1, x##2); x##0 = v_xor(x##0, x##3); \
        x##2 = v_xor(x##2, t_); x##3 = v_rot64(x##3, 45); \
    } while (0)

SIM_INLINE void xoshiro_rows(Group *g) {
    for (int o = 0; o < STREAMS; o += W / 4) {
        XOSHIRO_LOAD(a, o);
        XOSHIRO_LOAD(b, o + W / 8);
        for (int r = 0; r < SIM_BATCH; r++) {
            XOSHIRO_STEP(a, &g->words[r][4 * o]);
            XOSHIRO_STEP(b, &g->words[r][4 * o + WORDS]);
        }
        XOSHIRO_STORE(a, o);
        XOSHIRO_STORE(b, o + W / 8);
    }
}

SIM_INLINE void chacha_rows(Group *g) {
    SIM_ALIGN static const uint32_t count[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    static const uint32_t text[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (int q = 0; q < SIM_BATCH / 4; q++, g->counter += 16)
        for (int o = 0; o < 16; o += W / 4) {
            V in[16], x[16];
            for (int i = 0; i < 4; i++) in[i] = v_set32(text[i]);
            for (int i = 0; i < 8; i++) in[4 + i] = v_set32(g->key[i]);
            in[12] = v_add32(v_set32((uint32_t)g->counter), v_ld(count + o));
            in[13] = v_set32((uint32_t)g->chunk);
            in[14] = v_set32((uint32_t)(g->chunk >> 32));
            in[15] = v_set32(3);
            for (int i = 0; i < 16; i++) x[i] = in[i];
            SIM_ROUNDS(x, v_add32, v_xor, v_rot32)
            for (int i = 0; i < 16; i++)
                v_st(&g->words[4 * q + i / 4][(i % 4) * 32 + 2 * o], v_add32(x[i], in[i]));
        }
}

SIM_COLD void fill(Group *g) {
    if (g->chacha) chacha_rows(g);
    else xoshiro_rows(g);
    g->row = 0;
}

/* What all strips of a run share. */
typedef struct {
    int every;          /* a shuffle before every round */
    V start, limit, rest, size, first, last, full[9];
} Shared;

static void share(const Group *g, Shared *c) {
    c->start = v_set16(g->t->start);
    c->limit = v_set16(g->t->limit);
    c->rest = v_set16(g->t->special_end);
    c->size = v_set16(g->t->size);
    c->first = v_set16(g->t->first_pair);
    c->last = v_set16(549);
    for (int j = 0; j < 9; j++) c->full[j] = v_set8(g->full[j]);
}

/* Each place of strip k for which the words a, b are not 0, by its byte. */
#define EACH(k, a, b, byte) \
    for (uint64_t m_ = v_mask8(v_packs(a, b)), byte; m_ && (byte = (uint64_t)(k) * W + (uint64_t)sim_ctz(m_), 1); m_ &= m_ - 1)

SIM_COLD void redraws(Group *g, int k, V a, V b) {
    EACH(k, a, b, at) sim_redraw(g, place_of((int)at));
}

/* Fresh shoes for the places of -1 (others: 0). */
SIM_INLINE void shuffle(Group *g, int k, V a, V b, const Shared *c) {
    uint16_t *left = g->left + k * WORDS;
    V m = v_packs(a, b);
    v_st(left, v_blend(v_ld(left), c->size, a));
    v_st(left + HALF, v_blend(v_ld(left + HALF), c->size, b));
    for (int j = 0; j < 9; j++)
        v_st(&g->below[j][k * W], v_blend(v_ld(&g->below[j][k * W]), c->full[j], m));
}

SIM_COLD void new_shoes(Group *g, int k, V a, V b, const Shared *c) {
    shuffle(g, k, a, b, c);
    EACH(k, a, b, at) {
        int p = place_of((int)at);
        if (--g->shoes_left[p] == 0) { g->state[p] = 0; g->active--; }
        else g->shoes++;
        g->fresh[p] = 0xffff;
    }
}

/* Where a shoe may run out inside a round: those that did. */
SIM_INLINE void dry(Group *g, int k, const Shared *c) {
    const V z = v_zero();
    const uint16_t *left = g->left + k * WORDS, *state = g->state + k * WORDS;
    V sa = v_ld(state), sb = v_ld(state + HALF);
    V a = v_eq16(v_or(v_ld(left), v_or(v_subs16(c->rest, sa), v_subs16(sa, c->start))), z);
    V b = v_eq16(v_or(v_ld(left + HALF), v_or(v_subs16(c->rest, sb), v_subs16(sb, c->start))), z);
    DryRound r;
    if (SIM_RARE(v_any(v_or(a, b)))) EACH(k, a, b, at) sim_dry(g, place_of((int)at), (int)at, &r);
}

/* After the cards: note what ended, shuffle where it is time. */
SIM_INLINE void finish(Group *g, int k, const Shared *c, int every, int removes) {
    const V z = v_zero();
    uint16_t *state = g->state + k * WORDS, *result = g->result + k * WORDS, *left = g->left + k * WORDS;
    if (g->t->deep) dry(g, k, c);
    V a = v_subs16(v_ld(state), c->start), b = v_subs16(v_ld(state + HALF), c->start);
    v_st(result, a);
    v_st(result + HALF, b);
    if (!removes) return;
    if (every) {
        shuffle(g, k, v_not(v_eq16(a, z)), v_not(v_eq16(b, z)), c);
        return;
    }
    a = v_andnot(v_eq16(a, z), v_eq16(v_subs16(v_ld(left), c->limit), z));
    b = v_andnot(v_eq16(b, z), v_eq16(v_subs16(v_ld(left + HALF), c->limit), z));
    if (v_any(v_or(a, b))) new_shoes(g, k, a, b, c);
}

/* A card to every place that is not at rest, and the place of its next state. -1 per card dealt. sa, sb:
 * states; na, nb: cards left; where `fresh`, `new` (bytes of -1) are the places that take a fresh shoe. `first`:
 * where the rounds' starts go, or NULL. */
SIM_INLINE V deal(Group *g, int k, const uint16_t *words, const Shared *c, V sa, V sb, V na, V nb, V new, int fresh,
                  int layout, int removes, int detail) {
    const V z = v_zero(), x80 = v_set16(128), far = v_set16(0x3fff);
    const int at = k * WORDS;
    V wa = v_ld(words + at), wb = v_ld(words + HALF + at);
    V la = v_mullo16(wa, na), lb = v_mullo16(wb, nb), ha = v_mulhi16(wa, na), hb = v_mulhi16(wb, nb);
    V ra = v_subs16(na, la), rb = v_subs16(nb, lb);
    if (SIM_RARE(v_any(v_or(ra, rb)))) {
        v_st(g->high + at, ha);
        v_st(g->high + HALF + at, hb);
        v_st(g->low + at, la);
        v_st(g->low + HALF + at, lb);
        v_st(g->left + at, na);
        v_st(g->left + HALF + at, nb);
        redraws(g, k, ra, rb);
        ha = v_ld(g->high + at);
        hb = v_ld(g->high + HALF + at);
    }
    V pa = v_eq16(v_subs16(c->rest, sa), z), pb = v_eq16(v_subs16(c->rest, sb), z);     /* -1: plays */
    V d = v_packs(v_sub16(v_or(ha, v_andnot(pa, far)), x80), v_sub16(v_or(hb, v_andnot(pb, far)), x80));
    V v = v_set8(layout == 1 ? 6 : 9);
    int8_t *below = &g->below[0][k * W];
#define RANK(j, d, step) do { \
        V n_ = v_ld(below + (j) * L), m_; \
        if (fresh) n_ = v_blend(n_, c->full[j], new); \
        m_ = v_gt8(n_, d); \
        v = step(v, m_); \
        if (removes) v_st(below + (j) * L, v_add8(n_, m_)); \
    } while (0)
    RANK(0, d, v_add8); RANK(1, d, v_add8); RANK(2, d, v_add8);
    RANK(3, d, v_add8); RANK(4, d, v_add8); RANK(5, d, v_add8);
    if (layout == 1) {
        const V one = v_set16(1);
        d = v_packs(v_sub16(v_or(v_sub16(v_sub16(na, one), ha), v_andnot(pa, far)), x80),
                    v_sub16(v_or(v_sub16(v_sub16(nb, one), hb), v_andnot(pb, far)), x80));
        RANK(6, d, v_sub8); RANK(7, d, v_sub8); RANK(8, d, v_sub8);
    } else {
        RANK(6, d, v_add8); RANK(7, d, v_add8); RANK(8, d, v_add8);
    }
#undef RANK
    if (removes) {
        v_st(g->left + at, v_add16(na, pa));
        v_st(g->left + HALF + at, v_add16(nb, pb));
        if (!fresh && g->t->deep) {
            V begins = v_packs(v_eq16(v_subs16(c->start, sa), z), v_eq16(v_subs16(c->start, sb), z));
            V card = v_add8(v, v_and(begins, v_set8(SIM_BEGINS)));
            v_st(g->drawn[g->drawn_row % SIM_DRAWN] + k * W, v_blend(v_set8(SIM_NO_CARD), card, v_packs(pa, pb)));
        }
    }
    V ia = v_add16(v_min16(sa, c->start), v_unlo8(v)), ib = v_add16(v_min16(sb, c->start), v_unhi8(v));
    v_st(g->place + at, ia);
    v_st(g->place + HALF + at, ib);
    if (detail) {
        V xa = v_sub16(ia, c->first), xb = v_sub16(ib, c->first);
        v_st(g->first + at, v_blend(v_ld(g->first + at), xa, v_eq16(v_subs16(xa, c->last), z)));
        v_st(g->first + HALF + at, v_blend(v_ld(g->first + HALF + at), xb, v_eq16(v_subs16(xb, c->last), z)));
    }
    return v_add16(pa, pb);
}

/* Four places at x as one word: loads of what a vector has just stored are dear. */
SIM_INLINE uint64_t four(const uint16_t *x) {
    uint64_t q;
    memcpy(&q, x, 8);
    return q;
}

/* The next states of a strip's places from h (0 or HALF) on. */
SIM_INLINE void look(Group *g, int k, int h) {
    const uint16_t *next = g->t->next, *place = g->place + h + k * WORDS;
    uint16_t *state = g->state + h + k * WORDS;
    SIM_UNROLL(8)
    for (int i = 0; i < WORDS; i += 4) {
        uint64_t q = four(place + i);
        uint16_t s0 = next[q & 0xffff], s1 = next[q >> 16 & 0xffff], s2 = next[q >> 32 & 0xffff], s3 = next[q >> 48];
        state[i] = s0;
        state[i + 1] = s1;
        state[i + 2] = s2;
        state[i + 3] = s3;
    }
}

/* Places by byte, as bits. */
typedef struct { uint64_t half[2]; } Places;

SIM_INLINE void mark(Places *x, int k, V a, V b) {
    x->half[k * W / 64] |= v_mask8(v_packs(a, b)) << (k * W % 64);
}

/* The next place of the list: one loop, and one exit that cannot be foreseen, for all of them. */
SIM_INLINE int next_place(Places *x) {
    uint64_t low = x->half[0], high = x->half[1], none = low == 0, m = low | (high & (0 - none));
    x->half[0] = low & (low - 1);
    x->half[1] = high & (high - none);
    return place_of((int)(64 * none) + sim_ctz(m));
}

/* Places with a split or the end of a split hand. */
SIM_INLINE Places events_at(const Group *g, const Shared *c) {
    const V z = v_zero();
    Places who = {{0, 0}};
    for (int k = 0; k < NV; k++) {
        V a = v_ld(g->state + k * WORDS), b = v_ld(g->state + HALF + k * WORDS);
        mark(&who, k, v_andnot(v_eq16(a, z), v_subs16(c->rest, a)), v_andnot(v_eq16(b, z), v_subs16(c->rest, b)));
    }
    return who;
}

SIM_INLINE void events(Group *g, Places who) {
    while (who.half[0] | who.half[1]) sim_event(g, next_place(&who));
}

/* Where a place that ended no round in two windows is counted: one counter would wait for itself. */
#define NOTHING_8 4096, 4097, 4098, 4099, 4100, 4101, 4102, 4103
SIM_ALIGN static const uint16_t NOTHING[32] = {NOTHING_8, NOTHING_8, NOTHING_8, NOTHING_8};

/* The rounds that ended in this window: leaves their results for `tally` and deals with those that are more
 * than a number. 1 when some quota is nearly used up. */
SIM_INLINE int count(Group *g, int pairs) {
    const V z = v_zero(), plain = v_set16(g->t->n_results), one = v_set16(1), two = v_set16(2), nothing = v_ld(NOTHING);
    V near_ = z;
    Places more = {{0, 0}};
    for (int k = 0; k < NV; k++) {
        const int at = k * WORDS;
        V a = v_ld(g->result + at), b = v_ld(g->result + HALF + at);
        V fa = v_subs16(a, plain), fb = v_subs16(b, plain);
        if (!g->by_shoes) {
            V qa = v_sub16(v_ld(g->quota + at), v_andnot(v_eq16(a, z), one));
            V qb = v_sub16(v_ld(g->quota + HALF + at), v_andnot(v_eq16(b, z), one));
            v_st(g->quota + at, qa);
            v_st(g->quota + HALF + at, qb);
            near_ = v_or(near_, v_or(v_subs16(two, qa), v_subs16(two, qb)));
        }
        mark(&more, k, fa, fb);
        a = v_and(a, v_eq16(fa, z));
        b = v_and(b, v_eq16(fb, z));
        if (pairs && !g->holds) {
            v_st(g->held + at, v_shl16(a, SIM_PAIR));
            v_st(g->held + HALF + at, v_shl16(b, SIM_PAIR));
            continue;
        }
        if (pairs) {
            a = v_or(a, v_ld(g->held + at));
            b = v_or(b, v_ld(g->held + HALF + at));
            a = v_or(a, v_and(v_eq16(a, z), nothing));
            b = v_or(b, v_and(v_eq16(b, z), nothing));
        } else if (!g->detail) {
            a = v_shl16(a, 3);
            b = v_shl16(b, 3);
        }
        v_st(g->flag + at, a);
        v_st(g->flag + HALF + at, b);
    }
    while (more.half[0] | more.half[1]) {
        int p = next_place(&more);
        uint32_t result = sim_resolve(g, p);
        if (g->detail) g->detail[g->ended[p] * (g->t->n_results + 1u) + result]++;
        else g->hist[result][p & 7]++;
    }
    return v_any(near_);
}

/* What count left. It needs no state: a good thing to do while those of the events are on their way. */
SIM_INLINE void tally(Group *g, int pairs) {
    SIM_FENCE;
    if (g->detail) {
        const uint32_t width = g->t->n_results + 1u;
        for (int p = 0; p < L; p++) g->detail[g->ended[p] * width + g->flag[p]]++;
    } else if (!pairs) {
        for (int p = 0; p < L; p += 4) {
            uint64_t q = four(g->flag + p);
            uint32_t *to = g->hist[0] + (p & 4);
            to[q & 0xffff]++;
            to[(q >> 16 & 0xffff) + 1]++;
            to[(q >> 32 & 0xffff) + 2]++;
            to[(q >> 48) + 3]++;
        }
    } else {
        if (g->holds)
            SIM_UNROLL(8)
            for (int p = 0; p < L; p += 4) {
                uint64_t q = four(g->flag + p);
                g->pairs[q & 0xffff]++;
                g->pairs[q >> 16 & 0xffff]++;
                g->pairs[q >> 32 & 0xffff]++;
                g->pairs[q >> 48]++;
            }
        g->holds = !g->holds;
    }
    SIM_FENCE;
}

/* Other shoes from the next window on: all the rounds of this one that ended were dealt from those before. */
SIM_INLINE void next_shoes(Group *g, int every) {
    if (!g->t->n_suited) return;
    for (int at = 0; at < L; at += WORDS) {
        V fresh = every ? v_set16(-1) : v_ld(g->fresh + at);
        v_st(g->shoe + at, v_sub16(v_ld(g->shoe + at), fresh));
        v_st(g->fresh + at, v_zero());
    }
}

/* Kinds of runs, compiled apart: shoes shuffled one by one (whole shoes to play, shoes that may run out inside a
 * round), all others, by blending, and infinite ones. */
enum { ONE_BY_ONE, BLENDED, INFINITE };

/* finish and deal in one, with less memory between; `i`: of the window's rows. Adds -1 for each card
 * dealt and (BLENDED) each shoe shuffled. */
SIM_INLINE void strip(Group *g, int k, const uint16_t *words, const Shared *c, int layout, int kind, int i, V *cards,
                      V *shoes) {
    const V z = v_zero();
    const int at = k * WORDS, detail = g->detail != NULL;
    uint16_t *result = g->result + at;
    if (kind == ONE_BY_ONE && g->t->deep) dry(g, k, c);
    V sa = v_ld(g->state + at), sb = v_ld(g->state + HALF + at), na = v_ld(g->left + at), nb = v_ld(g->left + HALF + at);
    V a = v_subs16(sa, c->start), b = v_subs16(sb, c->start), new = z;
    v_st(result, i == 0 ? a : v_max16(v_ld(result), a));
    v_st(result + HALF, i == 0 ? b : v_max16(v_ld(result + HALF), b));
    if (kind != INFINITE) {
        a = v_andnot(v_eq16(a, z), v_eq16(v_subs16(na, c->limit), z));
        b = v_andnot(v_eq16(b, z), v_eq16(v_subs16(nb, c->limit), z));
    }
    if (kind == BLENDED) {
        *shoes = v_add16(*shoes, v_add16(a, b));
        na = v_blend(na, c->size, a);
        nb = v_blend(nb, c->size, b);
        new = v_packs(a, b);
        if (g->t->n_suited) {
            v_st(g->fresh + at, v_or(v_ld(g->fresh + at), a));
            v_st(g->fresh + HALF + at, v_or(v_ld(g->fresh + HALF + at), b));
        }
    }
    if (kind == ONE_BY_ONE) {
        if (v_any(v_or(a, b))) new_shoes(g, k, a, b, c);
        sa = v_ld(g->state + at);
        sb = v_ld(g->state + HALF + at);
        na = v_ld(g->left + at);
        nb = v_ld(g->left + HALF + at);
    }
    *cards = v_add16(*cards, deal(g, k, words, c, sa, sb, na, nb, new, kind == BLENDED, layout, kind != INFINITE, detail));
}

/* Near the end of the quotas: one row at a time, places that are done go to rest. 1: still near. */
SIM_COLD int slow_row(Group *g, const Shared *c) {
    const int removes = !g->t->infinite, every = c->every;
    const uint16_t *words = g->words[g->row++];
    V cards = v_zero();
    int near_;
    for (int k = 0; k < NV; k++) finish(g, k, c, every, removes);
    memcpy(g->ended, g->first, sizeof g->ended);
    near_ = count(g, 0);
    tally(g, 0);
    next_shoes(g, every);
    for (int p = 0; p < L; p++)
        if (g->quota[p] == 0 && g->state[p] > g->t->start) {
            g->state[p] = 0;
            g->active--;
            if (!every && removes && g->left[p] == g->t->size) g->shoes--;
        }
    for (int k = 0; k < NV; k++) {
        const V z = v_zero(), sa = v_ld(g->state + k * WORDS), sb = v_ld(g->state + HALF + k * WORDS);
        const V na = v_ld(g->left + k * WORDS), nb = v_ld(g->left + HALF + k * WORDS);
        const int detail = g->detail != NULL;
        cards = v_add16(cards, g->t->layout ? deal(g, k, words, c, sa, sb, na, nb, z, 0, 1, removes, detail)
                                            : deal(g, k, words, c, sa, sb, na, nb, z, 0, 0, removes, detail));
        SIM_FENCE;
        look(g, k, 0);
        look(g, k, HALF);
        SIM_FENCE;
    }
    g->drawn_row++;
    g->cards += v_minus16(cards);
    events(g, events_at(g, c));
    return near_;
}

/* A row. A strip's look-ups come late enough not to wait for its places, and early enough that the strip's
 * next row does not wait for their states: a strip later, or in halves where there are but two strips. What
 * is left over, `look_rest` does. */
SIM_INLINE void row(Group *g, const Shared *c, int layout, int kind, int i, V *cards, V *shoes) {
    const uint16_t *words = g->words[g->row++];
    for (int k = 0; k < NV; k++) {
        const int before = (k - 1) & (NV - 1), any = k || i;
        strip(g, k, words, c, layout, kind, i, cards, shoes);
        SIM_FENCE;
        if (NV > 2 && any) look(g, before, 0);
        if (any) look(g, before, HALF);
        if (NV == 2) look(g, k, 0);
        SIM_FENCE;
    }
    if (kind == ONE_BY_ONE) g->drawn_row++;
}

SIM_INLINE void look_rest(Group *g) {
    if (NV > 2) look(g, NV - 1, 0);
    look(g, NV - 1, HALF);
    SIM_FENCE;
}

/* A window. 1: near the end of a quota. */
SIM_INLINE int window(Group *g, const Shared *c, int layout, int kind) {
    const int pairs = g->t->n_results < 1 << SIM_PAIR && !g->detail;
    V cards = v_zero(), shoes = cards;
    Places who;
    int near_;
    for (int i = 0; i < SIM_WINDOW; i++) {
        /* a start is known by the third card: before the last row none is of a round behind one that ended */
        if (g->detail && i == SIM_WINDOW - 1) memcpy(g->ended, g->first, sizeof g->ended);
        row(g, c, layout, kind, i, &cards, &shoes);
    }
    look_rest(g);
    who = events_at(g, c);              /* known long before it is branched on */
    g->cards += v_minus16(cards);
    if (!c->every) g->shoes += v_minus16(shoes);
    near_ = count(g, pairs);
    next_shoes(g, c->every);
    if (g->row == SIM_BATCH) fill(g);
    events(g, who);
    tally(g, pairs);
    return near_;
}

SIM_INLINE void play(Group *g, const Shared *c, int layout, int kind) {
    int near_ = 1;
    while (g->active) {
        if (g->row == SIM_BATCH) fill(g);
        if (near_ || g->row + SIM_WINDOW > SIM_BATCH) near_ = slow_row(g, c);
        else near_ = window(g, c, layout, kind);
    }
}

static int run_kernel(const SimTables *t, const SimJob *job, int64_t *sums) {
    int failed;
    SimJob j = *job;
    Shared c;
    Group *g = (Group *)sim_alloc(sizeof(Group));
    if (!g) return -1;
    c.every = t->limit >= t->size && !t->infinite;
    if (c.every && j.shoes) { j.rounds = j.shoes; j.shoes = 0; }
    failed = sim_open(g, t, &j, sums);
    if (!failed) {
        share(g, &c);
        if (c.every) g->shoes = j.rounds;
#define PLAY(kind) do { if (t->layout) play(g, &c, 1, kind); else play(g, &c, 0, kind); } while (0)
        if (t->infinite) PLAY(INFINITE);
        else if (g->by_shoes || t->deep) PLAY(ONE_BY_ONE);
        else PLAY(BLENDED);
#undef PLAY
        sim_close(g);
    }
    sim_free(g);
    return failed;
}
