"""Clipping: limits on the gradients, as graph code between the regularizers and the update."""

from __future__ import annotations

from collections.abc import Mapping

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value


@record
class Clipping:
    """Limits on the gradients, with the terms of regularizers; None: no limit. `value` is applied before `norm`.

    Args:
        value: > 0; each element is clipped to [-value, value].
        norm: > 0; all gradients are scaled by the same factor so that their joint 2-norm is at most this.
    """

    value: float | None = None
    norm: float | None = None

    def clipped(self, b: GraphBuilder, grads: Mapping[str, Value]) -> dict[str, Value]:
        """The clipped gradients, by name."""
        clipped = dict(grads)
        if self.value is not None:
            clipped = {name: _bounded(b, g, self.value) for name, g in clipped.items()}
        if self.norm is not None and clipped:
            clipped = _scaled(b, clipped, self.norm)
        return clipped


def _bounded(b: GraphBuilder, g: Value, limit: float) -> Value:
    """min(max(g, -limit), limit); NaN stays NaN."""
    return b.op("min", b.op("max", g, b.const(-limit, g.type)), b.const(limit, g.type))


def _scaled(b: GraphBuilder, grads: dict[str, Value], limit: float) -> dict[str, Value]:
    """grads * limit / max(norm, limit) (Pascanu et al. 2013, arXiv:1211.5063)."""
    total: Value | None = None
    for g in grads.values():
        part = b.op("reduce_sum", b.op("square", g), axes=tuple(range(len(g.type.shape))))
        total = part if total is None else b.op("add", total, part)
    assert total is not None
    norm = b.op("sqrt", total)
    bound = b.const(limit, norm.type)
    scale = b.op("div", bound, b.op("max", norm, bound), name="clip.scale")
    spread = {n: b.op("broadcast", scale, shape=g.type.shape, axes=(), batch=False) for n, g in grads.items()}
    return {n: b.op("mul", g, spread[n]) for n, g in grads.items()}
