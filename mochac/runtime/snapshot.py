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
from mochac.runtime.caffe.files import is_caffemodel
from mochac.runtime.log import LOG
from mochac.runtime.npz import is_npz

VERSION = 1
_FILE = re.compile(r"snapshot-(\d+)\.h5")
_SLOTS, _MEMORY = "solver_slots", "training_memory"

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
        seed: of the program, None in files of early versions.
        memory: what policies and coffee breaks keep, by their names: numbers, strings, None and arrays.
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
    seed: int | None = None
    memory: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    path: Path = field(default=Path(), compare=False)


def snapshot_path(folder: Path, iteration: int) -> Path:
    """`folder`/snapshot-%06d.h5."""
    return folder / f"snapshot-{iteration:06d}.h5"


def save_snapshot(path: Path, snapshot: Snapshot) -> None:
    """Write atomically; raises SnapshotError and leaves an older file as it was."""
    attributes: dict[str, Any] = {
        "mochac_snapshot": VERSION,
        "iteration": snapshot.iteration,
        "method": snapshot.method,
        "net": snapshot.net,
        "cursor": json.dumps(snapshot.cursor),
        "rng_step": snapshot.rng_step,
        "start_epoch": snapshot.start_epoch,
        "memory": json.dumps({name: _plain(kept) for name, kept in snapshot.memory.items()}),
    }
    if snapshot.seed is not None:
        attributes["seed"] = np.uint64(snapshot.seed)

    def write(file: Any) -> None:
        for name, array in snapshot.parameters.items():
            file.create_dataset(name, data=array)
        for name, array in snapshot.slots.items():
            file.create_dataset(f"{_SLOTS}/{name}", data=array)
        for owner, kept in snapshot.memory.items():
            for name, array in _arrays(kept).items():
                file.create_dataset(f"{_MEMORY}/{owner}/{name}", data=array)
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
    """True for a snapshot, False for a model (HDF5, .npz, .caffemodel); raises SnapshotError when it cannot be read."""
    import h5py

    if is_caffemodel(path) or is_npz(path):
        return False
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
            facts = [" ".join(line.split()) for line in str(error).splitlines() if not line.startswith("  hint:")]
            LOG.warning("skipped: %s", "; ".join(facts))
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
    parameters = dict(_datasets(file, skip=(_SLOTS, _MEMORY)))
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
        seed=int(attributes["seed"]) if "seed" in attributes else None,
        memory=_remembered(attributes, file),
        path=path,
    )


def _remembered(attributes: Mapping[str, Any], file: Any) -> dict[str, dict[str, Any]]:
    """Inverse of what save_snapshot makes of `memory`; nothing in files of early versions."""
    memory: dict[str, dict[str, Any]] = json.loads(attributes.get("memory", "{}"))
    for owner in file.get(_MEMORY, ()):
        memory.setdefault(owner, {}).update(_datasets(file[_MEMORY][owner]))
    return memory


def _arrays(kept: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {name: value for name, value in kept.items() if isinstance(value, np.ndarray)}


def _plain(kept: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kept.items() if not isinstance(value, np.ndarray)}


def _datasets(group: Any, skip: tuple[str, ...] = (), prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """All data sets below a group; a layer's name may hold slashes, which HDF5 takes for folders."""
    for name, item in group.items():
        if name in skip:
            continue
        if hasattr(item, "shape"):
            yield prefix + name, item[...]
        else:
            yield from _datasets(item, prefix=f"{prefix}{name}/")


def _damaged(path: Path, reason: str) -> SnapshotError:
    return SnapshotError(f"snapshot {path} is damaged", got=reason, hint="name an older one, or the folder")
