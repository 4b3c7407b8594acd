// Logits of planted attention and their gradients (see FusedPlantedLogits.java), each in one pass over the tokens.
//
// Token logits and scores are (B, T, S) with the labels innermost, S a multiple of 4. Sums are float32. Nothing is included,
// so that NVRTC needs no header files.
//
//   -DBFLOAT16=1   tensors are bfloat16, otherwise float32
//   -DSOURCES=n    softmax sources of attention: 0, 1 or 2

#define LABELS 4 // adjacent labels of a thread: one load of 8 or 16 bytes

// Tokens whose loads are in flight together. More tokens need more registers than pay off.
#if BFLOAT16
#define FORWARD_TOKENS 8
#define BACKWARD_TOKENS 4
typedef uint2 Packed;
typedef unsigned short Element;
#else
#define FORWARD_TOKENS 4
#define BACKWARD_TOKENS 2
typedef float4 Packed;
typedef float Element;
#endif

#define LOG2_E 1.4426950408889634f
#define LOWEST -3e30f // below the score of masked tokens, -1e30, times LOG2_E

typedef long long Index;

static __device__ __forceinline__ unsigned toBfloat16Pair(float low, float high) {
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

#if BFLOAT16
static __device__ __forceinline__ void unpack(Packed packed, float (&values)[LABELS]) {
    values[0] = __uint_as_float(packed.x << 16);
    values[1] = __uint_as_float(packed.x & 0xffff0000u);
    values[2] = __uint_as_float(packed.y << 16);
    values[3] = __uint_as_float(packed.y & 0xffff0000u);
}

static __device__ __forceinline__ Packed pack(const float (&values)[LABELS]) {
    return make_uint2(toBfloat16Pair(values[0], values[1]), toBfloat16Pair(values[2], values[3]));
}

static __device__ __forceinline__ float toFloat(Element element) { return __uint_as_float((unsigned) element << 16); }

static __device__ __forceinline__ Element toElement(float value) { return (Element) toBfloat16Pair(value, 0.f); }
#else
static __device__ __forceinline__ void unpack(Packed packed, float (&values)[LABELS]) {
    values[0] = packed.x;
    values[1] = packed.y;
    values[2] = packed.z;
    values[3] = packed.w;
}

static __device__ __forceinline__ Packed pack(const float (&values)[LABELS]) {
    return make_float4(values[0], values[1], values[2], values[3]);
}

static __device__ __forceinline__ float toFloat(Element element) { return element; }

static __device__ __forceinline__ Element toElement(float value) { return value; }
#endif

static __device__ __forceinline__ float powerOf2(float x) {
#if BFLOAT16
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
#else
    return exp2f(x);
#endif
}

// The softmax of one label over the tokens seen so far, in powers of 2 relative to the highest score.
struct Softmax {
    float highest;
    float sum;      // of the powers
    float weighted; // of the powers times the token logits
};

static __device__ __forceinline__ void add(
        Softmax &softmax, const float (&scores)[FORWARD_TOKENS], const float (&tokenLogits)[FORWARD_TOKENS]) {
    float highest = softmax.highest;
#pragma unroll
    for (int i = 0; i < FORWARD_TOKENS; i++) {
        highest = fmaxf(highest, scores[i]);
    }
    float rescale = powerOf2(softmax.highest - highest);
    float sum = softmax.sum * rescale;
    float weighted = softmax.weighted * rescale;
#pragma unroll
    for (int i = 0; i < FORWARD_TOKENS; i++) {
        float power = powerOf2(scores[i] - highest);
        sum += power;
        weighted = fmaf(power, tokenLogits[i], weighted);
    }
    softmax.highest = highest;
    softmax.sum = sum;
    softmax.weighted = weighted;
}

#if SOURCES > 0
// Logits of each source, and the base-2 logarithm of the sum that its softmax divides by: both (SOURCES, B, S).
// Null tokens have score and token logit 0. A document without tokens gets logit 0.
extern "C" __global__ void __launch_bounds__(128) softmaxLogits(
        const Packed *__restrict__ tokenLogits, const Packed *__restrict__ scores0, const Packed *__restrict__ scores1,
        const int *__restrict__ lengths, float *__restrict__ logits, float *__restrict__ logSums, float nullTokens,
        int documents, int tokens, int stride) {
    int columns = stride / LABELS;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int document = blockIdx.y;
    if (column >= columns) {
        return;
    }
    const Packed *scores[2] = {scores0, scores1};
    int length = lengths[document];
    Index first = (Index) document * tokens * columns + column;
    Softmax softmax[SOURCES][LABELS];
#pragma unroll
    for (int source = 0; source < SOURCES; source++) {
#pragma unroll
        for (int label = 0; label < LABELS; label++) {
            softmax[source][label].highest = nullTokens > 0.f ? 0.f : LOWEST;
            softmax[source][label].sum = nullTokens;
            softmax[source][label].weighted = 0.f;
        }
    }
    for (int start = 0; start < length; start += FORWARD_TOKENS) {
        Packed loadedLogits[FORWARD_TOKENS], loadedScores[SOURCES][FORWARD_TOKENS];
#pragma unroll
        for (int i = 0; i < FORWARD_TOKENS; i++) {
            Index at = first + (Index) min(start + i, length - 1) * columns;
            loadedLogits[i] = __ldcs(tokenLogits + at);
#pragma unroll
            for (int source = 0; source < SOURCES; source++) {
                loadedScores[source][i] = __ldcs(scores[source] + at);
            }
        }
        float v[FORWARD_TOKENS][LABELS];
#pragma unroll
        for (int i = 0; i < FORWARD_TOKENS; i++) {
            unpack(loadedLogits[i], v[i]);
        }
#pragma unroll
        for (int source = 0; source < SOURCES; source++) {
            float s[FORWARD_TOKENS][LABELS];
#pragma unroll
            for (int i = 0; i < FORWARD_TOKENS; i++) {
                unpack(loadedScores[source][i], s[i]);
            }
#pragma unroll
            for (int label = 0; label < LABELS; label++) {
                float labelScores[FORWARD_TOKENS], labelLogits[FORWARD_TOKENS];
#pragma unroll
                for (int i = 0; i < FORWARD_TOKENS; i++) {
                    labelScores[i] = start + i < length ? s[i][label] * LOG2_E : 2 * LOWEST;
                    labelLogits[i] = v[i][label];
                }
                add(softmax[source][label], labelScores, labelLogits);
            }
        }
    }
#pragma unroll
    for (int source = 0; source < SOURCES; source++) {
        Index to = ((Index) source * documents + document) * stride + column * LABELS;
#pragma unroll
        for (int label = 0; label < LABELS; label++) {
            Softmax result = softmax[source][label];
            logits[to + label] = length > 0 ? result.weighted / result.sum : 0.f;
            logSums[to + label] = length > 0 ? result.highest + log2f(result.sum) : 0.f;
        }
    }
}
#endif

// Gradients replace the token logits and scores. `gradient` (B, S) is that of the logits; `scales` holds those of all
// sources, and scale0 and scale1 say which ones belong to the softmax sources.
extern "C" __global__ void __launch_bounds__(128) softmaxGradients(
        Packed *tokenLogits, Packed *scores0, Packed *scores1, const int *__restrict__ lengths,
        const float *__restrict__ gradient, const float *__restrict__ scales, int scale0, int scale1,
        const float *__restrict__ logits, const float *__restrict__ logSums, int documents, int tokens, int stride) {
    int columns = stride / LABELS;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int document = blockIdx.y;
    if (column >= columns) {
        return;
    }
    int length = lengths[document];
    Index first = (Index) document * tokens * columns + column;
#if SOURCES > 0
    Packed *scores[2] = {scores0, scores1};
    int scaleOf[2] = {scale0, scale1};
    float g[SOURCES][LABELS], y[SOURCES][LABELS], logSum[SOURCES][LABELS];
#pragma unroll
    for (int source = 0; source < SOURCES; source++) {
        float scale = scales[scaleOf[source]];
        Index from = ((Index) source * documents + document) * stride + column * LABELS;
#pragma unroll
        for (int label = 0; label < LABELS; label++) {
            g[source][label] = gradient[(Index) document * stride + column * LABELS + label] * scale;
            y[source][label] = logits[from + label];
            logSum[source][label] = logSums[from + label];
        }
    }
#endif
    for (int start = 0; start < tokens; start += BACKWARD_TOKENS) {
#if SOURCES > 0
        Packed loadedLogits[BACKWARD_TOKENS], loadedScores[SOURCES][BACKWARD_TOKENS];
#pragma unroll
        for (int i = 0; i < BACKWARD_TOKENS; i++) {
            if (start + i < length) {
                Index at = first + (Index) (start + i) * columns;
                loadedLogits[i] = __ldcs(tokenLogits + at);
#pragma unroll
                for (int source = 0; source < SOURCES; source++) {
                    loadedScores[source][i] = __ldcs(scores[source] + at);
                }
            }
        }
#endif
#pragma unroll
        for (int i = 0; i < BACKWARD_TOKENS; i++) {
            if (start + i >= tokens) {
                break;
            }
            Index at = first + (Index) (start + i) * columns;
            float logitGradient[LABELS] = {0.f, 0.f, 0.f, 0.f};
#if SOURCES > 0
            float v[LABELS] = {0.f, 0.f, 0.f, 0.f};
            if (start + i < length) {
                unpack(loadedLogits[i], v);
            }
#pragma unroll
            for (int source = 0; source < SOURCES; source++) {
                float scoreGradient[LABELS] = {0.f, 0.f, 0.f, 0.f};
                if (start + i < length) {
                    float s[LABELS];
                    unpack(loadedScores[source][i], s);
#pragma unroll
                    for (int label = 0; label < LABELS; label++) {
                        float weight = powerOf2(fmaf(s[label], LOG2_E, -logSum[source][label]));
                        float weightedGradient = g[source][label] * weight;
                        logitGradient[label] += weightedGradient;
                        scoreGradient[label] = weightedGradient * (v[label] - y[source][label]);
                    }
                }
                __stcs(scores[source] + at, pack(scoreGradient));
            }
#endif
            __stcs(tokenLogits + at, pack(logitGradient));
        }
    }
}

// The first of a token's pairs, which are sorted by label, with this label or a higher one.
static __device__ __forceinline__ int firstPair(const int *pairLabels, int from, int to, int label) {
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (pairLabels[middle] < label) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

// Static attention, one warp per token: adds the gains of its pairs with labels from firstLabel to endLabel - 1 to `sums`,
// and the gains times the token logits to `weighted`, both (B, S).
extern "C" __global__ void staticLogits(
        const Element *__restrict__ tokenLogits, const Index *__restrict__ ids, const int *__restrict__ starts,
        const int *__restrict__ pairLabels, const float *__restrict__ gains, float *sums, float *weighted,
        int firstLabel, int endLabel, int documents, int tokens, int stride) {
    int position = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (position >= documents * tokens) {
        return;
    }
    int end = starts[ids[position] + 1];
    int begin = firstPair(pairLabels, starts[ids[position]], end, firstLabel);
    Index row = (Index) (position / tokens) * stride - firstLabel;
    Index tokenRow = (Index) position * stride - firstLabel;
    for (int pair = begin + threadIdx.x % 32; pair < end; pair += 32) {
        int label = pairLabels[pair];
        if (label >= endLabel) {
            break;
        }
        atomicAdd(sums + row + label, gains[pair]);
        atomicAdd(weighted + row + label, gains[pair] * toFloat(tokenLogits[tokenRow + label]));
    }
}

// Adds the gradient through static attention to that of the token logits. The labels of a token's pairs are distinct.
extern "C" __global__ void staticGradients(
        Element *tokenLogits, const Index *__restrict__ ids, const int *__restrict__ starts,
        const int *__restrict__ pairLabels, const float *__restrict__ gains, const float *__restrict__ sums,
        const float *__restrict__ gradient, const float *__restrict__ scales, int scale, int firstLabel, int endLabel,
        int documents, int tokens, int stride) {
    int position = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (position >= documents * tokens) {
        return;
    }
    int end = starts[ids[position] + 1];
    int begin = firstPair(pairLabels, starts[ids[position]], end, firstLabel);
    Index row = (Index) (position / tokens) * stride - firstLabel;
    Index tokenRow = (Index) position * stride - firstLabel;
    for (int pair = begin + threadIdx.x % 32; pair < end; pair += 32) {
        int label = pairLabels[pair];
        if (label >= endLabel) {
            break;
        }
        float weight = gains[pair] / (1.f + sums[row + label]);
        Element *element = tokenLogits + tokenRow + label;
        *element = toElement(toFloat(*element) + gradient[row + label] * scales[scale] * weight);
    }
}
