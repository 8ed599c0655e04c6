"""Libraries for microcontrollers and small boards compute what Python computes, run by QEMU."""

import subprocess

import numpy as np
import pytest
from nets import digits, lenet
from target_kit import BOARDS, array, compiled, floats, needs, said

import mochac
from mochac import SGD, Adam, Solver
from mochac.formats.clib.build import build
from mochac.formats.clib.request import toolchain
from mochac.runtime.cpu.cpuinfo import named_cpu

pytestmark = [pytest.mark.slow]
PREDICTION = """
static unsigned char memory[{NAME}_BYTES] __attribute__((aligned({NAME}_ALIGNMENT)));
int main(void) {{
    static float out[{n} * {NAME}_ELEMS_IP2];
    {name} *net;
    if (sizeof memory != {name}_bytes(1) || {name}_init(memory, sizeof memory, &net) != {NAME}_OK) {{ fail("init"); }}
    if ({name}_predict(net, data, {n}, out) != {NAME}_OK) {{ fail("predict"); }}
    say_floats(out, {n} * {NAME}_ELEMS_IP2);
    return 0;
}}
"""
TRAINING = """
static unsigned char memory[{NAME}_BYTES] __attribute__((aligned({NAME}_ALIGNMENT))), state[1 << 19];
int main(void) {{
    static float out[4 * {NAME}_ELEMS_IP2];
    {name} *net;
    int k;
    if ({name}_init(memory, sizeof memory, &net) != {NAME}_OK) {{ fail("init"); }}
    for (k = 0; k < {steps}; k++) {{
        double loss = 0.0;
        float narrow;
        const float *x = data + {each} * k * {NAME}_ELEMS_DATA;
        if ({name}_step(net, x, label + {each} * k, &loss) != {NAME}_OK) {{ fail("step"); }}
        narrow = (float)loss;
        say_floats(&narrow, 1);
        if (k == 1) {{ /* go on from a checkpoint */
            if ({name}_save_state_bytes() > sizeof state) {{ fail("state"); }}
            if ({name}_save_state(net, state, sizeof state) != {NAME}_OK) {{ fail("save"); }}
            if ({name}_init(memory, sizeof memory, &net) != {NAME}_OK) {{ fail("again"); }}
            if ({name}_load(net, state, {name}_save_state_bytes()) != {NAME}_OK) {{ fail("load"); }}
        }}
    }}
    if ({name}_predict(net, data, 4, out) != {NAME}_OK) {{ fail("predict"); }}
    say_floats(out, 4 * {NAME}_ELEMS_IP2);
    return 0;
}}
"""
OFTEN = ("cortex-m4", "cortex-a7", "rv32imfc")
"""Targets whose training is tested by `make test`; of others by `make soak`."""
NAMES = {"name": "lenet_small", "NAME": "LENET_SMALL"}


def calls(target, folder):
    """Functions that a library calls and does not have."""
    tools = toolchain(named_cpu(target))
    nm = tools.archiver.removesuffix("ar") + "nm"
    listed = subprocess.run([nm, "-g", "liblenet_small.a"], cwd=folder, capture_output=True, text=True, check=True)
    symbols = [line.split()[-2:] for line in listed.stdout.splitlines() if len(line.split()) > 1]
    return {name for kind, name in symbols if kind == "U"} - {name for kind, name in symbols if kind != "U"}


@pytest.mark.parametrize("target", BOARDS)
def test_prediction(target, tmp_path):
    """With weights in read-only memory; the code calls memcpy and memset alone."""
    needs(target)
    net, (x, _) = lenet(batch=4), digits()
    build(net, tmp_path, targets=[target], batches=1, weights="flash", threads=False)
    main = array("data", x[:3]) + PREDICTION.format(**NAMES, n=3)
    found = floats(said(target, compiled(target, tmp_path, "lenet_small", main)))
    with mochac.compile(net) as program:
        assert np.allclose(found, np.ravel(program.predict(x[:3])), rtol=1e-5, atol=1e-5)
    assert calls(target, tmp_path) <= {"memcpy", "memset"}


@pytest.mark.parametrize("solver", [SGD(0.01, momentum=0.9), Solver(Adam(0.002), accumulate=3)], ids=["sgd", "adam"])
@pytest.mark.parametrize("target", [t if t in OFTEN else pytest.param(t, marks=pytest.mark.soak) for t in BOARDS])
def test_training(target, solver, tmp_path):
    """Steps on batches, or on single samples whose gradients accumulate, across a checkpoint in a buffer."""
    needs(target)
    accumulate = getattr(solver, "accumulate", 1)
    batch = 4 if accumulate == 1 else 1
    each, steps = batch * accumulate, 5
    net, (x, y) = lenet(batch=batch), digits()
    build(net, tmp_path, solver, targets=[target], batches=1, threads=False)
    main = array("data", x[: each * steps]) + array("label", y[: each * steps])
    main += TRAINING.format(**NAMES, each=each, steps=steps)
    found = floats(said(target, compiled(target, tmp_path, "lenet_small", main)))
    with mochac.compile(net) as program:
        chosen = solver if isinstance(solver, Solver) else Solver(solver)
        chosen.init_solve(program)
        rows = [slice(each * k, each * (k + 1)) for k in range(steps)]
        wanted = [program.step(data=x[r], label=y[r]) for r in rows]
        wanted += list(np.ravel(program.predict(x[:4])))
    assert np.allclose(found, wanted, rtol=1e-5, atol=1e-5)
    left = {name for name in calls(target, tmp_path) if not name.startswith("__")}
    assert left <= {"memcpy", "memset"}
