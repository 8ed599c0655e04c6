"""Selects the backend: the one named, or with "auto" the first that is usable on this machine."""

from __future__ import annotations

import logging

from mochac.base.errors import BackendError, OptionError, shown
from mochac.base.options import CompileOptions, Options
from mochac.base.registry import suggestion
from mochac.base.support.log import tell_once
from mochac.runtime.backend import BACKENDS, Backend

AUTO = "auto"


def open_backend(options: CompileOptions, env: Options, run: bool) -> Backend:
    """The backend that the options select.

    Args:
        run: whether plans will run; no device is needed just to look at code.

    Raises:
        BackendError: an unknown backend or target, or one that is not usable here. OptionError: an option that this
            backend does not support.
    """
    name = backend_name(options, env)
    _check_tuning(options, name)
    backend = _first_usable(options, env) if name == AUTO else BACKENDS[name].open(options, env, run)
    backend.refuse(options)
    return backend


def _check_tuning(options: CompileOptions, name: str) -> None:
    """Raise OptionError if a search is asked for but the backend has none, or the target is not here to be timed."""
    if options.tune is None:
        return
    if name != AUTO:
        BACKENDS[name].refuse_tuning(options)
    if options.target is not None:
        expected, got = "no target", f"target {options.target!r}"
        raise OptionError("tune= times schedules on this machine", expected=expected, got=got)


def backend_name(options: CompileOptions, env: Options) -> str:
    """The backend that the options or MOCHAC_BACKEND name, or that generates code for the target; else "auto".

    Raises:
        BackendError: an unknown backend. OptionError: an unknown name in MOCHAC_BACKEND, or the target is not a name.
    """
    target = options.target
    if target is not None and not isinstance(target, str):
        hint = f"did you mean 'sm_{target}'?" if isinstance(target, int) else ""
        expected = "the name of a CPU in LLVM, or a name such as 'sm_90'"
        raise OptionError("target= takes a name", expected=expected, got=shown(target), hint=hint)
    name = _known(options.backend) if options.backend != AUTO else _of_environment(env)
    if name == AUTO and target is not None:
        return next(own for own, backend in _by_precedence() if backend.makes_code_for(target))
    return name


def needs_device(name: str) -> bool:
    """Whether programs of a backend can run only on its device; its code can be looked at anywhere."""
    return name != AUTO and BACKENDS[name].needs_device


def _known(name: str) -> str:
    if not isinstance(name, str) or (name != AUTO and name not in BACKENDS):
        also = {first: own for own, backend in BACKENDS.items() for first in backend.also_called}
        close = next((own for first, own in also.items() if shown(name).strip("'").lower().startswith(first)), None)
        close = close or suggestion(name, _names())
        hint = f"did you mean {close!r}?" if close else ""
        raise BackendError(f"unknown backend {shown(name)}", expected=", ".join(_names()), got=shown(name), hint=hint)
    return name


def _of_environment(env: Options) -> str:
    if env.backend != AUTO and env.backend not in BACKENDS:
        rule = "environment variable MOCHAC_BACKEND has no such setting"
        raise OptionError(rule, expected=", ".join(_names()), got=env.backend)
    return env.backend


def _names() -> list[str]:
    return [AUTO, *BACKENDS]


def _by_precedence() -> list[tuple[str, type[Backend]]]:
    return sorted(BACKENDS.items(), key=lambda entry: -entry[1].precedence)


def _first_usable(options: CompileOptions, env: Options) -> Backend:
    """The first backend by precedence that can run here; the reasons against the others are logged once."""
    reasons: list[tuple[str, int]] = []
    failed: BackendError | None = None
    for name, backend in _by_precedence():
        reason = backend.missing()
        if reason:
            reasons.append((reason, logging.DEBUG if reason in backend.usual_reasons else logging.INFO))
            continue
        try:
            opened = backend.open(options, env, run=True)
        except BackendError as error:
            failed = error
            reasons.append((error.rule, logging.INFO))
            continue
        for text, level in reasons:
            tell_once(f"backend auto: {name} ({text})", level)
        return opened
    raise failed or BackendError("no backend is usable here", details=[reason for reason, _ in reasons])
