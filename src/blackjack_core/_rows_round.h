/* Rounds on many lanes side by side, by the tables of _sim_boxes.h, with real cards.
 *
 * Lives here: `play_open`, `play_rounds`, `play_close`. Not here: a rule of the game, shoes and words and what the
 * stream is (_rows_lanes.h), what is kept of a round (_rows.c: columns; _sim_cards.c: sums).
 *
 * What is dealt next does not depend on what becomes of a round; so all branches here can be foreseen, but those of
 * split hands: who wants a card is put on a list, by a store that is always made and an end that moves or not.
 */
#ifndef BJ_ROWS_ROUND_H
#define BJ_ROWS_ROUND_H
#include "_rows_lanes.h"

/* -- a round */

HOT void tell(Lane *p, uint64_t text, uint32_t n) {
    memcpy(p->actions + p->n_actions, &text, 8);
    p->n_actions = (uint8_t)(p->n_actions + n);
}

/* Where two tens lead to, whose first place is this. */
HOT uint32_t by_rank(const SimBoxes *t, uint32_t place, int alike) {
    const uint32_t state = t->next[place];
    const BoxEvent *e = &t->events[state < t->rows ? state : 0];
    return e->kind == BOX_RANK ? e->at + (uint32_t)alike : place;
}

/* How a round is played, known when it is compiled: with how many boxes (1, or 0: see the tables), whether ranks
 * matter, whether actions are noted. */
typedef struct { uint32_t boxes; int ranks, tells; } How;

HOT uint32_t boxes_of(const RowPlay *w, How how) { return how.boxes ? how.boxes : (uint32_t)w->t->boxes; }

/* The place that a box's first two cards lead to. */
HOT uint32_t two_cards(const RowPlay *w, const uint8_t *c, uint32_t begin, uint32_t box, uint32_t boxes, int ranks) {
    const uint8_t one = c[box], two = c[boxes + 1 + box];
    const uint32_t place = w->t->next[begin + w->value[one]] + w->value[two];
    return ranks && one >= TEN && two >= TEN ? by_rank(w->t, place, one >> 2 == two >> 2) : place;
}

/* The box's first decision; the length of the list with the lane on it, if it wants a card. */
HOT int first_step(RowPlay *w, Lane *p, uint32_t box, uint32_t boxes, How how, int n) {
    uint32_t step = w->steps[two_cards(w, p->cards + p->base, p->begin, box, boxes, how.ranks)];
    const Told *a = &w->told[step >> 16];
    if (how.tells && how.boxes == 1) {
        memcpy(p->actions, &a->text, 8);
        p->n_actions = (uint8_t)a->n;
    } else if (how.tells) {             /* what came before all play has been told */
        tell(p, a->text >> 8 * a->before, a->n - a->before);
    }
    step &= 0xffff;
    p->state = step;
    w->list[n] = p;
    return n + (step >= w->t->rows);
}

/* First cards and what is said to them, the first box's first decision: the length of the list. */
HOT int first_cards(RowPlay *w, int m, How how) {
    const uint32_t each = w->each, depth = w->depth, up_at = w->up_at, hole_at = w->hole_at, boxes = boxes_of(w, how);
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
        p->begin = (uint16_t)opens;
        p->asks = p->split = 0;
        p->n_cls = 0;
        if (how.tells && how.boxes != 1) {
            p->n_actions = 0;
            for (uint32_t b = 0; opens & OFFERS && b < boxes; b++) {
                const Told *a = &w->told[w->steps[two_cards(w, c, opens & 0xffff, b, boxes, how.ranks)] >> 16];
                tell(p, a->text, a->before);
            }
        }
        n = first_step(w, p, 0, boxes, how, n);
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
    BoxSplit r = {0};
    r.hands = 1;
    r.cls = p->cls;
    r.n = p->n_cls;
    r.asks = p->asks;
    r.splits = w->splits;
    for (;;) {
        const BoxEvent e = t->events[state < t->rows ? state : 0];
        if (state < t->rows && e.kind != BOX_RANK) {
            state = box_hand(t, &r, e);
            if (!state) break;
            continue;
        }
        if (e.kind == BOX_RANK) step = w->steps[e.at + (p->cards[p->base + box] >> 2 == p->cards[p->pos - 1] >> 2)];
        else step = w->steps[state + (uint32_t)deal(w, p)];
        tell(p, w->told[step >> 16].text, w->told[step >> 16].n);
        state = step & 0xffff;
    }
    p->n_cls = r.n;
    p->asks = r.asks;
    p->split = 1;
    p->end[box] = r.n;
}

/* What the box is worth, and asks of the dealer. */
HOT void end_box(RowPlay *w, Lane *p, uint32_t box, uint32_t boxes, How how) {
    const uint8_t *c = p->cards + p->base + box;
    uint32_t e;
    uint8_t cls;
    if (RARE(p->state > w->t->ends)) {
        alone(w, p, box);
        return;
    }
    e = w->ends[p->state];
    cls = (uint8_t)((c[0] ^ c[boxes + 1]) & 3 ? e : e >> 8);
    if (how.boxes == 1) {
        p->cls[0] = cls;
        p->asks = (uint8_t)(e >> 16);
        return;
    }
    p->cls[p->n_cls++] = cls;
    p->end[box] = p->n_cls;
    p->asks |= (uint8_t)(e >> 16);
}

/* The dealer's turn: the length of the list. */
HOT int dealer(RowPlay *w, Lane *p, int n) {
    const uint32_t state = w->dealer[p->key + p->asks];
    p->state = state;
    w->list[n] = p;
    return n + (state >= w->t->rows);
}

/* A round on each of m lanes. */
HOT void play_rounds(RowPlay *w, int m, How how) {
    const uint32_t boxes = boxes_of(w, how);
    int n = first_cards(w, m, how);
    for (uint32_t b = 0; b + 1 < boxes; b++) {
        in_turns(w, n, how.tells);
        n = 0;
        for (Lane *p = w->lane; p < w->lane + m; p++) {
            end_box(w, p, b, boxes, how);
            n = first_step(w, p, b + 1, boxes, how, n);
        }
    }
    in_turns(w, n, how.tells);
    n = 0;
    for (Lane *p = w->lane; p < w->lane + m; p++) {
        end_box(w, p, boxes - 1, boxes, how);
        n = dealer(w, p, n);
    }
    in_turns(w, n, 0);
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
            for (uint32_t i = 0; i < 200; i++) {
                const uint32_t two = by_rank(t, t->next[t->next[place] + i / 20] + i % 20 / 2, i & 1);
                if (w->told[w->steps[two] >> 16].before) w->opens[16 * up + hole] |= OFFERS;
            }
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

COLD RowPlay *play_open(const SimBoxes *t, const RowShoe *from) {
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
    for (int k = 0; k < PORTION; k++) w->fewer[k] = (uint16_t)(endless ? 0 : k);
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

COLD void play_close(RowPlay *w) {
    if (w) free(w->memory);
    free(w);
}
#endif
