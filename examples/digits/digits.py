"""scikit-learn's handwritten digits with NetClassifier: in a pipeline, in a grid search, and with convolutions.

    python digits.py

Needs scikit-learn (pip install 'mochac[demo]'), which includes the 1797 digits of 8x8 pixels.
"""

from __future__ import annotations

import argparse

from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from mochac import *

METHOD = SGD(0.05, momentum=0.9)


def dense(max_epoch: int) -> NetClassifier:
    """One hidden layer on the 64 pixels; the classifier adds the output layer and the loss."""
    hidden = InnerProductLayer(name="hidden", output_dim=64, neuron=Neurons.ReLU())
    return NetClassifier([hidden], METHOD, max_epoch=max_epoch, threads=1)  # a net this small is fastest on one thread


def convolutional(max_epoch: int) -> NetClassifier:
    """A small net in LeNet's pattern; a ReshapeLayer turns the pixels into an image."""
    layers = [
        ReshapeLayer(shape=(1, 8, 8)),
        ConvolutionLayer(name="conv", n_filter=32, kernel=(3, 3), pad=(1, 1), neuron=Neurons.ReLU()),
        PoolingLayer(kernel=(2, 2), stride=(2, 2)),
        InnerProductLayer(name="hidden", output_dim=128, neuron=Neurons.ReLU()),
        DropoutLayer(ratio=0.5),
    ]
    return NetClassifier(layers, METHOD, max_epoch=max_epoch)


def main() -> None:
    parser = argparse.ArgumentParser(description="NetClassifier on scikit-learn's digits.")
    parser.add_argument("--epochs", type=int, default=40, help="of each fit")
    parser.add_argument("--folds", type=int, default=3, help="of the grid search")
    args = parser.parse_args()
    digits = load_digits()
    x, x_test, y, y_test = train_test_split(
        digits.data, digits.target, test_size=0.25, stratify=digits.target, random_state=0
    )

    pipeline = make_pipeline(StandardScaler(), dense(args.epochs)).fit(x, y)
    print(f"pipeline: test accuracy {pipeline.score(x_test, y_test):.2%}")
    last = pipeline[-1].metrics_
    print(f"  training loss {last['train']['loss']:.4f}, validation loss {last['val']['loss']:.4f}")

    grid = {"netclassifier__batch_size": [32, 64], "netclassifier__regu_coef": [0.0, 0.0005]}
    search = GridSearchCV(pipeline, grid, cv=args.folds).fit(x, y)
    best = {name.partition("__")[2]: value for name, value in search.best_params_.items()}
    print(f"grid search: best {best}, test accuracy {search.score(x_test, y_test):.2%}")

    net = convolutional(args.epochs).fit(x / 16, y)
    print(f"convolutions: test accuracy {net.score(x_test / 16, y_test):.2%}")


if __name__ == "__main__":
    main()
