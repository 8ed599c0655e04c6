"""The one scalar table: every function on single elements, with all it needs in one row.

The interpreters take the `numpy` column, the CPU printer `llvm`, the CUDA printer `cuda`, autodiff `derivative`, the
tests `domain` and `ulp`. Adding a function is adding a row (ir/functions/*.py, one family per file).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from mochac.registry import Registry

if TYPE_CHECKING:
    from mochac.ir.build import GraphBuilder
    from mochac.ir.graph import Value


@dataclass(frozen=True, slots=True)
class Reg:
    """A value in generated code: its text (an SSA name or a literal), element type and lanes (1 = scalar)."""

    text: str
    dtype: str
    lanes: int = 1


class Emitter(Protocol):
    """What a row's `llvm` column may use. Every method appends one instruction and returns its result; operands of a
    call have equal lanes (the printer splats scalars first)."""

    @property
    def fused(self) -> bool:
        """Whether the intrinsic fma rounds once; else it is a product and a sum."""
        ...

    def const(self, value: float | int, dtype: str, lanes: int = 1) -> Reg: ...
    def binary(self, opcode: str, a: Reg, b: Reg) -> Reg: ...
    def unary(self, opcode: str, a: Reg) -> Reg: ...
    def intrinsic(self, name: str, *args: Reg) -> Reg:
        """llvm.<name>.<type of the first operand>; the result has that type."""
        ...

    def compare(self, opcode: str, predicate: str, a: Reg, b: Reg) -> Reg:
        """opcode is 'fcmp' or 'icmp'; the result's dtype is 'bool'."""
        ...

    def select(self, mask: Reg, a: Reg, b: Reg) -> Reg: ...
    def cast(self, opcode: str, a: Reg, dtype: str) -> Reg:
        """opcode: fptosi sitofp fptoui uitofp zext sext trunc fpext fptrunc bitcast."""
        ...


@dataclass(frozen=True)
class Shared:
    """Work that a function does once for `size` neighbouring values of its last argument, an index.

    Args:
        llvm: (emitter, *the other arguments, index // size) -> the results for its values, in order.
    """

    size: int
    llvm: Callable[..., tuple[Reg, ...]]


@dataclass(frozen=True)
class Function:
    """One scalar function.

    Args:
        name: as in graph and kernel text.
        arity: number of arguments.
        result: dtypes of the arguments -> dtype of the result.
        numpy: (arrays...) -> array, the definition.
        llvm: (emitter, *registers) -> register.
        cuda: C expression with {0}, {1}, ... for arguments, keyed by dtype of the result ("f32", "f64", or "" for any;
            for a bool result also by that of the arguments). In brackets unless it is a call or a name. Functions of
            CUDA's library are within 2 ulp (powf within 4; CUDA C++ Programming Guide, "Mathematical Functions").
        derivative: (builder, dy, args, y) -> a cotangent or None per argument, as graph code; None: not differentiable
            (treated as zero nowhere: asking for it is an error).
        domain: interval per argument that tests draw from.
        ulp: largest error of the float32 llvm column against `numpy` in float64, in units in the last place.
        commutative: a op b == b op a.
        monotone: of larger arguments the result is no smaller, also as computed; False: not known.
        picks: the result is one of the arguments as it is.
        lazy: the C text looks at arguments after the first only where that one says so.
        shared: what calls with neighbouring last arguments have in common, for those printed side by side.
    """

    name: str
    arity: int
    result: Callable[[tuple[str, ...]], str]
    numpy: Callable[..., Any]
    llvm: Callable[..., Reg]
    cuda: dict[str, str]
    derivative: Callable[[GraphBuilder, Value, tuple[Value, ...], Value], tuple[Value | None, ...]] | None = None
    domain: tuple[tuple[float, float], ...] = ((-2.0, 2.0),)
    ulp: float = 0.5
    commutative: bool = False
    monotone: bool = False
    picks: bool = False
    lazy: bool = False
    shared: Shared | None = None


FUNCTIONS: Registry[Function] = Registry("scalar function", "mochac.ir.functions")


def function(row: Function) -> Function:
    """Add a row to the table."""
    return FUNCTIONS.add(row.name, row)


def same(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: all arguments and the result have one dtype."""
    if len(set(dtypes)) != 1:
        raise ValueError(f"operands differ in dtype: {', '.join(dtypes)}")
    return dtypes[0]


def numeric(dtypes: tuple[str, ...]) -> str:
    """Dtype rule of arithmetic: as `same`, but not on bool."""
    if same(dtypes) == "bool":
        raise ValueError("operands are bool, expected numbers")
    return dtypes[0]


def floating(dtypes: tuple[str, ...]) -> str:
    """Dtype rule of functions of real numbers: as `same`, f32 or f64 only."""
    if same(dtypes) not in ("f32", "f64"):
        raise ValueError(f"operands are {dtypes[0]}, expected f32 or f64")
    return dtypes[0]


def boolean(dtypes: tuple[str, ...]) -> str:
    """Dtype rule of comparisons."""
    same(dtypes)
    return "bool"


def to(dtype: str) -> Callable[[tuple[str, ...]], str]:
    """Dtype rule of conversions."""
    return lambda dtypes: dtype
