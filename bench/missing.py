#!/usr/bin/env python3
"""Prints the trainings whose results are missing in results/, as jobs for bench/queue.py.

    bench/missing.py > jobs
    bench/missing.py --corpora cantemist,tibkat --models plant,laat --seeds 1,2,3 > jobs

By priority: experiments without any result, one seed after the other; then seeds that a result lacks; then results without
average precision of each document, which the test against the control needs, or without training time. Within a priority the
shortest come first.

Results whose model had other settings, in its own file or that of the corpus, are named on standard error. --changed prints their
trainings, too, as the last ones.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

CORPORA = "cantemist,codiesp-p,codiesp-d,codiesp-d-en,tibkat"
WITH_EVIDENCE = {"cantemist", "codiesp-d", "codiesp-p"}

# Estimated minutes on cantemist with a dozen trainings on one H200, and slots. Models that are not listed have settings for other
# corpora (-paper), choose a model (auto), or belong to studies.
SMALL = {
    "prior": (0.3, 1), "linear": (1, 1), "description-matching": (0.5, 1), "logistic-regression": (1, 1), "label-tree": (0.5, 1),
    "caml": (0.7, 1), "dr-caml": (0.8, 1), "text-cnn": (0.6, 1), "multires-cnn": (1.2, 1), "msatt-kg": (1.2, 1),
    "hypercore": (1.2, 1), "effective-can": (1.2, 1), "plant-convolutions": (0.8, 1), "isd": (2, 1),
    "plant": (1.5, 1), "control": (3.5, 1), "laat": (2.5, 1), "joint-laat": (2.5, 1), "bi-gru": (2.5, 1),
    "plant-backward": (1.5, 1), "plant-bidirectional": (3, 1), "plant-two-seeds": (3, 1), "plant-stateful": (4, 1),
    "plant-awd-lstm": (6, 1), "plant-awd-lstm-backward": (6, 1), "plant-awd-lstm-bidirectional": (12, 1),
    "plant-awd-lstm-two-seeds": (12, 1),
    "msmn": (4, 1), "ha-gru": (4, 1), "discnet": (6, 1), "description-attention-bilstm": (5, 1),
}
SPANS = {"plant-passages": (3, 1), "plant-evidence": (3.5, 1), "mention-matching": (1, 1), "stacked-evidence": (5, 1)}  # need gold evidence
ENCODER = {
    "plant-bert": (2, 2), "control-bert": (2.5, 2), "plm-icd": (3, 2), "pooled-bert": (4, 3), "kept": (6, 3),
    "description-attention": (4, 4), "plant-descriptions": (4, 4),
}
ENCODER_SPANS = {
    "description-attention-passages": (5, 4), "description-attention-evidence": (5, 4),
    "plant-descriptions-passages": (5, 4), "plant-descriptions-evidence": (5, 4),
}
VARIANTS = {  # come later
    "plant-backward", "plant-bidirectional", "plant-two-seeds", "plant-stateful", "description-attention-bilstm",
    "plant-awd-lstm", "plant-awd-lstm-backward", "plant-awd-lstm-bidirectional", "plant-awd-lstm-two-seeds",
}
TIMES = {"cantemist": 1, "codiesp-p": 1, "codiesp-d": 1.3, "codiesp-d-en": 1.3, "tibkat": 1.5}  # as long as on cantemist
LACKS_SEEDS, LACKS_DETAILS, CHANGED = 3, 4, 7  # priorities after those without any result
SEEDLESS = {"prior", "linear", "logistic-regression", "mention-matching", "description-matching"}  # one seed is enough: solved to an optimum


def models_of(corpus):
    found = {**SMALL, **ENCODER}
    if corpus in WITH_EVIDENCE:
        found |= {**SPANS, **ENCODER_SPANS}
    return found


def delay(results, experiment, rank, seed):
    """How many priorities a seed waits, or None if nothing is missing."""
    file = results / f"{experiment}.json"
    if not file.exists():
        return rank + (LACKS_SEEDS if experiment.split("@")[0] in VARIANTS else 0)
    result = json.loads(file.read_text())
    if seed not in result["seeds"]:
        return LACKS_SEEDS
    return None if result.get("averagePrecision") and result.get("cost") else LACKS_DETAILS + rank


def settings(model, corpus, commit=None):
    """The lines, without comments, of the model's file and of its section in the file of the corpus; now or at a commit."""
    def lines(path):
        if commit is None:
            text = (ROOT / path).read_text()
        else:
            text = subprocess.run(["git", "-C", ROOT, "show", f"{commit}:{path}"], capture_output=True, text=True).stdout
        return [line for line in (re.sub(r"(^| +)#.*", "", line).rstrip() for line in text.splitlines()) if line]

    section, inside = [], False
    for line in lines(f"experiments/corpora/{corpus}.yaml"):
        inside = line == f"  {model}:" or inside and line.startswith("    ")
        section += [line] if inside else []
    return lines(f"experiments/models/{model}.yaml"), section


def changed(results, experiment):
    """Whether the settings of the model, not those that it inherits, differ from those at the commit of the result."""
    commit = json.loads((results / f"{experiment}.json").read_text())["provenance"]["commit"]
    model, corpus = experiment.split("@")
    return commit is None or settings(model, corpus) != settings(model, corpus, commit)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", default=CORPORA)
    parser.add_argument("--models", help="default: all")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--results", default=ROOT / "results", type=Path)
    parser.add_argument("--priority", default=10, type=int, help="of the most urgent jobs")
    parser.add_argument("--changed", action="store_true", help="also results of other settings")
    parser.add_argument("--plant", default="./plant")
    parser.add_argument("--encoder", default="encoders/mbert", help="what models over a pretrained encoder need")
    options = parser.parse_args()
    jobs = []
    for corpus in options.corpora.split(","):
        for model, (minutes, slots) in models_of(corpus).items():
            if options.models and model not in options.models.split(","):
                continue
            needs = options.encoder if model in ENCODER or model in ENCODER_SPANS else "-"
            experiment = f"{model}@{corpus}"
            old = (options.results / f"{experiment}.json").exists() and changed(options.results, experiment)
            if old:
                print(f"{experiment}: the lines of its settings have changed since it was measured", file=sys.stderr)
            for rank, seed in enumerate(int(seed) for seed in options.seeds.split(",")):
                waits = delay(options.results, experiment, rank, seed)
                if waits is None and old and options.changed:
                    waits = CHANGED + rank
                if waits is not None and not (rank and model in SEEDLESS):
                    minutes_here = round(minutes * TIMES.get(corpus, 1), 1)
                    jobs.append((options.priority + waits, minutes_here * slots, minutes_here, slots, needs,
                                 f"{options.plant} run {experiment} --seeds {seed} -q"))
    for priority, _, minutes, slots, needs, command in sorted(jobs, key=lambda job: job[:2]):
        print(priority, minutes, slots, needs, command)


if __name__ == "__main__":
    main()
