#!/usr/bin/env bash
# Starts the engine in several processes at once with an empty cache of native libraries, repeatedly.
# Run it from the root of the repository: bench/natives.sh [ROUNDS] [PROCESSES]
set -uo pipefail
plant=${PLANT:-./plant}
rounds=${1:-10}
processes=${2:-4}
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
failed=0
for ((round = 1; round <= rounds; round++)); do
    rm -rf "${cache:?}"/*
    mkdir "$cache/natives"
    start=$SECONDS
    pids=()
    for ((i = 1; i <= processes; i++)); do
        # shellcheck disable=SC2086 # $plant may be a command with arguments
        PLANT_JAVA_OPTS="-Dorg.bytedeco.javacpp.cachedir=$cache/natives ${PLANT_JAVA_OPTS-}" \
            $plant doctor >"$cache/$i.txt" 2>&1 &
        pids+=($!)
    done
    codes=()
    for ((i = 1; i <= processes; i++)); do
        wait "${pids[i - 1]}"
        code=$?
        codes+=("$code")
        if [ "$code" != 0 ] || ! grep -q 'cpu capability' "$cache/$i.txt"; then
            failed=$((failed + 1))
            tail -n 5 "$cache/$i.txt"
        fi
    done
    echo "round $round: exit codes ${codes[*]}, $((SECONDS - start)) s, $(du -sm "$cache/natives" | cut -f 1) MB"
done
echo "$((rounds * processes)) starts, $failed failed"
[ "$failed" = 0 ]
