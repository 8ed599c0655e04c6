"""Cached plans follow the contents of the files that generate code, and nothing else about these files."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import test_ranks

import mochac
from mochac.base.files import cache
from mochac.base.files.cache import GENERATE, PACKAGE, contents, generator
from mochac.base.options import CompileOptions, Options
from mochac.lowering.backends import open_backend
from mochac.lowering.plan_cache import made_with, plan_key
from mochac.lowering.plan_graphs import HOW, step_plan
from mochac.nets.trace import trace
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cuda.backend import CudaBackend

GENERATING = [
    "templates/cuda/kernel.cu.j2",
    "codegen/cuda/step.py",
    "codegen/cpu/schedules/generic.py",
    "ir/passes/fuse.py",
    "ir/ops/conv.py",
    "ir/functions/arith.py",
    "base/registry.py",
]
COMPILE = """
import sys
sys.path.append(sys.argv[1])
from tiny_net import tiny
from mochac.lowering.plan_cache import compile_plan
from mochac.runtime.cuda.backend import CudaBackend
from mochac.lowering.main_plan import main_graph
from mochac.base.options import CompileOptions, Options
from mochac.runtime.cpu.backend import CpuBackend
from mochac.base.files.cache import PACKAGE
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.null import NullDriver
found = []
for backend in (CpuBackend(), CudaBackend(device=Device(0, NullDriver()))):
    before = backend.cache.hits
    text = compile_plan(main_graph(tiny()), backend, "f32", fused=True).objects[0]
    found.append("hit" if backend.cache.hits == before + 1 and backend.cache.misses == 0 else "made")
    backend.cache.misses = 0
print(PACKAGE, *found, b"// edited" in text)
"""


@pytest.fixture
def package(tmp_path):
    """A copy of mochac."""
    copy = tmp_path / "site" / "mochac"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def edit(path: Path, text: str) -> None:
    """Append to a file and restore its times, as a checkout or an archive may."""
    before = path.stat()
    path.write_text(path.read_text() + text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.slow
def test_a_copy_has_the_same_contents_whatever_its_times(package):
    for path in package.rglob("*.*"):
        os.utime(path, (1, 1))
    assert contents(package) == contents(PACKAGE)


@pytest.mark.slow
def test_every_file_that_generates_code_counts(package):
    seen = {contents(package)}
    for name in GENERATING:
        edit(package / name, "\n")
        seen.add(contents(package))
    (package / "ir/passes/fuse.py").rename(package / "ir/passes/melt.py")
    seen.add(contents(package))
    assert len(seen) == len(GENERATING) + 2


@pytest.mark.slow
def test_what_generates_code_imports_nothing_else_than_what_counts():
    reached, waiting = set(), [m for m in test_ranks.files() if m.split(".")[0] in ("codegen", "ir", "passes")]
    waiting += ["runtime.cpu.compiler", "runtime.cuda.compiler"]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += test_ranks.imported(module)
    folders = {module.split(".")[0] for module in reached}
    assert {"base", "codegen", "runtime"} < folders <= set(GENERATE)


def test_what_is_said_in_the_graph_is_not_hashed_twice(package):
    code = ("nets/layers/image_norms.py", "tools/cli/inspect.py", "inspect/report/page.py", "formats/onnx/operator.py")
    for name in (*code, "base/hints/names.py", "templates/report/page.html.j2", "py.typed", "codegen/notes.txt"):
        (package / name).write_text("edited")
    (package / "ir" / "__pycache__").mkdir()
    (package / "ir" / "__pycache__" / "old.py").write_text("")
    assert contents(package) == contents(PACKAGE)


@pytest.mark.parametrize("backend", [CpuBackend, CudaBackend])
def test_plans_of_both_backends_are_told_apart_by_what_generates_them(backend, monkeypatch):
    versions = made_with(backend())
    assert versions[: len(generator())] == (mochac.__version__, np.__version__, contents(PACKAGE))
    monkeypatch.setattr(cache, "contents", lambda package: "edited")
    generator.cache_clear()
    try:
        assert made_with(backend()) != versions
    finally:
        generator.cache_clear()


@pytest.mark.slow
def test_an_edited_template_or_rule_compiles_plans_anew(package, tmp_path):
    def compiled() -> str:
        variables = {"MOCHAC_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", COMPILE, str(Path(__file__).parents[1] / "session")]
        how = {"env": {**os.environ, **variables}, "cwd": package.parent}  # the copy is found first
        done = subprocess.run(command, **how, capture_output=True, text=True, check=True)
        return done.stdout.strip().removeprefix(str(package)).strip()

    assert compiled() == "made made False"
    assert compiled() == "hit hit False"
    edit(package / "templates" / "cuda" / "module.cu.j2", "\n// edited\n")
    assert compiled() == "made made True"
    assert compiled() == "hit hit True"
    edit(package / "codegen" / "cpu" / "schedules" / "generic.py", "# edited\n")
    assert compiled() == "made made True"


def test_keys_of_plans_of_one_graph(tmp_path, monkeypatch):
    """One for each dtype, with and without fusion, and for each way to lower it."""
    monkeypatch.setenv("MOCHAC_CACHE", "1")
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path))
    layers = [
        mochac.MemoryDataLayer(name="in", data=[np.ones((4, 2)), np.ones((4, 1))], batch_size=2),
        mochac.InnerProductLayer(name="ip", output_dim=1, bottoms=["data"]),
        mochac.SquareLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    source = step_plan(trace(mochac.Net("n", layers)), mochac.Solver(mochac.SGD(0.1)).update_of(mochac.SGD(0.1)))
    backend = open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
    keys = {plan_key(source, backend, dtype, fused) for dtype in ("f32", "f64") for fused in (True, False)}
    assert len(keys) == 4
    ways = {
        "scalars": {},
        "named": {"a": "b"},
        "first": ("x",),
        "parts": 2,
        "ranks": 2,
        "nets": 2,
        "own": ("x",),
        "convolutions": "direct",
        "layout": False,
        "natural": True,
    }
    assert set(ways) == set(HOW)
    keys |= {plan_key(replace(source, **{name: value}), backend, "f32", True) for name, value in ways.items()}
    assert len(keys) == 4 + len(ways)
    assert None not in keys
