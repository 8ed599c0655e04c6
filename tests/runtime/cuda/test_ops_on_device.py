"""Every op's samples on this backend's first CUDA device, against its NumPy reference; with -m gpu."""

import numpy as np
import pytest

from mochac.ir import run
from mochac.ir.kernel_build import Alias
from mochac.ir.op import OPS
from mochac.ir.samples import draw
from mochac.lowering.run_graph import run_graph

pytestmark = pytest.mark.gpu
CASES = [
    pytest.param(name, k, dtype, id=f"{name}-{k}-{dtype}")
    for name, op in OPS.items()
    if not isinstance(op.lower, Alias)
    and op.kind != "loop"
    and name != "relayout"  # there are no blocked values on a device
    for k in range(len(op.samples))
    for dtype in ("f32", "f64")
]


@pytest.fixture(scope="module")
def backend():
    from mochac.runtime.cuda.backend import CudaBackend
    from mochac.runtime.cuda.device import device

    return CudaBackend(device=device(0))


@pytest.mark.parametrize(("name", "k", "dtype"), CASES)
def test_a_device_computes_the_reference(backend, name, k, dtype):
    case = draw(OPS[name], OPS[name].samples[k], dtype)
    graph = case.graph()
    with np.errstate(all="ignore"):
        wanted = run(graph, case.feeds())
    found = run_graph(graph, case.feeds(), dtype=dtype, backend=backend)
    again = run_graph(graph, case.feeds(), dtype=dtype, backend=backend)
    tolerance = OPS[name].tolerance * (1 if dtype == "f32" else 1e-7)
    for output in graph.outputs:
        finite = wanted[output][np.isfinite(wanted[output])]
        scale = max(1.0, float(np.abs(finite).max(initial=0)))
        np.testing.assert_allclose(found[output], wanted[output], rtol=tolerance, atol=tolerance * scale)
        assert found[output].tobytes() == again[output].tobytes()
