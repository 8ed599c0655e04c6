"""Flat snapshots, in the form .safetensors, which the C library of a net writes and reads too.

They hold parameters, states and solver slots, the iteration, the step counter of random numbers, and which policies
were replaced by a number. There is no position in the data: it follows from the number of batches.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import SnapshotError
from mochac.base.files.reading import Fault, Refuse
from mochac.base.files.safetensors_file import is_safetensors, read_metadata, read_safetensors, write_safetensors

SLOT = "solver_slots/"
"""Prefix of the names of slots."""
MARK, VERSION = "mochac_snapshot", "1"
_HYPER = "hyper "
_NOT_SET = "0" * 17


def flat_metadata(net: str, method: str, settable: Sequence[str]) -> dict[str, str]:
    """The texts of a snapshot's header, with digits of fixed width for its numbers.

    Args:
        settable: names of the policies of the method.
    """
    fixed = {MARK: VERSION, "net": net, "method": method, "iteration": "0" * 16, "rng_step": "0" * 16}
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
    if texts[MARK] != VERSION:
        rule = f"{path} was written by a later mochac"
        raise SnapshotError(rule, expected=f"version {VERSION}", got=texts[MARK][:20])
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
    """Whether an array is a slot, solver_slots/key.param.slot, not a parameter of a layer whose name begins alike.

    >>> _is_slot("solver_slots/ip___1.weight.history"), _is_slot("solver_slots/ip.1___weight")
    (True, False)
    """
    return name.startswith(SLOT) and "." in name.rpartition("___")[2]
