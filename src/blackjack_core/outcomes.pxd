# The exact distribution of a round's outcome. Everything is in the .pyx; nothing is cimported from it.
