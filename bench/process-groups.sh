#!/usr/bin/env bash
# Training across processes on one GPU: bench/process-groups.sh [OPTIONS OF plant run]
# Trains the same network without a process group, with NCCL in one process, and with Gloo in two processes that share the GPU,
# and prints the losses of the epochs. Without dropout they agree up to rounding: the command fails if they differ by 0.1 %.
# DEVICE=cpu leaves out NCCL.
set -euo pipefail
cd "$(dirname "$0")/.."
device=${DEVICE:-cuda}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

train() { # NAME OPTIONS
    local name=$1; shift
    ${PLANT:-./plant} run laat@demo --runs "$work/$name" --set compute.device="$device" --set training.epochs=3 \
        --set model.dropout=0 --set word_vectors=null "$@" -q -v > "$work/$name.out" 2> "$work/$name.err" ||
        { printf '%s failed:\n' "$name"; grep -m 3 -A 3 -vE "^\s+at " "$work/$name.err"; exit 1; }
    sed -n 's/.* epoch [0-9]*: loss \([0-9.E-]*\),.*/\1/p' "$work/$name/laat@demo/plant.log" > "$work/$name.losses"
    printf '%s\t%s\t%s\n' "$name" "$(paste -sd ' ' "$work/$name.losses")" \
        "$(sed -n 's/.*DataParallel - network: \(.*\)/\1/p' "$work/$name/laat@demo/plant.log")"
}

agree() { # NAME
    [ -s "$work/$1.losses" ] || { echo "$1: plant.log names no losses" >&2; return 1; }
    paste "$work/alone.losses" "$work/$1.losses" |
        awk -v name="$1" 'function abs(x) { return x < 0 ? -x : x }
            abs($1 - $2) > 0.001 * abs($1) { print name ": the loss is " $2 " instead of " $1; failed = 1 } END { exit failed }'
}

train alone "$@"
if [ "$device" = cuda ]; then
    train nccl --rank 0 --size 1 --rendezvous "file:$work/nccl.store" --backend nccl "$@"
    agree nccl
fi
train gloo --processes 2 --backend gloo "$@"
agree gloo
