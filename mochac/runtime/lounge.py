"""The coffee lounge: statistics by name and iteration, and the HDF5 file they are kept in.

Coffee breaks record numbers here, train() returns it, `mochac plot` reads the file. It knows no program.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from mochac.errors import OptionError, SnapshotError
from mochac.runtime.atomic import check_writable, write_hdf5
from mochac.runtime.hdf5_file import Hdf5File, open_hdf5
from mochac.runtime.log import LOG
from mochac.runtime.reading import Fault

FILE_EXISTS = ("merge", "overwrite", "panic")

Table = dict[str, dict[int, float]]


class CoffeeLounge:
    """Statistics of a training: `lounge.statistics[name][iteration]`.

    Args:
        save_into: HDF5 file to keep them in, "" for none.
        every_n_iter: save at these iterations, when something was recorded since.
        file_exists: "merge" reads the file first, "overwrite" replaces it, "panic" is an OptionError.

    Attributes:
        interrupted: Ctrl-C ended the training before its limit.
        stopped: why a coffee break ended it before its limit, "" where none did.
        latest: the iteration of the last number recorded in this training, by name.
        trained_s: seconds the training took, coffee breaks left out.
        waited_s: seconds of them in which steps waited for data, by data layer.

    >>> lounge = CoffeeLounge()
    >>> lounge.record("obj_val", 100, 0.5)
    >>> lounge.statistics["obj_val"][100]
    0.5
    """

    def __init__(self, save_into: str = "", every_n_iter: int = 1, file_exists: str = "merge") -> None:
        self.statistics: Table = {}
        self.path = Path(save_into) if save_into else None
        self.every_n_iter = every_n_iter
        self.unsaved = self.interrupted = False
        self.stopped = ""
        self.latest: dict[str, int] = {}
        self.trained_s = 0.0
        self.waited_s: dict[str, float] = {}
        self._disputed: set[str] = set()
        if self.path is not None:
            self._meet(self.path, file_exists)

    def record(self, name: str, iteration: int, value: float) -> None:
        """Keep one number; the same iteration overwrites, with a warning if it did so in this training."""
        iteration, value, series = int(iteration), float(value), self.statistics.setdefault(name, {})
        if self.latest.get(name) == iteration and series[iteration] != value and name not in self._disputed:
            self._disputed.add(name)
            words = "two coffee breaks record %r, as %g and %g at iteration %d: the later one stays; rename one's layer"
            LOG.warning(words, name, series[iteration], value, iteration)
        series[iteration] = value
        self.latest[name] = iteration
        self.unsaved = True

    def save(self) -> None:
        """Write the file if anything was recorded since it was last written; raises SnapshotError."""
        if self.path is not None and self.unsaved:
            save_statistics(self.path, self.statistics)
        self.unsaved = False

    def __repr__(self) -> str:
        shown = [f"{name} ({len(series)})" for name, series in self.statistics.items()]
        return f"<CoffeeLounge: {', '.join(shown) or 'empty'}>"

    def _meet(self, path: Path, file_exists: str) -> None:
        check_writable(path.parent)
        if not os.path.exists(path):
            return
        if not os.path.isfile(path):
            raise SnapshotError(f"statistics file {path} is not a file")
        if file_exists == "panic":
            raise OptionError(f"statistics file {path} exists", hint='file_exists="merge" or "overwrite"')
        if file_exists == "merge":
            self.statistics = load_statistics(path)


def save_statistics(path: Path, statistics: Table) -> None:
    """Write atomically: group `name` with data sets `iteration` (int64) and `value` (float64), sorted by iteration."""

    def write(file: Any) -> None:
        for name, series in statistics.items():
            rows = sorted(series.items())
            group = file.create_group(name)
            group["iteration"] = np.array([i for i, _ in rows], np.int64)
            group["value"] = np.array([v for _, v in rows], np.float64)

    write_hdf5(path, write)


def load_statistics(path: str | Path) -> Table:
    """Inverse of save_statistics; raises SnapshotError."""
    with open_hdf5(path, lambda fault: _refused(path, fault)) as file:
        places = set(file.names())
        names = [place.removesuffix("/value") for place in sorted(places) if place.endswith("/value")]
        found = {name: _series(file, name) for name in names if f"{name}/iteration" in places}
        if found and not file.sealed:
            LOG.info("statistics file %s has no checksum: an earlier mochac wrote it", path)
    return found


def _series(file: Hdf5File, name: str) -> dict[int, float]:
    iterations, values = file.array(f"{name}/iteration", kinds="iu"), file.array(f"{name}/value")
    if iterations is None or values is None or iterations.ndim != 1 or iterations.shape != values.shape:
        raise file.fault(name, "it is not one number for each iteration")
    return dict(zip(iterations.tolist(), values.astype(np.float64).tolist(), strict=True))


def _refused(path: str | Path, fault: Fault) -> SnapshotError:
    if fault.missing:
        return SnapshotError(f"no statistics file {path}")
    if fault.elsewhere:
        return SnapshotError(f"statistics file {path} leads to another file, which is not read", got=str(fault))
    hint = 'move it away or use file_exists="overwrite"'
    return SnapshotError(f"statistics file {path} is damaged", got=str(fault), hint=hint)
