"""A program whose plan is in the cache imports what runs it, and neither the compiler nor what the net does not use."""

import json
import os
import subprocess
import sys

import pytest

TRAINS = """
import json, sys
import numpy as np
import mochac
from mochac.nets.layers import Layer, layer, option, real

@layer
class TimesLayer(Layer):
    factor: float = option(real(), default=2.0)

    def emit(self, ctx, bottoms):
        return [bottoms[0] * self.factor]

data = mochac.MemoryDataLayer(data=[np.ones((8, 3), np.float32), np.zeros(8, int)], batch_size=4)
ip = mochac.InnerProductLayer(name="ip", output_dim=2, neuron=mochac.Neurons.Tanh(), bottoms=["data"])
times = TimesLayer(name="times", bottoms=["ip"], tops=["more"])
loss = mochac.SoftmaxLossLayer(name="loss", bottoms=["more", "label"])
with mochac.compile(mochac.Net("small", [data, ip, times, loss]), backend="cpu") as program:
    program.train(mochac.SGD(0.1, momentum=0.9), max_iter=3, verbose=0)

from mochac.nets.layers.base import LAYERS
from mochac.nets.solvers.method import METHODS
files = sorted({cls.__module__.rpartition(".")[2] for cls in LAYERS._items.values()})
print(json.dumps([list(sys.modules), files, list(METHODS._items)]))
"""
COMPILER = (
    *("codegen.analysis", "codegen.combinators", "codegen.cpu.emitter", "codegen.cpu.schedules", "codegen.prediction"),
    *(
        "ir.schedule",
        "ir.steps",
        "lowering.pipeline",
        "ir.passes.fuse",
        "ir.passes.to_kernels",
        "ir.passes.plan_memory",
    ),
)
APART = ("api.estimators", "formats", "inspect", "lowering.tuning.search", "tools")
APART += ("runtime.cuda", "runtime.data.hdf5", "runtime.data.image_folder")
READ_BY_NETS = {"axes", "convolution", "data", "element_wise", "pooling", "scale"}
"""Files of layers that every net asks for: a prediction of a loss is a Softmax, and an inner product over an axis is
written like a scale, for instance."""


COMMAND = """
import json, sys
from mochac.__main__ import main
assert main(["train", "absent.py"]) == 1
print(json.dumps([*sys.modules]))
"""


def loaded(cache, script=TRAINS):
    variables = {"MOCHAC_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    variables |= {name: "" for name in ("MOCHAC_VERIFY", "MOCHAC_DEBUG")}
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **variables}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_what_a_warm_start_imports(tmp_path):
    cold, _, _ = loaded(tmp_path)
    modules, layers, methods = loaded(tmp_path)

    def among(names, rooms):
        return {name for name in names for room in rooms if f"{name}.".startswith(f"mochac.{room}.")}

    assert {f"mochac.{name}" for name in COMPILER} <= {*cold}, "a name of the list is wrong"
    assert not among(modules, COMPILER) and not among(modules, APART)
    assert not {"h5py", "jinja2", "torch", "sklearn"} & {*modules}
    assert {*layers} == {"__main__", "class_losses", "inner_product"} | READ_BY_NETS
    assert set(methods) == {"SGD", "Nesterov"}  # one file


@pytest.mark.slow
def test_a_command_imports_its_own_file(tmp_path):
    """And so neither random nets, nor C libraries, nor the compiler, which others import."""
    modules = {*loaded(tmp_path, COMMAND)}
    ours = {name.removeprefix("mochac.tools.") for name in modules if name.startswith("mochac.tools.")}
    assert ours == {"cli", "cli.command", "cli.train", "cli.userfile"}
    assert not {"mochac.lowering.pipeline", "mochac.formats.clib.build"} & modules
