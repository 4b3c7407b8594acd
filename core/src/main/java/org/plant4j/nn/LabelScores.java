package org.plant4j.nn;

import org.bytedeco.pytorch.Tensor;

/** What a network says of a batch: logits (B, L) and the attention (B, L, T) they came from, whose rows sum to 1. */
public record LabelScores(Tensor logits, Tensor attention) {}
