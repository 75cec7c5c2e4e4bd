/* Sums over rounds of any number of boxes: cards by vectors, what follows from them by the tables of
 * _sim_boxes.h. Included once for each instruction set, behind its rows of cards (_sim_kernel.h, with the
 * vector type V of W bytes, or _sim_scalar.c).
 *
 * Lives here: `run_boxes`. Not here: a rule of the game, how a card is drawn and dealt (there), memory, tables and
 * sums (_sim_boxes_group.h).
 *
 * Stream "bj-sim-boxes-2": lanes, streams and rows of words as in "bj-sim-1". All lanes begin a round together and wait
 * for each other at its end; so the first cards need no look-ups, and what follows them and what ends a round no
 * branches. Every row gives a card to each lane whose round is not over, in the order of the table: first cards, box
 * after box, the dealer. Behind the first cards suits are drawn for those blackjacks that ask for them, lane after
 * lane, by the generator for redraws.
 *
 * The boxes of a lane wait in a queue. One that is done leaves the front, and its code (see _sim_boxes_group.h) goes to
 * the back: when a code comes to the front, it is the dealer's turn, and the queue is all that is to be settled.
 */
#include "_sim_boxes_group.h"

#ifndef W       /* vectors of one lane, which the compiler makes wider */
#define V uint16_t
enum { WORDS = 1 };
#define v_ld(p) (*(p))
#define v_st(p, x) (*(p) = (x))
#define v_zero() 0
#define v_set16(x) (x)
#define v_or(a, b) (uint16_t)((a) | (b))
#define v_and(a, b) (uint16_t)((a) & (b))
#define v_andnot(a, b) (uint16_t)(~(a) & (b))
#define v_sub16(a, b) (uint16_t)((a) - (b))
#define v_subs16(a, b) (uint16_t)((a) > (b) ? (a) - (b) : 0)
#define v_eq16(a, b) (uint16_t)-((a) == (b))
#define v_blend(a, b, m) (uint16_t)((a) ^ (((a) ^ (b)) & (m)))
#define v_any(x) ((x) != 0)
#endif

/* -- shoes */

/* Place of the bytes of 16-bit place p: see place_of. */
SIM_INLINE int byte_of(int p) { return (p & (HALF - 1)) / 8 * 16 + (p & 7) + (p < HALF ? 0 : 8); }

#ifdef W
typedef Shared BoxShared;

static void box_share(const BoxGroup *q, BoxShared *c) { share(&q->g, c); }

SIM_INLINE void box_shuffle(BoxGroup *q, const BoxShared *c) {
    for (int k = 0; k < NV; k++)
        shuffle(&q->g, k, v_ld(q->dry + k * WORDS), v_ld(q->dry + HALF + k * WORDS), c);
}

SIM_INLINE void box_deal(BoxGroup *q, const uint16_t *words, const BoxShared *c, int layout, int removes) {
    Group *g = &q->g;
    const V z = v_zero();
    V cards = z;
    for (int k = 0; k < NV; k++) {
        const uint16_t *state = g->state + k * WORDS, *left = g->left + k * WORDS;
        cards = v_add16(cards, deal(g, k, words, c, v_ld(state), v_ld(state + HALF), v_ld(left), v_ld(left + HALF), z, 0,
                                    layout, removes, 0));
    }
    g->cards += v_minus16(cards);
}

/* The discards of place p come back. */
SIM_INLINE void box_counts_back(BoxGroup *q, int p) {
    Group *g = &q->g;
    for (int j = 0, b = byte_of(p); j < 9; j++) {
        g->below[j][b] = (int8_t)(g->below[j][b] + g->full[j] - q->below_0[j][b]);
        q->below_0[j][b] = g->full[j];
    }
}
#else
typedef int BoxShared;

static void box_share(const BoxGroup *q, BoxShared *c) { (void)q; *c = 0; }

static void box_shuffle(BoxGroup *q, const BoxShared *c) {
    (void)c;
    for (int p = 0; p < L; p++)
        if (q->dry[p]) shuffle_lane(&q->g, p);
}

static void box_deal(BoxGroup *q, const uint16_t *words, const BoxShared *c, int layout, int removes) {
    (void)c; (void)layout;
    deal(&q->g, words, 1, removes, 0);
}

static void box_counts_back(BoxGroup *q, int p) {
    Group *g = &q->g;
    for (int j = 0; j < 9; j++) {
        g->wide[j][p] = (uint16_t)(g->wide[j][p] + g->full_wide[j] - q->wide_0[j][p]);
        q->wide_0[j][p] = g->full_wide[j];
    }
}
#endif

/* A shoe that ran out inside a round goes on with the discards, and what was burnt. Of the suits seen, only
 * those of this round's cards are still out. */
SIM_COLD void box_refill(BoxGroup *q, int p) {
    Group *g = &q->g;
    if (g->left_0[p] == q->b->size) { q->failed = -4; return; }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 5; i++) g->suit[p][k][i] = (uint16_t)(g->suit[p][k][i] - q->suit_0[p][k][i]);
    memset(q->suit_0[p], 0, sizeof q->suit_0[p]);
    box_counts_back(q, p);
    g->left[p] = (uint16_t)(g->left[p] + q->b->size - g->left_0[p]);
    g->left_0[p] = q->b->size;
    q->floor[p] = 0;
}

SIM_INLINE void box_refills(BoxGroup *q) {
    Group *g = &q->g;
    const uint16_t rows = q->b->rows;
    uint16_t any = 0;
    for (int p = 0; p < L; p++) {
        g->flag[p] = (uint16_t)((g->state[p] >= rows) & (g->left[p] == q->floor[p]));
        any |= g->flag[p];
    }
    if (!any) return;
    for (int p = 0; p < L; p++)
        if (g->flag[p]) box_refill(q, p);
}

/* Who plays another round; fresh shoes for those of them who need one. */
SIM_INLINE void box_shoes(BoxGroup *q, const BoxShared *c) {
    Group *g = &q->g;
    const SimBoxes *t = q->b;
    const uint16_t burn = t->burn, limit = q->every ? (uint16_t)(0xffff - burn) : t->limit;
    const uint16_t counted = g->by_shoes ? 0 : 0xffff;
    uint16_t any = 0, fresh = 0;
    for (int p = 0; p < L; p++) {
        q->on[p] = g->quota[p] ? 0xffff : 0;
        q->dry[p] = g->left[p] <= (uint16_t)(limit + q->floor[p]) ? q->on[p] : 0;
        any |= q->dry[p];
    }
    if (any && !t->infinite) {
        box_shuffle(q, c);
        for (int p = 0; p < L; p++) {
            q->floor[p] = q->dry[p] ? burn : q->floor[p];
            fresh = (uint16_t)(fresh - q->dry[p]);
        }
        if (!q->every) g->shoes += fresh;
        for (int p = 0; p < L && (q->suited || g->by_shoes); p++) {
            if (!q->dry[p]) continue;
            memset(g->suit[p], 0, sizeof g->suit[p]);
            if (!g->by_shoes || --g->shoes_left[p]) continue;
            g->quota[p] = q->on[p] = 0;
            g->shoes--;
        }
    }
    for (int p = 0; p < L; p++) g->quota[p] = (uint16_t)(g->quota[p] + (q->on[p] & counted));
    if (!t->deep) return;
    memcpy(g->left_0, g->left, sizeof g->left_0);
    memcpy(q->below_0, g->below, sizeof q->below_0);
    memcpy(q->wide_0, g->wide, sizeof q->wide_0);
    memcpy(q->suit_0, g->suit, sizeof q->suit_0);
}

/* -- a round */

/* A card to every lane that plays. */
SIM_INLINE void box_row(BoxGroup *q, const BoxShared *c, int layout, int removes) {
    Group *g = &q->g;
    if (g->row == SIM_BATCH) fill(g);
    if (q->b->deep) box_refills(q);
    if (!q->failed) box_deal(q, g->words[g->row++], c, layout, removes);
}

/* Two cards to each box, one or two to the dealer. */
SIM_INLINE void box_first_cards(BoxGroup *q, const BoxShared *c, int layout, int removes) {
    Group *g = &q->g;
    const uint16_t from = q->b->rows;           /* any row: place less row is the card */
    const int boxes = q->b->boxes;
    for (int p = 0; p < L; p++) g->state[p] = q->on[p] & from;
    for (int b = 0; b < boxes; b++) {
        box_row(q, c, layout, removes);
        for (int p = 0; p < L; p++) q->first[b][p] = (uint16_t)(10 * (g->place[p] - from)) & q->on[p];
    }
    box_row(q, c, layout, removes);
    for (int p = 0; p < L; p++) q->cards[0][p] = (uint16_t)(g->place[p] - from) & q->on[p];
    for (int b = 0; b < boxes; b++) {
        box_row(q, c, layout, removes);
        for (int p = 0; p < L; p++)
            q->first[b][p] = (uint16_t)(q->first[b][p] + ((uint16_t)(g->place[p] - from) & q->on[p]));
    }
    if (!q->b->hole_dealt) return;
    box_row(q, c, layout, removes);
    for (int p = 0; p < L; p++) q->cards[1][p] = (uint16_t)(g->place[p] - from) & q->on[p];
}

/* to[p] = table[from[p]], four at a time: loads of what a vector has just stored are dear. */
SIM_INLINE void box_look(uint16_t *to, const uint16_t *table, const uint16_t *from) {
    SIM_FENCE;
    SIM_UNROLL(4)
    for (int p = 0; p < L; p += 4) {
        uint64_t x;
        memcpy(&x, from + p, 8);
        uint16_t a = table[x & 0xffff], b = table[x >> 16 & 0xffff], c = table[x >> 32 & 0xffff], d = table[x >> 48];
        to[p] = a;
        to[p + 1] = b;
        to[p + 2] = c;
        to[p + 3] = d;
    }
    SIM_FENCE;
}

/* Blackjacks whose suits count become codes of their own where they are alike. */
SIM_COLD void box_suits(BoxGroup *q) {
    const SimBoxes *t = q->b;
    for (int p = 0; p < L; p++)
        for (int b = 0; b < t->boxes && q->on[p]; b++) {
            uint16_t *code = &q->box[b][p];
            if (*code <= t->ends && t->events[*code].cls != t->events[*code].alike && sim_suits(&q->g, p))
                *code = (uint16_t)(t->ends + *code);
        }
}

/* What boxes ask of the dealer that were not split and are done: by the order of their codes. */
SIM_INLINE void box_ask(BoxGroup *q, const uint16_t *code) {
    const V z = v_zero(), one = v_set16(1), three = v_set16(3), ends = v_set16(q->b->ends);
    const V no_card = v_set16(q->no_card), no_total = v_set16(q->no_total);
    for (int at = 0; at < L; at += WORDS) {
        const V x = v_ld(code + at);
        const V ask = v_blend(v_blend(three, one, v_eq16(v_subs16(x, no_total), z)), z, v_eq16(v_subs16(x, no_card), z));
        v_st(q->ask + at, v_or(v_ld(q->ask + at), v_and(ask, v_eq16(v_subs16(x, ends), z))));
    }
}

/* For the lanes of `mask`: x without its front, `back` behind the others. */
SIM_INLINE void box_rotate(uint16_t (*x)[L], int n, const uint16_t *mask, const uint16_t *back) {
    for (int i = 0; i < n; i++) {
        const uint16_t *next = i + 1 < n ? x[i + 1] : back;
        for (int at = 0; at < L; at += WORDS)
            v_st(x[i] + at, v_blend(v_ld(x[i] + at), v_ld(next + at), v_ld(mask + at)));
    }
}

/* Puts boxes that are done behind the others, which keep their order. */
SIM_INLINE void box_queue(BoxGroup *q, int detail) {
    const V z = v_zero(), results = v_set16(q->b->results);
    const int last = q->b->boxes - 1;
    for (int b = last - 1; b >= 0; b--)
        for (int i = b; i < last; i++) {
            uint16_t *__restrict one = q->box[i], *__restrict two = q->box[i + 1];
            uint16_t *__restrict first_one = q->first[i], *__restrict first_two = q->first[i + 1];
            for (int at = 0; at < L; at += WORDS) {
                const V x = v_ld(one + at), y = v_ld(two + at), done = v_eq16(v_subs16(x, results), z);
                const V change = v_andnot(v_eq16(v_subs16(y, results), z), done);
                v_st(one + at, v_blend(x, y, change));
                v_st(two + at, v_blend(y, x, change));
                if (!detail) continue;
                const V v = v_ld(first_one + at), w = v_ld(first_two + at);
                v_st(first_one + at, v_blend(v, w, change));
                v_st(first_two + at, v_blend(w, v, change));
            }
        }
}

/* What the first cards say: where boxes and dealer begin. */
SIM_INLINE void box_lay(BoxGroup *q, int detail) {
    Group *g = &q->g;
    const SimBoxes *t = q->b;
    const int boxes = t->boxes;
    const uint16_t *up = q->cards[t->upcard_second], *hole = q->cards[!t->upcard_second];
    for (int p = 0; p < L; p++) {
        g->high[p] = (uint16_t)(10 * up[p] + hole[p]);
        q->ask[p] = 0;
    }
    box_look(g->low, q->opens, g->high);
    for (int a = 0; a < 4; a++)
        if (a != 2) box_look(q->dealer[a], q->finish[a], g->high);
    for (int b = 0; b < boxes; b++) {
        for (int p = 0; p < L; p++) q->first[b][p] = (uint16_t)(q->first[b][p] + g->low[p]);
        box_look(q->box[b], t->next + t->first_pair, q->first[b]);
        box_ask(q, q->box[b]);
    }
    if (q->suited) box_suits(q);
    box_queue(q, detail);
    q->next_code = t->ends + t->ends + 2;
    for (int p = 0; p < L; p++) g->state[p] = q->box[0][p] & q->on[p];
}

SIM_INLINE void box_add(int16_t *__restrict to, const int16_t *__restrict from) {
    for (int i = 0; i < BOX_FIELDS; i++) to[i] = (int16_t)(to[i] + from[i]);
}

/* A split, or the end of a split hand: where its box goes on, or its code when it is done. Few branches: nobody
 * could foresee them. */
SIM_INLINE uint16_t box_split(BoxGroup *q, int p) {
    const SimBoxes *t = q->b;
    const unsigned state = q->g.state[p];
    const BoxStep step = q->steps[state - t->finals];
    const uint64_t now = (q->split[p] | step.set) + step.add;
    const BoxPlace *at = &t->places[now & 0xffff];
    const unsigned hands = 1 + (unsigned)(now >> 24 & 0xff), more = at->more, full = at->full;
    int16_t *sum = q->sum[p], *result;
    box_add(sum, q->adds[state]);
    q->split[p] = now;
    if (now >> 63 == 0) return (uint16_t)(hands >= at->most ? full : more);
    result = q->adds[q->next_code];
    memcpy(result, sum, sizeof q->sum[p]);
    memset(sum, 0, sizeof q->sum[p]);
    if (at->insured) box_add(result, q->adds[t->ends + t->ends + 1]);
    const int refund = result[BOX_LOST] - t->bet;
    result[BOX_BLACKJACK] = (int16_t)(result[BOX_BLACKJACK] + (refund > 0 ? refund : 0));
    q->splits[hands]++;
    q->ask[p] |= at->asks[now >> 16 & 3];
    q->split[p] = 0;
    return (uint16_t)q->next_code++;
}

/* Splits and the ends of split hands. */
SIM_INLINE void box_splits(BoxGroup *q) {
    Group *g = &q->g;
    const uint16_t finals = q->b->finals, rows = q->b->rows;
#ifdef W
    const V z = v_zero(), low = v_set16(finals), high = v_set16(rows);
    Places who = {{0, 0}};
    for (int k = 0; k < NV; k++) {
        V a = v_ld(g->state + k * WORDS), b = v_ld(g->state + HALF + k * WORDS);
        mark(&who, k, v_andnot(v_eq16(v_subs16(a, low), z), v_subs16(high, a)),
             v_andnot(v_eq16(v_subs16(b, low), z), v_subs16(high, b)));
    }
    while (who.half[0] | who.half[1]) {
        int p = next_place(&who);
        g->state[p] = box_split(q, p);
    }
#else
    for (int p = 0; p < L; p++) g->flag[p] = (g->state[p] > finals) & (g->state[p] < rows);
    for (int p = 0; p < L; p += 4) {
        uint64_t any;
        memcpy(&any, g->flag + p, 8);
        for (int i = p; any && i < p + 4; i++)
            if (g->flag[i]) g->state[i] = box_split(q, i);
    }
#endif
}

/* Where a box is done, the next one begins, or the dealer. 0: nobody plays any more. */
SIM_INLINE int box_advance(BoxGroup *q, int detail) {
    Group *g = &q->g;
    const V z = v_zero(), one = v_set16(1), results = v_set16(q->b->results), finals = v_set16(q->b->finals);
    const V top = v_set16((uint16_t)(q->b->results - 1));
    V any = z;
    for (int at = 0; at < L; at += WORDS)       /* done: from 1 up to results */
        v_st(q->mask + at, v_eq16(v_subs16(v_sub16(v_ld(g->state + at), one), top), z));
    box_ask(q, g->state);
    box_rotate(q->box, q->b->boxes, q->mask, g->state);
    if (detail) {
        memcpy(g->flag, q->first[0], sizeof g->flag);
        box_rotate(q->first, q->b->boxes, q->mask, g->flag);
    }
    for (int at = 0; at < L; at += WORDS) {
        const V ask = v_ld(q->ask + at), next = v_ld(q->box[0] + at);
        V to = v_blend(v_ld(q->dealer[1] + at), v_ld(q->dealer[0] + at), v_eq16(ask, z));
        to = v_blend(v_ld(q->dealer[3] + at), to, v_eq16(v_subs16(ask, one), z));
        to = v_blend(next, to, v_eq16(v_subs16(next, results), z));
        to = v_blend(v_ld(g->state + at), to, v_ld(q->mask + at));
        v_st(g->state + at, to);
        any = v_or(any, v_subs16(to, finals));
    }
    return v_any(any);
}

/* A card to every lane that plays, and where it leads. */
SIM_INLINE void box_turn(BoxGroup *q, const BoxShared *c, int layout, int removes) {
    Group *g = &q->g;
    const V rows = v_set16(q->b->rows);
    box_splits(q);
    box_row(q, c, layout, removes);
    box_look(g->high, q->b->next, g->place);
    for (int at = 0; at < L; at += WORDS) {
        const V state = v_ld(g->state + at), plays = v_eq16(v_subs16(rows, state), v_zero());
        v_st(g->state + at, v_blend(state, v_ld(g->high + at), plays));
    }
    box_splits(q);
}

/* -- sums */

/* A round with hands doubled again and again: its net, and what 16 bits could not hold of its stakes. */
SIM_COLD int box_large(BoxGroup *q, int p, int f) {
    uint64_t staked = 0;
    int net = 0;
    for (int b = 0; b < q->b->boxes; b++) {
        const int16_t *add = q->adds[q->box[b][p]];
        net += add[f];
        staked += (uint64_t)add[BOX_FIELDS - BOX_COUNTS + BOX_STAKED];
    }
    q->all[f][BOX_STAKED] += staked & ~(uint64_t)0xffff;
    return net;
}

/* What lane p's boxes add up to against final hand f: counts, and the answer is the net. */
SIM_INLINE int box_sum(BoxGroup *q, int p, int f, uint32_t *counts) {
    const int boxes = q->b->boxes;
    const int16_t (*const adds)[BOX_FIELDS] = (const int16_t (*)[BOX_FIELDS])q->adds;
#ifdef W
    enum { PARTS = BOX_FIELDS / WORDS };
    SIM_ALIGN int16_t sum[BOX_FIELDS];
    V x[PARTS];
    for (int i = 0; i < PARTS; i++) x[i] = v_ld(adds[0] + i * WORDS);
    for (int b = 0; b < boxes; b++) {
        const int16_t *add = adds[q->box[b][p]];
        for (int i = 0; i < PARTS; i++) x[i] = v_add16(x[i], v_ld(add + i * WORDS));
    }
    for (int i = 0; i < PARTS; i++) v_st(sum + i * WORDS, x[i]);
    SIM_FENCE;
    for (int i = 0; i < BOX_COUNTS; i += W / 4)
        v_st(counts + i, v_add32(v_ld(counts + i), v_wide16(sum + BOX_FIELDS - BOX_COUNTS + i)));
    return SIM_RARE(sum[BOX_LARGE]) ? box_large(q, p, f) : sum[f];
#else
    uint64_t four[BOX_COUNTS / 4] = {0}, add[BOX_COUNTS / 4];       /* 16 bits each; the stakes, on top, may go over */
    uint16_t sum[BOX_COUNTS];
    int net = 0, large = 0;
    for (int b = 0; b < boxes; b++) {
        const int16_t *from = adds[q->box[b][p]];
        net += from[f];
        large |= from[BOX_LARGE];
        memcpy(add, from + BOX_FIELDS - BOX_COUNTS, sizeof add);
        for (int i = 0; i < BOX_COUNTS / 4; i++) four[i] += add[i];
    }
    memcpy(sum, four, sizeof sum);
    sum[BOX_ROUNDS] = 1;
    for (int i = 0; i < BOX_COUNTS; i++) counts[i] += sum[i];
    return large ? box_large(q, p, f) : net;
#endif
}

SIM_INLINE void box_settle(BoxGroup *q, int detail) {
    const SimBoxes *t = q->b;
    const BoxEvent *events = t->events;
    const int boxes = t->boxes;
    for (int p = 0; p < L; p++) {
        if (!q->on[p]) continue;
        const int f = events[q->g.state[p]].at;
        const int net = box_sum(q, p, f, q->counts[f]);
        if ((uint32_t)(net + SIM_SPAN) > 2 * SIM_SPAN) q->failed = -3;
        else q->values[net + SIM_SPAN]++;
        for (int b = 0; b < boxes && detail; b++) {
            int64_t *to = q->starts[q->first[b][p]], gain = q->adds[q->box[b][p]][f];
            to[0]++;
            to[1] += gain;
            to[2] += gain * gain;
        }
    }
}

SIM_INLINE void box_play(BoxGroup *q, const BoxShared *c, int layout, int removes, int detail) {
    for (unsigned round = 1; !q->failed; round++) {
        uint16_t any = 0;
        box_shoes(q, c);
        for (int p = 0; p < L; p++) any |= q->on[p];
        if (!any) break;
        box_first_cards(q, c, layout, removes);
        box_lay(q, detail);
        while (box_advance(q, detail) && !q->failed) box_turn(q, c, layout, removes);
        if (q->failed) break;
        box_settle(q, detail);
        if (round % BOX_DRAIN == 0) box_drain(q);
    }
    box_drain(q);
}

/* 0; -1 no memory, -3 a round's net is beyond the histogram, -4 a shoe ran out and had no discards */
static int run_boxes(const SimBoxes *t, const SimJob *job, int64_t *sums) {
    SimJob j = *job;
    BoxShared c;
    int failed;
    BoxGroup *q = box_open(t, job->detail);
    if (!q) return -1;
    if (q->every && j.shoes) { j.rounds = j.shoes; j.shoes = 0; }
    box_lanes(q, t, &j);
    box_share(q, &c);
#define BOX_PLAY(layout, detail) \
    do { if (t->infinite) box_play(q, &c, layout, 0, detail); else box_play(q, &c, layout, 1, detail); } while (0)
    if (t->layout == 1) BOX_PLAY(1, job->detail);
    else BOX_PLAY(0, job->detail);
#undef BOX_PLAY
    failed = q->failed;
    if (!failed) box_close(q, sums);
    sim_free(q);
    return failed;
}
