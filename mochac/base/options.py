"""Settings: Options from MOCHAC_* environment variables, and CompileOptions, the arguments of mochac.compile().

Both are frozen records that check their values. No other file of mochac reads MOCHAC_* variables.
"""

from __future__ import annotations

import os
import pwd
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mochac.base.checked_numbers import integer
from mochac.base.errors import OptionError, shown
from mochac.base.records import record
from mochac.base.registry import suggestion

_OFF = ("0", "false", "no", "off")
_ON = ("1", "true", "yes", "on")
_DIGITS = "0123456789"
MODES = ("train", "test")
DTYPES = ("float32", "float64")
TUNE = ("quick", "full")
LIBRARIES = ("cublas", "cudnn")
PRECISIONS = ("float32", "tf32", "bfloat16")
CONVOLUTIONS = ("auto", "direct")


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

    backend: str = "auto"
    cache_dir: Path = Path("~/.cache/mochac")
    cache: bool = True
    threads: int | None = None
    verify: bool = False
    debug: int = 0
    check: str = ""
    convolutions: str = "auto"
    cpu: str = ""
    cuda_device: int | None = None
    cuda_compiler: str = ""
    cuda_early: bool | None = None
    cuda_streams: int = 4
    cuda_time_calls: bool = True
    cuda_watch: bool = False
    perf: bool = False
    resident: bool = True
    data: Path | None = None
    rank_timeout: int = 300
    ranks_folder: str = ""

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Options:
        """Read the MOCHAC_* variables (of `environ`, default the process's); empty ones count as unset.

        Raises:
            OptionError: a variable has a value outside its range.
        """
        env = {k: v.strip() for k, v in (os.environ if environ is None else environ).items() if v.strip()}
        data = env.get("MOCHAC_DATA")
        return cls(
            backend=env.get("MOCHAC_BACKEND", "auto").lower(),
            cache_dir=_cache_dir(env),
            cache=_flag(env, "MOCHAC_CACHE", True),
            threads=_integer(env, "MOCHAC_THREADS", 1, 4096),
            verify=_flag(env, "MOCHAC_VERIFY", False),
            debug=_integer(env, "MOCHAC_DEBUG", 0, 5) or 0,
            check=_choice(env, "MOCHAC_CHECK", ("nan",)),
            convolutions=_choice(env, "MOCHAC_CONVOLUTIONS", CONVOLUTIONS, off=()) or "auto",
            cpu=env.get("MOCHAC_CPU", ""),
            cuda_device=_integer(env, "MOCHAC_CUDA_DEVICE", 0, 1023),
            cuda_compiler=_choice(env, "MOCHAC_CUDA_COMPILER", ("nvrtc", "nvcc")),
            cuda_early=_flag(env, "MOCHAC_CUDA_EARLY", False) if "MOCHAC_CUDA_EARLY" in env else None,
            cuda_streams=_integer(env, "MOCHAC_CUDA_STREAMS", 1, 32) or 4,
            cuda_time_calls=_flag(env, "MOCHAC_CUDA_TIME_CALLS", True),
            cuda_watch=_flag(env, "MOCHAC_CUDA_WATCH", False),
            perf=_flag(env, "MOCHAC_PERF", False),
            resident=_flag(env, "MOCHAC_RESIDENT", True),
            data=Path(data) if data else None,
            rank_timeout=_integer(env, "MOCHAC_RANK_TIMEOUT", 1, 86400) or 300,
            ranks_folder=env.get("MOCHAC_RANKS_FOLDER", ""),
        )


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
    mode: str | None = None
    seed: int = 0
    threads: int | None = None
    dtype: str = "float32"
    device: int | None = None
    tune: str | None = None
    schedules: str | os.PathLike[str] | None = None
    keep: str | Sequence[str] = ()
    libraries: bool | Sequence[str] = True
    precision: str = "float32"
    deterministic: bool = True
    parts: int | None = None
    convolutions: str | None = None
    target: str | None = None

    def __post_init__(self) -> None:
        if self.device is not None:
            _require_integer("device", self.device, 0, 1024)
        self._set("dtype", getattr(self.dtype, "__name__", _text(self.dtype)))  # accept np.float64 for "float64"
        _require_one_of("dtype", self.dtype, DTYPES)
        if self.mode is not None:
            _require_one_of("mode", self.mode, MODES)
        if self.tune is not None:
            _require_one_of("tune", self.tune, TUNE)
        if self.schedules is not None:
            self._set("schedules", _checked_schedules(self.schedules, self.tune))
        _require_integer("seed", self.seed, 0, 2**64)
        self._set("seed", int(self.seed))
        if self.threads is not None:
            _require_integer("threads", self.threads, 1, 4097)
        if self.parts is not None:
            _require_power_of_two("parts", self.parts)
        self._set("keep", listed_names("keep=", self.keep, "blobs"))
        _require_one_of("precision", self.precision, PRECISIONS)
        if self.convolutions is not None:
            _require_one_of("convolutions", self.convolutions, CONVOLUTIONS)
        if not isinstance(self.deterministic, bool):
            raise OptionError("deterministic is out of range", expected="True or False", got=shown(self.deterministic))
        if self.precision != "float32" and self.dtype != "float32":
            rule = f"precision={self.precision!r} applies to float32 only"
            raise OptionError(rule, expected='dtype="float32"', got=f"dtype {self.dtype!r}")
        self._set("libraries", _checked_libraries(self.libraries))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def _checked_schedules(given: object, tune: str | None) -> Path:
    """The folder of a dump, whose files are read when the program is made."""
    if not isinstance(given, str | os.PathLike):
        hint = "program.dump(directory) writes schedules, for you to edit"
        raise OptionError("schedules= takes the folder of a dump", expected="a path", got=shown(given), hint=hint)
    if tune is not None:
        rule = "schedules= and tune= both choose schedules"
        raise OptionError(rule, expected="one of them", got=f"schedules={str(given)!r}, tune={tune!r}")
    return Path(os.fsdecode(given))


def listed_names(what: str, given: Any, of: str) -> tuple[str, ...]:
    """Names in a list, or one by itself.

    Args:
        what: what takes them, for messages.
        of: what has them.

    Raises:
        OptionError: something else.

    >>> listed_names("keep=", "ip1", "blobs"), listed_names("keep=", ["ip1", "ip2"], "blobs")
    (('ip1',), ('ip1', 'ip2'))
    """
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    if wrong := [name for name in names if not isinstance(name, str)]:
        raise OptionError(f"{what} takes names of {of}", expected="a name, or a list of names", got=shown(wrong[0]))
    return names


def _checked_libraries(given: bool | Sequence[str]) -> bool | tuple[str, ...]:
    """True, False or the named libraries; their order does not matter."""
    if isinstance(given, bool):
        return given
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    for name in names:
        if name not in LIBRARIES:
            close = suggestion(str(name), LIBRARIES)
            hint = f"did you mean {close!r}?" if close else "libraries=False generates every kernel"
            expected = f"True, False or a list of {' and '.join(map(repr, LIBRARIES))}"
            raise OptionError("libraries is out of range", expected=expected, got=shown(given), hint=hint)
    return tuple(name for name in LIBRARIES if name in names)


_ELSEWHERE = {
    **dict.fromkeys(
        ("eval", "predict", "inference"), 'write "test"; evaluate() and predict() are in test mode without it'
    ),
    **dict.fromkeys(("fit", "training"), 'write "train"; train() trains without it'),
    **dict.fromkeys(("winograd", "fast"), 'write "auto", which uses fast algorithms where they are faster'),
    **dict.fromkeys(("gemm", "im2col", "exact"), 'write "direct", which uses no fast algorithms'),
}
"""Values of options that have another name here."""


def _text(value: Any) -> str:
    return shown(value) if isinstance(value, int) else str(value)


def _require_one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in known:
        expected = " or ".join(map(repr, known))
        raise OptionError(f"{name} is out of range", expected=expected, got=shown(value), hint=_meant(value, known))


def _meant(value: object, known: tuple[str, ...]) -> str:
    """The hint for a value that is not one of the known ones."""
    close = suggestion(str(value), known)
    same = close and close.rstrip(_DIGITS) == str(value).rstrip(_DIGITS)  # float16 is no misspelt float64
    if close and (not same or sorted(close) == sorted(str(value))):
        return f"did you mean {close!r}?"
    return _ELSEWHERE.get(str(value), "")


def _require_integer(name: str, value: Any, low: int, high: int) -> None:
    number = integer(value)
    if number is None or not low <= number < high:
        expected = f"an integer >= {low} and < {high}"
        hint = _device_hint(value) if name == "device" and isinstance(value, str) else ""
        raise OptionError(f"{name} is out of range", expected=expected, got=shown(value), hint=hint)


def _require_power_of_two(name: str, value: Any) -> None:
    number = integer(value) or 0
    if number < 1 or number & (number - 1):
        raise OptionError(f"{name} is out of range", expected="a power of two: 1, 2, 4, 8, ...", got=shown(value))


def _device_hint(name: str) -> str:
    """What to write instead of a device name as in PyTorch ("cuda:1")."""
    kind, _, number = name.partition(":")
    kind = "cpu" if kind.lower() == "cpu" else "cuda"
    return f'write backend="{kind}"' + (f", device={number}" if number.isdecimal() else "")


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


def _flag(env: Mapping[str, str], name: str, default: bool) -> bool:
    text = env.get(name, "").lower()
    if text and text not in _ON + _OFF:
        raise OptionError(f"environment variable {name} is not a switch", expected="0 or 1", got=env[name])
    return text in _ON if text else default


def _integer(env: Mapping[str, str], name: str, low: int, high: int) -> int | None:
    if name not in env:
        return None
    text = env[name]
    if not text.isdecimal() or not low <= int(text) <= high:
        raise OptionError(
            f"environment variable {name} is out of range", expected=f"an integer from {low} to {high}", got=text
        )
    return int(text)


def _choice(env: Mapping[str, str], name: str, known: tuple[str, ...], off: tuple[str, ...] = _OFF) -> str:
    """The setting of a variable; "" where it is unset or has one of the values `off`."""
    text = env.get(name, "").lower()
    if text in ("", *off):
        return ""
    if text not in known:
        rule = f"environment variable {name} has no such setting"
        raise OptionError(rule, expected=", ".join(known), got=text, hint=_meant(text, known))
    return text
