package org.plant4j.model;

import org.bytedeco.pytorch.Tensor;

/** What a network says of a batch: logits (B, L) and the attention (B, L, T) they came from, whose rows sum to 1. */
public record LogitsWithAttention(Tensor logits, Tensor attention) {}
