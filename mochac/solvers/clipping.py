"""Clipping: what is done to all gradients together before the update, as graph code.

Solver makes one of clip_value and clip_norm, the driver puts it between the regularizers and the method's update. It
knows no method, no layer and no backend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value


@dataclass(frozen=True)
class Clipping:
    """Limits of the gradients, regularizers included; None: no such limit. The value's comes first.

    Args:
        value: > 0; every element is brought into [-value, value].
        norm: > 0; all gradients are scaled together so that their joint 2-norm is at most this.
    """

    value: float | None = None
    norm: float | None = None

    def clipped(self, b: GraphBuilder, grads: Mapping[str, Value]) -> dict[str, Value]:
        """The gradients, by name, within the limits."""
        found = dict(grads)
        if self.value is not None:
            found = {name: _bounded(b, g, self.value) for name, g in found.items()}
        if self.norm is not None and found:
            found = _scaled(b, found, self.norm)
        return found


def _bounded(b: GraphBuilder, g: Value, limit: float) -> Value:
    """min(max(g, -limit), limit); a NaN stays one."""
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
