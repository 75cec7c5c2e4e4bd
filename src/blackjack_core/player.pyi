# The base of Solver; only other Cython code uses it.
