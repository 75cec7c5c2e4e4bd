"""Several players at a public table, each on boxes of their own, each with their own view.

Run: python examples/public_table.py
"""

from __future__ import annotations

import json

from blackjack import Action, IllegalAction, Rules, Table


def main() -> None:
    """Ann and Bob play a round; Cem watches."""
    rules = Rules.preset("continental").replace(private=False, min_bet=10, max_bet=500)
    table = Table(rules, seed=11, players={"ann": 500, "bob": 300, "cem": 100})

    table.bet(box=0, amount=50, player="ann")
    table.bet(box=1, amount=25, player="ann")
    table.bet(box=3, amount=100, player="bob")
    table.deal()

    while (turn := table.turn) is not None:
        other = "bob" if turn.player == "ann" else "ann"
        try:
            table.act(turn.passive, player=other)
        except IllegalAction as error:
            print(f"{other} is refused: {error.reason}")
        hit = turn.hand.total < 15 and Action.HIT in turn.actions
        action = Action.HIT if hit else turn.passive
        print(f"{turn.player}, box {turn.box}: {action} on {turn.hand.total}")
        table.act(action, player=turn.player)

    # A public table clears itself: the bets are off the layout, the last settlement can be read.
    settlement = table.settlement
    assert settlement is not None
    for box in settlement.boxes:
        if box.hands:
            print(f"{box.player}, box {box.box}: {box.net:+d}")
    for player in table.players:
        view = json.loads(table.view(player).to_json())
        print(f"{player} sees a balance of {view['balance']} and may {', '.join(view['controls'])}")
    print(f"bob leaves with {table.leave('bob')}")


if __name__ == "__main__":
    main()
