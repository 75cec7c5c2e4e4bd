/* Rounds of any number of boxes as tables: box after box, hand after hand, then the dealer once.
 *
 * Lives here: the tables that boxes.pyx makes from the true round, and what happens to a round between two
 * cards (`box_event`), the same for the kernels of sums (_sim_boxes_kernel.h) and for rounds written into
 * columns (_rows.c). Not here: a rule of the game, cards.
 *
 * A state is the number of a row of ten u16 in `next`, times ten; a card's value index added to it is the
 * place of the next state. Below `rows` there are no rows: 0 is idle; then come events: the ends of boxes that were
 * not split, 1 .. ends; the dealer's final hands, up to finals; splits and ends of split hands. A round begins at
 * `start` with the dealer's upcard (and hole card, where the dealer peeks under it); the last of these places, less
 * `first_context`, is its context, `begin[context]` where each box begins. A finished hand is a class: what it wins
 * is known once the dealer's final hand is.
 */
#ifndef BJ_SIM_BOXES_H
#define BJ_SIM_BOXES_H
#include "_sim.h"

enum { BOX_IDLE, BOX_END, BOX_SPLIT, BOX_HAND, BOX_FINAL, BOX_RANK };
enum { BOX_CLASSES = 256, BOX_BLACKJACK = 7 };

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
    uint16_t ends, finals, rows, start, first_pair, last_pair, first_context, last_context;
    int32_t pay[SIM_FINALS][BOX_CLASSES], lost[SIM_FINALS][BOX_CLASSES];
    int32_t stake[BOX_CLASSES];
    uint8_t outcome[SIM_FINALS][BOX_CLASSES];
    uint8_t flags[SIM_FINALS][BOX_CLASSES];     /* 1 insured, 2 won by it, 4 a hand (else insurance alone) */
    uint8_t dealer_code[SIM_FINALS];
    int boxes, room;            /* room: classes of a round, at most */
    int capped, bet;            /* a dealer blackjack takes no more than the bet of a split box */
    int upcard_second, hole_dealt;
    int ranks;                  /* there are events BOX_RANK: for real cards only */
    /* the shoe */
    uint16_t counts[10], size;
    uint16_t limit;             /* shuffle at this many cards or fewer (burn cards not counted) */
    uint16_t capacity;          /* cards of a round, at most */
    uint16_t enough;            /* a round that begins with fewer cards is dealt in the table's order */
    uint16_t burn;
    uint8_t infinite, deep, layout;
    uint16_t suits[2][4];       /* aces and ten-values by suit */
} SimBoxes;

typedef struct {
    uint8_t *cls;               /* classes of finished hands */
    uint16_t *end, *first;      /* [box] end of its classes; 100 * context of starts + two cards */
    uint16_t n, place;
    uint8_t box, asks, hands, need;
    int16_t open;               /* split hands still to come */
    uint64_t *splits;           /* split boxes by their hands are counted here, if anywhere */
} BoxRound;

int sim_boxes_scalar(const SimBoxes *, const SimJob *, int64_t *);
int sim_boxes_sse41(const SimBoxes *, const SimJob *, int64_t *);
int sim_boxes_avx2(const SimBoxes *, const SimJob *, int64_t *);
int sim_boxes_avx512(const SimBoxes *, const SimJob *, int64_t *);

/* A round begins. */
static inline void box_begin(BoxRound *r) {
    r->n = 0;
    r->box = r->asks = r->need = 0;
    r->hands = 1;
    r->open = 0;
}

/* The box is done: the next one, or the dealer. */
static inline uint32_t box_next(const SimBoxes *t, BoxRound *r, int context, uint16_t first) {
    r->end[r->box] = r->n;
    r->first[r->box] = first;
    r->box++;
    return r->box < t->boxes ? t->begin[context] : t->dealer[4 * context + r->asks];
}

/* The end of a box that was not split. `alike`: its two cards are of one suit. */
static inline uint32_t box_end(const SimBoxes *t, BoxRound *r, BoxEvent e, int context, uint16_t first, int alike) {
    r->cls[r->n++] = alike ? e.alike : e.cls;
    r->asks |= e.asks;
    return box_next(t, r, context, first);
}

/* A split, or the end of a split hand. */
static inline uint32_t box_hand(const SimBoxes *t, BoxRound *r, BoxEvent e, int context, uint16_t first) {
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
    r->hands = 1;
    r->open = 0;
    r->need = 0;
    return box_next(t, r, context, first);
}

/* What a split box gets back because a dealer blackjack takes no more than the original bet. */
static inline int32_t box_refund(const SimBoxes *t, const BoxRound *r, int box) {
    int32_t lost = 0;
    int hands = 0;
    for (int i = box ? r->end[box - 1] : 0; i < r->end[box]; i++) {
        lost += t->lost[BOX_BLACKJACK][r->cls[i]];
        hands += t->flags[BOX_BLACKJACK][r->cls[i]] >> 2;
    }
    return hands > 1 && lost > t->bet ? lost - t->bet : 0;
}

/* -- a whole round in the order of the table */

enum { BOX_MOST = 64 };

static inline int box_value(int card) { int v = card >> 2; return v < 9 ? v : 9; }

/* Who deals and notes. `draw`: a card's code, or -1; `told`: actions, as in `actions`; `alike`: whether
 * two cards are of one suit. */
typedef struct {
    int (*draw)(void *who);
    int (*told)(void *who, uint32_t actions);
    int (*alike)(void *who, int first, int second);
} BoxDealer;

/* Plays a round: the dealer's final hand, or what draw or told had against it (< 0). */
static inline int box_round(const SimBoxes *t, BoxRound *r, const BoxDealer *d, void *who) {
    uint8_t one[BOX_MOST], two[BOX_MOST], alike[BOX_MOST];
    uint16_t places[BOX_MOST];
    uint32_t state, begin, place, peeked;
    int up, hole = 0, context, c;
    for (int b = 0; b < t->boxes; b++) {
        if ((c = d->draw(who)) < 0) return c;
        one[b] = (uint8_t)c;
    }
    if ((up = d->draw(who)) < 0) return up;
    for (int b = 0; b < t->boxes; b++) {
        if ((c = d->draw(who)) < 0) return c;
        two[b] = (uint8_t)c;
    }
    if (t->hole_dealt && (hole = d->draw(who)) < 0) return hole;
    if (t->upcard_second) { c = up; up = hole; hole = c; }
    place = t->start + (uint32_t)box_value(up);
    begin = t->next[place];
    peeked = 0u - (uint32_t)(t->begin[place - t->first_context] == 0);      /* all ones: the dealer peeks */
    place += (begin + (uint32_t)box_value(hole) - place) & peeked;
    begin = t->next[place];
    context = (int)(place - t->first_context);
    box_begin(r);
    for (int b = 0; b < t->boxes; b++) {            /* blackjacks and offers come before all play */
        uint32_t at = t->next[begin + box_value(one[b])] + box_value(two[b]), a = t->actions[at] & 15;
        const BoxEvent *e = &t->events[t->next[at] < t->rows ? t->next[at] : 0];
        places[b] = (uint16_t)at;
        alike[b] = (uint8_t)(e->cls != e->alike && d->alike(who, one[b], two[b]));
        if (t->boxes > 1 && a >= 8 && a < 12 && (c = d->told(who, a | 0xfffffff0)) < 0) return c;
    }
    do {                                            /* play, box after box */
        int box = r->box;
        uint32_t at = places[box], a = t->actions[at];
        if (t->boxes > 1 && (a & 15) >= 8 && (a & 15) < 12) a = a >> 4 | 0xf0000000;
        if ((c = d->told(who, a)) < 0) return c;
        for (state = t->next[at];;) {
            if (state < t->rows) {
                BoxEvent e = t->events[state];
                uint16_t first = (uint16_t)(places[box] - t->first_pair);
                state = e.kind != BOX_END ? box_hand(t, r, e, context, first) : box_end(
                    t, r, e, context, first, alike[box]);
                if (r->box != box) break;
            } else {
                if ((c = d->draw(who)) < 0) return c;
                at = state + box_value(c);
                if ((c = d->told(who, t->actions[at])) < 0) return c;
                state = t->next[at];
            }
        }
    } while (r->box < t->boxes);
    if (t->late[context]) state = t->next[state + box_value(hole)];
    while (state >= t->rows) {
        if ((c = d->draw(who)) < 0) return c;
        state = t->next[state + box_value(c)];
    }
    return t->events[state].at;
}
#endif
