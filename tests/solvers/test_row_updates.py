"""Updates of the rows of a table that ids name: SGD without momentum touches no other row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    Adam,
    ConcatLayer,
    EmbeddingLayer,
    InnerProductLayer,
    L2Cons,
    L2Regu,
    MemoryDataLayer,
    MomPolicy,
    Nesterov,
    Net,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
    SquareLossLayer,
)
from mochac.base.options import CompileOptions, Options
from mochac.lowering.backends import open_backend
from mochac.lowering.main_plan import lowered_net

VOCABULARY, WIDTH, BATCH, TIME = 50, 6, 4, 3
RATE = 0.5
RNG = np.random.default_rng(7)
IDS = RNG.integers(0, VOCABULARY // 2, (10, TIME))
"""Fewer samples than three batches: the last one is padded. No id names the second half of the table."""
IDS[0] = IDS[1, 0]
LABEL = RNG.integers(0, 5, 10)


def layers(ids: np.ndarray = IDS, **settings: Any) -> list[Any]:
    return [
        MemoryDataLayer(data=[ids, LABEL[: len(ids)]], tops=["ids", "label"], batch_size=BATCH),
        EmbeddingLayer(name="words", vocabulary=VOCABULARY, output_dim=WIDTH, bottoms=["ids"], **settings),
        InnerProductLayer(name="ip", output_dim=5, bottoms=["words"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]


def program(net_layers: list[Any] | None = None, **options: Any) -> mochac.Program:
    return mochac.compile(Net("words", net_layers or layers()), backend="cpu", seed=3, **options)


def updated_rows(p: mochac.Program) -> bool:
    """Whether the last training updated rows alone."""
    session = p.session
    return any(node.op == "add_rows" for node in session.main_plan().source.graph.nodes)


def weights(p: mochac.Program) -> dict[str, np.ndarray]:
    return {name: np.array(a) for name, a in p.parameters().items()}


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("threads", [1, 2])
def test_rows_are_those_of_the_whole_table(dtype: str, threads: int):
    """Repeated ids add up, with the same bits; a limit that nothing reaches takes the path over the whole table."""
    rows, whole = (program(dtype=dtype, threads=threads) for _ in range(2))
    before = weights(rows)["words___weight"]
    rows.train(SGD(RATE), max_iter=7, verbose=0)
    whole.train(SGD(RATE), max_iter=7, clip_norm=1e9, verbose=0)
    assert updated_rows(rows) and not updated_rows(whole)
    found, expected = weights(rows), weights(whole)
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)
    named = np.isin(np.arange(VOCABULARY), IDS)
    table = found["words___weight"]
    np.testing.assert_array_equal(table[~named], before[~named])
    assert (table[named] != before[named]).any(axis=1).all()


def test_bits_do_not_depend_on_threads():
    one, two = program(threads=1), program(threads=2)
    for p in (one, two):
        p.train(SGD(RATE), max_iter=9, verbose=0)
    for name, values in weights(one).items():
        np.testing.assert_array_equal(weights(two)[name], values)


def test_formula():
    """One step of a table that is itself the output, by hand."""
    ids, target = np.array([[1], [3], [1], [9]]), RNG.normal(size=(4, WIDTH)).astype(np.float32)
    net = Net("rows", [
        MemoryDataLayer(data=[ids, target], tops=["ids", "target"], batch_size=4),
        EmbeddingLayer(name="words", vocabulary=10, output_dim=WIDTH, weight_lr=2.0, bottoms=["ids"]),
        SquareLossLayer(name="loss", bottoms=["words", "target"]),
    ])  # fmt: skip
    p = mochac.compile(net, backend="cpu")
    w = weights(p)["words___weight"].astype(np.float64)
    p.train(SGD(0.1), max_iter=1, verbose=0)
    assert updated_rows(p)
    g = np.zeros_like(w)
    np.add.at(g, ids[:, 0], (w[ids[:, 0]] - target) / 4)
    np.testing.assert_allclose(weights(p)["words___weight"], w - 0.2 * g, rtol=1e-6, atol=1e-7)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("method", "settings"),
    [
        (SGD(RATE, momentum=0.9), {}),
        (SGD(RATE, momentum=MomPolicy.Linear(0.1, 0.1, 2, 0.5)), {}),
        (Nesterov(RATE), {}),
        (Adam(0.01), {}),
        (SGD(RATE), {"clip_norm": 1.0}),
        (SGD(RATE), {"clip_value": 1.0}),
        (SGD(RATE), {"accumulate": 2}),
    ],
)
def test_what_changes_every_row(method: Any, settings: dict[str, Any]):
    p = program()
    p.train(method, max_iter=2, verbose=0, **settings)
    assert not updated_rows(p)


@pytest.mark.parametrize("settings", [{"weight_regu": L2Regu(1)}, {"weight_cons": L2Cons(1.0)}])
def test_settings_that_change_every_row(settings: dict[str, Any]):
    p = program(layers(**settings))
    p.train(SGD(RATE), max_iter=2, regu_coef=0.01, verbose=0)
    assert not updated_rows(p)


@pytest.mark.slow
def test_parts_add_up_whole_gradients():
    p = program(parts=2)
    p.train(SGD(RATE), max_iter=2, verbose=0)
    assert not updated_rows(p)


@pytest.mark.slow
def test_two_layers_share_a_table():
    """The rows of both, in one update."""
    ids = RNG.integers(0, VOCABULARY, (8, 2))

    def net() -> Net:
        shared: dict[str, Any] = {"vocabulary": VOCABULARY, "output_dim": WIDTH, "param_key": "table"}
        data = [ids[:, :1], ids[:, 1:], LABEL[:8]]
        return Net("pairs", [
            MemoryDataLayer(data=data, tops=["a", "b", "label"], batch_size=4),
            EmbeddingLayer(name="left", bottoms=["a"], **shared),
            EmbeddingLayer(name="right", bottoms=["b"], **shared),
            ConcatLayer(bottoms=["left", "right"], tops=["both"]),
            InnerProductLayer(name="ip", output_dim=5, bottoms=["both"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
        ])  # fmt: skip

    rows, whole = (mochac.compile(net(), backend="cpu", seed=3) for _ in range(2))
    rows.train(SGD(RATE), max_iter=5, verbose=0)
    whole.train(SGD(RATE), max_iter=5, clip_norm=1e9, verbose=0)
    assert updated_rows(rows)
    for name, values in weights(whole).items():
        np.testing.assert_allclose(weights(rows)[name], values, rtol=0, atol=2e-6)


def test_momentum_that_is_set_later():
    """From then on, every row moves by its history, which begins at zero."""
    p = program(layers(np.arange(8)[:, None]))
    solver = Solver(SGD(RATE), max_iter=9)
    solver.init_solve(p)
    table: list[np.ndarray] = []
    for k in range(4):
        solver.hypers["momentum"] = 0.9 * (k >= 2)
        solver.step()
        table.append(weights(p)["words___weight"])
        assert updated_rows(p) == (k < 2)
    solver.finalize()
    third, fourth = table[2] - table[1], table[3] - table[2]
    assert third[:4].all() and not third[4:].any() and fourth[4:8].all() and not fourth[8:].any()
    np.testing.assert_allclose(fourth[:4], 0.9 * third[:4], rtol=1e-3, atol=1e-6)


def test_a_training_goes_on(tmp_path: Path):
    """A snapshot in the middle, continued with the same bits; one of a training with momentum keeps its history."""
    whole, half, rest = program(), program(), program()
    whole.train(SGD(RATE), max_iter=8, verbose=0)
    solver = Solver(SGD(RATE), max_iter=5)
    solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=5)
    half.train(solver, verbose=0)
    rest.train(SGD(RATE), max_iter=8, load_from=tmp_path, verbose=0)
    assert updated_rows(rest)
    for name, values in weights(whole).items():
        np.testing.assert_array_equal(weights(rest)[name], values)


def test_history_of_momentum_is_not_lost(tmp_path: Path):
    moving, rest = program(), program()
    solver = Solver(SGD(RATE, momentum=0.9), max_iter=5)
    solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=5)
    moving.train(solver, verbose=0)
    rest.train(SGD(RATE), max_iter=7, load_from=tmp_path, verbose=0)
    assert not updated_rows(rest)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [CompileOptions(backend="cpu"), CompileOptions(backend="cuda", target="sm_90")], ids=str
)
def test_the_plan_shows_it(options: CompileOptions):
    """The update has no pass over the table on any backend."""
    lowered = lowered_net(Net("words", layers()), open_backend(options, Options.from_env(), run=False))
    (kernel,) = (k for k in lowered.kernels if k.naive.root == "add_rows")
    assert [out.begins for out in kernel.naive.outputs] == ["words.weight", "words.weight.history"]
    (launch,) = (each for each in lowered.plan.launches if each.kernel == kernel.naive.name)
    rows = BATCH * TIME * WIDTH
    assert launch.moved_bytes == 4 * (5 * rows + BATCH * TIME + 1)  # both tables' rows are read and written


def test_history_begins_with_momentum_for_tables_and_other_parameters():
    """Whether rows were updated or the whole table, so that a snapshot of either holds the same state."""
    states = []
    for clip_norm in (None, 1e9):
        p = program()
        p.train(SGD(RATE), max_iter=3, clip_norm=clip_norm, verbose=0)
        slots = {name: np.array(slot.values) for name, slot in p.session.plans.slots.items() if "history" in name}
        assert len(slots) == 3 and not any(values.any() for values in slots.values())
        p.train(SGD(RATE, momentum=0.9), max_iter=5, clip_norm=clip_norm, verbose=0)
        states.append(weights(p))
    for name, values in states[0].items():
        np.testing.assert_array_equal(states[1][name], values)
