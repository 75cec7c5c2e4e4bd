"""Strategies: text, decisions, compiled plans, callables. Not here: the published charts."""

from __future__ import annotations

import pickle
import struct
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack._chart_text import COLUMNS, ROWS, ExactCards, tidy
from blackjack.actions import ACTIONS, Action
from blackjack.cards import UPCARDS, Card
from blackjack.errors import ChartError
from blackjack.rules import Rules
from blackjack.strategy import Situation, Strategy, decode, encode

HEAD = "    2  3  4  5  6  7  8  9  T  A\n"
DESIGN = """
        2  3  4  5  6  7  8  9  T  A
    h11 Dh Dh Dh Dh Dh Dh Dh Dh H  H
    s18 S  Ds Ds Ds Ds S  S  H  H  H
    p8  Ph Ph Ph Ph Ph Ph Ph Ph Ph Ph
"""
PLAY = [Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER]

cells = st.lists(st.sampled_from("SHDPU"), min_size=1, max_size=5).map("".join)
rows = st.lists(cells, min_size=10, max_size=10).map(tuple)
charts = st.dictionaries(st.sampled_from(ROWS), rows, max_size=6)
choices = st.booleans() | st.frozensets(
    st.tuples(st.sampled_from(ROWS), st.sampled_from(UPCARDS)), min_size=1, max_size=3
)
hands = st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(
    lambda values: sum(v + 1 for v in values) <= 21
)


@st.composite
def exceptions(draw: st.DrawFn) -> ExactCards:
    values = draw(hands)
    counts = tuple(values.count(v) for v in range(10))
    return ExactCards(
        counts,
        draw(st.integers(0, 9)),
        tidy(draw(cells)),
        draw(st.sampled_from([None, True, False])),
    )


strategies = st.builds(
    Strategy,
    rows=charts,
    after_split=charts,
    exact=st.lists(exceptions(), max_size=3).map(tuple),
    insurance=choices,
    even_money=choices,
    early_surrender=choices,
)


@settings(max_examples=40, deadline=None)
@given(strategies)
def test_text_and_back(strategy: Strategy) -> None:
    again = Strategy.from_chart(strategy.to_chart())
    assert again == strategy
    assert hash(again) == hash(strategy)
    assert again.to_chart() == strategy.to_chart()
    assert again.compile(Rules()) == strategy.compile(Rules())
    assert pickle.loads(pickle.dumps(strategy)) == strategy


@given(cells)
def test_a_cell_and_its_code(cell: str) -> None:
    letters = list(dict.fromkeys(cell))
    legal_sets = chain.from_iterable(combinations(PLAY[1:], n) for n in range(5))
    names = {
        "S": Action.STAND,
        "H": Action.HIT,
        "D": Action.DOUBLE,
        "P": Action.SPLIT,
        "U": Action.SURRENDER,
    }
    for some in legal_sets:
        legal = {Action.STAND, *some}
        want = next((names[c] for c in letters if names[c] in legal), Action.STAND)
        got = next((a for a in decode(encode(cell)) if a in legal), Action.STAND)
        assert got is want
    assert tidy(tidy(cell)) == tidy(cell)


def test_the_chart_of_the_design() -> None:
    s = Strategy.from_chart(DESIGN)
    assert s.cell("h11", "T") == "H"
    assert s.cell("s18", "3") == "Ds"
    assert s.cell("p8", "A") == "Ph"
    # a missing pair row is played by its total, a missing total row to 17
    assert s.cell("p6", "2") == "H"
    assert s.cell("pT", "2") == "S"
    assert s.cell("pA", "7") == "H"
    assert [s.cell(r, "9") for r in ("h16", "h17", "s17", "s18", "s19")] == [
        "H",
        "S",
        "H",
        "H",
        "S",
    ]
    assert s.cell("p9", "4") == "S"
    assert Strategy.from_chart(HEAD + "h18" + " D" * 10).cell("p9", "4") == "D"


def test_pair_that_may_not_be_split_goes_on() -> None:
    s = Strategy.from_chart(HEAD + "p8" + " UPh" * 10)
    assert s.decide("8c 8d", "Ts", PLAY) is Action.SURRENDER
    assert s.decide("8c 8d", "Ts", ["hit", "stand", "split"]) is Action.SPLIT
    assert s.decide("8c 8d", "Ts", ["hit", "stand"]) is Action.HIT
    assert s.decide("8c 8d", "Ts", ["stand"]) is Action.STAND


def test_any_case_any_column_order_comments() -> None:
    text = "# mine\n\n A T 9 8 7 6 5 4 3 10 # no\n".replace(" 10", " 2")
    s = Strategy.from_chart(text + "H11 h h dH dh dh dh dh dh dh DH # eleven\nINSURANCE: Yes\n")
    assert s.cell("h11", "A") == "H"
    assert s.cell("h11", "2") == "Dh"
    assert s.insurance is True
    ten = Strategy.from_chart("2 3 4 5 6 7 8 9 10 A\np10 S S S S P P S S S S")
    assert ten.cell("pT", "6") == "P"


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("", "line 1, column 1", "columns"),
        ("# only\n\n", "line 1, column 1", "columns"),
        ("2 3 4 5 6 7 8 9 T X", "line 1, column 19", "'X'"),
        ("2 3 4 5 6 7 8 9 T 2", "line 1, column 19", "twice"),
        ("2 3 4 5 6 7 8 9 T", "line 1, column 18", "missing A"),
        (HEAD + "h3 " + "S " * 10, "line 2, column 1", "'h3'"),
        (HEAD + "h22 " + "S " * 10, "line 2, column 1", "'h22'"),
        (HEAD + "s11 " + "S " * 10, "line 2, column 1", "'s11'"),
        (HEAD + "pK " + "S " * 10, "line 2, column 1", "'pK'"),
        (HEAD + "x9 " + "S " * 10, "line 2, column 1", "'x9'"),
        (HEAD + "h9 S S S X S S S S S S", "line 2, column 10", "row h9, upcard 5"),
        (HEAD + "\n# c\n  h9 S S DX", "line 4, column 10", "'DX'"),
        (HEAD + "h9 S S DX S S S S S S S", "line 2, column 8", "'DX'"),
        (HEAD + "h9 S S S", "line 2, column 9", "got 3"),
        (HEAD + "h9" + " S" * 11, "line 2, column 24", "got 11"),
        (HEAD + "h9" + " S" * 10 + "\nh9" + " S" * 10, "line 3, column 1", "twice"),
        (HEAD + "insurance: maybe", "line 2, column 12", "'maybe'"),
        (HEAD + "insurance:", "line 2, column 11", "yes or no"),
        (HEAD + "insurance: no\ninsurance: no", "line 3, column 1", "twice"),
        (HEAD + "insurence: no", "line 2, column 1", "'insurence'"),
        ("after_split: h9" + " S" * 10, "line 1, column 1", "columns first"),
        (HEAD + "after_split:", "line 2, column 13", "a row"),
        (HEAD + "exact: T2 4", "line 2, column 12", "a cell"),
        (HEAD + "exact: TX 4 H", "line 2, column 8", "'TX'"),
        (HEAD + "exact: TT5 4 H", "line 2, column 8", "21"),
        (HEAD + "exact: T2 K H", "line 2, column 11", "'K'"),
        (HEAD + "exact: T2 4 X", "line 2, column 13", "'X'"),
        (HEAD + "exact: T2 4 H maybe", "line 2, column 15", "'maybe'"),
    ],
)
def test_errors_name_line_and_column(text: str, where: str, what: str) -> None:
    with pytest.raises(ChartError) as caught:
        Strategy.from_chart(text)
    message = str(caught.value)
    assert where in message
    assert what in message


def test_wrong_rows_in_code() -> None:
    with pytest.raises(ChartError, match="rows of ten"):
        Strategy(rows={"h11": ("D",) * 9})
    with pytest.raises(ChartError, match="letters"):
        Strategy(rows={"h11": ("X",) * 10})
    with pytest.raises(ChartError, match="expected a row"):
        Strategy(rows={}).cell("h99", "A")


# ---------------------------------------------------------------- decisions


def test_exceptions_and_split_hands() -> None:
    s = (
        Strategy.published(Rules())
        .with_exact("T 2", "4", "H", after_split=False)
        .with_exact("7 7 2", "T", "S")
        .with_after_split(HEAD + "h11" + " H" * 10)
    )
    both = ["hit", "stand", "double"]
    assert s.decide("Kd 2c", "4s", both) is Action.HIT
    assert s.decide("Kd 2c", "4s", both, after_split=True) is Action.STAND
    assert s.decide("7d 2h 7c", "Qs", both) is Action.STAND
    assert s.decide("9d 7c", "Qs", both) is Action.HIT
    assert s.decide("6d 5c", "4s", both) is Action.DOUBLE
    assert s.decide("6d 5c", "4s", both, after_split=True) is Action.HIT


def test_pairs_by_rank() -> None:
    s = Strategy.from_chart(HEAD + "pT" + " P" * 10)
    legal = ["hit", "stand", "split"]
    assert s.decide("Kd Qc", "4s", legal) is Action.SPLIT
    assert s.decide("Kd Qc", "4s", legal, split_by_rank=True) is Action.STAND
    assert s.decide("Kd Kc", "4s", legal, split_by_rank=True) is Action.SPLIT
    assert Strategy.published(Rules()).compile(Rules(split_by="rank")).split_by_rank


def test_offers_in_their_order() -> None:
    s = Strategy.from_chart(
        HEAD + "h16" + " Uh" * 10 + "\ninsurance: yes\neven_money: yes\nearly_surrender: yes"
    )
    offer = [Action.INSURANCE, Action.SURRENDER, Action.DECLINE]
    assert s.decide("Td 6c", "As", offer) is Action.SURRENDER
    assert s.decide("Td 5c", "As", offer) is Action.INSURANCE  # its row has no U
    assert s.decide("Td Ac", "As", [Action.EVEN_MONEY, Action.DECLINE]) is Action.EVEN_MONEY
    plain = Strategy.from_chart(HEAD + "h16" + " Uh" * 10)
    assert plain.decide("Td 6c", "As", offer) is Action.DECLINE
    some = plain.replace(insurance=frozenset({("h20", "A"), ("pT", "A")}))
    assert some.decide("Td Kc", "As", offer) is Action.INSURANCE
    assert some.decide("Td 9c", "As", offer) is Action.DECLINE


def test_decide_wants_something_legal() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Strategy.published(Rules()).decide("Td 6c", "As", [])


@settings(max_examples=20, deadline=None)
@given(strategies, hands, st.integers(0, 9), st.booleans())
def test_plan_says_what_the_chart_says(s: Strategy, hand: list[int], up: int, after: bool) -> None:
    plan = s.compile(Rules())
    assert len(plan.play) == 2 * 2 * 3 * 32 * 10
    assert len(plan.offers) == 3 * 32 * 10
    codes = bytes(v * 4 + i % 4 for i, v in enumerate(hand))
    points, pair = sum(v + 1 for v in hand), len(hand) == 2 and hand[0] == hand[1]
    soft = 0 in hand and points <= 11
    label = f"p{UPCARDS[hand[0]]}" if pair else f"s{points + 10}" if soft else f"h{points}"
    counts = tuple(hand.count(v) for v in range(10))
    cell = next(
        (
            e.cell
            for e in s.exact
            if e.counts == counts and e.upcard == up and e.after_split in (None, after)
        ),
        s.cell(label, UPCARDS[up], after_split=after),
    )
    kind, row = "hsp".index(label[0]), hand[0] + 1 if pair else int(label[1:])
    if not any(e.counts == counts and e.upcard == up for e in s.exact):
        (entry,) = struct.unpack_from(
            "<H", plan.play, 2 * (((after * 3 + kind) * 32 + row) * 10 + up)
        )
        assert entry == encode(cell)
    legal = {Action.STAND, Action.HIT, Action.DOUBLE}
    want = next((a for a in decode(encode(cell)) if a in legal), Action.STAND)
    text = " ".join(Card.from_code(c).text for c in codes)
    assert s.decide(text, Card.from_code(up * 4).text, legal, after_split=after) is want


# ---------------------------------------------------------------- callables


@settings(max_examples=4, deadline=None)
@given(charts, charts)
def test_a_chart_asked_as_a_function_comes_back(
    rows: dict[str, tuple[str, ...]], after: dict[str, tuple[str, ...]]
) -> None:
    s = Strategy(rows=rows, after_split=after)

    def ask(now: Situation) -> Action:
        if now.offer:
            return Action.DECLINE
        label = f"p{now.pair}" if now.pair else f"{'s' if now.soft else 'h'}{now.total}"
        cell = s.cell(label, now.upcard, after_split=now.after_split)
        return next((a for a in decode(encode(cell)) if a in now.legal), Action.STAND)

    compiled = Strategy.from_callable(ask)
    for label in ROWS[1:]:
        for upcard in UPCARDS:
            for split in (False, True):
                drop = "" if label[0] == "p" else "P"
                drop += "U" if split else ""
                want = encode(_without(s.cell(label, upcard, after_split=split), drop))
                got = encode(_without(compiled.cell(label, upcard, after_split=split), drop))
                assert got == want


def _without(cell: str, letters: str) -> str:
    return "".join(c for c in cell.upper() if c not in letters) or "S"


def test_callable_by_cards_and_offers() -> None:
    def ask(now: Situation) -> Action:
        if now.offer:
            return (
                Action.INSURANCE
                if Action.INSURANCE in now.legal and now.total == 20
                else Action.DECLINE
            )
        if now.total == 12 and now.upcard == "4" and "T" in now.cards:
            return Action.HIT
        return Action.HIT if now.total < 12 else Action.STAND

    s = Strategy.from_callable(ask, by_cards=True)
    assert s.decide("Kd 2c", "4s", PLAY) is Action.HIT
    assert s.decide("7d 5c", "4s", PLAY) is Action.STAND
    assert s.name == "ask"
    assert s.insurance
    assert not s.even_money
    assert s.decide("Kd Tc", "As", [Action.INSURANCE, Action.DECLINE]) is Action.INSURANCE
    assert all("T" in e.cards for e in s.exact)


def test_callables_that_make_no_strategy() -> None:
    with pytest.raises(ChartError, match="expected an Action"):
        Strategy.from_callable(lambda now: "fold")  # type: ignore[arg-type, return-value]
    with pytest.raises(ChartError, match="expected a legal"):
        Strategy.from_callable(lambda now: Action.INSURANCE)

    def fickle(now: Situation) -> Action:
        if now.offer:
            return Action.DECLINE
        return (
            Action.STAND
            if Action.DOUBLE in now.legal or Action.HIT not in now.legal
            else Action.HIT
        )

    with pytest.raises(ChartError, match="no order of preference"):
        Strategy.from_callable(fickle)


def test_columns_are_as_printed() -> None:
    assert Strategy.published(Rules()).to_chart().splitlines()[0].split() == list(COLUMNS)
    assert len(ACTIONS) == 8
