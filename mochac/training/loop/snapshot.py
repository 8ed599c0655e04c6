"""Snapshots: all that a training needs to go on.

Flat snapshots, in the form .safetensors, which the C library of a net writes and reads too.

They hold parameters, states and solver slots, the iteration, the step counter of random numbers, and which policies
were replaced by a number. There is no position in the data: it follows from the number of batches.

Snapshots: HDF5 files with everything a training needs to continue bit for bit.

Parameters are at the top level as `key___param`, so a snapshot is a model file too.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import SnapshotError
from mochac.base.files.array_files import is_npz, is_safetensors, read_metadata, read_safetensors, write_safetensors
from mochac.base.files.atomic import write_hdf5
from mochac.base.files.caffe_binary import is_caffemodel
from mochac.base.files.hdf5_file import Hdf5File, naming, open_hdf5, refusal, refuse_jld
from mochac.base.files.reading import Fault, Refuse, guarded
from mochac.base.records import record
from mochac.base.support.log import LOG, one_line
from mochac.base.support.memory import first_not_finite

SLOT = "solver_slots/"
"""Prefix of the names of slots."""
MARK, VERSION_FLAT_SNAPSHOT = "mochac_snapshot", "1"
_HYPER = "hyper "
_NOT_SET = "0" * 17


def flat_metadata(net: str, method: str, settable: Sequence[str]) -> dict[str, str]:
    """The texts of a snapshot's header, with digits of fixed width for its numbers.

    Args:
        settable: names of the policies of the method.
    """
    fixed = {MARK: VERSION_FLAT_SNAPSHOT, "net": net, "method": method, "iteration": "0" * 16, "rng_step": "0" * 16}
    return {**fixed, **{f"{_HYPER}{name}": _NOT_SET for name in settable}}


def write_flat(
    path: Path,
    arrays: Mapping[str, np.ndarray],
    slots: Mapping[str, np.ndarray],
    metadata: Mapping[str, str],
    numbers: tuple[int, int],
    set_hypers: Mapping[str, float],
) -> None:
    """Create or replace `path` atomically; raises SnapshotError.

    Args:
        arrays: parameters and states by "key___param".
        slots: by "key.param.slot".
        metadata: of flat_metadata.
        numbers: the iteration, and the step counter of random numbers.
        set_hypers: numbers that replace policies, by name.
    """
    iteration, rng_step = numbers
    texts = {**metadata, "iteration": f"{iteration:016x}", "rng_step": f"{rng_step:016x}"}
    texts |= {f"{_HYPER}{name}": "1" + struct.pack(">d", value).hex() for name, value in set_hypers.items()}
    write_safetensors(path, {**arrays, **{f"{SLOT}{name}": a for name, a in slots.items()}}, texts)


def is_flat(path: Path, refuse: Refuse) -> bool:
    """Whether a file is such a snapshot; raises what `refuse` makes if it is a damaged .safetensors."""
    return is_safetensors(path) and MARK in read_metadata(path, refuse)


def read_flat(path: Path, refuse: Refuse) -> dict[str, Any]:
    """The fields of the SavedState of such a snapshot.

    Raises:
        SnapshotError: a later version. What `refuse` makes: it is damaged.
    """
    texts, arrays = read_metadata(path, refuse), read_safetensors(path, refuse)
    if texts[MARK] != VERSION_FLAT_SNAPSHOT:
        rule = f"{path} was written by a later mochac"
        raise SnapshotError(rule, expected=f"version {VERSION_FLAT_SNAPSHOT}", got=texts[MARK][:20])
    try:
        hypers = {
            name.removeprefix(_HYPER): struct.unpack(">d", bytes.fromhex(text[1:]))[0]
            for name, text in texts.items()
            if name.startswith(_HYPER) and text[0] == "1"
        }
        fields = {name: texts[name] for name in ("net", "method")}
        counters = {name: int(texts[name], 16) for name in ("iteration", "rng_step")}
    except (KeyError, ValueError, IndexError, struct.error) as error:
        raise refuse(Fault(f"its header lacks or garbles {error}")) from None
    return {
        **fields,
        **counters,
        "cursor": {},
        "start_epoch": 0,
        "parameters": {name: a for name, a in arrays.items() if not _is_slot(name)},
        "slots": {name.removeprefix(SLOT): a for name, a in arrays.items() if _is_slot(name)},
        "memory": {"hypers": hypers} if hypers else {},
    }


def _is_slot(name: str) -> bool:
    """Whether an array is a slot, solver_slots/key.param.slot, not a parameter of a layer whose name begins like that.

    >>> _is_slot("solver_slots/ip___1.weight.history"), _is_slot("solver_slots/ip.1___weight")
    (True, False)
    """
    return name.startswith(SLOT) and "." in name.rpartition("___")[2]


VERSION = 1
_FILE = re.compile(r"snapshot-(\d+)\.h5")
_SLOTS, _MEMORY = "solver_slots", "training_memory"
_OLDER = "use an older snapshot, or the folder"
_MARK, _UNMARKED = "mochac_snapshot", "it is named like a snapshot, but is not marked as one"
_MOST = 2**53
"""Limit of counters: more updates or samples than any training has."""

Arrays = Mapping[str, np.ndarray]


@record
class SavedState:
    """The state of a training after `iteration` updates.

    Args:
        method, net: names of the solver method, which must be the same on resuming, and of the net, for information.
        cursor: of the data layers, JSON-able.
        rng_step: the step counter of random numbers in compiled code.
        start_epoch: epoch of the program at iteration 0 of this training.
        parameters: by "key___param".
        slots: solver state by "key.param.slot".
        seed: of the program, None in files of early versions.
        parts: into how many its steps cut a batch, None in files of early versions and of C libraries.
        convolutions: which algorithms they were allowed, "auto" or "direct", None in such files, too.
        precision: in which factors of products were rounded, None in such files, too.
        memory: state of policies and coffee breaks, by their names: numbers, strings, None and arrays.
        path: of the file it was read from.
        flat: it has no cursor: the position in the data follows from rng_step, the number of batches.
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
    flat: bool = False
    parts: int | None = None
    convolutions: str | None = None
    precision: str | None = None


def snapshot_path(folder: Path, iteration: int) -> Path:
    """`folder`/snapshot-%06d.h5."""
    return folder / f"snapshot-{iteration:06d}.h5"


def save_snapshot(path: Path, state: SavedState) -> None:
    """Write atomically; on failure, raise SnapshotError and leave an older file unchanged."""
    attributes: dict[str, Any] = {
        _MARK: VERSION,
        "iteration": state.iteration,
        "method": state.method,
        "net": state.net,
        "cursor": json.dumps(state.cursor),
        "rng_step": state.rng_step,
        "start_epoch": state.start_epoch,
        "memory": json.dumps({name: _plain(kept) for name, kept in state.memory.items()}),
    }
    if state.seed is not None:
        attributes["seed"] = np.uint64(state.seed)
    if state.parts is not None:
        attributes["parts"] = state.parts
    if state.convolutions is not None:
        attributes["convolutions"] = state.convolutions
    if state.precision is not None:
        attributes["precision"] = state.precision

    def write(file: Any) -> None:
        remembered = {owner: _arrays(kept) for owner, kept in state.memory.items()}
        names = [*state.parameters, *state.slots, *(name for kept in remembered.values() for name in kept)]
        place = naming(file, names, (_SLOTS, _MEMORY))
        for name, array in state.parameters.items():
            file.create_dataset(place(name), data=array)
        for name, array in state.slots.items():
            file.create_dataset(f"{_SLOTS}/{place(name)}", data=array)
        for owner, kept in remembered.items():
            for name, array in kept.items():
                file.create_dataset(f"{_MEMORY}/{owner}/{place(name)}", data=array)
        for name, value in attributes.items():
            file.attrs[name] = value

    write_hdf5(path, write)


def read_snapshot(path: Path) -> SavedState:
    """Read and verify one file.

    Raises:
        SnapshotError: no such file, damaged, not a snapshot, of a later version, or with a NaN or an infinity in
            parameters or slots, from which training cannot continue.
    """
    refuse_jld(path)
    if is_safetensors(path):
        return _finite(SavedState(**read_flat(path, lambda fault: _refused(path, fault)), path=path, flat=True))
    with open_hdf5(path, lambda fault: _refused(path, fault)) as file:
        if file.has_attribute(_MARK):
            return _finite(_read(path, file))
        if _FILE.fullmatch(path.name):
            raise _damaged(path, _UNMARKED)
        raise SnapshotError(f"{path} is not a snapshot", hint="program.load(path) loads a model")


def is_snapshot(path: Path) -> bool:
    """True for a snapshot, False for a model (HDF5, .npz, .caffemodel).

    Raises:
        SnapshotError: it cannot be read, or is named like a snapshot without being one.
    """
    if is_safetensors(path):
        return is_flat(path, lambda fault: _refused(path, fault, "snapshot or model"))
    if is_caffemodel(path) or is_npz(path):
        return False
    refuse_jld(path)
    with open_hdf5(path, lambda fault: _refused(path, fault, "snapshot or model"), verify=False) as file:
        if not file.has_attribute(_MARK) and _FILE.fullmatch(path.name):
            raise _damaged(path, _UNMARKED)
        return file.has_attribute(_MARK)


def newest_snapshot(folder: Path) -> SavedState | None:
    """The readable snapshot of the highest iteration in `folder`; None if there are no snapshots.

    Damaged ones are skipped with a warning.

    Raises:
        SnapshotError: no snapshot can be read (starting at iteration 0 would overwrite them), or memory does not
            suffice to read one (an older one would lose iterations).
    """
    candidates = _candidates(folder)
    for path in candidates:
        try:
            return read_snapshot(path)
        except SnapshotError as error:
            if isinstance(error.__cause__, MemoryError):
                raise
            LOG.warning("skipped: %s", one_line(error))
    if not candidates:
        for path in sorted(folder.glob("snapshot-*.jld"))[-1:]:
            LOG.warning("skipped: %s: snapshots of Mocha are Julia data files (JLD), which mochac does not read", path)
        return None
    hint = "move them away to start at iteration 0"
    raise SnapshotError(f"no snapshot in {folder} can be read", got=f"{len(candidates)} damaged", hint=hint)


def parts_of_newest(path: Path) -> int | None:
    """Number of parts of a batch in the training that wrote this snapshot, or the newest one in this folder; None if
    there is no snapshot, or it does not say. The file is verified later, when all of it is read."""
    try:
        file = next(iter(_candidates(path)), None) if path.is_dir() else path
        if file is None or is_safetensors(file) or not is_snapshot(file):
            return None
        with open_hdf5(file, lambda fault: _refused(path, fault), verify=False) as opened:
            return opened.integer("parts", 1, _MOST) if opened.has_attribute("parts") else None
    except SnapshotError:
        return None


def check_arrays(arrays: Arrays, saved: Arrays, what: str, path: Path) -> None:
    """Check that `saved` has the names, shapes and dtypes of `arrays`.

    Raises:
        SnapshotError: it has not; says what differs.
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


@contextmanager
def recalling(what: str) -> Iterator[None]:
    """Turns any exception while restoring `what` from a snapshot into a SnapshotError."""
    with guarded(lambda fault: SnapshotError(f"the snapshot's state of {what} is damaged", details=[str(fault)])):
        yield


def _candidates(folder: Path) -> list[Path]:
    with guarded(lambda fault: SnapshotError(f"cannot read folder {folder}", got=fault.reason)):
        paths = list(folder.iterdir())
    snapshots = [(int(match[1]), path) for path in paths if (match := _FILE.fullmatch(path.name))]
    return [path for _, path in sorted(snapshots, reverse=True)]


def _read(path: Path, file: Hdf5File) -> SavedState:
    version = file.integer(_MARK, 0, _MOST)
    if version > VERSION:
        raise SnapshotError(f"{path} was written by a later mochac", expected=f"version {VERSION}", got=str(version))
    if not file.sealed:
        raise _damaged(path, "its end is missing")
    arrays = {place: _array(file, place) for place in file.names()}
    top = {place: array for place, array in arrays.items() if place.split("/")[0] not in (_SLOTS, _MEMORY)}
    return SavedState(
        iteration=file.integer("iteration", 0, _MOST),
        method=file.text("method"),
        net=file.text("net"),
        cursor=_cursor(file),
        rng_step=file.integer("rng_step", 0, _MOST),
        start_epoch=file.integer("start_epoch", 0, _MOST),
        parameters={file.name_of(place): array for place, array in top.items()},
        slots={file.name_of(place): array for place, array in _below(_SLOTS, arrays).items()},
        seed=file.integer("seed", 0, 2**64 - 1) if file.has_attribute("seed") else None,
        memory=_remembered(file, _below(_MEMORY, arrays)),
        path=path,
        parts=file.integer("parts", 1, _MOST) if file.has_attribute("parts") else None,
        convolutions=file.text("convolutions") if file.has_attribute("convolutions") else None,
        precision=file.text("precision") if file.has_attribute("precision") else None,
    )


def _finite(saved: SavedState) -> SavedState:
    """Refuse NaN and infinities, which early versions saved after a training diverged."""
    bad = first_not_finite({**saved.parameters, **saved.slots})
    if bad is not None:
        raise SnapshotError(f"snapshot {saved.path} holds {bad.value} in {bad.name}", hint=_OLDER)
    return saved


def _array(file: Hdf5File, name: str) -> np.ndarray:
    array = file.array(name, kinds="fiub")
    if array is None:
        raise file.fault(name, "it is not an array of numbers")
    return array


def _below(group: str, arrays: Arrays) -> dict[str, np.ndarray]:
    return {name.removeprefix(f"{group}/"): a for name, a in arrays.items() if name.startswith(f"{group}/")}


def _cursor(file: Hdf5File) -> dict[str, dict[str, int]]:
    cursor = file.json("cursor")
    for layer, place in cursor.items():
        if not _is_place(place):
            raise file.wrong("cursor", f"epoch, position and n_samples of layer {layer!r}", place)
    return cursor


def _is_place(place: Any) -> bool:
    """Whether a value is the position of a data layer: three counters, from which Feed computes the number of a sample.
    The number of samples is absent if it was not known."""
    if not isinstance(place, dict):
        return False
    epoch, position, n_samples = (place.get(name, -1) for name in ("epoch", "position", "n_samples"))
    if not all(type(n) is int and 0 <= n < _MOST for n in (epoch, position, n_samples)):
        return False
    return (position < n_samples or not n_samples) and epoch * n_samples < _MOST


def _remembered(file: Hdf5File, arrays: Arrays) -> dict[str, dict[str, Any]]:
    """The `memory` that was saved; empty in files of early versions."""
    memory = file.json("memory") if file.has_attribute("memory") else {}
    for owner, kept in memory.items():
        if not isinstance(kept, dict):
            raise file.wrong("memory", f"what {owner!r} keeps", kept)
    for place, array in arrays.items():
        owner, _, rest = place.partition("/")
        memory.setdefault(owner, {})[file.name_of(rest)] = array
    return memory


def _arrays(kept: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {name: value for name, value in kept.items() if isinstance(value, np.ndarray)}


def _plain(kept: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kept.items() if not isinstance(value, np.ndarray)}


def _refused(path: Path, fault: Fault, what: str = "snapshot") -> SnapshotError:
    return refusal(what if fault.missing else "snapshot", path, fault, hint=_OLDER)


def _damaged(path: Path, reason: str) -> SnapshotError:
    return SnapshotError(f"snapshot {path} is damaged", details=[reason], hint=_OLDER)
