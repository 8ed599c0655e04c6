"""SampleRules: an operation of a layer may do nothing to the samples of a batch that depends on their positions.

A batch-marked value has a sample in each row. Some operations take several rows for each sample, such as a product over
the time steps of all samples. Between two reshapes such values are not marked, but noted here:

    (batch, time, features) -> reshape (batch * time, features) -> inner_product -> reshape (batch, time, outputs)

The `infer` of an operation, called for a batch with one sample more, shows whether it keeps samples apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mochac.ir.graph import Node, Value
from mochac.ir.op import OPS, OpTypeError
from mochac.ir.op_call import OpCallError
from mochac.ir.passes.sample_axes import FOLLOWS, SampleAxis, mixes
from mochac.ir.types import TensorType
from mochac.nets.layers._operators import ALONE, fixed_rows

MEETINGS = ("all_samples", "own_samples")
"""Operations between samples and arrays of all samples."""


class SampleRules:
    """The values of a net that have several rows for each sample.

    Args:
        batch: number of samples.
    """

    def __init__(self, batch: int) -> None:
        self.batch = batch
        self._several: set[str] = set()
        self._of_all: set[str] = set()
        """Values computed of all samples of the batch, without its mark."""

    def has_several(self, value: Value) -> bool:
        """Whether a value has several rows for each sample."""
        return value.name in self._several

    def require_one_row(self, what: str, value: Value) -> None:
        """Raise OpCallError for a value that has several rows for each sample."""
        if self.has_several(value):
            hint = f"y.reshape({self.batch}, ...), with the number of samples as bottoms[0].shape[0]"
            raise OpCallError(f"{what} has several rows for each sample", f"({self.batch}, ...)", _text(value), hint)

    def restored(self, op: str, inputs: Sequence[Value], attrs: Mapping[str, object]) -> dict[str, object]:
        """The attributes of a call; a reshape to one row for each sample again marks its result."""
        shape = attrs.get("shape")
        again = isinstance(shape, (tuple, list)) and tuple(shape[:1]) == (self.batch,)
        marks = again and op == "reshape" and self.has_several(inputs[0])
        return {**attrs, "batch": True} if marks else dict(attrs)

    def meets(self, op: str, x: Value, inputs: Sequence[Value]) -> bool:
        """Whether an operand was computed of all samples, and its rows stand beside the samples of another operand."""
        beside = any(v.type.batch and v.type.shape == x.type.shape for v in inputs)
        return OPS[op].kind == "elementwise" and x.name in self._of_all and beside

    def check(self, node: Node, inputs: Sequence[Value]) -> None:
        """Note the results of an operation.

        Raises:
            OpCallError: it mixes samples, or reads numbers that have the extent of the batch but are not samples.
        """
        held = [v for v in inputs if v.type.batch or self.has_several(v)]
        if node.op == "all_samples" or any(v.name in self._of_all for v in inputs):
            self._of_all.update(out.name for out in node.outputs if not out.type.batch)
        if node.op in MEETINGS:
            return
        if node.op == "reshape" and held:
            self._reshaped(node, held[0])
            return
        several = any(map(self.has_several, held))
        if several:
            self._require_apart(node, inputs)
        elif node.outputs[0].type.batch and "batch" not in node.attr and any(map(self._as_long, inputs)):
            self._require_free(node, inputs)
        if OPS[node.op].kind in ("reduce", "contraction") and held and not (several or node.outputs[0].type.batch):
            raise OpCallError(
                f"{node.op} sums over the batch", "sums within a sample",
                ", ".join(f"{name}={value}" for name, value in node.attrs),
                "ctx.batch_sum and ctx.batch_mean, or ctx.all_samples(x) for sums over all samples",
            )  # fmt: skip

    def _reshaped(self, node: Node, x: Value) -> None:
        made = node.outputs[0]
        rows = made.type.shape[0] if made.type.shape else 0
        if not rows or rows % self.batch:
            expected = f"{self.batch} rows, one for each sample, or a multiple of that"
            hint = "x.reshape(x.shape[0], ...) keeps the samples apart"
            raise OpCallError("a reshape mixes the samples of a batch", expected, str(made.type.shape), hint)
        self._note(node)

    def _require_apart(self, node: Node, inputs: Sequence[Value]) -> None:
        """Check that the results have the rows of the operands."""
        rows = next(v.type.shape for v in inputs if self.has_several(v))
        follows = OPS[node.op].kind in FOLLOWS
        grown = [
            self._grown(v.type) if v.type.batch or self.has_several(v) or (follows and v.type.shape == rows) else v.type
            for v in inputs
        ]
        held = [k for k, v in enumerate(inputs) if self.has_several(v)]
        mixed = any(mixes(node, k, inputs[k].type, self._axis(inputs[k].type)) for k in held)
        if mixed or not self._follow(node, grown):
            got = ", ".join(map(_text, inputs))
            hint = f"{ALONE}: reshape to a row for each sample first"
            raise OpCallError(f"{node.op} mixes the samples of a batch", "work on each row", got, hint)
        self._note(node)

    def _require_free(self, node: Node, inputs: Sequence[Value]) -> None:
        """Check that the operation does not need operands without samples to have the batch's extent."""
        if not self._follow(node, [self._grown(v.type) if v.type.batch else v.type for v in inputs]):
            raise fixed_rows(next(filter(self._as_long, inputs)))

    def _as_long(self, value: Value) -> bool:
        """Whether a value without samples has an extent equal to the batch size; an extent of 1 is the same for every
        sample."""
        return self.batch > 1 and not value.type.batch and self.batch in value.type.shape

    def _follow(self, node: Node, types: Sequence[TensorType]) -> bool:
        """Whether the results have one sample more if the operands have."""
        if any(not out.type.shape or out.type.shape[0] % self.batch for out in node.outputs):
            return False
        wanted = [self._grown(out.type).shape for out in node.outputs]
        attrs = node.attr
        if attrs.get("shape") == node.outputs[0].type.shape:
            attrs["shape"] = wanted[0]
        try:
            made = OPS[node.op].infer(*types, **attrs)
        except OpTypeError:
            return False
        return [t.shape for t in made] == wanted

    def _grown(self, t: TensorType) -> TensorType:
        rows = t.shape[0] // self.batch if t.shape else 0
        return t.with_(shape=(t.shape[0] + rows, *t.shape[1:]) if rows else t.shape)

    def _axis(self, t: TensorType) -> SampleAxis:
        return SampleAxis(self.batch, t.elems // self.batch)

    def _note(self, node: Node) -> None:
        self._several.update(out.name for out in node.outputs if not out.type.batch)


def _text(value: Value) -> str:
    return str(value.type.shape)
