"""A perceptron of scikit-learn, converted by skl2onnx: the same probabilities."""

import numpy as np
import pytest

import mochac
from mochac.formats.onnx.loading import converted, net_of


@pytest.mark.slow
def test_the_probabilities_of_a_perceptron():
    skl2onnx = pytest.importorskip("skl2onnx")  # loads scikit-learn
    from sklearn.neural_network import MLPClassifier

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 6)).astype(np.float32), rng.integers(0, 3, 200)
    model = MLPClassifier((16, 8), max_iter=1000, tol=0.5, random_state=0).fit(X, y)
    made = skl2onnx.to_onnx(model, X[:1], options={"zipmap": False})
    loaded = converted(made, "m.onnx", outputs=["probabilities"])
    with mochac.compile(net_of(loaded, "m.onnx"), threads=1) as program:
        for name, array in program.parameters().items():
            array[...] = loaded.arrays[name].reshape(array.shape)
        np.testing.assert_allclose(program.predict(X), model.predict_proba(X), rtol=1e-4, atol=1e-5)
