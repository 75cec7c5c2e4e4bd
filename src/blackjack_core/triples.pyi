from blackjack_core.pairs import PairSums
from typing_extensions import disjoint_base

@disjoint_base
class TripleSums(PairSums): ...
