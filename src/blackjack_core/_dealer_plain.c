/* The kernel as plain C, the chances of final hands, and which kernel fits this processor. */
#include <string.h>
#include "_dealer.h"
#define NAME dealer_sum_plain
#define WIDTH 16
#include "_dealer_kernel.h"

const uint8_t DEALER_FACTOR_AT[10] = {0, 16, 24, 29, 33, 36, 38, 40, 42, 43};
const uint8_t DEALER_FACTOR_N[10] = {16, 8, 5, 4, 3, 2, 2, 2, 1, 1};

void dealer_finals(const DealerPlan *plan, const double *counts, int infinite, unsigned ups, double *out) {
    double step[DEALER_FACTORS], node[DEALER_NODES], chance[DEALER_DEPTH], left = 0, all = 1;
    const double gone = infinite ? 0.0 : 1.0;
    for (int v = 0; v < 10; v++) {
        left += counts[v];
        for (int j = 0; j < DEALER_FACTOR_N[v]; j++) step[DEALER_FACTOR_AT[v] + j] = (counts[v] - gone * j) / (j + 1);
    }
    for (int k = 0; k < DEALER_DEPTH; k++) {
        double now = left - gone * (k + 1);
        chance[k] = all = now > 0.5 ? all * (k ? k : 1) / now : 0.0;
    }
    node[0] = 1;
    for (int u = 0; u < 10; u++) {
        if (!((ups >> u) & 1)) continue;
        const DealerUp *up = &plan->up[u];
        double *o = out + DEALER_FINALS * u;
        double level[DEALER_FINALS];
        for (int x = 0; x < DEALER_FINALS; x++) o[x] = 0;
        if (counts[u] < 0.5 * gone || counts[u] <= 0) continue;
        for (int j = 0; j < DEALER_FACTOR_N[u]; j++)
            step[DEALER_FACTOR_AT[u] + j] = (counts[u] - gone * (j + 1)) / (j + 1);
        for (int k = 0; k < up->levels; k++) {
            for (int x = 0; x < DEALER_FINALS; x++) level[x] = 0;
            for (int i = up->start[k]; i < up->start[k + 1]; i++) {
                if (k) node[i] = node[up->link[i] >> 16] * step[(up->link[i] >> 8) & 255];
                const double q = node[i] * up->ways[i];
                const int8_t *ends = plan->ends[up->link[i] & 255];
                const uint8_t *own = up->cards[i];
                for (int v = 0; v < 10; v++)
                    if (ends[v] >= 0) level[ends[v]] += q * (counts[v] - gone * own[v]);
            }
            for (int x = 0; x < DEALER_FINALS; x++) o[x] += level[x] * chance[k];
        }
        for (int j = 0; j < DEALER_FACTOR_N[u]; j++) step[DEALER_FACTOR_AT[u] + j] = (counts[u] - gone * j) / (j + 1);
    }
}

DealerSum dealer_sum_best(void) {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return dealer_sum_avx2;
#endif
    return dealer_sum_plain;
}
