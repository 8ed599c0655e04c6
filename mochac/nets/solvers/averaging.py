"""Averaging: running means of the parameters over the updates, as graph code behind the update."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value

AVERAGE = "average"
"""The slot of a parameter that holds its running mean."""


@record
class Averaging:
    """After every n-th update: average <- decay * average + (1 - decay) * w.

    Args:
        decay: >= 0, < 1.
        every_n_iter: >= 1.
    """

    decay: float
    every_n_iter: int = 1

    def append(self, b: GraphBuilder, w: Value, new: Value, due: Value | None) -> None:
        """Add the average of `w`, whose new value is `new`, to the graph of a step.

        Args:
            due: a scalar, positive in the iterations in which the average is updated; None: in all of them.
        """
        average = b.input(f"{w.name}.{AVERAGE}", w.type, "slot")
        mean = b.op("add", b.scaled(average, self.decay), b.scaled(new, 1.0 - self.decay))
        if due is not None:
            spread = b.op("broadcast", due, shape=w.type.shape, axes=(), batch=False)
            mean = b.op("select", b.op("gt", spread, b.const(0.0, w.type)), mean, average)
        b.update(average, mean)
