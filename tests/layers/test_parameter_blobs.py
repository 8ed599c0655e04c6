"""Parameters as blobs, shared parameters, tied weights: values, summed gradients and one update, by hand in NumPy."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    ConvolutionLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    Net,
    NetError,
    Neurons,
    OptionError,
    ParameterLayer,
    ReshapeLayer,
    ShapeError,
    SoftmaxLossLayer,
    TiedInnerProductLayer,
)

RNG = np.random.default_rng(7)
X = RNG.normal(size=(12, 5))
Y = np.arange(12) % 5
DATA = MemoryDataLayer(name="in", data=[X, Y], batch_size=12)
LR = 0.5


def net(*layers):
    return Net("n", [DATA, *layers])


def compiled(net):
    return mochac.compile(net, dtype="float64", seed=3)


def softmax_gradient(z):
    """d loss / d z of the mean softmax loss."""
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(z)), Y] -= 1
    return p / len(z)


def thrice():
    """x W^T W^T W^T with biases of the layers' own."""
    uses = [
        InnerProductLayer(name=f"ip{k}", output_dim=5, weight="W", bottoms=["data" if k == 0 else f"ip{k - 1}"])
        for k in range(3)
    ]
    return net(ParameterLayer(name="W", shape=(5, 5)), *uses, SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]))


@pytest.mark.slow
def test_a_weight_used_three_times_gets_the_sum_of_its_gradients_and_one_regularized_update():
    program = compiled(thrice())
    w = program.params["W"]["value"][...]
    h = [X]
    for _ in range(3):
        h.append(h[-1] @ w.T)
    d, dw = softmax_gradient(h[3]), np.zeros_like(w)
    for x in reversed(h[:3]):
        dw += d.T @ x
        d = d @ w
    program.forward()
    program.backward()
    np.testing.assert_allclose(program.grads["W"]["value"], dw, rtol=1e-10)
    np.testing.assert_allclose(program.blob_diffs["W"], dw, rtol=1e-10)
    assert set(program.grads) == {"W", "ip0", "ip1", "ip2"}
    program.train(SGD(lr_policy=LRPolicy.Fixed(LR)), max_iter=1, regu_coef=0.1)
    np.testing.assert_allclose(program.params["W"]["value"][...], w - LR * (dw + 2 * 0.1 * w), rtol=1e-10)


@pytest.mark.slow
def test_a_shared_weight_with_biases_of_their_own():
    program = compiled(thrice())
    assert {str(p) for group in program.params.values() for p in group.values()} == {
        "W.value", "ip0.bias", "ip1.bias", "ip2.bias",
    }  # fmt: skip
    program.train(SGD(lr_policy=LRPolicy.Fixed(LR)), max_iter=3)
    biases = [program.params[f"ip{k}"]["bias"][...] for k in range(3)]
    assert not np.allclose(biases[0], biases[1]) and not np.allclose(biases[1], biases[2])


@pytest.mark.slow
def test_a_param_key_shared_by_two_layers_is_regularized_and_updated_once():
    shared = {"output_dim": 5, "param_key": "k", "bias_lr": 1.0}
    program = compiled(
        net(
            InnerProductLayer(name="a", bottoms=["data"], **shared),
            InnerProductLayer(name="b", bottoms=["a"], **shared),
            SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
        )
    )
    w, b = (program.params["k"][n][...] for n in ("weight", "bias"))
    h = X @ w.T + b
    d = softmax_gradient(h @ w.T + b)
    dw, db = d.T @ h + (d @ w).T @ X, d.sum(axis=0) + (d @ w).sum(axis=0)
    program.train(SGD(lr_policy=LRPolicy.Fixed(LR)), max_iter=1, regu_coef=0.1)
    np.testing.assert_allclose(program.params["k"]["weight"][...], w - LR * (dw + 0.2 * w), rtol=1e-10)
    np.testing.assert_allclose(program.params["k"]["bias"][...], b - LR * db, rtol=1e-10, atol=1e-14)


@pytest.mark.slow
def test_a_weight_made_of_two_parameters():
    """W = U * V element by element: the gradients follow the product rule."""
    program = compiled(
        net(
            ParameterLayer(name="U", shape=(5, 5)),
            ParameterLayer(name="V", shape=(5, 5)),
            ElementWiseLayer(name="W", bottoms=["U", "V"], operation=ElementWiseFunctors.Multiply()),
            InnerProductLayer(name="ip", output_dim=5, bottoms=["data"], weight="W"),
            SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
        )
    )
    u, v = (program.params[k]["value"][...] for k in "UV")
    dw = softmax_gradient(X @ (u * v).T).T @ X
    program.forward()
    program.backward()
    np.testing.assert_allclose(program.grads["U"]["value"], dw * v, rtol=1e-10)
    np.testing.assert_allclose(program.grads["V"]["value"], dw * u, rtol=1e-10)


@pytest.mark.slow
def test_filters_and_biases_as_blobs():
    images = MemoryDataLayer(name="im", data=[RNG.normal(size=(6, 2, 4, 4)), np.arange(6) % 3], batch_size=6)
    blobs = [
        ParameterLayer(name="F", shape=(3, 2, 4, 4)),
        ParameterLayer(name="B", shape=(3,), init=mochac.ConstantInitializer(0.5), regu=mochac.NoRegu(), lr=2.0),
    ]
    conv = ConvolutionLayer(name="conv", n_filter=3, kernel=4, bottoms=["data"], filter="F", bias="B")
    loss = SoftmaxLossLayer(name="loss", bottoms=["conv", "label_"])
    label = mochac.ReshapeLayer(name="label_", shape=(1, 1, 1), bottoms=["label"])
    whole = Net("n", [images, *blobs, conv, label, loss])
    assert mochac.check_gradients(whole).ok
    program = compiled(whole)
    program.forward()
    f = program.params["F"]["value"][...]
    np.testing.assert_allclose(
        program.blobs["conv"][:, :, 0, 0], images.data[0].reshape(6, -1) @ f.reshape(3, -1).T + 0.5
    )
    program.freeze("B")
    program.train(SGD(), max_iter=2)
    assert np.all(program.params["B"]["value"][...] == 0.5)
    assert not np.array_equal(program.params["F"]["value"][...], f)


@pytest.mark.slow
@pytest.mark.parametrize("tie_gradient", [False, True])
def test_tied_inner_product(tie_gradient):
    """h = x W^T + c, z = h W + b; by default W learns from the encoder's use alone."""
    encoder = InnerProductLayer(name="enc", output_dim=3, bottoms=["data"])
    decoder = TiedInnerProductLayer(name="dec", tied_param_key="enc", bottoms=["enc"], tie_gradient=tie_gradient)
    whole = net(decoder, encoder, SoftmaxLossLayer(name="loss", bottoms=["dec", "label"]))
    assert mochac.check_gradients(whole).ok
    program = compiled(whole)
    w, b = program.params["enc"]["weight"][...], np.full(5, 0.25)
    program.params["dec"]["bias"] = b
    h = X @ w.T
    z = h @ w + b
    d = softmax_gradient(z)
    program.forward()
    program.backward()
    np.testing.assert_allclose(program.blobs["dec"], z, rtol=1e-10)
    np.testing.assert_allclose(program.grads["enc"]["weight"], (d @ w.T).T @ X + tie_gradient * (h.T @ d), rtol=1e-10)
    np.testing.assert_allclose(program.grads["dec"]["bias"], d.sum(axis=0), rtol=1e-10)


def message(error, layers):
    with pytest.raises(error) as caught:
        net(*layers)
    return str(caught.value)


def test_mistakes_name_layer_blob_and_line():
    w = ParameterLayer(name="W", shape=(4, 5))
    use = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"], weight="W")
    text = message(ShapeError, [w, use])
    assert "layer 'ip' (InnerProduct): weight 'W' has another shape" in text
    assert "expected  (3, 5),  got  (4, 5)" in text and "ParameterLayer(name='W', shape=(3, 5))" in text
    assert "test_parameter_blobs.py:" in text
    text = message(ShapeError, [use.replace(weight="data")])
    assert "weight 'data' holds samples" in text and "make it with ParameterLayer" in text
    text = message(NetError, [w.replace(name="weights"), use.replace(weight="weight")])
    assert "no layer produces blob 'weight' for weight" in text and "did you mean 'weights'?" in text
    text = message(ShapeError, [w, InnerProductLayer(name="ip", output_dim=3, bottoms=["W"], weight="W")])
    assert "bottom 'W': f32[4,5], from layer 'W' (Parameter)" in text


def test_settings_of_a_parameter_belong_to_its_layer():
    with pytest.raises(OptionError) as caught:
        InnerProductLayer(name="ip", output_dim=3, bottoms=["data"], weight="W", weight_lr=0.5)
    assert "weight_lr has no effect: weight is the blob 'W'" in str(caught.value)
    assert "set it in the ParameterLayer: lr=..." in str(caught.value)


def test_a_tied_layer_needs_its_encoder():
    encoder = InnerProductLayer(name="enc", output_dim=3, bottoms=["data"])
    decoder = TiedInnerProductLayer(name="dec", tied_param_key="enc", bottoms=["data"])
    text = message(NetError, [decoder.replace(tied_param_key="enk"), encoder])
    assert "layer 'dec' (TiedInnerProduct): no layer of this net has parameters under the key 'enk'" in text
    assert "keys: enc" in text and "did you mean 'enc'?" in text
    text = message(ShapeError, [decoder, encoder])
    assert "does not fit the weight of 'enc'" in text and "expected  3 features,  got  5" in text
    images = ReshapeLayer(name="im", shape=(1, 1, 5), bottoms=["data"])
    filters = ConvolutionLayer(name="enc", n_filter=3, kernel=(1, 1), bottoms=["im"])
    assert "the parameters under the key 'enc' have no weight" in message(ShapeError, [decoder, images, filters])


@pytest.mark.slow
def test_neurons_and_several_bottoms_of_a_tied_layer():
    encoder = InnerProductLayer(name="enc", output_dim=3, bottoms=["data"])
    decoder = TiedInnerProductLayer(
        name="dec", tied_param_key="enc", bottoms=["enc", "enc"], tops=["a", "b"], neuron=Neurons.Tanh()
    )
    program = compiled(net(encoder, decoder, SoftmaxLossLayer(name="loss", bottoms=["a", "label"])))
    program.forward()
    w = program.params["enc"]["weight"][...]
    for top in ("a", "b"):
        np.testing.assert_allclose(program.blobs[top], np.tanh(X @ w.T @ w), rtol=1e-10)
