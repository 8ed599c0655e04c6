"""Row groups on a device: layers that normalize, as the interpreter says; how many kernels they are, and which rule."""

import numpy as np
import pytest
from codegen.kernels import op_graph
from codegen.test_rows import LAYERS, both_ways, values
from emulated_device import EmulatedDriver, use_device
from skips import needs_gxx

from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir import run
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.lowering.pipeline import lower
from mochac.lowering.run_graph import run_graph
from mochac.runtime.cuda.backend import CudaBackend

H100 = CudaTarget(90, multiprocessors=132)


@needs_gxx
@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("batch", [5, 33])
@pytest.mark.parametrize("name", LAYERS)
def test_emulated_as_interpreted(name, batch, dtype, monkeypatch):
    *layers, shape = LAYERS[name]
    graph = both_ways(layers, (batch, *shape), dtype)
    given, short = values(graph), {"float32": "f32", "float64": "f64"}[dtype]
    backend = CudaBackend(device=use_device(monkeypatch, EmulatedDriver()))
    want, got = run(graph, given), run_graph(graph, given, dtype=short, backend=backend)
    tolerance = {"f32": 3e-4, "f64": 1e-10}[short]
    for out in graph.outputs:
        np.testing.assert_allclose(got[out], want[out], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", ["layer norm", "layer norm of positions", "rms norm", "instance norm"])
def test_a_layer_and_its_gradient_go_over_rows_once(name):
    """The gradients of scale and shift, sums over all rows, are kernels of their own."""
    *layers, shape = LAYERS[name]
    lowered = lower(both_ways(layers, (256, *shape), "float32"), CudaGenerator(H100), scalars={}, named={})
    found = [(kernel.naive, kernel.schedule.name) for kernel in lowered.kernels]
    whole = 256 * int(np.prod(shape))
    stores = [name for kernel, name in found if any(b.type.elems == whole for b in kernel.outputs)]
    assert stores == ["reduce.block"] and len(found) <= 3


@pytest.mark.parametrize(
    ("batch", "shape", "axis", "name"),
    [
        (32, (64, 16, 16), 1, "generic.items"),
        (2, (64, 16, 16), 1, "reduce.block"),
        (40_000, (64,), 1, "reduce.block"),
        (40_000, (10,), 1, "generic.items"),
    ],
)
def test_a_thread_takes_a_row_if_neighbours_are_in_other_rows_or_rows_are_short(batch, shape, axis, name):
    dims = ",".join(map(str, shape))
    (kernel,) = to_kernels(fuse(op_graph("softmax", (f"f32[b{batch},{dims}]",), axis=axis)))
    assert choose(kernel, H100).name == name
