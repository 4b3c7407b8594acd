"""Writes golden.json: results of PyTorch with an AWD-LSTM whose weights Python and Java fill by the same formula.

python golden.py > golden.json   (made with PyTorch 2.13 on the CPU; writes fastai.safetensors, too)

Numbers are written to eight digits. Gradients are those of sum(output * wave(99)). Names are those of fastai's AWD_LSTM.
"""

import json

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
WORDS, EMBEDDING, HIDDEN, LAYERS = 7, 3, 4, 3
OUTPUT_WEIGHTS = 99
DOCUMENTS = [[2, 3, 4, 5, 6], [6, 2], [4, 4, 3]]
TEXT = [2, 3, 4, 0, 5, 6, 2, 2, 3, 1, 4, 5, 6]  # 0 starts another document
WHOLE = [[2, 3, 4, 5], [6, 2, 2, 3]]


def wave(number, *shape):
    """The tensor of this number: 0.3 sin(i + 10 number), i counting its elements in row-major order."""
    count = torch.Size(shape).numel()
    i = torch.arange(count, dtype=torch.float64)
    return (0.3 * torch.sin(i + 10 * number)).float().reshape(shape)


def digits(tensor):
    return [float(f"{x:.8g}") for x in tensor.detach().double().flatten().tolist()]


def out(layer):
    return EMBEDDING if layer == LAYERS - 1 else HIDDEN


def model(before={}):
    """Embedding and layers filled in order after other parameters, and all parameters by their names in fastai."""
    lstms = [nn.LSTM(EMBEDDING if i == 0 else HIDDEN, out(i), batch_first=True) for i in range(LAYERS)]
    parameters = before | {"encoder.weight": nn.Parameter(torch.empty(WORDS, EMBEDDING))}
    for i, lstm in enumerate(lstms):
        parameters[f"rnns.{i}.weight_hh_l0_raw"] = lstm.weight_hh_l0
        for name in ["weight_ih_l0", "bias_ih_l0", "bias_hh_l0"]:
            parameters[f"rnns.{i}.module.{name}"] = getattr(lstm, name)
    with torch.no_grad():
        for number, parameter in enumerate(parameters.values()):
            parameter.copy_(wave(number, *parameter.shape))
        parameters["encoder.weight"][0] = 0
    return lstms, parameters


def read(lstms, parameters, tokens, memory):
    x = F.embedding(tokens, parameters["encoder.weight"], padding_idx=0)
    after = []
    for lstm, (h, c) in zip(lstms, memory):
        x, state = lstm(x, (h[None], c[None]))
        after += [state[0][0], state[1][0]]
    return x, after


def nothing(rows):
    return [(torch.zeros(rows, out(i)), torch.zeros(rows, out(i))) for i in range(LAYERS)]


def gradients(output, parameters):
    (output * wave(OUTPUT_WEIGHTS, *output.shape)).sum().backward()
    return {name: digits(parameter.grad) for name, parameter in parameters.items()}


def padded():
    """Documents of three lengths, without hidden states at padding."""
    tokens = torch.zeros(len(DOCUMENTS), 5, dtype=torch.long)
    for row, document in enumerate(DOCUMENTS):
        tokens[row, : len(document)] = torch.tensor(document)
    lstms, parameters = model()
    states, _ = read(lstms, parameters, tokens, nothing(3))
    output = states * (tokens != 0)[:, :, None]
    return {"output": digits(output)} | gradients(output, parameters)


def carried():
    """Hidden states and carried state, starting from a non-empty state."""
    lstms, parameters = model()
    memory = [(wave(60 + 2 * i, 2, out(i)), wave(61 + 2 * i, 2, out(i))) for i in range(LAYERS)]
    states, after = read(lstms, parameters, torch.tensor(WHOLE), memory)
    output = torch.cat([states.flatten()] + [each.flatten() for each in after])
    return {"output": digits(output)} | gradients(output, parameters)


def language():
    """Two windows of two columns; the loss and the gradients of the second, whose state comes from the first."""
    lstms, parameters = model({"decoder.bias": nn.Parameter(torch.empty(WORDS))})
    stream = torch.tensor([0] + TEXT)
    columns, rows = 2, 6
    memory = nothing(columns)
    answers = {}
    for start in (0, 3):
        places = torch.arange(columns)[:, None] * rows + start + torch.arange(3)[None, :]
        states, after = read(lstms, parameters, stream[places], memory)
        memory = [(after[2 * i].detach(), after[2 * i + 1].detach()) for i in range(LAYERS)]
        logits = states @ parameters["encoder.weight"][1:].T + parameters["decoder.bias"][1:]
        loss = F.cross_entropy(logits.flatten(0, 1), stream[places + 1].flatten() - 1, ignore_index=-1)
        loss = loss + 2 * states.pow(2).mean() + 1 * (states[:, 1:] - states[:, :-1]).pow(2).mean()
        for parameter in parameters.values():
            parameter.grad = None
        loss.backward()
        answers[f"loss{start}"] = digits(loss)
    fastai = lambda name: ("1." if name.startswith("decoder") else "0.") + name
    return answers | {fastai(name): digits(parameter.grad) for name, parameter in parameters.items()}


def masked():
    """Loss and gradients of three masked tokens: BERT with one layer, as PyTorch's transformer layer."""
    rows = torch.tensor([[2, 5, 4, 7, 6, 5, 3], [2, 7, 1, 6, 3, 0, 0]])  # begin 2, end 3, mask 4, padding 0
    hidden, right = [(0, 2), (0, 4), (1, 1)], torch.tensor([6, 8, 7])  # masked, replaced, unchanged
    words, width = 9, 4
    attention, output = "encoder.layer.0.attention.", "encoder.layer.0.output."
    shapes = {
        "embeddings.position_embeddings.weight": (8, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.word_embeddings.weight": (words, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for name in ("self.query", "self.key", "self.value", "output.dense"):
        shapes |= {f"{attention}{name}.weight": (width, width), f"{attention}{name}.bias": (width,)}
    shapes |= {f"{attention}output.LayerNorm.weight": (width,), f"{attention}output.LayerNorm.bias": (width,)}
    shapes |= {"encoder.layer.0.intermediate.dense.weight": (6, width), "encoder.layer.0.intermediate.dense.bias": (6,)}
    shapes |= {output + "dense.weight": (width, 6), output + "dense.bias": (width,)}
    shapes |= {output + "LayerNorm.weight": (width,), output + "LayerNorm.bias": (width,)}
    head = "cls.predictions."
    shapes |= {head + "transform.LayerNorm.weight": (width,), head + "transform.LayerNorm.bias": (width,)}
    shapes |= {head + "bias": (words,)}
    shapes |= {head + "transform.dense.weight": (width, width), head + "transform.dense.bias": (width,)}
    p = {name: nn.Parameter(torch.empty(shape)) for name, shape in shapes.items()}
    with torch.no_grad():
        for number, (name, parameter) in enumerate(p.items()):
            parameter.copy_(wave(number, *parameter.shape))
            parameter.add_(1 if name.endswith("LayerNorm.weight") else 0)
        p["embeddings.word_embeddings.weight"][0] = 0

    def norm(name, x):
        return F.layer_norm(x, (width,), p[name + ".weight"], p[name + ".bias"], 1e-5)

    x = F.embedding(rows, p["embeddings.word_embeddings.weight"], padding_idx=0)
    x = x + p["embeddings.position_embeddings.weight"][:7] + p["embeddings.token_type_embeddings.weight"][0]
    layer = nn.TransformerEncoderLayer(width, 2, 6, 0.0, "gelu", 1e-5, batch_first=True)
    own = {
        f"self_attn.in_proj_{kind}": torch.cat([p[f"{attention}self.{name}.{kind}"] for name in ("query", "key", "value")])
        for kind in ("weight", "bias")
    }
    for ours, theirs in {
        attention + "output.dense": "self_attn.out_proj",
        attention + "output.LayerNorm": "norm1",
        "encoder.layer.0.intermediate.dense": "linear1",
        output + "dense": "linear2",
        output + "LayerNorm": "norm2",
    }.items():
        own |= {f"{theirs}.{kind}": p[f"{ours}.{kind}"] for kind in ("weight", "bias")}
    x = torch.func.functional_call(layer, own, (norm("embeddings.LayerNorm", x),), {"src_key_padding_mask": rows == 0})
    states = torch.stack([x[place] for place in hidden])
    guess = F.gelu(F.linear(states, p[head + "transform.dense.weight"], p[head + "transform.dense.bias"]))
    guess = norm(head + "transform.LayerNorm", guess)
    logits = guess @ p["embeddings.word_embeddings.weight"][1:].T + p[head + "bias"][1:]  # without padding
    loss = F.cross_entropy(logits, right - 1)
    loss.backward()
    return {"loss": digits(loss)} | {name: digits(parameter.grad) for name, parameter in p.items()}


def safetensors(tensors):
    """The safetensors format: header length, JSON header, data."""
    header, data = {}, b""
    for name, (dtype, tensor) in tensors.items():
        numbers = tensor.detach().contiguous().view(torch.uint8).numpy().tobytes()
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def fastai():
    """A language model over another vocabulary, named and stored as in fastai, with duplicates; its hidden states."""
    lstms, parameters = model({"decoder.bias": nn.Parameter(torch.empty(WORDS))})
    words, bias = parameters["encoder.weight"], parameters["decoder.bias"]
    with torch.no_grad():
        words[0] = wave(70, EMBEDDING)  # not padding here
    stored = {"0.encoder.weight": words, "0.encoder_dp.emb.weight": words}
    for i, lstm in enumerate(lstms):
        stored[f"0.rnns.{i}.weight_hh_l0_raw"] = lstm.weight_hh_l0
        for name in ["weight_ih_l0", "bias_ih_l0", "weight_hh_l0", "bias_hh_l0"]:
            stored[f"0.rnns.{i}.module.{name}"] = getattr(lstm, name)
    stored |= {"1.decoder.weight": words, "1.decoder.bias": bias}
    with open("fastai.safetensors", "wb") as file:
        half = lambda name: name == "1.decoder.bias"
        file.write(safetensors({n: ("BF16", t.bfloat16()) if half(n) else ("F32", t) for n, t in stored.items()}))
    # Our vocabulary: padding, unknown, then five tokens at rows 3, 1, new, 6 and 5 of the checkpoint; unknown is its row 0.
    rows = torch.stack([torch.zeros(EMBEDDING), words[0], words[3], words[1], words.mean(0), words[6], words[5]])
    states, _ = read(lstms, {"encoder.weight": rows}, torch.tensor(WHOLE), nothing(2))
    half = bias.bfloat16().float()
    biases = torch.stack([torch.zeros(()), half[0], half[3], half[1], half.mean(), half[6], half[5]])
    return {"words": digits(rows), "bias": digits(biases), "states": digits(states)}


answers = {
    "padded": padded(),
    "carried": carried(),
    "language": language(),
    "fastai": fastai(),
    "masked": masked(),
}
print(
    json.dumps(answers, indent=0, separators=(",", ":"))
    .replace(",\n", ",")
    .replace("[\n", "[")
    .replace("\n]", "]")
    .replace('],"', '],\n"')
)
