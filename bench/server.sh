#!/usr/bin/env bash
# Load test of two servers in turns, on the same machine: bench/server.sh ROUNDS SECONDS "COMMAND A" "COMMAND B"
# Each command starts `plant serve` on the port {port}. Requires wrk. Prints per round the seconds from start to first
# answer, and requests/s, p50 and p99 with 64 connections that send a note of about 3,500 characters.
set -euo pipefail
rounds=$1 seconds=$2 a=$3 b=$4
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
note='Admitted with acute on chronic systolic heart failure, essential hypertension and type 2 diabetes mellitus. '
note+='Furosemide was given intravenously; gout of the left foot was treated with colchicine. '
text=; while [ ${#text} -lt 3400 ]; do text+=$note; done
printf '{"text": "%s", "codes": 15}' "$text" > "$work/body"
cat > "$work/post.lua" <<LUA
wrk.method = "POST"
wrk.body = io.open("$work/body"):read("*a")
wrk.headers["Content-Type"] = "application/json"
LUA
port=18400
run() { # NAME COMMAND
    port=$((port + 1))
    local start answered pid url=http://127.0.0.1:$port/api/code
    start=$(date +%s.%N)
    bash -c "exec ${2//'{port}'/$port}" > "$work/log" 2>&1 & pid=$!
    until curl -s -f -o /dev/null -H 'Content-Type: application/json' -d @"$work/body" "$url"; do
        kill -0 $pid 2>/dev/null || { cat "$work/log" >&2; exit 1; }
        sleep 0.1
    done
    answered=$(date +%s.%N)
    wrk -t 1 -c 4 -d 5s --timeout 30s -s "$work/post.lua" "$url" > /dev/null # warm-up
    wrk -t 2 -c 64 -d "${seconds}s" --timeout 60s --latency -s "$work/post.lua" "$url" > "$work/wrk"
    kill $pid; wait $pid || true
    printf '%s\tfirst answer %.1f s\t%s requests/s\tp50 %s\tp99 %s\t%s\n' "$1" \
        "$(echo "$answered - $start" | bc)" "$(awk '/Requests\/sec/ {print $2}' "$work/wrk")" \
        "$(awk '$1 == "50%" {print $2}' "$work/wrk")" "$(awk '$1 == "99%" {print $2}' "$work/wrk")" \
        "$(grep -E 'Non-2xx|Socket errors' "$work/wrk" | tr '\n' ' ')"
}
for round in $(seq "$rounds"); do
    run A "$a"
    run B "$b"
done
