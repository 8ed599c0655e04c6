"""What convolutions by tiles round, as the guide promises: errors beside float64, relative to the root mean square of
the result, for images behind a ReLU and for images with a mean of 100 times their deviation."""

from __future__ import annotations

import numpy as np
import pytest

from mochac import ir
from mochac.codegen.cpu.schedules import winograd_cost
from mochac.codegen.cpu.schedules.winograd_cost import RESULTS
from mochac.ir.interp import run
from mochac.ir.op import OPS, run_reference
from mochac.ir.ops._winograd import MAX_CELLS
from mochac.lowering.run_graph import run_graph

FORWARD = 5e-5
"""The promise for convolutions and data gradients."""
WEIGHTS = 1e-4
"""The promise for weight gradients."""
CHANNELS, SIZE = 32, 24
SIZES = [(m, r) for m in RESULTS for r in range(2, MAX_CELLS + 1) if m + r - 1 <= MAX_CELLS]


def images(kind: str, rng: np.random.Generator) -> np.ndarray:
    x = rng.standard_normal((2, CHANNELS, SIZE, SIZE))
    return (np.maximum(x, 0) if kind == "relu" else x + 100).astype("f4")


def filters(r: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """Filters of He's size; for images with a large mean, without a mean of their own, which would hide all else."""
    w = rng.standard_normal((8, CHANNELS, r, r)) * np.sqrt(2 / (CHANNELS * r * r))
    return (w - (w.mean((1, 2, 3), keepdims=True) if kind == "mean" else 0)).astype("f4")


def of(op: str, *arrays: np.ndarray, **attrs: object) -> np.ndarray:
    return run_reference(OPS[op], arrays, attrs)[0]


def error(got: np.ndarray, exact: np.ndarray) -> float:
    return float(np.sqrt(np.mean((got - exact) ** 2) / np.mean(exact**2)))


@pytest.mark.parametrize("kind", ["relu", "mean"])
@pytest.mark.parametrize(("m", "r"), SIZES)
def test_forward_and_data_gradient_round_within_the_promise(m, r, kind):
    rng = np.random.default_rng(0)
    x, w = images(kind, rng), filters(r, kind, rng)
    out = (SIZE - r + 1,) * 2
    sizes = {"tile": (m, m), "kernel": (r, r), "out": out}
    v, u = of("winograd_input", x, pad=(0, 0), **sizes), of("winograd_filter", w, tile=(m, m))
    y = of("winograd_output", of("winograd_product", v, u), **sizes)
    exact = of("conv", x.astype(float), w.astype(float), stride=(1, 1), pad=(0, 0))
    assert error(y, exact) < FORWARD


@pytest.mark.parametrize("kind", ["relu", "mean"])
@pytest.mark.parametrize(("m", "r"), SIZES)
def test_adjoint_data_gradient_rounds_within_the_promise(m, r, kind):
    rng = np.random.default_rng(0)
    dy, w = images(kind, rng), filters(r, kind, rng).swapaxes(0, 1)
    image = (SIZE + r - 1,) * 2
    sizes = {"tile": (m, m), "kernel": (r, r)}
    e, u = of("winograd_gradient", dy, **sizes), of("winograd_filter", w, tile=(m, m))
    dx = of("winograd_input_dx", of("winograd_product", e, u, swapped=True), pad=(0, 0), image=image, **sizes)
    shape = (len(dy), w.shape[1], *image)
    exact = of("conv_dx", dy.astype(float), w.astype(float), stride=(1, 1), pad=(0, 0), shape=shape)
    assert error(dx, exact) < FORWARD


@pytest.mark.sampled(20)
@pytest.mark.parametrize("kind", ["relu", "mean"])
@pytest.mark.parametrize(("m", "r"), SIZES)
def test_weight_gradient_rounds_within_the_promise(m, r, kind):
    """Sums over as many tiles as a batch of 64 such images has."""
    rng = np.random.default_rng(0)
    out = SIZE - r + 1
    x = np.concatenate([images(kind, rng)[:, :8] for _ in range(32)])
    dy = rng.standard_normal((len(x), 4, out, out)).astype("f4")
    sizes = {"tile": (m, m), "kernel": (r, r)}
    e, v = of("winograd_gradient", dy, **sizes), of("winograd_input", x, pad=(0, 0), out=(out, out), **sizes)
    dw = of("winograd_filter_dw", of("winograd_product_dw", e, v, group_size=16), **sizes)
    exact = of("conv_dw", x.astype(float), dy.astype(float), kernel=(r, r), stride=(1, 1), pad=(0, 0))
    assert error(dw, exact) < WEIGHTS


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["relu", "mean"])
@pytest.mark.parametrize("r", [3, 5])
@pytest.mark.parametrize("op", ["conv", "conv_dx", "conv_dw"])
def test_generated_code_rounds_within_the_promise(op, r, kind, monkeypatch):
    """What this machine computes by tiles, in the order of its code, also where direct sums would be faster."""
    monkeypatch.setattr(winograd_cost, "WORTH", 100.0)
    rng = np.random.default_rng(1)
    side, pad, batch = 16, r // 2, 32
    x = np.concatenate([images(kind, rng)[:, :, :side, :side] for _ in range(batch // 2)])
    w, dy = filters(r, kind, rng), rng.standard_normal((batch, 8, side, side)).astype("f4")
    types = {"x": f"f32[b{batch},{CHANNELS},{side},{side}]", "w": f"f32[8,{CHANNELS},{r},{r}]"}
    types["dy"] = f"f32[b{batch},8,{side},{side}]"
    how = f"stride = (1,1), pad = ({pad},{pad}), group = 1"
    more = {"conv": "", "conv_dx": f", shape = ({batch},{CHANNELS},{side},{side})", "conv_dw": f", kernel = ({r},{r})"}
    reads, makes = {"conv": ("xw", "dy"), "conv_dx": (("dy", "w"), "x"), "conv_dw": (("x", "dy"), "w")}[op]
    inputs = ", ".join(f"%{name}: {types[name]} {'param' if name == 'w' else 'data'}" for name in reads)
    node = f"%r: {types[makes]} = {op}({', '.join(f'%{name}' for name in reads)}) {{{how}{more[op]}}}"
    graph = ir.parse(f"graph @g({inputs}) {{ {node}\n return %r }}")
    given = {name: {"x": x, "w": w, "dy": dy}[name] for name in reads}
    exact = run(graph, given, dtype="f64").outputs["r"]
    tiled, direct = (run_graph(graph, given, convolutions=how)["r"] for how in ("auto", "direct"))
    assert not np.array_equal(tiled, direct)
    assert error(tiled, exact) < (WEIGHTS if op == "conv_dw" else FORWARD)
