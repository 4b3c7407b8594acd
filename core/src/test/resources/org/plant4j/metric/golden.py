"""Generates golden.json: metrics by scikit-learn and plain definitions on the data of GoldenData.java.

    python3 golden.py > golden.json        (scikit-learn 1.2.1, numpy 1.24)
"""
import json
import math
import warnings

import numpy as np
from sklearn.metrics import (accuracy_score, average_precision_score, label_ranking_average_precision_score,
                             ndcg_score, precision_recall_curve, precision_recall_fscore_support, roc_auc_score)

warnings.filterwarnings("ignore")
DOCS, LABELS, UNSEEN, TRAIN, THRESHOLD = 120, 40, 6, 700, 0.5


class Lcg:
    def __init__(self, seed):
        self.state = seed

    def next(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


def data(kind):
    """empty: documents without gold labels, labels never gold; full: label 5 always gold; unseen: empty, plus gold labels outside the label space."""
    lcg = Lcg({"empty": 1, "full": 2, "unseen": 3}[kind])
    frequency = [[0, 1, 4, 8, 30, 80, 300, 650][lcg.next(8)] for _ in range(LABELS)]
    gold = np.zeros((DOCS, LABELS + UNSEEN), int)
    scores = np.zeros((DOCS, LABELS))
    for d in range(DOCS):
        for l in range(LABELS + UNSEEN):
            is_gold = lcg.next(100) < 8 and l != 3 and (l < LABELS or kind == "unseen") and l != LABELS + 2
            if kind != "full":
                is_gold = is_gold and d % 10 != 7
            else:
                is_gold = is_gold or l == 5
            gold[d, l] = is_gold
            if l < LABELS:
                scores[d, l] = (lcg.next(33) + 16 * (is_gold and lcg.next(4) > 0)) / 64  # multiples of 1/64: many ties
    return frequency, gold, scores


def average_precision(ranking, gold):
    """The shared tasks': walk down the list, add precision at each hit, divide by all gold codes."""
    hits, total = 0, 0.0
    for rank, code in enumerate(ranking, 1):
        if code in gold:
            hits += 1
            total += hits / rank
    return total / len(gold)


def evaluate(gold, scores, frequency, columns):
    """Metrics of the given labels; those from LABELS on are never predicted nor ranked."""
    known = [l for l in columns if l < LABELS]
    y = gold[:, columns]
    predicted = np.concatenate([scores >= THRESHOLD, np.zeros((DOCS, UNSEEN), bool)], axis=1)[:, columns].astype(int)
    out = {}
    for average in ("micro", "macro"):
        p, r, f, _ = precision_recall_fscore_support(y, predicted, average=average, zero_division=0)
        out[average + "-P"], out[average + "-R"], out[average + "-F1"] = p, r, f
    p, r = out["macro-P"], out["macro-R"]
    out["macro-F1-CAML"] = 2 * p * r / (p + r) if p + r else 0.0
    present = y.sum(0) > 0
    out["macro-F1-gold"] = precision_recall_fscore_support(
        y[:, present], predicted[:, present], average="macro", zero_division=0)[2]
    out["exact-match"] = accuracy_score(y, predicted)
    out["labels"], out["gold-labels"] = len(columns), int(present.sum())
    out["predicted-labels"] = int((predicted.sum(0) > 0).sum())
    out["gold-per-document"], out["predicted-per-document"] = y.sum() / DOCS, predicted.sum() / DOCS

    if known:
        yk, s = gold[:, known], scores[:, known]
        share = yk.sum() / y.sum()  # gold pairs that cannot be scored lower every recall
        out["micro-AUC"] = roc_auc_score(yk.ravel(), s.ravel())
        out["micro-AP"] = average_precision_score(yk.ravel(), s.ravel()) * share
        both = [i for i in range(len(known)) if 0 < yk[:, i].sum() < DOCS]
        if both:
            out["macro-AUC"] = roc_auc_score(yk[:, both], s[:, both], average="macro")
        any_gold = [i for i in range(len(known)) if yk[:, i].sum() > 0]
        out["macro-AP"] = average_precision_score(yk[:, any_gold], s[:, any_gold], average="macro") \
            * len(any_gold) / present.sum()

    c = (math.log(TRAIN) - 1) * 2.5**0.55
    inverse = {l: 1 + c * math.exp(-0.55 * math.log((frequency[l] if l < LABELS else 0) + 1.5)) for l in columns}
    rankings = {d: sorted(known, key=lambda l: (-scores[d, l], l)) for d in range(DOCS)}
    golds = {d: {l for l in columns if gold[d, l]} for d in range(DOCS)}
    with_gold = [d for d in range(DOCS) if golds[d]]
    out["MAP"] = float(np.mean([average_precision(rankings[d], golds[d]) for d in with_gold]))
    out["R-precision"] = float(np.mean(
        [len(golds[d] & set(rankings[d][:len(golds[d])])) / len(golds[d]) for d in with_gold]))
    for k in (1, 3, 5, 8, 10, 15):
        hits = {d: golds[d] & set(rankings[d][:k]) for d in with_gold}
        out[f"P@{k}"] = float(np.mean([len(hits[d]) / k for d in with_gold]))
        out[f"R@{k}"] = float(np.mean([len(hits[d]) / len(golds[d]) for d in with_gold]))
        best = sum(sum(sorted((inverse[l] for l in golds[d]), reverse=True)[:k]) for d in with_gold)
        out[f"PSP@{k}"] = sum(inverse[l] for d in with_gold for l in sorted(hits[d])) / best
        # scikit-learn averages over ties: a tiny slope ranks the lower label first, and gold labels outside the
        # label space last, behind k.
        if len(columns) > k + UNSEEN:
            last = np.full((len(with_gold), len(columns) - len(known)), -1.0)
            untied = np.concatenate([scores[with_gold][:, known], last], axis=1) - np.arange(len(columns)) * 1e-9
            out[f"nDCG@{k}"] = ndcg_score(y[with_gold], untied, k=k)
    if len(known) == len(columns) and len(columns) > 1:
        untied = scores[with_gold][:, known] - np.arange(len(known)) * 1e-9
        assert abs(out["MAP"] - label_ranking_average_precision_score(y[with_gold], untied)) < 1e-12
        assert abs(out["MAP"] - average_precision_score(y[with_gold], untied, average="samples")) < 1e-12
    return out


def best_threshold(y, s, gold):
    """The highest threshold with the best F1, from every distinct score."""
    best, best_f1 = 0.5, 0.0
    for t in sorted(set(s), reverse=True):
        f1 = 2 * ((s >= t) & (y == 1)).sum() / ((s >= t).sum() + gold)
        if f1 > best_f1:
            best, best_f1 = t, f1
    return best


golden = {}
for kind in ("empty", "full", "unseen"):
    frequency, gold, scores = data(kind)
    columns = [l for l in range(LABELS + UNSEEN) if l < LABELS or gold[:, l].any()]
    flat, flat_scores = gold[:, :LABELS].ravel(), scores.ravel()
    bucket_ends = [0, 5, 10, 50, 100, 500, 10**9]
    buckets = []
    for low, high in zip([-1] + bucket_ends, bucket_ends):
        inside = [l for l in columns if low < (frequency[l] if l < LABELS else 0) <= high]
        buckets.append(evaluate(gold, scores, frequency, inside))
    common = best_threshold(flat, flat_scores, gold.sum())
    if kind == "empty":
        p, r, t = precision_recall_curve(flat, flat_scores)
        f1 = 2 * p * r / np.maximum(p + r, 1e-300)
        assert abs(t[np.argmax(f1[:-1])] - common) < 1e-12
    golden[kind] = {
        "metrics": evaluate(gold, scores, frequency, columns),
        "buckets": buckets,
        "threshold": common,
        "thresholds": [best_threshold(gold[:, l], scores[:, l], gold[:, l].sum()) if gold[:, l].sum() >= 8 else common
                       for l in range(LABELS)],
        "check": [int(gold.sum()), float(scores.sum()), sum(frequency)],
    }
print(json.dumps(golden, indent=1))
