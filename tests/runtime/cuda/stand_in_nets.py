"""Nets and methods of test_stand_in_driver.py, by name; its child processes import them."""

import numpy as np
from tiny_net import tiny

import mochac
from mochac import DropoutLayer, InnerProductLayer, LRPolicy, MemoryDataLayer, MomPolicy, Net, Neurons, SoftmaxLossLayer


def mlp() -> Net:
    rng = np.random.default_rng(8)
    x, y = rng.standard_normal((24, 7)).astype(np.float32), rng.integers(0, 3, 24)
    return Net("mlp", [
        MemoryDataLayer(name="in", data=[x, y], batch_size=5, tops=["data", "label"], shuffle=True),
        InnerProductLayer(name="a", output_dim=9, neuron=Neurons.Tanh(), bottoms=["data"]),
        DropoutLayer(name="drop", ratio=0.4, bottoms=["a"]),
        InnerProductLayer(name="b", output_dim=3, bottoms=["a"]),
        SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ])  # fmt: skip


SGD = mochac.SGD(lr_policy=LRPolicy.Inv(0.1, 0.1, 0.75), mom_policy=MomPolicy.Fixed(0.9))
NETS = {"tiny": (tiny, SGD), "mlp": (mlp, mochac.Adam())}
