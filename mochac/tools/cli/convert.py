"""`mochac convert INPUT OUTPUT` and `mochac build FILE -o DIR`: nets in other formats, and as C libraries.

The endings of the file names determine a conversion: from and to ONNX, Caffe's files, model files, and lists of images.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path

from mochac.api.compiler import compile_net
from mochac.base.files.atomic import check_output, check_writable
from mochac.base.files.caffe_binary import write_caffemodel, write_mean
from mochac.base.options import CompileOptions
from mochac.base.rules import float_type
from mochac.formats.caffe.script import Absent, net_script, solver_script
from mochac.formats.caffe.text import is_net, read_prototxt
from mochac.formats.clib.build import build
from mochac.formats.clib.request import WEIGHTS
from mochac.formats.onnx.export.save import save
from mochac.formats.onnx.loading import onnx_script
from mochac.nets.net import Net
from mochac.nets.solvers.sgd import DEFAULT
from mochac.runtime.data.image_list import ImageFormat, read_list, write_parts
from mochac.runtime.data.images import load_mean, save_mean_hdf5
from mochac.runtime.data.model_file import read_model, save_caffe_layout, save_model
from mochac.runtime.data.params import Params
from mochac.tools.cli.command import CliError, command, convolutions_argument, file_argument, natural, positive
from mochac.tools.cli.train import model_of
from mochac.tools.cli.userfile import load
from mochac.training.session.net_parameters import load_parameters, make_parameters

_HDF5 = (".h5", ".hdf5")
_MODELS = (*_HDF5, ".npz", ".safetensors", ".caffemodel")
_KINDS = """\
net.py, net.prototxt -> .onnx                      what predict() computes, as an ONNX model
model.onnx -> .py                                  a Python file, and its parameters in an .h5 file beside it
net.prototxt, solver.prototxt -> .py               a Python file, which can be changed and run
model.h5, .npz, .safetensors, .caffemodel,
.caffemodel.h5 -> one of these                     weights in another format; the last two are Caffe's
mean.binaryproto, .npy -> .h5, .hdf5               a mean for SubMean; also from .h5, .hdf5 to .binaryproto
images.csv -> folder                               ImageName,Label,TrainTest: an HDF5 file for each TrainTest"""


def _arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = f"conversions, by the endings of the names:\n{_KINDS}"
    parser.add_argument("input", metavar="INPUT", type=Path)
    parser.add_argument("output", metavar="OUTPUT", type=Path)
    nets = parser.add_argument_group("nets whose data mochac cannot read")
    nets.add_argument(
        "--data",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="folder of train.txt and test.txt (default: the current folder)",
    )
    nets.add_argument(
        "--input-shape", type=_extents, default=(), metavar="C,H,W", help="shape of an image, needed for some nets"
    )
    parser.add_argument(
        "--model", metavar="FILE", help="model file with the parameters of a net (default: initial values)"
    )
    parser.add_argument(
        "--batch-axis",
        type=_axis,
        default=0,
        metavar="AXIS",
        help="of the ONNX model's inputs; none: it computes one sample (default: 0)",
    )
    parser.add_argument(
        "--extent",
        type=_named,
        action="append",
        default=[],
        metavar="NAME=N",
        help="a number for an extent that the ONNX model leaves open, such as time=32; may be given several times",
    )
    parser.add_argument(
        "--trained",
        action="append",
        default=[],
        metavar="PATTERN",
        help="initializers of the ONNX model that are trained besides its weights, such as pos_*; may be given several "
        "times",
    )
    parser.add_argument(
        "--no-transformers",
        dest="transformers",
        action="store_false",
        help="leave the transformers of data layers out of the ONNX model, which then takes transformed data",
    )
    images = parser.add_argument_group("lists of images")
    images.add_argument(
        "--size", type=_size, metavar="H,W", help="resize images to this (default: all must have the same size)"
    )
    images.add_argument("--grey", action="store_true", help="one channel instead of three")
    images.add_argument("--bgr", action="store_true", help="BGR instead of RGB, as Caffe's nets expect")
    images.add_argument(
        "--scale", type=float, default=1.0, metavar="X", help="factor for pixels in [0, 1]; 255 for Caffe's nets"
    )


@command("convert", "convert nets from and to ONNX, Caffe's files, model files, and lists of images", _arguments)
def run(args: Namespace) -> int:
    """Convert, and print the paths of the new files."""
    source, target = args.input, args.output
    if not os.path.exists(source):
        raise CliError(f"no file {source}")
    for ends, results, convert in _CONVERSIONS:
        if source.name.endswith(ends) and (not results or target.name.endswith(results)):
            check = check_output if results else check_writable
            check(target)
            for path in convert(args, source, target):
                print(f"wrote {path}")
            return 0
    raise CliError(f"no conversion from {source.name} to {target.name}; conversions:\n{_KINDS}")


def _script(args: Namespace, source: Path, target: Path) -> list[Path]:
    script = net_script if is_net(read_prototxt(source)) else solver_script
    target.write_text(script(source, Absent(args.data, args.input_shape)), encoding="utf-8")
    return [target]


def _weights(args: Namespace, source: Path, target: Path) -> list[Path]:
    parameters = read_model(source)
    if target.suffix == ".caffemodel":
        write_caffemodel(target, parameters)
    elif target.name.endswith(tuple(f".caffemodel{end}" for end in _HDF5)):
        save_caffe_layout(target, parameters)
    else:
        save_model(target, parameters)
    return [target]


def _to_onnx(args: Namespace, source: Path, target: Path) -> list[Path]:
    user = load(str(source))
    with compile_net(user.net, CompileOptions(backend="cpu")) as program:
        if args.model:
            program.load(args.model)
        save(program, target, transformers=args.transformers)
    return [target]


def _from_onnx(args: Namespace, source: Path, target: Path) -> list[Path]:
    return onnx_script(source, target, batch_axis=args.batch_axis, extents=dict(args.extent), trained=args.trained)


def _mean(args: Namespace, source: Path, target: Path) -> list[Path]:
    (write_mean if target.suffix == ".binaryproto" else save_mean_hdf5)(target, load_mean(source))
    return [target]


def _images(args: Namespace, source: Path, target: Path) -> list[Path]:
    order = (2, 1, 0) if args.bgr else (0, 1, 2)
    return write_parts(read_list(source), target, ImageFormat(args.size, 1 if args.grey else 3, order, args.scale))


_Conversion = Callable[[Namespace, Path, Path], list[Path]]
_CONVERSIONS: list[tuple[tuple[str, ...], tuple[str, ...], _Conversion]] = [
    ((".prototxt",), (".py",), _script),
    ((".py", ".prototxt"), (".onnx",), _to_onnx),
    ((".onnx",), (".py",), _from_onnx),
    ((".binaryproto", ".npy"), _HDF5, _mean),
    (_HDF5, (".binaryproto",), _mean),
    (_MODELS, _MODELS, _weights),
    ((".csv",), (), _images),
]
"""Endings of INPUT, endings of OUTPUT (none: any), and the conversion; the first that matches is used."""


def _extents(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.strip().isdecimal() and int(part) > 0 for part in parts):
        raise ArgumentTypeError(f"{text!r} is not a list of integers >= 1, such as 3,227,227")
    return tuple(int(part) for part in parts)


def _axis(text: str) -> int | None:
    if text != "none" and not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is neither an integer >= 0 nor none")
    return None if text == "none" else int(text)


def _named(text: str) -> tuple[str, int]:
    name, _, number = text.rpartition("=")
    if not name or not number.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a name and a number, such as time=32")
    return name, int(number)


def _size(text: str) -> tuple[int, int]:
    extents = _extents(text) * (1 if "," in text else 2)
    if len(extents) != 2:
        raise ArgumentTypeError(f"{text!r} is not a height and a width, such as 256,256")
    return extents[0], extents[1]


def _arguments_build(parser: ArgumentParser) -> None:
    file_argument(parser)
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder to write to; created if missing")
    what = "the library also trains, by the solver of FILE (default: SGD(0.01, momentum=0.9))"
    parser.add_argument("--train", action="store_true", help=what)
    what = "CPU to hold code for, such as haswell, x86-64, cortex-m4, wasm32, native; may be repeated (default: native)"
    parser.add_argument("--target", action="append", default=[], metavar="CPU", help=what)
    what = "samples that are predicted at a time; may be repeated (default: 1 and the net's batch)"
    parser.add_argument("--batch", action="append", default=[], type=positive, metavar="N", help=what)
    what = "blob that is predicted; may be repeated (default: bottoms of output layers, else the net's prediction)"
    parser.add_argument("--blob", action="append", default=[], metavar="BLOB", help=what)
    what = "model file, snapshot or folder of snapshots whose parameters the library holds (default: load_from)"
    parser.add_argument("--model", metavar="PATH", help=what)
    parser.add_argument("--name", metavar="NAME", help="what names in C begin with (default: the net's name)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of initial values and dropout")
    parser.add_argument("--dtype", default="float32", help="float32 or float64 (default float32)")
    what = "samples (.npy, .npz, HDF5, or 'data layers') by which predictions are computed in integers of 8 bits"
    parser.add_argument("--quantize", metavar="DATA", help=what)
    what = "also write the quantized net as an ONNX model with QuantizeLinear and DequantizeLinear"
    parser.add_argument("--onnx", metavar="FILE", help=what)
    what = "input that is int8, uint8 or int16 instead of floats, such as data=uint8; may be repeated"
    parser.add_argument("--input", action="append", default=[], type=_typed, metavar="TOP=DTYPE", help=what)
    what = "share of each value's numbers that its integers cover, in %% (default: 100)"
    parser.add_argument("--percentile", type=float, default=100.0, metavar="P", help=what)
    convolutions_argument(parser)
    what = "of the factors of products: float32 or bfloat16 (default float32)"
    parser.add_argument("--precision", default="float32", metavar="NAME", help=what)
    what = "instances for one thread alone, without atomic operations"
    parser.add_argument("--no-threads", action="store_true", help=what)
    what = "where parameters lie: flash (read-only, with the code) or ram (default: flash if small CPUs only predict)"
    parser.add_argument("--weights", choices=WEIGHTS, help=what)
    what = "layer that training does not change; may be repeated"
    parser.add_argument("--freeze", action="append", default=[], metavar="LAYER", help=what)
    what = "with --target wasm32 or wasm32-simd: also a web page that draws, predicts and trains"
    parser.add_argument("--page", action="store_true", help=what)
    parser.add_argument("--dump", action="store_true", help="also write every stage of the compiler, to DIR/dump")


@command("build", "write a C library that predicts, or trains, with the net in FILE", _arguments_build)
def run_build(args: Namespace) -> int:
    """Write the library, and say where it is."""
    user = load(args.file)
    params, path = Params(), model_of(user, args.model)
    if path is not None:
        params = _loaded(user.net, str(path), args)
    solver = (user.solver or DEFAULT) if args.train else None
    directory = build(
        user.net, args.output, solver, args.target, args.batch,
        outputs=args.blob, params=params, seed=args.seed, dtype=args.dtype, name=args.name, dump=args.dump,
        convolutions=args.convolutions, precision=args.precision, threads=False if args.no_threads else None,
        weights=args.weights, freeze=args.freeze, page=args.page,
        quantize=args.quantize, percentile=args.percentile, onnx=args.onnx, inputs=dict(args.input),
    )  # fmt: skip
    print(f"parameters: {path or 'initial values (no --model, no snapshot)'}")
    libraries = sorted(name for name in os.listdir(directory) if name.startswith("lib") or name.endswith(".wasm"))
    print(f"wrote {' and '.join(libraries) or 'the sources'} in {directory}; start at {directory}/README.md")
    return 0


def _typed(text: str) -> tuple[str, str]:
    """An input and its dtype."""
    top, equals, dtype = text.rpartition("=")
    if not equals:
        raise ArgumentTypeError(f"{text!r}: expected TOP=DTYPE, such as data=uint8")
    return top, dtype


def _loaded(net: Net, path: str, args: Namespace) -> Params:
    params = Params()
    make_parameters(net, params, float_type().check("--dtype", args.dtype), args.seed)
    load_parameters(path, net, params)
    return params
