"""`mochac demo`: train LeNet on handwritten digits; `mochac bench`: compare speed with PyTorch and JAX.

The digits are scikit-learn's (no download), or MNIST from a folder of idx files. Images are (num, 1, 28, 28) in 0..1,
labels 0..9. An idx file has a big-endian header with type and extents, then the numbers. Source:
http://yann.lecun.com/exdb/mnist, "The IDX file format".
"""

from __future__ import annotations

import gzip
import math
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path
from typing import IO

import numpy as np

from mochac.api.compiler import compile
from mochac.api.program import Program
from mochac.base.errors import DataError, OptionError
from mochac.base.files.reading import DEFLATE_RATIO, guarded, regular_size
from mochac.base.records import record
from mochac.base.support.memory import fits
from mochac.nets.layers.base import Layer
from mochac.nets.layers.class_losses import SoftmaxLossLayer
from mochac.nets.layers.classes import AccuracyLayer
from mochac.nets.layers.convolution import ConvolutionLayer
from mochac.nets.layers.data import MemoryDataLayer
from mochac.nets.layers.inner_product import InnerProductLayer
from mochac.nets.layers.neurons import Neurons
from mochac.nets.layers.pooling import PoolingLayer
from mochac.nets.net import Net
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.sgd import SGD
from mochac.nets.solvers.solver import Solver
from mochac.tools.cli.command import CliError, command, natural, positive
from mochac.training.loop.coffee import Snapshot, TrainingSummary, ValidationPerformance

MAX_AXES = 32
"""Maximum axes of an array."""

_TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: Path) -> np.ndarray:
    """The array in an idx file, plain or gzipped.

    Raises:
        DataError: unreadable, damaged, not an idx file, or larger than memory.
    """
    with guarded(lambda fault: DataError(f"cannot read {path}", got=fault.reason)):
        n_bytes = regular_size(path)
        with path.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as file:
            return _array(path, file, n_bytes * (DEFLATE_RATIO if packed else 1))


def _array(path: Path, file: IO[bytes] | gzip.GzipFile, most: int) -> np.ndarray:
    """The array; `most` is the number of bytes that the file can hold."""
    head = file.read(4)
    n_axes = head[3] if len(head) == 4 else 0
    extents = file.read(4 * n_axes)
    if len(head) < 4 or head[:2] != b"\0\0" or head[2] not in _TYPES or len(extents) < 4 * n_axes:
        raise DataError(f"{path} is not an idx file")
    if n_axes > MAX_AXES:
        raise DataError(f"{path} is damaged", expected=f"at most {MAX_AXES} axes", got=str(n_axes))
    shape = tuple(int(n) for n in np.frombuffer(extents, ">u4"))
    dtype = np.dtype(_TYPES[head[2]])
    expected = math.prod(shape) * dtype.itemsize
    if expected > most:
        raise DataError(f"{path} is damaged", expected=f"{expected:,} bytes of numbers", got=f"at most {most:,}")
    if not fits(expected):
        raise DataError(f"{path} does not fit into memory", got=f"{expected:,} bytes")
    numbers = file.read(expected + 1)
    if len(numbers) != expected:
        got = "more" if len(numbers) > expected else str(len(numbers))
        raise DataError(f"{path} is damaged", expected=f"{expected} bytes of numbers", got=got)
    return np.frombuffer(numbers, dtype).reshape(shape)


def find_idx(folder: Path, stem: str) -> Path:
    """The file `stem` in a folder, perhaps gzipped, or with a dot before "idx", as some archives have it.

    Raises:
        DataError: there is no such file.
    """
    names = [name + ending for name in (stem, stem.replace("-idx", ".idx")) for ending in ("", ".gz")]
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"no {stem}(.gz) in {folder}", hint="MNIST's four idx files are needed")


SIDE, CLASSES, TEST_SAMPLES, SPLIT_SEED = 28, 10, 297, 0


@record
class Digits:
    """A training set and a test set; `source` describes them."""

    source: str
    train: tuple[np.ndarray, np.ndarray]
    test: tuple[np.ndarray, np.ndarray]


def bundled_digits() -> Digits:
    """The 1797 digits of 8x8 pixels in scikit-learn, scaled to 28x28; 297 of them, chosen at random, are the test set.

    Raises:
        OptionError: scikit-learn is not installed.
    """
    try:
        load_digits = import_module("sklearn.datasets").load_digits
    except ImportError:
        hint = "pip install 'mochac[demo]', or --data DIR with MNIST's idx files"
        raise OptionError("the digits of the demo are in scikit-learn, which is not installed", hint=hint) from None
    digits = load_digits()
    images = scaled(digits.images / 16.0, SIDE)[:, None]
    labels = digits.target.astype(np.uint8)
    order = np.random.default_rng(SPLIT_SEED).permutation(len(images))
    test, train = order[:TEST_SAMPLES], order[TEST_SAMPLES:]
    source = f"{len(images)} handwritten digits of scikit-learn, scaled from 8x8 to {SIDE}x{SIDE}"
    return Digits(source, (images[train], labels[train]), (images[test], labels[test]))


def mnist_digits(folder: Path) -> Digits:
    """MNIST from its four idx files, plain or gzipped.

    Raises:
        DataError: a file is missing, damaged, or has unexpected content.
    """
    parts = [(_images(folder, f"{part}-images-idx3-ubyte"), _labels(folder, f"{part}-labels-idx1-ubyte"))
             for part in ("train", "t10k")]  # fmt: skip
    for images, labels in parts:
        if len(images) != len(labels):
            raise DataError(f"images and labels in {folder} differ in number", got=f"{len(images)} and {len(labels)}")
    return Digits(f"MNIST from {folder}", parts[0], parts[1])


def scaled(images: np.ndarray, side: int) -> np.ndarray:
    """(num, h, w) images scaled to (num, side, side), float32, by linear interpolation between centres of pixels.

    >>> scaled(np.array([[[0.0, 1.0], [0.0, 1.0]]]), 4)[0, 0].tolist()
    [0.0, 0.25, 0.75, 1.0]
    """
    rows, cols = _interpolation(images.shape[1], side), _interpolation(images.shape[2], side)
    return np.ascontiguousarray(rows @ images @ cols.T, np.float32)


def _interpolation(size: int, side: int) -> np.ndarray:
    """(side, size) weights of the pixels around each new centre; outside, pixels at the edge are repeated."""
    centre = np.clip((np.arange(side) + 0.5) * size / side - 0.5, 0, size - 1)
    return np.maximum(0.0, 1.0 - np.abs(centre[:, None] - np.arange(size)))


def _images(folder: Path, stem: str) -> np.ndarray:
    path = find_idx(folder, stem)
    images = read_idx(path)
    if images.shape[1:] != (SIDE, SIDE):
        raise DataError(f"{path} does not hold images", expected=f"(num, {SIDE}, {SIDE})", got=str(images.shape))
    return images[:, None].astype(np.float32) / np.float32(256)


def _labels(folder: Path, stem: str) -> np.ndarray:
    path = find_idx(folder, stem)
    labels = read_idx(path)
    if labels.ndim != 1 or (len(labels) and int(labels.max()) >= CLASSES):
        raise DataError(f"{path} does not hold labels", expected=f"numbers 0 to {CLASSES - 1}", got=str(labels.shape))
    return labels


INTERRUPTED = 130
DIGITS_ITER, MNIST_ITER = 1000, 2000
TOP_KERNELS, VALIDATIONS = 6, 4


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", metavar="DIR", help="folder of MNIST's idx files (default: the digits of scikit-learn)"
    )
    parser.add_argument(
        "--out", metavar="DIR", default="demo", help="folder for the snapshot and the statistics (default demo)"
    )
    parser.add_argument("--max-iter", type=positive, metavar="N", help="number of iterations, of 64 samples each")
    parser.add_argument("--threads", type=positive, metavar="N", help="number of threads (default: all)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of initial parameters and shuffling")


@command("demo", "train LeNet on handwritten digits; needs no download", _arguments)
def run(args: Namespace) -> int:
    """Train, test, profile, and print where the results are."""
    digits = mnist_digits(Path(args.data)) if args.data else bundled_digits()
    print(f"data   {digits.source}: {len(digits.train[0])} for training, {len(digits.test[0])} for testing")
    net, test_net = lenet(digits)
    max_iter = args.max_iter or (MNIST_ITER if args.data else DIGITS_ITER)
    solver = _solver(Path(args.out), max_iter)
    how = {"threads": args.threads, "seed": args.seed}
    with compile(net, **how) as program, compile(test_net, params=program.params, **how) as test:
        print(f"net    LeNet, {sum(p.size for p in program.parameters().values()):,} parameters, batch {net.batch}")
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=max(1, max_iter // VALIDATIONS))
        lounge = program.train(solver)
        if lounge.interrupted:
            return INTERRUPTED
        print(f"\ntest accuracy {100 * test.evaluate()['test-accuracy-accuracy']:.2f}%\n")
        _show_time(program)
    print(f"saved in {args.out}: a snapshot of iteration {solver.max_iter}, and statistics.h5, which you can plot:")
    print(f"  mochac plot {args.out}/statistics.h5")
    return 0


def lenet(digits: Digits) -> tuple[Net, Net]:
    """The net of Mocha's MNIST tutorial, for training and for testing."""
    data = MemoryDataLayer(name="train-data", data=digits.train, batch_size=64, tops=["data", "label"], shuffle=True)
    test_data = MemoryDataLayer(name="test-data", data=digits.test, batch_size=100, tops=["data", "label"])
    loss = SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"])
    accuracy = AccuracyLayer(name="test-accuracy", bottoms=["ip2", "label"])
    return Net("LeNet-train", [data, *_common(), loss]), Net("LeNet-test", [test_data, *_common(), accuracy])


def _common() -> list[Layer]:
    return [
        ConvolutionLayer(name="conv1", n_filter=20, kernel=(5, 5), bottoms=["data"], tops=["conv1"]),
        PoolingLayer(name="pool1", kernel=(2, 2), stride=(2, 2), bottoms=["conv1"], tops=["pool1"]),
        ConvolutionLayer(name="conv2", n_filter=50, kernel=(5, 5), bottoms=["pool1"], tops=["conv2"]),
        PoolingLayer(name="pool2", kernel=(2, 2), stride=(2, 2), bottoms=["conv2"], tops=["pool2"]),
        InnerProductLayer(name="ip1", output_dim=500, neuron=Neurons.ReLU(), bottoms=["pool2"], tops=["ip1"]),
        InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"], tops=["ip2"]),
    ]


def _solver(out: Path, max_iter: int) -> Solver:
    method = SGD(lr_policy=LRPolicy.Inv(0.01, 0.0001, 0.75), mom_policy=MomPolicy.Fixed(0.9))
    solver = Solver(method, max_iter=max_iter, regu_coef=0.0005)
    solver.setup_coffee_lounge(save_into=out / "statistics.h5", every_n_iter=max_iter, file_exists="overwrite")
    solver.add_coffee_break(TrainingSummary(), every_n_iter=max(1, min(100, max_iter // 10)))
    solver.add_coffee_break(Snapshot(out), every_n_iter=max_iter)
    return solver


def _show_time(program: Program) -> None:
    print(f"profile of a step (the {TOP_KERNELS} slowest kernels):\n")
    print(program.profile(30).top(TOP_KERNELS))


FOLDER = Path(__file__).resolve().parents[3] / "benchmarks"
DEFAULT = "everything"
NETS = "training"
"""The script for nets; the name of a net stands for it."""


def _arguments_bench(parser: ArgumentParser) -> None:
    """For --help only; the script parses its options."""
    what = (
        "a net, or a script in benchmarks/, with its options (default: all of them, which takes about half an hour, "
        "or a few with --quick); `mochac bench list` lists them, `mochac bench NAME --help` their options"
    )
    parser.add_argument("words", metavar="[NAME] [OPTION ...]", nargs="*", help=what)


@command("bench", "compare speed with PyTorch and JAX, if installed", _arguments_bench, raw=True)
def run_bench(args: Namespace) -> int:
    """Run the script and return its exit status."""
    named = bool(args.rest) and not args.rest[0].startswith("-")
    name, options = (args.rest[0], args.rest[1:]) if named else (DEFAULT, args.rest)
    if not FOLDER.is_dir():
        raise CliError("benchmarks/ is only in the source repository, not in an installed mochac")
    scripts, nets = _scripts(), _nets()
    if name == "list":
        print("\n".join([*(f"{script}: {about}" for script, about in scripts.items()), f"nets: {' '.join(nets)}"]))
        return 0
    if name in nets:
        name, options = NETS, [args.rest[0], *options]
    if name not in scripts:
        raise CliError(f"no benchmark {name!r}; there are: {' '.join([*nets, *scripts])}")
    return subprocess.run([sys.executable, str(FOLDER / f"{name}.py"), *options], check=False).returncode


def _scripts() -> dict[str, str]:
    """The first line of the docstring of each script, by name."""
    files = sorted(FOLDER.glob("*.py"))
    return {file.stem: file.read_text(encoding="utf-8").partition("\n")[0].strip('"') for file in files}


def _nets() -> list[str]:
    return sorted(file.stem for file in (FOLDER / "contest" / "tasks").glob("[!_]*.py"))
