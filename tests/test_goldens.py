"""Playthroughs of the five houses as documents: what a player is told, asked and paid.

Lives here: the scripts and the comparison with tests/goldens/*.txt. Not here: single rules (the
conformance rounds). `pytest --update-goldens` writes the documents anew; their difference is the review.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from blackjack import Card, Rules, Table, cards_text, hand_total
from blackjack import events as ev
from blackjack.presets import HOUSES

GOLDENS = Path(__file__).parent / "goldens"

# Per house: title, bets by box, cards as they are dealt, decisions.
Script = list[tuple[str, dict[int, int], str, str]]
SCRIPTS: dict[str, Script] = {
    "goldfishka": [
        (
            "two boxes; eleven is doubled, eighteen stands; the dealer's second card lies open",
            {0: 50, 2: 20},
            "6s Th 9c 5h 8d 7h Kd 2s",
            "double stand",
        ),
        ("a blackjack under an ace is paid evenly", {0: 30}, "As 9d Kh Ac", "even_money"),
        ("the same offer declined, and the dealer has one too", {0: 30}, "As Td Kh Ac", "decline"),
        ("insurance lost, the hand won", {1: 40}, "Th 8d Tc Ah", "insurance stand"),
        (
            "insurance won: the dealer's blackjack takes the hand",
            {1: 40},
            "Th Kd 9c Ah",
            "insurance stand",
        ),
        (
            "seven cards and no more than 21 are paid 3:2 at once, whatever the dealer has",
            {0: 10},
            "2s Ah 2h Kd 2d 3c 3d 2c As",
            "hit hit hit hit hit",
        ),
        (
            "king, jack and queen are a pair by value: two splits make three hands",
            {0: 10},
            "Ks 6h Qh 5d Jd 9s 3h 7s 2h 9d 8c",
            "split split stand hit stand double",
        ),
        (
            "split aces are split once and may draw on; ace and ten are no blackjack then",
            {0: 10},
            "As 9h Ad 6d 5c 4h Kc 8s",
            "split hit stand stand",
        ),
        (
            "surrender is early: half comes back though the dealer has a blackjack",
            {0: 20},
            "Ts Ah 6h Kd",
            "surrender",
        ),
        (
            "a dealer's blackjack is seen after play and takes the double too",
            {0: 20},
            "6s Ad 5h Kc Td",
            "double",
        ),
        (
            "a bet of 25: half of it does not come out whole and is rounded down",
            {0: 25},
            "Ts 9h 6h Kd",
            "surrender",
        ),
    ],
    "las_vegas": [
        ("a suited blackjack pays 2:1; the dealer draws no second card", {0: 10}, "As 9d Ks", ""),
        ("another one pays 3:2", {0: 10}, "As 9d Kh", ""),
        ("under an ace it waits for the dealer's second card", {0: 10}, "As Ad Kh Kd", "decline"),
        ("an ace counts one for doubling: A-8 is a nine", {0: 10}, "As 6d 8h Tc Th 9c", "double"),
        (
            "aces are split once, get one card each, and make an ordinary 21",
            {0: 10},
            "As 6d Ah Kd 5c Th 2c",
            "split",
        ),
        ("insurance wins 2:1, the hand is lost", {0: 10}, "Th Ad 9c Kd", "insurance stand"),
        ("no card on a total of 21: the hand is passed by", {0: 10}, "7s 5d 7h 7d Th 9c", "hit"),
        ("eight may not be doubled", {0: 10}, "5s 5d 3h 9c Ts 2h", "hit stand"),
        ("a busted hand: the dealer keeps one card", {0: 10}, "Ts 5d 6h 9c", "hit"),
    ],
    "atlantic_city": [
        (
            "two hands at the most, and double after a split",
            {0: 20},
            "8s 6d 8h 3d 8c 8d 5c Th 9c",
            "split double hit",
        ),
        ("a pair of tens by value", {0: 20}, "Ts 6d Kh 9c Js 5d Th", "split stand stand"),
        (
            "a dealer's blackjack after play takes double and split",
            {0: 20},
            "5s Td 6h Ts Ah",
            "double",
        ),
        ("and beats a player's 21", {0: 20}, "7s Td 7h 7d Ah", "hit"),
        ("both have a blackjack", {0: 20}, "As Td Kh Ad", ""),
        ("17 is stood on, a soft one too", {0: 20}, "Ts Ah 8h 6d", "decline stand"),
    ],
    "continental": [
        (
            "a blackjack under a low card is paid before the others play",
            {0: 10, 1: 10},
            "As Th 9c Kh 8d 7h 5s",
            "stand",
        ),
        ("even money under a ten too", {0: 10}, "As 9c Kh Qd", "even_money"),
        ("insurance under a ten", {0: 10}, "Th Ac 9h Kd", "insurance stand"),
        ("aces are split once and get one card each", {0: 10}, "As 9h Ad 6d 5c Kc 8s", "split"),
        ("two hands at the most", {0: 10}, "8s 9h 8d 6d 8c 8h 2s", "split stand stand"),
        ("no surrender; the dealer's blackjack takes all", {0: 10}, "Ts Ah 6h Kd", "decline stand"),
    ],
    "romanian": [
        (
            "under an ace the dealer looks when insurance is settled; the insured box may hit and stand",
            {0: 40},
            "8s Ad 8h 9c 5d",
            "insurance hit stand",
        ),
        (
            "declined, it may split; the dealer had looked",
            {0: 40},
            "8s Ad 8h 5c 3d Td 2s 9d 3h",
            "decline split double hit stand",
        ),
        ("insurance pays 5:2", {0: 40}, "Ts Ad 9h Kc", "insurance"),
        ("surrender before the dealer looks", {0: 40}, "Ts Ad 6h Kc", "surrender"),
        (
            "under a ten nobody looks; a 21 ties the dealer's blackjack",
            {0: 40},
            "7s Td 7h Ac 7d",
            "hit stand",
        ),
        ("but a twenty loses to it, doubled too", {0: 40}, "6s Td 5h Ac 9d", "double"),
        (
            "split aces may draw on and double",
            {0: 40},
            "As 6d Ah Tc 3d 7s 9c 5h",
            "split double stand",
        ),
        ("surrender in play", {0: 40}, "Ts 9d 6h Kc", "surrender"),
        ("a blackjack pays 3:2", {0: 40}, "As 9d Kh Kc", ""),
    ],
}


def hand_text(cards: tuple[Card, ...]) -> str:
    total, soft = hand_total(cards)
    return f"{cards_text(cards)} ({'soft ' if soft else ''}{total})"


def event_text(event: ev.Event) -> str | None:
    """An event as a line; None for those that are told in another way."""
    if isinstance(event, ev.CardDealt):
        return f"box {event.box} hand {event.hand} gets {event.card}"
    if isinstance(event, ev.DealerCardDealt):
        return f"the dealer gets {event.card or 'a card, face down'}"
    if isinstance(event, ev.Peeked):
        return f"the dealer looks: {'a blackjack' if event.blackjack else 'no blackjack'}"
    if isinstance(event, ev.HoleCardOpened):
        return f"the dealer turns {event.card}"
    if isinstance(event, ev.HandSettled):
        return f"box {event.box} hand {event.hand}: {event.outcome}, {event.returned} come back"
    if isinstance(event, ev.InsuranceSettled):
        result = "won" if event.won else "lost"
        return f"box {event.box}: insurance {result}, {event.returned} come back"
    if isinstance(event, ev.BetReturned):
        return f"box {event.box} hand {event.hand}: {event.amount} of the bet come back"
    if isinstance(event, ev.Shuffled):
        return "the cards are shuffled"
    return None


class Playthrough:
    """One house's document."""

    def __init__(self, house: str) -> None:
        self.house = house
        self.lines: list[str] = []
        script = SCRIPTS[house]
        self.table = Table(house, cards=" ".join(cards for _, _, cards, _ in script), balance=1000)
        self.told = 0

    def write(self, text: str = "", indent: int = 0) -> None:
        self.lines.append("  " * indent + text if text else "")

    def text(self) -> str:
        rules = Rules.preset(self.house)
        self.write(f"{self.house}: a playthrough. Written by tests/test_goldens.py.")
        self.write()
        for line in rules.describe().splitlines():
            self.write(line, 1)
        for number, (title, bets, cards, actions) in enumerate(SCRIPTS[self.house], 1):
            self.write()
            self.write(f"Round {number}: {title}.")
            self.play(bets, cards, actions.split())
        return "\n".join(self.lines) + "\n"

    def play(self, bets: dict[int, int], cards: str, actions: list[str]) -> None:
        table = self.table
        left = table.shoe_left
        before = table.balance()
        for box, amount in bets.items():
            table.bet(box, amount)
            self.write(f"bet {amount} on box {box}; balance {table.balance()}", 1)
        table.deal()
        self.told = 0
        self.tell()
        for action in actions:
            self.ask(action)
            table.act(action)
            self.tell()
        assert table.turn is None, f"{self.house}: {table.turn!r} must decide"
        assert left is not None
        assert table.shoe_left == left - len(cards.split()), f"{self.house}: not all cards dealt"
        self.settled(before)

    def tell(self) -> None:
        for event in self.table.events[self.told :]:
            line = event_text(event)
            if line is not None:
                self.write(line, 1)
        self.told = len(self.table.events)

    def ask(self, action: str) -> None:
        turn = self.table.turn
        assert turn is not None, f"{self.house}: nobody must decide, but the script has {action!r}"
        what = "offered" if turn.offer else "to play"
        self.write(
            f"box {turn.box} hand {turn.hand_index}, {hand_text(turn.hand.cards)}, against {turn.upcard}, {what}:",
            1,
        )
        names = sorted(str(a) for a in turn.actions)
        legal = [f"{n} ({self.table.cost(n)})" if self.table.cost(n) else n for n in names]
        self.write(f"legal: {', '.join(legal)}", 2)
        reasons = {n: self.table.why_not(n) for n in ("hit", "double", "split", "surrender")}
        if not turn.offer:
            for name, why in reasons.items():
                if why is not None:
                    self.write(f"not {name}: {why}", 2)
        self.write(f"> {action}", 2)

    def settled(self, before: int | None) -> None:
        table = self.table
        done = table.settlement
        assert done is not None
        self.write(f"dealer: {hand_text(done.dealer)}; {done.cards_used} cards used", 1)
        for box in done.boxes:
            for i, hand in enumerate(box.hands):
                self.write(
                    f"box {box.box} hand {i}: {hand_text(hand.cards)}, bet {hand.bet}, {hand.outcome},"
                    f" returned {hand.returned}",
                    1,
                )
            if box.insurance:
                self.write(
                    f"box {box.box} insurance: {box.insurance}, returned {box.insurance_returned}",
                    1,
                )
        self.write(f"net {done.net:+}; balance {table.balance()}", 1)
        assert before is not None
        assert table.balance() == before + done.net


@pytest.mark.parametrize("house", HOUSES)
def test_playthrough(house: str, update_goldens: bool) -> None:
    path = GOLDENS / f"{house}.txt"
    text = Playthrough(house).text()
    if update_goldens:
        path.write_text(text, encoding="utf-8", newline="\n")
    golden = path.read_text(encoding="utf-8")
    difference = "\n".join(
        difflib.unified_diff(golden.splitlines(), text.splitlines(), "golden", "now", lineterm="")
    )
    assert golden == text, difference


def test_every_house_has_a_playthrough_and_nothing_else_has() -> None:
    assert sorted(path.stem for path in GOLDENS.iterdir()) == sorted(HOUSES)
    assert sorted(SCRIPTS) == sorted(HOUSES)
    assert sum(len(script) for script in SCRIPTS.values()) >= 40
