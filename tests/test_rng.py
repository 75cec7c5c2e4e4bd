"""Generators and the bounded draw: published vectors, exact counts, what a dry source does.

Lives here: `blackjack_core.rng.Source`. Not here: shuffles (test_shuffle).
"""

from __future__ import annotations

import pickle
import struct
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack_core.rng import NAMES, Source
from reference import randomness as reference

# -- published vectors

# xoshiro256++ 1.0 from the state 1, 2, 3, 4 (the authors' C code; also the Rust crate rand_xoshiro's)
XOSHIRO = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]
# SplitMix64 from 1234567 (the generator's page on Rosetta Code) and from 0
SPLITMIX = {
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC],
}
# RFC 8439, A.1: (key, number of the 64-byte block, key stream), nonce 0
CHACHA = [
    (
        "00" * 32,
        0,
        (
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        ),
    ),
    (
        "00" * 32,
        1,
        (
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
        ),
    ),
    (
        "00" * 31 + "01",
        1,
        (
            "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
            "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"
        ),
    ),
    (
        "00ff" + "00" * 30,
        2,
        (
            "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
            "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"
        ),
    ),
]


def test_xoshiro_from_a_known_state() -> None:
    assert list(islice(reference.xoshiro256pp([1, 2, 3, 4]), 10)) == XOSHIRO
    seeded = Source(seed=0)
    # the words are the outputs' upper halves; the seeded state is SplitMix64's first four numbers
    state = seeded.state()
    start = state.index(struct.pack("<4Q", *SPLITMIX[0]))
    seeded.restore(state[:start] + struct.pack("<4Q", 1, 2, 3, 4) + state[start + 32 :])
    assert seeded.words(10) == [value >> 32 for value in XOSHIRO]


@pytest.mark.parametrize("seed", SPLITMIX)
def test_splitmix_seeds_it(seed: int) -> None:
    expected = SPLITMIX[seed]
    assert list(islice(reference.splitmix64(seed), len(expected))) == expected
    assert struct.pack("<4Q", *expected[:4]) in Source(seed=seed).state()


@pytest.mark.parametrize(("key", "block", "stream"), CHACHA)
def test_chacha20_key_stream(key: str, block: int, stream: str) -> None:
    source = Source(key=bytes.fromhex(key))
    source.words(16 * block)
    assert struct.pack("<16I", *source.words(16)).hex() == stream


def test_bytes_are_little_endian_words() -> None:
    assert Source(data=bytes(range(8))).words(2) == [0x03020100, 0x07060504]


@given(st.integers(0, 2**64 - 1))
def test_seeded_stream_is_the_reference_one(seed: int) -> None:
    assert Source(seed=seed).words(40) == list(
        islice(reference.words("xoshiro256++", seed=seed), 40)
    )


@given(st.binary(min_size=32, max_size=32))
def test_keyed_stream_is_the_reference_one(key: bytes) -> None:
    assert Source(key=key).words(40) == list(islice(reference.words("chacha20", key=key), 40))


def test_counter_goes_on_beyond_32_bits() -> None:
    """Block 2**32 differs from block 0: a 64-bit counter, so that no shoe ever repeats."""
    source = Source(key=bytes(32))
    first = source.words(16)
    state = bytearray(source.state())
    # the block counter is the one 64-bit field that now holds 1, behind the key
    key_end = len(state) - 8 * 4  # counter, data, size, pos
    assert struct.unpack_from("<Q", state, key_end) == (1,)
    struct.pack_into("<Q", state, key_end, 2**32)
    source.restore(bytes(state))
    assert source.words(16) != first


# -- the bounded draw


def scripted(*words: int) -> Source:
    return Source(data=struct.pack(f"<{len(words)}I", *words))


SIZES = [*range(1, 60), 64, 104, 208, 256, 312, 416, 1000, 52 * 1000]


@pytest.mark.parametrize("n", SIZES)
def test_every_value_gets_the_same_number_of_words(n: int) -> None:
    """Of the 2**32 words, each of n values gets exactly 2**32 // n; the rest is drawn again.

    The words that lead to x are those from ceil(x * 2**32 / n) on, and only the first of them may fall
    into the short remainder; so the ends of every run prove the count. (BR-059)
    """
    share = 2**32 // n
    values = range(n) if n <= 512 else [0, 1, 2, n // 3, n // 2, n - 2, n - 1]
    for x in values:
        first, end = -(-x * 2**32 // n), -(-(x + 1) * 2**32 // n)
        accepted = end - first
        # 0xFFFFFFFF is never rejected: what comes after a rejected word is n - 1
        if (first * n) % 2**32 < 2**32 % n:
            source = scripted(first, 2**32 - 1, 5)
            assert source.below(n) == n - 1
            assert source.words(1) == [5], "one word was rejected, one taken"
            accepted -= 1
        else:
            assert scripted(first).below(n) == x
        assert scripted(first + 1).below(n) == x
        assert scripted(end - 1).below(n) == x
        assert accepted == share


@pytest.mark.parametrize("n", [2**31, 2**31 + 1, 2**32 - 1])
def test_large_bounds(n: int) -> None:
    for word in (0, 1, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1):
        rejected = word * n % 2**32 < 2**32 % n
        assert scripted(word, 2**32 - 1).below(n) == (n - 1 if rejected else word * n >> 32)


def test_all_words_of_a_small_generator() -> None:
    """The same arithmetic on 8-bit words, every word fed once: equal shares where modulo has none."""
    for n in range(1, 256):
        shares = [0] * n
        for word in range(256):
            high, low = divmod(word * n, 256)
            if low >= 256 % n:
                shares[high] += 1
        assert set(shares) == {256 // n}
    by_modulo = [sum(word % 52 == x for word in range(256)) for x in range(52)]
    assert by_modulo == [5] * 48 + [4] * 4  # BR-059: the trap


@pytest.mark.parametrize("n", [0, -1, 2**32, 2**40])
def test_bounds_outside_are_refused(n: int) -> None:
    source = Source(seed=1)
    before = source.state()
    with pytest.raises(ValueError, match="expected 1 <= n < 2"):
        source.below(n)
    assert source.state() == before


def test_draws_are_spread_evenly() -> None:
    """Chi-square over 52 cells at fixed seeds, within five standard deviations."""
    for seed in range(5):
        source = Source(seed=seed)
        draws = [source.below(52) for _ in range(52 * 400)]
        chi = sum((draws.count(x) - 400) ** 2 / 400 for x in range(52))
        assert abs(chi - 51) < 5 * (2 * 51) ** 0.5


# -- sources as values


def test_exactly_one_origin() -> None:
    for wrong in ({}, {"seed": 1, "key": bytes(32)}, {"seed": 1, "data": b""}):
        with pytest.raises(TypeError, match="exactly one"):
            Source(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, True, "7"])
def test_seeds_are_64_bit_ints(seed: object) -> None:
    with pytest.raises(ValueError, match="0 <= seed < 2"):
        Source(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 16, 31, 33, 64])
def test_keys_have_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Source(key=bytes(size))


def sources() -> list[Source]:
    return [Source(seed=5), Source(key=b"k" * 32), Source(data=bytes(range(256)))]


@pytest.mark.parametrize("source", sources(), ids=NAMES)
def test_state_goes_back_and_pickles(source: Source) -> None:
    assert source.name in NAMES
    source.words(5)
    state = source.state()
    copy = pickle.loads(pickle.dumps(source))
    ahead = source.words(30)
    source.restore(state)
    assert source.words(30) == ahead == copy.words(30)
    assert copy.name == source.name


def test_a_state_that_is_none_is_refused() -> None:
    source = Source(seed=1)
    before = source.state()
    with pytest.raises(ValueError, match="state"):
        source.restore(b"short")
    assert source.state() == before


def test_a_dry_source_raises_and_keeps_raising() -> None:
    source = Source(data=bytes(11))  # two words and three bytes too few
    assert source.words(2) == [0, 0]
    for _ in range(2):
        with pytest.raises(ValueError, match="ran out"):
            source.words(1)
        with pytest.raises(ValueError, match="ran out"):
            source.below(6)


def test_rejected_words_are_followed_by_dry() -> None:
    """A rejection at the end of the words is no reason for a biased draw."""
    with pytest.raises(ValueError, match="ran out"):
        scripted(0).below(3)  # 0 is the one word that three equal shares leave over
