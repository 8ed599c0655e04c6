"""The files of a library's parameters and training states: .safetensors with a header that never changes its length.

The C code knows the whole header beforehand: it writes the numbers in it as digits of fixed width, and reads only files
whose header is the one that it would write. Python writes and reads the same bytes (base/files/safetensors_file.py,
training/loop/snapshot.py).
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence

import numpy as np

from mochac.base.files.safetensors_file import CHECKSUM, header_of
from mochac.base.records import record
from mochac.formats.clib.memory import KeptArray
from mochac.ir.types import DTYPES
from mochac.nets.net import Net
from mochac.training.loop.snapshot import SLOT, flat_metadata


@record
class Saved:
    """A kind of file.

    Attributes:
        header: its length in 8 bytes, then its text, with zeros for all numbers.
        arrays: of the file in their order, as names of kept arrays.
        fields: where the digits of a number begin, by its name.
    """

    header: bytes
    arrays: tuple[str, ...]
    fields: Mapping[str, int]

    @property
    def begins(self) -> int:
        """The length of what comes before the numbers of the arrays."""
        return len(self.header)


def saved_parameters(net: Net, kept: Sequence[KeptArray]) -> Saved:
    """The file of the parameters, as program.save() writes it."""
    return _saved(_parameters(net, kept), {})


def saved_state(
    net: Net, kept: Sequence[KeptArray], method: str, slots: Sequence[str], settable: Sequence[str]
) -> Saved:
    """The file of a training's state.

    Args:
        method: the name of the solver method.
        slots: names of the slots that the method keeps.
    """
    known = {k.name: k for k in kept}
    arrays = {**_parameters(net, kept), **{f"{SLOT}{name}": known[name] for name in slots}}
    return _saved(arrays, flat_metadata(net.name, method, settable))


def _parameters(net: Net, kept: Sequence[KeptArray]) -> dict[str, KeptArray]:
    known = {k.name: k for k in kept}
    return {f"{p.key}___{p.name}": known[p.value] for p in (*net.params, *net.states)}


def _saved(arrays: Mapping[str, KeptArray], metadata: Mapping[str, str]) -> Saved:
    shapes = {name: (DTYPES[k.type.dtype], k.type.shape) for name, k in arrays.items()}
    header = header_of(shapes, metadata)
    fields = {}
    for name in (CHECKSUM, *metadata):
        mark = f'{json.dumps(name, ensure_ascii=False)}:"'.encode()
        fields[name] = header.index(mark) + len(mark)
    return Saved(header, tuple(k.name for k in arrays.values()), fields)


def initial_bytes(net: Net, values: Mapping[str, np.ndarray], without: Container[str] = ()) -> bytes:
    """The numbers of a net's parameters and states, as they follow the header; `without` some."""
    arrays = [values[p.value] for p in (*net.params, *net.states) if p.value not in without]
    return b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays)
