"""The rules of a game, as data.

Lives here: `Rules` with every field, its defaults, contradictions, JSON and TOML forms, fingerprint and
compiled form. Not here: what the fields do to a round (blackjack_core.round), the houses (presets),
plain English (blackjack.describe).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from blackjack import _fields as f
from blackjack._fields import Shuffle
from blackjack.cards import UPCARDS
from blackjack.errors import RulesError
from blackjack_core.ruleset import RuleSet

__all__ = ["Rules", "Shuffle"]

# Fields of the table rather than of the game: no part of the fingerprint.
TABLE_FIELDS = ("min_bet", "max_bet", "bet_step", "chips", "limit_per", "rounding", "private")

_READERS: dict[str, Callable[[object], object]] = {
    "decks": f.whole(1, 1000, none=True),
    "shuffle": Shuffle.read,
    "boxes": f.whole(1, 64),
    "hit_soft_17": f.flag,
    "hole_card": f.choice("peek", "no_peek", "none"),
    "peek_on": f.upcards(("A", "T")),
    "upcard": f.choice("first", "second"),
    "dealer_blackjack_takes": f.choice("all", "original", "original_and_busted"),
    "blackjack_pays": f.ratio(),
    "suited_blackjack_pays": f.ratio(none=True),
    "pay_blackjack_at_once": f.flag,
    "blackjack_ties_21": f.flag,
    "double_on": f.totals(2, 21, word="any"),
    "double_soft": f.flag,
    "double_after_split": f.flag,
    "double_split_aces": f.flag,
    "hit_split_aces": f.flag,
    "split_by": f.choice("value", "rank"),
    "max_hands": f.whole(1, 64),
    "max_ace_hands": f.whole(1, 64, none=True),
    "surrender": f.choice("none", "late", "early"),
    "surrender_on": f.upcards(none=True),
    "surrender_returns": f.ratio(1),
    "insurance_on": f.upcards(),
    "insurance_pays": f.ratio(),
    "insurance_blocks": f.names(("hit", "double", "split", "surrender")),
    "even_money_on": f.upcards(),
    "charlie_cards": f.whole(3, 22, none=True),
    "charlie_pays": f.ratio(),
    "hit_on_21": f.flag,
    "push_on_22": f.flag,
    "dealer_wins_ties": f.ties,
    "split_ace_ten_beats_21": f.flag,
    "double_any_number": f.flag,
    "redouble": f.flag,
    "double_for_less": f.flag,
    "partial_insurance": f.flag,
    "burn": f.whole(0, 1000),
    "composition": f.composition,
    "min_bet": f.whole(1, 2**53),
    "max_bet": f.whole(1, 2**53, none=True),
    "bet_step": f.whole(1, 2**53),
    "chips": f.chips,
    "limit_per": f.choice("box", "deal"),
    "rounding": f.choice("down", "up", "exact"),
    "private": f.flag,
}


@dataclass(frozen=True, kw_only=True, init=False)
class Rules:
    """The rules of a game: frozen, hashable, compared by value.

    Every field may be given in the form of a rules file (lists, `"3:2"`, `{"cut_card": 0.75}`) and is
    held in a strict one (tuples, Fraction, `Shuffle`). docs/rules.md explains each.

    >>> rules = Rules(decks=8, hit_soft_17=True, blackjack_pays="6:5")
    >>> rules.blackjack_pays
    Fraction(6, 5)
    >>> rules.replace(decks=2).decks
    2
    >>> Rules(max_ace_hands=5, decks=0)
    Traceback (most recent call last):
    blackjack.errors.RulesError: decks: expected an int from 1 to 1000 or null, got 0; \
max_ace_hands, max_hands: expected max_ace_hands (5) no larger than max_hands (4)

    Raises:
        RulesError: values outside the table or that contradict each other, all of them at once.
    """

    decks: int | None = 6
    shuffle: Shuffle = Shuffle("cut_card", Fraction(3, 4))
    boxes: int = 7
    hit_soft_17: bool = False
    hole_card: str = "peek"
    peek_on: tuple[str, ...] = ("A", "T")
    upcard: str = "first"
    dealer_blackjack_takes: str = "all"
    blackjack_pays: Fraction = Fraction(3, 2)
    suited_blackjack_pays: Fraction | None = None
    pay_blackjack_at_once: bool = False
    blackjack_ties_21: bool = False
    double_on: str | tuple[int, ...] = "any"
    double_soft: bool = True
    double_after_split: bool = True
    double_split_aces: bool = False
    hit_split_aces: bool = False
    split_by: str = "value"
    max_hands: int = 4
    max_ace_hands: int = None  # type: ignore[assignment]  # 2, or max_hands where that is less
    surrender: str = "none"
    surrender_on: tuple[str, ...] = UPCARDS
    surrender_returns: Fraction = Fraction(1, 2)
    insurance_on: tuple[str, ...] = ("A",)
    insurance_pays: Fraction = Fraction(2)
    insurance_blocks: tuple[str, ...] = ()
    even_money_on: tuple[str, ...] = ()
    charlie_cards: int | None = None
    charlie_pays: Fraction = Fraction(1)
    hit_on_21: bool = True
    push_on_22: bool = False
    dealer_wins_ties: tuple[int, ...] = ()
    split_ace_ten_beats_21: bool = False
    double_any_number: bool = False
    redouble: bool = False
    double_for_less: bool = False
    partial_insurance: bool = False
    burn: int = 0
    composition: tuple[int, ...] | None = None
    min_bet: int = 1
    max_bet: int | None = None
    bet_step: int = 1
    chips: tuple[int, ...] = ()
    limit_per: str = "box"
    rounding: str = "down"
    private: bool = True

    def __init__(self, **values: Any) -> None:
        problems: list[tuple[tuple[str, ...], str]] = []
        problems += [((n,), "there is no such field") for n in values if n not in _READERS]
        for field in fields(Rules):
            value = values.get(field.name, field.default)
            try:
                value = _READERS[field.name](value)
            except ValueError as error:
                problems.append(((field.name,), str(error)))
            object.__setattr__(self, field.name, value)
        bad = {name for names, _ in problems for name in names}
        if self.max_ace_hands is None and "max_hands" not in bad:
            object.__setattr__(self, "max_ace_hands", min(2, self.max_hands))
        problems += [p for p in self._contradictions(not bad) if not bad.intersection(p[0])]
        if problems:
            raise RulesError(problems)

    def _contradictions(self, values_right: bool) -> Iterator[tuple[tuple[str, ...], str]]:
        """Fields that cannot hold together; each problem names only fields that are right alone."""
        hands, aces = self.max_hands, self.max_ace_hands
        if isinstance(aces, int) and isinstance(hands, int) and aces > hands:
            what = f"expected max_ace_hands ({aces}) no larger than max_hands ({hands})"
            yield ("max_ace_hands", "max_hands"), what
        if (
            isinstance(self.max_bet, int)
            and isinstance(self.min_bet, int)
            and self.max_bet < self.min_bet
        ):
            yield (
                ("min_bet", "max_bet"),
                f"expected min_bet ({self.min_bet}) no larger than max_bet ({self.max_bet})",
            )
        if isinstance(self.composition, tuple) and not any(self.composition):
            yield ("composition",), "expected at least one card"
        elif values_right:
            yield from self._shoe_problems()

    def _shoe_problems(self) -> Iterator[tuple[tuple[str, ...], str]]:
        from blackjack._capacity import round_capacity

        if self.shoe_size is None:
            return
        where = (
            ["decks"]
            + ["composition"] * (self.composition is not None)
            + ["burn"] * (self.burn > 0)
        )
        usable = self.shoe_size - self.burn
        needs = round_capacity(self, 1, enough=usable)
        if usable < needs:
            what = (
                f"expected a shoe of at least {needs} cards for one round at one box, got {usable}"
            )
            yield tuple(where), what
        left = self.shuffle.value
        if self.shuffle.kind == "fewer_than" and left is not None and left > usable:
            what = (
                f"expected to shuffle with fewer than {usable} cards left at the most, got {left}"
            )
            yield ("shuffle", *where), what

    # ------------------------------------------------------------ other forms

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The rules of a house by name.

        >>> Rules.preset("las_vegas").decks
        1

        Raises:
            RulesError: there is no such preset; the text lists those there are.
        """
        from blackjack.presets import PRESETS

        if not isinstance(name, str) or name not in PRESETS:
            raise RulesError([(("preset",), f"expected one of {', '.join(PRESETS)}, got {name!r}")])
        return PRESETS[name]

    @classmethod
    def from_dict(cls, data: Mapping[str, object] | str) -> Rules:
        """From a preset's name, or an object of fields with an optional `"preset"` to start from.

        >>> Rules.from_dict({"preset": "goldfishka", "decks": 8}).charlie_cards
        7
        """
        if isinstance(data, str):
            return cls.preset(data)
        if not isinstance(data, Mapping):
            raise RulesError(
                [((), f"expected a preset's name or an object of fields, got {data!r}")]
            )
        values = {str(k): v for k, v in data.items()}
        if "preset" in values:
            return cls.preset(values.pop("preset")).replace(**values)  # type: ignore[arg-type]
        return cls(**values)

    @classmethod
    def of(cls, rules: RulesLike) -> Rules:
        """Rules themselves, or what `from_dict` reads."""
        return rules if isinstance(rules, cls) else cls.from_dict(rules)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """Every field in the form of a rules file; `Rules.from_dict` reads it back."""
        result: dict[str, object] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Fraction):
                value = f.ratio_text(value)
            elif isinstance(value, tuple):
                value = list(value)
            elif isinstance(value, Shuffle):
                value = value.to_json()
            result[field.name] = value
        return result

    def to_json(self) -> str:
        """Every field as a JSON object."""
        import json

        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Rules:
        """From a JSON object of fields (or a JSON string naming a preset)."""
        import json

        try:
            data = json.loads(text)
        except TypeError:
            raise RulesError([((), f"expected JSON as text, got {text!r}")]) from None
        except ValueError as error:  # bad JSON, bytes that are no text, endless numbers
            raise RulesError([((), f"expected JSON: {error}")]) from None
        return cls.from_dict(data)

    def to_toml(self) -> str:
        """Every field as TOML; an infinite shoe is `decks = "infinite"`, other nulls are left out."""
        import json

        lines = []
        data = {**self.to_dict(), "decks": "infinite" if self.decks is None else self.decks}
        for name, value in data.items():
            if value is None:
                continue
            if isinstance(value, dict):
                ((key, number),) = value.items()
                lines.append(f"{name} = {{ {key} = {json.dumps(number)} }}")
            else:
                lines.append(f"{name} = {json.dumps(value)}")
        return "\n".join(lines) + "\n"

    @classmethod
    def from_toml(cls, text: str) -> Rules:
        """From TOML as `to_toml` writes it; also `preset = "..."` with some fields."""
        import tomllib

        if not isinstance(text, str):
            raise RulesError([((), f"expected TOML as text, got {text!r}")])
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise RulesError([((), f"expected TOML: {error}")]) from None
        if data.get("decks") == "infinite":
            data["decks"] = None
        return cls.from_dict(data)

    def replace(self, **changes: Any) -> Rules:
        """These rules with some fields changed; lowering max_hands lowers max_ace_hands along with it."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        hands = changes.get("max_hands")
        if isinstance(hands, int) and "max_ace_hands" not in changes:
            values["max_ace_hands"] = max(1, min(self.max_ace_hands, hands))
        return Rules(**{**values, **changes})

    def diff(self, other: Rules) -> dict[str, tuple[object, object]]:
        """The fields in which `other` differs, as field -> (here, there).

        >>> Rules().diff(Rules(decks=8))
        {'decks': (6, 8)}
        """
        if not isinstance(other, Rules):
            raise RulesError([((), f"expected other rules, got {other!r}")])
        mine, theirs = self.to_dict(), other.to_dict()
        return {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}

    def describe(self) -> str:
        """The rules in plain English, a line each."""
        from blackjack.describe import describe

        return describe(self)

    @property
    def name(self) -> str | None:
        """The preset whose game (not limits) these rules are, or None."""
        from blackjack.presets import PRESETS

        return next((n for n, r in PRESETS.items() if r.fingerprint == self.fingerprint), None)

    # ------------------------------------------------------------ derived

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits that name the game: equal for equal games, whatever the table's limits."""
        import hashlib
        import json

        game = {k: v for k, v in self.to_dict().items() if k not in TABLE_FIELDS}
        text = json.dumps(game, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def rank_counts(self) -> tuple[int, ...]:
        """Cards per rank (A 2 ... K) of one deck."""
        return self.composition or (4,) * 13

    @cached_property
    def shoe_size(self) -> int | None:
        """Cards in the whole shoe, or None for an infinite one."""
        return None if self.decks is None else self.decks * sum(self.rank_counts)

    @cached_property
    def shoe_cards(self) -> bytes:
        """The codes of every card of the shoe (of one deck where it is infinite); suits take turns."""
        deck = bytes(r * 4 + s % 4 for r, n in enumerate(self.rank_counts) for s in range(n))
        return deck * (self.decks or 1)

    @cached_property
    def exact_unit(self) -> int:
        """Every amount of a round is whole when its bets are multiples of this."""
        parts = [self.blackjack_pays, self.suited_blackjack_pays or Fraction(1)]
        if self.surrender != "none":
            parts.append(self.surrender_returns)
        if self.charlie_cards is not None:
            parts.append(self.charlie_pays)
        if self.insurance_on:
            parts += [Fraction(1, 2), self.insurance_pays / 2]
        return math.lcm(*(q.denominator for q in parts))

    @cached_property
    def compiled(self) -> RuleSet:
        """The rules as the compiled round takes them."""

        def mask(upcards: tuple[str, ...]) -> int:
            return sum(1 << UPCARDS.index(u) for u in upcards)

        def pair(q: Fraction | None) -> tuple[int, int]:
            return (0, 1) if q is None else (q.numerator, q.denominator)

        def bits(numbers: tuple[int, ...]) -> int:
            return sum(1 << n for n in numbers)

        return RuleSet(
            boxes=self.boxes,
            max_hands=self.max_hands,
            max_ace_hands=self.max_ace_hands,
            hole_card=("peek", "no_peek", "none").index(self.hole_card),
            upcard_second=int(self.upcard == "second" and self.hole_card != "none"),
            takes=("all", "original", "original_and_busted").index(self.dealer_blackjack_takes),
            ties_21=int(self.blackjack_ties_21),
            surrender=("none", "late", "early").index(self.surrender),
            charlie_cards=self.charlie_cards or 0,
            suited=int(self.suited_blackjack_pays is not None),
            das=int(self.double_after_split),
            double_split_aces=int(self.double_split_aces),
            hit_split_aces=int(self.hit_split_aces),
            split_by_rank=int(self.split_by == "rank"),
            hit_on_21=int(self.hit_on_21),
            push_22=int(self.push_on_22),
            split_ace_ten=int(self.split_ace_ten_beats_21),
            double_any_number=int(self.double_any_number),
            redouble=int(self.redouble),
            double_for_less=int(self.double_for_less),
            partial_insurance=int(self.partial_insurance),
            pay_at_once=int(self.pay_blackjack_at_once),
            round_up=int(self.rounding == "up"),
            peek_mask=mask(self.peek_on),
            surrender_mask=mask(self.surrender_on),
            insurance_mask=mask(self.insurance_on),
            even_money_mask=mask(self.even_money_on),
            insurance_blocks=sum(
                1 << {"hit": 1, "double": 2, "split": 3, "surrender": 4}[a]
                for a in self.insurance_blocks
            ),
            dealer_wins_ties=bits(self.dealer_wins_ties),
            double_on=2**32 - 1 if isinstance(self.double_on, str) else bits(self.double_on),
            double_soft=int(self.double_soft),
            hit_soft_17=int(self.hit_soft_17),
            blackjack_pays=pair(self.blackjack_pays),
            suited_pays=pair(self.suited_blackjack_pays),
            insurance_pays=pair(self.insurance_pays),
            charlie_pays=pair(self.charlie_pays),
            surrender_returns=pair(self.surrender_returns),
        )

    def __reduce__(self) -> tuple[Callable[..., Rules], tuple[dict[str, object]]]:
        return Rules.from_dict, (self.to_dict(),)


RulesLike = Rules | str | Mapping[str, object]
"""Rules, the name of a preset, or an object of fields."""
