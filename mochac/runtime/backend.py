"""Backend: the interface for compiling and running nets on one kind of machine, and the registry of backends.

A backend is a folder of runtime/ whose backend.py registers one class. Lowering, sessions, reports and searches use
only this interface; methods that are not abstract have a default that suits a simple backend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn, Protocol, TypeVar

import numpy as np

from mochac.base.errors import BackendError, OptionError, UnsupportedError
from mochac.base.files.cache import Cache, cache_in
from mochac.base.options import CompileOptions, Options
from mochac.base.records import record
from mochac.base.registry import Registry
from mochac.base.support.memory import ManagedArray
from mochac.base.support.times import Bandwidth, Peak
from mochac.runtime.ranks.ranks import Exchanged, Ranks

if TYPE_CHECKING:
    from mochac.base.support.times import Times
    from mochac.codegen.generator import Generator
    from mochac.codegen.machine import Machine
    from mochac.ir.graph import Attr, Graph
    from mochac.ir.passes.choose_library import Offer
    from mochac.ir.plan import Compiled, Launch, Plan
    from mochac.ir.types import TensorType
    from mochac.runtime.data.feed import Feed
    from mochac.runtime.data.source import DataSource
    from mochac.runtime.lowered import CanonicalKernel, Lowered, ScheduledKernel

States = Mapping[str, "np.ndarray | ManagedArray"]
"""Storage of parameters, solver state and tables by key, updated in place."""


PlanPart = Literal["all", "head", "rest"]


class Executor(ABC):
    """A plan bound to memory, ready to run; for one thread at a time.

    Attributes:
        plan: what it runs.
        threads: number of threads that share a step; 1 on a device.
    """

    plan: Plan
    threads: int
    in_parts: ClassVar[bool] = False
    """Whether run_one can run the two parts of a plan (Plan.head) separately."""

    @abstractmethod
    def run(
        self, n_steps: int = 1, feeds: Any = (), hyper: Mapping[str, object] | None = None
    ) -> dict[str, np.ndarray]:
        """Run steps one after the other.

        Args:
            feeds: Feeds of runtime/tables.py, or what Datasets.given returned.
            hyper: by key, one number or n_steps of them.

        Returns:
            n_steps values for each of the plan's scalars, by name.
        """

    def run_one(self, feeds: Any, hyper: Mapping[str, object], part: PlanPart = "all") -> dict[str, float]:
        """Run one step; `hyper` holds numbers. Returns the plan's scalars.

        Args:
            part: the first launches of the plan (Plan.head), or the rest, after a run of the first with the same batch.
        """
        if part != "all":
            raise NotImplementedError(f"{type(self).__name__} runs plans as a whole")
        return {name: float(values[0]) for name, values in self.run(1, feeds, hyper).items()}

    @property
    def shared_by(self) -> int:
        """The number of threads for which at least one launch of the plan has work."""
        return self.threads

    @abstractmethod
    def profile(self, n_steps: int, feeds: Any = (), hyper: Mapping[str, object] | None = None) -> Times:
        """Run steps, state changes included, and time every launch; if there are fewer feeds, they are used in turn."""

    @abstractmethod
    def read(self, name: str) -> np.ndarray:
        """A copy of a named value in logical order, from the last run; KeyError if the plan does not keep it."""

    def leave(self, name: str, result: Any, first: int, n: int) -> None:
        """Copy the first n rows of a named value to rows of memory from Backend.result."""
        raise NotImplementedError(f"{type(self).__name__} has nothing on a device")

    def forget(self, feeds: Container[str]) -> None:  # noqa: B027
        """Drop references to the arrays of these feeds, if the last run read them without a copy."""

    @abstractmethod
    def close(self) -> None:
        """Release code and memory; closing twice is harmless."""


class Datasets(Protocol):
    """The datasets that a backend keeps on its device for one program.

    Attributes:
        words: where the datasets of the last run were kept, for explain.
    """

    words: str

    def likely(self, sources: Sequence[DataSource], epochs: float) -> bool:
        """Whether a run over this many epochs will probably find its data on the device."""
        ...

    def hold(self, sources: Sequence[DataSource], epochs: float) -> bool:
        """Keep the current samples on the device if that pays; returns whether they are there."""
        ...

    def next_batches(self, feed: Feed, names: Mapping[str, str], n: int, batch: int | None = None) -> Any:
        """The next n batches of a feed whose datasets are on the device, for Executor.run; `names` are inputs by
        top."""
        ...

    def close(self) -> None:
        """Release all datasets; closing twice is harmless."""
        ...


class RankExchange(Protocol):
    """Exchanges values with the other ranks of a training; how plans use it is up to the backend."""

    def check(self, first: int) -> None:
        """Raise RankError if exchanges have failed in the steps after iteration `first`."""
        ...

    def exchanged(self) -> Exchanged:
        """What has been exchanged so far."""
        ...

    def stop(self) -> None:
        """End exchanges; no plan that exchanges may run afterwards."""
        ...

    def close(self) -> None:
        """Release resources, after stop() and after the plans that exchange values have been released."""
        ...


@record
class CodeForm:
    """A form of a kernel's code that explain's records offer, and that a dump may contain.

    Attributes:
        title: a description.
        make: returns the code for a backend, a kernel and its launch.
        ending: extension of the dump's file; "": not dumped.
        comment: how a comment line begins, if the file should have a header.
    """

    title: str
    make: Callable[[Any, ScheduledKernel, Launch], Any]
    ending: str = ""
    comment: str = ""


class KernelObjects:
    """The object code of a plan's kernels while the plan is lowered. This base class, for backends that compile a
    plan's module as a whole, does nothing."""

    def expect(self, kernels: Sequence[CanonicalKernel]) -> None:
        """Prepare for a plan's kernels, in the order in which they will be asked for."""

    def known(self, kernel: CanonicalKernel) -> Compiled | None:
        """How a kernel is launched, if an equal kernel has been compiled before; then its object code need not be
        made."""
        return None

    def start(self, kernel: CanonicalKernel) -> None:
        """Compile a kernel, now or later. The kernel may have been started before."""

    def finished(self) -> list[bytes]:
        """The objects of all known and started kernels; empty if the module must be compiled."""
        return []

    def close(self) -> None:
        """Abandon unfinished work."""


class CallAdviser(Protocol):
    """Choices of library calls, measured on a device (passes/choose_library.py).

    Attributes:
        times: it also times them.
    """

    @property
    def times(self) -> bool: ...

    def offer(self, attrs: Mapping[str, Attr], types: tuple[TensorType, ...]) -> Offer:
        """The offer of a library for a call."""
        ...

    def seconds(self, lowered: Lowered) -> float:
        """How long a plan of a few kernels and calls takes."""
        ...


class Backend(ABC):
    """A kind of machine that nets are compiled for and run on.

    Attributes:
        env: settings of the process.
        cache: cache of compiled code; None if it is switched off.
    """

    name: ClassVar[str]
    """The name in compile(backend=)."""
    language: ClassVar[str]
    """What its code is written in, for people."""
    ending: ClassVar[str]
    """File name extension of a module of such code."""
    kind: ClassVar[str]
    """What code is generated for, for people: "CPU"."""
    forms: ClassVar[Mapping[str, CodeForm]]
    """Forms of a kernel's code by name, the printed one first."""
    precedence: ClassVar[int] = 0
    """For backend "auto": the usable backend of this package with the highest precedence is taken."""
    needs_device: ClassVar[bool] = False
    """Whether it needs a device to run; explain and dump work without one."""
    usual_reasons: ClassVar[tuple[str, ...]] = ()
    """Results of `missing` on machines of another kind, which backend "auto" does not log."""
    also_called: ClassVar[tuple[str, ...]] = ()
    """Beginnings of names that users may try instead."""
    takes: ClassVar[frozenset[str]] = frozenset()
    """Which of compile()'s options "tune" and "libraries", and which precisions, its code supports."""
    in_host_memory: ClassVar[bool] = True
    """Whether executors use the arrays of the states directly."""
    keeps_datasets: ClassVar[bool] = False
    """Whether `datasets` may return some."""
    exchanges: ClassVar[bool] = False
    """Whether it runs plans that exchange values with other ranks."""
    times_kernels: ClassVar[bool] = False
    """Whether kernels are compiled one by one in milliseconds, so that MOCHAC_DEBUG=2 can time each."""

    def __init__(self, env: Options) -> None:
        self.env = env
        self.cache: Cache | None = cache_in(env.cache_dir) if env.cache else None

    # -- choosing ----------------------------------------------------------------------------------------------------

    @classmethod
    def missing(cls) -> str:
        """A short reason why it cannot be used here, or "" if it probably can; must be fast."""
        return ""

    @classmethod
    def makes_code_for(cls, target: str) -> bool:
        """Whether a target named without a backend belongs to this one."""
        return False

    @classmethod
    @abstractmethod
    def open(cls, options: CompileOptions, env: Options, run: bool) -> Backend:
        """The backend with the given options.

        Args:
            run: whether plans will run; otherwise their code is only looked at.

        Raises:
            BackendError: it is not usable here, or does not know the target.
        """

    def refuse(self, options: CompileOptions) -> None:
        """Raise OptionError for an option that this backend does not support."""
        self.refuse_tuning(options)
        own = options.precision in self.takes
        unusual = call_settings(replace(options, precision="float32") if own else options)
        if isinstance(options.libraries, tuple) and options.libraries:
            unusual.insert(0, f"libraries={list(options.libraries)!r}")
        if unusual and "libraries" not in self.takes:
            self._refused(f"{' and '.join(unusual)} {OF_LIBRARIES}", "libraries")

    @classmethod
    def refuse_tuning(cls, options: CompileOptions) -> None:
        """Raise OptionError if a search for schedules is asked for, but this backend has none."""
        if options.tune is not None and "tune" not in cls.takes:
            cls._refused("tune= searches for schedules of CPU and CUDA code", "tune")

    @classmethod
    def _refused(cls, rule: str, option: str) -> NoReturn:
        takers = [f'backend="{name}"' for name, backend in BACKENDS.items() if option in backend.takes]
        raise OptionError(rule, expected=" or ".join(takers), got=f"backend {cls.name!r}")

    # -- compiling ---------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def generator(self) -> Generator:
        """Turns kernels into code."""

    @property
    @abstractmethod
    def versions(self) -> tuple[str, ...]:
        """What code depends on besides the graph and mochac's own files; part of the key of cached plans."""

    @property
    def cut_for(self) -> str:
        """How many threads kernels have items for; "" if that is the same everywhere. It is part of that key, too, but
        need not be equal on all ranks, since results do not depend on it."""
        return ""

    def library_versions(self, graph: Graph) -> tuple[str, ...]:
        """Versions of the libraries that a graph may call; part of that key, too."""
        return ()

    @property
    def adviser(self) -> CallAdviser | None:
        """The adviser that measures library calls on its device; None without a device."""
        return None

    @abstractmethod
    def compile(self, text: str) -> bytes:
        """Object code of a module, without a cache."""

    def objects(self, text: str) -> list[bytes]:
        """The objects of a module for `bind`, from the cache if compiling is slow."""
        return [self.compile(text)]

    def kernel_objects(self, made_with: Sequence[str] | None) -> KernelObjects:
        """The compiler of the kernels of one plan.

        Args:
            made_with: what generated code depends on besides the kernel, as part of the keys of cached kernels; None:
                kernels are not cached.
        """
        return KernelObjects()

    def verify(self, text: str) -> None:  # noqa: B027 - a default
        """Raise ValueError or RuntimeError if a module's text is invalid and that can be checked."""

    def spills(self, text: str) -> int:
        """Number of vector registers that a module's code spills to memory, if known."""
        return 0

    # -- running -----------------------------------------------------------------------------------------------------

    def threads(self, n_threads: int | None = None) -> int:
        """Number of threads that share a step; None: the best number."""
        return n_threads or self.env.threads or 1

    def convolutions(self, choice: str | None = None) -> str:
        """The algorithms of convolutions, "auto" or "direct"; None: as MOCHAC_CONVOLUTIONS says. A backend
        without fast algorithms accepts both and computes directly."""
        return choice or self.env.convolutions

    def small_batch(self, dtype: str) -> int:
        """Up to this many samples, predict() compiles plans for batches smaller than the net's."""
        return 1

    def datasets(self, dtype: str) -> Datasets | None:
        """Datasets kept on the device for one program; None: batches are always read from the host."""
        return None

    def result(self, shape: Sequence[int], dtype: np.dtype) -> Any:
        """Memory on the device for rows that are left there.

        Raises:
            OptionError: it has no device.
        """
        hint = "np.asarray and from_dlpack read the arrays that predict() returns without on_device"
        raise OptionError(
            "on_device=True leaves a prediction on a GPU",
            expected='backend="cuda"',
            got=f"backend {self.name!r}",
            hint=hint,
        )

    @abstractmethod
    def bind(
        self,
        plan: Plan,
        objects: Sequence[bytes],
        states: States,
        threads: int | None = None,
        exchange: Any = None,
    ) -> Executor:
        """A plan with its object code and states, ready to run. `exchange`: what exchange() has made, if the plan was
        compiled for several ranks."""

    def exchange(self, ranks: Ranks) -> RankExchange:
        """Exchanges of plans with other ranks.

        Raises:
            UnsupportedError: the backend has none.
        """
        having = " or ".join(f"backend={name!r}" for name, backend in BACKENDS.items() if backend.exchanges)
        raise UnsupportedError(f"backend {self.name!r} does not train on several ranks", expected=having)

    # -- measuring ---------------------------------------------------------------------------------------------------

    def peak(self, threads: int) -> Peak:
        """The measured multiply-add peak.

        Raises:
            BackendError: it is not measured.
        """
        raise BackendError(f"backend {self.name!r} has no measured peak to compare kernels with")

    def bandwidth(self, threads: int) -> Bandwidth:
        """The measured bandwidth of caches and memory; raises like `peak`."""
        raise BackendError(f"backend {self.name!r} has no measured bandwidth to compare kernels with")

    def machine(self, threads: int, fresh: tuple[float, Bandwidth] | None = None) -> Machine | None:
        """The model that predicts the times of kernels; None if there is none.

        Args:
            fresh: peak in 1e9 operations per second, and bandwidth, measured just now; None: as last measured.
        """
        return None

    # -- showing -----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """The backend in the first line of explain."""
        return f"backend {self.name} ({self.generator.target_name})"

    def signature(self, kernel: ScheduledKernel, launch: Launch) -> list[str]:
        """How a kernel's function is called, in lines, for forms with a `comment`."""
        return []

    def memory_rows(self, plan: Plan) -> list[list[str]]:
        """Rows (name, size) that it adds to explain's table of memory."""
        return []

    def forecast(self, sources: Sequence[DataSource], dtype: np.dtype) -> str:
        """Where datasets will probably be kept, in words, before the first run; "" if the backend keeps none."""
        return ""

    def sections(self, lowered: Lowered) -> list[tuple[str, str]]:
        """Sections (title, body) of explain that only this backend has."""
        return []


OF_LIBRARIES = "can only be used with cuBLAS and cuDNN"


def call_settings(options: CompileOptions) -> list[str]:
    """Settings of library calls that differ from the defaults, as the user wrote them."""
    usual = CompileOptions()
    names = ("precision", "deterministic")
    return [f"{n}={getattr(options, n)!r}" for n in names if getattr(options, n) != getattr(usual, n)]


BACKENDS: Registry[type[Backend]] = Registry("backend", "mochac.runtime", inner="backend")
B = TypeVar("B", bound=Backend)


def register(backend: type[B]) -> type[B]:
    """Decorator: register the class of a backend under its name."""
    BACKENDS.add(backend.name, backend, backend.__module__)
    return backend
