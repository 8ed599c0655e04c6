"""What the examples say when their data are not there: where they look, and how to get them."""

import os
import subprocess
import sys

import pytest
from examples.running import copied

SCRIPTS = {
    "mnist/dropout_fc.py": ("no MNIST in ", "mnist/get_mnist.py downloads it"),
    "mnist/vae.py": ("no MNIST in ", "mnist/get_mnist.py downloads it"),
    "denoising-autoencoder/denoising_autoencoder.py": ("no MNIST in ", "mnist/get_mnist.py downloads it"),
    "cifar10/resnet20.py": ("no CIFAR-10 in ", "cifar10/get_cifar10.py downloads it"),
    "cifar10/cifar10.py": ("no CIFAR-10 in ", "cifar10/get_cifar10.py downloads it"),
}


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_one_line(script, tmp_path):
    copied(script.split("/")[0], tmp_path)
    env = {name: value for name, value in os.environ.items() if name not in ("MNIST_DATA", "CIFAR10_DATA")}
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 1
    start, end = SCRIPTS[script]
    assert done.stderr.startswith(start)
    assert done.stderr.endswith(f"{end}\n")
    assert done.stderr.count("\n") == 1
