"""Rules of one's own: fields, a preset with changes, a rules file, what is refused.

Run: python examples/custom_house.py
"""

from __future__ import annotations

from blackjack import Rules, RulesError, Table

RULES_FILE = """
preset = "vegas_strip"
decks = 4
shuffle = "continuous"
blackjack_pays = "7:5"
charlie_cards = 6
composition = { T = 0 }  # 48-card Spanish decks
min_bet = 5
bet_step = 5
"""


def main() -> None:
    """Read a rules file, describe it, compare it, and play a stacked round under it."""
    rules = Rules.from_toml(RULES_FILE)
    print(rules.describe())
    print()
    for field, (usual, here) in Rules.preset("vegas_strip").diff(rules).items():
        print(f"{field}: {usual} -> {here}")
    print()

    # Everything that is wrong is said at once.
    try:
        Rules(decks=0, max_hands=2, max_ace_hands=3, insurance_pays=2.5)
    except RulesError as error:
        for fields, what in error.problems:
            print(f"{', '.join(fields)}: {what}")
    print()

    # cards= stacks the shoe: box, dealer, box, dealer, then as they are drawn.
    table = Table(rules, cards="2h 6s 3h Kd 2c 3s 2d 4h 5s 9c")
    table.bet(box=0, amount=10)
    table.deal()
    while (turn := table.turn) is not None:
        table.act("hit")
        print(turn)
    print(table.settlement)


if __name__ == "__main__":
    main()
