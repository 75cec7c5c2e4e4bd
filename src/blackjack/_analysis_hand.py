"""One hand against one upcard in a solved game: values as people ask for them.

Lives here: `Situation`. Not here: the whole game (blackjack.analysis), reading of hands
(blackjack._analysis_input), the mathematics (blackjack_core.solve).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from blackjack._analysis_input import Hand, HandLike, Shoe, check_cards, read_hand, read_upcard
from blackjack.actions import ACTIONS, Action
from blackjack.cards import UPCARDS, Card
from blackjack.errors import RulesError

if TYPE_CHECKING:
    from blackjack.rules import Rules
    from blackjack_core.solve import Solver

Upcard = Card | str | int


def _blackjack(rules: Rules, hand: Hand) -> float | None:
    """What a blackjack pays when its suits are known, else None."""
    if rules.suited_blackjack_pays is None or hand.suited is None:
        return None
    return float(rules.suited_blackjack_pays if hand.suited else rules.blackjack_pays)


def _is_natural(hand: Hand) -> bool:
    return len(hand.ranks) == 2 and hand.counts[0] == 1 and hand.counts[9] == 1


class Situation:
    """One hand against one upcard in a solved game."""

    def __init__(
        self, rules: Rules, shoe: Shoe, solver: Solver, hand: HandLike, upcard: Upcard
    ) -> None:
        self.rules, self.solver = rules, solver
        self.hand, self.up = read_hand(hand), read_upcard(upcard)
        check_cards(shoe, self.hand.counts, self.up)
        # K-Q is a pair unless pairs are of a rank
        self._pair = rules.split_by != "rank" or self.hand.same_rank
        self.natural = solver.natural(self.hand.counts, self.up)

    def _raw(self, insured: bool, stake: float, part: float) -> tuple[dict[int, float], int]:
        """The core's values of each legal action, and what is played."""
        counts, up, solver = self.hand.counts, self.up, self.solver
        if stake == 1:
            raw, played = solver.play(counts, up, insured=insured, same_rank=self._pair)
        else:
            raw, played = solver.doubled(counts, up, stake, insured=insured)
        if part != 1 and Action.DOUBLE.code in raw:
            more = part * stake
            raw[Action.DOUBLE.code] = solver.double(counts, up, stake, more, insured=insured)
        return raw, played

    def values(
        self,
        given_no_blackjack: bool | None,
        *,
        insured: bool = False,
        stake: float = 1.0,
        part: float = 1.0,
    ) -> tuple[dict[Action, float], Action]:
        """The value of each legal action, and what is played.

        stake: bets on the hand, more than one once it is doubled. part: of it, what a double adds.
        """
        raw, played = self._raw(insured, stake, part)
        # joint with "no dealer blackjack": what one costs is not in them
        joint = self.solver.left_out(self.up)
        own = _is_natural(self.hand) and self.solver.kind == 0
        given = joint and self.natural > 0 if given_no_blackjack is None else given_no_blackjack
        if given and not joint and not own:
            raise RulesError([(("hole_card",), self._no_peek())])
        pays = _blackjack(self.rules, self.hand) if own else None
        if pays is not None:
            raw = {0: pays * (1 - self.natural)}
        lost = 0.0 if own or not joint else self.natural
        rest = 1 - self.natural

        def value(joint_value: float) -> float:
            if given:
                return joint_value / rest if rest > 0 else 0.0
            return joint_value - lost

        return {ACTIONS[code]: value(x) for code, x in raw.items()}, ACTIONS[played]

    def _no_peek(self) -> str:
        return (
            f"under {UPCARDS[self.up]} the dealer does not look for a blackjack: there are no values "
            "given that there is none"
        )

    def offers(self) -> tuple[dict[Action, float], Action]:
        raw, taken = self.solver.offer(self.hand.counts, self.up, same_rank=self._pair)
        pays = _blackjack(self.rules, self.hand)
        if raw and pays is not None and _is_natural(self.hand):
            side = 0.5 * (self.natural * float(self.rules.insurance_pays) - (1 - self.natural))
            for code in raw:
                if ACTIONS[code] in (Action.DECLINE, Action.INSURANCE):
                    insured = ACTIONS[code] is Action.INSURANCE
                    raw[code] = pays * (1 - self.natural) + (side if insured else 0.0)
            taken = max(raw, key=lambda code: (raw[code], code == Action.DECLINE.code))
        return {ACTIONS[code]: value for code, value in raw.items()}, ACTIONS[taken]
