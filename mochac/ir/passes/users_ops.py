"""Checks of what users' ops lower to: a mistake becomes a clear error instead of a read outside of an operand.

mochac's own ops are checked by tests, and under MOCHAC_VERIFY=1.
"""

from __future__ import annotations

from mochac.base.errors import OptionError
from mochac.ir.graph import BoundNode, Node
from mochac.ir.kernel import Body, Kernel, Load, Operand, Store, walk, written_buffers
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.op import OPS


def check_operands(bound: BoundNode, operands: object) -> tuple[Operand, ...]:
    """What the `lower` of a Pointwise op returned: one operand per result."""
    wanted = len(bound.outputs)
    if not isinstance(operands, tuple) or len(operands) != wanted:
        got = f"a tuple of {len(operands)}" if isinstance(operands, tuple) else repr(operands)
        raise _wrong(bound.node, "`lower` returns no operand per result", f"a tuple of {wanted}", got)
    return operands


def check_nest(k: KernelBuilder, bound: BoundNode, nest: Body) -> None:
    """Every result that others read must be stored; elementwise ops must read where they store."""
    written = written_buffers(nest)
    for position, out in enumerate(bound.outputs):
        buffer = k.stored.get(out.name)
        if buffer is not None and buffer not in written:
            raise _wrong(bound.node, f"`lower` never writes result {position}", f"k.write(bound, {position}, ...)")
    if bound.node.op in OPS.foreign and OPS[bound.node.op].kind == "elementwise":
        _check_elementwise(k, bound, nest)


def _check_elementwise(k: KernelBuilder, bound: BoundNode, nest: Body) -> None:
    like = {k.stored.get(v.name) for v in bound.inputs if v.type.shape == bound.outputs[0].type.shape}
    own = {s.index for s in walk(nest) if isinstance(s, Store) and s.buffer in k.stored.values()}
    for s in walk(nest):
        if isinstance(s, Load) and s.buffer in like and s.index not in own:
            expected = 'kind="window", or another that help(mochac.ir.op.Op) lists'
            raise _wrong(bound.node, "`lower` reads other elements, but its kind is elementwise", expected, str(s))


def check_kernel(kernel: Kernel, nodes: tuple[Node, ...]) -> None:
    """The staged kernel must be well formed if a node is of a user's op."""
    own = next((node for node in nodes if node.op in OPS.foreign), None)
    if own is None:
        return
    try:
        verify_kernel(kernel)
    except KernelVerifyError as error:
        raise _wrong(own, f"`lower` breaks rule {error.rule}: {error.text}", got=str(error.stmt or "")) from None


def _wrong(node: Node, rule: str, expected: str = "", got: str = "") -> OptionError:
    layers = [f"from {loc}" for loc in node.loc]
    return OptionError(f"op {node.op!r}: {rule}", expected=expected, got=got, details=layers)
