#!/usr/bin/env bash
# Collects what the runs of a machine have shown, without their weights: bench/collect.sh DIRECTORY COMMIT
#   results/MODEL@CORPUS.json  as `plant results add` writes them, for all finished runs
#   runs.tgz                   metrics, rankings and histories of those runs, and the results of the studies
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
directory=${1:?directory} commit=${2:?commit}
mkdir -p "$directory"
# Members of an ensemble that were prepared like it (MODEL@CORPUS-in-ENSEMBLE@CORPUS) are not experiments themselves.
mapfile -t runs < <(grep -l '"status" *: *"done"' runs/*/manifest.json | xargs -rn1 dirname | grep -v '@.*-in-.*@')
if [ ${#runs[@]} -eq 0 ]; then
    echo "No run in runs/ is finished" >&2
    exit 1
fi
${PLANT:-./plant} results add --results "$directory/results" --commit "$commit" "${runs[@]}"
for run in "${runs[@]}"; do
    find "$run" -maxdepth 1 \( -name 'm*.json' -o -name '*history.json' -o -name 'predictions-*' \) ! -name model.json
done >"$directory/files"
find runs/studies -maxdepth 2 \( -name 'report.html' -o -name 'results.*' \) >>"$directory/files" 2>/dev/null || true
tar czf "$directory/runs.tgz" --owner=0 --group=0 --numeric-owner -T "$directory/files"
rm "$directory/files"
cp runs/queue/summary.tsv "$directory" 2>/dev/null || true
ls -l "$directory"
