#!/usr/bin/env bash
# Measures PLANT on a GPU beside the paper's equations; the figures of docs/benchmarks.md.
#   bench/planted.sh [step] [batches] [memory] [many]    all four by default
#   PLANT   how to start Plant4j (default: ./plant)
#   PYTHON  a Python with PyTorch, for the equations in PyTorch (default: python3)
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
. bench/gpu.sh

measure() {
    bench plant "$@"
}

# A batch of 16: the paper's equations in PyTorch and in Java, ours, ours with nothing planted, and the encoder alone.
step() {
    for form in literal encoder; do
        timeout 120 "${PYTHON:-python3}" bench/plant.py --device cuda --form $form --rounds 3 2>&1
        measure --form $form --rounds 3
    done
    measure --rounds 3
    measure --unplanted --rounds 3
}

batches() {
    for documents in 16 64 128 256; do
        measure --documents $documents --precision bfloat16 --rounds 3
    done
    measure --documents 256 --precision bfloat16 --form encoder --rounds 3
}

# What decoding labels in smaller and larger ranges costs and saves; 1 GiB is the default, measured above.
memory() {
    for mebibytes in 64 256; do
        measure --label-memory $((mebibytes << 20)) --rounds 3
    done
    for documents in 64 256; do
        measure --documents $documents --precision bfloat16 --label-memory $((8 << 30)) --rounds 3
    done
}

# Every code there is.
many() {
    measure --labels 170000 --steps 1 --rounds 2
}

for part in ${*:-step batches memory many}; do
    echo "== $part"
    "$part"
done
