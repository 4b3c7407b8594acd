#!/usr/bin/env bash
# Load test of two servers in turns, on the same machine: bench/server.sh ROUNDS SECONDS "COMMAND A" "COMMAND B"
# Each command starts `plant serve` on the port {port}. Requires wrk. Prints per round the seconds from start to first
# answer; requests/s, p50 and p99 with one connection and with 64; and the resident memory before and after.
# Every request has another note of about 3,400 characters; CONNECTIONS="1 64" lists the numbers of connections.
set -euo pipefail
rounds=$1 seconds=$2 a=$3 b=$4
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# 1,000 notes of random sentences, the same in every run.
awk -v seed=1 'BEGIN {
    srand(seed)
    n = split("Admitted with acute on chronic systolic heart failure and volume overload.|" \
        "Essential hypertension, poorly controlled on lisinopril.|Type 2 diabetes mellitus with A1c of #.|" \
        "Furosemide # mg was given intravenously with good effect.|" \
        "Gout of the left foot was treated with colchicine.|No evidence of pneumonia on chest film.|" \
        "Atrial fibrillation with a rate of #, on apixaban.|Acute kidney injury, creatinine peaked at #.|" \
        "Mother with breast cancer, father died of myocardial infarction.|COPD exacerbation, given prednisone and azithromycin.|" \
        "Urinary tract infection with E. coli, treated with ceftriaxone.|Hypothyroidism on levothyroxine # mcg daily.|" \
        "He denies chest pain, fever, chills or shortness of breath.|Hyperlipidemia, continued on atorvastatin # mg.|" \
        "Iron deficiency anemia with hemoglobin of #.|Deep vein thrombosis was ruled out by ultrasound.|" \
        "Depression, stable on sertraline # mg.|Obstructive sleep apnea on CPAP at night.|" \
        "Chronic kidney disease stage 3 at baseline.|Seizure disorder on levetiracetam, no events here.|" \
        "Hypokalemia of # was repleted.|Sepsis was considered but cultures stayed negative.|" \
        "GERD on omeprazole.|History of stroke in 20# with residual weakness.|Morbid obesity with a BMI of #.|" \
        "Osteoporosis with an old vertebral fracture.|Acute respiratory failure with hypoxia requiring # liters.|" \
        "Cellulitis of the right leg improved with vancomycin.|Return if fever or worsening pain develops.|" \
        "Physical therapy recommended discharge home with services.|The patient ambulated with a walker.|" \
        "Vitals were stable: BP #/#, heart rate #.|Aspirin and metoprolol were continued.|" \
        "Tobacco use, counselled to quit.|Nutrition saw the patient and had no recommendations.", sentences, "|")
    m = split("History of Present Illness:|Past Medical History:|Physical Exam:|Hospital Course:|Discharge Diagnosis:", headings, "|")
    for (note = 0; note < 1000; note++) {
        text = ""
        for (i = 0; length(text) < 3450; i++) {
            if (i % 9 == 0) text = text (i ? "\\n\\n" : "") headings[i / 9 % m + 1] "\\n"
            sentence = sentences[int(rand() * n) + 1]
            while (sub(/#/, int(10 + rand() * 90), sentence)) {}
            text = text sentence (rand() < 0.3 ? "\\n" : " ")
        }
        printf "{\"text\": \"%s\", \"codes\": 15}\n", text
    }
}' > "$work/bodies"
head -n 1 "$work/bodies" > "$work/body"
cat > "$work/post.lua" <<LUA
local bodies, threads = {}, 0
for line in io.lines("$work/bodies") do bodies[#bodies + 1] = line end
function setup(thread)
    thread:set("next", threads * 500)
    threads = threads + 1
end
function request()
    next = next % #bodies + 1
    return wrk.format("POST", nil, {["Content-Type"] = "application/json"}, bodies[next])
end
LUA
port=18400
resident() { awk '/VmRSS/ {printf "%d MB", $2 / 1024}' "/proc/$1/status"; }
load() { # PID URL CONNECTIONS
    local threads=$(($3 < 2 ? 1 : 2)) before
    before=$(resident "$1")
    wrk -t $threads -c "$3" -d "${seconds}s" --timeout 60s --latency -s "$work/post.lua" "$2" > "$work/wrk"
    printf '\t%s connections: %s requests/s, p50 %s, p99 %s, %s then %s%s' "$3" \
        "$(awk '/Requests\/sec/ {print $2}' "$work/wrk")" \
        "$(awk '$1 == "50%" {print $2}' "$work/wrk")" "$(awk '$1 == "99%" {print $2}' "$work/wrk")" \
        "$before" "$(resident "$1")" \
        "$(grep -E 'Non-2xx|Socket errors' "$work/wrk" | tr '\n' ' ')"
}
run() { # NAME COMMAND
    port=$((port + 1))
    local start answered pid url=http://127.0.0.1:$port/api/code
    start=$(date +%s.%N)
    bash -c "exec ${2//'{port}'/$port}" > "$work/log" 2>&1 & pid=$!
    until curl -s -f -o /dev/null -H 'Content-Type: application/json' -d @"$work/body" "$url"; do
        kill -0 $pid 2>/dev/null || { cat "$work/log" >&2; exit 1; }
        sleep 0.02
    done
    answered=$(date +%s.%N)
    printf '%s\tfirst answer %.2f s' "$1" "$(echo "$answered - $start" | bc)"
    wrk -t 1 -c 8 -d 10s --timeout 30s -s "$work/post.lua" "$url" > /dev/null # warm-up
    for connections in ${CONNECTIONS-1 64}; do
        load $pid "$url" "$connections"
    done
    kill $pid
    for _ in $(seq 50); do kill -0 $pid 2>/dev/null && sleep 0.2; done # version 0.1 may hang at its end
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    echo
}
for _ in $(seq "$rounds"); do
    run A "$a"
    run B "$b"
done
