/* The kernel in plain C: the same rows, one lane after another. It is the oracle of the others, the path
 * of other processors and of large shoes, and the one that can note every card.
 */
#include "_sim_dry.h"

SIM_INLINE int place_of(int b) { int i = b >> 4, k = b & 15; return k < 8 ? i * 8 + k : HALF + i * 8 + k - 8; }

typedef struct {
    uint8_t player[48], dealer[48], actions[64];
    uint8_t n_player, n_dealer, n_actions, up, hole, has_hole;
    uint64_t at;        /* row of the columns */
} Round;

typedef struct {
    const SimTrace *out;
    Round now[SIM_LANES];
} Tracer;

/* -- rows of words */

static void xoshiro_rows(Group *g) {
    for (int j = 0; j < STREAMS; j++) {
        uint64_t s0 = g->s[0][j], s1 = g->s[1][j], s2 = g->s[2][j], s3 = g->s[3][j];
        for (int r = 0; r < SIM_BATCH; r++) {
            uint64_t x = sim_rotl(s0 + s3, 23) + s0, t = s1 << 17;
            s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= t; s3 = sim_rotl(s3, 45);
            for (int k = 0; k < 4; k++) g->words[r][4 * j + k] = (uint16_t)(x >> 16 * k);
        }
        g->s[0][j] = s0; g->s[1][j] = s1; g->s[2][j] = s2; g->s[3][j] = s3;
    }
}

static void chacha_rows(Group *g) {
    uint32_t out[16];
    for (int q = 0; q < SIM_BATCH / 4; q++, g->counter += 16)
        for (int b = 0; b < 16; b++) {
            sim_block(g->key, g->chunk, 3, (uint32_t)g->counter + (uint32_t)b, out);
            for (int w = 0; w < 16; w++) {
                uint16_t *to = &g->words[4 * q + w / 4][(w % 4) * 32 + 2 * b];
                to[0] = (uint16_t)out[w];
                to[1] = (uint16_t)(out[w] >> 16);
            }
        }
}

/* -- one row */

static void shuffle_lane(Group *g, int p) {
    g->left[p] = g->t->size;
    for (int j = 0; j < 9; j++) { g->below[j][p] = g->full[j]; g->wide[j][p] = g->full_wide[j]; }
}

SIM_INLINE void trace_end(Group *g, Tracer *tr, int p);
SIM_INLINE void trace_card(const SimTables *t, Round *r, uint16_t place);

/* Shoes that ran out inside a round. */
static void dry(Group *g, Tracer *tr) {
    const uint16_t rest = g->t->special_end, start = g->t->start;
    DryRound r;
    for (int p = 0; p < L; p++) {
        if (g->left[p] || g->state[p] < rest || g->state[p] > start) continue;
        sim_dry(g, p, p, &r);
        if (!tr) continue;
        tr->now[p].n_player = tr->now[p].n_dealer = tr->now[p].n_actions = tr->now[p].has_hole = 0;
        for (int i = 0; i < r.n; i++) trace_card(g->t, &tr->now[p], r.places[i]);
    }
}

SIM_INLINE void finish(Group *g, int every, Tracer *tr) {
    const uint16_t start = g->t->start, limit = g->t->limit;
    uint16_t any = 0;
    if (g->t->deep) dry(g, tr);
    for (int p = 0; p < L; p++) {
        uint16_t s = g->state[p], was = g->result[p];
        uint16_t ended = (uint16_t)(s > start ? s - start : 0);
        g->result[p] = was > ended ? was : ended;
        g->flag[p] = (uint16_t)((s > start) & (g->left[p] <= limit));
    }
    for (int p = 0; p < L; p++) any |= g->flag[p];
    if (tr)
        for (int p = 0; p < L; p++) if (g->state[p] > start) trace_end(g, tr, p);
    if (any) for (int b = 0; b < L; b++) {
        int p = place_of(b);
        if (!g->flag[p]) continue;
        shuffle_lane(g, p);
        if (every) continue;
        if (--g->shoes_left[p] == 0) { g->state[p] = 0; g->active--; }
        else g->shoes++;
        g->fresh[p] = 1;
    }
}

SIM_INLINE void fill(Group *g) {
    if (g->chacha) chacha_rows(g);
    else xoshiro_rows(g);
    g->row = 0;
}

/* The number of each place's card among those left. */
SIM_INLINE void draw(Group *g, const uint16_t *words) {
    int any = 0;
    for (int p = 0; p < L; p++) {
        uint32_t m = (uint32_t)words[p] * g->left[p];
        g->high[p] = (uint16_t)(m >> 16);
        g->low[p] = (uint16_t)m;
        any |= g->low[p] < g->left[p];
    }
    if (any)
        for (int b = 0; b < L; b++) {
            int p = place_of(b);
            if (g->low[p] < g->left[p]) sim_redraw(g, p);
        }
}

SIM_INLINE void deal(Group *g, const uint16_t *words, int wide, int removes, int detail) {
    const uint16_t rest = g->t->special_end, start = g->t->start, first = g->t->first_pair;
    SIM_ALIGN uint8_t v[SIM_LANES];
    SIM_ALIGN int8_t d[SIM_LANES];
    SIM_ALIGN uint16_t plays[SIM_LANES];
    int cards = 0;
    draw(g, words);
    for (int p = 0; p < L; p++) {
        plays[p] = g->state[p] >= rest;
        v[p] = 9;
    }
    if (wide) {
        for (int p = 0; p < L; p++) g->high[p] = plays[p] ? g->high[p] : 0xffff;
        for (int j = 0; j < 9; j++)
            for (int p = 0; p < L; p++) {
                uint16_t m = g->wide[j][p] > g->high[p];
                v[p] = (uint8_t)(v[p] - m);
                if (removes) g->wide[j][p] = (uint16_t)(g->wide[j][p] - m);
            }
    } else {
        for (int p = 0; p < L; p++) {
            int16_t h = (int16_t)(g->high[p] - 128);
            h = h > 127 ? 127 : h;
            d[p] = (int8_t)(plays[p] ? h : 127);
        }
        for (int j = 0; j < 9; j++)
            for (int p = 0; p < L; p++) {
                int8_t m = g->below[j][p] > d[p];
                v[p] = (uint8_t)(v[p] - m);
                if (removes) g->below[j][p] = (int8_t)(g->below[j][p] - m);
            }
    }
    for (int p = 0; p < L; p++) {
        uint16_t s = g->state[p] < start ? g->state[p] : start;
        if (removes) g->left[p] = (uint16_t)(g->left[p] - plays[p]);
        g->place[p] = (uint16_t)(s + v[p]);
        cards += plays[p];
    }
    if (detail)
        for (int p = 0; p < L; p++) {
            uint16_t x = (uint16_t)(g->place[p] - first);
            g->first[p] = x <= 549 ? x : g->first[p];
        }
    if (g->t->deep) {
        uint8_t *to = g->drawn[g->drawn_row++ % SIM_DRAWN];
        for (int p = 0; p < L; p++)
            to[p] = (uint8_t)(plays[p] ? v[p] + (g->state[p] >= start ? SIM_BEGINS : 0) : SIM_NO_CARD);
    }
    g->cards += (uint64_t)cards;
}

SIM_INLINE void trace_card(const SimTables *t, Round *r, uint16_t place) {
    uint8_t card = (uint8_t)(place % 10);
    switch (t->taker[place / 10]) {
    case 0: if (r->n_player < 48) r->player[r->n_player++] = card; break;
    case 1: r->up = card; break;
    case 2: r->hole = card; r->has_hole = 1; break;
    default: if (r->n_dealer < 48) r->dealer[r->n_dealer++] = card;
    }
    for (uint32_t a = t->actions[place]; (a & 15) != 15; a >>= 4)
        if (r->n_actions < 64) r->actions[r->n_actions++] = (uint8_t)(a & 15);
}

SIM_INLINE void trace_cards(Group *g, Tracer *tr) {
    for (int p = 0; p < L; p++)
        if (g->state[p] >= g->t->special_end) trace_card(g->t, &tr->now[p], g->place[p]);
}

SIM_INLINE void trace_end(Group *g, Tracer *tr, int p) {
    const SimTrace *o = tr->out;
    Round *r = &tr->now[p];
    uint8_t *c = o->cards + r->at * (uint64_t)o->width;
    int n = 0, w = o->width;
    (void)g;
#define PUT(x) if (n < w) c[n] = (x); n++
    PUT(r->player[0]);
    if (o->hole_dealt && o->first_dealer_is_hole) { PUT(r->hole); } else { PUT(r->up); }
    PUT(r->player[1]);
    if (o->hole_dealt) { if (o->first_dealer_is_hole) { PUT(r->up); } else { PUT(r->hole); } }
    for (int i = 2; i < r->n_player; i++) { PUT(r->player[i]); }
    if (!o->hole_dealt && r->has_hole) { PUT(r->hole); }
    for (int i = 0; i < r->n_dealer; i++) { PUT(r->dealer[i]); }
#undef PUT
    o->n_cards[r->at] = (uint8_t)n;
    o->n_actions[r->at] = r->n_actions;
    for (int i = 0; i < r->n_actions && i < o->a_width; i++) o->actions[r->at * (uint64_t)o->a_width + (uint64_t)i] = r->actions[i];
    r->n_player = r->n_dealer = r->n_actions = r->has_hole = 0;
    r->at++;
}

SIM_INLINE void look(Group *g) {
    const uint16_t *next = g->t->next;
    for (int p = 0; p < L; p++) g->state[p] = next[g->place[p]];
}

static void events(Group *g) {
    const uint16_t rest = g->t->special_end;
    uint16_t any = 0;
    for (int p = 0; p < L; p++) any |= (uint16_t)((g->state[p] != 0) & (g->state[p] < rest));
    if (!any) return;
    for (int b = 0; b < L; b++) {
        int p = place_of(b);
        if (g->state[p] && g->state[p] < rest) sim_event(g, p);
    }
}

SIM_INLINE int count(Group *g, int every, int detail, Tracer *tr) {
    const SimTables *t = g->t;
    int near_ = 0, any = 0;
    for (int p = 0; p < L; p++) any |= g->result[p] > t->n_results;
    if (!g->by_shoes)
        for (int p = 0; p < L; p++) {
            g->quota[p] = (uint16_t)(g->quota[p] - (g->result[p] != 0));
            near_ |= g->quota[p] < 2;
        }
    if (tr) {
        for (int b = 0; b < L; b++) {
            int p = place_of(b), was = g->result[p] - t->n_results - 1;
            if (!g->result[p]) continue;
            uint64_t at = tr->now[p].at - 1;
            if (was >= 0 && was < SIM_MULTI) {
                const Split x = {g->side[p].acc, (uint16_t)was, g->ended[p]};
                uint64_t acc = x.acc;
                tr->out->net[at] = (int32_t)sim_split_add(g, &x);
                g->sums[O_ROUNDS]++;
                for (; acc; acc >>= 8) tr->out->outcome[at] = t->outcome[acc & 255][was & 15];   /* last: the first hand's */
                memset(&g->side[p], 0, sizeof(Side));
                g->result[p] = 0;
                tr->out->suited[at] = 0;
            } else {
                if (was >= 0) g->result[p] = sim_resolve(g, p);
                tr->out->net[at] = t->results[g->result[p]].net;
                tr->out->outcome[at] = t->results[g->result[p]].outcome;
                tr->out->suited[at] = was >= 0 && g->result[p] == t->suited[was - SIM_MULTI][1];
            }
        }
    } else if (any) {
        for (int b = 0; b < L; b++) {
            int p = place_of(b);
            if (g->result[p] > t->n_results) g->result[p] = sim_resolve(g, p);
        }
    }
    if (!detail)
        for (int p = 0; p < L; p++) g->hist[g->result[p]][p & 7]++;
    else
        for (int p = 0; p < L; p++) g->detail[g->ended[p] * (t->n_results + 1u) + g->result[p]]++;
    memset(g->result, 0, sizeof g->result);
    if (t->n_suited) {
        for (int p = 0; p < L; p++)
            if (every || g->fresh[p]) memset(g->suit[p], 0, sizeof g->suit[p]);
        memset(g->fresh, 0, sizeof g->fresh);
    }
    return near_;
}

static void retire(Group *g, int every) {
    for (int p = 0; p < L; p++)
        if (g->quota[p] == 0 && g->state[p] > g->t->start) {
            g->state[p] = 0;
            g->active--;
            if (!every && !g->t->infinite && g->left[p] == g->t->size) g->shoes--;
        }
}

SIM_INLINE void play(Group *g, int wide, int every, int removes, int detail, Tracer *tr) {
    int near_ = 1;
    while (g->active) {
        if (g->row == SIM_BATCH) fill(g);
        if (!near_ && g->row + SIM_WINDOW > SIM_BATCH) near_ = 1;
        events(g);
        for (int i = 0; i < (near_ ? 1 : SIM_WINDOW); i++) {
            finish(g, every, tr);
            if (near_) {
                memcpy(g->ended, g->first, sizeof g->ended);
                near_ = count(g, every, detail, tr) | 2;
                retire(g, every);
            }
            /* a start is known by the third card: before the last row none is of a round behind one that ended */
            if (detail && i == SIM_WINDOW - 1) memcpy(g->ended, g->first, sizeof g->ended);
            deal(g, g->words[g->row++], wide, removes, detail);
            if (tr) trace_cards(g, tr);
            look(g);
        }
        near_ = near_ & 2 ? near_ & 1 : count(g, every, detail, tr);
    }
}

static int run(const SimTables *t, const SimJob *job, int64_t *sums, const SimTrace *trace) {
    int every = t->limit >= t->size && !t->infinite, failed;
    SimJob j = *job;
    Tracer *tr = NULL;
    Group *g = (Group *)sim_alloc(sizeof(Group));
    if (!g) return -1;
    if (every && j.shoes) { j.rounds = j.shoes; j.shoes = 0; }
    if (trace && !(tr = (Tracer *)calloc(1, sizeof(Tracer)))) { sim_free(g); return -1; }
    failed = sim_open(g, t, &j, sums);
    if (!failed) {
        if (every) g->shoes = j.rounds;
        if (tr) {
            uint64_t at = 0;
            tr->out = trace;
            for (int p = 0; p < L; p++) {
                tr->now[p].at = at;
                at += j.rounds / L + ((uint64_t)p < j.rounds % L);
            }
            play(g, 1, every, !t->infinite, job->detail, tr);
        } else if (t->layout) {
            play(g, 1, every, !t->infinite, job->detail, NULL);
        } else if (job->detail) {
            play(g, 0, every, !t->infinite, 1, NULL);
        } else if (every || t->infinite) {
            play(g, 0, every, !t->infinite, 0, NULL);
        } else {
            play(g, 0, 0, 1, 0, NULL);
        }
        sim_close(g);
    }
    free(tr);
    sim_free(g);
    return failed;
}

int sim_run_scalar(const SimTables *t, const SimJob *job, int64_t *sums) { return run(t, job, sums, NULL); }

#include "_sim_boxes_kernel.h"

int sim_boxes_scalar(const SimBoxes *t, const SimJob *job, int64_t *sums) { return run_boxes(t, job, sums); }

int sim_trace(const SimTables *t, const SimJob *job, int64_t *sums, const SimTrace *trace) {
    return run(t, job, sums, trace);
}

void sim_words(const uint64_t *key, uint64_t chunk, uint32_t tag, uint32_t counter, uint32_t *out) {
    uint32_t k[8];
    for (int i = 0; i < 8; i++) k[i] = (uint32_t)(key[i / 2] >> (i & 1 ? 32 : 0));
    sim_block(k, chunk, tag, counter, out);
}

int sim_has(int isa) {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
    __builtin_cpu_init();
    if (isa == 1) return __builtin_cpu_supports("sse4.1") != 0;
    if (isa == 2) return __builtin_cpu_supports("avx2") != 0;
#if defined(__clang__) || __GNUC__ >= 8
    if (isa == 3) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                         && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
#endif
    return isa == 0;
}
