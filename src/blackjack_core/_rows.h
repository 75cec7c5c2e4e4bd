/* Rounds with real cards by the tables of _sim_boxes.h: what stream.pyx, simulate.pyx and the C files share. */
#ifndef BJ_ROWS_H
#define BJ_ROWS_H
#include "_sim_boxes.h"

enum {
    ROWS_LANES = 64,        /* tables side by side: part of the stream's definition */
    ROWS_STREAMS = 8        /* generators side by side, likewise */
};

typedef struct {
    uint8_t *cards;         /* [rounds][width] card codes in dealt order */
    uint8_t *n_cards;
    uint8_t *actions;       /* [rounds][a_width] */
    uint8_t *n_actions;
    uint8_t *outcomes;      /* [rounds][o_width] by hand, box after box */
    uint8_t *n_hands;
    int32_t *net;
    int width, a_width, o_width;
} RowColumns;

typedef struct {
    const uint8_t *cards;   /* the whole shoe; an infinite one: one of each card to choose from */
    int size;
    int stacked;            /* the cards come as they lie, to one lane */
    uint64_t seeds[ROWS_STREAMS][4];    /* states of xoshiro256++, if `own` */
    int own;
    void (*words)(void *source, uint32_t *to, int n);   /* words to draw again with; all words, unless `own` */
    void *source;
} RowShoe;

enum { ROWS_DRY = -1, ROWS_NARROW = -2 };

typedef struct RowPlay RowPlay;

/* A chunk of rounds made ready, or NULL: no memory. The tables and the source stay the caller's; the cards are copied. */
RowPlay *rows_open(const SimBoxes *t, const RowShoe *shoe);
/* The next rounds of the chunk, a row each from `first` on: 0, or what went wrong. A call before the last one
 * of a chunk asks for a multiple of ROWS_LANES rounds. */
int rows_play(RowPlay *w, const RowColumns *to, int64_t first, int64_t rounds);
void rows_close(RowPlay *w);
/* Rounds or whole shoes summed up: as the kernels of _sim_boxes.h, in streams of their own. */
int sim_cards(const SimBoxes *t, const RowShoe *shoe, const SimJob *job, int64_t *sums);
#endif
