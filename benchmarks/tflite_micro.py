"""Nets of small machines in TFLite Micro: the model's file, and the arena that its interpreter takes.

Run `python benchmarks/tflite_micro.py [--record]` where `pip install tensorflow-cpu tflite-micro` has been done. The
nets are those of small_machines.py, quantized by TensorFlow with random weights: sizes do not depend on these. The
interpreter reports the arena on this machine, where its pointers have 8 bytes; the part for values has none.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).parent / "results" / "tflite_micro.md"
INTRO = """# TFLite Micro

The nets of [small_machines.md](small_machines.md) as models of TFLite {version}, in integers of 8 bits, one scale for
each filter. The file lies in flash, beside the code of the interpreter and its kernels, which is not counted here. The
arena is what the interpreter of tflite-micro ({micro}) reports on x86-64, where its own structures, with pointers of 8
bytes, are larger than on a microcontroller; "values" is the part that is the same everywhere. Written by
`python benchmarks/tflite_micro.py --record`.
"""
HEAD = ("net", "file", "arena", "of it values")
REPORT = "import sys; from tflite_micro import runtime; runtime.Interpreter.from_file(sys.argv[1]).print_allocations()"


def layers() -> Any:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow  # type: ignore[import-not-found]

    return tensorflow.keras.layers


def lenet(keras: Any, x: Any) -> Any:
    for n in (20, 50):
        x = keras.MaxPool2D()(keras.Conv2D(n, 5)(x))
    return keras.Dense(10)(keras.Dense(500, activation="relu")(keras.Flatten()(x)))


def ds_cnn(keras: Any, x: Any) -> Any:
    same = {"padding": "same", "activation": "relu"}
    x = keras.Conv2D(64, (10, 4), strides=2, **same)(x)
    for _ in range(4):
        x = keras.Conv2D(64, 1, activation="relu")(keras.DepthwiseConv2D(3, **same)(x))
    return keras.Dense(12)(keras.Flatten()(keras.AveragePooling2D((25, 5))(x)))


def autoencoder(keras: Any, x: Any) -> Any:
    for n in [128] * 4 + [8] + [128] * 4:
        x = keras.Dense(n, activation="relu")(x)
    return keras.Dense(640)(x)


def resnet8(keras: Any, x: Any) -> Any:
    def conv(x: Any, n: int, size: int = 3, stride: int = 1, neuron: str | None = "relu") -> Any:
        return keras.Conv2D(n, size, strides=stride, padding="same", activation=neuron)(x)

    x = conv(x, 16)
    for n, stride in ((16, 1), (32, 2), (64, 2)):
        y = conv(conv(x, n, stride=stride), n, neuron=None)
        x = keras.ReLU()(keras.Add()([y, x if stride == 1 else conv(x, n, 1, stride, None)]))
    return keras.Dense(10)(keras.Flatten()(keras.AveragePooling2D(8)(x)))


NETS: dict[str, tuple[tuple[int, ...], Callable[[Any, Any], Any]]] = {
    "lenet": ((28, 28, 1), lenet),
    "ds_cnn": ((49, 10, 1), ds_cnn),
    "autoencoder": ((640,), autoencoder),
    "resnet8": ((32, 32, 3), resnet8),
}


def model(shape: tuple[int, ...], net: Callable[[Any, Any], Any]) -> bytes:
    """A quantized model."""
    keras = layers()
    import tensorflow as tf  # type: ignore[import-not-found]

    x = tf.keras.Input(shape)
    converter = tf.lite.TFLiteConverter.from_keras_model(tf.keras.Model(x, net(keras, x)))
    draw = np.random.default_rng(0)
    samples = [[draw.normal(size=(1, *shape)).astype(np.float32)] for _ in range(64)]
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: samples
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return converter.convert()


def measured(name: str) -> list[str]:
    """A row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.tflite"
        path.write_bytes(model(*NETS[name]))
        said = subprocess.run([sys.executable, "-c", REPORT, path], capture_output=True, text=True, check=True)
        size = path.stat().st_size
    arena, values = (
        re.search(rf"Arena allocation {part} (\d+) bytes", said.stdout + said.stderr) for part in ("total", "head")
    )
    assert arena is not None and values is not None
    return [name, *(f"{int(n):,}" for n in (size, arena[1], values[1]))]


def main() -> None:
    """Print the table; with --record write it to results/."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    lines = [HEAD, ["---"] * len(HEAD), *map(measured, NETS)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
    print(table)
    if args.record:
        from importlib.metadata import version

        versions = {"version": version("tensorflow-cpu"), "micro": version("tflite-micro")}
        RESULTS.write_text(f"{INTRO.format(**versions)}\n{table}")


if __name__ == "__main__":
    main()
