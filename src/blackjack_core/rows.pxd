# What a chart's rows are worth, of a solved game.
from .solve cimport Solver

cdef void reach_weights(Solver s, double* weights) noexcept
