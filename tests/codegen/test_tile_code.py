"""Products in tile registers: code, run by an emulator of the instructions, against the interpreter bit for bit."""

from dataclasses import replace

import numpy as np
import pytest
from e2e.test_bfloat16 import attention, perceptron, recurrent
from tile_emulator import TileBackend

import mochac
from mochac.base.errors import InternalError
from mochac.codegen.cpu.module import print_kernel
from mochac.codegen.cpu.schedules import choose, product_tiles
from mochac.codegen.nesting import Nested
from mochac.codegen.prediction.issue import cycles
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.ir.bfloat16 import pair
from mochac.ir.kernel import Loop, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.schedule import ScheduleError
from mochac.ir.types import PAIRS
from mochac.lowering.main_plan import lowered_net
from mochac.lowering.operands import any_operands, draw_inputs, operands
from mochac.lowering.verification import LoneKernel
from mochac.runtime.cpu.backend import CpuBackend, target_of
from mochac.runtime.cpu.cpuinfo import has_tiles, host_cpu, named_cpu


def product(what: str, samples: int, inputs: int, outputs: int, more: str = ""):
    """The staged kernel of a product of pairs, and of what follows it."""
    x, y = f"bf16x2[{samples},{inputs}]", f"f32[{samples},{outputs}]"
    text = {
        "forward": f"(%x: {x}, %w: bf16x2[{outputs},{inputs}], %b: f32[{outputs}]) "
        f"{{ %r: {y} = inner_product(%x, %w, %b)",
        "gradient": f"(%x: {x}, %w: bf16x2[{inputs},{outputs}], %z: {y}) {{ %r: {y} = inner_product_dx(%x, %w)",
        "weights": f"(%x: bf16x2[{inputs},{outputs}], %d: bf16x2[{inputs},{samples}], %z: {y}) "
        f"{{ %r: {y} = inner_product_dw(%x, %d)",
    }[what]
    last = f"%s: {y} = {more} return %s }}" if more else "return %r }"
    (staged,) = to_kernels(fuse(parse(f"graph @g{text} {last}")))
    return staged


CASES = [
    ("forward", 40, 28, 36, ""),  # both ends are cut off
    ("forward", 16, 16, 16, "relu(%r)"),
    ("forward", 5, 26, 70, "relu(%r)"),  # one tile of rows, three of columns
    ("gradient", 35, 20, 50, "mul(%r, %z)"),
    ("gradient", 64, 32, 33, ""),
    ("gradient", 7, 9, 12, ""),
    ("weights", 40, 20, 70, "sub(%z, %r)"),
    ("weights", 8, 32, 16, ""),
    ("forward", 36, 25, 20, "relu(%r)"),  # terms in parts of 16 and 9
    ("gradient", 10, 37, 40, ""),
    ("forward", 20, 12, 16, ""),  # all terms by one instruction, rows by two nests
    ("weights", 33, 25, 36, "sub(%z, %r)"),
]


@pytest.fixture(scope="module")
def backend():
    return TileBackend()


def scheduled(staged, target):
    """The kernel in tile registers."""
    kernel = apply(Nested.of(staged).schedule(product_tiles.rule, target), staged)
    verify_kernel(kernel, printable=True)
    return kernel


def compare(staged, backend):
    """Run the code of a product, and compare it with the interpreter's results."""
    kernel, rng = scheduled(staged, backend.generator.target), np.random.default_rng(6)
    drawn = {b.name: rng.normal(size=(2, *b.type.shape)).astype(np.float32) for b in kernel.inputs}
    arrays = {b.name: pair(*drawn[b.name]) if b.type.dtype == PAIRS else drawn[b.name][0] for b in kernel.inputs}
    given = replace(any_operands(kernel), inputs=tuple(arrays.values()))
    code = backend.generator.print_kernel(kernel)
    launched = [(kernel, compiled) for compiled in backend.generator.launched(kernel, code)]
    (got,) = LoneKernel.placed(kernel, code, launched, backend.generator, {}).run(backend, given)
    name = kernel.outputs[0].name
    np.testing.assert_array_equal(got, run_kernel(kernel, arrays)[name])
    np.testing.assert_allclose(got, run_kernel(Nested.of(staged).kernel, arrays)[name], rtol=1e-4, atol=1e-4)
    assert np.abs(got).max() > 3


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case[:4])))
def test_code_computes_what_the_interpreter_does(case, backend):
    backend.emulator.counts.clear()
    compare(product(*case), backend)
    assert backend.emulator.failures == []
    assert backend.emulator.counts["tdpbf16ps"] and backend.emulator.counts["tilerelease"]


@pytest.mark.skipif(not has_tiles(host_cpu()), reason="this CPU has no AMX, or the system does not grant it")
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case[:4])))
def test_the_instructions_compute_what_the_interpreter_does(case):
    compare(product(*case), CpuBackend(precision="bfloat16"))


@pytest.mark.sampled(0)
@pytest.mark.parametrize("net", [perceptron, recurrent, attention])
def test_nets_have_the_bits_of_the_interpreter(net, backend):
    """Every kernel in tile registers that a net gets; the function of a neuron may differ in its last bit."""
    lowered, tiled = lowered_net(net(), backend), list[str]()
    drawn = draw_inputs(lowered.stages[0][1])
    for kernel in lowered.kernels:
        if any(isinstance(s, Loop) and s.run == "tile" for s in walk(kernel.scheduled.body)):
            tiled.append(kernel.naive.root)
            given = operands(lowered.graph, kernel.naive, drawn) or any_operands(kernel.naive)
            wanted = run_kernel(
                kernel.scheduled, dict(zip((b.name for b in kernel.naive.inputs), given.inputs, strict=True))
            )
            for want, got in zip(wanted.values(), LoneKernel.of(lowered, kernel).run(backend, given), strict=True):
                np.testing.assert_allclose(got, want, rtol=2e-6, atol=1e-6)
    assert backend.emulator.failures == []
    assert {"inner_product", "inner_product_dx", "inner_product_dw"} <= {*tiled}


@pytest.mark.slow
def test_code_for_sapphire_rapids_uses_tile_registers(tmp_path):
    """Every function that sets their shapes releases them."""
    mochac.dump(perceptron(), tmp_path, target="sapphirerapids", precision="bfloat16")
    kernels = [path.read_text() for path in tmp_path.rglob("*.s")]
    tiled = [code for code in kernels if "ldtilecfg" in code]
    assert len(tiled) >= 3 and all("tdpbf16ps" in code and code.count("tilerelease") == 1 for code in tiled)
    assert "or in tile registers by tdpbf16ps" in mochac.explain(
        perceptron(), target="sapphirerapids", precision="bfloat16"
    )


def test_a_product_of_tiles_takes_sixteen_cycles():
    """96 x 96 results of 64 pairs: 36 tiles, 4 terms each; loads of 2 + 2 tiles for 4 products hide behind them."""
    target = target_of(named_cpu("sapphirerapids"), tiles=True)
    kernel = scheduled(product("gradient", 96, 64, 96), target)
    whole, ends = cycles(kernel, target.machine), 36 * (16 + 16 * 2)  # sums are stored, loaded again and stored
    assert 36 * 4 * 16 < whole < 1.15 * (36 * 4 * 16 + ends)
    assert choose(product("gradient", 96, 64, 96), target).name == "product.tiles"


def test_too_many_tiles():
    target = target_of(named_cpu("sapphirerapids"), tiles=True)
    kernel = scheduled(product("gradient", 64, 32, 64), target)
    wide = (
        str(kernel)
        .replace("f32[2,2,16,16] tile", "f32[2,3,16,16] tile")
        .replace("f_i_o in 0..2 unroll", "f_i_o in 0..3 unroll")
    )
    with pytest.raises(ScheduleError, match="11 tiles are in use together, but there are 8 registers"):
        print_kernel(parse_kernel(wide), target)
    with pytest.raises(InternalError, match="tile registers, which znver4 lacks"):
        print_kernel(kernel, target_of(named_cpu("znver4")))
