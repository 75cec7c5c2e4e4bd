"""The generators and the shuffle a second time, in plain Python.

What does not live here: vectors (tests/data/vectors), anything shared with the product.

    words("xoshiro256++", seed=7)       an endless stream of 32-bit words
    below(stream, n)                    0 <= x < n, every one equally likely
    shuffled(cards, stream)             bj-shuffle-1
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

MASK64 = 2**64 - 1
MASK32 = 2**32 - 1


def splitmix64(seed: int) -> Iterator[int]:
    """Steele, Lea and Flood's SplitMix64."""
    x = seed
    while True:
        x = (x + 0x9E3779B97F4A7C15) & MASK64
        z = x
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        yield z ^ (z >> 31)


def rotl(x: int, k: int, bits: int) -> int:
    return ((x << k) | (x >> (bits - k))) & ((1 << bits) - 1)


def xoshiro256pp(state: list[int]) -> Iterator[int]:
    """Blackman and Vigna's xoshiro256++ 1.0, 64 bits at a time."""
    s = list(state)
    while True:
        yield (rotl((s[0] + s[3]) & MASK64, 23, 64) + s[0]) & MASK64
        t = (s[1] << 17) & MASK64
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45, 64)


def chacha20(key: bytes, counter: int = 0) -> Iterator[bytes]:
    """Blocks of ChaCha20's key stream (RFC 8439). The nonce, 0, is the counter's upper bits."""
    while True:
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", key)]
        start += [counter >> 32 * i & MASK32 for i in range(4)]
        x = list(start)

        def quarter(a: int, b: int, c: int, d: int, x: list[int] = x) -> None:
            for i, j, k, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[i] = (x[i] + x[j]) & MASK32
                x[k] = rotl(x[k] ^ x[i], turn, 32)

        for _ in range(10):
            for i in range(4):
                quarter(i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        yield struct.pack("<16I", *((a + b) & MASK32 for a, b in zip(x, start, strict=True)))
        counter += 1


def words(generator: str, *, seed: int = 0, key: bytes = b"", data: bytes = b"") -> Iterator[int]:
    """The stream of 32-bit words of a generator by its name."""
    if generator == "xoshiro256++":
        mixed = splitmix64(seed)
        for value in xoshiro256pp([next(mixed) for _ in range(4)]):
            yield value >> 32
    elif generator == "chacha20":
        for block in chacha20(key):
            yield from struct.unpack("<16I", block)
    else:
        yield from (word for (word,) in struct.iter_unpack("<I", data))


def below(stream: Iterator[int], n: int) -> int:
    """Lemire's multiply and reject."""
    while True:
        high, low = divmod(next(stream) * n, 2**32)
        if low >= 2**32 % n:
            return high


def shuffled(cards: bytes, stream: Iterator[int]) -> bytes:
    """bj-shuffle-1: sorted by code, then Fisher and Yates from the last card down."""
    order = sorted(cards)
    for i in range(len(order) - 1, 0, -1):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return bytes(order)
