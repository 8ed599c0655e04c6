"""X of estimators: several inputs, images without an axis of channels, tables with what is missing or no number."""

import copy

import numpy as np
import pytest

from mochac import (
    Adam,
    ConcatLayer,
    ConvolutionLayer,
    DataError,
    EmbeddingLayer,
    FlattenLayer,
    InnerProductLayer,
    LSTMLayer,
    MemoryDataLayer,
    NetClassifier,
    NetRegressor,
    Neurons,
    OptionError,
    PoissonLossLayer,
    PoolingLayer,
    QuantileLossLayer,
)

RNG = np.random.default_rng(3)
A, B = RNG.normal(size=(120, 4)), RNG.normal(size=(120, 3))
Y = (A[:, 0] + B[:, 1] > 0).astype(int)
FAST = {"method": Adam(0.02), "threads": 1}
BOTH = [
    InnerProductLayer(name="left", output_dim=8, neuron=Neurons.ReLU()),
    InnerProductLayer(name="right", output_dim=8, neuron=Neurons.ReLU(), bottoms=["more"]),
    ConcatLayer(name="both", bottoms=["left", "right"]),
]


@pytest.mark.slow
def test_a_dict_of_arrays():
    x = {"first": A, "more": B}
    found = NetClassifier(BOTH, max_epoch=40, **FAST).fit(x, Y)
    assert found.score(x, Y) > 0.95 and found.n_features_in_ == 7
    assert found.predict_proba({"more": B[:2], "first": A[:2]}).shape == (2, 2)
    assert (copy.deepcopy(found).transform(x) == found.transform(x)).all()
    with pytest.raises(
        ValueError, match="X does not have the inputs of NetClassifier\n  expected  first more,  got  data"
    ):
        found.predict(A)
    with pytest.raises(ValueError) as caught:
        found.predict({"first": A, "more": A})
    assert str(caught.value) == "X['more'] does not fit NetClassifier\n  expected  (num, 3),  got  (120, 4)"


@pytest.mark.slow
def test_a_tuple_of_arrays_is_the_same_with_other_names():
    layers = [BOTH[0], BOTH[1].replace(bottoms=["data2"]), BOTH[2]]
    found = NetRegressor(layers, max_epoch=3, **FAST).fit((A, B), A[:, 0])
    named = NetRegressor(BOTH, max_epoch=3, **FAST).fit({"data": A, "more": B}, A[:, 0])
    assert (found.predict((A, B)) == named.predict({"data": A, "more": B})).all()


@pytest.mark.slow
def test_sequences_with_lengths():
    """The class is the first word; what lies behind the length is noise."""
    words, lengths = RNG.integers(1, 20, (200, 6)), RNG.integers(1, 7, 200)
    y = (words[np.arange(200), lengths - 1] > 9).astype(int)
    layers = [
        EmbeddingLayer(name="embedded", vocabulary=20, output_dim=8),
        LSTMLayer(name="lstm", output_dim=16, lengths="length", tops=["all", "end"]),
        FlattenLayer(name="flat", bottoms=["end"]),
    ]
    found = NetClassifier(layers, max_epoch=60, **FAST).fit({"words": words, "length": lengths}, y)
    assert found.score({"words": words, "length": lengths}, y) > 0.9


@pytest.mark.slow
def test_several_inputs_with_weights_validation_and_partial_fit():
    x, weights = {"first": A, "more": B}, np.where(Y, 2.0, 0.0)
    weights[:5] = 1
    found = NetClassifier(BOTH, max_epoch=3, scoring="accuracy", **FAST)
    found.fit(x, Y, weights, validation_data=({"first": A[:9], "more": B[:9]}, Y[:9]))
    assert len(found.validation_scores_) == 3
    stream = NetClassifier(BOTH, batch_size=40, **FAST)
    for _ in range(30):
        stream.partial_fit(x, Y, classes=[0, 1])
    assert stream.score(x, Y) > 0.9


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (
            {"first": A, "more": B[:9]},
            "the arrays of X differ in their number of samples\n  got  {'first': 120, 'more': 9}",
        ),
        ({"first": A, 3: B}, "X is a dict, but not of arrays by their blobs\n  expected  such as {"),
        ({}, "X is a dict, but not of arrays by their blobs"),
        (
            {"first": A, "more": B, "rest": B},
            "no layer reads the input 'rest' of X\n  got  first more rest\n  hint: bottoms=['rest']",
        ),
        (
            {"first": A, "more": B, "label": B},
            "NetClassifier makes a blob 'label' itself\n  hint: give this input of X an",
        ),
        ({"first": A, "more": np.where(B > 1, np.nan, B)}, "Input X['more'] contains NaN.\n  got  columns 0 1 2 in "),
    ],
)
def test_bad_inputs(x, words):
    with pytest.raises(OptionError if "layer reads" in words or "itself" in words else ValueError) as caught:
        NetClassifier(BOTH).fit(x, Y)
    assert words in str(caught.value)


CONV = [
    ConvolutionLayer(name="conv", n_filter=8, kernel=3, neuron=Neurons.ReLU()),
    PoolingLayer(name="pool", kernel=2, stride=2),
]


@pytest.mark.slow
def test_images_without_an_axis_of_channels_have_one_channel(caplog):
    images, y = RNG.normal(size=(60, 8, 8)), np.arange(60) % 2
    flat = NetClassifier(CONV, max_epoch=2, **FAST).fit(images, y)
    assert (
        "X (num, 8, 8) is taken as images of one channel; for signals of 8 channels, give layer 'conv' a kernel of one "
        "axis: kernel=(3,)" in caplog.text
    )
    full = NetClassifier(CONV, max_epoch=2, **FAST).fit(images[:, None], y)
    assert flat.program_.net.blobs["conv"].shape[1:] == (8, 6, 6)
    assert (flat.transform(images) == full.transform(images)).all(), "at prediction, too, whichever was trained with"
    assert (flat.transform(images[:, None]) == full.transform(images)).all()
    online = NetClassifier(CONV, **FAST).partial_fit(images, y, classes=[0, 1]).partial_fit(images, y)
    assert online.program_.net.blobs["conv"].shape[1:] == (8, 6, 6)


@pytest.mark.slow
def test_signals_keep_their_channels():
    y = np.arange(60) % 2
    pair = NetClassifier([CONV[0].replace(kernel=(3, 2))], max_epoch=1, **FAST).fit(RNG.normal(size=(60, 5, 8)), y)
    assert pair.program_.net.blobs["conv"].shape[1:] == (8, 3, 7), "a kernel of two axes"
    signal = NetClassifier([CONV[0].replace(kernel=(3,))], max_epoch=1, **FAST).fit(RNG.normal(size=(60, 8, 8)), y)
    assert signal.program_.net.blobs["conv"].shape[1:] == (8, 6)
    long = NetClassifier(CONV, max_epoch=1, **FAST).fit(RNG.normal(size=(60, 3, 8)), y)
    assert long.program_.net.blobs["conv"].shape[1:] == (8, 6)


RECIPE = "docs/guide/recipes.md, A dirty table"
ENCODER = f"OneHotEncoder(sparse_output=False), by make_column_transformer in a pipeline; {RECIPE}"
IMPUTER = f"SimpleImputer() in a pipeline; {RECIPE}"


def frames():
    pd = pytest.importorskip("pandas")
    return {
        "missing": (
            pd.DataFrame({"age": [1, None, 3, None], "size": [1.0, 2, 3, 4]}),
            "column age in 2 of 4 samples",
            IMPUTER,
        ),
        "nullable": (
            pd.DataFrame({"n": pd.array([1, None, 3, 4], dtype="Int64")}),
            "column n in 1 of 4 samples",
            IMPUTER,
        ),
        "boolean": (
            pd.DataFrame({"b": pd.array([True, None] * 2, dtype="boolean")}),
            "column b in 2 of 4 samples",
            IMPUTER,
        ),
        "text": (
            pd.DataFrame({"a": [1, 2, 3, 4], "city": list("uvuv"), "kind": list("xyxy")}),
            "columns city kind: ",
            ENCODER,
        ),
        "string": (pd.DataFrame({"city": pd.array(list("uvuv"), dtype="string")}), "column city: ", ENCODER),
        "category": (pd.DataFrame({"city": pd.Categorical(list("uvuv"))}), "column city: ", ENCODER),
    }


@pytest.mark.parametrize("kind", ["missing", "nullable", "boolean", "text", "string", "category"])
def test_dirty_tables_are_led_to_the_recipe(kind):
    table, where, hint = frames()[kind]
    with pytest.raises(ValueError) as caught:
        NetClassifier().fit(table, [0, 1, 0, 1])
    if hint == IMPUTER:
        assert str(caught.value) == f"Input X contains NaN.\n  got  {where}\n  hint: {hint}"
    else:
        assert str(caught.value).endswith(f"\n  hint: {where}{hint}")


@pytest.mark.slow
def test_targets_far_from_unit_scale_are_warned_of(caplog):
    prices = 2e5 + 8e4 * A[:, 0]
    NetRegressor(max_epoch=1, **FAST).fit(A, prices)
    assert (
        "NetRegressor: y is far from unit scale (mean 2e+05, standard deviation 8.4e+04), which nets learn badly; "
        "scale it: TransformedTargetRegressor(net, transformer=StandardScaler())" in caplog.text
    )
    caplog.clear()
    NetRegressor(max_epoch=1, **FAST).fit(A, A[:, 0])
    assert caplog.text == ""
    scaled = pytest.importorskip("sklearn.compose").TransformedTargetRegressor
    scaler = pytest.importorskip("sklearn.preprocessing").StandardScaler()
    found = scaled(NetRegressor(max_epoch=40, **FAST), transformer=scaler).fit(A, prices)
    assert found.score(A, prices) > 0.99 and caplog.text == ""


def test_sentences_are_led_to_the_recipe():
    texts = ["a cat sat", "the dog ran off"] * 3
    with pytest.raises(ValueError) as caught:
        NetClassifier().fit(texts, [0, 1] * 3)
    assert str(caught.value).endswith("hint: texts become ids of words: docs/guide/recipes.md, A text classifier")
    with pytest.raises(OptionError) as caught:
        MemoryDataLayer(data=[texts, [0, 1] * 3], batch_size=2)
    assert caught.value.hint == (
        "array 0 holds text; sentences become ids of words: docs/guide/recipes.md, A text classifier"
    )


@pytest.mark.slow
def test_counts_and_quantiles():
    """Means of counts, which predict() gives in their unit, and a share of the labels below the prediction."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, (3000, 2))
    mean = np.exp(1 + x[:, 0])
    found = NetRegressor(loss=PoissonLossLayer, max_epoch=20, **FAST).fit(x, rng.poisson(mean))
    assert np.abs(found.predict(x) / mean - 1).mean() < 0.05 and found.transform(x).max() < 2.2
    assert found.score(x, mean) > 0.95
    noisy = x[:, 0] + rng.normal(size=3000)
    for quantile in (0.1, 0.8):
        high = NetRegressor(loss=QuantileLossLayer(quantile=quantile), max_epoch=20, **FAST).fit(x, noisy)
        assert abs((noisy < high.predict(x)).mean() - quantile) < 0.03
    with pytest.raises(DataError, match="label out of range\n  expected  label >= 0,  got  -1"):
        NetRegressor(loss=PoissonLossLayer, max_epoch=1, **FAST).fit(x, -np.ones(3000))


def test_reprs_show_what_was_given():
    net = NetClassifier([InnerProductLayer(name="h", output_dim=3)], method=Adam(0.01), max_epoch=5)
    assert repr(net) == (
        "NetClassifier(layers=[InnerProductLayer(name='h', output_dim=3)], "
        "method=Adam(lr_policy=LRPolicy.Fixed(base_lr=0.01)), max_epoch=5)"
    )
    assert repr(InnerProductLayer(name="h", output_dim=3, bottoms=["x"], tops=["y"])) == (
        "InnerProductLayer(name='h', bottoms=('x',), tops=('y',), output_dim=3)"
    )
    shown = net._repr_html_()
    assert "max_epoch" in shown and "batch_size" not in shown
