"""`mochac build FILE -o DIR`: write a C library that predicts, or trains, with the net of FILE."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from mochac.base.rules import float_type
from mochac.formats.clib.build import build
from mochac.formats.clib.request import WEIGHTS
from mochac.nets.net import Net
from mochac.nets.solvers.sgd import DEFAULT
from mochac.runtime.data.params import Params
from mochac.tools.cli.command import command, convolutions_argument, file_argument, natural, positive
from mochac.tools.cli.train import model_of
from mochac.tools.cli.userfile import load
from mochac.training.session.net_parameters import load_parameters, make_parameters


def _arguments(parser: ArgumentParser) -> None:
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


@command("build", "write a C library that predicts, or trains, with the net in FILE", _arguments)
def run(args: Namespace) -> int:
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
    made = sorted(name for name in os.listdir(directory) if name.startswith("lib") or name.endswith(".wasm"))
    print(f"wrote {' and '.join(made) or 'the sources'} in {directory}; start at {directory}/README.md")
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
