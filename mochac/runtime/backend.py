"""Backend: one way to compile and run nets, and the registry of them.

A backend is a folder of runtime/ whose backend.py registers one class. Everything above (lowering, sessions, reports,
searches) works on this interface; what is not abstract has a default that suits a simple backend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, TypeVar

import numpy as np

from mochac.errors import BackendError, OptionError
from mochac.options import CompileOptions, Options
from mochac.registry import Registry
from mochac.runtime.files.cache import Cache, cache_in
from mochac.runtime.support.managed_array import ManagedArray
from mochac.runtime.support.rates import Bandwidth, Peak

if TYPE_CHECKING:
    from mochac.codegen.generator import Generator
    from mochac.ir.graph import Graph
    from mochac.ir.program import Launch, Plan
    from mochac.lowering.lowered import Lowered, ScheduledKernel
    from mochac.passes.choose_library import Ask
    from mochac.runtime.data.feed import Feed
    from mochac.runtime.data.source import DataSource
    from mochac.runtime.support.times import Times

States = Mapping[str, "np.ndarray | ManagedArray"]
"""Storage of parameters, solver state and tables by key, updated in place."""


class Executor(Protocol):
    """A plan bound to memory, ready to run."""

    @property
    def plan(self) -> Plan: ...

    @property
    def threads(self) -> int:
        """Threads that share a step; 1 on a device."""
        ...

    def run(
        self, n_steps: int = 1, feeds: Any = (), hyper: Mapping[str, object] | None = None
    ) -> dict[str, np.ndarray]:
        """Run steps one after the other.

        Args:
            feeds: Feeds of runtime/tables.py, or what the backend's datasets gave.
            hyper: by key, one number or n_steps of them.

        Returns:
            by name of the plan's scalars, n_steps values.
        """
        ...

    def profile(self, n_steps: int, feeds: Any = (), hyper: Mapping[str, object] | None = None) -> Times:
        """Run steps, state changes included, and time every launch; fewer feeds are used in turn."""
        ...

    def read(self, name: str) -> np.ndarray:
        """A copy of a named value in logical order, as the last run left it; KeyError where the plan keeps none."""
        ...

    def close(self) -> None:
        """Release code and memory; a second close is harmless."""
        ...


class Datasets(Protocol):
    """The datasets that a backend keeps near its executors for one program.

    Attributes:
        words: what became of the datasets of the last run, for explain.
    """

    words: str

    def likely(self, sources: Sequence[DataSource], epochs: float) -> bool:
        """Whether a run over so many epochs will find its data here, as far as is known before."""
        ...

    def hold(self, sources: Sequence[DataSource], epochs: float) -> bool:
        """Have all samples here as they are now, if they belong here; whether they are."""
        ...

    def given(self, feed: Feed, names: Mapping[str, str], n: int, batch: int | None = None) -> Any:
        """The next n batches of a feed whose sources are held, for Executor.run; `names` are inputs by top."""
        ...

    def close(self) -> None:
        """Let go of all of them; a second close is harmless."""
        ...


@dataclass(frozen=True)
class CodeForm:
    """A form of a kernel's code that a record of explain has, and a dump may write.

    Attributes:
        title: what it is, in words.
        make: from the backend, the kernel and its launch.
        ending: of the dump's file; "": not dumped.
        comment: how a line of comment begins, where the file is to say whose code it is.
    """

    title: str
    make: Callable[[Any, ScheduledKernel, Launch], Any]
    ending: str = ""
    comment: str = ""


class Backend(ABC):
    """A machine, or a kind of it, that nets are compiled for and run on.

    Attributes:
        env: settings of the process.
        cache: of compiled code; None where it is switched off.
    """

    name: ClassVar[str]
    """As in compile(backend=)."""
    language: ClassVar[str]
    """What its code is written in, in words."""
    ending: ClassVar[str]
    """Of a file with a module of such code."""
    kind: ClassVar[str]
    """What code is made for, in words: "CPU"."""
    forms: ClassVar[Mapping[str, CodeForm]]
    """Forms of a kernel's code by name, the one that is printed first."""
    precedence: ClassVar[int] = 0
    """Backend "auto" asks the backends of this package in falling precedence whether they are usable here."""
    needs_device: ClassVar[bool] = False
    """It runs only where its device is; explain and dump do without one."""
    usual_reasons: ClassVar[tuple[str, ...]] = ()
    """What `missing` says on machines that are simply of another kind; backend "auto" does not log it."""
    also_called: ClassVar[tuple[str, ...]] = ()
    """How names begin that users may try instead."""
    takes: ClassVar[frozenset[str]] = frozenset()
    """Which of the options "tune" and "libraries" of compile() it has a use for."""
    in_host_memory: ClassVar[bool] = True
    """Executors work on the states' own arrays."""
    keeps_datasets: ClassVar[bool] = False
    """`datasets` may keep some."""
    times_kernels: ClassVar[bool] = False
    """Compiling a kernel alone takes milliseconds, so that MOCHAC_DEBUG=2 times each."""

    def __init__(self, env: Options) -> None:
        self.env = env
        self.cache: Cache | None = cache_in(env.cache_dir) if env.cache else None

    # -- choosing ----------------------------------------------------------------------------------------------------

    @classmethod
    def missing(cls) -> str:
        """Why it cannot be used here, in a few words; "" where it may be. Asks for nothing slow."""
        return ""

    @classmethod
    def makes_code_for(cls, target: str) -> bool:
        """Whether a target named without a backend is one of its own."""
        return False

    @classmethod
    @abstractmethod
    def open(cls, options: CompileOptions, env: Options, run: bool) -> Backend:
        """The backend as the options ask for it.

        Args:
            run: plans are to run; otherwise code is only looked at.

        Raises:
            BackendError: it is not usable here, or does not know the target.
        """

    def refuse(self, options: CompileOptions) -> None:
        """OptionError for an option that this backend has no use for."""
        self.refuse_tuning(options)
        unusual = call_settings(options)
        if isinstance(options.libraries, tuple) and options.libraries:
            unusual.insert(0, f"libraries={list(options.libraries)!r}")
        if unusual and "libraries" not in self.takes:
            self._refused(f"{' and '.join(unusual)} {OF_LIBRARIES}", "libraries")

    @classmethod
    def refuse_tuning(cls, options: CompileOptions) -> None:
        """OptionError where a search for schedules is asked for that this backend does not have."""
        if options.tune is not None and "tune" not in cls.takes:
            cls._refused("tune= searches for schedules of CPU code", "tune")

    @classmethod
    def _refused(cls, rule: str, option: str) -> NoReturn:
        takers = [f'backend="{name}"' for name, backend in BACKENDS.items() if option in backend.takes]
        raise OptionError(rule, expected=" or ".join(takers), got=f"backend {cls.name!r}")

    # -- compiling ---------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def generator(self) -> Generator:
        """How kernels become code."""

    @property
    @abstractmethod
    def versions(self) -> tuple[str, ...]:
        """What code depends on besides the graph and mochac's own files: part of the key of cached plans."""

    def library_versions(self, graph: Graph) -> tuple[str, ...]:
        """Versions of the libraries that a graph may call; part of that key, too."""
        return ()

    @property
    def ask(self) -> Ask | None:
        """Why a library does not have a call; None where nobody can be asked."""
        return None

    @abstractmethod
    def compile(self, text: str) -> bytes:
        """Object code of a module, made anew."""

    def objects(self, text: str) -> list[bytes]:
        """What `bind` takes of a module, through the cache where compiling takes long."""
        return [self.compile(text)]

    def verify(self, text: str) -> None:  # noqa: B027 - a default
        """Raise a ValueError or RuntimeError where a module's text is invalid and something can tell."""

    def spills(self, text: str) -> int:
        """Vector registers that a module's code puts aside in memory, as far as can be told."""
        return 0

    # -- running -----------------------------------------------------------------------------------------------------

    def threads(self, asked: int | None = None) -> int:
        """Threads that share a step where so many are asked for; None: as many as suit."""
        return asked or self.env.threads or 1

    def small_batch(self, dtype: str) -> int:
        """Up to so many samples predict() compiles plans for fewer samples than a batch has."""
        return 1

    def datasets(self, dtype: str) -> Datasets | None:
        """Keeps datasets for one program; None: batches are always read from the host."""
        return None

    @abstractmethod
    def bind(self, plan: Plan, objects: Sequence[bytes], states: States, threads: int | None = None) -> Executor:
        """A plan with its object code and states, ready to run."""

    # -- measuring ---------------------------------------------------------------------------------------------------

    def peak(self, threads: int) -> Peak:
        """What it reaches in multiply-adds now.

        Raises:
            BackendError: it is not measured.
        """
        raise BackendError(f"backend {self.name!r} measures no peak that kernels could be compared with")

    def bandwidth(self, threads: int) -> Bandwidth:
        """What its caches and memory deliver now; raises as `peak`."""
        raise BackendError(f"backend {self.name!r} measures no bandwidth that kernels could be compared with")

    # -- showing -----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """The backend in the first line of explain."""
        return f"backend {self.name} ({self.generator.target_name})"

    def signature(self, kernel: ScheduledKernel, launch: Launch) -> list[str]:
        """How a kernel's function is called, in lines, for forms with a `comment`."""
        return []

    def memory_rows(self, plan: Plan) -> list[list[str]]:
        """Rows (name, how much) of explain's table of memory, beside those of every backend."""
        return []

    def forecast(self, sources: Sequence[DataSource], dtype: np.dtype) -> str:
        """What is to be expected of datasets before any run, in words, where the backend keeps some."""
        return ""

    def sections(self, lowered: Lowered) -> list[tuple[str, str]]:
        """Sections (title, body) of explain that only this backend has."""
        return []


OF_LIBRARIES = "can only be had of cuBLAS and cuDNN"


def call_settings(options: CompileOptions) -> list[str]:
    """How libraries are to be called, where that is not the usual way, as the user wrote it."""
    usual = CompileOptions()
    names = ("precision", "deterministic")
    return [f"{n}={getattr(options, n)!r}" for n in names if getattr(options, n) != getattr(usual, n)]


BACKENDS: Registry[type[Backend]] = Registry("backend", "mochac.runtime", inner="backend")
B = TypeVar("B", bound=Backend)


def register(backend: type[B]) -> type[B]:
    """Decorator: the class of a backend, under its name."""
    BACKENDS.add(backend.name, backend, backend.__module__)
    return backend
