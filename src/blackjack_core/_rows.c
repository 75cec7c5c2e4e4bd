/* Rounds in columns.
 *
 * Lives here: `rows_open`, `rows_play`, `rows_close`; how a round becomes a row. Not here: how it is played
 * (_rows_round.h), who owns the columns (stream.pyx).
 */
#include "_rows_round.h"

/* Net and number of hands of a round with a split box; -1: the column is too narrow. */
COLD int settle_split(const RowPlay *w, const Lane *p, int final, uint8_t *outcomes, int32_t *net) {
    const SimBoxes *t = w->t;
    int hands = 0;
    for (int i = 0; i < p->n_cls; i++) {
        int c = p->cls[i];
        *net += t->pay[final][c];
        if (!(t->flags[final][c] & 4)) continue;
        if (hands == w->to.o_width) return -1;
        outcomes[hands++] = t->outcome[final][c];
    }
    if (t->capped && final == BOX_BLACKJACK)
        for (int b = 0; b < t->boxes; b++) *net += box_refund(t, p->cls, p->end, (uint32_t)b);
    return hands;
}

/* What a row of unusual length or width still lacks. */
COLD int long_row(const RowPlay *w, const Lane *p, uint8_t *cards, uint8_t *actions, uint32_t n) {
    if (n > (uint32_t)w->to.width || p->n_actions > w->to.a_width) return ROWS_NARROW;
    memcpy(cards, p->cards + p->base, n);
    memcpy(actions, p->actions, p->n_actions);
    return 0;
}

HOT void write_rows(RowPlay *w, int m, How how) {
    const uint32_t boxes = boxes_of(w, how);
    const RowColumns *to = &w->to;
    const BoxEvent *events = w->t->events;
    const int64_t row = w->row;
    const int roomy = to->width >= SHORT && to->a_width >= FEW;
    uint8_t *cards = to->cards + row * to->width, *actions = to->actions + row * to->a_width;
    uint8_t *outcomes = to->outcomes + row * to->o_width, *n_cards = to->n_cards + row;
    uint8_t *n_actions = to->n_actions + row, *n_hands = to->n_hands + row;
    int32_t *nets = to->net + row;
    if (to->o_width < (int)boxes) {
        w->code = ROWS_NARROW;
        return;
    }
    memset(n_hands, (int)boxes, (size_t)m);
    for (int i = 0; i < m; i++) {
        const Lane *p = &w->lane[i];
        const uint32_t n = p->pos - p->base;
        const int final = events[p->state].at;
        const Worth *worth = w->worth[final];
        int32_t net = 0;
        if (RARE(p->split)) {
            int hands = settle_split(w, p, final, outcomes, &net);
            if (hands < 0) w->code = ROWS_NARROW;
            n_hands[i] = (uint8_t)hands;
        } else {
            for (uint32_t b = 0; b < boxes; b++) {
                net += worth[p->cls[b]].net;
                outcomes[b] = (uint8_t)worth[p->cls[b]].outcome;
            }
        }
        nets[i] = net;
        n_cards[i] = (uint8_t)n;
        n_actions[i] = p->n_actions;
        if (roomy) {
            memcpy(cards, p->cards + p->base, SHORT);
            memcpy(actions, p->actions, FEW);
        }
        if (RARE((n > SHORT) | (p->n_actions > FEW) | !roomy)) {
            int code = long_row(w, p, cards, actions, n);
            if (code) w->code = code;
        }
        SOON(cards + 4 * to->width);
        SOON(actions + 4 * to->a_width);
        cards += to->width;
        actions += to->a_width;
        outcomes += to->o_width;
    }
    w->row += m;
}

HOT void play_and_write(RowPlay *w, int m, How how) {
    play_rounds(w, m, how);
    if (w->code == 0) write_rows(w, m, how);
}

RowPlay *rows_open(const SimBoxes *t, const RowShoe *from) { return play_open(t, from); }

void rows_close(RowPlay *w) { play_close(w); }

int rows_play(RowPlay *w, const RowColumns *to, int64_t first, int64_t n) {
    w->to = *to;
    w->row = first;
    while (n > 0 && w->code == 0) {
        int m = n < w->lanes ? (int)n : w->lanes;
        if (w->t->ranks) play_and_write(w, m, (How){0, 1, 1});
        else if (w->t->boxes == 1) play_and_write(w, m, (How){1, 0, 1});
        else play_and_write(w, m, (How){0, 0, 1});
        n -= m;
    }
    return w->code;
}

