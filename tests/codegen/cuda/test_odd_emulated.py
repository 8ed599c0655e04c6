"""Ops of constants, broadcasts and unit extents as CUDA kernels, run by the emulator, against the interpreter."""

import numpy as np
import pytest
from codegen.odd_operands import OddGraph
from cuda_runs import Case, run_graphs
from skips import needs_gxx

from mochac import ir
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.passes.groups import is_alias

pytestmark = needs_gxx


@pytest.mark.slow
@pytest.mark.parametrize("multiprocessors", [1, 8])
@pytest.mark.parametrize("first", [2000, 2040])
def test_odd_operands_are_computed(first, multiprocessors):
    drawn = (OddGraph(seed).fed for seed in range(first, first + 40))
    fed = [f for f in drawn if not any(is_alias(node) for node in f.graph.nodes)]
    results = run_graphs([Case(f.name, f.graph, f.feeds) for f in fed], CudaTarget(90, multiprocessors=multiprocessors))
    for f in fed:
        wanted = ir.run(f.graph, f.feeds, dtype="f64")
        for name in f.graph.outputs:
            near = 2e-4 * max(1.0, float(np.abs(wanted[name]).max(initial=0)))
            np.testing.assert_allclose(
                results[f.name][name], wanted[name], rtol=2e-4, atol=near, err_msg=f"{f.name} {name}"
            )
