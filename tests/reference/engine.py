"""The slow, obvious statement of the rules that the compiled engine is tested against.

One round at a time, cards as two-letter text, money as fractions, every rule spelled out where it
applies. What does not live here: the fields and presets (`rules`), shoes, tables, limits, events,
and anything shared with the product: written from the rules alone, it imports nothing it checks.

    play_round(rules, bets, cards, actions)     the answer of `replay` for a recorded round
    ReferenceRound(rules, bets, cards)          the same, a decision at a time

`rules` is a preset's name, a dict of some or all fields, or such a dict with a "preset". Amounts
are exact fractions unless the rules name a `rounding`; `None` counts as not named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .rules import IllegalRound, complete_rules

__all__ = ["IllegalRound", "ReferenceRound", "play_round"]

RANKS = "A23456789TJQK"
SUITS = "cdhs"
ACTIONS = ["hit", "stand", "double", "split", "surrender", "insurance", "even_money", "decline"]

# ---------------------------------------------------------------------------------------- cards


def read_cards(cards: str | Sequence[str]) -> list[str]:
    """Cards as a list of two-letter texts; `10` is read as `T`."""
    words = cards.split() if isinstance(cards, str) else list(cards)
    words = ["T" + word[2:] if word.startswith("10") else word for word in words]
    for word in words:
        if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
            raise IllegalRound(f"not a card: {word!r}")
    return words


def value_name(card: str) -> str:
    """A, 2 to 9, or T for any ten-value card: the card's value as people print it."""
    return "T" if card[0] in "TJQK" else card[0]


def low_total(cards: list[str]) -> int:
    """The total with every ace as 1."""
    points = {"A": 1, "T": 10}
    return sum(points.get(name) or int(name) for name in map(value_name, cards))


def is_soft(cards: list[str]) -> bool:
    """Whether an ace counts 11."""
    return any(card[0] == "A" for card in cards) and low_total(cards) + 10 <= 21


def total(cards: list[str]) -> int:
    """The best total."""
    return low_total(cards) + 10 if is_soft(cards) else low_total(cards)


# ---------------------------------------------------------------------------------------- round


@dataclass
class Hand:
    """A hand of a box. `outcome` is None until it is known."""

    cards: list[str]
    bet: Fraction
    from_split: bool = False
    doubled: bool = False
    stood: bool = False
    surrendered: bool = False
    outcome: str | None = None
    returned: Fraction = Fraction(0)

    @property
    def is_blackjack(self) -> bool:
        return len(self.cards) == 2 and total(self.cards) == 21 and not self.from_split

    @property
    def is_split_ace(self) -> bool:
        return self.from_split and self.cards[0][0] == "A"

    @property
    def depends_on_dealer_total(self) -> bool:
        return self.outcome is None and not self.surrendered and not self.is_blackjack


@dataclass
class Box:
    """A box: its original bet, its hands in order, its insurance."""

    bet: Fraction
    hands: list[Hand] = field(default_factory=list)
    insurance: Fraction = Fraction(0)
    insurance_returned: Fraction = Fraction(0)


class ReferenceRound:
    """A round, dealt at once and then played by `apply` until it is `done`."""

    def __init__(
        self, rules: str | Mapping[str, Any], bets: Sequence[int], cards: str | Sequence[str]
    ) -> None:
        self.rules = complete_rules(rules)
        self.cards = read_cards(cards)
        self.cards_used = 0
        self.dealer: list[str] = []
        self.legal_before: list[list[str]] = []
        self._check_bets(bets)
        self.boxes = [Box(Fraction(bet)) for bet in bets]
        self.phase = "offers"
        self.box_index = 0
        self.hand_index = 0
        self._deal()
        self._go_on()

    def _check_bets(self, bets: Sequence[int]) -> None:
        for bet in bets:
            if isinstance(bet, bool) or not isinstance(bet, int) or bet < 0:
                raise IllegalRound(f"not a bet: {bet!r}")
        if not any(bets):
            raise IllegalRound("no box has a bet")
        for bet in bets:
            self._must_come_out_whole(self._factors_of_a_bet(), bet, "bet")

    def _factors_of_a_bet(self) -> list[Fraction]:
        """What a bet may be multiplied by when it is paid."""
        rules = self.rules
        factors = [rules["blackjack_pays"], rules["suited_blackjack_pays"]]
        if rules["charlie_cards"] is not None:
            factors.append(rules["charlie_pays"])
        if rules["surrender"] != "none" and rules["surrender_on"]:
            factors.append(rules["surrender_returns"])
        if rules["insurance_on"]:
            factors += [Fraction(1, 2), rules["insurance_pays"] / 2]
        return factors

    def _must_come_out_whole(self, factors: list[Fraction], amount: int, what: str) -> None:
        """Under rounding "exact" an amount that could be paid in fractions is refused."""
        fractions = any((amount * factor).denominator != 1 for factor in factors)
        if fractions and self.rules["rounding"] == "exact":
            raise IllegalRound(f"a {what} of {amount} may not come out whole")

    # -- 1. Deal

    def _draw(self) -> str:
        if self.cards_used == len(self.cards):
            raise IllegalRound("not enough cards")
        self.cards_used += 1
        return self.cards[self.cards_used - 1]

    def _deal(self) -> None:
        bet_boxes = [box for box in self.boxes if box.bet]
        for box in bet_boxes:
            box.hands = [Hand([self._draw()], box.bet)]
        self.dealer = [self._draw()]
        for box in bet_boxes:
            box.hands[0].cards.append(self._draw())
        if self.rules["hole_card"] != "none":
            self.dealer.append(self._draw())

    @property
    def upcard(self) -> str:
        """A, 2 to 9 or T."""
        second_is_up = self.rules["upcard"] == "second" and self.rules["hole_card"] != "none"
        return value_name(self.dealer[1 if second_is_up else 0])

    @property
    def dealer_peeks(self) -> bool:
        return self.rules["hole_card"] == "peek" and self.upcard in self.rules["peek_on"]

    @property
    def dealer_has_blackjack(self) -> bool:
        return len(self.dealer) == 2 and total(self.dealer) == 21

    # -- who must decide, and what is legal

    @property
    def done(self) -> bool:
        return self.phase == "done"

    @property
    def box(self) -> Box:
        return self.boxes[self.box_index]

    @property
    def hand(self) -> Hand:
        return self.box.hands[self.hand_index]

    def legal(self) -> list[str]:
        """The sorted legal actions of whoever must decide; none when the round is over."""
        if self.phase == "offers":
            return self._legal_at_offer()
        if self.phase == "play":
            return self._legal_in_play()
        return []

    def limit(self, action: str) -> Fraction:
        """The whole amount of a double or an insurance; the most that a part may be."""
        return self.hand.bet if action == "double" else self._rounded(self.box.bet / 2)

    # -- 2. Offers

    def _legal_at_offer(self) -> list[str]:
        """["decline"] alone means that there is nothing to ask."""
        rules = self.rules
        hand = self.hand
        legal = ["decline"]
        if hand.is_blackjack and self.upcard in rules["even_money_on"]:
            legal.append("even_money")
        elif self.upcard in rules["insurance_on"] and self.limit("insurance") > 0:
            legal.append("insurance")
        if (
            rules["surrender"] == "early"
            and self.upcard in rules["surrender_on"]
            and self.dealer_peeks
            and not hand.is_blackjack
        ):
            legal.append("surrender")
        return sorted(legal)

    # -- 4. Play

    def _legal_in_play(self) -> list[str]:
        """["stand"] alone means that there is nothing to ask."""
        may = {
            "hit": self._may_hit(),
            "double": self._may_double(),
            "split": self._may_split(),
            "surrender": self._may_surrender(),
        }
        blocked = self.rules["insurance_blocks"] if self.box.insurance else []
        return sorted(["stand"] + [name for name in may if may[name] and name not in blocked])

    def _may_hit(self) -> bool:
        hand = self.hand
        if hand.doubled:
            return False
        if hand.is_split_ace and not self.rules["hit_split_aces"]:
            return False
        return total(hand.cards) < 21 or bool(self.rules["hit_on_21"])

    def _may_double(self) -> bool:
        rules = self.rules
        hand = self.hand
        if hand.doubled:
            if not rules["redouble"]:
                return False
        elif len(hand.cards) != 2 and not rules["double_any_number"]:
            return False
        if hand.from_split and not rules["double_after_split"]:
            return False
        if hand.is_split_ace and not rules["double_split_aces"]:
            return False
        if total(hand.cards) == 21 and not rules["hit_on_21"]:
            return False
        if is_soft(hand.cards) and not rules["double_soft"]:
            return False
        return rules["double_on"] == "any" or low_total(hand.cards) in rules["double_on"]

    def _may_split(self) -> bool:
        rules = self.rules
        if len(self.hand.cards) != 2:
            return False
        first, second = self.hand.cards
        by_rank = rules["split_by"] == "rank"
        pair = first[0] == second[0] if by_rank else value_name(first) == value_name(second)
        most = rules["max_ace_hands"] if first[0] == "A" else rules["max_hands"]
        return pair and len(self.box.hands) < most

    def _may_surrender(self) -> bool:
        return (
            self.rules["surrender"] != "none"
            and self.upcard in self.rules["surrender_on"]
            and len(self.hand.cards) == 2
            and not self.hand.from_split
        )

    # -- taking a decision

    def apply(self, action: str, amount: int | None = None) -> None:
        """Take an action for whoever must decide; the amount is a part of a double or insurance."""
        legal = self.legal()
        if action not in legal:
            raise IllegalRound(f"{action!r} is not among {legal}")
        if amount is not None:
            self._check_part(action, amount)
        self.legal_before.append(legal)
        if self.phase == "offers":
            self._take_offer(action, amount)
        else:
            self._take_action(action, amount)
        self._go_on()

    def _check_part(self, action: str, amount: int) -> None:
        allowed_by = {"double": "double_for_less", "insurance": "partial_insurance"}
        if action not in allowed_by or not self.rules[allowed_by[action]]:
            raise IllegalRound(f"{action!r} takes no amount here")
        if isinstance(amount, bool) or not isinstance(amount, int):
            raise IllegalRound(f"not an amount: {amount!r}")
        if not 1 <= amount <= self.limit(action):
            raise IllegalRound(f"{action} of {amount} is not within 1 and {self.limit(action)}")
        if action == "insurance":
            self._must_come_out_whole([self.rules["insurance_pays"]], amount, action)
        elif self.rules["charlie_cards"] is not None:
            self._must_come_out_whole([self.rules["charlie_pays"]], amount, action)

    def _take_offer(self, action: str, amount: int | None) -> None:
        if action == "insurance":
            self.box.insurance = self.limit("insurance") if amount is None else Fraction(amount)
        elif action == "even_money":
            self.hand.outcome = "even_money"
            self.hand.returned = 2 * self.hand.bet
        elif action == "surrender":
            self.hand.surrendered = True
        self.box_index += 1

    def _take_action(self, action: str, amount: int | None) -> None:
        hand = self.hand
        if action == "stand":
            hand.stood = True
        elif action == "surrender":
            hand.surrendered = True
        elif action == "hit":
            self._give_card(hand)
        elif action == "double":
            hand.bet += self.limit("double") if amount is None else Fraction(amount)
            hand.doubled = True
            self._give_card(hand)
        elif action == "split":
            moved = hand.cards.pop()
            hand.from_split = True
            self.box.hands.insert(self.hand_index + 1, Hand([moved], self.box.bet, from_split=True))

    def _give_card(self, hand: Hand) -> None:
        """A card that may bust the hand or make it a charlie, which is paid at once."""
        hand.cards.append(self._draw())
        charlie_cards = self.rules["charlie_cards"]
        if total(hand.cards) > 21:
            hand.outcome = "bust"
        elif charlie_cards is not None and len(hand.cards) >= charlie_cards:
            hand.outcome = "charlie"
            hand.returned = self._rounded(hand.bet * (1 + self.rules["charlie_pays"]))

    def _go_on(self) -> None:
        """Go on to the next decision, or to the end of the round."""
        if self.phase == "offers":
            while self.box_index < len(self.boxes):
                if self.box.hands and self._legal_at_offer() != ["decline"]:
                    return
                self.box_index += 1
            # 3. Peek: a dealer blackjack ends the round.
            if self.dealer_peeks and self.dealer_has_blackjack:
                self._settle()
                return
            self.phase = "play"
            self.box_index = 0
        while self.box_index < len(self.boxes):
            while self.hand_index < len(self.box.hands):
                hand = self.hand
                if len(hand.cards) == 1:  # split, and now its turn comes
                    hand.cards.append(self._draw())
                over = hand.stood or not hand.depends_on_dealer_total
                if not over and self._legal_in_play() != ["stand"]:
                    return
                self.hand_index += 1
            self.box_index += 1
            self.hand_index = 0
        self._play_dealer()
        self._settle()

    # -- 5. Dealer

    def _play_dealer(self) -> None:
        depends = any(hand.depends_on_dealer_total for box in self.boxes for hand in box.hands)
        if len(self.dealer) == 1 and (depends or self._blackjack_still_matters()):
            self.dealer.append(self._draw())
        while depends and self._dealer_must_draw():
            self.dealer.append(self._draw())

    def _dealer_must_draw(self) -> bool:
        if total(self.dealer) == 17 and is_soft(self.dealer):
            return bool(self.rules["hit_soft_17"])
        return total(self.dealer) < 17

    def _blackjack_still_matters(self) -> bool:
        """Whether a dealer blackjack could still change what a box gets back."""
        if self.upcard not in ["A", "T"]:
            return False
        for box in self.boxes:
            if box.insurance:
                return True
            if any(hand.is_blackjack and hand.outcome is None for hand in box.hands):
                return True
            if self.rules["surrender"] == "late" and any(hand.surrendered for hand in box.hands):
                return True
            split_or_doubled = len(box.hands) > 1 or any(hand.doubled for hand in box.hands)
            still_open = any(hand.outcome == "bust" for hand in box.hands)  # charlies are paid
            takes_all = self.rules["dealer_blackjack_takes"] == "all"
            if split_or_doubled and still_open and not takes_all:
                return True
        return False

    # -- 6. Settle

    def _rounded(self, amount: Fraction) -> Fraction:
        if self.rules["rounding"] == "down":
            return Fraction(math.floor(amount))
        if self.rules["rounding"] == "up":
            return Fraction(math.ceil(amount))
        return amount

    def _settle(self) -> None:
        self.phase = "done"
        for box in self.boxes:
            for hand in box.hands:
                if hand.outcome is None:
                    hand.outcome = self._outcome(hand)
                    hand.returned = self._returned(hand)
            if self.dealer_has_blackjack:
                self._give_back(box)
                box.insurance_returned = self._rounded(
                    box.insurance * (1 + self.rules["insurance_pays"])
                )

    def _outcome(self, hand: Hand) -> str:
        rules = self.rules
        if hand.surrendered:
            lost = rules["surrender"] == "late" and self.dealer_has_blackjack
            return "lose" if lost else "surrender"
        if hand.is_blackjack:
            return "push" if self.dealer_has_blackjack else "blackjack"
        player, dealer = total(hand.cards), total(self.dealer)
        if self.dealer_has_blackjack and not (player == 21 and rules["blackjack_ties_21"]):
            return "lose"
        if dealer > 21:
            return "push" if dealer == 22 and rules["push_on_22"] else "win"
        if player != dealer:
            return "win" if player > dealer else "lose"
        split_ace_ten = hand.from_split and len(hand.cards) == 2 and player == 21
        if split_ace_ten and rules["split_ace_ten_beats_21"] and not self.dealer_has_blackjack:
            return "win"
        return "lose" if dealer in rules["dealer_wins_ties"] else "push"

    def _returned(self, hand: Hand) -> Fraction:
        rules = self.rules
        if hand.outcome == "blackjack":
            suited = hand.cards[0][1] == hand.cards[1][1]
            pays = rules["suited_blackjack_pays" if suited else "blackjack_pays"]
            return self._rounded(hand.bet * (1 + pays))
        if hand.outcome == "surrender":
            return self._rounded(hand.bet * rules["surrender_returns"])
        return {"win": 2 * hand.bet, "push": hand.bet, "lose": Fraction(0)}[str(hand.outcome)]

    def _give_back(self, box: Box) -> None:
        """What a dealer blackjack may not take, given back to the lost hands in order."""
        if self.rules["dealer_blackjack_takes"] == "all":
            return
        protected = ["lose"]
        if self.rules["dealer_blackjack_takes"] == "original":
            protected.append("bust")
        lost = [hand for hand in box.hands if hand.outcome in protected]
        refund = sum((hand.bet for hand in lost), Fraction(0)) - box.bet
        for hand in lost:
            hand.returned = min(hand.bet, max(refund, Fraction(0)))
            refund -= hand.returned

    # -- the answer

    def result(self) -> dict[str, Any]:
        """The answer of `replay`, without an id."""
        if not self.done:
            raise IllegalRound(f"cut short: one of {self.legal()} must follow")
        boxes = [self._box_result(box) for box in self.boxes]
        return {
            "legal": self.legal_before,
            "dealer": " ".join(self.dealer),
            "cards_used": self.cards_used,
            "boxes": [{name: plain(amount) for name, amount in box.items()} for box in boxes],
            "net": plain(sum((box["net"] for box in boxes), Fraction(0))),
        }

    def _box_result(self, box: Box) -> dict[str, Any]:
        hands = [
            {
                "cards": " ".join(hand.cards),
                "bet": plain(hand.bet),
                "outcome": hand.outcome,
                "returned": plain(hand.returned),
            }
            for hand in box.hands
        ]
        staked = sum((hand.bet for hand in box.hands), box.insurance)
        returned = sum((hand.returned for hand in box.hands), box.insurance_returned)
        return {
            "hands": hands,
            "insurance": box.insurance,
            "insurance_returned": box.insurance_returned,
            "staked": staked,
            "returned": returned,
            "net": returned - staked,
        }


def plain(amount: Any) -> Any:
    """Whole amounts as int, others as "15/2"; what is no amount stays as it is."""
    if isinstance(amount, Fraction):
        return amount.numerator if amount.denominator == 1 else str(amount)
    return amount


def play_round(
    rules: str | Mapping[str, Any],
    bets: Sequence[int],
    cards: str | Sequence[str],
    actions: Sequence[str],
) -> dict[str, Any]:
    """Replay a recorded round; raise IllegalRound for one that is illegal, short or malformed."""
    current = ReferenceRound(rules, bets, cards)
    for text in actions:
        action, colon, part = text.partition(":")
        if action not in ACTIONS or (colon and not (part.isascii() and part.isdigit())):
            raise IllegalRound(f"not an action: {text!r}")
        current.apply(action, int(part) if colon else None)
    return current.result()
