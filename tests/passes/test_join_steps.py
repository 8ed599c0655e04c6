"""join_steps: a loop over time as one kernel computes what the loop does, and what keeps its kernels apart."""

from __future__ import annotations

import numpy as np
import pytest
from plan_kit import run_plan

from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir import parse, run
from mochac.ir.grids import grids
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.notes import AllSteps, StepByStep
from mochac.ir.passes.verify_plan import verify_plan
from mochac.ir.verifier import verify
from mochac.lowering.pipeline import lower

GENERATOR = CudaGenerator(CudaTarget(90, multiprocessors=132))


def scan(body, operands, results, *, carried=1, sliced=1, length=5, reverse=False):
    """A graph of one loop. `operands` and `results` are lists of "%name: type"."""
    names = ", ".join(operand.partition(":")[0] for operand in operands)
    attrs = f"carried = {carried}, length = {length}, reverse = {str(reverse).lower()}, sliced = {sliced}"
    returned = ", ".join(result.partition(":")[0] for result in results)
    graph = parse(
        f"graph @g({', '.join(operands)}) {{\n{', '.join(results)} = scan({names}) {{body = {body}, {attrs}}}\n"
        f"return {returned}\n}}"
    )
    verify(graph)
    return graph


def rnn(units=7, samples=3, length=5, reverse=False, dtype="f32"):
    t, s = f"{dtype}[b{samples},{units}]", f"{dtype}[{length},{samples},{units}]"
    body = f"""graph @rnn(%h: {t}, %x: {t}, %u: {dtype}[{units},{units}]) {{
        %p: {t} = inner_product(%h, %u)
        %a: {t} = add(%p, %x)
        %new: {t} = tanh(%a)
        return %new, %a }}"""
    operands = [f"%c: {t}", f"%xs: {s}", f"%w: {dtype}[{units},{units}]"]
    results = [f"%last: {t}", *(f"%{name}: {s}" for name in ("after", "before", "sums"))]
    return scan(body, operands, results, length=length, reverse=reverse)


def swap(reverse=False):
    """Two carried values change places, and one of them is stacked as it is read."""
    t, s = "f32[b4,6]", "f32[5,4,6]"
    body = f"""graph @swap(%a: {t}, %b: {t}, %x: {t}) {{
        %c: {t} = add(%b, %x)
        return %c, %a, %a, %x }}"""
    names = ["last.a", "last.b", "after.a", "after.b", "before.a", "before.b", "as", "xs.again"]
    results = [f"%{name}: {t if name.startswith('last') else s}" for name in names]
    return scan(body, [f"%a: {t}", f"%b: {t}", f"%xs: {s}"], results, carried=2, reverse=reverse)


def rows():
    """Rows of a step that a softmax goes over."""
    t, s = "f32[b3,40]", "f32[6,3,40]"
    body = f"""graph @rows(%h: {t}, %x: {t}, %u: f32[40,40]) {{
        %p: {t} = inner_product(%h, %u)
        %q: {t} = add(%p, %x)
        %new: {t} = softmax(%q) {{axis = 1}}
        return %new }}"""
    results = [f"%last: {t}", f"%after: {s}", f"%before: {s}"]
    return scan(body, [f"%c: {t}", f"%xs: {s}", "%w: f32[40,40]"], results, length=6)


GRAPHS = {
    "rnn": rnn(),
    "backwards": rnn(reverse=True),
    "one step": rnn(length=1),
    "one sample": rnn(samples=1),
    "shared terms": rnn(units=64, length=3),
    "f64": rnn(units=32, dtype="f64"),
    "swapped": swap(),
    "swapped backwards": swap(reverse=True),
    "rows": rows(),
}


def lowered(graph, generator=GENERATOR):
    return lower(graph, generator, scalars={}, named={name: name for name in graph.outputs})


def inputs_of(graph):
    rng = np.random.default_rng(5)
    return {i.name: 0.3 * rng.standard_normal(i.type.shape).astype("f8" if i.type.dtype == "f64" else "f4")
            for i in graph.inputs}  # fmt: skip


@pytest.mark.parametrize("name", GRAPHS)
def test_all_steps_in_one_kernel(name):
    graph = GRAPHS[name]
    low, inputs = lowered(graph), inputs_of(graph)
    assert [note for note in low.graph.notes if isinstance(note, AllSteps)] and not any(
        x.loop for x in low.plan.launches
    )
    want = run(graph, inputs).values
    for form in ("staged", "scheduled"):
        kernels = {kernel.naive.name: getattr(kernel, form) for kernel in low.kernels}
        for kernel in kernels.values():
            verify_kernel(kernel, printable=form == "scheduled")
            assert len(grids(kernel)) == 1
        verify_plan(low.graph, tuple(k.naive for k in low.kernels), low.plan)
        memory = run_plan(tuple(kernels.values()), low.plan, inputs, backwards=False)
        for result in graph.outputs:
            tolerance = 1e-12 if "f64" in name else 2e-5
            np.testing.assert_allclose(memory.read(result), want[result], rtol=tolerance, atol=tolerance)


def test_weights_are_in_registers_and_threads_share_long_sums():
    (kernel,) = (k for k in lowered(GRAPHS["shared terms"]).kernels if k.naive.root == "scan")
    held = {b.name: b.type.shape for b in kernel.scheduled.locals if b.name.startswith("w.")}
    assert held == {"w.reg": (4, 64, 16)} and kernel.scheduled.threads == (256,)
    text = kernel.code.text
    before, _, inside = text.partition("for (int time = 0;")
    assert "w_reg[16]" in before and "w[" in before and "w[" not in inside
    assert "__syncthreads();" in inside


@pytest.mark.parametrize("name", ["rnn", "shared terms"])
def test_generated_text(name, golden):
    (kernel,) = (k for k in lowered(GRAPHS[name]).kernels if k.naive.root == "scan")
    schedule = "".join(f"// {line}\n" for line in str(kernel.schedule).splitlines())
    golden(f"cuda/scan-{name.replace(' ', '-')}.cu", schedule + kernel.code.text)


def test_what_a_block_does_not_hold_stays_step_by_step():
    low = lowered(rnn(units=300, samples=2))
    assert [n for n in low.graph.notes if isinstance(n, StepByStep) and "registers" in n.why]
    assert {launch.trips for launch in low.plan.launches if launch.loop} == {5}


def test_many_samples_stay_step_by_step():
    few = lowered(rnn(units=64, samples=512))
    many = lowered(rnn(units=64, samples=512), CudaGenerator(CudaTarget(90, multiprocessors=2)))
    assert not any(launch.loop for launch in few.plan.launches) and any(x.loop for x in many.plan.launches)


def test_samples_that_meet_stay_step_by_step():
    t, s = "f32[b4,6]", "f32[5,4,6]"
    body = f"""graph @meet(%a: {t}, %x: {t}) {{
        %m: f32[6] = reduce_sum(%a) {{axes = (0,)}}
        %r: {t} = broadcast(%m) {{axes = (1,), batch = true, shape = (4, 6)}}
        %c: {t} = add(%r, %x)
        return %c }}"""
    low = lowered(scan(body, [f"%a: {t}", f"%xs: {s}"], [f"%last: {t}", f"%after: {s}", f"%before: {s}"]))
    assert [n for n in low.graph.notes if isinstance(n, StepByStep) and "sample" in n.why]
