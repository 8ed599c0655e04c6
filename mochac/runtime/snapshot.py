"""Snapshots: everything a training needs to go on bit for bit, in one HDF5 file.

The Snapshot break saves them, the training loop resumes from them. Parameters lie at the top as `key___param`, so that
a snapshot is a model file too. It knows no plan: states are arrays by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mochac.errors import SnapshotError
from mochac.runtime.atomic import is_intact, write_hdf5
from mochac.runtime.log import LOG

VERSION = 1
_FILE = re.compile(r"snapshot-(\d+)\.h5")
_SLOTS = "solver_slots"

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Snapshot:
    """State after `iteration` updates.

    Args:
        method, net: names of the solver method and of the net; another method is refused, the net's name informs.
        cursor: of the data layers, JSON-able.
        rng_step: the counter of device random numbers.
        start_epoch: epochs the data layers had behind them when this training began at iteration 0.
        parameters: by "key___param".
        slots: solver state by "key.param.slot".
        path: where it was read from.
    """

    iteration: int
    method: str
    net: str
    cursor: dict[str, Any]
    rng_step: int
    start_epoch: int
    parameters: Arrays
    slots: Arrays
    path: Path = field(default=Path(), compare=False)


def snapshot_path(folder: Path, iteration: int) -> Path:
    """`folder`/snapshot-%06d.h5."""
    return folder / f"snapshot-{iteration:06d}.h5"


def save_snapshot(path: Path, snapshot: Snapshot) -> None:
    """Write atomically; raises SnapshotError and leaves an older file as it was."""
    attributes = {
        "mochac_snapshot": VERSION,
        "iteration": snapshot.iteration,
        "method": snapshot.method,
        "net": snapshot.net,
        "cursor": json.dumps(snapshot.cursor),
        "rng_step": snapshot.rng_step,
        "start_epoch": snapshot.start_epoch,
    }

    def write(file: Any) -> None:
        for name, array in snapshot.parameters.items():
            file.create_dataset(name, data=array)
        for name, array in snapshot.slots.items():
            file.create_dataset(f"{_SLOTS}/{name}", data=array)
        for name, value in attributes.items():
            file.attrs[name] = value

    write_hdf5(path, write, seal=True)


def read_snapshot(path: Path) -> Snapshot:
    """Read and verify one file.

    Raises:
        SnapshotError: no such file, damaged, no snapshot, or of a later version.
    """
    import h5py

    try:
        intact = is_intact(path)
        if intact is False:  # HDF5 need not see it
            raise _damaged(path, "its checksum is wrong")
        with h5py.File(path, "r") as file:
            if intact:
                return _read(path, file)
            known = "mochac_snapshot" in file.attrs
    except FileNotFoundError:
        raise SnapshotError(f"no snapshot {path}") from None
    except (OSError, RuntimeError) as error:
        raise _damaged(path, str(error)) from None
    if known:
        raise _damaged(path, "its end is missing")
    raise SnapshotError(f"{path} is not a snapshot", hint="program.load(path) reads a model")


def is_snapshot(path: Path) -> bool:
    """True for a snapshot, False for another HDF5 file (a model); raises SnapshotError when it cannot be read."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            return "mochac_snapshot" in file.attrs
    except FileNotFoundError:
        raise SnapshotError(f"no snapshot or model {path}") from None
    except OSError as error:
        raise _damaged(path, str(error)) from None


def newest_snapshot(folder: Path) -> Snapshot | None:
    """The readable snapshot of the highest iteration in `folder`; damaged ones are skipped with a warning."""
    for path in _candidates(folder):
        try:
            return read_snapshot(path)
        except SnapshotError as error:
            LOG.warning("skipped: %s", " ".join(str(error).split()))
    return None


def restore(arrays: Arrays, saved: Arrays, what: str, path: Path) -> None:
    """Check that `saved` has the names, shapes and dtypes of `arrays`; nothing is written.

    Raises:
        SnapshotError: names what differs.
    """
    missing, extra = [n for n in arrays if n not in saved], [n for n in saved if n not in arrays]
    if missing or extra:
        details = [f"not in the snapshot: {' '.join(missing)}"] if missing else []
        details += [f"not in the net: {' '.join(extra)}"] if extra else []
        raise SnapshotError(f"{path} belongs to another net: its {what} differ", details=details)
    for name, array in arrays.items():
        if array.shape != saved[name].shape or array.dtype != saved[name].dtype:
            raise SnapshotError(
                f"{path} belongs to another net: {name} differs",
                expected=f"{array.dtype}{list(array.shape)}",
                got=f"{saved[name].dtype}{list(saved[name].shape)}",
            )


def _candidates(folder: Path) -> list[Path]:
    found = [(int(match[1]), path) for path in folder.iterdir() if (match := _FILE.fullmatch(path.name))]
    return [path for _, path in sorted(found, reverse=True)]


def _read(path: Path, file: Any) -> Snapshot:
    attributes = dict(file.attrs)
    version = attributes["mochac_snapshot"]
    if version > VERSION:
        raise SnapshotError(f"{path} was written by a later mochac", expected=f"version {VERSION}", got=str(version))
    parameters = dict(_datasets(file, skip=_SLOTS))
    slots = dict(_datasets(file[_SLOTS])) if _SLOTS in file else {}
    return Snapshot(
        iteration=int(attributes["iteration"]),
        method=str(attributes["method"]),
        net=str(attributes["net"]),
        cursor=json.loads(attributes["cursor"]),
        rng_step=int(attributes["rng_step"]),
        start_epoch=int(attributes["start_epoch"]),
        parameters=parameters,
        slots=slots,
        path=path,
    )


def _datasets(group: Any, skip: str = "", prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """All data sets below a group; a layer's name may hold slashes, which HDF5 takes for folders."""
    for name, item in group.items():
        if name == skip:
            continue
        if hasattr(item, "shape"):
            yield prefix + name, item[...]
        else:
            yield from _datasets(item, prefix=f"{prefix}{name}/")


def _damaged(path: Path, reason: str) -> SnapshotError:
    return SnapshotError(f"snapshot {path} is damaged", got=reason, hint="name an older one, or the folder")
