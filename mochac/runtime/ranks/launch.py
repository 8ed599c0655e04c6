"""How the ranks of `mochac train FILE --ranks N` are started, and how a process knows that it is one."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from mochac.base.errors import OptionError
from mochac.runtime.ranks.ranks import HINT
from mochac.runtime.ranks.watch import last_status

NUMBERS = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID")
"""Variables that launchers of MPI (mpiexec of MPICH, Intel MPI and Open MPI, srun) set for the processes they start."""

SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS")
"""Variables that say how many processes there are."""

LOCAL = ("MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID")
"""Variables with the number of a process on its machine."""


def is_rank(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a launcher of MPI has started this process.

    >>> is_rank({"PMI_RANK": "0"}), is_rank({})
    (True, False)
    """
    return any(name in environ for name in NUMBERS)


def started(environ: Mapping[str, str] = os.environ) -> int:
    """How many processes the launcher of this one has started; 1 without a launcher.

    >>> started({"PMI_RANK": "0", "PMI_SIZE": "4"}), started({})
    (4, 1)
    """
    if not is_rank(environ):
        return 1
    return next((int(environ[name]) for name in SIZES if environ.get(name, "").isdigit()), 1)


def local_rank(environ: Mapping[str, str] = os.environ) -> int:
    """The number of this process among those that the launcher has started on this machine; 0 without a launcher.

    >>> local_rank({"OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_LOCAL_RANK": "1"}), local_rank({})
    (1, 0)
    """
    return next((int(environ[name]) for name in LOCAL if environ.get(name, "").isdigit()), 0)


def start(ranks: int, arguments: Sequence[str]) -> int:
    """Run `mochac` with these arguments on this many ranks of this machine, and return the exit status. If a rank is
    killed, say which one, and how far it was. Signals that the terminal sends reach the ranks through mpiexec.

    Raises:
        OptionError: there is no mpiexec.
    """
    command = [*launcher(ranks), sys.executable, "-m", "mochac", *arguments]
    with TemporaryDirectory(prefix="mochac-ranks-") as folder, _passed_on() as running:
        environ = {**os.environ, FOLDER: folder}
        process = running.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environ)
        assert process.stdout is not None
        ended = [_shown(line) for line in process.stdout]
        status = process.wait()
        for pid in filter(None, ended):
            print(f"mochac: {last_status(Path(folder), pid)}", file=sys.stderr)
    return status if 0 <= status < 128 else 1


FOLDER = "MOCHAC_RANKS_FOLDER"
"""The folder in which ranks that `--ranks` has started note how far they are."""
_DEAD = re.compile(rb"PID (\d+) RUNNING AT")
"""Message of MPICH's mpiexec about a process that has died."""


def _shown(line: bytes) -> int:
    """Show a line of the ranks; the number of a process that has died, if mpiexec says so, else 0."""
    sys.stdout.buffer.write(line)
    sys.stdout.flush()
    found = _DEAD.search(line)
    return int(found[1]) if found else 0


class Signals:
    """Passes SIGTERM and SIGHUP on to a process, and leaves Ctrl-C to it."""

    process: subprocess.Popen[bytes] | None = None

    def hear(self, number: int, frame: object) -> None:
        if self.process is not None and number != signal.SIGINT:
            self.process.send_signal(number)


@contextmanager
def _passed_on() -> Iterator[Signals]:
    running = Signals()
    before = {n: signal.signal(n, running.hear) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield running
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def launcher(ranks: int) -> list[str]:
    """The command that starts this many processes: the mpiexec beside Python's executable, else the first in PATH.

    Raises:
        OptionError: there is none.
    """
    beside = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("mpiexec")
    if found is None:
        raise OptionError("there is no mpiexec to start ranks with", hint=HINT)
    return [found, "-n", str(ranks), *_settings(found)]


def _settings(mpiexec: str) -> list[str]:
    """Options of this launcher: ranks may outnumber cores."""
    version = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, check=False).stdout
    return ["--oversubscribe"] if "Open MPI" in version or "OpenRTE" in version else []
