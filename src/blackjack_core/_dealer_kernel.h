/* Eight lanes of the sum over the dealer's nodes. Included once per instruction set, with NAME defined, and the
 * bytes of a register in WIDTH where the compiler knows vectors. */
#if defined(__GNUC__)
typedef double Part __attribute__((vector_size(WIDTH)));
#define PART(x) ((Part){0} + (x))
#else
#undef WIDTH
#define WIDTH 8
typedef double Part;
#define PART(x) (x)
#endif
#if WIDTH == 32
#define EACH(M) M(0) M(1)
typedef struct { Part p0, p1; } V8;
#elif WIDTH == 16
#define EACH(M) M(0) M(1) M(2) M(3)
typedef struct { Part p0, p1, p2, p3; } V8;
#else
#define EACH(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
typedef struct { Part p0, p1, p2, p3, p4, p5, p6, p7; } V8;
#endif
#define DO_SET(i) r.p##i = PART(s);
#define DO_MUL(i) a.p##i *= b.p##i;
#define DO_ADD(i) a.p##i += b.p##i;
#define DO_DIV(i) a.p##i /= b.p##i;
#define DO_SCALE(i) a.p##i *= PART(s);
#define DO_LESS(i) a.p##i -= PART(s);
static inline V8 v_set(double s) { V8 r; EACH(DO_SET) return r; }
static inline V8 v_mul(V8 a, V8 b) { EACH(DO_MUL) return a; }
static inline V8 v_add(V8 a, V8 b) { EACH(DO_ADD) return a; }
static inline V8 v_div(V8 a, V8 b) { EACH(DO_DIV) return a; }
static inline V8 v_scale(V8 a, double s) { EACH(DO_SCALE) return a; }
static inline V8 v_less(V8 a, double s) { EACH(DO_LESS) return a; }

void NAME(const DealerPlan *plan, const DealerWeights *w, const double *counts, int infinite, unsigned ups,
          double *out) {
    V8 c[10], row[DEALER_ROWS], step[DEALER_FACTORS], chance[DEALER_DEPTH], node[DEALER_NODES];
    V8 left = v_set(0);
    static const double nothing[DEALER_NODES];
    const double gone = infinite ? 0.0 : 1.0;
    memcpy(c, counts, sizeof c);
    for (int v = 0; v < 10; v++) {
        left = v_add(left, c[v]);
        for (int j = 0; j < DEALER_FACTOR_N[v]; j++)
            step[DEALER_FACTOR_AT[v] + j] = v_scale(v_less(c[v], gone * j), 1.0 / (j + 1));
    }
    for (int r = 0; r < plan->rows; r++) {
        row[r] = v_set(0);
        for (int v = 0; v < 10; v++)
            if (plan->ends[r][v] >= 0) row[r] = v_add(row[r], v_scale(c[v], w->weight[r][v]));
    }
    int depth = 0;
    for (int u = 0; u < 10; u++)
        if ((ups >> u) & 1 && plan->up[u].levels > depth) depth = plan->up[u].levels;
    /* k! / falling factorial; beyond the shoe's end the counts make it nothing, whatever stands here */
    V8 all = v_set(1);
    for (int k = 0; k < depth; k++) {
        V8 now = v_less(left, gone * (k + 1));
        double x[8];
        memcpy(x, &now, sizeof x);
        for (int i = 0; i < 8; i++) x[i] = x[i] > 0.5 ? x[i] : 1.0;
        memcpy(&now, x, sizeof x);
        chance[k] = all = v_scale(v_div(all, now), k ? k : 1);
    }
    node[0] = v_set(1);
    for (int u = 0; u < 10; u++) {
        if (!((ups >> u) & 1)) continue;
        const DealerUp *up = &plan->up[u];
        const double *own = infinite ? nothing : w->own[u];
        V8 sum = v_mul(v_scale(v_less(row[up->link[0] & 255], own[0]), up->ways[0]), chance[0]);
        for (int j = 0; j < DEALER_FACTOR_N[u]; j++)
            step[DEALER_FACTOR_AT[u] + j] = v_scale(v_less(c[u], gone * (j + 1)), 1.0 / (j + 1));
        for (int k = 1; k < up->levels; k++) {
            V8 acc = v_set(0);
            for (int i = up->start[k]; i < up->start[k + 1]; i++) {
                const uint32_t link = up->link[i];
                V8 q = v_mul(node[link >> 16], step[(link >> 8) & 255]);
                node[i] = q;
                acc = v_add(acc, v_mul(v_scale(q, up->ways[i]), v_less(row[link & 255], own[i])));
            }
            sum = v_add(sum, v_mul(acc, chance[k]));
        }
        for (int j = 0; j < DEALER_FACTOR_N[u]; j++)
            step[DEALER_FACTOR_AT[u] + j] = v_scale(v_less(c[u], gone * j), 1.0 / (j + 1));
        memcpy(out + 8 * u, &sum, sizeof sum);
    }
}
