"""convolutions= and MOCHAC_CONVOLUTIONS: what they accept, and that every way to code hands the value to lower()."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac import SGD, OptionError, Solver
from mochac.base.files.cache import Cache
from mochac.base.options import Options
from mochac.ir import parse
from mochac.lowering import pipeline, plan_cache, run_graph
from mochac.lowering.main_plan import main_graph
from mochac.lowering.plan_cache import plan_key
from mochac.lowering.tuning import search as plan_search
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.lowered import Lowered
from mochac.training.session import plan_set

VALUES = ("auto", "direct")
OTHER = {"auto": "direct", "direct": "auto"}
VARIABLE = "MOCHAC_CONVOLUTIONS"


@pytest.mark.parametrize(
    ("value", "got"),
    [
        ("direkt", "'direkt'\n  hint: did you mean 'direct'?"),
        ("DIRECT", "'DIRECT'\n  hint: did you mean 'direct'?"),
        ("winograd", "'winograd'\n  hint: write \"auto\", which uses fast algorithms where they are faster"),
        ("im2col", "'im2col'\n  hint: write \"direct\", which uses no fast algorithms"),
        ("", "''"),
        (False, "False"),
        (np.arange(2), "array([0, 1])"),
    ],
)
def test_another_value_is_refused_with_a_hint(value, got, tmp_path):
    calls = [
        lambda: mochac.compile(tiny(), convolutions=value),
        lambda: mochac.explain(tiny(), convolutions=value),
        lambda: mochac.dump(tiny(), tmp_path / "d", convolutions=value),
        lambda: mochac.train_many(tiny(), SGD(0.1), max_iter=1, convolutions=value),
        lambda: mochac.build(tiny(), tmp_path / "c", convolutions=value),
    ]
    for call in calls:
        with pytest.raises(OptionError) as caught:
            call()
        assert (
            str(caught.value) == f"convolutions is out of range\n  expected  'auto' or 'direct', or None,  got  {got}"
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("dirct", "'dirct'\n  hint: did you mean 'direct'?"),
        ("Winograd", "'Winograd'\n  hint: write \"auto\", which uses fast algorithms where they are faster"),
        ("0", "'0'"),
        ("off", "'off'"),
    ],
)
def test_another_value_of_the_variable_is_refused_with_a_hint(text, got, monkeypatch):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(OptionError) as caught:
        mochac.compile(tiny())
    rule = "environment variable MOCHAC_CONVOLUTIONS is out of range"
    assert str(caught.value) == f"{rule}\n  expected  'auto' or 'direct',  got  {got}"


@pytest.mark.parametrize(("text", "value"), [("", "auto"), (" ", "auto"), ("auto", "auto"), ("Direct ", "direct")])
def test_values_of_the_variable(text, value):
    assert Options.from_env({VARIABLE: text}).convolutions == value
    assert Options.from_env({}).convolutions == "auto"


@pytest.fixture
def seen(monkeypatch):
    """The name of the graph and the value in every call of lower(). Plans are not cached, but kernels are, and what is
    only shown is lowered once."""
    for module in (plan_cache, plan_set):
        monkeypatch.setattr(module, "plan_key", lambda *_, **__: uuid4().hex)
    calls: list[tuple[str, str]] = []
    shown: dict[str, Lowered] = {}
    real = pipeline.lower

    def lower(graph, *args, **how):
        calls.append((graph.name, how.get("convolutions", "not given")))
        if how.get("objects"):
            return real(graph, *args, **how)
        if str(graph) not in shown:
            shown[str(graph)] = real(graph, *args, **how)
        return shown[str(graph)]

    for module in (pipeline, plan_search, run_graph):
        monkeypatch.setattr(module, "lower", lower)
    return calls


PLANS = {"step", "accumulate", "forward", "backward", "update", "add", "test", "predict"}


def every_plan(**how):
    with mochac.compile(tiny(), **how) as program:
        program.train(Solver(SGD(0.1), max_iter=1, accumulate=2))
        solver = Solver(SGD(0.1), accumulate=2)
        solver.init_solve(program)
        for _ in range(2):
            program.forward()
            program.backward()
            solver.update()
        solver.finalize()
        program.evaluate()
        program.predict(np.zeros((2, 1, 6, 6), np.float32))


def searched(**how):
    with mochac.compile(tiny(), tune="quick", **how) as program:
        program.predict(np.zeros((1, 1, 6, 6), np.float32))


WAYS = {
    "program": every_plan,
    "explain": lambda **how: mochac.explain(tiny(), **how),
    "explain for another CPU": lambda **how: mochac.explain(tiny(), target="haswell", **how),
    "explain for ranks": lambda **how: mochac.explain(tiny(), ranks=2, parts=2, **how),
    "explain many": lambda **how: mochac.explain(tiny(), many=True, **how),
    "explain for CUDA": lambda **how: mochac.explain(tiny(), target="sm_90", **how),
    "dump": lambda **how: mochac.dump(tiny(), Path("d"), **how),
    "dump many": lambda **how: mochac.dump(tiny(), Path("d"), many=True, **how),
    "train_many": lambda **how: mochac.train_many([tiny()] * 2, SGD(0.1), max_iter=1, verbose=0, **how),
    "build": lambda **how: mochac.build(tiny(), Path("c"), SGD(0.1), **how),
    "run_graph": lambda **how: run_graph.run_graph(parse(SQUARE), {"x": np.ones(3, np.float32)}, **how),
}
SQUARE = "graph @g(%x: f32[3]) {\n  %y: f32[3] = square(%x)\n  return %y\n}"


@pytest.mark.slow
@pytest.mark.parametrize("way", [*WAYS, "search"])
def test_every_way_to_code_hands_it_to_lower(way, seen, monkeypatch, tmp_path):
    """From the argument, which wins over the variable, and from the variable."""
    run = {**WAYS, "search": searched}[way]
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)

    def handed(**how):
        seen.clear()
        run(**how)
        return set(seen)

    found = handed()
    plans = {name for name, _ in found}
    assert found == {(name, "auto") for name in plans}
    assert way != "program" or plans == PLANS
    for value in VALUES:
        monkeypatch.setenv(VARIABLE, OTHER[value])
        assert handed(convolutions=value) == {(name, value) for name in plans}
    monkeypatch.setenv(VARIABLE, "direct")
    assert handed() == {(name, "direct") for name in plans}


def test_it_is_a_part_of_the_keys_of_plans(tmp_path):
    """Two values give two entries, and a second program of either finds its own."""
    backend = CpuBackend()
    backend.cache = Cache(tmp_path)
    keys = {plan_key(plan_of(value), backend, "f32", fused=True) for value in VALUES}
    assert len(keys) == len(VALUES) and None not in keys
    assert plan_key(main_graph(tiny()), backend, "f32", fused=True) in keys


def plan_of(value):
    return replace(main_graph(tiny()), convolutions=value)


def test_programs_with_two_values_have_two_entries(tmp_path, monkeypatch):
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))

    def misses(value):
        with mochac.compile(tiny(), convolutions=value) as program:
            cache = program.session.plans.backend.cache
            before = cache.stat()
            program.predict(np.zeros((1, 1, 6, 6), np.float32))
            return cache.stat().misses - before.misses, cache.stat().entries - before.entries

    assert misses("auto")[1] > 0
    assert misses("direct")[0] > 0
    assert misses("auto") == misses("direct") == (0, 0)


def head(**how):
    return mochac.explain(tiny(), **how).partition("\n")[0]


@pytest.mark.slow
@pytest.mark.parametrize("target", [None, "haswell", "sm_90"])
def test_the_first_line_of_explain_shows_direct(target):
    plain = head(target=target, convolutions="auto")
    assert head(target=target, convolutions="direct") == f"{plain}, direct convolutions"
    assert head(target=target) == plain


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"target": "sm_90"}, {"dtype": "float64"}])
def test_cuda_and_float64_are_direct_anyway(how, tmp_path):
    """All stages of both values are the same text."""
    auto, direct = (stages(tmp_path / value, convolutions=value, **how) for value in VALUES)
    assert auto == direct and len(auto) > 10


def stages(folder, **how):
    """The text of each stage in a dump, without explain.txt, which shows the option and times."""
    mochac.dump(tiny(), folder, **how)
    kept = (path for path in folder.rglob("*") if path.suffix != ".npz" and path.name != "explain.txt")
    return {path.relative_to(folder): path.read_text() for path in kept if path.is_file()}
