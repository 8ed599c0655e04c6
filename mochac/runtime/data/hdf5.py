"""Readers of HDF5DataLayer and AsyncHDF5DataLayer: datasets of any number type in the files that a list file names.

Shapes and sizes are read when the Net is built, and again at the start of a training or an evaluation if files have
changed. One file is open at a time, and rows are read in groups of a few megabytes (order.py).

AsyncHDF5DataLayer shuffles within chunks of a size that the user chooses. As in Mocha, one chunk is in memory at a
time; files, chunks, and samples within the chunk are shuffled in every epoch. Without shuffling both readers are the
same.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import DataError
from mochac.base.files.hdf5_file import Hdf5File, open_hdf5
from mochac.base.files.reading import Fault, guarded, read_text, regular_size
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.base.support.memory import available_bytes, fits
from mochac.runtime.data.memory import gather
from mochac.runtime.data.order import FileOrder, RowGroup, unit_rows
from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes

GROUP_BYTES = 8 << 20
"""Bytes of rows in memory at once, in the type of the file."""

ANEW = "to use other data, build and compile the net again"

MAX_PATH = 4096
"""Characters in a line of a list file; the limit of Linux for paths."""

HDF5_MAGIC = b"\x89HDF\r\n\x1a\n"


@record
class FileShapes:
    """One file: its path as the user wrote it, number of rows, extents and dtype of a row by top, and the numbers of
    rows in a unit and in a group."""

    path: str
    n_rows: int
    tops: dict[str, tuple[int, ...]]
    dtypes: dict[str, np.dtype]
    unit: int
    group: int


class Hdf5Source(DataSource):
    """Rows of the datasets named after the tops, file by file."""

    numbered = True

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self.files: list[FileShapes] = []
        self._visits: list[tuple[int, FileOrder]] = []
        self._ends = np.zeros(0, np.int64)
        self.reload()

    def changed(self) -> bool:
        return tuple(_state(path) for path, _, _ in self._seen) != self._seen

    def reload(self) -> None:
        seen = [_state(self.layer.source)]
        paths = self._paths()
        seen += [
            _state(path) for path in paths
        ]  # before they are read, so that a change in the meantime is noticed later
        files = [self._inspect(path) for path in paths]
        self._check_files(files)
        self._check_known(files)
        self.files, self._seen = files, tuple(seen)
        self.shapes = SampleShapes(files[0].tops, sum(f.n_rows for f in files))
        self.floats = {top for f in files for top, dtype in f.dtypes.items() if dtype.kind == "f"}
        self.octets = {top for top in files[0].tops if all(f.dtypes[top].str in ("|u1", "|b1") for f in files)}
        self._orders, self._epoch = {}, -1
        self._memory: dict[str, np.ndarray] = {}
        self._loaded: tuple[int, RowGroup, dict[str, np.ndarray]] | None = None
        self._group: tuple[int, int, RowGroup] | None = None

    def unshuffled(self) -> DataSource:
        source = super().unshuffled()
        assert isinstance(source, Hdf5Source)
        self._check_known(source.files)
        return source

    def read(self, epoch: int, position: int, out: Arrays) -> None:
        n = len(next(iter(out.values())))
        done = 0
        while done < n:
            group, start, rows = self._stand(epoch, position + done)
            count = min(n - done, len(next(iter(rows.values()))) - start)
            places = slice(start, start + count)
            order = places if group.order is None else group.order[places]
            for top, samples in out.items():
                gather(rows[top], order, samples[done : done + count])
            done += count

    def locate(self, epoch: int, position: int) -> str:
        file, visit, inside = self._find(epoch, position)
        index, start = visit.find(inside)
        return f"sample {visit.group(index).row(start)} of {self.files[file].path}"

    def order(self, epoch: int) -> np.ndarray:
        if epoch != self._epoch:
            self._begin(epoch)
        firsts = np.cumsum([0, *(f.n_rows for f in self.files)])
        groups = ((file, visit.group(k)) for file, visit in self._visits for k in range(visit.n_groups))
        return np.concatenate([firsts[file] + group.rows() for file, group in groups])

    def identity(self, top: str) -> Hashable:
        """Sizes and times of change of the files when they were inspected."""
        return (top, *self._seen[1:])

    def close(self) -> None:
        self._loaded, self._memory = None, {}

    def _find(self, epoch: int, position: int) -> tuple[int, FileOrder, int]:
        """(file, its order, position in the file) of a position in the epoch."""
        if epoch != self._epoch:
            self._begin(epoch)
        turn = int(np.searchsorted(self._ends, position, side="right"))
        file, visit = self._visits[turn]
        return file, visit, position - (int(self._ends[turn - 1]) if turn else 0)

    def _begin(self, epoch: int) -> None:
        turns = self.permutation(len(self.files), epoch) if self.shuffle else np.arange(len(self.files))
        self._visits = [(int(k), self._file_order(int(k), epoch)) for k in turns]
        self._ends = np.cumsum([self.files[k].n_rows for k, _ in self._visits])
        self._epoch, self._group = epoch, None

    def _file_order(self, index: int, epoch: int) -> FileOrder:
        file = self.files[index]

        def permutation(n: int, *names: int) -> np.ndarray:
            return self.permutation(n, epoch, index, *names)

        return FileOrder(file.n_rows, file.unit, file.group, permutation if self.shuffle else None)

    def _stand(self, epoch: int, position: int) -> tuple[RowGroup, int, dict[str, np.ndarray]]:
        """The group at a position of the epoch, the place inside it, and its rows in memory."""
        file, visit, inside = self._find(epoch, position)
        index, start = visit.find(inside)
        if self._group is None or self._group[:2] != (file, index):
            self._group = (file, index, visit.group(index))
        group = self._group[2]
        if self._loaded is None or self._loaded[0] != file or self._loaded[1].runs != group.runs:
            self._loaded = None  # its memory is about to be overwritten
            self._loaded = (file, group, self._load(self.files[file], group))
        return group, start, self._loaded[2]

    def _load(self, file: FileShapes, group: RowGroup) -> dict[str, np.ndarray]:
        n_rows = sum(stop - start for start, stop in group.runs)
        rows = {}
        with self._open(file.path, verify=False) as h5:  # it was verified when it was inspected
            for top, shape in file.tops.items():
                dataset = h5.dataset(h5.place_of(top))
                wanted = (file.dtypes[top], (file.n_rows, *shape))
                actual = None if dataset is None or not dataset.shape else (dataset.dtype, _sized(dataset))
                if actual != wanted:
                    raise self._other(file.path, top, _kind(*wanted), _kind(*actual) if actual else "no such dataset")
                raw = self._space(top, n_rows, dataset)
                with h5.at(top):
                    _load_runs(dataset, group, raw)
                rows[top] = raw.reshape(n_rows, *shape)
        return rows

    def _space(self, top: str, n_rows: int, dataset: Any) -> np.ndarray:
        """Memory for rows in the type of the file, reused for every group: new pages would cost more than reading."""
        memory = self._memory.get(top)
        if memory is None or len(memory) < n_rows or memory.dtype != dataset.dtype:
            memory = self._memory[top] = np.empty((n_rows, *dataset.shape[1:]), dataset.dtype)
        return memory[:n_rows]

    def _paths(self) -> list[str]:
        source = Path(self.layer.source)
        with guarded(self._no_list):
            regular_size(source)
            with source.open("rb") as list_file:
                if list_file.read(8) == HDF5_MAGIC:
                    return [str(source)]
            lines = read_text(source).splitlines()
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_PATH:
                got = f"{len(line):,} characters"
                raise self.error(f"line {number} of list file {source} is not a path", got=got)
        names = [line.strip() for line in lines if line.strip()]
        if not names:
            raise self.error(f"list file {source} names no HDF5 files", expected="one path per line")
        return [_resolved(name, source.parent) for name in names]

    def _no_list(self, fault: Fault) -> DataError:
        hint = "source is a text file with one HDF5 path per line, relative to the current folder"
        error = self.error(f"cannot read list file {self.layer.source}", got=fault.reason, hint=hint)
        return error.as_missing() if fault.missing else error

    def _inspect(self, path: str) -> FileShapes:
        with self._open(path) as h5:
            datasets = {top: self._dataset(h5, path, top) for top in self.layer.tops}
            counts = {top: d.shape[0] for top, d in datasets.items()}
            if len(set(counts.values())) > 1:
                got = ", ".join(f"{top}: {n}" for top, n in counts.items())
                raise self.error(f"datasets of {path} differ in their number of samples", got=got)
            tops = {top: _row_shape(d) for top, d in datasets.items()}
            dtypes = {top: d.dtype for top, d in datasets.items()}
            top, largest = max(datasets.items(), key=lambda item: item[1].nbytes)
            row_bytes = sum(d.nbytes for d in datasets.values()) // max(1, largest.shape[0])
            with h5.at(top):
                chunk_rows = largest.chunks[0] if largest.chunks else None
            unit, group = self._cut(largest.shape[0], row_bytes, chunk_rows)
            return FileShapes(path, largest.shape[0], tops, dtypes, unit, group)

    def _cut(self, n_rows: int, row_bytes: int, chunk_rows: int | None) -> tuple[int, int]:
        """Rows of a unit and of a group; `chunk_rows` are those of a storage chunk."""
        unit, group = unit_rows(row_bytes, chunk_rows), GROUP_BYTES // max(1, row_bytes)
        rows = min(n_rows, max(unit, group))
        if not fits(rows * row_bytes):
            got = f"{rows:,} * {row_bytes:,} bytes"
            raise self.error("samples that are read together do not fit into memory", got=got)
        return unit, group

    def _dataset(self, h5: Hdf5File, path: str, top: str) -> Any:
        dataset = h5.dataset(h5.place_of(top))
        if dataset is None:
            known = [name for name in h5.names(lenient=True) if "/" not in name]
            hint = misspelt(top, known)
            details = [f"datasets: {' '.join(known)}"]
            raise self.error(f"{path} has no dataset {top!r}", details=details, hint=hint)
        if dataset.dtype.kind not in "fiub" or not dataset.shape:
            got = f"{dataset.dtype}, shape {dataset.shape}"
            raise self.error(f"dataset {top!r} of {path} is not numbers, samples first", got=got)
        if 0 in dataset.shape:
            raise self.error(f"dataset {top!r} of {path} is empty", got=f"shape {dataset.shape}")
        return dataset

    def _open(self, path: str, verify: bool = True) -> AbstractContextManager[Hdf5File]:
        external = self.layer.external
        return open_hdf5(path, lambda fault: self._unreadable(path, fault), external=external, verify=verify)

    def _unreadable(self, path: str, fault: Fault) -> DataError:
        what = f"{fault.place} of {path}" if fault.place else path
        listed = [f"named by {self.layer.source}"] if path != self.layer.source else []
        if fault.missing:
            return self.error(f"no HDF5 file {path}", details=listed).as_missing()
        if fault.elsewhere:
            hint = "external=True reads it, if you trust this file"
        elif "truncated file" in fault.reason:
            hint = "it is truncated: copy it or create it again"
        else:
            hint = "is it a complete HDF5 file?"
        return self.error(f"cannot read {what}", got=fault.reason, details=listed, hint=hint)

    def _check_files(self, files: Sequence[FileShapes]) -> None:
        first = files[0]
        for file in files[1:]:
            for top, shape in file.tops.items():
                if shape != first.tops[top]:
                    raise self.error(
                        f"files differ in the shape of dataset {top!r}",
                        expected=f"{first.tops[top]} ({first.path})",
                        got=f"{shape} ({file.path})",
                    )

    def _check_known(self, files: Sequence[FileShapes]) -> None:
        """Check that samples have the shapes the program was compiled for, and are as many as before: cursors count
        them."""
        rows = {file.path: file.n_rows for file in self.files}
        for file in files:
            n_rows = rows.get(file.path, file.n_rows)
            for top, shape in file.tops.items():
                wanted, actual = (n_rows, *self.reading.shapes.get(top, shape)), (file.n_rows, *shape)
                if actual != wanted:
                    raise self._other(file.path, top, f"shape {wanted}", f"shape {actual}")
        n_before, n_samples = (sum(file.n_rows for file in some) for some in (self.files, files))
        if rows and n_samples != n_before:
            what = f"list file {self.layer.source} has changed"
            raise self.error(what, expected=f"{n_before:,} samples", got=f"{n_samples:,}", hint=ANEW)

    def _other(self, path: str, top: str, expected: str, got: str) -> DataError:
        return self.error(f"dataset {top!r} of {path} has changed", expected=expected, got=got, hint=ANEW)


def _state(path: str) -> tuple[str, int, int]:
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # reading it will report the error
        return path, 0, 0
    return os.path.abspath(path), status.st_size, status.st_mtime_ns


def _load_runs(dataset: Any, group: RowGroup, rows: np.ndarray) -> None:
    """Read with HDF5's own selections, since making h5py's takes as long as reading."""
    from h5py import h5s

    space, (_, *rest) = dataset.id.get_space(), dataset.shape
    done = 0
    for start, stop in group.runs:
        extent = (stop - start, *rest)
        space.select_hyperslab((start, *[0] * len(rest)), extent)
        dataset.id.read(h5s.create_simple(extent), space, rows[done : done + stop - start])
        done += stop - start


def _sized(dataset: Any) -> tuple[int, ...]:
    return dataset.shape[0], *_row_shape(dataset)


def _kind(dtype: np.dtype, shape: tuple[int, ...]) -> str:
    return f"{dtype}, shape {shape}"


def _row_shape(dataset: Any) -> tuple[int, ...]:
    """Extents of one sample; a vector of samples counts as (N, 1)."""
    return dataset.shape[1:] or (1,)


def _resolved(name: str, folder: Path) -> str:
    """A path relative to the current folder, as in Mocha, or else to the folder of the list file."""
    other = str(folder / name)
    return other if not os.path.exists(name) and os.path.exists(other) else name


SOURCES.add("hdf5", Hdf5Source)


class AsyncHdf5Source(Hdf5Source):
    """Rows file by file, chunk by chunk of `chunk_size` rows."""

    def _cut(self, n_rows: int, row_bytes: int, chunk_rows: int | None) -> tuple[int, int]:
        if not self.shuffle:
            return super()._cut(n_rows, row_bytes, chunk_rows)
        rows = min(self.layer.chunk_size, n_rows)
        if rows * row_bytes > (most := available_bytes()):
            fits = max(1, most // row_bytes)
            raise self.error(
                "a chunk does not fit into memory",
                expected=f"chunk_size * {row_bytes:,} bytes <= {most:,} bytes",
                got=f"{rows:,} * {row_bytes:,} bytes",
                hint=f"chunk_size={fits} at most",
            )
        return rows, rows


SOURCES.add("async_hdf5", AsyncHdf5Source)
