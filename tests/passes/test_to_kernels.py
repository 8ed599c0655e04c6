"""to_kernels: a nest per op, values without storage computed where they are read; the graph interpreter's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from plan_kit import NetMaker, planned, random_inputs, run_plan

from mochac.codegen.nesting import Nested
from mochac.ir import Graph, parse, run, verify
from mochac.ir.kernel import Kernel, Load, Loop, Store, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.simplify import simplify
from mochac.ir.passes.to_kernels import to_kernels

FILL = '{batch = true, dtype = "f32", shape = (4,5), value = 2.0}'


def kernels_of(text: str, enabled: bool = True) -> tuple[Graph, tuple[Kernel, ...]]:
    graph = parse(text)
    verify(graph)
    graph = fuse(graph, enabled=enabled)
    return graph, to_kernels(graph)


def loops(kernel: Kernel) -> list[tuple[str, str]]:
    return [(s.kind, s.var) for s in walk(kernel.body) if isinstance(s, Loop)]


def test_a_contraction_and_its_tail_are_two_nests_of_one_kernel() -> None:
    _, (kernel,) = kernels_of(f"""graph @g(%x: f32[b4,3], %w: f32[5,3] param, %b: f32[5] param) {{
      %a: f32[b4,5] = inner_product(%x, %w, %b)  @"ip1 net.py:7"
      %two: f32[b4,5] = fill() {FILL}
      %r: f32[b4,5] = mul(%a, %two)  @"scale1 net.py:8"
      return %r, %a
    }}""")
    assert kernel.name == "ip1.inner_product+scale1"
    assert (kernel.root, kernel.ops, kernel.flops) == ("inner_product", ("inner_product", "mul"), 2 * 4 * 5 * 3)
    assert [b.name for b in kernel.inputs] == ["x", "w", "b"]
    assert [b.name for b in kernel.outputs] == ["a", "r"]
    assert loops(kernel) == [("each", "n"), ("each", "o"), ("sum", "f"), ("each", "a0"), ("each", "a1")]
    assert [b.name for b in kernel.locals] == ["acc"]  # the second nest reads %a, which is stored for others
    assert [loc.layer for loc in kernel.loc] == ["ip1", "scale1"]


def test_values_of_the_group_alone_lie_in_locals_named_after_their_op() -> None:
    _, (kernel,) = kernels_of("""graph @g(%x: f32[b4,3], %w: f32[5,3] param, %mul: f32[b4,5]) {
      %a: f32[b4,5] = inner_product(%x, %w)
      %r: f32[b4,5] = relu(%a)
      %m: f32[b4,5] = mul(%r, %mul)
      %y: f32[b4,5] = relu(%m)
      return %y
    }""")
    whole = [str(b) for b in kernel.locals if b.space == "scratch"]
    assert whole == ["%inner_product: f32[4,5]", "%relu: f32[4,5]", "%mul.1: f32[4,5]"]
    assert len(kernel.body) == 4


def test_operands_are_loaded_and_stored_once_and_the_sum_comes_first() -> None:
    _, (staged,) = kernels_of("""graph @g(%x: f32[b4,3], %dy: f32[b4,5], %w: f32[5,3] param, %v: f32[5,3] slot) {
      %vv: f32[5,3] = mul(%v, %v)
      %g: f32[5,3] = inner_product_dw(%x, %dy)
      %v1: f32[5,3] = add(%vv, %g)
      %w1: f32[5,3] = sub(%w, %v1)
      return
      update %w = %w1
      update %v = %v1
    }""")
    kernel = Nested.of(staged).kernel
    outside = [s for s in kernel.body[0].body[0].body if not isinstance(s, Loop)]  # type: ignore[union-attr]
    assert [s.buffer for s in outside if isinstance(s, Load) and s.buffer in ("v", "w")] == ["v", "w"]
    assert isinstance(kernel.body[0].body[0].body[1], Loop)  # type: ignore[union-attr]
    assert [type(s) for s in outside[-2:]] == [Store, Store]


def test_fills_and_broadcasts_are_inlined_unless_someone_needs_their_storage() -> None:
    text = f"""graph @g(%x: f32[b4,5], %b: f32[5] param) {{
      %two: f32[b4,5] = fill() {FILL}
      %row: f32[b4,5] = broadcast(%b) {{axes = (1,), batch = true, shape = (4,5)}}
      %y: f32[b4,5] = mul(%two, %row)
      %z: f32[b4,5] = add(%x, %y)
      return %z
    }}"""
    _, (kernel,) = kernels_of(text)
    assert [b.name for b in kernel.inputs] == ["x", "b"]
    _, found = kernels_of(text.replace("return %z", "return %z, %two, %row"))
    assert {b.name for k in found for b in k.outputs} == {"z", "two", "row"}


def test_a_broadcast_that_windows_read_is_stored() -> None:
    """As the gradient behind a global mean: schedules of convolutions take images that lie in memory."""
    _, kernels = kernels_of("""graph @g(%g: f32[b4,3], %w: f32[3,5,1,1] param) {
      %d: f32[b4,3,6,6] = broadcast(%g) {axes = (0,1), batch = true, shape = (4,3,6,6)}
      %x: f32[b4,5,6,6] = conv_dx(%d, %w) {group = 1, pad = (0,0), shape = (4,5,6,6), stride = (1,1)}
      return %x
    }""")
    assert [k.root for k in kernels] == ["broadcast", "conv_dx"]
    assert [b.name for b in kernels[1].inputs] == ["d", "w"]


def test_a_fill_seen_through_a_reshape_is_stored() -> None:
    graph, found = kernels_of(f"""graph @g(%x: f32[20]) {{
      %two: f32[b4,5] = fill() {FILL}
      %flat: f32[20] = reshape(%two) {{shape = (20,)}}
      %z: f32[20] = add(%x, %flat)
      return %z
    }}""")
    assert [[b.name for b in k.outputs] for k in found] == [["two"], ["z"]]
    assert {b.name for b in found[1].inputs} == {"x", "flat"}
    assert graph.types()["flat"] == found[1].buffers()["flat"].type


def test_epilogues_of_row_ops_hang_on_the_result_they_follow() -> None:
    graph, (kernel,) = kernels_of("""graph @g(%p: f32[b4,3], %label: f32[b4,1], %n: i64[] hyper) {
      %l: f32[b4], %d: f32[b4,3] = softmax_loss(%p, %label) {axis = 1}
      %m: f32[b4] = mask_batch(%l, %n)
      %e: f32[b4,3] = mul(%d, %d)
      return %m, %e
    }""")
    inputs = {"p": np.arange(12.0).reshape(4, 3), "label": np.array([[0], [1], [2], [1]]), "n": np.int64(3)}
    inputs = {i.name: np.asarray(inputs[i.name], np.int64 if i.name == "n" else np.float32) for i in graph.inputs}
    wanted = run(graph, inputs)
    for form in (kernel, Nested.of(kernel).kernel):
        got = run_kernel(form, inputs)
        assert got.keys() == {"m", "e"}
        for name, array in got.items():
            np.testing.assert_allclose(array, wanted[name], rtol=1e-5, atol=1e-6)
    assert len(Nested.of(kernel).kernel.body) == 1


def test_names_of_locals_do_not_meet_names_of_values() -> None:
    graph, found = kernels_of("""graph @g(%acc: f32[b4,3], %total: f32[b4,3], %label: f32[b4,1]) {
      %s: f32[3] = reduce_sum(%acc) {axes = (0,)}
      %l: f32[b4], %d: f32[b4,3] = softmax_loss(%total, %label) {axis = 1}
      return %s, %l
    }""")
    inputs = {i.name: np.ones(i.type.shape, np.float32) for i in graph.inputs}
    got = {name: a for k in found for name, a in run_kernel(k, {b.name: inputs[b.name] for b in k.inputs}).items()}
    np.testing.assert_allclose(got["s"], [4, 4, 4])
    np.testing.assert_allclose(got["l"], np.log(3) * np.ones(4), rtol=1e-6)


def test_kernels_of_equal_layers_have_different_names() -> None:
    _, found = kernels_of("""graph @g(%x: f32[b4,3], %w: f32[3,3] param) {
      %a: f32[b4,3] = inner_product(%x, %w)
      %b: f32[b4,3] = inner_product(%a, %w)
      return %b
    }""")
    assert [k.name for k in found] == ["inner_product", "inner_product.1"]


def test_results_of_different_shapes_go_over_common_rows() -> None:
    graph = parse("""graph @g(%x: f32[b4,3]) {
      %a: f32[b4,3] = neg(%x)  group 0
      %s: f32[3] = reduce_sum(%a) {axes = (0,)}  group 0
      return %a, %s
    }""")
    (kernel,) = to_kernels(graph)
    naive = Nested.of(kernel)
    assert list(map(str, naive.steps)) == ["by_rows(values=((a), (s)), axes=(1), across=())"]
    assert len(naive.kernel.body) == 1
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    for form in (kernel, naive.kernel):
        verify_kernel(form)
        np.testing.assert_array_equal(run_kernel(form, {"x": x})["s"], -x.sum(axis=0))


def test_groups_in_a_cycle_are_refused() -> None:
    graph = parse("""graph @g(%x: f32[b4,3]) {
      %a: f32[b4,3] = neg(%x)  group 0
      %b: f32[b4,3] = neg(%a)  group 1
      %c: f32[b4,3] = neg(%b)  group 0
      return %c
    }""")
    with pytest.raises(ValueError, match="cycle"):
        to_kernels(graph)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_random_nets_train_as_the_interpreter_says(seed: int) -> None:
    graph = NetMaker(seed).make()
    verify(graph)
    inputs = random_inputs(graph, seed)
    wanted = run(graph, inputs)
    lanes, enabled = ((0, True), (4, True), (4, False))[seed % 3]
    _, kernels, plan = planned(graph, lanes, enabled)
    memory = run_plan(kernels, plan, inputs, backwards=bool(seed % 2))
    for name, value in wanted.outputs.items():
        np.testing.assert_allclose(memory.read(name), value, rtol=1e-4, atol=1e-5, err_msg=f"seed {seed} output {name}")
    for name, value in wanted.updates.items():
        np.testing.assert_allclose(memory.read(name), value, rtol=1e-4, atol=1e-5, err_msg=f"seed {seed} update {name}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_staged_and_naive_kernels_of_random_nets_compute_what_the_graph_does(seed: int) -> None:
    graph = NetMaker(seed).make()
    inputs = random_inputs(graph, seed)
    graph = fuse(assign_layout(simplify(graph), (0, 4)[seed % 2]))
    wanted = run(graph, inputs).values
    for kernel in to_kernels(graph):
        feeds = {b.name: wanted[b.name].reshape(b.type.shape) for b in kernel.inputs}
        for form in (kernel, Nested.of(kernel).kernel):
            verify_kernel(form)
            for name, value in run_kernel(form, feeds).items():
                want = wanted[name]
                np.testing.assert_allclose(
                    value.reshape(want.shape), want, rtol=1e-4, atol=1e-5, err_msg=f"seed {seed} {name}"
                )
