# The true round as a table: the bench that plays it and the builder that walks it.
#
# Lives here: their attributes, for those who build other tables from the same round (boxes). Not here:
# what they do (automaton).
from libc.stdint cimport int64_t, uint8_t
from .machine cimport *
from .plan cimport Plan
from .ruleset cimport RuleTable
from .shoe cimport ShoeState

cdef enum Status:
    OVER = 0
    NEEDS_PLAYER = 1
    NEEDS_DEALER = 2
    SPLITS = 3

cdef enum:
    PLACEHOLDER = 4         # a five: no blackjack with any upcard
    OTHER_TEN = 10          # value index of a ten-value of another rank than 9 stands for
    FINAL_BLACKJACK = 7
    DEALER_BLACKJACK = 23


cdef class LaidRound:
    cdef RuleTable rules
    cdef RoundState r
    cdef HandState hands[66]
    cdef BoxState box
    cdef int64_t funds
    cdef ShoeState shoe
    cdef uint8_t cards[256]
    cdef Plan plan
    cdef int64_t bet
    cdef void empty(self)
    cdef void lay_out(self, HandState* h, int64_t stake, int points, int outcome)


cdef class Bench(LaidRound):
    cdef list actions
    cdef bint offered       # the first of the actions was an offer's answer
    cdef bint alike         # deal the first two cards of one suit
    cdef bytes _play, _offers, _exact, _prefs

    cdef void put(self, int value)
    cdef int go_on(self)
    cdef int deal(self, tuple player, int up, int hole, tuple dealer)
    cdef int first_two(self, tuple player, int up, int hole) except -1
    cdef HandState* lay(self, int hand, int points, int outcome)
    cdef void lay_two(self, int need)
    cdef int stir(self, int hands)
    cdef void stack(self, tuple cards)


cdef class Builder:
    cdef Bench b
    cdef object fields
    cdef int bet
    cdef dict rows          # key -> number of its row among `found`
    cdef list found         # (key, sample, taker)
    cdef list moves         # per row: ten (target, actions)
    cdef dict results
    cdef dict events
    cdef dict places        # (context, pair value) -> number
    cdef dict contexts
    cdef dict classes
    cdef list class_hands   # copies of HandState as bytes
    cdef dict suited
    cdef list exact
    cdef dict place_rows

    cdef object _held(self, const HandState* h, int up, bint split)
    cdef tuple _playing(self, const HandState* h, int up, bint split)
    cdef tuple _closed(self)
    cdef tuple _insured(self)
    cdef object _row(self, tuple key, tuple sample, int taker)
    cdef bint _peeks(self, int up)
    cdef tuple _after(self, tuple player, int up, int hole, tuple dealer, int status, int seen)
    cdef int _dealer_code(self, bint played)
    cdef tuple _facts(self)
    cdef object _numbered(self, tuple facts)
    cdef object _result(self, tuple player, int up, int hole, tuple dealer)
    cdef int _most(self, int value)
    cdef object _event_split(self, tuple context, tuple player, int up, int hole)
    cdef object _event(self, tuple event)
    cdef object _wait(self, tuple context, int value, tuple base, int hands)
    cdef int _play_split(self, int value, tuple base, int hands, tuple cards)
    cdef tuple _after_split_card(self, tuple context, int value, tuple base, int hands, tuple cards)
    cdef int _class(self, const HandState* h) except -1
    cdef object _dealers_turn(self, tuple context, tuple base, int need)
    cdef tuple _after_hands(self, tuple context, tuple base, int need, int hole, tuple dealer, bint looked)
    cdef tuple _move(self, tuple key, tuple sample, int taker, int card)
    cdef tuple _first(self, tuple player, int up, int hole)


cdef Bench bench_of(object rules, bytes play, bytes offers, list exact, bint split_by_rank, int unit)
