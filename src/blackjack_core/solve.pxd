# Whole rounds off the top of any shoe (nogil).
from .splits cimport Splitter

cdef class Solver(Splitter):
    cdef void work(self) noexcept nogil
    cdef double surrender_value(self, int hand, int u) noexcept nogil
    cdef double act_value(self, int insured, int hand, int u, int action) noexcept nogil
    cdef int legal_round(self, int insured, int hand, int u, int same_rank) noexcept nogil
    cdef bint is_natural(self, int hand) noexcept nogil
    cdef int choose(self, int insured, int hand, int u, int same_rank) noexcept nogil
    cdef double played(self, int insured, int hand, int u, int same_rank) noexcept nogil
    cdef double offer_value(self, int hand, int u, int same_rank, int action) noexcept nogil
    cdef int take_offer(self, int hand, int u, int same_rank) noexcept nogil
    cdef double same_rank_chance(self) noexcept nogil
    cdef double best_start(self, int hand, int u, int same_rank) noexcept nogil
    cdef void work_round(self) noexcept nogil
    cdef int find(self, counts, int u) except -2
