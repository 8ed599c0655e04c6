"""Safe reading and writing of HDF5 files: snapshots, models, statistics, means and datasets.

`open_hdf5` verifies the checksum. Everything is then read through Hdf5File, which reports where in the file something
is wrong, follows no link to another file, and reads no array larger than the file can hold. atomic.py writes such
files. Julia data files (JLD), in which Mocha keeps snapshots and statistics, are refused: they are HDF5 with Julia's
own types, linked by references, and would seem to lack parameters or to be damaged.

In names of arrays "/" separates groups; a name cannot be "." or empty. Names are written unchanged if they can be read
back, as tools of Mocha and Caffe expect: `inception_3a/1x1___weight` is a dataset in a group. If one name of a file
cannot, all its names are escaped, and the file has the attribute ESCAPED. Hdf5File reads both.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import SnapshotError
from mochac.base.escaping import quoted, unquoted
from mochac.base.files.atomic import SEALED, is_intact
from mochac.base.files.reading import DEFLATE_RATIO, Fault, Refuse, guarded, regular_size
from mochac.base.support.memory import fits
from mochac.base.threads import cached_property

ESCAPED = "mochac_escaped_names"


def naming(file: Any, names: Iterable[str], groups: Iterable[str] = ()) -> Callable[[str], str]:
    """A function from each of these names to its place in a new file.

    Args:
        file: the open h5py.File; gets the attribute ESCAPED if the names are escaped.
        groups: top-level groups of the file that are reserved for other arrays.
    """
    if is_exact(list(names), groups):
        return str
    file.attrs[ESCAPED] = 1
    return quoted


def is_exact(names: list[str], groups: Iterable[str] = ()) -> bool:
    """Whether every name, as a path, is a dataset of its own.

    >>> is_exact(["conv/1x1___weight", "ip___bias"]), is_exact(["a//b"]), is_exact(["a", "a/b"]), is_exact(["g/x"], "g")
    (True, False, False, False)
    """
    leaves = set(names)
    inner = {"/".join(parts[:k]) for parts in (name.split("/") for name in names) for k in range(1, len(parts))}
    parts = {part for name in names for part in name.split("/")}
    return not (leaves & inner or parts & {"", "."} or (leaves | inner) & {*groups})


HEADERS = (b"Julia data file", b"HDF5-based Julia Data Format")
"""First bytes of files of JLD.jl and of JLD2.jl; HDF5 begins 512 bytes later."""
HINT = 'in Julia, write its arrays as HDF5: docs/guide/mocha.md, "JLD files"'


def refuse_jld(path: str | Path) -> None:
    """Raise SnapshotError for a Julia data file, whatever its name."""
    if _is_jld(Path(path)):
        raise SnapshotError(f"{path} is a Julia data file (JLD), which is not read", hint=HINT)


def _is_jld(path: Path) -> bool:
    try:
        if not path.is_file():  # reading a pipe might never end
            return False
        with path.open("rb") as file:
            return file.read(64).startswith(HEADERS)
    except (OSError, ValueError):
        return False  # whoever opens it next reports why


MAX_LINKS = 16
"""Most soft links followed on the way to a dataset; the limit of HDF5 itself."""

_UNSEALED = f"its end is missing, or another program wrote to it; without its attribute {SEALED} it is read as it is"
_ELSEWHERE = "it is in another file: "
_VIRTUAL = "it is a virtual dataset, whose numbers are elsewhere"


@contextmanager
def open_hdf5(
    path: str | os.PathLike[str], refuse: Refuse, *, external: bool = False, verify: bool = True
) -> Iterator[Hdf5File]:
    """An HDF5 file for reading.

    Args:
        refuse: makes the caller's error from a fault; the content of the file causes no other error.
        external: accept datasets whose numbers are in other files: external links and storage, virtual datasets.
        verify: verify the checksum, if there is one; False for a file that was verified before and has not changed.

    Raises:
        the error that refuse() makes: no such file, not a regular file, not HDF5, or damaged since mochac wrote it.
    """
    import h5py

    with guarded(refuse):
        n_bytes = regular_size(path)
        intact = is_intact(Path(path)) if verify else None
    if intact is False:  # HDF5 need not see it
        raise refuse(Fault("its checksum is wrong"))
    with guarded(refuse):
        file = h5py.File(path, "r")
    try:
        opened = Hdf5File(file, n_bytes, refuse, intact, external)
        if verify and not intact and opened.has_attribute(SEALED):
            raise refuse(Fault(_UNSEALED))
        yield opened
    finally:
        with guarded(refuse):
            file.close()


def refusal(
    what: str, path: str | os.PathLike[str], fault: Fault, wrong: str = "is damaged", hint: str = ""
) -> SnapshotError:
    """The error for a fault in a file that mochac wrote; `what` is its kind, such as "model file"."""
    name = f"{what} {os.fspath(path)}"
    if fault.missing:
        return SnapshotError(f"no {name}")
    if fault.elsewhere:
        return SnapshotError(f"{name} leads to another file, which is not read", details=[str(fault)])
    return SnapshotError(f"{name} {wrong}", details=[str(fault)], hint=hint)


class Hdf5File:
    """An open file; `place` is a path inside it such as "solver_slots/ip.weight.history".

    Attributes:
        sealed: its checksum has been verified.
    """

    def __init__(self, file: Any, n_bytes: int, refuse: Refuse, intact: bool | None, external: bool) -> None:
        self._file, self._refuse, self._external = file, refuse, external
        self._n_bytes, self._budget = n_bytes, DEFLATE_RATIO * n_bytes
        self.sealed = bool(intact)

    def fault(self, place: str, reason: str, elsewhere: bool = False) -> Exception:
        """The caller's error for something wrong at `place`, ready to raise."""
        return self._refuse(Fault(reason, f"dataset {place!r}", elsewhere=elsewhere))

    def at(self, place: str) -> AbstractContextManager[None]:
        """Around h5py's own calls on the dataset at `place`."""
        return guarded(self._refuse, f"dataset {place!r}")

    def names(self, lenient: bool = False) -> list[str]:
        """Places of all datasets; each group is visited once. Names that are not UTF-8 are skipped: no layer has one.

        Args:
            lenient: skip links to other files instead of refusing them.
        """
        places: list[str] = []
        with guarded(self._refuse):
            self._collect(places, lenient)
        return places

    def dataset(self, place: str) -> Any:
        """The h5py.Dataset at `place`, or None. Unless `external`, its numbers are in this file."""
        import h5py

        with self.at(place):
            dataset = self._resolved(place)
            if not isinstance(dataset, h5py.Dataset):
                return None
            if not self._external:
                self._check_storage(place, dataset)  # before its shape, which HDF5 may look for in other files
            _ = dataset.shape, dataset.dtype  # damage is found here, not where they are used
            if not self._external:
                self._check_size(place, dataset)
            return dataset

    def array(self, place: str, kinds: str = "fiu") -> np.ndarray | None:
        """The numbers at `place`; None if there is no dataset, or one with another kind of dtype."""
        dataset = self.dataset(place)
        if dataset is None or dataset.dtype.kind not in kinds:
            return None
        n_bytes = _stated_bytes(dataset)
        self._budget -= n_bytes
        if self._budget < 0:
            raise self.fault(place, "with it, more is to be read than the file can hold")
        if not fits(n_bytes):
            raise self.fault(place, f"its {n_bytes:,} bytes do not fit into memory") from MemoryError()
        with self.at(place):
            return np.asarray(dataset[()])

    def has_attribute(self, name: str) -> bool:
        """Whether the file as a whole has this attribute."""
        with guarded(self._refuse, f"attribute {name!r}"):
            return name in self._file.attrs

    @cached_property
    def _escapes(self) -> bool:
        return self.has_attribute(ESCAPED)

    def place_of(self, name: str) -> str:
        """Where an array of this name is, below its group."""
        return quoted(name) if self._escapes else name

    def name_of(self, place: str) -> str:
        """The name of the array at a place below its group."""
        return unquoted(place) if self._escapes else place

    def text(self, name: str) -> str:
        """An attribute that is text."""
        value = self._attribute(name)
        if not isinstance(value, str):
            raise self.wrong(name, "text", value)
        return value

    def json(self, name: str) -> dict[str, Any]:
        """An attribute that is a JSON object."""
        text = self.text(name)
        with guarded(self._refuse, f"attribute {name!r}"):
            value = json.loads(text)
        if not isinstance(value, dict):
            raise self.wrong(name, "a JSON object", value)
        return value

    def integer(self, name: str, low: int, high: int) -> int:
        """An attribute that is an integer in low .. high."""
        value = self._attribute(name)
        if not isinstance(value, (int, np.integer)) or not low <= int(value) <= high:
            raise self.wrong(name, f"an integer in {low} .. {high}", value)
        return int(value)

    def _attribute(self, name: str) -> Any:
        with guarded(self._refuse, f"attribute {name!r}"):
            if name not in self._file.attrs:
                raise self._refuse(Fault("it is missing", f"attribute {name!r}"))
            attribute = self._file.attrs.get_id(name)
            if math.prod(attribute.shape or ()) * attribute.dtype.itemsize > self._budget:
                raise self.wrong(name, "one value", f"shape {attribute.shape}")
            return self._file.attrs[name]

    def wrong(self, name: str, expected: str, value: object) -> Exception:
        """The caller's error for an attribute's value, ready to raise."""
        return self._refuse(Fault(f"expected {expected}, got {str(value)[:60]!r}", f"attribute {name!r}"))

    def _resolved(self, place: str) -> Any:
        """The object at a path, link by link; None if a name is missing."""
        here, names, n_links = self._file, _parts(place), 0
        while names:
            name = names.pop(0)
            if not hasattr(here, "keys") or not here.id.links.exists(name):
                return None
            soft, elsewhere = _leads(here, name)
            if elsewhere and not self._external:
                raise self.fault(place, _ELSEWHERE + elsewhere, elsewhere=True)
            if not soft:
                here = here[name]
                continue
            n_links += 1
            if n_links > MAX_LINKS:
                raise self.fault(place, f"more than {MAX_LINKS} links lead to it")
            here = self._file if soft.startswith("/") else here
            names = _parts(soft) + names
        return here

    def _check_storage(self, place: str, dataset: Any) -> None:
        """Refuse numbers in other files. All virtual datasets are refused, since HDF5 follows the links and external
        storage of their sources, even if the sources are in this file."""
        if dataset.is_virtual:
            raise self.fault(place, _VIRTUAL, elsewhere=True)
        settings = dataset.id.get_create_plist()
        if settings.get_external_count():
            raise self.fault(place, _ELSEWHERE + _text(settings.get_external(0)[0]), elsewhere=True)

    def _check_size(self, place: str, dataset: Any) -> None:
        """Refuse a dataset larger than the file can hold."""
        if (n_bytes := _stated_bytes(dataset)) > DEFLATE_RATIO * self._n_bytes:
            raise self.fault(place, f"it states {n_bytes:,} bytes in a file of {self._n_bytes:,} bytes")

    def _collect(self, places: list[str], lenient: bool) -> None:
        import h5py

        entered, waiting = {_address(self._file)}, [("", self._file)]
        while waiting:
            prefix, group = waiting.pop(0)
            for name in filter(_is_utf8, group.id):
                place = prefix + name.decode()
                item = None if lenient and _leads(group, name)[1] else self._resolved(place)
                if isinstance(item, h5py.Dataset):
                    places.append(place)
                elif isinstance(item, h5py.Group) and (address := _address(item)) not in entered:
                    entered.add(address)
                    waiting.append((place + "/", item))


def _stated_bytes(dataset: Any) -> int:
    return math.prod(dataset.shape or ()) * dataset.dtype.itemsize


def _leads(group: Any, name: bytes) -> tuple[str, str]:
    """The target of a soft link, and the file of an external link; "" for any other link."""
    import h5py.h5l as h5l

    kind = group.id.links.get_info(name).type
    if kind == h5l.TYPE_SOFT:
        return _text(group.id.links.get_val(name)) or "/", ""
    if kind == h5l.TYPE_EXTERNAL:
        return "", _text(group.id.links.get_val(name)[0]) or "(no name)"
    if kind != h5l.TYPE_HARD:
        raise ValueError(f"a link of unknown kind {kind}")
    return "", ""


def _parts(place: str) -> list[bytes]:
    """The names in a path, as HDF5 encodes them."""
    return [part.encode("utf-8", "replace") for part in place.split("/") if part not in ("", ".")]


def _text(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


def _is_utf8(name: bytes) -> bool:
    """Names of layers are UTF-8."""
    return "\\" not in _text(name) or _text(name).encode() == name


def _address(item: Any) -> Any:
    """Equal for the same object under two names."""
    import h5py.h5o as h5o

    info = h5o.get_info(item.id)
    return info.fileno, info.addr
