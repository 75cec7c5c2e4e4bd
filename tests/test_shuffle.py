"""The shoe: bj-shuffle-1 by vectors and by statistics, refills, what a dry source may not change.

Lives here: `blackjack_core.shoe.Shoe`. Not here: words and bounded draws (test_rng), when a house
shuffles (test_table).
"""

from __future__ import annotations

import csv
import hashlib
import itertools
import struct
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.cards import CARDS, cards_text, parse_cards
from blackjack.rules import Rules
from blackjack.testing import rules
from blackjack_core.rng import Source
from blackjack_core.round import Round
from blackjack_core.shoe import SHUFFLE_ID, Shoe
from reference import randomness as reference

VECTORS = Path(__file__).parent / "data" / "vectors" / "bj-shuffle-1.csv"
DECK = bytes(range(52))
SIGMAS = 5


def make(cards: bytes, **origin: int | bytes) -> Shoe:
    return Shoe(cards, Source(**origin))  # type: ignore[arg-type]


def shuffled(cards: bytes, **origin: int | bytes) -> bytes:
    shoe = make(cards, **origin)
    shoe.shuffle()
    return shoe.remaining()


# -- vectors: the same seed gives the same cards on every platform, for good


def vectors() -> list[dict[str, str]]:
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def test_the_vectors_are_of_this_algorithm() -> None:
    assert SHUFFLE_ID == "bj-shuffle-1"
    assert VECTORS.read_text(encoding="utf-8").startswith("# bj-shuffle-1")
    assert len(vectors()) >= 40
    assert {row["generator"] for row in vectors()} == {"xoshiro256++", "chacha20", "bytes"}


@pytest.mark.parametrize("row", vectors(), ids=lambda row: f"{row['generator']}-{row['line']}")
def test_vector(row: dict[str, str]) -> None:
    origin: dict[str, int | bytes]
    if row["generator"] == "xoshiro256++":
        origin = {"seed": int(row["seed"])}
    elif row["generator"] == "chacha20":
        origin = {"key": bytes.fromhex(row["seed"])}
    else:
        origin = {"data": hashlib.shake_256(bytes.fromhex(row["seed"])).digest(1 << 16)}
    deck = DECK if row["deck"] == "52" else bytes(c.code for c in parse_cards(row["deck"]))
    shoe = make(deck * int(row["decks"]), **origin)
    for _ in range(int(row["shuffle"])):
        shoe.shuffle()
    order = shoe.remaining()
    assert cards_text(CARDS[c] for c in order[:52]) == row["cards"]
    assert hashlib.sha256(order).hexdigest() == row["sha256"]


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 51), min_size=1, max_size=120))
def test_seeded_shuffle_is_the_reference_one(seed: int, cards: list[int]) -> None:
    expected = reference.shuffled(bytes(cards), reference.words("xoshiro256++", seed=seed))
    assert shuffled(bytes(cards), seed=seed) == expected


@given(st.binary(min_size=32, max_size=32))
def test_keyed_shuffle_is_the_reference_one(key: bytes) -> None:
    expected = reference.shuffled(DECK * 2, reference.words("chacha20", key=key))
    assert shuffled(DECK * 2, key=key) == expected


@given(st.permutations(range(52)), st.integers(0, 2**64 - 1))
def test_the_order_before_does_not_matter(order: list[int], seed: int) -> None:
    """A shuffle begins with sorted cards: the shoe's past gives nothing away."""
    assert shuffled(bytes(order), seed=seed) == shuffled(DECK, seed=seed)


def test_each_shuffle_goes_on_in_the_stream() -> None:
    shoe = make(DECK, seed=9)
    words = reference.words("xoshiro256++", seed=9)
    for _ in range(5):
        shoe.shuffle()
        assert shoe.remaining() == reference.shuffled(DECK, words)


# -- Fisher and Yates without the usual faults


def draws(*picks: tuple[int, int]) -> bytes:
    """Words that make bounded draws come out as wanted: (below, value)."""
    return struct.pack(f"<{len(picks)}I", *(-(-value * 2**32 // n) + 1 for n, value in picks))


def orders(n: int) -> Counter[bytes]:
    """How often each order of n cards comes up when every row of draws is fed once."""
    found: Counter[bytes] = Counter()
    sizes = range(n, 1, -1)
    for values in itertools.product(*(range(size) for size in sizes)):
        found[shuffled(DECK[:n], data=draws(*zip(sizes, values, strict=True)))] += 1
    return found


@pytest.mark.parametrize("n", range(1, 7))
def test_every_order_from_exactly_one_row_of_draws(n: int) -> None:
    """All n! orders, each once; the off-by-one loop makes (n - 1)! cycles only. (BR-057)"""
    found = orders(n)
    assert len(found) == sum(found.values()) == len(list(itertools.permutations(range(n))))


def test_a_card_may_keep_its_place() -> None:
    assert shuffled(DECK, data=draws(*((n, n - 1) for n in range(52, 1, -1)))) == DECK


def test_one_draw_per_swap() -> None:
    """A shuffle of n cards takes n - 1 accepted words, no more and no fewer. (BR-064)"""
    words = draws(*((n, 0) for n in range(52, 1, -1)))
    assert len(words) == 4 * 51
    source = Source(data=words + bytes(4))
    shoe = Shoe(DECK, source)
    shoe.shuffle()
    source.words(1)
    with pytest.raises(ValueError, match="ran out"):
        source.words(1)


def chi_square_bound(cells: int) -> float:
    return SIGMAS * float((2 * (cells - 1)) ** 0.5)


def many(n: int, cards: int, seed: int) -> list[bytes]:
    shoe = make(DECK[:cards], seed=seed)
    result = []
    for _ in range(n):
        shoe.shuffle()
        result.append(shoe.remaining())
    return result


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_positions_are_uniform(seed: int) -> None:
    """Chi-square of card by position over 52 x 52 cells (51 x 51 of them free)."""
    n = 20_000
    columns = zip(*many(n, 52, seed), strict=True)
    chi = sum((count - n / 52) ** 2 / (n / 52) for cards in columns for count in every(cards))
    free = 51 * 51
    assert abs(chi - free) < SIGMAS * (2 * free) ** 0.5


def every(cards: tuple[int, ...]) -> list[int]:
    counts = Counter(cards)
    return [counts[code] for code in range(52)]


@pytest.mark.parametrize(("first", "second"), [(0, 1), (50, 51), (0, 51), (25, 26)])
def test_pairs_are_independent(first: int, second: int) -> None:
    """Chi-square of the cards at two places over 52 x 51 cells. (BR-064)"""
    n = 40_000
    pairs = Counter((order[first], order[second]) for order in many(n, 52, 7))
    cells = 52 * 51
    assert len(pairs) <= cells
    share = n / cells
    chi = sum((pairs[a, b] - share) ** 2 / share for a in range(52) for b in range(52) if a != b)
    assert abs(chi - (cells - 1)) < chi_square_bound(cells)


def test_orders_are_uniform() -> None:
    """Chi-square of all 24 orders of four cards."""
    found = Counter(many(24_000, 4, 11))
    assert len(found) == 24
    chi = sum((count - 1000) ** 2 / 1000 for count in found.values())
    assert abs(chi - 23) < chi_square_bound(24)


def test_neighbours_of_the_sorted_shoe_part() -> None:
    """Card k is followed by card k + 1 in 1 of 52 places: 51/52 times a shuffle, on average."""
    n = 5_000
    hits = sum(b == a + 1 for order in many(n, 52, 13) for a, b in itertools.pairwise(order))
    mean = n * 51 / 52
    assert abs(hits - mean) < SIGMAS * mean**0.5


def test_mean_places_show_no_gradient() -> None:
    """The off-by-one loop leaves a gradient of exactly 1 in the cards' mean places. (BR-057)"""
    n = 20_000
    places = [0] * 51
    for order in many(n, 51, 17):
        for place, card in enumerate(order):
            places[card] += place
    error = ((51**2 - 1) / 12 / n) ** 0.5
    assert all(abs(total / n - 25) < SIGMAS * error for total in places)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_positions_and_pairs_of_a_six_deck_shoe(seed: int) -> None:
    n = 20_000
    shoe = make(DECK * 6, key=bytes([seed]) * 32)
    at = [Counter[int]() for _ in range(312)]
    pairs: Counter[tuple[int, int]] = Counter()
    for _ in range(n):
        shoe.shuffle()
        order = shoe.remaining()
        for place, card in enumerate(order):
            at[place][card] += 1
        pairs[order[0], order[1]] += 1
    share = n / 52
    chi = sum((at[p][c] - share) ** 2 / share for p in range(312) for c in range(52))
    free = 311 * 51
    assert abs(chi - free) < SIGMAS * (2 * free) ** 0.5
    chi = 0.0
    for a, b in itertools.product(range(52), repeat=2):
        share = n * 6 * (5 if a == b else 6) / (312 * 311)
        chi += (pairs[a, b] - share) ** 2 / share
    assert abs(chi - (52 * 52 - 1)) < SIGMAS * (2 * 52 * 52) ** 0.5


# -- conservation


@given(rules(), st.integers(0, 2**64 - 1))
def test_a_shoe_holds_the_cards_of_the_rules(game: Rules, seed: int) -> None:
    cards = Counter(c >> 2 for c in game.shoe_cards)
    decks = game.decks or 1
    assert [cards[rank] for rank in range(13)] == [n * decks for n in game.rank_counts]
    suits = Counter(game.shoe_cards)
    for rank, n in enumerate(game.rank_counts):  # no suit of a rank is ahead by more than a deck's
        counts = [suits[rank * 4 + suit] for suit in range(4)]
        assert max(counts) - min(counts) <= decks * (n % 4 > 0)
    if game.decks is not None:
        assert Counter(shuffled(game.shoe_cards, seed=seed)) == Counter(game.shoe_cards)


def test_a_single_deck_holds_every_card_once() -> None:
    """BR-049."""
    assert sorted(shuffled(Rules(decks=1).shoe_cards, seed=1)) == list(range(52))
    five = Counter(shuffled(Rules(decks=5).shoe_cards, seed=1))
    assert set(five.values()) == {5}
    assert len(five) == 52


@given(st.integers(0, 2**64 - 1), st.integers(0, 52))
def test_burn_cards_are_out_of_play(seed: int, burn: int) -> None:
    shoe = make(DECK, seed=seed)
    shoe.shuffle(burn)
    order = shuffled(DECK, seed=seed)
    assert shoe.discards() == order[:burn]
    assert shoe.remaining() == order[burn:]
    assert (shoe.left, shoe.dealt, shoe.size) == (52 - burn, burn, 52)


@pytest.mark.parametrize("burn", [-1, 53])
def test_burning_more_than_there_is_is_refused(burn: int) -> None:
    shoe = make(DECK, seed=1)
    shoe.shuffle()
    before = shoe.state()
    with pytest.raises(ValueError, match="burn"):
        shoe.shuffle(burn)
    assert shoe.state() == before


# -- running dry inside a round


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 40),
    st.lists(st.integers(1, 30), min_size=1, max_size=6),
)
def test_a_refill_takes_the_discards_only(seed: int, cards: int, rounds: list[int]) -> None:
    """However a round runs dry: what is on the table stays there, in order, and nothing is doubled."""
    shoe = make(DECK[:cards], seed=seed)
    shoe.shuffle()
    for n in rounds:
        shoe.begin()
        table = b""
        for _ in range(n):
            left, discards, refills = shoe.left, shoe.discards(), shoe.refills
            if not left and not discards:
                with pytest.raises(IndexError, match="empty"):
                    shoe.draw()
                break
            table += bytes([shoe.draw()])
            assert shoe.round_cards() == table
            if not left:
                assert shoe.refills == refills + 1
                assert Counter(shoe.remaining() + table[-1:]) == Counter(discards)
                assert shoe.discards() == b""
            everything = shoe.remaining() + shoe.discards() + shoe.round_cards()
            assert Counter(everything) == Counter(DECK[:cards])


def test_a_round_that_runs_dry() -> None:
    """BR-052: two cards left, no refill when they suffice; 46 discards come back when they do not."""
    shoe = make(DECK, seed=3)
    shoe.shuffle()
    for _ in range(46):
        shoe.draw()
    shoe.begin()
    table = bytes(shoe.draw() for _ in range(6))
    assert (shoe.left, shoe.refills, len(shoe.discards())) == (0, 0, 46)
    discards = shoe.discards()
    words = reference.words("xoshiro256++", seed=3)
    reference.shuffled(DECK, words)
    expected = reference.shuffled(discards, words)
    assert bytes(shoe.draw() for _ in range(46)) == expected
    assert shoe.refills == 1
    assert shoe.round_cards() == table + expected
    with pytest.raises(IndexError):
        shoe.draw()


def test_a_stacked_shoe_is_dealt_as_given_and_never_refilled() -> None:
    shoe = Shoe(DECK[:3])
    assert shoe.stacked
    shoe.shuffle()
    assert [shoe.draw() for _ in range(3)] == [0, 1, 2]
    shoe.begin()
    for _ in range(2):
        with pytest.raises(IndexError):
            shoe.draw()
    assert (shoe.discards(), shoe.refills) == (DECK[:3], 0)


def test_an_infinite_shoe_draws_with_replacement() -> None:
    source = Source(seed=21)
    shoe = Shoe(DECK[:3], source, infinite=True)
    words = reference.words("xoshiro256++", seed=21)
    for _ in range(3):
        shoe.begin()
        drawn = bytes(shoe.draw() for _ in range(60))
        assert drawn == bytes(reference.below(words, 3) for _ in range(60))
        assert shoe.round_cards() == drawn
    assert (shoe.size, shoe.left, shoe.dealt, shoe.discards(), shoe.remaining()) == (
        0,
        0,
        0,
        b"",
        b"",
    )


# -- words that run out


def test_a_shuffle_without_enough_words_changes_nothing() -> None:
    words = draws(*((n, 0) for n in range(52, 1, -1)))
    shoe = make(DECK, data=words + words[:-4])
    shoe.shuffle()
    shoe.begin()
    for _ in range(5):
        shoe.draw()
    before = shoe.state()
    with pytest.raises(ValueError, match="ran out"):
        shoe.shuffle()
    assert shoe.state() == before
    assert shoe.draw() == before[1][5]


def start(shoe: Shoe, boxes: int) -> Round:
    round_ = Round(Rules(boxes=boxes).compiled, shoe)
    round_.start([1] * boxes)
    return round_


def test_a_refill_without_enough_words_changes_nothing() -> None:
    low = bytes(range(4, 24))  # twos to sixes: nobody is done soon
    words = draws(*((n, 0) for n in range(20, 1, -1)))
    shoe = make(low, data=words + words[:12])
    shoe.shuffle()
    for _ in range(14):
        shoe.draw()
    round_ = start(shoe, 1)
    assert round_.apply(1) == 0
    assert round_.apply(1) == 0
    assert shoe.left == 0
    before = round_.state()
    with pytest.raises(LookupError):
        round_.apply(1)
    assert round_.state() == before


def test_an_infinite_shoe_without_enough_words_changes_nothing() -> None:
    words = draws((20, 0), (20, 1), (20, 2), (20, 3), (20, 4))
    shoe = Shoe(bytes(range(4, 24)), Source(data=words), infinite=True)
    round_ = start(shoe, 1)
    assert round_.apply(1) == 0
    before = round_.state()
    with pytest.raises(LookupError):
        round_.apply(1)
    assert round_.state() == before
    fresh = Shoe(bytes(range(4, 24)), Source(data=words[:8]), infinite=True)
    other = Round(Rules(boxes=1).compiled, fresh)
    untouched = fresh.state()
    with pytest.raises(LookupError):
        other.start([1])
    assert fresh.state() == untouched
    assert (other.phase, other.hand_count(0), other.dealer()) == (0, 0, b"")


def in_order(order: bytes) -> Shoe:
    """A seeded shoe, not a stacked one, that is about to deal these cards."""
    shoe = make(order, seed=1)
    _, _, generator = shoe.state()
    shoe.restore(((len(order), 0, 0, 0), order, generator))
    return shoe


def test_one_call_that_needs_many_cards_and_fails_changes_nothing() -> None:
    """64 hands of split aces get their one card each in a single call, and then the dealer draws."""
    ace, two, five = bytes([0]), bytes([4]), bytes([16])
    shoe = in_order(ace + two + ace + two + ace * 62 + five * 64 + two * 2)
    round_ = Round(Rules(decks=None, boxes=1, max_hands=64, max_ace_hands=64).compiled, shoe)
    round_.start([1])
    for _ in range(62):
        assert round_.apply(3) == 0
    before = round_.state()
    assert shoe.left == 64 + 2
    with pytest.raises(LookupError):
        round_.apply(3)
    assert round_.state() == before


# -- state


@given(st.integers(0, 2**64 - 1), st.integers(0, 60))
def test_state_goes_back(seed: int, drawn: int) -> None:
    shoe = make(DECK, seed=seed)
    shoe.shuffle(2)
    for i in range(drawn):
        if i == 30:
            shoe.begin()
        shoe.draw()
    state = shoe.state()
    ahead = [shoe.draw() for _ in range(15)]
    shoe.shuffle()
    shoe.restore(state)
    assert shoe.state() == state
    assert [shoe.draw() for _ in range(15)] == ahead


def test_cards_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="0 to 51"):
        Shoe(bytes([52]))
    with pytest.raises(ValueError, match="at least one card"):
        Shoe(b"", Source(seed=1), infinite=True)
    with pytest.raises(ValueError, match="a source"):
        Shoe(DECK, infinite=True)
