"""Pooled BERT as in `plant bench model pooled-bert`, in PyTorch and in ONNX Runtime, with the sizes of multilingual BERT.

One engine:           python bench/bert.py --engine onnxruntime --precision int8 --threads 2
All of them in turns: python bench/bert.py --plant ./plant --turns 3 --threads 2 --output results/bench/bert@2-cores.json

Needs torch; ONNX Runtime also needs onnx, onnxscript and onnxruntime. Weights are random.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

# In the order of the table; ONNX Runtime has no bfloat16 on x86.
ENGINES = {"plant": "Plant4j", "torch": "PyTorch", "onnxruntime": "ONNX Runtime"}
PRECISIONS = {"plant": ["float32", "bfloat16", "int8"], "torch": ["float32", "bfloat16", "int8"],
              "onnxruntime": ["float32", "int8"]}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name, value in dict(tokens=1000, window=200, overlap=50, labels=850, vocabulary=119547, layers=12, hidden=768, heads=12,
                        intermediate=3072, steps=5, rounds=4, threads=0, turns=3).items():
    parser.add_argument(f"--{name}", type=int, default=value)
parser.add_argument("--engine", choices=["torch", "onnxruntime"], help="measure this one only")
parser.add_argument("--precision", default="float32", choices=["float32", "bfloat16", "int8"])
parser.add_argument("--plant", default="plant", help="the command plant")
parser.add_argument("--output", help="write the times of all engines as JSON")
args = parser.parse_args()


def windows():
    """Number and length of the windows of a document: as few as possible, all of the same length."""
    if args.tokens <= args.window:
        return 1, args.tokens
    count = -(-(args.tokens - args.overlap) // (args.window - args.overlap))
    return count, -(-(args.tokens + (count - 1) * args.overlap) // count)


def torch_model():
    import torch
    from torch import nn

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.projections = nn.Linear(args.hidden, 3 * args.hidden)
            self.attention_output = nn.Linear(args.hidden, args.hidden)
            self.attention_norm = nn.LayerNorm(args.hidden, eps=1e-12)
            self.intermediate = nn.Linear(args.hidden, args.intermediate)
            self.output = nn.Linear(args.intermediate, args.hidden)
            self.output_norm = nn.LayerNorm(args.hidden, eps=1e-12)

        def forward(self, x):
            rows, length, size = x.shape
            q, k, v = (part.view(rows, length, args.heads, -1).transpose(1, 2) for part in self.projections(x).chunk(3, -1))
            attended = nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(rows, length, size)
            x = self.attention_norm(x + self.attention_output(attended))
            return self.output_norm(x + self.output(nn.functional.gelu(self.intermediate(x))))

    class PooledBert(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(args.vocabulary, args.hidden)
            self.positions = nn.Parameter(torch.randn(512, args.hidden) * 0.02)
            self.norm = nn.LayerNorm(args.hidden, eps=1e-12)
            self.layers = nn.ModuleList(Layer() for _ in range(args.layers))
            self.pooler = nn.Linear(args.hidden, args.hidden)
            self.labels = nn.Linear(args.hidden, args.labels)

        def forward(self, ids):
            x = self.norm(self.tokens(ids) + self.positions[:ids.shape[1]])
            for layer in self.layers:
                x = layer(x)
            return self.labels(torch.tanh(self.pooler(x[:, 0]))).amax(0)

    torch.manual_seed(1)
    return PooledBert().eval()


def torch_step(ids):
    import torch

    if args.threads:
        torch.set_num_threads(args.threads)
    model = torch_model()
    if args.precision == "int8":
        model = torch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)

    def step():
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=args.precision == "bfloat16"):
            return torch.sigmoid(model(ids).float()).numpy()

    return torch.__version__, step


def onnx_step(ids, directory):
    import numpy
    import onnxruntime
    import torch

    model = torch_model()
    with torch.inference_mode():
        expected = model(ids).numpy()
    file = os.path.join(directory, "bert.onnx")
    torch.onnx.export(model, (ids,), file, dynamo=True, external_data=False, verbose=False)
    del model
    if args.precision == "int8":
        import onnx
        from onnxruntime.quantization import QuantType, quantize_dynamic

        graph = onnx.load(file)
        del graph.graph.value_info[:]  # shapes of the exporter, which those of transposed weights contradict
        onnx.save(graph, file)
        quantize_dynamic(file, file, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul", "Gemm"])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = args.threads
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    inputs = {session.get_inputs()[0].name: ids.numpy()}

    def logits():
        return session.run(None, inputs)[0]

    error = numpy.linalg.norm(logits() - expected) / numpy.linalg.norm(expected)
    print(f"relative error of the logits {error:.2g}", file=sys.stderr)
    return onnxruntime.__version__, lambda: 1 / (1 + numpy.exp(-logits()))


def measure():
    """Milliseconds of each round but the first, and the version of the engine."""
    import torch

    count, length = windows()
    torch.manual_seed(2)
    ids = torch.randint(2, args.vocabulary, (count, length + 2))  # with [CLS] and [SEP]
    with tempfile.TemporaryDirectory() as directory:
        version, step = torch_step(ids) if args.engine == "torch" else onnx_step(ids, directory)
        rounds = []
        for _ in range(args.rounds):
            start = time.perf_counter()
            for _ in range(args.steps):
                step()
            rounds.append(1000 * (time.perf_counter() - start) / args.steps)
    return version, rounds[1:]


def measure_plant(precision):
    command = [args.plant, "bench", "model", "pooled-bert", "--device", "cpu", "--batch-size", "1", "--predict-only", "--json",
               "--set", f"model.window={args.window}", "--set", f"model.overlap={args.overlap}", "--precision", precision]
    for name in ("tokens", "labels", "vocabulary", "steps", "rounds", "threads"):
        command += [f"--{name}", str(getattr(args, name))]
    result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return {"version": "", "rounds_ms": result["prediction, 1 document"]["rounds_ms"]}


def measure_process(engine, precision):
    shape = [f"--{name}={getattr(args, name)}" for name in vars(args) if name not in ("engine", "precision", "output", "plant")]
    command = [sys.executable, __file__, "--engine", engine, "--precision", precision, *shape]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1])


def compare():
    """All engines in turns, each in a process of its own."""
    times = {(engine, precision): [] for engine in ENGINES for precision in PRECISIONS[engine]}
    versions = {}
    for turn in range(args.turns):
        for engine, precision in list(times) if turn % 2 == 0 else reversed(list(times)):
            result = measure_plant(precision) if engine == "plant" else measure_process(engine, precision)
            versions[engine] = result["version"]
            times[engine, precision].append(statistics.median(result["rounds_ms"]))
            print(f"{ENGINES[engine]:14s}{precision:10s}{times[engine, precision][-1]:9.1f} ms", file=sys.stderr)
    count, length = windows()
    return {
        "title": f"BERT in Plant4j, PyTorch and ONNX Runtime: {args.tokens:,} tokens in {count} windows of {length + 2}",
        "command": "python bench/bert.py --plant ./plant " + " ".join(
            f"--{name} {getattr(args, name)}" for name in ("tokens", "labels", "threads", "steps", "rounds", "turns")),
        "processors": os.cpu_count(),
        "turns": args.turns,
        "rows": {f"{engine}, {precision}": {"engine": f"{ENGINES[engine]} {versions[engine]}".strip(), "precision": precision,
                                            "median_ms": statistics.median(values), "ms": values}
                 for (engine, precision), values in times.items()},
    }


if args.engine:
    version, rounds = measure()
    print(json.dumps({"version": version, "rounds_ms": rounds}))
else:
    result = json.dumps(compare(), indent=2)
    if args.output:
        with open(args.output, "w", encoding="utf-8") as file:
            file.write(result + "\n")
    else:
        print(result)
