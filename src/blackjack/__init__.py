"""blackjack-engine."""
from blackjack.rules import Rules
