"""`replay` answers every recorded round as expected, random ones as the reference, and in time."""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from blackjack.history import replay, replay_lines
from reference.engine import IllegalRound, ReferenceRound, play_round
from reference.rules import UPCARDS

DATA = Path(__file__).parent / "data" / "conformance"
FILES = ("houses.jsonl", "custom.jsonl", "faults.json")


def rounds(name: str) -> list[dict[str, Any]]:
    text = (DATA / name).read_text(encoding="utf-8")
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    return [r for fault in json.loads(text) for r in fault.get("rounds", [])]


@pytest.mark.parametrize("name", FILES)
def test_answers_are_those_expected(name: str) -> None:
    records = rounds(name)
    with (DATA / name).open("rb") as lines:
        answers = list(replay_lines(lines))
    assert len(answers) == len(records) > 40
    for record, answer in zip(records, answers, strict=True):
        assert answer == {"id": record["id"], "legal": record["legal"], **record["expect"]}


@pytest.mark.parametrize("name", FILES)
def test_one_action_less_or_more_is_an_error(name: str) -> None:
    for record in rounds(name):
        actions = record["actions"]
        for wrong in ([*actions, "stand"], actions[:-1]):
            if wrong != actions:
                (answer,) = replay_lines(json.dumps({**record, "actions": wrong}))
                assert set(answer) == {"id", "error"}, record["id"]


@pytest.mark.parametrize("name", FILES)
def test_one_card_less_is_an_error_and_more_are_ignored(name: str) -> None:
    for record in rounds(name):
        cards, used = record["cards"].split(), record["expect"]["cards_used"]
        (answer,) = replay_lines(json.dumps({**record, "cards": " ".join(cards[: used - 1])}))
        assert set(answer) == {"id", "error"}, record["id"]
        exact = replay({**record, "cards": " ".join(cards[:used])})
        assert exact == replay({**record, "cards": " ".join([*cards, "As", "Td"])})


def test_1800_rounds_from_the_command_line_take_well_under_two_seconds(tmp_path: Path) -> None:
    lines = [json.dumps(r) for name in FILES for r in rounds(name)]
    file = tmp_path / "rounds.jsonl"
    file.write_text("\n".join((lines * 4)[:1800]), encoding="utf-8")
    before, start = os.times(), time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-m", "blackjack", "replay", str(file)], capture_output=True, check=False
    )
    after, seconds = os.times(), time.perf_counter() - start
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == 1800
    # its own time where that is known: other work on the machine is not what is measured
    own = (
        after.children_user - before.children_user + after.children_system - before.children_system
    )
    assert (own or seconds) < 2


# ---------------------------------------------------------------- against the reference engine


def some(rng: random.Random, items: Iterable[Any]) -> list[Any]:
    return [item for item in items if rng.random() < 0.5]


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Rules with about half of their fields set, all that changes amounts among them."""
    flags = (
        "hit_soft_17 pay_blackjack_at_once blackjack_ties_21 double_soft double_after_split "
        "double_split_aces hit_split_aces hit_on_21 push_on_22 split_ace_ten_beats_21 "
        "double_any_number redouble double_for_less partial_insurance"
    )
    fields: dict[str, Any] = {name: rng.random() < 0.5 for name in flags.split()}
    fields |= {
        "hole_card": rng.choice(["peek", "no_peek", "none"]),
        "peek_on": some(rng, "AT"),
        "upcard": rng.choice(["first", "second"]),
        "dealer_blackjack_takes": rng.choice(["all", "original", "original_and_busted"]),
        "blackjack_pays": rng.choice(["3:2", "6:5", "7:5", "0:1"]),
        "suited_blackjack_pays": rng.choice([None, "2:1", "5:3"]),
        "double_on": rng.choice(["any", [9, 10, 11], some(rng, range(2, 22))]),
        "split_by": rng.choice(["value", "rank"]),
        "surrender": rng.choice(["late", "early"]),
        "surrender_on": some(rng, UPCARDS),
        "surrender_returns": rng.choice(["1:2", "3:4", "1:3"]),
        "insurance_on": some(rng, UPCARDS),
        "insurance_pays": rng.choice(["2:1", "5:2", "10:3"]),
        "insurance_blocks": some(rng, ["hit", "double", "split", "surrender"]),
        "even_money_on": some(rng, UPCARDS),
        "charlie_cards": rng.choice([None, 3, 5, 7]),
        "charlie_pays": rng.choice(["1:1", "3:2", "7:4"]),
        "dealer_wins_ties": some(rng, range(17, 22)),
        "rounding": rng.choice(["down", "up", "exact"]),
    }
    hands = rng.randint(1, 6)
    fields = {name: value for name, value in fields.items() if rng.random() < 0.5}
    return {**fields, "max_hands": hands, "max_ace_hands": rng.randint(1, hands)}


def random_record(rng: random.Random) -> dict[str, Any]:
    """A record of a round played at random under the reference engine, at times a wrong one."""
    rules = random_rules(rng)
    unit = 60 if rules.get("rounding") == "exact" else 1
    bets = [unit * rng.choice([0, rng.randint(1, 99), 2**40 + 1]) for _ in range(rng.randint(1, 4))]
    deck = [rank + suit for rank in rng.choice(["A23456789TJQK", "AATJ238"]) for suit in "cdhs"]
    cards = " ".join(rng.choices(deck, k=rng.choice([20, 90])))
    actions: list[str] = []
    record = {"rules": rules, "bets": bets, "cards": cards, "actions": actions}
    with contextlib.suppress(IllegalRound):
        game = ReferenceRound(rules, bets, cards)
        while not game.done:
            action, part = rng.choice(game.legal()), None
            if action in ("double", "insurance") and rng.random() < 0.7:
                part = rng.randint(1, int(game.limit(action)) or 1)
            actions.append(action if part is None else f"{action}:{part}")
            game.apply(action, part)
    if rng.random() < 0.1:
        actions.append("stand")
    return record


@pytest.mark.parametrize("seed", range(4))
def test_random_rounds_are_answered_as_by_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    right = wrong = parts = ratios = 0
    for _ in range(250):
        record = random_record(rng)
        text = json.dumps(record)
        try:
            expected = play_round(*record.values())
        except IllegalRound:
            (answer,) = replay_lines(text)
            assert set(answer) == {"id", "error"}, text
            wrong += 1
        else:
            assert replay(record) == expected, text
            right += 1
            parts += ":" in "".join(record["actions"])
            ratios += "/" in json.dumps(expected)
    assert right > 100
    assert min(wrong, parts, ratios) > 2
