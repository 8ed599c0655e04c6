"""Julia's data files (JLD), in which Mocha keeps snapshots and statistics: refused by name.

Everything that reads models, snapshots or statistics asks here first. Such a file is HDF5 with Julia's own types in it,
linked by references; read as another it would lack its parameters, or be damaged. It reads no HDF5.
"""

from __future__ import annotations

from pathlib import Path

from mochac.errors import SnapshotError

HEADERS = (b"Julia data file", b"HDF5-based Julia Data Format")
"""How files of JLD.jl begin, and of JLD2.jl; HDF5 follows 512 bytes later."""
HINT = 'in Julia, write its arrays as HDF5: docs/guide/mocha.md, "JLD files"'


def refuse_jld(path: str | Path) -> None:
    """SnapshotError for a file of Julia's, whatever it is called."""
    if _is_jld(Path(path)):
        raise SnapshotError(f"{path} is a Julia data file (JLD), which is not read", hint=HINT)


def _is_jld(path: Path) -> bool:
    try:
        if not path.is_file():  # a pipe has no end
            return False
        with path.open("rb") as file:
            return file.read(64).startswith(HEADERS)
    except (OSError, ValueError):
        return False  # who opens it next says why
