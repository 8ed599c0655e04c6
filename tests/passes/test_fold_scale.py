"""fold_scale: what it folds, what it leaves, that results stay the same, and that explain shows it."""

import numpy as np
import pytest

import mochac
from mochac import BatchNormLayer, ConvolutionLayer, InnerProductLayer, MemoryDataLayer, Net, Neurons, ir, passes

CONV = """
graph @g(%x: f32[b2,3,4,5], %w: f32[6,3,3,3] param, %b: f32[6] param, %k: f32[6] param, %m: f32[6] state) {{
  %y: f32[b2,6,4,5] = conv({operands}) {{group = 1, pad = (1,1), stride = (1,1)}}
  %ms: f32[b2,6,4,5] = broadcast(%m) {{axes = (1,), batch = true, shape = (2,6,4,5)}}
  %ks: f32[b2,6,4,5] = broadcast(%k) {{axes = (1,), batch = true, shape = (2,6,4,5)}}
  %d: f32[b2,6,4,5] = sub(%y, %ms)
  %n: f32[b2,6,4,5] = mul(%ks, %d)
  %z: f32[b2,6,4,5] = add(%n, %ms)
  return %z
}}
"""


def folded(text):
    """The graph after the pass, with its results checked on random numbers."""
    graph = ir.parse(text)
    ir.verify(graph)
    after = passes.run("fold_scale", graph)
    ir.verify(after)
    rng = np.random.default_rng(1)
    inputs = {i.name: rng.standard_normal(i.type.shape) for i in graph.inputs}
    one, other = (ir.run(g, inputs, dtype="f64") for g in (graph, after))
    for name in graph.outputs:
        np.testing.assert_allclose(other[name], one[name], rtol=1e-11, atol=1e-11)
    return after


def of_batch(graph):
    """The operations on values of the batch."""
    return [node.op for node in graph.nodes if node.outputs[0].type.batch]


@pytest.mark.parametrize("operands", ["%x, %w, %b", "%x, %w"])
def test_a_normalization_goes_into_the_convolution(operands):
    after = folded(CONV.format(operands=operands))
    assert of_batch(after) == ["conv"]
    assert [(note.product, note.into) for note in after.notes] == [(name, "conv") for name in "ydn"]


def test_a_factor_stays_where_there_are_more_weights_than_results():
    text = CONV.format(operands="%x, %w, %b").replace("w: f32[6,3,3,3]", "w: f32[6,3,3,99]")
    text = text.replace("pad = (1,1)", "pad = (1,49)")
    assert sorted(of_batch(folded(text))) == ["add", "broadcast", "broadcast", "conv", "mul"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return %z", "return %z, %y"),  # the convolution is wanted itself
        ("%z: f32[b2,6,4,5] = add(%n, %ms)", "%z: f32[b2,6,4,5] = add(%n, %y)"),  # it has another reader
        ("sub(%y, %ms)", "sub(%ms, %y)"),  # the sign would change
    ],
)
def test_what_stays(old, new):
    after = folded(CONV.format(operands="%x, %w, %b").replace(old, new))
    assert "sub" in of_batch(after)


def test_predictions_are_folded_and_explained():
    rng = np.random.default_rng(0)
    x = rng.normal(2.0, 3.0, (8, 3, 5, 5))
    layers = [
        MemoryDataLayer(name="in", data=[x], tops=["x"], batch_size=8),
        ConvolutionLayer(name="conv", n_filter=4, kernel=3, pad=1, bottoms=["x"]),
        BatchNormLayer(name="bn1", neuron=Neurons.ReLU(), bottoms=["conv"]),
        InnerProductLayer(name="ip", output_dim=2, bottoms=["bn1"]),
        BatchNormLayer(name="bn2", bottoms=["ip"], affine=False),
    ]
    with mochac.compile(Net("folded", layers), dtype="float64") as program:
        for state in ("mean", "variance"):
            program.states["bn1"][state] = rng.uniform(0.5, 2.0, 4)
            program.states["bn2"][state] = rng.uniform(0.5, 2.0, 2)
        text = program.explain()
        assert "Folded into weights\n  %bn1.sub (sub) folded into %conv (conv)" in text
        assert [k.ops for k in program.kernels if "conv" in k.ops] == [("conv", "relu")]
        plain = program.predict(x, "conv")
        bn = (plain - shaped(program, "mean")) / np.sqrt(shaped(program, "variance") + 1e-5)
        np.testing.assert_allclose(program.predict(x, "bn1"), np.maximum(bn, 0), rtol=1e-9, atol=1e-12)


def shaped(program, state):
    return program.states["bn1"][state][...][None, :, None, None]
