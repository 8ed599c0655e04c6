"""Learn features of CIFAR-10's images without labels, then see what a linear classifier makes of them.

    python get_cifar10.py               # once: creates data/
    python simclr.py                    # two views of each image should find each other among all others of the batch

As in SimCLR (Chen et al. 2020), two views of an image are a random part of it in other colours, and InfoNCELossLayer
asks of each view which of the other views is of the same image. A linear classifier on the encoder's features, which
training did not see labels for, then says how much they hold ("linear probe"); one on the features of the untrained
encoder, for comparison.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count

import h5py
import numpy as np
from cifar10_training import DATA, SEED, require_data

import mochac
from mochac import *

SIDE = 32


def main() -> None:
    parser = argparse.ArgumentParser(description="SimCLR on CIFAR-10, with a linear probe.")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=256, help="images whose views are compared with each other")
    parser.add_argument("--images", type=int, default=50_000, help="how many images to train on")
    args = parser.parse_args()
    require_data()
    (images, labels), (test_images, test_labels) = read("train", args.images), read("test", 10_000)
    program = mochac.compile(net(images, args.batch), seed=SEED)

    def probe() -> float:
        features = [program.predict(normalized(x), blob="features") for x in (images, test_images)]
        return linear_probe(features[0], labels, features[1], test_labels)

    print(f"linear probe of the untrained encoder {probe():.2%}")
    steps = args.epochs * (len(images) // args.batch)
    rate = LRPolicy.WarmUp(max(1, steps // 20), LRPolicy.Cosine(0.002, steps))
    program.train(AdamW(rate, decay=1e-4), max_iter=steps)
    print(f"linear probe after {args.epochs} epochs {probe():.2%}")


def net(images: np.ndarray, batch: int) -> Net:
    """Two views of each image, through one encoder and one projection."""
    epoch = count()
    shapes = {"view1": (3, SIDE, SIDE), "view2": (3, SIDE, SIDE)}
    data = PythonDataLayer(
        name="views", make=lambda: views(images, batch, np.random.default_rng(next(epoch))), batched=True,
        batch_size=batch, shapes=shapes, tops=["view1", "view2"],
    )  # fmt: skip
    first, second = branch("view1", "", "features"), branch("view2", "-2", "features-2")
    loss = InfoNCELossLayer(name="loss", temperature=0.2, symmetric=True, bottoms=["code", "code-2"])
    return Net("simclr", [data, *first, *second, loss])


def branch(view: str, suffix: str, features: str) -> list[Layer]:
    """The encoder and the projection of one view; both views share their parameters."""
    layers: list[Layer] = []
    blob = view
    for k, width in enumerate((32, 64, 128, 256)):
        convolution, norm, pool = f"conv{k}", f"norm{k}", f"pool{k}"
        layers += [
            ConvolutionLayer(name=convolution + suffix, param_key=convolution, n_filter=width, kernel=3, pad=1,
                             filter_init=HeNormalInitializer(), bottoms=[blob]),
            BatchNormLayer(name=norm + suffix, param_key=norm, neuron=Neurons.ReLU(), bottoms=[convolution + suffix]),
        ]  # fmt: skip
        blob = norm + suffix
        if k < 3:
            layers.append(PoolingLayer(name=pool + suffix, kernel=2, stride=2, bottoms=[blob]))
            blob = pool + suffix
    return [
        *layers,
        GlobalPoolingLayer(name=features, pooling=Pooling.Mean(), bottoms=[blob]),
        InnerProductLayer(name="hidden" + suffix, param_key="hidden", output_dim=256, neuron=Neurons.ReLU(),
                          bottoms=[features]),
        InnerProductLayer(name="code" + suffix, param_key="code", output_dim=64, bottoms=["hidden" + suffix]),
    ]  # fmt: skip


def read(part: str, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The images as bytes, (n, 3, 32, 32), and their labels."""
    with h5py.File(DATA / f"{part}.hdf5") as h5:
        return h5["data"][:most], h5["label"][:most].ravel().astype(int)


def normalized(images: np.ndarray) -> np.ndarray:
    return images.astype(np.float32) / 127.5 - 1


def views(images: np.ndarray, batch: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The batches of one epoch, in random order."""
    order = rng.permutation(len(images))
    for start in range(0, len(order) - batch + 1, batch):
        chosen = images[order[start : start + batch]]
        yield view(chosen, rng), view(chosen, rng)


def view(images: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random part of each image, enlarged, perhaps mirrored, in other colours, sometimes in grey."""
    n = len(images)
    side = SIDE * np.sqrt(rng.uniform(0.2, 1, (n, 1)))
    top, left = rng.uniform(0, 1, (2, n, 1)) * (SIDE - side)
    steps = (np.arange(SIDE) + 0.5) / SIDE
    rows = (top + side * steps).astype(int)
    columns = (left + side * np.where(rng.random((n, 1)) < 0.5, steps, steps[::-1])).astype(int)
    x = images[np.arange(n)[:, None, None], :, rows[:, :, None], columns[:, None, :]]
    x = np.ascontiguousarray(x.transpose(0, 3, 1, 2)).astype(np.float32) / 255
    grey = x.mean(axis=1, keepdims=True)
    saturation = np.where(rng.random((n, 1, 1, 1)) < 0.2, 0, rng.uniform(0.6, 1.4, (n, 1, 1, 1))).astype(np.float32)
    x = grey + (x - grey) * saturation
    mean = x.mean(axis=(1, 2, 3), keepdims=True)
    brightness, contrast = rng.uniform(0.6, 1.4, (2, n, 1, 1, 1)).astype(np.float32)
    tint = rng.uniform(0.9, 1.1, (n, 3, 1, 1)).astype(np.float32)
    x = (mean + (x - mean) * contrast) * brightness * tint
    return np.clip(x, 0, 1) * 2 - 1


def linear_probe(features: np.ndarray, labels: np.ndarray, test_features: np.ndarray, test_labels: np.ndarray) -> float:
    """Test accuracy of a linear classifier on features."""
    features, test_features = (x.reshape(len(x), -1) for x in (features, test_features))
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-6
    model = NetClassifier([], method=Adam(0.003), max_epoch=30, batch_size=256, validation_split=0.0, seed=SEED)
    model.fit((features - mean) / deviation, labels)
    return model.score((test_features - mean) / deviation, test_labels)


if __name__ == "__main__":
    main()
