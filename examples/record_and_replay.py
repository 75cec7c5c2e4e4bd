"""Rounds recorded as round files (JSON Lines), and replayed to the same settlement.

Run: python examples/record_and_replay.py
The same file goes through the command line: python -m blackjack replay FILE
"""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

from blackjack import Table
from blackjack.history import replay


def main() -> None:
    """Record 200 rounds of a player who acts at random, then replay them."""
    table = Table("romanian", seed=5, record=True)
    pick = random.Random(5)
    nets = []
    for _ in range(200):
        table.bet(box=0, amount=20)
        table.deal()
        while (turn := table.turn) is not None:
            table.act(pick.choice(sorted(turn.actions)))
        assert table.settlement is not None
        nets.append(table.settlement.net)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.jsonl"
        lines = [json.dumps(record) for record in table.records or []]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"first of {len(lines)} rounds: {lines[0]}")

        answers = [
            replay(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()
        ]
    assert [answer["net"] for answer in answers] == nets
    print(f"replayed {len(answers)} rounds to the same settlements, net {sum(nets)}")


if __name__ == "__main__":
    main()
