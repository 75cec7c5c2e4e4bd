/* The kernel for AVX2 with fused multiply-add: four doubles at a time. */
#include <string.h>
#include "_dealer.h"
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define DEALER_END _Pragma("clang attribute pop")
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define DEALER_END _Pragma("GCC pop_options")
#endif
#define NAME dealer_sum_avx2
#define WIDTH 32
#include "_dealer_kernel.h"
DEALER_END
#else
void dealer_sum_avx2(const DealerPlan *plan, const DealerWeights *w, const double *counts, int infinite, unsigned ups,
                     double *out) {
    dealer_sum_plain(plan, w, counts, infinite, ups, out);
}
#endif
