#!/usr/bin/env bash
# Measures PLANT on a GPU, and the equations of the paper for comparison.
#   bench/planted.sh [step] [batches] [memory] [many]    all four by default
#   PLANT   command that starts Plant4j (default: ./plant)
#   PYTHON  Python interpreter with PyTorch (default: python3)
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
. bench/gpu.sh

measure() {
    bench plant "$@"
}

# Batches of 16: the equations of the paper in PyTorch and Java, PLANT, the control, and the encoder alone.
step() {
    for variant in literal encoder; do
        timeout 120 "${PYTHON:-python3}" bench/plant.py --device cuda --variant $variant --rounds 3 2>&1
        measure --variant $variant --rounds 3
    done
    measure --rounds 3
    measure --unplanted --rounds 3
}

batches() {
    for documents in 16 64 128 256; do
        measure --batch-size $documents --precision bfloat16 --rounds 3
    done
    measure --batch-size 256 --precision bfloat16 --variant encoder --rounds 3
}

# Smaller and larger label ranges than the default of 1 GiB.
memory() {
    for mebibytes in 64 256; do
        measure --label-memory $((mebibytes << 20)) --rounds 3
    done
    for documents in 64 256; do
        measure --batch-size $documents --precision bfloat16 --label-memory $((8 << 30)) --rounds 3
    done
}

# All ICD-10 codes.
many() {
    measure --labels 170000 --steps 1 --rounds 2
}

for group in ${*:-step batches memory many}; do
    echo "== $group"
    "$group"
done
