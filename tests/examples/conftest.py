"""Where the tests of examples find real MNIST."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def mnist():
    """The folder of the four idx.gz files: $MOCHAC_DATA/mnist, else ../shared/data/mnist beside the checkout."""
    beside = Path(__file__).parents[3] / "shared/data"
    folder = Path(os.environ.get("MOCHAC_DATA") or beside) / "mnist"
    if not (folder / "train-images-idx3-ubyte.gz").exists():
        pytest.skip("no MNIST: set MOCHAC_DATA to a folder that has mnist/train-images-idx3-ubyte.gz and the others")
    return folder
