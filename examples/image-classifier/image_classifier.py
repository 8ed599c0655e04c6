"""Train a Caffe net and classify images with it.

    python image_classifier.py                  # draws images, trains, classifies; the next time: classifies only
    python image_classifier.py a.png b.png      # classifies these images
    mochac convert digits_solver.prototxt digits.py --data data

The images are scikit-learn's handwritten digits as PNG files, listed in a CSV file with the digits' names. The script
converts the list of images to HDF5 files, loads the net's prototxt with layers that read these files, trains the net,
and makes an ImageClassifier of the deploy file (in Caffe's old syntax) and the weights.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import h5py
import numpy as np

import mochac
from mochac import *
from mochac.__main__ import main as command

HERE = Path(__file__).resolve().parent
DATA, MEAN, MODEL = Path("data"), Path("data/mean.binaryproto"), Path("data/digits.h5")
NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TESTED = 297


def draw_pictures() -> None:
    """Write PNG files of 16x16 pixels, and list.csv: ImageName,Label,TrainTest."""
    from PIL import Image
    from sklearn.datasets import load_digits

    found = load_digits()
    (DATA / "pictures").mkdir(parents=True, exist_ok=True)
    order = np.random.default_rng(0).permutation(len(found.target))
    rows = ["ImageName,Label,TrainTest"]
    for place, k in enumerate(order):
        name = f"pictures/{k:04d}.png"
        picture = Image.fromarray((found.images[k] * 255 / 16).astype(np.uint8))
        picture.resize((16, 16), Image.Resampling.BILINEAR).save(DATA / name)
        rows.append(f"{name},{NAMES[found.target[k]]},{'test' if place < TESTED else 'train'}")
    (DATA / "list.csv").write_text("\n".join(rows) + "\n")


def prepare() -> None:
    """Write HDF5 files of the images, 0 .. 255 as Caffe's nets expect, and the mean of the training images."""
    if not (DATA / "list.csv").exists():
        draw_pictures()
    command(["convert", str(DATA / "list.csv"), str(DATA), "--grey", "--scale", "255"])
    with h5py.File(DATA / "train.hdf5") as file:
        mochac.caffe.save_mean(MEAN, file["data"][...].mean(axis=0))


def train(max_iter: int | None) -> None:
    """Train and validate as the solver file says, and save the weights as an HDF5 model."""
    job = mochac.caffe.load_training(
        "digits_solver.prototxt",
        train_data=HDF5DataLayer(name="train-data", source="data/train.txt", batch_size=64, shuffle=True),
        test_data=HDF5DataLayer(name="test-data", source="data/test.txt", batch_size=99),
    )
    program = mochac.compile(job.net, seed=job.seed)
    test = mochac.compile(job.test_net, params=program.params)
    job.solver.add_coffee_break(ValidationPerformance(test), every_n_iter=job.test_interval)
    if max_iter is not None:
        job.solver.max_iter = max_iter
    program.train(job.solver)
    program.save(MODEL)
    print(f"test accuracy {test.evaluate()['accuracy-accuracy']:.2%}")


def classifier() -> ImageClassifier:
    """The deploy net with the weights; pixels are scaled as in training: (255 x - mean) / 128."""
    net = mochac.caffe.load_net("digits_deploy.prototxt", MODEL)
    return ImageClassifier(net, classes=DATA / "classes.txt", mean=MEAN, raw_scale=255, scale=0.0078125)


def judge(judged: ImageClassifier) -> None:
    """Print how many test images are classified correctly, and the result for three of them."""
    rows = [row.split(",") for row in (DATA / "list.csv").read_text().splitlines()]
    rows = [row for row in rows if row[2] == "test"]
    found = judged.classify([DATA / name for name, _, _ in rows], k=3)
    right = sum(ranking[0][0] == label for ranking, (_, label, _) in zip(found, rows, strict=True))
    print(f"{right} of {len(rows)} test images classified correctly")
    for (name, label, _), ranking in list(zip(rows, found, strict=True))[::99]:
        print(f"{name}, a {label}: " + ", ".join(f"{what} {p:.1%}" for what, p in ranking))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="*", type=Path, help="image files to classify (default: the test images)")
    parser.add_argument("--max-iter", type=int, help="iterations of training (default: the solver's, 1000)")
    args = parser.parse_args()
    pictures = [path.resolve() for path in args.pictures]
    os.chdir(HERE)
    if not MODEL.exists():
        prepare()
        train(args.max_iter)
    with classifier() as judged:
        if not pictures:
            judge(judged)
        for path in pictures:
            print(f"{path.name}: " + ", ".join(f"{what} {p:.1%}" for what, p in judged.classify(path, k=3)))


if __name__ == "__main__":
    main()
