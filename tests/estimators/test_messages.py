"""What estimators refuse: parameters, layers, losses, X and y; all before anything is compiled."""

import numpy as np
import pytest

from mochac import (
    BinaryCrossEntropyLossLayer,
    DataError,
    ElementWiseLayer,
    HingeLossLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Model,
    Net,
    NetClassifier,
    NetError,
    NetRegressor,
    OptionError,
    ShapeError,
    SoftmaxLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
    WassersteinLossLayer,
)

X, Y = np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 0, 1]


def ip(**kw):
    return InnerProductLayer(**{"name": "ip", "output_dim": 3, **kw})


class Sparse:
    tocsr = None


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"batch_size": 0}, "NetClassifier: batch_size is out of range\n  expected  an integer >= 1,  got  0"),
        ({"max_epoch": 1.5}, "NetClassifier: max_epoch is out of range\n  expected  an integer >= 1,  got  1.5"),
        ({"log_interval": True}, "NetClassifier: log_interval is out of range"),
        (
            {"validation_split": 1.0},
            "validation_split is out of range\n  expected  a finite number >= 0 and < 1,  got  1.0",
        ),
        ({"verbose": -1}, "verbose is out of range"),
        ({"seed": -1}, "seed is out of range"),
        ({"dtype": "float16"}, "dtype is out of range"),
        ({"regu_coef": -1.0}, "regu_coef is out of range"),
        ({"regu_coef": "a"}, "NetClassifier: regu_coef is out of range\n  expected  a finite number >= 0,  got  'a'"),
        (
            {"method": "adam"},
            "NetClassifier: not a solver method\n  expected  SGD(...) or another method,  got  'adam'\n  hint: write "
            "Adam()",
        ),
        (
            {"layers": [ip(name="output")]},
            "layer 'output' (InnerProduct): NetClassifier adds a layer of this name itself\n  hint: give yours another",
        ),
        ({"layers": [ip(name="input")]}, "NetClassifier adds a layer of this name itself"),
        (
            {"layers": [ip(name="data")]},
            "layer 'data' (InnerProduct): NetClassifier makes a blob 'data' itself\n  hint",
        ),
        (
            {"layers": [ip(name="h"), ip(name="h")]},
            "layer 'h' (InnerProduct): another layer has this name\n  hint: give each its own",
        ),
        ({"layers": ip()}, "NetClassifier: layers are not a list"),
        (
            {"layers": [InnerProductLayer]},
            "element 0 of layers is a class\n  got  InnerProductLayer\n  hint: write Inn",
        ),
        ({"layers": [ip(), 3]}, "element 1 of layers is not a layer\n  got  3"),
        (
            {"layers": [MemoryDataLayer(data=[X, Y], batch_size=2)]},
            "NetClassifier needs no data layer: pass the data to",
        ),
        (
            {"layers": [ElementWiseLayer(name="sum")]},
            "needs several bottoms, which a chain cannot guess\n  hint: give b",
        ),
        ({"layers": [SoftmaxLayer()]}, "needs the layer before the softmax\n  hint: leave out the SoftmaxLayer"),
        ({"loss": SquareLossLayer}, "cannot train with this loss\n  expected  SoftmaxLossLayer, Multi"),
        ({"loss": "SoftmaxLoss"}, "hint: did you mean SoftmaxLossLayer?"),
        ({"loss": "bce"}, "hint: did you mean BinaryCrossEntropyLossLayer(logits=True)?"),
        (
            {"loss": SoftmaxLossLayer(bottoms=["a", "b"])},
            "an estimator wires its loss itself\n  hint: leave out bottoms",
        ),
        ({"loss": WassersteinLossLayer}, "field 'M' must be given"),
    ],
)
def test_parameters(parameters, words):
    with pytest.raises(OptionError) as caught:
        NetClassifier(**parameters).fit(X, Y)
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError) or "field" in words  # of a layer, which scikit-learn does not know


@pytest.mark.slow
def test_the_output_layer_may_be_the_users():
    found = NetClassifier([ip(name="output", output_dim=2)], max_epoch=1, threads=1).fit(X, Y)
    assert [layer.name for layer in found.program_.net.layers] == ["input", "output"]


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (X[0], Y, "Expected 2D array, got 1D array instead\n  got  shape (2,)\n  hint: Reshape your data"),
        (X[:0], [], "Found array with 0 sample(s) (shape=(0, 2)) while a minimum of 1 is required."),
        (X[:, :0], Y, "0 feature(s) (shape=(6, 0)) while a minimum of 1 is required."),
        (X * 1j, Y, "Complex data not supported: X is complex"),
        (np.where(X > 5, np.nan, X), Y, "Input X contains NaN."),
        (X * 1e300, Y, "Input X contains infinity or a value too large for dtype('float32')."),
        ([["a", "b"]] * 6, Y, "X does not hold numbers\n  got  could not convert string to float"),
        ([["a", "b"]] * 6, Y, "hint: columns of text: OneHotEncoder(sparse_output=False)"),
        ([[{}, 1]] * 6, Y, "X does not hold numbers\n  got  float() argument must be a string or a real number"),
        (Sparse(), Y, "X is a sparse matrix; sparse input is not supported\n  hint: X.toarray()"),
        (X, None, "NetClassifier requires y to be passed, but the target y is None"),
        (X, Sparse(), "y is a sparse matrix"),
        (X, Y[:3], "Found input variables with inconsistent numbers of samples: [6, 3]"),
        (
            X,
            np.full((6, 6), 2),
            "y should be a 1d array of labels\n  got  an array of shape (6, 6)\n  hint: one-hot rows: y.arg",
        ),
        (X, np.arange(6) / 2, "Unknown label type: continuous. Labels are classes, not measurements."),
        (X, [0, 1, 0, 1, 0, np.inf], "Input y contains infinity"),
        (X, np.array([0, "a", 4, 1, 2, 3], object), "y holds labels of several types"),
        (
            X,
            np.array(["a", None, "b", np.nan, "a", "b"], object),
            "y has 2 missing labels\n  got  None at sample 1\n  hint: leave these samples out",
        ),
        (
            X.astype("datetime64[D]"),
            Y,
            "X holds dates\n  got  datetime64[D]\n  hint: in days: (X - X.min()) / np.timedelta64(1, 'D')",
        ),
        (
            X.astype("timedelta64[h]"),
            Y,
            "X holds durations\n  got  timedelta64[h]\n  hint: in days: X / np.timedelta64(1, 'D')",
        ),
        (
            np.ma.array(X, mask=X > 5),
            Y,
            "X is not an array of numbers\n  got  it has 6 masked elements; fill them, such as a.filled(0)",
        ),
        (
            X,
            np.ma.array(Y, mask=Y),
            "y is not an array\n  got  it has 3 masked elements; fill them, such as a.filled(0)",
        ),
        (X, [[0], [1, 2], 0, 0, 0, 0], "y is not an array\n  got  setting an array element"),
    ],
)
def test_classifiers_data(x, y, words):
    with pytest.raises(ValueError) as caught:
        NetClassifier().fit(x, y)
    assert isinstance(caught.value, DataError) and words in str(caught.value)


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (["a"] * 6, "could not convert string to float: np.str_('a')\n  hint: labels are for NetClassifier"),
        (np.zeros((6, 2, 2)), "y should be a 1d or 2d array of values"),
        ([1, 2, 3, 4, 5, np.nan], "Input y contains NaN.\n  got  in 1 of 6 samples"),
        ([1, 2, 3, 4, 5, 1e300], "Input y contains infinity or a value too large for dtype('float32')."),
        (
            np.arange(6).astype("datetime64[D]"),
            "y holds dates\n  got  datetime64[D]\n  hint: in days: (y - y.min()) / np",
        ),
        ([1, 2], "inconsistent numbers of samples: [6, 2]"),
    ],
)
def test_regressors_data(y, words):
    with pytest.raises(ValueError) as caught:
        NetRegressor().fit(X, y)
    assert isinstance(caught.value, DataError) and words in str(caught.value)


class Frame:
    """A data frame, as far as estimators look at it."""

    columns = ("size", "when", "end")

    def __init__(self, rows):
        self.dtypes = [np.dtype(float), np.dtype("datetime64[ns]"), np.dtype("datetime64[ns]")]
        self.rows = np.array([[1.0, object(), object()]] * rows)

    def __array__(self, dtype=None, copy=None):
        return self.rows


def test_columns_of_dates_are_named():
    with pytest.raises(DataError) as caught:
        NetClassifier().fit(Frame(6), Y)
    assert str(caught.value) == (
        "X holds dates\n  got  columns when end\n"
        "  hint: in days: (X['when'] - X['when'].min()) / np.timedelta64(1, 'D')"
    )


def test_numbers_that_are_none_are_a_type_error_too():
    with pytest.raises(TypeError):
        NetClassifier().fit([[{}]], [0])


def test_unknown_parameters():
    with pytest.raises(ValueError) as caught:
        NetClassifier().set_params(batchsize=3)
    assert str(caught.value) == (
        "Invalid parameter 'batchsize' for estimator NetClassifier\n  hint: did you mean 'batch_size'?"
    )
    with pytest.raises(OptionError, match="Invalid parameter 'epochs' for estimator NetClassifier"):
        NetClassifier(epochs=3)


@pytest.mark.parametrize("method", ["predict", "transform", "decision_function", "predict_proba", "program_"])
def test_before_fit(method):
    with pytest.raises(OptionError) as caught:
        getattr(NetClassifier(), method)(X)
    assert str(caught.value) == "this NetClassifier is not fitted yet\n  hint: call fit(X, y) first"


def test_a_hinge_has_no_probabilities():
    with pytest.raises(AttributeError, match="NetClassifier has no predict_proba with HingeLossLayer"):
        NetClassifier(loss=HingeLossLayer).predict_proba  # noqa: B018
    assert hasattr(NetClassifier(loss=BinaryCrossEntropyLossLayer), "predict_proba")


def test_faults_of_the_layers_name_the_users_line():
    with pytest.raises(ShapeError, match=r"test_messages.py:\d+"):
        NetClassifier([ip(), SoftmaxLayer(name="s", axis=3), ip(name="x")]).fit(X, Y)
    with pytest.raises(NetError, match="no layer produces bottom 'nowhere'"):
        NetClassifier([ip(bottoms=["nowhere"])]).fit(X, Y)


def test_a_net_wants_bottoms():
    data = MemoryDataLayer(data=[X, Y], batch_size=2)
    with pytest.raises(OptionError) as caught:
        Net("n", [data, ip()])
    assert "layer 'ip' (InnerProduct): wrong number of bottoms\n  expected  1 or more bottoms,  got  0" in str(
        caught.value
    )
    open_layer = ip()
    assert open_layer.is_open and open_layer.replace(name="b").is_open
    assert open_layer.replace(name="b").tops == ("b",)
    assert not open_layer.replace(bottoms=["data"]).is_open


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: Model(metrics=["acuracy"]),
            "no such metric\n  expected  loss or accuracy,  got  'acuracy'\n  hint: did",
        ),
        (lambda: Model(loss=WassersteinLossLayer(M=np.eye(2), lambda_=1.0)).compile(), "Model cannot train with this"),
        (lambda: Model(layers=[3]).compile(), "Model: element 0 of layers is not a layer"),
        (lambda: Model().transform(X), "this Model is not fitted yet"),
    ],
)
def test_model(make, words):
    with pytest.raises(OptionError) as caught:
        make()
    assert words in str(caught.value)
