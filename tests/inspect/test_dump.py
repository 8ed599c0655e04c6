"""The files of a dump."""

import shutil
from xml.etree import ElementTree

import numpy as np
import pytest
from tiny_net import BATCH, samples, tiny

import mochac
from mochac.inspect.dump import NESTS, kernel_stem
from mochac.ir.schedule import parse_schedule
from mochac.ir.text import parse
from mochac.lowering.operands import draw_inputs, load_inputs
from mochac.runtime.cpu import compiler

FORMS = [*NESTS, "ll", "s"]


@pytest.fixture(scope="module")
def trained():
    with mochac.compile(tiny()) as program:
        program.train(mochac.SGD(), max_iter=2)
        yield program


@pytest.fixture(scope="module")
def folder(trained, tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / "new" / "folder"
    before = trained.session.batches.position.cursor()
    trained.dump(path)
    assert trained.session.batches.position.cursor() == before
    return path


@pytest.mark.slow
def test_every_stage_is_a_graph_that_parses(folder):
    names = sorted(p.name for p in folder.glob("*.graph"))
    assert names[0] == "00-trace.graph" and names[-1].endswith("-fuse.graph")
    for k, name in enumerate(names):
        assert name.startswith(f"{k:02}-")
        text = (folder / name).read_text()
        graph = parse(text)
        mochac.ir.verify(graph)
        assert text.startswith(str(graph))


@pytest.mark.slow
def test_every_kernel_has_every_form(folder):
    plan = parse((folder / "plan.txt").read_text())
    stems = [kernel_stem(k, launch.kernel) for k, launch in enumerate(plan.launches)]
    expected = {f"{stem}.{form}" for stem in stems for form in FORMS}
    assert {p.name for p in (folder / "kernels").iterdir()} == expected


@pytest.mark.slow
def test_the_arena_as_a_picture(folder):
    """A box for every value of plan.txt that lies in the arena and is used, as high as it is large."""
    plan = parse((folder / "plan.txt").read_text())
    svg = ElementTree.parse(folder / "plan.svg")
    name = "{http://www.w3.org/2000/svg}"
    boxes = {
        t.text.partition(":")[0][1:]: b for b in svg.iter(f"{name}rect") if (t := b.find(f"{name}title")) is not None
    }
    used = {buffer for launch in plan.launches for buffer in launch.buffers}
    placed = {p.name: p for p in plan.placements if p.place == "arena" and p.name in used}
    boxes[""] = next(svg.iter(f"{name}rect"))
    assert boxes.keys() - {""} == placed.keys() and len(placed) > 3
    largest, picture = max(placed.values(), key=lambda p: p.type.storage_bytes), boxes[""]
    share = float(boxes[largest.name].get("height")) / float(picture.get("height"))
    assert share == pytest.approx(largest.type.storage_bytes / plan.arena_bytes, abs=0.001)


@pytest.mark.slow
def test_a_kernels_schedule_makes_its_scheduled_form(folder):
    for staged in sorted((folder / "kernels").glob("*.staged.kernel")):
        stem = staged.name.removesuffix(".staged.kernel")
        schedule = parse_schedule((staged.parent / f"{stem}.schedule").read_text())
        scheduled = (staged.parent / f"{stem}.scheduled.kernel").read_text()
        assert str(mochac.ir.apply(schedule, parse(staged.read_text()))) == scheduled


def test_machine_code_says_whose_it_is_and_what_its_arguments_are(folder):
    for scheduled in sorted((folder / "kernels").glob("*.scheduled.kernel")):
        kernel = parse(scheduled.read_text())
        stem = scheduled.name.removesuffix(".scheduled.kernel")
        for form, mark in {"ll": ";", "s": "#"}.items():
            head, _, code = (scheduled.parent / f"{stem}.{form}").read_text().partition("\n\n")
            assert head.startswith(f"{mark} kernel {kernel.name}: layers ")
            assert head.splitlines()[1].removeprefix(f"{mark} function ").partition("(")[0] in code
            for k, buffer in enumerate((*kernel.inputs, *kernel.outputs)):
                assert f"{mark}   args[{k}] = %{buffer.name}: {buffer.type}" in head.splitlines()


def test_the_module_compiles(folder):
    from mochac.runtime.cpu.cpuinfo import host_cpu

    assert compiler.compile_ir((folder / "module.ll").read_text(), host_cpu())


def test_the_readme_names_every_file(folder):
    text = (folder / "README.txt").read_text()
    for path in folder.iterdir():
        assert path.name in text or path.name in ("kernels", "README.txt")
    assert all(f".{form}" in text for form in FORMS)


def test_recorded_inputs_fit_the_graph(folder):
    graph = parse((folder / "00-trace.graph").read_text())
    inputs = load_inputs(folder / "inputs.npz")
    assert {n: a.shape for n, a in inputs.items()} == {i.name: i.type.shape for i in graph.inputs}
    assert inputs["lr"] == draw_inputs(graph)["lr"] > 0


def test_a_program_records_its_state(trained, folder):
    """The parameters and slots of now, and the batch of the next step."""
    inputs = load_inputs(folder / "inputs.npz")
    assert np.array_equal(inputs["ip.weight"], trained.params["ip"]["weight"][...])
    assert np.array_equal(inputs["ip.weight.history"], trained.session.slots()["ip.weight.history"])
    for name, array in zip(("data", "label"), samples(), strict=True):
        assert np.array_equal(inputs[name].reshape(BATCH, -1), array[[8, 9, 0, 1]].reshape(BATCH, -1))


@pytest.mark.slow
def test_drawn_inputs_are_legal_and_repeatable(tmp_path):
    mochac.dump(tiny(loss=False), tmp_path)
    graph = parse((tmp_path / "00-trace.graph").read_text())
    inputs = load_inputs(tmp_path / "inputs.npz")
    assert set(inputs["label"].ravel().tolist()) <= {0, 1, 2}
    assert all(np.array_equal(inputs[n], a) for n, a in draw_inputs(graph).items())


@pytest.mark.slow
def test_a_second_dump_replaces_the_first(folder, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "kernels" / "99-old.s").write_text("")
    (tmp_path / "note.txt").write_text("mine")
    mochac.dump(tiny(loss=False), tmp_path)
    assert not (tmp_path / "kernels" / "99-old.s").exists()
    assert (tmp_path / "note.txt").read_text() == "mine"
    assert "graph @test" in (tmp_path / "00-trace.graph").read_text()


def test_a_folder_of_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(mochac.OptionError, match="holds files that are not a dump's"):
        mochac.dump(tiny(loss=False), tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "x").write_text("")
    with pytest.raises(mochac.OptionError, match="cannot write a dump to"):
        mochac.dump(tiny(loss=False), tmp_path / "x")


@pytest.mark.parametrize(
    ("cpu", "register"),
    [
        pytest.param("haswell", "ymm", marks=pytest.mark.slow),
        pytest.param("skylake-avx512", "zmm", marks=pytest.mark.slow),
        pytest.param("x86-64", "xmm", marks=pytest.mark.slow),
        pytest.param("neoverse-v2", ".4s", marks=pytest.mark.slow),
    ],
)
def test_for_another_cpu(tmp_path, cpu, register):
    mochac.dump(tiny(), tmp_path, target=cpu)
    text = "".join(p.read_text() for p in sorted(tmp_path.glob("kernels/*.s")))
    wider = {"xmm": ("ymm", "zmm"), "ymm": ("zmm",), "zmm": (), ".4s": ("mm0",)}[register]
    assert register in text and not any(w in text for w in wider)
    assert f"backend cpu ({cpu})" in (tmp_path / "explain.txt").read_text()


@pytest.mark.slow
def test_an_unknown_cpu(tmp_path):
    with pytest.raises(mochac.BackendError, match="LLVM has no CPU 'haswel'"):
        mochac.dump(tiny(), tmp_path, target="haswel")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_cuda_needs_no_device(tmp_path):
    mochac.dump(tiny(), tmp_path, backend="cuda", target="sm_90")
    source = (tmp_path / "module.cu").read_text()
    assert "mochac_conv_conv_pool(" in source and "mochac_step_end(" in source
    assert len(list((tmp_path / "kernels").glob("*.cu"))) == source.count("__global__") - 3  # begin, its twin and end
    assert "CUDA device sm_90" in (tmp_path / "README.txt").read_text()
    assert "backend cuda (sm_90)" in (tmp_path / "explain.txt").read_text()
    mochac.dump(tiny(), tmp_path)
    assert not (tmp_path / "module.cu").exists() and not list((tmp_path / "kernels").glob("*.cu"))


def test_an_unknown_cuda_target(tmp_path):
    with pytest.raises(mochac.BackendError, match="unknown CUDA target 'sm90'"):
        mochac.dump(tiny(), tmp_path, backend="cuda", target="sm90")


def test_file_names_of_kernels():
    assert kernel_stem(0, "a b/c:d") == "00-a_b_c_d"
