/* Eight lanes of the sum over the dealer's nodes. Included once per instruction set, with NAME defined. */
#if defined(__GNUC__)
typedef double V8 __attribute__((vector_size(64)));
#define v_set(x) ((V8){0} + (x))
#define v_mul(a, b) ((a) * (b))
#define v_add(a, b) ((a) + (b))
#define v_sub(a, b) ((a) - (b))
#define v_div(a, b) ((a) / (b))
#define v_scale(a, s) ((a) * (s))
#define v_less(a, s) ((a) - (s))
#else
typedef struct { double x[8]; } V8;
static V8 v_set(double s) { V8 r; for (int i = 0; i < 8; i++) r.x[i] = s; return r; }
static V8 v_mul(V8 a, V8 b) { for (int i = 0; i < 8; i++) a.x[i] *= b.x[i]; return a; }
static V8 v_add(V8 a, V8 b) { for (int i = 0; i < 8; i++) a.x[i] += b.x[i]; return a; }
static V8 v_sub(V8 a, V8 b) { for (int i = 0; i < 8; i++) a.x[i] -= b.x[i]; return a; }
static V8 v_div(V8 a, V8 b) { for (int i = 0; i < 8; i++) a.x[i] /= b.x[i]; return a; }
static V8 v_scale(V8 a, double s) { for (int i = 0; i < 8; i++) a.x[i] *= s; return a; }
static V8 v_less(V8 a, double s) { for (int i = 0; i < 8; i++) a.x[i] -= s; return a; }
#endif

void NAME(const DealerPlan *plan, const DealerWeights *w, const double *counts, int infinite, unsigned ups,
          double *out) {
    V8 c[10], row[DEALER_ROWS], step[DEALER_FACTORS], chance[DEALER_DEPTH], node[DEALER_NODES];
    V8 left = v_set(0);
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
    /* k! / falling factorial; where the shoe is empty the counts make it 0 / 0: leave those out */
    V8 all = v_set(1);
    for (int k = 0; k < DEALER_DEPTH; k++) {
        V8 now = v_less(left, gone * (k + 1));
        double x[8];
        memcpy(x, &now, sizeof x);
        for (int i = 0; i < 8; i++) x[i] = x[i] > 0.5 ? (k ? k : 1) / x[i] : 0.0;
        memcpy(&now, x, sizeof x);
        chance[k] = all = v_mul(all, now);
    }
    node[0] = v_set(1);
    for (int u = 0; u < 10; u++) {
        if (!((ups >> u) & 1)) continue;
        const DealerUp *up = &plan->up[u];
        const double *own = w->own[u];
        V8 sum = v_mul(v_scale(v_less(row[up->row[0]], gone * own[0]), up->ways[0]), chance[0]);
        for (int j = 0; j < DEALER_FACTOR_N[u]; j++)
            step[DEALER_FACTOR_AT[u] + j] = v_scale(v_less(c[u], gone * (j + 1)), 1.0 / (j + 1));
        for (int k = 1; k < up->levels; k++) {
            V8 acc = v_set(0);
            for (int i = up->start[k]; i < up->start[k + 1]; i++) {
                V8 q = v_mul(node[up->parent[i]], step[up->factor[i]]);
                node[i] = q;
                acc = v_add(acc, v_mul(v_scale(q, up->ways[i]), v_less(row[up->row[i]], gone * own[i])));
            }
            sum = v_add(sum, v_mul(acc, chance[k]));
        }
        for (int j = 0; j < DEALER_FACTOR_N[u]; j++)
            step[DEALER_FACTOR_AT[u] + j] = v_scale(v_less(c[u], gone * j), 1.0 / (j + 1));
        memcpy(out + 8 * u, &sum, sizeof sum);
    }
}
