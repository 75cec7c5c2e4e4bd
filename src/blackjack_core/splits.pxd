# Several hands of a split as one hand several times (plain C, nogil).
from .analyze cimport Pass
from .player cimport Player

cdef double split_total(int hands, double pairs, double unseen, double gone,
                        const double* x, const double* p) noexcept nogil


cdef class Splitter(Player):
    cdef int more_hands(self, int v) noexcept nogil
    cdef void work_split(self, int insured, int v) noexcept nogil
    cdef double mixed_value(self, Pass* p, int hand, int u, int action) noexcept nogil
    cdef double split_under(self, int v, int u, int hands) noexcept nogil
    cdef double one_split(self, int v, int u, int hands, double pairs) noexcept nogil
