"""The coffee lounge: statistics by name and iteration, and the HDF5 file they are kept in.

Coffee breaks record numbers here, train() returns it, `mochac plot` reads the file. It knows no program.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.errors import OptionError, SnapshotError
from mochac.runtime.atomic import check_writable, write_hdf5
from mochac.runtime.log import LOG

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
        self._aside: Table = {}
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

    def add(self, name: str, rows: Mapping[int, float]) -> None:
        """Keep rows that nobody asked for: the file gets them when it is written, which is not due for their sake."""
        self.statistics.setdefault(name, {}).update(rows)
        self._aside.setdefault(name, {}).update(rows)

    def save(self) -> None:
        """Write the file if there is anything new since it was last written; raises SnapshotError."""
        if self.path is not None and (self.unsaved or self._aside):
            save_statistics(self.path, self.statistics)
        self.unsaved = False
        self._aside.clear()

    def __repr__(self) -> str:
        shown = [f"{name} ({len(series)})" for name, series in self.statistics.items()]
        return f"<CoffeeLounge: {', '.join(shown) or 'empty'}>"

    def _meet(self, path: Path, file_exists: str) -> None:
        check_writable(path.parent)
        if not path.exists():
            return
        if not path.is_file():
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
    import h5py

    found: Table = {}

    def visit(name: str, item: Any) -> None:
        if hasattr(item, "keys") and {"iteration", "value"} <= set(item.keys()):
            pairs = zip(item["iteration"][...].tolist(), item["value"][...].tolist(), strict=True)
            found[name] = dict(pairs)

    try:
        with h5py.File(path, "r") as file:
            file.visititems(visit)
    except FileNotFoundError:
        raise SnapshotError(f"no statistics file {path}") from None
    except (OSError, ValueError, RuntimeError) as error:
        hint = 'move it away or use file_exists="overwrite"'
        raise SnapshotError(f"statistics file {path} is damaged", got=str(error), hint=hint) from None
    return found
