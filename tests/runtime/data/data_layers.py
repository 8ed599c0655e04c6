"""Stand-ins for data layers and HDF5 files, for the tests of readers."""

from dataclasses import dataclass, field
from typing import Any

import h5py
import numpy as np


@dataclass
class FakeLayer:
    reader: str = "memory"
    name: str = "train-data"
    tops: tuple[str, ...] = ("data", "label")
    batch_size: int = 4
    shuffle: bool = False
    data: Any = ()
    source: str = ""
    transformers: Any = ()
    external: bool = False
    declared: dict[str, tuple[int, ...]] = field(default_factory=dict)
    origin: tuple[str, int] = ("lenet.py", 3)
    kind: str = field(init=False)

    def __post_init__(self):
        self.kind = {"memory": "MemoryData", "hdf5": "HDF5Data"}[self.reader]


def numbered(n, shape=(2,), dtype=np.float32, first=0):
    """Samples whose every element is the sample's number, and labels number % 10."""
    ids = np.arange(first, first + n)
    data = np.broadcast_to(ids.reshape(-1, *[1] * len(shape)), (n, *shape)).astype(dtype)
    return data, (ids % 10).astype(np.float32)[:, None]


def memory(n=10, **kw):
    data, label = numbered(n)
    return FakeLayer(**{"data": (data, label), **kw})


def write_files(folder, sizes, dtype=np.float32, label=None, **options):
    """HDF5 files of consecutive numbered samples and their list file."""
    first, paths = 0, []
    for k, n in enumerate(sizes):
        data, labels = numbered(n, (2, 3), dtype, first)
        first += n
        paths.append(folder / f"part{k}.h5")
        with h5py.File(paths[-1], "w") as f:
            f.create_dataset("data", data=data, **options)
            f.create_dataset("label", data=labels if label is None else label(labels))
    source = folder / "train.txt"
    source.write_text("".join(f"{p}\n\n" for p in paths))
    return str(source)


def hdf5(source, **kw):
    return FakeLayer(**{"reader": "hdf5", "source": source, **kw})


def ids(batch):
    """Numbers of the samples of a batch."""
    return np.asarray(batch["data"]).reshape(len(batch["data"]), -1)[:, 0].astype(int).tolist()


def take(feed, n):
    """Numbers of the samples of the next n batches, batch by batch."""
    found = []
    while len(found) < n:
        for _ in range(feed.wait(n - len(found))):
            found.append(ids(feed.arrays()))
            feed.release(1)
    return found
