/* Sums over rounds played with real cards, for games in which more than a card's value matters.
 *
 * Lives here: `sim_cards`. Not here: how a round is played and what its stream is (_rows_round.h, _rows_lanes.h),
 * games of values alone (_sim_boxes_kernel.h).
 */
#include "_rows_round.h"

typedef struct {
    const SimBoxes *t;
    uint64_t hist[SIM_FINALS][BOX_CLASSES], finals[SIM_FINALS], splits[N_HANDS], values[N_VALUES];
    int64_t (*starts)[3];       /* count, net, net squared by first two cards, or NULL */
    uint64_t cards;
    int failed;
} Sums;

/* What a box won, besides `refund`. */
static int64_t box_net(const SimBoxes *t, const Lane *p, int final, uint32_t box, uint32_t boxes) {
    int64_t net = 0;
    if (boxes == 1 && !p->split) return t->pay[final][p->cls[0]];      /* its end is not noted */
    for (uint32_t i = box ? p->end[box - 1] : 0; i < p->end[box]; i++) net += t->pay[final][p->cls[i]];
    return net;
}

static int64_t refund(const SimBoxes *t, const Lane *p, int final, uint32_t box) {
    if (!p->split || !t->capped || final != BOX_BLACKJACK) return 0;
    return box_refund(t, p->cls, p->end, box);
}

COLD void add_starts(Sums *s, const RowPlay *w, const Lane *p, int final, uint32_t boxes) {
    for (uint32_t b = 0; b < boxes; b++) {
        const int64_t gain = box_net(s->t, p, final, b, boxes) + refund(s->t, p, final, b);
        int64_t *to = s->starts[two_cards(w, p->cards + p->base, p->begin, b, boxes, 0) - s->t->first_pair];
        to[0]++;
        to[1] += gain;
        to[2] += gain * gain;
    }
}

COLD int64_t add_split(Sums *s, const Lane *p, int final, uint32_t boxes) {
    int64_t net = 0;
    for (int i = 0; i < p->n_cls; i++) {
        net += s->t->pay[final][p->cls[i]];
        s->hist[final][p->cls[i]]++;
    }
    for (uint32_t b = 0; b < boxes; b++) net += refund(s->t, p, final, b);
    return net;
}

HOT void play_and_add(Sums *s, RowPlay *w, int m, How how) {
    const BoxEvent *events = s->t->events;
    const uint32_t boxes = boxes_of(w, how);
    play_rounds(w, m, how);
    if (w->code) {
        s->failed = -4;
        return;
    }
    for (const Lane *p = w->lane; p < w->lane + m; p++) {
        const int final = events[p->state].at;
        int64_t net = 0;
        if (RARE(p->split)) {
            net = add_split(s, p, final, boxes);
        } else {
            for (uint32_t b = 0; b < boxes; b++) {
                net += w->worth[final][p->cls[b]].net;
                s->hist[final][p->cls[b]]++;
            }
        }
        s->finals[final]++;
        s->cards += p->pos - p->base;
        if (RARE(net < -SIM_SPAN || net > SIM_SPAN)) s->failed = -3;
        else s->values[net + SIM_SPAN]++;
        if (s->starts) add_starts(s, w, p, final, boxes);
    }
}

/* Whole shoes: a lane whose last shoe is over changes places with the last of the m lanes; how many are left. */
static int with_shoes(RowPlay *w, int m) {
    for (int i = 0; i < m;) {
        Lane *p = &w->lane[i], other = w->lane[m - 1];
        if (p->pos < w->depth) {
            i++;
        } else if (p->shoes) {
            p->shoes--;
            i++;
        } else {
            w->lane[--m] = *p;
            *p = other;
        }
    }
    return m;
}

static void close_sums(const Sums *s, const RowPlay *w, int64_t *o) {
    const SimBoxes *t = s->t;
    for (int f = 0; f < SIM_FINALS; f++) {
        o[O_DEALER + t->dealer_code[f]] += (int64_t)s->finals[f];
        for (int c = 1; c < BOX_CLASSES; c++) {
            const int64_t n = (int64_t)s->hist[f][c];
            o[O_STAKED] += n * t->stake[c];
            o[O_INSURED] += n * (t->flags[f][c] & 1);
            o[O_INSURED_WON] += n * (t->flags[f][c] >> 1 & 1);
            if (t->flags[f][c] & 4) o[O_OUTCOMES + t->outcome[f][c]] += n;
        }
    }
    box_close_sums(t, s->values, s->splits, s->starts, o);
    o[O_CARDS] += (int64_t)s->cards;
    o[O_SHOES] += t->infinite ? 0 : (int64_t)w->shuffles;
}

/* 0; -1 no memory, -3 a round's net is beyond the histogram, -4 a shoe ran out and had no discards */
int sim_cards(const SimBoxes *t, const RowShoe *from, const SimJob *job, int64_t *sums) {
    Sums *s = (Sums *)calloc(1, sizeof(Sums));
    RowPlay *w = play_open(t, from);
    uint64_t left = job->rounds;
    int m = L, failed = s && w ? 0 : -1;
    if (!failed && job->detail) {
        s->starts = (int64_t (*)[3])calloc((size_t)t->last_pair + 1, sizeof *s->starts);
        if (!s->starts) failed = -1;
    }
    if (!failed) {
        s->t = t;
        w->splits = s->splits;
        for (int i = 0; i < L; i++) w->lane[i].shoes = job->shoes / L + ((uint64_t)i < job->shoes % L);
        while (!s->failed && (job->shoes ? (m = with_shoes(w, m)) > 0 : left > 0)) {
            if (!job->shoes && left < L) m = (int)left;
            if (t->ranks && t->boxes == 1) play_and_add(s, w, m, (How){1, 1, 0});
            else if (t->boxes == 1) play_and_add(s, w, m, (How){1, 0, 0});
            else if (t->ranks) play_and_add(s, w, m, (How){0, 1, 0});
            else play_and_add(s, w, m, (How){0, 0, 0});
            left -= (uint64_t)m;
        }
        failed = s->failed;
        if (!failed) close_sums(s, w, sums);
        free(s->starts);
    }
    play_close(w);
    free(s);
    return failed;
}
