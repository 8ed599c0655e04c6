"""What the analysis says of contractions: a table from kernels to the roles of their loops, users' operations among
them; odd operands; lines of images."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from codegen.cuda.cuda_kernels import pooled
from codegen.kernels import CONV, PADDED, kernel_of, naive_kernels, op_graph
from codegen.odd_operands import OddGraph, replaced
from codegen.user_ops import USER_OPS

import mochac
from mochac.codegen.analysis.contraction import Contraction, Factor, contraction
from mochac.codegen.analysis.plain import plain
from mochac.codegen.analysis.weight_gradient import weight_gradient
from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.nest import loops
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse

CASES: dict[str, tuple[str, tuple[str, ...], dict[str, object]]] = {
    "inner_product": ("inner_product", ("f32[b64,20]", "f32[12,20]", "f32[12]"), {}),
    "inner_product_dx": ("inner_product_dx", ("f32[b64,12]", "f32[12,20]"), {}),
    "inner_product_dw": ("inner_product_dw", ("f32[b32,40]", "f32[b32,6]"), {}),
    "conv": ("conv", ("f32[b32,3,6,7]", "f32[4,3,3,3]", "f32[4]"), PADDED),
    "conv-groups": ("conv", ("f32[b16,6,9,9]", "f32[16,3,3,3]"), {**PADDED, "group": 2}),
    "conv-depthwise": ("conv", ("f32[b16,6,9,9]", "f32[6,1,3,3]"), {**CONV, "group": 6}),
    "conv_dx": ("conv_dx", ("f32[b32,4,4,4]", "f32[4,2,3,3]"), {**CONV, "shape": (32, 2, 6, 6)}),
    "conv_dx-strided": (
        "conv_dx",
        ("f32[b16,8,5,3]", "f32[8,4,3,3]"),
        {**PADDED, "stride": (2, 3), "shape": (16, 4, 9, 8)},
    ),
    "conv_dx-one-way": (
        "conv_dx",
        ("f32[b16,8,9,5]", "f32[8,4,3,3]"),
        {**PADDED, "stride": (1, 2), "shape": (16, 4, 9, 9)},
    ),
    "conv_dw": ("conv_dw", ("f32[b32,2,7,7]", "f32[b32,4,3,3]"), {**CONV, "stride": (2, 2), "kernel": (3, 3)}),
    **{name: (name, *operands) for name, operands in USER_OPS.items()},
}
ROLES = {
    "inner_product": """
        rows n; columns o; terms f
        x0.blocked[n, f]: contiguous f, batch n
        x1[o, f]: contiguous f""",
    "inner_product_dx": """
        rows n; columns f; terms o
        x0.blocked[n, o]: contiguous o, batch n
        x1[o, f]: contiguous f""",
    "inner_product_dw": """
        rows o; columns f; terms n
        x1.blocked[n, o]: contiguous o, batch n
        x0[n, f]: contiguous f""",
    "conv": """
        rows co; columns n oh ow; terms ci kh kw
        x1[co, ci, kh, kw]: contiguous kw
        x0.blocked[n, ci, kh + oh - 1, kw + ow - 1]: contiguous kw ow, batch n, windows 1*oh+1*kh-1 1*ow+1*kw-1""",
    "conv-groups": """
        rows co_p; columns n oh ow; shared co_u; terms ci kh kw
        x1[co_p + 8*co_u, ci, kh, kw]: contiguous kw
        x0.blocked[n, ci + 3*co_u, kh + oh - 1, kw + ow - 1]: contiguous kw ow, batch n, \
windows 1*oh+1*kh-1 1*ow+1*kw-1""",
    "conv-depthwise": """
        columns n oh ow; shared co; terms ci kh kw
        x1[co, ci, kh, kw]: contiguous kw
        x0.blocked[n, ci + co, kh + oh, kw + ow]: contiguous kw ow, batch n, windows 1*oh+1*kh-0 1*ow+1*kw-0""",
    "conv_dx": """
        rows ci; columns n ih iw; terms co kh kw
        x1[co, ci, kh, kw]: contiguous kw
        x0.blocked[n, co, ih - kh, iw - kw]: contiguous iw, batch n, windows 1*ih+-1*kh-0 1*iw+-1*kw-0""",
    "conv_dx-strided": """
        rows n ih_u iw_u; columns ci ih_p iw_p; terms co ih_j
        x0.blocked[n, co, -ih_j + ih_u, iw_u]: contiguous iw_u, batch n, windows 1*ih_u+-1*ih_j-0
        x1[co, ci, 2*ih_j + ih_p, iw_p]: contiguous iw_p""",
    "conv_dx-one-way": """
        rows n ih iw_u; columns ci iw_p; terms co kh iw_j
        x0.blocked[n, co, ih - kh + 1, -iw_j + iw_u]: contiguous iw_u, batch n, \
windows 1*ih+-1*kh--1 1*iw_u+-1*iw_j-0
        x1[co, ci, kh, 2*iw_j + iw_p]: contiguous iw_p""",
    "conv_dw": """
        rows co; columns ci kh kw; terms n oh ow
        x1.blocked[n, co, oh, ow]: contiguous ow, batch n
        x0.blocked[n, ci, kh + 2*oh, kw + 2*ow]: contiguous kw, batch n, windows 1*kh+2*oh-0 1*kw+2*ow-0""",
    "bilinear": """
        rows n; columns o; terms i j
        x0.blocked[n, i] x1.blocked[n, j]: batch n
        x2[o, i, j]: contiguous j""",
    "batched_product": """
        rows row; columns column; shared head; terms t
        x0.blocked[head, row, t]: contiguous t, batch head
        x1.blocked[head, t, column]: contiguous column, batch head""",
    "conv1d": """
        rows co; columns n at0; terms ci tap0
        x1[co, ci, tap0]: contiguous tap0
        x0.blocked[n, ci, at0 + tap0 - 2]: contiguous at0 tap0, batch n, windows 1*at0+1*tap0-2""",
    "conv3d": """
        rows co; columns n at0 at1 at2; terms ci tap0 tap1 tap2
        x1[co, ci, tap0, tap1, tap2]: contiguous tap2
        x0.blocked[n, ci, 2*at0 + tap0 - 1, 2*at1 + tap1 - 1, 2*at2 + tap2 - 1]: contiguous tap2, batch n, \
windows 2*at0+1*tap0-1 2*at1+1*tap1-1 2*at2+1*tap2-1""",
}


def kernel(name: str) -> Kernel:
    op, types, attrs = CASES[name]
    return kernel_of(op, types, 16, **attrs)


def described(form: Contraction | None) -> list[str]:
    """The roles of loops and the factors, as in the table."""
    assert form is not None
    roles = {"rows": form.rows, "columns": form.columns, "shared": form.shared, "terms": form.terms}
    return ["; ".join(f"{role} {' '.join(v)}" for role, v in roles.items() if v), *map(_factor, form.factors)]


def _factor(factor: Factor) -> str:
    read = " ".join(str(load).split(" = %")[1] for load in factor.loads)
    windows = " ".join(f"{w.stride}*{w.result}+{w.step}*{w.term}-{w.pad}" for w in factor.windows)
    found = {"contiguous": " ".join(factor.contiguous), "batch": factor.batch, "windows": windows}
    return f"{read}: {', '.join(f'{what} {text}' for what, text in found.items() if text)}"


@pytest.mark.parametrize("name", CASES)
def test_roles(name: str) -> None:
    assert described(contraction(kernel(name))) == [line.strip() for line in ROLES[name].strip().splitlines()]


@pytest.mark.parametrize("op", USER_OPS)
def test_operations_of_users_are_right(op: str) -> None:
    assert mochac.check_op(op).ok


def test_names_do_not_matter() -> None:
    text = str(kernel("conv_dx-strided"))
    names = {"ih": "a", "iw": "b", "oh": "c", "ow": "d", "ci": "e", "co": "f", "n": "s"}
    for old, new in names.items():
        text = "".join(new if word == old else word for word in _words(text))
    form = contraction(parse_kernel(text))
    assert form is not None
    assert (form.rows, form.columns, form.terms) == (("s", "a_u", "b_u"), ("e", "a_p", "b_p"), ("f", "a_j"))
    assert [(cut.phase, cut.reached) for cut in form.strided] == [("a_p", 2), ("b_p", 3)]


def _words(text: str) -> Iterator[str]:
    word = ""
    for char in text:
        if char.isalnum() or char in "_%@.":
            word += char
        else:
            yield word
            yield char
            word = ""
    yield word


def test_a_pooled_sum_has_a_window_and_an_epilogue() -> None:
    graph = op_graph("conv", ("f32[b5,3,12,12]", "f32[9,3,5,5]"), **CONV)
    (naive,) = naive_kernels(fuse(pooled(graph)))
    form = contraction(naive)
    assert form is not None
    assert (form.rows, form.columns, form.terms) == (("c",), ("n", "ph", "pw"), ("ci", "kh", "kw"))
    assert (form.window, form.after, form.accumulator) == (("i", "j"), 2, "acc")
    windows = {(w.result, w.term, w.stride) for w in form.factors[1].windows}
    assert windows == {("ph", "kh", 2), ("i", "kh", 1), ("pw", "kw", 2), ("j", "kw", 1)}


def test_what_only_an_epilogue_reads() -> None:
    graph = op_graph("inner_product", ("f32[b64,20]", "f32[12,20]", "f32[12]"))
    form = contraction(naive_kernels(fuse(graph))[0])
    assert form is not None
    assert form.epilogue == ("x2",)


CAUSAL = """kernel @causal(%p: f32[8,8], %q: f32[8,6]) -> (%y: f32[8,6]) {
  local %acc: f32[] register
  each i in 0..8 {
    each j in 0..6 {
      %acc[] = 0.0:f32
      sum t in 0..8 {
        if i - t >= 0 {
          %a = %p[i, t]
          %b = %q[t, j]
          %acc[] = fma(%a, %b, %acc[])
        }
      }
      %s = %acc[]
      %y[i, j] = %s
    }
  }
}"""


def test_conditions_of_padding_are_told_from_others() -> None:
    padded, causal = contraction(kernel("conv")), contraction(parse_kernel(CAUSAL))
    assert padded is not None and padded.padding_only
    assert causal is not None and not causal.padding_only


def test_padding_is_no_reason_to_cut() -> None:
    covered = ("f32[b16,4,1,1]", "f32[4,2,3,3]")
    assert not plain(kernel_of("conv_dx", covered, 16, **{**PADDED, "shape": (16, 2, 1, 1)})).steps


def graphs() -> Iterator[Graph]:
    for op in ("inner_product", "inner_product_dx", "inner_product_dw", "conv", "conv_dx", "conv_dw"):
        yield from (fed.graph for fed in replaced(op))
    for seed in range(80):
        yield OddGraph(seed).fed.graph


@pytest.mark.slow
def test_odd_operands_have_no_roles_or_right_ones() -> None:
    found = 0
    for graph in graphs():
        for naive in (*naive_kernels(fuse(graph)), *naive_kernels(fuse(assign_layout(graph, 4)))):
            form = contraction(naive)
            weight_gradient(naive)
            if form is None:
                continue
            found += 1
            rows, columns = (factor.along for factor in form.factors)
            assert not rows & {*form.columns, *form.window}
            assert not columns & set(form.rows)
            assert set(form.shared) <= rows & columns
            roles = (*form.rows, *form.columns, *form.shared, *form.terms, *form.window)
            assert sorted(roles) == sorted(loops(form.kernel))
    assert found > 50
