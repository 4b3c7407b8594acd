"""Writes golden.json: results of PyTorch with weights that Python and Java fill by the same formula.

python golden.py > golden.json   (made with PyTorch 2.13 on the CPU)

Numbers are written to eight digits. Gradients are those of sum(output * wave(99)).
"""

import itertools
import json
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.set_num_threads(1)
OUTPUT_WEIGHTS = 99
DOCUMENTS = [[2, 3, 4, 5, 6], [6, 2], [4, 4, 3]]


def wave(number, *shape):
    """The tensor of this number: 0.3 sin(i + 10 number), i counting its elements in row-major order."""
    count = torch.Size(shape).numel()
    i = torch.arange(count, dtype=torch.float64)
    return (0.3 * torch.sin(i + 10 * number)).float().reshape(shape)


def fill(parameters):
    """Fills parameters in their order; an embedding keeps its padding at zero."""
    with torch.no_grad():
        for number, (name, parameter) in enumerate(parameters.items()):
            parameter.copy_(wave(number, *parameter.shape))
            if name == "embedding.weight":
                parameter[0] = 0


def digits(tensor):
    return [float(f"{x:.8g}") for x in tensor.detach().double().flatten().tolist()]


def answer(output, leaves):
    (output * wave(OUTPUT_WEIGHTS, *output.shape)).sum().backward()
    return {"output": digits(output)} | {name: digits(leaf.grad) for name, leaf in leaves.items()}


def padded():
    lengths = torch.tensor([len(d) for d in DOCUMENTS])
    tokens = torch.zeros(len(DOCUMENTS), max(lengths), dtype=torch.long)
    for row, document in enumerate(DOCUMENTS):
        tokens[row, : len(document)] = torch.tensor(document)
    return tokens, lengths, tokens != 0


def packed(lstm, x, lengths):
    states, _ = lstm(pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False))
    return pad_packed_sequence(states, batch_first=True)[0]


def attend(keys, queries, mask):
    scores = torch.einsum("ld,btd->blt", queries, keys)
    return scores.masked_fill(~mask[:, None, :], float("-inf")).softmax(-1)


def head(states, attention, weight, bias):
    return torch.einsum("blt,bth,lh->bl", attention, states, weight) + bias


def same(x, weight, bias):
    return F.conv1d(x.transpose(1, 2), weight, bias, padding="same").transpose(1, 2)


def bilstm():
    _, lengths, _ = padded()
    lstm = nn.LSTM(3, 2, bidirectional=True, batch_first=True)
    parameters = dict(lstm.named_parameters())
    fill(parameters)
    x = wave(50, 3, 5, 3).requires_grad_()
    return answer(packed(lstm, x, lengths), parameters | {"x": x})


def convolution(kernel):
    parameters = {"weight": torch.empty(3, 2, kernel), "bias": torch.empty(3)}
    fill(parameters)
    x = wave(50, 2, 6, 2).requires_grad_()
    for parameter in parameters.values():
        parameter.requires_grad_()
    return answer(same(x, **parameters), parameters | {"x": x})


def attention():
    _, _, mask = padded()
    leaves = {
        "queries": wave(0, 4, 3).requires_grad_(),
        "weight": wave(1, 4, 3).requires_grad_(),
        "bias": wave(2, 4).requires_grad_(),
        "states": wave(50, 3, 5, 3).requires_grad_(),
    }
    weights = attend(leaves["states"], leaves["queries"], mask)
    logits = head(leaves["states"], weights, leaves["weight"], leaves["bias"])
    return answer(logits, leaves) | {"attention": digits(weights)}


def laat():
    tokens, lengths, mask = padded()
    lstm = nn.LSTM(3, 2, bidirectional=True, batch_first=True)
    parameters = {"embedding.weight": nn.Parameter(torch.empty(7, 3))}
    parameters |= {"lstm." + name: parameter for name, parameter in lstm.named_parameters()}
    parameters |= {
        "projection.weight": nn.Parameter(torch.empty(3, 4)),
        "attention.weight": nn.Parameter(torch.empty(5, 3)),
        "head.weight": nn.Parameter(torch.empty(5, 4)),
        "head.bias": nn.Parameter(torch.empty(5)),
    }
    fill(parameters)
    x = F.embedding(tokens, parameters["embedding.weight"], padding_idx=0)
    states = packed(lstm, x, lengths)
    keys = torch.tanh(states @ parameters["projection.weight"].T)
    weights = attend(keys, parameters["attention.weight"], mask)
    logits = head(states, weights, parameters["head.weight"], parameters["head.bias"])
    return answer(logits, parameters) | {"attention": digits(weights)}


def caml():
    tokens, _, mask = padded()
    parameters = {
        "embedding.weight": nn.Parameter(torch.empty(7, 3)),
        "convolution.weight": nn.Parameter(torch.empty(4, 3, 4)),
        "convolution.bias": nn.Parameter(torch.empty(4)),
        "attention.weight": nn.Parameter(torch.empty(5, 4)),
        "head.weight": nn.Parameter(torch.empty(5, 4)),
        "head.bias": nn.Parameter(torch.empty(5)),
    }
    fill(parameters)
    x = F.embedding(tokens, parameters["embedding.weight"], padding_idx=0)
    states = torch.tanh(same(x, parameters["convolution.weight"], parameters["convolution.bias"]))
    weights = attend(states, parameters["attention.weight"], mask)
    logits = head(states, weights, parameters["head.weight"], parameters["head.bias"])
    return answer(logits, parameters) | {"attention": digits(weights)}


def text_cnn():
    tokens, _, mask = padded()
    parameters = {
        "embedding.weight": nn.Parameter(torch.empty(7, 3)),
        "convolutions.0.weight": nn.Parameter(torch.empty(2, 3, 2)),
        "convolutions.0.bias": nn.Parameter(torch.empty(2)),
        "convolutions.1.weight": nn.Parameter(torch.empty(2, 3, 3)),
        "convolutions.1.bias": nn.Parameter(torch.empty(2)),
        "head.weight": nn.Parameter(torch.empty(5, 4)),
        "head.bias": nn.Parameter(torch.empty(5)),
    }
    fill(parameters)
    x = F.embedding(tokens, parameters["embedding.weight"], padding_idx=0)
    outputs = [same(x, parameters[f"convolutions.{i}.weight"], parameters[f"convolutions.{i}.bias"]) for i in range(2)]
    features, positions = torch.relu(torch.cat(outputs, -1)).masked_fill(~mask[..., None], 0).max(1)
    logits = F.linear(features, parameters["head.weight"], parameters["head.bias"])
    summands = torch.einsum("bf,lf->bfl", features, parameters["head.weight"]).clamp_min(0)
    evidence = torch.zeros(3, 5, 5).scatter_add(1, positions[..., None].expand(3, 4, 5), summands)
    return answer(logits, parameters) | {"attention": digits(evidence.transpose(1, 2))}


def bert():
    """Two layers of width 4 with two heads; positions start at 2 as in RoBERTa, begin is 2 and end 3."""
    rows = [[2] + document + [3] for document in DOCUMENTS]
    tokens = torch.zeros(3, 7, dtype=torch.long)
    for n, row in enumerate(rows):
        tokens[n, : len(row)] = torch.tensor(row)
    mask = tokens != 0
    shapes = {
        "embeddings.position_embeddings.weight": (10, 4),
        "embeddings.token_type_embeddings.weight": (2, 4),
        "embeddings.word_embeddings.weight": (7, 4),
        "embeddings.LayerNorm.weight": (4,),
        "embeddings.LayerNorm.bias": (4,),
    }
    for n in range(2):
        layer = f"encoder.layer.{n}."
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= {f"{layer}attention.{name}.weight": (4, 4), f"{layer}attention.{name}.bias": (4,)}
        shapes |= {f"{layer}attention.output.LayerNorm.weight": (4,), f"{layer}attention.output.LayerNorm.bias": (4,)}
        shapes |= {f"{layer}intermediate.dense.weight": (6, 4), f"{layer}intermediate.dense.bias": (6,)}
        shapes |= {f"{layer}output.dense.weight": (4, 6), f"{layer}output.dense.bias": (4,)}
        shapes |= {f"{layer}output.LayerNorm.weight": (4,), f"{layer}output.LayerNorm.bias": (4,)}
    parameters = {name: nn.Parameter(torch.empty(shape)) for name, shape in shapes.items()}
    fill(parameters)
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.add_(1 if name.endswith("LayerNorm.weight") else 0)

    def dense(name, x):
        return F.linear(x, parameters[name + ".weight"], parameters[name + ".bias"])

    def norm(name, x):
        return F.layer_norm(x, (4,), parameters[name + ".weight"], parameters[name + ".bias"], 1e-5)

    x = F.embedding(tokens, parameters["embeddings.word_embeddings.weight"], padding_idx=0)
    x = x + parameters["embeddings.position_embeddings.weight"][2:9]
    x = norm("embeddings.LayerNorm", x + parameters["embeddings.token_type_embeddings.weight"][0])
    for n in range(2):
        layer = f"encoder.layer.{n}."
        heads = []
        q, k, v = (dense(layer + "attention.self." + name, x) for name in ("query", "key", "value"))
        for columns in (slice(0, 2), slice(2, 4)):
            scores = q[..., columns] @ k[..., columns].transpose(1, 2) / math.sqrt(2)
            weights = scores.masked_fill(~mask[:, None, :], float("-inf")).softmax(-1)
            heads.append(weights @ v[..., columns])
        attended = dense(layer + "attention.output.dense", torch.cat(heads, -1))
        x = norm(layer + "attention.output.LayerNorm", x + attended)
        wide = dense(layer + "intermediate.dense", x)
        wide = wide * 0.5 * (1 + torch.erf(wide / math.sqrt(2)))
        x = norm(layer + "output.LayerNorm", x + dense(layer + "output.dense", wide))
    states = x[:, 1:6] * (torch.arange(5) < torch.tensor([[5], [2], [3]]))[..., None]
    return answer(states, parameters)


def gains():
    """(L, V): mutual information of label and token over DOCUMENTS if they are positively associated, at most 1."""
    labels = [{0, 1}, {1, 4}, {2}]
    mean = lambda x: sum(x) / len(DOCUMENTS)
    gains = torch.zeros(5, 7)
    for l in range(5):
        for t in range(2, 7):
            cells = [
                (
                    mean([((t in d) == a) * ((l in c) == b) for d, c in zip(DOCUMENTS, labels)]),
                    mean([(t in d) == a for d in DOCUMENTS]) * mean([(l in c) == b for c in labels]),
                )
                for a in (True, False)
                for b in (True, False)
            ]
            if cells[0][0] > cells[0][1] + 1e-9:
                gains[l, t] = sum(p * math.log(p / q) for p, q in cells if p > 0)
        gains[l] /= max(gains[l].max(), 1e-30)
    return gains


def plant():
    """The equations of the paper, literally: three views (B, L, H), their sum times the boost W."""
    tokens, lengths, mask = padded()
    lstm = nn.LSTM(3, 2, bidirectional=True, batch_first=True)
    parameters = {"encoder.embedding.weight": nn.Parameter(torch.empty(7, 3))}
    parameters |= {"encoder.lstm." + name: parameter for name, parameter in lstm.named_parameters()}
    shapes = {
        "attention.weight": (5, 7),
        "ranker.labels.weight": (5, 2),
        "ranker.tokens.bias": (7,),
        "ranker.labels.bias": (5,),
        "ranker.tokens.weight": (7, 2),
        "scales.weight": (3,),
        "head.weight": (5, 7),
        "head.bias": (5,),
    }
    parameters |= {name: nn.Parameter(torch.empty(shape)) for name, shape in shapes.items()}
    fill(parameters)
    x = F.embedding(tokens, parameters["encoder.embedding.weight"], padding_idx=0)
    states = torch.cat([packed(lstm, x, lengths), x], -1)
    ranked = F.embedding(tokens, parameters["ranker.tokens.weight"], padding_idx=0)
    f = torch.einsum("le,bte->blt", parameters["ranker.labels.weight"], ranked)
    f = f + parameters["ranker.tokens.bias"][tokens][:, None, :] + parameters["ranker.labels.bias"][None, :, None]
    gain = gains()[:, tokens].transpose(0, 1)
    sources = [
        attend(states, parameters["attention.weight"], mask),
        gain / (1 + gain.sum(-1, keepdim=True)),
        f.masked_fill(~mask[:, None, :], float("-inf")).softmax(-1),
    ]
    views = sum(scale * (source @ states) for scale, source in zip(parameters["scales.weight"], sources))
    logits = (views * parameters["head.weight"]).sum(-1) + parameters["head.bias"]
    weights = sum(scale * source for scale, source in zip(parameters["scales.weight"], sources))
    evidence = (weights * torch.einsum("lh,bth->blt", parameters["head.weight"], states)).clamp(min=0)
    return answer(logits, parameters) | {"attention": digits(evidence)}


DESCRIPTIONS = [[2, 3], [4], [5, 6, 2], [], [6, 2]]
WINDOWS = [(0, 0, [2, 3, 4]), (0, 2, [4, 5, 6]), (1, 0, [6, 2]), (2, 0, [4, 4, 3])]  # 3 tokens each, overlap 1


def encoder():
    lstm = nn.LSTM(3, 2, bidirectional=True, batch_first=True)
    parameters = {"encoder.embedding.weight": nn.Parameter(torch.empty(7, 3))}
    return lstm, parameters | {"encoder.lstm." + name: parameter for name, parameter in lstm.named_parameters()}


def read(row, lstm, parameters):
    """A single row without padding and mask."""
    x = F.embedding(torch.tensor([row]), parameters["encoder.embedding.weight"], padding_idx=0)
    return lstm(x)[0][0], x[0]


def best(logits, evidence):
    """The largest logits over the windows of each document, and the evidence of that window."""
    documents = []
    shown = torch.zeros(3, 5, 5)
    for d in range(3):
        windows = [i for i, window in enumerate(WINDOWS) if window[0] == d]
        largest, at = torch.stack([logits[i] for i in windows]).max(0)
        documents.append(largest)
        for l in range(5):
            _, start, row = WINDOWS[windows[at[l]]]
            shown[d, l, start : start + len(row)] = evidence[windows[at[l]]][:, l].clamp(min=0)
    return torch.stack(documents), shown


def description_attention():
    """The equations, literally, by label and token; the first two tokens of a description are used."""
    lstm, parameters = encoder()
    parameters = {"sharpness": nn.Parameter(torch.empty(1))} | parameters
    shapes = {name + ".weight": (2, 7) for name in ("keys", "queries", "values", "weights")}
    shapes |= {"importance.weight": (1, 7), "own.weight": (5, 7), "own.attention.weight": (5, 7), "head.bias": (5,)}
    parameters |= {name: nn.Parameter(torch.empty(shape)) for name, shape in shapes.items()}
    fill(parameters)
    labels = [torch.cat(read((d or [1])[:2], lstm, parameters), -1) for d in DESCRIPTIONS]
    logits, evidence = [], []
    for _, _, row in WINDOWS:
        h = torch.cat(read(row, lstm, parameters), -1)  # (T, H)
        keys, values = h @ parameters["keys.weight"].T, h @ parameters["values.weight"].T
        shares = []
        for l, k in enumerate(labels):
            share = (h @ parameters["own.attention.weight"][l]).softmax(0) * (h @ parameters["own.weight"][l])
            beta = (k @ parameters["importance.weight"][0]).softmax(0)
            for m in range(len(k)):
                query = parameters["queries.weight"] @ k[m]
                a = (parameters["sharpness"] * F.cosine_similarity(keys, query[None], -1)).softmax(0)
                share = share + beta[m] * a * (values @ (parameters["weights.weight"] @ k[m])) / math.sqrt(2)
            shares.append(share)
        evidence.append(torch.stack(shares, -1))  # (T, L)
        logits.append(evidence[-1].sum(0))
    documents, shown = best(logits, evidence)
    return answer(documents + parameters["head.bias"], parameters) | {"attention": digits(shown)}


def pooled():
    lstm, parameters = encoder()
    parameters |= {"head.weight": nn.Parameter(torch.empty(5, 4)), "head.bias": nn.Parameter(torch.empty(5))}
    fill(parameters)
    states = [read(row, lstm, parameters)[0] for _, _, row in WINDOWS]
    documents, shown = best(
        [h.mean(0) @ parameters["head.weight"].T for h in states],
        [h @ parameters["head.weight"].T / len(h) for h in states],
    )
    return answer(documents + parameters["head.bias"], parameters) | {"attention": digits(shown)}


class Isd:
    """ISD with convolutions of 3 and 4, three shared queries and PyTorch's decoder layers; label 2 has no description."""

    DESCRIPTIONS = [[2, 3], [4], [], [5, 6, 2], [3]]

    def __init__(self):
        layer = lambda: nn.TransformerDecoderLayer(4, 2, dim_feedforward=5, dropout=0.0, batch_first=True)
        self.decoder = nn.ModuleList([layer(), layer()])
        shapes = {
            "encoder.embedding.weight": (7, 3),
            "encoder.convolutions.0.weight": (2, 3, 3),
            "encoder.convolutions.0.bias": (2,),
            "encoder.convolutions.1.weight": (2, 3, 4),
            "encoder.convolutions.1.bias": (2,),
            "queries.weight": (3, 4),
        }
        self.parameters = {name: nn.Parameter(torch.empty(shape)) for name, shape in shapes.items()}
        self.parameters |= {"decoder.layers." + name: it for name, it in self.decoder.named_parameters()}
        shapes = {
            "codes.weight": (5, 4),
            "codes.mask": (1, 4),
            "codes.bias": (5,),
            "codes.projection.weight": (4, 3),
        }
        self.parameters |= {name: nn.Parameter(torch.empty(shape)) for name, shape in shapes.items()}
        fill(self.parameters)
        with torch.no_grad():
            self.parameters["encoder.embedding.weight"][0] = 0

    def embed(self, tokens):
        return F.embedding(tokens, self.parameters["encoder.embedding.weight"], padding_idx=0)

    def states(self, tokens):
        scales = (
            same(
                self.embed(tokens),
                self.parameters[f"encoder.convolutions.{i}.weight"],
                self.parameters[f"encoder.convolutions.{i}.bias"],
            )
            for i in range(2)
        )
        return torch.tanh(torch.cat(list(scales), -1))

    def codes(self):
        means = [self.embed(torch.tensor(d)).mean(0) if d else torch.zeros(3) for d in self.DESCRIPTIONS]
        return F.normalize(torch.stack(means)) @ self.parameters["codes.projection.weight"].T + self.parameters["codes.weight"]

    def decode(self, x, states, mask, hidden=None):
        for layer in self.decoder:
            x = layer(x, states, tgt_key_padding_mask=hidden, memory_key_padding_mask=~mask)
        return x

    def read(self, states, mask):
        weights = attend(states, self.parameters["queries.weight"], mask)
        return weights, self.decode(weights @ states, states, mask)

    def scores(self, views):
        return torch.einsum("bqh,lh->bql", views, self.codes())

    def logits(self, views):
        return self.scores(views).amax(1) + self.parameters["codes.bias"]


def isd():
    model = Isd()
    tokens, _, mask = padded()
    states = model.states(tokens)
    weights, views = model.read(states, mask)
    chosen = model.scores(views).argmax(1)
    own = torch.stack([weights[b][chosen[b]] for b in range(3)])
    evidence = own * torch.einsum("lh,bth->blt", model.codes(), states).sigmoid()
    leaves = {name: leaf for name, leaf in model.parameters.items() if name != "codes.mask"}
    return answer(model.logits(views), leaves) | {"attention": digits(evidence)}


def isd_learning(gold, missing, wrong):
    """All losses of one step, with only one way to remove a label or to add a wrong one."""
    model = Isd()
    tokens, _, mask = padded()
    targets = torch.zeros(3, 5)
    for b, labels in enumerate(gold):
        targets[b, labels] = 1
    states = model.states(tokens)
    _, views = model.read(states, mask)
    bce = lambda logits, y: F.binary_cross_entropy_with_logits(logits, y, reduction="sum")
    prediction = bce(model.logits(views), targets) / 3
    total = 0.5 * prediction
    vectors = torch.cat([model.codes(), model.parameters["codes.mask"]])
    for b, labels in enumerate(gold):
        one = (states[b : b + 1], mask[b : b + 1])
        if missing:
            likely = F.log_softmax(model.decode(vectors[[5]][None], *one)[0, 0] @ vectors.T, -1)
            total = total - missing * 5 * likely[labels[0]] / 3
        if wrong:
            intruder = ({0, 1, 2, 3, 4} - set(labels)).pop()
            likely = F.log_softmax(model.decode(vectors[[intruder] + labels][None], *one)[0, 0] @ vectors.T, -1)
            total = total - wrong * 5 * likely[5] / 3
        pure = [model.states(torch.tensor([d]))[0] for d in (Isd.DESCRIPTIONS[l] for l in labels) if d]
        if pure:
            text = torch.cat(pure)[None]
            _, example = model.read(text, torch.ones(1, text.shape[1], dtype=torch.bool))
            total = total + 0.5 * bce(model.logits(example), targets[b : b + 1]) / 3
            cosine = F.cosine_similarity(views[b][:, None], example[0].detach()[None], dim=-1)
            best = max(cosine[[0, 1, 2], list(order)].sum() for order in itertools.permutations(range(3)))
            total = total + 0.02 * 5 * (3 - best) / 3 / 3
    total.backward()
    gradient = lambda leaf: torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
    return {"prediction": digits(prediction)} | {n: digits(gradient(leaf)) for n, leaf in model.parameters.items()}


def adamw():
    """Six steps; gradients are clipped in even ones; b has no gradient in step 2."""
    a, b, c = (wave(n, *shape).requires_grad_() for n, shape in enumerate([(2, 3), (4,), (3,)]))
    groups = [{"params": [a, b], "lr": 0.02, "weight_decay": 0.1}, {"params": [c], "lr": 0.005, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.99), eps=1e-8)
    peaks = [group["lr"] for group in optimizer.param_groups]
    after = []
    for step in range(6):
        for n, parameter in enumerate([a, b, c]):
            gradient = wave(100 + 10 * step + n, *parameter.shape) * (8 if step % 2 == 0 else 0.5)
            parameter.grad = None if n == 1 and step == 2 else gradient
        nn.utils.clip_grad_norm_([a, b, c], 1.0)
        for group, peak in zip(optimizer.param_groups, peaks):
            group["lr"] = peak / (1 + step)
        optimizer.step()
        after.append(digits(a) + digits(b) + digits(c))
    return {f"step{step}": values for step, values in enumerate(after)}


def one_cycle():
    """Peak at step 4 of 0..19: a warm-up of 4/19."""
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.0, total_steps=20, pct_start=0.25, cycle_momentum=False)
    factors = []
    for _ in range(20):
        factors.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step() if len(factors) < 20 else None
    return {"factors": [float(f"{x:.8g}") for x in factors]}


def write(answers):
    print(
        json.dumps(answers, indent=0, separators=(",", ":"))
        .replace(",\n", ",")
        .replace("[\n", "[")
        .replace("\n]", "]")
        .replace('],"', '],\n"')
    )


if __name__ == "__main__":
    write(
        {
            "bilstm": bilstm(),
            "convolution10": convolution(10),
            "convolution3": convolution(3),
            "attention": attention(),
            "laat": laat(),
            "caml": caml(),
            "textCnn": text_cnn(),
            "bert": bert(),
            "plant": plant(),
            "descriptionAttention": description_attention(),
            "pooled": pooled(),
            "isd": isd(),
            "isdMissing": isd_learning([[1], [3], [2]], 0.01, 0),
            "isdWrong": isd_learning([[0, 1, 2, 3], [1, 2, 3, 4], [0, 2, 3, 4]], 0, 0.01),
            "adamw": adamw(),
            "oneCycle": one_cycle(),
        }
    )
