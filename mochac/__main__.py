"""`mochac` and `python -m mochac`: parse the arguments, run a command, report errors.

Exit status: 0 success, 1 an error, 2 wrong usage, 130 Ctrl-C. The commands are in mochac/tools/cli/.
"""

from __future__ import annotations

import os
import sys
import traceback
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from mochac import __version__
from mochac.base.errors import MochacError
from mochac.base.escaping import visible
from mochac.base.hints.calls import COMMAND_OPTIONS
from mochac.base.hints.names import instead
from mochac.base.registry import did_you_mean
from mochac.tools.cli.command import COMMANDS, CliError

INTERRUPTED = 130


def parser() -> ArgumentParser:
    """The parser of all commands."""
    return _parsers(COMMANDS)[0]


def _parsers(names: Iterable[str]) -> tuple[ArgumentParser, Mapping[str, ArgumentParser]]:
    """The parser of these commands, and that of each; files of other commands are not imported."""
    common = ArgumentParser(add_help=False)
    common.add_argument("--debug", action="store_true", default=SUPPRESS, help="show a traceback if there is an error")
    top = ArgumentParser(
        prog="mochac", description="A compiler for neural-network definitions in Mocha.jl's style.", parents=[common]
    )
    top.add_argument("--version", action="version", version=f"mochac {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        known = COMMANDS[name]
        known.arguments(commands.add_parser(name, help=known.help, description=known.help, parents=[common]))
    return top, commands.choices


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit status. Wrong usage raises SystemExit(2), as in argparse."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    args = _parsed(arguments)
    debug = getattr(args, "debug", False)
    return _guarded(lambda: COMMANDS[args.command].run(args), debug)


def _parsed(argv: list[str]) -> Namespace:
    """The parsed arguments; a `raw` command gets its arguments as `rest`."""
    at = next((k for k, word in enumerate(argv) if not word.startswith("-")), len(argv))
    own, rest = argv[: at + 1], argv[at + 1 :]
    top, parsers = _parsers(own[at:] if own[at:] and own[at] in COMMANDS else COMMANDS)
    if own[at:] and own[at] not in COMMANDS:
        known = did_you_mean(own[at], COMMANDS) or f"; commands: {', '.join(COMMANDS)}"
        top.error(f"no command {own[at]!r}{known}")
    if own[at:] and COMMANDS[own[at]].raw and rest[:1] not in (["-h"], ["--help"]):
        return top.parse_args(own, Namespace(rest=rest))
    args, unknown = top.parse_known_args(argv)
    if unknown:
        hint = _option_hint(args.command, unknown)
        parsers[args.command].error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    return args


def _option_hint(command: str, unknown: Sequence[str]) -> str:
    """A suggestion for the first unknown option, for the end of a message."""
    own = ArgumentParser(prog=f"mochac {command}")
    COMMANDS[command].arguments(own)
    known = [word for word in own.format_usage().replace("[", " ").replace("]", " ").split() if word.startswith("--")]
    option = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
    option = option.replace("_", "-")
    own_name = COMMAND_OPTIONS.get(option, "")
    if own_name.split(" ", 1)[0] in known:
        return instead(own_name)
    return did_you_mean(option, known) if option else ""


def _guarded(run: Callable[[], int], debug: bool) -> int:
    try:
        status = run()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return _print_and_exit("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone: do not fail again at exit
        return 1
    except Exception as error:
        if debug:
            raise
        return _print_and_exit(_message(error), 1)


def _message(error: Exception) -> str:
    if isinstance(error, CliError):
        return str(error)
    if isinstance(error, MochacError):
        return error.report
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    text = f"{type(error).__name__}: {' '.join(str(error).split())}"
    place = _users_line(error)
    return f"{text}\n  {place or 'this may be a bug in mochac; --debug shows a traceback'}"


def _users_line(error: Exception) -> str:
    """ "at file:line" if the error was raised by code of the user that mochac called (a coffee break); else ""."""
    frames = traceback.extract_tb(error.__traceback__)
    own = str(Path(__file__).parent)
    last = max((k for k, f in enumerate(frames) if f.filename.startswith(own)), default=-1)
    called = frames[last + 1 : last + 2]
    if not called or "site-packages" in called[0].filename or called[0].filename.startswith(sys.base_prefix):
        return ""
    return f"at {os.path.relpath(called[0].filename)}:{called[0].lineno}"


def _print_and_exit(text: str, status: int) -> int:
    print(visible(text, keep="\n\t"), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
