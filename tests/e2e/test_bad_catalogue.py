"""Distinct mistakes with the wiring, shapes, types and values of the catalogue's layers: what the user reads.

Each names the layer, the blob or file in question and the line that made the layer; where there is a remedy, the hint.
"""

import numpy as np
import pytest
from message_kit import assert_mistake, refused

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    ArgmaxLayer,
    AttentionLayer,
    BatchNormLayer,
    BinaryCrossEntropyLossLayer,
    ConcatLayer,
    ConvolutionLayer,
    CropLayer,
    DropoutLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    EmbeddingLayer,
    FlattenLayer,
    FocalLossLayer,
    GroupNormLayer,
    GRULayer,
    IdentityLayer,
    Index2OnehotLayer,
    InnerProductLayer,
    InstanceNormLayer,
    L2Cons,
    LayerNormLayer,
    LRNLayer,
    LRNMode,
    LSTMLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    MultiHeadAttentionLayer,
    MultinomialLogisticLossLayer,
    Net,
    OrthogonalInitializer,
    ParameterLayer,
    PoolingLayer,
    PowerLayer,
    PythonDataLayer,
    RandomNormalLayer,
    ReshapeLayer,
    Rotary,
    SoftmaxLayer,
    SoftmaxLossLayer,
    SplitLayer,
    SquareLossLayer,
    TiedInnerProductLayer,
    WassersteinLossLayer,
    XavierInitializer,
)

X, Y = np.random.default_rng(0).standard_normal((20, 1, 6, 6)), np.arange(20) % 3


def data(**fields):
    return MemoryDataLayer(**{"name": "data", "data": [X, Y], "batch_size": 4, **fields})


def net(*more, source=None):
    """A net that works, and more layers."""
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    return Net("n", [source or data(), ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]), *more])


STEPS = np.random.default_rng(1).standard_normal((20, 5, 6))
IDS, NUMBERS = np.arange(100).reshape(20, 5) % 7, np.arange(20)[::-1] % 9
SEQUENCES = {"x": STEPS, "mask": np.ones((20, 4)), "ids": IDS, "n": NUMBERS}


def sequences(*more, **fields):
    """Sequences of 5 steps with 6 features, with ids and numbers of steps; and layers."""
    source = MemoryDataLayer(name="seq", data=list(SEQUENCES.values()), tops=list(SEQUENCES), batch_size=4, **fields)
    return Net("s", [source, *more])


def trained(net):
    """One step of a net of sequences."""
    return mochac.compile(net).train(SGD(), max_iter=1, verbose=0)


ONE = InnerProductLayer(name="ip", output_dim=1, bottoms=["data"])


class Lengths:
    """Sequences of 3 steps and of 4."""

    def __len__(self):
        return 8

    def __getitem__(self, k):
        return np.ones((3 + k % 2, 6)), k


def ends(blob):
    """Layers that make a loss of a blob."""
    ip = InnerProductLayer(name="ip", output_dim=1, bottoms=[blob])
    return ip, SquareLossLayer(name="loss", bottoms=["ip", "n"])


MISTAKES = {
    # -- wrong order, wrong wiring
    "a collector before its blob's maker misspelt": (
        lambda: net(MemoryOutputLayer(name="out", bottoms=["ipp"])),
        "NetError",
        "out",
        ["no layer produces bottom 'ipp'", "blobs: data ip label", "did you mean 'ip'?"],
    ),
    "a loss as a label": (
        lambda: net(SquareLossLayer(name="sq", bottoms=["ip", "loss"])),
        "NetError",
        "sq",
        ["no layer produces bottom 'loss'"],
    ),
    "pred and label the wrong way round": (
        lambda: net(SoftmaxLossLayer(name="swap", bottoms=["label", "ip"])),
        "ShapeError",
        "swap",
        ["labels must be one class index per position", "bottom 'ip': f32[4,3]"],
    ),
    "the difference of three branches": (
        lambda: ElementWiseLayer(name="sum", bottoms=["a", "b", "c"], operation=ElementWiseFunctors.Subtract()),
        "OptionError",
        "sum",
        ["wrong number of bottoms", "expected  2 bottoms for Subtract,  got  3"],
    ),
    "a table beside samples": (
        lambda: sequences(ParameterLayer(name="P", shape=(5, 6)), ElementWiseLayer(name="sum", bottoms=["x", "P"])),
        "ShapeError",
        "sum",
        ["bottoms differ in shape", "hint: BiasLayer(num_axes=2, shift='P', bottoms=['x']) takes 'P' for every sample"],
    ),
    "factors in front of samples": (
        lambda: sequences(
            ParameterLayer(name="P", shape=(5, 6)),
            ElementWiseLayer(name="mul", operation=ElementWiseFunctors.Multiply(), bottoms=["P", "x"]),
        ),
        "ShapeError",
        "mul",
        ["hint: ScaleLayer(num_axes=2, scale='P', bottoms=['x']) takes 'P' for every sample"],
    ),
    "signs for probabilities": (
        lambda: trained(
            Net(
                "signs",
                [
                    MemoryDataLayer(name="signs", data=[X, np.where(Y > 0, 1, -1)], batch_size=4),
                    InnerProductLayer(name="ip", output_dim=1, bottoms=["data"]),
                    BinaryCrossEntropyLossLayer(name="bce", logits=True, bottoms=["ip", "label"]),
                ],
            )
        ),
        "DataError",
        "signs",
        ["label out of range", "got  -1", "hint: (label + 1) / 2 turns -1 and 1 into 0 and 1"],
    ),
    "one output for two classes": (
        lambda: trained(
            Net("one", [data(), ONE, FocalLossLayer(name="loss", bottoms=["ip", "label"])]),
        ),
        "DataError",
        "data",
        ["expected  0 <= label < 1", "hint: one output is one class: BinaryCrossEntropyLossLayer(logits=True), or"],
    ),
    "samples of different lengths": (
        lambda: trained(
            Net("lengths", [PythonDataLayer(name="made", make=Lengths, batch_size=4, tops=["x", "n"]), *ends("x")])
        ),
        "DataError",
        "made",
        ["'x' has another shape", "expected  (3, 6),  got  (4, 6)", "hint: pad the sequences to one length"],
    ),
    "axes of what a recurrent layer reads later": (
        lambda: sequences(
            LayerNormLayer(name="norm", axes=(3,), bottoms=["x"]), GRULayer(name="gru", output_dim=2, bottoms=["x"])
        ),
        "ShapeError",
        "norm",
        ["axis 3 is not an axis", "bottom 'x': f32[4,5,6] (batch, time, features)"],
    ),
    "axes that may be either": (
        lambda: sequences(LayerNormLayer(name="norm", axes=(3,), bottoms=["x"])),
        "ShapeError",
        "norm",
        ["bottom 'x': f32[4,5,6] (batch, channels, length, or batch, time, features)"],
    ),
    "axes of what a convolution reads": (
        lambda: sequences(ConvolutionLayer(name="conv", n_filter=4, n_group=2, kernel=9, bottoms=["x"])),
        "ShapeError",
        "conv",
        ["bottom 'x': f32[4,5,6] (batch, channels, length), from"],
    ),
    "one branch to concatenate": (
        lambda: ConcatLayer(name="cat", bottoms=["a"]),
        "OptionError",
        "cat",
        ["expected  2 or more bottoms,  got  1"],
    ),
    "a split without tops": (
        lambda: SplitLayer(name="fork", bottoms=["ip"]),
        "OptionError",
        "fork",
        ["field 'tops' must be given"],
    ),
    "a decoder before its encoder has a name": (
        lambda: net(TiedInnerProductLayer(name="dec", tied_param_key="ipp", bottoms=["ip"])),
        "NetError",
        "dec",
        ["no layer of this net has parameters under the key 'ipp'", "did you mean 'ip'?"],
    ),
    "a decoder tied to itself": (
        lambda: net(TiedInnerProductLayer(name="dec", tied_param_key="dec", bottoms=["ip"])),
        "NetError",
        "dec",
        ["no layer of this net has parameters under the key 'dec'", "keys: ip"],
    ),
    "a decoder of a convolution": (
        lambda: net(
            ConvolutionLayer(name="c", bottoms=["data"]),
            TiedInnerProductLayer(name="dec", tied_param_key="c", bottoms=["ip"]),
        ),
        "ShapeError",
        "dec",
        ["the parameters under the key 'c' have no weight", "bottom 'ip': f32[4,3]"],
    ),
    "a decoder of the wrong width": (
        lambda: net(TiedInnerProductLayer(name="dec", tied_param_key="ip", bottoms=["data"])),
        "ShapeError",
        "dec",
        ["does not fit the weight of 'ip'", "expected  3 features,  got  36", "bottom 'data'"],
    ),
    # -- wrong shapes
    "branches of different length": (
        lambda: net(ElementWiseLayer(name="sum", bottoms=["ip", "label"])),
        "ShapeError",
        "sum",
        ["bottoms differ in shape", "(4, 3),  got  (4, 1)", "bottom 'ip'", "bottom 'label'"],
    ),
    "images beside features": (
        lambda: net(ConcatLayer(name="cat", bottoms=["data", "ip"])),
        "ShapeError",
        "cat",
        ["bottoms may differ along axis 1 only", "bottom 'ip': f32[4,3]"],
    ),
    "a crop larger than the image": (
        lambda: net(CropLayer(name="crop", crop_size=(7, 3), bottoms=["data"])),
        "ShapeError",
        "crop",
        ["crop_size is larger than its input", "at most (6, 6)", "got  (7, 3)", "bottom 'data'"],
    ),
    "a crop of features": (
        lambda: net(CropLayer(name="crop", crop_size=2, bottoms=["ip"])),
        "ShapeError",
        "crop",
        ["crops images", "bottom 'ip': f32[4,3]"],
    ),
    "within channels of features": (
        lambda: net(LRNLayer(name="norm", mode=LRNMode.WithinChannel(), bottoms=["ip"])),
        "ShapeError",
        "norm",
        ["normalization within channels needs images", "bottom 'ip'"],
    ),
    "an axis that is not there": (
        lambda: net(ArgmaxLayer(name="best", axis=2, bottoms=["ip"])),
        "ShapeError",
        "best",
        ["axis 2 is not an axis of its input", "1 <= axis < 2", "bottom 'ip'"],
    ),
    "the batch as an axis": (
        lambda: ArgmaxLayer(name="best", axis=0, bottoms=["ip"]),
        "OptionError",
        "best",
        ["axis is out of range", "axis 0 is the batch; axis 1 is the channels"],
    ),
    "more axes than there are": (
        lambda: net(FlattenLayer(name="flat", outdim=4, bottoms=["ip"])),
        "ShapeError",
        "flat",
        ["cannot flatten to more axes than there are", "4 or more axes", "bottom 'ip'"],
    ),
    "features that do not divide": (
        lambda: net(ReshapeLayer(name="fold", shape=(2, 2), bottoms=["ip"])),
        "ShapeError",
        "fold",
        ["shape does not fit its input", "expected  3 features,  got  2 * 2 = 4", "bottom 'ip'"],
    ),
    "one-hot of what is no label": (
        lambda: net(Index2OnehotLayer(name="hot", n_class=3, bottoms=["ip"])),
        "ShapeError",
        "hot",
        ["bottom 'ip': f32[4,3]"],
    ),
    "targets of another size": (
        lambda: net(BinaryCrossEntropyLossLayer(name="bce", bottoms=["ip", "label"])),
        "ShapeError",
        "bce",
        ["pred and label differ in size", "label with 3 features", "got  1", "bottom 'label'"],
    ),
    "a cost matrix of another size": (
        lambda: net(WassersteinLossLayer(name="w", M=np.eye(2), lambda_=1, bottoms=["ip", "ip"])),
        "ShapeError",
        "w",
        ["M needs a row per feature of pred", "(3, 3)", "(2, 2)", "bottom 'ip'"],
    ),
    "weights of too few classes": (
        lambda: net(SoftmaxLossLayer(name="l2", weights=[1, 2], bottoms=["ip", "label"])),
        "ShapeError",
        "l2",
        ["weights do not fit the prediction", "(3,)", "got  (2,)", "bottom 'ip'"],
    ),
    "weights that sum to nothing": (
        lambda: net(MultinomialLogisticLossLayer(name="l2", weights=[0, 0, 0], bottoms=["ip", "label"])),
        "ShapeError",
        "l2",
        ["sum to 0", 'normalize="no" uses them as they are'],
    ),
    # -- sequences and normalization
    "a mask of another length": (
        lambda: sequences(MultiHeadAttentionLayer(name="att", heads=2, mask="mask", bottoms=["x"])),
        "ShapeError",
        "att",
        [
            "mask does not fit the scores",
            "expected  (batch, heads, time of queries, time of keys): (4, 2, 5, 5); any of these may be left out or 1",
            "got  (4, 4)",
            "bottom 'x': f32[4,5,6] (batch, time, features)",
            "mask 'mask': f32[4,4], from layer 'seq'",
        ],
    ),
    "a mask that is a parameter": (
        lambda: sequences(
            ParameterLayer(name="P", shape=(4, 5)), AttentionLayer(name="att", mask="P", bottoms=["x", "x", "x"])
        ),
        "ShapeError",
        "att",
        ["mask does not fit the scores", "(4, 1, 5, 5)", "got  (4, 5)", "mask 'P': f32[4,5], from layer 'P'"],
    ),
    "heads that do not divide the features": (
        lambda: sequences(MultiHeadAttentionLayer(name="att", heads=4, bottoms=["x"])),
        "ShapeError",
        "att",
        ["expected  a multiple of 4,  got  6", "hint: heads that divide 6: 1, 2, 3, 6"],
    ),
    "heads that do not divide a third of the features": (
        lambda: sequences(AttentionLayer(name="att", heads=4, bottoms=["x"])),
        "ShapeError",
        "att",
        ["expected  a multiple of 4,  got  6 / 3 = 2", "hint: heads that divide 2: 1, 2"],
    ),
    "heads of keys that do not divide those of queries": (
        lambda: MultiHeadAttentionLayer(name="att", heads=6, kv_heads=4, bottoms=["x"]),
        "OptionError",
        "att",
        [
            "the kv_heads do not divide the heads",
            "expected  a divisor of 6,  got  4",
            "hint: kv_heads that divide 6: 1, 2, 3, 6",
        ],
    ),
    "heads of keys that do not divide the features": (
        lambda: sequences(AttentionLayer(name="att", heads=2, kv_heads=1, bottoms=["x", "x", "x"])),
        "ShapeError",
        "att",
        ["keys and queries differ in features of a head", "expected  3,  got  6"],
    ),
    "one bottom for fewer heads of keys": (
        lambda: sequences(AttentionLayer(name="att", heads=6, kv_heads=3, bottoms=["x"])),
        "ShapeError",
        "att",
        ["one bottom holds queries, keys and values", "a multiple of heads + 2 * kv_heads = 12,  got  6"],
    ),
    "rotary positions of heads with an odd number of features": (
        lambda: sequences(MultiHeadAttentionLayer(name="att", heads=2, rotary=Rotary(), bottoms=["x"])),
        "ShapeError",
        "att",
        [
            "rotary positions turn pairs of features",
            "an even number of features of a head, or Rotary(width=...),  got  3",
        ],
    ),
    "rotary positions that are a number": (
        lambda: MultiHeadAttentionLayer(name="att", heads=2, rotary=10000.0, bottoms=["x"]),
        "OptionError",
        "att",
        ["rotary is out of range", "rotary positions such as Rotary(), or None"],
    ),
    "lengths of every step": (
        lambda: sequences(LSTMLayer(name="rnn", output_dim=3, lengths="ids", bottoms=["x"])),
        "ShapeError",
        "rnn",
        ["lengths are one number per sample", "lengths 'ids': f32[4,5], from layer 'seq'"],
    ),
    "an initial state without its axis": (
        lambda: sequences(GRULayer(name="rnn", output_dim=4, initial=["mask"], bottoms=["x"])),
        "ShapeError",
        "rnn",
        [
            "(batch, layers * directions, output_dim): (4, 1, 4),  got  (4, 4)",
            "initial 'mask': f32[4,4]",
            "hint: ReshapeLayer(shape=(1, 4))",
        ],
    ),
    "markers of another length": (
        lambda: sequences(GRULayer(name="rnn", output_dim=4, continues="mask", bottoms=["x"])),
        "ShapeError",
        "rnn",
        ["one number per step", "(batch, time): (4, 5),  got  (4, 4)", "continues 'mask': f32[4,4]"],
    ),
    "a table of another shape": (
        lambda: sequences(
            ParameterLayer(name="T", shape=(3, 4)),
            EmbeddingLayer(name="words", vocabulary=7, output_dim=4, weight="T", bottoms=["ids"]),
        ),
        "ShapeError",
        "words",
        [
            "weight 'T' has another shape",
            "weight 'T': f32[3,4], from layer 'T'",
            "ParameterLayer(name='T', shape=(7, 4))",
        ],
    ),
    "weights of samples for every step": (
        lambda: sequences(*ends("x")[:1], SquareLossLayer(name="l2", sample_weights="ids", bottoms=["ip", "n"])),
        "ShapeError",
        "l2",
        ["sample_weights must be one number per sample", "sample_weights 'ids': f32[4,5]"],
    ),
    "axes of what comes from a sequence": (
        lambda: sequences(
            GRULayer(name="rnn", output_dim=3, bottoms=["x"]),
            InnerProductLayer(name="wide", axis=-1, output_dim=7, bottoms=["rnn"]),
            GroupNormLayer(name="gn", groups=2, bottoms=["wide"]),
        ),
        "ShapeError",
        "gn",
        ["bottom 'wide': f32[4,5,7] (batch, time, features)", "hint: groups that divide 5: 1, 5"],
    ),
    "groups that do not divide the channels": (
        lambda: net(GroupNormLayer(name="gn", groups=4, bottoms=["ip"])),
        "ShapeError",
        "gn",
        ["expected  a multiple of 4,  got  3 channels", "hint: groups that divide 3: 1, 3"],
    ),
    "groups of a convolution that do not divide its filters": (
        lambda: net(ConvolutionLayer(name="conv", n_filter=4, n_group=2, kernel=(1, 1), bottoms=["data"])),
        "ShapeError",
        "conv",
        ["channels and filters do not divide into groups", "hint: n_group that divides 1 and 4: 1"],
    ),
    "the variance of one value": (
        lambda: net(InstanceNormLayer(name="norm", bottoms=["ip"])),
        "ShapeError",
        "norm",
        ["one value has no variance", "bottom 'ip': f32[4,3] (batch, features)"],
    ),
    "the statistics of one sample": (
        lambda: net(BatchNormLayer(name="norm", bottoms=["ip"]), source=data(batch_size=1)),
        "ShapeError",
        "norm",
        ["one value per channel has no variance", "got  a batch of 1", "hint: a larger batch_size"],
    ),
    "classes along another axis": (
        lambda: sequences(SoftmaxLossLayer(name="l2", bottoms=["x", "ids"])),
        "ShapeError",
        "l2",
        ["labels must be one class index per position", "hint: axis=2, if that is the axis of the classes"],
    ),
    "shared parameters of another shape": (
        lambda: sequences(
            LayerNormLayer(name="first", bottoms=["x"]),
            LayerNormLayer(name="last", param_key="first", bottoms=["mask"]),
        ),
        "NetError",
        "last",
        ["shares parameters 'first' with another layer", "scale shape: (4,) here, (6,) there"],
    ),
    "a shift that is not there": (
        lambda: LayerNormLayer(name="norm", affine=False, shift_lr=2.0, bottoms=["x"]),
        "OptionError",
        "norm",
        ["shift_lr has no effect: affine is False", "hint: leave out shift_lr"],
    ),
    "PyTorch's shape of a norm": (
        lambda: LayerNormLayer(name="norm", normalized_shape=6, bottoms=["x"]),
        "OptionError",
        "norm",
        ["no field 'normalized_shape'", "hint: axes=... names the axes"],
    ),
    "PyTorch's size of a vocabulary": (
        lambda: EmbeddingLayer(name="words", num_embeddings=7, embedding_dim=4, bottoms=["ids"]),
        "OptionError",
        "words",
        ["no field 'num_embeddings'", "did you mean 'vocabulary'?"],
    ),
    "ids beyond the table": (
        lambda: trained(
            sequences(EmbeddingLayer(name="words", vocabulary=5, output_dim=2, bottoms=["ids"]), *ends("words"))
        ),
        "DataError",
        "seq",
        ["id out of range", "expected  0 <= id < 5 for layer 'words',  got  5", "blob 'ids', sample 1"],
    ),
    "more steps than there are": (
        lambda: trained(sequences(GRULayer(name="rnn", output_dim=2, lengths="n", bottoms=["x"]), *ends("rnn"))),
        "DataError",
        "seq",
        ["length out of range", "expected  0 <= length <= 5 for layer 'rnn',  got  8", "sequences have 5 steps"],
    ),
    "a mask in brackets": (
        lambda: AttentionLayer(name="att", mask=["mask"], bottoms=["x"]),
        "OptionError",
        "att",
        ["mask is out of range", "the name of a blob", "hint: write 'mask'"],
    ),
    "a mask that is an array": (
        lambda: AttentionLayer(name="att", mask=np.ones((20, 5)), bottoms=["x"]),
        "OptionError",
        "att",
        ["mask is out of range", "hint: a data layer makes a blob of an array"],
    ),
    "the batch as an axis of a norm": (
        lambda: sequences(LayerNormLayer(name="norm", axes=(0, 2), bottoms=["x"])),
        "ShapeError",
        "norm",
        ["axis 0 is not an axis of its input", "hint: axis 0 is the batch"],
    ),
    "Keras' axis of a norm": (
        lambda: BatchNormLayer(name="norm", axis=-1, bottoms=["x"]),
        "OptionError",
        "norm",
        ["no field 'axis'", "hint: the channels are always axis 1"],
    ),
    "sequences without steps": (
        lambda: MemoryDataLayer(name="seq", data=[STEPS[:, :0]], tops=["x"], batch_size=4),
        "DataError",
        "seq",
        ["samples of 'x' are empty", "got  (20, 0, 6)"],
    ),
    # -- wrong types and values
    "a constraint that is a number": (
        lambda: InnerProductLayer(name="ip2", output_dim=3, weight_cons=4.5, bottoms=["data"]),
        "OptionError",
        "ip2",
        ["weight_cons is out of range", "a constraint such as L2Cons(4.5)", "got  4.5"],
    ),
    "a constraint that is a class": (
        lambda: InnerProductLayer(name="ip2", output_dim=3, weight_cons=L2Cons, bottoms=["data"]),
        "OptionError",
        "ip2",
        ["weight_cons is out of range", "write L2Cons() with parentheses"],
    ),
    "an initializer that is a class": (
        lambda: ParameterLayer(name="W", shape=(3, 3), init=XavierInitializer),
        "OptionError",
        "W",
        ["init is out of range", "write XavierInitializer() with parentheses"],
    ),
    "orthogonal biases": (
        lambda: net(InnerProductLayer(name="ip2", output_dim=2, bias_init=OrthogonalInitializer(), bottoms=["ip"])),
        "ShapeError",
        "ip2",
        ["OrthogonalInitializer is for parameters of 2 axes or more", "bottom 'ip'"],
    ),
    "negative class weights": (
        lambda: SoftmaxLossLayer(name="l2", weights=[1, -1, 1], bottoms=["ip", "label"]),
        "OptionError",
        "l2",
        ["weights is out of range", "finite numbers >= 0"],
    ),
    "a regularization of transport that is 0": (
        lambda: WassersteinLossLayer(name="w", M=np.eye(3), lambda_=0, bottoms=["ip", "ip"]),
        "OptionError",
        "w",
        ["lambda_ is out of range", "a finite number > 0", "got  0"],
    ),
    "a power that is text": (
        lambda: PowerLayer(name="cube", power="3", bottoms=["ip"]),
        "OptionError",
        "cube",
        ["power is out of range", "got  '3'"],
    ),
    "a ratio of 1": (
        lambda: DropoutLayer(name="drop", ratio=1.0, bottoms=["ip"]),
        "OptionError",
        "drop",
        ["ratio is out of range", "a finite number >= 0 and < 1"],
    ),
    "Mocha's name of an axis": (
        lambda: ConcatLayer(name="cat", dim=3, bottoms=["a", "b"]),
        "OptionError",
        "cat",
        ["no field 'dim'", "did you mean 'axis'?"],
    ),
    "a mode that is text": (
        lambda: LRNLayer(name="norm", mode="within", bottoms=["data"]),
        "OptionError",
        "norm",
        ["mode is out of range", "LRNMode.AcrossChannel() or LRNMode.WithinChannel()"],
    ),
    "noise for another batch": (
        lambda: net(RandomNormalLayer(name="noise", tops=["z"], output_dims=[3], batch_sizes=[5])),
        "NetError",
        "noise",
        ["batch_size", "expected  4,  got  5"],
    ),
    "an accuracy with a top": (
        lambda: AccuracyLayer(name="acc", bottoms=["ip", "label"], tops=["value"]),
        "OptionError",
        "acc",
        ["expected  0 tops,  got  1"],
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_message(mistake):
    assert_mistake(*MISTAKES[mistake])


@pytest.mark.parametrize("layer", [SoftmaxLayer, IdentityLayer, PoolingLayer])
def test_one_bottom_of_several_is_wrong(layer):
    """The message shows every bottom, so that the wrong one is seen."""
    error = refused(lambda: net(layer(name="both", bottoms=["data", "nothing"], tops=["x", "y"])))
    assert (error.layer, error.hint) == ("both", "")
    assert "no layer produces bottom 'nothing'" in str(error)
