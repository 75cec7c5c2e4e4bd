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

/* A round being played: the shoe's numbers are kept here, where no store of a card can reach them. */
typedef struct {
    const SimBoxes *t;
    RowShoe *shoe;
    uint8_t *cards, *actions;
    int n, n_actions, width, a_width;
    int pos, base, used;
} Row;

static inline uint32_t word(Row *w) {
    if (w->used == ROWS_WORDS) {
        w->shoe->more(w->shoe->source, w->shoe->words, ROWS_WORDS);
        w->used = 0;
    }
    return w->shoe->words[w->used++];
}

static inline uint32_t below(Row *w, uint32_t n) {
    uint64_t m = (uint64_t)word(w) * n;
    if ((uint32_t)m < n) {
        uint32_t unfair = (0u - n) % n;
        while ((uint32_t)m < unfair) m = (uint64_t)word(w) * n;
    }
    return (uint32_t)(m >> 32);
}

/* The shoe is dry inside a round: the table's cards move to the front, the discards are drawn next. */
static int refill(Row *w) {
    uint8_t *cards = w->shoe->cards;
    int table = w->pos - w->base, old = w->base;
    if (old == 0 || w->shoe->stacked) return 0;
    for (int i = 0; i < table; i++) {           /* each table card changes places with a discard, in order */
        uint8_t c = cards[i];
        cards[i] = cards[old + i];
        cards[old + i] = c;
    }
    w->base = 0;
    w->pos = table;
    return 1;
}

/* The next card, or -1. */
static inline int draw(Row *w) {
    RowShoe *s = w->shoe;
    int c, j, i = w->pos;
    if (w->t->infinite) {
        w->pos++;
        return s->cards[below(w, (uint32_t)s->total)];
    }
    if (i == s->size) {
        if (!refill(w)) return -1;
        i = w->pos;
    }
    w->pos = i + 1;
    if (s->stacked) return s->cards[i];
    j = i + (int)below(w, (uint32_t)(s->size - i));
    c = s->cards[j];
    s->cards[j] = s->cards[i];
    s->cards[i] = (uint8_t)c;
    return c;
}

static inline int row_draw(void *who) {
    Row *w = (Row *)who;
    int c = draw(w);
    if (c < 0) return ROWS_DRY;
    if (w->n == w->width) return ROWS_NARROW;
    w->cards[w->n++] = (uint8_t)c;
    return c;
}

/* Nibbles to bytes; eight are written at once where there is room, those behind the last one do not count. */
static inline int row_told(void *who, uint32_t a) {
    Row *w = (Row *)who;
    if (w->n_actions + 8 <= w->a_width) {
        uint32_t ends = a & a >> 1 & a >> 2 & a >> 3 & 0x11111111;
        uint64_t x = a;
        x = (x | x << 16) & 0x0000ffff0000ffff;
        x = (x | x << 8) & 0x00ff00ff00ff00ff;
        x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
        x -= (x & 0x0808080808080808) >> 1;
        for (int i = 0; i < 8; i++) w->actions[w->n_actions + i] = (uint8_t)(x >> 8 * i);
        /* the lowest end: bits below it, in nibbles */
        ends = (ends & (0u - ends)) - 1;
        ends = ends / 15 & 0x11111111;
        w->n_actions += (int)(ends * 0x11111111u >> 28);
        return 0;
    }
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

static int one(Row *w, const RowColumns *to, int64_t row) {
    const SimBoxes *t = w->t;
    const BoxRound *r = &w->shoe->round;
    uint8_t *outcomes = to->outcomes + row * to->o_width;
    int hands = 0, f;
    int32_t net = 0;
    w->cards = to->cards + row * to->width;
    w->actions = to->actions + row * to->a_width;
    w->n = w->n_actions = 0;
    w->base = w->pos;
    f = box_round(t, &w->shoe->round, &DEALER, w);
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
    to->n_cards[row] = (uint8_t)w->n;
    to->n_actions[row] = (uint8_t)w->n_actions;
    to->n_hands[row] = (uint8_t)hands;
    to->net[row] = net;
    return 0;
}

int rows_play(const SimBoxes *t, RowShoe *s, const RowColumns *to, int64_t first, int64_t rounds) {
    Row w = {t, s, to->cards, to->actions, 0, 0, to->width, to->a_width, 0, 0, ROWS_WORDS};
    int fresh = !s->stacked, code;
    for (int64_t i = 0; i < rounds; i++) {
        if (t->infinite) {
            w.pos = 0;
        } else if (!s->stacked && (fresh || s->size - w.pos <= t->limit || w.pos == s->size)) {
            fresh = 0;
            w.pos = 0;
            for (int k = 0; k < t->burn; k++) draw(&w);
        }
        code = one(&w, to, first + i);
        if (code) return code;
    }
    return 0;
}
