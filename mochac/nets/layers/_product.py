"""x @ y of two values, as numpy.matmul: products of matrices on the last two axes, by an einsum."""

from __future__ import annotations

from string import ascii_letters

from mochac.ir.graph import Value
from mochac.ir.op_call import OpCallError
from mochac.nets.layers._einsum import contracted
from mochac.nets.layers._op_writer import OpWriter

ROW, TERM, COLUMN = "xyz"
LEADING = ascii_letters.replace("xyz", "")


def product(ctx: OpWriter, x: Value, y: Value) -> Value:
    """x @ y. A value with one axis is a row on the left and a column on the right; the result lacks that axis.

    Raises:
        OpCallError: the axes that are summed over differ, or leading axes do.
    """
    left, right = x.type.shape, y.type.shape
    if not left or not right or left[-1] != right[-2 if len(right) > 1 else -1]:
        rule = "the operands of @ do not fit each other"
        raise OpCallError(rule, "x (..., rows, n) and y (..., n, columns)", f"{left} and {right}")
    leads = left[:-2], right[:-2]
    shorter = min(map(len, leads))
    if leads[0][len(leads[0]) - shorter :] != leads[1][len(leads[1]) - shorter :]:
        raise OpCallError("the leading axes of the operands of @ differ", str(leads[0]), str(leads[1]))
    letters = LEADING[: max(map(len, leads))]
    own = [letters[len(letters) - len(lead) :] for lead in leads]
    rows, columns = ROW * (len(left) > 1), COLUMN * (len(right) > 1)
    made = f"{letters}{rows}{columns}"
    if not made:
        raise OpCallError("@ of two vectors", "matrices", f"{left} and {right}", "(x * y).sum()")
    groups = f"{own[0]}{rows}{TERM}", f"{own[1]}{TERM}{columns}"
    return contracted(ctx, (x, y), groups, made)
