from typing_extensions import disjoint_base

from blackjack_core.pairs import PairSums

@disjoint_base
class TripleSums(PairSums): ...
