"""mochac in one file: every stage of a net on its way from Python to machine code.

    python tour.py

Read it from top to bottom; each section prints what it explains. Nothing is downloaded: the task is to find the
brightest quarter of a small image.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import mochac
from mochac import *


def section(title: str) -> None:
    print(f"\n=== {title} {'=' * (90 - len(title))}\n")


def some_lines(text: str, count: int, containing: str = "") -> None:
    """The first `count` lines (that contain something)."""
    lines = [line for line in text.splitlines() if containing in line]
    print("\n".join(lines[:count]) + ("\n..." if len(lines) > count else ""))


def brightest_quarter(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n images (n, 1, 12, 12) of noise in which one quarter is brighter, and which one, 0 to 3."""
    rng = np.random.default_rng(seed)
    images = rng.uniform(0, 1, (n, 1, 12, 12)).astype(np.float32)
    quarter = rng.integers(0, 4, n)
    for image, q in zip(images, quarter, strict=True):
        row, column = 6 * (q // 2), 6 * (q % 2)
        image[0, row : row + 6, column : column + 6] += 0.15
    return images, quarter


# --- 1. A net is a list of layers ----------------------------------------------------------------------------------
#
# A layer is a frozen record with Mocha's names and defaults. Layers find each other by the names of blobs: a layer
# reads its `bottoms` and makes its `tops`. Their order in the list does not matter. All errors in the wiring and in
# shapes are reported when the net is built, with the line that made the layer.

section("1. define")
images, quarters = brightest_quarter(2000, seed=1)
data = MemoryDataLayer(name="images", data=[images, quarters], batch_size=50, shuffle=True, tops=["data", "label"])
conv = ConvolutionLayer(name="conv", n_filter=8, kernel=(3, 3), neuron=Neurons.ReLU(), bottoms=["data"], tops=["conv"])
pool = PoolingLayer(name="pool", kernel=(2, 2), stride=(2, 2), bottoms=["conv"], tops=["pool"])
ip = InnerProductLayer(name="ip", output_dim=4, bottoms=["pool"], tops=["ip"])
loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])
net = Net("quarters", [data, conv, pool, ip, loss])
print(net)

section("1b. errors are reported here, all at once")
try:
    Net("wrong", [data, conv.replace(kernel=(30, 30)), pool.replace(bottoms=["convv"]), ip, loss])
except MochacError as error:
    print(error.report)

# --- 2. compile ----------------------------------------------------------------------------------------------------
#
# The result is one native step: forward, backward and update in a few kernels, with a single memory plan. `explain`
# shows the kernels, which neighbours were fused into one kernel, and why the others were not.

section("2. compile and explain")
program = mochac.compile(net, seed=3)
explained = program.explain()
print(explained[: explained.index("Plan:")])
print(explained[explained.index("Not fused") :])

# --- 3. the Graph --------------------------------------------------------------------------------------------------
#
# The first of three intermediate representations: a list of tensor operations, each with its type and the layer it
# comes from. Layers have no backward code: the operations whose names begin with "d." were derived from the rules of
# the forward ones, and the solver's update is graph code too. `dump` writes every stage as a file.

section("3. the graph as traced: forward, backward, update")
dump = Path(tempfile.mkdtemp(prefix="mochac-tour-"))
program.dump(dump)
some_lines((dump / "00-trace.graph").read_text(), 12)

section("3b. after the last pass: layouts chosen (blocked: the batch innermost), nodes in groups")
last = max(dump.glob("*.graph"))
print(f"{last.name}\n")
some_lines(last.read_text(), 12)

section("3c. a pass is a function from Graph to Graph; it can be run on text")
graph = mochac.ir.parse("""
graph @g(%x: f32[2,3]) {
  %a: f32[2,3] = neg(%x)
  %b: f32[2,3] = neg(%a)
  %y: f32[2,3] = exp(%b)
  return %y
}""")
print(mochac.passes.run("simplify", graph))

section("3d. a graph can be run without a compiler: the interpreter defines what every operation means")
result = mochac.ir.run(graph, {"x": np.zeros((2, 3), np.float32)})
print(result.outputs)

# --- 4. one Kernel -------------------------------------------------------------------------------------------------
#
# Each group of nodes becomes a kernel, at first with a loop nest for each operation. Convolution, ReLU and pooling are
# one kernel here. The first steps of its schedule put the nests into each other, so that the convolution's result is
# never stored in memory. That gives one naive nest.

section("4. the kernels of a step")
for made in program.kernels:
    print(f"{made.name:32} {made.flops:9,} flop   layers {', '.join(made.layers)}")

kernel = next(k for k in program.kernels if "conv" in k.ops)
section(f"4b. {kernel.name} as lowered: a nest per operation")
print(kernel.staged)
section("4c. as one nest: naive, correct, slow")
print(kernel.naive)

# --- 5. its Schedule -----------------------------------------------------------------------------------------------
#
# A schedule says how to run the nests fast on this CPU. It is data: a list of steps that split, reorder and unroll
# loops, chosen by a rule that knows vectors and registers. Applying it gives another kernel, which the interpreter can
# run too. So a schedule may be slow, but its meaning is checked.

section("5. its schedule")
print(kernel.schedule)

section("5b. the nest with its schedule applied")
some_lines(kernel.text, 40)

# --- 6. LLVM IR and assembly ---------------------------------------------------------------------------------------
#
# The printer writes the scheduled nest as LLVM IR in its final form: no optimizer runs, only instruction selection.

section("6. LLVM IR: the fused multiply-adds of the inner loop")
some_lines(kernel.llvm, 6, containing="@llvm.fma")
print(f"{len(kernel.llvm.splitlines())} lines in all")

section("6b. assembly of the same")
some_lines(kernel.assembly, 6, containing="fm")

# --- 7. train ------------------------------------------------------------------------------------------------------
#
# The step runs many times in one call; control returns to Python only for coffee breaks. Parameters live outside the
# program, so the test net shares them by layer name.

section("7. train")
test_images, test_quarters = brightest_quarter(500, seed=2)
test_data = MemoryDataLayer(name="more-images", data=[test_images, test_quarters], batch_size=100)
accuracy = AccuracyLayer(name="test", bottoms=["ip", "label"])
test = mochac.compile(Net("quarters-test", [test_data, conv, pool, ip, accuracy]), params=program.params)

solver = Solver(SGD(0.05, momentum=0.9), max_iter=400)
solver.add_coffee_break(TrainingSummary(), every_n_iter=100)
solver.add_coffee_break(ValidationPerformance(test), every_n_iter=400)
lounge = program.train(solver)
print({iteration: round(value, 3) for iteration, value in lounge.statistics["obj_val"].items()})

section("7b. profile of a step")
print(program.profile(20))

# --- 8. predict, save, look inside -----------------------------------------------------------------------------------

section("8. predict any number of samples, with no new net")
print("predicted", program.predict(test_images[:8]).argmax(axis=1))
print("actual   ", test_quarters[:8])

section("8b. blobs and gradients of one batch")
loss_value = program.forward()
program.backward()
print(f"loss {loss_value:.4f}, blob 'pool' {program.blobs['pool'].shape}")
print(f"gradient of the filters {program.grads['conv']['filter'].shape}")

section("8c. the model in an HDF5 file, in the layout Mocha and Caffe use")
program.save(dump / "model.h5")
test.load(dump / "model.h5")
print(f"accuracy after loading: {test.evaluate()['test-accuracy']:.1%}")

program.close()
test.close()
print(f"\nEvery stage of every kernel is in {dump}; `mochac replay {dump}` runs the stages and compares them.")
