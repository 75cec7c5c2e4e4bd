"""Every round of tiny shoes: their number and exact expectation, on both engines, pinned.

Lives here: perft-like counts. A shoe is dealt in every order it has and every legal action is taken,
so that a change of any rule's effect changes a number below. Not here: real shoes
(test_differential), published expectations (the analyzer's tests).

A leaf is a finished round, told by the cards it used and the actions taken. "dry" are the points at
which the shoe had no card left. The expectations are those of a player who picks evenly among the
legal actions and of one who draws to 17 and takes no offer, per unit bet, dry rounds counting nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from blackjack.actions import ACTION_SETS, Action
from blackjack.cards import Card
from blackjack.rules import Rules
from blackjack_core.round import Round
from blackjack_core.shoe import Shoe
from reference.engine import IllegalRound, ReferenceRound, total

DONE = 3
# what a position is: the legal actions, the total of the hand that must decide, or the net when over
Position = tuple[list[str], int, Fraction]


@dataclass
class Sums:
    """What the whole tree of a shoe sums up to."""

    leaves: int = 0
    dry: int = 0
    even: Fraction = Fraction(0)
    simple: Fraction = Fraction(0)


def compiled(game: Rules, cards: list[str], actions: list[str], bets: list[int]) -> Position | None:
    """A position of the compiled round; None when it wants another card."""
    round_ = Round(game.compiled, Shoe(bytes(Card(c).code for c in cards)))
    try:
        round_.start(bets)
        for action in actions:
            assert round_.apply(Action(action).code) == 0
    except LookupError:
        return None
    if round_.phase == DONE:
        net = sum(returned - staked for staked, returned in round_.totals())
        return [], 0, Fraction(net, sum(bets))
    total = round_.hand_total(round_.box, round_.turn_hand)
    return sorted(ACTION_SETS[round_.legal]), total, Fraction(0)


def reference(
    game: Rules, cards: list[str], actions: list[str], bets: list[int]
) -> Position | None:
    """The same of the reference engine."""
    try:
        round_ = ReferenceRound(game.to_dict(), bets, cards)
        for action in actions:
            round_.apply(action)
    except IllegalRound as error:
        if "not enough cards" not in str(error):
            raise
        return None
    if round_.done:
        return [], 0, Fraction(round_.result()["net"]) / sum(bets)
    return round_.legal(), total(round_.hand.cards), Fraction(0)


Engine = Callable[[Rules, list[str], list[str], list[int]], Position | None]


def next_cards(shoe: Counter[str], cards: list[str]) -> Iterator[tuple[str, Fraction]]:
    left = shoe - Counter(cards)
    size = left.total()
    for card, n in left.items():
        yield card, Fraction(n, size)


def explore(engine: Engine, game: Rules, shoe: str, bets: list[int]) -> Sums:
    """The tree of all deals and actions."""
    whole = Counter(shoe.split())
    sums = Sums()

    def go(
        cards: list[str], actions: list[str], chance: Fraction, even: Fraction, simple: bool
    ) -> None:
        position = engine(game, cards, actions, bets)
        if position is None:
            if len(cards) == whole.total():
                sums.dry += 1
            for card, weight in next_cards(whole, cards):
                go([*cards, card], actions, chance * weight, even, simple)
            return
        legal, total, net = position
        if not legal:
            sums.leaves += 1
            sums.even += chance * even * net
            if simple:
                sums.simple += chance * net
            return
        chosen = (
            "decline" if "decline" in legal else "hit" if total < 17 and "hit" in legal else "stand"
        )
        for action in legal:
            go(cards, [*actions, action], chance, even / len(legal), simple and action == chosen)

    go([], [], Fraction(1), Fraction(1), True)
    return sums


ACES = "As As As Ts Ts 7d"
PAIRS = "8s 8s 8d Ts Ts 3c"
TWO = "As As 9d 9d Ts Ts"  # for two boxes
MIX = "As Td 9c 7h 6s 5d 2c"
SMALL = "As As 8s 8d Ts Ts 6h 5c"

# Games besides the presets, for the rules that no preset has.
GAMES: dict[str, dict[str, Any]] = {
    "charlie": {"preset": "vegas_strip", "charlie_cards": 3, "charlie_pays": "2:1"},
    "redouble": {
        "preset": "downtown_vegas",
        "redouble": True,
        "double_any_number": True,
        "double_split_aces": True,
    },
    "resplit aces": {"max_ace_hands": 3, "hit_split_aces": True, "split_ace_ten_beats_21": True},
    "original": {
        "preset": "european",
        "dealer_blackjack_takes": "original",
        "surrender": "late",
        "double_on": "any",
    },
    "ties": {
        "dealer_wins_ties": [19, 20, 21],
        "push_on_22": True,
        "insurance_on": ["A", "T"],
        "even_money_on": ["T"],
    },
}

# game and shoe: leaves, dry, expectation of even play, of simple play
PINNED = {
    ("goldfishka", ACES): (248, 140, "-19/1440", "2/15"),
    ("goldfishka", PAIRS): (702, 282, "-1177/2700", "-1/15"),
    ("las_vegas", ACES): (169, 66, "41/180", "7/30"),
    ("las_vegas", PAIRS): (357, 222, "-28/135", "-1/15"),
    ("atlantic_city", ACES): (169, 66, "41/180", "7/30"),
    ("atlantic_city", PAIRS): (357, 222, "-28/135", "-1/15"),
    ("continental", ACES): (273, 109, "-47/2880", "2/15"),
    ("continental", PAIRS): (806, 336, "-47/96", "-1/15"),
    ("romanian", ACES): (190, 108, "181/12960", "2/15"),
    ("romanian", PAIRS): (702, 246, "-589/1350", "-1/15"),
    ("vegas_strip", ACES): (155, 71, "13/7200", "2/15"),
    ("vegas_strip", PAIRS): (702, 282, "-1177/2700", "-1/15"),
    ("downtown_vegas", ACES): (134, 71, "7/1440", "2/15"),
    ("downtown_vegas", PAIRS): (600, 282, "-889/2160", "-1/15"),
    ("single_deck_65", ACES): (134, 57, "-467/6400", "4/75"),
    ("single_deck_65", PAIRS): (600, 177, "-299/720", "-1/15"),
    ("european", ACES): (174, 98, "179/2880", "1/10"),
    ("european", PAIRS): (411, 258, "-46/135", "-1/15"),
    ("atlantic_city_8", ACES): (134, 71, "7/1440", "2/15"),
    ("atlantic_city_8", PAIRS): (600, 282, "-889/2160", "-1/15"),
    ("macau", ACES): (227, 141, "-131/2700", "1/10"),
    ("macau", PAIRS): (552, 558, "-1177/2700", "-1/15"),
    ("goldfishka", TWO): (484, 922, "4153/36000", "1/9"),
    ("romanian", TWO): (502, 674, "38923/486000", "1/9"),
    ("vegas_strip", TWO): (344, 622, "-487/36000", "1/9"),
    ("macau", TWO): (292, 1516, "1033/10125", "1/9"),
    ("charlie", ACES): (147, 40, "1613/3600", "9/20"),
    ("charlie", PAIRS): (621, 258, "337/5400", "23/60"),
    ("redouble", ACES): (182, 136, "-3053/34560", "2/15"),
    ("redouble", PAIRS): (762, 330, "-1967/2160", "-1/15"),
    ("resplit aces", ACES): (134, 107, "9/1280", "2/15"),
    ("resplit aces", PAIRS): (600, 282, "-889/2160", "-1/15"),
    ("original", ACES): (226, 110, "53/900", "1/10"),
    ("original", PAIRS): (584, 462, "-589/1350", "-1/15"),
    ("ties", ACES): (169, 77, "17/320", "1/15"),
    ("ties", PAIRS): (806, 396, "-313/640", "-1/15"),
}
PINNED_SLOW = {
    ("goldfishka", MIX): (18200, 240, "-3587/10080", "-13/315"),
    ("goldfishka", SMALL): (24450, 7664, "-472607/1814400", "1/360"),
    ("las_vegas", MIX): (12072, 0, "-4259/15120", "-13/315"),
    ("las_vegas", SMALL): (13824, 2960, "-37199/544320", "5/72"),
    ("atlantic_city", MIX): (12072, 0, "-4259/15120", "-13/315"),
    ("atlantic_city", SMALL): (13824, 2960, "-37199/544320", "5/72"),
    ("continental", MIX): (19716, 360, "-21241/60480", "-13/315"),
    ("continental", SMALL): (27454, 7000, "-66161/241920", "1/360"),
    ("romanian", MIX): (17416, 240, "-15229/45360", "-7/180"),
    ("romanian", SMALL): (21738, 7928, "-1162291/5443200", "5/504"),
    ("vegas_strip", MIX): (17864, 240, "-3449/10080", "-11/210"),
    ("vegas_strip", SMALL): (19941, 7008, "-84547/362880", "-31/1260"),
    ("downtown_vegas", MIX): (17004, 240, "-83/270", "-11/210"),
    ("downtown_vegas", SMALL): (19354, 7008, "-76679/362880", "-31/1260"),
    ("single_deck_65", MIX): (17004, 240, "-304/945", "-1/15"),
    ("single_deck_65", SMALL): (17746, 3528, "-33431/134400", "-407/6300"),
    ("european", MIX): (12552, 0, "-307/945", "-13/315"),
    ("european", SMALL): (13896, 3736, "-2891/17280", "1/360"),
    ("atlantic_city_8", MIX): (16524, 240, "-1201/3780", "-13/315"),
    ("atlantic_city_8", SMALL): (19639, 5696, "-251/1152", "1/360"),
    ("macau", MIX): (15944, 0, "-5533/15120", "-13/315"),
    ("macau", SMALL): (20156, 6944, "-506711/1814400", "1/360"),
}


def numbers(sums: Sums) -> tuple[int, int, str, str]:
    return sums.leaves, sums.dry, str(sums.even), str(sums.simple)


def count(engine: Engine, name: str, shoe: str) -> tuple[int, int, str, str]:
    bets = [20, 40] if shoe == TWO else [20]
    game = Rules.from_dict(GAMES.get(name, name)).replace(boxes=len(bets))
    return numbers(explore(engine, game, shoe, bets))


@pytest.mark.parametrize("case", PINNED, ids="-".join)
def test_compiled(case: tuple[str, str]) -> None:
    assert count(compiled, *case) == PINNED[case]


@pytest.mark.parametrize("case", [c for c in PINNED if c[1] == ACES], ids="-".join)
def test_reference(case: tuple[str, str]) -> None:
    assert count(reference, *case) == PINNED[case]


@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in PINNED if c[1] != ACES], ids="-".join)
def test_reference_on_more(case: tuple[str, str]) -> None:
    assert count(reference, *case) == PINNED[case]


@pytest.mark.slow
@pytest.mark.parametrize("case", PINNED_SLOW, ids="-".join)
def test_larger_shoes(case: tuple[str, str]) -> None:
    assert count(compiled, *case) == PINNED_SLOW[case]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["goldfishka", "romanian"])
def test_larger_shoes_on_the_reference(name: str) -> None:
    assert count(reference, name, MIX) == PINNED_SLOW[name, MIX]


@pytest.mark.parametrize("engine", [compiled, reference])
def test_by_hand(engine: Engine) -> None:
    """Two aces and two tens, small enough to count on one's fingers."""
    game = Rules(boxes=1, max_hands=1, insurance_on=[])
    # ace-ten against ace-ten in four orders, a push each; two aces against two tens may stand (-1, one
    # deal in six, one action in three) but draw in vain, and whatever two tens do wants another card
    four = explore(engine, game, "As As Ts Ts", [2])
    assert numbers(four) == (5, 2 + 3, "-1/18", "0")
    # three cards are too few for any deal, in each of their three orders
    assert numbers(explore(engine, game, "As Ts Ts", [2])) == (0, 3, "0", "0")
