"""Saved tables that were damaged or forged: refused, or played on, and never out of their memory.

What a sound one keeps is tested in tests/test_table.py and test_table_stateful.py.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from blackjack import BlackjackError, HistoryError, Table
from blackjack._opening import sealed
from blackjack_core.rng import Source
from blackjack_core.shoe import Shoe

PLAYS = 300


def saved(house: str, seed: int, rounds: int = 2) -> str:
    """A table in the middle of a round, or just after one."""
    table = Table(house, seed=seed, balance=10**6)
    for left in reversed(range(rounds)):
        for box in range(min(3, table.rules.boxes)):
            table.bet(box, 20)
        table.deal()
        while left and (turn := table.turn) is not None:
            table.act(turn.passive)
    return table.save()


def forged(text: str, dice: random.Random) -> str:
    """The same with one thing in it changed, under a good seal."""
    kept = json.loads(text)
    del kept["check"]
    at: Any = kept["desk"]
    while True:
        key = dice.choice(list(at) if isinstance(at, dict) else range(len(at)))
        value = at[key]
        if not isinstance(value, dict | list) or not value or dice.random() < 0.1:
            break
        at = value
    if key == "hex" and isinstance(value, str):
        data = bytearray.fromhex(value)
        for _ in range(dice.choice([1, 1, 2, 8])):
            if data:
                data[dice.randrange(len(data))] = dice.choice([0, 1, 2, 127, 128, 255])
        at[key] = data.hex()[: dice.choice([None, None, None, len(data)])]
    else:
        at[key] = dice.choice([None, -1, 0, 3, 2**63, 10**30, True, "x", [], {}, 1.5, {"hex": ""}])
    return sealed(json.dumps(kept))


def play_on(table: Table, dice: random.Random) -> None:
    for _ in range(2):
        for _ in range(200):
            table.view().to_json()
            assert isinstance(table.events, tuple)
            if (turn := table.turn) is None:
                break
            table.act(dice.choice(sorted(turn.actions)))
        table.bet(0, 20)
        table.deal()


@pytest.mark.parametrize("house", ["goldfishka", "las_vegas", "romanian", "macau"])
def test_a_forged_text_is_refused_or_played(house: str) -> None:
    dice = random.Random(house)
    texts = [saved(house, seed) for seed in range(4)]
    refused = 0
    for _ in range(PLAYS):
        try:
            table = Table.load(forged(dice.choice(texts), dice))
        except HistoryError:
            refused += 1
            continue
        try:
            play_on(table, dice)
        except BlackjackError:  # bets or cards that the forger left without cover
            continue
    assert PLAYS / 5 < refused < PLAYS


@pytest.mark.parametrize("at", [0.2, 0.5, 0.7, 0.9])
def test_damage_is_found(at: float) -> None:
    text = saved("goldfishka", 1)
    place = next(i for i in range(int(at * len(text)), len(text)) if text[i].isdigit())
    other = "7" if text[place] != "7" else "3"
    with pytest.raises(HistoryError, match="expected a text that `save` wrote"):
        Table.load(text[:place] + other + text[place + 1 :])


def test_white_space_and_the_order_of_keys_are_no_damage() -> None:
    text = saved("romanian", 1)
    kept = dict(reversed(json.loads(text).items()))
    assert Table.load(json.dumps(kept, indent=1)).view() == Table.load(text).view()


@pytest.mark.parametrize("house", ["goldfishka", "las_vegas"])
def test_equal_tables_save_equal_texts(house: str) -> None:
    """Nothing of other memory lies between what is saved."""
    texts = set()
    for n in range(8):
        litter = [bytes([n + 1]) * size for size in (64, 512, 1024, 2048, 4096, 8192)]
        del litter
        texts.add(saved(house, 5))
    assert len(texts) == 1


@pytest.mark.parametrize("kind", ["seed", "key", "data"])
def test_generators_that_cannot_be(kind: str) -> None:
    given: dict[str, Any] = {"seed": 1, "key": bytes(32), "data": bytes(64)}
    source = Source(**{kind: given[kind]})
    state = source.state()
    for bad in (bytes(len(state)), b"\x07" + state[1:], state + b"x", b"", state[:-1]):
        if kind == "key" and bad == bytes(len(state)):
            continue
        with pytest.raises(ValueError, match="state"):
            source.restore(bad)
        assert source.state() == state
    source.restore(state)


def test_a_shoe_of_other_cards() -> None:
    shoe = Shoe(bytes(range(52)), Source(seed=1))
    shoe.shuffle()
    numbers, cards, generator = shoe.state()
    for bad in (cards[:-1] + cards[:1], cards[:-1], cards + b"\x00", bytes([200, *cards[1:]])):
        with pytest.raises(ValueError, match="does not fit"):
            shoe.restore((numbers, bad, generator))
    assert shoe.state() == (numbers, cards, generator)
