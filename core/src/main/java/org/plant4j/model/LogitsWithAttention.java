package org.plant4j.model;

import org.bytedeco.pytorch.Tensor;

/** Logits (B, L) of a batch and the evidence weights (B, L, T) behind them. */
public record LogitsWithAttention(Tensor logits, Tensor attention) {}
