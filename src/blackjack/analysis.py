"""What everything is worth, exactly: any rules, any shoe, any way of playing.

Lives here: `analyze`, `Analysis`, `action_values`, `offer_values`. Not here: the mathematics
(blackjack_core.dealer, analyze, solve), charts as text (blackjack.strategy), reading of shoes and hands
(blackjack._analysis_input), distributions of results (blackjack._outcomes).

Conventions: one player at one box, off the top of the given shoe, no cut card; amounts are in bets; values
are unconditional (dealer blackjacks among them) unless they say "given no blackjack". docs/analysis.md has
them all, with methods and sources.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from blackjack._analysis_coupled import coupled, take_coupled
from blackjack._analysis_hand import Situation
from blackjack._analysis_input import (
    HandLike,
    Shoe,
    ShoeLike,
    check_cards,
    check_exact,
    read_hand,
    read_shoe,
    read_upcard,
)
from blackjack.actions import Action
from blackjack.cards import UPCARDS, Card
from blackjack.errors import ChartError, MissingExtra, RulesError
from blackjack.rules import Rules, RulesLike
from blackjack.strategy import Strategy
from blackjack_core.dealer import Dealer
from blackjack_core.rows import runs_dry
from blackjack_core.solve import SPLIT_PLAYS, Solver

if TYPE_CHECKING:
    import pandas

__all__ = ["Analysis", "action_values", "analyze", "offer_values"]

Upcard = Card | str | int

_SMALL: Final = 40  # no hand and no dealer of any house needs as many cards

_SPLITS: Final = {
    "cdz": "each hand of a split is played as the same cards unsplit (CDZ-)",
    "cdp1": "each hand of a split is played as is best with one further pair card gone (CDP1)",
    "exact": "hands of a split are played with every card of the round remembered",
    "cdp": "each hand of a split is valued by the best play for the number of pair cards gone (CDP)",
}


@lru_cache(maxsize=4)
def _soft_dealer(soft: bool) -> Dealer:
    # what a dealer draws hangs on nothing else
    return Dealer(Rules(hit_soft_17=soft).compiled)


def _solve(
    rules: Rules,
    shoe: Shoe,
    strategy: Strategy | None = None,
    split_play: str = "cdz",
    **more: Any,
) -> Solver:
    plan = None
    if strategy is not None:
        p = strategy.compile(rules)
        plan = (p.play, p.offers, p.exact, p.split_by_rank)
    return Solver(
        rules.compiled,
        _soft_dealer(rules.hit_soft_17),
        shoe.counts,
        tens=shoe.tens or (shoe.counts[9], 0, 0, 0),
        suited=shoe.suited or 0.0,
        infinite=shoe.infinite,
        plan=plan,
        # splits played with full memory are put in afterwards
        split_play=0 if split_play == "exact" else SPLIT_PLAYS.index(split_play),
        **more,
    )


def _solved(rules: Rules, shoe: Shoe, strategy: Strategy | None, split_play: str = "cdz") -> Solver:
    """A whole game, splits among it that take looking at all hands together."""
    solver = _solve(rules, shoe, strategy, split_play)
    if split_play == "exact":
        _exact_splits(rules, shoe, solver)
    elif coupled(rules, shoe):
        if split_play != "cdz":
            what = "where a dealer blackjack takes hands together there is split_play 'cdz' only"
            raise RulesError([(("dealer_blackjack_takes",), what)])
        take_coupled(rules, shoe, solver, strategy)
    return solver


def _exact_splits(rules: Rules, shoe: Shoe, solver: Solver) -> None:
    """Put the values of splits played with full memory into a solved game."""
    from blackjack._split_exact import exact_split_value

    values: list[tuple[int, int, float]] = []
    try:
        for v in range(10):
            pair = tuple(2 * (i == v) for i in range(10))
            for u in range(10):
                if any(pair[i] + (i == u) > shoe.counts[i] for i in range(10)):
                    continue
                if Action.SPLIT.code in solver.play(pair, u)[0]:
                    value = exact_split_value(rules, shoe.counts, UPCARDS[v], UPCARDS[u])
                    values.append((v, u, value.unconditional))
    except ValueError as error:
        field, _, reason = str(error).partition(": ")
        raise RulesError([((field,), reason)]) from None
    solver.take_splits(values)


class Analysis:
    """One game, worked out exactly. Made by `analyze`; immutable.

    Attributes:
        rules, shoe: what was analyzed; the shoe as ten counts by value, A 2 ... 9 T.
        strategy: "optimal", "chart", "published" or a `Strategy`.
        split_play: how hands of a split are played: "cdz", "cdp1", "cdp" or "exact".
        assumptions: what the figures take for granted, in words.
        ev: the player's expected net of a round per initial bet.
    """

    rules: Rules
    strategy: str | Strategy
    split_play: str
    _shoe: Shoe
    _strategy: Strategy | None
    _solver: Solver

    def __init__(
        self,
        rules: Rules,
        shoe: Shoe,
        strategy: str | Strategy,
        split_play: str,
    ) -> None:
        fixed = _fixed(rules, shoe, strategy)
        solver = _solved(rules, shoe, fixed, split_play)
        if not shoe.infinite and sum(shoe.counts) < _SMALL and runs_dry(solver):
            what = f"expected enough cards for a round to end, got a shoe of {sum(shoe.counts)}"
            raise RulesError([(("shoe",), what)])
        for name, value in (
            ("rules", rules),
            ("_shoe", shoe),
            ("strategy", strategy),
            ("split_play", split_play),
            ("_strategy", fixed),
            ("_solver", solver),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an analysis does not change")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.rules, tuple(self._shoe), self.strategy, self.split_play)

    def __repr__(self) -> str:
        return f"<Analysis of {self.rules.name or 'rules'}: house edge {self.house_edge:.4%}>"

    # ------------------------------------------------------------ the game

    @property
    def shoe(self) -> tuple[int, ...]:
        """Cards by value, A 2 ... 9 T; the proportions of an infinite shoe."""
        return self._shoe.counts

    @property
    def ev(self) -> float:
        """The player's expected net of a round, per initial bet."""
        return self._solver.ev

    @property
    def house_edge(self) -> float:
        """What the house keeps of the initial bet: `-ev`."""
        return 0.0 - self._solver.ev  # and no negative zero

    edge = house_edge

    @cached_property
    def ev_by_upcard(self) -> dict[str, float]:
        """The expected net given each upcard that the shoe holds."""
        values, chances = self._solver.by_upcard
        return {u: v for u, v, p in zip(UPCARDS, values, chances, strict=True) if p > 0}

    @cached_property
    def upcard_chances(self) -> dict[str, float]:
        """The chance of each upcard that the shoe holds."""
        _, chances = self._solver.by_upcard
        return {u: p for u, p in zip(UPCARDS, chances, strict=True) if p > 0}

    @cached_property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures take for granted."""
        rules = self.rules
        said = [
            "one player at one box, off the top of the shoe, no cut card",
            "values are per initial bet and count dealer blackjacks unless they say otherwise",
        ]
        if rules.max_hands > 1:
            if self._strategy is None:
                said.append(_SPLITS[self.split_play])
                if rules.max_hands > 2:
                    said.append("a pair that was split is split again up to the limit")
            else:
                said.append("hands of a split are played as the strategy says")
        if rules.suited_blackjack_pays is not None:
            said.append("the suits of cards that are gone are not known")
        if rules.double_for_less:
            said.append("doubles are for the full amount")
        if rules.partial_insurance:
            said.append("insurance is taken in full or not at all")
        if rules.burn:
            said.append("burnt cards are not seen, so that they change nothing")
        return tuple(said)

    # ------------------------------------------------------------ one situation

    def _at(self, hand: HandLike, upcard: Upcard) -> Situation:
        return Situation(self.rules, self._shoe, self._solver, hand, upcard)

    def values(
        self,
        hand: HandLike,
        upcard: Upcard,
        *,
        given_no_blackjack: bool | None = None,
        insured: bool = False,
    ) -> dict[Action, float]:
        """The value of every legal action of a hand in play.

        After the action play goes on as this analysis does (the best way, or the strategy's). By default
        values are given no dealer blackjack where the dealer has peeked and count them where he has not;
        `given_no_blackjack=False` counts them everywhere.

        >>> v = analyze("vegas_strip").values("T 6", "T")
        >>> {str(a): round(x, 4) for a, x in v.items()}
        {'stand': -0.541, 'hit': -0.5347, 'double': -1.0694, 'surrender': -0.5}

        Raises:
            CardError: no such hand, or one that the shoe cannot deal.
        """
        return self._at(hand, upcard).values(given_no_blackjack, insured=insured)[0]

    def best(self, hand: HandLike, upcard: Upcard, *, insured: bool = False) -> Action:
        """What is played: the best action, or the strategy's.

        >>> analyze("vegas_strip").best("T 6", "T")
        <Action.SURRENDER: 'surrender'>
        """
        return self._at(hand, upcard).values(False, insured=insured)[1]

    def offers(self, hand: HandLike, upcard: Upcard) -> dict[Action, float]:
        """What the round is worth by the answer to the offer before play; empty where there is none.

        Dealer blackjacks are counted, the insurance's own result too.
        """
        return self._at(hand, upcard).offers()[0]

    def best_offer(self, hand: HandLike, upcard: Upcard) -> Action:
        """What is answered to the offer: insurance, even money, early surrender or decline."""
        return self._at(hand, upcard).offers()[1]

    def insurance(self, hand: HandLike, upcard: Upcard) -> float | None:
        """What taking insurance adds to the round, in bets; None where it is not offered.

        >>> round(analyze("vegas_strip").insurance("T 6", "A"), 4)
        -0.0388
        """
        offers = self.offers(hand, upcard)
        if Action.INSURANCE not in offers:
            return None
        return offers[Action.INSURANCE] - offers[Action.DECLINE]

    def even_money(self, hand: HandLike, upcard: Upcard) -> float | None:
        """What taking even money adds to the round, in bets; None where it is not offered."""
        offers = self.offers(hand, upcard)
        if Action.EVEN_MONEY not in offers:
            return None
        return offers[Action.EVEN_MONEY] - offers[Action.DECLINE]

    def dealer(
        self, upcard: Upcard, *, hand: HandLike | None = None, peeked: bool = False
    ) -> dict[str, float]:
        """The chances of the dealer's final hands: 17 to 21, bust, blackjack (22 where it pushes).

        hand: cards that are off the shoe besides the upcard. peeked: given that there is no blackjack.

        >>> round(analyze("vegas_strip").dealer("6")["bust"], 4)
        0.4393
        """
        up = read_upcard(upcard)
        gone = read_hand(hand).counts if hand is not None else (0,) * 10
        check_cards(self._shoe, gone, up)
        left = [
            n if self._shoe.infinite else n - m
            for n, m in zip(self._shoe.counts, gone, strict=True)
        ]
        dealer = _soft_dealer(self.rules.hit_soft_17)
        finals = dealer.outcomes(left, infinite=self._shoe.infinite)[up]
        result = {str(17 + i): finals[i] for i in range(5)}
        if self.rules.push_on_22:
            result["22"] = finals[5]
        result["bust"] = finals[6] + (0.0 if self.rules.push_on_22 else finals[5])
        result["blackjack"] = finals[7]
        if peeked:
            left_over = 1 - result.pop("blackjack")
            result = {name: p / left_over if left_over else 0.0 for name, p in result.items()}
            result["blackjack"] = 0.0
        return result

    # ------------------------------------------------------------ strategies

    def chart(self) -> Strategy:
        """The best total-dependent chart for these rules and this shoe."""
        from blackjack._analysis_chart import best_chart

        return best_chart(self.rules, self._shoe)

    def optimal(self) -> Strategy:
        """The chart with an exception for every hand whose cards want another play."""
        from blackjack._analysis_chart import optimal_strategy

        return optimal_strategy(self.rules, self._shoe)

    def differences(self) -> list[dict[str, object]]:
        """Where the best play of exact cards differs from the best chart's.

        One dict a hand, with the costliest first: cards, upcard, action, chart (its action), cost (what the
        chart's action loses, given no dealer blackjack where the dealer has peeked), chance (of the two
        cards and the upcard; None for hands of more cards).
        """
        from blackjack._analysis_chart import differences

        return differences(self.rules, self._shoe)

    # ------------------------------------------------------------ other shoes

    def effects_of_removal(self) -> dict[str, float]:
        """How much the ev changes when one card of a value is taken out of the shoe.

        The play is worked out anew for each shoe where the strategy is "optimal" or "chart".
        """
        result: dict[str, float] = {}
        for v, name in enumerate(UPCARDS):
            if not self._shoe.counts[v] or self._shoe.infinite:
                continue
            counts = [n - (i == v) for i, n in enumerate(self._shoe.counts)]
            tens = self._shoe.tens
            if tens is not None and v == 9:
                most = tens.index(max(tens))
                tens = tuple(n - (i == most) for i, n in enumerate(tens))
            shoe = self._shoe._replace(counts=tuple(counts), tens=tens)
            check_exact(self.rules, shoe)
            fixed = _fixed(self.rules, shoe, self.strategy)
            result[name] = _solved(self.rules, shoe, fixed, self.split_play).ev - self.ev
        return result

    # ------------------------------------------------------------ results

    def _for_outcomes(self) -> tuple[Strategy, tuple[int, ...] | None]:
        """The strategy to take results of, and the shoe where it is not the rules' own."""
        if self._strategy is None and self.split_play != "cdz":
            raise ChartError(f"expected split_play 'cdz' for results, got {self.split_play!r}")
        strategy = self._strategy if self._strategy is not None else self.optimal()
        return strategy, None if self._shoe == read_shoe(self.rules, None) else self._shoe.counts

    def distribution(self) -> dict[Fraction, float]:
        """The exact chance of every net result of a round, in bets; minutes with four hands.

        Raises:
            ChartError: split_play is not "cdz".
            ArgumentError: what has no exact distribution here; the text names the field.
        """
        from blackjack._outcomes import outcome_distribution

        strategy, shoe = self._for_outcomes()
        result: dict[Fraction, float] = outcome_distribution(self.rules, strategy, shoe=shoe)
        return result

    @cached_property
    def variance(self) -> float:
        """The variance of a round's net, in bets squared; raises what `distribution` does."""
        from blackjack._outcomes import outcome_moments

        strategy, shoe = self._for_outcomes()
        _, variance = outcome_moments(self.rules, strategy, shoe=shoe)
        return float(variance)

    @property
    def sd(self) -> float:
        """The standard deviation of a round's net, in bets."""
        return math.sqrt(self.variance)

    def table(self) -> dict[str, list[Any]]:
        """All two-card hands against all upcards as columns: chance, the actions' values, what is played."""
        names = ("stand", "hit", "double", "split", "surrender")
        columns: dict[str, list[Any]] = {
            n: [] for n in ("hand", "upcard", "chance", *names, "best")
        }
        for i in range(10):
            for j in range(i, 10):
                for u in range(10):
                    chance = self._chance(i, j, u)
                    if chance <= 0:
                        continue
                    values, played = self._at((UPCARDS[i], UPCARDS[j]), UPCARDS[u]).values(None)
                    columns["hand"].append(UPCARDS[i] + UPCARDS[j])
                    columns["upcard"].append(UPCARDS[u])
                    columns["chance"].append(chance)
                    for name in names:
                        columns[name].append(values.get(Action(name)))
                    columns["best"].append(str(played))
        return columns

    def _chance(self, i: int, j: int, u: int) -> float:
        counts, gone = self._shoe.counts, 0 if self._shoe.infinite else 1
        n = sum(counts)
        ways = counts[i] * (counts[j] - gone * (i == j))
        ways *= counts[u] - gone * ((u == i) + (u == j))
        all_ways = n * (n - gone) * (n - 2 * gone)
        return (1 if i == j else 2) * max(0, ways) / all_ways if all_ways > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data that JSON can hold."""
        strategy = self.strategy
        return {
            "rules": self.rules.to_dict(),
            "shoe": list(self.shoe),
            "infinite": self._shoe.infinite,
            "strategy": strategy if isinstance(strategy, str) else strategy.to_chart(),
            "split_play": self.split_play,
            "assumptions": list(self.assumptions),
            "ev": self.ev,
            "house_edge": self.house_edge,
            "ev_by_upcard": dict(self.ev_by_upcard),
        }

    def to_pandas(self) -> pandas.DataFrame:
        """`table()` as a data frame.

        Raises:
            MissingExtra: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtra("pandas", "data") from None
        return pd.DataFrame(self.table())


def _again(rules: Rules, shoe: tuple[Any, ...], strategy: str | Strategy, split: str) -> Analysis:
    return Analysis(rules, Shoe(*shoe), strategy, split)


def _fixed(rules: Rules, shoe: Shoe, strategy: str | Strategy) -> Strategy | None:
    """The strategy to follow, or None: the best play."""
    if isinstance(strategy, Strategy):
        return strategy
    if strategy == "optimal":
        return None
    if strategy == "chart":
        from blackjack._analysis_chart import best_chart

        return best_chart(rules, shoe)
    if strategy == "published":
        return Strategy.published(rules)
    raise ChartError(f"expected 'optimal', 'chart', 'published' or a Strategy, got {strategy!r}")


def analyze(
    rules: RulesLike,
    *,
    shoe: ShoeLike | None = None,
    strategy: str | Strategy = "optimal",
    split_play: str = "cdz",
) -> Analysis:
    """Work a game out exactly: one player, off the top of a shoe.

    rules: `Rules` or a preset's name. shoe: cards by value (ten numbers A 2 ... 9 T, or a mapping) or by rank
    (thirteen), the rules' whole shoe by default. strategy: "optimal" plays every hand by its exact cards,
    "chart" by the best total-dependent chart, "published" by the common published one; or any `Strategy`.
    split_play: how "optimal" plays hands of a split: "cdz" as the same cards unsplit, "cdp1" as with one
    further pair card gone, "cdp" by the number of pair cards gone, "exact" (two hands, finite shoes; slow) with
    every card of the round remembered. docs/analysis.md explains.

    >>> game = analyze("vegas_strip")
    >>> f"{game.house_edge:.4%}"
    '0.5272%'
    >>> f"{analyze('vegas_strip', strategy='chart').house_edge:.4%}"
    '0.5283%'

    Raises:
        RulesError: something that has no exact value here; the text names the field.
        CardError: a shoe that cannot be read.
    """
    if not isinstance(split_play, str) or split_play not in _SPLITS:
        raise ChartError(f"expected a split_play of {', '.join(_SPLITS)}, got {split_play!r}")
    rules = Rules.of(rules)
    cards = read_shoe(rules, shoe)
    check_exact(rules, cards)
    if split_play == "exact":
        if strategy != "optimal":
            raise ChartError("expected the strategy 'optimal' for split_play 'exact'")
        if rules.insurance_blocks and rules.insurance_on:
            what = "expected no actions that insurance bars for split_play 'exact'"
            raise RulesError([(("insurance_blocks",), what)])
    return Analysis(rules, cards, strategy, split_play)


def _one(
    rules: RulesLike,
    hand: HandLike,
    upcard: Upcard,
    shoe: ShoeLike | None,
    **more: Any,
) -> Situation:
    rules = Rules.of(rules)
    cards = read_shoe(rules, shoe)
    check_exact(rules, cards)
    own, up = read_hand(hand), read_upcard(upcard)
    check_cards(cards, own.counts, up)
    solver = _solve(rules, cards, hand=own.counts, ups=1 << up, **more)
    if not more and len(own.ranks) == 2 and max(own.counts) == 2 and up in coupled(rules, cards):
        take_coupled(rules, cards, solver, None, only=(own.counts.index(2), up))
    return Situation(rules, cards, solver, hand, upcard)


def action_values(
    rules: RulesLike,
    hand: HandLike,
    upcard: Upcard,
    *,
    shoe: ShoeLike | None = None,
    after_split: bool = False,
    hands: int = 2,
    insured: bool = False,
    stake: float = 1.0,
    part: float = 1.0,
    given_no_blackjack: bool | None = None,
) -> dict[Action, float]:
    """The value of every legal action in one situation, for any shoe, with the best play afterwards.

    shoe: the cards before the hand's own and the upcard are taken out of it; leave out what else was seen.
    after_split: the hand is one of `hands` that its box was split into, its first card the one of the pair;
    a split is then worth what this hand's further hands come to. insured: what `insurance_blocks` bars is
    barred. stake: how many bets lie on the hand; more than one once it was doubled, where it may be doubled again.
    part: of the stake, what a double adds. Values are given no dealer blackjack where the dealer has peeked, and
    count them where he has not.

    >>> {str(a): round(x, 4) for a, x in action_values("vegas_strip", "8 8", "T").items()}
    {'stand': -0.5369, 'hit': -0.5354, 'double': -1.0707, 'split': -0.4749, 'surrender': -0.5}
    """
    if not 1 <= stake < math.inf or not 0 < part <= 1:
        what = f"a stake of one bet or more and a part of it, got {stake!r} and {part!r}"
        raise ChartError(f"expected {what}")
    more: dict[str, Any] = {}
    if after_split:
        if not isinstance(hands, int) or hands < 2:
            raise ChartError(f"expected 2 hands or more after a split, got {hands!r}")
        more = {"after_split": hands, "aces": read_hand(hand).ranks[0] == "A"}
    at = _one(rules, hand, upcard, shoe, **more)
    return at.values(given_no_blackjack, insured=insured, stake=stake, part=part)[0]


def offer_values(
    rules: RulesLike, hand: HandLike, upcard: Upcard, *, shoe: ShoeLike | None = None
) -> dict[Action, float]:
    """What the round is worth by the answer to the offer before play, for any shoe.

    Empty where nothing is offered. Nothing is known of the hole card yet; insurance counts with its own
    result and with play as insured boxes may.

    >>> {str(a): round(x, 4) for a, x in offer_values("vegas_strip", "A T", "A").items()}
    {'insurance': 1.0, 'decline': 1.0388}
    """
    return _one(rules, hand, upcard, shoe).offers()[0]
