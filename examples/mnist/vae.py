"""Train a variational auto-encoder on MNIST by Adam, and generate digits with it.

    python get_mnist.py          # once: creates data/
    python vae.py                # 20,000 iterations; then writes snapshots-vae-50-400/samples.png
    python vae.py --latent 2     # a code of two numbers, and a picture of the whole plane of codes
    mochac explain vae.py        # what the compiler made of it

Net and settings are those of Mocha's examples/mnist/VAE.jl and mnist-VAE.jl, after Kingma and Welling 2013,
"Auto-Encoding Variational Bayes": the encoder outputs mean and deviation of a code of 50 numbers, and the decoder draws
the digit from a random code of that distribution. Mocha's SplitLayers are not needed: any number of layers may read a
blob. The learning rate starts at 0.003, not 0.01: in Mocha's Adam the second moment never decays, so its steps shrink
by themselves.
"""

from __future__ import annotations

import argparse
import struct
import zlib
from pathlib import Path

import numpy as np

import mochac
from mochac import *

HERE = Path(__file__).resolve().parent
DATA = HERE / "data"
BATCH = 100
SIDE = 28
SEED = 1


def encoder(n_latent: int, n_hidden: int) -> list[Layer]:
    """data -> mean z_mu and deviation z_sigma of the code, and a code z drawn from them: z = mu + sigma * eps."""
    init = GaussianInitializer(std=0.01)
    multiply, add = ElementWiseFunctors.Multiply(), ElementWiseFunctors.Add()
    exponential = Neurons.Exponential()  # a deviation is positive
    return [
        InnerProductLayer(name="enc", output_dim=n_hidden, neuron=Neurons.Tanh(), weight_init=init, bottoms=["data"]),
        InnerProductLayer(name="z_mu", output_dim=n_latent, weight_init=init, bottoms=["enc"]),
        InnerProductLayer(name="z_sigma", output_dim=n_latent, neuron=exponential, weight_init=init, bottoms=["enc"]),
        RandomNormalLayer(name="eps", tops=["eps"], output_dims=[n_latent], batch_sizes=[BATCH]),
        ElementWiseLayer(name="z_noise", operation=multiply, bottoms=["z_sigma", "eps"]),
        ElementWiseLayer(name="z", operation=add, bottoms=["z_noise", "z_mu"]),
    ]


def decoder(n_hidden: int) -> list[Layer]:
    """z -> out, the probability that each pixel is white."""
    init = GaussianInitializer(std=0.01)
    return [
        InnerProductLayer(name="dec", output_dim=n_hidden, neuron=Neurons.Tanh(), weight_init=init, bottoms=["z"]),
        InnerProductLayer(
            name="out", output_dim=SIDE * SIDE, neuron=Neurons.Sigmoid(), weight_init=init, bottoms=["dec"]
        ),
    ]


def net_of(part: str, n_latent: int, n_hidden: int) -> Net:
    """The net on "train" or "test"; its objective is the negative variational bound, in nats per digit."""
    data = HDF5DataLayer(
        name=f"{part}-data",
        source=DATA / f"{part}.txt",
        tops=["data"],
        shapes={"data": (1, SIDE, SIDE)},  # so that you can look at the net before the data exists
        batch_size=BATCH,
        shuffle=part == "train",
    )
    losses = [
        BinaryCrossEntropyLossLayer(name="bce-loss", bottoms=["out", "data"]),
        GaussianKLLossLayer(name="kl-loss", bottoms=["z_mu", "z_sigma"]),
    ]
    return Net(f"MNIST-VAE-{part}", [data, *encoder(n_latent, n_hidden), *decoder(n_hidden), *losses])


net = net_of("train", 50, 400)  # for the mochac command


def train(max_iter: int, n_latent: int, n_hidden: int, rate: float, folder: Path, threads: int | None) -> mochac.Params:
    """Train up to `max_iter`, from the last snapshot if there is one; return the parameters."""
    method = Adam(lr_policy=LRPolicy.Inv(rate, 0.0001, 0.5))
    solver = Solver(method, max_iter=max_iter, regu_coef=0.0, load_from=folder)
    solver.setup_coffee_lounge(save_into=folder / "statistics.h5", every_n_iter=5000)
    summary = TrainingSummary("iter", "obj_val", "learning_rate", "kl-loss", "bce-loss")
    solver.add_coffee_break(summary, every_n_iter=100)
    solver.add_coffee_break(Snapshot(folder), every_n_iter=min(5000, max_iter))
    with mochac.compile(net_of("train", n_latent, n_hidden), seed=SEED, threads=threads) as program:
        program.train(solver)
        test_net = net_of("test", n_latent, n_hidden)
        with mochac.compile(test_net, params=program.params, seed=SEED, threads=threads) as test:
            losses = test.evaluate()
            print(f"bound on the test digits: {-losses['bce-loss'] - losses['kl-loss']:.1f} nats")
        return program.params


def decoded(codes: np.ndarray, n_hidden: int, params: mochac.Params) -> np.ndarray:
    """Decode codes (N, n_latent) to images (N, 28, 28) in [0, 1]; this does not need the encoder."""
    source = MemoryDataLayer(name="codes", data=[codes.astype(np.float32)], tops=["z"], batch_size=BATCH)
    with mochac.compile(Net("MNIST-decoder", [source, *decoder(n_hidden)]), params=params) as program:
        return program.predict(codes, "out").reshape(-1, SIDE, SIDE)


def codes_to_show(n_latent: int) -> np.ndarray:
    """Return 100 codes: random ones from the prior, or, for codes of two numbers, a grid over the plane."""
    if n_latent == 2:
        along = np.linspace(-2, 2, 10)
        return np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    return np.random.default_rng(SEED).normal(size=(100, n_latent))


def sheet(images: np.ndarray) -> np.ndarray:
    """Arrange 100 images in one image of 10 x 10, as bytes."""
    rows = images.reshape(10, 10, SIDE, SIDE).transpose(0, 2, 1, 3)
    return np.round(255 * rows.reshape(10 * SIDE, 10 * SIDE)).astype(np.uint8)


def write_png(path: Path, grey: np.ndarray) -> None:
    """Write an 8-bit grey PNG file (W3C's specification, colour type 0) without a library."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    height, width = grey.shape
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    chunks = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


def main() -> None:
    parser = argparse.ArgumentParser(description="A variational auto-encoder of MNIST.")
    parser.add_argument("--max-iter", type=int, default=20000, help="iteration to stop at")
    parser.add_argument("--latent", type=int, default=50, help="numbers in a code")
    parser.add_argument("--hidden", type=int, default=400, help="hidden units of the encoder and of the decoder")
    parser.add_argument("--rate", type=float, default=0.003, help="initial learning rate")
    parser.add_argument("--threads", type=int, help="default: all")
    args = parser.parse_args()
    if not (DATA / "train.txt").exists():
        raise SystemExit(f"no MNIST in {DATA}: python {HERE / 'get_mnist.py'} downloads it")
    folder = HERE / f"snapshots-vae-{args.latent}-{args.hidden}"  # one per size: other weights do not fit
    params = train(args.max_iter, args.latent, args.hidden, args.rate, folder, args.threads)
    picture = folder / "samples.png"
    write_png(picture, sheet(decoded(codes_to_show(args.latent), args.hidden, params)))
    print(f"wrote {picture}")


if __name__ == "__main__":
    main()
