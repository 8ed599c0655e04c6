"""pair and dot2: definitions against exact fractions, and code, with and without AVX512_BF16, bit for bit."""

import ctypes
from fractions import Fraction

import numpy as np
import pytest

from mochac.codegen.cpu.emitter import TextEmitter, llvm_type
from mochac.ir import bfloat16
from mochac.ir.scalar import FUNCTIONS, Reg

llvm = pytest.importorskip("llvmlite.binding")

COUNT = 1920  # a multiple of every number of lanes
WIDTHS = (1, 3, 4, 5, 8, 12, 16, 32)
ROWS = {"pair": ("f32", "f32"), "dot2": ("bf16x2", "bf16x2", "f32")}
SPECIAL = np.float32(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0**-126, 2.0**-127, -(2.0**-130), 3.4e38, 1.00390625]
)
HAS_BFLOAT16 = llvm.get_host_cpu_features().get("avx512bf16", False)


def floats(rng, count, spread=20):
    """Numbers of many magnitudes, then all special values, in random order."""
    drawn = (rng.normal(size=count) * 2.0 ** rng.integers(-spread, spread, count)).astype(np.float32)
    return rng.permutation(np.concatenate([drawn[SPECIAL.size :], SPECIAL]))


def factors(rng, count, spread=20):
    return bfloat16.pair(floats(rng, count, spread), floats(rng, count, spread))


def nearest(exact: Fraction) -> np.float32:
    """A sum rounded to float32, which it does not overflow, with small results as zero."""
    if exact == 0:
        return np.float32(0)
    size, exponent = abs(exact), -126
    while Fraction(2) ** (exponent + 1) <= size:
        exponent += 1
    unit = Fraction(2) ** (exponent - 23)
    rounded = np.float32(float(round(size / unit) * unit))  # round() takes the even one of two
    return np.float32(0) if rounded < 2.0**-126 else np.copysign(rounded, np.float32(float(exact)))


@pytest.mark.slow
@pytest.mark.parametrize("spread", [3, 12, 30])
def test_dot2_rounds_each_of_its_two_sums_once(spread):
    rng = np.random.default_rng(spread)
    drawn = [(rng.normal(size=400) * 2.0 ** rng.integers(-spread, spread, 400)).astype(np.float32) for _ in range(5)]
    a, b, c = bfloat16.pair(*drawn[:2]), bfloat16.pair(*drawn[2:4]), drawn[4]
    (a0, a1), (b0, b1) = bfloat16.parts(a), bfloat16.parts(b)
    for k, got in enumerate(bfloat16.dot2(a, b, c)):
        first = nearest(Fraction(float(a1[k])) * Fraction(float(b1[k])) + Fraction(float(c[k])))
        assert got == nearest(Fraction(float(a0[k])) * Fraction(float(b0[k])) + Fraction(float(first)))


def test_numbers_round_to_the_nearest_bfloat16_and_ties_to_even():
    rng = np.random.default_rng(1)
    x = (rng.normal(size=500) * 2.0 ** rng.integers(-40, 40, 500)).astype(np.float32)
    got = (bfloat16.rounded(x) << np.uint32(16)).view(np.float32)
    unit = 2.0 ** (np.floor(np.log2(np.abs(x.astype(np.float64)))) - 7)
    np.testing.assert_array_equal(got, np.round(x / unit) * unit)  # np.round takes the even one of two


def test_small_numbers_count_as_zero():
    tiny = np.float32(2.0**-127)
    assert bfloat16.rounded(np.float32([tiny, -tiny])).tolist() == [0, 0x8000]
    product = bfloat16.pair(np.float32(2.0**-70), np.float32(0.0))
    assert bfloat16.dot2(product, product, np.float32(0.0)) == 0.0
    assert bfloat16.dot2(np.uint32(0), np.uint32(0), tiny) == 0.0


ENTER = """
  %before = alloca i32
  %within = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %before)
  %mode = load i32, ptr %before
  %flushing = or i32 %mode, 32832
  store i32 %flushing, ptr %within
  call void @llvm.x86.sse.ldmxcsr(ptr %within)""".splitlines()[1:]
"""Small numbers count as zero, as in the threads that run kernels."""
LEAVE = ["  call void @llvm.x86.sse.ldmxcsr(ptr %before)"]


def function_text(symbol, name, lanes, emitter):
    """void symbol(ptr args, i64 count): applies a row to `count` groups of lanes."""
    dtypes = ROWS[name]
    result = FUNCTIONS[name].result(dtypes)
    lines = []
    for k, dtype in enumerate((*dtypes, result)):
        lines += [f"  %s{k} = getelementptr ptr, ptr %args, i64 {k}", f"  %p{k} = load ptr, ptr %s{k}"]
        lines.append(f"  %a{k} = getelementptr {llvm_type(dtype, lanes)}, ptr %p{k}, i64 %i")
        if lanes in (3, 5, 12):  # such vectors lie in memory with gaps
            lines[-1] = f"  %o{k} = mul i64 %i, {4 * lanes}\n  %a{k} = getelementptr i8, ptr %p{k}, i64 %o{k}"
        if k < len(dtypes):
            lines.append(f"  %x{k} = load {llvm_type(dtype, lanes)}, ptr %a{k}, align 1")
    out = FUNCTIONS[name].llvm(emitter, *(Reg(f"%x{k}", dtype, lanes) for k, dtype in enumerate(dtypes)))
    assert (out.dtype, out.lanes) == (result, lanes)
    body = [*lines, *emitter.scopes[0].lines]
    body.append(f"  store {llvm_type(result, lanes)} {out.text}, ptr %a{len(dtypes)}, align 1")
    head = [f"define void @{symbol}(ptr %args, i64 %count) {{", "entry:", *ENTER, "  br label %loop", "loop:"]
    tail = ["  %next = add i64 %i, 1", "  %more = icmp ult i64 %next, %count"]
    tail += ["  br i1 %more, label %loop, label %end", "end:", *LEAVE, "  ret void", "}"]
    return "\n".join([*head, "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]", *body, *tail])


def module_text(bfloat16: bool) -> str:
    declared, bodies = {f"declare void @llvm.x86.sse.{c}mxcsr(ptr)" for c in ("st", "ld")}, []
    for name in ROWS:
        for lanes in WIDTHS:
            emitter = TextEmitter(bfloat16=bfloat16)
            bodies.append(function_text(f"{name}_{lanes}", name, lanes, emitter))
            declared |= emitter.declares
    return "\n".join([*sorted(declared), *bodies])


@pytest.fixture(scope="module", params=[False, True], ids=["without", "with"])
def library(request):
    if not llvm.get_process_triple().startswith("x86_64"):
        pytest.skip("the mode of small numbers is set as on x86")
    if request.param and not HAS_BFLOAT16:
        pytest.skip("this CPU has no AVX512_BF16")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, reloc="pic", jit=True
    )
    jit = llvm.create_lljit_compiler(None)
    image = machine.emit_object(llvm.parse_assembly(module_text(request.param)))
    builder = llvm.JITLibraryBuilder().add_object_img(image).add_current_process()
    for name in ROWS:
        for lanes in WIDTHS:
            builder.export_symbol(f"{name}_{lanes}")
    return jit, builder.link(jit, "bfloat16")


@pytest.mark.parametrize("lanes", WIDTHS)
@pytest.mark.parametrize("name", ROWS)
def test_code_computes_the_bits_of_the_definition(library, name, lanes):
    rng = np.random.default_rng(lanes)
    arrays = [floats(rng, COUNT, 70) if d == "f32" else factors(rng, COUNT, 70) for d in ROWS[name]]
    with np.errstate(all="ignore"):
        want = FUNCTIONS[name].numpy(*arrays)
    held = [*arrays, np.empty_like(want)]
    table = (ctypes.c_void_p * len(held))(*(a.ctypes.data for a in held))
    run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(library[1][f"{name}_{lanes}"])
    run(ctypes.addressof(table), COUNT // lanes)
    got = held[-1]
    if want.dtype == np.float32:
        known = ~np.isnan(want)
        np.testing.assert_array_equal(np.isnan(got), ~known)
        want, got = want[known].view(np.uint32), got[known].view(np.uint32)
    np.testing.assert_array_equal(got, want)


def instructions_of(text: str) -> list[str]:
    """The names of the instructions that LLVM writes for a module on Zen 4."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("x86_64-unknown-linux-gnu").create_target_machine(cpu="znver4", opt=2)
    code = machine.emit_assembly(llvm.parse_assembly(text))
    return [line.split()[0] for line in code.splitlines() if line.startswith("\t")]


def test_sums_of_a_part_of_a_vector_need_no_shuffles():
    """12 sums stay in the lower lanes of a register while terms are added."""
    emitter = TextEmitter(bfloat16=True)
    total = FUNCTIONS["dot2"].llvm(
        emitter, *(Reg(f"%{n}", dtype, 12) for n, dtype in zip("abs", ROWS["dot2"], strict=True))
    )
    vector, body = "<12 x float>", "\n".join(f"  {line.strip()}" for line in emitter.scopes[0].lines)
    text = f"""
define void @f(ptr %p, ptr %q, i64 %n) {{
entry:
  %first = load {vector}, ptr %q
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi {vector} [ %first, %entry ], [ {total.text}, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %a = load <12 x i32>, ptr %at
  %after = getelementptr i8, ptr %at, i64 48
  %b = load <12 x i32>, ptr %after
{body}
  %next = add i64 %i, 96
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  store {vector} {total.text}, ptr %q
  ret void
}}
"""
    codes = instructions_of("\n".join([*emitter.declares, text]))
    assert "vdpbf16ps" in codes
    assert not [code for code in codes if code.startswith(("vperm", "vshuf"))]


def test_cpus_with_the_instructions_get_them():
    """A scalar, an incomplete register and two registers as well."""
    codes = instructions_of(module_text(True))
    assert codes.count("vdpbf16ps") == len(WIDTHS) + 1
    assert codes.count("vcvtne2ps2bf16") == len(WIDTHS) + 1
