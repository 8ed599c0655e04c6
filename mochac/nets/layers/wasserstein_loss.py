"""WassersteinLossLayer: cost of transporting the predicted distribution to that of the label, with entropy smoothing.

The op sinkhorn computes the dual potentials. The objective is linear in the distributions, so autodiff gives its
gradient.
"""

from __future__ import annotations

from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import Loss, per_sample
from mochac.nets.layers.base import features, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import integer, option, real, text
from mochac.nets.layers.tables import Table, table


@layer
class WassersteinLossLayer(Loss):
    """weight * min over T of <T, M> + 1/lambda_ * sum of T log(T), mean over the batch; T moves pred to label.

    T >= 0 has row sums pred and column sums label. Sinkhorn's iteration u = pred / (K v), v = label / (K' u) with
    K = exp(-lambda_ M) is computed in logarithms, starting from u = 1 / features. The loss is the dual objective
    (<pred, log u> + <label, log v>) / lambda_, which equals the minimum when the iteration has converged.

    Args:
        M: cost of moving a unit from a feature of pred (row) to a feature of the label (column), finite.
        lambda_: > 0, Mocha's `lambda`. The larger it is, the closer the loss is to <T, M>, and the slower it converges.
        sinkhorn_iter: iterations, >= 1.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)], flattened; both are distributions: elements >= 0 with
    sum 1 per sample (as after SoftmaxLayer); optional top: the loss, ().
    Statistic: `<name>-transport-cost`, the mean of <T, M>, which Mocha reports as the loss.
    Gradient: weight / batch * log(u) / lambda_ to pred (by the envelope theorem, up to a constant per sample), none to
    the label. In logarithms zeros are replaced by 1e-20.
    Source: Mocha.jl src/layers/wasserstein-loss.jl; Frogner et al. 2015 (arXiv:1506.05439); Cuturi 2013
    (arXiv:1306.0895).
    """

    is_statistic: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits(
            Blob((2,), sum_over=1),
            Blob((2,), sum_over=1, learned=False),
            M=[[0, 1], [1, 0]],
            lambda_=2.0,
            sinkhorn_iter=200,
        ),
        fits(
            Blob((3,), sum_over=1),
            Blob((1, 2), sum_over=2, learned=False),
            M=[[0, 1], [1, 0], [2, 1]],
            lambda_=3,
            sinkhorn_iter=200,
            weight=0.3,
        ),
        breaks("M needs a row per feature of pred", (3,), (2,), M=[[0, 1], [1, 0]], lambda_=1),
        breaks("no samples", LOSS, (1,), M=[[1]], lambda_=1),
    )

    name: str = option(text(), default="wasserstein-loss")
    M: Table = option(table("a matrix of finite numbers", [[0.0, 1.0], [1.0, 0.0]], dims=2))
    lambda_: float = option(real(above=0))
    sinkhorn_iter: int = option(integer(1), default=50)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = (ctx.op("reshape", x, shape=(*x.type.shape[:1], features(x))) for x in bottoms)
        if self.M.shape != (features(pred), features(label)):
            rule = "M needs a row per feature of pred and a column per feature of the label"
            raise OpTypeError(rule, f"({features(pred)}, {features(label)})", str(self.M.shape))
        ctx.target(bottoms[1], "distribution")
        label = ctx.op("stop_gradient", label)
        cost = ctx.table("M", self.M.values)
        *potentials, moved = ctx.ops("sinkhorn", pred, label, cost, lam=self.lambda_, iterations=self.sinkhorn_iter)
        parts = [
            per_sample(ctx, ctx.op("mul", x, ctx.op("stop_gradient", p)))
            for x, p in zip((pred, label), potentials, strict=True)
        ]
        ctx.statistic("transport-cost", moved)
        return ctx.op("add", *parts)
