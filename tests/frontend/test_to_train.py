"""Net.to_train: data in the place of the inputs, and losses behind the prediction."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    ConcatLayer,
    EmbeddingLayer,
    HDF5DataLayer,
    InnerProductLayer,
    InputLayer,
    L1LossLayer,
    LSTMLayer,
    MemoryDataLayer,
    Net,
    OptionError,
    SoftmaxLossLayer,
)

RNG = np.random.default_rng(4)
X, LABELS = RNG.normal(size=(32, 4)), np.arange(32) % 3


def scores(bottom="x", **fields):
    return InnerProductLayer(name="output", output_dim=3, bottoms=[bottom], **fields)


def small(*more):
    return Net("small", [InputLayer(name="x", shape=(1, 4)), scores(), *more])


def data(*arrays, **fields):
    return MemoryDataLayer(data=list(arrays) or [X, LABELS], batch_size=8, **fields)


def test_the_batch_is_that_of_the_data_and_parameters_go_on():
    net = small()
    with mochac.compile(net, threads=1) as program:
        trained = net.to_train(data(), [SoftmaxLossLayer(name="loss"), AccuracyLayer()])
        assert trained.batch == 8 and trained.layer("loss").bottoms == ("output", "label")
        assert trained.layer("accuracy").bottoms == ("output", "label")
        with mochac.compile(trained, params=program.params, threads=1) as training:
            before = training.forward()
            training.train(SGD(0.1), max_iter=20, verbose=0)
            assert training.forward() < before
            np.testing.assert_array_equal(training.predict(X), program.predict(X))


def test_inputs_read_tops_of_their_names_or_in_order():
    layers = [
        InputLayer(name="ids", shape=(1, 5)),
        InputLayer(name="n", shape=(1,)),
        EmbeddingLayer(name="words", vocabulary=7, output_dim=4, bottoms=["ids"]),
        LSTMLayer(name="read", output_dim=3, lengths="n", last=True, bottoms=["words"]),
    ]
    ids, n = RNG.integers(0, 7, (32, 5)), RNG.integers(1, 6, 32)
    for arrays, tops in (((n, LABELS, ids), ["n", "label", "ids"]), ((ids, n, LABELS), ["a", "b", "label"])):
        net = Net("read", layers).to_train(data(*arrays, tops=tops), SoftmaxLossLayer(name="loss"))
        named = tops[0] == "n"
        assert net.layer("words").bottoms == (("ids" if named else "a"),)
        assert net.layer("read").lengths == ("n" if named else "b")
        assert net.layer("loss").bottoms == ("read", "label")


def test_several_data_layers_and_losses_with_bottoms_of_their_own():
    both = ConcatLayer(name="both", bottoms=["left", "right"])
    inputs = [InputLayer(name=name, shape=(1, 4)) for name in ("left", "right")]
    net = Net("n", [*inputs, both, scores("both"), InnerProductLayer(name="side", output_dim=4, bottoms=["both"])])
    sources = [data(X, tops=["left"], name="d1"), data(X, LABELS, tops=["right", "label"], name="d2")]
    losses = [SoftmaxLossLayer(bottoms=["output", "label"]), L1LossLayer(name="again", bottoms=["side", "left"])]
    trained = net.to_train(sources, losses)
    assert [layer.name for layer in trained.sources] == ["d1", "d2"] and len(trained.losses) == 2


def test_a_loss_may_be_about_an_input_and_a_net_may_have_its_loss():
    again = InnerProductLayer(name="back", output_dim=4, bottoms=["x"])
    net = Net("auto", [InputLayer(name="x", shape=(1, 4)), again])
    assert net.to_train(data(X, tops=["data"]), L1LossLayer(name="loss", bottoms=["back", "x"])).layer(
        "loss"
    ).bottoms == (
        "back",
        "data",
    )
    inside = Net(
        "loss inside", [InputLayer(name="x", shape=(1, 4)), again, L1LossLayer(name="loss", bottoms=["back", "x"])]
    )
    assert inside.to_train(data(X, tops=["x"])).losses


def test_blobs_in_place_and_datasets_of_files(tmp_path):
    import h5py

    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["images"], file["kinds"] = X, LABELS
    (tmp_path / "list.txt").write_text(str(tmp_path / "a.h5"))
    source = HDF5DataLayer(name="d", source=str(tmp_path / "list.txt"), batch_size=8, tops=["images", "kinds"])
    noise = mochac.DropoutLayer(name="noise", ratio=0.5, bottoms=["x"])
    net = Net("n", [InputLayer(name="x", shape=(1, 4)), noise, scores()]).to_train(
        source, SoftmaxLossLayer(name="loss")
    )
    assert net.layer("loss").bottoms == ("output", "kinds")
    assert net.tops["noise"] == ("images",) and net.layer("output").bottoms == ("images",)


FAULTS = {
    "no input": (
        lambda: Net("n", [data(), scores("data")]).to_train(data(), SoftmaxLossLayer(name="loss")),
        "to_train: the net has no InputLayer in whose place data could be put",
    ),
    "another shape": (
        lambda: small().to_train(data(X[:, :3], LABELS), SoftmaxLossLayer(name="loss")),
        "to_train: the samples of 'data' do not fit the input 'x'\n  expected  (4,),  got  (3,)\n"
        "  'data' comes from layer 'memory-data' (MemoryData), FILE\n  at FILE",
    ),
    "no data layer": (
        lambda: small().to_train((X, LABELS), SoftmaxLossLayer(name="loss")),
        "to_train: data is not a layer\n  got  ARRAY",
    ),
    "a loss as data": (
        lambda: small().to_train(SoftmaxLossLayer(name="loss"), data()),
        "to_train: data is not a data layer\n"
        "  expected  a data layer, such as MemoryDataLayer(data=[x, y], batch_size=64), or a list of them,  got  LAYER",
    ),
    "a class": (
        lambda: small().to_train(data(), SoftmaxLossLayer),
        "to_train: loss is not a layer\n  got  CLASS\n  hint: write SoftmaxLossLayer(...)",
    ),
    "too few tops": (
        lambda: Net("n", [InputLayer(name="x", shape=(1, 4)), InputLayer(name="y", shape=(1, 4)),
                          ConcatLayer(name="z", bottoms=["x", "y"])]).to_train(data(X, tops=["x"]), ()),
        "to_train: the data has no top for some inputs\n  expected  x y,  got  x\n  inputs without a top: y\n"
        "  hint: give the data layer tops=['x', 'y', ...]\n  at FILE",
    ),
    "no label": (
        lambda: small().to_train(data(X, tops=["x"]), SoftmaxLossLayer(name="loss")),
        "layer 'loss' (SoftmaxLoss): to_train: the data needs tops for this layer besides those for inputs\n"
        "  expected  1,  got  none\n  hint: give it bottoms=[...]\n  at FILE",
    ),
    "two outputs": (
        lambda: small(InnerProductLayer(name="b", output_dim=1, bottoms=["x"])).to_train(data(), SoftmaxLossLayer()),
        "net 'small' has no single prediction\n  candidates: output b\n  hint: give the loss bottoms=[blob, label]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_faults(fault):
    run, message = FAULTS[fault]
    with pytest.raises(OptionError) as caught:
        run()
    found = "\n".join(hidden(line) for line in str(caught.value).split("\n"))
    assert found == message


def hidden(line):
    """Without places, and what is shown of layers and arrays."""
    import re

    line = re.sub(r"\S*test_to_train\.py:\d+", "FILE", line)
    line = re.sub(r"got  (array.*|\(array.*)", "got  ARRAY", line)
    return re.sub(r"got  SoftmaxLossLayer\(.*", "got  LAYER", re.sub(r"got  <class.*", "got  CLASS", line))
