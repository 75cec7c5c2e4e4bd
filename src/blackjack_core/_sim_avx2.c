/* The kernel for AVX2: 32 bytes at a time. */
#include "_sim_boxes.h"
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define SIM_END _Pragma("clang attribute pop")
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#define SIM_END _Pragma("GCC pop_options")
#endif
#include <immintrin.h>
#include "_sim_group.h"

#define V __m256i
#define W 32
#define v_ld(p) _mm256_load_si256((const __m256i *)(p))
#define v_st(p, x) _mm256_store_si256((__m256i *)(p), x)
#define v_zero() _mm256_setzero_si256()
#define v_set8(x) _mm256_set1_epi8((char)(x))
#define v_set16(x) _mm256_set1_epi16((short)(x))
#define v_set32(x) _mm256_set1_epi32((int)(x))
#define v_or _mm256_or_si256
#define v_and _mm256_and_si256
#define v_xor _mm256_xor_si256
#define v_not(x) v_xor(x, _mm256_set1_epi8(-1))
#define v_andnot _mm256_andnot_si256
#define v_add8 _mm256_add_epi8
#define v_sub8 _mm256_sub_epi8
#define v_gt8 _mm256_cmpgt_epi8
#define v_add16 _mm256_add_epi16
#define v_sub16 _mm256_sub_epi16
#define v_subs16 _mm256_subs_epu16
#define v_min16 _mm256_min_epu16
#define v_max16 _mm256_max_epu16
#define v_eq16 _mm256_cmpeq_epi16
#define v_mullo16 _mm256_mullo_epi16
#define v_mulhi16 _mm256_mulhi_epu16
#define v_shr16(x, k) _mm256_srli_epi16(x, k)
#define v_shl16(x, k) _mm256_slli_epi16(x, k)
#define v_packs _mm256_packs_epi16
#define v_unlo8(x) _mm256_unpacklo_epi8(x, _mm256_setzero_si256())
#define v_unhi8(x) _mm256_unpackhi_epi8(x, _mm256_setzero_si256())
#define v_blend _mm256_blendv_epi8
#define v_any(x) (!_mm256_testz_si256(x, x))
#define v_mask8(x) ((uint64_t)(uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256())))
#define v_add64 _mm256_add_epi64
#define v_shl64(x, k) _mm256_slli_epi64(x, k)
#define v_rot64(x, k) _mm256_or_si256(_mm256_slli_epi64(x, k), _mm256_srli_epi64(x, 64 - (k)))
#define v_add32 _mm256_add_epi32
#define v_wide16(p) _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(p)))

/* Rotations by whole bytes are one shuffle. */
SIM_INLINE V v_rot32_(V x, int k) {
    const V r16 = _mm256_broadcastsi128_si256(_mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
    const V r8 = _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14));
    if (k == 16) return _mm256_shuffle_epi8(x, r16);
    if (k == 8) return _mm256_shuffle_epi8(x, r8);
    return v_or(_mm256_slli_epi32(x, k), _mm256_srli_epi32(x, 32 - k));
}
#define v_rot32(x, k) v_rot32_(x, k)

/* Minus the sum of the 16-bit places (small numbers). */
SIM_INLINE uint64_t v_minus16(V x) {
    V s = _mm256_madd_epi16(x, _mm256_set1_epi16(-1));
    __m128i h = _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    h = _mm_add_epi32(h, _mm_shuffle_epi32(h, 0x4e));
    return (uint32_t)(_mm_cvtsi128_si32(h) + _mm_extract_epi32(h, 1));
}

#include "_sim_kernel.h"
#include "_sim_boxes_kernel.h"

int sim_run_avx2(const SimTables *t, const SimJob *job, int64_t *sums) { return run_kernel(t, job, sums); }
int sim_boxes_avx2(const SimBoxes *t, const SimJob *job, int64_t *sums) { return run_boxes(t, job, sums); }
SIM_END
#else
int sim_run_avx2(const SimTables *t, const SimJob *job, int64_t *sums) { (void)t; (void)job; (void)sums; return -2; }
int sim_boxes_avx2(const SimBoxes *t, const SimJob *job, int64_t *sums) { (void)t; (void)job; (void)sums; return -2; }
#endif
