"""KernelBuilder and the kinds of lowerings: how an op's `lower` rule writes loops.

passes/to_kernels drives the builder, one nest per op. Operands are read from buffers: from those of the kernel, or from
the locals that earlier nests of the kernel fill. Only values that never have storage (constants, broadcasts) are
computed where they are read. Steps of the schedule put nests into each other (ir/steps/inline.py,
fuse.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.ir.body_build import BodyBuilder, IndexTuple
from mochac.ir.graph import BoundNode, Node
from mochac.ir.index import Index
from mochac.ir.kernel import Operand


@record
class Pointwise:
    """A lowering that can compute one output element at any index.

    `fn(k, bound, index)` emits statements into KernelBuilder `k` and returns one operand per output, all at the same
    logical `index` (a tuple of Index, one per output axis). It may open loops for reductions. `axes` are the names of
    the output axes, used as loop names that schedules refer to; the default is a0, a1, ...

    `places(bound, index)` is for ops whose result consists of their operands, side by side: it returns where the
    element at `index` of each operand lies in the result. If all operands have one shape, the op can then be computed
    together with the ops that make them (`concatenates`).
    """

    fn: Callable[[KernelBuilder, BoundNode, IndexTuple], tuple[Operand, ...]]
    axes: tuple[str, ...] = ()
    places: Callable[[BoundNode, IndexTuple], tuple[IndexTuple, ...]] | None = None


@record
class Nest:
    """A lowering that opens its own loops and calls k.write(output position, index, operand): for rows
    (softmax) whose outputs need one walk over several elements."""

    fn: Callable[[KernelBuilder, BoundNode], None]


@record
class Alias:
    """The output is the first input's storage with another shape; no code is generated. `row` names the attribute with
    the row of axis 0 at which it begins."""

    row: str = ""


@record
class Repeated:
    """The node runs its body many times: kernels of the body, and a loop of the plan around them (passes/loops.py)."""


Lowering = Pointwise | Nest | Alias | Repeated


def concatenates(lower: Lowering, bound: BoundNode) -> bool:
    """Whether a node puts operands of one shape, in natural layout, side by side: its nest goes over the elements of an
    operand, and stores the element of each operand at its own place."""
    if not isinstance(lower, Pointwise) or lower.places is None:
        return False
    types = {x.type.with_(dtype="f32") for x in bound.inputs}
    return len(types) == 1 < len(bound.inputs) and not types.pop().lanes


class KernelBuilder(BodyBuilder):
    """Writes the nests of one kernel.

    Args:
        stored: value -> the buffer that holds it; results that are not in it are not stored.
        free: nodes that never have storage, which are computed where they are read; by result name.
        lowering: returns the lowering of a node; see `mochac.ir.op.lowering`.
        taken: names that locals must not get.
    """

    def __init__(
        self,
        stored: Mapping[str, str],
        free: Mapping[str, BoundNode],
        lowering: Callable[[Node], Lowering],
        taken: Iterable[str] = (),
    ) -> None:
        super().__init__((*stored.values(), *taken))
        self.stored, self.free, self.lowering = stored, free, lowering

    def read(self, bound: BoundNode, position: int, index: Sequence[Index | int]) -> Operand:
        """Operand `position` of a node at a logical index: a load, or the code of a node without storage.

        Raises:
            OptionError: the node has no such operand.
        """
        inputs = bound.node.inputs
        _require_position(bound, "an operand", position, len(inputs))
        return self._value(inputs[position], bound.operand_index(position, tuple(map(Index.of, index))))

    def _value(self, name: str, index: IndexTuple) -> Operand:
        bound = self.free.get(name)
        if bound is None:
            return self.load(self.stored[name], *index)
        found = self.known(name, index)
        if found is not None:
            return found
        lower = self.lowering(bound.node)
        assert isinstance(lower, Pointwise), f"{bound.node.op} needs storage"
        for out, operand in zip(bound.outputs, lower.fn(self, bound, index), strict=True):
            self.know(out.name, index, operand)
        found = self.known(name, index)
        assert found is not None
        return found

    def write(self, bound: BoundNode, position: int, index: Sequence[Index | int], value: Operand) -> None:
        """Give one element of a result; it is stored if anything reads it.

        Raises:
            OptionError: the node has no such result.
        """
        _require_position(bound, "a result", position, len(bound.outputs))
        buffer = self.stored.get(bound.outputs[position].name)
        if buffer is not None:
            self.store(buffer, bound.result_index(tuple(map(Index.of, index))), value)


def _require_position(bound: BoundNode, what: str, position: int, count: int) -> None:
    if not 0 <= position < count:
        rule = f"op {bound.node.op!r}: `lower` asks for {what} that it does not have"
        raise OptionError(rule, expected=f"0 .. {count - 1}" if count else "none", got=str(position))
