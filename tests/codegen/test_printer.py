"""The printer's pieces: literals, places in storage, register tiles, and one function per distinct kernel."""

from dataclasses import replace

import llvmlite.binding as llvm
import numpy as np
import pytest
from codegen.kernels import CASES, case, kernel_of

from mochac.codegen.cpu.addresses import address_of, strides
from mochac.codegen.cpu.emitter import literal
from mochac.codegen.cpu.module import print_kernel, print_module
from mochac.codegen.cpu.registers import same_guards
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Buffer
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.types import TensorType

TARGET = CpuTarget.of("skylake-avx512", 64)


def code(name, target=TARGET):
    kernel = case(name, target.lanes("f32"))
    return print_kernel(apply(choose(kernel, target), kernel), target)


@pytest.mark.parametrize("value", [0.1, 1.0, -3.5e-8, float("inf"), float("-inf")])
def test_float_literals_are_rounded_to_their_type(value):
    bits = np.float64(np.float32(value)).view(np.uint64)
    assert literal(value, "f32") == f"0x{int(bits):016X}"


def test_literals_of_other_types():
    assert (literal(7, "i64"), literal(True, "bool"), literal(False, "bool")) == ("7", "true", "false")


def test_address_of_natural_storage():
    x = Buffer("x", TensorType("f32", (4, 3, 5)))
    found = address_of(x, (Index.var("n"), Index.of(2), Index.var("w") + 1), {})
    assert (dict(found.terms), found.const) == ({"n": 15, "w": 1}, 11)


def test_address_of_blocked_storage_cut_by_loops():
    x = Buffer("x", TensorType("f32", (64, 3, 5), batch=True, lanes=16))
    index = (Index.var("q") * 16 + Index.var("lane"), Index.of(1), Index.var("w"))
    found = address_of(x, index, {"lane": (0, 15)})
    assert dict(found.terms) == {"q": 240, "lane": 1, "w": 16}
    assert found.const == 80 and found.block_index is None


def test_address_of_an_uncut_batch_index_is_found_at_run_time():
    x = Buffer("x", TensorType("f32", (64, 3), batch=True, lanes=16))
    found = address_of(x, (Index.var("n"), Index.of(2)), {"n": (0, 63)})
    assert found.block_index == Index.var("n")
    assert (found.const, found.block_stride) == (32, 48)


def test_strides_of_scalars():
    assert strides(TensorType("f32", ())) == ()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted(CASES))
def test_text_is_valid_llvm(name):
    module = llvm.parse_assembly(print_module([code(name)]))
    module.verify()


def test_equal_kernels_share_one_function():
    one, two = code("conv"), code("conv")
    assert one.symbol == two.symbol
    assert print_module([one, two]).count("define ") == 1


def test_another_target_is_another_function():
    assert code("conv").symbol != code("conv", CpuTarget.of("haswell", 32)).symbol


def test_accumulators_stay_in_phi_nodes():
    text = code("conv").text
    assert text.count("phi <16 x float>") >= 4
    assert "alloca" not in text


@pytest.mark.parametrize(("features", "part"), [(40, 8), (20, 4), (18, 2)])
def test_a_tail_of_a_power_of_two_is_a_shorter_vector(features, part):
    """No masked access, and nothing keeps lanes apart in registers that nobody looks into."""
    kernel = kernel_of("inner_product_dw", (f"f32[b32,{features}]", "f32[b32,6]"))
    text = print_kernel(apply(choose(kernel, TARGET), kernel), TARGET).text
    assert f"store <{part} x float>" in text and f"load <{part} x float>" in text
    assert "masked" not in text and "select" not in text


def test_other_tails_are_masked():
    kernel = kernel_of("inner_product_dw", ("f32[b32,23]", "f32[b32,6]"))
    text = print_kernel(apply(choose(kernel, TARGET), kernel), TARGET).text
    assert "masked.store" in text and "select" not in text


GUARDED = """
kernel @k(%x: f32[20]) -> (%z: f32[20]) {
  local %acc: f32[2,16] register
  each v in 0..2 unroll {
    each lane in 0..16 vector {
      if -lane - 16*v + 19 >= 0 {
        %t = %x[lane + 16*v]
        %acc[v, lane] = %t
        %u = %acc[v, lane]
        %z[lane + 16*v] = %u
      }
      WATCH
    }
  }
}
"""


@pytest.mark.parametrize(
    ("watch", "unseen"),
    [("", True), ("%s = %acc[v, lane]", False)],
)
def test_lanes_are_kept_apart_where_somebody_sees_them(watch, unseen):
    kernel = parse_kernel(GUARDED.replace("WATCH", watch))
    assert same_guards(kernel.body, {"acc"}) == ({"acc"} if unseen else set())


def test_padded_taps_are_not_executed():
    padded, plain = code("conv-padded").text, code("conv").text
    assert "llvm.smax" in padded and "llvm.smax" not in plain
    assert "llvm.masked" not in padded


AHEAD = """kernel @ahead(%x: f32[4,64]) -> (%y: f32[4]) {{
  each n in 0..4 parallel {{
    each k in 0..{count} unroll {{
      prefetch %x[n, {step}*k + 1]
    }}
    prefetch write %y[n]
    %t = %x[n, 0]
    %y[n] = %t
  }}
}}"""


@pytest.mark.parametrize(("count", "step", "lines"), [(6, 1, 1), (16, 1, 1), (4, 8, 2), (4, 16, 4)])
def test_a_line_is_prefetched_once(count, step, lines):
    """Of elements of four bytes, the first one and those that follow a line later."""
    printed = print_kernel(parse_kernel(AHEAD.format(count=count, step=step)), TARGET)
    assert printed.text.count("call void @llvm.prefetch") == lines + 1


@pytest.mark.parametrize(("how", "arguments"), [("", "0, i32 3"), ("write ", "1, i32 3"), ("l2 ", "0, i32 2")])
def test_prefetches_say_what_for_and_into_which_cache(how, arguments):
    text = f"kernel @near(%x: f32[4]) -> (%y: f32[4]) {{\n  each n in 0..4 parallel {{\n    prefetch {how}%x[n]\n"
    printed = print_kernel(parse_kernel(f"{text}    %t = %x[n]\n    %y[n] = %t\n  }}\n}}"), TARGET)
    assert f", i32 {arguments}, i32 1)" in printed.text


def test_no_function_of_a_cpu_without_fma_calls_fma():
    assert "llvm.fma." not in code("conv", CpuTarget.of("x86-64", 16, fma=False)).text


SUM_OF_TWO = """kernel @sum(%x: f32[4,9], %a: f32[9,7]) -> (%y: f32[4,9]) {
  each n in 0..4 parallel {
    each k in 0..9 {
      %t0 = %x[n, k]
      %t1 = %a[k, 2]
      %t2 = add(%t0, %t1)
      %y[n, k] = %t2
    }
  }
}"""


def inner_loop(text, target=TARGET):
    printed = print_kernel(parse_kernel(text), target).text
    return printed[printed.index("\nk.loop") : printed.index("\nk.done")]


def test_pointers_of_one_stride_share_an_offset_that_ends_the_loop():
    found = inner_loop(SUM_OF_TWO)
    assert (found.count("phi i64"), found.count("phi ptr"), found.count("freeze")) == (1, 1, 2)
    assert "icmp ne i64" in found and ", 36\n" in found and found.count("add nsw") == 1


def test_without_index_registers_every_pointer_moves_by_itself():
    found = inner_loop(SUM_OF_TWO, CpuTarget("neoverse-v2", 16, 32, arch="aarch64"))
    assert (found.count("phi i64"), found.count("phi ptr"), found.count("icmp ne ptr")) == (0, 3, 1)


def test_a_counter_that_is_read_is_kept():
    found = inner_loop(SUM_OF_TWO.replace("%a[k, 2]", "to_f32(k)"))
    assert found.count("phi i64") == 2 and "icmp ne i64" in found and ", 9\n" in found


COPY = """kernel @copy(%x: f32[4,3,16]) -> (%y: f32[4,3,16]) {
  each n in 0..4 parallel {
    each c in 0..3 parallel {
      each k in 0..16 vector {
        %t = %x[n, c, k]
        %y[n, c, k] = %t
      }
    }
  }
}"""


def test_what_moves_evenly_from_item_to_item_needs_no_division():
    assert "udiv" not in print_kernel(parse_kernel(COPY), TARGET).text
    part = COPY.replace("0..3", "1..3").replace("%x[n, c, k]", "%x[n, 0, k]")
    assert "udiv" in print_kernel(parse_kernel(part), TARGET).text


def test_nests_that_share_a_statement_have_addresses_of_their_own():
    first, *_ = parse_kernel(COPY).body
    second = replace(first, body=(replace(first.body[0], hi=Limit.of(2)),))  # its items are not neighbours
    kernel = parse_kernel(COPY).with_(body=(first, second))
    assert "udiv" in print_kernel(kernel, TARGET).text
