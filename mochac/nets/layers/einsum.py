"""EinsumLayer: sums of products of two blobs, in Einstein's notation.

The op is einsum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.ops.einsum import groups
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import Refusal, Rule, option


def spec() -> Rule:
    """Field rule: letters of two operands and of the result."""

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        try:
            groups(value.replace(" ", ""))
        except OpTypeError as error:
            raise Refusal(f"{error.expected}: {error.rule}") from None
        return value.replace(" ", "")

    wrong = ("bi,bj", "bii,bj->bij", "bi,bj->b", 3, None)
    return Rule("letters such as 'bik,bkj->bij'", convert, "bik,bkj->bij", wrong)


@layer
class EinsumLayer(Layer):
    """Sums of products of the elements of two bottoms, such as a product of matrices for every sample.

    Args:
        spec: a letter for every axis of both bottoms and of the top, such as "bik,bkj->bij". Letters that the top lacks
            are summed over; every letter is in two of the three groups at least, and once in each. The letter of the
            batch comes first, in all groups that hold samples.

    Shapes: those of the letters; a bottom may be a ParameterLayer's blob. Source: NumPy's and PyTorch's einsum.

    >>> EinsumLayer(name="scores", spec="bqd, bkd -> bqk", bottoms=["q", "k"]).spec
    'bqd,bkd->bqk'
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3, 4), (4, 2), spec="bik,bkj->bij"),
        fits((2, 3, 4), (2, 3, 5), spec="bhik,bhij->bhkj"),
        fits((3,), (2,), spec="bi,bj->bij"),
        fits((4,), (4,), spec="bi,bi->b"),
        fits((5,), near=PARAMETER, bottoms=["b0", "W"], spec="bi,ji->bj"),
        fits(near=(*PARAMETER, ("Parameter", {"name": "V", "shape": (5, 3)})), bottoms=["W", "V"], spec="ij,jk->ki"),
        breaks("axes 'k' of the operands differ in extent", (3, 4), (3, 2), spec="bik,bkj->bij"),
        breaks("the spec has a letter for every axis", (3,), (3,), spec="bik,bkj->bij"),
        breaks("samples must stay apart", (3,), (3,), spec="bi,bj->ij"),
        breaks("samples must stay apart", (3,), (3,), spec="bi,ci->bc"),
        breaks("samples must stay apart", (3,), (3,), spec="bi,bi->ib"),
        breaks("the spec has a letter for every axis", LOSS, (3,), spec="bi,bj->bij"),
    )

    spec: str = option(spec())

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        *given, made = groups(self.spec)
        batch = {letters[0] for letters, x in zip(given, bottoms, strict=True) if x.type.batch and x.type.shape}
        if batch and batch != {made[0]}:
            rule = "samples must stay apart"
            raise OpTypeError(rule, "one letter for the batch, first in the top", self.spec)
        return [ctx.op("einsum", *bottoms, spec=self.spec)]
