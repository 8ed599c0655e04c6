"""Request: what a library should contain and which CPUs it is built for, checked; and the C compilers for them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from mochac.base.errors import BackendError, OptionError, UnsupportedError, shown
from mochac.base.options import CompileOptions, Options
from mochac.base.records import record
from mochac.base.rules import choice, float_type, integer, multiple, names_of, or_none
from mochac.formats.quantization.quantized import Calibrated
from mochac.nets.net import Net
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.solver import Solver, as_solver
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.compiler import arch as host_arch
from mochac.runtime.cpu.cpuinfo import host_cpu, named_cpu
from mochac.training.session.net_parameters import keys_of


@record
class Toolchain:
    """Tools that compile the C code of a library.

    Attributes:
        condition: a condition of the C preprocessor that is true for the architecture.
        compiler, archiver: commands.
        flags: compiler flags for the CPU.
        package: Debian package of the compiler.
    """

    condition: str
    compiler: str
    archiver: str
    flags: str = ""
    package: str = ""

    @property
    def missing(self) -> str:
        """The first command that this machine lacks; "": none."""
        return next((tool for tool in (self.compiler, self.archiver) if shutil.which(tool) is None), "")


CONDITIONS = {
    "x86_64": "defined(__x86_64__)",
    "aarch64": "defined(__aarch64__)",
    "armv7a": "defined(__arm__)",
    "thumbv7em": "defined(__thumb2__)",
    "thumbv8m.main": "defined(__thumb2__)",
    "thumbv8.1m.main": "defined(__thumb2__)",
    "riscv64": "defined(__riscv) && __riscv_xlen == 64",
    "riscv32": "defined(__riscv) && __riscv_xlen == 32",
    "wasm32": "defined(__wasm32__)",
}
"""Conditions of the C preprocessor, by LLVM's name of the architecture."""
_GNU = {"armv7a": "arm-linux-gnueabihf", "riscv64": "riscv64-linux-gnu"}
_THUMB = "-mthumb -mfloat-abi=hard -mcpu={}"
_FPU = {"cortex-m4": " -mfpu=fpv4-sp-d16", "cortex-m7": " -mfpu=fpv5-d16", "cortex-m33": " -mfpu=fpv5-sp-d16"}
CLANGS = ("clang", *(f"clang-{n}" for n in range(25, 13, -1)))
LINKERS = ("wasm-ld", *(f"wasm-ld-{n}" for n in range(25, 13, -1)))


def first_of(commands: tuple[str, ...]) -> str:
    """The first of these commands that this machine has, else the first."""
    return next((command for command in commands if shutil.which(command)), commands[0])


def toolchain(cpu: CpuInfo) -> Toolchain:
    """The toolchain for a CPU."""
    condition = CONDITIONS[cpu.arch]
    if cpu.arch == host_arch():
        return Toolchain(condition, os.environ.get("CC", "cc"), os.environ.get("AR", "ar"))
    if cpu.arch == "wasm32":
        simd = " -msimd128" if "simd128" in cpu.features else ""
        flags = f"--target=wasm32 -mbulk-memory{simd}"
        return Toolchain(condition, first_of(CLANGS), first_of(LINKERS), flags, "clang lld")
    if cpu.arch == "riscv32":
        flags = f"-march={cpu.name} -mabi={cpu.abi}"
        return Toolchain(condition, *_gcc("riscv64-unknown-elf"), flags, "gcc-riscv64-unknown-elf")
    if not cpu.hosted:
        flags = _THUMB.format(cpu.name) + _FPU.get(cpu.name, "")
        return Toolchain(condition, *_gcc("arm-none-eabi"), flags, "gcc-arm-none-eabi")
    prefix = _GNU.get(cpu.arch, f"{cpu.arch}-linux-gnu")
    flags = f"-mcpu={cpu.name} -mfpu=neon-vfpv4 -mfloat-abi=hard" if cpu.arch == "armv7a" else ""
    return Toolchain(condition, *_gcc(prefix), flags, f"gcc-{prefix.replace('_', '-')}")


def _gcc(prefix: str) -> tuple[str, str]:
    return f"{prefix}-gcc", f"{prefix}-ar"


WEIGHTS = ("flash", "ram")
PRECISIONS = ("float32", "bfloat16")
"""Precisions of CPUs."""
NATIVE = "native"
"""The name of this machine's CPU among targets."""


@record
class Cpu:
    """A CPU for which a library has code.

    Attributes:
        name: name of its code in C.
        level: x86-64 level of the instructions that it needs, 1 to 4, or 5 with AVX512_BF16; 0 on other architectures,
            which are not checked.
    """

    name: str
    info: CpuInfo
    level: int


@record
class Request:
    """The contents of a library.

    Attributes:
        name: name of the library, an identifier.
        outputs: blobs that predict() computes.
        batches: batch sizes of predict(), in increasing order.
        solver: None: the library only predicts.
        cpus: sorted, the CPU that needs the most instructions first.
        seed: seed of dropout masks and of initial values.
        convolutions: algorithms of convolutions, "auto" or "direct"; see compile().
        precision: precision of the factors of contractions, "float32" or "bfloat16".
        threads: whether several threads may share an instance.
        weights: location of parameters: "ram", in an instance, or "flash", in the library's read-only data.
        frozen: keys of the layers that training does not change.
        page: whether to write a web page, too.
        calibrated: the net in integers; None: it is computed in floats.
        inputs: dtypes of integer inputs, by top.
    """

    net: Net
    name: str
    outputs: tuple[str, ...]
    batches: tuple[int, ...]
    solver: Solver | None
    cpus: tuple[Cpu, ...]
    seed: int
    dtype: str
    convolutions: str
    precision: str = "float32"
    threads: bool = True
    weights: str = "ram"
    frozen: frozenset[str] = frozenset()
    page: bool = False
    calibrated: Calibrated | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)

    @property
    def hosted(self) -> bool:
        """Whether there is an operating system."""
        return self.cpus[0].info.hosted


def checked_outputs(net: Net, outputs: Sequence[str]) -> tuple[str, ...]:
    """The blobs with these names; by default the bottoms of the net's collectors, or else its prediction."""
    chosen = [net.checked_blob(blob) for blob in names_of("blobs").check("outputs", outputs, "build")]
    collected = [bottom for layer in net.collectors for bottom in layer.bottoms]
    hint = "name the blobs: build(..., outputs=[...]), or --blob"
    blobs = tuple(dict.fromkeys(chosen or collected)) or (net.prediction_blob(hint),)
    for blob in blobs:
        if not net.blobs[blob].batch:
            raise OptionError(f"build: output {blob!r} does not hold one row per sample")
        if any(blob in source.tops for source in net.sources):
            hint = "let an output layer take what layers compute"
            raise OptionError(f"build: output {blob!r} is an input", hint=hint)
    return blobs


def checked_solver(net: Net, solver: Any) -> Solver | None:
    """The solver of the library's training; None: it does not train.

    Raises:
        OptionError: neither a solver nor a method; the net has no loss.
    """
    if solver is None:
        return None
    if not isinstance(solver, (Solver, Method, Mapping)):
        expected = "SGD(0.1), Solver(SGD(0.1), ...) or None"
        raise OptionError("build: solver is neither a solver nor a method", expected=expected, got=shown(solver))
    net.require_loss("build(solver=...)", ", or build it without a solver: then it only predicts")
    checked = as_solver(solver)
    if checked.begun is not None:
        rule = "build: a library begins at iteration 0, and the optimizer of the solver has made steps"
        raise UnsupportedError(rule, hint="give solver_from_torch a new optimizer")
    return checked


def checked_batches(net: Net, batches: Sequence[int], cpus: Sequence[Cpu] = ()) -> tuple[int, ...]:
    """Batch sizes of predictions: by default 1, and the net's batch size if there is an operating system."""
    wanted: tuple[int, ...] = multiple(integer(1)).check("batches", batches, "build")
    default = (1, net.batch) if all(cpu.info.hosted for cpu in cpus) else (1,)
    return tuple(sorted({*(wanted or default)}))


def checked_cpus(targets: Sequence[str], precision: str = "float32") -> tuple[Cpu, ...]:
    """The CPUs with these names, by default this machine's; the CPU that needs the most instructions comes first.

    Args:
        precision: the library's precision; "bfloat16" may need instructions that other CPUs of the same level lack.

    Raises:
        BackendError: no such CPU. OptionError: CPUs of different architectures, or several that the library cannot
            distinguish.
    """
    names = names_of("CPUs in LLVM, such as 'haswell'").check("targets", targets, "build")
    cpus = [_cpu(name, precision) for name in dict.fromkeys(names or [NATIVE])]
    archs = {cpu.info.arch for cpu in cpus}
    if len(archs) > 1:
        hint = "a library for each architecture"
        raise OptionError("build: targets are of different architectures", got=" ".join(sorted(archs)), hint=hint)
    if len(cpus) > 1 and archs != {"x86_64"}:
        rule = "build: a library for several targets asks at run time which one it runs on"
        expected, got = "levels of x86-64, or one target", " ".join(cpu.name for cpu in cpus)
        raise OptionError(rule, expected=expected, got=got, hint="a library for each")
    return tuple(sorted(cpus, key=lambda cpu: -cpu.level))


def _cpu(name: str, precision: str) -> Cpu:
    override = Options.from_env().cpu or None
    info = host_cpu(override) if name == NATIVE else named_cpu(name)
    if info.arch not in CONDITIONS:
        raise BackendError(f"build: no frame for CPU {name!r}", expected=" or ".join(CONDITIONS), got=info.arch)
    return Cpu(name, info, _level(info, precision) if info.arch == "x86_64" else 0)


def _level(info: CpuInfo, precision: str) -> int:
    if precision == "bfloat16" and target_of(info).bfloat16:
        return 5
    if info.vector_bytes > 16:
        return 4 if info.vector_bytes == 64 else 3
    return 1 if info.name == "x86-64" else 2


def checked_dtype(dtype: str, cpus: Sequence[Cpu] = ()) -> str:
    """float32 or float64."""
    dtype = float_type().check("dtype", dtype, "build")
    for cpu in cpus:
        if dtype == "float64" and not cpu.info.doubles:
            raise OptionError(f"build: {cpu.name} computes no doubles", expected="float32", got=dtype)
    return dtype


def checked_precision(precision: str, dtype: str) -> str:
    """float32 or bfloat16, which needs float32 sums.

    Raises:
        OptionError: another one, or float64.
    """
    precision = choice(*PRECISIONS).check("precision", precision, "build")
    return CompileOptions(precision=precision, dtype=dtype).precision


def checked_convolutions(convolutions: str | None, cpus: Sequence[Cpu] = ()) -> str:
    """auto or direct; None: the value of MOCHAC_CONVOLUTIONS, but direct without an operating system, where memory for
    fast algorithms is scarce."""
    if convolutions is None and not all(cpu.info.hosted for cpu in cpus):
        return "direct"
    return CompileOptions(convolutions=convolutions).convolutions or Options.from_env().convolutions


def checked_threads(threads: bool | None, cpus: Sequence[Cpu]) -> bool:
    """Whether threads may share an instance; None: where there is an operating system."""
    hosted = all(cpu.info.hosted for cpu in cpus)
    if threads and not hosted:
        raise OptionError(
            f"build: there are no threads on {cpus[0].name}", expected="threads=False or None", got="True"
        )
    return hosted if threads is None else bool(threads)


def checked_frozen(net: Net, layers: Sequence[str], solver: Solver | None) -> frozenset[str]:
    """Keys of the layers with these names.

    Raises:
        OptionError: a layer without parameters; nothing is trained, or nothing is left to train.
    """
    frozen = keys_of(net, names_of("layers").check("freeze", layers, "build"))
    if frozen and solver is None:
        raise OptionError("build: freeze= is for libraries that train", hint="give it a solver, or --train")
    if frozen and frozen >= {p.key for p in net.params}:
        raise OptionError("build: all layers with parameters are frozen", hint="build it without a solver")
    return frozen


def checked_weights(
    weights: str | None, solver: Solver | None, cpus: Sequence[Cpu], frozen: frozenset[str] = frozenset()
) -> str:
    """flash or ram; None: flash if there is no operating system and the library only predicts or has frozen layers."""
    weights = or_none(choice(*WEIGHTS)).check("weights", weights, "build")
    if weights == "flash" and solver is not None and not frozen:
        hint = "freeze= some layers, whose weights then stay there; build it without a solver, or with weights='ram'"
        raise OptionError("build: a library that trains changes its weights", expected="ram", got=weights, hint=hint)
    hosted = all(cpu.info.hosted for cpu in cpus)
    return weights or ("ram" if hosted or (solver is not None and not frozen) else "flash")
