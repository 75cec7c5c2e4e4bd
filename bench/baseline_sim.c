/* The yardstick of bench_simulate.py: a plain scalar blackjack loop, as most programs have it.
 *
 * Six decks, Fisher-Yates as the cards are drawn (xoshiro256++), shuffle at 234 of 312 cards, S17, peek,
 * double any two, double after split, four hands, split aces once with one card, a total-dependent chart.
 * One hand after another, branches where a person would write them. Prints rounds a second.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t s[4];
static uint64_t next(void) {
    uint64_t x = s[0] + s[3], r = (x << 23 | x >> 41) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = s[3] << 45 | s[3] >> 19;
    return r;
}
static uint8_t shoe[312];
static int dealt = 312;
static inline int card(void) {
    uint32_t n = (uint32_t)(312 - dealt);
    uint64_t m = (next() >> 32) * n;
    while ((uint32_t)m < n && (uint32_t)m < (0u - n) % n) m = (next() >> 32) * n;
    int j = dealt + (int)(m >> 32);
    uint8_t c = shoe[j];
    shoe[j] = shoe[dealt];
    shoe[dealt++] = c;
    return c;
}

/* rows of upcards A 2 .. 9 T: S stand, H hit, D double or hit, d double or stand, P split */
static const char *HARD[22] = {0, 0, 0, 0, "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH",
    "HHDDDDHHHH", "HDDDDDDDDH", "HDDDDDDDDD", "HHHSSSHHHH", "HSSSSSHHHH", "HSSSSSHHHH", "HSSSSSHHHH",
    "HSSSSSHHHH", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS"};
static const char *SOFT[22] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "HHHHHHHHHH", "HHHHDDHHHH", "HHHHDDHHHH",
    "HHHDDDHHHH", "HHHDDDHHHH", "HHDDDDHHHH", "HSddddSSHH", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS"};
static const char *PAIR[10] = {"PPPPPPPPPP", "HPPPPPPHHH", "HPPPPPPHHH", "HHHHPPHHHH", "HDDDDDDDDH", "HPPPPPHHHH",
    "HPPPPPPHHH", "PPPPPPPPPP", "SPPPPPSPPS", "SSSSSSSSSS"};

typedef struct { int total, ace, cards, bet, bust; } Hand;
static inline void add(Hand *h, int c) { h->total += c + 1; h->ace |= c == 0; h->cards++; }
static inline int best(const Hand *h) { return h->ace && h->total <= 11 ? h->total + 10 : h->total; }

static Hand hands[4];
static int n_hands;
static void play(Hand *h, int first, int second, int up, int split) {
    add(h, first);
    add(h, second);
    for (;;) {
        int t = best(h), soft = t != h->total;
        if (t >= 21) { h->bust = t > 21; return; }
        char a = (soft ? SOFT[t] : HARD[t])[up];
        if (h->cards == 2 && first == second && n_hands < (first ? 4 : 2)) a = PAIR[first][up];
        if (a == 'P') {
            *h = (Hand){0, 0, 0, 2, 0};
            Hand *other = &hands[n_hands++];
            *other = *h;
            if (first == 0) { add(h, 0); add(h, card()); add(other, 0); add(other, card()); return; }
            play(h, first, card(), up, 1);
            play(other, first, card(), up, 1);
            return;
        }
        if (a == 'D' || a == 'd') {
            if (h->cards == 2) {
                h->bet *= 2;
                add(h, card());
                h->bust = best(h) > 21;
                return;
            }
            a = a == 'D' ? 'H' : 'S';
        }
        if (a == 'S') return;
        add(h, card());
    }
    (void)split;
}

int main(int argc, char **argv) {
    int64_t n = argc > 1 ? (int64_t)atof(argv[1]) : 20000000, net = 0, sq = 0;
    for (int i = 0; i < 4; i++) s[i] = 0x9e3779b97f4a7c15u * (uint64_t)(i + 1);
    for (int i = 0; i < 312; i++) { int r = i % 13; shoe[i] = (uint8_t)(r < 9 ? r : 9); }
    clock_t begin = clock();
    for (int64_t i = 0; i < n; i++) {
        if (dealt >= 234) dealt = 0;
        int a = card(), up = card(), b = card(), hole = card(), gain = 0;
        Hand d = {0, 0, 0, 0, 0};
        add(&d, up);
        add(&d, hole);
        int natural = (a == 0 && b == 9) || (a == 9 && b == 0);
        if (best(&d) == 21) gain = natural ? 0 : -2;
        else if (natural) gain = 3;
        else {
            int open = 0;
            n_hands = 1;
            hands[0] = (Hand){0, 0, 0, 2, 0};
            play(&hands[0], a, b, up, 0);
            for (int k = 0; k < n_hands; k++) open |= !hands[k].bust;
            if (open) while (best(&d) < 17) add(&d, card());
            int t = best(&d);
            for (int k = 0; k < n_hands; k++) {
                int p = best(&hands[k]);
                gain += hands[k].bust ? -hands[k].bet : t > 21 || p > t ? hands[k].bet : p == t ? 0 : -hands[k].bet;
            }
        }
        net += gain;
        sq += gain * gain;
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC, ev = (double)net / 2 / (double)n;
    double sd = sqrt((double)sq / 4 / (double)n - ev * ev);
    printf("%.0f %.9f %.9f %.9f\n", (double)n, seconds, ev, sd / sqrt((double)n));
    return 0;
}
