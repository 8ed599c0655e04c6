"""Initial values against their distributions, and regularizers' gradients against their formulas."""

from __future__ import annotations

import numpy as np
import pytest

from mochac import (
    ConstantInitializer,
    GaussianInitializer,
    GlorotNormalInitializer,
    GlorotUniformInitializer,
    HeNormalInitializer,
    HeUniformInitializer,
    InnerProductLayer,
    L1Regu,
    L2Regu,
    LeCunNormalInitializer,
    LeCunUniformInitializer,
    MemoryDataLayer,
    Net,
    NetError,
    NoRegu,
    NormalInitializer,
    NullInitializer,
    OneInitializer,
    OrthogonalInitializer,
    ShapeError,
    SoftmaxLossLayer,
    UniformInitializer,
    XavierInitializer,
    ZeroInitializer,
)
from mochac.ir import GraphBuilder, TensorType, run

SEED = 17


def drawn(initializer, shape, dtype=np.float32):
    return initializer.fill(shape, np.dtype(dtype), np.random.default_rng(SEED))


@pytest.mark.parametrize(("shape", "fan_in"), [((500, 800), 800), ((20, 5, 5, 5), 125), ((400,), 1)])
def test_xavier_is_uniform_by_fan_in(shape, fan_in):
    w = drawn(XavierInitializer(), shape)
    limit = np.sqrt(3 / fan_in)
    assert w.dtype == np.float32
    assert w.shape == shape
    assert abs(w).max() <= limit
    assert abs(w).max() > 0.95 * limit
    assert abs(w.mean()) < 0.2 * limit


def test_gaussian_has_mean_and_deviation():
    w = drawn(GaussianInitializer(mean=3, std=0.5), (200, 200), np.float64)
    assert w.dtype == np.float64
    assert abs(w.mean() - 3) < 0.02
    assert abs(w.std() - 0.5) < 0.02


def test_float32_is_the_rounded_float64():
    narrow, wide = (drawn(XavierInitializer(), (5, 7), t) for t in (np.float32, np.float64))
    assert np.array_equal(narrow, wide.astype(np.float32))


def test_constant_and_null():
    assert drawn(ConstantInitializer(2), (3,)).tolist() == [2, 2, 2]
    assert drawn(NullInitializer(), (2,)).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("regu", "expected"),
    [
        (L2Regu(3), lambda w: 2 * 3 * 0.01 * w),
        (L1Regu(3), lambda w: 3 * 0.01 * np.sign(w)),
        (NoRegu(), None),
        (L2Regu(0), None),
    ],
)
def test_regularizers_follow_mochas_convention(regu, expected):
    b = GraphBuilder("g")
    w = b.input("w", TensorType("f64", (5,)), "param")
    g = regu.gradient(b, w, 0.01)
    if expected is None:
        assert g is None
        return
    values = np.array([-2.0, -0.5, 0.0, 0.5, 2.0])
    assert np.allclose(run(b.finish([g]), {"w": values})[g.name], expected(values), rtol=1e-15)


@pytest.mark.parametrize("shape", [(6, 6), (9, 4), (4, 9), (5, 3, 2, 2), (20, 3, 2, 2), (1, 7), (7, 1), (2, 3, 4)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_orthogonal_rows_or_columns(shape, dtype):
    w = drawn(OrthogonalInitializer(gain=1.5), shape, dtype)
    assert (w.shape, w.dtype) == (shape, dtype)
    flat = w.reshape(shape[0], -1).astype(np.float64)
    gram = flat @ flat.T if flat.shape[0] <= flat.shape[1] else flat.T @ flat
    np.testing.assert_allclose(gram, 1.5**2 * np.eye(len(gram)), atol=1e-5 if dtype == np.float32 else 1e-13)


def test_orthogonal_is_drawn_from_all_rotations():
    """Every entry is as often positive as negative, the first row's included (a bare QR has fixed signs)."""
    rng = np.random.default_rng(SEED)
    many = np.array([OrthogonalInitializer().fill((3, 3), np.dtype("f8"), rng) for _ in range(400)])
    assert np.abs((many > 0).mean(0) - 0.5).max() < 0.1
    assert 0.4 < (np.linalg.det(many) > 0).mean() < 0.6


def test_orthogonal_needs_a_matrix():
    data = MemoryDataLayer(data=[np.zeros((4, 3)), np.zeros(4)], batch_size=2)
    ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"], bias_init=OrthogonalInitializer())
    with pytest.raises(ShapeError) as caught:
        Net("n", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    text = "layer 'ip' (InnerProduct): OrthogonalInitializer is for parameters of 2 axes or more"
    assert text in str(caught.value)
    assert "expected  2 axes,  got  (2,)" in str(caught.value)


FANS = [((300, 200), 200, 300), ((40, 6, 5, 7), 210, 1400), ((20000,), 1, 20000)]


@pytest.mark.parametrize(("shape", "fan_in", "fan_out"), FANS)
@pytest.mark.parametrize(
    ("initializer", "variance"),
    [
        (LeCunUniformInitializer(), lambda i, o: 1 / i),
        (LeCunNormalInitializer(), lambda i, o: 1 / i),
        (GlorotUniformInitializer(), lambda i, o: 2 / (i + o)),
        (GlorotNormalInitializer(), lambda i, o: 2 / (i + o)),
        (HeUniformInitializer(), lambda i, o: 2 / i),
        (HeNormalInitializer(), lambda i, o: 2 / i),
        (UniformInitializer(), lambda i, o: 0.05**2 / 3),
        (UniformInitializer(2.0), lambda i, o: 4 / 3),
        (NormalInitializer(), lambda i, o: 0.01**2),
        (NormalInitializer(scale=3), lambda i, o: 9),
    ],
    ids=lambda x: type(x).__name__,
)
def test_variances_by_fans(initializer, variance, shape, fan_in, fan_out):
    w = drawn(initializer, shape, np.float64)
    wanted = variance(fan_in, fan_out)
    assert w.shape == shape
    assert abs(w.mean()) < 5 * np.sqrt(wanted / w.size)
    assert abs(w.var() / wanted - 1) < 0.05
    limit = np.sqrt(3 * wanted)
    if "Uniform" in type(initializer).__name__:
        assert 0.99 * limit < abs(w).max() <= limit
    else:
        assert abs(w).max() > 1.5 * limit, "a normal distribution has tails"


def test_zero_and_one():
    assert drawn(ZeroInitializer(), (2, 2)).tolist() == [[0, 0], [0, 0]]
    assert drawn(OneInitializer(), (2,), np.float64).tolist() == [1, 1]


def test_xavier_is_lecuns_uniform():
    assert np.array_equal(drawn(XavierInitializer(), (5, 7)), drawn(LeCunUniformInitializer(), (5, 7)))


def test_a_conflict_of_initializers_names_both():
    data = MemoryDataLayer(data=[np.zeros((4, 3)), np.zeros(4)], batch_size=2)
    one, two = (
        InnerProductLayer(name=n, output_dim=2, bottoms=["data"], param_key="k", weight_init=init)
        for n, init in (("a", HeNormalInitializer()), ("b", OneInitializer()))
    )
    ends = [SoftmaxLossLayer(name=f"loss-{n}", bottoms=[n, "label"]) for n in "ab"]
    with pytest.raises(NetError, match=r"weight initializer: OneInitializer\(\) here, HeNormalInitializer\(\) there"):
        Net("n", [data, one, two, *ends])
