#!/usr/bin/env bash
# Measures all networks on a GPU, with the sizes of their papers.
#   bench/models.sh [descriptions] [uncheckpointed] [bert] [isd] [small]    all five by default
#   PLANT   command that starts Plant4j (default: ./plant)
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
. bench/gpu.sh

measure() {
    bench model "$@" --steps 5 --rounds 3
}

# The shape of CANTEMIST, tokenized by multilingual BERT.
cantemist=(--batch-size 8 --tokens 1400 --labels 850)

# Label description attention and its baseline.
descriptions() {
    for precision in float32 bfloat16; do
        measure description-attention "${cantemist[@]}" --precision $precision --set model.checkpoint_tokens=4096
        measure pooled-bert "${cantemist[@]}" --precision $precision --set model.checkpoint_tokens=4096
    done
}

# Without gradient checkpointing; `descriptions` uses it from 4,096 tokens on.
uncheckpointed() {
    for precision in float32 bfloat16; do
        measure description-attention "${cantemist[@]}" --precision $precision --set model.checkpoint_tokens=100000
    done
}

# PLANT and its control with the same encoder.
bert() {
    for precision in float32 bfloat16; do
        measure plant-bert "${cantemist[@]}" --precision $precision
        measure control-bert "${cantemist[@]}" --precision $precision
    done
}

# The shape of MIMIC-III full, with the longest documents.
mimic=(--batch-size 16 --tokens 2500 --labels 8929 --vocabulary 52254)

isd() {
    for precision in float32 bfloat16; do
        measure isd-paper "${mimic[@]}" --precision $precision
    done
}

# Models without a pretrained encoder, for comparison.
small() {
    for model in isd plant-convolutions plant laat caml; do
        measure $model "${cantemist[@]}"
    done
}

for group in ${*:-descriptions uncheckpointed bert isd small}; do
    echo "== $group"
    "$group"
done
