#!/usr/bin/env bash
# Tests Plant4j on a standalone Spark cluster: a master and two workers as processes of this machine.
#   bench/cluster.sh RUN NOTES.jsonl [DIRECTORY]
# Codes the notes, streams them, counts mutual information and trains in a barrier stage: on one machine, on two workers, and
# on workers of which one is killed in the middle. All results must be equal, bit for bit. Notes of the demo corpus:
#   ./plant corpus export --format demo --option sizes=1000/200/3000 --option seed=7 --split test -o notes.jsonl
#   SPARK_HOME       a directory with jars/ of Spark and Plant4j (default: that of ./plant-spark, built if necessary)
#   PARTS            some of: coding stream counting training (default: all; stream compares with coding)
#   PARTITION_BYTES  of notes per task (default: 262144)
set -euo pipefail

run=$(realpath "$1")
notes=$(realpath "$2")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(realpath -m "${3-$(mktemp -d)}")
parts=" ${PARTS-coding stream counting training} "
partition=${PARTITION_BYTES:-262144}
mkdir -p "$work"
if [ -z "${SPARK_HOME-}" ]; then
    "$root/plant-spark" --version >/dev/null
    SPARK_HOME=$root/spark/target/home
fi
export SPARK_HOME SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1 # workers bind to it, also those of local-cluster
log4j=-Dlog4j2.configurationFile=classpath:org/plant4j/spark/log4j2.properties
java $log4j -cp "$SPARK_HOME/jars/*" org.plant4j.spark.cli.JavaOptions | tr ' ' '\n' | grep -v incubator >"$work/java.options"
jvm=(java "@$work/java.options" $log4j -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 -cp "$SPARK_HOME/jars/*")
port=$((20000 + RANDOM % 10000))
master=spark://127.0.0.1:$port

pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true' EXIT

# Each of these sets the command line of a job. An array, because $! of a function would not be the process id of Java.
job() { # command, master, arguments
    local command=$1 url=$2
    shift 2
    job=("${jvm[@]}" -Xmx1g org.plant4j.spark.cli.Main "$command" "$@" --master "$url" --conf spark.ui.enabled=false
        --conf spark.driver.host=127.0.0.1 --conf spark.driver.bindAddress=127.0.0.1 --conf spark.executor.memory=1g)
}
code() { job code "$1" "$run" "$notes" "$work/$2" --partition-bytes "$partition"; } # master, output
count() { # master, directory of runs
    mkdir -p "$work/$2-events"
    job count "$1" "$work/small.yaml" --runs "$work/$2" --partition-bytes "$partition" \
        --conf spark.eventLog.enabled=true --conf "spark.eventLog.dir=file://$work/$2-events" \
        --conf spark.eventLog.compress=false --conf spark.eventLog.rolling.enabled=false
}
train() { # master, directory of runs
    job run "$1" "$work/small.yaml" --runs "$work/$2" --processes 2 --set preprocessing.max_training_documents=200
}

declare -A workers
worker() { # number
    "${jvm[@]}" -Xmx512m org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --cores 1 --memory 2g --webui-port 0 \
        --work-dir "$work/worker-$1" "$master" >"$work/worker-$1.log" 2>&1 &
    workers[$1]=$!
    pids+=($!)
}

background() { # log: starts the job, with its process id in $started
    log=$work/$1.log
    "${job[@]}" >"$log" 2>&1 &
    started=$!
    pids+=($!)
}
finish() { # waits for the job
    wait "$started" || { cat "$log"; exit 1; }
    tail -n 1 "$log"
}
wait_for() { # what, command …
    local what=$1
    shift
    for _ in $(seq 3000); do
        "$@" && return
        kill -0 "${started:-$$}" 2>/dev/null || break
        sleep 0.2
    done
    echo "$what: not seen in time" >&2
    [ -z "${log-}" ] || cat "$log"
    exit 1
}

listens() { (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
files() { find "$work/$1" -name 'part-*' -size +0 2>/dev/null | wc -l; }
has_files() { [ "$(files "$1")" -ge "$2" ]; }
stages() { cat "$work/$1-events"/* 2>/dev/null | grep -c SparkListenerStageCompleted || true; }
has_stages() { [ "$(stages "$1")" -ge "$2" ]; }
has_checkpoint() { [ -e "$work/$1/small/checkpoint.safetensors" ]; }

# The committed files of a stream are listed in _spark_metadata.
committed() {
    if [ -d "$work/$1/_spark_metadata" ]; then
        sed -n 's/.*"path":"file:\/*\(\/[^"]*\)".*/\1/p' "$work/$1"/_spark_metadata/* | sort -u
    else
        ls "$work/$1"/part-*
    fi
}
lines() { committed "$1" | tr '\n' '\0' | xargs -0 cat | LC_ALL=C sort; }
same_documents() { # two outputs
    cmp <(lines "$1") <(lines "$2")
    echo "$1 and $2 are equal: $(lines "$2" | wc -l) documents"
}
same_files() { # two directories of runs
    for stage in prepare mutual-information; do
        diff -r "$work/$1/.cache/$stage"-* "$work/$2/.cache/$stage"-*
    done
    echo "$1 and $2 are equal: $(cat "$work/$2"/.cache/prepare-*/* "$work/$2"/.cache/mutual-information-* | wc -c) bytes"
}
same_weights() { # two directories of runs
    cmp "$work"/{"$1","$2"}/small/weights.safetensors
    echo "$1 and $2 are equal: weights $(sha256sum "$work/$2/small/weights.safetensors" | head -c 16)"
}

coding() {
    echo "== coding: one machine"
    code 'local[1]' local-1
    "${job[@]}"
    code 'local[2]' local-2
    "${job[@]}"
    same_documents local-1 local-2
    job verify 'local[1]' "$run" "$notes" "$work/local-1"
    "${job[@]}"
    echo "== coding: two workers"
    code "$master" cluster
    "${job[@]}"
    same_documents local-1 cluster
    echo "== coding: a worker is killed"
    code "$master" killed
    background killed
    wait_for "the first files" has_files killed 3
    kill_worker
    echo "killed a worker when $(files killed) files were written"
    finish
    same_documents local-1 killed
}

# A new worker takes the place of the killed one.
next=3
kill_worker() {
    kill -9 "${workers[$((next - 1))]}"
    worker $next
    next=$((next + 1))
}

stream() {
    echo "== stream: the driver is killed"
    mkdir -p "$work/incoming"
    split --lines=$(($(wc -l <"$notes") / 12 + 1)) --additional-suffix=.jsonl "$notes" "$work/incoming/notes-"
    job stream "$master" "$run" "$work/incoming" "$work/stream" --once --max-files 2
    background stream
    wait_for "the first micro-batches" has_files stream 3
    kill -9 $started
    wait $started 2>/dev/null || true
    started=
    echo "killed the stream when $(files stream) files were written"
    "${job[@]}"
    same_documents local-1 stream
}

counting() {
    echo "== counting: one machine"
    count 'local[1]' count-local
    "${job[@]}"
    echo "== counting: two workers"
    count "$master" count-cluster
    "${job[@]}"
    same_files count-local count-cluster
    echo "== counting: a worker is killed"
    count "$master" count-killed
    background count-killed
    wait_for "the first stages" has_stages count-killed 3
    kill_worker
    echo "killed a worker after $(stages count-killed) of $(stages count-cluster) stages"
    finish
    same_files count-local count-killed
}

training() {
    echo "== training: two processes of this machine"
    train 'local[2]' train-local
    "${job[@]}"
    echo "== training: two workers"
    train "$master" train-cluster
    "${job[@]}"
    same_weights train-local train-cluster
    echo "== training: an executor is killed"
    train "$master" train-killed
    background train-killed
    wait_for "a checkpoint" has_checkpoint train-killed
    kill -9 "$(pgrep -P "${workers[1]}")" # the child of a worker is its executor
    echo "killed an executor after the first checkpoint"
    finish
    same_weights train-local train-killed
}

# A small planted model on the notes, of which a tenth each is dev and test.
corpus() {
    local all tenth
    all=$(wc -l <"$notes")
    tenth=$((all / 10))
    mkdir -p "$work/corpus"
    head -n $((all - 2 * tenth)) "$notes" >"$work/corpus/train.jsonl"
    sed -n "$((all - 2 * tenth + 1)),$((all - tenth))p" "$notes" >"$work/corpus/dev.jsonl"
    tail -n $tenth "$notes" >"$work/corpus/test.jsonl"
    cat >"$work/small.yaml" <<YAML
extends: plant
name: small
corpus: {format: jsonl, path: $work/corpus, train: [train.jsonl], dev: [dev.jsonl], test: [test.jsonl]}
word_vectors: null
ranker: {epochs: 2}
model: {encoder: {embedding: 32, hidden: 32}, ranker: {size: 16}}
training: {epochs: 4, patience: 4}
evaluation: {bootstrap_samples: 20}
compute: {device: cpu, threads: 1}
YAML
}

"${jvm[@]}" -Xmx512m org.apache.spark.deploy.master.Master --host 127.0.0.1 --port $port --webui-port 0 \
    >"$work/master.log" 2>&1 &
pids+=($!)
wait_for "the master" listens
worker 1
worker 2
corpus
for part in coding stream counting training; do
    [[ $parts != *" $part "* ]] || $part
done
echo "== all results are equal"
