"""scikit-learn's own checks, and its pipelines, searches and ensembles around mochac's estimators."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from mochac import (
    Adam,
    BinaryCrossEntropyLossLayer,
    InnerProductLayer,
    LRPolicy,
    NetClassifier,
    NetRegressor,
    Neurons,
)

HIDDEN = InnerProductLayer(name="hidden", output_dim=16, neuron=Neurons.ReLU())
QUICK = {"method": Adam(lr_policy=LRPolicy.Fixed(0.02)), "max_epoch": 40, "batch_size": 16, "threads": 1}
EXPECTED_FAILURES: dict[str, str] = {}
"""Checks that need not pass, with the reason; the issue allows five."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        pytest.param(NetClassifier([HIDDEN], log_interval=100, **QUICK), id="softmax"),
        pytest.param(
            NetClassifier(loss=BinaryCrossEntropyLossLayer, log_interval=100, **QUICK),
            id="cross-entropy",
            marks=pytest.mark.soak,
        ),
        pytest.param(NetRegressor(log_interval=100, threads=1), id="regressor"),
    ],
)
def test_scikit_learns_checks(estimator):
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it does not derive from BaseEstimator; loss curves of tiny data
        results = checks.check_estimator(estimator, expected_failed_checks=EXPECTED_FAILURES, on_fail=None)
    failed = [f"{r['check_name']}: {r['exception']!r}" for r in results if r["status"] == "failed"]
    assert failed == []
    assert len([r for r in results if r["status"] == "passed"]) > 50
    assert len([r for r in results if r["status"] == "xfail"]) == len(EXPECTED_FAILURES) <= 5


@pytest.mark.slow
def test_pipelines_searches_and_ensembles():
    pytest.importorskip("sklearn")
    from sklearn.base import clone, is_classifier, is_regressor
    from sklearn.datasets import load_iris
    from sklearn.ensemble import BaggingClassifier
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = load_iris(return_X_y=True)
    net = NetClassifier([HIDDEN], **QUICK)
    assert is_classifier(net) and is_regressor(NetRegressor())
    pipeline = make_pipeline(StandardScaler(), net)
    assert cross_val_score(pipeline, x, y, cv=3, error_score="raise").mean() > 0.85
    grid = {"netclassifier__layers": [[], [HIDDEN]], "netclassifier__validation_split": [0.0, 0.2]}
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(x, y)
    assert search.score(x, y) > 0.9 and len(search.cv_results_["params"]) == 4
    bag = BaggingClassifier(clone(net).set_params(max_epoch=5), n_estimators=3, random_state=0).fit(x, y)
    weights = [e.program_.params["hidden"]["weight"][...] for e in bag.estimators_]
    assert not np.array_equal(weights[0], weights[1]), "scikit-learn's random_state reaches the seeds"


@pytest.mark.slow
def test_everything_works_without_scikit_learn():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import numpy as np; from mochac import *\n"
        "x = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]] * 8)\n"
        "net = NetClassifier(validation_split=0, max_epoch=300).fit(x, x[:, 0].astype(int))\n"
        "assert net.score(x, x[:, 0]) == 1.0\n"
        "assert NetRegressor(max_epoch=100).fit(x, x[:, 0]).score(x, x[:, 0]) > 0.5\n"
        "try: NetClassifier().predict(x)\n"
        "except ValueError as error: assert 'not fitted yet' in str(error)\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=300)
