"""LAAT as in `plant bench laat`, in PyTorch: the same shapes, loss and optimizer."""
import argparse
import statistics
import time

import torch
from torch import nn

parser = argparse.ArgumentParser()
for name, value in dict(batch_size=8, tokens=500, labels=1000, vocabulary=30000, embedding=100, hidden=256, projection=256,
                        steps=20, rounds=4, threads=0).items():
    parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=value)
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
parser.add_argument("--precision", default="float32")
args = parser.parse_args()
if args.threads:
    torch.set_num_threads(args.threads)


class Laat(nn.Module):
    def __init__(self):
        super().__init__()
        states = 2 * args.hidden
        self.embedding = nn.Embedding(args.vocabulary, args.embedding, padding_idx=0)
        self.lstm = nn.LSTM(args.embedding, args.hidden, batch_first=True, bidirectional=True)
        self.projection = nn.Linear(states, args.projection, bias=False)
        self.attention = nn.Linear(args.projection, args.labels, bias=False)
        self.weight = nn.Parameter(torch.randn(args.labels, states) * 0.03)
        self.bias = nn.Parameter(torch.full((args.labels,), -3.0))
        self.dropout = nn.Dropout(0.3)

    def forward(self, tokens):
        states = self.dropout(self.lstm(self.dropout(self.embedding(tokens)))[0])
        scores = self.attention(torch.tanh(self.projection(states))).transpose(1, 2)
        scores = scores.masked_fill((tokens == 0).unsqueeze(1), float("-inf"))
        views = torch.softmax(scores, -1) @ states
        return (views * self.weight).sum(-1) + self.bias


def synchronize():
    if args.device == "cuda":
        torch.cuda.synchronize()


def autocast():
    return torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.precision == "bfloat16")


def timed(name, step):
    rounds = []
    for _ in range(args.rounds):
        synchronize()
        start = time.perf_counter()
        for i in range(args.steps):
            step(i)
        synchronize()
        rounds.append(1000 * (time.perf_counter() - start) / args.steps)
    rounds = rounds[1:]
    print(f"{name:28s} median {statistics.median(rounds):9.2f} ms   best {min(rounds):9.2f}   worst {max(rounds):9.2f}")


torch.manual_seed(1)
model = Laat().to(args.device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01, fused=True)
tokens = torch.randint(2, args.vocabulary, (args.steps, args.batch_size, args.tokens))
targets = (torch.rand(args.steps, args.batch_size, args.labels) < 12 / args.labels).float()


def train(i):
    model.train()
    optimizer.zero_grad()
    with autocast():
        logits = model(tokens[i].to(args.device))
    loss = nn.functional.binary_cross_entropy_with_logits(logits.float(), targets[i].to(args.device), reduction="sum")
    (loss / args.batch_size).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def predict(documents):
    def step(i):
        model.eval()
        with torch.inference_mode(), autocast():
            torch.sigmoid(model(tokens[0, :documents].to(args.device)).float()).cpu()
    return step


print(f"torch {torch.__version__}, {vars(args)}")
timed("training step", train)
timed(f"prediction, {args.batch_size} documents", predict(args.batch_size))
timed("prediction, 1 document", predict(1))
