/* What a chunk of rounds of many boxes needs besides rows of cards: its memory, tables, and sums.
 *
 * Lives here: `BoxGroup`, and how it is opened and closed, in the same scalar way for every instruction set. Not here:
 * rounds (_sim_boxes_kernel.h), streams' words and shoes' suits (_sim_group.h).
 *
 * What a box came to is a code: the number of its end in the tables, or behind those one for a box whose two suits are
 * alike, or for one that was split, as they come. `adds[code]` is what it adds to the round: its net for each of the
 * dealer's final hands, and counts.
 */
#ifndef BJ_SIM_BOXES_GROUP_H
#define BJ_SIM_BOXES_GROUP_H
#include "_sim_boxes.h"
#include "_sim_group.h"

/* Fields of `adds` behind the nets: what the bet caps, hands for which 16 bits may not be enough, then the counts. */
enum { BOX_FIELDS = 32, BOX_LOST = SIM_FINALS, BOX_LARGE, BOX_DRAIN = 512 };

/* What a split or the end of a split hand changes: first `set`, then `add`. Of a box being split that is its place,
 * what its hands ask << 16, splits << 24, hands still to come but one (signed) << 32. */
typedef struct { uint64_t add, set; } BoxStep;

typedef struct {
    Group g;
    SimTables game;                     /* only what a row of cards and sim_suits read */
    const SimBoxes *b;
    int every, failed;
    int suited;                         /* some blackjacks pay by their suits */
    /* a round's lanes */
    SIM_ALIGN uint16_t on[L];           /* -1: plays a round */
    uint16_t floor[L];                  /* burn cards: in the shoe, but not to be dealt */
    uint16_t dry[L];                    /* -1: needs a fresh shoe */
    uint16_t mask[L];                   /* -1: box_advance moves its queue */
    uint16_t cards[2][L];               /* the dealer's */
    uint16_t ask[L];                    /* what the boxes ask of the dealer */
    uint16_t dealer[4][L];              /* where it begins then */
    uint16_t box[BOX_MOST][L];          /* the queue: where boxes begin, then codes of those that are done */
    uint16_t first[BOX_MOST][L];        /* of the same boxes, two cards: entry of `next` behind first_pair */
    uint64_t split[L];                  /* see BoxStep; 0 where no box is being split */
    SIM_ALIGN int16_t sum[L][BOX_FIELDS];       /* what its hands add up to */
    int next_code;                      /* of the next split box that is done */
    /* the shoe when the round began, where it may run out inside one */
    uint16_t suit_0[L][2][5], wide_0[9][L];
    int8_t below_0[9][L];
    /* tables */
    uint16_t opens[100], finish[4][100];        /* by upcard and hole card: see box_tables */
    uint16_t no_card, no_total;         /* the last end that asks for no card of the dealer, for no total */
    int16_t (*adds)[BOX_FIELDS];        /* [code] */
    BoxStep *steps;                     /* [code - finals] */
    /* sums */
    SIM_ALIGN uint32_t counts[SIM_FINALS][BOX_COUNTS];
    uint64_t all[SIM_FINALS][BOX_COUNTS], values[N_VALUES], splits[N_HANDS];
    int64_t (*starts)[3];               /* count, net, net squared by first two cards, or NULL */
} BoxGroup;

/* -- tables */

SIM_COLD void box_row_of(const SimBoxes *t, int16_t *row, int cls) {
    int16_t *counts = row + BOX_FIELDS - BOX_COUNTS;
    int32_t most = t->stake[cls];
    memset(row, 0, sizeof(int16_t) * BOX_FIELDS);
    for (int f = 0; f < SIM_FINALS; f++) {
        const int32_t pay = t->pay[f][cls];
        row[f] = (int16_t)pay;
        if (most < pay || most < -pay) most = pay < 0 ? -pay : pay;
    }
    row[BOX_LARGE] = most > INT16_MAX / t->room;
    row[BOX_LOST] = (int16_t)(t->capped ? t->lost[BOX_BLACKJACK][cls] : 0);
    counts[BOX_STAKED] = (int16_t)t->stake[cls];
    for (int i = 0; i < 2; i++)
        if (t->column[cls][i]) counts[t->column[cls][i]] = 1;
}

/* By upcard and hole card: first entry of the boxes' two cards, where the dealer goes on. */
SIM_COLD void box_tables(BoxGroup *q, const SimBoxes *t) {
    for (int up = 0; up < 10; up++)
        for (int hole = 0; hole < 10; hole++) {
            int place = t->start + up, two = 10 * up + hole, begin = t->next[place];
            if (!t->begin[place - t->first_context]) {      /* the dealer peeks */
                place = begin + hole;
                begin = t->next[place];
            }
            place -= t->first_context;
            q->opens[two] = (uint16_t)(t->next[begin] - t->first_pair);
            for (int a = 0; a < 4; a++) {
                uint16_t to = t->dealer[4 * place + a];
                q->finish[a][two] = t->late[place] && to >= t->rows ? t->next[to + hole] : to;
            }
        }
    for (int i = 1; i < t->rows; i++)
        if (t->events[i].cls) box_row_of(t, q->adds[i], t->events[i].cls);
    for (int i = t->finals + 1; i < t->rows; i++) {
        const BoxEvent *e = &t->events[i];
        const int split = e->kind == BOX_SPLIT;
        q->steps[i - t->finals].set = split ? e->at : (uint64_t)e->asks << 16;
        q->steps[i - t->finals].add = ((uint64_t)split << 24) + ((uint64_t)(split ? 1 : -1) << 32);
    }
    for (int i = 1; i <= t->ends; i++) {
        const BoxEvent *e = &t->events[i];
        if (e->asks < 1) q->no_card = (uint16_t)i;
        if (e->asks < 3) q->no_total = (uint16_t)i;
        q->suited |= e->cls != e->alike;
        box_row_of(t, q->adds[t->ends + i], e->alike);
    }
    box_row_of(t, q->adds[t->ends + t->ends + 1], t->insurance);
    q->adds[0][BOX_FIELDS - BOX_COUNTS + BOX_ROUNDS] = 1;       /* no box: the round itself */
}

/* -- setting up and ending */

/* Fresh shoes and everyone's share of the work. */
SIM_COLD void box_lanes(BoxGroup *q, const SimBoxes *t, const SimJob *job) {
    Group *g = &q->g;
    const uint64_t all = job->shoes ? job->shoes : job->rounds;
    g->t = &q->game;
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
        g->quota[p] = (uint16_t)(g->by_shoes ? share ? 0xffff : 0 : share);
        g->shoes_left[p] = g->by_shoes ? (uint32_t)share : 0xffffffff;
        g->shoes += share != 0 && !t->infinite;
        g->left[p] = t->size;
        q->floor[p] = t->burn;
        for (int j = 0; j < 9; j++) {
            g->below[j][p] = g->full[j];
            g->wide[j][p] = g->full_wide[j];
        }
    }
    if (q->every) g->shoes = job->rounds;
}

/* The round's small counters into the large ones. */
SIM_COLD void box_drain(BoxGroup *q) {
    for (int f = 0; f < SIM_FINALS; f++)
        for (int i = 0; i < BOX_COUNTS; i++) q->all[f][i] += q->counts[f][i];
    memset(q->counts, 0, sizeof q->counts);
}

SIM_COLD void box_close(const BoxGroup *q, int64_t *o) {
    const SimBoxes *t = q->b;
    for (int f = 0; f < SIM_FINALS; f++) {
        const uint64_t *all = q->all[f];
        o[O_DEALER + t->dealer_code[f]] += (int64_t)all[BOX_ROUNDS];
        o[O_STAKED] += (int64_t)all[BOX_STAKED];
        for (int i = BOX_COLUMN; i < BOX_STAKED; i++) {
            const int64_t n = (int64_t)all[i];
            if (t->column_flags[f][i] & 4) o[O_OUTCOMES + t->column_outcome[f][i]] += n;
            o[O_INSURED] += n * (t->column_flags[f][i] & 1);
            o[O_INSURED_WON] += n * (t->column_flags[f][i] >> 1 & 1);
        }
    }
    box_close_sums(t, q->values, q->splits, q->starts, o);
    o[O_CARDS] += (int64_t)q->g.cards;
    o[O_SHOES] += (int64_t)q->g.shoes;
}

/* The group's memory, with tables behind it, or NULL. */
SIM_COLD BoxGroup *box_open(const SimBoxes *t, int detail) {
    const size_t size = (sizeof(BoxGroup) + 63) & ~(size_t)63, adds = sizeof(int16_t) * BOX_FIELDS * t->rows;
    const size_t steps = sizeof(BoxStep) * (size_t)(t->rows - t->finals);
    const size_t all = size + adds + steps + sizeof(int64_t) * 3 * ((size_t)t->last_pair + 1);
    char *memory = (char *)sim_alloc(all);
    BoxGroup *q = (BoxGroup *)memory;
    if (!q) return NULL;
    memset(memory, 0, all);
    q->b = t;
    q->adds = (int16_t (*)[BOX_FIELDS])(memory + size);
    q->steps = (BoxStep *)(memory + size + adds);
    q->starts = detail ? (int64_t (*)[3])(memory + size + adds + steps) : NULL;
    q->every = !t->infinite && t->limit + t->burn >= t->size;
    q->game.special_end = t->rows;              /* a row of cards: states from here on take one */
    q->game.start = 0xffff;
    q->game.size = t->size;
    q->game.infinite = t->infinite;
    memcpy(q->game.suits, t->suits, sizeof t->suits);
    box_tables(q, t);
    return q;
}
#endif
