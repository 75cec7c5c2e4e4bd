"""The analyzer against figures of others, the simulator and itself.

Figures at full precision are of an independent public engine (Eric Farmer, github possibly-wrong/blackjack at
a1f7dbb, double precision). Not here: printed figures (test_analysis_printed), the dealer (test_dealer), brute
force on tiny shoes (test_analysis_bruteforce), reading of input (test_analysis_input).
"""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from blackjack import Action, Rules, action_values, analyze, offer_values, simulate
from blackjack.errors import RulesError
from blackjack.outcomes import outcome_moments
from blackjack.presets import PRESETS
from blackjack.strategy import Strategy

UPCARDS = "A23456789T"
NEAR = 1e-12
GAMES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "exact_values.json").read_text()
)["games"]


def near(value: float | dict[str, float]) -> Any:
    return pytest.approx(value, abs=NEAR)


# ---------------------------------------------------------------- whole games


def check_game(game: dict[str, Any]) -> None:
    rules = Rules(**game["rules"])
    for split_play in ("cdz", "cdp1", "cdp"):
        if split_play in game:
            got = analyze(rules, shoe=game.get("shoe"), split_play=split_play)
            assert got.ev == near(game[split_play]), (split_play, game)


@pytest.mark.parametrize("index", range(0, len(GAMES), 16))
def test_games_of_another_engine(index: int) -> None:
    check_game(GAMES[index])


@pytest.mark.slow
@pytest.mark.parametrize("index", [i for i in range(len(GAMES)) if i % 16])
def test_more_games_of_another_engine(index: int) -> None:
    check_game(GAMES[index])


# Six decks, dealer stands, double after split, four hands (file 6d_s17_das_CDZ of the same engine).
BY_UPCARD = {
    "A": -0.3416528476696325,
    "2": 0.09267505836524392,
    "3": 0.1263161040451096,
    "4": 0.16279783816393886,
    "5": 0.20325999191594574,
    "6": 0.23575407662754558,
    "7": 0.14460102687164555,
    "8": 0.057572421366619136,
    "9": -0.0411415756599451,
    "T": -0.17313880618036864,
}


def test_by_upcard() -> None:
    game = analyze(Rules(insurance_on=[]))
    assert game.ev_by_upcard == near(BY_UPCARD)
    assert game.ev == near(-0.0040287023611541364)
    assert game.house_edge == game.edge == -game.ev
    total = sum(p * game.ev_by_upcard[u] for u, p in game.upcard_chances.items())
    assert total == near(game.ev)


def test_infinite_shoe() -> None:
    """The engine's figure is of 40 million decks, about 1e-8 off."""
    rules = Rules(decks=None)
    assert analyze(rules).ev == pytest.approx(-0.005117336209674521, abs=1e-8)
    large = analyze(Rules(decks=1000))
    assert analyze(rules).ev == pytest.approx(large.ev, abs=1e-5)


# ---------------------------------------------------------------- hands

FARMER_HANDS = [
    # stand, hit, double, split, surrender (None: not legal); given no dealer blackjack where he peeks
    (
        {"decks": 1, "hit_soft_17": True},
        {
            "A A/A": (
                -0.5911186339630364,
                -0.07124406180046887,
                -0.5584937409162489,
                0.21509204544925,
            ),
            "9 9/A": (
                -0.1861304887148158,
                -0.6370100043778397,
                -1.2740200087556794,
                -0.18393964186333786,
            ),
            "2 T/4": (-0.20677602110444326, -0.1942471502424122, -0.3884943004848244),
            "8 8/T": (
                -0.5182911030336256,
                -0.5117551976792034,
                -1.0235103953584068,
                -0.4468690068426312,
            ),
            "A 7/9": (-0.17883186296692322, -0.08695751684413064, -0.2544966443002132),
        },
    ),
    (
        {"hit_soft_17": True, "surrender": "late", "max_ace_hands": 4},
        {
            "A A/T": (
                -0.5387967288512433,
                -0.06630980147320462,
                -0.5066502498616806,
                0.2983817915965079,
                -0.5,
            ),
            "6 6/3": (
                -0.2404932693786624,
                -0.23221884690457867,
                -0.46443769380915734,
                -0.09309188466525592,
                -0.5,
            ),
            "6 T/T": (-0.5409544390190254, -0.5346755624525634, -1.0693511249051268, None, -0.5),
        },
    ),
    (
        {"hit_soft_17": True, "hole_card": "none"},
        {
            "A T/A": (1.0388349514563107,),
            "8 8/T": (
                -0.5728258585202575,
                -0.5714495014054621,
                -1.1428990028109243,
                -0.6158448133703616,
            ),
            "A A/A": (
                -0.7225864835335192,
                -0.3553154466526011,
                -1.0247214527999216,
                -0.5379604103442391,
            ),
            "2 2/7": (
                -0.47462144198836137,
                -0.08882808421733994,
                -0.9492428839767233,
                0.008509367401617113,
            ),
        },
    ),
    (
        {"decks": 2, "double_after_split": False},
        {
            "3 3/2": (
                -0.29251922723949214,
                -0.1457071915018487,
                -0.5632342321811374,
                -0.20673313692069603,
            ),
            "5 T/T": (-0.5393513506621017, -0.5027750858932738, -1.0055501717865476),
        },
    ),
]
NAMES = [Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER]


@pytest.mark.parametrize(("fields", "hands"), FARMER_HANDS)
def test_hands_of_another_engine(
    fields: dict[str, Any], hands: dict[str, tuple[float | None, ...]]
) -> None:
    game = analyze(Rules(**fields))
    for text, figures in hands.items():
        cards, upcard = text.split("/")
        want = {a: near(x) for a, x in zip(NAMES, figures, strict=False) if x is not None}
        assert game.values(cards, upcard) == want, text
        best = max(want, key=lambda a: want[a].expected)
        assert game.best(cards, upcard) == best
        assert action_values(game.rules, cards, upcard) == want, text


def test_split_play_that_knows_the_pair_cards() -> None:
    """Same engine, file 6d_s17_das_CDP."""
    game = analyze(Rules(), split_play="cdp")
    assert game.values("2 2", "A")[Action.SPLIT] == near(-0.4350696351296384)
    assert game.values("4 4", "6")[Action.SPLIT] == near(0.1675929483861502)
    assert "CDP" in " ".join(game.assumptions)


# ---------------------------------------------------------------- traps that others fell into


def test_late_surrender_still_loses_to_a_blackjack() -> None:
    """Half of the bet where he has none, all of it where he has one."""
    game = analyze(Rules(surrender="late"))
    peeked = game.values("T 6", "A", given_no_blackjack=False)[Action.SURRENDER]
    chance = game.dealer("A", hand="T 6")["blackjack"]
    assert peeked == near(-0.5 * (1 - chance) - chance)
    unseen = analyze(Rules(surrender="late", hole_card="no_peek"))
    assert unseen.values("T 6", "A")[Action.SURRENDER] == near(peeked)
    early = analyze(Rules(surrender="early", hole_card="no_peek"))
    assert early.values("T 6", "A")[Action.SURRENDER] == -0.5


def test_soft_17_matters_under_few_upcards() -> None:
    stands, hits = analyze(Rules()), analyze(Rules(hit_soft_17=True))
    same = [u for u in UPCARDS if abs(stands.ev_by_upcard[u] - hits.ev_by_upcard[u]) < NEAR]
    assert same == ["7", "8", "9", "T"]


def test_dealer_22() -> None:
    """A published column has 0.072874; 0.072591 is right at six decks."""
    game = analyze(Rules(push_on_22=True))
    chance = sum(p * game.dealer(u)["22"] for u, p in game.upcard_chances.items())
    assert round(chance, 6) == 0.072591


def test_a_peek_is_worth_what_original_bets_only_are() -> None:
    peek = analyze(Rules(insurance_on=[]))
    original = analyze(Rules(insurance_on=[], hole_card="none", dealer_blackjack_takes="original"))
    assert original.ev == near(peek.ev)


# ---------------------------------------------------------------- against itself


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("goldfishka", "las_vegas") else pytest.param(name, marks=pytest.mark.slow)
        for name in PRESETS
    ],
)
def test_the_best_play_written_down_is_worth_the_same(name: str) -> None:
    game = analyze(name)
    best, chart = game.optimal(), game.chart()
    assert analyze(name, strategy=best).ev == near(game.ev)
    with_chart = analyze(name, strategy="chart")
    assert analyze(name, strategy=chart).ev == with_chart.ev
    published = analyze(name, strategy="published")
    assert published.ev <= with_chart.ev <= game.ev


def test_differences_cost_what_the_chart_loses() -> None:
    """Of hands that are not drawn to, chance times cost adds up to the loss of the ev."""
    rules = Rules(decks=1, max_hands=1, insurance_on=[])
    game = analyze(rules)
    rows = game.differences()
    two = [r for r in rows if len(str(r["cards"]).split()) == 2]
    assert two
    assert rows == sorted(rows, key=lambda r: -float(str(r["cost"])))
    for row in two[:10]:
        cards, upcard = str(row["cards"]), str(row["upcard"])
        values = game.values(cards, upcard)
        action, chart = Action(str(row["action"])), Action(str(row["chart"]))
        assert max(values, key=lambda a: values[a]) == action
        assert values[action] - values[chart] == near(float(str(row["cost"])))
    loss = game.ev - analyze(rules, strategy="chart").ev
    assert 0 < loss < sum(float(str(r["cost"])) * float(str(r["chance"])) for r in rows) * 1.1


def test_a_removed_card_is_another_shoe() -> None:
    rules = Rules(decks=1)
    effects = analyze(rules).effects_of_removal()
    assert list(effects) == list(UPCARDS)
    counts = [4, 4, 4, 4, 3, 4, 4, 4, 4, 16]
    assert effects["5"] == near(analyze(rules, shoe=counts).ev - analyze(rules).ev)
    assert effects["5"] > effects["4"] > 0 > effects["T"] > effects["A"]


# ---------------------------------------------------------------- against the simulator

ODD: dict[str, dict[str, Any]] = {
    "charlie and redouble": {
        "decks": 2,
        "charlie_cards": 5,
        "charlie_pays": "3:2",
        "redouble": True,
        "double_any_number": True,
        "hole_card": "no_peek",
    },
    "split aces": {
        "decks": 4,
        "hit_split_aces": True,
        "double_split_aces": True,
        "max_ace_hands": 4,
        "split_ace_ten_beats_21": True,
        "dealer_wins_ties": [17],
    },
    "pairs of a rank": {"decks": 1, "split_by": "rank", "max_hands": 4, "push_on_22": True},
    "seen tens": {
        "decks": 6,
        "peek_on": ["T"],
        "surrender": "early",
        "insurance_on": ["A", "T"],
        "even_money_on": ["A"],
        "blackjack_ties_21": True,
    },
}


def simulated(rules: Rules, strategy: Strategy, rounds: int) -> None:
    """Five standard errors, one seed."""
    rules = rules.replace(shuffle="every_round")
    result = simulate(rules, strategy, rounds=rounds, seed=11, workers=1)
    exact = analyze(rules, strategy=strategy).ev
    assert abs(result.ev - exact) < 5 * result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
def test_odd_rules_simulated(name: str) -> None:
    rules = Rules(**ODD[name])
    chart = analyze(rules).chart()
    tens = chart.replace(
        rows={**chart.rows, "pT": ("P",) * 10, "p8": ("Ph",) * 10}, insurance=True, even_money=True
    )
    simulated(rules, tens, 500_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_presets_simulated(name: str) -> None:
    simulated(Rules.preset(name), analyze(name).optimal(), 4_000_000)


# ---------------------------------------------------------------- rules one by one


def test_suits_of_a_blackjack() -> None:
    game = analyze("las_vegas")
    assert game.values("As Ks", "5") == {Action.STAND: 2.0}
    assert game.values("As Kd", "5") == {Action.STAND: 1.5}
    assert game.values("A T", "5") == {Action.STAND: 1.625}


def test_insurance_that_bars_actions() -> None:
    """Five to two on half a bet, but no double and no split: romanian."""
    game = analyze("romanian")
    offers = game.offers("T 6", "A")
    assert set(offers) == {Action.INSURANCE, Action.SURRENDER, Action.DECLINE}
    chance = game.dealer("A", hand="T 6")["blackjack"]
    side = 0.5 * (2.5 * chance - (1 - chance))
    assert offers[Action.INSURANCE] - offers[Action.DECLINE] == near(side)
    barred = game.values("5 6", "A", insured=True)
    assert Action.DOUBLE not in barred
    assert Action.DOUBLE in game.values("5 6", "A")
    assert game.insurance("A A", "A") is not None
    free = analyze(game.rules.replace(insurance_blocks=[]))
    assert free.offers("A A", "A")[Action.INSURANCE] > game.offers("A A", "A")[Action.INSURANCE]


def test_even_money_and_insurance_of_a_blackjack() -> None:
    offers = offer_values("goldfishka", "A T", "A")
    chance = analyze("goldfishka").dealer("A", hand="A T")["blackjack"]
    assert offers[Action.EVEN_MONEY] == 1.0
    assert offers[Action.DECLINE] == near(1.5 * (1 - chance))
    assert analyze("goldfishka").even_money("A T", "A") == near(1 - 1.5 * (1 - chance))
    assert analyze("goldfishka").insurance("A T", "A") is None
    assert offer_values("goldfishka", "T 6", "5") == {}


def test_split_hands() -> None:
    """After a split an ace and a ten are no blackjack, split aces get one card, nothing is surrendered."""
    rules = Rules(surrender="late")
    values = action_values(rules, "A T", "6", after_split=True)
    assert set(values) == {Action.STAND}
    assert values[Action.STAND] < 1
    assert set(action_values(rules, "T A", "6", after_split=True)) == {
        Action.STAND,
        Action.HIT,
        Action.DOUBLE,
    }
    assert Action.SPLIT in action_values(rules, "8 8", "6", after_split=True, hands=3)
    assert Action.SPLIT not in action_values(rules, "8 8", "6", after_split=True, hands=4)
    assert set(action_values(rules, "A A", "6", after_split=True, hands=2)) == {Action.STAND}


TOGETHER: dict[str, dict[str, Any]] = {
    "original and busted": {"dealer_blackjack_takes": "original_and_busted"},
    "original, charlies": {"dealer_blackjack_takes": "original", "charlie_cards": 4},
    "original, ties": {"dealer_blackjack_takes": "original", "blackjack_ties_21": True},
}


@pytest.mark.parametrize("hands", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", TOGETHER)
def test_together_as_in_the_distribution(name: str, hands: int) -> None:
    """Against the joint distribution of what the hands are paid, which is another way to it."""
    rules = Rules(decks=1, max_hands=hands, max_ace_hands=hands, hole_card="none", **TOGETHER[name])
    strategy = Strategy.published(rules)
    mean, _ = outcome_moments(rules, strategy)
    assert analyze(rules, strategy=strategy).ev == near(mean)


def test_four_hands_of_aces_have_no_decision_but_the_split() -> None:
    """Farmer's play with full memory of the round, one deck, aces split again up to four hands: one card each."""
    optimal = {
        "A": -0.15070516782918142,
        "2": 0.6392471326460721,
        "6": 0.8319646426102727,
        "T": 0.20811519238424928,
    }
    game = analyze(Rules(decks=1, max_ace_hands=4, insurance_on=[]))
    for up, value in optimal.items():
        got = game.values("A A", up, given_no_blackjack=False)[Action.SPLIT]
        assert got == near(value)


def test_hands_that_a_dealer_blackjack_takes_together() -> None:
    rules = Rules(decks=1, hole_card="none", max_hands=2, insurance_on=[])
    ev = {
        takes: analyze(rules.replace(dealer_blackjack_takes=takes)).ev
        for takes in ("all", "original_and_busted", "original")
    }
    assert ev["all"] < ev["original_and_busted"] < ev["original"]
    game = analyze(rules.replace(dealer_blackjack_takes="original_and_busted"))
    assert analyze(game.rules, strategy=game.optimal()).ev == pytest.approx(game.ev, abs=1e-11)
    tied = rules.replace(dealer_blackjack_takes="original", blackjack_ties_21=True)
    assert analyze(tied).ev > ev["original"]


def test_what_has_no_exact_value_is_refused() -> None:
    together = Rules(
        hole_card="none",
        dealer_blackjack_takes="original_and_busted",
        insurance_blocks=["double"],
    )
    assert analyze(together.replace(max_hands=1)).ev < 0
    with pytest.raises(RulesError, match="dealer_blackjack_takes: where a dealer blackjack takes"):
        analyze(together.replace(insurance_blocks=[]), split_play="cdp")
    with pytest.raises(RulesError, match="suited_blackjack_pays: the suits of a shoe"):
        analyze("las_vegas", shoe=[5, *[4] * 8, 16])
    with pytest.raises(RulesError, match="split_by: expected a shoe of thirteen counts"):
        analyze(Rules(split_by="rank"), shoe=[24] * 9 + [90])
    assert analyze(Rules(split_by="rank"), shoe=[24] * 9 + [24, 24, 24, 18]).ev < 0
    with pytest.raises(RulesError, match="shoe: expected enough cards for a round to end"):
        analyze(Rules(), shoe=[0, 1, 1, 1, 1, 0, 0, 0, 0, 2])
    with pytest.raises(RulesError, match="hole_card: under A the dealer does not look"):
        analyze("goldfishka").values("T 6", "A", given_no_blackjack=True)


# ---------------------------------------------------------------- plain data


def test_to_dict_and_back() -> None:
    game = analyze("european", strategy="chart")
    data = json.loads(json.dumps(game.to_dict()))
    assert data["ev"] == game.ev
    assert data["ev_by_upcard"] == game.ev_by_upcard
    assert data["shoe"] == [24] * 9 + [96]
    assert Rules.from_dict(data["rules"]) == game.rules
    again = pickle.loads(pickle.dumps(game))
    assert again.ev == game.ev
    with pytest.raises(AttributeError, match="does not change"):
        game.rules = Rules()


def test_table_of_hands() -> None:
    table = analyze("vegas_strip").table()
    assert len(table["hand"]) == 550
    assert sum(table["chance"]) == near(1)
    at = next(i for i in range(550) if (table["hand"][i], table["upcard"][i]) == ("88", "T"))
    assert table["best"][at] == "split"
    assert table["split"][at] > table["hit"][at]


def test_threads_give_the_same() -> None:
    from concurrent.futures import ThreadPoolExecutor

    shoes = [[24] * 9 + [96 - n] for n in range(4)]
    one = [analyze(Rules(), shoe=s).ev for s in shoes]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda s: analyze(Rules(), shoe=s).ev, shoes)) == one
