from typing_extensions import disjoint_base

@disjoint_base
class Fold: ...

@disjoint_base
class PairSums: ...
