/* The kernel for AVX-512 (F, BW, VL, DQ): 64 bytes at a time. */
#include "_sim_boxes.h"
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 8)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))), apply_to = function)
#define SIM_END _Pragma("clang attribute pop")
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq")
#define SIM_END _Pragma("GCC pop_options")
#endif
#include <immintrin.h>
#include "_sim_group.h"

#define V __m512i
#define W 64
#define v_ld(p) _mm512_load_si512((const void *)(p))
#define v_st(p, x) _mm512_store_si512((void *)(p), x)
#define v_zero() _mm512_setzero_si512()
#define v_set8(x) _mm512_set1_epi8((char)(x))
#define v_set16(x) _mm512_set1_epi16((short)(x))
#define v_set32(x) _mm512_set1_epi32((int)(x))
#define v_or _mm512_or_si512
#define v_and _mm512_and_si512
#define v_xor _mm512_xor_si512
#define v_not(x) v_xor(x, _mm512_set1_epi8(-1))
#define v_andnot _mm512_andnot_si512
#define v_add8 _mm512_add_epi8
#define v_sub8 _mm512_sub_epi8
#define v_gt8(a, b) _mm512_movm_epi8(_mm512_cmpgt_epi8_mask(a, b))
#define v_add16 _mm512_add_epi16
#define v_sub16 _mm512_sub_epi16
#define v_subs16 _mm512_subs_epu16
#define v_min16 _mm512_min_epu16
#define v_max16 _mm512_max_epu16
#define v_eq16(a, b) _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a, b))
#define v_mullo16 _mm512_mullo_epi16
#define v_mulhi16 _mm512_mulhi_epu16
#define v_shr16(x, k) _mm512_srli_epi16(x, k)
#define v_shl16(x, k) _mm512_slli_epi16(x, k)
#define v_packs _mm512_packs_epi16
#define v_unlo8(x) _mm512_unpacklo_epi8(x, _mm512_setzero_si512())
#define v_unhi8(x) _mm512_unpackhi_epi8(x, _mm512_setzero_si512())
#define v_blend(a, b, m) _mm512_ternarylogic_epi32(m, b, a, 0xca)
#define v_any(x) (_mm512_test_epi32_mask(x, x) != 0)
#define v_mask8(x) ((uint64_t)_mm512_test_epi8_mask(x, x))
#define v_add64 _mm512_add_epi64
#define v_shl64(x, k) _mm512_slli_epi64(x, k)
#define v_rot64(x, k) _mm512_rol_epi64(x, k)
#define v_add32 _mm512_add_epi32
#define v_wide16(p) _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(p)))
#define v_rot32(x, k) _mm512_rol_epi32(x, k)

/* Minus the sum of the 16-bit places (small numbers). */
SIM_INLINE uint64_t v_minus16(V x) {
    return (uint32_t)_mm512_reduce_add_epi32(_mm512_madd_epi16(x, _mm512_set1_epi16(-1)));
}

#include "_sim_kernel.h"
#include "_sim_boxes_kernel.h"

int sim_run_avx512(const SimTables *t, const SimJob *job, int64_t *sums) { return run_kernel(t, job, sums); }
int sim_boxes_avx512(const SimBoxes *t, const SimJob *job, int64_t *sums) { return run_boxes(t, job, sums); }
SIM_END
#else
int sim_run_avx512(const SimTables *t, const SimJob *job, int64_t *sums) { (void)t; (void)job; (void)sums; return -2; }
int sim_boxes_avx512(const SimBoxes *t, const SimJob *job, int64_t *sums) { (void)t; (void)job; (void)sums; return -2; }
#endif
