"""build(): writes a C library that predicts and trains with a net, and compiles it if there is a C compiler."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mochac.base import rules
from mochac.base.errors import MochacError, OptionError, shown
from mochac.base.escaping import template
from mochac.base.files.atomic import check_output, check_writable, write_bytes
from mochac.base.hints.calls import checked_call
from mochac.base.rules import FOLDER, or_none
from mochac.base.support.log import LOG, ensure_handler
from mochac.formats.clib.documents import FILES as PAGE_FILES
from mochac.formats.clib.documents import check_page
from mochac.formats.clib.library_text import LibraryText, library_text
from mochac.formats.clib.plans import checked_inputs, own_range
from mochac.formats.clib.request import (
    Request,
    Toolchain,
    checked_batches,
    checked_convolutions,
    checked_cpus,
    checked_dtype,
    checked_frozen,
    checked_outputs,
    checked_precision,
    checked_solver,
    checked_threads,
    checked_weights,
    toolchain,
)
from mochac.formats.clib.tables import MAX_CHARACTERS, identifier
from mochac.formats.quantization.quantized import calibrated, qdq_model
from mochac.formats.quantization.samples import WHOLE
from mochac.inspect.dump import dump
from mochac.nets.declared import FeedInfo
from mochac.nets.net import Net, require_net
from mochac.nets.solvers.solver import Solver
from mochac.nets.solvers.update import Methods
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.data.params import PARAMS, Params
from mochac.training.session.net_parameters import kept_arrays, make_parameters

FILES = {
    "{name}.h": "library.h.j2",
    "{name}.c": "library.c.j2",
    "example.c": "example.c.j2",
    "Makefile": "Makefile.j2",
    "CMakeLists.txt": "CMakeLists.txt.j2",
    "README.md": "README.md.j2",
}
"""Files of every library, and their templates."""
THREAD_FILES = {"{name}_threads.h": "threads.h.j2", "{name}_threads.c": "threads.c.j2"}
"""Files of libraries whose instances threads share."""
HOSTED_FILES = {"example.py": "example.py.j2"}
"""Files of libraries for an operating system."""
OBJECTS, EXPLAINED, DUMP = "objects", "explain.txt", "dump"


def write_library(source: LibraryText, directory: Path, dumps: bool = False) -> Path:
    """Write all files, and with `dumps` every stage of every plan; returns the directory.

    Raises:
        OptionError: the directory cannot be written. MochacError: the C compiler refuses the frame.
    """
    ensure_handler()
    name = source.context["name"]
    try:
        objects = directory / OBJECTS
        objects.mkdir(parents=True, exist_ok=True)
        for old in objects.glob("*.o"):
            old.unlink()
        for file, image in source.objects.items():
            (objects / file).write_bytes(image)
        for file, frame in _files(source.context).items():
            (directory / file.format(name=name)).write_text(template(frame).render(source.context))
        (directory / EXPLAINED).write_text(source.explained)
    except OSError as error:
        rule = f"build: {directory} cannot be written"
        raise OptionError(rule, got=str(error.strerror or error)) from None
    for plan in source.plans if dumps else ():
        folder = directory / DUMP / str(plan.backend.cpu.name)
        folder.mkdir(parents=True, exist_ok=True)
        dump(plan.compiled.lowered(), plan.backend, folder / plan.of.name)
    _make(directory, name, source.context["toolchain"])
    return directory


def _files(context: Mapping[str, Any]) -> dict[str, str]:
    """The template of each file; paths include folders."""
    groups = {"threads": THREAD_FILES, "hosted": HOSTED_FILES}
    own = {**FILES, **{file: frame for name, group in groups.items() if context[name] for file, frame in group.items()}}
    pages = PAGE_FILES if context["page"] else {}
    return {file: f"c/{frame}" for file, frame in own.items()} | {f: f"page/{frame}" for f, frame in pages.items()}


def _make(directory: Path, name: str, tools: Toolchain) -> None:
    """Build the libraries, if this machine has the tools."""
    missing = "make" if shutil.which("make") is None else tools.missing
    if missing:
        package = f" (on Debian: apt install {tools.package})" if tools.package and missing != "make" else ""
        LOG.info("%s: there is no %s here%s: run make in %s where there is", name, missing, package, directory)
        return
    command = ["make", "-C", str(directory), f"CC={tools.compiler}", f"AR={tools.archiver}", "libraries"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        rule = f"build: make failed in {directory}"
        raise MochacError(rule, details=done.stderr.strip().splitlines()[-12:])


@checked_call
def build(
    net: Net,
    directory: str | Path,
    solver: Solver | Methods | None = None,
    targets: str | Sequence[str] = (),
    batches: Sequence[int] = (),
    *,
    outputs: str | Sequence[str] = (),
    params: Params | None = None,
    seed: int = 0,
    dtype: str = "float32",
    name: str | None = None,
    dump: bool = False,
    convolutions: str | None = None,
    precision: str = "float32",
    threads: bool | None = None,
    weights: str | None = None,
    freeze: str | Sequence[str] = (),
    page: bool = False,
    quantize: Any = None,
    percentile: float = WHOLE,
    onnx: str | Path | None = None,
    inputs: Mapping[str, str] | None = None,
) -> Path:
    """Write a C library that predicts with a net, and trains it if there is a solver: machine code, a header, a frame
    in C99, files to build it by make or CMake, and examples. docs/guide/c-library.md describes it.

    Args:
        directory: created if absent; files of an earlier library are replaced.
        solver: how the library trains: a Solver, or a method such as SGD(0.1). Its limits and coffee breaks are not
            part of the library. None: it only predicts.
        targets: CPUs that it has code for, by LLVM's names: "haswell" (AVX2), "skylake-avx512", "x86-64" (any), or
            "neoverse-n1" and others of AArch64; "native" is this machine's, the default. The library chooses at run
            time. Or one of "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55", "cortex-a7", "rv64gc", "rv32imfc",
            "wasm32", "wasm32-simd".
        batches: numbers of samples that are predicted at a time. Default: 1, and the net's batch size where
            there is an operating system.
        outputs: names of the blobs that it predicts, or one name. Default: the bottoms of output layers, else the net's
            prediction.
        params: the parameters in the library, such as program.params; missing ones get initial values.
        seed: of initial values and dropout masks, as of compile().
        dtype: "float32" or "float64".
        name: prefix of names in C. Default: the net's name.
        dump: also write every stage of the compiler, from graphs to assembly, to the folder dump/CPU/PLAN of each plan.
        convolutions: see compile(); code of "direct" is smaller, and the default without an operating system.
        precision: "float32", or "bfloat16" as in compile(), for targets that multiply pairs of such factors.
        threads: whether threads may share an instance, which takes atomic operations. Default: if there is an operating
            system.
        weights: "ram": an instance holds the parameters, which may be saved and loaded. "flash": those that never
            change stay where the library is, in read-only memory: all of them if there is no solver, else those of
            frozen layers. Default: "flash" without an operating system if there are such, else "ram".
        freeze: names of layers that training does not change, as program.freeze() takes them.
        page: also write a web page (index.html, and a module of JavaScript) on which visitors draw what the net takes,
            see the prediction, and train the net if there is a solver. The target is "wasm32" or "wasm32-simd".
        quantize: samples by which predictions are computed in integers of 8 bits, with weights a quarter as large: an
            array, a dict of arrays by top, the path of a .npy, .npz or HDF5 file, or "data layers", the net's own. With
            labels, the log says how much accuracy is lost. docs/guide/c-library.md, Integers.
        onnx: a file that also gets the quantized net, as an ONNX model with QuantizeLinear and DequantizeLinear.
        inputs: dtypes of inputs, "int8", "uint8" or "int16", by top: functions take these integers instead of floats.
            Transformers of data layers are computed on them as on floats.
        percentile: the share of the numbers of each value, in %, that its integers cover; more than 50. With 100, all.

    Returns:
        The directory.

    Raises:
        OptionError: an argument out of range. BackendError: LLVM knows no such CPU. UnsupportedError: a policy, a
        transformer or an output that only Python can compute. SnapshotError: the directory cannot be written. NetError,
        ShapeError: parameters do not fit.
    """
    hint = "mochac.build(net, directory, params=program.params)" if hasattr(net, "params") else ""
    require_net("build()", net, hint)
    folder = Path(FOLDER.check("directory", directory, "build"))
    or_none(PARAMS).check("params", params)
    cpus, checked = checked_cpus(targets, precision), checked_solver(net, solver)
    request = Request(
        net=net,
        name=_checked_name(net.name if name is None else name, chosen=name is not None),
        outputs=checked_outputs(net, outputs),
        batches=checked_batches(net, batches, cpus),
        solver=checked,
        cpus=cpus,
        seed=seed,
        dtype=checked_dtype(dtype, cpus),
        convolutions=checked_convolutions(convolutions, cpus),
        precision=checked_precision(precision, dtype),
        threads=checked_threads(threads, cpus),
        weights=checked_weights(weights, checked, cpus, frozen := checked_frozen(net, freeze, checked)),
        frozen=frozen,
        page=page,
        inputs=checked_inputs(net, inputs),
    )
    if page:
        _check_page(request, inputs)
    check_writable(folder)
    store = Params() if params is None else params
    make_parameters(net, store, dtype, seed)
    values = {value: parameter.values for value, parameter in kept_arrays(net, store).items()}
    if quantize is not None:
        request = _quantized(request, store, values, quantize, percentile, weights)
    if onnx is not None:
        _write_model(request, onnx)
    return write_library(library_text(request, values), folder, dump)


def _check_page(request: Request, inputs: Mapping[str, str] | None) -> None:
    if request.inputs:
        raise OptionError("build: a page draws floats", expected="no inputs=", got=shown(inputs))
    tools = toolchain(request.cpus[0].info)
    check_page(request, tools.missing, tools.package)


def _quantized(
    request: Request, params: Params, values: dict[str, Any], samples: Any, percentile: float, weights: str | None
) -> Request:
    """The request with the net in integers; logs what that loses."""
    if request.solver is not None:
        hint = "build a second library without quantize= that trains"
        raise OptionError("build: a quantized library only predicts", expected="no solver", got="a solver", hint=hint)
    if request.dtype != "float32":
        raise OptionError("build: quantize= takes nets in float32", expected="float32", got=request.dtype)
    if request.precision != "float32":
        rule = "build: a quantized library multiplies integers"
        raise OptionError(rule, expected="no precision=", got=f"precision={request.precision!r}")
    if weights == "ram":
        raise OptionError("build: weights in integers do not change", expected="flash", got=weights)
    products = [target_of(cpu.info).dots[0] for cpu in request.cpus]
    quantized = calibrated(
        request.net, request.outputs, params, values, samples,
        products=products[0] if all(products) else "",
        percentile=percentile, seed=request.seed, own_range=lambda feed: _own_range(request, feed),
    )  # fmt: skip
    ensure_handler()
    for loss in quantized.loss:
        LOG.info(
            "%s, in integers, on %d samples of %s: %s",
            request.name,
            quantized.samples.n,
            quantized.samples.source,
            loss,
        )
    return replace(request, weights="flash", calibrated=quantized)


def _own_range(request: Request, feed: FeedInfo) -> tuple[float, float] | None:
    """The range of an input whose bytes, if transformers only scale them, are the integers of the net."""
    dtype = request.inputs.get(feed.top)
    return None if dtype is None else own_range(feed, request.net.blobs[feed.top].shape[1:], dtype)


def _write_model(request: Request, path: str | Path) -> None:
    if request.calibrated is None:
        hint = "mochac.onnx.save(program, path) writes a model in float"
        raise OptionError("build: onnx= writes a quantized net", expected="quantize=", got="none", hint=hint)
    file = Path(rules.path().check("onnx", path, "build"))
    check_output(file)
    write_bytes(file, qdq_model(request.calibrated.quantized).SerializeToString())


def _checked_name(name: str, chosen: bool) -> str:
    """The prefix of names in C; one that the user chose must be an identifier."""
    found = identifier(name) if isinstance(name, str) else ""
    if chosen and found != name:
        hint = f"{found!r}: the frame or the C library uses {name!r}" if found == f"net_{name}" else ""
        expected = f"lower-case letters, digits and _, at most {MAX_CHARACTERS} characters"
        raise OptionError("build: name begins names in C", expected=expected, got=shown(name), hint=hint)
    return found
