"""Op: the record of an operation with all its rules, and the table of ops, found by a scan of `mochac/ir/ops/`.

The interpreter, the verifier, autodiff and lowering look ops up here by name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.base.errors import OptionError, UnsupportedError
from mochac.base.records import record
from mochac.base.registry import Registry, did_you_mean
from mochac.ir.graph import Attr, BoundNode, Node, Value
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_build import Alias, Lowering, Nest, Pointwise, Repeated
from mochac.ir.types import PAIRS, TensorType

if TYPE_CHECKING:
    from mochac.ir.schedule import Schedule


class OpTypeError(ValueError):
    """An op does not accept its operand types. The frontend turns it into a ShapeError that names the layer.

    `rule` is the broken rule; `expected` and `got` are short texts; `hint` may be empty.
    """

    def __init__(self, rule: str, expected: str = "", got: str = "", hint: str = "") -> None:
        super().__init__(f"{rule}: expected {expected}, got {got}" if expected else rule)
        self.rule, self.expected, self.got, self.hint = rule, expected, got, hint


@record
class Sample:
    """One test case of an op: operand types, attributes and the ranges of random operands.

    `types` are type texts ("f32[2,3]"); `domain` is the interval that floats are drawn from; `integers` maps positions
    of integer-valued operands to half-open ranges; `domains` overrides `domain` by position; `arrays` are operands that
    are not random, by position; `differentiable` lists the operand positions whose gradient is compared with central
    differences (None: every float operand, if the op has a vjp).
    """

    types: tuple[str, ...]
    attrs: dict[str, Any] = field(default_factory=dict)
    domain: tuple[float, float] = (-2.0, 2.0)
    integers: dict[int, tuple[int, int]] = field(default_factory=dict)
    differentiable: tuple[int, ...] | None = None
    domains: dict[int, tuple[float, float]] = field(default_factory=dict)
    arrays: dict[int, np.ndarray] = field(default_factory=dict)


KINDS = ("elementwise", "contraction", "transform", "window", "row", "reduce", "shape", "source", "loop", "call")
"""Kinds of ops; see Op.kind."""


@record
class Op:
    """All rules of one tensor operation.

    Args:
        name: the name in graph text.
        infer: (operand types..., **attrs) -> output types; raises OpTypeError.
        reference: (arrays..., **attrs) -> one array or a tuple of them; NumPy, float32 and float64.
        vjp: (builder, bound, *cotangents) -> one cotangent Value or None per input. None: the op is not differentiable.
        lower: the lowering, or a function attrs -> lowering if it depends on them; use the method `lowering`.
        samples: test cases; an op without samples fails the registry test.
        tolerance: largest relative error of compiled float32 code against the reference in float64.
        kind: for fusion: "elementwise" (output index == input index for every operand that has the output's shape),
            "contraction", "transform" (of tiles, computed with the contraction that reads or makes them), "window",
            "row", "reduce", "shape", "source", "loop".
        flops: nominal operations, 2 per multiply-add (padding counted); None counts 0.
        natural: positions of operands that must have natural layout.
        channels: of a window over images, the axis of channels behind that of samples: 0, or -1 if they are last.
        label: position of the operand that holds class indices; the number of classes is the attribute `classes`, or
            else the extent of operand 0 along the attribute `axis`.
        lifted: (attributes, n) -> the attributes of the same op where its operands and results have one more axis 0, of
            extent n; None: the op is applied slice by slice (ops/mapped.py).
        adds: whether its result, if it has no batch, is a sum of one term per sample, so that it may be taken over
            parts of a batch (passes/cut_batch.py).
        paired: (bound) -> of each of the first two operands, the factors of its products, the axis along which two
            neighbours may become a pair of bfloat16 (passes/pair_factors.py); None: of this node, none may. None as a
            rule: the op takes no pairs.
        of_tiles: of a contraction, whether it multiplies transformed tiles, and is computed with their transforms.
        moves: whether the result consists of elements of the operands, rearranged, each used at most once.
        inlined: whether an element costs nothing, so that every kernel that reads it recomputes it instead of loading.
        picks_rows: whether ids or a table determine which rows it reads; it needs no blocks of samples.
        alone: why a node of this op is always a kernel of its own; "" if it may be fused.
        joins_readers: whether it joins the elementwise kernel that alone reads it, in spite of `alone`. This is decided
            last, so that all other kernels are the same as in a graph in which its result comes from elsewhere.
        schedules: for users' own ops: backend name ("cpu") -> rule (kernel, target) -> Schedule or None. It is tried
            before the backend's rules, for kernels whose root is this op; None means that the backend's rules apply.
        onnx: (writer, bound, *names of the operands) -> names of the results, after writing ONNX nodes. None: nets that
            predict with this op cannot be saved as ONNX.
    """

    name: str
    infer: Callable[..., tuple[TensorType, ...]]
    reference: Callable[..., Any]
    lower: Lowering | Callable[[dict[str, Attr]], Lowering] | None
    samples: tuple[Sample, ...]
    vjp: Callable[..., tuple[Value | None, ...]] | None = None
    tolerance: float = 2e-5
    kind: str = "elementwise"
    flops: Callable[[BoundNode], int] | None = None
    natural: Sequence[int] = ()
    channels: int = 0
    label: int | None = None
    lifted: Callable[[dict[str, Attr], int], dict[str, Attr]] | None = None
    adds: bool = False
    paired: Callable[[BoundNode], tuple[int, int] | None] | None = None
    of_tiles: bool = False
    moves: bool = False
    inlined: bool = False
    picks_rows: bool = False
    alone: str = ""
    joins_readers: bool = False
    schedules: Mapping[str, Callable[[Kernel, Any], Schedule | None]] = field(default_factory=dict)
    onnx: Callable[..., str | tuple[str, ...]] | None = None

    def lowering(self, attrs: dict[str, Attr]) -> Lowering:
        """The lowering of a node of this op with these attributes."""
        lower = self.lower
        if lower is None:
            raise LookupError(f"op {self.name!r} has no lowering")
        return lower if isinstance(lower, (Pointwise, Nest, Alias, Repeated)) else lower(attrs)


OPS: Registry[Op] = Registry("op", "mochac.ir.ops", 'name="{}"', common=("pointwise", "mapped", "parted"))


def register(op: Op) -> Op:
    """Add an op to the table. Files in ops/ call this at import; a user's file may, too.

    Raises:
        OptionError: mochac has an op of this name (users may register their own op again), or there is no such kind.
    """
    caller = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    home = caller.f_globals.get("__name__", "")
    if op.kind not in KINDS:
        place = f"{caller.f_code.co_filename}:{caller.f_lineno}"
        problem = f"op {op.name!r}: there is no kind {op.kind!r}{did_you_mean(str(op.kind), KINDS)}"
        raise OptionError(problem, expected=", ".join(KINDS), at=place)
    try:
        return OPS.add(op.name, op, home)
    except ValueError:
        if home.partition(".")[0] == "mochac":
            raise
        place, hint = f"{caller.f_code.co_filename}:{caller.f_lineno}", "call it something else"
        raise OptionError(f"op {op.name!r}: mochac has an op of this name", hint=hint, at=place) from None


def lowering(node: Node) -> Lowering:
    """The lowering of a node.

    Raises:
        UnsupportedError: the op has none.
    """
    op = OPS[node.op]
    if op.lower is None:
        loc = next(iter(node.loc), None)
        where = {"layer": loc.layer, "at": f"{loc.file}:{loc.line}" if loc.file else ""} if loc else {}
        hint = "Op(lower=Pointwise(...)): see Add an operation in docs/developers/contributions.md"
        raise UnsupportedError(f"op {node.op!r} has no loop nest to compile", hint=hint, **where)
    return op.lowering(node.attr)


def nominal_flops(bound: BoundNode) -> int:
    """Nominal operations of a node; a pair of factors counts as two."""
    rule, pairs = OPS[bound.node.op].flops, any(x.type.dtype == PAIRS for x in bound.inputs[:2])
    return rule(bound) * (1 + pairs) if rule else 0


def run_reference(op: Op, arrays: tuple[np.ndarray, ...], attrs: dict[str, Attr]) -> tuple[np.ndarray, ...]:
    """Evaluate an op's reference and always return a tuple of arrays."""
    result = op.reference(*arrays, **attrs)
    results = result if isinstance(result, tuple) else (result,)
    return tuple(np.asarray(r) for r in results)
