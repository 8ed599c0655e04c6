"""Processes of a training on one machine: how `mochac train FILE --ranks N` starts them, how a process
knows that it is a rank, where each rank is, and whether it is still alive.

Every rank that `mochac train --ranks` has started records in a file what it is doing, which the launcher reads if the
rank is killed. In every rank a thread checks that the processes of the others exist, and ends this process if one does
not. A rank that ends waits until the launcher has read its output, since unread output is lost.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from mochac.base.errors import OptionError
from mochac.base.support.interrupts import ctrl_c_later
from mochac.base.support.log import LOG

STATUS_BYTES = 200
"""Length of a status. A single write replaces the previous one, so that a rank that is killed leaves one of the two."""


def write_status(folder: Path, rank: int, where: str) -> None:
    """Record what this process, a rank, is doing: "after iteration 17".

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made:
    ...     write_status(Path(made), 1, "after iteration 170")
    ...     write_status(Path(made), 1, "at the end")
    ...     last_status(Path(made), os.getpid()).replace(str(os.getpid()), "N")
    'rank 1 (process N) has died at the end'
    """
    file = os.open(folder / f"rank-{rank}", os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.pwrite(file, f"{os.getpid()} {where}"[:STATUS_BYTES].ljust(STATUS_BYTES).encode(), 0)
    finally:
        os.close(file)


def last_status(folder: Path, pid: int) -> str:
    """What a process that has died was doing, in words."""
    for path in folder.iterdir():
        process, _, where = path.read_text().partition(" ")
        if process == str(pid):
            return f"{path.name.replace('-', ' ')} (process {pid}) has died {where.strip()}"
    return f"process {pid} has died before training began"


MAX_READ_S = 10.0
"""How long a launcher may take to read what a rank has printed, seconds."""
FORWARD_S = 1.0
"""How much longer a rank waits, so that the launcher can print it, seconds."""
POLL_S = 0.01


def wait_until_read() -> None:
    """Wait until the launcher has read and printed the output of this process."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    end = time.monotonic() + MAX_READ_S
    while unread((1, 2)) and time.monotonic() < end:
        time.sleep(POLL_S)
    time.sleep(FORWARD_S)


def unread(files: Sequence[int]) -> int:
    """Unread bytes in these pipes; 0 for other files.

    >>> out, into = os.pipe()
    >>> unread((into,)), os.write(into, b"rank 1 has died"), unread((into,))
    (0, 15, 15)
    >>> len(os.read(out, 10)), unread((into,))
    (10, 5)
    >>> os.close(out), os.close(into)
    (None, None)
    """
    return sum(map(_in_pipe, files))


def _in_pipe(file: int) -> int:
    try:
        import fcntl  # not on every system
        import termios

        if not stat.S_ISFIFO(os.fstat(file).st_mode):
            return 0
        return struct.unpack("i", fcntl.ioctl(file, termios.FIONREAD, bytes(4)))[0]
    except (ImportError, OSError):
        return 0


CHECK_S = 0.5
"""Time between two checks of the other processes, seconds."""
GRACE_S = 2.0
"""How long the other ranks go on after one has died, seconds; it may have reported an error, which ends them."""


class Watch:
    """A thread that ends this process if another rank's process has died.

    Args:
        processes: process numbers by rank; 0 for ranks on other machines.
        rank: that of this process.
        where: what the training is doing.
    """

    @ctrl_c_later()
    def __init__(self, processes: Sequence[int], rank: int, where: Callable[[], str]) -> None:
        self._processes, self._rank, self._where = processes, rank, where
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mochac-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop checking."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(CHECK_S):
            dead = [rank for rank, process in enumerate(self._processes) if process and has_ended(process)]
            if dead and not self._stopped.wait(GRACE_S):
                self._end(dead)

    def _end(self, dead: Sequence[int]) -> None:
        """End this process; the first living rank says why."""
        first = next(rank for rank, process in enumerate(self._processes) if process and rank not in dead)
        if self._rank == first:
            LOG.error(
                "rank %d (process %d) has died %s; all ranks end", dead[0], self._processes[dead[0]], self._where()
            )
        wait_until_read()
        os._exit(1)


def has_ended(process: int) -> bool:
    """Whether a process has ended; it may still be waiting for its parent to collect it.

    >>> has_ended(os.getpid())
    False
    """
    try:
        if os.path.isdir("/proc/self"):
            return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
        os.kill(process, 0)
    except (FileNotFoundError, ProcessLookupError):
        return True
    except OSError:
        return False
    return False


HINT = "pip install 'mochac[mpi]' installs mpi4py and MPICH; then mpiexec -n 2 mochac train FILE"
"""How to get MPI."""

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
