"""scikit-learn's own checks, and its pipelines, searches and ensembles around mochac's estimators."""

import subprocess
import sys

import numpy as np
import pytest
from patience import HANG_S

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
WHOLE = {"batch_size": 1000, "validation_split": 0.0, "dtype": "float64", "threads": 1, "log_interval": 1000}
"""Batches of all samples: only then are weights the same as repetitions, which one of the checks requires."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        pytest.param(lambda: NetClassifier([HIDDEN], method=Adam(0.05), max_epoch=60, **WHOLE), id="softmax"),
        pytest.param(
            lambda: NetClassifier(loss=BinaryCrossEntropyLossLayer, method=Adam(0.05), max_epoch=100, **WHOLE),
            id="cross-entropy",
            marks=pytest.mark.soak,
        ),
        pytest.param(lambda: NetRegressor(method=Adam(0.05), max_epoch=300, **WHOLE), id="regressor"),
    ],
)
def test_scikit_learns_checks(estimator):
    """All pass, and none warns. Making an estimator loads scikit-learn, which collection need not do."""
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    results = checks.check_estimator(estimator(), on_fail=None, on_skip=None)
    failed = [f"{r['check_name']}: {r['exception']!r}" for r in results if r["status"] == "failed"]
    assert failed == []
    assert len([r for r in results if r["status"] == "passed"]) > 60


def test_they_are_scikit_learns_own():
    base = pytest.importorskip("sklearn.base")
    from sklearn.utils import get_tags

    assert base.is_classifier(NetClassifier()) and base.is_regressor(NetRegressor())  # made, they load scikit-learn
    assert issubclass(NetClassifier, base.ClassifierMixin) and issubclass(NetRegressor, base.RegressorMixin)
    assert get_tags(NetClassifier()).classifier_tags.multi_label
    assert get_tags(NetRegressor()).target_tags.multi_output
    assert "NetClassifier" in NetClassifier()._repr_html_()


@pytest.mark.parametrize("estimator", [NetClassifier, NetRegressor])
@pytest.mark.parametrize(
    "check",
    [
        "check_set_output_transform",
        "check_global_output_transform_pandas",
        "check_transformer_get_feature_names_out",
        "check_transformer_get_feature_names_out_pandas",
    ],
)
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:X (has|does not have valid) feature names")  # these checks mix both on purpose
def test_transform_makes_data_frames(estimator, check):
    """Checks of scikit-learn that check_estimator leaves out."""
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    pytest.importorskip("pandas")
    getattr(checks, check)(estimator.__name__, estimator(max_epoch=1, threads=1))


def test_a_pipeline_of_data_frames():
    pytest.importorskip("sklearn")
    pandas = pytest.importorskip("pandas")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x = pandas.DataFrame(np.random.default_rng(0).normal(size=(20, 2)), columns=["a", "b"])
    pipeline = make_pipeline(StandardScaler(), NetClassifier(max_epoch=1, threads=1)).set_output(transform="pandas")
    assert list(pipeline.fit(x, x["a"] > 0).transform(x)) == ["netclassifier0", "netclassifier1"]


@pytest.mark.slow
def test_weights_pass_through_searches_and_pipelines(tmp_path):
    pytest.importorskip("sklearn")
    import joblib
    from sklearn import config_context
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(0)
    x = rng.normal(size=(90, 3))
    y, weights = (x[:, 0] > 0).astype(int), rng.uniform(0.5, 2, 90)
    plain = make_pipeline(StandardScaler(), NetClassifier([HIDDEN], **QUICK))
    plain.fit(x, y, netclassifier__sample_weight=weights)
    joblib.dump(plain, tmp_path / "net.joblib")
    np.testing.assert_array_equal(joblib.load(tmp_path / "net.joblib").predict_proba(x), plain.predict_proba(x))
    with config_context(enable_metadata_routing=True):
        net = NetClassifier([HIDDEN], **QUICK).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        search = GridSearchCV(make_pipeline(scaler, net), {"netclassifier__regu_coef": [0.0, 0.01]}, cv=2)
        assert search.fit(x, y, sample_weight=weights).best_score_ > 0.7


@pytest.mark.slow
def test_pipelines_searches_and_ensembles():
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.datasets import load_iris
    from sklearn.ensemble import BaggingClassifier
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = load_iris(return_X_y=True)
    net = NetClassifier([HIDDEN], **QUICK)
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
        "assert net.fit(x, x.astype(int), np.ones(32)).score(x, x) == 1.0\n"
        "assert NetClassifier().partial_fit(x, x[:, 0].astype(int), [0, 1]).n_iter_ == 1\n"
        "assert NetRegressor(max_epoch=100).fit(x, x[:, 0]).score(x, x[:, 0]) > 0.5\n"
        "try: NetClassifier().predict(x)\n"
        "except ValueError as error: assert 'not fitted yet' in str(error)\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=HANG_S)


@pytest.mark.slow
def test_a_parameter_of_the_method_is_searched():
    search = pytest.importorskip("sklearn.model_selection").GridSearchCV
    x = np.random.default_rng(0).normal(size=(60, 3))
    y = (x[:, 0] > 0).astype(int)
    rates = [LRPolicy.Fixed(0.0), LRPolicy.Fixed(0.05)]
    model = NetClassifier([HIDDEN], **QUICK)
    found = search(model, {"method__lr_policy": rates}, cv=2).fit(x, y)
    assert found.best_params_ == {"method__lr_policy": rates[1]} and found.best_estimator_.method.lr_policy == rates[1]
    assert model.method.lr_policy == LRPolicy.Fixed(0.02)
    assert "method__lr_policy" in model.get_params() and "method__lr_policy" not in model.get_params(deep=False)
    with pytest.raises(ValueError, match="no parameter threads__lr\n  hint: 'threads' has none of its own"):
        model.set_params(threads__lr=1)
    with pytest.raises(ValueError, match="no parameter method__rate\n  hint: method__ one of: maximize, lr_policy"):
        model.set_params(method__rate=1)


@pytest.mark.slow
def test_stacking_reads_the_names_of_methods():
    ensemble = pytest.importorskip("sklearn.ensemble")
    x = np.random.default_rng(0).normal(size=(60, 3))
    y = (x[:, 0] > 0).astype(int)
    stack = ensemble.StackingClassifier([("net", NetClassifier([HIDDEN], **QUICK))], cv=2).fit(x, y)
    assert stack.score(x, y) > 0.8


def test_layers_are_shown_by_what_was_given():
    text = repr(NetClassifier([HIDDEN], method=Adam(0.02)))
    assert "output_dim=16, neuron=ReLU(epsilon=0.0))]" in text and len(text) < 300


@pytest.mark.slow
def test_scikit_learn_is_loaded_when_an_estimator_is_made():
    """Not before; from then on estimators, made before or after, and derived classes have its base classes."""
    code = """
import sys
from mochac import *
class Mine(NetClassifier):
    pass
assert not [name for name in sys.modules if name.startswith(("sklearn", "scipy"))]
first = Mine()
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
for made in (first, NetClassifier(), clone(first)):
    assert isinstance(made, BaseEstimator) and isinstance(made, ClassifierMixin)
    assert not isinstance(made, RegressorMixin) and callable(made.set_fit_request)
assert isinstance(NetRegressor(), RegressorMixin)
print("well")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "well\n", done.stderr
