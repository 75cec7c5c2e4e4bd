/* A group of lanes: its memory, its streams, and the rare things that happen to one lane at a time.
 *
 * Lives here: everything that every instruction set does in the same scalar way. Not here: rows of
 * cards (_sim_kernel.h).
 *
 * Streams, "bj-sim-1": ChaCha20 blocks of key = seed (256 bits, little endian), nonce = (chunk low,
 * chunk high, tag), counter. Tag 1, counter j: state of row generator j, xoshiro256++, in the first 32
 * bytes (one of 32; its u64 of a row serves places 4j .. 4j + 3, low word first). Tag 2: state of the
 * generator for redraws and suits. Tag 3 (rng "chacha20"): rows: block group g has the counters 16g to
 * 16g + 15, word w of the sixteen blocks one behind the other is 64 bytes; four words make a row. Tag 4,
 * counter 0: the generator of the general path. Tag 5: see _sim_dry.h.
 */
#ifndef BJ_SIM_GROUP_H
#define BJ_SIM_GROUP_H
#include <stdlib.h>
#include <string.h>
#include "_sim.h"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define SIM_COLD static __declspec(noinline)
#define SIM_INLINE static __forceinline
#define SIM_ALIGN __declspec(align(64))
#define SIM_FENCE _ReadWriteBarrier()
static int sim_ctz(uint64_t x) { unsigned long i; int k = 0; while (!(x & 1)) { x >>= 1; k++; } i = 0; (void)i; return k; }
#else
#define SIM_COLD static __attribute__((noinline, unused))
#ifdef CYTHON_WITHOUT_ASSERTIONS
#define SIM_INLINE static inline __attribute__((always_inline, unused))
#else   /* the debug build: instrumented code times all variants of a kernel takes minutes to compile */
#define SIM_INLINE static __attribute__((unused))
#endif
#define SIM_ALIGN __attribute__((aligned(64)))
#define SIM_RARE(x) __builtin_expect(!!(x), 0)
#define SIM_PRAGMA_(x) _Pragma(#x)
#ifdef __clang__
#define SIM_UNROLL(n) SIM_PRAGMA_(clang loop unroll_count(n))
#else
#define SIM_UNROLL(n) SIM_PRAGMA_(GCC unroll n)
#endif
/* keeps the compiler from turning loads of what was just stored into slow extractions */
#define SIM_FENCE __asm__ volatile("" ::: "memory")
#define sim_ctz(x) __builtin_ctzll(x)
#endif

/* 64-byte aligned memory by hand: portable, and the sanitizers see its ends */
SIM_COLD void *sim_alloc(size_t size) {
    char *raw = (char *)malloc(size + 64 + sizeof(void *));
    if (!raw) return NULL;
    char *at = (char *)(((uintptr_t)raw + sizeof(void *) + 63) & ~(uintptr_t)63);
    ((void **)at)[-1] = raw;
    return at;
}

SIM_COLD void sim_free(void *at) { free(((void **)at)[-1]); }

enum { L = SIM_LANES, HALF = SIM_LANES / 2, STREAMS = SIM_LANES / 4, SIM_LATER = 64,
       SIM_PAIR = 6 };

/* What is kept of a round that was split, 0 otherwise: `acc` the classes of finished hands, a byte each;
 * `now` the place, what is asked of the dealer << 16, splits << 24, and (signed) hands still to come, but
 * one, << 32. */
typedef struct { uint64_t acc, now; } Side;

typedef struct {            /* SimEvent as Side takes it: first `set`, then `add` */
    uint64_t add;
    uint32_t set;
    uint8_t cls, shift;
} Event;

typedef struct {            /* a split round that is over */
    uint64_t acc;
    uint16_t code, first;
} Split;

typedef struct {
    SIM_ALIGN uint16_t words[SIM_BATCH][SIM_LANES];
    uint64_t s[4][STREAMS];
    SIM_ALIGN int8_t below[9][SIM_LANES];   /* cards up to a rank (or beyond it), less 128 */
    SIM_ALIGN uint16_t left[SIM_LANES];
    uint16_t state[SIM_LANES];
    uint16_t place[SIM_LANES];              /* state + card */
    uint16_t result[SIM_LANES];             /* of the round that ended in this window, or 0 */
    uint16_t quota[SIM_LANES];
    uint16_t first[SIM_LANES];              /* two cards * 10 + upcard of the round, detail only */
    uint16_t ended[SIM_LANES];              /* the same of those that ended in this window: the next may be there already */
    uint16_t flag[SIM_LANES];
    uint16_t high[SIM_LANES], low[SIM_LANES];
    SIM_ALIGN uint16_t fresh[SIM_LANES];    /* not 0: the lane's shoe was shuffled in this window */
    uint16_t shoe[SIM_LANES];               /* changes with every shoe; what `suit` says holds for `suit_shoe` */
    uint16_t suit_shoe[SIM_LANES];
    uint16_t wide[9][SIM_LANES];            /* `below` of shoes that a byte cannot count */
    uint16_t left_0[SIM_LANES];             /* cards when the round began, where a shoe may run out inside one */
    /* there, too: the last cards of every lane, by its byte */
    SIM_ALIGN uint8_t drawn[SIM_DRAWN][SIM_LANES];
    unsigned drawn_row;                     /* rows written */
    uint32_t dry_blocks[SIM_LANES];
    /* by result and place mod 8: one counter would wait for itself, arrays 4 kB apart for each other */
    SIM_ALIGN uint32_t hist[SIM_HIST][8];
    Side side[SIM_LANES];
    Split later[SIM_LATER];                 /* split rounds, added up many at a time */
    int n_later;
    int64_t hand[SIM_CLASSES][SIM_FINALS];  /* sim_hand */
    uint32_t ends[SIM_CLASSES][SIM_FINALS]; /* split hands by class and the dealer's final hand */
    /* two windows' results of a place as one number of twice SIM_PAIR bits, where they fit */
    SIM_ALIGN uint16_t held[SIM_LANES];
    int holds;
    uint32_t pairs[(1 << 2 * SIM_PAIR) + 8];
    uint16_t suit[SIM_LANES][2][5];         /* suits seen since the shuffle: aces, ten-values; their number */
    uint64_t extra[4];                      /* redraws and suits */
    uint32_t shoes_left[SIM_LANES];
    uint32_t key[8];
    uint64_t chunk, counter;
    uint64_t cards, shoes, active;
    uint32_t *detail;
    const SimTables *t;
    Event *events;
    int64_t *sums;
    int row, chacha, by_shoes;
    int8_t full[9];
    uint16_t full_wide[9];
} Group;

/* -- ChaCha20 (RFC 8439 block function; 32-bit counter, 96-bit nonce) */

#define SIM_ROT32(x, k) ((x) << (k) | (x) >> (32 - (k)))
#define SIM_QUARTER(a, b, c, d, ADD, XOR, ROT) \
    a = ADD(a, b); d = XOR(d, a); d = ROT(d, 16); c = ADD(c, d); b = XOR(b, c); b = ROT(b, 12); \
    a = ADD(a, b); d = XOR(d, a); d = ROT(d, 8); c = ADD(c, d); b = XOR(b, c); b = ROT(b, 7)
#define SIM_ADD_(a, b) ((a) + (b))
#define SIM_XOR_(a, b) ((a) ^ (b))
#define SIM_ROUNDS(x, ADD, XOR, ROT) \
    for (int i_ = 0; i_ < 10; i_++) { \
        SIM_QUARTER(x[0], x[4], x[8], x[12], ADD, XOR, ROT); SIM_QUARTER(x[1], x[5], x[9], x[13], ADD, XOR, ROT); \
        SIM_QUARTER(x[2], x[6], x[10], x[14], ADD, XOR, ROT); SIM_QUARTER(x[3], x[7], x[11], x[15], ADD, XOR, ROT); \
        SIM_QUARTER(x[0], x[5], x[10], x[15], ADD, XOR, ROT); SIM_QUARTER(x[1], x[6], x[11], x[12], ADD, XOR, ROT); \
        SIM_QUARTER(x[2], x[7], x[8], x[13], ADD, XOR, ROT); SIM_QUARTER(x[3], x[4], x[9], x[14], ADD, XOR, ROT); \
    }

SIM_COLD void sim_block(const uint32_t *key, uint64_t chunk, uint32_t tag, uint32_t counter, uint32_t *out) {
    uint32_t in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
    memcpy(in + 4, key, 32);
    in[12] = counter;
    in[13] = (uint32_t)chunk;
    in[14] = (uint32_t)(chunk >> 32);
    in[15] = tag;
    memcpy(x, in, 64);
    SIM_ROUNDS(x, SIM_ADD_, SIM_XOR_, SIM_ROT32)
    for (int i = 0; i < 16; i++) out[i] = x[i] + in[i];
}

/* -- setting up and ending */

SIM_COLD void sim_seed(Group *g, const SimJob *job) {
    uint32_t out[16];
    for (int i = 0; i < 8; i++) g->key[i] = (uint32_t)(job->key[i / 2] >> (i & 1 ? 32 : 0));
    g->chunk = job->chunk;
    g->chacha = job->chacha;
    for (int j = 0; j < STREAMS; j++) {
        sim_block(g->key, g->chunk, 1, (uint32_t)j, out);
        for (int i = 0; i < 4; i++) g->s[i][j] = out[2 * i] | (uint64_t)out[2 * i + 1] << 32;
    }
    sim_block(g->key, g->chunk, 2, 0, out);
    for (int i = 0; i < 4; i++) g->extra[i] = out[2 * i] | (uint64_t)out[2 * i + 1] << 32;
}

/* What a class of split hands adds against a final hand: net, what the bet caps << 20, stake << 40, 1 << 58. */
SIM_INLINE int64_t sim_hand(const SimTables *t, int c, int f) {
    return t->pay[c][f] + (int64_t)t->lost[c][f] * (1 << 20) + (int64_t)t->stake[c] * ((int64_t)1 << 40)
           + ((int64_t)1 << 58);
}

SIM_COLD int sim_open(Group *g, const SimTables *t, const SimJob *job, int64_t *sums) {
    memset(g, 0, sizeof *g);
    g->t = t;
    g->sums = sums;
    g->by_shoes = job->shoes != 0;
    g->row = SIM_BATCH;
    sim_seed(g, job);
    g->events = (Event *)calloc(t->special_end / 10, sizeof(Event));
    if (!g->events) return -1;
    for (int i = 1; i < t->special_end / 10; i++) {
        const SimEvent *from = &t->events[i];
        Event *to = &g->events[i];
        to->set = from->place | (uint32_t)from->need << 16;
        to->add = ((uint64_t)from->split << 24) + ((uint64_t)(from->split ? 1 : -1) << 32);
        to->cls = from->cls;
        to->shift = from->shift;
    }
    if (job->detail) {
        g->detail = (uint32_t *)calloc((size_t)550 * (t->n_results + 1u), sizeof(uint32_t));
        if (!g->detail) { free(g->events); return -1; }
    }
    for (int c = 1; c < SIM_CLASSES; c++)
        for (int f = 0; f < SIM_FINALS; f++) g->hand[c][f] = sim_hand(t, c, f);
    for (int j = 0, sum = 0; j < 9; j++) {
        sum += t->counts[j];
        int count = t->layout == 1 && j >= 6 ? t->size - sum : sum;
        g->full[j] = (int8_t)(uint8_t)(count - 128);
        g->full_wide[j] = (uint16_t)sum;
    }
    for (int p = 0; p < L; p++) {
        uint64_t share = (g->by_shoes ? job->shoes : job->rounds) / L
                         + ((uint64_t)p < (g->by_shoes ? job->shoes : job->rounds) % L);
        g->state[p] = share ? t->start : 0;
        if (share) g->active++;
        g->quota[p] = g->by_shoes ? 0xffff : (uint16_t)share;
        g->shoes_left[p] = g->by_shoes ? (uint32_t)share : 0xffffffff;
        g->left[p] = t->size;
        for (int j = 0; j < 9; j++) {
            g->below[j][p] = g->full[j];
            g->wide[j][p] = g->full_wide[j];
        }
    }
    if (!t->infinite) g->shoes = g->active;
    return 0;
}

/* Adds one round's result `times` times. */
SIM_COLD void sim_add(int64_t *o, const SimResult *r, int64_t times) {
    o[O_ROUNDS] += times;
    o[O_NET] += times * r->net;
    o[O_NET_SQ] += times * r->net * r->net;
    o[O_STAKED] += times * r->staked;
    o[O_INSURED] += times * (r->insured & 1);
    o[O_INSURED_WON] += times * (r->insured >> 1);
    o[O_HANDS + r->hands] += times;
    if (r->hands == 1) o[O_OUTCOMES + r->outcome] += times;
    o[O_DEALER + r->dealer] += times;
    o[O_VALUES + SIM_SPAN + r->net] += times;
}

/* Class of a start for the sums: (hard, soft, pair) * 32 + row, times ten, plus upcard. */
SIM_INLINE int sim_start_class(int first) {
    int up = first % 10, pair = first / 10, b = 0, kind, row;
    while ((b + 1) * (b + 2) / 2 <= pair) b++;
    int a = pair - b * (b + 1) / 2;             /* value indices a <= b */
    if (a == b) { kind = 2; row = a + 1; }
    else if (a == 0) { kind = 1; row = b + 12; }
    else { kind = 0; row = a + b + 2; }
    return (kind * 32 + row) * 10 + up;
}

SIM_COLD void sim_split_drain(Group *g);

SIM_COLD void sim_close(Group *g) {
    const SimTables *t = g->t;
    sim_split_drain(g);
    for (int c = 1; c < SIM_CLASSES; c++)
        for (int f = 0; f < SIM_FINALS; f++) g->sums[O_OUTCOMES + t->outcome[c][f]] += g->ends[c][f];
    if (g->holds)
        for (int p = 0; p < L; p++) g->hist[g->held[p] >> SIM_PAIR][0]++;
    for (int i = 0; i < 1 << 2 * SIM_PAIR; i++) {
        g->hist[i >> SIM_PAIR][0] += g->pairs[i];
        g->hist[i & ((1 << SIM_PAIR) - 1)][0] += g->pairs[i];
    }
    for (int r = 1; r <= t->n_results; r++) {
        int64_t times = 0;
        for (int k = 0; k < 8; k++) times += g->hist[r][k];
        if (g->detail)
            for (int first = 0; first < 550; first++) times += g->detail[(size_t)first * (t->n_results + 1u) + (size_t)r];
        if (times) sim_add(g->sums, &t->results[r], times);
    }
    if (g->detail) {
        for (int first = 0; first < 550; first++) {
            const uint32_t *h = g->detail + (size_t)first * (t->n_results + 1u);
            int at = sim_start_class(first);
            for (int r = 1; r <= t->n_results; r++) {
                int64_t n = h[r], net = t->results[r].net;
                g->sums[O_START_COUNT + at] += n;
                g->sums[O_START_NET + at] += n * net;
                g->sums[O_START_SQ + at] += n * net * net;
            }
        }
        free(g->detail);
    }
    free(g->events);
    g->sums[O_CARDS] += (int64_t)g->cards;
    g->sums[O_SHOES] += (int64_t)g->shoes;
}

/* -- one lane at a time */

SIM_INLINE uint64_t sim_rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }

SIM_INLINE uint64_t sim_extra(Group *g) {
    uint64_t *s = g->extra, r = sim_rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = sim_rotl(s[3], 45);
    return r;
}

/* The draw of lane p fell where the first n of 65536 words may not be fairly shared: look, draw again. */
SIM_INLINE void sim_redraw(Group *g, int p) {
    uint32_t n = g->left[p], m;
    uint16_t unfair = (uint16_t)(65536u % n);
    if (g->low[p] >= unfair) return;
    do m = (uint32_t)(sim_extra(g) >> 48) * n; while ((uint16_t)m < unfair);
    g->high[p] = (uint16_t)(m >> 16);
}

/* A split, or the end of a split hand. No branches: nobody could foresee them. */
SIM_INLINE uint16_t sim_event_of(const Group *g, Side *s, uint16_t state) {
    const Event *e = &g->events[state / 10];
    uint64_t now = (s->now | e->set) + e->add;
    unsigned after = 0u - (unsigned)(now >> 63);        /* all hands are played */
    s->acc = s->acc << e->shift | e->cls;
    s->now = now;
    return g->t->places[(now & 0xffff) * 16 + (after & (9 + (unsigned)(now >> 16 & 0xff)))
                        + (~after & (1 + (unsigned)(now >> 24 & 0xff)))];
}

SIM_INLINE void sim_event(Group *g, int p) { g->state[p] = sim_event_of(g, &g->side[p], g->state[p]); }

/* A round that was split, as its hands' classes say: adds it up. Without branches on how many they are. */
SIM_INLINE int64_t sim_split_add(Group *g, const Split *x) {
    const SimTables *t = g->t;
    int64_t *o = g->sums, all = 0;
    int f = x->code & 15, insured = x->code >> 4;
    uint64_t acc = x->acc;
    do {                                /* class 0 adds nothing */
        int c0 = (int)(acc & 255), c1 = (int)(acc >> 8 & 255), c2 = (int)(acc >> 16 & 255), c3 = (int)(acc >> 24 & 255);
        all += g->hand[c0][f] + g->hand[c1][f] + g->hand[c2][f] + g->hand[c3][f];
        g->ends[c0][f]++;
        g->ends[c1][f]++;
        g->ends[c2][f]++;
        g->ends[c3][f]++;
        acc >>= 32;
    } while (acc);
    int64_t net = (int32_t)((uint32_t)all << 12) >> 12;
    all = (all - net) >> 20;
    int64_t lost = (all & 0xfffff) - t->bet;
    net += (lost > 0 ? lost : 0) + t->insurance_net[insured][f];
    o[O_NET] += net;
    o[O_NET_SQ] += net * net;
    o[O_STAKED] += (all >> 20 & 0x3ffff) + insured * t->insurance_stake;
    o[O_INSURED] += insured;
    o[O_INSURED_WON] += t->insurance_net[insured][f] > 0;
    o[O_HANDS + (all >> 38)]++;
    o[O_DEALER + t->dealer_code[f]]++;
    o[O_VALUES + SIM_SPAN + net]++;
    if (g->detail) {
        int at = sim_start_class(x->first);
        o[O_START_COUNT + at]++;
        o[O_START_NET + at] += net;
        o[O_START_SQ + at] += net * net;
    }
    return net;
}

SIM_COLD void sim_split_drain(Group *g) {
    for (int i = 0; i < g->n_later; i++) sim_split_add(g, &g->later[i]);
    g->sums[O_ROUNDS] += g->n_later;
    g->n_later = 0;
}

/* Lane p's round was split and is over: notes it for later. */
SIM_INLINE void sim_split_over(Group *g, int p, int code) {
    Split *x = &g->later[g->n_later];
    x->acc = g->side[p].acc;
    x->code = (uint16_t)code;
    x->first = g->ended[p];
    memset(&g->side[p], 0, sizeof(Side));
    if (++g->n_later == SIM_LATER) sim_split_drain(g);
}

/* Suits of a natural's ace and ten: without replacement among those of the shoe not yet looked at. */
SIM_INLINE int sim_suits(Group *g, int p) {
    int suit[2];
    if (g->suit_shoe[p] != g->shoe[p]) {
        memset(g->suit[p], 0, sizeof g->suit[p]);
        g->suit_shoe[p] = g->shoe[p];
    }
    for (int k = 0; k < 2; k++) {
        uint16_t *seen = g->suit[p][k];
        const uint16_t *all = g->t->suits[k];
        uint32_t n = (uint32_t)all[0] + all[1] + all[2] + all[3] - seen[4], x, y;
        uint64_t m = (uint64_t)(uint32_t)(sim_extra(g) >> 32) * n;
        if ((uint32_t)m < n) {
            uint32_t unfair = (0u - n) % n;
            while ((uint32_t)m < unfair) m = (uint64_t)(uint32_t)(sim_extra(g) >> 32) * n;
        }
        x = (uint32_t)(m >> 32);
        y = (uint32_t)(all[0] - seen[0]);
        int s = x >= y;
        y += (uint32_t)(all[1] - seen[1]);
        s += x >= y;
        y += (uint32_t)(all[2] - seen[2]);
        s += x >= y;
        suit[k] = s;
        if (!g->t->infinite) { seen[s]++; seen[4]++; }
    }
    return suit[0] == suit[1];
}

/* A result that is more than a number: the number of a plain one, or 0 when it is noted for later. */
SIM_INLINE uint16_t sim_resolve(Group *g, int p) {
    const SimTables *t = g->t;
    int r = g->result[p] - t->n_results - 1;
    if (r >= SIM_MULTI) return t->suited[r - SIM_MULTI][sim_suits(g, p)];
    sim_split_over(g, p, r);
    return 0;
}
#endif
