"""A layer that computes nothing gives its top a gradient of its own, whoever else reads the bottom.

The cases are the registry's: every layer's examples whose top is its bottom, in train and test mode. Gradients are
compared with those of the losses behind top and bottom, written out in NumPy.
"""

import numpy as np
import pytest
from layers.catalogue import BATCH, built
from layers.test_catalogue import interpreted

import mochac
from mochac import ActivationLayer, InnerProductLayer, MemoryDataLayer, Net, PowerLayer, SquareLossLayer
from mochac.nets.declared import diff_of
from mochac.nets.layers.base import LAYERS
from mochac.nets.trace import trace
from mochac.runtime.data.params import Params


def unchanged(net, mode):
    """(top, bottom) of the tested layer where one is the other, and holds samples, which a loss is of."""
    traced = trace(net, mode, "float64")
    made = {out.name: node for node in traced.graph.nodes for out in node.outputs}
    types = traced.graph.types()

    def same(top, bottom):
        node = made.get(top)
        renamed = node is not None and node.op == "reshape" and node.inputs == (bottom,)
        return types[top] == types[bottom] and types[top].batch and (top == bottom or renamed)

    layer = net.layer("tested")
    pairs = ((t, b) for t in layer.tops for b in layer.bottoms)
    return [(t, b) for t, b in pairs if t != b and same(traced.blobs[t], traced.blobs[b])]


def with_readers(net, pairs):
    """The net with another reader and a loss at every bottom."""
    more = []
    for k, bottom in enumerate(dict.fromkeys(b for _, b in pairs)):
        more.append(InnerProductLayer(name=f"more{k}", output_dim=2, bottoms=[bottom]))
        more.append(SquareLossLayer(name=f"moreloss{k}", weight=3.0, bottoms=[f"more{k}", "target"]))
    return Net("readers", [*net.layers, *more])


def sent(net, start, blobs, blob):
    """What the inner products with a square loss behind them, which read `blob`, send to it."""
    total = np.zeros(blobs[blob].shape)
    for layer in net.layers:
        if layer.kind == "InnerProduct" and layer.bottoms == (blob,):
            loss = next(x for x in net.losses if layer.name in x.bottoms)
            apart = blobs[layer.name] - blobs["target"]
            total += (loss.weight / BATCH * apart @ start[f"{layer.name}___weight"]).reshape(total.shape)
    return total


def gradients(net, mode, rng):
    """The named values of backward() with random parameters, and the parameters."""
    traced = trace(net, mode, "float64")
    start = {f"{p.key}___{p.name}": rng.normal(size=p.shape) for p in traced.params}
    fed = {f.top: rng.uniform(0.2, 0.8, net.blobs[f.top].shape) for f in traced.feeds}
    found, named = interpreted(net, start, fed, mode, "float64")
    return {name: np.asarray(found[value]) for name, value in named.items()}, start


KINDS = ("Activation", "Crop", "Dropout", "Flatten", "Identity", "Power", "RandomMask", "Split", "Upsample")
"""Layers that have an example whose top is its bottom; the slow test finds out whether there are others."""


def same_in(kind, mode):
    """(net, pairs of the same top and bottom) for every example of a layer that has such pairs."""
    nets = [built(kind, example) for example in LAYERS[kind].examples if not example.rule]
    return [(net, pairs) for net in nets if (pairs := unchanged(net, mode))]


@pytest.mark.slow
def test_no_other_layer_computes_nothing():
    transforming = [n for n, cls in LAYERS.items() if not cls.is_loss and cls.n_bottoms[1] != 0 and cls.n_tops[1] != 0]
    assert [n for n in transforming if same_in(n, "train") or same_in(n, "test")] == list(KINDS)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("mode", ["train", "test"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_top_has_a_gradient_of_its_own(kind, mode):
    found = same_in(kind, mode)
    assert found or (mode == "train" and kind in ("Dropout", "RandomMask"))
    for net, pairs in found:
        check(net, pairs, mode)


def check(net, pairs, mode):
    net = with_readers(net, pairs)
    blobs, start = gradients(net, mode, np.random.default_rng(9))
    tops = {}
    for top, bottom in pairs:
        wanted = sent(net, start, blobs, top)
        assert np.abs(wanted).max() > 1e-3
        np.testing.assert_allclose(blobs[diff_of(top)], wanted, rtol=1e-10, err_msg=top)
        tops.setdefault(bottom, []).append(wanted)
    for bottom, wanted in tops.items():
        total = sum(wanted) + sent(net, start, blobs, bottom)
        np.testing.assert_allclose(blobs[diff_of(bottom)], total, rtol=1e-10, err_msg=bottom)


@pytest.mark.slow
def test_blob_diffs_of_a_compiled_net():
    """As a user sees it: neither top has the gradient of the blob that both and another layer read."""
    rng = np.random.default_rng(2)
    data = MemoryDataLayer(data=[rng.normal(size=(4, 3)), rng.normal(size=(4, 2))], tops=["x", "target"], batch_size=4)
    layers = [
        InnerProductLayer(name="ip", output_dim=3, bottoms=["x"]),
        PowerLayer(name="power", bottoms=["ip"]),
        ActivationLayer(name="active", neuron=mochac.Neurons.Identity(), bottoms=["ip"], tops=["active"]),
    ]
    for k, blob in enumerate(("power", "active", "ip")):
        layers.append(InnerProductLayer(name=f"out{k}", output_dim=2, bottoms=[blob]))
        layers.append(SquareLossLayer(name=f"loss{k}", weight=1.0 + k, bottoms=[f"out{k}", "target"]))
    with mochac.compile(Net("n", [data, *layers]), dtype="float64", params=Params(), threads=1) as program:
        program.forward()
        program.backward()
        found = {blob: program.blob_diffs[blob] for blob in ("power", "active", "ip")}
        wanted = [
            (1.0 + k)
            / 4
            * (program.blobs[f"out{k}"] - program.blobs["target"])
            @ program.params[f"out{k}"]["weight"][...]
            for k in range(3)
        ]
    np.testing.assert_allclose(found["power"], wanted[0], rtol=1e-10)
    np.testing.assert_allclose(found["active"], wanted[1], rtol=1e-10)
    np.testing.assert_allclose(found["ip"], sum(wanted), rtol=1e-10)
