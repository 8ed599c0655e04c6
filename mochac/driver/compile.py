"""compile(net): checks every option, then makes the Program.

Users call it through mochac.compile. Plans are compiled when they are first needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mochac.driver.machine import Machine
from mochac.driver.program import Program
from mochac.errors import BackendError, OptionError
from mochac.frontend.net import Net
from mochac.options import Options
from mochac.registry import suggestion
from mochac.runtime.log import LOG
from mochac.runtime.params import Params

BACKENDS = ("auto", "cpu", "cuda")
MODES = ("train", "test")
DTYPES = ("float32", "float64")


def compile(
    net: Net,
    *,
    backend: str = "auto",
    mode: str | None = None,
    params: Params | None = None,
    seed: int = 0,
    threads: int | None = None,
    dtype: str = "float32",
    device: int = 0,
    tune: str | None = None,
    keep: Sequence[str] = (),
    libraries: bool = True,
) -> Program:
    """Compile a net for this machine.

    Args:
        backend: "cpu", "cuda" or "auto" (MOCHAC_BACKEND, else CUDA where it is usable, else the CPU).
        mode: what forward() and backward() do, "train" or "test"; None: train where the net has a loss layer.
        params: a store to share; parameters present are used, absent ones initialised and added.
        seed: of initial parameters, shuffling and dropout, 0 <= seed < 2**64.
        threads: that share a step, >= 1; None: as many as the process may use. Any number gives the same bits.
        dtype: "float32" or "float64".
        device: CUDA device number.
        tune: None: schedules by rule. Searching for schedules is not available yet.
        keep: blobs that can be read after train().
        libraries: CUDA: use cuDNN and cuBLAS.

    Raises:
        OptionError: an option out of range. BackendError: a backend that is not there. NetError, ShapeError: shared
            parameters do not fit.
    """
    if not isinstance(net, Net):
        raise OptionError("compile() takes a Net", expected="mochac.Net(name, layers)", got=type(net).__name__)
    options = Options.from_env()
    _backend(backend if backend != "auto" else options.backend)
    dtype = getattr(dtype, "__name__", str(dtype))  # np.float64 is as good as "float64"
    _one_of("dtype", dtype, DTYPES)
    if mode is not None:
        _one_of("mode", mode, MODES)
    if tune is not None:
        raise OptionError("tune= is not available yet", expected="None", got=repr(tune))
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
    return Program(net, Machine(options), store, keep=kept, **how)


def explain(net: Net, backend: str = "auto") -> str:
    """What compile(net) would make, as text, without running it."""
    with compile(net, backend=backend) as program:
        return program.explain()


def dump(net: Net, directory: str | Path, backend: str = "auto", target: str | None = None) -> None:
    """Write every stage of compile(net) to files, without running it.

    Args:
        target: an LLVM CPU name to generate code for; None: this machine.
    """
    if target is not None and backend == "cuda":
        _backend(backend)
    from mochac.driver.dump import dump_net

    _backend(backend)
    dump_net(net, Path(directory), target)


def _backend(name: str) -> None:
    if name not in BACKENDS:
        close = suggestion(str(name), BACKENDS)
        hint = f"did you mean {close!r}?" if close else ""
        raise BackendError(f"unknown backend {name!r}", expected=", ".join(BACKENDS), got=repr(name), hint=hint)
    if name == "cuda":
        raise BackendError("the CUDA backend is not available in this version", hint="use backend='cpu' or 'auto'")
    if name == "auto":
        _log_once()


def _log_once() -> None:
    if not getattr(_log_once, "done", False):
        _log_once.done = True  # type: ignore[attr-defined]
        LOG.debug("backend auto: cpu")


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        close = suggestion(str(value), known)
        hint = f"did you mean {close!r}?" if close else ""
        raise OptionError(f"{name} is out of range", expected=" or ".join(map(repr, known)), got=repr(value), hint=hint)


def _integer(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= int(value) < high:
        raise OptionError(f"{name} is out of range", expected=f"an integer >= {low} and < {high}", got=repr(value))
