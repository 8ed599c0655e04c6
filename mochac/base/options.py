"""Settings: Options from MOCHAC_* environment variables, and CompileOptions, the arguments of mochac.compile().

Both are frozen records that check their values. No other file of mochac reads MOCHAC_* variables.
"""

from __future__ import annotations

import os
import pwd
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.records import option, record
from mochac.base.registry import misspelt
from mochac.base.rules import (
    SEED,
    Refusal,
    Rule,
    boolean,
    check_fields,
    choice,
    decimal,
    float_type,
    integer,
    names_of,
    or_none,
    text,
)

_OFF = ("0", "false", "no", "off")
_ON = ("1", "true", "yes", "on")
LIBRARIES = ("cublas", "cudnn")
PRECISIONS = ("float32", "tf32", "bfloat16")
CONVOLUTIONS = ("auto", "direct")


MODE = choice(
    "train",
    "test",
    hints={
        **dict.fromkeys(
            ("eval", "predict", "inference"), 'write "test"; evaluate() and predict() are in test mode without it'
        ),
        **dict.fromkeys(("fit", "training"), 'write "train"; train() trains without it'),
    },
)
CONVOLUTION = choice(
    *CONVOLUTIONS,
    hints={
        **dict.fromkeys(("winograd", "fast"), 'write "auto", which uses fast algorithms where they are faster'),
        **dict.fromkeys(("gemm", "im2col", "exact"), 'write "direct", which uses no fast algorithms'),
    },
)
"""Rules of options whose values have other names elsewhere."""


def device_number() -> Rule:
    """The number of a device, from 0 on."""
    number = integer(0, 1023)

    def convert(value: Any) -> int:
        if isinstance(value, str):  # "cuda:1", as in PyTorch
            kind, _, n = value.partition(":")
            backend = "cpu" if kind.lower() == "cpu" else "cuda"
            raise Refusal(f'write backend="{backend}"' + (f", device={n}" if n.isdecimal() else ""))
        return number.convert(value)

    return Rule(number.text, convert, number.good, number.bad)


def power_of_two() -> Rule:
    """Rule of arguments: a power of two."""
    number = integer(1)

    def convert(value: Any) -> int:
        parts = number.convert(value)
        if parts & (parts - 1):
            raise ValueError
        return parts

    return Rule("a power of two: 1, 2, 4, 8, ...", convert, 4, (3, *number.bad))


def dump_folder() -> Rule:
    """The folder of a dump, whose files are read when the program is made."""

    def convert(value: Any) -> Path:
        if not isinstance(value, str | os.PathLike):
            raise Refusal("program.dump(directory) writes schedules, for you to edit")
        return Path(os.fsdecode(value))

    return Rule("the folder of a dump", convert, "dump", (3,))


def library_names() -> Rule:
    """True, False or names of libraries, whose order does not matter."""

    def convert(value: Any) -> bool | tuple[str, ...]:
        if isinstance(value, bool):
            return value
        names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (value,)
        for name in names:
            if name not in LIBRARIES:
                raise Refusal(misspelt(str(name), LIBRARIES, "libraries=False generates every kernel"))
        return tuple(name for name in LIBRARIES if name in names)

    expected = f"True, False or a list of {' and '.join(map(repr, LIBRARIES))}"
    return Rule(expected, convert, ["cudnn"], ("cublass", 3))


def _variable(name: str, rule: Rule, default: Any) -> Any:
    """A field that an environment variable sets; `rule` converts its text."""
    return field(default=default, metadata={"variable": name, "rule": rule})


def switched() -> Rule:
    """The text of a variable that switches something on or off.

    >>> switched().convert("Yes"), switched().convert("0")
    (True, False)
    """
    state = choice(*_ON, *_OFF)
    return Rule("0 or 1", lambda value: state.convert(value.lower()) in _ON)


def word(one: Rule, *, off: bool = False) -> Rule:
    """A word that a rule allows, in capitals or not; `off`: "0" and the like mean none, "".

    >>> word(choice("nvrtc", "nvcc"), off=True).convert("NVCC"), word(choice("nan"), off=True).convert("0")
    ('nvcc', '')
    """
    return Rule(one.text, lambda value: "" if off and value.lower() in _OFF else one.convert(value.lower()))


@record(kw_only=True)
class Options:
    """Settings of this process.

    Args:
        backend: MOCHAC_BACKEND, what backend "auto" means.
        cache_dir: MOCHAC_CACHE_DIR, folder of compiled programs; default $XDG_CACHE_HOME/mochac or ~/.cache/mochac, and
            for users without a home folder mochac-UID among the temporary files.
        cache: MOCHAC_CACHE, "0" switches both caches off.
        threads: MOCHAC_THREADS, >= 1; None: as many as this process may use.
        verify: MOCHAC_VERIFY=1 runs the IR verifiers after every pass, and each kernel beside the interpreter.
        debug: MOCHAC_DEBUG, 0 to 5: plan, timings, passes, source, assembly.
        check: MOCHAC_CHECK, "" or "nan": look for the first NaN or infinity.
        convolutions: MOCHAC_CONVOLUTIONS, "auto" or "direct", where a call names none.
        cpu: MOCHAC_CPU, an LLVM CPU name to generate code for instead of this machine's.
        cuda_device: MOCHAC_CUDA_DEVICE, number of the device where a call names none, 0 to 1023; None: 0, and
            each of several ranks of a machine takes its own.
        cuda_compiler: MOCHAC_CUDA_COMPILER, "nvrtc" or "nvcc" instead of the first that is there.
        cuda_early: MOCHAC_CUDA_EARLY, whether kernels of a GPU begin before the one that they follow has ended; None:
            where that was measured to be faster.
        cuda_nvtx: MOCHAC_CUDA_NVTX=1 names each kernel for Nsight Systems; they are launched one by one, which is slow.
        cuda_streams: MOCHAC_CUDA_STREAMS, 1 to 32: branches of a captured step; 1: its kernels follow each other.
        cuda_time_calls: MOCHAC_CUDA_TIME_CALLS=0 times no calls of cuBLAS and cuDNN; a model decides which pay.
        cuda_watch: MOCHAC_CUDA_WATCH=1 waits for every kernel, so that a fault names it.
        perf: MOCHAC_PERF=1 writes the names of generated functions where Linux's perf looks for them.
        resident: MOCHAC_RESIDENT, "0" keeps no dataset on a GPU.
        data: MOCHAC_DATA, folder with datasets for tests and examples.
        rank_timeout: MOCHAC_RANK_TIMEOUT, how long the ranks of a training wait for each other, seconds.
        ranks_folder: MOCHAC_RANKS_FOLDER, where ranks that `mochac train --ranks` has started say how far they are.

    >>> Options.from_env({"MOCHAC_THREADS": "2", "MOCHAC_CACHE": "0"}).threads
    2
    """

    backend: str = _variable("MOCHAC_BACKEND", word(text()), "auto")
    cache_dir: Path = Path("~/.cache/mochac")
    cache: bool = _variable("MOCHAC_CACHE", switched(), True)
    threads: int | None = _variable("MOCHAC_THREADS", decimal(1, 4096), None)
    verify: bool = _variable("MOCHAC_VERIFY", switched(), False)
    debug: int = _variable("MOCHAC_DEBUG", decimal(0, 5), 0)
    check: str = _variable("MOCHAC_CHECK", word(choice("nan"), off=True), "")
    convolutions: str = _variable("MOCHAC_CONVOLUTIONS", word(CONVOLUTION), "auto")
    cpu: str = _variable("MOCHAC_CPU", text(), "")
    cuda_device: int | None = _variable("MOCHAC_CUDA_DEVICE", decimal(0, 1023), None)
    cuda_compiler: str = _variable("MOCHAC_CUDA_COMPILER", word(choice("nvrtc", "nvcc"), off=True), "")
    cuda_early: bool | None = _variable("MOCHAC_CUDA_EARLY", switched(), None)
    cuda_nvtx: bool = _variable("MOCHAC_CUDA_NVTX", switched(), False)
    cuda_streams: int = _variable("MOCHAC_CUDA_STREAMS", decimal(1, 32), 4)
    cuda_time_calls: bool = _variable("MOCHAC_CUDA_TIME_CALLS", switched(), True)
    cuda_watch: bool = _variable("MOCHAC_CUDA_WATCH", switched(), False)
    perf: bool = _variable("MOCHAC_PERF", switched(), False)
    resident: bool = _variable("MOCHAC_RESIDENT", switched(), True)
    data: Path | None = _variable("MOCHAC_DATA", Rule("a folder", Path), None)
    rank_timeout: int = _variable("MOCHAC_RANK_TIMEOUT", decimal(1, 86400), 300)
    ranks_folder: str = _variable("MOCHAC_RANKS_FOLDER", text(), "")

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Options:
        """Read the MOCHAC_* variables (of `environ`, default the process's); empty ones count as unset.

        Raises:
            OptionError: a variable has a value outside its range.
        """
        env = {k: v.strip() for k, v in (os.environ if environ is None else environ).items() if v.strip()}
        settings: dict[str, Any] = {"cache_dir": _cache_dir(env)}
        for f in fields(cls):
            variable = f.metadata.get("variable")
            if variable in env:
                settings[f.name] = f.metadata["rule"].check(f"environment variable {variable}", env[variable])
        return cls(**settings)


@record(kw_only=True)
class CompileOptions:
    """Arguments of mochac.compile(), explain() and dump() besides the net and its parameters; see compile().

    Attributes:
        schedules: as a Path.
        keep, libraries: as tuples, libraries without repetition and in the order of LIBRARIES.
        target: of explain() and dump(): an LLVM CPU name, or a name such as "sm_90"; None: this machine.

    Raises:
        OptionError: a value out of range. Backend and target are checked when the backend is opened, blobs when the net
            is known.

    >>> CompileOptions(libraries=["cudnn", "cublas", "cudnn"]).libraries
    ('cublas', 'cudnn')
    """

    backend: str = "auto"
    mode: str | None = option(or_none(MODE), default=None)
    seed: int = option(SEED, default=0)
    threads: int | None = option(or_none(integer(1, 4096)), default=None)
    dtype: str = option(float_type(), default="float32")
    device: int | None = option(or_none(device_number()), default=None)
    tune: str | None = option(or_none(choice("quick", "full")), default=None)
    schedules: str | os.PathLike[str] | None = option(or_none(dump_folder()), default=None)
    keep: str | Sequence[str] = option(names_of("blobs"), default=())
    libraries: bool | Sequence[str] = option(library_names(), default=True)
    precision: str = option(choice(*PRECISIONS), default="float32")
    deterministic: bool = option(boolean(), default=True)
    parts: int | None = option(or_none(power_of_two()), default=None)
    convolutions: str | None = option(or_none(CONVOLUTION), default=None)
    target: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.schedules is not None and self.tune is not None:
            rule = "schedules= and tune= both choose schedules"
            got = f"schedules={str(self.schedules)!r}, tune={self.tune!r}"
            raise OptionError(rule, expected="one of them", got=got)
        if self.precision != "float32" and self.dtype != "float32":
            rule = f"precision={self.precision!r} applies to float32 only"
            raise OptionError(rule, expected='dtype="float32"', got=f"dtype {self.dtype!r}")


def _cache_dir(env: Mapping[str, str]) -> Path:
    if "MOCHAC_CACHE_DIR" in env:
        return Path(env["MOCHAC_CACHE_DIR"])
    if os.path.isabs(caches := env.get("XDG_CACHE_HOME", "")):  # relative ones are to be ignored, by XDG's rules
        return Path(caches) / "mochac"
    home = next(filter(os.path.isabs, (env.get("HOME", ""), _home_of_account())), "")
    return Path(home) / ".cache" / "mochac" if home else Path(tempfile.gettempdir()) / f"mochac-{os.geteuid()}"


def _home_of_account() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # in containers, users may have no account
        return ""
