/* Rows of cards by vectors, written once; the including file gives the vector type V of W bytes and its
 * operations (v_...) and the name of the entry.
 *
 * Lives here: a row (draw, deal, next state) for all lanes side by side. Not here: what an instruction
 * set calls its instructions, what happens to one lane at a time (_sim_group.h).
 *
 * Order of the places 0 .. 127: 16-bit arrays in order; byte arrays in the order in which 128-bit packs
 * of words p and HALF + p put them, the same for every W: byte 16i + k is place 8i + k for k < 8, else
 * HALF + 8i + k - 8.
 */
enum { WORDS = W / 2, NV = SIM_LANES / W, NW = SIM_LANES / WORDS, NH = HALF / WORDS };

SIM_INLINE int place_of(int b) { int i = b >> 4, k = b & 15; return k < 8 ? i * 8 + k : HALF + i * 8 + k - 8; }

/* Bit b: byte place b of the 64 from 64 * half on has a flag of 1 .. 0x7fff. */
SIM_INLINE uint64_t flags(const uint16_t *x, int half) {
    uint64_t m = 0;
    for (int k = 0; k < 64 / W; k++) {
        int at = (half * (64 / W) + k) * WORDS;
        m |= v_mask8(v_packs(v_ld(x + at), v_ld(x + HALF + at))) << (k * W % 64);
    }
    return m;
}

#define EACH_FLAG(x, p) \
    for (int half_ = 0; half_ < L / 64; half_++) \
        for (uint64_t m_ = flags(x, half_), p; m_ && (p = (uint64_t)place_of(64 * half_ + sim_ctz(m_)), 1); m_ &= m_ - 1)

SIM_INLINE void xoshiro_rows(Group *g) {
    for (int o = 0; o < STREAMS; o += W / 8) {
        V s0 = v_ld(&g->s[0][o]), s1 = v_ld(&g->s[1][o]), s2 = v_ld(&g->s[2][o]), s3 = v_ld(&g->s[3][o]), t;
        for (int r = 0; r < SIM_BATCH; r++) {
            v_st(&g->words[r][4 * o], v_add64(v_rot64(v_add64(s0, s3), 23), s0));
            t = v_shl64(s1, 17);
            s2 = v_xor(s2, s0); s3 = v_xor(s3, s1); s1 = v_xor(s1, s2); s0 = v_xor(s0, s3);
            s2 = v_xor(s2, t); s3 = v_rot64(s3, 45);
        }
        v_st(&g->s[0][o], s0); v_st(&g->s[1][o], s1); v_st(&g->s[2][o], s2); v_st(&g->s[3][o], s3);
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

SIM_COLD void redraws(Group *g) {
    for (int k = 0; k < NW; k++)
        v_st(g->flag + k * WORDS, v_subs16(v_ld(g->left + k * WORDS), v_ld(g->low + k * WORDS)));
    EACH_FLAG(g->flag, p) sim_redraw(g, (int)p);
}

/* Fresh shoes for the flagged places (0 or -1 in `flag`). */
SIM_COLD void shuffle(Group *g) {
    const V size = v_set16(g->t->size);
    for (int k = 0; k < NW; k++) {
        V f = v_ld(g->flag + k * WORDS);
        v_st(g->left + k * WORDS, v_blend(v_ld(g->left + k * WORDS), size, f));
    }
    for (int k = 0; k < NV; k++) {
        V m = v_packs(v_ld(g->flag + k * WORDS), v_ld(g->flag + HALF + k * WORDS));
        for (int j = 0; j < 9; j++)
            v_st(&g->below[j][k * W], v_blend(v_ld(&g->below[j][k * W]), v_set8(g->full[j]), m));
    }
}

SIM_COLD void new_shoes(Group *g) {
    shuffle(g);
    EACH_FLAG(g->flag, p) {
        if (--g->shoes_left[p] == 0) { g->state[p] = 0; g->active--; }
        else g->shoes++;
        g->fresh[p] = 1;
        g->any_fresh = 1;
    }
}

/* After the cards: note what ended, shuffle where it is time. */
SIM_INLINE void finish(Group *g, int every, int deep) {
    const V z = v_zero(), start = v_set16(g->t->start), limit = v_set16(g->t->limit);
    V any = z;
    for (int k = 0; k < NW; k++) {
        int at = k * WORDS;
        V ended = v_subs16(v_ld(g->state + at), start);
        v_st(g->result + at, v_max16(v_ld(g->result + at), ended));
        V f = v_andnot(v_eq16(ended, z), v_eq16(v_subs16(v_ld(g->left + at), limit), z));
        v_st(g->flag + at, f);
        any = v_or(any, f);
    }
    if (every) shuffle(g);
    else if (v_any(any)) new_shoes(g);
    if (!deep) return;
    V empty = z;
    for (int k = 0; k < NV; k++) {
        int at = k * WORDS;
        V na = v_ld(g->left + at), nb = v_ld(g->left + HALF + at);
        V ea = v_eq16(v_subs16(v_ld(g->state + at), start), z), eb = v_eq16(v_subs16(v_ld(g->state + HALF + at), start), z);
        v_st(g->left_0 + at, v_blend(na, v_ld(g->left_0 + at), ea));
        v_st(g->left_0 + HALF + at, v_blend(nb, v_ld(g->left_0 + HALF + at), eb));
        V e = v_packs(ea, eb);
        for (int j = 0; j < 9; j++)
            v_st(&g->below_0[j][k * W], v_blend(v_ld(&g->below[j][k * W]), v_ld(&g->below_0[j][k * W]), e));
        empty = v_or(empty, v_or(v_eq16(na, z), v_eq16(nb, z)));
    }
    if (v_any(empty)) sim_refill(g);
}

/* A card to every place that is not at rest, and the place of its next state. */
SIM_INLINE void deal(Group *g, const uint16_t *words, int layout, int removes, int detail) {
    const V z = v_zero(), b = v_set16(128), rest = v_set16(g->t->special_end), far = v_set16(0x3fff);
    const V start = v_set16(g->t->start), first = v_set16(g->t->first_pair), last = v_set16(549);
    V any = z;
    for (int k = 0; k < NW; k++) {
        int at = k * WORDS;
        V w = v_ld(words + at), n = v_ld(g->left + at), low = v_mullo16(w, n);
        v_st(g->high + at, v_mulhi16(w, n));
        v_st(g->low + at, low);
        any = v_or(any, v_subs16(n, low));
    }
    if (v_any(any)) redraws(g);
    for (int k = 0; k < NV; k++) {
        int at = k * WORDS;
        V sa = v_ld(g->state + at), sb = v_ld(g->state + HALF + at);
        V pa = v_eq16(v_subs16(rest, sa), z), pb = v_eq16(v_subs16(rest, sb), z);   /* -1: plays */
        V na = v_ld(g->left + at), nb = v_ld(g->left + HALF + at);
        V ha = v_ld(g->high + at), hb = v_ld(g->high + HALF + at);
        V d = v_packs(v_sub16(v_or(ha, v_andnot(pa, far)), b), v_sub16(v_or(hb, v_andnot(pb, far)), b));
        V v = v_set8(layout == 1 ? 6 : 9);
        for (int j = 0; j < (layout == 1 ? 6 : 9); j++) {
            V c = v_ld(&g->below[j][k * W]), m = v_gt8(c, d);
            v = v_add8(v, m);
            if (removes) v_st(&g->below[j][k * W], v_add8(c, m));
        }
        if (layout == 1) {
            V one = v_set16(1);
            V e = v_packs(v_sub16(v_or(v_sub16(v_sub16(na, one), ha), v_andnot(pa, far)), b),
                          v_sub16(v_or(v_sub16(v_sub16(nb, one), hb), v_andnot(pb, far)), b));
            for (int j = 6; j < 9; j++) {
                V c = v_ld(&g->below[j][k * W]), m = v_gt8(c, e);
                v = v_sub8(v, m);
                if (removes) v_st(&g->below[j][k * W], v_add8(c, m));
            }
        }
        if (removes) {
            v_st(g->left + at, v_add16(na, pa));
            v_st(g->left + HALF + at, v_add16(nb, pb));
        }
        V ia = v_add16(v_min16(sa, start), v_unlo8(v)), ib = v_add16(v_min16(sb, start), v_unhi8(v));
        v_st(g->place + at, ia);
        v_st(g->place + HALF + at, ib);
        if (detail) {
            V xa = v_sub16(ia, first), xb = v_sub16(ib, first);
            v_st(g->first + at, v_blend(v_ld(g->first + at), xa, v_eq16(v_subs16(xa, last), z)));
            v_st(g->first + HALF + at, v_blend(v_ld(g->first + HALF + at), xb, v_eq16(v_subs16(xb, last), z)));
        }
        any = k ? v_add16(any, v_add16(pa, pb)) : v_add16(pa, pb);
    }
    g->cards += v_minus16(any);
}

SIM_INLINE void look(Group *g) {
    const uint16_t *next = g->t->next;
    SIM_FENCE;
    for (int i = 0; i < L; i += 4) {
        uint64_t q, r;
        memcpy(&q, g->place + i, 8);
        r = (uint64_t)next[q & 0xffff] | (uint64_t)next[q >> 16 & 0xffff] << 16
            | (uint64_t)next[q >> 32 & 0xffff] << 32 | (uint64_t)next[q >> 48] << 48;
        memcpy(g->state + i, &r, 8);
    }
    SIM_FENCE;
}

SIM_INLINE int events(Group *g) {
    const V z = v_zero(), rest = v_set16(g->t->special_end);
    V any = z;
    for (int k = 0; k < NW; k++) {
        V s = v_ld(g->state + k * WORDS), f = v_andnot(v_eq16(s, z), v_subs16(rest, s));
        any = v_or(any, f);
        v_st(g->flag + k * WORDS, v_shr16(f, 1));
    }
    if (!v_any(any)) return 0;
    EACH_FLAG(g->flag, p) sim_event(g, (int)p);
    return 1;
}

/* Count the rounds that ended in this window; 1 when some quota is nearly used up. */
SIM_INLINE int count(Group *g, int every, int detail) {
    const V z = v_zero(), one = v_set16(1), two = v_set16(2), plain = v_set16(g->t->n_results);
    V any = z, near_ = z;
    for (int k = 0; k < NW; k++) {
        int at = k * WORDS;
        V r = v_ld(g->result + at), q = v_ld(g->quota + at);
        if (!g->by_shoes) {
            q = v_sub16(q, v_andnot(v_eq16(r, z), one));
            v_st(g->quota + at, q);
            near_ = v_or(near_, v_subs16(two, q));
        }
        V f = v_subs16(r, plain);
        any = v_or(any, f);
        v_st(g->flag + at, f);
    }
    if (v_any(any)) EACH_FLAG(g->flag, p) sim_resolve(g, (int)p);
    for (int i = 0; i < L; i += 4) {
        g->hist[0][g->result[i]]++;
        g->hist[1][g->result[i + 1]]++;
        g->hist[2][g->result[i + 2]]++;
        g->hist[3][g->result[i + 3]]++;
    }
    if (detail)
        for (int i = 0; i < L; i++) g->detail[g->first[i] * (g->t->n_results + 1u) + g->result[i]]++;
    for (int k = 0; k < NW; k++) v_st(g->result + k * WORDS, z);
    if (g->t->n_suited) {
        if (every) memset(g->suit, 0, sizeof g->suit);
        else if (g->any_fresh) {
            for (int p = 0; p < L; p++)
                if (g->fresh[p]) memset(g->suit[p], 0, sizeof g->suit[p]);
            memset(g->fresh, 0, sizeof g->fresh);
            g->any_fresh = 0;
        }
    }
    return v_any(near_);
}

/* Near the end of the quotas: row by row, places that are done go to rest. */
SIM_COLD void retire(Group *g, int every) {
    for (int p = 0; p < L; p++)
        if (g->quota[p] == 0 && g->state[p] > g->t->start) {
            g->state[p] = 0;
            g->active--;
            if (!every && !g->t->infinite && g->left[p] == g->t->size) g->shoes--;
        }
}

SIM_INLINE void row(Group *g, int layout, int every, int removes, int detail, int deep) {
    finish(g, every, deep);
    deal(g, g->words[g->row++], layout, removes, detail);
    look(g);
}

SIM_INLINE void play(Group *g, int layout, int every, int removes, int detail, int deep) {
    int near_ = 1;
    while (g->active) {
        if (g->row == SIM_BATCH) fill(g);
        if (near_) {
            events(g);
            finish(g, every, deep);
            near_ = count(g, every, detail);
            retire(g, every);
            deal(g, g->words[g->row++], layout, removes, detail);
            look(g);
        } else {
            if (g->row + SIM_WINDOW > SIM_BATCH) { near_ = 1; continue; }
            events(g);
            for (int i = 0; i < SIM_WINDOW; i++) row(g, layout, every, removes, detail, deep);
            near_ = count(g, every, detail);
        }
    }
}

static int run_kernel(const SimTables *t, const SimJob *job, int64_t *sums) {
    int every = t->limit >= t->size && !t->infinite, failed;
    SimJob j = *job;
    Group *g = (Group *)sim_alloc(sizeof(Group));
    if (!g) return -1;
    if (every && j.shoes) { j.rounds = j.shoes; j.shoes = 0; }
    failed = sim_open(g, t, &j, sums);
    if (!failed) {
        if (every) g->shoes = j.rounds;
#define SIM_PLAY(layout, detail) \
        if (every) play(g, layout, 1, 1, detail, 0); \
        else if (t->infinite) play(g, layout, 0, 0, detail, 0); \
        else if (t->deep) play(g, layout, 0, 1, detail, 1); \
        else play(g, layout, 0, 1, detail, 0)
        if (t->layout) { if (job->detail) { SIM_PLAY(1, 1); } else { SIM_PLAY(1, 0); } }
        else if (job->detail) { SIM_PLAY(0, 1); }
        else { SIM_PLAY(0, 0); }
        sim_close(g);
    }
    sim_free(g);
    return failed;
}
