"""The main plan of a net: the plan that explain, dump and profile show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from mochac.lowering.many_plan import main_many_plan
from mochac.lowering.parts import checked_parts, parts_of
from mochac.lowering.plan_graphs import PlanGraph, step_plan, test_plan
from mochac.nets.net import Net
from mochac.nets.solvers.update import Update
from mochac.nets.trace import DTYPE, trace
from mochac.runtime.backend import Backend

if TYPE_CHECKING:
    from mochac.lowering.plan_cache import ChosenSchedules
    from mochac.runtime.lowered import Lowered


def main_kind(net: Net) -> Literal["step", "test", "predict"]:
    """The training step if the net has a loss, else the test plan if it has statistics, else the prediction of every
    blob that no layer reads."""
    if net.losses:
        return "step"
    return "test" if net.statistics else "predict"


def main_graph(net: Net, dtype: str = "float32", parts: int | None = None, ranks: int = 1) -> PlanGraph:
    """The graph of a net's main plan; that of a training step is of SGD with its defaults, cut into `parts`, which
    `ranks` share."""
    kind = main_kind(net)
    if kind == "step":
        cut = checked_parts(net.batch, parts or (parts_of(net.batch, ranks) if ranks > 1 else 1), ranks)
        return replace(step_plan(trace(net, "train", dtype), Update(rows=cut == 1)), parts=cut, ranks=ranks)
    return test_plan(trace(net, "test", dtype), net.unconsumed if kind == "predict" else ())


def lowered_net(
    net: Net,
    backend: Backend,
    dtype: str = "float32",
    parts: int | None = None,
    ranks: int = 1,
    chosen: ChosenSchedules | None = None,
    convolutions: str | None = None,
) -> Lowered:
    """Lower a net's main plan without running it; keep every stage.

    Args:
        chosen: schedules that replace the rules'.
        convolutions: see compile().
    """
    return _lowered(main_graph(net, dtype, parts, ranks), backend, dtype, convolutions, chosen)


def lowered_many(net: Net, backend: Backend, dtype: str = "float32", convolutions: str | None = None) -> Lowered:
    """Lower the step in which many such nets are trained at once, without running it; keep every stage."""
    lanes = backend.generator.lanes(DTYPE[dtype])
    return _lowered(main_many_plan(net, lanes, dtype), backend, dtype, convolutions)


def _lowered(
    source: PlanGraph,
    backend: Backend,
    dtype: str,
    convolutions: str | None,
    chosen: ChosenSchedules | None = None,
) -> Lowered:
    from mochac.lowering.pipeline import lower  # lazily: a program with cached plans runs without the passes

    source = replace(source, convolutions=backend.convolutions(convolutions))
    how: dict[str, Any] = {**source.how, "dtype": DTYPE[dtype], "adviser": backend.adviser}
    if chosen is not None:
        how.update(chooser=chosen.choose, origin=chosen.origin)
    return lower(source.graph, backend.generator, **how)
