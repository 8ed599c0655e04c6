"""Which backend, and its machine: "cpu", "cuda", or "auto", which takes CUDA where it can run.

compile.py, explain and dump ask. What auto chose is logged once. It compiles nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mochac.errors import BackendError, OptionError
from mochac.lowering.machines import AnyMachine
from mochac.options import BACKENDS, LIBRARIES, Options
from mochac.registry import suggestion
from mochac.runtime.cpu.machine import Machine
from mochac.runtime.support.log import tell_once


def check_backend(name: str) -> str:
    """The name, if it is one of BACKENDS.

    Raises:
        BackendError: it is none.
    """
    if name not in BACKENDS:
        close = "cuda" if str(name).lower().startswith(("gpu", "nvidia")) else suggestion(str(name), BACKENDS)
        hint = f"did you mean {close!r}?" if close else ""
        raise BackendError(f"unknown backend {name!r}", expected=", ".join(BACKENDS), got=repr(name), hint=hint)
    return name


def machine_for(
    backend: str, options: Options, device: int | None = None, libraries: bool | Sequence[str] = True, **how: Any
) -> AnyMachine:
    """The machine to compile for and run on.

    Args:
        device: for CUDA: its number; None: MOCHAC_CUDA_DEVICE, else the first.
        libraries: for CUDA: call cuDNN and cuBLAS where they are installed, or the names of those to call.
        how: for CUDA: precision= and deterministic= of compile().

    Raises:
        BackendError: "cuda", and there is no such device or no way to use it.
    """
    if backend == "cpu":
        return Machine(options)
    from mochac.runtime.cuda.device import NO_DRIVER, missing

    reason = missing() if backend == "auto" else ""
    if reason:
        tell_once(f"backend auto: cpu ({reason})", logging.DEBUG if reason == NO_DRIVER else logging.INFO)
        return Machine(options)
    try:
        return _cuda(options, device, libraries, **how)
    except BackendError as error:
        if backend == "cuda":
            raise
        tell_once(f"backend auto: cpu ({error.rule})")
        return Machine(options)


def looked_at(
    backend: str, target: str | None = None, libraries: bool | Sequence[str] = True, **how: Any
) -> AnyMachine:
    """The machine to generate code for that nobody runs: for "cuda" no device is needed.

    Args:
        target: an LLVM CPU name or "sm_90"; None: what is here, else a common one.
        libraries, how: as for machine_for; True without a device: every library, installed here or not.
    """
    options = Options.from_env()
    backend = named_backend(backend, target)
    if backend == "cuda":
        return _cuda_looked_at(options, target, libraries, **how)
    if target is not None:
        from mochac.runtime.cpu.cpuinfo import named_cpu

        return Machine(cpu=named_cpu(target))
    return machine_for(backend, options)


def named_backend(backend: str, target: str | None = None) -> str:
    """What "auto" means: MOCHAC_BACKEND, or the backend of a target.

    Raises:
        BackendError: there is no such backend. OptionError: the target is no name.
    """
    if target is not None and not isinstance(target, str):
        hint = f"did you mean 'sm_{target}'?" if isinstance(target, int) else ""
        expected = "an LLVM CPU name, or such as 'sm_90'"
        raise OptionError("target= takes a name", expected=expected, got=repr(target), hint=hint)
    backend = check_backend(backend if backend != "auto" else Options.from_env().backend)
    return "cuda" if backend == "auto" and target is not None and target.startswith("sm_") else backend


def _cuda_looked_at(options: Options, target: str | None, libraries: bool | Sequence[str], **how: Any) -> AnyMachine:
    """The default device where there is one, else a usual device that is not here."""
    from mochac.runtime.cuda.device import missing
    from mochac.runtime.cuda.machine import DEFAULT, CudaMachine

    if target is None and not missing():
        with suppress(BackendError):
            return _cuda(options, None, libraries, **how)
    called = (LIBRARIES if libraries else ()) if isinstance(libraries, bool) else tuple(libraries)
    return CudaMachine(options, target=target or DEFAULT, libraries=called, **how)


def _cuda(options: Options, device: int | None, libraries: bool | Sequence[str], **how: Any) -> AnyMachine:
    from mochac.lowering.backends import require_jinja
    from mochac.runtime.cuda.device import device as opened
    from mochac.runtime.cuda.machine import CudaMachine

    require_jinja()
    found = opened(options.cuda_device if device is None else int(device))
    called = (found.driver.libraries if libraries else ()) if isinstance(libraries, bool) else tuple(libraries)
    insist = not isinstance(libraries, bool)
    machine = CudaMachine(options, found, libraries=called, insist=insist, **how)
    tell_once(f"backend cuda: {machine.device}{' with ' + ' and '.join(called) if called else ''}")
    return machine
