"""Native functions compute in machine code what their Python source computes."""

from __future__ import annotations

import ctypes
from contextlib import closing

import numpy as np
import pytest

from mochac.codegen.cpu.system import FUNCTIONS, system_text
from mochac.codegen.native.llvm_text import llvm_text
from mochac.codegen.native.values import (
    Bytes,
    Doubles,
    Floats,
    FloatVectors,
    Ints,
    Words,
    call_at,
    copy,
    exchange_if,
    f64,
    fetch_add,
    i32,
    i64,
    load,
    stack,
    store,
)
from mochac.runtime.cpu import compiler, cpuinfo, loader

LIMIT = 1 << 40


def operations(w: Words, a: i64, b: i64) -> None:
    w[0] = a + b * 3 - (a & b) + (a | 5) - (b ^ 9)
    w[1] = (a << 3) + (b >> 1)
    w[2] = -a + min(a, b) * max(a, 7)
    w[3] = (a * a) // 3 + (b * b + 1) % 7
    w[4] = i64(i32(a) + i32(b))
    w[5] = a if a < b else b
    w[6] = LIMIT - 1 + Bytes.lanes


def comparisons(w: Words, a: i64, b: i64) -> None:
    w[0] = (1 if a < b else 0) + (2 if a <= b else 0) + (4 if a == b else 0)
    w[0] += (1 if a > b else 0) + (2 if a >= b else 0) + (4 if a != b else 0)
    less = a < b
    if (less and b > 3) or (not less and w[0] != 5):
        w[1] = 1
    elif a == b:
        w[1] = 2
    else:
        w[1] = 3


def loops(w: Words, a: i64, b: i64) -> None:
    total, skipped = 0, 0
    for k in range(a):
        if k % 3 == 1:
            skipped += 1
            continue
        if k > 20:
            break
        for m in range(k, b):
            total += k * m
            if m > 15:
                break
    w[0] = total
    w[1] = skipped
    k = 0
    while k < 30 and w[2] < 100:
        w[2] += k
        k += 1
        while True:
            if k & 1 == 0:
                break
            k += 1
    w[3] = k
    first, second = a, b
    for _ in range(5):
        first, second = second, first + second
    w[4], w[5] = first, second


def gcd(a: i64, b: i64) -> i64:
    if b == 0:
        return a
    return gcd(b, a % b)


def calls(w: Words, a: i64, b: i64) -> None:
    w[0] = gcd(abs_of(a), abs_of(b))
    w[1] = 1 if is_even(a) else 0
    pair = stack(Words, 2)
    pair[0] = a
    swap(pair, b)
    w[2], w[3] = pair[0], pair[1]
    w[4] = w.at(3).at(-1)[0]


def abs_of(a: i64) -> i64:
    return a if a > 0 else -a


def is_even(a: i64) -> bool:
    return a & 1 == 0


def swap(pair: Words, b: i64) -> None:
    pair[1] = pair[0]
    pair[0] = b


def atomics(w: Words, a: i64, b: i64) -> None:
    store(w, a, "release")
    w[1] = fetch_add(w, b, "seq_cst")
    if exchange_if(w, a + b, 3, "acquire"):
        w[2] = load(w, "acquire")
    if exchange_if(w, a + b, 4, "monotonic"):
        w[3] = 1
    w[4] = i64(fetch_add(Ints(w.at(5)), -1, "monotonic"))


def vectors(w: Words, a: i64, b: i64) -> None:
    ints, floats, doubles = Ints(w), Floats(w.at(2)), Doubles(w.at(4))
    ints[0] = i32(a)
    ints[1] = ints[0] + 1
    floats[0] = f64(a)
    floats[1] = floats[0] + f64(ints[1])
    doubles[0] = floats[1] * f64(b)
    Words(w.at(6).address)[0] = b
    copy(Bytes(w.at(8)), Bytes(w), 16)
    sums, terms = FloatVectors(w.at(16)), FloatVectors(w.at(24))
    sums[0] += terms[0]


NATIVE = [operations, comparisons, loops, calls, atomics, vectors]


@pytest.fixture(scope="module")
def code():
    with closing(loaded([*NATIVE, indirect])) as library:
        yield library


def loaded(functions):
    text = system_text(compiler.arch(), "linux") + llvm_text(functions, FUNCTIONS)
    return loader.MachineCode([compiler.compile_ir(text, cpuinfo.host_cpu())], [f.__name__ for f in functions])


def indirect(w: Words, a: i64, b: i64) -> None:
    call_at(w[7], w, a, b)


@pytest.mark.parametrize("function", NATIVE, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("a", "b"), [(3, 17), (40, 40), (29, 12), (-7, 5), (0, 1), (2, 0)])
def test_machine_code_computes_what_python_computes(code, function, a, b):
    begin = np.random.default_rng(0).integers(0, 50, 32)
    begin[16:] = np.random.default_rng(1).normal(size=32).astype(np.float32).view(np.int64)
    expected, found = begin.copy(), begin.copy()
    function(Words(expected.ctypes.data), a, b)
    native = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(code[function.__name__])
    native(found.ctypes.data, a, b)
    assert found.tolist() == expected.tolist()
    assert (found != begin).any()


def test_functions_are_called_by_address(code):
    calls = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    def callee(address, a, b):
        calls.append((address, a, b))

    words = np.zeros(8, np.int64)
    words[7] = ctypes.cast(callee, ctypes.c_void_p).value
    native = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(code["indirect"])
    native(words.ctypes.data, 5, -6)
    indirect(Words(words.ctypes.data), 5, -6)
    assert calls == [(words.ctypes.data, 5, -6)] * 2


def unset(w: Words, a: i64) -> None:
    if a > 0:
        b = a
    w[0] = b


def no_kind(w: Words, a: i32) -> None:
    w[0] = a


def changed_kind(w: Words, a: i64) -> None:
    k = a
    k = i32(a)
    w[0] = i64(k)


def no_result(a: i64) -> i64:
    if a > 0:
        return a


def unreachable(a: i64) -> i64:
    return a
    a += 1


def unknown(w: Words) -> None:
    w[0] = len([])


def statement(w: Words) -> None:
    with w:
        pass


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (unset, "unset: b is not set on every way here"),
        (no_kind, "no_kind: expected i64, got i32"),
        (changed_kind, "changed_kind: expected i64, got i32"),
        (no_result, "no_result: a way through the function returns nothing"),
        (unreachable, "unreachable: this is never reached"),
        (unknown, "unknown: there is no native function len"),
        (statement, "statement: native functions have no such statement"),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_what_the_language_lacks_is_refused_with_its_line(function, message):
    with pytest.raises(SyntaxError, match=message) as error:
        llvm_text([function])
    first = function.__code__.co_firstlineno
    assert error.value.filename == __file__
    assert first <= error.value.lineno <= first + 4
