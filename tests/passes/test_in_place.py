"""Kernels that copy an old state and then change some of it: in place they only change it, where that is safe."""

from __future__ import annotations

import numpy as np
import pytest

from mochac import ir
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.in_place import add_copies, elementwise_reuse, leave_copies_out
from mochac.ir.passes.plan_memory import moved_bytes
from mochac.ir.passes.to_kernels import to_kernels

HEAD = "graph @step(%w: f32[6,4] param, %s: f32[6,4] slot, %dy: f32[b3,4], %ids: f32[b3], %lr: f32[] hyper) {\n"
NEW = "  %n: f32[6,4], %z: f32[6,4] = add_rows(%w, %s, %lr, %dy, %ids) {factor = -1.0}\n"
RNG = np.random.default_rng(5)
VALUES: dict[str, np.ndarray] = {
    "w": RNG.normal(size=(6, 4)).astype(np.float32), "s": np.zeros((6, 4), np.float32),
    "dy": RNG.normal(size=(3, 4)).astype(np.float32),
    "ids": np.array([1, 4, 1], np.float32), "lr": np.array(0.5, np.float32),
}  # fmt: skip


def kernels(text: str) -> list[str]:
    """What each output of a graph's kernels begins as."""
    graph = ir.parse(HEAD + text + "}")
    made = leave_copies_out(graph, tuple(to_kernels(graph)))
    assert all(verify_kernel(k) is None and parse_kernel(str(k)) == k for k in made)
    copies = [k.name for k in add_copies(graph, made)[len(made) :]]
    return [f"{b.name} {b.begins}".strip() for k in made for b in k.outputs] + copies


def test_changes_alone():
    assert kernels(NEW + "  return %lr\n  update %w = %n\n  update %s = %z\n") == ["n w", "z s"]


def test_readers_of_the_old_state_run_before():
    text = NEW + "  %y: f32[6,4] = exp(%w)\n  return %y\n  update %w = %n\n  update %s = %z\n"
    assert kernels(text) == ["n w", "z s", "y"]


def test_who_reads_both_states_needs_a_copy():
    text = NEW + "  %y: f32[6,4] = sub(%w, %n)\n  return %y\n  update %w = %n\n  update %s = %z\n"
    assert kernels(text) == ["n", "z", "y", "copy.w", "copy.s"]


def test_no_state():
    assert kernels(NEW + "  return %n\n") == ["n"]


def test_the_result_is_the_same():
    graph = ir.parse(HEAD + NEW + "  return %lr\n  update %w = %n\n  update %s = %z\n}")
    (staged,) = to_kernels(graph)
    (begun,) = leave_copies_out(graph, (staged,))
    before, after = (run_kernel(k, VALUES)["n"] for k in (staged, begun))
    expected = VALUES["w"].copy()
    np.subtract.at(expected, VALUES["ids"].astype(int), np.float32(0.5) * VALUES["dy"])
    np.testing.assert_array_equal(after, before)
    np.testing.assert_allclose(after, expected, rtol=1e-6)


@pytest.mark.parametrize(
    "copy",
    [
        "each a in 0..3 {\n each b in 0..4 {\n %t = %w[a, b]\n %n[a, b] = %t\n }\n }\n",  # half of it
        "each a in 0..6 {\n each b in 0..4 {\n %t = %w[a, b]\n %n[a, b] = %t\n %n[a, 0] = %t\n }\n }\n",
        "%s = %w[0, 0]\n each a in 0..6 {\n each b in 0..4 {\n %t = %w[a, b]\n %n[a, b] = %t\n }\n }\n",
        "%n[0, 0] = 1.0:f32\n each a in 0..6 {\n each b in 0..4 {\n %t = %w[a, b]\n %n[a, b] = %t\n }\n }\n",
        "each a in 0..6 {\n each b in 0..4 {\n %t = %w[a, 0]\n %n[a, b] = %t\n }\n }\n",
    ],
)
def test_what_is_no_copy(copy: str):
    graph = ir.parse(HEAD + NEW + "  return %lr\n  update %w = %n\n  update %s = %z\n}")
    kernel = parse_kernel(f"kernel @k(%w: f32[6,4]) -> (%n: f32[6,4]) {{\n{copy}%n[0, 0] = add(1.0:f32, %n[0, 0])\n}}")
    assert leave_copies_out(graph, (kernel,)) == (kernel,)


@pytest.mark.parametrize(
    ("read", "stored", "safe"),
    [
        ("a, b", "a, b", True),
        ("-a + 5, b", "a, b", False),
        ("a, 0", "a, b", False),
        ("a, b", "-a + 5, b", False),
        ("-a + 5, b", "-a + 5, b", False),  # safe, but not as simple as what is looked for
    ],
)
def test_elements_are_read_where_they_are_stored(read: str, stored: str, safe: bool):
    """A state may be overwritten by a kernel that reads each of its elements only where it stores it."""
    nest = f"each a in 0..6 {{\neach b in 0..4 {{\n%t = %w[{read}]\n%u = exp(%t)\n%n[{stored}] = %u\n}}\n}}\n"
    kernel = parse_kernel(f"kernel @k(%w: f32[6,4]) -> (%n: f32[6,4]) {{\n{nest}}}")
    assert elementwise_reuse(kernel, "w", "n", {"w": "w", "n": "n"}) == safe


def test_moved_bytes():
    """Of a table, the rows that data name; of a state in place, what is read and written."""
    graph = ir.parse(HEAD + NEW + "  return %lr\n  update %w = %n\n  update %s = %z\n}")
    (staged,) = to_kernels(graph)
    (begun,) = leave_copies_out(graph, (staged,))
    operands = 3 * 4 + 3 + 1
    assert moved_bytes(staged) == 4 * (4 * 6 * 4 + operands)
    assert moved_bytes(begun) == 4 * (4 * 3 * 4 + operands)
    (gather,) = to_kernels(
        ir.parse("graph @g(%w: f32[600,4] param, %ids: f32[b3]) {\n  %y: f32[b3,4] = gather(%w, %ids)\n  return %y\n}")
    )
    assert moved_bytes(gather) == 4 * (3 * 4 + 3 + 3 * 4)
