# The part of Solver that values splits; only other Cython code uses it.
