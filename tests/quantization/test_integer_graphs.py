"""Graphs in integers: against NumPy by hand, against the simulation in float, and as compiled code, bit for bit."""

import numpy as np
import pytest
from quantized_kit import NETS, data, ends, images, interpreted, lenet, quantized

from mochac import ConvolutionLayer, Net
from mochac.ir.interp import run
from mochac.ir.notes import InFloat
from mochac.ir.verifier import verify
from mochac.lowering.run_graph import run_graph

BATCH = 5


def of_shape(made):
    """A batch for a quantized net."""
    net = made.quantized.net
    return {"data": images(net.blobs["data"].shape[1:], BATCH, seed=7)}


@pytest.mark.slow
@pytest.mark.parametrize("name", NETS)
def test_compiled_code_has_the_interpreters_bits(name):
    made = quantized(NETS[name]())
    traced, graph = made.quantized.integers(BATCH)
    verify(graph.graph)
    x = of_shape(made)
    got = run_graph(graph.graph, {**x, **graph.arrays}, layout=False, threads=2)[traced.blobs["out"]]
    wanted = interpreted(made, x)
    if name == "mixed":  # tanh and sigmoid of floats round differently, at most to a neighbouring integer
        assert np.abs(got - wanted).max() < 0.05 * np.abs(wanted).max()
    else:
        assert (got == wanted).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", NETS)
def test_integers_are_near_the_simulation_and_the_floats(name):
    made = quantized(NETS[name]())
    traced, simulated = made.quantized.simulated(BATCH)
    verify(simulated.graph)
    x = of_shape(made)
    exact = run(simulated.graph, {**x, **simulated.arrays})[traced.blobs["out"]]
    assert np.abs(interpreted(made, x) - exact).max() < 0.03 * np.abs(exact).max()
    assert made.loss[0].largest < 0.1 * made.loss[0].scale


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lenet", "residual"])
def test_signed_and_unsigned_activations_give_the_same_bits(name):
    first, second = (quantized(NETS[name](), products=products) for products in ("vnni", "sdot"))
    assert {first.quantized.dtype, second.quantized.dtype} == {"u8", "i8"}
    assert (interpreted(first, of_shape(first)) == interpreted(second, of_shape(second))).all()


def test_the_first_layer_by_hand():
    """Quantized by the formulas of the manual, in NumPy's 64-bit integers."""
    net = lenet()
    made = quantized(net, outputs=("c1",))
    x, w = of_shape(made)["data"], made.quantized.values["c1.filter"]
    low, high = made.quantized.ranges["data"]
    scale = np.float32((high - low) / 255)
    zero = round(-low / float(scale))
    q = np.clip(np.rint(x / scale) + zero, 0, 255).astype(np.int64)
    scales = (np.abs(w).reshape(len(w), -1).max(axis=1).astype(np.float64) / 127).astype(np.float32)
    whole = np.rint(w / scales.astype(np.float64).reshape(-1, 1, 1, 1)).astype(np.int64)
    views = np.lib.stride_tricks.sliding_window_view(q[:, 0] - zero, (3, 3), axis=(1, 2))
    sums = np.einsum("nyxij,fij->nfyx", views, whole[:, 0])
    wanted = sums * (scales.astype(np.float64) * scale).astype(np.float32).reshape(-1, 1, 1)
    assert np.allclose(interpreted(made, {"data": x}, "c1"), np.maximum(wanted, 0), rtol=1e-6, atol=1e-6)


@pytest.mark.slow
def test_notes_say_what_is_computed_in_float():
    made = quantized(NETS["mixed"]())
    notes = [note for note in made.quantized.integers(1)[1].graph.notes if isinstance(note, InFloat)]
    assert [note.op for note in notes] == ["tanh", "sigmoid"]
    made = quantized(NETS["residual"]())
    assert not [note for note in made.quantized.integers(1)[1].graph.notes if isinstance(note, InFloat)]


@pytest.mark.slow
def test_weights_take_a_byte_each():
    made = quantized(lenet(), products="")
    arrays = made.quantized.integers(1)[1].arrays
    weights = [a for name, a in arrays.items() if name.endswith(".weight")]
    assert {a.dtype for a in weights} == {np.dtype(np.int8)} and len(weights) == 4
    assert sum(a.size for a in weights) == sum(a.size for n, a in made.quantized.values.items() if a.ndim > 1)


@pytest.mark.slow
@pytest.mark.parametrize(("products", "expected"), [("vnni", ["row_taps", "column_words", "words"]), ("", [])])
def test_first_and_depthwise_layers_multiply_words(products, expected):
    net = Net("depthwise", [
        data((1, 9, 9)),
        ConvolutionLayer(name="c", kernel=3, n_filter=6, pad=1, bottoms=["data"], tops=["c"]),
        ConvolutionLayer(name="d", kernel=3, n_filter=6, n_group=6, pad=1, bottoms=["c"], tops=["d"]),
        *ends("d"),
    ])  # fmt: skip
    made = quantized(net, products=products)
    ops = {node.op for node in made.quantized.integers(1)[1].graph.nodes}
    assert {op for op in ops if op in ("row_taps", "column_words", "words")} == set(expected)
    assert (interpreted(made, of_shape(made)) == interpreted(quantized(net, products="sdot"), of_shape(made))).all()
