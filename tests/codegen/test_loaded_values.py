"""What the printer keeps of memory and of sums: values are loaded again once they may have changed, and only lanes that
a guard lets through are added up."""

import numpy as np
import pytest
from test_register_state import block, both, lanes

from mochac.codegen.cpu.module import print_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.lowering.operands import any_operands
from mochac.lowering.verification import LoneKernel
from mochac.runtime.cpu.backend import CpuBackend

SHOW = lanes("%y[n, l] = %r")
CASES = {
    "changed-by-a-loop": (
        "%t = %x[n, 0]",
        "%s[0] = %t",
        "%u = %s[0]",
        block("for k in 0..5", "%v = %s[0]", "%w = add(%v, 1.0:f32)", "%s[0] = %w"),
        "%r = %s[0]",
        SHOW,
    ),
    "changed-by-a-store": (
        "%t = %x[n, 0]",
        "%s[0] = %t",
        "%u = %s[0]",
        "%w = add(%u, 1.0:f32)",
        "%s[0] = %w",
        "%r = %s[0]",
        SHOW,
    ),
    "changed-behind-a-guard": (
        "%t = %x[n, 0]",
        "%s[0] = %t",
        "%u = %s[0]",
        block("if n - 2 >= 0", "%w = add(%u, 1.0:f32)", "%s[0] = %w"),
        "%r = %s[0]",
        SHOW,
    ),
    "summed-over-some-lanes": (
        "%a[0] = 0.5:f32",
        block(
            "sum l in 0..8 vector", block("if n - l >= 0", "%t = %x[n, l]", "%u = exp(%t)", "%a[0] = add(%u, %a[0])")
        ),
        "%r = %a[0]",
        SHOW,
    ),
    "greatest-of-some-lanes": (
        "%a[0] = -3.0:f32",
        block(
            "sum l in 0..8 vector", block("if n - l >= 0", "%t = %x[n, l]", "%u = neg(%t)", "%a[0] = max(%u, %a[0])")
        ),
        "%r = %a[0]",
        SHOW,
    ),
}


@pytest.fixture(scope="module")
def backend():
    return CpuBackend()


@pytest.mark.parametrize("name", CASES)
def test_printed_equals_interpreted(name, backend):
    head = "kernel @k(%x: f32[6,8]) -> (%y: f32[6,8]) {\nlocal %a: f32[1] register\nlocal %s: f32[1] scratch"
    kernel = parse_kernel("\n".join([head, block("each n in 0..6", *CASES[name]), "}\n"]))
    verify_kernel(kernel, printable=True)
    wanted, got = both(kernel, backend)
    np.testing.assert_allclose(got, wanted, rtol=1e-6)
    assert len({*wanted[:, 0].tolist()}) == 6


ROWS_OF_M = block("each k in 0..8 unroll", lanes("%t = %x[k, l]", "%w = add(%t, 1.0:f32)", "%m[k, l] = %w"))
CHANGES = {
    "at once": (ROWS_OF_M,),
    "in a loop": (block("for r in 0..2", ROWS_OF_M),),
    "behind a guard": (block("if n >= 0", ROWS_OF_M),),
}


@pytest.mark.parametrize("change", CHANGES)
def test_columns_of_a_tile_that_has_changed(change, backend):
    """Rows are written, columns are read, by a transposition that is kept; then rows are written again."""
    body = (
        block("each k in 0..8 unroll", lanes("%t = %x[k, l]", "%m[k, l] = %t")),
        block("each j in 0..8 unroll", lanes("%u = %m[l, j]", "%y[n, j, l] = %u")),
        *CHANGES[change],
        block("each j in 0..8 unroll", lanes("%v = %m[l, j]", "%z[n, j, l] = %v")),
    )
    head = "kernel @k(%x: f32[8,8]) -> (%y: f32[2,8,8], %z: f32[2,8,8]) {\nlocal %m: f32[8,8] register"
    kernel = parse_kernel("\n".join([head, block("each n in 0..2", *body), "}\n"]))
    verify_kernel(kernel, printable=True)
    given = any_operands(kernel)
    code = print_kernel(kernel, backend.generator.target)
    launched = [(kernel, compiled) for compiled in backend.generator.launched(kernel, code)]
    got = LoneKernel.placed(kernel, code, launched, backend.generator, {}).run(backend, given)
    for found, wanted in zip(got, given.wanted, strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert not np.array_equal(got[0], got[1])
