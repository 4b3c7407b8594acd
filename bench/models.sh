#!/usr/bin/env bash
# Measures each network on a GPU in the sizes of its paper; the figures of docs/benchmarks.md.
#   bench/models.sh [described] [held] [bert] [isd] [small]    all five by default
#   PLANT   how to start Plant4j (default: ./plant)
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
. bench/gpu.sh

measure() {
    bench model "$@" --steps 5 --rounds 3
}

# CANTEMIST's notes in multilingual BERT's pieces, and its codes.
cantemist=(--documents 8 --tokens 1400 --labels 850)

# Label description attention and its baseline.
described() {
    for precision in float32 bfloat16; do
        measure description-attention "${cantemist[@]}" --precision $precision --set model.held_tokens=4096
        measure pooled-bert "${cantemist[@]}" --precision $precision --set model.held_tokens=4096
    done
}

# What computing inner states twice costs and saves; 4,096 tokens are measured above.
held() {
    for precision in float32 bfloat16; do
        measure description-attention "${cantemist[@]}" --precision $precision --set model.held_tokens=100000
    done
}

# PLANT and its control over the same encoder.
bert() {
    for precision in float32 bfloat16; do
        measure plant-bert "${cantemist[@]}" --precision $precision
        measure control-bert "${cantemist[@]}" --precision $precision
    done
}

# MIMIC-III full, the longest notes.
mimic=(--documents 16 --tokens 2500 --labels 8929 --words 52254)

isd() {
    for precision in float32 bfloat16; do
        measure isd-paper "${mimic[@]}" --precision $precision
    done
}

# For comparison: what has no pretrained encoder, on CANTEMIST's notes.
small() {
    for model in isd plant-convolutions plant laat caml; do
        measure $model "${cantemist[@]}"
    done
}

for part in ${*:-described held bert isd small}; do
    echo "== $part"
    "$part"
done
