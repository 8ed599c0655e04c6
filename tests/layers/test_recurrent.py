"""Recurrent layers: formulas, lengths, initial states, a user's cell, and what they refuse."""

from typing import ClassVar

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    GRULayer,
    InnerProductLayer,
    InputLayer,
    LSTMLayer,
    MemoryDataLayer,
    Net,
    ParameterLayer,
    RNNLayer,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
    SquareLossLayer,
)
from mochac.base.errors import DataError, MochacError, UnsupportedError
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.inspect import kernel_records as loops
from mochac.inspect.replay import replay
from mochac.ir.ops import scan
from mochac.nets.layers import Parametric, integer, layer, option

BATCH, TIME, WIDTH, SIZE = 5, 6, 3, 4
NAMES = ("weight_x", "weight_h", "bias_x", "bias_h")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def rnn(w, h, c, x):
    return np.tanh(x @ w["weight_x"].T + w["bias_x"] + h @ w["weight_h"].T + w["bias_h"]), c


def lstm(w, h, c, x):
    i, f, g, o = np.split(x @ w["weight_x"].T + w["bias_x"] + h @ w["weight_h"].T + w["bias_h"], 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def gru(w, h, c, x):
    xr, xz, xn = np.split(x @ w["weight_x"].T + w["bias_x"], 3, axis=1)
    hr, hz, hn = np.split(h @ w["weight_h"].T + w["bias_h"], 3, axis=1)
    z = sigmoid(xz + hz)
    return (1 - z) * np.tanh(xn + sigmoid(xr + hr) * hn) + z * h, c


def gru_before(w, h, c, x):
    xr, xz, xn = np.split(x @ w["weight_x"].T + w["bias_x"], 3, axis=1)
    rows, size = w["weight_h"], SIZE
    r = sigmoid(xr + h @ rows[:size].T + w["bias_h"][:size])
    z = sigmoid(xz + h @ rows[size : 2 * size].T + w["bias_h"][size : 2 * size])
    n = np.tanh(xn + (r * h) @ rows[2 * size :].T + w["bias_h"][2 * size :])
    return (1 - z) * n + z * h, c


CELLS = [(RNNLayer, rnn, {}), (LSTMLayer, lstm, {}), (GRULayer, gru, {}), (GRULayer, gru_before, {"reset": "before"})]


def by_hand(cell, w, x, lengths, start, reverse, marks=None):
    """Outputs and last states, step by step and sample by sample. Marks of 0 begin a sequence, from zeros."""
    marks = np.ones(x.shape[:2]) if marks is None else marks
    y, ends = np.zeros((len(x), x.shape[1], SIZE)), []
    for n, (sample, length) in enumerate(zip(x, lengths, strict=True)):
        h, c = (s[n : n + 1] for s in start)
        for t in reversed(range(length)) if reverse else range(length):
            h, c = cell(w, h * (marks[n, t] > 0), c * (marks[n, t] > 0), sample[None, t])
            y[n, t] = h[0]
        ends.append((h[0], c[0]))
    return y, [np.stack(column) for column in zip(*ends, strict=True)]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("given", ["nothing", "lengths", "initial", "both", "learnt"])
@pytest.mark.parametrize(("kind", "cell", "fields"), CELLS, ids=["rnn", "lstm", "gru", "gru-before"])
def test_formulas(kind, cell, fields, given):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((BATCH, TIME, WIDTH))
    n_states = 2 if kind is LSTMLayer else 1
    starts = [rng.standard_normal((BATCH, 2, SIZE)) for _ in range(n_states)]
    feeds, learnt, values = {"x": x}, {}, []
    if given in ("lengths", "both"):
        feeds["lengths"] = np.array([0, 1, 6, 3, 5])
        fields = {**fields, "lengths": "lengths"}
    if given in ("initial", "both"):
        feeds.update(zip(("h0", "c0"), starts, strict=False))
        fields = {**fields, "initial": ["h0", "c0"][:n_states]}
    elif given == "learnt":
        values = [s[0] for s in starts]
        starts = [np.tile(value, (BATCH, 1, 1)) for value in values]
        learnt = {name: ParameterLayer(name=name, shape=(2, SIZE)) for name in ["h0", "c0"][:n_states]}
        fields = {**fields, "initial": list(learnt)}
    else:
        starts = [np.zeros((BATCH, 2, SIZE))] * 2
    tops = ["y", "h", "c"][: 1 + n_states]
    layers = [
        MemoryDataLayer(data=list(feeds.values()), batch_size=BATCH, tops=list(feeds)),
        *learnt.values(),
        kind(name="steps", bottoms=["x"], output_dim=SIZE, bidirectional=True, tops=tops, **fields),
    ]
    with mochac.compile(Net("steps", layers), dtype="float64", backend="cpu") as program:
        params = program.params["steps"]
        for name in params:
            params[name] = rng.standard_normal(params[name].shape)
        for name, value in zip(learnt, values, strict=True):
            program.params[name]["value"] = value
        program.forward()
        found = {top: program.blobs[top] for top in tops}
        lengths = feeds.get("lengths", np.full(BATCH, TIME))
        sides = []
        for reverse in (False, True):
            w = {
                name: np.asarray(params[name + "_reverse" * reverse])
                for name in ("weight_x", "weight_h", "bias_x", "bias_h")
            }
            start = [s[:, int(reverse)] for s in (*starts, np.zeros((BATCH, 2, SIZE)))][:2]
            sides.append(by_hand(cell, w, x, lengths, start, reverse))
    np.testing.assert_allclose(found["y"], np.concatenate([y for y, _ in sides], axis=2), atol=1e-12)
    for k, top in enumerate(tops[1:]):
        np.testing.assert_allclose(found[top], np.stack([ends[k] for _, ends in sides], axis=1), atol=1e-12)


@layer
class OwnLSTMLayer(Parametric):
    """An LSTM as a user writes it (docs/guide/own-layers.md)."""

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 1)
    size: int = option(integer(1), default=SIZE)

    def emit(self, ctx, bottoms):
        (x,) = bottoms
        batch, _, width = x.type.shape
        init, regu = mochac.XavierInitializer(), mochac.L2Regu(1.0)
        zeros, none = mochac.ConstantInitializer(0.0), mochac.NoRegu()
        weight_x = ctx.param("weight_x", (4 * self.size, width), init, regu, 1.0)
        weight_h = ctx.param("weight_h", (4 * self.size, self.size), init, regu, 1.0)
        bias_x = ctx.param("bias_x", (4 * self.size,), zeros, none, 1.0, decays=False)
        bias_h = ctx.param("bias_h", (4 * self.size,), zeros, none, 1.0, decays=False)

        def step(state, now):
            h, c = state
            gates = ctx.op(
                "add",
                ctx.op("inner_product", now[0], weight_x, bias_x),
                ctx.op("inner_product", h, weight_h, bias_h),
            )
            i, f, g, o = (ctx.op("slice", gates, start=(0, k * self.size), shape=(batch, self.size)) for k in range(4))
            kept = ctx.op("mul", ctx.op("sigmoid", f), c)
            c = ctx.op("add", kept, ctx.op("mul", ctx.op("sigmoid", i), ctx.op("tanh", g)))
            return [ctx.op("mul", ctx.op("sigmoid", o), ctx.op("tanh", c)), c], []

        zero = ctx.op("fill", value=0.0, dtype=ctx.dtype, shape=(batch, self.size), batch=True)
        return [ctx.scan(step, [zero, zero], [x]).last[0]]


def classifier(layer, **how):
    rng = np.random.default_rng(1)
    data = [rng.standard_normal((40, TIME, WIDTH)), np.arange(40) % 3]
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["steps"])
    loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])
    return Net("own", [MemoryDataLayer(data=data, batch_size=16, shuffle=True), layer, ip, loss])


def trained(layer, threads=1, steps=12):
    with mochac.compile(classifier(layer), backend="cpu", threads=threads, seed=3) as program:
        program.train(SGD(0.5, momentum=0.9), max_iter=steps, verbose=0)
        return {(key, name): np.asarray(p) for key, group in program.params.items() for name, p in group.items()}


@pytest.mark.slow
def test_a_users_cell_gives_the_same_bits():
    own = trained(OwnLSTMLayer(name="steps", bottoms=["data"]))
    built_in = trained(LSTMLayer(name="steps", bottoms=["data"], output_dim=SIZE, last=True))
    assert own.keys() == built_in.keys()
    for key, value in own.items():
        np.testing.assert_array_equal(value, built_in[key])


@pytest.mark.slow
@pytest.mark.parametrize("size", [37, 64])
@pytest.mark.parametrize("kind", [RNNLayer, LSTMLayer, GRULayer])
def test_bits_do_not_depend_on_threads(kind, size):
    layer = kind(name="steps", bottoms=["data"], output_dim=size, last=True, bidirectional=True, n_layers=2)
    one, two = (trained(layer, threads) for threads in (1, 2))
    for key, value in one.items():
        np.testing.assert_array_equal(value, two[key])


@pytest.mark.slow
def test_a_resume_in_the_middle_of_an_epoch(tmp_path):
    """With dropout between layers, shuffled samples, and another number of threads."""
    layer = LSTMLayer(name="steps", bottoms=["data"], output_dim=SIZE, last=True, n_layers=2, dropout=0.3)
    wanted, first = trained(layer, steps=11), Solver(SGD(0.5, momentum=0.9), max_iter=4)
    first.add_coffee_break(Snapshot(tmp_path), every_n_iter=4)
    with mochac.compile(classifier(layer), backend="cpu", threads=2, seed=3) as program:
        program.train(first, verbose=0)
    with mochac.compile(classifier(layer), backend="cpu", threads=1, seed=3) as program:
        for array in program.parameters().values():
            array[...] = 9
        program.train(Solver(SGD(0.5, momentum=0.9), max_iter=11, load_from=str(tmp_path)), verbose=0)
        for (key, name), value in wanted.items():
            np.testing.assert_array_equal(program.params[key][name][...], value)


@pytest.mark.slow
def test_explain_says_what_the_gradient_keeps(monkeypatch):
    net = classifier(GRULayer(name="steps", bottoms=["data"], output_dim=SIZE, last=True))
    kept = section(mochac.explain(net, backend="cpu"))
    state = f"f32[b16,{SIZE}]"
    assert kept[:2] == [
        f"steps: {TIME} steps forward; carries {state}",
        f"d.steps: {TIME} steps backward; carries {state}",
    ]
    assert kept[2].endswith("steps.slice.5, steps.sigmoid, steps.sigmoid.1, steps.tanh; 6.14 kB for all steps")
    assert kept[3].startswith("computed again, since that costs no more than to read: ")
    monkeypatch.setattr(scan, "MAX_KEPT_BYTES", 1000)
    monkeypatch.setattr(loops, "MAX_KEPT_BYTES", 1000)
    monkeypatch.setenv("MOCHAC_CACHE", "off")
    again = section(mochac.explain(net, backend="cpu"))
    assert again[2].endswith("steps.inner_product.1; 4.61 kB for all steps")
    assert again[3] == (
        "computed again, since all would take more than 1 kB: steps.sigmoid, steps.sigmoid.1, steps.tanh"
    )


def section(text):
    """The lines about loops of an explanation."""
    return [line.strip() for line in text.split("Loops over time\n")[1].split("\n\n")[0].splitlines()]


def test_evaluation_pads_its_last_batch():
    layer = GRULayer(name="steps", bottoms=["data"], output_dim=SIZE, last=True)
    net = classifier(layer)
    with mochac.compile(net, backend="cpu", dtype="float64") as program:
        found = program.evaluate()["loss"]
        x, label = (np.asarray(a) for a in net.layers[0].data)
        scores = program.predict(x, blob="ip")
    wanted = np.mean(np.log(np.exp(scores).sum(1)) - scores[np.arange(40), label.reshape(-1).astype(int)])
    assert found == pytest.approx(wanted, rel=1e-9)


@pytest.mark.slow
def test_compile_time_does_not_grow_with_the_length():
    def launches(steps):
        data = MemoryDataLayer(data=[np.zeros((4, steps, WIDTH)), np.zeros((4, SIZE))], batch_size=4)
        layer = LSTMLayer(name="steps", bottoms=["data"], output_dim=SIZE, last=True)
        net = Net("long", [data, layer, SquareLossLayer(bottoms=["steps", "label"])])
        with mochac.compile(net, backend="cpu") as program:
            program.train(SGD(0.1), max_iter=1, verbose=0)
            return [k.name for k in program.kernels]

    assert launches(3) == launches(30)
    assert launches(150) == launches(1500)  # enough steps to turn a weight


def test_a_length_beyond_the_blob_is_refused():
    data = MemoryDataLayer(data=[np.zeros((4, 3, 2)), np.array([1, 2, 4, 3])], batch_size=4, tops=["x", "n"])
    layer = GRULayer(name="steps", bottoms=["x"], lengths="n", output_dim=2)
    with pytest.raises(DataError, match="length"):
        mochac.compile(Net("lengths", [data, layer]), backend="cpu").forward()


def test_wrong_numbers_of_initial_states_are_refused():
    x, h = (InputLayer(name=name, shape=(2, 3, 4)) for name in "xh")
    with pytest.raises(MochacError, match="initial names another number of blobs"):
        Net("initial", [x, h, LSTMLayer(name="steps", bottoms=["x"], initial=["h"], output_dim=4)])


def test_backends_without_loops_say_that_they_cannot(monkeypatch):
    layer = LSTMLayer(name="steps", bottoms=["data"], output_dim=2, last=True)
    monkeypatch.setattr(CudaGenerator, "loops", False)  # as of a backend of users
    with pytest.raises(UnsupportedError, match="layer 'steps' is a loop over time"):
        mochac.explain(classifier(layer), backend="cuda", target="sm_90")


@pytest.mark.slow
def test_a_dump_can_be_replayed(tmp_path):
    layer = GRULayer(name="steps", bottoms=["data"], output_dim=SIZE, last=True, bidirectional=True)
    mochac.dump(classifier(layer), tmp_path / "dump", backend="cpu")
    report = replay(tmp_path / "dump")
    assert report.agreed, str(report)


def test_markers_of_sequences_go_forward_only():
    for way in ({"reverse": True}, {"bidirectional": True}):
        with pytest.raises(MochacError, match="continues marks where sequences begin"):
            GRULayer(name="steps", bottoms=["x"], output_dim=2, continues="marks", **way)


@pytest.mark.slow
def test_a_marker_starts_a_new_sequence():
    """The second sequence of a blob gives what it gives alone."""
    x = np.random.default_rng(5).standard_normal((4, TIME, WIDTH))
    marks = np.ones((4, TIME))
    marks[:, 2] = 0
    data = MemoryDataLayer(data=[x, marks], batch_size=4, tops=["x", "marks"])
    steps = LSTMLayer(name="steps", bottoms=["x"], output_dim=SIZE, continues="marks")
    with mochac.compile(Net("marked", [data, steps]), backend="cpu", dtype="float64", seed=1) as program:
        together = program.predict({"x": x, "marks": marks}, blob="steps")
        rest = program.predict({"x": np.roll(x, -2, axis=1), "marks": np.ones((4, TIME))}, blob="steps")
    np.testing.assert_allclose(together[:, 2:], rest[:, : TIME - 2], rtol=1e-12)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("kind", "cell", "fields"), CELLS, ids=["rnn", "lstm", "gru", "gru-before"])
def test_markers_in_the_padding_leave_the_state_as_it_is(kind, cell, fields):
    """And so do they in the gradient: it is as without them."""
    rng = np.random.default_rng(6)
    x, lengths = rng.standard_normal((BATCH, TIME, WIDTH)), np.array([0, 1, 6, 3, 5])
    marks = (rng.random((BATCH, TIME)) > 0.4).astype(float)
    assert (marks * (np.arange(TIME) >= lengths[:, None]) == 0).any(axis=1)[[0, 1, 3, 4]].all()
    padded = np.where(np.arange(TIME) < lengths[:, None], marks, 1)
    n_states = 2 if kind is LSTMLayer else 1
    starts = [rng.standard_normal((BATCH, 1, SIZE)) for _ in range(n_states)]
    tops = ["y", "h", "c"][: 1 + n_states]
    gradients = []
    for given in (padded, marks):
        feeds = {"x": x, "n": lengths, "marks": given, **dict(zip(("h0", "c0"), starts, strict=False)), "wanted": x}
        steps = kind(
            name="steps", bottoms=["x"], output_dim=SIZE, last=True, tops=tops, lengths="n", continues="marks",
            initial=["h0", "c0"][:n_states], **fields,
        )  # fmt: skip
        layers = [
            MemoryDataLayer(data=list(feeds.values()), batch_size=BATCH, tops=list(feeds)),
            steps,
            InnerProductLayer(name="guess", output_dim=TIME * WIDTH, bottoms=["y"]),
            SquareLossLayer(name="loss", bottoms=["guess", "flat"]),
            mochac.ReshapeLayer(name="flat", shape=(TIME * WIDTH,), bottoms=["wanted"]),
        ]
        with mochac.compile(Net("padded", layers), dtype="float64", backend="cpu", seed=3) as program:
            w = {name: np.array(program.params["steps"][name]) for name in NAMES}
            program.forward()
            found = {top: program.blobs[top] for top in tops}
            program.backward()
            gradients.append({name: np.array(program.grads["steps"][name]) for name in NAMES})
        start = [s[:, 0] for s in (*starts, np.zeros((BATCH, 1, SIZE)))][:2]
        _, ends = by_hand(cell, w, x, lengths, start, False, given)
        np.testing.assert_allclose(found["y"], ends[0], atol=1e-12)
        for end, top in zip(ends, tops[1:], strict=False):
            np.testing.assert_allclose(found[top][:, 0], end, atol=1e-12)
    for name in NAMES:
        np.testing.assert_allclose(gradients[1][name], gradients[0][name], rtol=1e-12)
        assert np.abs(gradients[0][name]).max() > 0


@pytest.mark.parametrize(
    ("length", "said"),
    [
        (6, "out of range\n  expected  0 <= length <= 5 for layer 'y',  got  6\n.*\n  hint: sequences have 5 steps\n"),
        (0.5, "length is not an integer\n  expected  one of the integers 0 .. 5 for layer 'y',  got  0.5\n"),
    ],
)
def test_lengths_that_are_none(length, said):
    x = np.zeros((2, 5, 3), np.float32)
    data = MemoryDataLayer(data=[x, np.array([2, length])], tops=["x", "lengths"], batch_size=2)
    layer = LSTMLayer(name="y", output_dim=4, bottoms=["x"], lengths="lengths")
    with mochac.compile(Net("n", [data, layer])) as program, pytest.raises(mochac.DataError, match=said):
        program.forward()


@pytest.mark.sampled(0)
@pytest.mark.parametrize("kind", [LSTMLayer, GRULayer, RNNLayer])
def test_a_step_forward_is_one_kernel(kind, monkeypatch):
    """Product and gates. The model of the CPU has a say in it; here it says that one is as fast."""
    monkeypatch.setenv("MOCHAC_CACHE", "0")
    data = [np.zeros((32, 40, 8), np.float32), np.arange(32) % 3]
    source = MemoryDataLayer(name="source", data=data, batch_size=16, tops=["data", "label"])
    steps = kind(name="steps", bottoms=["data"], output_dim=64, last=True)
    last = InnerProductLayer(name="last", output_dim=3, bottoms=["steps"])
    loss = SoftmaxLossLayer(name="loss", bottoms=["last", "label"])
    text = mochac.explain(Net("net", [source, steps, last, loss]), backend="cpu", target="znver4")
    kernels = [line for line in text.splitlines() if ", 40 times" in line]
    assert len(kernels) == 3, "one forward, the gates' and the product's gradients"
    if kind is not RNNLayer:
        assert "Gates with their product\n  steps.inner_product_dx + steps." in text
    assert "side by side, at other elements" in text or kind is not GRULayer, "notes of bodies are printed"
