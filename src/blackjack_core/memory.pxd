# Full-memory play of split hands. Everything is in the .pyx; nothing is cimported from it.
