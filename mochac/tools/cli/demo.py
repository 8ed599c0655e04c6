"""`mochac demo`: train and test LeNet on handwritten digits, in a few seconds and without a download."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.api.compiler import compile
from mochac.api.program import Program
from mochac.nets.layers.base import Layer
from mochac.nets.layers.class_losses import SoftmaxLossLayer
from mochac.nets.layers.classes import AccuracyLayer
from mochac.nets.layers.convolution import ConvolutionLayer
from mochac.nets.layers.inner_product import InnerProductLayer
from mochac.nets.layers.memory_data import MemoryDataLayer
from mochac.nets.layers.neurons import Neurons
from mochac.nets.layers.pooling import PoolingLayer
from mochac.nets.net import Net
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.sgd import SGD
from mochac.nets.solvers.solver import Solver
from mochac.tools.cli.command import command, natural, positive
from mochac.tools.cli.digits import Digits, bundled_digits, mnist_digits
from mochac.training.loop.coffee import Snapshot, TrainingSummary, ValidationPerformance

INTERRUPTED = 130
DIGITS_ITER, MNIST_ITER = 1000, 2000
TOP_KERNELS, VALIDATIONS = 6, 4


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument(
        "--data", metavar="DIR", help="folder of MNIST's idx files (default: the digits of scikit-learn)"
    )
    parser.add_argument(
        "--out", metavar="DIR", default="demo", help="folder for the snapshot and the statistics (default demo)"
    )
    parser.add_argument("--max-iter", type=positive, metavar="N", help="number of iterations, of 64 samples each")
    parser.add_argument("--threads", type=positive, metavar="N", help="number of threads (default: all)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of initial parameters and shuffling")


@command("demo", "train LeNet on handwritten digits; needs no download", arguments)
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
