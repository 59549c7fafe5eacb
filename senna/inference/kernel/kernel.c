/* The compiled twin of what takes most of the time in tagging: the same bytes, sooner.

   Each function names the function in Python whose result it repeats bit for bit. Products are of
   16-bit whole numbers, summed in 32 bits, which never overflow (see exact.py), so they may be
   summed in any order. All other arithmetic is done operation by operation, in the order and the
   precision in which NumPy does it; therefore this file is compiled with -ffp-contract=off and
   never with -ffast-math.

   The file is compiled once for each level of processor, into a library of its own: the compiler's
   flags choose the tile below, and how wide the plain loops become. Python chooses the library
   (library.py) and has checked all shapes and lengths before it calls (calls.py). Every function
   returns one of the numbers below; unless it is DONE, nothing but `out` has changed, and NumPy
   computes instead. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

enum { DONE, NO_MEMORY, NOT_FINITE, NO_ROW }; /* the last: a row or a word that is not there */

#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))
#define ROUNDED(n, m) (((n) + (m) - 1) / (m) * (m))

enum { LANES = 16 }; /* rows of scores between tags are rounded up to so many columns */

/* Whole numbers to be multiplied, and the tile of a level: ROWS rows of x, of STEP numbers at a
   time, by PANEL columns of weights, which lie together. BLOCK rows are multiplied together. */
#ifdef __AMX_BF16__
typedef uint16_t Number; /* the upper half of a float32: eight bits of a number and its sign */
enum { ROWS = 32, STEP = 32, PANEL = 32, BLOCK = 32 };
#else
typedef int16_t Number;
enum { STEP = 2, PANEL = 16, BLOCK = 48 };
#endif

/* Weights (n_in, n_out) in panels of columns, zeros beyond: see `place`, and `Packed` in calls.py. */
typedef struct {
    const Number *panels;
    const float *scale; /* (n_out,) */
    int64_t n_in, n_out;
} Matrix;

/* `Convolution` in convolutions.py; without `down.panels` the weights are one matrix. */
typedef struct {
    Matrix down, up;
    const float *bias; /* (2 units,) */
    int64_t width, dilation;
} Layer;

/* `Dense` (n_kinds 0), `Phrases` or (roles) `Roles` in viterbi.py. */
typedef struct {
    const float *into;    /* (n_tags, n_tags), [to][from] */
    const float *initial; /* (n_tags,) */
    const float *between; /* (n_from, n_to rounded up to LANES), of the moves that a step sums */
    const float *within;  /* (4, n_kinds): B to I, B to E, I to I, I to E */
    int64_t n_tags, n_last, n_from, n_to, n_kinds, roles;
} Moves;

/* The constants of exact.py and convolutions.py. */
static const float SMALLEST = 1e-20f, COARSE = 768, FACTOR = 0.061685271f;
static const volatile float LEVELS = 255; /* else GCC merges the comparisons with two bounds */
static const double TINY = 1e-5, UNIT = 8.0 / 255;
static const float P0 = 1006.1416f, P1 = 114.17405f, Q0 = 62.040583f, Q1 = 27.799616f;

/* ------------------------------------------------------------------------------- memory */

/* Memory of one call: measured first, then taken in one piece, and cut into aligned parts. */
typedef struct {
    char *start;
    size_t size;
} Room;

static size_t part_of(Room *room, int64_t n, size_t size) {
    size_t at = room->size, bytes, end;
    if (__builtin_mul_overflow((size_t)n, size, &bytes) ||
        __builtin_add_overflow(bytes, 2 * 64, &bytes) || /* vectors may read beyond an end */
        __builtin_add_overflow(at, bytes / 64 * 64, &end))
        end = SIZE_MAX; /* too much to count, and so for every later part */
    room->size = end;
    return at;
}

static int take(Room *room) {
    room->start = room->size < PTRDIFF_MAX ? aligned_alloc(64, room->size + 64) : NULL;
    return room->start ? DONE : NO_MEMORY;
}

/* Whether n words are those of some sentences. */
static int are_words(const int64_t *lengths, int64_t n_sentences, int64_t n) {
    for (int64_t s = 0; s < n_sentences; n -= lengths[s++])
        if (lengths[s] < 0 || lengths[s] > n) return 0;
    return !n;
}

#define PART(room, type, at) ((type *)(void *)((room).start + (at)))

/* ----------------------------------------------------------------------------- products */

/* What follows multiplies ROWS rows of x, `stride` numbers apart, by ACROSS panels next to each
   other, each of `steps` steps of weights, and writes the sums into out. */

#if defined(__AMX_BF16__)
#include <immintrin.h>
#define ACROSS 1

/* No partial sum is beyond 2 ** 24 (see exact.py): all are exact. */
INLINE void tile(const Number *x, int64_t stride, const Number *w, int64_t steps, float *out,
                 int64_t out_stride, const int across) {
    enum { TILE = 512, LINE = 64 };
    (void)across;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t k = 0; k < steps; k++, x += STEP, w += 2 * TILE) {
        _tile_loadd(4, x, stride * 2);
        _tile_loadd(5, x + 16 * stride, stride * 2);
        _tile_loadd(6, w, LINE);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(2, 5, 6);
        _tile_loadd(7, w + TILE, LINE);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, out, out_stride * 4);
    _tile_stored(1, out + 16, out_stride * 4);
    _tile_stored(2, out + 16 * out_stride, out_stride * 4);
    _tile_stored(3, out + 16 * out_stride + 16, out_stride * 4);
}

#elif defined(__AVX512BW__)
#include <immintrin.h>
#define ACROSS 2
enum { ROWS = 12 };
#ifdef __AVX512VNNI__
#define DOT(sum, a, b) _mm512_dpwssd_epi32(sum, a, b)
#else
#define DOT(sum, a, b) _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
#endif

INLINE void tile(const int16_t *x, int64_t stride, const int16_t *w, int64_t steps, float *out,
                 int64_t out_stride, const int across) {
    __m512i sums[ROWS][ACROSS], b[ACROSS];
#pragma GCC unroll 12
    for (int r = 0; r < ROWS; r++)
        for (int p = 0; p < across; p++) sums[r][p] = _mm512_setzero_si512();
    for (int64_t k = 0; k < steps; k++) {
        for (int p = 0; p < across; p++) b[p] = _mm512_loadu_si512(w + (p * steps + k) * 2 * PANEL);
#pragma GCC unroll 12
        for (int r = 0; r < ROWS; r++) {
            int32_t pair;
            memcpy(&pair, x + r * stride + 2 * k, sizeof pair);
            __m512i a = _mm512_set1_epi32(pair);
            for (int p = 0; p < across; p++) sums[r][p] = DOT(sums[r][p], a, b[p]);
        }
    }
#pragma GCC unroll 12
    for (int r = 0; r < ROWS; r++)
        for (int p = 0; p < across; p++) {
            __asm__("" : "+v"(sums[r][p])); /* else GCC converts in each step */
            _mm512_storeu_ps(out + r * out_stride + p * PANEL, _mm512_cvtepi32_ps(sums[r][p]));
        }
}

#elif defined(__AVX2__)
#include <immintrin.h>
#define ACROSS 1
enum { ROWS = 6 };

INLINE void tile(const int16_t *x, int64_t stride, const int16_t *w, int64_t steps, float *out,
                 int64_t out_stride, const int across) {
    __m256i left[ROWS], right[ROWS];
    (void)across;
#pragma GCC unroll 6
    for (int r = 0; r < ROWS; r++) left[r] = right[r] = _mm256_setzero_si256();
    for (int64_t k = 0; k < steps; k++) {
        const __m256i *at = (const __m256i *)(const void *)(w + k * 2 * PANEL);
        __m256i b0 = _mm256_loadu_si256(at), b1 = _mm256_loadu_si256(at + 1);
#pragma GCC unroll 6
        for (int r = 0; r < ROWS; r++) {
            int32_t pair;
            memcpy(&pair, x + r * stride + 2 * k, sizeof pair);
            __m256i a = _mm256_set1_epi32(pair);
            left[r] = _mm256_add_epi32(left[r], _mm256_madd_epi16(a, b0));
            right[r] = _mm256_add_epi32(right[r], _mm256_madd_epi16(a, b1));
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < ROWS; r++) {
        __asm__("" : "+x"(left[r]), "+x"(right[r])); /* as with AVX-512 */
        _mm256_storeu_ps(out + r * out_stride, _mm256_cvtepi32_ps(left[r]));
        _mm256_storeu_ps(out + r * out_stride + 8, _mm256_cvtepi32_ps(right[r]));
    }
}

#elif defined(__ARM_NEON) && !defined(PLAIN)
#include <arm_neon.h>
#define ACROSS 1
enum { ROWS = 4 };

INLINE void tile(const int16_t *x, int64_t stride, const int16_t *w, int64_t steps, float *out,
                 int64_t out_stride, const int across) {
    int32x4_t sums[ROWS][4];
    (void)across;
    for (int r = 0; r < ROWS; r++)
        for (int q = 0; q < 4; q++) sums[r][q] = vdupq_n_s32(0);
    for (int64_t k = 0; k < steps; k++) {
        int16x8x2_t b[2] = {vld2q_s16(w + k * 2 * PANEL), vld2q_s16(w + k * 2 * PANEL + PANEL)};
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < 2; i++) {
                int16_t a = x[r * stride + 2 * k + i];
                for (int q = 0; q < 2; q++) {
                    int16x8_t eight = b[q].val[i];
                    sums[r][2 * q] = vmlal_n_s16(sums[r][2 * q], vget_low_s16(eight), a);
                    sums[r][2 * q + 1] = vmlal_n_s16(sums[r][2 * q + 1], vget_high_s16(eight), a);
                }
            }
    }
    for (int r = 0; r < ROWS; r++)
        for (int q = 0; q < 4; q++)
            vst1q_f32(out + r * out_stride + 4 * q, vcvtq_f32_s32(sums[r][q]));
}

#else
#define ACROSS 1
enum { ROWS = 1 };

INLINE void tile(const int16_t *x, int64_t stride, const int16_t *w, int64_t steps, float *out,
                 int64_t out_stride, const int across) {
    int32_t sums[PANEL] = {0};
    (void)stride, (void)out_stride, (void)across;
    for (int64_t k = 0; k < steps; k++)
        for (int j = 0; j < PANEL; j++) {
            const int16_t *pair = w + (k * PANEL + j) * 2;
            sums[j] += x[2 * k] * pair[0] + x[2 * k + 1] * pair[1];
        }
    for (int j = 0; j < PANEL; j++) out[j] = (float)sums[j];
}
#endif

/* Prepare this thread to multiply, and end it. */
static void begin(void) {
#ifdef __AMX_BF16__
    static const struct {
        uint8_t palette, start[15];
        uint16_t bytes[16];
        uint8_t rows[16];
    } tiles = {1, {0}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};
    _tile_loadconfig(&tiles);
#endif
}

static void end(void) {
#ifdef __AMX_BF16__
    _tile_release();
#endif
}

/* x @ w: x (n, stride), n a multiple of ROWS, stride of STEP, into out (n, n_out rounded up to
   PANEL). */
static void multiply(const Matrix *w, const Number *x, int64_t stride, int64_t n, float *out) {
    int64_t steps = ROUNDED(w->n_in, STEP) / STEP, across = ROUNDED(w->n_out, PANEL), p = 0;
    int64_t size = steps * STEP; /* of one column */
    __asm__ volatile("" ::: "memory");   /* x is written before instructions read it */
    for (; p + ACROSS * PANEL <= across; p += ACROSS * PANEL)
        for (int64_t r = 0; r < n; r += ROWS)
            tile(x + r * stride, stride, w->panels + p * size, steps, out + r * across + p, across,
                 ACROSS);
    for (; p < across; p += PANEL)
        for (int64_t r = 0; r < n; r += ROWS)
            tile(x + r * stride, stride, w->panels + p * size, steps, out + r * across + p, across,
                 1);
}

/* A whole number, of those that are multiplied. */
INLINE Number as_number(float x) {
#ifdef __AMX_BF16__
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (Number)(bits >> 16);
#else
    return (Number)x;
#endif
}

/* Where the weight in row i and column j of a matrix of n_in rows lies in its panels. */
INLINE int64_t place(int64_t i, int64_t j, int64_t n_in) {
    int64_t step = j / PANEL * (ROUNDED(n_in, STEP) / STEP) + i / STEP;
#ifdef __AMX_BF16__
    return ((step * 2 + j % PANEL / 16) * 16 + i % STEP / 2) * 32 + j % 16 * 2 + i % 2;
#else
    return (step * PANEL + j % PANEL) * STEP + i % STEP;
#endif
}

/* How many numbers the panels of a matrix have. */
EXPORT int64_t senna_size(int64_t n_in, int64_t n_out) {
    return ROUNDED(n_in, STEP) * ROUNDED(n_out, PANEL);
}

/* `rounded` in exact.py. */
INLINE float rounded(float x) {
    uint32_t bits;
    x = rintf(x);
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* `n` weights of a row, each times its factor and rounded, beside those of the other row of a pair;
   whether one is beyond 16 bits. */
INLINE int pack(const float *row, const float *factor, int64_t n, int64_t is_odd, Number *to) {
    uint32_t pairs[16], bad = 0;
    memcpy(pairs, to, sizeof pairs);
    for (int64_t k = 0; k < n; k++) {
        float number = rounded(row[k] * factor[k]);
        int fits = fabsf(number) <= 32767;
        bad |= !fits;
        pairs[k] |= (uint32_t)(uint16_t)as_number(fits ? number : 0) << 16 * is_odd;
    }
    memcpy(to, pairs, sizeof pairs);
    return (int)bad;
}

/* Weights (n_in, n_out), as above, into panels of zeros; NOT_FINITE for one beyond 16 bits. */
EXPORT int senna_pack(const float *weights, const float *factor, int64_t n_in, int64_t n_out,
                      Number *panels) {
    int bad = 0;
    for (int64_t i = 0; i < n_in; i++, weights += n_out)
        for (int64_t j = 0; j < n_out; j += 16) {
            Number *to = panels + place(i - i % 2, j, n_in);
            const float *row = weights + j, *by = factor + j;
            bad |= n_out - j < 16 ? pack(row, by, n_out - j, i % 2, to) : pack(row, by, 16, i % 2, to);
        }
    return bad ? NOT_FINITE : DONE;
}

/* Numbers x (n,) of 16 bits, float16 of NumPy, in 32 bits. */
EXPORT void senna_widen(const uint16_t *x, int64_t n, float *out) {
    for (int64_t i = 0; i < n; i++) {
        uint32_t size = (uint32_t)(x[i] & 0x7fff) << 13;
        float number;
        memcpy(&number, &size, sizeof number);
        number *= 0x1p112f; /* the exponent of a float32 counts from another zero */
        memcpy(&size, &number, sizeof number);
        size |= (x[i] & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
        size |= (uint32_t)(x[i] & 0x8000) << 16;
        memcpy(out + i, &size, sizeof size);
    }
}

/* `magnitudes` in calls.py: of each column of x (n, m) the sum of magnitudes, into zeros. */
EXPORT void senna_magnitudes(const float *x, int64_t n, int64_t m, double *sums) {
    for (int64_t i = 0; i < n; i++, x += m)
        for (int64_t j = 0; j < m; j++) sums[j] += (double)fabsf(x[j]);
}

/* The weights (n_in, n_out) again. */
EXPORT void senna_unpack(const Matrix *w, float *out) {
    for (int64_t i = 0; i < w->n_in; i++)
        for (int64_t j = 0; j < w->n_out; j++) {
            const Number *at = w->panels + place(i, j, w->n_in);
#ifdef __AMX_BF16__
            uint32_t bits = (uint32_t)*at << 16;
            memcpy(out++, &bits, sizeof bits);
#else
            *out++ = *at;
#endif
        }
}

/* `whole` in exact.py: a row x (m,) as whole numbers; returns what one is worth, or NaN. */
static float whole(const float *restrict x, int64_t m, Number *restrict out) {
    uint32_t largest = 0; /* of magnitudes the order is that of their bits */
    for (int64_t j = 0; j < m; j++) {
        uint32_t bits;
        memcpy(&bits, x + j, sizeof bits);
        bits &= 0x7fffffff;
        largest = bits > largest ? bits : largest;
    }
    float top;
    memcpy(&top, &largest, sizeof top);
    if (!isfinite(top)) return NAN;
    top = top < SMALLEST ? SMALLEST : top;
    float factor = LEVELS / top;
    for (int64_t j = 0; j < m; j++) out[j] = as_number(rintf(x[j] * factor));
    return top / LEVELS;
}

/* Those of a row that are whole already: they are worth 1. */
static float as_whole(const float *restrict x, int64_t m, Number *restrict out) {
    const float most = LEVELS;
    int bad = 0;
    for (int64_t j = 0; j < m; j++) bad |= !(fabsf(x[j]) <= most);
    if (bad) return NAN;
    for (int64_t j = 0; j < m; j++) out[j] = as_number(x[j]);
    return 1;
}

/* `product` in exact.py, or (is_whole) `Weights.apply`: x (n, n_in) -> out (n, n_out), and
   `bias` (n_out,) if there is one. */
EXPORT int senna_product(const Matrix *w, const float *bias, const float *x, int64_t n,
                         int64_t is_whole, float *out) {
    int64_t stride = ROUNDED(w->n_in, STEP), across = ROUNDED(w->n_out, PANEL);
    Room room = {0};
    size_t a = part_of(&room, BLOCK * stride, sizeof(Number));
    size_t b = part_of(&room, BLOCK * across, sizeof(float));
    if (take(&room)) return NO_MEMORY;
    Number *numbers = PART(room, Number, a);
    float *y = PART(room, float, b);
    float worth[BLOCK];
    int status = DONE;
    memset(numbers, 0, (size_t)(BLOCK * stride) * sizeof *numbers);
    begin();
    for (int64_t start = 0; start < n && !status; start += BLOCK) {
        int64_t rows = n - start < BLOCK ? n - start : BLOCK;
        for (int64_t r = 0; r < rows; r++) {
            const float *row = x + (start + r) * w->n_in;
            worth[r] = (is_whole ? as_whole : whole)(row, w->n_in, numbers + r * stride);
            if (isnan(worth[r])) status = NOT_FINITE;
        }
        if (status) break;
        multiply(w, numbers, stride, ROUNDED(rows, ROWS), y);
        for (int64_t r = 0; r < rows; r++)
            for (int64_t j = 0; j < w->n_out; j++) {
                float sum = y[r * across + j] * w->scale[j] * worth[r];
                out[(start + r) * w->n_out + j] = bias ? sum + bias[j] : sum;
            }
    }
    end();
    free(room.start);
    return status;
}

/* -------------------------------------------------------------------- gated convolutions */

#ifdef __AVX512BW__
/* Numbers x of a row, rounded in COARSE, are counted by how many units of 2 ** -14 they are beyond
   it: below 2 ** 22, unless a bit of `other` beyond the 23rd is set. */
INLINE void count(__m512 x, __m512i *total, __m512i *squares, __m512i *other) {
    const __m512i middle = _mm512_castps_si512(_mm512_set1_ps(COARSE));
    __m512i units = _mm512_castps_si512(_mm512_add_ps(x, _mm512_set1_ps(COARSE)));
    *other = _mm512_or_si512(*other, _mm512_xor_si512(units, middle));
    units = _mm512_sub_epi32(units, middle);
    __m512i odd = _mm512_srli_epi64(units, 32);
    *total = _mm512_add_epi32(*total, units);
    *squares = _mm512_add_epi64(*squares, _mm512_mul_epi32(units, units));
    *squares = _mm512_add_epi64(*squares, _mm512_mul_epi32(odd, odd));
}

#endif

/* The sum of a row x (m,) rounded to multiples of 2 ** -14 in COARSE, and of squares. Sums that are
   exact may be made in any order; others are left to NumPy. */
static int sums_of(const float *x, int64_t m, double *sum, double *square) {
#ifdef __AVX512BW__
    __m512i total = _mm512_setzero_si512(), squares = total, other = total;
    int64_t i = 0;
    for (; i + 16 <= m; i += 16) count(_mm512_loadu_ps(x + i), &total, &squares, &other);
    if (i < m) {
        __mmask16 rest = (__mmask16)((1 << (m - i)) - 1);
        count(_mm512_maskz_loadu_ps(rest, x + i), &total, &squares, &other);
    }
    if (m <= 512 && !_mm512_test_epi32_mask(other, _mm512_set1_epi32(-(1 << 23)))) {
        *sum = _mm512_reduce_add_epi32(total) * 0x1p-14;
        *square = (double)_mm512_reduce_add_epi64(squares) * 0x1p-28;
        return DONE;
    }
#endif
    double all = 0, of_squares = 0;
    float largest = 0;
#pragma omp simd reduction(+ : all, of_squares) reduction(max : largest)
    for (int64_t j = 0; j < m; j++) {
        float size = fabsf(x[j]), coarse = x[j] + COARSE;
        largest = size > largest ? size : largest;
        coarse -= COARSE;
        double wide = coarse;
        all += wide;
        of_squares += wide * wide;
    }
    *sum = all, *square = of_squares;
    /* All are multiples of 2 ** -23 of a power of two above room / 2, for x + COARSE is not below
       room: sums of squares below 32 room ** 2 have 53 bits. */
    float room = COARSE - largest;
    return room > 0 && *square < 32.0 * room * room ? DONE : NOT_FINITE;
}

/* The mean of a row x (m,), and what brings it to a standard deviation: see `normalise` in
   exact.py. */
static int moments(const float *x, int64_t m, double deviation, float *mean, float *scale) {
    double sum, square;
    if (sums_of(x, m, &sum, &square)) return NOT_FINITE;
    double middle = sum / (double)m;
    *scale = (float)(deviation / sqrt(square / (double)m - middle * middle + TINY));
    *mean = (float)middle;
    return isfinite(*scale) ? DONE : NOT_FINITE;
}

static int normalise(float *restrict x, int64_t m) {
    float mean, scale;
    if (moments(x, m, 1.0, &mean, &scale)) return NOT_FINITE;
    for (int64_t j = 0; j < m; j++) {
        float coarse = x[j] + COARSE;
        coarse -= COARSE;
        x[j] = (coarse - mean) * scale;
    }
    return DONE;
}

/* The same, as whole numbers in `UNIT`, and cut. */
static int normalised(const float *restrict x, int64_t m, Number *restrict out) {
    float mean, scale;
    const float low = -LEVELS, high = LEVELS;
    if (moments(x, m, 1 / UNIT, &mean, &scale)) return NOT_FINITE;
    for (int64_t j = 0; j < m; j++) {
        float coarse = x[j] + COARSE;
        coarse -= COARSE;
        float number = rintf((coarse - mean) * scale);
        number = number < low ? low : number;
        out[j] = as_number(number > high ? high : number);
    }
    return DONE;
}

/* `gate` in exact.py of values and gates y (2 units,), each times `worth`: added to x. */
static void add_gated(const float *restrict y, const float *restrict bias, float worth,
                      int64_t units, float *restrict x) {
    const volatile float most = 1 / FACTOR;
    const float low = -most, high = most;
    for (int64_t j = 0; j < units; j++) {
        float value = y[j] * worth + bias[j];
        float by = y[units + j] * worth + bias[units + j];
        float square = by * by, over = square + P1, under = square + Q1;
        over *= square;
        over += P0;
        over *= by;
        under *= square;
        under += Q0;
        over /= under;
        over = over < low ? low : over;
        over = over > high ? high : over;
        over += high;
        x[j] += over * value;
    }
}

/* Numbers of all that a convolution needs for a block of rows. */
typedef struct {
    Number *windows, *inner;
    float *y;
} Block;

/* Copy n numbers and up to 62 bytes more: they lie in the next part, or are not weighted. */
INLINE void copy(const Number *from, int64_t n, Number *to) {
    for (int64_t j = 0; j < n; j += 64 / (int64_t)sizeof *to) memcpy(to + j, from + j, 64);
}

/* One layer over m rows whose windows are filled, added to x (m, units). */
static void convolve_block(const Layer *layer, const Block *block, int64_t m, int64_t units,
                           float *x) {
    int64_t stride = ROUNDED(layer->width * units, STEP), rows = ROUNDED(m, ROWS);
    int64_t across = ROUNDED(layer->up.n_out, PANEL);
    float worth = layer->up.scale[0], worths[BLOCK];
    for (int64_t r = 0; r < m; r++) worths[r] = worth;
    if (layer->down.panels) {
        int64_t rank = ROUNDED(layer->down.n_out, PANEL);
        multiply(&layer->down, block->windows, stride, rows, block->y);
        worth = layer->down.scale[0] * worth;
        for (int64_t r = 0; r < m; r++)
            worths[r] = whole(block->y + r * rank, rank, block->inner + r * rank) * worth;
        multiply(&layer->up, block->inner, rank, rows, block->y);
    } else {
        multiply(&layer->up, block->windows, stride, rows, block->y);
    }
    for (int64_t r = 0; r < m; r++)
        add_gated(block->y + r * across, layer->bias, worths[r], units, x + r * units);
}

/* `convolve` in convolutions.py: x (n_words, units) in place; as it was unless DONE. */
EXPORT int senna_convolve(const Layer *layers, int64_t n_layers, float *x, int64_t n, int64_t units,
                          const int64_t *lengths, int64_t n_sentences) {
    int64_t width = 1, inner = 1, widest = 1;
    if (!are_words(lengths, n_sentences, n)) return NO_ROW;
    for (int64_t i = 0; i < n_layers; i++) {
        int64_t rank = ROUNDED(layers[i].down.n_out, PANEL);
        int64_t across = ROUNDED(layers[i].up.n_out, PANEL);
        width = layers[i].width > width ? layers[i].width : width;
        inner = rank > inner ? rank : inner;
        widest = across > widest ? across : widest;
    }
    widest = inner > widest ? inner : widest;
    Room room = {0};
    size_t a = part_of(&room, (n + 1) * units, sizeof(Number)), b = part_of(&room, n * units, 4);
    size_t c = part_of(&room, BLOCK * ROUNDED(width * units, STEP), sizeof(Number));
    size_t d = part_of(&room, BLOCK * inner, sizeof(Number));
    size_t e = part_of(&room, BLOCK * widest, sizeof(float));
    size_t f = part_of(&room, n, sizeof(int64_t)), g = part_of(&room, n, sizeof(int64_t));
    if (take(&room)) return NO_MEMORY;
    Number *normal = PART(room, Number, a); /* the last row stands for no word */
    float *before = PART(room, float, b);
    Block block = {PART(room, Number, c), PART(room, Number, d), PART(room, float, e)};
    int64_t *starts = PART(room, int64_t, f), *ends = PART(room, int64_t, g);
    for (int64_t s = 0, row = 0, start = 0; s < n_sentences; s++, start = row)
        for (; row < start + lengths[s]; row++) starts[row] = start, ends[row] = start + lengths[s];
    memset(normal + n * units, 0, (size_t)units * sizeof *normal + 64); /* as `copy` reads it */
    memset(block.windows, 0, d - c); /* rows and columns that round up are never NaN: whole */
    memset(block.inner, 0, e - d);
    memcpy(before, x, (size_t)(n * units) * sizeof *x);
    int status = DONE;
    begin();
    for (int64_t i = 0; i < n_layers && !status; i++) {
        const Layer *layer = layers + i;
        int64_t stride = ROUNDED(layer->width * units, STEP);
        for (int64_t row = 0; row < n && !status; row++)
            status = normalised(x + row * units, units, normal + row * units);
        for (int64_t start = 0; start < n && !status; start += BLOCK) {
            int64_t m = n - start < BLOCK ? n - start : BLOCK;
            for (int64_t row = start; row < start + m; row++)
                for (int64_t k = 0; k < layer->width; k++) {
                    int64_t other = row + layer->dilation * (k - layer->width / 2);
                    if (other < starts[row] || other >= ends[row]) other = n;
                    copy(normal + other * units, units,
                         block.windows + (row - start) * stride + k * units);
                }
            convolve_block(layer, &block, m, units, x + start * units);
        }
    }
    end();
    for (int64_t row = 0; row < n && !status; row++) status = normalise(x + row * units, units);
    if (status) memcpy(x, before, (size_t)(n * units) * sizeof *x);
    free(room.start);
    return status;
}

/* -------------------------------------------------------------------------------- paths */

/* out[j] = max over i of last[i] + scores[i][j], of the first `wide` columns. */
INLINE void enter_some(const float *last, const float *scores, int64_t n_from, int64_t n_to,
                       float *out, const int wide) {
    float top[4 * LANES];
#pragma omp simd
    for (int j = 0; j < wide; j++) top[j] = last[0] + scores[j];
    for (int64_t i = 1; i < n_from; i++) {
        scores += n_to;
#pragma omp simd
        for (int j = 0; j < wide; j++) {
            float sum = last[i] + scores[j];
            top[j] = sum > top[j] ? sum : top[j];
        }
    }
    memcpy(out, top, (size_t)wide * sizeof *out);
}

/* The same of all columns; n_to is a multiple of LANES. */
INLINE void enter(const float *last, const float *scores, int64_t n_from, int64_t n_to,
                  float *out) {
    int64_t start = 0;
    for (; start + 4 * LANES <= n_to; start += 4 * LANES)
        enter_some(last, scores + start, n_from, n_to, out + start, 4 * LANES);
    for (; start < n_to; start += LANES)
        enter_some(last, scores + start, n_from, n_to, out + start, LANES);
}

INLINE float larger(float a, float b) { return a > b ? a : b; }

/* `step` of the classes in viterbi.py, without the scores of the new word. */
static void step(const Moves *moves, const float *last, float *out, float *buffer) {
    int64_t k = moves->n_kinds, n_to = ROUNDED(moves->n_to, LANES);
    if (!k) {
        enter(last, moves->between, moves->n_from, n_to, out);
        return;
    }
    const float *e = last + 1, *s = e + k, *b = s + k, *i = b + k;
    float *to_e = out + 1, *to_s = to_e + k, *to_b = to_s + k, *to_i = to_b + k;
    if (moves->roles) {
        float *left = buffer + n_to;
        left[0] = last[0];
        for (int64_t j = 0; j < k; j++) left[1 + j] = larger(e[j], s[j]);
        enter(left, moves->between, moves->n_from, n_to, buffer);
        memcpy(to_s, buffer + 1, (size_t)k * sizeof *out);
        memcpy(to_b, buffer + 1, (size_t)k * sizeof *out);
    } else {
        enter(last, moves->between, moves->n_from, n_to, buffer);
        memcpy(to_s, buffer + 1, (size_t)(2 * k) * sizeof *out);
    }
    out[0] = buffer[0];
    const float *begin_i = moves->within, *begin_e = begin_i + k, *on_i = begin_e + k;
    const float *on_e = on_i + k;
    for (int64_t j = 0; j < k; j++) to_i[j] = larger(b[j] + begin_i[j], i[j] + on_i[j]);
    for (int64_t j = 0; j < k; j++) to_e[j] = larger(b[j] + begin_e[j], i[j] + on_e[j]);
}

/* The first of the largest of x (n,). */
static int64_t first_largest(const float *x, int64_t n) {
    float top = x[0];
#pragma omp simd reduction(max : top)
    for (int64_t j = 1; j < n; j++) top = larger(x[j], top);
    int64_t at = 0;
    while (at < n - 1 && x[at] != top) at++;
    return at;
}

/* `decode` in viterbi.py: scores (n_words, n_tags) -> path (n_words,). */
EXPORT int senna_decode(const Moves *moves, const float *scores, int64_t n, const int64_t *lengths,
                        int64_t n_sentences, int64_t *path) {
    if (!are_words(lengths, n_sentences, n)) return NO_ROW;
    int64_t longest = 0, n_tags = moves->n_tags, stride = ROUNDED(n_tags, LANES);
    for (int64_t s = 0; s < n_sentences; s++) longest = lengths[s] > longest ? lengths[s] : longest;
    Room room = {0};
    size_t a = part_of(&room, longest * stride, sizeof(float));
    size_t b = part_of(&room, 2 * stride + 2 * LANES, sizeof(float));
    if (take(&room)) return NO_MEMORY;
    float *alpha = PART(room, float, a), *buffer = PART(room, float, b);
    int bad = 0;
    for (int64_t s = 0; s < n_sentences && !bad; s++) {
        int64_t size = lengths[s];
        for (int64_t t = 0; t < size; t++) {
            float *out = alpha + t * stride;
            if (t) step(moves, out - stride, out, buffer);
            for (int64_t j = 0; j < n_tags; j++) {
                out[j] = t ? out[j] + scores[j] : scores[j] + moves->initial[j];
                bad |= !(out[j] < INFINITY); /* NaN too */
            }
            scores += n_tags;
        }
        for (int64_t t = size - 1, to = 0; t >= 0; t--) {
            const float *from = alpha + t * stride, *column = moves->into + to * n_tags;
            if (t < size - 1) {
                for (int64_t j = 0; j < n_tags; j++) buffer[j] = column[j] + from[j];
                to = first_largest(buffer, n_tags);
            } else {
                to = first_largest(from, moves->n_last);
            }
            path[t] = to;
        }
        path += size;
    }
    free(room.start);
    return bad ? NOT_FINITE : DONE;
}

/* ------------------------------------------------------------------------------- charts */

/* Where a sentence of n words has its charts. left[i][w] is of the span of w words from word i;
   right[j][n - w] of the one that ends before word j, so that both are read in one direction. */
typedef struct {
    float *left, *right;
    int32_t *splits;
} Chart;

/* `best_spans` in best_trees.py of one sentence: scores (n, stride); the spans' first and last
   words go into `first` and `last` (2 n - 1,), each before its parts. */
static int best_spans(const float *scores, int64_t stride, int64_t n, const Chart *chart,
                      int64_t *first, int64_t *last) {
    int64_t side = n + 1;
    float *left = chart->left, *right = chart->right;
    for (int64_t i = 0; i < n; i++) left[i * side + 1] = right[(i + 1) * side + n - 1] = 0;
    for (int64_t width = 2; width <= n; width++)
        for (int64_t i = 0; i + width <= n; i++) {
            const float *a = left + i * side + 1, *b = right + (i + width) * side + n - width + 1;
            float top = a[0] + b[0];
#pragma omp simd reduction(max : top)
            for (int64_t k = 0; k < width - 1; k++) top = larger(a[k] + b[k], top);
            int64_t at = 0;
            while (at < width - 2 && a[at] + b[at] != top) at++;
            chart->splits[i * side + width] = (int32_t)at + 1;
            top += scores[i * stride + i + width - 1];
            if (!isfinite(top)) return NOT_FINITE;
            left[i * side + width] = right[(i + width) * side + n - width] = top;
        }
    int32_t *stack = chart->splits + side * side; /* of first words and widths */
    stack[0] = 0, stack[1] = (int32_t)n;
    for (int64_t depth = 1; depth;) {
        int32_t i = stack[2 * --depth], width = stack[2 * depth + 1];
        *first++ = i, *last++ = i + width - 1;
        if (width > 1) {
            int32_t at = chart->splits[i * side + width];
            stack[2 * depth] = i + at, stack[2 * depth++ + 1] = width - at;
            stack[2 * depth] = i, stack[2 * depth++ + 1] = at;
        }
    }
    return DONE;
}

/* `best_trees` in kinds/trees/head.py: the spans of the best trees of some sentences, of what their
   words, from `starts` on, say as first and as last words, x and y (n_words, units). */
EXPORT int senna_best_trees(const float *x, const float *y, int64_t units, const int64_t *starts,
                            const int64_t *lengths, int64_t n_sentences, int64_t *first,
                            int64_t *last) {
    int64_t longest = 1, stride = ROUNDED(units, STEP);
    for (int64_t s = 0; s < n_sentences; s++) longest = lengths[s] > longest ? lengths[s] : longest;
    int64_t rows = ROUNDED(longest, BLOCK), across = ROUNDED(longest, PANEL), side = longest + 1;
    Room room = {0};
    size_t a = part_of(&room, rows * stride, sizeof(Number));
    size_t b = part_of(&room, stride, sizeof(Number));
    size_t c = part_of(&room, senna_size(units, longest), sizeof(Number));
    size_t d = part_of(&room, rows * across, sizeof(float)), e = part_of(&room, rows * across, 4);
    size_t f = part_of(&room, side * side, sizeof(float)), g = part_of(&room, side * side, 4);
    size_t h = part_of(&room, side * side + 2 * side, sizeof(int32_t));
    size_t k = part_of(&room, longest, sizeof(float)), l = part_of(&room, longest, sizeof(float));
    if (take(&room)) return NO_MEMORY;
    Number *numbers = PART(room, Number, a), *row = PART(room, Number, b);
    Number *panels = PART(room, Number, c);
    float *sums = PART(room, float, d);
    float *scores = PART(room, float, e), *worth = PART(room, float, k), *value = PART(room, float, l);
    Chart chart = {PART(room, float, f), PART(room, float, g), PART(room, int32_t, h)};
    int status = DONE;
    memset(numbers, 0, c - a);
    begin();
    for (int64_t s = 0; s < n_sentences && !status; s++) {
        int64_t n = lengths[s], size = ROUNDED(n, PANEL);
        const float *one = x + starts[s] * units, *other = y + starts[s] * units;
        if (!n) continue;
        memset(panels, 0, (size_t)senna_size(units, n) * sizeof *panels);
        for (int64_t i = 0; i < n; i++) {
            worth[i] = whole(one + i * units, units, numbers + i * stride);
            value[i] = whole(other + i * units, units, row);
            if (isnan(worth[i]) || isnan(value[i])) status = NOT_FINITE;
            for (int64_t j = 0; j < units; j++) panels[place(j, i, units)] = row[j];
        }
        if (status) break;
        Matrix words = {panels, NULL, units, n};
        multiply(&words, numbers, stride, ROUNDED(n, ROWS), sums);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                scores[i * size + j] = sums[i * size + j] * worth[i] * value[j];
        status = best_spans(scores, size, n, &chart, first, last);
        first += 2 * n - 1, last += 2 * n - 1;
    }
    end();
    free(room.start);
    return status;
}

/* -------------------------------------------------------------------------------- sums */

/* Rows of a table (n_rows, units), one a word; -1: none. */
typedef struct {
    const float *table;
    const int64_t *rows;
    int64_t n_rows;
} Rows;

/* `sums` in exact.py: out (n, units), from `bias` (units,) on, or from the first table; at last
   (rectified) 0 for what is below. */
EXPORT int senna_sums(const Rows *parts, int64_t n_parts, const float *bias, int64_t rectified,
                      int64_t n, int64_t units, float *restrict out) {
    for (int64_t p = 0; p < n_parts; p++)
        for (int64_t i = 0; i < n; i++) {
            int64_t lowest = p || bias ? -1 : 0;
            if (parts[p].rows[i] < lowest || parts[p].rows[i] >= parts[p].n_rows) return NO_ROW;
        }
    for (int64_t i = 0; i < n; i++, out += units) {
        const float *first = bias ? bias : parts->table + parts->rows[i] * units;
        memcpy(out, first, (size_t)units * sizeof *out);
        for (int64_t p = !bias; p < n_parts; p++) {
            if (parts[p].rows[i] < 0) continue;
            const float *row = parts[p].table + parts[p].rows[i] * units;
            for (int64_t j = 0; j < units; j++) out[j] += row[j];
        }
        if (rectified) /* a NaN stays one, -0 does not */
            for (int64_t j = 0; j < units; j++) out[j] = out[j] <= 0 ? 0 : out[j];
    }
    return DONE;
}

/* -------------------------------------------------------------------------------- views */

/* `view` in kinds/roles/head.py of some predicates, of the words that they look at. constituents
   (n, 4): first word, end, and rows of the highest and of the lowest label, those of a sentence
   together, each before its parts. predicates (n, 6): place, words of the sentence, first and number
   of those looked at, and from where to where the sentence's constituents are. */
EXPORT int senna_views(const int64_t *constituents, const int64_t *predicates, int64_t n,
                       int64_t *beside, int64_t *above) {
    enum { BEGIN, INSIDE, END, SINGLE, STEPS = 8 };
    int64_t words = 0, most = 0;
    for (const int64_t *p = predicates; p < predicates + 6 * n; p += 6) {
        words = p[1] > words ? p[1] : words;
        most = p[5] - p[4] > most ? p[5] - p[4] : most;
    }
    Room room = {0};
    size_t a = part_of(&room, words, sizeof(int64_t)), b = part_of(&room, words, sizeof(int64_t));
    size_t c = part_of(&room, most + 1, sizeof(int64_t));
    if (take(&room)) return NO_MEMORY;
    int64_t *side = PART(room, int64_t, a), *hung = PART(room, int64_t, b);
    int64_t *way = PART(room, int64_t, c);
    way[0] = 0;
    int status = DONE;
    for (const int64_t *p = predicates; p < predicates + 6 * n && !status; p += 6) {
        int64_t place = p[0], depth = 1, covered = 0;
        for (int64_t i = 0; i < p[1]; i++) side[i] = SINGLE, hung[i] = 0;
        for (const int64_t *q = constituents + 4 * p[4]; q < constituents + 4 * p[5]; q += 4) {
            int64_t start = q[0], end = q[1], label = 4 * q[2];
            if (start < 0 || start >= end || end > p[1]) status = NO_ROW;
            if (status) break;
            if (start <= place && place < end) {
                for (int64_t i = start; i < end; i++) hung[i] = depth;
                way[depth++] = q[3];
            } else if (start >= covered) {
                for (int64_t i = start; i < end; i++) side[i] = label + INSIDE;
                side[start] = label + BEGIN, side[end - 1] = label + END;
                if (end == start + 1) side[start] = label + SINGLE;
                covered = end;
            }
        }
        for (int64_t i = p[2]; i < p[2] + p[3]; i++) {
            int64_t steps = depth - 1 - hung[i];
            *beside++ = side[i];
            *above++ = way[hung[i]] * STEPS + (steps < STEPS ? steps : STEPS - 1);
        }
    }
    free(room.start);
    return status;
}

/* -------------------------------------------------------------------------------- forms */

/* `Index` in index.py: n entries of UTF-8 end to end, one byte between them, and where each ends.
   A slot, of a power of two, holds the upper half of an entry's hash and its number from 1. The
   entries have rows from `first` on; those of the index that it extends have the rows before. */
typedef struct Index {
    uint8_t *text;
    int64_t *ends;   /* (n,) */
    uint64_t *slots; /* (n_slots,) */
    int64_t n, n_slots, first;
    const struct Index *extends;
} Index;

/* `Finder` in index.py: an index in which the texts of block `from` are found; with a cut by so
   many of their first letters, below 0 of their last ones. */
typedef struct {
    const Index *index;
    int64_t from, cut;
} Lookup;

static uint64_t hash_of(const uint8_t *text, int64_t size) {
    uint64_t hash = (uint64_t)size;
    for (int64_t i = 0; i < size; i++) hash = (hash ^ text[i]) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* The slot of a text: its own, or the free one where it would be. */
static uint64_t *slot_of(const Index *index, const uint8_t *text, int64_t size, uint64_t hash) {
    const uint64_t upper = 0xffffffff00000000u;
    for (uint64_t at = hash;; at++) {
        uint64_t *slot = index->slots + (at & (uint64_t)(index->n_slots - 1));
        if (!*slot) return slot;
        if ((*slot ^ hash) & upper) continue;
        int64_t i = (int64_t)(*slot & ~upper) - 1, start = i ? index->ends[i - 1] + 1 : 0;
        if (index->ends[i] - start == size && !memcmp(index->text + start, text, (size_t)size))
            return slot;
    }
}

/* Fill the slots of an index, which are 0; of equal entries the last one counts. */
EXPORT void senna_index(const Index *index) {
    for (int64_t i = 0, start = 0; i < index->n; start = index->ends[i++] + 1) {
        int64_t size = index->ends[i] - start;
        uint64_t hash = hash_of(index->text + start, size);
        *slot_of(index, index->text + start, size, hash) = (hash >> 32 << 32) + (uint64_t)i + 1;
    }
}

/* The rows of n texts in each index, (n_lookups, n): 0 of texts without letters, 1 of those that
   are no entries. The ends are those of all texts; `from` counts blocks of n. */
EXPORT void senna_find(const Lookup *lookups, int64_t n_lookups, const uint8_t *text,
                       const int64_t *ends, int64_t n, int32_t *out) {
    for (const Lookup *lookup = lookups; lookup < lookups + n_lookups; lookup++)
        for (int64_t i = lookup->from * n; i < (lookup->from + 1) * n; i++, out++) {
            int64_t start = i ? ends[i - 1] + 1 : 0, letters = 0, cut = lookup->cut;
            const uint8_t *from = text + start, *to = text + ends[i], *at;
            if (cut > 0) { /* bytes that go on with a letter are 10...... */
                for (at = from; at < to && (letters += (*at & 0xc0) != 0x80) <= cut; at++) {}
                to = at;
            } else if (cut < 0) {
                for (at = to; at > from && letters < -cut;) letters += (*--at & 0xc0) != 0x80;
                from = at;
            }
            uint64_t hash = hash_of(from, to - from);
            *out = ends[i] != start;
            for (const Index *in = lookup->index; in && *out == 1; in = in->extends) {
                int64_t number = (int64_t)(*slot_of(in, from, to - from, hash) & 0xffffffffu);
                if (number) *out = (int32_t)(in->first + number - 1);
            }
        }
}

/* `letters_of` in forms.py of n texts as rows of a table of code points, whose last one is of all
   beyond: (n, longest), 0 after the last letter. */
EXPORT void senna_letters(const uint8_t *text, const int64_t *ends, int64_t n, const int32_t *table,
                          int64_t n_codes, int64_t longest, int32_t *out) {
    for (int64_t i = 0, start = 0; i < n; start = ends[i++] + 1, out += longest) {
        int64_t letters = 0, place = 0, half = longest / 2;
        for (int64_t at = start; at < ends[i]; at++) letters += (text[at] & 0xc0) != 0x80;
        int64_t left_out = letters > longest ? letters - longest : 0;
        memset(out, 0, (size_t)longest * sizeof *out);
        for (int64_t at = start; at < ends[i]; place++) {
            int more = text[at] >= 0xf0 ? 3 : text[at] >= 0xe0 ? 2 : text[at] >= 0xc0;
            int64_t code = more ? text[at] & (0x3f >> more) : text[at];
            for (at++; more; more--) code = code << 6 | (text[at++] & 0x3f);
            code = code < n_codes ? code : n_codes - 1;
            if (place < half) out[place] = table[code];
            else if (place >= half + left_out) out[place - left_out] = table[code];
        }
    }
}

/* `Letters` in lookup.py: for each form the largest of what its letters, `width` around each
   place, give to each filter, and its bias. tables (width, n_letters, n_filters), row 0 of zeros,
   n_filters a multiple of LANES; rows (n, longest), 0 after the last letter; out (n, n_filters),
   left as it is for forms without letters. */
EXPORT void senna_characters(const float *tables, const float *bias, int64_t width,
                             int64_t n_letters, int64_t n_filters, const int32_t *rows, int64_t n,
                             int64_t longest, float *out) {
    for (int64_t i = 0; i < n; i++, rows += longest, out += n_filters) {
        int64_t length = 0;
        while (length < longest && rows[length]) length++;
        for (int64_t start = 0; start < n_filters && length; start += LANES) {
            float top[LANES];
            for (int64_t place = 0; place < length; place++) {
                float sum[LANES] = {0};
                for (int64_t k = 0; k < width; k++) {
                    int64_t other = place + k - width / 2;
                    int64_t letter = other >= 0 && other < length ? rows[other] : 0;
                    const float *row = tables + (k * n_letters + letter) * n_filters + start;
#pragma omp simd
                    for (int j = 0; j < LANES; j++) sum[j] = k ? sum[j] + row[j] : row[j];
                }
#pragma omp simd
                for (int j = 0; j < LANES; j++)
                    top[j] = place ? larger(sum[j], top[j]) : sum[j];
            }
            for (int j = 0; j < LANES; j++) out[start + j] = top[j] + bias[start + j];
        }
    }
}

/* ------------------------------------------------------------------------------- text */

/* `Strings` in text.py: an index of strings of code points that grows, up to `most` of them and
   `room` bytes. */
typedef struct {
    Index index;
    int64_t most, room;
} Strings;

/* Code points that stand for plain words and digits in the key of a chunk: see `Words` in text.py. */
enum { SMALL_WORD = 0x110000, CAPITAL_WORD, UPPER_WORD, DIGIT, LONGEST_WORD = 32, LONGEST_KEY = 96 };

static int is_letter(uint32_t code) { return (code | 32) - 'a' < 26; }
static int is_digit(uint32_t code) { return code - '0' < 10; }

static int is_one_of(uint32_t code, const char *signs) {
    return code && code < 128 && strchr(signs, (int)code);
}

/* The number of a string, from 0; a new one gets the next; -1 where there is no room for it. */
static int64_t number_of(Strings *known, const uint32_t *string, int64_t size) {
    uint64_t hash = (uint64_t)size;
    for (int64_t i = 0; i < size; i++) hash = (hash ^ string[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
    Index *index = &known->index;
    const uint8_t *bytes = (const uint8_t *)string;
    int64_t length = size * (int64_t)sizeof *string;
    uint64_t *slot = slot_of(index, bytes, length, hash);
    if (!*slot) {
        int64_t start = index->n ? index->ends[index->n - 1] + 1 : 0;
        if (index->n == known->most || length + 1 > known->room - start) return -1;
        memcpy(index->text + start, bytes, (size_t)length);
        index->ends[index->n] = start + length;
        *slot = (hash >> 32 << 32) + (uint64_t)++index->n;
    }
    return (int64_t)(*slot & 0xffffffffu) - 1;
}

/* What stands for a word of ASCII letters in a key, or 0 where it has to be written out. Of words
   the first n_special are those whose letters matter; before a point others may be abbreviations. */
static uint32_t stands_for(const Index *words, int64_t n_special, const uint32_t *word,
                           int64_t size, int is_alone, int has_point) {
    uint8_t lower[LONGEST_WORD];
    int64_t n_upper = 0, n_roman = 0;
    if (size > LONGEST_WORD) return 0;
    for (int64_t i = 0; i < size; i++) {
        lower[i] = (uint8_t)(word[i] | 32);
        n_upper += lower[i] != word[i];
        n_roman += strchr("ivxld", lower[i]) != NULL;
    }
    int64_t number = (int64_t)(*slot_of(words, lower, size, hash_of(lower, size)) & 0xffffffffu);
    int is_capital = lower[0] != word[0], is_upper = n_upper == size;
    if (number && number <= n_special) return 0;
    if (is_alone) return is_capital ? CAPITAL_WORD : SMALL_WORD;
    if (size < 2 || n_roman == size || (n_upper != is_capital && !is_upper)) return 0;
    int is_short = size <= 6 && !(size > 3 && strchr("aeiouy", lower[size - 1]));
    if (has_point && is_short && !is_upper && !number) return 0;
    return is_upper ? UPPER_WORD : is_capital ? CAPITAL_WORD : SMALL_WORD;
}

/* The key of a chunk of digits and common signs; 0 of others. No rule is about one digit alone, but
   for <3, a smile. */
static int64_t key_of_digits(const uint32_t *chunk, int64_t size, uint32_t *key) {
    int64_t n_digits = 0;
    for (int64_t i = 0; i < size; i++) {
        int is_sign = chunk[i] < 128 ? !is_letter(chunk[i]) && chunk[i] != '<'
                                     : chunk[i] >= 0x2010 && chunk[i] < 0x2027;
        if (!is_sign) return 0;
        n_digits += is_digit(chunk[i]);
        key[i] = is_digit(chunk[i]) ? DIGIT : chunk[i];
    }
    return n_digits ? size : 0;
}

/* The key of a chunk: digits, or one to three plain words, in common punctuation. 0 of others, whose
   key is the chunk. */
static int64_t key_of(const Index *words, int64_t n_special, const uint32_t *chunk, int64_t size,
                      uint32_t *key) {
    int64_t n = 0, at = 0;
    if (size > LONGEST_KEY) return 0;
    if ((n = key_of_digits(chunk, size, key))) return n;
    while (at < size && is_one_of(chunk[at], "\"'([")) key[n++] = chunk[at++];
    for (int more = 3; more; more--) {
        int64_t first = at;
        for (; at < size && is_letter(chunk[at]); at++) {}
        if (at == first) return 0;
        int has_point = at < size && chunk[at] == '.';
        key[n] = stands_for(words, n_special, chunk + first, at - first, at - first == size, has_point);
        if (!key[n++]) return 0;
        int is_dash = at < size && (chunk[at] == 0x2013 || chunk[at] == 0x2014);
        if (more == 1 || at == size || !(is_dash || is_one_of(chunk[at], "-/"))) {
            if (at + 1 < size && (chunk[at] == '\'' || chunk[at] == 0x2019) && chunk[at + 1] == 's') {
                key[n++] = chunk[at++];
                key[n++] = chunk[at++];
            } else if (at < size && chunk[at] == '\'' && chunk[at - 1] == 'n') {
                return 0; /* goin' */
            }
            break;
        }
        key[n++] = chunk[at++];
    }
    while (at < size && is_one_of(chunk[at], ",.;:?!)]\"'")) key[n++] = chunk[at++];
    return at == size ? n : 0;
}

/* `Cuts` in text.py: what is known of chunks, by the numbers of their keys. */
typedef struct {
    const uint8_t *is_space; /* (65536,) of code points */
    const Index *words;
    int64_t n_special;
    Strings *keys, *forms;
    const int32_t *firsts;     /* of pieces of keys, (n_keys + 1,) */
    const int32_t *piece_ends; /* in the key */
    const uint16_t *bits;      /* (n_keys,) */
} Cuts;

/* `Chunk.bits` in tokenizer.py. */
enum {
    IS_SMALL = 1, OPENS = 2, ENDS = 4, ENDS_BEFORE_CAPITAL = 8, MAY_BE_CUT = 16, IS_CUT = 32,
    HAS_BREAKS = 64, STAMPS = 128, STOPS = 256, BEGINS = 512
};

/* Rows of chunks: where they start and end, the numbers of their keys; (room,) each. Returns how
   many they are, or -1. Chunks have at most `longest` code points. */
EXPORT int64_t senna_chunks(const Cuts *cuts, const uint32_t *text, int64_t n, int64_t longest,
                            int64_t *chunks, int64_t room) {
    int64_t n_chunks = 0;
    for (int64_t at = 0; at < n;) {
        uint32_t key[LONGEST_KEY];
        int64_t start = at;
        while (at < n && at - start < longest && (text[at] > 0xffff || !cuts->is_space[text[at]]))
            at++;
        if (at == start) {
            at++;
            continue;
        }
        int64_t size = key_of(cuts->words, cuts->n_special, text + start, at - start, key);
        int64_t number = number_of(cuts->keys, size ? key : text + start, size ? size : at - start);
        if (number < 0) return -1;
        chunks[n_chunks] = start, chunks[room + n_chunks] = at;
        chunks[2 * room + n_chunks++] = number;
    }
    return n_chunks;
}

/* To the rows of chunks the first token of each, and the number of all; rows of tokens (where they
   start and end, and their numbers among `forms`), (n,) each; and for each gap that the rules look
   at (the chunk behind it, whether a sentence ends there for certain, where the chunk starts, and
   its first token). Returns how many gaps these are, or -1. */
EXPORT int64_t senna_tokens(const Cuts *cuts, const uint32_t *text, int64_t n, int64_t *chunks,
                            int64_t room, int64_t n_chunks, int64_t *tokens, int64_t *gaps) {
    const Strings *keys = cuts->keys;
    const int64_t *ends = chunks + room, *numbers = ends + room;
    int64_t *firsts = chunks + 3 * room, n_tokens = 0, n_gaps = 0, last = 0, stamped = -4;
    for (int64_t i = 0, before = 0, seen = 0; i < n_chunks; i++) {
        int64_t number = numbers[i], at = chunks[i], done = 0, bits = cuts->bits[number];
        int is_odd = i && (at - ends[i - 1] != 1 || text[ends[i - 1]] != ' ');
        int asks = !i || is_odd || before & ENDS || bits & (OPENS | HAS_BREAKS) || i - stamped < 4;
        asks |= before & ENDS_BEFORE_CAPITAL && !(bits & IS_SMALL);
        if (asks || (before & MAY_BE_CUT && bits & IS_CUT)) {
            int is_plain = i && !is_odd && before & STOPS && bits & BEGINS;
            int64_t row[] = {i, is_plain && n_tokens - last > 3 && !(seen & HAS_BREAKS), at, n_tokens};
            memcpy(gaps + 4 * n_gaps++, row, sizeof row);
            last = n_tokens, seen = bits;
        }
        if (bits & STAMPS) stamped = i;
        before = bits;
        const uint8_t *key = keys->index.text + (number ? keys->index.ends[number - 1] + 1 : 0);
        firsts[i] = n_tokens;
        for (int32_t p = cuts->firsts[number]; p < cuts->firsts[number + 1]; p++, n_tokens++) {
            tokens[n_tokens] = at;
            for (; done < cuts->piece_ends[p]; done++) {
                uint32_t code;
                memcpy(&code, key + done * (int64_t)sizeof code, sizeof code);
                if (code < SMALL_WORD || code == DIGIT) at++;
                else while (at < ends[i] && is_letter(text[at])) at++;
            }
            int64_t start = tokens[n_tokens], form = number_of(cuts->forms, text + start, at - start);
            if (form < 0) return -1;
            tokens[n + n_tokens] = at, tokens[2 * n + n_tokens] = form;
        }
    }
    firsts[n_chunks] = n_tokens;
    return n_gaps;
}

/* -------------------------------------------------------------------------------- level */

#ifndef SOURCE
#define SOURCE 0
#endif

/* The checksum of this file, which hatch_build.py gives: see `digest` in library.py. */
EXPORT uint32_t senna_source(void) { return SOURCE; }

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* The best level that this processor and its system run: 0 plain (or NEON), 1 AVX2, 2 AVX-512, 3
   with VNNI, 4 with AMX, which the system has to allow the process. Asked by hand: not every
   compiler's library answers __builtin_cpu_supports. */
EXPORT int senna_level(void) {
    int level = 0;
#if defined(__x86_64__)
    uint32_t a, b, c, d, low = 0, high = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) && c >> 27 & 1) /* the system saves wide registers */
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 0x6) == 0x6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 5 & 1) level = 1;
    if (level && (low & 0xe6) == 0xe6 && b >> 16 & b >> 17 & b >> 30 & b >> 31 & 1)
        level = c >> 11 & 1 ? 3 : 2; /* F, DQ, BW and VL */
#ifdef __linux__
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, TILE_DATA = 18 };
    if (level == 3 && d >> 22 & d >> 24 & 1 &&
        !syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, TILE_DATA))
        level = 4;
#endif
#endif
    return level;
}
