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

typedef struct {
    const SimBoxes *t;
    RowShoe *shoe;
    uint8_t *cards, *actions;
    int n, n_actions, width, a_width;
} Row;

static inline int row_draw(void *who) {
    Row *w = (Row *)who;
    int c = draw(w->t, w->shoe);
    if (c < 0) return ROWS_DRY;
    if (w->n == w->width) return ROWS_NARROW;
    w->cards[w->n++] = (uint8_t)c;
    return c;
}

static inline int row_told(void *who, uint32_t a) {
    Row *w = (Row *)who;
    for (; (a & 15) != 15; a = a >> 4 | 0xf0000000) {
        if (w->n_actions == w->a_width) return ROWS_NARROW;
        w->actions[w->n_actions++] = (uint8_t)((a & 15) < 8 ? a & 15 : (a & 15) - 4);
    }
    return 0;
}

static inline int row_alike(void *who, int first, int second) {
    (void)who;
    return (first & 3) == (second & 3);
}

static const BoxDealer DEALER = {row_draw, row_told, row_alike};

static int one(const SimBoxes *t, RowShoe *s, const RowColumns *to, int64_t row) {
    Row w = {t, s, to->cards + row * to->width, to->actions + row * to->a_width, 0, 0, to->width, to->a_width};
    const BoxRound *r = &s->round;
    uint8_t *outcomes = to->outcomes + row * to->o_width;
    int hands = 0, f;
    int32_t net = 0;
    s->base = s->pos;
    f = box_round(t, &s->round, &DEALER, &w);
    if (f < 0) return f;
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
    return 0;
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
