"""Products with weights: results of their schedules on several CPUs, registers of their loops, lane patterns."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from mochac.codegen.cpu.addresses import Lanes, consecutive, known_bits, repeats, runs
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.module import print_module
from mochac.codegen.cpu.schedules import PRODUCTS as PRODUCT_RULES
from mochac.codegen.cpu.schedules import choose, offers, product_natural, product_packed
from mochac.codegen.cpu.schedules.judge import ENOUGH
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.nesting import Nested
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.ir.kernel import Prefetch, walk
from mochac.ir.nest import loops
from mochac.ir.op import OPS, Sample, run_reference
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.samples import draw
from mochac.ir.scalar import Reg
from mochac.lowering.pipeline import lower
from mochac.lowering.run_graph import run_graph
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.compiler import assembly
from mochac.runtime.cpu.cpuinfo import named_cpu

from .kernels import items_of, kernel_of, op_graph

KINDS = ("inner_product", "inner_product_dx", "inner_product_dw")
SHAPES = {  # samples, features, outputs
    "whole": (20, 64, 64),
    "rests": (22, 50, 54),
    "panels": (36, 300, 130),
    "clash": (24, 512, 70),
    "blocks": (19, 41, 270),
    "one_left": (33, 30, 49),
    "sequences": (410, 20, 52),
    "many_terms": (530, 100, 71),
    "few_features": (600, 8, 96),
}


def operands(kind: str, n: int, f: int, o: int) -> tuple[str, ...]:
    x, dy, w = f"f32[b{n},{f}]", f"f32[b{n},{o}]", f"f32[{o},{f}]"
    return {"inner_product": (x, w, f"f32[{o}]"), "inner_product_dx": (dy, w), "inner_product_dw": (x, dy)}[kind]


def test_many_rows_are_shared_out_in_blocks():
    """A product of 768 positions with 128 outputs gives several threads work, though two tiles have all outputs."""
    target = CpuTarget.of("cascadelake", 64)
    kernel = kernel_of("inner_product", ("f32[768,128]", "f32[128,128]"))
    schedule = choose(kernel, target)
    assert schedule.name == "product.natural"
    turns, block = schedule.steps[-1].loops
    bands = [loop for loop in apply(schedule, kernel).body if loop.var == turns]
    assert sum(loop.extent for loop in bands) >= 4
    assert all(loop.run == loop.body[0].run == "parallel" and loop.body[0].var == block for loop in bands)


@pytest.mark.parametrize(("op", "columns"), [("inner_product", "o"), ("inner_product_dx", "f")])
def test_two_threads_share_300_columns_evenly(op: str, columns: str) -> None:
    target = CpuTarget.of("cascadelake", 64)
    kernel = kernel_of(op, ("f32[b100,300]", "f32[300,300]"))
    rule = {"o": product_packed.rule, "f": product_natural.rule}[columns]
    blocks = [s for s in rule(kernel, target).steps if str(s).startswith(f"split(loop={columns}, ")]
    assert [s.factor for s in blocks] == [{"o": 76, "f": 80}[columns]]


@pytest.mark.parametrize(("samples", "items"), [(16, 2), (40, 4), (8, 1)])
def test_threads_share_the_samples_of_a_data_gradient_of_one_tile_of_columns(samples: int, items: int) -> None:
    kernel = kernel_of("inner_product_dx", (f"f32[{samples},192]", "f32[192,64]"))
    schedule = product_natural.rule(kernel, CpuTarget.of("cascadelake", 64))
    scheduled = apply(schedule, kernel)
    first = loops(scheduled)[schedule.steps[-1].loops[0]]
    assert first.run == "parallel" and first.extent == items


CASES = [
    *((name, "", "f32") for name in SHAPES),
    *((name, "haswell", "f32") for name in ("rests", "blocks", "few_features")),
    *(("many_terms", cpu, dtype) for cpu, dtype in (("haswell", "f32"), ("", "f64"))),
    *(("rests", cpu, dtype) for cpu, dtype in (("", "f64"), ("haswell", "f64"), ("x86-64", "f32"))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "cpu", "dtype"), CASES)
def test_results(name, cpu, dtype, monkeypatch):
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    for kind in KINDS:
        sample = Sample(operands(kind, *SHAPES[name]))
        case = draw(OPS[kind], sample, dtype)
        wide = tuple(a.astype(np.float64) for a in case.arrays)
        want = run_reference(OPS[kind], wide, draw(OPS[kind], sample, "f64").attrs)[0]
        got = run_graph(case.graph(), case.feeds(), dtype=dtype, threads=3)["y0"]
        tolerance = OPS[kind].tolerance * (1 if dtype == "f32" else 1e-7)
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * np.abs(want).max())
        if name in ("rests", "many_terms"):
            alone = run_graph(case.graph(), case.feeds(), dtype=dtype, threads=1)["y0"]
            np.testing.assert_array_equal(got, alone, err_msg="threads change bits")


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["skylake-avx512", "haswell"])
@pytest.mark.parametrize("kind", KINDS)
def test_accumulators_stay_in_registers(kind, cpu):
    info = named_cpu(cpu)
    graph = op_graph(kind, operands(kind, 40, 140, 140))
    lowered = lower(graph, CpuGenerator(target_of(info)), scalars={}, named={"y0": "y0"})
    text = assembly(print_module([k.code for k in lowered.kernels]), info)
    multiplied = [i for i in text.splitlines() if "vfmadd" in i]
    assert len(multiplied) >= 12
    assert not re.search(rf"{target_of(info).vector_bytes}-byte (Spill|Reload)", text)


DRAWN = random.Random(40)
PRODUCTS = [(kind, *(round(2 ** DRAWN.uniform(1, 9)) for _ in range(3))) for kind in KINDS for _ in range(12)]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "n", "f", "o"), PRODUCTS)
def test_no_rival_is_predicted_to_be_much_quicker(kind, n, f, o):
    """Within what a search for better ones would at most save."""
    target = CpuTarget.of("skylake-avx512", 64)
    kernel = kernel_of(kind, tuple(t.replace("[b", "[") for t in operands(kind, n, f, o)))
    rivals, refused = offers(kernel, target)
    most = ENOUGH ** len(PRODUCT_RULES)
    assert all(1 / most < rival.times for rival in rivals) and rivals == sorted(rivals, key=lambda x: x.times)
    assert not refused


@pytest.mark.slow
@pytest.mark.parametrize(
    ("types", "rule"),
    [
        (("f32[b1,1000]", "f32[1000,1000]"), "contraction.partial-lanes"),  # each weight is used once
        (("f32[384,40]", "f32[64,40]"), "product.natural"),  # few terms, to which packing adds more
        (("f32[376,25]", "f32[200,25]"), "product.natural"),
    ],
)
def test_which_forward_product_when(types, rule):
    assert choose(kernel_of("inner_product", types), CpuTarget.of("skylake-avx512", 64)).name == rule


@pytest.mark.parametrize(("terms", "fits"), [(100, False), (192, False), (193, True)])
def test_panels_of_weight_gradients(terms, fits):
    """As soon as the columns of a tile of all terms are more than L1 holds."""
    target = CpuTarget.of("sapphirerapids", 64)
    kernel = kernel_of("inner_product_dw", (f"f32[{terms},128]", f"f32[{terms},96]"))
    assert (product_natural.rule(kernel, target) is not None) == fits


@pytest.mark.parametrize(("terms", "lanes"), [(600, "outputs"), (60, "features")])
def test_few_features_of_many_samples_are_the_rows_of_a_tile(terms, lanes):
    """A row of eight is a single vector: a tile of it loads a number for every multiply-add. It pays to store results
    one by one instead if the sum is long."""
    kernel = kernel_of("inner_product_dw", (f"f32[{terms},8]", f"f32[{terms},96]"))
    steps = "".join(map(str, choose(kernel, CpuTarget.of("haswell", 32)).steps))
    (loop,) = re.findall(r"vector\(loop=(\w)\w*\)", steps)
    assert loop == {"outputs": "o", "features": "f"}[lanes]


@pytest.mark.parametrize(("rows", "items"), [(24, [12]), (23, [9, 3])])
def test_threads_share_what_stands_alone_in_batched_products(rows, items):
    """The last rows, fewer than a tile has, are items of their own, since three products are too few for a team."""
    kernel = kernel_of("einsum", (f"f32[3,32,{rows}]", "f32[3,32,16]"), spec="bqi,bqd->bid")
    schedule = choose(kernel, CpuTarget.of("haswell", 32))
    assert schedule.name == "contraction.column-lanes"
    assert items_of(apply(schedule, kernel)) == items


def test_tails_of_many_products_stay_beside_them():
    kernel = kernel_of("einsum", ("f32[8,32,23]", "f32[8,32,16]"), spec="bqi,bqd->bid")
    assert items_of(apply(choose(kernel, CpuTarget.of("haswell", 32)), kernel)) == [8]


def test_panels_whose_rows_share_sets_are_copied():
    avx512 = CpuTarget.of("skylake-avx512", 64)
    copied, plain = (
        str(product_natural.rule(kernel_of("inner_product_dx", ("f32[b36,64]", f"f32[64,{f}]")), avx512))
        for f in (1024, 1000)
    )
    assert "stage(buffer=x1, loop=f_o_i, space=scratch" in copied
    assert "stage(buffer=x1" not in plain


def test_lanes_of_two_loops():
    lanes = Lanes().inside("b", 2).inside("k", 4)
    assert (lanes.count, lanes.names) == (8, ("b", "k"))
    assert lanes.offsets({"n": 3}) == ()
    assert consecutive(lanes.offsets({"b": 4, "k": 1}))
    assert runs(lanes.offsets({"k": 1})) == 4
    assert repeats(lanes.offsets({"b": 1})) == 4
    assert runs(lanes.offsets({"b": 9, "k": 2})) == 1


def test_bits_of_a_mask():
    assert known_bits(Reg("<i1 true, i1 false>", "bool", 2)) == (True, False)
    assert known_bits(Reg("%v1", "bool", 2)) is None
    assert known_bits(None) is None


def test_an_operand_that_the_epilogue_adds_is_not_packed():
    x = "f32[b32,64]"
    graph = parse(
        f"graph @g(%x: {x} data, %w: f32[64,64] param, %b: f32[64] param) {{ "
        f"%p: {x} = inner_product(%x, %w, %b) %y: {x} = add(%p, %x) return %y }}"
    )
    target = CpuTarget.of("skylake-avx512", 64)
    (kernel,) = to_kernels(fuse(graph))
    assert kernel.ops == ("inner_product", "add")
    apply(choose(kernel, target), kernel)


@pytest.mark.parametrize("buffer", ["s", "y"])
def test_whole_rows_of_what_an_epilogue_reads_and_stores_are_prefetched(buffer):
    """A row of a tile is four lines, and the parts of the last panel's sum have a single term each."""
    graph = parse(
        "graph @g(%d: f32[768,128], %w: f32[128,344], %s: f32[768,344]) {"
        " %x: f32[768,344] = inner_product_dx(%d, %w) %y: f32[768,344] = mul(%x, %s) return %y }"
    )
    (staged,) = to_kernels(fuse(graph))
    kernel = Nested.of(staged).kernel
    schedule = product_natural.rule(kernel, CpuTarget.of("skylake-avx512", 64))
    hints = [s for s in walk(apply(schedule, kernel).body) if isinstance(s, Prefetch) and s.buffer == buffer]
    assert {0, 16, 32, 48} <= {s.index[1].const for s in hints} and {s.write for s in hints} == {buffer == "y"}
