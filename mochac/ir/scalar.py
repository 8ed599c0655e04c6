"""The scalar table: every function on single elements, with all its rules in one row.

The interpreters use the column `numpy`, the CPU printer `llvm`, the CUDA printer `cuda`, autodiff `derivative`, and the
tests `domain` and `ulp`. To add a function, add a row in ir/functions/ (one family per file).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from mochac.base.records import record
from mochac.base.registry import Registry
from mochac.ir.onnx_writer import Formula
from mochac.ir.types import FLOATS

if TYPE_CHECKING:
    from mochac.ir.build import GraphBuilder
    from mochac.ir.graph import Value


@record(slots=True)
class Reg:
    """A value in generated code: its text (an SSA name or a literal), dtype and number of lanes (1 = scalar)."""

    text: str
    dtype: str
    lanes: int = 1


class Emitter(Protocol):
    """What the `llvm` column of a row may use. Every method appends one instruction and returns its result. The
    operands of a call have equal numbers of lanes (the printer broadcasts scalars first)."""

    @property
    def fused(self) -> bool:
        """Whether the intrinsic fma rounds once. If not, it is a multiplication and an addition."""
        ...

    def dot4(self, a: Reg, b: Reg, c: Reg, signed: bool) -> Reg | None:
        """c and the products of the bytes of two words, by the CPU's instructions; None if it has none for these.

        Args:
            signed: the bytes of a are; those of b always.
        """
        ...

    def mul_high(self, a: Reg, b: Reg) -> Reg | None:
        """The upper halves of the products of 32-bit integers; None if vectors have no better way than longer ones."""
        ...

    @property
    def bfloat16(self) -> bool:
        """Whether the CPU has instructions for bfloat16: `paired` and `dot2`."""
        ...

    def paired(self, first: Reg, second: Reg) -> Reg:
        """The instruction that rounds float32 numbers to bfloat16, two of them in each element."""
        ...

    def dot2(self, a: Reg, b: Reg, c: Reg) -> Reg:
        """The instruction that adds the products of pairs to float32 numbers."""
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


@record
class Shared:
    """Work that a function does once for `size` neighbouring values of its last argument, an index.

    Args:
        llvm: (emitter, *the other arguments, index // size) -> the results for these values, in order.
    """

    size: int
    llvm: Callable[..., tuple[Reg, ...]]


@record
class Function:
    """One scalar function.

    Args:
        name: the name in graph and kernel text.
        arity: number of arguments.
        result: dtypes of the arguments -> dtype of the result.
        numpy: (arrays...) -> array; this column is the definition.
        llvm: (emitter, *registers) -> register.
        cuda: C expression with {0}, {1}, ... for arguments, keyed by dtype of the result ("f32", "f64", or "" for any;
            for a bool result also by that of the arguments). It is in parentheses unless it is a call or a name. The
            functions of CUDA's library are within 2 ulp (powf within 4; CUDA C++ Programming Guide, "Mathematical
            Functions").
        derivative: (builder, dy, args, y) -> a cotangent or None per argument, as graph code. None: not differentiable;
            asking for the derivative is an error.
        domain: interval per argument that tests draw from.
        ulp: largest error of the float32 llvm column against `numpy` in float64, in units in the last place.
        commutative: a op b == b op a.
        monotone: larger arguments never give a smaller result, even after rounding; False: not known.
        picks: the result is always one of the arguments, unchanged.
        lazy: the C expression evaluates arguments after the first only if the first requires them.
        shared: work that calls with neighbouring last arguments share if they are printed together.
        onnx: the function in ONNX operators; "": nets that need it cannot be saved as ONNX.
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
    onnx: Formula = ""

    @property
    def approximated(self) -> bool:
        """Whether it takes several instructions that round, mostly the tens of a polynomial."""
        return self.ulp > 0.5


FUNCTIONS: Registry[Function] = Registry("scalar function", "mochac.ir.functions")


def function(row: Function) -> Function:
    """Add a row to the table."""
    return FUNCTIONS.add(row.name, row)


def floats(text: str) -> dict[str, str]:
    """The `cuda` column of functions of real numbers; ~ stands for the suffix f of C's float."""
    return {"f32": text.replace("~", "f"), "f64": text.replace("~", "")}


def same(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: all arguments and the result have one dtype."""
    if len(set(dtypes)) != 1:
        raise ValueError(f"operands differ in dtype: {', '.join(dtypes)}")
    return dtypes[0]


def numeric(dtypes: tuple[str, ...]) -> str:
    """Dtype rule of arithmetic: like `same`, but not for bool."""
    if same(dtypes) == "bool":
        raise ValueError("operands are bool, expected numbers")
    return dtypes[0]


def floating(dtypes: tuple[str, ...]) -> str:
    """Dtype rule of functions of real numbers: like `same`, for f32 and f64 only."""
    if same(dtypes) not in FLOATS:
        raise ValueError(f"operands are {dtypes[0]}, expected f32 or f64")
    return dtypes[0]


def boolean(dtypes: tuple[str, ...]) -> str:
    """Dtype rule of comparisons."""
    same(dtypes)
    return "bool"


def to(dtype: str) -> Callable[[tuple[str, ...]], str]:
    """Dtype rule of conversions."""
    return lambda dtypes: dtype
