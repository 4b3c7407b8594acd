"""Result files of the load test: bench/server.sh … > rounds.txt; python bench/server.py rounds.txt EARLIER COMMAND > server.json

Writes the measurements of server A (earlier) and server B (present) as `plant bench compare --output` does: milliseconds
from start to first answer, and for 100 requests of a load. EARLIER and COMMAND are the commands that the page shows.
"""

import json
import math
import os
import re
import statistics
import sys

STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]  # quantiles 0.975


def row(earlier, present):
    turns = len(earlier)
    logs = [math.log(e / p) for e, p in zip(earlier, present)]
    mean = statistics.fmean(logs)
    margin = STUDENT[min(turns, len(STUDENT) + 1) - 2] * statistics.stdev(logs) / math.sqrt(turns)
    return {
        "earlier_median_ms": statistics.median(earlier),
        "present_median_ms": statistics.median(present),
        "earlier_ms": earlier,
        "present_ms": present,
        "ratio": math.exp(mean),
        "low": math.exp(mean - margin),
        "high": math.exp(mean + margin),
    }


def main(file, earlier, command):
    times = {}  # row, server: milliseconds of each round
    lines = [line for line in open(file) if line[:2] in ("A\t", "B\t")]
    for line in lines:
        first = re.search(r"first answer ([\d.]+) s", line)
        times.setdefault(("start to first answer", line[0]), []).append(float(first[1]) * 1000)
        for connections, rate in re.findall(r"(\d+) connections: ([\d.]+) requests/s", line):
            name = f"100 explained requests, {connections} connection{'s' * (connections != '1')}"
            times.setdefault((name, line[0]), []).append(round(100_000 / float(rate), 1))
    rows = {name: row(times[name, "A"], times[name, "B"]) for name, server in times if server == "A"}
    document = {
        "command": command,
        "earlier": earlier,
        "turns": len(lines) // 2,
        "processors": os.cpu_count(),
        "rows": rows,
        "rounds": [line.strip().split("\t") for line in lines],
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
