from typing_extensions import disjoint_base

# The base of Solver; only other Cython code makes one.
@disjoint_base
class Player:
    @property
    def kind(self) -> int: ...
