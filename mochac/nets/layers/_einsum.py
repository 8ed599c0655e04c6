"""np.einsum of values: a chain of the op einsum, which takes two operands and sums over letters that both have."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mochac.ir.graph import Value
from mochac.ir.op_call import OpCallError
from mochac.nets.layers._aligned import whole
from mochac.nets.layers._op_writer import OpWriter

SPEC = re.compile(r"[a-zA-Z]+(,[a-zA-Z]+)*->[a-zA-Z]*")


def einsum(ctx: OpWriter, spec: str, operands: Sequence[Value]) -> Value:
    """The sum of products that numpy.einsum defines, from the first operand on.

    Raises:
        OpCallError: the spec is not letters for every axis of every operand and of the result, each once.
    """
    text = spec.replace(" ", "") if isinstance(spec, str) else ""
    groups, _, made = text.partition("->")
    letters = groups.split(",")
    if not SPEC.fullmatch(text) or not set(made) <= set(groups) or len(letters) != len(operands):
        raise OpCallError(
            "the spec of np.einsum does not fit", f"such as 'nij,jk->nik', {len(operands)} groups", repr(spec)
        )
    for group in (*letters, made):
        if len(set(group)) < len(group):
            raise OpCallError(
                "a letter of np.einsum stands for one axis of an operand", "different letters", repr(group)
            )
    for group, x in zip(letters, operands, strict=True):
        if len(group) != len(x.type.shape):
            raise OpCallError("np.einsum has a letter for every axis", f"{len(x.type.shape)} letters", repr(group))
    own, x = _needed(ctx, letters[0], operands[0], "".join((*letters[1:], made)))
    for k in range(1, len(operands)):
        later = "".join((*letters[k + 1 :], made))
        right, y = _needed(ctx, letters[k], operands[k], own + later)
        kept = "".join(c for c in dict.fromkeys(made + own + right) if c in later and c in own + right)
        if not (own and right and kept):
            hint = "np.sum, or the operator *"
            raise OpCallError("np.einsum of a scalar", "operands and results with axes", repr(spec), hint)
        x, own = contracted(ctx, (x, y), (own, right), kept), kept
    order = tuple(own.index(c) for c in made)
    return x if own == made else ctx.op("permute", x if order[:1] == (0,) else whole(ctx, x), order=order)


def contracted(ctx: OpWriter, operands: tuple[Value, Value], groups: tuple[str, str], made: str) -> Value:
    """The op einsum of two operands. The batch stays in front of the result, or its samples meet: an operand that has
    it elsewhere is read as all samples."""
    marked = {letters[0] for letters, x in zip(groups, operands, strict=True) if x.type.batch}
    elsewhere = {c for letters, x in zip(groups, operands, strict=True) for c in letters[x.type.batch :]}
    batch = made[0] if made[0] in marked - elsewhere else ""
    x, y = (v if letters[0] == batch else whole(ctx, v) for letters, v in zip(groups, operands, strict=True))
    return ctx.op("einsum", x, y, spec=f"{','.join(groups)}->{made}")


def _needed(ctx: OpWriter, own: str, x: Value, others: str) -> tuple[str, Value]:
    """An operand, summed over the axes that no other group has."""
    axes = tuple(k for k, letter in enumerate(own) if letter not in others)
    if not axes:
        return own, x
    return "".join(c for c in own if c in others), ctx.op("reduce_sum", whole(ctx, x) if 0 in axes else x, axes=axes)
