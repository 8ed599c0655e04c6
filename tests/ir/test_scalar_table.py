"""The scalar table: every row complete, derivatives against central differences, Philox against published answers."""

import numpy as np
import pytest

from mochac.ir import GraphBuilder, TensorType, run
from mochac.ir.functions.philox import philox4x32
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import DTYPES

KNOWN_ANSWERS = [
    ((0,) * 4, (0,) * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_philox_gives_the_published_words(counter, key, answer):
    words = philox4x32(tuple(map(np.uint64, counter)), tuple(map(np.uint64, key)))
    assert " ".join(f"{int(w):08x}" for w in words) == answer


def test_philox_row_folds_its_arguments_into_the_counter():
    key, step, position = 0x0123456789ABCDEF, 2**32 + 5, 7
    feature = np.arange(10, dtype=np.int32)
    got = FUNCTIONS["philox"].numpy(np.uint64(key), np.int64(step), np.int32(position), feature)
    for f in feature:
        words = philox4x32(
            tuple(map(np.uint64, (5, 0, position, f // 4))), (np.uint64(0x89ABCDEF), np.uint64(0x01234567))
        )
        assert got[f] == words[f % 4]
    assert got.dtype == np.uint32


@pytest.mark.parametrize("name", FUNCTIONS)
def test_row_is_complete(name):
    row = FUNCTIONS[name]
    assert row.name == name and row.arity >= 1
    assert row.cuda and all(key == "" or key in DTYPES for key in row.cuda)
    for text in row.cuda.values():
        text.format(*"abcd"[: row.arity])
    assert len(row.domain) in (1, row.arity)
    assert all(low < high for low, high in row.domain)


DIFFERENTIABLE = [name for name, row in FUNCTIONS.items() if row.derivative is not None]


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_derivative_agrees_with_central_differences(name):
    row, rng, count, h = FUNCTIONS[name], np.random.default_rng(3), 60, 1e-6
    dtypes = ["bool" if name == "select" and k == 0 else "f64" for k in range(row.arity)]
    arrays = {
        f"x{k}": rng.uniform(max(low, -8), min(high, 8), count)
        if d == "f64"
        else rng.integers(0, 2, count).astype(bool)
        for k, (d, (low, high)) in enumerate(zip(dtypes, row.domain * row.arity, strict=False))
    }
    b = GraphBuilder("g")
    args = tuple(b.input(f"x{k}", TensorType(d, (count,))) for k, d in enumerate(dtypes))
    dy = b.input("dy", TensorType(row.result(tuple(dtypes)), (count,)))
    y = b.op(name, *args)
    grads = row.derivative(b, dy, args, y)
    graph = b.finish([g for g in grads if g is not None])
    seed = rng.uniform(0.5, 1.5, count)
    result = run(graph, {**arrays, "dy": seed}, dtype="f64")
    for k, grad in enumerate(grads):
        if grad is None:
            continue
        up, down = ([arrays[f"x{j}"] + (s * h if j == k else 0) for j in range(row.arity)] for s in (1, -1))
        if name == "select":
            up[0] = down[0] = arrays["x0"]
        with np.errstate(all="ignore"):
            numeric = (row.numpy(*up).astype(np.float64) - row.numpy(*down)) / (2 * h) * seed
        if name == "to_f32":
            numeric = seed
        np.testing.assert_allclose(result.values[grad.name], numeric, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "dtypes", "message"),
    [
        ("add", ("f32", "f64"), "operands differ in dtype: f32, f64"),
        ("add", ("bool", "bool"), "operands are bool, expected numbers"),
        ("exp", ("i32",), "operands are i32, expected f32 or f64"),
        ("and", ("f32", "f32"), "operands are f32, expected bool"),
        ("select", ("f32", "f32", "f32"), "the first operand is f32, expected bool"),
        ("philox", ("u64", "i32", "i32", "i32"), "expected u64, i64, i32, i32"),
    ],
)
def test_dtype_rules_refuse(name, dtypes, message):
    with pytest.raises(ValueError, match=message):
        FUNCTIONS[name].result(dtypes)
