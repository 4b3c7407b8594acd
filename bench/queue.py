#!/usr/bin/env python3
"""Runs many commands on one GPU: as many at a time as fit, in order of priority, until a deadline.

    bench/queue.py JOBS... [--slots 12] [--minutes 25] [--state runs/queue] [--mps]

A job is a line of a file, with its columns separated by spaces:

    priority  minutes  slots  needs  command

priority  lower numbers start first; jobs of equal priority in the order of the files
minutes   estimate; a job that would end after the deadline is not started
slots     share of the machine that it takes; * for all of it, so that nothing else runs, as benchmarks need
needs     a file or directory that must exist before it starts, such as an encoder or a trained run; - for none
command   for bash, in the working directory

Lines that are empty or start with # are ignored. JOBS are read again whenever a job ends, so that lines can be added while
the queue runs; with --wait the queue stays until the deadline even if nothing is left. A job that succeeded is not started
again by a later call with the same --state, and one that failed only with --retry. At the deadline running jobs are
interrupted (Ctrl-C), so that `plant run` can resume them in the next call, and killed if they do not end.

The state directory has a log per job and summary.tsv: state, seconds and command of each job. The exit status is 0 if no job
failed.
"""
import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

GRACE = 25  # seconds between the interruption of a job and its end
POLL = 0.5  # seconds


class Job:
    def __init__(self, line, place):
        columns = line.split(None, 4)
        try:
            self.priority, self.minutes = float(columns[0]), float(columns[1])
            self.slots = None if columns[2] == "*" else int(columns[2])  # None: all
            self.needs, self.command = columns[3], columns[4].strip()
        except (IndexError, ValueError):
            sys.exit(f"Not a job: {line}\n  where: {place}\n  remedy: priority minutes slots needs command, such as"
                     " 3 2 1 - ./plant run laat@demo")
        words = re.sub(r"[^A-Za-z0-9@.=-]+", "-", self.command)[-60:].strip("-")
        self.name = f"{words}-{hashlib.sha256(self.command.encode()).hexdigest()[:8]}"
        self.process = None

    def is_ready(self):
        return self.needs == "-" or Path(self.needs).exists()


class Queue:
    def __init__(self, options):
        self.options = options
        self.state = Path(options.state)
        self.state.mkdir(parents=True, exist_ok=True)
        self.start = time.monotonic()
        self.deadline = self.start + 60 * options.minutes
        self.running = []
        self.outcomes = {}  # of finished jobs, by name: state, seconds, command
        self.warned = set()
        self.read_summary()

    def read_summary(self):
        file = self.state / "summary.tsv"
        for line in file.read_text().splitlines() if file.exists() else []:
            name, state, seconds, command = line.split("\t", 3)
            if state == "done" or (state == "failed" and not self.options.retry):
                self.outcomes[name] = (state, seconds, command)

    def write_summary(self):
        lines = [f"{name}\t{state}\t{seconds}\t{command}\n" for name, (state, seconds, command) in self.outcomes.items()]
        draft = self.state / "summary.tmp"
        draft.write_text("".join(lines))
        draft.replace(self.state / "summary.tsv")

    def say(self, text):
        print(f"{(time.monotonic() - self.start) / 60:5.1f} min  {len(self.running):2} running  {text}", flush=True)

    def read_jobs(self):
        """The jobs that are neither finished nor running, in order."""
        jobs, seen = [], {job.name for job in self.running} | set(self.outcomes)
        for file in self.options.jobs:
            for number, line in enumerate(Path(file).read_text().splitlines(), 1):
                if line.strip() and not line.lstrip().startswith("#"):
                    job = Job(line, f"{file}, line {number}")
                    if job.name not in seen:
                        seen.add(job.name)
                        jobs.append(job)
        return sorted(jobs, key=lambda job: job.priority)

    def free_slots(self):
        return self.options.slots - sum(job.slots or self.options.slots for job in self.running)

    def start_jobs(self, waiting):
        """Starts what fits. A job for which there are too few slots holds back those after it, so that its turn comes."""
        for job in list(waiting):
            if not job.is_ready():
                continue
            if 60 * job.minutes > self.deadline - time.monotonic():
                if job.name not in self.warned:
                    self.warned.add(job.name)
                    self.say(f"too late for {job.command}")
                continue
            if min(job.slots or self.options.slots, self.options.slots) > self.free_slots():
                return
            waiting.remove(job)
            self.start_job(job)

    def start_job(self, job):
        with open(self.state / f"{job.name}.log", "ab") as log:
            job.process = subprocess.Popen(
                ["bash", "-c", job.command], stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        job.began = time.monotonic()
        self.running.append(job)
        self.say(f"started  {job.command}")

    def finish(self, job, interrupted=False):
        self.running.remove(job)
        code = job.process.returncode
        state = "done" if code == 0 else "interrupted" if interrupted else "failed"
        seconds = f"{time.monotonic() - job.began:.1f}"
        self.outcomes[job.name] = (state, seconds, job.command)
        self.write_summary()
        note = f", exit code {code}, see {self.state / job.name}.log" if state == "failed" else ""
        self.say(f"{state} after {seconds} s  {job.command}{note}")

    def stop(self):
        for job in self.running:
            signal_group(job, signal.SIGINT)
        end = time.monotonic() + GRACE
        while self.running:
            for job in list(self.running):
                if job.process.poll() is None and time.monotonic() > end:
                    signal_group(job, signal.SIGKILL)
                    job.process.wait()
                if job.process.poll() is not None:
                    self.finish(job, interrupted=True)
            time.sleep(POLL)

    def run(self):
        waiting = self.read_jobs()
        while time.monotonic() < self.deadline and (waiting or self.running or self.options.wait):
            self.start_jobs(waiting)
            if not self.running and not self.options.wait:
                break  # the rest would end too late, or needs what is not there
            time.sleep(POLL)
            ended = [job for job in self.running if job.process.poll() is not None]
            for job in ended:
                self.finish(job)
            if ended or self.options.wait:
                waiting = self.read_jobs()
        self.stop()
        counts = {state: sum(outcome[0] == state for outcome in self.outcomes.values())
                  for state in ("done", "failed", "interrupted")}
        self.say(", ".join(f"{count} {state}" for state, count in counts.items()) + f", {len(waiting)} not started")
        return 1 if counts["failed"] else 0


def signal_group(job, number):
    try:
        os.killpg(job.process.pid, number)
    except ProcessLookupError:
        pass


def start_mps(state):
    """NVIDIA's Multi-Process Service lets kernels of several processes run at the same time instead of in turns."""
    if not shutil.which("nvidia-cuda-mps-control"):
        print("nvidia-cuda-mps-control not found: processes take turns on the GPU", file=sys.stderr)
        return
    for variable, name in (("CUDA_MPS_PIPE_DIRECTORY", "mps"), ("CUDA_MPS_LOG_DIRECTORY", "mps-log")):
        directory = (Path(state) / name).resolve()
        directory.mkdir(parents=True, exist_ok=True)
        os.environ[variable] = str(directory)
    subprocess.run(["nvidia-cuda-mps-control", "-d"], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="+", metavar="JOBS")
    parser.add_argument("--slots", type=int, default=12)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--state", default="runs/queue")
    parser.add_argument("--wait", action="store_true")
    parser.add_argument("--retry", action="store_true")
    parser.add_argument("--mps", action="store_true")
    options = parser.parse_args()
    # Each job has few threads of its own, and idle ones do not spin.
    for variable, value in (("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"), ("GOMP_SPINCOUNT", "0")):
        os.environ.setdefault(variable, value)
    if options.mps:
        start_mps(options.state)
    queue = Queue(options)
    signal.signal(signal.SIGTERM, lambda *_: setattr(queue, "deadline", 0))
    signal.signal(signal.SIGINT, lambda *_: setattr(queue, "deadline", 0))
    try:
        return queue.run()
    finally:
        if options.mps and shutil.which("nvidia-cuda-mps-control"):
            subprocess.run(["nvidia-cuda-mps-control"], input=b"quit\n", check=False)


if __name__ == "__main__":
    sys.exit(main())
