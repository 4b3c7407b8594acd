#!/usr/bin/env bash
# Tests Plant4j on a standalone Spark cluster: a master and two workers as processes of this machine.
#   bench/cluster.sh RUN NOTES.jsonl [DIRECTORY]
# Codes the notes with local[1], local[2] and two workers, kills a worker in the middle of a job and a stream in the middle
# of its input, and compares everything with a single machine, bit for bit. Notes of the demo corpus:
#   ./plant corpus export --format demo --option sizes=1000/200/3000 --option seed=7 --split test -o notes.jsonl
#   SPARK_HOME  a directory with jars/ of Spark and Plant4j (default: that of ./plant-spark, built if necessary)
set -euo pipefail

run=$(realpath "$1")
notes=$(realpath "$2")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(realpath -m "${3-$(mktemp -d)}")
mkdir -p "$work"
if [ -z "${SPARK_HOME-}" ]; then
    "$root/plant-spark" --version >/dev/null
    SPARK_HOME=$root/spark/target/home
fi
export SPARK_HOME SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1
jars="$SPARK_HOME/jars/*"
log4j=-Dlog4j2.configurationFile=classpath:org/plant4j/spark/log4j2.properties
java $log4j -cp "$jars" org.plant4j.spark.JavaOptions | tr ' ' '\n' | grep -v incubator >"$work/java.options"
port=$((20000 + RANDOM % 10000))
master=spark://127.0.0.1:$port

pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true' EXIT

jvm=(java "@$work/java.options" $log4j -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 -cp "$jars")

# Sets the command line of a job. An array, because $! of a function would not be the process id of Java.
job() { # command, master, arguments
    local command=$1 url=$2
    shift 2
    job=("${jvm[@]}" -Xmx1g org.plant4j.spark.Main "$command" "$@" --master "$url" --conf spark.ui.enabled=false
        --conf spark.driver.host=127.0.0.1 --conf spark.driver.bindAddress=127.0.0.1 --conf spark.executor.memory=1g)
}

code() { # master, output
    job code "$1" "$run" "$notes" "$work/$2" --partition-bytes "${PARTITION_BYTES:-262144}"
}

worker() { # number
    "${jvm[@]}" -Xmx512m org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --cores 1 --memory 2g --webui-port 0 \
        --work-dir "$work/worker-$1" "$master" >"$work/worker-$1.log" 2>&1 &
    workers[$1]=$!
    pids+=($!)
}
declare -A workers

wait_for() { # what, command …
    local what=$1
    shift
    for _ in $(seq 1200); do
        "$@" && return
        sleep 0.2
    done
    echo "Timed out waiting for $what" >&2
    exit 1
}

files() { find "$work/$1" -name 'part-*' -size +0 2>/dev/null | wc -l; }
has_files() { [ "$(files "$1")" -ge "$2" ]; }
listens() { (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
# The committed files of a stream are listed in _spark_metadata.
committed() {
    if [ -d "$work/$1/_spark_metadata" ]; then
        sed -n 's/.*"path":"file:\/*\(\/[^"]*\)".*/\1/p' "$work/$1"/_spark_metadata/* | sort -u
    else
        ls "$work/$1"/part-*
    fi
}
lines() { committed "$1" | tr '\n' '\0' | xargs -0 cat | LC_ALL=C sort; }
same() { # two outputs
    cmp <(lines "$1") <(lines "$2")
    echo "$1 and $2 are equal: $(lines "$2" | wc -l) documents"
}

echo "== one machine"
code 'local[1]' local-1
"${job[@]}"
code 'local[2]' local-2
"${job[@]}"
same local-1 local-2
job verify 'local[1]' "$run" "$notes" "$work/local-1"
"${job[@]}"

echo "== a master and two workers"
"${jvm[@]}" -Xmx512m org.apache.spark.deploy.master.Master --host 127.0.0.1 --port $port --webui-port 0 \
    >"$work/master.log" 2>&1 &
pids+=($!)
wait_for "the master" listens
worker 1
worker 2
code "$master" cluster
"${job[@]}"
same local-1 cluster

echo "== a worker is killed in the middle of a job"
code "$master" killed
"${job[@]}" >"$work/killed.log" 2>&1 &
coding=$!
pids+=($!)
wait_for "the first files" has_files killed 3
kill -9 "${workers[2]}"
echo "killed a worker when $(files killed) files were written"
wait $coding || { cat "$work/killed.log"; exit 1; }
tail -n 1 "$work/killed.log"
same local-1 killed
worker 3

echo "== a stream is killed in the middle of its input"
mkdir -p "$work/incoming"
split --lines=$(($(wc -l <"$notes") / 12 + 1)) --additional-suffix=.jsonl "$notes" "$work/incoming/notes-"
job stream "$master" "$run" "$work/incoming" "$work/stream" --once --max-files 2
"${job[@]}" >"$work/stream.log" 2>&1 &
streaming=$!
pids+=($!)
wait_for "the first micro-batches" has_files stream 3
kill -9 $streaming
wait $streaming 2>/dev/null || true
echo "killed the stream when $(files stream) files were written"
"${job[@]}"
same local-1 stream

echo "== all results are equal"
