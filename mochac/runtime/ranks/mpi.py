"""MPI for native code: addresses of its C functions and its handles, from mpi4py."""

from __future__ import annotations

import ctypes
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.records import record

HINT = "pip install 'mochac[mpi]' installs mpi4py and MPICH; then mpiexec -n 2 mochac train FILE"


@record
class Functions:
    """The C functions and handles of an MPI library, for one communicator.

    Attributes:
        handle: of the communicator.
        single, double: of the element types.
        sum: of the operation.
        in_place: MPI_IN_PLACE.
        request_bytes, status_bytes: sizes of MPI_Request and MPI_Status.
        threaded: several threads may call MPI at the same time (MPI_THREAD_MULTIPLE).
    """

    handle: int
    single: int
    double: int
    sum: int
    in_place: int
    isend: int
    irecv: int
    testall: int
    iallreduce: int
    request_bytes: int
    status_bytes: int
    threaded: bool


def mpi() -> Any:
    """The module mpi4py.MPI, which starts MPI in this process.

    Raises:
        OptionError: mpi4py or an MPI library is not installed.
    """
    try:
        from mpi4py import MPI  # pyright: ignore
    except (ImportError, RuntimeError) as error:  # without a library, mpi4py raises RuntimeError
        raise OptionError("training on several ranks needs mpi4py and MPI", got=str(error), hint=HINT) from None
    return MPI


def functions(comm: Any) -> Functions:
    """The functions for a communicator of mpi4py."""
    MPI = mpi()
    library = ctypes.CDLL(MPI.__file__)  # finds its symbols, and those of the libraries that it is linked with

    def address(name: str) -> int:
        found = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        assert found, name
        return found

    return Functions(
        handle=MPI._handleof(comm),
        single=MPI._handleof(MPI.FLOAT),
        double=MPI._handleof(MPI.DOUBLE),
        sum=MPI._handleof(MPI.SUM),
        in_place=int(MPI.IN_PLACE),
        isend=address("MPI_Isend"),
        irecv=address("MPI_Irecv"),
        testall=address("MPI_Testall"),
        iallreduce=address("MPI_Iallreduce"),
        request_bytes=MPI._sizeof(MPI.Request),
        status_bytes=MPI._sizeof(MPI.Status),
        threaded=MPI.Query_thread() == MPI.THREAD_MULTIPLE,
    )


def error_text(code: int) -> str:
    """What an error code of MPI means."""
    return str(mpi().Get_error_string(code))
