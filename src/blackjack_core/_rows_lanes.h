/* The lanes on which rounds in columns are played: words, shoes, the next card.
 *
 * Lives here: what a lane is, how cards come into their places. Not here: a round, its row (_rows.c).
 *
 * Stream "bj-rounds-2": round i of a chunk is played on lane i % 64, from the shoe that round i - 64 left. The lanes
 * go side by side, round by round; what is said of each lane below, the lanes do one after another.
 *   Words have 16 bits. Generator j of eight is xoshiro256++ with the state that SplitMix64 makes of the j-th 64-bit
 * word of the chunk's source; they take turns, each giving 64 bits, which are four words, the lowest first. With
 * another source its 32-bit words are two each, the low half first.
 *   A lane's shoe lies in ascending order at first; each shuffle goes on from the order that the last one left. Cards
 * come into their places from the front, eight at a time: card i of n and the one at i + x change places, x unbiased
 * below n - i by multiply and reject, words to draw again with being the upper halves of the source's next 32-bit
 * words. A shoe that ends sooner takes eight words all the same. After a shuffle at least 4 cards, and 4 more for
 * each box, are in their places from where the last round may begin; cards beyond that follow when they are needed.
 * An infinite shoe is drawn from with replacement, anew for each round.
 *   A round goes: first cards; box by box further cards, in turns, a card to each lane that wants one; then the lanes
 * that split the box, each to the box's end; then the dealers, in turns. A shoe that runs out inside a round
 * goes on with its discards, behind the cards on the table.
 */
#ifndef BJ_ROWS_LANES_H
#define BJ_ROWS_LANES_H
#include <stdlib.h>
#include <string.h>
#include "_rows.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__GNUC__)
#define RARE(x) __builtin_expect(!!(x), 0)
#define SOON(p) __builtin_prefetch(p, 1)
#define COLD static __attribute__((noinline))
#else
#define RARE(x) (x)
#define SOON(p) (void)(p)
#define COLD static
#endif
#if defined(__GNUC__) && defined(CYTHON_WITHOUT_ASSERTIONS)
#define HOT static inline __attribute__((always_inline))
#else   /* MSVC, and the debug build */
#define HOT static inline
#endif

enum {
    L = ROWS_LANES,
    WORDS = 8192,
    PORTION = 8,            /* cards that come into their places together */
    AHEAD = 4,              /* and as many for each box */
    ENDLESS = 512,          /* places of an infinite shoe */
    SHORT = 16, FEW = 8,    /* cards and actions of most rows */
    MOST = 256,             /* actions of any row */
    TEN = 36                /* the first code of a ten-value */
};
#define OFFERS 0x80000000u      /* something may be said before all play */

/* What a card led to: actions, a byte each. `before`: how many of them come before all play. */
typedef struct { uint64_t text; uint32_t n, before; } Told;

typedef struct { int32_t net; uint32_t outcome; } Worth;

typedef struct {
    uint8_t *cards;         /* the shoe: dealt, in their places up to `ready`, the rest */
    uint8_t *cls;           /* classes of finished hands */
    uint16_t *end;          /* [box] end of its classes */
    uint64_t shoes;         /* still to come, where whole shoes are played */
    uint32_t pos, base;     /* the next card; the round's first */
    uint32_t ready, state;
    uint16_t begin, key;    /* where a box begins; the dealer's cards: place in `dealer` */
    uint16_t n_cls;
    uint8_t asks, split, n_actions;
    uint8_t actions[MOST + 8];
} Lane;

struct RowPlay {
    Lane lane[L];
    Lane *list[L];          /* who wants a card */
    uint32_t opens[16 * 10];    /* [upcard][hole card] begin, key << 16, OFFERS */
    uint16_t dealer[4 * 10 * 128];  /* [context][hole card][what the boxes ask] */
    uint8_t value[256];
    Worth worth[SIM_FINALS][BOX_CLASSES];
    const SimBoxes *t;
    RowColumns to;
    uint32_t *steps;        /* [place] next state, number of what is told << 16 */
    Told *told;
    uint32_t *ends;         /* [state] class, class for suits alike << 8, what it asks << 16 */
    uint16_t *unfair;       /* [card] so many of its 65536 words are drawn again */
    uint8_t *deck;          /* of an infinite shoe */
    void *memory;
    uint16_t fewer[PORTION];    /* what each card of a portion is drawn from has so many cards less */
    uint32_t size, depth, ahead, each, up_at, hole_at, deck_size;
    int lanes, stacked, own, used, code;
    int64_t row;
    uint64_t shuffles, *splits;     /* split boxes by their hands are counted there, if anywhere */
    void (*more)(void *source, uint32_t *to, int n);
    void *source;
    uint64_t s[4][ROWS_STREAMS];
    union { uint16_t w[WORDS]; uint32_t both[WORDS / 2]; uint64_t four[WORDS / 4]; } words;
};

/* -- words */

/* xoshiro256++, all generators side by side; a, b, c, d: their states. */
#define XOSHIRO(a, b, c, d, out, t) do { \
        out = a + d; \
        out = (out << 23 | out >> 41) + a; \
        t = b << 17; \
        c ^= a; d ^= b; b ^= c; a ^= d; c ^= t; \
        d = d << 45 | d >> 19; \
    } while (0)

static void own_words(RowPlay *w) {
#if defined(__GNUC__)
    typedef uint64_t Eight __attribute__((vector_size(8 * ROWS_STREAMS)));
    Eight s[4], x, t;
    memcpy(s, w->s, sizeof s);
    for (int i = 0; i < WORDS / 4; i += ROWS_STREAMS) {
        XOSHIRO(s[0], s[1], s[2], s[3], x, t);
        memcpy(w->words.four + i, &x, sizeof x);
    }
    memcpy(w->s, s, sizeof s);
#else
    for (int i = 0; i < WORDS / 4; i += ROWS_STREAMS)
        for (int j = 0; j < ROWS_STREAMS; j++) {
            uint64_t x, t;
            XOSHIRO(w->s[0][j], w->s[1][j], w->s[2][j], w->s[3][j], x, t);
            w->words.four[i + j] = x;
        }
#endif
}

COLD void more_words(RowPlay *w) {
    if (w->own) own_words(w);
    else w->more(w->source, w->words.both, WORDS / 2);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < WORDS / 4; i++) {
        uint64_t x = w->own ? w->words.four[i] : w->words.four[i] >> 32 | w->words.four[i] << 32;
        for (int k = 0; k < 4; k++) w->words.w[4 * i + k] = (uint16_t)(x >> 16 * k);
    }
#endif
    w->used = 0;
}

COLD uint32_t redraw(RowPlay *w, uint32_t n, uint32_t unfair) {
    uint32_t x, m;
    do {
        w->more(w->source, &x, 1);
        m = (x >> 16) * n;
    } while ((m & 0xffff) < unfair);
    return m >> 16;
}

/* PORTION numbers, each below n less one of `fewer`, and whether some of them are to be drawn again. */
HOT int numbers(const uint16_t *x, uint32_t n, const uint16_t *fewer, const uint16_t *unfair, uint16_t *to) {
#if defined(__SSE2__)
    const __m128i below = _mm_sub_epi16(_mm_set1_epi16((short)n), _mm_loadu_si128((const __m128i *)fewer));
    const __m128i w = _mm_loadu_si128((const __m128i *)x);
    const __m128i low = _mm_mullo_epi16(w, below), fair = _mm_loadu_si128((const __m128i *)unfair);
    _mm_storeu_si128((__m128i *)to, _mm_mulhi_epu16(w, below));
    return _mm_movemask_epi8(_mm_cmpeq_epi16(_mm_subs_epu16(fair, low), _mm_setzero_si128())) != 0xffff;
#else
    int any = 0;
    for (uint32_t k = 0; k < PORTION; k++) {
        uint32_t m = x[k] * (uint32_t)(uint16_t)(n - fewer[k]);
        to[k] = (uint16_t)(m >> 16);
        any |= (m & 0xffff) < unfair[k];
    }
    return any;
#endif
}

/* -- shoes */

/* A portion that is not like all others (at the shoe's end, with words to draw again): how many cards. */
COLD uint32_t mix_slowly(RowPlay *w, uint8_t *cards, uint32_t i, const uint16_t *x) {
    const uint32_t left = w->size - i, n = left < PORTION ? left : PORTION;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t below = w->deck ? w->deck_size : left - k, unfair = w->unfair[i + k];
        uint32_t at = x[k] * below;
        at = (at & 0xffff) < unfair ? redraw(w, below, unfair) : at >> 16;
        if (w->deck) {
            cards[k] = w->deck[at];
        } else {
            uint8_t c = cards[k];
            cards[k] = cards[k + at];
            cards[k + at] = c;
        }
    }
    return n;
}

/* The next portions of a shoe come into their places: up to `upto`, or to the end. */
HOT void mix(RowPlay *w, Lane *p, uint32_t upto) {
    const uint32_t size = w->size;
    uint32_t i = p->ready;
    do {
        uint16_t to[PORTION];
        const uint16_t *x;
        uint8_t *cards = p->cards + i;
        if (RARE(w->used == WORDS)) more_words(w);
        x = w->words.w + w->used;
        w->used += PORTION;
        if (RARE((size - i < PORTION) | numbers(x, w->deck ? w->deck_size : size - i, w->fewer, w->unfair + i, to))) {
            i += mix_slowly(w, cards, i, x);
            continue;
        }
        i += PORTION;
        if (w->deck) {
            for (int k = 0; k < PORTION; k++) cards[k] = w->deck[to[k]];
            continue;
        }
#define EXCHANGE(k) do { uint8_t c_ = cards[k], *o_ = cards + (k) + to[k]; cards[k] = *o_; *o_ = c_; } while (0)
        EXCHANGE(0); EXCHANGE(1); EXCHANGE(2); EXCHANGE(3);
        EXCHANGE(4); EXCHANGE(5); EXCHANGE(6); EXCHANGE(7);
#undef EXCHANGE
    } while (i < upto && i < size);
    p->ready = i;
}

/* The shoe ends inside a round: the table's cards move to the front, the discards come next. */
static int refill(RowPlay *w, Lane *p) {
    uint32_t table = w->size - p->base, old = p->base;
    uint8_t *cards = p->cards;
    if (w->stacked || w->deck || old == 0) return 0;
    if (p->ready < w->size) mix(w, p, w->size);
    for (uint32_t i = 0; i < table; i++) {      /* each table card changes places with a discard, in order */
        uint8_t c = cards[i];
        cards[i] = cards[old + i];
        cards[old + i] = c;
    }
    p->base = 0;
    p->pos -= old;
    p->ready = table;
    return 1;
}

/* The round's first n cards come into their places. */
COLD void prepare(RowPlay *w, Lane *p, uint32_t n) {
    while (p->base + n > p->ready) {
        if (p->ready < w->size) {
            mix(w, p, p->base + n);
        } else if (!refill(w, p)) {             /* whatever is played now, nobody will see */
            w->code = ROWS_DRY;
            p->base = p->pos = 0;
            return;
        }
    }
}

/* A round begins: a shuffle where it is time, and enough cards for all. */
COLD void begin_shoe(RowPlay *w, Lane *p) {
    if (p->pos >= w->depth) {
        w->shuffles++;
        p->ready = 0;
        p->pos = w->deck ? 0 : w->t->burn;
        mix(w, p, w->depth + w->ahead);
    }
    p->base = p->pos;
    prepare(w, p, w->each);
}

HOT int deal(RowPlay *w, Lane *p) {
    uint32_t at = p->pos;
    if (RARE(at >= p->ready)) {
        prepare(w, p, at - p->base + 1);
        at = p->pos;
    }
    p->pos = at + 1;
    return w->value[p->cards[at]];
}
#endif
