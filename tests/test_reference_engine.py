"""The reference engine against the recorded rounds, and against rare rules computed by hand.

What does not live here: comparing it with the compiled engine.
"""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path
from typing import Any

import pytest

from reference import engine
from reference.engine import IllegalRound, ReferenceRound, play_round
from reference.rules import PRESETS

CONFORMANCE = Path(__file__).parent / "data" / "conformance"


def recorded_rounds() -> list[dict[str, Any]]:
    """All rounds of the conformance files."""
    rounds: list[dict[str, Any]] = []
    for name in ("houses.jsonl", "custom.jsonl"):
        lines = (CONFORMANCE / name).read_text(encoding="utf-8").splitlines()
        rounds += [json.loads(line) for line in lines]
    for fault in json.loads((CONFORMANCE / "faults.json").read_text(encoding="utf-8")):
        rounds += fault.get("rounds", [])
    return rounds


ROUNDS = recorded_rounds()


def test_all_rounds_are_there() -> None:
    assert len(ROUNDS) == len({record["id"] for record in ROUNDS}) == 546


@pytest.mark.parametrize("record", ROUNDS, ids=[record["id"] for record in ROUNDS])
def test_recorded_round(record: dict[str, Any]) -> None:
    answer = play_round(record["rules"], record["bets"], record["cards"], record["actions"])
    assert answer == {**record["expect"], "legal": record["legal"]}


def test_independence() -> None:
    for path in Path(engine.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert "blackjack" not in ast.unparse(node)


# -- rare rules, by hand: rules, bets, cards, actions, dealer's cards, hands, net.
# A hand is "outcome bet returned"; boxes follow one another.
BY_HAND: dict[str, tuple[dict[str, Any], list[int], str, str, str, list[str], Any]] = {
    # dealer 22
    "22 pushes, not a 23": (
        {"push_on_22": True}, [10], "Th 6d 9c 6s Td", "stand", "6d 6s Td", ["push 10 10"], 0),
    "23 still loses": (
        {"push_on_22": True}, [10], "Th 6d 9c 7s Td", "stand", "6d 7s Td", ["win 10 20"], 10),
    "22 pushes a double, pays a natural": (
        {"push_on_22": True}, [10, 10], "6h Ah 6d 5c Kc 6s Th Td", "double",
        "6d 6s Td", ["push 20 20", "blackjack 10 25"], 15),
    "22 pushes, a charlie is paid": (
        {"push_on_22": True, "charlie_cards": 3}, [10, 10], "2h Th 6d 3c 9c 6s 4h Td", "hit stand",
        "6d 6s Td", ["charlie 10 20", "push 10 10"], 10),
    # ties
    "dealer wins a tie of 17": (
        {"dealer_wins_ties": [17]}, [10], "Th 7d 7c Ts", "stand", "7d Ts", ["lose 10 0"], -10),
    "a tie of 18 pushes": (
        {"dealer_wins_ties": [17]}, [10], "Th 8d 8c Ts", "stand", "8d Ts", ["push 10 10"], 0),
    "all ties, but two naturals push": (
        {"dealer_wins_ties": True}, [10], "Ah Td Tc As", "", "Td As", ["push 10 10"], 0),
    "21 ties a dealer blackjack": (
        {"hole_card": "no_peek", "blackjack_ties_21": True}, [10], "7h Td 7c As 7s", "hit stand",
        "Td As", ["push 10 10"], 0),
    "such a tie may be the dealer's": (
        {"hole_card": "no_peek", "blackjack_ties_21": True, "dealer_wins_ties": [21]}, [10],
        "7h Td 7c As 7s", "hit stand", "Td As", ["lose 10 0"], -10),
    # ace-ten after a split
    "split ace-ten beats a 21": (
        {"split_ace_ten_beats_21": True}, [10], "Ah 6d Ac Ts Kd 9h 5s", "split",
        "6d Ts 5s", ["win 10 20", "lose 10 0"], 0),
    "split ten-ace too, and no natural's price": (
        {"split_ace_ten_beats_21": True, "hit_on_21": False}, [10],
        "Th 6d Tc Ts Ad 9h 5s", "split stand", "6d Ts 5s", ["win 10 20", "lose 10 0"], 0),
    "split ace-ten against a blackjack": (
        {"split_ace_ten_beats_21": True, "hole_card": "none"}, [10],
        "Ah Td Ac Kd 9h As", "split", "Td As", ["lose 10 0", "lose 10 0"], -20),
    "the same where a 21 ties it": (
        {"split_ace_ten_beats_21": True, "blackjack_ties_21": True, "hole_card": "none"}, [10],
        "Ah Td Ac Kd 9h As", "split", "Td As", ["push 10 10", "lose 10 0"], -10),
    "a three-card 21 after a split is ordinary": (
        {"split_ace_ten_beats_21": True}, [10], "8h 6d 8c Ts 3d Th Ts 5s",
        "split hit stand stand", "6d Ts 5s", ["push 10 10", "lose 10 0"], -10),
    "a tie of two split cards is a tie": (
        {"split_ace_ten_beats_21": True}, [10], "9h 8d 9c Ts 9s Th", "split stand stand",
        "8d Ts", ["push 10 10", "win 10 20"], 10),
    # what a dealer blackjack takes
    "original: the refund goes in hand order": (
        {"hole_card": "none", "dealer_blackjack_takes": "original"}, [10],
        "8h Td 8c 3d 4s 3c Ts As", "split double double", "Td As",
        ["lose 20 20", "lose 20 10"], -10),
    "original: a second card for busted hands alone": (
        {"hole_card": "none", "dealer_blackjack_takes": "original"}, [10],
        "Th Td Tc 6d Kd 5d Kc As", "split hit hit", "Td As", ["bust 10 10", "bust 10 0"], -10),
    "original: a doubled and busted hand alone": (
        {"hole_card": "none", "dealer_blackjack_takes": "original"}, [10],
        "Th Td 6c 8d As", "double", "Td As", ["bust 20 10"], -10),
    "all: busted hands need no second card": (
        {"hole_card": "none", "surrender": "late"}, [10],
        "Th Td 6c 8d As", "double", "Td", ["bust 20 0"], -20),
    "original and busted: the busted stay lost": (
        {"hole_card": "none", "dealer_blackjack_takes": "original_and_busted"}, [100],
        "8h Td 8c 3h Kc 7d 9s As", "split double hit", "Td As",
        ["lose 200 100", "bust 100 0"], -200),
    "original and busted: one stands, one busts": (
        {"hole_card": "no_peek", "dealer_blackjack_takes": "original_and_busted"}, [10],
        "8h Td 8c As 5d Td 9d", "split hit stand", "Td As", ["bust 10 0", "lose 10 0"], -20),
    "original: a push is not a loss": (
        {"hole_card": "none", "dealer_blackjack_takes": "original", "blackjack_ties_21": True},
        [10], "8h Td 8c 3d Ts 3c 7c As", "split double double", "Td As",
        ["push 20 20", "lose 20 10"], -10),
    "original: only under a dealer blackjack": (
        {"hole_card": "none", "dealer_blackjack_takes": "original"}, [10],
        "6h Td 5c 2s Ks", "double", "Td Ks", ["lose 20 0"], -20),
    # surrender
    "late surrender, ten not peeked under, blackjack": (
        {"peek_on": ["A"], "surrender": "late"}, [10], "Th Kd 6c As", "surrender",
        "Kd As", ["lose 10 0"], -10),
    "late surrender without a hole card waits for it": (
        {"hole_card": "none", "surrender": "late"}, [10], "Th Kd 6c 9s 2c", "surrender",
        "Kd 9s", ["surrender 10 5"], -5),
    "late surrender against a nine does not": (
        {"hole_card": "none", "surrender": "late"}, [10], "Th 9d 6c 9s 2c", "surrender",
        "9d", ["surrender 10 5"], -5),
    "early surrender without a peek is settled for good": (
        {"hole_card": "none", "surrender": "early"}, [10], "Th Kd 6c As", "surrender",
        "Kd", ["surrender 10 5"], -5),
    "a quarter comes back": (
        {"surrender": "late", "surrender_returns": "1:4"}, [10], "Th 9d 6c 9s", "surrender",
        "9d 9s", ["surrender 10 5/2"], "-15/2"),
    # insurance and even money
    "insurance outlives a busted hand": (
        {"hole_card": "none"}, [10], "Th Ad 6c Ks Kd", "insurance hit",
        "Ad Kd", ["bust 10 0"], 0),
    "insurance outlives an early surrender": (
        {"hole_card": "no_peek", "surrender": "early"}, [10], "Th Ad 6c Ks", "insurance surrender",
        "Ad Ks", ["surrender 10 5"], 5),
    "half of an odd bet": (
        {}, [15], "Th Ad 6c Ks", "insurance", "Ad Ks", ["lose 15 0"], 0),
    "part of an insurance": (
        {"partial_insurance": True}, [20], "Ah Ad Kh Kc", "insurance:5",
        "Ad Kc", ["push 20 20"], 10),
    "part of an insurance, lost": (
        {"partial_insurance": True}, [20], "Ah Ad Kh 7c", "insurance:5",
        "Ad 7c", ["blackjack 20 50"], 25),
    "even money against a blackjack": (
        {"even_money_on": ["A"]}, [10], "Ah Ad Kh Kc", "even_money",
        "Ad Kc", ["even_money 10 20"], 10),
    "even money settles: no second card": (
        {"even_money_on": ["T"], "hole_card": "none"}, [10], "Ah Td Kh Ac", "even_money",
        "Td", ["even_money 10 20"], 10),
    # charlie
    "a doubled charlie beats a dealer blackjack": (
        {"hole_card": "no_peek", "charlie_cards": 3, "charlie_pays": "3:2"}, [10],
        "5h Td 6c As 2h", "double", "Td As", ["charlie 20 50"], 30),
    "a split charlie needs no dealer card": (
        {"hole_card": "none", "charlie_cards": 3}, [10], "8h 9d 8c 2d 3d 2h 3h 9c",
        "split hit hit", "9d", ["charlie 10 20", "charlie 10 20"], 20),
    "split and doubled charlies leave no bet open under a ten": (
        {"hole_card": "none", "charlie_cards": 3, "dealer_blackjack_takes": "original"}, [10],
        "8h Td 8c 2d 3d 2h 3h As", "split hit double", "Td",
        ["charlie 10 20", "charlie 20 40"], 30),
    # doubles
    "double for less": (
        {"double_for_less": True}, [100], "6h 6d 5c Ts Th 9h", "double:40",
        "6d Ts 9h", ["win 140 280"], 140),
    "double for the least": (
        {"double_for_less": True}, [100], "6h 6d 5c Ts Th 9h", "double:1",
        "6d Ts 9h", ["win 101 202"], 101),
    "redouble up to four bets": (
        {"redouble": True}, [10], "4h 6d 5c Ts 2h 9h 9c",
        "double double stand", "6d Ts 9c", ["win 40 80"], 40),
    "redouble for less, then no more": (
        {"redouble": True, "double_for_less": True, "double_on": [9, 10, 11]}, [10],
        "4h 6d 5c Ts 2h 9h 9c", "double:4 double:14", "6d Ts 9c", ["win 28 56"], 28),
    "a doubled hand may stand": (
        {"redouble": True}, [10], "4h 6d 5c Ts 2h 9c", "double stand",
        "6d Ts 9c", ["win 20 40"], 20),
    "a redouble keeps to the totals": (
        {"redouble": True, "double_on": [9]}, [10], "4h 6d 5c Ts 2h 9c", "double",
        "6d Ts 9c", ["win 20 40"], 20),
    "double on three cards": (
        {"double_any_number": True}, [10], "4h 6d 3c Ts 2h Th 9c", "hit double",
        "6d Ts 9c", ["win 20 40"], 20),
    "split aces doubled though not hit": (
        {"double_split_aces": True}, [10], "Ah 6d Ac Ts 7d 9d 8d 2h 9c", "split double double",
        "6d Ts 9c", ["win 20 40", "win 20 40"], 40),
    # rounding, where it is named
    "natural rounded down": (
        {"rounding": "down"}, [5], "Ah 6d Kc Ts", "", "6d Ts", ["blackjack 5 12"], 7),
    "natural rounded up": (
        {"rounding": "up"}, [5], "Ah 6d Kc Ts", "", "6d Ts", ["blackjack 5 13"], 8),
    "natural not rounded": (
        {}, [5], "Ah 6d Kc Ts", "", "6d Ts", ["blackjack 5 25/2"], "15/2"),
    "insurance stake rounded down": (
        {"rounding": "down"}, [5], "Th Ad 6c Ks", "insurance", "Ad Ks", ["lose 5 0"], -1),
    "insurance stake rounded up": (
        {"rounding": "up"}, [5], "Th Ad 6c Ks", "insurance", "Ad Ks", ["lose 5 0"], 1),
    "surrender rounded down": (
        {"rounding": "down", "surrender": "late"}, [5], "Th 9d 6c 9s", "surrender",
        "9d 9s", ["surrender 5 2"], -3),
    "exact, and nothing that could be a fraction": (
        {"rounding": "exact", "blackjack_pays": "1:1", "insurance_on": []}, [5],
        "Th 6d 9c Ts Kd", "stand", "6d Ts Kd", ["win 5 10"], 5),
    # the real-world presets
    "european doubles lose in full": (
        {"preset": "european"}, [10], "6h Td 5c 9s As", "double", "Td As", ["lose 20 0"], -20),
    "macau surrenders early to a ten": (
        {"preset": "macau"}, [10], "6h Td Tc As", "surrender", "Td", ["surrender 10 5"], -5),
    "single_deck_65 pays 6:5": (
        {"preset": "single_deck_65"}, [10], "Ah 9d Tc Ts", "", "9d Ts", ["blackjack 10 22"], 12),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_by_hand(name: str) -> None:
    rules, bets, cards, actions, dealer, hands, net = BY_HAND[name]
    answer = play_round(rules, bets, cards, actions.split())
    found = [
        f"{hand['outcome']} {hand['bet']} {hand['returned']}"
        for box in answer["boxes"]
        for hand in box["hands"]
    ]
    assert (answer["dealer"], found, answer["net"]) == (dealer, hands, net)


LEGAL: dict[str, tuple[Any, list[int], str, str, str]] = {
    "early surrender is offered before a peek": (
        {"surrender": "early"}, [10], "Th Kd 6c 9s", "", "decline surrender"),
    "and again in play": (
        {"surrender": "early"}, [10], "Th Kd 6c 9s", "decline", "double hit stand surrender"),
    "if under this upcard": (
        {"surrender": "early", "surrender_on": ["A"]}, [10], "Th Kd 6c 9s", "",
        "double hit stand"),
    "but not to a blackjack": (
        {"surrender": "early"}, [10], "Ah Ad Kc 9s", "", "decline insurance"),
    "not where the dealer does not peek": (
        {"surrender": "early", "peek_on": ["A"]}, [10], "Th Kd 6c 9s", "",
        "double hit stand surrender"),
    "not under another upcard": (
        {"surrender": "late", "surrender_on": ["T"]}, [10], "Th 9d 6c 9s", "", "double hit stand"),
    "even money instead of insurance": (
        {"even_money_on": ["A"]}, [10], "Ah Ad Kc 9s", "", "decline even_money"),
    "insurance under a ten": (
        {"insurance_on": ["T"]}, [10], "Th Kd 6c 9s", "", "decline insurance"),
    "no insurance of nothing": (
        {"rounding": "down"}, [1], "Th Ad 6c 9s", "", "double hit stand"),
    "an insured box that may not hit is not asked for a hit": (
        {"insurance_blocks": ["hit", "surrender"], "surrender": "late"}, [10], "Th Ad 6c 9s",
        "insurance", "double stand"),
    "an empty box is not asked": (
        {}, [0, 10], "Th Ad 6c 9s", "", "decline insurance"),
    "split aces that may split again": (
        {"max_ace_hands": 3}, [10], "Ah 6d Ac Ts As", "split", "split stand"),
    "split aces that may double": (
        {"double_split_aces": True}, [10], "Ah 6d Ac Ts 7d", "split", "double stand"),
    "only with doubles after splits": (
        {"double_split_aces": True, "double_after_split": False, "hit_split_aces": True}, [10],
        "Ah 6d Ac Ts 7d", "split", "hit stand"),
    "a 21 that may be hit is asked": (
        {"double_on": [11]}, [10], "7h 6d 7c Ts 7d", "hit", "hit stand"),
    "soft 19 counts 9 where doubles do": (
        {"double_on": [9]}, [10], "Ah 6d 8c Ts", "", "double hit stand"),
    "not where soft hands may not": (
        {"double_on": [9], "double_soft": False}, [10], "Ah 6d 8c Ts", "", "hit stand"),
    "an ace that counts 1 is not soft": (
        {"double_on": [16], "double_soft": False, "double_any_number": True}, [10],
        "Ah 6d 5c Ts Kd", "hit", "double hit stand"),
    "a doubled hand may not hit": (
        {"redouble": True}, [10], "4h 6d 5c Ts 2h", "double", "double stand"),
    "a redoubled 21 where 21 is final": (
        {"redouble": True, "hit_on_21": False}, [10, 10], "4h Th 6d 7c 9c Ts Th", "double",
        "double hit stand"),
    "unlike faces by rank": (
        {"split_by": "rank"}, [10], "Kh 6d Qc Ts", "", "double hit stand"),
    "nothing after the end": (
        {}, [10], "Kh 7d Qc Ts", "stand", ""),
    "no splits": (
        {"max_hands": 1, "max_ace_hands": 1}, [10], "Kh 6d Kc Ts", "", "double hit stand"),
}  # fmt: skip


@pytest.mark.parametrize("name", LEGAL)
def test_legal(name: str) -> None:
    rules, bets, cards, actions, legal = LEGAL[name]
    current = ReferenceRound(rules, bets, cards)
    for action in actions.split():
        current.apply(action)
    assert current.legal() == legal.split()


ERRORS: dict[str, tuple[Any, Any, str, str]] = {
    "not enough cards to deal": ({}, [10], "Th 6d 9c", ""),
    "not enough cards for the dealer": ({}, [10], "Th 6d 9c Ts", "stand"),
    "actions run out": ({}, [10], "Th 6d 9c Ts", ""),
    "an action too many": ({}, [10], "Th 9d 9c Ts", "stand stand"),
    "hit before the offer is answered": ({}, [10], "Th Ad 9c Ts", "hit"),
    "no pair": ({}, [10], "Th 9d 9c Ts", "split"),
    "unknown action": ({}, [10], "Th 9d 9c Ts", "stick"),
    "amount of a stand": ({}, [10], "Th 9d 9c Ts", "stand:1"),
    "double for less without the rule": ({}, [10], "6h 9d 5c Ts 2c", "double:5"),
    "double of nothing": ({"double_for_less": True}, [10], "6h 9d 5c Ts 2c", "double:0"),
    "double for more": ({"double_for_less": True}, [10], "6h 9d 5c Ts 2c", "double:11"),
    "amount that is none": ({"double_for_less": True}, [10], "6h 9d 5c Ts 2c", "double:-5"),
    "insurance above half": ({"partial_insurance": True}, [10], "6h Ad 5c Ts", "insurance:6"),
    "amount that is text": ({"double_for_less": True}, [10], "6h 9d 5c Ts 2c", "double:x"),
    "not a suit": ({}, [10], "Th 9x 9c Ts", "stand"),
    "three letters": ({}, [10], "Thh 9d 9c Ts", "stand"),
    "not a card": ({}, [10], "Th 9d 1c Ts", "stand"),
    "no bet": ({}, [0, 0], "Th 9d 9c Ts", ""),
    "negative bet": ({}, [-10], "Th 9d 9c Ts", "stand"),
    "float bet": ({}, [10.0], "Th 9d 9c Ts", "stand"),
    "bool bet": ({}, [True], "Th 9d 9c Ts", "stand"),
    "unknown preset": ("reno", [10], "Th 9d 9c Ts", "stand"),
    "unknown rule": ({"soft_17": True}, [10], "Th 9d 9c Ts", "stand"),
    "unknown value": ({"hole_card": "maybe"}, [10], "Th 9d 9c Ts", "stand"),
    "not a ratio": ({"blackjack_pays": "3:x"}, [10], "Th 9d 9c Ts", "stand"),
    "peek under a nine": ({"peek_on": ["9"]}, [10], "Th 9d 9c Ts", "stand"),
    "more ace hands than hands": ({"max_hands": 1}, [10], "Th 9d 9c Ts", "stand"),
    "exact, and 3:2 of 5": ({"rounding": "exact"}, [5], "Th 9d 9c Ts", "stand"),
    "exact, and half of 5 back": (
        {"rounding": "exact", "blackjack_pays": "1:1", "insurance_on": [], "surrender": "late"},
        [5], "Th 9d 9c Ts", "stand"),
    "exact, and half of 5 insured": (
        {"rounding": "exact", "blackjack_pays": "1:1"}, [5], "Th 9d 9c Ts", "stand"),
    "exact, and a charlie's 3:2 of 5": (
        {"rounding": "exact", "blackjack_pays": "1:1", "insurance_on": [], "charlie_cards": 5,
         "charlie_pays": "3:2"}, [5], "Th 9d 9c Ts", "stand"),
    "exact, and a charlie's 3:2 of 21": (
        {"rounding": "exact", "double_for_less": True, "charlie_cards": 3, "charlie_pays": "3:2"},
        [20], "2h 9d 3c Ts 2c", "double:1"),
    "exact, and 5:2 of 1": (
        {"rounding": "exact", "partial_insurance": True, "insurance_pays": "5:2"}, [20],
        "6h Ad 5c Ts", "insurance:1"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_refused(name: str) -> None:
    rules, bets, cards, actions = ERRORS[name]
    with pytest.raises(IllegalRound):
        play_round(rules, bets, cards, actions.split())


def test_ten_is_read_as_t_and_surplus_cards_are_ignored() -> None:
    answer = play_round({}, [10], "10h 9d 9c 10s 2c", ["stand"])
    assert (answer["boxes"][0]["hands"][0]["cards"], answer["dealer"]) == ("Th 9c", "9d Ts")
    assert answer["cards_used"] == 4


def test_empty_box() -> None:
    boxes = play_round({}, [0, 10], "Th 9d 9c Ts", ["stand"])["boxes"]
    nothing = {"insurance": 0, "insurance_returned": 0, "staked": 0, "returned": 0, "net": 0}
    assert boxes[0] == {"hands": [], **nothing}


@pytest.mark.parametrize("preset", PRESETS)
def test_random_play_replays(preset: str) -> None:
    rng = random.Random(preset)
    shoe = [rank + suit for rank in engine.RANKS for suit in engine.SUITS] * 2
    for _ in range(50):
        rng.shuffle(shoe)
        current = ReferenceRound(preset, [10, 0, 20], shoe)
        actions = []
        while not current.done:
            actions.append(rng.choice(current.legal()))
            current.apply(actions[-1])
        answer = current.result()
        assert answer == play_round(preset, [10, 0, 20], " ".join(shoe), actions)
        dealt = answer["dealer"].split()
        for box in answer["boxes"]:
            for hand in box["hands"]:
                dealt += hand["cards"].split()
        assert sorted(dealt) == sorted(shoe[: answer["cards_used"]])
