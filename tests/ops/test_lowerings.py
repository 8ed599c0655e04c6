"""Every op's naive kernel, run by the kernel interpreter, against its NumPy reference: natural and blocked operands."""

import numpy as np
import pytest

from mochac.ir import run
from mochac.ir.kernel_build import Alias, Repeated
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.op import OPS
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.samples import draw


def run_kernels(graph, feeds):
    """All kernels of a graph, one after another; aliases (reshape) and kernels over flattened features are NumPy's."""
    values = dict(feeds)
    kernels = iter(to_kernels(graph))
    for kernel in kernels:
        values.update(run_kernel(kernel, {b.name: values[b.name].reshape(b.type.shape) for b in kernel.inputs}))
    return values


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", [name for name, op in OPS.items() if not isinstance(op.lower, Alias | Repeated)])
@pytest.mark.parametrize(
    ("lanes", "batch"),
    [(0, None), pytest.param(4, None, marks=pytest.mark.slow), (4, 6)],
    ids=["natural", "blocked", "tail"],
)
def test_naive_kernel_equals_reference(name, lanes, batch):
    for k, sample in enumerate(OPS[name].samples):
        print(f"{name} sample {k} lanes {lanes} batch {batch or 'its own'}")
        check(name, sample, lanes, batch)


def check(name, sample, lanes, batch):
    case = draw(OPS[name], sample, "f64", batch)
    graph = case.graph()
    if lanes and not any(t.batch for t in graph.types().values()):
        return  # nothing to block
    wanted = run(graph, case.feeds())
    got = run_kernels(assign_layout(graph, lanes), case.feeds())
    for output in graph.outputs:
        np.testing.assert_allclose(got[output].reshape(wanted[output].shape), wanted[output], rtol=1e-12, atol=1e-12)
        assert got[output].dtype == wanted[output].dtype
