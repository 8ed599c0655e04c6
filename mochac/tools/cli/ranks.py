"""Commands on several ranks: started by --ranks or by a launcher of MPI, they fail together, with one message."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mochac.base.errors import NumericError, OptionError, RankError
from mochac.base.options import Options
from mochac.runtime.ranks.last_words import is_said
from mochac.runtime.ranks.launch import is_rank, start
from mochac.runtime.ranks.mpi import mpi
from mochac.runtime.ranks.ranks import ALONE, Ranks
from mochac.tools.cli.command import positive

Work = Callable[[Any, Ranks], int]
"""What a command does, given the communicator (None: a single process) and its ranks. These wait for each other before
any work that has its own way to tell that a rank has failed. Returns the exit status."""


def ranks_argument(parser: ArgumentParser, what: str) -> None:
    """Add --ranks; `what`: what so many processes do together."""
    text = f"{what} on N processes of this machine (MPI)"
    parser.add_argument("--ranks", type=positive, metavar="N", help=text)


def on_ranks(args: Namespace, work: Work, *, ordered: bool = True) -> int:
    """Run a command: on the ranks that --ranks asks for, as one of several, or alone. Returns the exit status."""
    if args.ranks and not is_rank():
        return start(args.ranks, sys.argv[1:])
    if args.ranks or is_rank():
        return _as_rank(args, work, ordered)
    return work(None, ALONE)


def _as_rank(args: Namespace, work: Work, ordered: bool) -> int:
    """Be one of several ranks; ranks other than 0 show only errors of their own."""
    comm = mpi().COMM_WORLD
    if args.ranks and comm.size != args.ranks:
        rule = f"{args.ranks} processes were started, but this one sees {comm.size}"
        hint = f"mpiexec belongs to another MPI than mpi4py's: mpiexec -n N mochac {args.command} FILE"
        raise OptionError(rule, hint=hint)
    ranks = Ranks(comm, ordered=ordered, timeout_s=Options.from_env().rank_timeout)
    try:
        ranks.compare({"files": Path(args.file).read_text(errors="replace")})
        return work(comm, ranks)
    except BaseException as error:  # sys.exit() in FILE, too
        ranks.fail(error)
        of_all = isinstance(error, (RankError, NumericError))  # another rank failed, or all have the same numbers
        if (of_all and comm.rank) or is_said(comm, error, ranks.timeout_s):
            return 1
        raise
