/* Rounds in columns: the tables of _sim_boxes.h played with real cards, one round after another.
 *
 * Lives here: `rows_play`. Not here: a rule of the game, who owns the columns (stream.pyx).
 *
 * Stream "bj-rounds-1": the whole shoe lies in ascending order of its codes at first. Card number i of a
 * shoe is drawn when it is dealt (or burnt): from the cards at places i .. n-1 the one at i + x, x unbiased
 * below n - i by multiply and reject on 32-bit words, and the two change places; the next shoe begins with
 * the order that the last one left. A shoe that runs out inside a round goes on with its discards, behind
 * the cards on the table. An infinite shoe is drawn from with replacement.
 */
#include <string.h>
#include "_rows.h"

static uint32_t word(RowShoe *s) {
    if (s->used == ROWS_WORDS) {
        s->more(s->source, s->words, ROWS_WORDS);
        s->used = 0;
    }
    return s->words[s->used++];
}

static inline uint32_t below(RowShoe *s, uint32_t n) {
    uint64_t m = (uint64_t)word(s) * n;
    if ((uint32_t)m < n) {
        uint32_t unfair = (0u - n) % n;
        while ((uint32_t)m < unfair) m = (uint64_t)word(s) * n;
    }
    return (uint32_t)(m >> 32);
}

/* The shoe is dry inside a round: the table's cards move to the front, the discards are drawn next. */
static int refill(RowShoe *s) {
    int table = s->pos - s->base, old = s->base;
    if (old == 0 || s->stacked) return 0;
    for (int i = 0; i < table; i++) {           /* each table card changes places with a discard, in order */
        uint8_t c = s->cards[i];
        s->cards[i] = s->cards[old + i];
        s->cards[old + i] = c;
    }
    s->base = 0;
    s->pos = table;
    return 1;
}

/* The next card, or -1. */
static inline int draw(const SimBoxes *t, RowShoe *s) {
    int c, i = s->pos;
    if (t->infinite) {
        s->pos++;
        return s->cards[below(s, (uint32_t)s->total)];
    }
    if (i == s->size) {
        if (!refill(s)) return -1;
        i = s->pos;
    }
    if (!s->stacked) {
        int j = i + (int)below(s, (uint32_t)(s->size - i));
        c = s->cards[j];
        s->cards[j] = s->cards[i];
        s->cards[i] = (uint8_t)c;
    }
    s->pos = i + 1;
    return s->cards[i];
}

static inline int value_of(int card) { int v = card >> 2; return v < 9 ? v : 9; }

typedef struct {
    const SimBoxes *t;
    RowShoe *shoe;
    uint8_t *cards, *actions;
    int n, n_actions, width, a_width, wrong;
} Row;

static inline int card(Row *w) {
    int c = draw(w->t, w->shoe);
    if (c < 0 || w->n == w->width) {
        w->wrong = c < 0 ? ROWS_DRY : ROWS_NARROW;
        return 0;
    }
    w->cards[w->n++] = (uint8_t)c;
    return c;
}

static inline void told(Row *w, uint32_t a) {
    for (; (a & 15) != 15; a = a >> 4 | 0xf0000000) {
        if (w->n_actions == w->a_width) { w->wrong = ROWS_NARROW; return; }
        w->actions[w->n_actions++] = (uint8_t)((a & 15) < 8 ? a & 15 : (a & 15) - 4);
    }
}

static int one(const SimBoxes *t, RowShoe *s, const RowColumns *to, int64_t row) {
    Row w = {t, s, to->cards + row * to->width, to->actions + row * to->a_width, 0, 0, to->width, to->a_width, 0};
    BoxRound *r = &s->round;
    uint8_t firsts[ROWS_BOXES], alike[ROWS_BOXES], *outcomes = to->outcomes + row * to->o_width;
    uint32_t places[ROWS_BOXES], state;
    int up, hole = 0, hands = 0, f;
    int32_t net = 0;
    s->base = s->pos;
    for (int b = 0; b < t->boxes; b++) firsts[b] = (uint8_t)card(&w);
    up = card(&w);
    for (int b = 0; b < t->boxes; b++) {
        int c = card(&w);
        alike[b] = (firsts[b] & 3) == (c & 3);
        places[b] = (uint32_t)(10 * value_of(firsts[b]) + value_of(c));
    }
    if (t->hole_dealt) hole = card(&w);
    if (w.wrong) return w.wrong;
    if (t->upcard_second) { int c = up; up = hole; hole = c; }
    state = t->next[t->start + value_of(up)];
    if (state >= t->rows) state = t->next[state + value_of(hole)];
    state = box_event(t, r, t->events[state], 0, 0);
    for (int b = 0; b < t->boxes; b++) {            /* the first two cards, and offers */
        uint32_t a, at = t->next[state + places[b] / 10] + places[b] % 10;
        places[b] = at;
        a = t->actions[at];
        if ((a & 15) >= 8 && (a & 15) < 12 && t->boxes > 1) told(&w, a | 0xfffffff0);
    }
    do {                                            /* play, box after box */
        uint32_t at = places[r->box], a = t->actions[at];
        int same = alike[r->box], box = r->box;
        if (t->boxes > 1 && (a & 15) >= 8 && (a & 15) < 12) a = a >> 4 | 0xf0000000;
        told(&w, a);
        state = t->next[at];
        for (;;) {
            if (state < t->rows) {
                state = box_event(t, r, t->events[state], 0, same);
                if (r->box != box) break;
            } else {
                at = state + (uint32_t)value_of(card(&w));
                told(&w, t->actions[at]);
                state = t->next[at];
            }
            if (w.wrong) return w.wrong;
        }
    } while (r->box < t->boxes);
    if (t->late[r->context]) state = t->next[state + value_of(hole)];
    while (state >= t->rows) {
        state = t->next[state + value_of(card(&w))];
        if (w.wrong) return w.wrong;
    }
    f = t->events[state].at;
    for (int i = 0; i < r->n; i++) {
        int c = r->cls[i];
        net += t->pay[f][c];
        if (!(t->flags[f][c] & 4)) continue;
        if (hands == to->o_width) return ROWS_NARROW;
        outcomes[hands++] = t->outcome[f][c];
    }
    if (t->capped && f == BOX_BLACKJACK)
        for (int b = 0; b < t->boxes; b++) net += box_refund(t, r, b);
    to->n_cards[row] = (uint8_t)w.n;
    to->n_actions[row] = (uint8_t)w.n_actions;
    to->n_hands[row] = (uint8_t)hands;
    to->net[row] = net;
    return w.wrong;
}

int rows_play(const SimBoxes *t, RowShoe *s, const RowColumns *to, int64_t first, int64_t rounds) {
    int fresh = !s->stacked;
    for (int64_t i = 0; i < rounds; i++) {
        int code;
        if (t->infinite) {
            s->pos = s->base = 0;
        } else if (!s->stacked && (fresh || s->size - s->pos <= t->limit || s->pos == s->size)) {
            fresh = 0;
            s->pos = 0;
            for (int k = 0; k < t->burn; k++) draw(t, s);
        }
        code = one(t, s, to, first + i);
        if (code) return code;
    }
    return 0;
}
