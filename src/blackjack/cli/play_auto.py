"""A table that plays by itself: hit below 17, decline what is offered.

Lives here: `--auto` and its summary. Not here: fast simulation (blackjack.simulation), which counts
hundreds of millions of rounds where this counts thousands through the public table.
"""

from __future__ import annotations

import math

from blackjack.actions import Action
from blackjack.cli.play_screen import signed
from blackjack.cli.play_session import Tally
from blackjack.errors import BlackjackError
from blackjack.labels import Labels
from blackjack.rules import Rules
from blackjack.table import Table

__all__ = ["auto_play", "default_bet", "summary_lines"]


def default_bet(rules: Rules, boxes: int) -> int:
    """The bet that --auto makes on each box: about ten, and legal.

    >>> default_bet(Rules(), 1), default_bet(Rules.preset("romanian"), 1)
    (10, 20)
    """
    unit = math.lcm(rules.bet_step, rules.exact_unit if rules.rounding == "exact" else 1)
    least = rules.min_bet if rules.limit_per == "box" else -(-rules.min_bet // boxes)
    chip = next((c for c in rules.chips if c >= max(10, least) and c % unit == 0), None)
    if chip is not None and (rules.max_bet is None or chip <= rules.max_bet):
        return chip
    bet = -(-max(10, least) // unit) * unit
    if rules.max_bet is not None:
        most = rules.max_bet // (boxes if rules.limit_per == "deal" else 1)
        bet = min(bet, most // unit * unit)
    return max(bet, unit)


def auto_play(table: Table, rounds: int, bet: int, boxes: int) -> Tally:
    """Play so many rounds, or fewer if the money ends."""
    tally = Tally()
    player = table.players[0]
    for _ in range(rounds):
        try:
            for box in range(boxes):
                table.bet(box, bet, player=player)
            table.deal()
        except BlackjackError:
            if not tally.rounds:
                raise
            break
        while (turn := table.turn) is not None:
            wants = turn.hand.total < 17 and Action.HIT in turn.actions
            table.act(Action.HIT if wants else turn.passive, player=player)
        settlement = table.settlement
        assert settlement is not None
        tally.add(settlement)
    return tally


def summary_lines(tally: Tally, table: Table, words: Labels) -> list[str]:
    """The tally in words."""
    texts = words.texts
    balance = table.balance(table.players[0])
    rows = [
        (texts["rounds"], str(tally.rounds)),
        (texts["hands"], str(tally.hands)),
        *(
            (words.outcomes[o], str(n))
            for o, n in sorted(tally.outcomes.items(), key=lambda x: -x[1])
        ),
        (texts["staked"], str(tally.staked)),
        (texts["returned"], str(tally.returned)),
        (texts["net"], signed(tally.net)),
        (texts["balance"], texts["no_limit"] if balance is None else str(balance)),
    ]
    width = max(len(name) for name, _ in rows)
    figures = max(len(value) for _, value in rows)
    return [f"{name:<{width}}  {value:>{figures}}" for name, value in rows]
