"""PLANT as in `plant bench plant`, in PyTorch: the equations of the paper, with three (B, L, H) products."""
import argparse
import statistics
import subprocess
import time

import torch
from torch import nn

parser = argparse.ArgumentParser()
for name, value in dict(batch_size=16, tokens=72, labels=8929, vocabulary=57352, relevant_tokens=1000, steps=20, rounds=4,
                        threads=0).items():
    parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=value)
parser.add_argument("--encoder", default="awd-lstm", choices=["awd-lstm", "bilstm"])
parser.add_argument("--variant", default="literal", choices=["literal", "encoder"], help="encoder: without decoder")
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
parser.add_argument("--precision", default="float32", choices=["float32", "bfloat16"])
args = parser.parse_args()
if args.threads:
    torch.set_num_threads(args.threads)
functional = nn.functional


def variational_dropout(x, share, training):
    """Dropout whose mask is the same for every token of a document."""
    if not training:
        return x
    return x * x.new_empty(x.shape[0], 1, x.shape[2]).bernoulli_(1 - share).div_(1 - share)


class DroppedLstm(nn.Module):
    def __init__(self, size, width):
        super().__init__()
        self.width = width
        self.weights = nn.ParameterList(nn.LSTM(size, width).parameters())

    def forward(self, x):
        inputs, recurrent, *biases = self.weights
        weights = [inputs, functional.dropout(recurrent, 0.2, self.training), *biases]
        zeros = x.new_zeros(1, x.shape[0], self.width)
        return torch.lstm(x, (zeros, zeros), weights, True, 1, 0.0, self.training, False, True)[0]


class AwdLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 400
        self.embedding = nn.Embedding(args.vocabulary, 400, padding_idx=0)
        self.layers = nn.ModuleList([DroppedLstm(400, 1152), DroppedLstm(1152, 1152), DroppedLstm(1152, 400)])

    def forward(self, tokens):
        x = self.embedding(tokens)
        if self.training:
            x = x * functional.dropout(x.new_ones(args.vocabulary, 1), 0.02)[tokens]
        x = variational_dropout(x, 0.25, self.training)
        for i, layer in enumerate(self.layers):
            x = layer(x if i == 0 else variational_dropout(x, 0.15, self.training))
        return x


class BiLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 512
        self.embedding = nn.Embedding(args.vocabulary, 200, padding_idx=0)
        self.lstm = nn.LSTM(200, 256, batch_first=True, bidirectional=True)

    def forward(self, tokens):
        return self.lstm(functional.dropout(self.embedding(tokens), 0.5, self.training))[0]


class Gains:
    """Random relevant tokens per label, stored by token; a batch gathers the pairs of its own tokens."""

    def __init__(self):
        real, kept = args.vocabulary - 2, min(args.relevant_tokens, args.vocabulary - 2)
        generator = torch.Generator().manual_seed(2)
        start = torch.randint(real, (args.labels, 1), generator=generator)
        stride = torch.randint(1, max(2, real // kept + 1), (args.labels, 1), generator=generator)
        relevant = (2 + (start + torch.arange(kept) * stride) % real).flatten()
        order = torch.sort(relevant, stable=True)[1]
        self.labels = (order // kept).to(args.device)
        self.gains = (1.0 / (1 + order % kept)).to(args.device)
        self.starts = torch.zeros(args.vocabulary + 1, dtype=torch.long)
        self.starts[1:] = torch.bincount(relevant, minlength=args.vocabulary).cumsum(0)

    def __call__(self, tokens):
        flat = tokens.flatten()
        sizes = self.starts[flat + 1] - self.starts[flat]
        total = int(sizes.sum())
        shifts = (self.starts[flat] - (sizes.cumsum(0) - sizes)).to(args.device)
        owners = torch.repeat_interleave(sizes.to(args.device), output_size=total)
        places = torch.arange(total, device=args.device) + shifts[owners]
        rows = torch.div(owners, args.tokens, rounding_mode="floor")
        gains = torch.zeros(len(tokens), args.labels, args.tokens, device=args.device)
        gains.view(-1)[(rows * args.labels + self.labels[places]) * args.tokens + owners % args.tokens] = \
            self.gains[places]
        return gains / (1 + gains.sum(-1, keepdim=True))


class Plant(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = AwdLstm() if args.encoder == "awd-lstm" else BiLstm()
        width = self.encoder.width
        self.queries = nn.Parameter(torch.randn(args.labels, width) * 0.03)
        self.weight = nn.Parameter(torch.randn(args.labels, width) * 0.03)
        self.bias = nn.Parameter(torch.full((args.labels,), -3.0))
        self.rank_tokens = nn.Embedding(args.vocabulary, 100)
        self.rank_labels = nn.Parameter(torch.randn(args.labels, 100) * 0.1)
        self.word_bias = nn.Embedding(args.vocabulary, 1)
        self.label_bias = nn.Parameter(torch.zeros(args.labels, 1))

    def forward(self, tokens, gains):
        states = functional.dropout(self.encoder(tokens), 0.3, self.training)  # H: (B, T, H)
        padding = (tokens == 0).unsqueeze(1)
        learned = torch.softmax((self.queries @ states.transpose(1, 2)).masked_fill(padding, float("-inf")), -1)
        scores = self.rank_labels @ self.rank_tokens(tokens).transpose(1, 2)
        scores = scores + self.label_bias + self.word_bias(tokens).transpose(1, 2)
        planted = torch.softmax(scores.masked_fill(padding, float("-inf")), -1)
        views = learned @ states + gains @ states + planted @ states  # (B, L, H)
        return (views * self.weight).sum(-1) + self.bias


def synchronize():
    if args.device == "cuda":
        torch.cuda.synchronize()


def gpu_mib():
    """GPU memory in use according to the driver, as `plant bench plant` reports it."""
    try:
        return int(subprocess.run(["nvidia-smi", "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
                                  capture_output=True, text=True, check=True).stdout)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0


def timed(name, documents, step):
    rounds = []
    for _ in range(args.rounds):
        synchronize()
        start = time.perf_counter()
        for i in range(args.steps):
            step(i)
        synchronize()
        rounds.append(1000 * (time.perf_counter() - start) / args.steps)
    rounds = rounds[1:]
    median = statistics.median(rounds)
    memory = ""
    if args.device == "cuda":
        memory = (f"   GPU {gpu_mib() - before} MiB (allocated {torch.cuda.max_memory_allocated() >> 20}, "
                  f"reserved {torch.cuda.max_memory_reserved() >> 20})")
    print(f"{name:20s} median {median:9.2f} ms   best {min(rounds):9.2f}   worst {max(rounds):9.2f}   "
          f"{1000 * documents * args.tokens / median:9.0f} tokens/s{memory}", flush=True)


torch.manual_seed(1)
before = 0
if args.device == "cuda":
    torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda")  # the memory of CUDA itself is not counted
    before = gpu_mib()
model = Plant().to(args.device)
gains = Gains()
optimizer = torch.optim.AdamW((model.encoder if args.variant == "encoder" else model).parameters(), lr=1e-3, weight_decay=0.01, fused=True)
tokens = torch.randint(2, args.vocabulary, (args.steps, args.batch_size, args.tokens))
targets = (torch.rand(args.steps, args.batch_size, args.labels) < 12 / args.labels).float()


def autocast():
    return torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.precision == "bfloat16")


def train(i):
    model.train()
    optimizer.zero_grad()
    if args.variant == "encoder":
        with autocast():
            states = functional.dropout(model.encoder(tokens[i].to(args.device)), 0.3, True)
        states.float().sum().backward()
        torch.nn.utils.clip_grad_norm_(model.encoder.parameters(), 1.0)
        optimizer.step()
        return
    with autocast():
        logits = model(tokens[i].to(args.device), gains(tokens[i]))
    loss = functional.binary_cross_entropy_with_logits(logits.float(), targets[i].to(args.device), reduction="sum")
    (loss / args.batch_size).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def predict(documents):
    def step(i):
        model.eval()
        some = tokens[0, :documents]
        with torch.inference_mode(), autocast():
            torch.sigmoid(model(some.to(args.device), gains(some)).float()).cpu()
    return step


weights = sum(parameter.numel() for parameter in model.parameters())
print(f"torch {torch.__version__}, {args.variant}, {weights:,} parameters, {vars(args)}")
timed("training step", args.batch_size, train)
if args.variant == "literal":
    timed(f"prediction of {args.batch_size}", args.batch_size, predict(args.batch_size))
    timed("prediction of 1", 1, predict(1))
