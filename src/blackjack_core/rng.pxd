# Words of randomness and the one unbiased bounded draw (inline, nogil).
#
# Lives here: the generator struct, its three sources of 32-bit words, `rng_below`.
# Not here: who seeds it (blackjack.table), what is shuffled with it (shoe).
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    RNG_XOSHIRO = 0     # seeded, fast, reproducible for good: "xoshiro256++"
    RNG_CHACHA20 = 1    # key from the operating system: "chacha20"
    RNG_BYTES = 2       # words read from a caller's bytes: "bytes"

cdef struct Rng:
    int kind
    int dry                 # RNG_BYTES ran out; every further word is 0 and the caller must refuse
    int used                # words of `block` already given out
    uint32_t block[16]
    uint64_t s[4]           # xoshiro256++ state
    uint32_t key[8]         # ChaCha20 key, then a 64-bit block counter and a zero nonce
    uint64_t counter
    const uint8_t* data
    int64_t size
    int64_t pos

cdef void rng_seed(Rng* g, uint64_t seed) noexcept nogil
cdef void rng_key(Rng* g, const uint8_t* key) noexcept nogil
cdef void rng_bytes(Rng* g, const uint8_t* data, int64_t size) noexcept nogil
cdef void chacha20_block(Rng* g) noexcept nogil


@cython.overflowcheck(False)
cdef inline uint64_t rotl64(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


@cython.overflowcheck(False)
cdef inline uint64_t xoshiro_next(uint64_t* s) noexcept nogil:
    """xoshiro256++ 1.0 (Blackman and Vigna, 2019, public domain)."""
    cdef uint64_t result = rotl64(s[0] + s[3], 23) + s[0]
    cdef uint64_t t = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotl64(s[3], 45)
    return result


cdef inline uint32_t rng_next32(Rng* g) noexcept nogil:
    cdef uint32_t w
    if g.kind == RNG_XOSHIRO:
        return <uint32_t>(xoshiro_next(g.s) >> 32)
    if g.kind == RNG_CHACHA20:
        if g.used == 16:
            chacha20_block(g)
        w = g.block[g.used]
        g.used += 1
        return w
    if g.pos + 4 > g.size:
        g.dry = 1
        return 0
    w = (<uint32_t>g.data[g.pos] | (<uint32_t>g.data[g.pos + 1] << 8)
         | (<uint32_t>g.data[g.pos + 2] << 16) | (<uint32_t>g.data[g.pos + 3] << 24))
    g.pos += 4
    return w


# A whole number 0 <= x < n (n >= 1), every one equally likely: the high half of word * n, words whose
# low half falls into the short remainder drawn again (Lemire, "Fast Random Integer Generation in an
# Interval", 2019). Twice, for any generator and for the one whose state can stay in registers.

@cython.overflowcheck(False)
cdef inline uint32_t rng_below(Rng* g, uint32_t n) noexcept nogil:
    cdef uint64_t m = <uint64_t>rng_next32(g) * n
    cdef uint32_t low = <uint32_t>m
    cdef uint32_t short
    if low < n:
        short = (0 - n) % n
        while low < short and not g.dry:
            m = <uint64_t>rng_next32(g) * n
            low = <uint32_t>m
    return <uint32_t>(m >> 32)


@cython.overflowcheck(False)
cdef inline uint32_t xoshiro_below(uint64_t* s, uint32_t n) noexcept nogil:
    cdef uint64_t m = (xoshiro_next(s) >> 32) * n
    cdef uint32_t low = <uint32_t>m
    cdef uint32_t short
    if low < n:
        short = (0 - n) % n
        while low < short:
            m = (xoshiro_next(s) >> 32) * n
            low = <uint32_t>m
    return <uint32_t>(m >> 32)


cdef class Source:
    cdef Rng rng
    cdef bytes keep
    cdef _checked(self, uint32_t value)
    cpdef bytes state(self)
    cpdef restore(self, bytes state)
