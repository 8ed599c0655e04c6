"""Stacked denoising auto-encoders: three layers pre-trained without labels, fine-tuned, compared with random weights.

    python ../mnist/get_mnist.py            # once: creates ../mnist/data/
    python denoising_autoencoder.py         # Mocha's settings: 15 epochs per layer, then 1000 epochs, twice
    python denoising_autoencoder.py --pretrain-epochs 2 --finetune-epochs 20 --tie-gradient --snapshots tied
    python plot_all.py                      # the tutorial's two plots

Every stage resumes from its own snapshots when you run the script again. Nets, settings and names are those of Mocha's
tutorial "Pre-training with Stacked Denoising Auto-encoders". A mochac.Params takes the place of Mocha's registry: all
nets compiled with one store share the parameters of layers with the same param_key, and a new store starts over.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import mochac
from mochac import *

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("MNIST_DATA") or HERE.parent / "mnist/data")
SHAPES = {"data": (1, 28, 28), "label": (1,)}  # so that you can look at the nets before the data exists
SNAPSHOTS = HERE / "snapshots"
SEED = 1

N_LAYERS = 3
N_UNITS = 1000
CORRUPTION = (0.1, 0.2, 0.3)
BATCH = 100
EPOCH = 60000 // BATCH
PRETRAIN_RATE, FINETUNE_RATE = 0.001, 0.1
KEYS = [f"ip-layer-{i}" for i in range(1, N_LAYERS + 1)]

data = HDF5DataLayer(name="train-data", source=DATA / "train.txt", shapes=SHAPES, batch_size=BATCH, shuffle=True)
test_data = HDF5DataLayer(name="test-data", source=DATA / "test.txt", shapes=SHAPES, batch_size=BATCH)
rename = IdentityLayer(name="rename", bottoms=["data"], tops=["ip0"])
hidden = [
    InnerProductLayer(
        name=f"ip-{i}",
        param_key=KEYS[i - 1],
        output_dim=N_UNITS,
        neuron=Neurons.Sigmoid(),
        bottoms=[f"ip{i - 1}"],
        tops=[f"ip{i}"],
    )
    for i in range(1, N_LAYERS + 1)
]
pred = InnerProductLayer(name="pred", output_dim=10, bottoms=[f"ip{N_LAYERS}"])
loss = SoftmaxLossLayer(name="loss", bottoms=["pred", "label"])
accuracy = AccuracyLayer(name="test-accuracy", bottoms=["pred", "label"])
net = Net("MNIST-classifier", [data, rename, *hidden, pred, loss])
test_net = Net("MNIST-classifier-test", [test_data, rename, *hidden, pred, accuracy])


def autoencoder(i: int, tie_gradient: bool = False) -> Net:
    """A net in which hidden layer i learns to restore the output of the layers below it from a masked copy."""
    split = SplitLayer(name="split", bottoms=[f"ip{i - 1}"], tops=["orig_data", "corrupt_data"])
    corrupt = RandomMaskLayer(name="corrupt", ratio=CORRUPTION[i - 1], bottoms=["corrupt_data"])
    encode = hidden[i - 1].replace(bottoms=["corrupt_data"])
    recon = TiedInnerProductLayer(
        name=f"tied-ip-{i}",
        tied_param_key=KEYS[i - 1],
        tie_gradient=tie_gradient,
        bottoms=[f"ip{i}"],
        tops=["recon"],
    )
    recon_loss = SquareLossLayer(name="recon-loss", bottoms=["recon", "orig_data"])
    layers = [data, rename, split, corrupt, *hidden[: i - 1], encode, recon, recon_loss]
    return Net(f"Denoising-Autoencoder-{i}", layers)


def pretrain(i: int, encoder: Net, params: mochac.Params, folder: Path, max_iter: int, threads: int | None) -> None:
    """Train auto-encoder i; the layers below it do not change."""
    method = SGD(PRETRAIN_RATE)
    solver = Solver(method, max_iter=max_iter, regu_coef=0.0, load_from=folder)
    solver.add_coffee_break(TrainingSummary(), every_n_iter=1000)
    solver.add_coffee_break(Snapshot(folder), every_n_iter=min(3000, max_iter))
    with mochac.compile(encoder, params=params, seed=SEED, threads=threads) as program:
        program.freeze_all()
        program.unfreeze(f"ip-{i}", f"tied-ip-{i}")
        program.train(solver)


def finetune(params: mochac.Params, folder: Path, max_iter: int, threads: int | None) -> float:
    """Train the classifier from the store's weights, with statistics for plot_all.py; return the test accuracy."""
    method = SGD(FINETUNE_RATE)
    solver = Solver(method, max_iter=max_iter, regu_coef=0.0, load_from=folder)
    solver.setup_coffee_lounge(save_into=folder / "statistics.h5", every_n_iter=min(10000, max_iter))
    with (
        mochac.compile(net, params=params, seed=SEED, threads=threads) as program,
        mochac.compile(test_net, params=params, threads=threads) as test,
    ):
        solver.add_coffee_break(TrainingSummary(), every_n_iter=min(100, max_iter))
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=min(EPOCH, max_iter))
        solver.add_coffee_break(Snapshot(folder), every_n_iter=min(10000, max_iter))
        program.train(solver)
        return test.evaluate()["test-accuracy-accuracy"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Pre-training with stacked denoising auto-encoders.")
    parser.add_argument("--pretrain-epochs", type=int, default=15, help="for each of the three layers")
    parser.add_argument("--finetune-epochs", type=int, default=1000)
    parser.add_argument("--max-iter", type=int, help="limit on the iterations of each stage")
    parser.add_argument("--tie-gradient", action="store_true", help="the decoder's gradient reaches the weight as well")
    parser.add_argument("--snapshots", type=Path, default=SNAPSHOTS, help="folder of snapshots to resume from")
    parser.add_argument("--threads", type=int, help="default: all")
    args = parser.parse_args()
    if not (DATA / "train.txt").exists():
        raise SystemExit(f"no MNIST in {DATA}: python {HERE.parent / 'mnist/get_mnist.py'} downloads it")
    most = args.max_iter or (args.finetune_epochs + args.pretrain_epochs) * EPOCH
    params = mochac.Params()
    for i in range(1, N_LAYERS + 1):
        encoder = autoencoder(i, args.tie_gradient)
        iterations = min(args.pretrain_epochs * EPOCH, most)
        pretrain(i, encoder, params, args.snapshots / f"pretrain-{i}", iterations, args.threads)
    iterations = min(args.finetune_epochs * EPOCH, most)
    reached = finetune(params, args.snapshots / "finetune", iterations, args.threads)
    print(f"test accuracy with pre-training {reached:.2%}")
    reached = finetune(mochac.Params(), args.snapshots / "randinit", iterations, args.threads)
    print(f"test accuracy from random weights {reached:.2%}")


if __name__ == "__main__":
    main()
