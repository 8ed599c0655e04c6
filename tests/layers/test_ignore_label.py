"""ignore_label: positions that count for nothing in losses, gradients, statistics and the reader's check of labels."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    ConvolutionLayer,
    DataError,
    LRPolicy,
    MemoryDataLayer,
    Net,
    SoftmaxLossLayer,
)

VOID = 255
RNG = np.random.default_rng(3)
IMAGES = RNG.normal(size=(11, 2, 3, 4))
LABELS = np.where(RNG.uniform(size=(11, 1, 3, 4)) < 0.3, VOID, RNG.integers(0, 5, (11, 1, 3, 4)))
LABELS[2] = VOID
BOTTOMS = {"bottoms": ["scores", "label"]}


def net(*judges, labels=LABELS, batch=4):
    data = MemoryDataLayer(data=[IMAGES, labels], batch_size=batch)
    scores = ConvolutionLayer(name="scores", n_filter=5, kernel=1, bottoms=["data"])
    return Net("segments", [data, scores, *judges])


def softmax(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def scored(w, b, images):
    return np.einsum("nihw,oi->nohw", images, w[:, :, 0, 0]) + b[:, None, None]


def by_hand(w, b, images, labels):
    """Loss and gradients: the mean over positions that are not void."""
    p, label = softmax(scored(w, b, images)), labels[:, 0]
    counted, hit = label != VOID, label[:, None] == np.arange(5)[:, None, None]
    n = max(1, counted.sum())
    loss = -np.log(np.where(hit, p, 1)).sum() / n
    d = (p - hit) * counted[:, None] / n
    return loss, np.einsum("nohw,nihw->oi", d, images)[..., None, None], d.sum(axis=(0, 2, 3))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_training_sees_counted_positions_only(dtype):
    """Five steps by hand, each over another number of positions."""
    loss = SoftmaxLossLayer(name="loss", **BOTTOMS, ignore_label=VOID)
    with mochac.compile(net(loss), dtype=dtype) as program:
        w, b = (program.params["scores"][n][...].astype(float) for n in ("filter", "bias"))
        seen = []
        solver = mochac.Solver(SGD(lr_policy=LRPolicy.Fixed(0.5)), max_iter=5, regu_coef=0.0)
        solver.init_solve(program)
        for step in range(5):
            rows = np.arange(4 * step, 4 * step + 4) % 11
            seen.append(solver.step())
            value, dw, db = by_hand(w, b, IMAGES[rows], LABELS[rows])
            assert seen[-1] == pytest.approx(value, rel=1e-10 if dtype == "float64" else 1e-5)
            w, b = w - 0.5 * dw, b - 0.5 * 2 * db
        solver.finalize()
        np.testing.assert_allclose(program.params["scores"]["filter"][...], w, 2e-5, 2e-6)


@pytest.mark.slow
def test_evaluation_is_over_counted_positions_whatever_the_batch():
    judges = [
        SoftmaxLossLayer(name="loss", **BOTTOMS, ignore_label=VOID, weight=0.5),
        AccuracyLayer(name="a", **BOTTOMS, ignore_label=VOID, report_error=True),
    ]
    for batch in (1, 4, 16):
        with mochac.compile(net(*judges, batch=batch), dtype="float64") as program:
            w, b = (program.params["scores"][n][...] for n in ("filter", "bias"))
            value, counted = by_hand(w, b, IMAGES, LABELS)[0], LABELS[:, 0] != VOID
            right = np.mean((scored(w, b, IMAGES).argmax(axis=1) == LABELS[:, 0])[counted])
            wanted = {"loss": 0.5 * value, "a-accuracy": right, "a-error": 1 - right}
            assert program.evaluate() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("mode", ["train", pytest.param("test", marks=pytest.mark.slow)])
def test_running_statistics_weigh_batches_by_what_counted(mode):
    judges = [
        SoftmaxLossLayer(name="loss", **BOTTOMS, ignore_label=VOID),
        AccuracyLayer(name="a", **BOTTOMS, ignore_label=VOID),
    ]
    with mochac.compile(net(*judges, batch=2), dtype="float64", mode=mode) as program:
        w, b = (program.params["scores"][n][...] for n in ("filter", "bias"))
        for first in (0, 2, 4):
            value = by_hand(w, b, IMAGES[first : first + 2], LABELS[first : first + 2])[0]
            assert program.forward() == pytest.approx(value, rel=1e-12)
        counted = LABELS[:6, 0] != VOID
        right = np.mean((scored(w, b, IMAGES[:6]).argmax(axis=1) == LABELS[:6, 0])[counted])
        wanted = {"loss": by_hand(w, b, IMAGES[:6], LABELS[:6])[0], "a-accuracy": right}
        assert program.statistics() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.slow
def test_a_batch_without_a_counted_position_has_loss_and_gradient_zero():
    loss = SoftmaxLossLayer(name="loss", **BOTTOMS, ignore_label=VOID)
    accuracy = AccuracyLayer(name="a", **BOTTOMS, ignore_label=VOID)
    with mochac.compile(net(loss, accuracy, labels=np.full_like(LABELS, VOID))) as program:
        assert program.forward() == 0.0
        program.backward()
        assert not program.blob_diffs["scores"].any()
        assert program.evaluate() == pytest.approx({"loss": 0.0, "a-accuracy": np.nan}, nan_ok=True)


@pytest.mark.slow
def test_a_loss_with_ignored_labels_inside_a_net():
    """Its top honours the gradient that arrives: the objective is the square of the loss here."""
    loss = SoftmaxLossLayer(name="loss", **BOTTOMS, ignore_label=VOID, tops=["value"])
    square = mochac.PowerLayer(name="squared", power=2, bottoms=["value"])
    with mochac.compile(net(loss, square), dtype="float64") as program:
        w, b = (program.params["scores"][n][...] for n in ("filter", "bias"))
        value, dw, _ = by_hand(w, b, IMAGES[:4], LABELS[:4])
        assert program.forward() == pytest.approx(value**2)
        program.backward()
        np.testing.assert_allclose(program.grads["scores"]["filter"], 2 * value * dw, 1e-9, 1e-12)


def test_gradients_agree_with_central_differences():
    judge = SoftmaxLossLayer(name="loss", **BOTTOMS, ignore_label=VOID, weights=[1, 2, 3, 4, 5])
    assert mochac.check_gradients(net(judge)).ok


def message(*judges, labels=LABELS):
    with mochac.compile(net(*judges, labels=labels)) as program, pytest.raises(DataError) as caught:
        program.forward()
    return str(caught.value)


def test_the_reader_lets_ignored_labels_pass_and_no_others():
    loss = SoftmaxLossLayer(name="loss", **BOTTOMS, ignore_label=VOID)
    other = LABELS.copy()
    other[1, 0, 2, 1] = 254
    said = message(loss, labels=other)
    assert "label out of range\n  expected  0 <= label < 5, or 255,  got  254\n  blob 'label', sample 1" in said
    fraction = np.where(LABELS == VOID, -1, LABELS).astype(float)
    fraction[0, 0, 0, 0] = 0.5
    said = message(loss.replace(ignore_label=-1), labels=fraction)
    assert "label is not an integer\n  expected  one of the integers 0 .. 4, or -1,  got  0.5" in said


def test_a_label_that_only_one_layer_ignores_is_illegal():
    loss = SoftmaxLossLayer(name="loss", **BOTTOMS, ignore_label=VOID)
    said = message(loss, AccuracyLayer(name="a", **BOTTOMS))
    assert "expected  0 <= label < 5,  got  255" in said
