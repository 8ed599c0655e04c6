"""Fitted estimators that several threads call at the same time, from the first call on."""

import pickle
import threading

import numpy as np
import pytest
from threads_kit import at_once

from mochac import (
    SGD,
    ImageClassifier,
    InnerProductLayer,
    InputLayer,
    Model,
    Net,
    NetClassifier,
    NetRegressor,
    Neurons,
    SoftmaxLayer,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 6)).astype(np.float32)
LABELS = (X[:, 0] > 0).astype(int)
IMAGES = RNG.random((20, 8, 8, 3))
CALLS = 60
pytestmark = pytest.mark.usefixtures("eager_threads")


def hidden():
    return [InnerProductLayer(name="hidden", output_dim=12, neuron=Neurons.Tanh())]


def regressor():
    fitted = NetRegressor(hidden(), max_epoch=2).fit(X, X[:, 0] * X[:, 1])
    return fitted, {"predict": fitted.predict, "transform": fitted.transform}


def classifier():
    fitted = NetClassifier(hidden(), max_epoch=2).fit(X, LABELS)
    return fitted, {"predict": fitted.predict, "predict_proba": fitted.predict_proba, "transform": fitted.transform}


def slugnet():
    fitted = Model(n_epoch=2, layers=hidden(), progress=False)
    fitted.fit(X, LABELS)
    return fitted, {"transform": fitted.transform}


def images():
    layers = [
        InputLayer(name="images", shape=(8, 3, 8, 8), tops=["data"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["data"]),
        SoftmaxLayer(name="softmax", bottoms=["ip"]),
    ]
    made = ImageClassifier(Net("images", layers))
    return made, {"probabilities": lambda rows: made.probabilities(IMAGES[: len(rows)])}


@pytest.mark.slow
@pytest.mark.parametrize("made", [regressor, classifier, slugnet, images])
def test_four_threads_predict(made):
    fitted, calls = made()
    again = pickle.loads(pickle.dumps(fitted)) if made in (regressor, classifier) else fitted
    want = {(name, n): np.array(call(X[:n])) for name, call in calls.items() for n in (1, 3, 8, 20)}
    # the copy has not compiled anything yet
    asked = {name: getattr(again, name) if again is not fitted else call for name, call in calls.items()}
    wrong = []

    def work(k):
        rng = np.random.default_rng(k)
        for _ in range(CALLS):
            name, n = str(rng.choice(list(asked))), int(rng.choice([1, 3, 8, 20]))
            x = X[:n] if made is images else X[:n].astype(rng.choice(["f4", "f8"]))
            if not np.array_equal(asked[name](x), want[name, n]):
                wrong.append((name, n))

    assert at_once(work) == []
    assert wrong == []


@pytest.mark.slow
def test_predictions_beside_partial_fit():
    """They are those after some number of steps, which take turns with them."""
    steps, batch = 15, X[:16]

    def begun():
        return NetRegressor(hidden(), method=SGD(0.05), batch_size=16)

    alone, right = begun(), []
    for _ in range(steps):
        right.append(alone.partial_fit(batch, batch[:, 0]).predict(X[:5]))
    together, wrong, done = begun().partial_fit(batch, batch[:, 0]), [], threading.Event()

    def work(k):
        if not done.is_set() and training.acquire(blocking=False):
            for _ in range(steps - 1):
                together.partial_fit(batch, batch[:, 0])
            done.set()
        while not done.is_set():
            found = together.predict(X[:5])
            if not any(np.array_equal(found, want) for want in right):
                wrong.append(found)

    training = threading.Lock()
    assert at_once(work) == []
    assert wrong == []
    assert np.array_equal(together.predict(X[:5]), right[-1])
