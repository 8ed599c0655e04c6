"""CoffeeLounge: the statistics of a training by name and iteration, and the HDF5 file they are saved in.

Coffee breaks record numbers in the lounge, train() returns it, and `mochac plot` reads the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.drawing.svg import Curve, table, titled, to_svg
from mochac.base.errors import OptionError, SnapshotError, shown
from mochac.base.escaping import fault_of
from mochac.base.files.atomic import write_hdf5
from mochac.base.files.hdf5_file import Hdf5File, naming, open_hdf5, refusal, refuse_jld
from mochac.base.support.log import LOG
from mochac.runtime.ranks.ranks import Exchanged

Table = dict[str, dict[int, float]]


class CoffeeLounge:
    """Statistics of a training: `lounge.statistics[name][iteration]`.

    Args:
        save_into: HDF5 file to save them in, "" for none.
        every_n_iter: save at these iterations, if something has been recorded.
        file_exists: "merge" reads the file first, "overwrite" replaces it, "panic" raises an OptionError.

    Attributes:
        interrupted: whether a signal (Ctrl-C, SIGTERM, SIGHUP) ended the training.
        stopped: why a coffee break ended the training early, "" if none did.
        latest: the iteration of the last number recorded in this training, by name.
        trained_s: duration of the training without coffee breaks, seconds.
        waited_s: the part of it in which steps waited for data, by data layer.
        exchanged: what was exchanged with other ranks.
        save_due: whether a coffee break has recorded something since the file was last written.

    >>> lounge = CoffeeLounge()
    >>> lounge.record("obj_val", 100, 0.5)
    >>> lounge.statistics["obj_val"][100]
    0.5
    """

    def __init__(self, save_into: str = "", every_n_iter: int = 1, file_exists: str = "merge") -> None:
        self.statistics: Table = {}
        self.path = Path(save_into) if save_into else None
        self.every_n_iter = every_n_iter
        self.interrupted = False
        self.stopped = ""
        self.latest: dict[str, int] = {}
        self.trained_s = 0.0
        self.waited_s: dict[str, float] = {}
        self.exchanged = Exchanged()
        self.save_due = False
        self._disputed: set[str] = set()
        self._unsaved: Table = {}
        if self.path is not None:
            self._open_existing(self.path, file_exists)

    def record(self, name: str, iteration: int, value: float) -> None:
        """Record a number. A second one for the same iteration replaces it, with a warning.

        Raises:
            OptionError: the value is not a number, or `name` no name.
        """
        why = "it is not text" if not isinstance(name, str) else fault_of(name) if name else "it is empty"
        if why:
            raise OptionError("lounge.record(): a statistic cannot have this name", got=shown(name), hint=why)
        try:
            iteration, value = int(iteration), float(value)
        except (TypeError, ValueError, OverflowError):
            got = f"{shown(value)} at iteration {shown(iteration)}"
            raise OptionError(f"lounge.record({name!r}): the value is not a number", got=got) from None
        series = self.statistics.setdefault(name, {})
        if self.latest.get(name) == iteration and series[iteration] != value and name not in self._disputed:
            self._disputed.add(name)
            words = "two coffee breaks record %r, as %g and %g at iteration %d: the second is kept; "
            words += "rename a layer, or give a ValidationPerformance a prefix"
            LOG.warning(words, name, series[iteration], value, iteration)
        self.add(name, {iteration: value})
        self.latest[name] = iteration
        self.save_due = self.path is not None

    def add(self, name: str, rows: Mapping[int, float]) -> None:
        """Record rows that are saved with the next ones, without marking the file as due."""
        for kept in [self.statistics] if self.path is None else [self.statistics, self._unsaved]:
            kept.setdefault(name, {}).update(rows)

    @property
    def unsaved(self) -> bool:
        """Whether there are rows that are not in the file."""
        return bool(self._unsaved)

    def save(self) -> None:
        """Write the file if there is anything new; raises SnapshotError."""
        if self.path is not None and self.unsaved:
            save_statistics(self.path, self.statistics)
        self._unsaved.clear()
        self.save_due = False

    def memory(self) -> dict[str, Any]:
        """The rows that are not in the file yet, for snapshots."""
        rows = [(k, i, v) for k, series in enumerate(self._unsaved.values()) for i, v in series.items()]
        return {
            "names": json.dumps(list(self._unsaved)),
            "name": np.array([k for k, _, _ in rows], np.int64),
            "iteration": np.array([i for _, i, _ in rows], np.int64),
            "value": np.array([v for _, _, v in rows], np.float64),
        }

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Add the rows of memory(), which the resumed training may not have saved."""
        if self.path is None or not memory:
            return
        names, columns = json.loads(memory["names"]), (memory[n].tolist() for n in ("name", "iteration", "value"))
        for k, iteration, value in zip(*columns, strict=True):
            self.add(names[k], {iteration: value})

    def __repr__(self) -> str:
        shown = [f"{name} ({len(series)})" for name, series in self.statistics.items()]
        return f"<CoffeeLounge: {', '.join(shown) or 'empty'}>"

    def _repr_html_(self) -> str:
        """In a notebook: a table of the latest numbers, and the curves."""
        series = {name: rows for name, rows in sorted(self.statistics.items()) if rows}
        latest = [[name, str(max(rows)), f"{rows[max(rows)]:.6g}"] for name, rows in series.items()]
        charts = to_svg({name: [Curve(name, rows)] for name, rows in series.items() if len(rows) > 1})
        return titled("CoffeeLounge", table(["statistic", "iteration", "value"], latest, right=(1, 2)), charts)

    def _open_existing(self, path: Path, file_exists: str) -> None:
        if not os.path.exists(path):
            return
        if not os.path.isfile(path):
            raise SnapshotError(f"statistics file {path} is not a file")
        if file_exists == "panic":
            raise OptionError(f"statistics file {path} exists", hint='file_exists="merge" or "overwrite"')
        if file_exists == "merge":
            self.statistics = load_statistics(path, hint='move it away or use file_exists="overwrite"')


def save_statistics(path: Path, statistics: Table) -> None:
    """Write atomically: a group for each name, with datasets `iteration` (int64) and `value` (float64), sorted."""

    def write(file: Any) -> None:
        place = naming(file, [f"{name}/{column}" for name in statistics for column in ("iteration", "value")])
        for name, series in statistics.items():
            rows = sorted(series.items())
            group = file.create_group(place(name))
            group["iteration"] = np.array([i for i, _ in rows], np.int64)
            group["value"] = np.array([v for _, v in rows], np.float64)

    write_hdf5(path, write)


def load_statistics(path: str | Path, hint: str = "") -> Table:
    """Read a file of save_statistics; raises SnapshotError, with `hint` if the file is damaged."""
    refuse_jld(path)
    with open_hdf5(path, lambda fault: refusal("statistics file", path, fault, hint=hint)) as file:
        places = set(file.names())
        names = [place.removesuffix("/value") for place in sorted(places) if place.endswith("/value")]
        statistics = {file.name_of(name): _series(file, name) for name in names if f"{name}/iteration" in places}
        if statistics and not file.sealed:
            LOG.info("statistics file %s has no checksum: an earlier mochac wrote it", path)
    return statistics


def _series(file: Hdf5File, name: str) -> dict[int, float]:
    iterations, values = file.array(f"{name}/iteration", kinds="iu"), file.array(f"{name}/value")
    if iterations is None or values is None or iterations.ndim != 1 or iterations.shape != values.shape:
        raise file.fault(name, "it is not one number for each iteration")
    return dict(zip(iterations.tolist(), values.astype(np.float64).tolist(), strict=True))
