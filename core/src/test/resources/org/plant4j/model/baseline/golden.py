"""Writes golden.json: results of PyTorch for the baselines, with weights that Python and Java fill by the same formula.

python golden.py > golden.json   (made with PyTorch 2.13 on the CPU)

It imports golden.py of the package tensor.
"""

import importlib.util
import math
import pathlib

import torch
from torch import nn
from torch.nn import functional as F

path = pathlib.Path(__file__).parents[2] / "tensor" / "golden.py"
spec = importlib.util.spec_from_file_location("tensor_golden", path)
golden = importlib.util.module_from_spec(spec)
spec.loader.exec_module(golden)

LABELS = 5
TARGETS = torch.tensor([[1, 0, 0, 1, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 1]], dtype=torch.float32)


def parameters_of(shapes):
    parameters = {name: nn.Parameter(torch.empty(shape)) for name, shape in shapes.items()}
    golden.fill(parameters)
    return parameters


def rnn_shapes(name, gates, size, hidden):
    return {
        f"{name}.{kind}_l0{direction}": shape
        for direction in ("", "_reverse")
        for kind, shape in {
            "weight_ih": (gates * hidden, size),
            "weight_hh": (gates * hidden, hidden),
            "bias_ih": (gates * hidden,),
            "bias_hh": (gates * hidden,),
        }.items()
    }


def embed(parameters, tokens, name="embedding.weight"):
    return F.embedding(tokens, parameters[name], padding_idx=0)


def load(module, parameters, name):
    """A module whose weights are these parameters, so that gradients reach them."""
    return lambda *x: torch.func.functional_call(
        module, {key[len(name) + 1 :]: value for key, value in parameters.items() if key.startswith(name + ".")}, x
    )


def batch_norm(parameters, mask, running):
    """Batch normalization over the real tokens: PyTorch's, on the tokens of all documents without their padding."""

    def norm(name, x):
        mean, variance = torch.zeros(x.shape[-1]), torch.ones(x.shape[-1])
        real = F.batch_norm(
            x[mask], mean, variance, parameters[name + ".weight"], parameters[name + ".bias"], True, 0.1, 1e-5
        )
        running.update({name + ".running_mean": golden.digits(mean), name + ".running_var": golden.digits(variance)})
        return torch.zeros_like(x).masked_scatter(mask[..., None].expand_as(x), real)

    return norm


def bi_gru():
    """The state at the last token of each direction, one document at a time; evidence by the change of the state at each token."""
    shapes = {"embedding.weight": (7, 3)} | rnn_shapes("gru", 3, 3, 2)
    parameters = parameters_of(shapes | {"head.weight": (LABELS, 4), "head.bias": (LABELS,)})
    gru = load(nn.GRU(3, 2, bidirectional=True, batch_first=True), parameters, "gru")
    logits, evidence = [], torch.zeros(3, LABELS, 5)
    for row, document in enumerate(golden.DOCUMENTS):
        states, last = gru(embed(parameters, torch.tensor([document])))
        logits.append(parameters["head.weight"] @ torch.cat([last[0, 0], last[1, 0]]) + parameters["head.bias"])
        zero = torch.zeros(1, 2)
        forward, backward = states[0, :, :2], states[0, :, 2:]
        changes = torch.cat([forward - torch.cat([zero, forward[:-1]]), backward - torch.cat([backward[1:], zero])], -1)
        evidence[row, :, : len(document)] = (changes @ parameters["head.weight"].T).clamp_min(0).T
    return golden.answer(torch.stack(logits), parameters) | {"evidence": golden.digits(evidence)}


def multires_cnn():
    tokens, _, mask = golden.padded()
    shapes = {"embedding.weight": (7, 3)}
    for i, kernel in enumerate((1, 3)):
        channel = f"channels.{i}."
        shapes |= {channel + "base.weight": (3, 3, kernel), channel + "base.bias": (3,)}
        for name, (inputs, width) in {"first": (3, kernel), "second": (2, kernel), "shortcut": (3, 1)}.items():
            shapes |= {f"{channel}{name}.weight": (2, inputs, width)}
            shapes |= {f"{channel}{name}_norm.weight": (2,), f"{channel}{name}_norm.bias": (2,)}
    shapes |= {"attention.weight": (LABELS, 4), "head.weight": (LABELS, 4), "head.bias": (LABELS,)}
    parameters = parameters_of(shapes)
    running = {}
    norm = batch_norm(parameters, mask, running)

    def convolution(name, x):
        return golden.same(x, parameters[name + ".weight"], parameters.get(name + ".bias"))

    x = embed(parameters, tokens)
    outputs = []
    for i in range(2):
        channel = f"channels.{i}."
        base = torch.tanh(convolution(channel + "base", x)) * mask[..., None]
        hidden = torch.tanh(norm(channel + "first_norm", convolution(channel + "first", base))) * mask[..., None]
        residual = norm(channel + "second_norm", convolution(channel + "second", hidden))
        shortcut = norm(channel + "shortcut_norm", convolution(channel + "shortcut", base))
        outputs.append(torch.tanh(residual + shortcut))
    states = torch.cat(outputs, -1)
    weights = golden.attend(states, parameters["attention.weight"], mask)
    logits = golden.head(states, weights, parameters["head.weight"], parameters["head.bias"])
    return golden.answer(logits, parameters) | {"attention": golden.digits(weights)} | running


def ha_gru():
    """Sentences of two tokens, one document, sentence and label at a time; the last sentence may have one token."""
    shapes = {"attention.projection": (LABELS, 3, 4), "attention.score": (LABELS, 3), "embedding.weight": (7, 3)}
    shapes |= rnn_shapes("word_gru", 3, 3, 2)
    shapes |= {"word_attention.projection.weight": (3, 4), "word_attention.score.weight": (1, 3)}
    shapes |= rnn_shapes("sentence_gru", 3, 4, 2)
    parameters = parameters_of(shapes | {"head.weight": (LABELS, 4), "head.bias": (LABELS,)})
    word_gru = load(nn.GRU(3, 2, bidirectional=True, batch_first=True), parameters, "word_gru")
    sentence_gru = load(nn.GRU(4, 2, bidirectional=True, batch_first=True), parameters, "sentence_gru")

    def attend(states, projection, score):
        return (torch.tanh(states @ projection.T) @ score).softmax(0)

    logits, attention = [], torch.zeros(3, LABELS, 5)
    for row, document in enumerate(golden.DOCUMENTS):
        vectors, shares = [], []
        for start in range(0, len(document), 2):
            states = word_gru(embed(parameters, torch.tensor([document[start : start + 2]])))[0][0]
            projection, score = parameters["word_attention.projection.weight"], parameters["word_attention.score.weight"]
            shares.append(attend(states, projection, score[0]))
            vectors.append(shares[-1] @ states)
        states = sentence_gru(torch.stack(vectors)[None])[0][0]
        for label in range(LABELS):
            weights = attend(states, parameters["attention.projection"][label], parameters["attention.score"][label])
            logits.append(parameters["head.weight"][label] @ (weights @ states) + parameters["head.bias"][label])
            attention[row, label, : len(document)] = torch.cat([w * share for w, share in zip(weights, shares)])
    return golden.answer(torch.stack(logits).view(3, LABELS), parameters) | {"attention": golden.digits(attention)}


def msatt_kg():
    """Two scales; the parents of labels 0 and 1 is node 5, of labels 2 and 3 label 4, node by node."""
    parents = [5, 5, 4, 4, -1, -1]
    tokens, _, mask = golden.padded()
    shapes = {"nodes": (6, 3), "embedding.weight": (7, 3)}
    for i, inputs in enumerate((3, 4)):
        shapes |= {f"scales.convolutions.{i}.weight": (4, inputs, 3)}
        shapes |= {f"scales.norms.{i}.weight": (4,), f"scales.norms.{i}.bias": (4,)}
    for name in ("scales.hidden", "scales.scores"):
        shapes |= {name + ".weight": (2, 2), name + ".bias": (2,)}
    for i, inputs in enumerate((3, 4)):
        shapes |= {f"graph.{i}.own.weight": (4, inputs), f"graph.{i}.own.bias": (4,)}
        shapes |= {f"graph.{i}.parent.weight": (4, inputs), f"graph.{i}.child.weight": (4, inputs)}
    parameters = parameters_of(shapes | {"head.weight": (LABELS, 4), "head.bias": (LABELS,)})
    running = {}
    norm = batch_norm(parameters, mask, running)
    linear = lambda name, x: F.linear(x, parameters[name + ".weight"], parameters.get(name + ".bias"))

    def graph(name, x):
        rows = []
        for node, parent in enumerate(parents):
            row = linear(name + ".own", x[node])
            if parent >= 0:
                row = row + linear(name + ".parent", x[parent])
            children = [x[child] for child, its in enumerate(parents) if its == node]
            if children:
                row = row + linear(name + ".child", torch.stack(children).mean(0))
            rows.append(row)
        return torch.stack(rows)

    x, outputs = embed(parameters, tokens), []
    for i in range(2):
        convolved = golden.same(outputs[0] if i else x, parameters[f"scales.convolutions.{i}.weight"], None)
        outputs.append(torch.relu(norm(f"scales.norms.{i}", convolved)) * mask[..., None])
    means = torch.stack([output.mean(-1) for output in outputs], -1)
    choice = linear("scales.scores", torch.relu(linear("scales.hidden", means))).softmax(-1)
    states = choice[..., :1] * outputs[0] + choice[..., 1:] * outputs[1]
    queries = graph("graph.1", torch.relu(graph("graph.0", parameters["nodes"])))[:LABELS]
    weights = golden.attend(states, queries, mask)
    logits = golden.head(states, weights, parameters["head.weight"], parameters["head.bias"])
    return golden.answer(logits, parameters) | {"attention": golden.digits(weights)} | running


def hypercore():
    """Two neighbours per label and one ancestor; distances by the formula of the Poincaré ball, one pair at a time."""
    tokens, _, mask = golden.padded()
    shapes = {"descriptions": (LABELS, 3), "distance_weights": (LABELS, 2), "embedding.weight": (7, 3)}
    shapes |= {"convolution.weight": (4, 3, 3), "convolution.bias": (4,), "query.weight": (4, 3)}
    shapes |= {"graph.0.weight": (4, 3), "graph.0.bias": (4,), "graph.1.weight": (4, 4), "graph.1.bias": (4,)}
    parameters = parameters_of(shapes | {"direction.weight": (2, 4), "size.weight": (1, 4), "head.bias": (LABELS,)})
    neighbours = torch.tensor([[0, 1, 3], [1, 0, 2], [2, 1, 2], [3, 0, 4], [4, 3, 4]])
    shares = torch.tensor([[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.7, 0.3, 0], [0.4, 0.4, 0.2], [0.5, 0.5, 0]])
    points = golden.wave(60, LABELS, 2, 2)
    adjacency = torch.zeros(LABELS, LABELS)
    for label in range(LABELS):
        for other, share in zip(neighbours[label], shares[label]):
            adjacency[label, other] += share

    linear = lambda name, x: F.linear(x, parameters[name + ".weight"], parameters.get(name + ".bias"))
    convolved = golden.same(embed(parameters, tokens), parameters["convolution.weight"], parameters["convolution.bias"])
    states = torch.tanh(convolved)
    codes = parameters["descriptions"]
    weights = golden.attend(states, linear("query", codes), mask)
    codes = linear("graph.1", adjacency @ torch.relu(linear("graph.0", adjacency @ codes)))
    views = weights @ states  # (B, L, F)

    def distance(u, v):
        return torch.acosh(1 + 2 * ((u - v) ** 2).sum() / ((1 - (u**2).sum()) * (1 - (v**2).sum())))

    logits = []
    for document in range(3):
        for label in range(LABELS):
            view = views[document, label]
            point = 0.999 * torch.sigmoid(linear("size", view)) * F.normalize(linear("direction", view), dim=0)
            logit = view @ codes[label] + parameters["head.bias"][label]
            for weight, code in zip(parameters["distance_weights"][label], points[label]):
                logit = logit + weight * (distance(torch.zeros(2), code) - distance(point, code))
            logits.append(logit)
    buffers = {"neighbours": neighbours.float(), "neighbour_weights": shares, "points": points}
    return (
        golden.answer(torch.stack(logits).view(3, LABELS), parameters)
        | {"attention": golden.digits(weights)}
        | {name: golden.digits(buffer) for name, buffer in buffers.items()}
    )


def discnet():
    """Sentences of two tokens, descriptions as for DR-CAML (none: an unknown token); one document at a time."""
    descriptions = [[2, 3], [1], [4], [5, 6, 2], [6]]
    rarity = torch.tensor([[0.0], [0.0], [1.0], [1.0], [0.0]])
    both = lambda name, inputs: {name + ".weight": (3, inputs), name + ".bias": (3,)}
    shapes = {"label_vectors": (LABELS, 3), "embedding.weight": (7, 3), "description_embedding.weight": (7, 3)}
    shapes |= rnn_shapes("description_gru", 3, 3, 3) | both("description_projection", 6)
    shapes |= both("gate.hidden", 6) | both("gate.output", 3) | {"label_norm.weight": (3,), "label_norm.bias": (3,)}
    shapes |= both("query", 3) | both("output", 3) | rnn_shapes("word_gru", 3, 3, 3)
    shapes |= both("word_projection", 6) | both("sentence_ends", 6) | rnn_shapes("sentence_gru", 3, 3, 3)
    parameters = parameters_of(shapes | both("sentence_projection", 6) | both("clue", 3) | {"head.bias": (LABELS,)})
    gru = lambda name: load(nn.GRU(3, 3, bidirectional=True, batch_first=True), parameters, name)
    linear = lambda name, x: F.linear(x, parameters[name + ".weight"], parameters[name + ".bias"])
    last = []
    for description in descriptions:
        embedded = embed(parameters, torch.tensor([description]), "description_embedding.weight")
        last.append(torch.cat(list(gru("description_gru")(embedded)[1][:, 0])))
    described, free = linear("description_projection", torch.stack(last)), parameters["label_vectors"]
    gates = torch.sigmoid(linear("gate.output", torch.relu(linear("gate.hidden", torch.cat([described, free], -1)))))
    mixed = described * gates + free / free.norm(dim=-1, keepdim=True)
    codes = F.layer_norm(mixed, (3,), parameters["label_norm.weight"], parameters["label_norm.bias"], 1e-5)
    queries, outputs = torch.tanh(linear("query", codes)), torch.tanh(linear("output", codes))
    logits, attention = [], torch.zeros(3, LABELS, 5)
    for row, document in enumerate(golden.DOCUMENTS):
        embedded = embed(parameters, torch.tensor([document]))
        states = gru("word_gru")(embedded)[0][0]
        words, vectors = linear("word_projection", states), []
        for start in range(0, len(document), 2):
            end = min(start + 2, len(document))
            span = linear("sentence_ends", torch.cat([states[end - 1, :3], states[start, 3:]]))
            vectors.append(torch.relu(embedded[0, start:end].amax(0) + (queries @ span).softmax(0) @ queries))
        sentences = linear("sentence_projection", gru("sentence_gru")(torch.stack(vectors)[None])[0][0])
        by_word, by_sentence = (queries @ words.T).softmax(-1), (queries @ sentences.T).softmax(-1)
        clues = torch.maximum(by_word @ words, by_sentence @ sentences)
        strength = torch.relu(linear("clue", clues)) - torch.relu(parameters["clue.bias"])
        logits.append((outputs * strength).sum(-1) + parameters["head.bias"])
        for t in range(len(document)):
            words_of_sentence = min(2, len(document) - t // 2 * 2)
            attention[row, :, t] = (by_word[:, t] + by_sentence[:, t // 2] / words_of_sentence) / 2
    return golden.answer(torch.stack(logits), parameters) | {
        "attention": golden.digits(attention),
        "auxiliary": golden.digits(-0.5 * LABELS * (gates**2 * rarity).mean()),
        "rarity": golden.digits(rarity),
    }


def effective_can(multi_layer):
    """Blocks of 4 and 2 filters, squeezed to 2 and 1 features; the mean over tokens is taken document by document."""
    tokens, lengths, mask = golden.padded()
    shapes = {"embedding.weight": (7, 3)}
    for i, (inputs, filters) in enumerate(((3, 4), (4, 2))):
        block = f"blocks.{i}."
        shapes |= {block + "first.weight": (filters, inputs, 3)}
        shapes |= {block + "first_norm.weight": (filters,), block + "first_norm.bias": (filters,)}
        shapes |= {block + "second.weight": (filters, filters, 3)}
        shapes |= {block + "second_norm.weight": (filters,), block + "second_norm.bias": (filters,)}
        shapes |= {block + "squeeze.weight": (filters // 2, filters), block + "squeeze.bias": (filters // 2,)}
        shapes |= {block + "excite.weight": (filters, filters // 2), block + "excite.bias": (filters,)}
        shapes |= {block + "shortcut.weight": (filters, inputs, 1)}
        shapes |= {block + "shortcut_norm.weight": (filters,), block + "shortcut_norm.bias": (filters,)}
        shapes |= {block + "projection.weight": (3, filters)}
    views = 2 if multi_layer else 1
    shapes |= {f"attentions.{i}.weight": (LABELS, 3) for i in range(views)}
    parameters = parameters_of(shapes | {"head.weight": (LABELS, 3 * views), "head.bias": (LABELS,)})
    running = {}
    norm = batch_norm(parameters, mask, running)
    linear = lambda name, x: F.linear(x, parameters[name + ".weight"], parameters[name + ".bias"])
    x = embed(parameters, tokens)
    projected = []
    for i in range(2):
        block = f"blocks.{i}."
        convolution = lambda name, y: golden.same(y, parameters[block + name + ".weight"], None)
        hidden = torch.tanh(norm(block + "first_norm", convolution("first", x))) * mask[..., None]
        features = norm(block + "second_norm", convolution("second", hidden))
        means = torch.stack([features[row, :length].mean(0) for row, length in enumerate(lengths)])
        scales = torch.sigmoid(linear(block + "excite", torch.relu(linear(block + "squeeze", means))))
        residual = norm(block + "shortcut_norm", convolution("shortcut", x))
        x = torch.tanh(features * scales[:, None] + residual) * mask[..., None]
        projected.append(x @ parameters[block + "projection.weight"].T)
    states = projected if multi_layer else [projected[0] + projected[1]]
    weights = [golden.attend(h, parameters[f"attentions.{i}.weight"], mask) for i, h in enumerate(states)]
    view = torch.cat([a @ h for a, h in zip(weights, states)], -1)  # (B, L, 3 · views)
    logits = (view * parameters["head.weight"]).sum(-1) + parameters["head.bias"]
    return golden.answer(logits, parameters) | {"attention": golden.digits(sum(weights) / views)} | running


def joint_laat():
    """Labels 0 to 4 belong to the categories 0, 0, 1, 1, 2; `auxiliary` is the loss of the categories."""
    tokens, lengths, mask = golden.padded()
    shapes = {"embedding.weight": (7, 3)} | rnn_shapes("lstm", 4, 3, 2)
    for level, count in {"category_level": 3, "code_level": LABELS}.items():
        shapes |= {f"{level}.projection.weight": (3, 4), f"{level}.attention.weight": (count, 3)}
        shapes |= {f"{level}.head.weight": (count, 4), f"{level}.head.bias": (count,)}
    parameters = parameters_of(
        {"category_head.weight": (LABELS, 2)} | shapes | {"category_projection.weight": (2, 3)}
    )  # in the order of Layer.parameters(): own ones before those of submodules
    lstm = load(nn.LSTM(3, 2, bidirectional=True, batch_first=True), parameters, "lstm")
    states = golden.packed(lstm, embed(parameters, tokens), lengths)

    def level(name):
        keys = torch.tanh(states @ parameters[name + ".projection.weight"].T)
        weights = golden.attend(keys, parameters[name + ".attention.weight"], mask)
        return weights, golden.head(states, weights, parameters[name + ".head.weight"], parameters[name + ".head.bias"])

    _, categories = level("category_level")
    weights, own = level("code_level")
    projected = torch.sigmoid(torch.sigmoid(categories) @ parameters["category_projection.weight"].T)
    logits = own + projected @ parameters["category_head.weight"].T
    targets = torch.stack([TARGETS[:, :2].amax(1), TARGETS[:, 2:4].amax(1), TARGETS[:, 4]], 1)
    auxiliary = F.binary_cross_entropy_with_logits(categories, targets, reduction="sum") / 3
    return golden.answer(logits, parameters) | {
        "attention": golden.digits(weights),
        "auxiliary": golden.digits(auxiliary),
    }


def dr_caml():
    """Descriptions of the labels: tokens 2 3, none, 4, 5 6 2 (3 is cut off), 6; regularization 0.5; `auxiliary` is the regularizer."""
    descriptions = torch.tensor([[2, 3, 0], [0, 0, 0], [4, 0, 0], [5, 6, 2], [6, 0, 0]])
    tokens, _, mask = golden.padded()
    shapes = {"embedding.weight": (7, 3), "convolution.weight": (4, 3, 4), "convolution.bias": (4,)}
    shapes |= {"attention.weight": (LABELS, 4), "head.weight": (LABELS, 4), "head.bias": (LABELS,)}
    shapes |= {"description_embedding.weight": (7, 3), "description_convolution.weight": (4, 3, 4)}
    shapes |= {"description_convolution.bias": (4,), "description_projection.weight": (4, 4)}
    parameters = parameters_of(shapes | {"description_projection.bias": (4,)})
    with torch.no_grad():
        parameters["description_embedding.weight"][0] = 0

    def read(x, name):
        return torch.tanh(golden.same(x, parameters[name + ".weight"], parameters[name + ".bias"]))

    states = read(embed(parameters, tokens), "convolution")
    weights = golden.attend(states, parameters["attention.weight"], mask)
    logits = golden.head(states, weights, parameters["head.weight"], parameters["head.bias"])
    has_description = descriptions[:, 0] != 0
    descriptions = descriptions[has_description]
    described = read(embed(parameters, descriptions, "description_embedding.weight"), "description_convolution")
    pooled = described.masked_fill(descriptions[..., None] == 0, -1e30).amax(1)
    z = F.linear(pooled, parameters["description_projection.weight"], parameters["description_projection.bias"])
    distance = ((parameters["head.weight"][has_description] - z) ** 2).mean(1)
    auxiliary = 0.5 * LABELS * (TARGETS[:, has_description] * distance).sum(1).mean()
    total = (logits * golden.wave(golden.OUTPUT_WEIGHTS, 3, LABELS)).sum() + auxiliary
    total.backward()
    return {name: golden.digits(leaf.grad) for name, leaf in parameters.items()} | {
        "output": golden.digits(logits),
        "attention": golden.digits(weights),
        "auxiliary": golden.digits(auxiliary),
    }


def msmn():
    """Two LSTM layers, a projection to size 6, two terms of at most three tokens per label; label 1 has no term."""
    terms = [[[2, 3], [4]], [[1], [1]], [[4], [4]], [[5, 6, 2], [3, 5]], [[6], [2, 2]]]
    shapes = {"embedding.weight": (7, 3)} | rnn_shapes("lstm.0", 4, 3, 2) | rnn_shapes("lstm.1", 4, 4, 2)
    for name, (out, size) in {"hidden": (6, 4), "key": (6, 6), "query": (3, 6), "weight": (6, 6)}.items():
        shapes |= {f"{name}_projection.weight": (out, size), f"{name}_projection.bias": (out,)}
    parameters = parameters_of(shapes | {"bias_projection.weight": (1, 6), "head.bias": (1,)})
    lstm = [
        load(nn.LSTM(size, 2, bidirectional=True, batch_first=True), parameters, f"lstm.{n}") for n, size in enumerate((3, 4))
    ]

    def read(tokens):
        x = embed(parameters, torch.tensor([tokens]))
        for layer in lstm:
            x = layer(x)[0]
        return dense(parameters, "hidden_projection", x[0])  # (T, 6)

    queries = [[read(term).amax(0) for term in label] for label in terms]
    logits, attention, evidence = [], torch.zeros(3, LABELS, 5), torch.zeros(3, LABELS, 5)
    for row, document in enumerate(golden.DOCUMENTS):
        h = read(document)
        z = torch.tanh(dense(parameters, "key_projection", h))
        for l, label in enumerate(queries):
            weights = [(z[:, 3 * j : 3 * j + 3] @ dense(parameters, "query_projection", q)).softmax(0) for j, q in enumerate(label)]
            views = torch.stack([a @ h for a in weights])
            view, best = views.max(0)
            q = torch.stack(label).amax(0)
            w = dense(parameters, "weight_projection", q)
            logits.append(w @ view + parameters["bias_projection.weight"][0] @ q + parameters["head.bias"][0])
            attention[row, l, : len(document)] = (weights[0] + weights[1]) / 2
            summands = sum(weights[j][:, None] * h * w * (best == j) for j in range(2))
            evidence[row, l, : len(document)] = summands.sum(-1).clamp_min(0)
    return golden.answer(torch.stack(logits).view(3, LABELS), parameters) | {
        "attention": golden.digits(attention),
        "evidence": golden.digits(evidence),
    }


def r_drop():
    """The reference implementation averages over labels as well: its value times the number of labels."""
    p, q = golden.wave(1, 3, LABELS), golden.wave(2, 3, LABELS)
    kl = lambda a, b: F.kl_div(F.log_softmax(a, -1), F.softmax(b, -1), reduction="none").mean()
    return {"divergence": golden.digits(LABELS * (kl(p, q) + kl(q, p)) * 3)}


def encoder_shapes(prefix, positions, layers, projections):
    """A transformer of width 4 with an inner width of 6; `projections` are those of its attention."""
    shapes = {f"{prefix}embeddings.position_embeddings.weight": (positions, 4)}
    shapes |= {f"{prefix}embeddings.token_type_embeddings.weight": (2, 4)}
    shapes |= {f"{prefix}embeddings.word_embeddings.weight": (7, 4)}
    shapes |= {f"{prefix}embeddings.LayerNorm.weight": (4,), f"{prefix}embeddings.LayerNorm.bias": (4,)}
    for n in range(layers):
        layer = f"{prefix}encoder.layer.{n}."
        dense = [f"attention.self.{name}" for name in projections] + ["attention.output.dense"]
        for name, (out, size) in {name: (4, 4) for name in dense}.items():
            shapes |= {f"{layer}{name}.weight": (out, size), f"{layer}{name}.bias": (out,)}
        shapes |= {f"{layer}attention.output.LayerNorm.weight": (4,), f"{layer}attention.output.LayerNorm.bias": (4,)}
        shapes |= {f"{layer}intermediate.dense.weight": (6, 4), f"{layer}intermediate.dense.bias": (6,)}
        shapes |= {f"{layer}output.dense.weight": (4, 6), f"{layer}output.dense.bias": (4,)}
        shapes |= {f"{layer}output.LayerNorm.weight": (4,), f"{layer}output.LayerNorm.bias": (4,)}
    return shapes


def dense(parameters, name, x):
    return F.linear(x, parameters[name + ".weight"], parameters[name + ".bias"])


def norm(parameters, name, x):
    return F.layer_norm(x, (4,), parameters[name + ".weight"], parameters[name + ".bias"], 1e-5)


def heads(q, k, v, allowed):
    """Two heads of size 2 over one sequence, with a dense matrix (queries, keys) of allowed pairs."""
    outputs = []
    for columns in (slice(0, 2), slice(2, 4)):
        scores = q[:, columns] @ k[:, columns].T / math.sqrt(2)
        outputs.append(scores.masked_fill(~allowed, float("-inf")).softmax(-1) @ v[:, columns])
    return torch.cat(outputs, -1)


def full_attention(parameters, name, x):
    q, k, v = (dense(parameters, f"{name}.{kind}", x) for kind in ("query", "key", "value"))
    return heads(q, k, v, torch.ones(len(x), len(x), dtype=torch.bool))


def transformer(parameters, prefix, row, positions, layers, attention):
    """Hidden states (M, 4) of one row of tokens."""
    x = parameters[f"{prefix}embeddings.word_embeddings.weight"][row]
    x = x + parameters[f"{prefix}embeddings.position_embeddings.weight"][positions]
    x = norm(parameters, f"{prefix}embeddings.LayerNorm", x + parameters[f"{prefix}embeddings.token_type_embeddings.weight"][0])
    for n in range(layers):
        layer = f"{prefix}encoder.layer.{n}."
        attended = attention(parameters, layer + "attention.self", x)
        x = norm(
            parameters, layer + "attention.output.LayerNorm", x + dense(parameters, layer + "attention.output.dense", attended)
        )
        wide = F.gelu(dense(parameters, layer + "intermediate.dense", x))
        x = norm(parameters, layer + "output.LayerNorm", x + dense(parameters, layer + "output.dense", wide))
    return x


def plm_icd():
    """Segments of three tokens, each between begin (2) and end (3); token 2 of the first document is in two of them."""
    shapes = encoder_shapes("encoder.", 5, 1, ("query", "key", "value"))
    shapes |= {"projection.weight": (3, 4), "attention.weight": (LABELS, 3)}
    parameters = parameters_of(shapes | {"head.weight": (LABELS, 4), "head.bias": (LABELS,)})

    def segment(tokens):
        row = [2] + tokens + [3]
        return transformer(parameters, "encoder.", row, range(len(row)), 1, full_attention)[1:-1]

    logits, attention = [], torch.zeros(3, LABELS, 5)
    for row, document in enumerate(golden.DOCUMENTS):
        states = torch.cat([segment(document[:3]), segment(document[2:])[1:]]) if len(document) > 3 else segment(document)
        keys = torch.tanh(states @ parameters["projection.weight"].T)
        weights = (parameters["attention.weight"] @ keys.T).softmax(-1)
        attention[row, :, : len(document)] = weights
        logits.append(((weights @ states) * parameters["head.weight"]).sum(-1) + parameters["head.bias"])
    return golden.answer(torch.stack(logits), parameters) | {"attention": golden.digits(attention)}


def longformer_attention(globals_, reach):
    """Dense matrices: tokens see those within reach and the first `globals_` ones, which see all with own projections."""

    def attend(parameters, name, x):
        q, k, v = (dense(parameters, f"{name}.{kind}", x) for kind in ("query", "key", "value"))
        places = torch.arange(len(x))
        near = ((places[:, None] - places[None]).abs() <= reach) | (places[None] < globals_)
        local = heads(q, k, v, near)
        q, k, v = (dense(parameters, f"{name}.{kind}_global", x) for kind in ("query", "key", "value"))
        everywhere = heads(q, k, v, torch.ones(len(x), len(x), dtype=torch.bool))
        return torch.where((places < globals_)[:, None], everywhere, local)

    return attend


def kept():
    """Positions repeat after six; begin 2, end 3, mask 4; descriptions are cut after two tokens; reach 1."""
    descriptions = [[2, 3], [], [4], [5, 6], [6]]
    prompt = sum((description + [4] for description in descriptions), []) + [3]
    masks = [i + 1 for i in (2, 3, 5, 8, 10)]
    projections = ("query", "key", "value", "query_global", "key_global", "value_global")
    shapes = encoder_shapes("encoder.", 8, 2, projections)
    shapes |= {"head.answers": (2, 4), "head.transform.dense.weight": (4, 4), "head.transform.dense.bias": (4,)}
    shapes |= {"head.transform.LayerNorm.weight": (4,), "head.transform.LayerNorm.bias": (4,), "answer.bias": (1,)}
    parameters = parameters_of(shapes)
    attention = longformer_attention(len(prompt) + 1, 1)
    logits, evidence = [], torch.zeros(3, LABELS, 5)
    for n, document in enumerate(golden.DOCUMENTS):
        row = [2] + prompt + document + [3]
        assert [i for i in range(len(prompt)) if row[i] == 4 and i in masks] == masks
        positions = [2 + i % 6 for i in range(len(row))]
        states = transformer(parameters, "encoder.", row, positions, 2, attention)[masks]
        answers = norm(parameters, "head.transform.LayerNorm", F.gelu(dense(parameters, "head.transform.dense", states)))
        answers = answers @ parameters["head.answers"].T
        logits.append(answers[:, 0] - answers[:, 1] + parameters["answer.bias"])
        last = transformer(parameters, "encoder.", row, positions, 1, attention)
        q, k = (dense(parameters, f"encoder.encoder.layer.1.attention.self.{kind}_global", last) for kind in ("query", "key"))
        scores = [q[:, columns] @ k[:, columns].T / math.sqrt(2) for columns in (slice(0, 2), slice(2, 4))]
        weights = sum(score.softmax(-1) for score in scores) / 2
        evidence[n, :, : len(document)] = weights[masks][:, len(prompt) + 1 : -1]
    return golden.answer(torch.stack(logits), parameters) | {"evidence": golden.digits(evidence)}


golden.write(
    {
        "biGru": bi_gru(),
        "haGru": ha_gru(),
        "multiResCnn": multires_cnn(),
        "msattKg": msatt_kg(),
        "hyperCore": hypercore(),
        "discNet": discnet(),
        "effectiveCan": effective_can(False),
        "effectiveCanMultiLayer": effective_can(True),
        "jointLaat": joint_laat(),
        "drCaml": dr_caml(),
        "msmn": msmn(),
        "rDrop": r_drop(),
        "plmIcd": plm_icd(),
        "kept": kept(),
    }
)
