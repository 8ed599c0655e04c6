"""One elementwise op for every row of the scalar table that computes numbers, with the name of the row.

All operands have the same shape, and all rules of the op come from the row. So a new scalar function is also a new op.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import dims, result
from mochac.ir.scalar import FUNCTIONS, Function
from mochac.ir.types import DTYPES, FLOATS, PAIRS, TensorType, dtype_name

SHAPES = ("[b3,5]", "[1]", "[]", "[b17,2,1,3]")
RANDOM, DOTS = ("u64", "i64", "i32", "i32"), ("u32", "u32", "i32")
SIGNATURES = (("f32",), ("bool", "f32", "f32"), ("bool",), RANDOM, ("i32",), ("u8",), DOTS, (PAIRS, PAIRS, "f32"))


def op_of(row: Function) -> Op:
    """The elementwise op of a row."""
    return Op(
        name=row.name,
        infer=_infer(row),
        reference=_reference(row),
        vjp=_vjp(row) if row.derivative else None,
        lower=Pointwise(_lower(row)),
        lifted=lambda attrs, n: attrs,
        tolerance=max(1e-6, row.ulp * 1.2e-7),
        samples=tuple(_sample(row, shape) for shape in SHAPES),
        onnx=_onnx(row) if row.onnx else None,
    )


def _infer(row: Function) -> Callable[..., tuple[TensorType, ...]]:
    def infer(*operands: TensorType) -> tuple[TensorType, ...]:
        if len(operands) != row.arity:
            raise OpTypeError(f"wrong number of operands of {row.name}", str(row.arity), str(len(operands)))
        first = operands[0]
        for t in operands[1:]:
            if t.shape != first.shape:
                raise OpTypeError(f"operands of {row.name} must have one shape", dims(first.shape), dims(t.shape))
        try:
            dtype = row.result(tuple(t.dtype for t in operands))
        except ValueError as error:
            raise OpTypeError(f"{row.name}: {error}") from None
        return (result(dtype, first.shape, any(t.batch for t in operands), *operands),)

    return infer


def _reference(row: Function) -> Callable[..., np.ndarray]:
    def reference(*arrays: np.ndarray) -> np.ndarray:
        dtype = row.result(tuple(dtype_name(np.asarray(a).dtype) for a in arrays))
        return np.asarray(row.numpy(*arrays)).astype(DTYPES[dtype], copy=False)

    return reference


def _vjp(row: Function) -> Callable[..., tuple[Value | None, ...]]:
    def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
        assert row.derivative is not None
        return row.derivative(b, dy, bound.inputs, bound.outputs[0])

    return vjp


def _lower(row: Function) -> Callable[[KernelBuilder, BoundNode, tuple[Index, ...]], tuple[Operand, ...]]:
    def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
        return (k.call(row.name, *(k.read(bound, position, index) for position in range(row.arity))),)

    return lower


def _onnx(row: Function) -> Callable[..., str]:
    def onnx(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
        return w.formula(row.onnx, *operands)

    return onnx


def _sample(row: Function, shape: str) -> Sample:
    dtypes = signature(row)
    domains = row.domain if len(row.domain) == row.arity else row.domain * row.arity
    floats = {p: d for p, d in enumerate(domains) if dtypes[p] in FLOATS}
    integers = {p: (int(lo), int(hi) + (dtypes[p] == "bool")) for p, (lo, hi) in enumerate(domains) if p not in floats}
    return Sample(tuple(d + shape for d in dtypes), domains=floats, integers=integers)


def signature(row: Function) -> tuple[str, ...]:
    """The first entry of SIGNATURES that a row accepts as operand dtypes (a single dtype stands for all operands)."""
    for candidate in SIGNATURES:
        dtypes = candidate * row.arity if len(candidate) == 1 else candidate
        if len(dtypes) == row.arity:
            try:
                row.result(dtypes)
            except ValueError:
                continue
            return dtypes
    raise ValueError(f"no sample dtypes fit the scalar row {row.name!r}: extend SIGNATURES")


def is_for_pairs(row: Function) -> bool:
    """Whether a row takes or makes pairs of bfloat16. Kernels call such rows, as factors of contractions; there are no
    ops of them, since pairs are no numbers."""
    dtypes = signature(row)
    return PAIRS in (*dtypes, row.result(dtypes))


for _name, _row in FUNCTIONS.items():
    if not is_for_pairs(_row):
        register(op_of(_row))
