"""Rounds in columns, and what they are as round files. Not here: sums (test_simulation)."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from blackjack import _simulation_slow as slow
from blackjack.actions import OUTCOMES
from blackjack.history import replay, replay_lines
from blackjack.presets import PRESETS
from blackjack.roundstream import CHUNK_ROUNDS, RoundColumns, RoundStream, play_rounds
from blackjack.rules import Rules
from blackjack.simulation import simulate
from blackjack.strategy import Strategy
from blackjack_core.rng import Source
from blackjack_core.round import Round
from blackjack_core.shoe import Shoe
from blackjack_core.stream import STREAM
from reference.randomness import splitmix64, xoshiro256pp

BY_RANK = Rules(split_by="rank")
MASK = 0xFFFF
TENS = Strategy.published(BY_RANK).with_exact("T T", "6", "P")


def rows(stream: RoundStream, rounds: int, capacity: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    columns = stream.columns(capacity)
    while len(found) < rounds:
        stream.fill(columns, rounds - len(found))
        found += columns.records()
    return found


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("boxes", [1, 2])
def test_every_round_replays(name: str, boxes: int) -> None:
    (columns,) = play_rounds(name, rounds=200, seed=3, boxes=boxes)
    for i, record in enumerate(columns.records()):
        answer = replay(record)
        hands = [hand for box in answer["boxes"] for hand in box["hands"]]
        assert answer["cards_used"] == columns["n_cards"][i]
        assert answer["net"] == columns["net"][i]
        codes = columns["outcomes"][i][: columns["n_hands"][i]]
        assert [hand["outcome"] for hand in hands] == [str(OUTCOMES[c]) for c in codes]


def check_by_the_true_round(columns: RoundColumns, strategy: Strategy, rounds: int) -> None:
    """The true round, given the same cards, takes the same actions to the same end."""
    rules, boxes = columns.rules, columns.boxes
    choose = slow.by_plan(strategy.compile(rules))
    for i in range(rounds):
        cards = bytes(columns["cards"][i][: columns["n_cards"][i]])
        game = slow.Game(rules, slow.chunk_source(0, 0, "chacha20"), boxes)
        game.shoe = Shoe(cards)
        game.round = Round(rules.replace(boxes=boxes).compiled, game.shoe)
        game.depth, game.shuffles = 10**6, 1
        game.play(choose)
        assert game.shoe.left == 0
        assert game.actions == list(columns["actions"][i][: columns["n_actions"][i]])
        assert sum(b - a for a, b in game.round.totals()) == columns["net"][i]


@pytest.mark.parametrize("name", ["goldfishka", "las_vegas", "downtown_vegas", "romanian"])
@pytest.mark.parametrize("boxes", [1, 3])
def test_actions_are_the_strategys(name: str, boxes: int) -> None:
    strategy = Strategy.published(Rules.preset(name)).with_exact("T 2", "4", "H")
    strategy = strategy.replace(insurance=True, even_money=True, early_surrender=True)
    (columns,) = play_rounds(name, strategy, rounds=500, seed=9, boxes=boxes)
    check_by_the_true_round(columns, strategy, 500)


OTHER_SHOES: list[dict[str, Any]] = [
    {"decks": None},
    {"decks": 1, "burn": 3},
    {"split_by": "rank"},
    {"decks": 1, "shuffle": {"cut_card": 1}},
]


@pytest.mark.parametrize("fields", OTHER_SHOES)
def test_other_shoes(fields: dict[str, Any]) -> None:
    rules = Rules(**fields)
    (columns,) = play_rounds(rules, rounds=300, seed=9, rng="chacha20")
    if rules.shuffle.value != 1:  # else a shoe may be refilled inside a round
        check_by_the_true_round(columns, Strategy.published(rules), 300)
    assert not any("error" in replay(record) for record in columns.records())


def test_every_card_comes_as_often_and_once_a_shoe() -> None:
    stream = RoundStream("las_vegas", seed=4)
    columns = stream.columns(40_000)
    stream.fill(columns)
    seen = [[0] * 52 for _ in range(4)]
    shoes = 0
    for table in range(stream.tables):
        shoe: list[int] = []
        for i in range(table, len(columns), stream.tables):
            cards = columns._row("cards", i)
            for place in range(3):
                seen[place][cards[place]] += 1
            if i == table or len(shoe) > 52 - 22:
                shoe, shoes = [], shoes + 1
                seen[3][cards[2]] += 1
            shoe += cards
            assert len(set(shoe)) == len(shoe)
    for counts in seen:
        total = sum(counts)
        chi = sum((n - total / 52) ** 2 / (total / 52) for n in counts)
        assert 20 < chi < 100  # 51 degrees of freedom
    result = simulate("las_vegas", rounds=1e6, seed=4)
    assert abs(sum(columns["net"]) / 2 / 40_000 - result.ev) < 5 * result.sd / 200
    assert abs(shoes / 40_000 - result.shoes / result.rounds) < 0.005


def test_a_shoe_that_runs_out_goes_on_with_its_discards() -> None:
    rules = Rules(decks=1, shuffle={"cut_card": 1})
    stream = RoundStream(rules, seed=8)
    columns = stream.columns(20_000)
    stream.fill(columns)
    again = 0
    for table in range(stream.tables):
        shoe: list[int] = []
        for i in range(table, len(columns), stream.tables):
            cards = list(columns._row("cards", i))
            assert len(set(cards)) == len(cards)
            if i == table or len(shoe) == 51 + 1:
                shoe = []
            left = 52 - len(shoe)
            if len(cards) <= left:
                shoe += cards
                assert len(set(shoe)) == len(shoe)
                continue
            again += 1
            assert not set(cards[:left]) & set(shoe)
            assert set(cards[left:]) <= set(shoe)
            shoe = cards
    assert again > 1000


def words_of(seed: int, chunk: int, rng: str) -> tuple[Iterator[int], Source]:
    """The stream's 16-bit words as its definition says, and where words to draw again with come from."""
    source = slow.chunk_source(seed, chunk, rng, STREAM)
    if rng == "chacha20":  # 4096 words are taken at a time, those to draw again with behind them
        return iter(
            [half for word in source.words(4096) for half in (word & MASK, word >> 16)]
        ), source
    seeds = [low | high << 32 for low, high in (source.words(2) for _ in range(8))]
    generators = [xoshiro256pp(list(islice(splitmix64(seed), 4))) for seed in seeds]

    def turns() -> Iterator[int]:
        while True:
            for generator in generators:
                x = next(generator)
                yield from (x >> 16 * k & MASK for k in range(4))

    return turns(), source


@pytest.mark.parametrize(("rng", "tables"), [("xoshiro256++", 64), ("chacha20", 33)])
def test_shoes_are_shuffled_as_the_stream_says(rng: str, tables: int) -> None:
    """The first shoe of every table (of those that one block of words suffices for), card by card."""
    stream = RoundStream(Rules(), seed=11, rng=rng)
    columns = stream.columns(64 * 60)
    stream.fill(columns)
    words, source = words_of(11, 0, rng)
    drawn_again = 0
    for table in range(tables):
        shoe = list(Rules().shoe_cards)
        for i in range(248):
            n = 312 - i
            m = next(words) * n
            while m & MASK < 65536 % n:
                m = (source.words(1)[0] >> 16) * n
                drawn_again += 1
            other = i + (m >> 16)
            shoe[i], shoe[other] = shoe[other], shoe[i]
        dealt = [c for i in range(table, len(columns), 64) for c in columns._row("cards", i)]
        assert dealt[:234] == shoe[:234]
    assert drawn_again > 5


def test_as_a_round_file() -> None:
    (columns,) = play_rounds("goldfishka", rounds=50, seed=3)
    file = io.StringIO()
    columns.write(file)
    answers = list(replay_lines(file.getvalue()))
    assert [a["id"] for a in answers] == list(range(50))
    assert not any("error" in a for a in answers)
    assert json.loads(file.getvalue().splitlines()[0])["rules"] == "goldfishka"


def test_the_same_rounds_in_any_portions() -> None:
    whole = rows(RoundStream("las_vegas", seed=5), 3000, 3000)
    assert [r["id"] for r in whole] == list(range(3000))
    for capacity in (1024, 700, 2500):
        assert rows(RoundStream("las_vegas", seed=5), 3000, capacity) == whole
    again = RoundStream("las_vegas", seed=5)
    again.seek(2100)
    assert rows(again, 100, 30) == whole[2100:2200]
    assert rows(RoundStream("las_vegas", seed=6), 100, 100) != whole[:100]
    over, then = RoundStream("las_vegas", seed=5), RoundStream("las_vegas", seed=5)
    over.seek(CHUNK_ROUNDS - 70)
    then.seek(CHUNK_ROUNDS)
    assert rows(over, 170, 50)[70:] == rows(then, 100, 100)


@pytest.mark.parametrize("path", ["round", "general"])
def test_the_same_rounds_in_any_portions_on_other_paths(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("blackjack.roundstream.box_tables", lambda *_: None)
    isa = "round" if path == "round" else None
    whole = rows(RoundStream("romanian", seed=5, isa=isa), 300, 300)
    assert rows(RoundStream("romanian", seed=5, isa=isa), 300, 70) == whole
    again = RoundStream("romanian", seed=5, isa=isa)
    assert (again.path, again.tables) == (path, 1)
    again.seek(210)
    assert rows(again, 90, 30) == whole[210:]


def test_tens_of_one_rank_are_split_by_tables_too() -> None:
    assert RoundStream(BY_RANK, TENS).path == "compiled"
    (columns,) = play_rounds(BY_RANK, TENS, rounds=3000, seed=9, boxes=2)
    check_by_the_true_round(columns, TENS, 3000)
    split = [c for c in columns["cards"] if min(c[0], c[3]) >= 36 and c[0] >> 2 == c[3] >> 2]
    assert len(split) > 20
    assert not any("error" in replay(columns.record(i)) for i in range(300))


def test_buffers_of_the_caller() -> None:
    stream = RoundStream("romanian", seed=5)
    net = array("i", [0] * 64)
    cards = bytearray(64 * stream.columns(1).shape["cards"][1])
    columns = stream.columns(64, net=net, cards=cards)
    stream.fill(columns)
    assert list(columns["net"]) == list(net)
    assert any(net)
    assert cards[:4] == bytes(columns.flat("cards")[:4])
    for given, what in (
        ({"net": array("i", [0] * 63)}, "256 bytes"),
        ({"net": bytes(256)}, "writable"),
        ({"net": bytearray(256)}, "items of 4"),
        ({"nets": net}, "got nets"),
    ):
        with pytest.raises(ValueError, match=what):
            stream.columns(64, **given)


def test_numpy_arrays() -> None:
    np = pytest.importorskip("numpy")
    stream = RoundStream("romanian", seed=5)
    width = stream.columns(1).shape["cards"][1]
    cards = np.zeros((64, width), dtype=np.uint8)
    net = np.zeros(64, dtype=np.int32)
    columns = stream.columns(64, cards=cards, net=net)
    stream.fill(columns)
    assert columns["cards"].shape == (64, width)
    assert columns["net"].dtype == np.int32
    assert np.shares_memory(columns["cards"], cards)
    assert (columns["net"] == net).all()
    assert columns["cards"].max() < 52
    with pytest.raises(ValueError, match="contiguous"):
        stream.columns(64, cards=np.zeros((64, 2 * width), dtype=np.uint8)[:, ::2])


def test_without_numpy() -> None:
    code = """if 1:
        import sys
        sys.modules["numpy"] = None
        from blackjack.roundstream import play_rounds
        from blackjack.simulation import simulate
        (columns,) = play_rounds("romanian", rounds=20, seed=1)
        assert columns["cards"].shape[0] == 20 and len(columns["net"]) == 20
        assert simulate("romanian", rounds=20, seed=1).rounds == 20
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_out_is_filled_again() -> None:
    out = RoundColumns(Rules.preset("romanian"), 100)
    seen = [(len(c), c.first) for c in play_rounds("romanian", rounds=250, seed=1, out=out)]
    assert seen == [(100, 0), (100, 100), (50, 200)]


def test_a_callable_and_the_means() -> None:
    rules = Rules.preset("atlantic_city")
    (columns,) = play_rounds(rules, rounds=4000, seed=2, isa="round")
    assert sum(columns.flat("net")) == simulate(rules, rounds=4000, seed=2, isa="round").net
    assert RoundStream(rules, lambda now: next(iter(now.legal))).path == "callable"


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": True}, "seed"),
        ({"rng": "dice"}, "dice"),
        ({"strategy": "best"}, "best"),
        ({"isa": "abacus"}, "abacus"),
        ({"boxes": 0}, "boxes"),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        RoundStream("romanian", **options)
    with pytest.raises(ValueError, match="capacity"):
        RoundStream("romanian").columns(0)
    with pytest.raises(IndexError, match="expected a round"):
        RoundStream("romanian").columns(1).record(0)
    with pytest.raises(ValueError, match="number of a round"):
        RoundStream("romanian").seek(-1)
