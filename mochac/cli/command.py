"""What a command is: a name, a line of help, its arguments, and a function that returns the exit status.

Files in mochac/cli/ register one each; __main__ builds the parser from the table and turns errors into messages. It
knows no particular command.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import dataclass, fields

from mochac.options import CompileOptions
from mochac.registry import Registry

TARGET = "CPU or CUDA device to generate code for, such as haswell or sm_90; it need not be here (default: this one)"


class CliError(Exception):
    """A user's error whose text is printed as it is; exit status 1."""


@dataclass(frozen=True)
class Command:
    """One command.

    Args:
        help: one line for `mochac --help`.
        arguments: declares its options on a parser.
        run: does it; the exit status.
        raw: what follows the command's name is not parsed but given to `run` as `args.rest`.
    """

    name: str
    help: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
    raw: bool = False


COMMANDS: Registry[Command] = Registry("command", "mochac.cli")


def command(
    name: str, help: str, arguments: Callable[[ArgumentParser], None], raw: bool = False
) -> Callable[[Callable[[Namespace], int]], Callable[[Namespace], int]]:
    """Decorator of a command's run function: registers it."""

    def add(run: Callable[[Namespace], int]) -> Callable[[Namespace], int]:
        COMMANDS.add(name, Command(name, help, arguments, run, raw))
        return run

    return add


def positive(text: str) -> int:
    """An argument >= 1.

    >>> positive("3")
    3
    """
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not an integer >= 1")
    return int(text)


def natural(text: str) -> int:
    """An argument >= 0."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not an integer >= 0")
    return int(text)


def file_argument(parser: ArgumentParser) -> None:
    """FILE, as every command takes it that works on a net."""
    parser.add_argument("file", metavar="FILE", help="Python file that defines `net` (and may define solver, test_net)")


def compile_arguments(parser: ArgumentParser) -> None:
    """FILE and the options of mochac.compile that make sense in a shell."""
    file_argument(parser)
    parser.add_argument("--backend", default="auto", help="auto, cpu or cuda (default auto)")
    parser.add_argument("--device", type=natural, metavar="N", help="CUDA device (default: MOCHAC_CUDA_DEVICE, else 0)")
    libraries_argument(parser)
    parser.add_argument("--threads", type=positive, metavar="N", help="threads that share a step (default: all)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of parameters, shuffling, dropout")
    parser.add_argument("--dtype", default="float32", help="float32 or float64")
    parser.add_argument("--tune", metavar="HOW", help="search for faster schedules: quick (seconds) or full (minutes)")


def libraries_argument(parser: ArgumentParser) -> None:
    """--libraries, which kernels of a CUDA plan need not be generated, and how they may be computed."""
    text = "CUDA: none, or of cublas,cudnn those that may be called (default: those installed)"
    parser.add_argument("--libraries", type=_libraries, default=True, metavar="NAMES", help=text)
    text = "CUDA: float32, tf32 or bfloat16, what libraries multiply in (default float32)"
    parser.add_argument("--precision", default="float32", metavar="NAME", help=text)
    text = "CUDA: libraries may add in another order in every run"
    parser.add_argument("--nondeterministic", dest="deterministic", action="store_false", help=text)


def _libraries(text: str) -> bool | tuple[str, ...]:
    return False if text == "none" else tuple(text.split(","))


def compile_options(args: Namespace) -> CompileOptions:
    """The options that compile_arguments declared, and --target where the command has it."""
    given = vars(args)
    return CompileOptions(**{f.name: given[f.name] for f in fields(CompileOptions) if f.name in given})
