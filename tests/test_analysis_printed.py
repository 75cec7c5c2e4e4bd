"""The analyzer against printed tables, to their last digit.

Single figures, each with the place that prints it. What a table does not say of its play is said here: where hands of
a split are played by other memory, or where a figure that stands among those of exact play is one of a chart.
Figures at full precision: test_analysis.
"""

from __future__ import annotations

from typing import Any

import pytest

from blackjack import Action, Rules, action_values, analyze

NAMES = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT)


def edge(rules: Rules, play: str) -> float:
    """House edge in per cent of a way of playing."""
    if play in ("chart", "published"):
        return 100 * analyze(rules, strategy=play).house_edge
    return 100 * analyze(rules, split_play=play).house_edge


# ---------------------------------------------------------------- whole games

# House edge in per cent, H17, double after split, late surrender, four hands, by exact cards: printed in the notebook
# hhoppe/blackjack, with its own analysis and the calculators of wizardofodds.com and bjstrat.net. At one deck they
# play hands of a split a little better than CDZ-; CDP1 meets them. Three of the eight-deck figures (no double after
# split, double on 10 and 11, aces split again) are printed among those of exact play, but are what the best chart is
# worth: exact play is worth 0.6972, 0.7493 and 0.4828.
PRINTED = [
    ({"decks": 1}, -0.030, "cdp1"),
    ({"decks": 2}, 0.314, "cdz"),
    ({"decks": 4}, 0.475, "cdz"),
    ({"decks": 6}, 0.527, "cdz"),
    ({"decks": 8}, 0.553, "cdz"),
    ({"decks": None}, 0.629, "cdz"),
    ({"decks": 8, "hit_soft_17": False}, 0.355, "cdz"),
    ({"decks": 8, "double_after_split": False}, 0.698, "chart"),
    ({"decks": 8, "double_on": [10, 11], "double_soft": False}, 0.750, "chart"),
    ({"decks": 8, "max_hands": 2}, 0.608, "cdz"),
    ({"decks": 8, "max_ace_hands": 4}, 0.484, "chart"),
    ({"decks": 8, "hit_split_aces": True}, 0.373, "cdz"),
    ({"decks": 8, "hole_card": "none", "surrender": "none"}, 0.756, "cdz"),
    ({"decks": 8, "surrender": "none"}, 0.645, "cdz"),
    ({"decks": 8, "blackjack_pays": "6:5"}, 1.911, "cdz"),
    ({"decks": 1, "hit_soft_17": False}, -0.205, "cdp1"),
    ({"decks": 1, "double_after_split": False}, 0.114, "cdp1"),
    ({"decks": 1, "double_on": [10, 11], "double_soft": False}, 0.272, "cdp1"),
    ({"decks": 1, "max_hands": 2}, -0.001, "cdp1"),
    ({"decks": 1, "hit_split_aces": True}, -0.160, "cdp1"),
    ({"decks": 1, "hole_card": "none", "surrender": "none"}, 0.121, "cdp1"),
    ({"decks": 1, "hole_card": "none", "surrender": "none"}, 0.122, "cdz"),  # bjstrat.net's
    ({"decks": 1, "surrender": "none"}, 0.008, "cdp1"),
    ({"decks": 1, "blackjack_pays": "6:5"}, 1.365, "cdp1"),
    # the common chart played whatever the cards are, "total-dependent, no cut card"
    ({"decks": 1}, 0.013, "published"),
    ({"decks": 4}, 0.480, "published"),
    ({"decks": 6}, 0.530, "published"),
    ({"decks": 8}, 0.555, "published"),
    ({"decks": 1, "hit_soft_17": False}, -0.161, "published"),
    ({"decks": 2, "hit_soft_17": False}, 0.144, "published"),
    ({"decks": 4, "hit_soft_17": False}, 0.287, "published"),
    ({"decks": 6, "hit_soft_17": False}, 0.333, "published"),
]


@pytest.mark.parametrize(("fields", "percent", "play"), PRINTED)
def test_printed_edges(fields: dict[str, Any], percent: float, play: str) -> None:
    rules = Rules(**{"hit_soft_17": True, "surrender": "late", "insurance_on": [], **fields})
    assert round(edge(rules, play), 3) == percent


def test_aces_split_again_at_one_deck() -> None:
    """Printed as -0.062 in the same table. CDP1 is 0.00008 short of the digit, as it is worse than their play of
    split hands by up to 0.0008 (see below); exact play of split hands is not computed for four hands."""
    rules = Rules(decks=1, hit_soft_17=True, surrender="late", insurance_on=[], max_ace_hands=4)
    assert -0.0622 < edge(rules, "cdp1") < -0.0614


# Per cent, six decks, H17, double after split, late surrender: printed in hhoppe/blackjack. Without a hole card
# wizardofodds.com's 0.105 is right there, not the notebook's 0.106 (its other figures agree).
EFFECTS = [
    ({"blackjack_pays": "2:1"}, -2.266),
    ({"blackjack_pays": "6:5"}, 1.360),
    ({"blackjack_pays": "1:1"}, 2.266),
    ({"hit_soft_17": False}, -0.197),
    ({"hole_card": "none"}, 0.105),
    ({"double_on": [9, 10, 11], "double_soft": False}, 0.106),
    ({"double_after_split": False}, 0.144),
    ({"surrender": "none"}, 0.088),
    ({"max_hands": 1}, 0.559),
    ({"max_hands": 2}, 0.053),
    ({"max_hands": 3}, 0.008),
    ({"max_hands": 30}, -0.002),
    ({"max_ace_hands": 4}, -0.068),
    ({"hit_split_aces": True}, -0.177),
    ({"double_split_aces": True}, -0.080),
]


@pytest.mark.parametrize(("fields", "percent"), EFFECTS)
def test_printed_effects_of_rules(fields: dict[str, Any], percent: float) -> None:
    base = Rules(hit_soft_17=True, surrender="late", insurance_on=[])
    change = analyze(base.replace(**fields)).house_edge - analyze(base).house_edge
    assert round(100 * change, 3) == percent


# wizardofodds.com, appendix 9: a player's expected net, four hands, aces once. His play of split hands hangs on the
# number of hands so far and is not computed here; he calls it good to about 1e-5, which is how far they agree.
APPENDIX_9 = [
    ({"decks": 1}, 0.001839),
    ({"decks": 1, "double_after_split": False}, 0.000423),
    ({"decks": 1, "hit_soft_17": True}, -0.000072),
    ({"decks": 1, "hit_soft_17": True, "double_after_split": False}, -0.001513),
    ({"decks": 2, "hit_soft_17": True}, -0.003797),
    ({"decks": 2, "hit_soft_17": True, "double_after_split": False}, -0.005252),
    ({"decks": 5, "hit_soft_17": True}, -0.005918),
    ({"decks": 5, "double_after_split": False}, -0.005225),
    ({"decks": 6, "hit_soft_17": True, "hole_card": "none"}, -0.0072705),
    ({"decks": 8, "hit_soft_17": True, "hole_card": "none"}, -0.007562),
]


@pytest.mark.parametrize(("fields", "printed"), APPENDIX_9)
def test_printed_nets(fields: dict[str, Any], printed: float) -> None:
    game = analyze(Rules(**{"insurance_on": [], **fields}), split_play="cdp")
    assert game.ev == pytest.approx(printed, abs=1e-5)


# ---------------------------------------------------------------- hands

# Stand, hit, double, split (None: not printed). The first from wizardofodds.com and bjstrat.net, quoted in
# hhoppe/blackjack; bjstrat.net's split of 7 7 against a ten is the one of CDP1 (-0.6225 by CDZ-), who splits them
# again although it is wrong to. The rest is from appendix 9 of wizardofodds.com, whose last digit is cut off or
# rounded up where the sixth figure behind it is a half (5 of 327 figures, by 5.4e-7).
Hand = tuple[dict[str, Any], str, str, tuple[float | None, ...]]
HANDS: list[Hand] = [
    ({"decks": 6, "hit_soft_17": True}, "7 8", "T", (-0.536220, -0.499763, -0.999525)),
    ({"decks": 2, "hit_soft_17": True}, "2 T", "4", (-0.206125, -0.204205, -0.408411)),
    ({"decks": 1, "hit_soft_17": True}, "2 6", "6", (-0.108450, 0.119677, 0.111237)),
    ({"decks": 1, "hit_soft_17": True}, "9 9", "A", (-0.186130, -0.637010, -1.274020)),
    ({"decks": 1}, "6 T", "T", (-0.542952, -0.506929, None)),
    ({"decks": 1}, "7 7", "T", (-0.509739, -0.514818, -1.034724)),
    ({"decks": 1, "hit_soft_17": True}, "2 3 6", "9", (-0.541969, 0.167563, None)),
    ({"decks": 1}, "A 7", "A", (-0.101015, -0.108386, -0.357778)),
    ({"decks": 1}, "5 6", "A", (-0.634013, 0.172946, 0.240259)),
    ({"decks": 1, "hit_soft_17": True}, "4 6", "A", (-0.575556, 0.045103, 0.030867)),
    ({"decks": 2, "hit_soft_17": True}, "A 6", "A", (-0.511565, -0.224617, -0.541393)),
    ({"decks": 2, "hit_soft_17": True}, "A 7", "A", (-0.224703, -0.165428, -0.416886)),
    ({"decks": 5, "hit_soft_17": True}, "2 7", "A", (-0.593988, -0.127340, -0.453585)),
    ({"decks": 5}, "A 6", "A", (-0.478961, -0.183653, -0.535696)),
    ({"decks": 6, "hit_soft_17": True, "hole_card": "none"}, "A 2", "A", (-0.722356, -0.379910, -1.024099)),
    ({"decks": 6, "hit_soft_17": True, "hole_card": "none"}, "5 6", "A", (-0.720879, -0.235772, -0.535879)),
    ({"decks": 8, "hit_soft_17": True, "hole_card": "none"}, "4 6", "A", (-0.721150, -0.286345, -0.639456)),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "cards", "upcard", "printed"), HANDS)
def test_printed_hands(
    fields: dict[str, Any], cards: str, upcard: str, printed: tuple[float | None, ...]
) -> None:
    got = action_values(Rules(**fields), cards, upcard)
    for action, value in zip(NAMES, printed, strict=False):
        if value is not None:
            assert round(got[action], 6) == value


def test_printed_splits() -> None:
    """bjstrat.net, quoted in hhoppe/blackjack."""
    nines = action_values(Rules(decks=1, hit_soft_17=True), "9 9", "A")
    assert round(nines[Action.SPLIT], 4) == -0.1839
    sevens = analyze(Rules(decks=1), split_play="cdp1").values("7 7", "T")
    assert round(sevens[Action.SPLIT], 4) == -0.6198


# wizardofodds.com, appendix 1: infinite deck, S17. Standing on 16 and less, and on 17 to 21.
UPCARDS = "23456789TA"
STAND = {
    "T 6": (-0.2928, -0.2523, -0.2111, -0.1672, -0.1537, -0.4754, -0.5105, -0.5431, -0.5404, -0.6670),
    "T 7": (-0.1530, -0.1172, -0.0806, -0.0449, 0.0117, -0.1068, -0.3820, -0.4232, -0.4197, -0.4780),
    "T 8": (0.1217, 0.1483, 0.1759, 0.1996, 0.2834, 0.3996, 0.1060, -0.1832, -0.1783, -0.1002),
    "T 5 6": (0.8820, 0.8853, 0.8888, 0.8918, 0.9028, 0.9259, 0.9306, 0.9392, 0.9626, 0.9222),
}  # fmt: skip


def test_printed_values_of_the_infinite_deck() -> None:
    game = analyze(Rules(decks=None, insurance_on=[]))
    assert round(100 * game.house_edge, 6) == 0.511734
    for cards, row in STAND.items():
        got = [round(game.values(cards, u)[Action.STAND], 4) for u in UPCARDS]
        assert got == list(row), cards
    eights = game.values("8 8", "T")
    assert [round(eights[a], 4) for a in NAMES] == [-0.5404, -0.5398, -1.0797, -0.4807]
    hits = [round(game.values("2 2", u)[Action.HIT], 4) for u in "2345678"]
    assert hits == [-0.1149, -0.0826, -0.0494, -0.0124, 0.0111, -0.0883, -0.1593]


# ---------------------------------------------------------------- the dealer

# wizardofodds.com, appendix 2, S17: 17, 18, 19, 20, 21, bust, given no blackjack; all upcards together, too.
FINALS = ("17", "18", "19", "20", "21", "bust")
DEALER = {
    (1, "A"): (0.183786, 0.190890, 0.188680, 0.191692, 0.075137, 0.169815),
    (1, "7"): (0.372345, 0.138583, 0.077334, 0.078897, 0.072987, 0.259854),
    (2, "T"): (0.122412, 0.121600, 0.122524, 0.363870, 0.038449, 0.231144),
    (1, None): (0.153225, 0.145065, 0.141657, 0.184722, 0.077364, 0.297967),
    (2, None): (0.152784, 0.145746, 0.140865, 0.186996, 0.076841, 0.296767),
}


@pytest.mark.parametrize(("decks", "upcard"), DEALER)
def test_printed_dealer(decks: int, upcard: str | None) -> None:
    game = analyze(Rules(decks=decks))
    if upcard is not None:
        got = game.dealer(upcard, peeked=True)
    else:
        # given that no upcard came with a blackjack: each counts as often as it is left
        got = dict.fromkeys((*FINALS, "blackjack"), 0.0)
        for up, chance in game.upcard_chances.items():
            for final, p in game.dealer(up).items():
                got[final] += chance * p
        got = {final: p / (1 - got["blackjack"]) for final, p in got.items()}
    assert [round(got[final], 6) for final in FINALS] == list(DEALER[decks, upcard])


def test_printed_variance() -> None:
    """wizardofodds.com, appendix 4 (simulated, with a cut card): six decks, H17, double after split."""
    game = analyze(Rules(hit_soft_17=True, insurance_on=[]), strategy="published")
    assert round(game.variance, 3) == 1.346
