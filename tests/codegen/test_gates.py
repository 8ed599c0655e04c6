"""Products with gates as one kernel: the rule, what it computes, and when two kernels stay two."""

from __future__ import annotations

import numpy as np
import pytest
from gate_kernels import apart_and_joined, given, lstm, lstm_by_numpy

from mochac.codegen.cpu.schedules import choose, gated, gates, variants
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.steps.run import Parallel

CPUS = {
    **{name: CpuTarget.of(name, width) for name, width in (("haswell", 32), ("cascadelake", 64), ("znver4", 64))},
    "neoverse-v2": CpuTarget("neoverse-v2", 16, 32, arch="aarch64"),
}
SHAPES = {
    "turned": (6, 16, 8, True),
    "several items": (12, 32, 8, True),
    "units that fill no vector": (5, 9, 7, True),
    "packed": (8, 48, 8, False),
    "packed, several items": (16, 128, 9, False),
    "rows": (2, 20, 32, False),
    "one sample": (1, 16, 32, False),
}


@pytest.mark.sampled(9)
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("shape", SHAPES)
def test_one_kernel_computes_what_two_do(shape, cpu):
    """Bit for bit: the product is computed by the rule that takes it alone. NumPy in float64 says what it is."""
    graph = lstm(*SHAPES[shape])
    (product, reader), joined = apart_and_joined(graph)
    values, target = given(graph), CPUS[cpu]
    schedule = choose(joined, target)
    alone = choose(product, target)
    scheduled = apply(schedule, joined)
    verify_kernel(scheduled, printable=True)
    got = run_kernel(scheduled, {b.name: values[b.name] for b in joined.inputs})
    for name, wanted in lstm_by_numpy(values, SHAPES[shape][3]).items():
        np.testing.assert_allclose(got[name], wanted, rtol=2e-5, atol=2e-6)
    if schedule.name == f"{gates.GATES}.{alone.name}":
        values |= run_kernel(apply(alone, product), {b.name: values[b.name] for b in product.inputs})
        values |= run_kernel(apply(choose(reader, target), reader), {b.name: values[b.name] for b in reader.inputs})
        for name, array in got.items():
            np.testing.assert_array_equal(array, values[name])
    else:
        assert f"{alone.name} would no longer compute the product" in gates.refuse(
            (product, reader), joined, target, choose
        )


@pytest.mark.slow
def test_rules_of_products_take_the_gates():
    found = {shape: choose(apart_and_joined(lstm(*SHAPES[shape]))[1], CPUS["znver4"]).name for shape in SHAPES}
    assert found == {
        "turned": "gates.contraction.column-lanes",
        "several items": "gates.contraction.column-lanes",
        "units that fill no vector": "gates.product.data-gradient",
        "packed": "gates.product.natural",
        "packed, several items": "gates.product.natural",
        "rows": "gates.product.natural",
        "one sample": "gates.product.natural",
    }


def test_threads_share_blocks_of_units_first():
    """Each reads a part of the weight, in every step the same one."""
    _, joined = apart_and_joined(lstm(64, 512))
    schedule = choose(joined, CPUS["znver4"])
    scheduled = apply(schedule, joined)
    (last,) = (step for step in schedule.steps if isinstance(step, Parallel))
    units, samples = last.loops
    loops = {loop.var: loop.extent for loop in gates.band(scheduled.body, run="parallel")}
    assert loops == {units: 8, samples: 1}


def test_samples_are_packed_once_for_all_gates():
    """The copy is outside of the loop over gates."""
    _, joined = apart_and_joined(lstm(64, 512))
    text = str(apply(choose(joined, CPUS["znver4"]), joined))
    copied, gate = text.index("h.copy["), text.index(f"each {joined.body[0].body[0].var} in 0..4")
    assert copied < gate


@pytest.mark.slow
def test_a_search_varies_items_and_tiles():
    _, joined = apart_and_joined(lstm(16, 64, 64, True))
    found = [v.schedule for v in variants(joined, CPUS["znver4"]) if v.rule is gated]
    assert len(found) > 3
    small = apart_and_joined(lstm(4, 32, 8, True))[1]
    values = given(lstm(4, 32, 8, True))
    wanted = lstm_by_numpy(values, True)
    for variant in [v for v in variants(small, CPUS["haswell"]) if v.rule is gated][:6]:
        got = run_kernel(apply(variant.schedule, small), {b.name: values[b.name] for b in small.inputs})
        np.testing.assert_allclose(got["h2"], wanted["h2"], rtol=2e-5, atol=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "units", "joins"), [("znver4", 512, True), ("haswell", 640, False)])
def test_the_model_says_where_two_kernels_are_faster(cpu, units, joins):
    """Haswell's L2 holds 256 kB, and such a weight takes more. (With 512 units, the rule that takes a part of the
    product is another one than that of the product alone.)"""
    why = gates.refuse(*apart_and_joined(lstm(64, units)), CPUS[cpu], choose)
    assert (why == "") == joins
    if not joins:
        assert why.startswith("one kernel is predicted to take 1.")
        assert why.endswith(" of the time of two on 1, 2 and 4 threads")
