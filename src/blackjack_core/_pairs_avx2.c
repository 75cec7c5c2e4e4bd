/* The loops over pairs of hands for AVX2 with fused multiply-add. */
#include <string.h>
#include "_pairs.h"
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define PAIRS_END _Pragma("clang attribute pop")
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define PAIRS_END _Pragma("GCC pop_options")
#endif
#define FOLD fold_avx2
#define PAIRS pairs_avx2
#define TRIPLES triples_avx2
#include "_pairs_kernel.h"
PAIRS_END
#else
void fold_avx2(const FoldStep *step, const double *factor, const double *from, double *to, int wide) {
    fold_plain(step, factor, from, to, wide);
}
void pairs_avx2(const PairWork *w, int i, int i_end, int j, int j_end) { pairs_plain(w, i, i_end, j, j_end); }
void triples_avx2(const TripleWork *w, int i, int i_end, int j, int j_end) { triples_plain(w, i, i_end, j, j_end); }
#endif
