"""Every op's samples as CUDA kernels, run by the emulator, against the op's NumPy reference in float64.

The cases come from the registry, so a new op is tested without touching this file. Besides the values this checks all
that the emulator watches: races, bounds, uninitialised shared memory, divergent barriers, both orders of threads.
"""

from dataclasses import replace

import numpy as np
import pytest
from codegen.cuda.cuda_kernels import ON_DEVICES, in_turns, natural
from cuda_runs import Case, run_graphs
from skips import needs_gxx

from mochac.ir.kernel_build import Alias
from mochac.ir.op import OPS, run_reference
from mochac.ir.samples import draw

pytestmark = needs_gxx


TOGETHER = [ON_DEVICES[k : k + 8] for k in range(0, len(ON_DEVICES), 8)]
"""Ops that are compiled as one module: g++ takes half a second for what all modules have in common."""


@pytest.mark.slow
@pytest.mark.parametrize("names", TOGETHER, ids=lambda names: f"{names[0]}-{names[-1]}")
def test_emulated_equals_reference(names):
    """In one type or the other, the one in which nvcc does not compile it, and at another batch size."""
    own = [(name, k, dtype, None) for name in names for k, dtype in in_turns(own_samples(name), 1, "f32", "f64")]
    check(own + [(name, k, "f32", batch) for name in names for k in batched(name) for batch in [(1, 33, 300)[k % 3]]])


@pytest.mark.soak
@pytest.mark.parametrize("names", TOGETHER, ids=lambda names: f"{names[0]}-{names[-1]}")
def test_all_samples_in_both_types(names):
    check([(name, k, dtype, None) for name in names for k in own_samples(name) for dtype in ("f32", "f64")])


def test_no_op_is_left_out():
    """Only what renames its operand has no code."""
    without = {name for name, op in OPS.items() if not any(has_code(draw(op, sample, "f32")) for sample in op.samples)}
    assert without == {"reshape", "stop_gradient", "custom_gradient", "part", "all_samples", "own_samples", "words"}


def own_samples(name):
    """Samples that have code, first those that nvcc compiles, in the same order."""
    numbers = [k for k, sample in enumerate(OPS[name].samples) if has_code(draw(OPS[name], sample, "f32"))]
    return sorted(numbers, key=lambda k: not natural(name, k))


def batched(name):
    """Samples with a batch axis."""
    samples = enumerate(OPS[name].samples)
    return [k for k, s in samples if s.attrs.get("batch") or any("[b" in text for text in s.types)]


def check(picked):
    """Samples (op, number, dtype, batch size or None), all in one module."""
    cases = {}
    for name, k, dtype, batch in picked:
        case = draw(OPS[name], OPS[name].samples[k], dtype, batch)
        if has_code(case):
            natural = replace(case, types=tuple(t.with_(lanes=0) for t in case.types))
            label = f"{name}_{k}_{dtype}_{batch or 'own'}"
            cases[label] = case, Case(label, natural.graph(), case.feeds())
    results = run_graphs([run for _, run in cases.values()])
    for label, (case, _) in cases.items():
        compare(label, case, results[label], case.op.tolerance * (1e-7 if "_f64_" in label else 1.0))


def has_code(case):
    """Not for what only renames (reshape), nor for what makes blocked values, which are the CPU's."""
    return not isinstance(case.op.lowering(case.attrs), Alias) and not case.attrs.get("lanes")


def compare(label, case, results, tolerance):
    wide = tuple(a.astype(np.float64) if a.dtype.kind == "f" else a for a in case.arrays)
    attrs = {key: "f64" if key == "dtype" and value == "f32" else value for key, value in case.attrs.items()}
    for i, want in enumerate(run_reference(case.op, wide, attrs)):
        scale = max(1.0, float(np.nanmax(np.abs(np.where(np.isfinite(want), want, 0)), initial=0.0)))
        got = results[f"y{i}"].astype(np.float64)
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * scale, err_msg=label)
