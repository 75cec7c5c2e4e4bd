/* The loops over pairs of hands as plain C, and whether this processor has better ones. */
#include <string.h>
#include "_pairs.h"
#define FOLD fold_plain
#define PAIRS pairs_plain
#define TRIPLES triples_plain
#include "_pairs_kernel.h"

int pairs_fast(void) {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 0;
#endif
}
