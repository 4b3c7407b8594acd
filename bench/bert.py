"""Pooled BERT as in `plant bench model pooled-bert`, in PyTorch and in ONNX Runtime, with the sizes of multilingual BERT.

All of them in turns: python bench/bert.py --plant ./plant --onnxruntime JAR --turns 3 --threads 2 --output results/bench/bert.json
One engine:           python bench/bert.py --engine onnxruntime --onnxruntime JAR --precision int8 --threads 2

Needs torch and onnx, and the jar com.microsoft.onnxruntime:onnxruntime. Weights are random.
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
parser.add_argument("--onnxruntime", metavar="JAR", required=True, help="ONNX Runtime for Java")
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


def quantize(graph):
    """Dynamic quantization as by ONNX Runtime's own tool: weights in int8 with a scale per column, inputs when they are known."""
    import numpy
    from onnx import TensorProto, helper, numpy_helper

    weights = {each.name: each for each in graph.initializer}
    nodes, quantized = [], {}
    for number, node in enumerate(graph.node):
        if node.op_type not in ("MatMul", "Gemm") or node.input[1] not in weights:
            nodes.append(node)
            continue
        weight = numpy_helper.to_array(weights[node.input[1]])
        if any(each.name == "transB" and each.i for each in node.attribute):
            weight = weight.T
        scale = numpy.maximum(numpy.abs(weight).max(0) / 127, 1e-12).astype(numpy.float32)
        for name, value in (("w", numpy.round(weight / scale).astype(numpy.int8)), ("s", scale),
                            ("z", numpy.zeros(weight.shape[1], numpy.int8))):
            graph.initializer.append(numpy_helper.from_array(value, f"{name}{number}"))
        source = node.input[0]
        if source not in quantized:
            quantized[source] = [f"{each}{number}" for each in ("xq", "xs", "xz")]
            nodes.append(helper.make_node("DynamicQuantizeLinear", [source], quantized[source]))
        x, x_scale, x_zero = quantized[source]
        product = node.output[0] if node.op_type == "MatMul" else f"p{number}"
        nodes += [helper.make_node("MatMulInteger", [x, f"w{number}", x_zero, f"z{number}"], [f"i{number}"]),
                  helper.make_node("Cast", [f"i{number}"], [f"f{number}"], to=TensorProto.FLOAT),
                  helper.make_node("Mul", [x_scale, f"s{number}"], [f"t{number}"]),
                  helper.make_node("Mul", [f"f{number}", f"t{number}"], [product])]
        if node.op_type == "Gemm":
            nodes.append(helper.make_node("Add", [product, node.input[2]], [node.output[0]]))
    used = {name for node in nodes for name in node.input}
    initializers = [each for each in graph.initializer if each.name in used]
    for field, values in ((graph.node, nodes), (graph.initializer, initializers), (graph.value_info, [])):
        del field[:]
        field.extend(values)


def measure_onnx(ids):
    """In Java, as a program on the JVM would use it."""
    import numpy
    import onnx
    import torch

    with tempfile.TemporaryDirectory() as directory:
        file, inputs, outputs = (os.path.join(directory, name) for name in ("bert.onnx", "ids", "logits"))
        model = torch_model()
        with torch.inference_mode():
            expected = model(ids).numpy()
        torch.onnx.export(model, (ids,), file, dynamo=False, opset_version=17)
        del model
        if args.precision == "int8":
            graph = onnx.load(file)
            quantize(graph.graph)
            onnx.save(graph, file)
            del graph
        ids.numpy().astype("<i8").tofile(inputs)
        command = ["java", "-cp", args.onnxruntime, os.path.join(os.path.dirname(__file__), "OnnxRuntime.java"), file, inputs,
                   outputs] + [str(each) for each in (len(ids), args.threads, args.steps, args.rounds)]
        version, *rounds = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        error = numpy.linalg.norm(numpy.fromfile(outputs, "<f4") - expected) / numpy.linalg.norm(expected)
        print(f"relative error of the logits {error:.2g}", file=sys.stderr)
    return version, [float(each) for each in rounds]


def measure_torch(ids):
    version, step = torch_step(ids)
    rounds = []
    for _ in range(args.rounds):
        start = time.perf_counter()
        for _ in range(args.steps):
            step()
        rounds.append(1000 * (time.perf_counter() - start) / args.steps)
    return version, rounds


def measure():
    """Version of the engine, and milliseconds of each round but the first."""
    import torch

    count, length = windows()
    torch.manual_seed(2)
    ids = torch.randint(2, args.vocabulary, (count, length + 2))  # with [CLS] and [SEP]
    version, rounds = measure_torch(ids) if args.engine == "torch" else measure_onnx(ids)
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
