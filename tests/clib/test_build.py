"""build(): its messages, its files, what its functions say to bad arguments, and code for other CPUs."""

import ctypes
import re
import shutil
import subprocess

import numpy as np
import pytest
from clib_kit import Failure, Library, aligned, built, compile_frame, needs_cc
from nets import lenet, mlp, rows

import mochac
from mochac import SGD, HDF5DataLayer, InnerProductLayer, InputLayer, LRPolicy, MemoryOutputLayer, Net
from mochac.__main__ import main
from mochac.base.errors import BackendError, OptionError, SnapshotError, UnsupportedError
from mochac.formats.clib.tables import frame_names, identifier
from mochac.ir.op import OPS, Op, register
from mochac.nets.layers import DataTransformer, Layer
from mochac.nets.layers.base import LAYERS, layer
from mochac.nets.layers.config import config


class Plain:
    def value(self, t):
        return 0.1 / (1 + t)


class Decides:
    def value(self, t):
        return 0.1 if t < 10 else 0.01


def refused(error, **how) -> str:
    with pytest.raises(error) as caught:
        mochac.build(**{"net": mlp(), "directory": "/nowhere/at/all", "solver": None, **how})
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"net": 3}, "build() takes a Net\n  expected  mochac.Net(name, layers),  got  int"),
        ({"solver": "sgd"}, "build: solver is neither a solver nor a method\n"
         "  expected  SGD(0.1), Solver(SGD(0.1), ...) or None,  got  'sgd'"),
        ({"batches": (0,)}, "build: batches is out of range\n"
         "  expected  an integer >= 1, or a list of them,  got  (0,)"),
        ({"targets": (7,)}, "build: targets is out of range\n"
         "  expected  a name, or a list of names, of CPUs in LLVM, such as 'haswell',  got  (7,)"),
        ({"outputs": 7}, "build: outputs is out of range\n  expected  a name, or a list of names, of blobs,  got  7"),
        ({"targets": ("haswell", "neoverse-n1")}, "build: targets are of different architectures\n"
         "  got  aarch64 x86_64\n  hint: a library for each architecture"),
        ({"dtype": "half"}, "build: dtype is out of range\n  expected  'float32' or 'float64',  got  'half'"),
        ({"precision": "tf32"}, "build: precision is out of range\n  expected  'float32' or 'bfloat16',  got  'tf32'"),
        ({"precision": "bfloat16", "dtype": "float64"}, "precision='bfloat16' applies to float32 only\n"
         "  expected  dtype=\"float32\",  got  dtype 'float64'"),
        ({"precision": "bfloat16", "quantize": np.zeros((4, 6))}, "build: a quantized library multiplies integers\n"
         "  expected  no precision=,  got  precision='bfloat16'"),
        ({"name": "My Net"}, "build: name begins names in C\n"
         "  expected  lower-case letters, digits and _, at most 60 characters,  got  'My Net'"),
        ({"params": {}}, "params is out of range\n"
         "  expected  mochac.Params, such as program.params, or None,  got  {}"),
    ],
)  # fmt: skip
def test_bad_arguments(how, message):
    assert refused(OptionError, **how) == message


def test_an_unknown_cpu():
    assert "LLVM has no CPU 'hasvell'" in refused(BackendError, targets=["hasvell"])


def test_what_only_python_can_compute():
    assert refused(UnsupportedError, solver=SGD(LRPolicy.DecayOnValidation(0.1, "accuracy-accuracy"))) == (
        "build: a policy of SGD watches validations, which happen in Python\n"
        "  hint: give the method a number, and call ..._set_scalar() when your program has validated"
    )
    assert refused(UnsupportedError, solver=SGD(Decides())) == (
        "build: a scalar of SGD is not a formula of t\n"
        "  got  it decides something by t in Python\n"
        "  hint: policies of your own: plain arithmetic of t, or the functions of mochac.nets.solvers.policy"
    )

    @config
    class Shift(DataTransformer):
        def prepared(self, shape):
            return lambda values: values.sort()

    assert refused(UnsupportedError, net=mlp(transformers=[("data", Shift())])) == (
        "build: transformer Shift of top 'data' is Python code\n"
        "  hint: give it the method arithmetic(shape), or transform before the call"
    )


def test_an_operation_without_a_loop_nest():
    relu = OPS["relu"]
    register(Op("kernelless", relu.infer, relu.reference, None, ()))

    @layer
    class KernellessLayer(Layer):
        def emit(self, ctx, bottoms):
            return [ctx.op("kernelless", bottoms[0])]

    try:
        net = Net("n", [InputLayer(name="x", shape=(4, 3)), KernellessLayer(name="odd", bottoms=["x"])])
        message = refused(UnsupportedError, net=net)
    finally:
        OPS._items.pop("kernelless")
        LAYERS._items.pop("Kernelless")
    assert message.splitlines()[:2] == [
        "layer 'odd': op 'kernelless' has no loop nest to compile",
        "  hint: Op(lower=Pointwise(...)): see Add an operation in docs/developers/contributions.md",
    ]
    assert "test_build.py:" in message


@pytest.mark.slow
def test_a_net_whose_files_are_not_there(tmp_path):
    files = {"source": "/nowhere/train.txt", "shapes": {"data": (5,), "label": (1,)}}
    layers = [HDF5DataLayer(name="d", batch_size=4, tops=["data", "label"], **files)]
    layers += [InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])]
    assert (mochac.build(Net("n", layers), tmp_path / "c", batches=4) / "n.h").exists()


def test_a_net_that_has_no_single_output():
    layers = [InputLayer(name="x", shape=(4, 3))]
    layers += [InnerProductLayer(name=name, output_dim=2, bottoms=["x"]) for name in ("a", "b")]
    message = refused(OptionError, net=Net("two", layers))
    assert message == (
        "net 'two' has no single prediction\n"
        "  candidates: a b\n"
        "  hint: name the blobs: build(..., outputs=[...]), or --blob"
    )
    assert refused(OptionError, net=Net("two", layers), outputs=["c"]) == "net 'two' has no blob 'c'\n  blobs: x a b"
    layers.append(MemoryOutputLayer(name="out", bottoms=["x"]))
    assert "output 'x' is an input" in refused(OptionError, net=Net("two", layers))


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "library"
    message = refused(SnapshotError, directory=folder)
    assert message == f"cannot write into folder {folder}\n  got  Not a directory"


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Library:
    return built(tmp_path_factory.mktemp("mlp"), mlp(), SGD(Plain(), momentum=0.5), batches=(1, 8))


@pytest.mark.slow
@needs_cc
def test_policies_of_users_are_formulas(library):
    x, y = rows()
    instance = library.instance()
    for k in range(3):
        instance.step(data=x[8 * k : 8 * k + 8], label=y[8 * k : 8 * k + 8])
    assert instance.get("lr") == 0.1 / 4


@pytest.mark.slow
@needs_cc
def test_bad_memory(library):
    size, net = library["bytes"](1), ctypes.c_void_p(1)

    def init(memory: np.ndarray | None, n_bytes: int) -> str:
        at = ctypes.c_void_p(None if memory is None else memory.ctypes.data)
        return library["text"](library["init"](at, ctypes.c_size_t(n_bytes), ctypes.byref(net))).decode()

    assert init(None, size) == "an argument is NULL"
    assert init(aligned(size, 8), size) == "the memory does not begin at a multiple of 64"
    assert init(aligned(size), size - 1) == "the memory is too small"
    assert net.value is None
    memory = aligned(size)
    assert init(memory, size) == "no error"
    moved = aligned(size)
    moved[:] = memory
    x = np.zeros(6, np.float32)
    out = np.zeros(2, np.float32)
    for place in (moved, aligned(size)):
        code = library["predict"](*map(ctypes.c_void_p, (place.ctypes.data, x.ctypes.data)), ctypes.c_int64(1),
                                  ctypes.c_void_p(out.ctypes.data))  # fmt: skip
        assert library["text"](code) == b"this memory holds no instance, or was moved"
    assert library["text"](99) == b"no code of this library"
    assert library["bytes"](0) == 0


@pytest.mark.slow
@needs_cc
def test_bad_samples(library):
    x, y = rows()
    instance = library.instance()
    before = instance.save()
    for label in (2.0, -1.0, 0.5, np.nan):
        with pytest.raises(Failure, match="class index"):
            instance.step(data=x[:8], label=np.full((8, 1), label))
    assert library["step"](instance.net, None, None, None) == 1
    assert library["predict"](instance.net, None, ctypes.c_int64(0), None) == 0
    some = ctypes.c_void_p(x.ctypes.data)
    assert library["text"](library["predict"](instance.net, some, ctypes.c_int64(-1), some)) == (
        b"the number of samples is out of range"
    )
    assert instance.save() == before
    with pytest.raises(Failure, match="not finite"):
        instance.step(data=np.full((8, 6), np.inf), label=y[:8])


@needs_cc
def test_damaged_files(library):
    x, y = rows()
    instance = library.instance()
    instance.step(data=x[:8], label=y[:8])
    for kind in ("save", "save_state"):
        saved = instance.save(kind)
        rng = np.random.default_rng(0)
        for _ in range(60):
            at, bit = int(rng.integers(len(saved))), int(rng.integers(8))
            damaged = bytearray(saved)
            damaged[at] ^= 1 << bit
            with pytest.raises(Failure, match=r"checksum|not of this net"):
                instance.load(bytes(damaged))
        for cut in (0, 7, 100, len(saved) - 1):
            with pytest.raises(Failure, match="not of this net"):
                instance.load(saved[:cut])
        assert instance.save(kind) == saved


@pytest.mark.slow
@needs_cc
def test_threads_change_no_bits(tmp_path):
    net = lenet(batch=64)
    library = built(tmp_path / "c", net, SGD(0.01, momentum=0.9))
    x, y = next(iter(net.sources)).data
    alone, shared = library.instance(), library.instance(threads=3)
    with library.pool(3) as pool:
        with pytest.raises(Failure, match="the memory is too small"):
            alone.share(3, pool)
        with pytest.raises(Failure, match="an argument is NULL"):
            shared.share(3, None)
        shared.share(3, pool)
        for k in range(6):
            part = slice(k % 2 * 64, k % 2 * 64 + 64)
            assert alone.step(data=x[part], label=y[part]) == shared.step(data=x[part], label=y[part])
    assert alone.save("save_state") == shared.save("save_state")


@pytest.mark.slow
@needs_cc
@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_compilers_find_nothing_to_warn_of(compiler, library):
    if shutil.which(compiler) is None:
        pytest.skip(f"NO {compiler.upper()} HERE")
    language = ["-x", "c++"] if compiler.endswith("++") else ["-std=c99"]
    assert compile_frame(library.directory, library.name, [compiler, *language, "-Werror", "-O1", "-c"]) == ""


@needs_cc
def test_kernels_need_nothing_from_outside(library):
    if shutil.which("nm") is None:
        pytest.skip("NO NM HERE")
    shown = subprocess.run(["nm", "-g", library.directory / f"lib{library.name}.so"], capture_output=True, text=True)
    symbols = [line.split()[-2:] for line in shown.stdout.splitlines()]
    needed = {name.partition("@")[0] for kind, name in symbols if kind == "U"}
    of_the_pool = {"calloc", "free", "sched_yield"} | {name for name in needed if name.startswith("pthread_")}
    assert needed - of_the_pool <= {"memcpy", "memset"}
    offered = {name for kind, name in symbols if kind == "T"}
    assert all(name.startswith("mlp_") for name in offered)
    in_header = set(re.findall(r"\b(mlp_\w+)\(", library.header + (library.directory / "mlp_threads.h").read_text()))
    assert offered <= in_header


@needs_cc
def test_explain_says_what_each_function_holds(library):
    text = (library.directory / "explain.txt").read_text()
    parts = {part.split(" for CPU")[0]: part for part in text.split("\n\n")[3:]}
    symbols = set(re.findall(r"HIDDEN kernel (k_\w+);", (library.directory / "mlp.c").read_text()))
    assert set(re.findall(r"^  (k_\w+) ", parts["Functions"], re.MULTILINE)) == symbols
    assert list(parts) == ["Functions", "Plan predict_1", "Plan predict_8", "Plan step", "Plan test"]
    assert "ip1.inner_product" in parts["Plan step"]
    sizes = re.findall(r"  +([0-9.]+) (k?)B$", text.split("\n\n")[1], re.MULTILINE)
    whole = sum(float(n) * (1000 if kilo else 1) for n, kilo in sizes)
    assert whole == pytest.approx(library["bytes"](1), rel=0.02)
    constant = text.split("\n\n")[2]
    assert re.search(r"parameters and tables +728 B  copied to instances\n    ip1 +560 B\n    ip2 +168 B\n", constant)
    header = (library.directory / "mlp.h").read_text()
    assert f"#define MLP_BYTES {library['bytes'](1)}\n" in header and "most parameters: ip1 560, ip2 168\n" in header


def test_names_that_c_or_the_frame_uses_are_avoided(tmp_path):
    assert {"power", "launch", "real", "pair", "run", "stream"} <= frame_names()
    assert [identifier(name) for name in ("Power", "memcpy", "double", "LeNet", "tiny", "net")] == [
        *("net_power", "net_memcpy", "net_double", "lenet", "tiny", "net")
    ]
    assert refused(OptionError, name="power") == (
        "build: name begins names in C\n"
        "  expected  lower-case letters, digits and _, at most 60 characters,  got  'power'\n"
        "  hint: 'net_power': the frame or the C library uses 'power'"
    )


@pytest.mark.slow
def test_the_dump_has_every_plan(tmp_path):
    folder = mochac.build(mlp(), tmp_path / "c", SGD(0.1), targets=["haswell"], batches=8, dump=True)
    plans = folder / "dump" / "haswell"
    assert {plan.name for plan in plans.iterdir()} == {"predict_8", "step", "test"}
    for plan in plans.iterdir():
        assert {"README.txt", "plan.txt", "explain.txt", "module.ll", "kernels"} <= {f.name for f in plan.iterdir()}
    symbols = set(re.findall(r"HIDDEN kernel (k_\w+);", (folder / "mlp.c").read_text()))
    assert symbols <= set(re.findall(r"k_\w+", "".join((p / "plan.txt").read_text() for p in plans.iterdir())))


@pytest.mark.slow
@needs_cc
def test_the_code_is_small(tmp_path, library):
    def code_bytes(directory, name: str) -> int:
        parameters = (directory / "objects" / "data.o").stat().st_size
        return (directory / f"lib{name}.so").stat().st_size - parameters

    assert code_bytes(library.directory, "mlp") < 60_000
    predicting = built(tmp_path / "p", lenet(), warn=False)
    assert code_bytes(tmp_path / "p", predicting.name) < 150_000


@pytest.mark.slow
@needs_cc
def test_the_command(tmp_path, capsys):
    file = tmp_path / "small.py"
    file.write_text(
        "from mochac import *\n"
        "net = Net('small', [InputLayer(name='x', shape=(4, 3)), InputLayer(name='y', shape=(4, 2)),\n"
        "    InnerProductLayer(name='ip', output_dim=2, bottoms=['x']),\n"
        "    SquareLossLayer(name='loss', bottoms=['ip', 'y'])])\n"
    )
    assert main(["build", str(file), "-o", str(tmp_path / "c"), "--train", "--batch", "1", "--name", "tiny"]) == 0
    said = capsys.readouterr().out
    assert "wrote libtiny.a and libtiny.so" in said
    done = subprocess.run(["make", "-C", str(tmp_path / "c")], capture_output=True, text=True, check=True)
    assert "warning" not in done.stderr
    shown = subprocess.run([str(tmp_path / "c" / "example")], capture_output=True, text=True, check=True).stdout
    assert "step 10: loss 0" in shown
    assert "no error" in shown
    assert main(["build", str(file), "-o", str(tmp_path / "d"), "--target", "hasvell"]) == 1
    assert "LLVM has no CPU 'hasvell'" in capsys.readouterr().err
