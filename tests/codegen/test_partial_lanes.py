"""Products whose lanes are parts of a sum: functions behind it are computed in vectors, and do not choose its order."""

from math import erf

import numpy as np
import pytest

from mochac.codegen.canonical import canonical
from mochac.codegen.cpu.schedules import choose, contractions, offers
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.nesting import Nested
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel, Let, Loop, walk
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.schedule import Schedule
from mochac.lowering.run_graph import run_graph

SHAPES = [(1, 40, 70), (5, 33, 50), (9, 64, 12), (33, 40, 9), (70, 41, 5), (3, 24, 8), (2, 100, 17)]
"""Samples, features, outputs: of the results' sides, either is the longer one."""


def product(n: int, f: int, o: int, dtype: str = "f32") -> Graph:
    return parse(f"""graph @g(%x: {dtype}[{n},{f}], %w: {dtype}[{o},{f}] param, %c: {dtype}[{o}] param) {{
      %p: {dtype}[{n},{o}] = inner_product(%x, %w, %c)
      %r: {dtype}[{n},{o}] = gelu(%p)
      %s: {dtype}[{n},{o}] = gelu_slope(%p)
      return %r, %s
    }}""")


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_functions_behind_sums_are_those_of_the_references(shape, dtype):
    n, f, o = shape
    rng = np.random.default_rng(n)
    scalar = np.float32 if dtype == "f32" else np.float64
    x, w, c = (rng.standard_normal(s).astype(scalar) for s in ((n, f), (o, f), (o,)))
    values, target = {"x": x, "w": w, "c": c}, CpuTarget.of("haswell", 32)
    how = {"dtype": dtype, "chooser": lambda kernel: by_lanes(kernel, target)}
    got = [run_graph(product(n, f, o, dtype), values, threads=t, **how) for t in (1, 3)]
    p = x.astype(np.float64) @ w.T.astype(np.float64) + c
    below = (1 + np.vectorize(erf)(p / np.sqrt(2))) / 2
    slope = below + p * np.exp(-p * p / 2) / np.sqrt(2 * np.pi)
    for name, want in (("r", p * below), ("s", slope)):
        tolerance = 2e-5 if dtype == "f32" else 1e-12
        np.testing.assert_allclose(got[0][name], want, rtol=tolerance, atol=tolerance)
        assert (got[0][name] == got[1][name]).all()


@pytest.mark.parametrize("cpu", [("haswell", 32), ("skylake-avx512", 64)])
@pytest.mark.parametrize("shape", SHAPES)
def test_functions_behind_sums_are_computed_in_vectors(shape, cpu):
    (kernel,) = to_kernels(fuse(product(*shape)))
    body = apply(by_lanes(kernel, CpuTarget.of(*cpu)), kernel).body
    vectors = [s for s in walk(body) if isinstance(s, Loop) and s.run == "vector"]
    functions = [s for loop in vectors for s in walk(loop.body) if isinstance(s, Let) and s.fn == "gelu"]
    assert len(functions) == sum(isinstance(s, Let) and s.fn == "gelu" for s in walk(body)) > 0


def by_lanes(kernel: Kernel, target: CpuTarget) -> Schedule:
    schedule = Nested.of(kernel).schedule(contractions.rule, target)
    assert schedule.name == "contraction.partial-lanes"
    return schedule


BEHIND = """graph @g(%x: f32[{n},{f}], %w: f32[{o},{f}] param, %c: f32[{o}] param) {{
  %p: f32[{n},{o}] = inner_product(%x, %w, %c)
  {rest}
}}"""


@pytest.mark.parametrize(
    ("cpu", "shape"), [(("haswell", 32), (24, 16, 8)), (("haswell", 32), (33, 40, 8)), (("znver4", 32), (6, 100, 10))]
)
def test_what_is_fused_behind_a_product_does_not_choose_the_order_of_its_sums(cpu, shape):
    """Another rule would be quicker with the function, by 8 to 17 %, and would add up in another order."""
    target, (n, f, o) = CpuTarget.of(*cpu), shape
    rests = f"%r: f32[{n},{o}] = tanh(%p)\n return %r", "return %p"
    texts = (BEHIND.format(n=n, f=f, o=o, rest=rest) for rest in rests)
    fused, alone = (canonical(to_kernels(fuse(parse(text)))[0])[0] for text in texts)
    assert offers(fused, target)[0][0].times < 1 and choose(fused, target).name == choose(alone, target).name
