from blackjack_core.player import Player

# The part of Solver that values splits; only other Cython code makes one.
class Splitter(Player): ...
