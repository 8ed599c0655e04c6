"""Names are data: hostile ones go through every writer of mochac, and come back as they are; some are refused."""

import json
import logging
import random
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree

import h5py
import numpy as np
import pytest
from hostile_names import REFUSED, names

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    CoffeeLounge,
    ConcatLayer,
    HDF5DataLayer,
    HDF5OutputLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    Net,
    OptionError,
    ParameterNorms,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
    TensorBoard,
    TrainingSummary,
    ValidationPerformance,
)
from mochac.__main__ import main
from mochac.base.escaping import (
    c_string,
    comment,
    constants,
    fault_of,
    file_name,
    markup,
    quoted,
    script,
    unquoted,
    unword,
    visible,
    word,
)
from mochac.base.files.hdf5_file import ESCAPED
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.target import CudaTarget
from mochac.formats.clib.request import toolchain
from mochac.formats.clib.tables import arguments, identifier
from mochac.ir.text import parse
from mochac.lowering import pipeline
from mochac.runtime.cpu.cpuinfo import named_cpu
from mochac.runtime.cuda.compiler import compile_cubin
from mochac.runtime.data.model_file import read_model, save_caffe_layout, save_model
from mochac.training.loop.lounge import load_statistics, save_statistics
from mochac.training.loop.snapshot import SavedState, read_snapshot, save_snapshot

NET = '*/ "net" ??/ $(x) {{ 1 }} </title> """'
NAMES = names()
INPUT, LABEL = "input/*", "label??/"
SLOW = pytest.mark.slow
TAKEN = {"string", "all", "test", "example", "exp", "pthread", "class", "free", "main", "linux", "gamma"}
"""Names of headers, targets, functions and words of C."""


def branches(folder, some=tuple(NAMES)):
    """Each of these names is that of a layer with parameters, of its top, and of a dataset of an output file."""
    rng = np.random.default_rng(0)
    data = [rng.standard_normal((8, 3)), rng.integers(0, 2, 8)]
    return Net(
        NET,
        [
            MemoryDataLayer(name="source%s", data=data, batch_size=4, tops=[INPUT, LABEL]),
            *(InnerProductLayer(name=name, output_dim=2, bottoms=[INPUT]) for name in some),
            ConcatLayer(name="concat//", bottoms=some),
            InnerProductLayer(name="top\\", output_dim=2, bottoms=["concat//"]),
            SoftmaxLossLayer(name="loss */", bottoms=["top\\", LABEL]),
            HDF5OutputLayer(name="out", filename=str(folder / "out.h5"), bottoms=some, force_overwrite=True),
        ],
    )


def measured(some, test=False):
    """A net in which some names are those of losses; with `test`, every other one is that of an accuracy."""
    rng = np.random.default_rng(0)
    data = [rng.standard_normal((8, 3)), rng.integers(0, 2, 8)]
    ends = [(AccuracyLayer if test and k % 2 else SoftmaxLossLayer, name) for k, name in enumerate(some)]
    return Net(
        NET,
        [
            MemoryDataLayer(name="source%s", data=data, batch_size=4, tops=[INPUT, LABEL]),
            InnerProductLayer(name="top\\", output_dim=2, bottoms=[INPUT]),
            *(cls(name=name, bottoms=["top\\", LABEL]) for cls, name in ends),
        ],
    )


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The first net, trained for four iterations with everything that writes files."""
    folder = tmp_path_factory.mktemp("hostile")
    program = mochac.compile(branches(folder), threads=1)
    program.train(solver(folder))
    yield SimpleNamespace(program=program, folder=folder, net=program.net)
    program.close()


def solver(folder, **how):
    made = Solver(SGD(0.1, momentum=0.9), max_iter=4, **how)
    for coffee in (TrainingSummary(), Snapshot(folder / "snaps"), ParameterNorms(), TensorBoard(folder / "board")):
        made.add_coffee_break(coffee, every_n_iter=2)
    made.setup_coffee_lounge(save_into=str(folder / "statistics.h5"))
    return made


def weights(program):
    return {name: np.array(array) for name, array in program.parameters().items()}


def fresh(folder):
    return mochac.compile(branches(folder), seed=5, threads=1)


def same(program, other):
    assert list(program) == list(other)
    assert all(np.array_equal(a, other[name]) for name, a in program.items())


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_names_that_no_net_has(name):
    layer = {"output_dim": 2, "bottoms": ["x"]}
    for make in (
        lambda: InnerProductLayer(name=name, **layer),
        lambda: InnerProductLayer(name="ip", param_key=name, **layer),
        lambda: InnerProductLayer(name="ip", tops=[name], **layer),
        lambda: InnerProductLayer(name="ip", output_dim=2, bottoms=[name]),
        lambda: Net(name, [InnerProductLayer(name="ip", **layer)]),
        lambda: CoffeeLounge().record(name, 1, 0.5),
    ):
        with pytest.raises(OptionError) as refused:
            make()
        assert str(refused.value).isprintable() or str(refused.value).replace("\n", "").isprintable()
        assert any(word in str(refused.value) for word in ("a name cannot contain", "valid Unicode"))


def test_messages_of_names_that_are_refused():
    with pytest.raises(OptionError) as refused:
        InnerProductLayer(name="a\nb", output_dim=2, bottoms=["x"])
    assert str(refused.value).splitlines()[:3] == [
        "layer 'a\\nb' (InnerProduct): name is out of range",
        "  expected  a non-empty string,  got  'a\\nb'",
        "  hint: a name cannot contain the character '\\n'",
    ]
    with pytest.raises(OptionError) as refused:
        Net("\x1b[2J", [])
    assert str(refused.value) == (
        "a net cannot have this name\n  got  '\\x1b[2J'\n  hint: a name cannot contain the character '\\x1b'"
    )
    for name, hint in ((5, "it is not text"), ("", "it is empty")):
        with pytest.raises(OptionError) as refused:
            CoffeeLounge().record(name, 1, 0.5)
        assert str(refused.value) == (
            f"lounge.record(): a statistic cannot have this name\n  got  {name!r}\n  hint: {hint}"
        )


# --- the door itself ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NAMES, *(name for name in REFUSED if name.isascii())], ids=ascii)
def test_every_escape(name):
    assert visible(name).isprintable() and visible(visible(name)) == visible(name)
    shown = comment(name)
    assert shown.isprintable() and not any(s in shown for s in ("*/", "/*", "??")) and not shown.endswith("\\")
    assert not any(c in markup(name) for c in "<>\"'\x1b\0")
    assert unquoted(quoted(name)) == name and "/" not in quoted(name) and quoted(name) not in ("", ".")
    assert unword(word(name)) == name and not any(c.isspace() or c in '%[](),:{}=#"' for c in word(name))
    literal = c_string(name)
    assert literal.isascii() and literal.isprintable() and "??" not in literal
    assert eval(f'b"{literal}"'.replace("\\?", "?")) == name.encode()
    assert len(file_name(name)) <= 120 and "/" not in file_name(name)


def test_names_in_c_are_distinct_and_free():
    texts = [*NAMES, *REFUSED]
    for made in (list(arguments(texts).values()), list(constants(texts).values())):
        assert len(set(made)) == len(texts) and all(name.isascii() for name in made)
    for name in arguments(texts).values():
        assert name.isidentifier() and name not in ("NULL", "int", "linux", "memcpy", "size_t", "lambda", "I")
    for text in (*texts, *TAKEN):
        name = identifier(text)
        assert name.isidentifier() and name.isascii() and len(name) <= 64
        assert name not in TAKEN


def random_names(seed, n):
    """Distinct names of pieces of hostile ones."""
    rng = random.Random(seed)
    pieces = [piece for name in NAMES for piece in (name[:2], name[-3:], name)]
    made = ("".join(rng.choices(pieces, k=rng.randint(1, 4)))[:250] for _ in range(4 * n))
    return [name for name in dict.fromkeys(made) if not fault_of(name)][:n]


@pytest.mark.sampled(20, test=4)
@pytest.mark.parametrize("seed", range(20))
def test_random_names_in_hdf5(tmp_path, seed):
    texts = random_names(seed, 100)
    arrays = {f"{name}___weight": np.full(3, k, np.float32) for k, name in enumerate(texts)}
    save_model(tmp_path / "m.h5", arrays)
    read = read_model(tmp_path / "m.h5")
    assert read.keys() == arrays.keys() and all((read[name] == array).all() for name, array in arrays.items())
    rows = {name: {1: float(k), 2: 0.0} for k, name in enumerate(texts)}
    save_statistics(tmp_path / "s.h5", rows)
    assert load_statistics(tmp_path / "s.h5") == rows
    slots = {f"{name}.weight.history": array for name, array in zip(texts, arrays.values(), strict=True)}
    kept = {"best": {f"parameter/{name}": array for name, array in arrays.items()}}
    state = SavedState(3, "SGD", "n", {}, 3, 0, arrays, slots, 0, kept)
    save_snapshot(tmp_path / "snapshot-000003.h5", state)
    again = read_snapshot(tmp_path / "snapshot-000003.h5")
    for a, b in ((arrays, again.parameters), (slots, again.slots), (kept["best"], again.memory["best"])):
        assert a.keys() == b.keys() and all((b[name] == array).all() for name, array in a.items())


@SLOW
@pytest.mark.skipif(shutil.which("cc") is None, reason="NO C COMPILER HERE")
def test_random_names_in_c(tmp_path):
    """The compiler reads comments, strings, parameters and enumerators as they are meant."""
    texts = [*NAMES, *random_names(0, 2000)]
    lines = [
        "#include <stdio.h>",
        "#include <stdlib.h>",
        "#include <string.h>",
        "#include <stdint.h>",
        "#include <errno.h>",
    ]
    lines += [f"/* {comment(name)} */ // {comment(name)}" for name in texts]
    lines += ["static const char *const all[] = {", *(f'    "{c_string(name)}",' for name in texts), "};"]
    lines += [f"enum {{ {', '.join(f'X_{name}' for name in constants(texts).values())} }};"]
    lines += [f"void f({', '.join(f'const float *{name}' for name in arguments(texts).values())});"]
    lines += ["int main(void) {", "    size_t i;", "    for (i = 0; i < sizeof all / sizeof *all; i++) {"]
    lines += ["        fwrite(all[i], 1, strlen(all[i]) + 1, stdout);", "    }", "    return 0;", "}", ""]
    (tmp_path / "x.c").write_text("\n".join(lines))
    command = ["cc", "-std=gnu99", "-trigraphs", "-Wall", "-Wextra", "-Wcomment", "-Werror", "-o", "x", "x.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "x"], capture_output=True, check=True).stdout
    assert said.split(b"\0")[:-1] == [name.encode() for name in texts]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["total of x", "count of x", "obj_val", "grad top.weight", "diff top", "output 0 of out"]
)
def test_losses_named_as_what_plans_report(name):
    """The mean of one loss was computed from the total of another."""

    def means(name):
        data = [np.arange(24).reshape(8, 3) / 24, np.arange(8) % 2]
        net = Net("n", [
            MemoryDataLayer(name="d", data=data, batch_size=4),
            InnerProductLayer(name="top", output_dim=2, bottoms=["data"]),
            SoftmaxLossLayer(name="x", bottoms=["top", "label"], ignore_label=1),
            SoftmaxLossLayer(name=name, bottoms=["top", "label"], weight=3.0, tops=[f"{name}-top"]),
            MemoryOutputLayer(name="out", bottoms=["top"]),
        ])  # fmt: skip
        with mochac.compile(net, threads=1) as program:
            program.forward()
            program.backward()
            found = program.evaluate()
            return found["x"], found[name], np.array(program.grads["top"]["weight"]).tolist()

    assert means(name) == means("y")


def test_tops_that_differ_in_a_dot_are_two_inputs():
    data = MemoryDataLayer(name="d", data=[np.zeros((4, 3)), np.ones((4, 3))], batch_size=2, tops=["x.1", "x_1"])
    net = Net("n", [data, ConcatLayer(name="both", bottoms=["x.1", "x_1"])])
    with mochac.compile(net, threads=1) as program:
        program.forward()
        assert np.array_equal(program.blobs["both"], np.repeat([[0.0, 1.0]], 3, axis=1) * np.ones((2, 1)))


# --- files ----------------------------------------------------------------------------------------------------------


@SLOW
def test_snapshots_resume(trained):
    with fresh(trained.folder) as program:
        program.train(Solver(SGD(0.1, momentum=0.9), max_iter=4, load_from=str(trained.folder / "snaps")))
        same(weights(trained.program), weights(program))
    with h5py.File(trained.folder / "snaps" / "snapshot-000004.h5") as file:
        assert ESCAPED in file.attrs and "a%2F%2Fb___weight" in file and "solver_slots/a%2F%2Fb.weight.history" in file


@pytest.mark.slow
def test_ordinary_names_keep_their_form(tmp_path):
    net = Net("n", [
        MemoryDataLayer(name="d", data=[np.zeros((4, 3)), np.zeros(4)], batch_size=2),
        InnerProductLayer(name="block_3a/1x1 %2F", output_dim=2, bottoms=["data"]),
        SoftmaxLossLayer(name="loss", bottoms=["block_3a/1x1 %2F", "label"]),
    ])  # fmt: skip
    with mochac.compile(net, threads=1) as program:
        program.train(solver(tmp_path))
        program.save(tmp_path / "m.h5")
        before = weights(program)
    for load in ({"load_from": str(tmp_path / "snaps")}, {"load_from": str(tmp_path / "m.h5")}):
        with mochac.compile(net, threads=1, seed=7) as program:
            program.train(Solver(SGD(0.0, momentum=0.9), max_iter=4, **load))
            same(before, weights(program))
    with h5py.File(tmp_path / "snaps" / "snapshot-000004.h5") as file:
        assert ESCAPED not in file.attrs and "solver_slots/block_3a/1x1 %2F.bias.history" in file
    with h5py.File(tmp_path / "m.h5") as file:
        assert ESCAPED not in file.attrs and sorted(file["block_3a"]) == ["1x1 %2F___bias", "1x1 %2F___weight"]


@SLOW
@pytest.mark.parametrize("ending", [".h5", ".npz", ".safetensors", ".caffemodel"])
def test_models_are_read_as_they_were_written(trained, ending):
    path = trained.folder / f"model{ending}"
    if ending == ".caffemodel":
        pytest.importorskip("google.protobuf")
        mochac.caffe.save_weights(path, trained.program.parameters())
    else:
        trained.program.save(path)
    with fresh(trained.folder) as program:
        program.load(path)
        same(weights(trained.program), weights(program))


@SLOW
def test_other_programs_read_archives_and_safetensors(trained):
    numpy = pytest.importorskip("safetensors.numpy")
    for ending, read in ((".npz", np.load), (".safetensors", numpy.load_file)):
        trained.program.save(trained.folder / f"other{ending}")
        assert {*read(trained.folder / f"other{ending}")} == {*trained.program.parameters()}


@SLOW
def test_caffe_layout_refuses_what_it_cannot_hold(trained, tmp_path):
    net = Net("n", [
        MemoryDataLayer(name="d", data=[np.zeros((4, 3)), np.zeros(4)], batch_size=2),
        InnerProductLayer(name="a//b", output_dim=2, bottoms=["data"]),
    ])  # fmt: skip
    with mochac.compile(net, threads=1) as program, pytest.raises(mochac.SnapshotError) as refused:
        save_caffe_layout(tmp_path / "m.h5", program.parameters())
    assert str(refused.value).endswith("Caffe's layout cannot hold the names of these layers\n  got  a//b")


@SLOW
def test_output_files(trained):
    with h5py.File(trained.folder / "out.h5") as file:
        assert sorted(file) == sorted(map(quoted, NAMES))
        assert all(len(file[quoted(name)]) == 16 for name in NAMES)
    (trained.folder / "list.txt").write_text("out.h5\n")
    source = HDF5DataLayer(name="h", source=str(trained.folder / "list.txt"), batch_size=4, tops=["a//b", "a/b"])
    assert Net("again", [source]).blobs["a//b"].shape == (4, 2)


@SLOW
def test_statistics_and_plots(tmp_path, capsys):
    lounge = CoffeeLounge(str(tmp_path / "statistics.h5"))
    for k, name in enumerate(NAMES):
        for iteration in (1, 2):
            lounge.record(name, iteration, k + iteration)
    lounge.save()
    assert load_statistics(tmp_path / "statistics.h5") == lounge.statistics
    assert main(["plot", "-l", str(tmp_path / "statistics.h5")]) == 0
    assert main(["plot", str(tmp_path / "statistics.h5")]) == 0
    assert capsys.readouterr().out.replace("\n", "").isprintable()
    assert main(["plot", str(tmp_path / "statistics.h5"), "--out", str(tmp_path / "curves.svg")]) == 0
    texts = "".join(ElementTree.parse(tmp_path / "curves.svg").getroot().itertext())
    assert all(visible(name).strip() in texts for name in NAMES if len(name) < 20)


@pytest.mark.slow
def test_matplotlib_draws_names_as_they_are(tmp_path):
    pytest.importorskip("matplotlib")
    lounge = CoffeeLounge(str(tmp_path / "_$x^$.h5"))
    for name in ("$x^$", "_x", "$", "\\frac$1"):
        lounge.record(name, 1, 0.5)
    lounge.save()
    assert main(["plot", "--together", str(lounge.path), "--out", str(tmp_path / "a.png")]) == 0


@SLOW
def test_tensor_board(trained):
    reader = pytest.importorskip("tensorboardX.proto.event_pb2")
    (path,) = (trained.folder / "board").iterdir()
    content, tags, at = path.read_bytes(), set(), 0
    while at < len(content):
        size = int.from_bytes(content[at : at + 8], "little")
        event = reader.Event.FromString(content[at + 12 : at + 12 + size])
        tags |= {value.tag for value in event.summary.value}
        at += size + 16
    assert {f"norm/{name}.weight" for name in NAMES} <= tags


# --- statistics of nets ---------------------------------------------------------------------------------------------


@SLOW
@pytest.mark.parametrize("first", range(0, len(NAMES), 60))
def test_losses_and_accuracies(tmp_path, first):
    some = NAMES[first : first + 60]
    with mochac.compile(measured(some), threads=1) as program:
        test = mochac.compile(measured(some, test=True), params=program.params, threads=1)
        made = Solver(SGD(0.0), max_iter=2)
        made.add_coffee_break(ValidationPerformance(test), every_n_iter=1)
        made.setup_coffee_lounge(save_into=str(tmp_path / "statistics.h5"))
        lounge = program.train(made)
        means = test.evaluate()
        test.close()
    assert [*means] == [name for name in means if name in some or name.removesuffix("-accuracy") in some]
    assert len(means) == len(some) and len({means[name] for name in some[::2]}) == 1
    assert len({means[f"{name}-accuracy"] for name in some[1::2]}) == 1
    assert {*means} <= {*lounge.statistics} and load_statistics(tmp_path / "statistics.h5") == lounge.statistics


# --- texts ----------------------------------------------------------------------------------------------------------


@SLOW
def test_texts_of_the_compiler_are_parsed_again(trained):
    lowered = trained.program.session.main_plan().lowered
    for _, graph in lowered.stages:
        parsed = parse(str(graph))
        assert parsed == graph.with_(notes=parsed.notes)
    for kernel in lowered.kernels:
        assert parse(str(kernel.naive)) == kernel.naive and parse(str(kernel.scheduled)) == kernel.scheduled
    assert parse(str(lowered.plan)) == lowered.plan


@SLOW
def test_dumps_are_replayed(tmp_path, capsys):
    some = [
        name
        for name in NAMES
        if any(c in name for c in ' %()[]{},:=#"\\\u3000') or name in ("1", "True") or len(name) > 99
    ]
    with mochac.compile(branches(tmp_path, some[::2]), threads=1) as program:
        program.dump(tmp_path / "dump")
    files = [path for path in (tmp_path / "dump").rglob("*") if path.is_file()]
    assert all(len(path.name.encode()) < 200 for path in files)
    assert main(["replay", str(tmp_path / "dump")]) == 0
    capsys.readouterr()


@SLOW
def test_logs_hold_no_codes_for_terminals(caplog):
    with caplog.at_level(logging.INFO, "mochac"):
        mochac.base.support.log.LOG.warning("file %s of %d", "\x1b[31m\u202ered\r", 3)
    assert caplog.messages == ["file \\x1b[31m\\u202ered\\x0d of 3"]


def test_errors_hold_no_codes_for_terminals():
    error = mochac.DataError("no file \x1b[2J", got="a\u202eb\r", details=["x\ny\x07"])
    assert str(error) == "no file \\x1b[2J\n  got  a\\u202eb\\x0d\n  x\n  y\\x07"


# --- pages and pictures ---------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Scripts of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.scripts += [dict(attrs).get("id", "")] if tag == "script" else []
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data):
        self.text += data


@SLOW
def test_reports_traces_and_drawings(trained, tmp_path):
    some = [name for name in NAMES if any(c in name for c in "<>&{'\"")]
    with mochac.compile(branches(tmp_path, some), threads=1) as program:
        lounge = program.train(solver(tmp_path))
        program.report(tmp_path / "report.html", n_iter=1, perfetto=tmp_path / "trace.json")
    page = Page((tmp_path / "report.html").read_text())
    assert page.scripts == ["provenance", ""] and "<script>alert(1)</script>" in page.text
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert {*some} <= {event["name"] for event in trace["traceEvents"]} and trace["otherData"]["net"] == NET
    drawn = "".join(ElementTree.fromstring(trained.net.to_svg()).itertext())
    assert NET in drawn and all(visible(name) in drawn for name in NAMES if len(name) < 20)
    assert not Page(lounge._repr_html_()).scripts and not Page(trained.net._repr_svg_()).scripts


@SLOW
def test_dot(trained, tmp_path):
    text = trained.net.to_dot()
    assert text.count("\n") == len(text.splitlines())
    if shutil.which("dot"):
        (tmp_path / "net.dot").write_text(text)
        subprocess.run(["dot", "-Tplain", str(tmp_path / "net.dot")], check=True, capture_output=True)


# --- code -----------------------------------------------------------------------------------------------------------

STRICT = ["-Wall", "-Wextra", "-Werror", "-Wtrigraphs", "-Wcomment", "-fsyntax-only"]


@SLOW
@pytest.mark.skipif(shutil.which("make") is None or shutil.which("cc") is None, reason="NO C COMPILER HERE")
def test_c_libraries(trained, tmp_path):
    mochac.build(trained.net, tmp_path, SGD(0.1, momentum=0.9), outputs=NAMES, params=trained.program.params)

    def run(*command):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert not done.returncode, done.stderr[-2000:]
        return done.stdout

    (header,) = (p.name for p in tmp_path.glob("*.h") if "threads" not in p.name)
    source = header.replace(".h", ".c")
    assert header == "net_x_1_title.h"
    for file in (source, "example.c"):
        run("cc", "-std=c99", "-trigraphs", "-pedantic", *STRICT, file)
    if shutil.which("g++"):
        run("g++", "-std=c++20", *STRICT, "-x", "c++", header)
    run("make", "all")
    assert "no error" in run("./example") and run(sys.executable, "example.py")
    symbols = run("nm", "-D", "--defined-only", f"lib{header.replace('.h', '.so')}") if shutil.which("nm") else ""
    assert "hidden" not in symbols
    if shutil.which("cmake"):
        run("cmake", "-S", ".", "-B", "built")


@SLOW
def test_initial_values_drawn_by_libraries(trained, tmp_path):
    """The stream of random numbers is named after the layer: as a string of C it must be the same."""
    mochac.build(trained.net, tmp_path, SGD(0.1))
    (source,) = (p for p in tmp_path.glob("*.c") if "example" not in p.name and "threads" not in p.name)
    text = source.read_text()
    for name in NAMES:
        stated = json.dumps([name, "weight"], separators=(",", ":"))[1:]
        assert f'"{c_string("," + stated)}"' in text


@SLOW
def test_cuda_sources(trained):
    graph = trained.program.session.main_plan().lowered.stages[0][1]
    lowered = pipeline.lower(graph, CudaGenerator(CudaTarget(90, multiprocessors=8)), named={}, scalars={})
    for line in lowered.text.splitlines():
        assert line.isprintable() and not line.endswith("\\")
    try:
        compile_cubin(lowered.text, "sm_90")
    except mochac.BackendError:
        pytest.skip("NO CUDA COMPILER HERE")


@SLOW
def test_onnx_models_and_their_scripts(trained, capsys):
    pytest.importorskip("onnx")
    trained.program.save(trained.folder / "model.onnx")
    net, _ = mochac.onnx.load(trained.folder / "model.onnx")
    assert len(net.layers) >= len(NAMES)
    assert main(["convert", str(trained.folder / "model.onnx"), str(trained.folder / "onnx_net.py")]) == 0
    assert _script(trained.folder / "onnx_net.py")["net"].name == NET
    capsys.readouterr()


@SLOW
def test_caffe_nets_and_their_scripts(tmp_path, capsys):
    escaped = pytest.importorskip("google.protobuf.text_encoding").CEscape

    def prototxt(*names):
        data = "layer { name: 'x' type: 'Input' top: 'x' input_param { shape { dim: 2 dim: 3 } } }"
        how = 'type: "InnerProduct" bottom: "x" inner_product_param { num_output: 2 }'
        rows = [f'layer {{ name: "{n}" top: "{n}" {how} }}'
                for n in (escaped(n, as_utf8=False) for n in names)]  # fmt: skip
        path = tmp_path / "net.prototxt"
        path.write_text("\n".join([f'name: "{escaped(NET, as_utf8=False)}"', data, *rows]))
        return str(path)

    assert main(["convert", prototxt(*NAMES), str(tmp_path / "net.py")]) == 0
    assert {layer.name for layer in _script(tmp_path / "net.py")["net"].layers} >= {*NAMES}
    capsys.readouterr()
    assert main(["convert", prototxt("a\x1bb"), str(tmp_path / "bad.py")]) == 1
    assert "a name cannot contain the character '\\x1b'" in capsys.readouterr().err


def _script(path):
    """The globals of a script that was written."""
    found = {"__name__": "script"}
    exec(compile(path.read_text(), str(path), "exec"), found)
    return found


class Scripts(HTMLParser):
    """Elements of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_in_scripts(name):
    text = script({"name": name})
    assert text.isascii() and text.isprintable() and json.loads(text) == {"name": name}
    assert not any(c in text for c in "<>&")


def drawn(name):
    """A net of images, with this name everywhere."""
    image = np.zeros((4, 1, 6, 6), np.float32)
    return Net(
        name,
        [
            MemoryDataLayer(name="d", data=[image, np.zeros(4)], batch_size=4, tops=[name, f"{name}2"]),
            InnerProductLayer(name=f"{name}3", output_dim=2, bottoms=[name]),
            SoftmaxLossLayer(name=f"{name}4", bottoms=[f"{name}3", f"{name}2"]),
        ],
    )


@SLOW
@pytest.mark.skipif(bool(toolchain(named_cpu("wasm32")).missing), reason="NO clang AND wasm-ld HERE")
def test_pages(tmp_path):
    """Every tenth name, and all with markup, in C, Makefile, JavaScript and HTML; Node.js reads the modules, if it is
    here, and finds the names as they are."""
    some = [name for k, name in enumerate(NAMES) if k % 10 == 0 or any(c in name for c in "<>&`$\\")]
    for k, name in enumerate(some):
        folder = tmp_path / str(k)
        mochac.build(drawn(name), folder, SGD(0.1), targets=["wasm32"], page=True)
        page = Scripts((folder / "index.html").read_text())
        assert page.tags.count("script") == 1 and visible(name) in page.text
        (module,) = (path for path in folder.glob("*.js") if path.name not in ("page.js", "worker.js"))
        assert (folder / f"{module.stem}.wasm").exists() and module.stem == identifier(name)
        if shutil.which("node"):
            (folder / "package.json").write_text('{"type": "module"}')
            code = f'import {{ ABOUT }} from "./{module.name}"; console.log(JSON.stringify(ABOUT))'
            (folder / "ask.js").write_text(code)
            asked = subprocess.run(["node", "ask.js"], cwd=folder, capture_output=True, text=True, check=True)
            about = json.loads(asked.stdout)
            assert (
                about["net"] == name
                and about["step"] == [name, f"{name}2"]
                and about["outputs"][0]["name"] == f"{name}3"
            )
            subprocess.run(["node", "--check", "page.js"], cwd=folder, check=True)
