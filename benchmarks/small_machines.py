"""C libraries on microcontrollers: flash, RAM, stack, and instructions of a prediction, counted by QEMU.

Run `python benchmarks/small_machines.py [NET ...] [--target cortex-m4] [--record]`. Each net predicts in float32 and in
integers of 8 bits. QEMU runs one instruction in a nanosecond of its own clock (-icount shift=0), which the SysTick
timer of the board reads. The stack is filled with a pattern beforehand; what has lost it was used.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "clib"))
from target_kit import array, compiled, floats, said  # type: ignore[import-not-found]

import mochac
from mochac import (
    ConvolutionLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    GlobalPoolingLayer,
    InnerProductLayer,
    InputLayer,
    Net,
    Neurons,
    PoolingLayer,
)
from mochac.formats.clib.build import build

RESULTS = Path(__file__).parent / "results" / "small_machines.md"
INTRO = """# Small machines

Libraries that `mochac build --target` wrote for predictions of one sample, with weights in flash, in float32 and, with
`--quantize`, in integers of 8 bits. "weights" counts parameters. Flash is code and constants of the library; RAM is
`NAME_BYTES`, with the arena; the stack is what a prediction used of it, and the bound that the header states.
Instructions of a prediction are counted by QEMU {qemu}, to 40 of them. "off by" is the largest difference from Python's
outputs in float32, relative to the largest output. Written by `python benchmarks/small_machines.py --record`.
"""
HEAD = (
    "net", "target", "numbers", "weights", "flash", "RAM", "of it arena", "stack", "bound", "instructions", "off by",
)  # fmt: skip
MAIN = """
static unsigned char memory[{NAME}_BYTES] __attribute__((aligned({NAME}_ALIGNMENT)));
static float out[{n_out}];
#define SYSTICK ((volatile unsigned *)0xe000e010)
enum {{ STACK = 16384, TICK = 40, WRAP = 1 << 24 }};
static volatile unsigned char *top;
static __attribute__((noinline)) void fill(void) {{
    top = (volatile unsigned char *)__builtin_frame_address(0) - 64;
    for (int i = 1; i <= STACK; i++) {{ top[-i] = 0xa5; }}
}}
static unsigned used(void) {{
    unsigned n = STACK;
    while (n > 0 && top[-(int)n] == 0xa5) {{ n--; }}
    return n + 64;
}}
static volatile unsigned wraps;
static void count(void) {{ wraps++; }}
static void *own_vectors[16] __attribute__((aligned(128)));
int main(void) {{
    {name} *net;
    unsigned begin, end, stack;
    own_vectors[15] = (void *)count;
    *(void *volatile *)0xe000ed08 = own_vectors;
    if ({name}_init(memory, sizeof memory, &net) != {NAME}_OK) {{ fail("init"); }}
    SYSTICK[1] = WRAP - 1;
    SYSTICK[2] = 0;
    SYSTICK[0] = 7;
    fill();
    begin = SYSTICK[2];
    if ({name}_predict(net, data, 1, out) != {NAME}_OK) {{ fail("predict"); }}
    end = SYSTICK[2];
    stack = used();
    say_word(begin - end);
    say_word(wraps);
    say_word(stack);
    say_floats(out, {n_out});
    return 0;
}}
"""
TICK = 40
"""Instructions of a tick: the timers of these boards run at 25 MHz."""


def lenet() -> Net:
    return Net("lenet", [
        InputLayer(name="data", shape=(1, 1, 28, 28)),
        ConvolutionLayer(name="conv1", n_filter=20, kernel=5, bottoms=["data"]),
        PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"]),
        ConvolutionLayer(name="conv2", n_filter=50, kernel=5, bottoms=["pool1"]),
        PoolingLayer(name="pool2", kernel=2, stride=2, bottoms=["conv2"]),
        InnerProductLayer(name="ip1", output_dim=500, neuron=Neurons.ReLU(), bottoms=["pool2"]),
        InnerProductLayer(name="out", output_dim=10, bottoms=["ip1"]),
    ])  # fmt: skip


def ds_cnn() -> Net:
    """MLPerf Tiny's keyword spotting, its batch norms folded into the convolutions."""
    relu = Neurons.ReLU()
    layers = [
        InputLayer(name="data", shape=(1, 1, 49, 10)),
        ConvolutionLayer(name="c0", n_filter=64, kernel=(10, 4), stride=2, pad=(5, 1), neuron=relu, bottoms=["data"]),
    ]
    for k in range(1, 5):
        depthwise = {"n_filter": 64, "n_group": 64, "kernel": 3, "pad": 1, "neuron": relu}
        layers += [
            ConvolutionLayer(name=f"d{k}", bottoms=[f"c{k - 1}"], **depthwise),
            ConvolutionLayer(name=f"c{k}", n_filter=64, kernel=1, neuron=relu, bottoms=[f"d{k}"]),
        ]
    layers += [
        GlobalPoolingLayer(name="pool", bottoms=["c4"]),
        InnerProductLayer(name="out", output_dim=12, bottoms=["pool"]),
    ]
    return Net("ds_cnn", layers)


def autoencoder() -> Net:
    """MLPerf Tiny's anomaly detection."""
    layers = [InputLayer(name="data", shape=(1, 640))]
    below = "data"
    for k, n in enumerate([128] * 4 + [8] + [128] * 4):
        layers.append(InnerProductLayer(name=f"ip{k}", output_dim=n, neuron=Neurons.ReLU(), bottoms=[below]))
        below = f"ip{k}"
    layers.append(InnerProductLayer(name="out", output_dim=640, bottoms=[below]))
    return Net("autoencoder", layers)


def resnet8() -> Net:
    """MLPerf Tiny's image classification, its batch norms folded."""
    relu = Neurons.ReLU()
    layers = [
        InputLayer(name="data", shape=(1, 3, 32, 32)),
        ConvolutionLayer(name="c0", n_filter=16, kernel=3, pad=1, neuron=relu, bottoms=["data"]),
    ]
    below = "c0"
    for k, (n, stride) in enumerate([(16, 1), (32, 2), (64, 2)]):
        near = {"n_filter": n, "kernel": 3, "pad": 1}
        layers += [
            ConvolutionLayer(name=f"a{k}", stride=stride, neuron=relu, bottoms=[below], **near),
            ConvolutionLayer(name=f"b{k}", bottoms=[f"a{k}"], **near),
        ]
        beside = below
        if stride > 1:
            layers.append(ConvolutionLayer(name=f"s{k}", n_filter=n, kernel=1, stride=stride, bottoms=[below]))
            beside = f"s{k}"
        add = {"operation": ElementWiseFunctors.Add(), "neuron": relu}
        layers.append(ElementWiseLayer(name=f"r{k}", bottoms=[f"b{k}", beside], **add))
        below = f"r{k}"
    layers += [
        GlobalPoolingLayer(name="pool", bottoms=[below]),
        InnerProductLayer(name="out", output_dim=10, bottoms=["pool"]),
    ]
    return Net("resnet8", layers)


NETS = {"lenet": lenet, "ds_cnn": ds_cnn, "autoencoder": autoencoder, "resnet8": resnet8}


def samples_of(net: Net, n: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(n, *net.blobs["data"].shape[1:])).astype(np.float32)


def measured(name: str, target: str, integers: bool) -> list[str]:
    """A row of the table."""
    net = NETS[name]()
    data = samples_of(net, 1)
    with tempfile.TemporaryDirectory() as place, mochac.compile(net) as program:
        folder, more = Path(place), {"quantize": samples_of(net, 64)} if integers else {}
        build(net, folder, targets=[target], outputs="out", params=program.params, **more)
        wanted = np.ravel(program.predict(data))
        main = array("data", data) + MAIN.format(name=name, NAME=name.upper(), n_out=wanted.size)
        ticks, wraps, stack, *out = said(target, compiled(target, folder, name, main), ("-icount", "shift=0"))
        header = (folder / f"{name}.h").read_text()
        flash = text_bytes(folder / f"lib{name}.a")
    macros = ("BYTES", "ARENA_BYTES", "STACK_BYTES")
    ram, arena, bound = (int(header.split(f"{name.upper()}_{macro} ")[1].split()[0]) for macro in macros)
    count = ((int(ticks, 16) & 0xFFFFFF) + (int(wraps, 16) << 24)) * TICK
    off = float(np.abs(floats(out) - wanted).max() / np.abs(wanted).max())
    weights = sum(int(np.prod(p.shape)) for p in net.params)
    numbers = (weights, flash, ram, arena, int(stack, 16), bound, count)
    return [name, target, "int8" if integers else "float32", *(f"{n:,}" for n in numbers), f"{off:.1e}"]


def text_bytes(library: Path) -> int:
    """Code and constants of an archive."""
    listed = subprocess.run(["arm-none-eabi-size", "-t", str(library)], capture_output=True, text=True, check=True)
    return int(listed.stdout.splitlines()[-1].split()[0])


def main() -> None:
    """Print the table; with --record write it to results/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", metavar="NET", help=", ".join(NETS))
    parser.add_argument("--target", action="append", choices=["cortex-m4", "cortex-m7"])
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    targets = args.target or ["cortex-m4", "cortex-m7"]
    nets = args.nets or NETS
    rows = [measured(name, target, whole) for name in nets for target in targets for whole in (False, True)]
    lines = [HEAD, ["---"] * len(HEAD), *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
    print(table)
    if args.record:
        version = subprocess.run(["qemu-system-arm", "--version"], capture_output=True, text=True, check=True).stdout
        RESULTS.write_text(f"{INTRO.format(qemu=version.split()[3])}\n{table}")


if __name__ == "__main__":
    main()
