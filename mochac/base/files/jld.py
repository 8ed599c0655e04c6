"""Julia data files (JLD), in which Mocha keeps snapshots and statistics: refused with a clear message.

Such a file is HDF5 with Julia's own types, linked by references. Read as an ordinary HDF5 file it would seem to lack
its parameters, or to be damaged.
"""

from __future__ import annotations

from pathlib import Path

from mochac.base.errors import SnapshotError

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
