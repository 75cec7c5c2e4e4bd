/* Rounds in columns by the tables of _sim_boxes.h: what stream.pyx and _rows.c share. */
#ifndef BJ_ROWS_H
#define BJ_ROWS_H
#include "_sim_boxes.h"

enum { ROWS_WORDS = 1024 };

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
    uint8_t *cards;         /* an infinite shoe: one of each card to choose from */
    int size, total;
    int stacked;            /* the cards come as they lie */
    uint32_t words[ROWS_WORDS];
    void (*more)(void *source, uint32_t *words, int n);
    void *source;
    BoxRound round;
} RowShoe;

enum { ROWS_DRY = -1, ROWS_NARROW = -2 };

/* Rounds, a row each from `first` on: 0, or what went wrong. */
int rows_play(const SimBoxes *t, RowShoe *shoe, const RowColumns *to, int64_t first, int64_t rounds);
#endif
