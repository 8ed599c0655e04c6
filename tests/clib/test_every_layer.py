"""Every layer of the registry, by the examples in its file, in a C library that trains, evaluates and predicts."""

import numpy as np
import pytest
from clib_kit import built, needs_cc
from layers.catalogue import BATCH, NAME
from layers.catalogue import built as net_of

import mochac
from mochac import SGD, InnerProductLayer, Net, SquareLossLayer
from mochac.lowering import plan_graphs
from mochac.nets.layers.base import LAYERS, Source
from mochac.nets.trace import trace

ACCEPTED = {
    name: [k for k, example in enumerate(cls.examples) if not example.rule]
    for name, cls in LAYERS.items()
    if name not in LAYERS.foreign and not issubclass(cls, Source)
}
FIRST = [pytest.param(name, ks[0], id=name) for name, ks in ACCEPTED.items()]
OTHERS = [pytest.param(name, k, id=f"{name}-{k}") for name, ks in ACCEPTED.items() for k in ks[1:]]
STEPS = 4
ANYWAY = [
    InnerProductLayer(name="anyway", output_dim=2, bottoms=["target"]),
    SquareLossLayer(name="anyway-loss", bottoms=["anyway", "target"]),
]
"""A prediction and a loss for layers that have none."""


@needs_cc
@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize(("name", "k"), FIRST)
def test_a_layer(name, k, tmp_path, monkeypatch):
    same(net_of(name, LAYERS[name].examples[k]), tmp_path, monkeypatch)


@needs_cc
@pytest.mark.soak
@pytest.mark.parametrize(("name", "k"), OTHERS)
def test_more_of_a_layer(name, k, tmp_path, monkeypatch):
    same(net_of(name, LAYERS[name].examples[k]), tmp_path, monkeypatch)


def test_every_layer_has_an_example_that_is_accepted():
    assert all(ACCEPTED.values())


def made_of_nothing(net: Net, top: str) -> bool:
    """Whether it is an input, or depends on none, as random and constant numbers, which a library does not predict."""
    traced = trace(net, "test")
    if any(top in source.tops for source in net.sources):
        return True
    read = {i.name for i in plan_graphs.test_plan(traced, (top,)).graph.inputs}
    return not any(feed.value in read for feed in traced.feeds)


def same(net: Net, tmp_path, monkeypatch) -> None:
    """The parameters after some steps have Python's bits; statistics and predictions agree."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CFLAGS", "-O0")
    net = Net(net.name, [*net.layers, *ANYWAY])
    joins = trace(net, "test").crosses_samples
    outputs = [top for top in net.tops[NAME] if net.blobs[top].batch and not made_of_nothing(net, top)] or ["anyway"]
    library = built(tmp_path / "c", net, SGD(0.01), warn=False, outputs=outputs, batches=1 if joins else BATCH)
    instance = library.instance()
    (source,) = net.sources
    data = {top: np.asarray(a, np.float32) for top, a in zip(source.tops, source.data, strict=True)}
    with mochac.compile(net, threads=1) as program:
        solver = mochac.Solver(SGD(0.01))
        solver.init_solve(program)
        for step in range(STEPS):
            part = {top: a[step % 2 * BATCH :][:BATCH] for top, a in data.items()}
            assert instance.step(**part) == solver.step(**part)
        program.save("python.safetensors")
        assert instance.save() == (tmp_path / "python.safetensors").read_bytes()
        measured = program.evaluate()
        if not joins:
            np.testing.assert_allclose(instance.evaluate(len(measured), **data), list(measured.values()), rtol=1e-6)
        few = {top: a[: 1 if joins else BATCH] for top, a in data.items()}
        made = instance.predict(*(net.blobs[blob].shape[1:] for blob in outputs), **few)
        for blob, found in zip(outputs, made, strict=True):
            np.testing.assert_allclose(found, program.predict(few, blob), rtol=1e-5, atol=1e-6)
