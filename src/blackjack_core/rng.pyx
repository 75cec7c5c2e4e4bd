"""Generators of random words and the unbiased bounded draw.

Lives here: seeding, the ChaCha20 block function, and `Source`, the Python handle on a generator
(used by shoes and by the tools that collect raw and scaled output). Not here: shuffling (`shoe`).
"""
cimport cython
from libc.string cimport memcpy, memset
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

NAMES = ("xoshiro256++", "chacha20", "bytes")


@cython.overflowcheck(False)
cdef void rng_seed(Rng* g, uint64_t seed) noexcept nogil:
    """State from a 64-bit seed by SplitMix64, as the authors of xoshiro256++ advise."""
    cdef uint64_t x = seed, z
    cdef int i
    memset(g, 0, sizeof(Rng))
    g.kind = RNG_XOSHIRO
    for i in range(4):
        x += <uint64_t>0x9E3779B97F4A7C15
        z = x
        z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
        z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
        g.s[i] = z ^ (z >> 31)


cdef void rng_key(Rng* g, const uint8_t* key) noexcept nogil:
    """ChaCha20 from a 32-byte key, block counter and nonce zero."""
    cdef int i
    memset(g, 0, sizeof(Rng))
    g.kind = RNG_CHACHA20
    for i in range(8):
        g.key[i] = (<uint32_t>key[4 * i] | (<uint32_t>key[4 * i + 1] << 8)
                    | (<uint32_t>key[4 * i + 2] << 16) | (<uint32_t>key[4 * i + 3] << 24))
    g.used = 16


cdef void rng_bytes(Rng* g, const uint8_t* data, int64_t size) noexcept nogil:
    memset(g, 0, sizeof(Rng))
    g.kind = RNG_BYTES
    g.data = data
    g.size = size


@cython.overflowcheck(False)
cdef inline uint32_t rotl32(uint32_t x, int k) noexcept nogil:
    return (x << k) | (x >> (32 - k))


@cython.overflowcheck(False)
cdef inline void quarter(uint32_t* x, int a, int b, int c, int d) noexcept nogil:
    x[a] += x[b]
    x[d] = rotl32(x[d] ^ x[a], 16)
    x[c] += x[d]
    x[b] = rotl32(x[b] ^ x[c], 12)
    x[a] += x[b]
    x[d] = rotl32(x[d] ^ x[a], 8)
    x[c] += x[d]
    x[b] = rotl32(x[b] ^ x[c], 7)


@cython.overflowcheck(False)
cdef void chacha20_block(Rng* g) noexcept nogil:
    """The ChaCha20 block function (Bernstein, 2008; RFC 8439, 64-bit counter form)."""
    cdef uint32_t start[16]
    cdef uint32_t x[16]
    cdef int i
    start[0] = 0x61707865
    start[1] = 0x3320646E
    start[2] = 0x79622D32
    start[3] = 0x6B206574
    for i in range(8):
        start[4 + i] = g.key[i]
    start[12] = <uint32_t>g.counter
    start[13] = <uint32_t>(g.counter >> 32)
    start[14] = 0
    start[15] = 0
    memcpy(x, start, sizeof(start))
    for i in range(10):
        quarter(x, 0, 4, 8, 12)
        quarter(x, 1, 5, 9, 13)
        quarter(x, 2, 6, 10, 14)
        quarter(x, 3, 7, 11, 15)
        quarter(x, 0, 5, 10, 15)
        quarter(x, 1, 6, 11, 12)
        quarter(x, 2, 7, 8, 13)
        quarter(x, 3, 4, 9, 14)
    for i in range(16):
        g.block[i] = x[i] + start[i]
    g.counter += 1
    g.used = 0


cdef bint rng_sound(const Rng* g, int64_t kept) noexcept nogil:
    """Whether a state can be a generator's, beside so many bytes of its own."""
    if g.used < 0 or g.used > 16 or g.dry < 0 or g.dry > 1:
        return False
    if g.kind == RNG_BYTES:
        return g.size == kept and 0 <= g.pos <= g.size
    if g.kind == RNG_XOSHIRO:   # of four zeros it would give nothing but zeros
        return kept == 0 and (g.s[0] | g.s[1] | g.s[2] | g.s[3]) != 0
    return g.kind == RNG_CHACHA20 and kept == 0


cdef class Source:
    """Source(*, seed=None, key=None, data=None)
    --

    A stream of 32-bit words. Exactly one of the three is given: `seed` (an int of 64 bits,
    xoshiro256++), `key` (32 bytes, ChaCha20) or `data` (little-endian words).
    """
    def __cinit__(self, *, seed=None, key=None, data=None):
        if (seed is not None) + (key is not None) + (data is not None) != 1:
            raise TypeError("expected exactly one of seed, key and data")
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
                raise ValueError(f"expected an int seed with 0 <= seed < 2**64, got {seed!r}")
            rng_seed(&self.rng, seed)
        elif key is not None:
            self.keep = bytes(key)
            if len(self.keep) != 32:
                raise ValueError(f"expected a key of 32 bytes, got {len(self.keep)}")
            rng_key(&self.rng, <const uint8_t*>PyBytes_AS_STRING(self.keep))
        else:
            self.keep = bytes(data)
            rng_bytes(&self.rng, <const uint8_t*>PyBytes_AS_STRING(self.keep),
                      PyBytes_GET_SIZE(self.keep))

    @property
    def name(self):
        """The generator's name: "xoshiro256++", "chacha20" or "bytes"."""
        return NAMES[self.rng.kind]

    def words(self, Py_ssize_t n):
        """The next n raw 32-bit words, as a list of ints."""
        return [self._checked(rng_next32(&self.rng)) for _ in range(n)]

    def below(self, n):
        """A whole number 0 <= x < n, every one equally likely (1 <= n < 2**32)."""
        if not 1 <= n < 2**32:
            raise ValueError(f"expected 1 <= n < 2**32, got {n!r}")
        return self._checked(rng_below(&self.rng, <uint32_t>n))

    cdef _checked(self, uint32_t value):
        if self.rng.dry:
            raise ValueError("the byte source ran out of words")
        return value

    cpdef bytes state(self):
        """The generator's whole state (secret: it tells every coming card)."""
        cdef Rng g = self.rng
        g.data = NULL
        return (<char*>&g)[:sizeof(Rng)] + (self.keep if g.kind == RNG_BYTES else b"")

    cpdef restore(self, bytes state):
        """Go back to a state given by `state()` of the same version on the same platform."""
        cdef Rng copy
        if state is None or len(state) < <Py_ssize_t>sizeof(Rng):
            size = 0 if state is None else len(state)
            raise ValueError(f"expected a generator state of {sizeof(Rng)} bytes or more, got {size}")
        memcpy(&copy, PyBytes_AS_STRING(state), sizeof(Rng))
        copy.data = NULL
        if not rng_sound(&copy, len(state) - <int64_t>sizeof(Rng)):
            raise ValueError("expected the state of a generator, got something else")
        self.rng = copy
        if self.rng.kind == RNG_BYTES:
            self.keep = state[sizeof(Rng):]
            self.rng.data = <const uint8_t*>PyBytes_AS_STRING(self.keep)

    def __reduce__(self):
        return _rebuild, (self.state(),)


def _rebuild(bytes state):
    source = Source(seed=0)
    source.restore(state)
    return source
