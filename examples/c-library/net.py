"""A net for images of digits, 8x8 pixels: `mochac build net.py -o digits --train` makes a C library of it.

It has no data: an InputLayer says what the C program gives.
"""

from mochac import (
    AccuracyLayer,
    Adam,
    ConvolutionLayer,
    InnerProductLayer,
    InputLayer,
    Net,
    Neurons,
    PoolingLayer,
    SoftmaxLossLayer,
    Solver,
)

net = Net(
    "digits",
    [
        InputLayer(name="image", shape=(32, 1, 8, 8)),
        InputLayer(name="label", shape=(32, 1)),
        ConvolutionLayer(name="conv", n_filter=16, kernel=3, pad=1, neuron=Neurons.ReLU(), bottoms=["image"]),
        PoolingLayer(name="pool", kernel=2, stride=2, bottoms=["conv"]),
        InnerProductLayer(name="hidden", output_dim=64, neuron=Neurons.ReLU(), bottoms=["pool"]),
        InnerProductLayer(name="digit", output_dim=10, bottoms=["hidden"]),
        SoftmaxLossLayer(name="loss", bottoms=["digit", "label"]),
        AccuracyLayer(name="accuracy", bottoms=["digit", "label"]),
    ],
)
solver = Solver(Adam(0.002), regu_coef=0.0)
