/* The bulk simulator's data: tables made from the true round, a group of lanes, a chunk's sums.
 *
 * Lives here: the structs that the table builder (simulate.pyx) and the kernels share, and the list of
 * kernels. Not here: a rule of the game (all of them are in the tables), how a kernel deals.
 *
 * A state is the number of a row of ten u16 in `next`, times ten; a card's value index added to it is
 * the place of the next state. Order of the numbers: 0 idle; events (a split, the end of a split hand),
 * rows that lead back to themselves; the 55 two-card hands; all others; `start`. Above `start` there are
 * no rows: start + r is the result r (1 .. n_results) of a round played with one hand or none open,
 * then SIM_MULTI numbers for rounds that were split, then pairs
 * of results of which the cards' suits choose one.
 */
#ifndef BJ_SIM_H
#define BJ_SIM_H
#include <stdint.h>

enum {
    SIM_LANES = 128,        /* virtual lanes of a chunk: part of the stream's definition */
    SIM_BATCH = 12,         /* rows of random words made at a time */
    SIM_WINDOW = 3,         /* rows between two looks at finished rounds: no round has fewer cards */
    SIM_CLASSES = 256,      /* kinds of finished split hands */
    SIM_FINALS = 9,         /* none, 17 .. 21, 22, blackjack, 23 and more */
    SIM_MULTI = 32,         /* results of split rounds: dealer's final hand + 16 where insured */
    SIM_MAX_HANDS = 8,
    SIM_SPAN = 2048,        /* nets of a round lie within +- this many units */
    SIM_HIST = 1024,        /* results, at most */
    SIM_DRAWN = 256,        /* rows that are remembered where a shoe may run out inside a round */
    SIM_BEGINS = 16, SIM_NO_CARD = 255      /* how: a card's value, the first of its round, none */
};

typedef struct {
    int32_t net, staked;
    uint8_t insured, hands, dealer, outcome;
} SimResult;

typedef struct {
    uint16_t place;         /* dealer context * 10 + pair value */
    uint8_t split;          /* 1: a split, 0: the end of a hand */
    uint8_t cls;            /* of the hand that ended, from 1 */
    uint8_t need;           /* what it asks of the dealer */
    uint8_t shift;          /* bits by which `acc` moves up: 8 at a hand's end */
} SimEvent;

typedef struct {
    /* the game as an automaton */
    const uint16_t *next;
    const uint32_t *actions;    /* the same places: actions that a card led to, nibbles, 15 ends */
    const uint8_t *taker;       /* per row: 0 player, 1 upcard, 2 hole card, 3 dealer draws */
    uint32_t n_rows;
    uint16_t special_end;       /* states below are idle or events */
    uint16_t first_pair;        /* state of the first two-card hand */
    uint16_t start;
    uint16_t n_results;
    uint16_t n_suited;
    SimResult results[SIM_HIST];
    uint16_t suited[SIM_HIST][2];   /* results of plain and suited */
    SimEvent *events;
    uint16_t *places;           /* [place][16]: next state by hands 0 .. 8, at the end by 9 + need */
    int32_t pay[SIM_CLASSES][SIM_FINALS];       /* net of a split hand */
    int32_t lost[SIM_CLASSES][SIM_FINALS];      /* what of it the original bet caps */
    uint8_t outcome[SIM_CLASSES][SIM_FINALS];
    int32_t stake[SIM_CLASSES];
    int32_t insurance_net[2][SIM_FINALS];
    int32_t insurance_stake;
    int32_t bet;
    uint8_t dealer_code[SIM_FINALS];
    /* the shoe */
    uint16_t counts[10];
    uint16_t size;              /* cards */
    uint16_t limit;             /* shuffle at this many cards or fewer, `size`: before every round */
    uint8_t infinite;
    uint8_t deep;               /* the shoe may run out inside a round: its discards go on */
    uint8_t layout;             /* 0: nine counts from below fit a byte; 1: six below, three from above; 2: wide */
    uint8_t hole_dealt, upcard_second;
    uint16_t suits[2][4];       /* aces and ten-values by suit */
} SimTables;

typedef struct {
    uint64_t key[4];
    uint64_t chunk;
    uint64_t rounds, shoes;     /* one of them 0 */
    int chacha;
    int detail;
} SimJob;

/* Offsets into a chunk's sums (int64); simulate.pyx hands them out by name. */
enum {
    O_ROUNDS = 0, O_NET, O_NET_SQ, O_STAKED, O_INSURED, O_INSURED_WON, O_CARDS, O_SHOES,
    O_HANDS = 8, N_HANDS = 72,
    O_OUTCOMES = O_HANDS + N_HANDS, N_OUTCOMES = 9,
    O_DEALER = O_OUTCOMES + N_OUTCOMES, N_DEALER = 24,
    O_VALUES = O_DEALER + N_DEALER, N_VALUES = 2 * SIM_SPAN + 1,
    O_START_COUNT = O_VALUES + N_VALUES, N_START = 960,
    O_START_NET = O_START_COUNT + N_START,
    O_START_SQ = O_START_NET + N_START,
    SIM_SUMS = O_START_SQ + N_START
};

/* One traced round: cards by value index in the kernel's order. */
typedef struct SimTrace SimTrace;

/* 0: done; -1: no memory */
typedef int (*SimRun)(const SimTables *, const SimJob *, int64_t *sums);
int sim_run_scalar(const SimTables *, const SimJob *, int64_t *);
int sim_run_sse41(const SimTables *, const SimJob *, int64_t *);
int sim_run_avx2(const SimTables *, const SimJob *, int64_t *);
int sim_run_avx512(const SimTables *, const SimJob *, int64_t *);
/* Block `counter` of a chunk's ChaCha20 stream `tag`. */
void sim_words(const uint64_t *key, uint64_t chunk, uint32_t tag, uint32_t counter, uint32_t *out);
int sim_has(int isa);           /* 0 scalar, 1 sse4.1, 2 avx2, 3 avx512: compiled in and on this processor */

/* Columns of traced rounds, one row a round: all of a lane's rounds, lane after lane. */
struct SimTrace {
    uint8_t *cards;             /* [rounds][width] value indices in the order they were dealt on the table */
    uint8_t *n_cards;
    uint8_t *actions;           /* [rounds][a_width] */
    uint8_t *n_actions;
    uint8_t *outcome;           /* of the first hand */
    uint8_t *suited;            /* 1: a natural whose suits were drawn alike */
    int32_t *net;
    int width, a_width;
    int first_dealer_is_hole;   /* upcard second */
    int hole_dealt;             /* the house deals a hole card */
};
int sim_trace(const SimTables *, const SimJob *, int64_t *sums, const SimTrace *);
#endif
