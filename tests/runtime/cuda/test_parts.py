"""Training steps in parts on the emulated device, against the interpreter on the whole batch."""

from dataclasses import replace

import numpy as np
import pytest
from emulated_device import EmulatedDriver
from parts_nets import NETS, UPDATES
from skips import needs_gxx

from mochac.ir import run
from mochac.lowering.operands import draw_inputs
from mochac.lowering.plan_graphs import step_plan
from mochac.lowering.run_graph import run_graph
from mochac.nets.trace import trace
from mochac.runtime.cuda.backend import CudaBackend
from mochac.runtime.cuda.device import Device

pytestmark = [needs_gxx, pytest.mark.slow]


@pytest.mark.parametrize("name", ["lenet", "residual", "contrastive"])
def test_steps_in_parts_are_those_of_the_whole_batch(name):
    driver = EmulatedDriver(watched=True)
    driver.info = replace(driver.info, multiprocessors=2)
    graph = step_plan(trace(NETS[name](8), "train", seed=3), UPDATES[name]).graph
    inputs = draw_inputs(graph)
    exact = run(graph, inputs, dtype="f64")
    results = run_graph(graph, inputs, backend=CudaBackend(device=Device(0, driver)), parts=2)
    for target, want in exact.updates.items():
        scale = max(1.0, float(np.abs(want).max(initial=0)))
        np.testing.assert_allclose(results[f"update {target}"], want, rtol=2e-4, atol=2e-4 * scale, err_msg=target)
