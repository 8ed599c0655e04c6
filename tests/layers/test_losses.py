"""Losses: values and gradients against their formulas in float64, corners, refusals."""

import numpy as np
import pytest
from layers import loss_formulas as formula
from layers.layer_values import slopes, values
from layers.loss_cases import SHAPES, cases

import mochac
from mochac import (
    BinaryAccuracyLayer,
    BinaryCrossEntropyLossLayer,
    DataError,
    GaussianKLLossLayer,
    HingeLossLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MultinomialLogisticLossLayer,
    Net,
    ShapeError,
    SoftlabelSoftmaxLossLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
    WassersteinLossLayer,
)

EXACT = {"rtol": 1e-9, "atol": 1e-11}
ROUNDED = {"rtol": 2e-4, "atol": 2e-5}


def check(case, weight, *, arriving=1.0, dtype="float64", compiled=False):
    """The layer's value and both gradients are the formula's, times what arrives at the loss."""
    feeds = {"pred": case.pred, "label": case.label, **case.more}
    found, grads = values([case.layer], feeds, "loss", arriving, dtype=dtype, compiled=compiled)
    value, dpred, dlabel = case.expected(case.pred, case.label, weight=weight)
    near = EXACT if dtype == "float64" else ROUNDED
    np.testing.assert_allclose(found, value, **near)
    np.testing.assert_allclose(grads["pred"], arriving * dpred, **near)
    np.testing.assert_allclose(
        grads["label"], 0 if dlabel is None else (arriving * dlabel).reshape(case.label.shape), **near
    )


@pytest.mark.parametrize("case", cases(np.random.default_rng(1), (3, 4, 2), 0.75), ids=lambda c: c.name)
def test_value_and_gradients_are_the_formulas(case):
    check(case, 0.75, arriving=-1.5)


TYPES = ("float32", "float64")


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        *(pytest.param(shape, TYPES[k % 2], marks=pytest.mark.slow) for k, shape in enumerate(SHAPES)),
        *(pytest.param(shape, TYPES[1 - k % 2], marks=pytest.mark.soak) for k, shape in enumerate(SHAPES)),
    ],
    ids=str,
)
def test_compiled_value_and_gradients_are_the_formulas(shape, dtype):
    for case in cases(np.random.default_rng(2), shape, 1.25):
        check(case, 1.25, arriving=2.0, dtype=dtype, compiled=True)


BOTTOMS = {"bottoms": ["pred", "label"], "tops": ["loss"]}


def loss_of(layer, pred, label, **how):
    """The loss of a batch and its gradient to pred."""
    feeds = {"pred": np.asarray(pred, float), "label": np.asarray(label, float)}
    value, grads = values([layer], feeds, "loss", 1.0, **how)
    return value, grads["pred"]


def test_hinge_has_no_gradient_on_the_margin():
    pred = [[1.0], [-1.0], [np.nextafter(1, 0)], [1.5]]
    value, grad = loss_of(HingeLossLayer(**BOTTOMS), pred, [[1], [-1], [1], [1]])
    np.testing.assert_allclose(value, 0, atol=1e-15)
    np.testing.assert_array_equal(grad, [[0], [0], [-0.25], [0]])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cross_entropy_clamps_probabilities(dtype):
    margin = {"float32": 1e-7, "float64": 1e-12}[dtype]
    pred = np.array([[0.0, 1.0, 0.0, 1.0, -0.5, 1.5, 0.5]])
    label = np.array([[0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0]])
    feeds = {"pred": pred, "label": label}
    value, grads = values([BinaryCrossEntropyLossLayer(**BOTTOMS)], feeds, "loss", 1.0, dtype=dtype)
    wanted, dpred, dlabel = formula.binary_cross_entropy(pred, label, margin=margin)
    np.testing.assert_allclose(value, wanted, rtol=1e-6)
    np.testing.assert_allclose(grads["pred"], dpred, rtol=1e-6)
    np.testing.assert_allclose(grads["label"], dlabel, rtol=1e-6)
    assert np.isfinite(dlabel).all()


def test_a_label_of_probability_zero_costs_what_mochas_clamp_says():
    value, grad = loss_of(MultinomialLogisticLossLayer(**BOTTOMS), [[0.0, 1.0], [0.25, 0.75]], [[0], [0]])
    np.testing.assert_allclose(value, -(np.log(1e-20) + np.log(0.25)) / 2)
    np.testing.assert_allclose(grad, [[-1e20 / 2, 0], [-2, 0]])


LOGITS = np.array([[1.0, 17.0, 20.0, 40.0]])


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logits_that_are_surely_wrong_keep_their_gradient(dtype, compiled):
    """The figures that Caffe's SigmoidCrossEntropyLoss gives, once for the features of one sample, once for samples."""
    layer = BinaryCrossEntropyLossLayer(**BOTTOMS, logits=True)
    how = {"dtype": dtype, "compiled": compiled}
    slope = 1 / (1 + np.exp(-LOGITS))
    for sign, label in ((1, 0.0), (-1, 1.0)):
        value, grad = loss_of(layer, sign * LOGITS, np.full((1, 4), label), **how)
        np.testing.assert_allclose(value, 78.31326169, rtol=1e-6)
        np.testing.assert_allclose(grad, sign * slope, rtol=1e-6)
        value, grad = loss_of(layer, sign * LOGITS.T, np.full((4, 1), label), **how)
        np.testing.assert_allclose(value, 19.57831542, rtol=1e-6)
        np.testing.assert_allclose(4 * grad, sign * slope.T, rtol=1e-6)


@pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["interpreted", "compiled"]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logits_that_are_right_cost_what_is_left(dtype, compiled):
    """log(1 + e^-|x|), which 1 - sigmoid(x) would round to 0."""
    x, layer = np.array([[-80.0, -20.0, 0.0, 20.0, 80.0]]), BinaryCrossEntropyLossLayer(**BOTTOMS, logits=True)
    y = (x > 0).astype(float)
    for k in range(5):
        value, _ = loss_of(layer, x[:, k : k + 1], y[:, k : k + 1], dtype=dtype, compiled=compiled)
        np.testing.assert_allclose(value, np.log1p(np.exp(-abs(x[0, k]))), rtol=1e-6)
    _, grad = loss_of(layer, np.zeros((1, 2)), [[0.0, 1.0]], dtype=dtype, compiled=compiled)
    np.testing.assert_array_equal(grad, [[0.5, -0.5]])


FAR = {
    "softmax": (SoftmaxLossLayer(**BOTTOMS), [[300.0, -300.0, 0.0]], [[1.0]], 600.0, [[1, -1, 0]]),
    "softlabel": (SoftlabelSoftmaxLossLayer(**BOTTOMS), [[1e6, -1e6]], [[0.25, 0.75]], 1.5e6, [[0.75, -0.75]]),
    "logits": (BinaryCrossEntropyLossLayer(**BOTTOMS, logits=True), [[1e6, -1e6]], [[0.0, 1.0]], 2e6, [[1, -1]]),
    "certain": (BinaryCrossEntropyLossLayer(**BOTTOMS), [[0.0, 1.0]], [[0.0, 1.0]], 0.0, [[1, -1]]),
    "unlikely": (BinaryCrossEntropyLossLayer(**BOTTOMS), [[2e-7]], [[1.0]], -np.log(2e-7), [[-5e6]]),
    "multinomial": (MultinomialLogisticLossLayer(**BOTTOMS), [[1e-19, 1]], [[0.0]], -np.log(1e-19), [[-1e19, 0]]),
    "hinge": (HingeLossLayer(**BOTTOMS), [[-1e30, 1e30]], [[1.0, 1.0]], 1e30, [[-1, 0]]),
    "square": (SquareLossLayer(**BOTTOMS), [[1e15, -1e-15]], [[0.0, 0.0]], 0.5e30, [[1e15, -1e-15]]),
    "gaussian_kl": (GaussianKLLossLayer(**BOTTOMS), [[0.0]], [[1e-30]], -np.log(1e-30) - 0.5, [[0.0]]),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", ["float32", pytest.param("float64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FAR)
def test_no_loss_saturates_where_its_formula_does_not(name, dtype):
    """Values and gradients by hand, in compiled code."""
    layer, pred, label, wanted, slope = FAR[name]
    value, grad = loss_of(layer, pred, label, dtype=dtype, compiled=True)
    np.testing.assert_allclose(value, wanted, rtol=2e-6)
    np.testing.assert_allclose(grad, slope, rtol=2e-6, atol=1e-30)


def test_sigma_near_zero_is_pushed_away():
    feeds = {"mu": np.zeros((1, 1)), "sigma": np.full((1, 1), 1e-30)}
    layer = GaussianKLLossLayer(tops=["loss"])
    for dtype in ("float32", "float64"):
        _, grads = values([layer], feeds, "loss", 1.0, dtype=dtype, compiled=True)
        np.testing.assert_allclose(grads["sigma"], -1e30, rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_losses_of_logits_are_finite_for_predictions_far_apart(dtype):
    pred = np.array([[1e4, 0.0, -1e4], [-3e4, 0, 3e4]])
    value, grad = loss_of(SoftmaxLossLayer(**BOTTOMS), pred, [[2], [2]], dtype=dtype)
    np.testing.assert_allclose(value, 1e4)
    np.testing.assert_allclose(grad, [[0.5, 0, -0.5], [0, 0, 0]])
    soft = [[0.0, 0.5, 0.5], [0, 0, 1]]
    value, grad = loss_of(SoftlabelSoftmaxLossLayer(**BOTTOMS), pred, soft, dtype=dtype)
    np.testing.assert_allclose(value, (1e4 + 2e4) / 2 / 2)
    np.testing.assert_allclose(grad, [[0.5, -0.25, -0.25], [0, 0, 0]])


def test_a_class_that_cannot_be_adds_nothing_under_weight_zero():
    value, _ = loss_of(SoftlabelSoftmaxLossLayer(**BOTTOMS), [[-np.inf, 0.0, 0.0]], [[0, 0.5, 0.5]])
    np.testing.assert_allclose(value, np.log(2))


def line_cost(n):
    """|i - j| / (n - 1)."""
    places = np.linspace(0, 1, n)
    return np.abs(places[:, None] - places)


def test_wasserstein_nears_the_optimal_transport_as_lambda_grows():
    """On a line the cost of an optimal plan is the area between the cumulative distributions."""
    rng = np.random.default_rng(3)
    a, b, cost = rng.dirichlet(np.ones(6), 4), rng.dirichlet(np.ones(6), 4), line_cost(6)
    optimal = np.abs(np.cumsum(a - b, axis=1))[:, :-1].sum(axis=1).mean() / 5
    apart = []
    for lam in (20.0, 300.0):
        layer = WassersteinLossLayer(**BOTTOMS, M=cost, lambda_=lam, sinkhorn_iter=600)
        apart.append(abs(loss_of(layer, a, b)[0] - optimal))
    assert apart[1] < apart[0] / 10 < 0.02


def test_wasserstein_nears_the_linear_program_of_any_two_by_two_cost():
    """The plan is one number t = T[0, 0] between two bounds, and its cost is linear in t: an end is optimal."""
    rng = np.random.default_rng(5)
    a, b, cost = rng.dirichlet(np.ones(2), 6), rng.dirichlet(np.ones(2), 6), rng.uniform(-1, 1, (2, 2))
    optimal = []
    for x, y in zip(a, b, strict=True):
        ends = max(0.0, x[0] + y[0] - 1), min(x[0], y[0])
        plans = [np.array([[t, x[0] - t], [y[0] - t, 1 - x[0] - y[0] + t]]) for t in ends]
        optimal.append(min(np.sum(plan * cost) for plan in plans))
    layer = WassersteinLossLayer(**BOTTOMS, M=cost, lambda_=200.0, sinkhorn_iter=500)
    most_entropy = np.log(4) / 200
    assert np.mean(optimal) - most_entropy < loss_of(layer, a, b)[0] < np.mean(optimal)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_wasserstein_is_finite_with_zeros_and_where_exp_underflows(dtype):
    one_hot = np.eye(4)[[0, 3]]
    layer = WassersteinLossLayer(**BOTTOMS, M=line_cost(4), lambda_=5000.0, sinkhorn_iter=1000)
    value, grad = loss_of(layer, one_hot, one_hot[::-1], dtype=dtype)
    assert np.isfinite(grad).all()
    np.testing.assert_allclose(value, 1.0, rtol=1e-3)


def test_wasserstein_gradient_is_that_of_its_value():
    """Along the simplex, where alone the value is defined: through a softmax."""
    rng = np.random.default_rng(4)
    scores, label = rng.normal(size=(2, 4)), rng.dirichlet(np.ones(3), 2)
    loss = WassersteinLossLayer(bottoms=["p", "label"], tops=["loss"], M=rng.uniform(0, 1, (4, 3)), lambda_=3.0)
    layers = [SoftmaxLayer(name="p", bottoms=["scores"]), loss]

    def value(x, arriving=None):
        return values(layers, {"scores": x, "label": label}, "loss", arriving)

    grad = value(scores, 1.0)[1]["scores"]
    np.testing.assert_allclose(grad, slopes(lambda x: value(x)[0], scores, np.ones(())), rtol=1e-6, atol=1e-9)


def test_weights_of_a_batch_repeat_where_a_plan_has_another_batch():
    weights = np.array([[1.0, 3.0], [1, 1]])
    layer = SoftmaxLossLayer(**BOTTOMS, weights=weights, normalize="no")
    value, _ = loss_of(layer, np.zeros((3, 2)), [[1], [1], [1]])
    np.testing.assert_allclose(value, np.log(2) * (3 + 1 + 3) / 3)


def test_class_weights_are_read_only_and_layers_compare():
    layer = SoftmaxLossLayer(bottoms=["a", "b"], weights=[1, 2])
    assert layer == layer.replace(weights=np.array([1.0, 2.0]), normalize="local")
    assert layer != layer.replace(weights=[2, 1])
    assert repr(layer.weights) == "Table([1.0, 2.0])" and np.asarray(layer.weights).tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        layer.weights.values[0] = 3


def test_mochas_defaults():
    assert GaussianKLLossLayer().bottoms == ("mu", "sigma")
    assert WassersteinLossLayer(bottoms=["a", "b"], M=[[1.0]], lambda_=1).sinkhorn_iter == 50
    assert MultinomialLogisticLossLayer(bottoms=["a", "b"]).normalize == "local"
    assert BinaryAccuracyLayer(bottoms=["a", "b"]).threshold == 0.0
    kinds = [SquareLossLayer, HingeLossLayer, BinaryCrossEntropyLossLayer, SoftmaxLossLayer, SoftlabelSoftmaxLossLayer]
    assert {kind(bottoms=["a", "b"]).weight for kind in kinds} == {1.0}
    assert {kind(bottoms=["a", "b"]).tops for kind in kinds} == {()}


def made(loss, label, width=4):
    """A net of an inner product of `width` and a loss on 3 samples a step."""
    data = MemoryDataLayer(data=[np.ones((7, 2)), label], batch_size=3)
    return Net("n", [data, InnerProductLayer(name="ip", output_dim=width, bottoms=["data"]), loss])


IP = {"bottoms": ["ip", "label"]}
MISFITS = [
    (SquareLossLayer(**IP), np.ones((7, 3)), "pred and label differ in size", "4 features, as pred,  got  3"),
    (HingeLossLayer(**IP), np.ones((7, 5)), "pred and label differ in size", "got  5"),
    (BinaryCrossEntropyLossLayer(**IP), np.ones((7, 1)), "pred and label differ in size", "got  1"),
    (GaussianKLLossLayer(**IP), np.ones((7, 2)), "mu and sigma differ in size", "sigma with 4 features"),
    (BinaryAccuracyLayer(**IP), np.ones((7, 2)), "pred and label differ in size", "got  2"),
    (SoftlabelSoftmaxLossLayer(**IP), np.ones((7, 1)), "pred and label differ in size", "got  1"),
    (SoftlabelSoftmaxLossLayer(**IP, axis=2), np.ones((7, 4)), "axis 2 is not an axis", "1 <= axis < 2"),
    (MultinomialLogisticLossLayer(**IP), np.ones((7, 2)), "one class index per position", r"label \(3, 1\)"),
    (SoftmaxLossLayer(**IP, weights=[1, 2]), np.ones(7), "weights do not fit", r"\(4,\) or \(batch, 4\),  got  \(2,\)"),
    (SoftmaxLossLayer(**IP, weights=[0, 0, 0, 0]), np.ones(7), "classes of a position sum to 0", "positive sum"),
    (
        MultinomialLogisticLossLayer(**IP, weights=[0, 0, 0, 0], normalize="global"),
        np.ones(7),
        "weights of a sample sum to 0",
        "positive sum",
    ),
    (
        WassersteinLossLayer(**IP, M=np.ones((4, 2)), lambda_=1),
        np.ones((7, 4)),
        "a row per feature of pred",
        r"\(4, 4\)",
    ),
]


@pytest.mark.parametrize(("loss", "label", "rule", "facts"), MISFITS, ids=lambda v: getattr(v, "kind", None))
def test_bottoms_that_do_not_fit_are_named(loss, label, rule, facts):
    with pytest.raises(
        ShapeError, match=f"layer '{loss.name}' (.|\n)*{rule}(.|\n)*{facts}(.|\n)*bottom 'label'"
    ) as error:
        made(loss, label)
    assert "test_losses.py" in str(error.value)


def test_samples_of_another_number_do_not_fit():
    data = MemoryDataLayer(data=[np.ones((6, 2)), np.ones((6, 2))], batch_size=3, tops=["a", "b"])
    more = MemoryDataLayer(name="more", data=[np.ones((6, 2))], batch_size=3, tops=["c"])
    both = mochac.ConcatLayer(name="both", axis=0, bottoms=["a", "b"])
    with pytest.raises(ShapeError, match=r"differ in their number of samples(.|\n)*expected  6,  got  3"):
        Net("n", [data, more, both, SquareLossLayer(bottoms=["both", "c"])])


def read(program, steps=2):
    """Wait for some batches, as training does."""
    for _ in range(steps):
        program.session.feed.wait(1)
        program.session.feed.release(1)


ILLEGAL = [
    (HingeLossLayer(**IP), [1, -1, 1, 0], "-1 or 1", "got  0", "2 . label - 1"),
    (BinaryCrossEntropyLossLayer(**IP), [0, 0.5, 1, 7], "0 <= label <= 1", "got  7", "class indices"),
    (
        WassersteinLossLayer(**IP, M=np.ones((4, 4)), lambda_=1),
        [0.5, 0.5, 0.5, 0],
        "elements >= 0 with sum 1",
        "got  sum 1.5, minimum 0",
        "divide each sample",
    ),
    (
        WassersteinLossLayer(**IP, M=np.ones((4, 4)), lambda_=1),
        [1.5, -0.5, 0, 0],
        "elements >= 0 with sum 1",
        "got  sum 1, minimum -0.5",
        "divide each sample",
    ),
]


@pytest.mark.parametrize(("loss", "wrong", "expected", "got", "hint"), ILLEGAL)
def test_illegal_labels_name_blob_and_sample(loss, wrong, expected, got, hint):
    legal = [1.0, 0, 0, 0] if loss.kind == "WassersteinLoss" else [1.0] * 4
    label = np.array([legal] * 7)
    label[4] = wrong
    rule = rf"'memory-data'(.|\n)*label out of range(.|\n)*{expected},  {got}(.|\n)*blob 'label', sample 4(.|\n)*{hint}"
    with mochac.compile(made(loss, label)) as program, pytest.raises(DataError, match=rule):
        read(program)


def test_class_indices_of_the_multinomial_loss_are_checked():
    label = np.array([0, 1, 2, 3, 4, 0, 0])
    program = mochac.compile(made(MultinomialLogisticLossLayer(**IP), label))
    with program, pytest.raises(DataError, match=r"expected  0 <= label < 4,  got  4(.|\n)*sample 4"):
        read(program)
