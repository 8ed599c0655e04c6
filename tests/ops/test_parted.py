"""Ops over the parts of a batch: sums of parts are added in pairs, rows are those of the op; references and kernels."""

import numpy as np
import pytest
from test_lowerings import run_kernels

from mochac.ir import parse, run
from mochac.ir.bfloat16 import pair
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.op import OPS, OpTypeError, run_reference
from mochac.ir.ops.exchange import tree
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.types import parse_type

SUMS = {
    "inner_product_dw": (("f64[b8,3]", "f64[b8,5]"), {}),
    "conv_dw": (("f64[b8,2,5,4]", "f64[b8,3,3,3]"), {"kernel": (3, 2), "stride": (1, 1), "pad": (0, 0)}),
    "einsum": (("f64[b8,3]", "f64[b8,2,5]"), {"spec": "ni,njk->ijk"}),
    "reduce_sum": (("f64[b8,3,2]",), {"axes": (0, 2)}),
}
ROWS = {
    "inner_product": (("f64[b8,3]", "f64[5,3]"), {}),
    "inner_product_dx": (("f64[b8,5]", "f64[5,3]"), {}),
    "einsum": (("f64[b8,3]", "f64[3,4]"), {"spec": "ni,ij->nj"}),
    "reduce_sum": (("f64[b8,3,2]",), {"axes": (2,)}),
}


def node(name, types, attrs, parts):
    """The graph of one op over parts, and operands."""
    marked = tuple(k for k, t in enumerate(types) if parse_type(t).batch)
    rng = np.random.default_rng(len(name))
    arrays = [rng.normal(size=parse_type(t).shape) for t in types]
    (out,) = OPS[f"parts.{name}"].infer(*map(parse_type, types), parts=parts, samples=marked, **attrs)
    every = {**attrs, "parts": parts, "samples": marked}
    text = ", ".join(f"{key} = {_text(value)}" for key, value in sorted(every.items()))
    inputs, names = (
        ", ".join(f"%x{k}: {t}" for k, t in enumerate(types)),
        ", ".join(f"%x{k}" for k in range(len(types))),
    )
    graph = parse(f"graph @g({inputs}) {{ %y: {out} = parts.{name}({names}) {{{text}}} return %y }}")
    return graph, arrays, marked


def _text(value):
    if isinstance(value, tuple):
        return f"({','.join(map(str, value))}{',' if len(value) == 1 else ''})"
    return f'"{value}"' if isinstance(value, str) else str(value)


@pytest.mark.slow
@pytest.mark.parametrize("parts", [1, 2, 4, 8])
@pytest.mark.parametrize("name", SUMS)
def test_a_sum_is_the_tree_of_the_sums_of_parts(name, parts):
    types, attrs = SUMS[name]
    graph, arrays, marked = node(name, types, attrs, parts)
    cut = [np.split(a, parts) if k in marked else [a] * parts for k, a in enumerate(arrays)]
    sums = [run_reference(OPS[name], operands, attrs)[0] for operands in zip(*cut, strict=True)]
    feeds = {f"x{k}": a for k, a in enumerate(arrays)}
    np.testing.assert_array_equal(run(graph, feeds)["y"], tree(sums, np.add))
    np.testing.assert_allclose(run_kernels(graph, feeds)["y"], tree(sums, np.add), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_rows_of_all_parts_are_those_of_the_op(name):
    types, attrs = ROWS[name]
    graph, arrays, _ = node(name, types, attrs, 4)
    wanted, feeds = run_reference(OPS[name], tuple(arrays), attrs)[0], {f"x{k}": a for k, a in enumerate(arrays)}
    np.testing.assert_allclose(run(graph, feeds)["y"], wanted, rtol=1e-12)
    np.testing.assert_allclose(run_kernels(graph, feeds)["y"], wanted, rtol=1e-12)


PAIRED = {
    "inner_product": ("bf16x2[b8,3]", "bf16x2[5,3]"),
    "inner_product_dx": ("bf16x2[b8,5]", "bf16x2[5,3]"),
    "inner_product_dw": ("bf16x2[8,3]", "bf16x2[8,5]"),
}


@pytest.mark.parametrize("name", PAIRED)
def test_factors_may_be_pairs(name):
    """Of samples as well: those of a part are pairs of its own."""
    rng = np.random.default_rng(2)
    types = tuple(map(parse_type, PAIRED[name]))
    marked = (0, 1) if name == "inner_product_dw" else (0,)
    (out,) = OPS[f"parts.{name}"].infer(*types, parts=4, samples=marked)
    graph = parse(
        f"graph @g(%x0: {types[0]}, %x1: {types[1]}) {{ %y: {out} = parts.{name}(%x0, %x1) "
        f"{{parts = 4, samples = {_text(marked)}}} return %y }}"
    )
    arrays = [pair(*rng.normal(size=(2, *t.shape)).astype(np.float32)) for t in types]
    cut = [np.split(a, 4) if k in marked else [a] * 4 for k, a in enumerate(arrays)]
    of_parts = [run_reference(OPS[name], operands, {})[0] for operands in zip(*cut, strict=True)]
    wanted = tree(of_parts, np.add) if name == "inner_product_dw" else np.concatenate(of_parts)
    feeds = {f"x{k}": a for k, a in enumerate(arrays)}
    np.testing.assert_allclose(run(graph, feeds)["y"], wanted, rtol=1e-5)
    np.testing.assert_allclose(run_kernels(graph, feeds)["y"], wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.slow
def test_kernels_of_rows_say_how_many_parts_they_have():
    for (name, (types, attrs)), parts in (*((item, 4) for item in ROWS.items()), *((item, 1) for item in SUMS.items())):
        (kernel,) = to_kernels(fuse(node(name, types, attrs, 4)[0]))
        assert kernel.parts == parts, name
        assert parse_kernel(str(kernel)) == kernel


@pytest.mark.parametrize(
    ("types", "parts", "samples", "message"),
    [
        (("f32[b8,3]", "f32[b8,5]"), 3, (0, 1), "a power of two divides the samples"),
        (("f32[b8,3]", "f32[b8,5]"), 16, (0, 1), "a power of two divides the samples"),
        (("f32[b8,3]", "f32[b8,5]"), 2, (0,), "samples are natural batches"),
        (("f32[b8,3]", "f32[b8,5] blocked(4)"), 2, (0, 1), "samples are natural batches"),
    ],
)
def test_what_is_no_part_is_refused(types, parts, samples, message):
    with pytest.raises(OpTypeError, match=message):
        OPS["parts.inner_product_dw"].infer(*map(parse_type, types), parts=parts, samples=samples)
