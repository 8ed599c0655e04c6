"""join_sums: which sums become one kernel, in which place, and that they give the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.notes import JoinedLaunches
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.join_kernels import Staged
from mochac.ir.passes.join_launches import MAX_MEMBERS, join_sums
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.text import parse


def updates(count, *more, results=()):
    """The graph of so many gradients and updates of biases, each of another length."""
    inputs = ", ".join(f"%d{k}: f32[b8,{k + 3}], %b{k}: f32[{k + 3}] param" for k in range(count))
    lines = [
        f"%s{k}: f32[{k + 3}] = reduce_sum(%d{k}) {{axes = (0,)}}\n%n{k}: f32[{k + 3}] = sub(%b{k}, %s{k})"
        for k in range(count)
    ]
    ends = [f"update %b{k} = %n{k}" for k in range(count)]
    body = "\n".join([*lines, *more, f"return {', '.join(results)}", *ends])
    return fuse(parse(f"graph @g({inputs}) {{\n{body}\n}}"))


def names(graph):
    return [kernel.name for kernel in join_sums(Staged.of(graph)).kernels]


def test_sums_that_end_in_updates_are_one_kernel():
    graph = updates(3)
    kernels = to_kernels(graph)
    found = join_sums(Staged(graph, kernels))
    (joined,) = found.kernels
    verify_kernel(joined)
    assert joined.name == "reduce_sum+reduce_sum+reduce_sum"
    assert [root for root, _ in joined.members] == ["reduce_sum"] * 3
    assert found.graph.notes[-1] == JoinedLaunches(tuple(kernel.name for kernel in kernels))
    rng = np.random.default_rng(3)
    inputs = {i.name: rng.standard_normal(i.type.shape).astype("f4") for i in graph.inputs}
    want = {name: a for k in kernels for name, a in run_kernel(k, {b.name: inputs[b.name] for b in k.inputs}).items()}
    got = run_kernel(joined, inputs)
    assert got.keys() == want.keys() == {"n0", "n1", "n2"}
    for name, values in want.items():
        np.testing.assert_array_equal(got[name], values)
        np.testing.assert_allclose(values, inputs[f"b{name[1]}"] - inputs[f"d{name[1]}"].sum(0), rtol=1e-5, atol=1e-5)


def test_only_some_at_a_time():
    """Each needs shared memory, of which a block has little."""
    found = names(updates(MAX_MEMBERS + 2))
    assert [name.count("reduce_sum") for name in found] == [MAX_MEMBERS, 2] and len(set(found)) == 2


def test_one_sum_stays_as_it_is():
    graph = updates(1)
    found = join_sums(Staged.of(graph))
    assert found.kernels == to_kernels(graph) and found.graph.notes == graph.notes


def test_what_others_wait_for_stays_apart():
    graph = updates(3, "%all: f32[] = reduce_sum(%n0) {axes = (0,)}", results=("%all",))
    assert sorted(names(graph)) == ["reduce_sum", "reduce_sum+reduce_sum", "reduce_sum+sub"]


def test_a_reported_sum_is_no_end():
    """A step waits for it, and would wait for all others as well."""
    graph = updates(3, "%all: f32[] = reduce_sum(%d0) {axes = (0, 1)}", results=("%all",))
    assert sorted(names(graph)) == ["reduce_sum", "reduce_sum+reduce_sum+reduce_sum"]


@pytest.mark.parametrize("reader", [0, 2])
def test_a_sum_that_reads_what_another_updates_stays_apart(reader):
    """Blocks side by side do not wait for each other."""
    sums = ["%s: f32[3] = reduce_sum(%d) {axes = (0,)}", "%n: f32[3] = sub(%b, %s)"]
    reads = ["%m: f32[3] = square(%b)", "%q: f32[] = reduce_sum(%m) {axes = (0,)}", "%k: f32[] = sub(%c, %q)"]
    nodes = "\n".join([*reads, *sums] if reader == 0 else [*sums, *reads])
    text = f"graph @g(%d: f32[b8,3], %b: f32[3] param, %c: f32[] param) {{\n{nodes}\nreturn\n"
    graph = fuse(parse(text + "update %b = %n\nupdate %c = %k\n}"))
    assert len(to_kernels(graph)) == len(names(graph)) == 2


def test_blocks_side_by_side_run_on_a_device():
    graph = updates(3)
    (joined,) = join_sums(Staged.of(graph)).kernels
    target = CudaTarget(90, multiprocessors=132)
    schedule = choose(joined, target)
    scheduled = apply(schedule, joined)
    verify_kernel(scheduled, printable=True)
    assert schedule.name == "side-by-side" and len(scheduled.body) == 3
    rng = np.random.default_rng(3)
    inputs = {i.name: rng.standard_normal(i.type.shape).astype("f4") for i in graph.inputs}
    for name, values in run_kernel(joined, inputs).items():
        np.testing.assert_allclose(run_kernel(scheduled, inputs)[name], values, rtol=1e-5, atol=1e-5)
