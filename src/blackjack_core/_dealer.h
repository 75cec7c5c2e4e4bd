/* The dealer's hand: tables of what he may draw, and the two sums over them.
 *
 * Lives here: the structs that dealer.pyx fills and the kernels read. Not here: when a dealer draws
 * (the rules' table), what a final hand is worth to the player (analyze).
 *
 * Under each upcard a node is a multiset of further cards with which he must draw again. A composition's
 * chance of a node is ways * k! * prod C(count, cards) / (falling factorial of the cards left), and the
 * card that ends his hand comes from what is left then.
 */
#ifndef BJ_DEALER_H
#define BJ_DEALER_H
#include <stdint.h>

enum {
    DEALER_NODES = 768,         /* per upcard; 662 at most */
    DEALER_ROWS = 40,           /* kinds of unfinished hands: soft or hard, points, first card alone */
    DEALER_DEPTH = 24,
    DEALER_FACTORS = 44,        /* C(count, j) steps: 16 / value of each value */
    DEALER_FINALS = 8,          /* 17 .. 21, 22, more, natural */
    DEALER_LANES = 8
};

typedef struct {
    int n;
    int levels;
    int start[DEALER_DEPTH + 1];            /* nodes of k cards are start[k] .. start[k + 1] */
    double ways[DEALER_NODES];              /* orders he may draw them in / all orders */
    uint32_t link[DEALER_NODES];            /* parent << 16 | factor of the card more << 8 | row */
    uint8_t cards[DEALER_NODES][10];        /* with the upcard */
} DealerUp;

typedef struct {
    int rows;
    int8_t ends[DEALER_ROWS][10];           /* final hand a card makes, -1: he draws again */
    DealerUp up[10];
} DealerPlan;

/* What eight lanes of player's hands of one kind are worth: weights of final hands, row by row. */
typedef struct {
    double weight[DEALER_ROWS][10];
    double own[10][DEALER_NODES];           /* what the dealer's own cards take from a row's sum */
} DealerWeights;

extern const uint8_t DEALER_FACTOR_AT[10];
extern const uint8_t DEALER_FACTOR_N[10];

/* out[upcard][final]: chances from ten counts (the upcard still among them). */
void dealer_finals(const DealerPlan *, const double *counts, int infinite, unsigned ups, double *out);
/* out[upcard][lane]: weighted chances, dealer naturals left out; counts[value][lane], upcard among them. */
typedef void (*DealerSum)(const DealerPlan *, const DealerWeights *, const double *counts, int infinite,
                          unsigned ups, double *out);
void dealer_sum_plain(const DealerPlan *, const DealerWeights *, const double *, int, unsigned, double *);
void dealer_sum_avx2(const DealerPlan *, const DealerWeights *, const double *, int, unsigned, double *);
DealerSum dealer_sum_best(void);
#endif
