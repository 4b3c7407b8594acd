#!/usr/bin/env bash
# Collects what the runs of a machine have shown, without their weights: bench/collect.sh DIRECTORY COMMIT
#   results/MODEL@CORPUS.json  as `plant results add` writes them, for all finished runs
#   runs.tgz                   metrics, rankings and histories of those runs, and the results of the studies
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
directory=${1:?directory} commit=${2:?commit}
mkdir -p "$directory"
mapfile -t runs < <(grep -l '"status" *: *"done"' runs/*/manifest.json | xargs -rn1 dirname)
[ ${#runs[@]} -gt 0 ] && ${PLANT:-./plant} results add --results "$directory/results" --commit "$commit" "${runs[@]}"
for run in "${runs[@]}"; do
    find "$run" -maxdepth 1 \( -name 'm*.json' -o -name '*history.json' -o -name 'predictions-*' \) ! -name model.json
done >"$directory/files"
find runs/studies -maxdepth 2 \( -name 'report.html' -o -name 'results.*' \) >>"$directory/files" 2>/dev/null
tar czf "$directory/runs.tgz" -T "$directory/files" && rm "$directory/files"
cp runs/queue/summary.tsv "$directory" 2>/dev/null
ls -l "$directory"
