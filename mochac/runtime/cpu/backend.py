"""CpuBackend: LLVM IR, compiled by LLVM and run by a team of threads in native code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from mochac.base.options import CompileOptions, Options
from mochac.base.support.array_like import columns, unit
from mochac.base.support.log import LOG
from mochac.base.support.memory import ManagedArray
from mochac.base.support.times import Bandwidth, Peak, default_threads
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.target import LEAST_TEAM, CpuTarget, team_of
from mochac.codegen.machine import machine
from mochac.runtime.backend import Backend, CodeForm, States, register
from mochac.runtime.cpu import compiler, loader
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import byte_products, caches, has_tiles, host_cpu, named_cpu
from mochac.runtime.cpu.kernel_objects import CpuKernelObjects

if TYPE_CHECKING:
    from mochac.codegen.machine import Machine
    from mochac.ir.plan import Launch, Plan
    from mochac.runtime.cpu.exchange import CpuExchange
    from mochac.runtime.cpu.executor import CpuExecutor
    from mochac.runtime.lowered import Lowered, ScheduledKernel
    from mochac.runtime.ranks.ranks import Ranks


def target_of(cpu: CpuInfo, threads: int = LEAST_TEAM, tiles: bool = False) -> CpuTarget:
    """The properties of a CPU that codegen needs; the sizes of its own caches, if it is this machine's.

    Args:
        tiles: code may use its tile registers; asks the system for them, if it is this machine's CPU.
    """
    own = [cache for cache in caches() if cache.cpus == 1] if cpu == host_cpu() else []
    sizes, ways = tuple(cache.n_bytes for cache in own), tuple(cache.ways for cache in own if cache.ways)
    own_width = (cpu.name, cpu.vector_bytes, cpu.vector_registers, cpu.fma)
    words = (8 * cpu.address_bytes, cpu.lacks, byte_products(cpu), _has_bfloat16(cpu), cpu.integer_registers)
    return CpuTarget(*own_width, sizes, ways, cpu.arch, team_of(threads), *words, tiles and has_tiles(cpu))


def _has_bfloat16(cpu: CpuInfo) -> bool:
    """Whether a CPU has AVX512_BF16: by its features, or if it is known by name only, by its model."""
    if cpu.features or cpu.vector_bytes < 64:
        return "+avx512bf16" in cpu.features.split(",")
    return machine(cpu.name, cpu.vector_bytes).pair_products > 0


def _llvm(backend: CpuBackend, kernel: ScheduledKernel, launch: Launch) -> str:
    """LLVM IR of a kernel alone, as a module, whose comments say which loop of the nest begins where."""
    return _commented(backend.generator.module_text([kernel.code]), kernel, ";")


def _assembly(backend: CpuBackend, kernel: ScheduledKernel, launch: Launch) -> str:
    """Assembly of a kernel alone, with such comments."""
    text = compiler.assembly(backend.generator.module_text([kernel.code]), backend.cpu)
    return _commented(text, kernel, "#")


def _commented(text: str, kernel: ScheduledKernel, comment: str) -> str:
    from mochac.codegen.cpu.module import (
        KernelCode,
        with_loops,  # here: programs with cached plans need no kernels
    )

    assert isinstance(kernel.code, KernelCode)
    return with_loops(text, kernel.scheduled, kernel.code, comment)


SEPARATE = (
    "%s has no instructions for bfloat16: pairs are multiplied in float32, which gives the same bits, but takes longer "
    "than precision='float32'"
)


@register
class CpuBackend(Backend):
    """A CPU.

    Args:
        cpu: the CPU to generate code for, which need not be this machine's; None: MOCHAC_CPU, else this machine's.
        threads: how many threads kernels should have items for; None: MOCHAC_THREADS, else as many as the process may
            use, or 4 for another machine's CPU.
        precision: precision of the factors of float32 contractions, "float32" or "bfloat16".
        tiles: code may use tile registers where the CPU has them. A C library's may not, since nothing in it asks the
            system for them.
    """

    name = "cpu"
    kind = "CPU"
    language, ending = "LLVM IR", "ll"
    forms: ClassVar[Mapping[str, CodeForm]] = {
        "llvm": CodeForm("LLVM IR", _llvm, "ll", comment=";"),
        "assembly": CodeForm("assembly", _assembly, "s", comment="#"),
    }
    precedence = 1
    takes = frozenset({"tune", "bfloat16"})
    exchanges = True
    times_kernels = True

    def __init__(
        self,
        env: Options | None = None,
        cpu: CpuInfo | None = None,
        threads: int | None = None,
        precision: str = "float32",
        tiles: bool = True,
    ) -> None:
        super().__init__(env or Options.from_env())
        self.cpu = cpu or host_cpu(self.env.cpu or None)
        team = threads or self.env.threads or (LEAST_TEAM if cpu else default_threads())
        tiles = tiles and precision == "bfloat16" and (cpu is not None or has_tiles(host_cpu()))
        self._generator = CpuGenerator(target_of(self.cpu, team, tiles), precision)
        if self.env.perf:
            loader.enable_perf_map()

    @classmethod
    def makes_code_for(cls, target: str) -> bool:
        """True: LLVM gets every name that no other backend takes."""
        return True

    @classmethod
    def open(cls, options: CompileOptions, env: Options, run: bool) -> CpuBackend:
        cpu = None if options.target is None else named_cpu(options.target)
        opened = cls(env, cpu, options.threads, options.precision)
        if run:
            opened.warn_of_slow_pairs()
        return opened

    def warn_of_slow_pairs(self) -> None:
        """Log that precision="bfloat16" makes code for this CPU slower."""
        if self.generator.pairs and not self.generator.target.bfloat16:
            LOG.warning(SEPARATE, self.cpu.name)

    @property
    def generator(self) -> CpuGenerator:
        return self._generator

    @property
    def versions(self) -> tuple[str, ...]:
        target = self.generator.target
        sizes, precision = map(str, (*target.cache_bytes, *target.cache_ways)), self.generator.precision
        more = (*[precision] * (precision != "float32"), *["tiles"] * target.tiles)
        return (self.cpu.key, *sizes, compiler.llvm_version(), *more)

    @property
    def cut_for(self) -> str:
        return f"{self.generator.target.team} threads"

    def compile(self, text: str) -> bytes:
        return compiler.compile_ir(text, self.cpu)

    def objects(self, text: str) -> list[bytes]:
        return [compiler.compile_cached(text, self.cpu, self.cache)]

    def kernel_objects(self, made_with: Sequence[str] | None) -> CpuKernelObjects:
        return CpuKernelObjects(self.cpu, self.cache, made_with, self.threads())

    def verify(self, text: str) -> None:
        compiler.parsed(text, self.cpu).verify()

    def spills(self, text: str) -> int:
        spilled = rf"\b{self.cpu.vector_bytes}-byte (Folded )?Spill"
        return len(re.findall(spilled, compiler.assembly(text, self.cpu)))

    def threads(self, n_threads: int | None = None) -> int:
        return n_threads or self.env.threads or default_threads()

    def small_batch(self, dtype: str) -> int:
        """One vector of samples."""
        return self.generator.lanes(dtype)

    def bind(
        self,
        plan: Plan,
        objects: Sequence[bytes],
        states: States,
        threads: int | None = None,
        exchange: Any = None,
    ) -> CpuExecutor:
        from mochac.runtime.cpu.executor import CpuExecutor

        arrays = {key: a.storage if isinstance(a, ManagedArray) else a for key, a in states.items()}
        return CpuExecutor(plan, objects, arrays, self.threads(threads), cache=self.cache, exchange=exchange)

    def exchange(self, ranks: Ranks) -> CpuExchange:
        from mochac.runtime.cpu.exchange import CpuExchange

        return CpuExchange(ranks, self.cache)

    def peak(self, threads: int) -> Peak:
        from mochac.runtime.cpu.rates import peak

        best = peak(threads, self.cpu, self.cache)
        return Peak(best, f"{threads} thread{'s' * (threads > 1)} reach{'es' * (threads == 1)} in multiply-adds")

    def bandwidth(self, threads: int) -> Bandwidth:
        from mochac.runtime.cpu.rates import bandwidth

        return bandwidth(threads, self.cpu, self.cache)

    def machine(self, threads: int, fresh: tuple[float, Bandwidth] | None = None) -> Machine:
        """The model of this machine with measured rates, or of a named CPU with rates of the table."""
        from mochac.runtime.cpu.rates import keep, measured, with_rates

        model = self.generator.target.machine
        if self.cpu not in (host_cpu(), host_cpu(self.env.cpu or None)):
            return model
        if fresh is None:
            return measured(model, threads, self.cpu, self.cache)
        keep(*fresh, self.cpu, self.cache)
        return with_rates(model, *fresh)

    def __str__(self) -> str:
        return f"backend cpu ({self.cpu.name}): vectors of {self.cpu.vector_bytes} bytes"

    def signature(self, kernel: ScheduledKernel, launch: Launch) -> list[str]:
        """The function, whose name is a hash, and its arguments."""
        buffers = (*kernel.scheduled.inputs, *kernel.scheduled.outputs)
        return [
            f"function {kernel.code.symbol}(args, lo, hi, scratch): items lo..hi of {launch.items}",
            *(f"  args[{k}] = %{b.name}: {b.type}" for k, b in enumerate(buffers)),
        ]

    def sections(self, lowered: Lowered) -> list[tuple[str, str]]:
        """With precision="bfloat16": how pairs are multiplied, and which contractions have factors of float32."""
        if not self.generator.pairs:
            return []
        from mochac.ir.passes.pair_factors import left_out

        target = self.generator.target
        how = "by vdpbf16ps" if target.bfloat16 else "in float32, several instructions for a pair"
        how = f"{how}, or in tile registers by tdpbf16ps" if target.tiles else how
        head = f"  factors of contractions are rounded to bfloat16, pairs of them are multiplied {how}; in float32:"
        rows = [["  " + node.outputs[0].name, node.op, why] for node, why in left_out(lowered.graph)]
        return [
            (
                "Precision bfloat16",
                f"{head}\n{columns([], rows)}" if rows else head.replace("in float32:", "all of them"),
            )
        ]

    def memory_rows(self, plan: Plan) -> list[list[str]]:
        """The threads' scratch memory."""
        scratch = max((launch.scratch_bytes for launch in plan.launches), default=0)
        return [["scratch", f"{unit(scratch, 'B')} a thread"]]
