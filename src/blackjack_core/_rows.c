/* Rounds in columns: the tables of _sim_boxes.h played with real cards on many lanes side by side.
 *
 * Lives here: `rows_open`, `rows_play`, `rows_close`; a round on all lanes, its rows. Not here: a rule of the game,
 * shoes and words and what the stream is (_rows_lanes.h), who owns the columns (stream.pyx).
 *
 * What is dealt next does not depend on what becomes of a round; so all branches here can be foreseen, but those of
 * split hands: who wants a card is put on a list, by a store that is always made and an end that moves or not.
 */
#include "_rows_lanes.h"

/* -- a round */

HOT void tell(Lane *p, uint64_t text, uint32_t n) {
    memcpy(p->actions + p->n_actions, &text, 8);
    p->n_actions = (uint8_t)(p->n_actions + n);
}

/* The place that a box's first two cards lead to. */
HOT uint32_t two_cards(const RowPlay *w, const uint8_t *c, uint32_t begin, uint32_t box, uint32_t boxes) {
    return w->t->next[begin + w->value[c[box]]] + w->value[c[boxes + 1 + box]];
}

/* The box's first decision; the length of the list with the lane on it, if it wants a card. */
HOT int first_step(RowPlay *w, Lane *p, uint32_t place, uint32_t boxes, int n) {
    uint32_t step = w->steps[place];
    const Told *a = &w->told[step >> 16];
    if (boxes == 1) {
        memcpy(p->actions, &a->text, 8);
        p->n_actions = (uint8_t)a->n;
    } else {                            /* what came before all play has been told */
        tell(p, a->text >> 8 * a->before, a->n - a->before);
    }
    step &= 0xffff;
    p->state = step;
    w->list[n] = p;
    return n + (step >= w->t->rows);
}

/* First cards and what is said to them; with one box its first decision: the length of the list. */
HOT int first_cards(RowPlay *w, int m, uint32_t boxes) {
    const uint32_t each = w->each, depth = w->depth, up_at = w->up_at, hole_at = w->hole_at;
    int n = 0;
    for (Lane *p = w->lane; p < w->lane + m; p++) {
        const uint8_t *c;
        uint32_t opens, at = p->pos;
        p->base = at;
        if ((at >= depth) | (at + each > p->ready)) {
            begin_shoe(w, p);
            at = p->base;
        }
        p->pos = at + each;
        c = p->cards + at;
        opens = w->opens[16 * w->value[c[up_at]] + w->value[c[hole_at]]];
        p->key = (uint16_t)(opens >> 16 & 0x7fff);
        p->asks = p->split = 0;
        if (boxes == 1) {
            n = first_step(w, p, two_cards(w, c, opens & 0xffff, 0, 1), 1, n);
            continue;
        }
        p->begin = (uint16_t)opens;
        p->n_actions = 0;
        p->n_cls = 0;
        for (uint32_t b = 0; opens & OFFERS && b < boxes; b++) {
            const Told *a = &w->told[w->steps[two_cards(w, c, opens & 0xffff, b, boxes)] >> 16];
            tell(p, a->text, a->before);
        }
    }
    return n;
}

/* A card to each lane of the list, until no one wants one. */
HOT void in_turns(RowPlay *w, int n, int tells) {
    const uint32_t rows = w->t->rows;
    while (n) {
        int wants = 0;
        for (int i = 0; i < n; i++) {
            Lane *p = w->list[i];
            uint32_t c = (uint32_t)deal(w, p), step = w->steps[p->state + c];
            if (tells) tell(p, w->told[step >> 16].text, w->told[step >> 16].n);
            step &= 0xffff;
            p->state = step;
            w->list[wants] = p;
            wants += step >= rows;
        }
        n = wants;
    }
}

/* A box that was split, to its end. */
COLD void alone(RowPlay *w, Lane *p, uint32_t box) {
    const SimBoxes *t = w->t;
    uint32_t state = p->state, step;
    uint16_t end, first;
    BoxRound r = {0};
    box_begin(&r);
    r.cls = p->cls;
    r.n = w->t->boxes > 1 ? p->n_cls : 0;
    r.end = &end;
    r.first = &first;
    r.asks = p->asks;
    while (r.box == 0) {
        if (state < t->rows) {
            state = box_hand(t, &r, t->events[state], p->key / 40, 0);
            continue;
        }
        step = w->steps[state + (uint32_t)deal(w, p)];
        tell(p, w->told[step >> 16].text, w->told[step >> 16].n);
        state = step & 0xffff;
    }
    p->n_cls = r.n;
    p->asks = r.asks;
    p->split = 1;
    p->end[box] = r.n;
}

HOT void end_box(RowPlay *w, Lane *p, uint32_t box, uint32_t boxes) {
    const uint8_t *c = p->cards + p->base + box;
    uint32_t e;
    uint8_t cls;
    if (RARE(p->state > w->t->ends)) {
        alone(w, p, box);
        return;
    }
    e = w->ends[p->state];
    cls = (uint8_t)((c[0] ^ c[boxes + 1]) & 3 ? e : e >> 8);
    if (boxes == 1) {
        p->cls[0] = cls;
        p->asks = (uint8_t)(e >> 16);
        return;
    }
    p->cls[p->n_cls++] = cls;
    p->end[box] = p->n_cls;
    p->asks |= (uint8_t)(e >> 16);
}

/* The dealers of all lanes. */
HOT void dealers(RowPlay *w, int m, uint32_t boxes) {
    int n = 0;
    for (Lane *p = w->lane; p < w->lane + m; p++) {
        uint32_t state;
        end_box(w, p, boxes - 1, boxes);
        state = w->dealer[p->key + p->asks];
        p->state = state;
        w->list[n] = p;
        n += state >= w->t->rows;
    }
    in_turns(w, n, 0);
}

/* -- rows */

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
    if (t->capped && final == BOX_BLACKJACK) {
        BoxRound r = {0};
        r.cls = p->cls;
        r.end = p->end;
        for (int b = 0; b < t->boxes; b++) *net += box_refund(t, &r, b);
    }
    return hands;
}

/* What a row of unusual length or width still lacks. */
COLD int long_row(const RowPlay *w, const Lane *p, uint8_t *cards, uint8_t *actions, uint32_t n) {
    if (n > (uint32_t)w->to.width || p->n_actions > w->to.a_width) return ROWS_NARROW;
    memcpy(cards, p->cards + p->base, n);
    memcpy(actions, p->actions, p->n_actions);
    return 0;
}

HOT void write_rows(RowPlay *w, int m, uint32_t boxes) {
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

/* A round on each of m lanes. */
HOT void rounds(RowPlay *w, int m, uint32_t boxes) {
    int n = first_cards(w, m, boxes);
    for (uint32_t b = 0; b < boxes; b++) {
        if (boxes > 1) {
            n = 0;
            for (Lane *p = w->lane; p < w->lane + m; p++)
                n = first_step(w, p, two_cards(w, p->cards + p->base, p->begin, b, boxes), boxes, n);
        }
        in_turns(w, n, 1);
        if (b + 1 < boxes)
            for (Lane *p = w->lane; p < w->lane + m; p++) end_box(w, p, b, boxes);
    }
    dealers(w, m, boxes);
    if (w->code == 0) write_rows(w, m, boxes);
}

int rows_play(RowPlay *w, const RowColumns *to, int64_t first, int64_t n) {
    w->to = *to;
    w->row = first;
    while (n > 0 && w->code == 0) {
        int m = n < w->lanes ? (int)n : w->lanes;
        if (w->t->boxes == 1) rounds(w, m, 1);
        else rounds(w, m, (uint32_t)w->t->boxes);
        n -= m;
    }
    return w->code;
}

/* -- made ready */

/* Nibbles to bytes. */
static Told told(uint32_t a) {
    Told x = {0, 0, (a & 15) >= 8 && (a & 15) < 12};
    for (; (a & 15) != 15; a = a >> 4 | 0xf0000000)
        x.text |= (uint64_t)((a & 15) < 8 ? a & 15 : (a & 15) - 4) << 8 * x.n++;
    return x;
}

/* The game's tables as they are read here. */
static void translate(RowPlay *w, uint32_t *known) {
    const SimBoxes *t = w->t;
    uint32_t n = 0;
    for (uint32_t i = 0; i < 10 * t->n_rows; i++) {
        uint32_t k = 0;
        while (k < n && known[k] != t->actions[i]) k++;
        if (k == n) {
            known[n] = t->actions[i];
            w->told[n++] = told(t->actions[i]);
        }
        w->steps[i] = t->next[i] | k << 16;
    }
    for (uint32_t up = 0; up < 10; up++)
        for (uint32_t hole = 0; hole < 10; hole++) {
            uint32_t place = t->start + up, context, key;
            if (t->begin[place - t->first_context] == 0) place = t->next[place] + hole;     /* the dealer peeks */
            context = place - t->first_context;
            key = 4 * (10 * context + hole);
            w->opens[16 * up + hole] = t->next[place] | key << 16;
            for (uint32_t i = 0; i < 100; i++)
                if (w->told[w->steps[t->next[t->next[place] + i / 10] + i % 10] >> 16].before)
                    w->opens[16 * up + hole] |= OFFERS;
            for (uint32_t asks = 0; asks < 4; asks++) {
                uint32_t state = t->dealer[4 * context + asks];
                w->dealer[key + asks] = t->late[context] ? t->next[state + hole] : (uint16_t)state;
            }
        }
    for (uint32_t i = 0; i <= t->ends; i++) {
        const BoxEvent *e = &t->events[i];
        w->ends[i] = e->cls | (uint32_t)e->alike << 8 | (uint32_t)e->asks << 16;
    }
    for (int f = 0; f < SIM_FINALS; f++)
        for (int c = 0; c < BOX_CLASSES; c++) w->worth[f][c] = (Worth){t->pay[f][c], t->outcome[f][c]};
    for (int i = 0; i < 256; i++) w->value[i] = (uint8_t)box_value(i);
}

static void lay_shoes(RowPlay *w, const RowShoe *from, uint8_t *shoes, uint32_t stride) {
    if (w->deck) memcpy(w->deck, from->cards, w->deck_size);
    for (uint32_t i = 0; i < w->size; i++) w->unfair[i] = (uint16_t)(65536 % (w->deck ? w->deck_size : w->size - i));
    for (int i = 0; i < w->lanes; i++) {
        Lane *p = &w->lane[i];
        p->cards = shoes + (size_t)stride * (size_t)i;
        if (!w->deck) memcpy(p->cards, from->cards, w->size);
        p->pos = w->stacked ? 0 : w->size;      /* else a shuffle is due */
        p->ready = w->size;
    }
}

static size_t room(size_t *at, size_t size) {
    size_t from = *at;
    *at = (from + size + 15) & ~(size_t)15;
    return from;
}

RowPlay *rows_open(const SimBoxes *t, const RowShoe *from) {
    const int endless = t->infinite && !from->stacked;
    const uint32_t size = endless ? ENDLESS : (uint32_t)from->size, places = 10 * t->n_rows, boxes = (uint32_t)t->boxes;
    const size_t stride = size + MOST;          /* what is copied at once may lie beyond the last card */
    size_t all = 0, steps = room(&all, 4 * places), texts = room(&all, sizeof(Told) * places);
    size_t ends = room(&all, 4 * (t->ends + 1u)), unfair = room(&all, 2 * (size + PORTION));
    size_t deck = room(&all, (size_t)from->size), shoes = room(&all, stride * L);
    size_t end = room(&all, 2 * boxes * L), cls = room(&all, (size_t)t->room * L), known = room(&all, 4 * places);
    RowPlay *w = (RowPlay *)calloc(1, sizeof(RowPlay));
    char *m = (char *)calloc(1, all);
    if (!w || !m) {
        free(w);
        free(m);
        return NULL;
    }
    w->memory = m;
    w->t = t;
    w->steps = (uint32_t *)(m + steps);
    w->told = (Told *)(m + texts);
    w->ends = (uint32_t *)(m + ends);
    w->unfair = (uint16_t *)(m + unfair);
    w->deck = endless ? (uint8_t *)(m + deck) : NULL;
    w->deck_size = (uint32_t)from->size;
    w->size = size;
    w->depth = endless ? 0 : from->stacked ? UINT32_MAX : size - t->limit;
    w->plain = endless ? UINT32_MAX : PORTION;
    w->ahead = AHEAD + AHEAD * boxes;
    w->each = 2 * boxes + 1 + (t->hole_dealt != 0);
    w->up_at = t->upcard_second ? 2 * boxes + 1 : boxes;
    w->hole_at = t->upcard_second ? boxes : 2 * boxes + 1;
    w->lanes = from->stacked ? 1 : L;
    w->stacked = from->stacked;
    w->own = from->own;
    w->used = WORDS;
    w->more = from->words;
    w->source = from->source;
    for (int j = 0; j < ROWS_STREAMS; j++)
        for (int i = 0; i < 4; i++) w->s[i][j] = from->seeds[j][i];
    lay_shoes(w, from, (uint8_t *)m + shoes, (uint32_t)stride);
    for (int i = 0; i < L; i++) {
        w->lane[i].end = (uint16_t *)(m + end) + boxes * (uint32_t)i;
        w->lane[i].cls = (uint8_t *)(m + cls) + t->room * i;
    }
    translate(w, (uint32_t *)(m + known));
    return w;
}

void rows_close(RowPlay *w) {
    if (w) free(w->memory);
    free(w);
}
