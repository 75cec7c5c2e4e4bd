/* The loops over pairs of hands. Included once per instruction set, with FOLD, PAIRS and TRIPLES named; four doubles at a
 * time, which a compiler without vectors, or a processor with narrower ones, takes one by one. */
#if defined(__GNUC__)
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
#define LOAD(p) (*(const Four *)(p))
#define STORE(p, x) (*(Four *)(p) = (x))
#define ADD(a, b) ((a) + (b))
#define SCALE(a, s) ((a) * (s))
#else
typedef struct { double x[4]; } Four;
static Four LOAD(const double *p) { Four a; memcpy(&a, p, sizeof a); return a; }
static void STORE(double *p, Four a) { memcpy(p, &a, sizeof a); }
static Four ADD(Four a, Four b) { for (int k = 0; k < 4; k++) a.x[k] += b.x[k]; return a; }
static Four SCALE(Four a, double s) { for (int k = 0; k < 4; k++) a.x[k] *= s; return a; }
#endif

static inline void fold_wide(const FoldStep *step, const double *factor, const double *from, double *to, int wide) {
    for (int d = 0; d < step->drawn; d++) {
        const double f = factor[d];
        for (int i = step->start[d]; i < step->start[d + 1]; i++) {
            double *sum = to + (int64_t)step->to[i] * wide;
            for (int k = 0; k < wide; k += 4) STORE(sum + k, ADD(LOAD(sum + k), SCALE(LOAD(from + i * wide + k), f)));
        }
    }
}

/* to = the sums of from[.][wide] * factor[cards drawn] */
void FOLD(const FoldStep *step, const double *factor, const double *from, double *to, int wide) {
    memset(to, 0, sizeof(double) * (size_t)step->after * wide);
    if (wide == 4) fold_wide(step, factor, from, to, 4);
    else if (wide == 8) fold_wide(step, factor, from, to, 8);
    else fold_wide(step, factor, from, to, wide);
}

/* value of two hands' high cards, for each weight */
static inline void pair_value(const double *chance, const double *table, double *value, int draws, int weights,
                              int64_t table_size) {
    for (int m = 0; m < weights; m++, value += PAIR_SLOTS, table += table_size) {
        Four a = SCALE(LOAD(table), chance[0]), b = SCALE(LOAD(table + 4), chance[0]);
        Four c = SCALE(a, 0.0), d = c;
        const double *t = table + PAIR_SLOTS;
        int i = 1;
        for (; i + 1 < draws; i += 2, t += 2 * PAIR_SLOTS) {
            a = ADD(a, SCALE(LOAD(t), chance[i])), b = ADD(b, SCALE(LOAD(t + 4), chance[i]));
            c = ADD(c, SCALE(LOAD(t + 8), chance[i + 1])), d = ADD(d, SCALE(LOAD(t + 12), chance[i + 1]));
        }
        if (i < draws) a = ADD(a, SCALE(LOAD(t), chance[i])), b = ADD(b, SCALE(LOAD(t + 4), chance[i]));
        STORE(value, ADD(a, c)), STORE(value + 4, ADD(b, d));
    }
}

static inline void pairs_weighed(const PairWork *work, int i, int i_end, int first, int j_end, int weights) {
    const PairWork w = *work; /* what is stored may be anything, for all a compiler knows: but not this */
    const int same = i == first, wide = weights * PAIR_SLOTS;
    for (; i < i_end; i++) {
        const int32_t *both = w.both + (int64_t)w.high[i] * w.highs;
        double *row = w.sums + (int64_t)w.group[i] * w.groups * PAIR_SLOTS;
        const double x = w.x[i], n = w.n[i];
        for (int j = same ? i : first; j < j_end; j++) {
            const int32_t h = both[w.high[j]];
            double *sum = row + (int64_t)w.group[j] * PAIR_SLOTS, *value = w.value + (int64_t)h * wide;
            const double twice = i == j ? 1.0 : 2.0;
            if (w.stamp[h] != w.now) {
                pair_value(w.chance + (int64_t)h * w.draws,
                           w.table + (int64_t)(w.size[h] - w.least) * w.draws * PAIR_SLOTS, value, w.draws, weights,
                           (int64_t)w.lanes * w.draws * PAIR_SLOTS);
                w.stamp[h] = w.now;
            }
            if (weights == 1) {
                const double xx = twice * x * w.x[j];
                STORE(sum, ADD(LOAD(sum), SCALE(LOAD(value), xx)));
                STORE(sum + 4, ADD(LOAD(sum + 4), SCALE(LOAD(value + 4), xx)));
                continue;
            }
            const double nn = twice * n * w.n[j], xx = twice * x * w.x[j];
            const double nx = twice * 0.5 * (n * w.x[j] + x * w.n[j]);
            for (int s = 0; s < PAIR_SLOTS; s += 4) {
                const Four a = ADD(SCALE(LOAD(value + s), nn), SCALE(LOAD(value + PAIR_SLOTS + s), nx));
                STORE(sum + s, ADD(LOAD(sum + s), ADD(a, SCALE(LOAD(value + 2 * PAIR_SLOTS + s), xx))));
            }
        }
    }
}

/* Every entry from i on with every one from j on; each pair once where both are the same entries. */
void PAIRS(const PairWork *work, int i, int i_end, int j, int j_end) {
    if (work->weights == 1) pairs_weighed(work, i, i_end, j, j_end, 1);
    else pairs_weighed(work, i, i_end, j, j_end, 3);
}

/* Everything that two hands took from i on with every entry from j on. */
void TRIPLES(const TripleWork *triple, int i, int i_end, int first, int j_end) {
    const PairWork w = triple->work;
    const int32_t *pair = triple->pair;
    const double *part = triple->part;
    const int64_t pairs = triple->pairs;
    for (; i < i_end; i++) {
        const int32_t *both = w.both + (int64_t)triple->high[i] * w.highs;
        const int start = triple->start[i], end = triple->start[i + 1];
        for (int j = first; j < j_end; j++) {
            const int32_t h = both[w.high[j]];
            double *value = w.value + (int64_t)h * PAIR_SLOTS, *sums = w.sums + w.group[j] * pairs * PAIR_SLOTS;
            if (w.stamp[h] != w.now) {
                pair_value(w.chance + (int64_t)h * w.draws,
                           w.table + (int64_t)(w.size[h] - w.least) * w.draws * PAIR_SLOTS, value, w.draws, 1, 0);
                w.stamp[h] = w.now;
            }
            const Four a = SCALE(LOAD(value), w.x[j]), b = SCALE(LOAD(value + 4), w.x[j]);
            for (int k = start; k < end; k++) {
                double *sum = sums + (int64_t)pair[k] * PAIR_SLOTS;
                STORE(sum, ADD(LOAD(sum), SCALE(a, part[k])));
                STORE(sum + 4, ADD(LOAD(sum + 4), SCALE(b, part[k])));
            }
        }
    }
}
