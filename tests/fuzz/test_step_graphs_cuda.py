"""The random training steps of step_graphs.py on the emulated device: whole plans, fused kernels, reused memory,
every access watched, against the interpreter."""

from dataclasses import replace

import numpy as np
import pytest
from emulated_device import EmulatedDriver
from skips import needs_gxx
from step_graphs import TOLERANCE, Net, feeds_of

from mochac.ir import run
from mochac.lowering.run_graph import run_graph
from mochac.runtime.cuda.backend import CudaBackend
from mochac.runtime.cuda.device import Device

pytestmark = [needs_gxx, pytest.mark.slow]


def small_backend():
    """With few multiprocessors, so that schedules made for large kernels take part."""
    driver = EmulatedDriver(watched=True)
    driver.info = replace(driver.info, multiprocessors=2)
    return CudaBackend(device=Device(0, driver))


MORE = [(seed, "f32") for seed in range(1006, 1040)] + [(seed, "f64") for seed in range(2001, 2010)]


@pytest.mark.parametrize(
    ("seed", "dtype"),
    [
        *((seed, "f32") for seed in range(1000, 1006)),
        (2000, "f64"),
        *(pytest.param(*case, marks=pytest.mark.soak) for case in MORE),
    ],
)
def test_emulated_steps_equal_interpreted_steps(seed, dtype):
    net = Net(seed, dtype)
    graph, classes = net.step()
    print(f"seed {seed}\n{graph}")
    feeds = feeds_of(graph, classes, np.random.default_rng(seed))
    exact = run(graph, feeds, dtype="f64")
    results = run_graph(graph, feeds, dtype=dtype, backend=small_backend())
    np.testing.assert_allclose(results[graph.outputs[0]], exact[graph.outputs[0]], rtol=TOLERANCE[dtype])
    for target, _ in graph.updates:
        want, got = exact.updates[target], results[f"update {target}"]
        scale = max(1.0, float(np.abs(want).max(initial=0)))
        np.testing.assert_allclose(got, want, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * scale, err_msg=target)
