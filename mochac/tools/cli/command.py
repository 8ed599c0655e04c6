"""Command: a name, a line of help, arguments, and a function that returns the exit status."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from mochac.base.options import CompileOptions
from mochac.base.records import record
from mochac.base.registry import Registry
from mochac.base.rules import Rule, decimal

TARGET = "CPU or CUDA device to generate code for, such as haswell or sm_90 (default: that of this machine)"


class CliError(Exception):
    """An error of the user, whose message is printed; exit status 1."""


@record
class Command:
    """One command.

    Args:
        help: one line for `mochac --help`.
        arguments: adds its arguments to a parser.
        run: runs it and returns the exit status.
        raw: do not parse its arguments, but pass them to `run` as `args.rest`.
    """

    name: str
    help: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
    raw: bool = False


COMMANDS: Registry[Command] = Registry("command", "mochac.tools.cli", '@command("{}"')


def command(
    name: str, help: str, arguments: Callable[[ArgumentParser], None], raw: bool = False
) -> Callable[[Callable[[Namespace], int]], Callable[[Namespace], int]]:
    """Decorator that registers the run function of a command."""

    def add(run: Callable[[Namespace], int]) -> Callable[[Namespace], int]:
        COMMANDS.add(name, Command(name, help, arguments, run, raw))
        return run

    return add


def parsed(rule: Rule) -> Callable[[str], Any]:
    """The `type` of an argument whose text a rule converts.

    >>> parsed(decimal(1))("3")
    3
    """

    def convert(text: str) -> Any:
        try:
            return rule.convert(text)
        except ValueError:
            raise ArgumentTypeError(f"{text!r} is not {rule.text}") from None

    return convert


positive, natural = parsed(decimal(1)), parsed(decimal(0))
"""The types of arguments >= 1 and >= 0."""


def file_argument(parser: ArgumentParser) -> None:
    """Add FILE, for commands that work on a net."""
    parser.add_argument("file", metavar="FILE", help="Python file that defines `net` (and may define solver, test_net)")


def compile_arguments(parser: ArgumentParser) -> None:
    """Add FILE and the options of mochac.compile."""
    file_argument(parser)
    parser.add_argument("--backend", default="auto", help="auto, cpu or cuda (default auto)")
    parser.add_argument(
        "--device",
        type=natural,
        metavar="N",
        help="CUDA device (default: MOCHAC_CUDA_DEVICE, else 0; of ranks, its own)",
    )
    libraries_argument(parser)
    parser.add_argument("--threads", type=positive, metavar="N", help="number of threads (default: all)")
    parser.add_argument(
        "--seed", type=natural, default=0, metavar="N", help="seed of initial parameters, shuffling and dropout"
    )
    parser.add_argument("--dtype", default="float32", help="float32 or float64 (default float32)")
    text = "equal parts of a batch: 1, 2, 4, ...; any number of ranks computes the same bits"
    parser.add_argument("--parts", type=positive, metavar="N", help=text)
    convolutions_argument(parser)
    parser.add_argument("--tune", metavar="HOW", help="search for faster schedules: quick (seconds) or full (minutes)")
    parser.add_argument("--schedules", metavar="DIR", help="a dump whose schedules, edited, replace the rules'")


def convolutions_argument(parser: ArgumentParser) -> None:
    """Add the option for fast convolutions."""
    text = "auto (fast algorithms where they are faster) or direct (default: MOCHAC_CONVOLUTIONS, else auto)"
    parser.add_argument("--convolutions", metavar="HOW", help=text)


def libraries_argument(parser: ArgumentParser) -> None:
    """Add the options for CUDA libraries."""
    text = "CUDA: libraries to use, such as cublas,cudnn, or none (default: those installed)"
    parser.add_argument("--libraries", type=_libraries, default=True, metavar="NAMES", help=text)
    text = "precision of products: float32, bfloat16 or, in CUDA libraries, tf32 (default float32)"
    parser.add_argument("--precision", default="float32", metavar="NAME", help=text)
    text = "CUDA: allow library algorithms whose results vary from run to run"
    parser.add_argument("--nondeterministic", dest="deterministic", action="store_false", help=text)


def _libraries(text: str) -> bool | tuple[str, ...]:
    return False if text == "none" else tuple(text.split(","))


def compile_options(args: Namespace) -> CompileOptions:
    """The options of compile_arguments, and --target if the command has it."""
    values = vars(args)
    return CompileOptions(**{f.name: values[f.name] for f in fields(CompileOptions) if f.name in values})
