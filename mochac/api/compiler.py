"""compile(), explain() and dump(): turn a net and options into a Program, a report or files.

compile_net, explain_net and dump_net take the options as one record, for the command line. Plans are compiled when they
are first needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from mochac.api.program import Program
from mochac.base.hints.calls import COMPILE, checked_call, checked_with
from mochac.base.options import CompileOptions, Options
from mochac.base.rules import or_none
from mochac.lowering.backends import backend_name, needs_device, open_backend
from mochac.lowering.main_plan import lowered_many, lowered_net
from mochac.lowering.tuning.tuned import edited_schedules
from mochac.nets.net import Net, require_net
from mochac.runtime.data.params import PARAMS, Params
from mochac.training.session.session import Session

if TYPE_CHECKING:
    from mochac.runtime.backend import Backend
    from mochac.runtime.lowered import Lowered


@checked_with(COMPILE)
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
    schedules: str | PathLike[str] | None = None,
    keep: str | Sequence[str] = (),
    libraries: bool | Sequence[str] = True,
    precision: str = "float32",
    deterministic: bool = True,
    parts: int | None = None,
    convolutions: str | None = None,
) -> Program:
    """Compile a net for this machine.

    Args:
        backend: "cpu", "cuda" or "auto" (MOCHAC_BACKEND, else CUDA if it is usable, else the CPU).
        mode: what forward() and backward() do, "train" or "test"; None: train if the net has a loss layer.
        params: a store to share; parameters in it are used, absent ones are initialized and added.
        seed: of initial parameters, shuffling and dropout, 0 <= seed < 2**64.
        threads: number of threads that share a step, >= 1; None: as many as the process may use. Results do not depend
            on it, bit for bit.
        dtype: "float32" or "float64".
        device: CUDA device number; None: MOCHAC_CUDA_DEVICE, else 0, and of several ranks on a machine, each its own.
        tune: None: schedules by rule, even if a search has found others. "quick" or "full": search for faster ones, for
            seconds or minutes per plan; the results are cached. Tuned code may differ in the last bits. CPU only.
        schedules: a folder that dump() wrote. Its schedules, which you may have edited, replace the rules' in kernels
            that have the loop nests of the dump; delete a file to leave a kernel to the rules. A schedule cannot change
            what a kernel computes, except for the order of sums and with it the last bits. forward() and backward()
            keep the rules' schedules.
        keep: names of blobs that can be read after train(), or one name.
        libraries: CUDA: compute large products and convolutions by cuDNN and cuBLAS if they are installed; or the names
            of those to use ("cudnn", "cublas"; an error on the CPU); False: generated kernels only.
        precision: in which float32 values are multiplied: "float32", "tf32" or "bfloat16". CPU: "bfloat16" rounds the
            factors of products and convolutions to 7 bits after the point, for errors below 2**-8 of the sum of the
            products' absolute values, and is for CPUs with AVX512_BF16. CUDA: the last two allow libraries to round
            factors to 10 or 7 bits, for errors below 2**-9 or 2**-6; generated kernels stay float32. Sums, parameters
            and updates stay float32.
        deterministic: CUDA: False lets cuDNN and cuBLAS add in an order that may change from run to run, if they
            consider it faster.
        parts: into how many equal parts the training step cuts a batch, to compute them separately: 1, 2, 4, 8, ...;
            sums over the batch are sums of the parts' sums, in an order that does not depend on the number of processes
            that share the parts. None: 1 in a single process.
        convolutions: "auto": convolutions of float32 may use fast algorithms (Winograd, Toom-Cook), which multiply less
            and round otherwise; "direct": they may not. None: what MOCHAC_CONVOLUTIONS says, else "auto". float64 and
            CUDA are direct.

    Raises:
        OptionError: an option out of range. BackendError: the backend is not available. NetError, ShapeError: shared
            parameters do not fit.
    """
    require_net("compile()", net)
    options = CompileOptions(
        backend=backend, mode=mode, seed=seed, threads=threads, dtype=dtype, device=device, tune=tune,
        schedules=schedules, keep=keep, libraries=libraries, precision=precision, deterministic=deterministic,
        parts=parts, convolutions=convolutions,
    )  # fmt: skip
    or_none(PARAMS).check("params", params)
    return compile_net(net, options, params)


@checked_call
def explain(
    net: Net,
    backend: str = "auto",
    target: str | None = None,
    *,
    dtype: str = "float32",
    libraries: bool | Sequence[str] = True,
    precision: str = "float32",
    deterministic: bool = True,
    parts: int | None = None,
    convolutions: str | None = None,
    ranks: int = 1,
    many: bool = False,
) -> str:
    """What compile(net) would produce, as text, without running it; "cuda" needs no device.

    Args:
        target: an LLVM CPU name, or a name such as "sm_90" for "cuda", to generate code for; None: this machine.
        ranks: explain the step of one of this many processes that train together, with what they exchange.
        many: the step of train_many(), for as many nets as a vector has lanes, in place of the net's own.
        backend, dtype, libraries, precision, deterministic, parts, convolutions: see compile().
    """
    require_net("explain()", net, _hint(net))
    options = CompileOptions(
        backend=backend, target=target, dtype=dtype, libraries=libraries, precision=precision,
        deterministic=deterministic, parts=parts, convolutions=convolutions,
    )  # fmt: skip
    return explain_net(net, options, ranks, many)


@checked_call
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
    parts: int | None = None,
    convolutions: str | None = None,
    many: bool = False,
) -> None:
    """Write every stage of compile(net) to files, without running it; "cuda" needs no device.

    Args:
        directory: created if absent; files of an earlier dump are replaced.
        target: an LLVM CPU name, or a name such as "sm_90" for "cuda", to generate code for; None: this machine.
        many: the step of train_many(), for as many nets as a vector has lanes, in place of the net's own.
        backend, dtype, libraries, precision, deterministic, parts, convolutions: see compile().
    """
    require_net("dump()", net, _hint(net))
    options = CompileOptions(
        backend=backend, target=target, dtype=dtype, libraries=libraries, precision=precision,
        deterministic=deterministic, parts=parts, convolutions=convolutions,
    )  # fmt: skip
    dump_net(net, Path(directory), options, many)


def compile_net(net: Net, options: CompileOptions, params: Params | None = None) -> Program:
    """compile(), with the options as a record."""
    backend = open_backend(options, Options.from_env(), run=True)
    return Program(Session(net, backend, Params() if params is None else params, options))


def explain_net(net: Net, options: CompileOptions, ranks: int = 1, many: bool = False) -> str:
    """explain() with the options as a record: of a program, or of code alone for many nets, for several ranks, or for a
    device that need not be here."""
    env = Options.from_env()
    runs = options.target is None and (options.device or not needs_device(backend_name(options, env)))
    if runs and ranks == 1 and not many:
        with compile_net(net, options) as program:
            return program.explain()
    from mochac.inspect.explain import explain

    backend = open_backend(options, env, run=False)
    return explain(None if many else net, _lowered(net, backend, options, ranks, many), backend)


def dump_net(net: Net, directory: Path, options: CompileOptions, many: bool = False) -> None:
    """dump() with the options as a record; a program, which can run, is only needed to search for schedules."""
    if options.tune is not None and options.target is None:
        with compile_net(net, options) as program:
            program.dump(directory)
        return
    from mochac.inspect.dump import dump

    backend = open_backend(options, Options.from_env(), run=False)
    dump(_lowered(net, backend, options, many=many), backend, directory, None if many else net)


def _lowered(net: Net, backend: Backend, options: CompileOptions, ranks: int = 1, many: bool = False) -> Lowered:
    """Lower the main plan (or the step of many nets) without running it; keep every stage."""
    if many:
        return lowered_many(net, backend, options.dtype, options.convolutions)
    edited = edited_schedules(options.schedules, backend)
    lowered = lowered_net(net, backend, options.dtype, options.parts, ranks, edited, options.convolutions)
    if edited is not None:
        edited.require_used()
    return lowered


def _hint(net: object) -> str:
    return "program.explain() and program.dump(directory) show a program" if isinstance(net, Program) else ""
