"""The hint of the game in a terminal: what each action is worth, from the cards on the table.

Lives here: putting a turn to the analyzer and its answer into a line. Not here: the mathematics
(blackjack.grading, blackjack.analysis), the key (play_session).
"""

from __future__ import annotations

from blackjack.actions import Action
from blackjack.errors import BlackjackError
from blackjack.labels import Labels
from blackjack.table import Table
from blackjack.views import Turn

__all__ = ["hint"]


def hint(table: Table, turn: Turn, words: Labels) -> list[tuple[str, bool]] | None:
    """(label and value, whether it is the best) of each action, best first, in bets.

    None where the analyzer cannot tell.

    >>> from blackjack.labels import labels
    >>> table = Table("vegas_strip", cards="Ts 6d 6h Td 5c 9c")
    >>> table.bet(0, 10); table.deal()
    >>> [text for text, best in hint(table, table.turn, labels(None)) if best]
    ['Stand -0.125']
    """
    try:
        values = _values(table, turn)
    except (BlackjackError, ValueError, NotImplementedError):
        return None
    ordered = sorted(values.items(), key=lambda item: -item[1])
    return [(f"{words.actions[a]} {v:+.3f}", i == 0) for i, (a, v) in enumerate(ordered)]


def _values(table: Table, turn: Turn) -> dict[Action, float]:
    from blackjack.grading import Situation, values_at

    boxes = table.view(turn.player).boxes
    hands = boxes[turn.box].hands
    pair = len({min(card.code >> 2, 9) for card in turn.hand.cards}) == 1
    takes = table.rules.dealer_blackjack_takes
    if takes == "original_and_busted" and pair and table.rules.max_hands > 4:
        raise NotImplementedError("exact, but nobody waits that long for a hint")
    others = [
        card
        for b, box in enumerate(boxes)
        for h, hand in enumerate(box.hands)
        if (b, h) != (turn.box, turn.hand_index)
        for card in hand.cards
    ]
    at = Situation(
        cards=turn.hand.cards,
        upcard=turn.upcard,
        legal=turn.actions,
        others=tuple(others),
        hands=len(hands),
        insured=boxes[turn.box].insurance > 0,
        stake=turn.hand.stake / boxes[turn.box].bet,
    )
    return values_at(table.rules, at)
