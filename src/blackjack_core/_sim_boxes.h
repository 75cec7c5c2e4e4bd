/* Rounds of any number of boxes as tables: box after box, hand after hand, then the dealer once.
 *
 * Lives here: the tables that boxes.pyx makes from the true round for the kernels of sums (_sim_boxes_kernel.h) and
 * for rounds written into columns (_rows.c), and what happens to one of the latter between two cards. Not here: a
 * rule of the game, cards.
 *
 * A state is the number of a row of ten u16 in `next`, times ten; a card's value index added to it is the
 * place of the next state. Below `rows` there are no rows: 0 is idle; then come events: the ends of boxes that were
 * not split, 1 .. ends, in the order of what they ask; numbers up to `results` that the kernels give; the dealer's final
 * hands, up to finals; splits and ends of split hands. A round begins at
 * `start` with the dealer's upcard (and hole card, where the dealer peeks under it); the last of these places, less
 * `first_context`, is its context, `begin[context]` where each box begins. A finished hand is a class: what it wins
 * is known once the dealer's final hand is.
 */
#ifndef BJ_SIM_BOXES_H
#define BJ_SIM_BOXES_H
#include "_sim.h"

enum { BOX_IDLE, BOX_END, BOX_SPLIT, BOX_HAND, BOX_FINAL, BOX_RANK };
enum { BOX_CLASSES = 256, BOX_BLACKJACK = 7, BOX_MOST = 64 };    /* BOX_MOST: boxes */
/* What is counted by the dealer's final hand: rounds, classes that mean the same for every final hand, stakes. */
enum { BOX_ROUNDS, BOX_COLUMN, BOX_STAKED = 15, BOX_COUNTS };

typedef struct {
    uint16_t at;            /* place of a split, dealer's final hand; BOX_RANK: goes on from here, or if the ranks of
                               two tens (dealt to the box, or to a split hand) are alike, one further */
    uint8_t kind;
    uint8_t cls, alike;     /* class of the hand that ended; the one for suits alike */
    uint8_t asks;           /* box: 1 the dealer's second card, 3 total; split hand: 1 open, 2 busted */
} BoxEvent;

typedef struct {
    uint16_t more, full;    /* where a hand goes on that may, or may not be split again */
    uint8_t most;           /* hands */
    uint8_t insured;        /* class of the box's insurance, or 0 */
    uint8_t asks[4];        /* what the box asks of the dealer, by what its hands do */
} BoxPlace;

typedef struct {
    const uint16_t *next;
    const uint32_t *actions;    /* the same places: actions that a card led to, nibbles, 15 ends; 8 more less
                                   4: before the peek */
    const BoxEvent *events;
    const BoxPlace *places;
    const uint16_t *begin;      /* [context] */
    const uint16_t *dealer;     /* [context][what the boxes ask] */
    const uint8_t *late;        /* [context] 1: the hole card was dealt and is looked at after play */
    const uint16_t *start_class;    /* [100 * context of starts + two cards] place in the sums */
    uint32_t n_rows;
    uint16_t ends, results, finals, rows, start, first_pair, last_pair, first_context, last_context;
    int32_t pay[SIM_FINALS][BOX_CLASSES], lost[SIM_FINALS][BOX_CLASSES];
    int32_t stake[BOX_CLASSES];
    uint8_t outcome[SIM_FINALS][BOX_CLASSES];
    uint8_t flags[SIM_FINALS][BOX_CLASSES];     /* 1 insured, 2 won by it, 4 a hand (else insurance alone) */
    uint8_t column[BOX_CLASSES][2];             /* where the class is counted: as a hand, as an insurance; or 0 */
    uint8_t column_outcome[SIM_FINALS][BOX_COUNTS], column_flags[SIM_FINALS][BOX_COUNTS];
    uint8_t dealer_code[SIM_FINALS];
    int insurance;              /* class of a split box's */
    int boxes, room;            /* room: classes of a round, at most */
    int capped, bet;            /* a dealer blackjack takes no more than the bet of a split box */
    int upcard_second, hole_dealt;
    int ranks;                  /* there are events BOX_RANK: for real cards only */
    /* the shoe */
    uint16_t counts[10], size;
    uint16_t limit;             /* shuffle at this many cards or fewer (burn cards not counted) */
    uint16_t burn;
    uint8_t infinite, deep, layout;
    uint16_t suits[2][4];       /* aces and ten-values by suit */
} SimBoxes;

typedef struct {            /* a box that is split, played by itself */
    uint8_t *cls;               /* classes of finished hands, behind those of the boxes before */
    uint16_t n, place;
    uint8_t asks, hands, need;
    int16_t open;               /* split hands still to come */
    uint64_t *splits;           /* split boxes by their hands are counted here, if anywhere */
} BoxSplit;

int sim_boxes_scalar(const SimBoxes *, const SimJob *, int64_t *);
int sim_boxes_sse41(const SimBoxes *, const SimJob *, int64_t *);
int sim_boxes_avx2(const SimBoxes *, const SimJob *, int64_t *);
int sim_boxes_avx512(const SimBoxes *, const SimJob *, int64_t *);

/* Value index of a card's code. */
static inline int box_value(int card) { int v = card >> 2; return v < 9 ? v : 9; }

/* A split, or the end of a split hand: where the box goes on; 0: it is done. */
static inline uint32_t box_hand(const SimBoxes *t, BoxSplit *r, BoxEvent e) {
    const BoxPlace *p;
    if (e.kind == BOX_SPLIT) {
        r->place = e.at;
        r->hands++;
        r->open++;
    } else {
        r->cls[r->n++] = e.cls;
        r->need |= e.asks;
        r->open--;
    }
    p = &t->places[r->place];
    if (r->open >= 0) return r->hands >= p->most ? p->full : p->more;
    r->asks |= p->asks[r->need];
    if (r->splits) r->splits[r->hands]++;
    if (p->insured) r->cls[r->n++] = p->insured;
    return 0;
}

/* What a split box gets back because a dealer blackjack takes no more than the original bet: its classes are
 * those from the end of the box before on. */
static inline int32_t box_refund(const SimBoxes *t, const uint8_t *cls, const uint16_t *end, uint32_t box) {
    int32_t lost = 0;
    int hands = 0;
    for (int i = box ? end[box - 1] : 0; i < end[box]; i++) {
        lost += t->lost[BOX_BLACKJACK][cls[i]];
        hands += t->flags[BOX_BLACKJACK][cls[i]] >> 2;
    }
    return hands > 1 && lost > t->bet ? lost - t->bet : 0;
}

/* Into a chunk's sums: rounds by net, boxes by hands, starts (or NULL). */
static inline void box_close_sums(const SimBoxes *t, const uint64_t *values, const uint64_t *splits,
                                  int64_t (*starts)[3], int64_t *o) {
    int64_t rounds = 0, split = 0;
    for (int i = 0; i < N_VALUES; i++) {
        const int64_t n = (int64_t)values[i], net = i - SIM_SPAN;
        rounds += n;
        o[O_VALUES + i] += n;
        o[O_NET] += n * net;
        o[O_NET_SQ] += n * net * net;
    }
    for (int i = 2; i < N_HANDS; i++) {
        o[O_HANDS + i] += (int64_t)splits[i];
        split += (int64_t)splits[i];
    }
    o[O_HANDS + 1] += rounds * t->boxes - split;
    o[O_ROUNDS] += rounds;
    for (int i = 0; starts && i <= t->last_pair; i++) {
        o[O_START_COUNT + t->start_class[i]] += starts[i][0];
        o[O_START_NET + t->start_class[i]] += starts[i][1];
        o[O_START_SQ + t->start_class[i]] += starts[i][2];
    }
}
#endif
