"""Every row's LLVM column compiled alone for this machine, against its NumPy column: scalar and 16 lanes, f32, f64."""

import ctypes
import struct

import numpy as np
import pytest

from mochac.ir.ops.pointwise import is_for_pairs
from mochac.ir.scalar import FUNCTIONS, Function, Reg
from mochac.ir.types import DTYPES

llvm = pytest.importorskip("llvmlite.binding")

LANES = 16
COUNT = 4096
LLVM_TYPES = {"f32": "float", "f64": "double", "bool": "i1"}
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]


def llvm_type(dtype, lanes):
    element = LLVM_TYPES.get(dtype, "i" + dtype[1:])
    return element if lanes == 1 else f"<{lanes} x {element}>"


class TextEmitter:
    """The Emitter protocol as plain lines of text; not fused: a CPU without fused multiply-add."""

    def __init__(self, fused=True):
        self.lines, self.declared, self.fused = [], set(), fused

    def emit(self, text, dtype, lanes):
        name = f"%t{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return Reg(name, dtype, lanes)

    def const(self, value, dtype, lanes=1):
        if dtype in ("f32", "f64"):
            rounded = float(np.float32(value)) if dtype == "f32" else float(value)
            text = "0x" + struct.pack(">d", rounded).hex().upper()
        else:
            text = str(int(value))
        return Reg(text if lanes == 1 else f"splat ({llvm_type(dtype, 1)} {text})", dtype, lanes)

    def binary(self, opcode, a, b):
        return self.emit(f"{opcode} {llvm_type(a.dtype, a.lanes)} {a.text}, {b.text}", a.dtype, a.lanes)

    def unary(self, opcode, a):
        return self.emit(f"{opcode} {llvm_type(a.dtype, a.lanes)} {a.text}", a.dtype, a.lanes)

    def intrinsic(self, name, *args):
        if name == "fma" and not self.fused:
            return self.binary("fadd", self.binary("fmul", args[0], args[1]), args[2])
        type = llvm_type(args[0].dtype, args[0].lanes)
        suffix = ("" if args[0].lanes == 1 else f"v{args[0].lanes}") + args[0].dtype
        self.declared.add(f"declare {type} @llvm.{name}.{suffix}({', '.join([type] * len(args))})")
        operands = ", ".join(f"{type} {a.text}" for a in args)
        return self.emit(f"call {type} @llvm.{name}.{suffix}({operands})", args[0].dtype, args[0].lanes)

    def mul_high(self, a, b):
        return None

    def compare(self, opcode, predicate, a, b):
        type = llvm_type(a.dtype, a.lanes)
        return self.emit(f"{opcode} {predicate} {type} {a.text}, {b.text}", "bool", a.lanes)

    def select(self, mask, a, b):
        type = llvm_type(a.dtype, a.lanes)
        return self.emit(
            f"select {llvm_type('bool', mask.lanes)} {mask.text}, {type} {a.text}, {type} {b.text}", a.dtype, a.lanes
        )

    def cast(self, opcode, a, dtype):
        return self.emit(
            f"{opcode} {llvm_type(a.dtype, a.lanes)} {a.text} to {llvm_type(dtype, a.lanes)}", dtype, a.lanes
        )


def function_text(symbol, row, dtypes, lanes, declared, fused=True):
    """void symbol(ptr args, i64 count): applies the row to `count` groups of `lanes` elements."""
    e = TextEmitter(fused)
    result = row.result(dtypes)
    pointers, loads, registers = [], [], []
    for k, dtype in enumerate((*dtypes, result)):
        pointers += [f"  %s{k} = getelementptr ptr, ptr %args, i64 {k}", f"  %p{k} = load ptr, ptr %s{k}"]
        stored = llvm_type("u8" if dtype == "bool" else dtype, lanes)
        loads.append(f"  %a{k} = getelementptr {stored}, ptr %p{k}, i64 %i")
        if k < len(dtypes):
            loads.append(f"  %m{k} = load {stored}, ptr %a{k}, align 1")
            if dtype == "bool":
                loads.append(f"  %x{k} = trunc {stored} %m{k} to {llvm_type('bool', lanes)}")
            registers.append(Reg(f"%x{k}" if dtype == "bool" else f"%m{k}", dtype, lanes))
    out = row.llvm(e, *registers)
    assert (out.dtype, out.lanes) == (result, lanes)
    if result == "bool":
        out = e.cast("zext", out, "u8")
    e.lines.append(f"  store {llvm_type(out.dtype, lanes)} {out.text}, ptr %a{len(dtypes)}, align 1")
    declared |= e.declared
    head = [f"define void @{symbol}(ptr %args, i64 %count) {{", "entry:", *pointers, "  br label %loop", "loop:"]
    head.append("  %i = phi i64 [ 0, %entry ], [ %next, %loop ]")
    tail = ["  %next = add i64 %i, 1", "  %more = icmp ult i64 %next, %count"]
    tail += ["  br i1 %more, label %loop, label %end", "end:", "  ret void", "}"]
    return "\n".join([*head, *loads, *e.lines, *tail])


def signatures(row: Function):
    """Operand dtypes to test a row with."""
    for tuple_of in (
        ("f32",) * row.arity,
        ("f64",) * row.arity,
        ("i32",) * row.arity,
        ("u8",) * row.arity,
        ("i64",) * row.arity,
        ("bool",) * row.arity,
        ("bool", "f32", "f32"),
        ("bool", "i8", "i8"),
        ("u64", "i64", "i32", "i32"),
    ):
        if len(tuple_of) != row.arity:
            continue
        try:
            row.result(tuple_of)
        except ValueError:
            continue
        yield tuple_of


def symbol_of(name, dtypes, lanes):
    return f"f_{name}_{'_'.join(dtypes)}_{lanes}"


CASES = [(name, dtypes) for name, row in FUNCTIONS.items() if not is_for_pairs(row) for dtypes in signatures(row)]


def identify(part):
    return part if isinstance(part, str) else "-".join(part)


@pytest.fixture(scope="module")
def library():
    """All rows in one object."""
    return compiled(CASES, (1, LANES), fused=True)


@pytest.fixture(scope="module")
def unfused():
    """The rows of one float32 argument or two, as a CPU without fused multiply-add runs them."""
    return compiled([(n, d) for n, d in CASES if set(d) == {"f32"} and FUNCTIONS[n].result(d) == "f32"], (1,), False)


def compiled(cases, widths, fused):
    """The library of these rows, and what holds it alive."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    declared, bodies = set(), []
    symbols = [(symbol_of(name, dtypes, n), name, dtypes, n) for name, dtypes in cases for n in widths]
    for symbol, name, dtypes, lanes in symbols:
        bodies.append(function_text(symbol, FUNCTIONS[name], dtypes, lanes, declared, fused))
    module = llvm.parse_assembly("\n".join([*sorted(declared), *bodies]))
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=1, reloc="pic", jit=True
    )
    jit = llvm.create_lljit_compiler(None)
    builder = llvm.JITLibraryBuilder().add_object_img(machine.emit_object(module)).add_current_process()
    for symbol, *_ in symbols:
        builder.export_symbol(symbol)
    return jit, builder.link(jit, "rows" if fused else "rows.unfused")


def call(library, name, dtypes, lanes, arrays):
    result = np.empty(arrays[0].shape, DTYPES[FUNCTIONS[name].result(dtypes)])
    held = [np.ascontiguousarray(a) for a in (*arrays, result)]
    table = (ctypes.c_void_p * len(held))(*(a.ctypes.data for a in held))
    address = library[1][symbol_of(name, dtypes, lanes)]
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(address)(ctypes.addressof(table), result.size // lanes)
    return held[-1]


def draw(row, dtypes, rng, count=COUNT):
    arrays = []
    for dtype, (low, high) in zip(dtypes, row.domain * row.arity, strict=False):
        if dtype in ("f32", "f64"):
            arrays.append(rng.uniform(low, high, count).astype(DTYPES[dtype]))
        elif dtype == "bool":
            arrays.append(rng.integers(0, 2, count).astype(bool))
        else:
            bottom = max(int(low), np.iinfo(DTYPES[dtype]).min)
            arrays.append(rng.integers(bottom, int(high), count).astype(DTYPES[dtype]))
    return arrays


def ulps(got, want):
    """Distance in units in the last place of `got`'s format at `want`; equal infinities and NaNs are 0 apart."""
    want = np.asarray(want)
    with np.errstate(all="ignore"):
        unit = np.spacing(np.maximum(np.abs(want), np.finfo(got.dtype).tiny).astype(got.dtype)).astype(want.dtype)
        distance = np.abs(got.astype(want.dtype) - want) / unit
    same = (got == want.astype(got.dtype)) | (np.isnan(got) & np.isnan(want))
    return np.where(same, np.where(np.isfinite(distance), np.minimum(distance, 0.5), 0.0), distance)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dtypes"), CASES, ids=identify)
def test_row_matches_its_definition(library, name, dtypes):
    """As a scalar and as a vector."""
    row = FUNCTIONS[name]
    arrays = draw(row, dtypes, np.random.default_rng(7))
    for lanes in (1, LANES):
        compare(row, call(library, name, dtypes, lanes, arrays), dtypes, arrays)


def compare(row, got, dtypes, arrays):
    with np.errstate(over="ignore"):
        if got.dtype == np.float32 and dtypes[0] == "f32":
            want = row.numpy(*(a.astype(np.float64) if a.dtype == np.float32 else a for a in arrays))
            assert ulps(got, want).max() <= row.ulp + 1e-6
        elif got.dtype == np.float64 and dtypes[0] == "f64":
            want = row.numpy(*(a.astype(np.longdouble) for a in arrays))
            assert ulps(got, want).max() <= row.ulp + 1e-6
        else:
            np.testing.assert_array_equal(got, row.numpy(*arrays))


@pytest.mark.parametrize("name", ["exp", "log", "pow", "sigmoid", "sigmoid_cross_entropy", "tanh"])
def test_without_fused_multiply_add_an_ulp_is_lost_at_most(unfused, name):
    row = FUNCTIONS[name]
    arrays = draw(row, ("f32",) * row.arity, np.random.default_rng(8))
    want = row.numpy(*(a.astype(np.float64) for a in arrays))
    assert ulps(call(unfused, name, ("f32",) * row.arity, 1, arrays), want).max() <= row.ulp + 1.0


def takes_special_values(name, dtypes):
    """Rows of one or two operands; a conversion to integers has no result for infinities and NaN."""
    row = FUNCTIONS[name]
    whole = name.startswith("to_") and row.result(dtypes)[0] != "f"
    return dtypes[-1] in ("f32", "f64") and row.arity <= 2 and not whole


@pytest.mark.parametrize(("name", "dtypes"), [c for c in CASES if takes_special_values(*c)], ids=identify)
def test_special_values(library, name, dtypes):
    row, dtype = FUNCTIONS[name], dtypes[-1]
    grid = np.meshgrid(*[np.array(SPECIAL, DTYPES[dtype])] * row.arity)
    arrays = [np.resize(g.ravel(), 64) for g in grid]
    with np.errstate(all="ignore"):
        want = row.numpy(*arrays)
    np.testing.assert_allclose(call(library, name, dtypes, LANES, arrays), want, rtol=1e-6)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_exp_and_log_at_the_edges_of_their_range(library, dtype):
    top = {"f32": 88.7228, "f64": 709.7827}[dtype]
    bottom = {"f32": -87.3365, "f64": -708.3964}[dtype]
    x = np.resize(np.array([top, top + 0.01, bottom, bottom - 0.01, 0.0], DTYPES[dtype]), LANES)
    y = call(library, "exp", (dtype,), LANES, [x])
    np.testing.assert_allclose(y[[0, 2, 4]], np.exp(x[[0, 2, 4]]), rtol=3e-7 if dtype == "f32" else 1e-15)
    assert y[1] == np.inf and y[3] == 0.0
    z = np.resize(np.array([np.finfo(x.dtype).tiny, np.finfo(x.dtype).max], x.dtype), LANES)
    np.testing.assert_allclose(call(library, "log", (dtype,), LANES, [z]), np.log(z), rtol=1e-7)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_cross_entropy_of_logits_is_as_small_as_numbers_are(library, dtype):
    """Where a probability of the logit would be rounded to 0 or 1."""
    x = np.resize(np.array([-80.0, -30.0, 30.0, 80.0], DTYPES[dtype]), LANES)
    right = (x > 0).astype(x.dtype)
    y = call(library, "sigmoid_cross_entropy", (dtype, dtype), LANES, [x, right])
    np.testing.assert_allclose(y, np.log1p(np.exp(-np.abs(x.astype(np.longdouble)))).astype(float), rtol=1e-6)
    y = call(library, "sigmoid_cross_entropy", (dtype, dtype), LANES, [x, 1 - right])
    np.testing.assert_allclose(y, np.abs(x), rtol=1e-12)
