"""A table inside a program: bets, decisions, events, money.

The program decides what a player sees and does; the engine owns the rules, the cards and the chips.
Run: python examples/embed_a_table.py
"""

from __future__ import annotations

from blackjack import Action, BlackjackError, Table, Turn


def decide(turn: Turn) -> Action:
    """A cautious player: declines offers, doubles 10 and 11, hits below 17."""
    if turn.offer:
        return Action.DECLINE
    if turn.hand.total in (10, 11) and Action.DOUBLE in turn.actions:
        return Action.DOUBLE
    if turn.hand.total < 17 and Action.HIT in turn.actions:
        return Action.HIT
    return turn.passive


def main() -> None:
    """Play three rounds on two boxes."""
    # No seed: the operating system's randomness, as a game for money needs. Here a seed, for a
    # story that is the same every time.
    table = Table("goldfishka", seed=2024, balance=1_000)
    table.subscribe(lambda event: print("  ", event))

    for number in range(1, 4):
        print(f"round {number}, balance {table.balance()}")
        table.bet(box=0, amount=50)
        table.bet(box=2, amount=20)
        table.deal()
        while (turn := table.turn) is not None:
            table.act(decide(turn))
        settlement = table.settlement
        assert settlement is not None
        for box in settlement.boxes:
            for hand in box.hands:
                print(f"box {box.box}: {hand.outcome}, {hand.net:+d}")

    # A refused call says why and changes nothing.
    print(table.why_not(Action.HIT))
    try:
        table.bet(box=0, amount=1_000_000)
    except BlackjackError as error:
        print(error)
    print(f"balance {table.balance()}")


if __name__ == "__main__":
    main()
