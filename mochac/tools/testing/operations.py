"""Checks for authors of operations and passes: check_op, assert_pass, assert_same.

check_op compares the five rules of an operation with each other, on its own samples: compiled code with the NumPy
reference, the reference with the inferred types, and the gradient with central differences in the interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.registry import did_you_mean
from mochac.base.support.array_like import columns
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph
from mochac.ir.interp import run
from mochac.ir.kernel_build import Alias
from mochac.ir.op import OPS, Op, Sample, run_reference
from mochac.ir.pullback import gradients
from mochac.ir.samples import Case, draw
from mochac.ir.text import parse
from mochac.ir.types import DTYPES
from mochac.ir.verifier import verify
from mochac.lowering.run_graph import run_graph

STEP = 1e-5
SLOPE_TOLERANCE = 1e-6
SEED = 1


@record
class Comparison:
    """One comparison: the sample, what was compared, the error, and the largest error allowed."""

    sample: str
    what: str
    error: float
    tolerance: float

    @property
    def ok(self) -> bool:
        """Whether the error is at most the tolerance; NaN is not."""
        return self.error <= self.tolerance


@record
class OpCheck:
    """All comparisons of an operation; `ok` if all are within their tolerance."""

    op: str
    comparisons: tuple[Comparison, ...]

    @property
    def ok(self) -> bool:
        """Whether every comparison is within its tolerance."""
        return all(f.ok for f in self.comparisons)

    def __str__(self) -> str:
        rows = [[f.sample, f.what, f"{f.error:.2g}", "ok" if f.ok else "WRONG"] for f in self.comparisons]
        return f"op {self.op}\n" + columns([], rows)


def check_op(name: str) -> OpCheck:
    """Check an operation's rules on all its samples.

    In float32 and float64, the shapes and dtypes of the reference are compared with `infer`, and machine code with the
    reference: relative to the largest result, within the op's tolerance (float64: 1e-7 of it). In float64, `vjp` is
    compared with central differences along a random direction, for every float operand unless the sample excludes it.

    Raises:
        OptionError: no such operation; it has no samples, or one that it does not fit.

    >>> print(check_op("relu").ok)
    True
    """
    if not isinstance(name, str) or name not in OPS:
        known = [*OPS, *sorted(OPS.foreign)]
        raise OptionError(f"no op {name!r}{did_you_mean(str(name), known)}", hint="its file must have been run")
    op = OPS[name]
    if not op.samples:
        hint = 'Op(samples=(Sample(("f32[b3,5]",)),)): see Add an operation in docs/developers/contributions.md'
        raise OptionError(f"op {name!r} has no samples, so there is nothing to check", hint=hint)
    return OpCheck(name, tuple(f for number, sample in enumerate(op.samples) for f in _checked(op, number, sample)))


def _checked(op: Op, number: int, sample: Sample) -> list[Comparison]:
    """The comparisons of a sample; an error in one of the op's rules names the sample."""
    try:
        return list(_comparisons(op, sample))
    except Exception as error:
        attrs = "".join(f", {key}={value!r}" for key, value in sample.attrs.items())
        place = f"op {op.name!r}, sample {number}: ({', '.join(sample.types)}{attrs})"
        raise OptionError(place, details=[f"{type(error).__name__}: {error}"]) from error


def _comparisons(op: Op, sample: Sample) -> Iterator[Comparison]:
    title = ", ".join(sample.types)
    for dtype in ("f32", "f64"):
        case = draw(op, sample, dtype)
        wrong = _wrong_types(op, case)
        yield Comparison(title, f"types {dtype}", float(len(wrong)), 0.0)
        if not wrong and not isinstance(op.lowering(case.graph().nodes[0].attr), Alias):
            allowed = op.tolerance if dtype == "f32" else op.tolerance * 1e-7
            yield Comparison(title, f"compiled {dtype}", _distance(op, sample, case, dtype), allowed)
    if op.vjp is not None:
        case = draw(op, sample, "f64")
        for position in _differentiable(case, sample):
            yield Comparison(title, f"gradient of operand {position}", _slope_error(case, position), SLOPE_TOLERANCE)


def _wrong_types(op: Op, case: Case) -> list[int]:
    """Positions of results for which the reference and `infer` differ in shape or dtype."""
    results = run_reference(op, case.arrays, case.attrs)
    types = op.infer(*case.types, **case.attrs)
    if len(results) != len(types):
        return [len(results)]
    pairs = enumerate(zip(results, types, strict=True))
    return [k for k, (a, t) in pairs if a.shape != t.shape or a.dtype != DTYPES[t.dtype]]


def _distance(op: Op, sample: Sample, case: Case, dtype: str) -> float:
    """Largest difference of machine code and float64 reference, relative to the largest result or to 1."""
    natural = replace(case, types=tuple(t.with_(lanes=0) for t in case.types))
    got = run_graph(natural.graph(), case.feeds(), dtype=dtype)
    wide = tuple(a.astype(np.float64) if a.dtype.kind == "f" else a for a in case.arrays)
    wanted = run_reference(op, wide, draw(op, sample, "f64").attrs)
    worst = 0.0
    for k, want in enumerate(wanted):
        scale = max(1.0, float(np.abs(want[np.isfinite(want)]).max(initial=0)))
        same = (got[f"y{k}"] == want) | (np.isnan(got[f"y{k}"]) & np.isnan(want))
        with np.errstate(invalid="ignore"):
            gap = np.where(same, 0.0, np.abs(got[f"y{k}"].astype(np.float64) - want)) / scale
        worst = max(worst, float(np.nan_to_num(gap, nan=np.inf).max(initial=0)))
    return worst


def _differentiable(case: Case, sample: Sample) -> tuple[int, ...]:
    if case.op.infer(*case.types, **case.attrs)[0].dtype != "f64":
        return ()
    floats = tuple(k for k, t in enumerate(case.types) if t.dtype == "f64")
    return floats if sample.differentiable is None else sample.differentiable


def _slope_error(case: Case, position: int) -> float:
    """Difference of the derived and the measured slope of a weighted sum of the first result, in a random direction."""
    graph = _differentiated(case, position)
    rng = np.random.default_rng(SEED)
    weights = rng.standard_normal(graph.types()["weights"].shape)
    feeds = {**case.feeds(), "weights": weights}
    x = feeds[f"x{position}"]
    direction = rng.standard_normal(x.shape)

    def loss(sign: int) -> float:
        return float(run(graph, {**feeds, f"x{position}": x + sign * STEP * direction})[graph.outputs[0]])

    slope = float(np.sum(run(graph, feeds)[graph.outputs[1]] * direction))
    return abs((loss(1) - loss(-1)) / (2 * STEP) - slope) / max(1.0, abs(slope))


def _differentiated(case: Case, position: int) -> Graph:
    b = GraphBuilder("check")
    operands = [b.input(f"x{k}", t) for k, t in enumerate(case.types)]
    y = b.ops(case.op.name, *operands, **case.attrs)[0]
    weights = b.input("weights", y.type)
    loss = b.op("reduce_sum", b.op("mul", y, weights), axes=tuple(range(len(y.type.shape))))
    return b.finish([loss, gradients(b, loss, [operands[position]])[f"x{position}"]])


def assert_pass(name: str, *, before: str, after: str) -> None:
    """Assert that a pass turns `before` into `after`, and that the interpreter computes the same from both.

    Names of values, origins and notes are ignored. Both texts and the result must be well-formed graphs. They run on
    random inputs from a fixed seed; inputs that a pass has added are drawn as well.

    Raises:
        AssertionError: with the text of the result, in its own names.

    >>> assert_pass(
    ...     "simplify",
    ...     before="graph @g(%x: f32[2]) { %a: f32[2] = neg(%x) %b: f32[2] = neg(%a) %c: f32[2] = exp(%b) return %c }",
    ...     after="graph @g(%x: f32[2]) { %y: f32[2] = exp(%x) return %y }",
    ... )
    """
    from mochac.ir.passes import run  # lazily: passes import ops, which tests of ir/ do not need

    start, wanted = parse(before), parse(after)
    verify(start)
    verify(wanted)
    got = run(name, start)
    verify(got)
    assert_same(got, wanted)
    assert_same_results(start, got)


def assert_same(got: Graph, wanted: Graph) -> None:
    """Assert that two graphs are equal up to their names, names of inner values, origins and notes.

    Raises:
        AssertionError: with both texts.
    """
    if canonical(got) != canonical(wanted):
        raise AssertionError(f"the graphs differ\n--- got\n{got}--- wanted\n{wanted}")


def assert_same_results(before: Graph, after: Graph) -> None:
    """Assert that two graphs compute the same outputs and updates from the same random inputs, except for rounding.
    Additional outputs of the second graph are not compared.

    Raises:
        AssertionError: with the name of the first result that differs, and both arrays.
    """
    from mochac.ir.interp import run as interpret
    from mochac.lowering.operands import draw_inputs  # lazily, as above

    feeds = {**draw_inputs(after), **draw_inputs(before)}
    old, new = (interpret(graph, {i.name: feeds[i.name] for i in graph.inputs}).values for graph in (before, after))
    pairs = list(zip(before.outputs, after.outputs, strict=False))  # autodiff appends gradients
    updates = dict(after.updates)
    pairs += [(value, updates[target]) for target, value in before.updates]
    for a, b in pairs:
        np.testing.assert_allclose(new[b], old[a], rtol=1e-4, atol=1e-5, err_msg=f"%{a}: the pass changed its value")


def canonical(graph: Graph) -> Graph:
    """The graph with values named v0, v1, ... in order of definition (inputs keep their names), without origins."""
    names = {i.name: i.name for i in graph.inputs}
    for node in graph.nodes:
        for out in node.outputs:
            names[out.name] = f"v{len(names) - len(graph.inputs)}"
    renamed = graph.renamed(names)
    return renamed.with_(name="g", nodes=tuple(replace(node, loc=()) for node in renamed.nodes), notes=())
