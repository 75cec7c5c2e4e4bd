"""How the result of a round is distributed, and split hands played with full memory.

Lives here: the names. Not here: how it is worked out (blackjack_core.outcomes, .memory), the analysis of a
game, whose `distribution`, `variance` and `sd` are these (blackjack.analysis).
"""

from __future__ import annotations

from blackjack._outcomes import mean_and_variance, outcome_distribution, outcome_moments
from blackjack._split_exact import SplitValue, exact_split_value

__all__ = [
    "SplitValue",
    "exact_split_value",
    "mean_and_variance",
    "outcome_distribution",
    "outcome_moments",
]
