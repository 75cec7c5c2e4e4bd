# cython: language_level=3
"""A player written in Cython on the compiled round: no Python object between two cards.

    python setup.py build_ext --inplace
    python -c "import never_bust; print(never_bust.play(1_000_000, seed=1))"

Lives here: a loop around `blackjack_core.round`. The rules of the game are where they always are; `legal`
is asked, never guessed.
"""
from libc.stdint cimport int64_t
from blackjack_core.machine cimport (
    DECLINE, HIT, OFFERS, PLAY, STAND, HandState, RoundState, hand_of, round_apply, total_of,
)
from blackjack_core.round cimport Round
from blackjack_core.shoe cimport Shoe

from blackjack import Rules
from blackjack_core.rng import Source


cdef int choose(const RoundState* r) noexcept nogil:
    cdef const HandState* hand = hand_of(r, r.box, r.hand)
    if r.phase == OFFERS:
        return DECLINE
    return HIT if total_of(hand) < 12 and r.legal >> HIT & 1 else STAND


cdef int64_t returned(const RoundState* r) noexcept nogil:
    """What a finished round pays back, less what it staked."""
    cdef int64_t net = r.boxes[0].insurance_returned - r.boxes[0].insurance
    cdef int i
    for i in range(r.boxes[0].n_hands):
        net += hand_of(r, 0, i).returned - hand_of(r, 0, i).stake
    return net


def play(int rounds, *, seed, house="vegas_strip", int bet=2):
    """The net of so many rounds of one box of `bet`, with a shuffle before every round."""
    rules = Rules.preset(house)
    cdef Shoe shoe = Shoe(rules.shoe_cards, Source(seed=seed))
    cdef Round game = Round(rules.compiled, shoe)
    cdef RoundState* r = &game.r
    cdef int64_t net = 0
    cdef int i
    for i in range(rounds):
        shoe.reshuffle(0)
        r.boxes[0].bet = bet
        r.funds[0] = 1 << 40
        game.deal()
        while r.phase == OFFERS or r.phase == PLAY:
            round_apply(r, choose(r), 0)
        net += returned(r)
    return net
