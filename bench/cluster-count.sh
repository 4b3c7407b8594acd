#!/usr/bin/env bash
# Tests counting on a standalone Spark cluster: a master and two workers as processes of this machine.
#   bench/cluster-count.sh EXPERIMENT [DIRECTORY]
# Runs `plant-spark count` with local[1], with two workers, and with two workers of which one is killed in the middle, and
# compares all files byte for byte. EXPERIMENT is a planted model on JSON Lines.
#   SPARK_HOME  a directory with jars/ of Spark and Plant4j (default: that of ./plant-spark, built if necessary)
set -euo pipefail

experiment=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(realpath -m "${2-$(mktemp -d)}")
mkdir -p "$work"
if [ -z "${SPARK_HOME-}" ]; then
    "$root/plant-spark" --version >/dev/null
    SPARK_HOME=$root/spark/target/home
fi
export SPARK_HOME SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1
jars="$SPARK_HOME/jars/*"
log4j=-Dlog4j2.configurationFile=classpath:org/plant4j/spark/log4j2.properties
java $log4j -cp "$jars" org.plant4j.spark.JavaOptions | tr ' ' '\n' | grep -v incubator >"$work/java.options"
jvm=(java "@$work/java.options" $log4j -cp "$jars")
port=$((20000 + RANDOM % 10000))
master=spark://127.0.0.1:$port

pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true' EXIT

count() { # master, directory of runs
    mkdir -p "$work/$2-events"
    job=("${jvm[@]}" -Xmx1g org.plant4j.spark.Main count "$experiment" --runs "$work/$2" --partition-bytes 262144
        --master "$1" --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1
        --conf spark.driver.bindAddress=127.0.0.1 --conf spark.executor.memory=1g
        --conf spark.eventLog.enabled=true --conf "spark.eventLog.dir=file://$work/$2-events"
        --conf spark.eventLog.compress=false --conf spark.eventLog.rolling.enabled=false)
}

worker() { # number
    "${jvm[@]}" -Xmx512m org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --cores 1 --memory 2g --webui-port 0 \
        --work-dir "$work/worker-$1" "$master" >"$work/worker-$1.log" 2>&1 &
    pids+=($!)
}

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

listens() { (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
stages() { cat "$work/$1-events"/* 2>/dev/null | grep -c SparkListenerStageCompleted || true; }
has_stages() { [ "$(stages "$1")" -ge "$2" ]; }
same() { # two directories of runs
    for stage in prepare mutual-information; do
        diff -r "$work/$1/.cache/$stage"-* "$work/$2/.cache/$stage"-*
    done
    echo "$1 and $2 are equal: $(cat "$work/$2"/.cache/prepare-*/* "$work/$2"/.cache/mutual-information-* | wc -c) bytes"
}
timed() {
    local start=$SECONDS
    "$@"
    echo "$((SECONDS - start)) s"
}

echo "== one machine"
count 'local[1]' local
timed "${job[@]}"

echo "== a master and two workers"
"${jvm[@]}" -Xmx512m org.apache.spark.deploy.master.Master --host 127.0.0.1 --port $port --webui-port 0 \
    >"$work/master.log" 2>&1 &
pids+=($!)
wait_for "the master" listens
worker 1
worker 2
second=${pids[-1]}
count "$master" cluster
timed "${job[@]}"
same local cluster

echo "== a worker is killed in the middle of the job"
count "$master" killed
"${job[@]}" >"$work/killed.log" 2>&1 &
counting=$!
pids+=($counting)
wait_for "the first stages" has_stages killed 3
kill -9 "$second"
echo "killed a worker after $(stages killed) stages of $(stages cluster)"
wait $counting || { cat "$work/killed.log"; exit 1; }
same local killed

echo "== all files are equal"
