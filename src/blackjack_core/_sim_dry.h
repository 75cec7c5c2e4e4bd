/* Rounds of one box whose shoe ran out before they ended: dealt again, as the table deals them.
 *
 * Lives here: what happens to such a lane, the same for every instruction set. Not here: rows of cards
 * (_sim_kernel.h), the lane's memory (_sim_group.h).
 *
 * The kernels deal a round in an order of their own: the upcard first, the hole card behind the play. A round
 * that the n cards left suffice for is as likely in one order as in another; so rounds that they do not suffice
 * for are as likely, too, but they are not the same rounds: the table has dealt the hole card long before the discards
 * come back. So an order of the n cards that runs dry as the kernel deals it is made into one that does as the table deals
 * it: dealt by the table, it runs dry, or else makes a whole round, and the order in which the kernel would have dealt that
 * round takes its place. Each order that may come out comes out of one alone, so that all are equally likely.
 *
 * What the discards give is drawn from ChaCha20 blocks (see _sim_group.h) of tag 5, counter 128 * (blocks the lane
 * has taken) + place; a word a draw.
 */
#ifndef BJ_SIM_DRY_H
#define BJ_SIM_DRY_H
#include "_sim_group.h"

/* Where the table's cards come from: those left when the round began, then the discards. */
typedef struct {
    const uint8_t *order;
    int n, at;
    int left, cum[9];           /* the discards: cards, and those of each value and below it */
    uint32_t words[16];
    int word;
    Group *g;
    int p;
} DryShoe;

typedef struct {
    uint8_t cards[SIM_DRAWN];   /* in the order in which the kernel asks for them */
    uint16_t places[SIM_DRAWN];
    int n;
    Side side;
    uint16_t state, first;
} DryRound;

static int dry_card(DryShoe *s) {
    uint64_t m;
    uint32_t n = (uint32_t)s->left;
    int x, v = 9;
    if (s->at < s->n) return s->order[s->at++];
    if (!n) return -1;
    do {
        if (s->word == 16) {
            sim_block(s->g->key, s->g->chunk, 5, 128 * s->g->dry_blocks[s->p]++ + (uint32_t)s->p, s->words);
            s->word = 0;
        }
        m = (uint64_t)s->words[s->word++] * n;
    } while ((uint32_t)m < (0u - n) % n);
    x = (int)(m >> 32);
    for (int j = 0; j < 9; j++) {
        v -= s->cum[j] > x;
        s->cum[j] -= s->cum[j] > x;
    }
    s->left--;
    return v;
}

/* A round as the table deals it; 0: a card is missing. */
static int dry_deal(const Group *g, DryShoe *s, DryRound *r) {
    const SimTables *t = g->t;
    int first[4] = {0, 0, 0, 0}, taken = 0;     /* the player's, upcard, hole card */
    static const uint8_t up_first[4] = {0, 2, 1, 3}, hole_first[4] = {0, 3, 1, 2};
    for (int i = 0; i < 3 + t->hole_dealt; i++)
        if ((first[(t->hole_dealt && t->upcard_second ? hole_first : up_first)[i]] = dry_card(s)) < 0) return 0;
    r->n = 0;
    r->state = t->start;
    memset(&r->side, 0, sizeof r->side);
    while (r->state <= t->start) {
        int card, place;
        if (r->state < t->special_end) {
            r->state = sim_event_of(g, &r->side, r->state);
            continue;
        }
        switch (t->taker[r->state / 10]) {
        case 0: card = taken < 2 ? first[taken] : dry_card(s); taken++; break;
        case 1: card = first[2]; break;
        case 2: card = t->hole_dealt ? first[3] : dry_card(s); break;
        default: card = dry_card(s);
        }
        if (card < 0) return 0;
        place = r->state + card;
        if ((unsigned)(place - t->first_pair) < 550) r->first = (uint16_t)(place - t->first_pair);
        r->cards[r->n] = (uint8_t)card;
        r->places[r->n++] = (uint16_t)place;
        r->state = t->next[place];
    }
    return 1;
}

/* The cards of the round at byte b so far: their number. */
static int dry_drawn(const Group *g, int b, uint8_t *order) {
    int n = 0, x;
    for (unsigned row = g->drawn_row - 1;; row--) {
        x = g->drawn[row % SIM_DRAWN][b];
        if (x == SIM_NO_CARD) continue;
        order[n++] = (uint8_t)(x & 15);
        if (x & SIM_BEGINS) break;
    }
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        uint8_t c = order[i];
        order[i] = order[j];
        order[j] = c;
    }
    return n;
}

/* The shoe of place p, byte b, is empty and its round goes on: plays it to its end. */
SIM_COLD void sim_dry(Group *g, int p, int b, DryRound *r) {
    const SimTables *t = g->t;
    uint8_t order[SIM_DRAWN];
    DryShoe s;
    int n = dry_drawn(g, b, order);
    for (;;) {
        memset(&s, 0, sizeof s);
        s.order = order;
        s.n = n;
        if (!dry_deal(g, &s, r)) break;
        memcpy(order, r->cards, (size_t)r->n);      /* the rest of the order stays where it is */
    }
    s.at = 0;
    s.word = 16;
    s.g = g;
    s.p = p;
    s.left = t->size - n;
    for (int j = 0; j < 9; j++) s.cum[j] = g->full_wide[j];
    for (int i = 0; i < n; i++)
        for (int j = order[i]; j < 9; j++) s.cum[j]--;
    dry_deal(g, &s, r);
    g->cards += (uint64_t)(r->n - n);
    g->side[p] = r->side;
    g->state[p] = r->state;
    g->first[p] = g->ended[p] = r->first;
    g->left[p] = (uint16_t)s.left;
    for (int j = 0; j < 9; j++) {
        int count = t->layout == 1 && j >= 6 ? s.left - s.cum[j] : s.cum[j];
        g->wide[j][p] = (uint16_t)s.cum[j];
        g->below[j][b] = (int8_t)(uint8_t)(count - 128);
    }
    g->fresh[p] = 0xffff;       /* suits seen until now are back in the shoe */
}
#endif
