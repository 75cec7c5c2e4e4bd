"""Rules in plain English.

Lives here: `describe`, one line per thing a player would ask. Not here: the readings behind the houses
and how to override them (docs/rules.md), labels in a house's language (blackjack.labels).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from blackjack._fields import ratio_text
from blackjack.cards import RANKS, UPCARDS

if TYPE_CHECKING:
    from blackjack.rules import Rules

__all__ = ["describe"]

_ONLINE = "one online house's game of that name, not what is played in the city"

_TITLES = {
    "goldfishka": "Goldfishka: the game of an online house.",
    "las_vegas": f"Las Vegas: {_ONLINE}.",
    "atlantic_city": f"Atlantic City: {_ONLINE}.",
    "continental": "Continental: the game of an online house.",
    "romanian": "Romanian: the game of a house that calls its buttons in Romanian.",
    "vegas_strip": "Vegas Strip: six decks as on the Las Vegas Strip.",
    "downtown_vegas": "Downtown Vegas: two decks as in downtown Las Vegas.",
    "single_deck_65": "Single deck 6:5.",
    "european": "European: no hole card.",
    "atlantic_city_8": "Atlantic City, eight decks: as in that city's casinos.",
    "macau": "Macau: no hole card, early surrender against 2 to ten.",
}

_UPCARD_WORDS = {"A": "an ace", "T": "a ten-value card"}


def describe(rules: Rules) -> str:
    """The rules in plain English, a line each; a rule that another one makes idle is left out.

    >>> from blackjack import Rules
    >>> print(describe(Rules.preset("las_vegas")).splitlines()[0])
    Las Vegas: one online house's game of that name, not what is played in the city.
    >>> print(describe(Rules(surrender="late")).splitlines()[1])
    Shuffle: before the first round that would start with 75% or more of the shoe dealt.
    """
    lines: list[str] = []
    if rules.name is not None:
        lines.append(_TITLES[rules.name])
    for part in (_shoe, _dealer, _blackjack, _totals, _doubling, _splitting, _surrender):
        lines += part(rules)
    for part in (_insurance, _charlie, _table):
        lines += part(rules)
    return "\n".join(lines)


# ---------------------------------------------------------------- words


def _listed(items: Iterable[object], word: str = "or") -> str:
    """Items as people say them: 9, 10 or 11."""
    texts = [str(item) for item in items]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def _upcards(upcards: tuple[str, ...]) -> str:
    if upcards == UPCARDS:
        return "any upcard"
    numbers = [u for u in upcards if u in "23456789"]
    words = [_UPCARD_WORDS[u] for u in upcards if u == "A"]
    if len(numbers) > 2 and int(numbers[-1]) - int(numbers[0]) == len(numbers) - 1:
        words.append(f"{numbers[0]} to {numbers[-1]}")
    else:
        words += numbers
    words += [_UPCARD_WORDS[u] for u in upcards if u == "T"]
    return _listed(words)


def _count(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _percent(part: Fraction) -> str:
    return f"{float(part * 100):.15g}%"


def _aces_and_tens_peeked(rules: Rules) -> bool:
    """Whether every dealer blackjack is found before play."""
    return rules.hole_card == "peek" and len(rules.peek_on) == 2


def _splits(rules: Rules) -> bool:
    return rules.max_hands > 1


def _splits_aces(rules: Rules) -> bool:
    return rules.max_hands > 1 and rules.max_ace_hands > 1


# ---------------------------------------------------------------- the parts


def _shoe(rules: Rules) -> Iterator[str]:
    size = sum(rules.rank_counts)
    cards = f"of {_count(size, 'card')}"
    if rules.composition is not None:
        odd = [f"{r}: {n}" for r, n in zip(RANKS, rules.composition, strict=True) if n != 4]
        rest = ", the others 4 each" if len(odd) < len(RANKS) else ""
        cards += f" ({', '.join(odd)}{rest})"
    if rules.decks is None:
        yield f"Shoe: infinite, every card drawn with replacement from a deck {cards}."
        return
    total = f", {rules.shoe_size} in all" if rules.decks > 1 else ""
    yield f"Shoe: {_count(rules.decks, 'deck')} {cards}{total}."
    kind, value = rules.shuffle.kind, rules.shuffle.value
    if kind == "cut_card":
        assert isinstance(value, Fraction)
        when = (
            "before the first round that would start with "
            f"{_percent(value)} or more of the shoe dealt"
        )
    elif kind == "fewer_than":
        when = f"before a round when fewer than {value} cards are left"
    else:
        when = {
            "every_round": "before every round",
            "exhaust": "before a round when fewer cards are left than one round can take",
            "continuous": "continuously, so that every round is dealt from the whole shoe",
        }[kind]
    yield f"Shuffle: {when}."
    if rules.burn:
        yield f"Burn: {_count(rules.burn, 'card')} after each shuffle."


def _dealer(rules: Rules) -> Iterator[str]:
    if rules.hole_card == "none":
        yield "Dealer: one card, face up; the second is dealt only after all play (no hole card)."
    else:
        yield f"Dealer: two cards, the {rules.upcard} one face up, the other one hidden."
        if rules.hole_card == "peek" and rules.peek_on:
            yield (
                f"Peek: with {_upcards(rules.peek_on)} up the dealer looks at the hidden card before "
                "play, and a blackjack ends the round."
            )
        else:
            yield "Peek: none, the hidden card is opened after all play."
    yield "Dealer draws to 16 and " + (
        "on a soft 17, and stands on a hard 17 and on every higher total."
        if rules.hit_soft_17
        else "stands on every 17 and more, soft 17 too."
    )
    if not _aces_and_tens_peeked(rules):
        yield (
            "A dealer blackjack found after play takes "
            + {
                "all": "the whole stake of every other hand, doubled and split ones too.",
                "original": "no more than the box's original bet; what doubling and splitting added comes "
                "back, for busted hands too.",
                "original_and_busted": "no more than the box's original bet, and whatever had busted before.",
            }[rules.dealer_blackjack_takes]
        )


def _blackjack(rules: Rules) -> Iterator[str]:
    yield (
        "Blackjack: an ace and a ten-value card as the first two, not after a split, pays "
        f"{ratio_text(rules.blackjack_pays)}."
    )
    if rules.suited_blackjack_pays is not None:
        yield f"Suited blackjack: both of one suit, pays {ratio_text(rules.suited_blackjack_pays)}."
    if rules.pay_blackjack_at_once:
        yield "A blackjack is paid and cleared before play when the upcard is 2 to 9."
    yield "Two blackjacks tie. A dealer blackjack " + (
        "only ties a player's ordinary 21."
        if rules.blackjack_ties_21
        else "beats a player's ordinary 21."
    )


def _totals(rules: Rules) -> Iterator[str]:
    if rules.dealer_wins_ties:
        rest = " Other ties return the bet." if len(rules.dealer_wins_ties) < 5 else ""
        yield f"Ties: the dealer wins equal totals of {_listed(rules.dealer_wins_ties)}.{rest}"
    else:
        yield "Ties: equal totals return the bet."
    if rules.push_on_22:
        yield "A dealer's 22 returns the bets still open instead of losing to them."
    if _splits(rules) and rules.split_ace_ten_beats_21:
        yield "An ace with a ten-value card after a split beats a dealer's 21 that is no blackjack."
    if not rules.hit_on_21:
        yield "On a total of 21 a hand takes no card: no hit, no double."


def _doubling(rules: Rules) -> Iterator[str]:
    if not rules.double_on:
        yield "Double: not allowed."
        return
    cards = "any number of cards" if rules.double_any_number else "the first two cards of a hand"
    which = ""
    if not isinstance(rules.double_on, str):
        which = f" that count {_listed(rules.double_on)}, an ace counted as 1"
    soft = "" if rules.double_soft else "; not with an ace counted as 11"
    yield f"Double: on {cards}{which}{soft}; one card follows."
    if rules.double_for_less:
        yield "A double may add less than the bet."
    if rules.redouble:
        yield "A doubled hand may be doubled again, or stand."
    if _splits(rules):
        if not rules.double_after_split:
            yield "No double after a split."
        elif not _splits_aces(rules):
            yield "Double after a split: yes."
        elif rules.double_split_aces:
            yield "Double after a split: yes, split aces too."
        else:
            yield "Double after a split: yes, but not split aces."


def _splitting(rules: Rules) -> Iterator[str]:
    if not _splits(rules):
        yield "Split: not allowed."
        return
    pair = "equal value, a king and a ten too" if rules.split_by == "value" else "equal rank"
    yield f"Split: two cards of {pair}; up to {rules.max_hands} hands a box."
    if not _splits_aces(rules):
        yield "Aces are not split."
        return
    if rules.max_ace_hands < rules.max_hands:
        yield f"Aces are split to {rules.max_ace_hands} hands at most."
    yield "Split aces " + ("may be hit." if rules.hit_split_aces else "get one card each.")


def _surrender(rules: Rules) -> Iterator[str]:
    if rules.surrender == "none" or not rules.surrender_on:
        yield "Surrender: none."
        return
    share = rules.surrender_returns
    part = "half" if share == Fraction(1, 2) else f"{share.numerator}/{share.denominator}"
    yield (
        f"Surrender ({rules.surrender}): on the first two cards, not after a split, against "
        f"{_upcards(rules.surrender_on)}; {part} of the bet comes back."
    )
    if rules.surrender == "early":
        before = [u for u in rules.surrender_on if rules.hole_card == "peek" and u in rules.peek_on]
        if before:
            yield f"With {_upcards(tuple(before))} up it is offered before the dealer peeks, and in play."
        yield "A surrendered hand is settled at once, whatever the dealer turns out to have."
    elif not _aces_and_tens_peeked(rules):
        yield "Where the dealer has not peeked, a dealer blackjack takes the whole surrendered bet."


def _insurance(rules: Rules) -> Iterator[str]:
    if rules.insurance_on:
        stake = "up to half the bet" if rules.partial_insurance else "half the bet"
        yield (
            f"Insurance: against {_upcards(rules.insurance_on)}, {stake}, before play; pays "
            f"{ratio_text(rules.insurance_pays)} on a dealer blackjack."
        )
        if rules.insurance_blocks:
            yield f"An insured box may not {_listed(rules.insurance_blocks)}."
    else:
        yield "Insurance: none."
    if rules.even_money_on:
        yield (
            f"Even money: a blackjack against {_upcards(rules.even_money_on)} may take 1:1 at once"
            + (" and is then not offered insurance." if rules.insurance_on else ".")
        )


def _charlie(rules: Rules) -> Iterator[str]:
    if rules.charlie_cards is not None:
        yield (
            f"{rules.charlie_cards}-card charlie: a hand of {rules.charlie_cards} cards and 21 or less is "
            f"paid {ratio_text(rules.charlie_pays)} at once, doubled and split hands too."
        )


def _table(rules: Rules) -> Iterator[str]:
    who = "one player" if rules.private else "several players, each on boxes of their own"
    yield f"Table: {_count(rules.boxes, 'box', 'boxes')}, {who}."
    most = "no maximum" if rules.max_bet is None else f"maximum {rules.max_bet}"
    per = "a box" if rules.limit_per == "box" else "a deal, all boxes together"
    step = f", in steps of {rules.bet_step}" if rules.bet_step > 1 else ""
    yield f"Bets: minimum {rules.min_bet}, {most}, for {per}{step}."
    if rules.chips:
        yield f"Chips: {_listed(rules.chips, 'and')}."
    yield {
        "down": "Amounts that do not come out whole are rounded down.",
        "up": "Amounts that do not come out whole are rounded up, in the player's favour.",
        "exact": "A bet that might not pay out whole is refused.",
    }[rules.rounding]
