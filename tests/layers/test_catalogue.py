"""Every layer of the registry by the examples in its file: built, run, differentiated, refused."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from layers.catalogue import NAME, built

import mochac
from mochac import MochacError, NetError, OptionError, ShapeError, ir
from mochac.lowering.plan_graphs import debug_plan, reached
from mochac.nets.declared import gradient_of
from mochac.nets.layers.base import LAYERS, Source
from mochac.nets.trace import trace

KINDS = {name: cls for name, cls in LAYERS.items() if not issubclass(cls, Source)}
CASES = [
    pytest.param(name, k, id=f"{name}-{k}") for name, cls in KINDS.items() for k, _ in enumerate(cls.examples)
]  # fmt: skip
FIT = [c for c in CASES if not KINDS[c.values[0]].examples[c.values[1]].rule]
BROKEN = [c for c in CASES if KINDS[c.values[0]].examples[c.values[1]].rule]
TOLERANCE = {"float32": 1e-4, "float64": 1e-11}


@pytest.fixture(autouse=True, scope="module")
def _folder(tmp_path_factory):
    """Where HDF5OutputLayer would write."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("catalogue"))
        yield


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """Where HDF5OutputLayer writes."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", KINDS)
def test_a_layer_states_an_example_that_works(name):
    fit = [example for example in LAYERS[name].examples if not example.rule]
    assert fit, "see mochac/nets/layers/examples.py"
    for example in fit:
        print(example)
        assert built(name, example).layer(NAME).kind == name


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "k"), BROKEN)
def test_what_does_not_fit_is_refused_by_layer_blob_and_line(name, k):
    example = LAYERS[name].examples[k]
    error = refusal(name, k)
    assert example.rule in str(error)
    assert (error.layer, "catalogue.py:" in error.at) == (NAME, True), error.report
    assert isinstance(error, (ShapeError, OptionError, NetError))
    taken = example.fields.get("bottoms", [f"b{i}" for i in range(len(example.bottoms))])
    for blob in taken if isinstance(error, ShapeError) else ():
        assert f"bottom {blob!r}: f32[" in str(error)


@cache
def refusal(name, k):
    """The only problem of a net around an example."""
    with pytest.raises(MochacError) as caught:
        built(name, LAYERS[name].examples[k])
    (error,) = caught.value.problems
    return error


@pytest.mark.slow
def test_every_rule_that_a_layer_states_is_broken_by_an_example():
    """The texts of `raise OpTypeError(...)` in mochac/nets/layers, against the messages of the examples."""
    messages = "".join(str(refusal(*case.values)) for case in BROKEN)
    layers = Path(mochac.__file__).parent / "nets" / "layers"
    stated = {text for file in layers.glob("*.py") for text in rules_of(file)}
    assert {text for text in stated if text not in messages} == OF_TRANSFORMERS


OF_TRANSFORMERS = {
    "the mean does not fit a sample",
    "a mean in a file must be loaded first",
    "is not finite",
}
"""Data layers apply them: test_transformers.py."""


def rules_of(file: Path) -> list[str]:
    """The longest constant piece of each OpTypeError's first argument."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "OpTypeError":
            texts = [n.value for n in ast.walk(node.args[0]) if isinstance(getattr(n, "value", None), str)]
            found += [max(texts, key=len).strip()] if texts else []
    return found


def differentiable(case) -> bool:
    name, k = case.values
    return LAYERS[name].examples[k].gradient


ONLY_LOOKING = {"Accuracy", "BinaryAccuracy", "HDF5Output", "MeanStatistic", "MemoryOutput"}
"""Layers that no loss depends on."""


@pytest.mark.slow
@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("name", list(dict.fromkeys(c.values[0] for c in FIT if differentiable(c))))
def test_gradients_are_central_differences(name):
    nets = [built(name, example) for example in LAYERS[name].examples if not example.rule and example.gradient]
    learning = [net for net in nets if net.losses and net.params]
    assert bool(learning) == (name not in ONLY_LOOKING)
    for net in learning[:2]:
        check = mochac.check_gradients(net, samples=8, native=False)
        assert check.ok, check


@pytest.mark.slow
@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize(("turn", "name"), [*enumerate(KINDS)])
def test_compiled_is_interpreted(turn, name):
    """Every blob and gradient of the first example is the interpreter's. The last example is compared in test mode and
    in the other type, unless it has the same graph."""
    fit = [example for example in LAYERS[name].examples if not example.rule]
    cases = [(built(name, fit[0]), "train"), (built(name, fit[-1]), "test")]
    graphs = [str(trace(net, mode, "float32", seed=0).graph).partition("{")[2] for net, mode in cases]
    for number, (net, mode) in enumerate(cases if graphs[0] != graphs[1] else cases[:1]):
        compare(net, mode, ("float32", "float64")[(turn + number) % 2])


@pytest.mark.soak
@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("mode", ["train", "test"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "k"), FIT)
def test_every_example_in_both_modes_and_types(name, k, dtype, mode):
    compare(built(name, LAYERS[name].examples[k]), mode, dtype)


def compare(net, mode, dtype):
    """forward() and backward() of the compiled net: every blob and gradient of the interpreter's."""
    print(mode, dtype)
    with mochac.compile(net, dtype=dtype, mode=mode, threads=1) as program:
        start = {n: a.astype(np.float64) for n, a in program.parameters().items()}
        total = program.forward()
        if net.losses:
            program.backward()
        blobs = {b: np.asarray(program.blobs[b], np.float64) for b in net.blobs}
        grads = {f"{p.key}.{p.name}": np.asarray(program.grads[p.key][p.name], float) for p in net.params if net.losses}
    wanted, named = interpreted(net, start, blobs, mode, dtype)
    drawn = {getattr(layer, "eltype", "") for layer in net.layers}  # numbers drawn in another type than the program's
    same = dict.fromkeys(("rtol", "atol"), TOLERANCE["float32" if "float32" in drawn else dtype])
    for blob, array in blobs.items():
        np.testing.assert_allclose(array, np.reshape(wanted[named[blob]], array.shape), err_msg=blob, **same)
    for key, array in grads.items():
        np.testing.assert_allclose(array, wanted[named[gradient_of(key)]], err_msg=key, **same)
    assert np.isfinite(total)


def interpreted(net, start, blobs, mode, dtype):
    """Values of the debug plan's graph on the first batch, in float64, and their names."""
    traced = trace(net, mode, dtype, seed=0)
    plan = debug_plan(traced, backward=bool(net.losses))
    known = {p.value: start[f"{p.key}___{p.name}"] for p in (*traced.params, *traced.states)}
    known |= {f.value: blobs[f.top] for f in traced.feeds}
    known |= {name: np.asarray(table, np.float64) for name, table in traced.tables.items()}
    known |= {i.name: net.batch if i.name == "n_valid" else 0 for i in plan.graph.inputs if i.role == "hyper"}
    graph = reached(plan.graph.with_(updates=()))
    return ir.run(graph, {i.name: known[i.name] for i in graph.inputs}, dtype="f64"), plan.named


ACROSS = ("InfoNCELoss",)
"""Losses of which a batch is a part of the definition; test_across_samples.py has them."""
JUDGES = [
    c for c in FIT if (KINDS[c.values[0]].is_loss or KINDS[c.values[0]].is_statistic) and c.values[0] not in ACROSS
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "k"), JUDGES)
def test_evaluation_is_exact_for_any_batch_size(name, k):
    """11 samples in one batch of 16, and in batches of 5 or one by one: the same loss and statistics, that of the mean
    over samples."""
    found = []
    for batch in (16, (5, 1)[k % 2]):
        with mochac.compile(built(name, LAYERS[name].examples[k], batch=batch), dtype="float64", threads=1) as program:
            found.append(program.evaluate())
            assert program.evaluate() == found[-1]
    assert found[0], "nothing to compare"
    assert found[1] == pytest.approx(found[0], rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [name for name, cls in KINDS.items() if cls.is_loss or cls.is_statistic])
def test_every_judge_is_judged(kind):
    assert kind in ACROSS or any(c.values[0] == kind for c in JUDGES)
