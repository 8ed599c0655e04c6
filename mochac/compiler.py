"""compile(net): checks every option, then makes the Program.

Users call it through mochac.compile. Plans are compiled when they are first needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from mochac.errors import OptionError
from mochac.frontend.net import Net
from mochac.hints import COMPILE
from mochac.lowering.choice import check_backend, looked_at, machine_for, named_backend
from mochac.lowering.machines import AnyMachine
from mochac.options import Options
from mochac.program import Program
from mochac.registry import suggestion
from mochac.runtime.cpu.machine import Machine
from mochac.runtime.data.params import Params

MODES = ("train", "test")
DTYPES = ("float32", "float64")
TUNE = ("quick", "full")
PRECISIONS = ("float32", "tf32", "bfloat16")


def compile(
    net: Net,
    *,
    backend: str = "auto",
    mode: str | None = None,
    params: Params | None = None,
    seed: int = 0,
    threads: int | None = None,
    dtype: str = "float32",
    device: int | None = None,
    tune: str | None = None,
    keep: Sequence[str] = (),
    libraries: bool | Sequence[str] = True,
    precision: str = "float32",
    deterministic: bool = True,
    **unknown: Any,
) -> Program:
    """Compile a net for this machine.

    Args:
        backend: "cpu", "cuda" or "auto" (MOCHAC_BACKEND, else CUDA where it is usable, else the CPU).
        mode: what forward() and backward() do, "train" or "test"; None: train where the net has a loss layer.
        params: a store to share; parameters present are used, absent ones initialised and added.
        seed: of initial parameters, shuffling and dropout, 0 <= seed < 2**64.
        threads: that share a step, >= 1; None: as many as the process may use. Any number gives the same bits.
        dtype: "float32" or "float64".
        device: CUDA device number; None: MOCHAC_CUDA_DEVICE, else 0.
        tune: None: schedules by rule, whatever was found before. "quick" or "full": a search may beat them, for seconds
            or minutes a plan; what it finds is kept in the cache. Tuned code may differ in last bits. CPU only.
        keep: blobs that can be read after train().
        libraries: CUDA: compute large products and convolutions by cuDNN and cuBLAS where they are installed; or the
            names of those to use ("cudnn", "cublas"), which the CPU refuses; False: generated kernels only.
        precision: CUDA, what libraries multiply float32 values in. "float32", or "tf32" or "bfloat16": these let them
            shorten factors to 10 or 7 bits after the point, for errors below 2**-9 or 2**-6 of the sum of the products'
            absolute values. Sums stay float32, and so do generated kernels.
        deterministic: CUDA: False lets cuDNN and cuBLAS add in an order that may change from run to run, where they
            take that for faster.

    Raises:
        OptionError: an option out of range. BackendError: a backend that is not there. NetError, ShapeError: shared
            parameters do not fit.
    """
    _require_net("compile()", net)
    for name in unknown:
        raise _unknown(name)
    options = Options.from_env()
    backend = check_backend(backend if backend != "auto" else options.backend)
    if device is not None:
        _integer("device", device, 0, 1024)
    dtype = getattr(dtype, "__name__", str(dtype))  # np.float64 is as good as "float64"
    _one_of("dtype", dtype, DTYPES)
    if mode is not None:
        _one_of("mode", mode, MODES)
    if tune is not None:
        _one_of("tune", tune, TUNE)
    if params is not None and not isinstance(params, Params):
        raise OptionError("params= takes a parameter store", expected="mochac.Params", got=type(params).__name__)
    _integer("seed", seed, 0, 2**64)
    if threads is not None:
        _integer("threads", threads, 1, 4097)
    if not isinstance(keep, Iterable):
        raise OptionError("keep= takes names of blobs", expected="a list of names", got=repr(keep))
    kept = tuple(net.checked_blob(blob) for blob in ([keep] if isinstance(keep, str) else keep))
    store = params if params is not None else Params()
    how: dict[str, Any] = {"mode": mode or net.mode, "seed": int(seed), "threads": threads, "dtype": dtype}
    called = checked_calls(precision, deterministic, dtype)
    names = checked_libraries(libraries)
    machine = machine_for(backend, options, device, names, **called)
    check_tunes(tune, machine.backend)
    require_calls(called, machine, names)
    return Program(net, machine, store, keep=kept, tune=tune, **how)


def explain(
    net: Net,
    backend: str = "auto",
    target: str | None = None,
    *,
    dtype: str = "float32",
    libraries: bool | Sequence[str] = True,
    precision: str = "float32",
    deterministic: bool = True,
) -> str:
    """What compile(net) would make, as text, without running it; "cuda" needs no device.

    Args:
        target: an LLVM CPU name, or such as "sm_90" for "cuda", to generate code for; None: this machine.
        dtype, libraries, precision, deterministic: as for compile.
    """
    _require_net("explain()", net)
    how: dict[str, Any] = {"libraries": libraries, "precision": precision, "deterministic": deterministic}
    if target is None and named_backend(backend) != "cuda":
        with compile(net, backend=backend, dtype=dtype, **how) as program:
            return program.explain()
    from mochac.inspect.dump import lowered_net
    from mochac.inspect.explain import explain

    machine = _looked_at(backend, target, dtype, **how)
    return explain(net, lowered_net(net, machine, dtype), machine)


def dump(
    net: Net,
    directory: str | Path,
    backend: str = "auto",
    target: str | None = None,
    *,
    dtype: str = "float32",
    libraries: bool | Sequence[str] = True,
    precision: str = "float32",
    deterministic: bool = True,
) -> None:
    """Write every stage of compile(net) to files, without running it; "cuda" needs no device.

    Args:
        target: an LLVM CPU name, or such as "sm_90" for "cuda", to generate code for; None: this machine.
        dtype, libraries, precision, deterministic: as for compile.
    """
    from mochac.inspect.dump import dump_net

    _require_net("dump()", net)
    how: dict[str, Any] = {"libraries": libraries, "precision": precision, "deterministic": deterministic}
    machine = _looked_at(backend, target, dtype, **how)
    dump_net(net, Path(directory), machine, dtype)


def _require_net(what: str, net: object) -> None:
    """Refuse what is no Net."""
    if not isinstance(net, Net):
        hint = "program.explain() and program.dump(directory) show a program" if isinstance(net, Program) else ""
        got = type(net).__name__
        raise OptionError(f"{what} takes a Net", expected="mochac.Net(name, layers)", got=got, hint=hint)


def _unknown(name: str) -> OptionError:
    """The error for an argument that compile() does not have."""
    known = [p for p in signature(compile).parameters if p not in ("net", "unknown")]
    close = suggestion(name, known)
    hint = COMPILE.get(name) or (f"did you mean {close!r}?" if close else f"arguments: {', '.join(known)}")
    return OptionError(f"compile() has no argument {name!r}", hint=hint)


def _looked_at(
    backend: str,
    target: str | None,
    dtype: str,
    *,
    libraries: bool | Sequence[str],
    precision: str,
    deterministic: bool,
) -> AnyMachine:
    """The machine that code is made for and not run on, its options checked."""
    _one_of("dtype", dtype, DTYPES)
    called = checked_calls(precision, deterministic, dtype)
    names = checked_libraries(libraries)
    machine = looked_at(backend, target, names, **called)
    require_calls(called, machine, names)
    return machine


def check_tunes(tune: str | None, backend: str, target: str | None = None) -> None:
    """OptionError where a search is asked for and the backend has none, or the target is not there to be timed."""
    if tune is not None and backend == "cuda":
        raise OptionError(
            "tune= searches for schedules of CPU code", expected='backend="cpu"', got=f"backend {backend!r}"
        )
    if tune is not None and target is not None:
        raise OptionError("tune= times schedules on this machine", expected="no target", got=f"target {target!r}")


def checked_calls(precision: str, deterministic: bool, dtype: str) -> dict[str, Any]:
    """How libraries are called.

    Raises:
        OptionError: an unknown precision, or one that float64 does not have.
    """
    _one_of("precision", precision, PRECISIONS)
    if not isinstance(deterministic, bool):
        raise OptionError("deterministic is out of range", expected="True or False", got=repr(deterministic))
    if precision != PRECISIONS[0] and dtype != "float32":
        got = f"dtype {dtype!r}"
        raise OptionError(f"precision={precision!r} is of float32 products", expected='dtype="float32"', got=got)
    return {"precision": precision, "deterministic": deterministic}


def require_calls(called: dict[str, Any], machine: AnyMachine, libraries: bool | tuple[str, ...] = True) -> None:
    """OptionError where libraries are named, or to be called in a way of their own, and none is called at all."""
    usual = {"precision": PRECISIONS[0], "deterministic": True}
    unusual = [f"{name}={value!r}" for name, value in called.items() if value != usual[name]]
    if isinstance(libraries, tuple) and libraries and isinstance(machine, Machine):
        unusual.insert(0, f"libraries={list(libraries)!r}")
    if not unusual:
        return
    rule = f"{' and '.join(unusual)} can only be had of cuBLAS and cuDNN"
    if isinstance(machine, Machine):
        raise OptionError(rule, expected='backend="cuda"', got=f"backend {machine.backend!r}")
    if not machine.target.libraries:
        expected = "libraries= that are installed and not switched off"
        raise OptionError(rule, expected=expected, got="generated kernels only")


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        close = suggestion(str(value), known)
        hint = f"did you mean {close!r}?" if close else ""
        raise OptionError(f"{name} is out of range", expected=" or ".join(map(repr, known)), got=repr(value), hint=hint)


def checked_libraries(given: bool | Sequence[str]) -> bool | tuple[str, ...]:
    """True, False or the libraries named, each once and in their own order: it makes no difference to a plan.

    Raises:
        OptionError: none of these.

    >>> checked_libraries(["cudnn", "cublas", "cudnn"])
    ('cublas', 'cudnn')
    """
    if isinstance(given, bool):
        return given
    from mochac.passes.choose_library import LIBRARIES

    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    for name in names:
        if name not in LIBRARIES:
            close = suggestion(str(name), LIBRARIES)
            hint = f"did you mean {close!r}?" if close else "libraries=False generates every kernel"
            expected = f"True, False or a list of {' and '.join(map(repr, LIBRARIES))}"
            raise OptionError("libraries is out of range", expected=expected, got=repr(given), hint=hint)
    return tuple(name for name in LIBRARIES if name in names)


def _integer(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= int(value) < high:
        expected = f"an integer >= {low} and < {high}"
        hint = _device_hint(value) if name == "device" and isinstance(value, str) else ""
        raise OptionError(f"{name} is out of range", expected=expected, got=repr(value), hint=hint)


def _device_hint(name: str) -> str:
    """What to write for a device by its name, as PyTorch has it."""
    kind, _, number = name.partition(":")
    kind = "cpu" if kind.lower() == "cpu" else "cuda"
    return f'write backend="{kind}"' + (f", device={number}" if number.isdecimal() else "")
