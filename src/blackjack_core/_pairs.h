/* Two hands of a split at a time: the loops of pairs.pyx and what they read.
 *
 * Lives here: the structs and the names of the kernels (_pairs_kernel.h, one file per instruction set). Not
 * here: what is to be added up (pairs.pyx), how likely cards are (removal).
 */
#ifndef BJ_PAIRS_H
#define BJ_PAIRS_H
#include <stdint.h>

enum {
    PAIR_SLOTS = 8,             /* the dealer's final classes, side by side */
    FOLD_DRAWN = 128            /* cards of one value that may be drawn, and one */
};

/* Sums over how many cards of one value the dealer draws. What is summed is ordered by that number. */
typedef struct {
    int start[FOLD_DRAWN + 1];
    int drawn;                  /* the largest number, and one */
    int after;                  /* sums there are */
    int32_t *to;                /* the sum that each belongs to */
} FoldStep;

/* The pairs of hands whose low cards are the same together. A hand is an entry: weights x and n, the number
 * of its high cards (the other ones) and of its group. Two hands' high cards have a number, too. */
typedef struct {
    const double *x, *n;
    const int32_t *high, *group;
    const int32_t *both;        /* [high][high]: of two hands together */
    const int32_t *size;        /* [of two hands]: how many cards */
    const double *chance;       /* [of two hands][dealer's high cards]: how likely they are drawn */
    const double *table;        /* [weight][size - least][dealer's high cards][slot]: chance of all else */
    double *value;              /* [of two hands][weight][slot]: how likely all cards and that final are */
    int32_t *stamp;             /* [of two hands]: for which low cards value stands */
    double *sums;               /* [group][group][slot] */
    int highs, draws, weights, groups, least, lanes, now;
} PairWork;

/* The same for what two hands took, with a third one: `part` of each pair of groups that they are of. */
typedef struct {
    PairWork work;              /* the third hand's entries */
    const int32_t *high;        /* [of what two took] */
    const int32_t *start;       /* where its parts begin */
    const int32_t *pair;        /* [part]: number of the pair of groups */
    const double *part;
    int pairs;                  /* of groups; sums are [group][pair][slot] */
} TripleWork;

typedef void (*FoldRun)(const FoldStep *, const double *factor, const double *from, double *to, int wide);
typedef void (*PairRun)(const PairWork *, int i, int i_end, int j, int j_end);
typedef void (*TripleRun)(const TripleWork *, int i, int i_end, int j, int j_end);
void triples_plain(const TripleWork *, int i, int i_end, int j, int j_end);
void triples_avx2(const TripleWork *, int i, int i_end, int j, int j_end);
void fold_plain(const FoldStep *, const double *factor, const double *from, double *to, int wide);
void fold_avx2(const FoldStep *, const double *factor, const double *from, double *to, int wide);
void pairs_plain(const PairWork *, int i, int i_end, int j, int j_end);
void pairs_avx2(const PairWork *, int i, int i_end, int j, int j_end);
int pairs_fast(void);
#endif
