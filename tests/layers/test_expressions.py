"""Operators and NumPy's functions of values in `emit`: each formula computes what it computes of NumPy arrays."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import MemoryDataLayer, Net
from mochac.nets.layers import Layer, Value, layer
from mochac.nets.layers.base import LAYERS

RNG = np.random.default_rng(3)
N = 6
X, P, S = RNG.normal(size=(N, 4)), RNG.uniform(0.5, 2, (N, 4)), RNG.normal(size=(N, 3, 4))
TABLE, ROW = RNG.normal(size=(4, 5)), RNG.normal(size=4)

FORMULAS = {
    "numbers on both sides": lambda x, p, s: 2 + x * 3 - (1 - x) / 2 + 1 / p - 4,
    "values": lambda x, p, s: (x + p) * (x - p) / p,
    "signs": lambda x, p, s: -x + abs(x) - (+p),
    "powers": lambda x, p, s: x**2 + p**-0.5 + 2.0**x + p**x,
    "softplus": lambda x, p, s: x * np.tanh(np.log(1 + np.exp(x))),
    "functions": lambda x, p, s: np.sqrt(p) + np.square(x) + np.sign(x) + np.abs(x) + np.log(p),
    "limits": lambda x, p, s: np.maximum(x, 0) + np.minimum(1, p) + np.maximum(0.5, x),
    "methods of ufuncs": lambda x, p, s: np.add(x, 1) + np.multiply(2, p) + np.power(p, 3) + np.divide(1, p),
    "where": lambda x, p, s: np.where((x > 0) & (x < 1) | ~(p <= 1), x, 0.0),
    "bools count": lambda x, p, s: x * (x >= 0) + 3 * (p > 1),
    "equal": lambda x, p, s: np.where(np.equal(x, 0) | np.not_equal(p, 2), x, p),
    "columns": lambda x, p, s: x[:, 1:3] * p[:, -2:],
    "every second column": lambda x, p, s: x[:, ::2] * p[:, ::-2] + s[:, 1, 2::-2] - s[:, ::-1, -1:][:, 0],
    "one column": lambda x, p, s: x[:, 0] + x[:, -1],
    "dots": lambda x, p, s: s[..., 1:] + s[:, 1, None, 1:],
    "new axes": lambda x, p, s: x[:, :, None] + p[:, None, :],
    "repeated": lambda x, p, s: s * x[:, None] + s[:, :, :1] - s[:, 1:2],
    "an array": lambda x, p, s: x * ROW + ROW * p - np.array([1, 2, 3, 4]),
    "sums": lambda x, p, s: s.sum(axis=1) + np.sum(s, axis=(1, 2))[:, None] - s.sum(-1, keepdims=True)[:, 0],
    "means": lambda x, p, s: x - x.mean(axis=1, keepdims=True) + np.mean(s, axis=1),
    "shapes": lambda x, p, s: s.reshape(N, 12) - np.reshape(s, (N, -1)) + s.reshape(N, -1),
    "a product": lambda x, p, s: x @ TABLE + np.matmul(p, TABLE),
    "transposed": lambda x, p, s: (x @ TABLE) @ TABLE.T,
    "batched products": lambda x, p, s: s @ TABLE @ TABLE.T,
    "pairs": lambda x, p, s: s.reshape(N, 4, 3) @ s,
    "vectors": lambda x, p, s: s @ ROW + (TABLE.T @ p.reshape(N, 4, 1))[:, :3, 0],
    "joined": lambda x, p, s: np.concatenate([x, p[:, :1], s[:, 0]], axis=1),
    "bools are counted": lambda x, p, s: (x > 0).sum(axis=1) + (s > 0).mean(axis=(1, 2)),
    "sums of bools": lambda x, p, s: 1.0 * (x > 0) + 2 * (p > 1) - np.exp(1.0 * (x > 1)),
    "bools in products": lambda x, p, s: (x > 0) @ TABLE,
    "an array of bools": lambda x, p, s: np.where(ROW > 0, x, p) + x * (ROW > 0),
    "a condition of numbers": lambda x, p, s: np.where(ROW * (ROW > 0), x, np.where(x * (x > 0), p, 1.0)),
    "rounded": lambda x, p, s: np.floor(3 * x) + np.ceil(p) * np.trunc(x) + np.rint(5 * p),
    "clipped": lambda x, p, s: np.clip(x, -0.5, 0.5) + x.clip(p - 1, 2) + np.clip(p, None, 1),
    "largest": lambda x, p, s: s.max(axis=1) + np.max(x, axis=1, keepdims=True) - s.max((1, 2))[:, None],
    "smallest": lambda x, p, s: np.min(s, axis=-1)[:, :1] + x.min(axis=1)[:, None],
    "other axes": lambda x, p, s: s.transpose(0, 2, 1) + np.transpose(s, (0, -1, 1)) + x[:, :, None],
    "einsum": lambda x, p, s: np.einsum("nti,ij->ntj", s, TABLE),
    "einsum of a sample": lambda x, p, s: np.einsum("nti,nuk->nt", s, s) + np.einsum("nti -> nt", s),
    "einsum of three": lambda x, p, s: np.einsum("nti,ij,ni->njt", s, TABLE, x),
    "einsum, moved": lambda x, p, s: np.einsum("nti->nit", s),
    "all samples": lambda x, p, s: x @ p.T + (x[:, None] - p[None]).max(axis=2) + np.einsum("ni,mi->mn", x, p),
    "sums over samples": lambda x, p, s: x - x.mean(axis=0) + p.sum(axis=0, keepdims=True) - x.sum() * p.max(axis=0),
    "products over samples": lambda x, p, s: x @ (x.T @ p) + np.einsum("ni,nj->ij", p, x)[0] + (x @ p.T) @ x,
    "back to samples": lambda x, p, s: x[:, 0] * (x @ p.T).T.min(axis=1) + (s.sum(0) @ x.T).transpose(1, 0).mean(1),
    "joined samples": lambda x, p, s: (x @ np.concatenate([x, p]).T).mean(1)[:, None] + np.einsum("ni->n", p)[None],
    "rows of all steps": lambda x, p, s: ((s.reshape(-1, 4) @ TABLE + 1) / 2).reshape(N, 3, 5),
}  # fmt: skip


@pytest.fixture
def own():
    """What a test registers is gone afterwards."""
    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)
    yield
    LAYERS._items, LAYERS.foreign = before


def of(formulas):
    """A net of three inputs, with a top for each formula."""

    @layer
    class FormulaLayer(Layer):
        n_bottoms = (3, 3)
        n_tops = (1, None)

        def emit(self, ctx, bottoms):
            return [formula(*bottoms) for formula in formulas.values()]

    data = MemoryDataLayer(data=[X, P, S], tops=["x", "p", "s"], batch_size=N)
    tops = [f"y{k}" for k in range(len(formulas))]
    return Net("formulas", [data, FormulaLayer(name="f", bottoms=["x", "p", "s"], tops=tops)])


@pytest.mark.slow
def test_every_formula_computes_what_numpy_does(own):
    with mochac.compile(of(FORMULAS), dtype="float64", mode="test") as program:
        program.forward()
        for k, (name, formula) in enumerate(FORMULAS.items()):
            want = formula(X, P, S)
            np.testing.assert_allclose(program.blobs[f"y{k}"], want, rtol=1e-12, atol=1e-12, err_msg=name)


SMOOTH = (
    "values", "softplus", "dots", "repeated", "means", "batched products", "joined", "products over samples",
    "joined samples",
)  # fmt: skip


@pytest.mark.slow
def test_gradients_flow_through_operators(own):
    def total(x, p, s):
        each = [FORMULAS[name](x, np.exp(p), s) for name in SMOOTH]
        return sum(np.square(y).reshape(N, -1).mean(axis=1, keepdims=True) for y in each)

    made = of({"total": total}).layers[-1].replace(bottoms=["wx", "wp", "ws"], tops=["y"])
    weighed = [
        mochac.InnerProductLayer(name=f"w{b}", output_dim=4, axis=-1, bottoms=[b], tops=[f"w{b}"]) for b in "xps"
    ]
    data = MemoryDataLayer(data=[X, P, S, np.ones((N, 1))], tops=["x", "p", "s", "one"], batch_size=N)
    loss = mochac.SquareLossLayer(name="loss", bottoms=["y", "one"])
    assert mochac.check_gradients(Net("gradients", [data, *weighed, made, loss])).ok


def test_operators_write_the_operations_of_ctx_op(own):
    """The same graph, so the same bits and kernels."""

    @layer
    class WrittenLayer(Layer):
        def emit(self, ctx, bottoms):
            (x,) = bottoms
            return [x * np.exp(-x)]

    @layer
    class CalledLayer(Layer):
        def emit(self, ctx, bottoms):
            (x,) = bottoms
            return [ctx.op("mul", x, ctx.op("exp", ctx.op("neg", x)))]

    data = MemoryDataLayer(data=[X], tops=["x"], batch_size=N)
    texts = [
        [k.llvm for k in mochac.compile(Net("n", [data, kind(name="y", bottoms=["x"])])).kernels]
        for kind in (WrittenLayer, CalledLayer)
    ]
    assert texts[0] == texts[1]


def test_values_are_equal_by_name_and_type(own):
    """So that they can be looked up among values without operators."""
    seen = []

    @layer
    class SeenLayer(Layer):
        def emit(self, ctx, bottoms):
            seen.append(bottoms[0])
            return [bottoms[0] + 0]

    Net("n", [MemoryDataLayer(data=[X], tops=["x"], batch_size=N), SeenLayer(name="y", bottoms=["x"])])
    plain = Value(seen[0].name, seen[0].type)
    assert seen[0] == plain and plain == seen[0] and hash(plain) == hash(seen[0])
    assert seen[0] != Value("other", plain.type)
    assert seen[0].shape == (N, 4)


WRONG = {
    "shapes": (lambda x, s: x + x[:, 1:], "the operands of + do not fit each other", "got  (6, 4) and (6, 3)"),
    "fewer axes": (lambda x, s: s + x[:, 0], "the operands of + do not fit each other", "x[:, None] has one more"),
    "samples last": (lambda x, s: np.ones((N, N)) + x[:, 0], "np.add would repeat or move the axis", "x[:, None]"),
    "cut samples": (lambda x, s: x[1:], "an index cuts or moves the axis of samples", "got  [1:]"),
    "a sample": (lambda x, s: x[0], "an index cuts or moves the axis of samples", "expected  : for axis 0"),
    "too many": (lambda x, s: x[:, 1, 2], "too many indices", "expected  2 at most, for (6, 4)"),
    "a step over samples": (lambda x, s: x[::2], "an index cuts or moves the axis of samples", "got  [::2]"),
    "empty": (lambda x, s: x[:, 5:], "the slice of axis 1 is empty", "got  [5:]"),
    "out of range": (lambda x, s: x[:, 4], "the index of axis 1 is out of range", "expected  -4 to 3,  got  4"),
    "no index": (lambda x, s: x[:, "a"], "the index of axis 1 is no index", "ctx.op(\"gather\", table, ids)"),
    "a truth": (lambda x, s: x if x > 0 else s, "a value has no truth value while a net is built", "np.where"),
    "unpacked": (lambda x, s: [*x], "a value cannot be iterated", "x[:, 0], x[:, 1]"),
    "a function": (lambda x, s: np.sin(x), "there is no operation for np.sin", "np.exp"),
    "what is called": (lambda x, s: np.arcsinh(x), "there is no operation for np.arcsinh", "got  np.arcsinh"),
    "another function": (lambda x, s: np.linalg.norm(x), "there is no operation for np.norm", "np.tanh"),
    "a method": (lambda x, s: np.add.reduce(x), "np.add.reduce of a value", "np.add(x, y)"),
    "more mixed": (
        lambda x, s: s.reshape(3, N, 4), "a reshape mixes the samples of a batch", "x.reshape(x.shape[0], ...)",
    ),
    "rows": (lambda x, s: s.reshape(-1, 4), "element 0 of what emit returns has several rows", "got  (18, 4)"),
    "sum of rows": (
        lambda x, s: s.reshape(-1, 4).sum(axis=0), "reduce_sum mixes the samples of a batch", "got  (18, 4)",
    ),
    "rows turned": (lambda x, s: x @ s.reshape(-1, 4).T, "permute mixes the samples of a batch", "got  (18, 4)"),
    "cut rows": (lambda x, s: s.reshape(-1, 4)[1:], "slice mixes the samples of a batch", "row for each sample first"),
    "softmax of rows": (
        lambda x, s: s.reshape(-1, 4)._ctx.op("softmax", s.reshape(-1, 4), axis=0), "softmax mixes", "",
    ),
    "as long": (lambda x, s: x * np.ones((N, 4)), "numbers that are none of the samples", "got  (6, 4)"),
    "as long, repeated": (lambda x, s: x * np.ones((N, 1)), "numbers that are none of the samples", "got  (6, 1)"),
    "joined to samples": (
        lambda x, s: np.concatenate([x, np.ones((N, 1))], axis=1), "either all operands hold", "f32[6,1]",
    ),
"a spec": (lambda x, s: np.einsum("ni->", x, x), "the spec of np.einsum does not fit", "2 groups,  got  'ni->'"),
    "a spec's letters": (lambda x, s: np.einsum("nii->n", s), "a letter of np.einsum stands for one axis", "'nii'"),
    "a spec's axes": (lambda x, s: np.einsum("nij->nj", x), "np.einsum has a letter for every axis", "2 letters"),
    "no axes": (lambda x, s: np.einsum("n,nij->nij", x[:, 0], s).transpose(0, 1), "the axes of a transpose", "0 .. 2"),
"an argument": (lambda x, s: np.max(x, axis=1, initial=0), "np.max of a value takes other arguments", "x.max"),
    "other words": (lambda x, s: np.var(x, axis=1), "there is no operation for np.var", "np.square(x - x.mean"),
    "a product": (lambda x, s: x @ x, "the operands of @ do not fit each other", "got  (6, 4) and (6, 4)"),
    "changed": (lambda x, s: x.__setitem__(0, 1), "a value cannot be changed", "np.where(mask, x, y)"),
    "an attribute": (lambda x, s: x.argmax(axis=1), "a value has no attribute 'argmax'", "shape ndim T type reshape"),
    "torch's": (lambda x, s: x.unsqueeze(1), "a value has no attribute 'unsqueeze'", "use x.reshape(...), x[:, None]"),
    "one bool": (lambda x, s: np.where(s is None, x, 1), "the condition of np.where is one bool", "if condition else"),
    "a number's equal": (lambda x, s: (x == 0) * x, "== and != compare no elements of a value", "np.equal(x, y)"),
    "a number's other": (lambda x, s: (x != 0) * x, "== and != compare no elements of a value", "np.not_equal(x, y)"),
    "an array's equal": (lambda x, s: (x == np.zeros(4)) * x, "== and != compare no elements", "np.equal(x, y)"),
    "an equal": (lambda x, s: (x == x * 1) * x, "== and != compare no elements of a value", "np.equal(x, y)"),
    "a test of NaN": (lambda x, s: np.where(x != x, 0, x), "== and != compare no elements of a value", "np.equal"),
    "text": (lambda x, s: x * "2", "an operand of * is not a value", "got  '2'"),
    "an axis": (lambda x, s: x.sum(axis=2), "axis 2 is not an axis", "-2 to 1, for (6, 4)"),
    "summed by name": (
        lambda x, s: x._ctx.op("reduce_sum", x, axes=(0,)), "reduce_sum sums over the batch", "ctx.all_samples(x)",
    ),
    "a diagonal": (lambda x, s: (x @ x.T) * np.eye(N), "numbers that are none of the samples", "ctx.eye() is true"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_one_error_with_the_line(own, case):
    formula, rule, more = WRONG[case]

    @layer
    class WrongLayer(Layer):
        n_bottoms = (2, 2)

        def emit(self, ctx, bottoms):
            return [formula(*bottoms)]

    data = MemoryDataLayer(data=[X, S], tops=["x", "s"], batch_size=N)
    with pytest.raises(mochac.MochacError) as caught:
        Net("n", [data, WrongLayer(name="w", bottoms=["x", "s"])])
    text = caught.value.report
    assert text.partition(": ")[2].startswith(f"layer 'w' (Wrong): {rule}"), text
    assert more in text
    assert text.splitlines()[-1].startswith("  at tests/layers/test_expressions.py:")
