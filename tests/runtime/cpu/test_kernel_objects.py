"""Kernels of a plan are compiled side by side, each once, and found in the cache by what they compute."""

import io
import os
import pickle
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from mochac.base.files.cache import generator
from mochac.base.options import Options
from mochac.codegen.generator import OnlyVariant
from mochac.ir import parse
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu import compiler, kernel_objects
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.kernel_objects import CpuKernelObjects

CHAIN = """graph @g(%x: f32[b32,8], %w: f32[16,8] param, %v: f32[{width},16] param) {{
  %a: f32[b32,16] = inner_product(%x, %w)
  %r: f32[b32,16] = tanh(%a)
  %b: f32[b32,{width}] = inner_product(%r, %v)
  return %r, %b
}}"""


@pytest.fixture
def backend(tmp_path):
    return CpuBackend(Options(cache_dir=tmp_path))


@pytest.fixture
def emitted(monkeypatch):
    """The modules that LLVM compiled."""
    calls, real = [], compiler.emitted
    monkeypatch.setattr(compiler, "emitted", lambda module, cpu: calls.append(module) or real(module, cpu))
    return calls


def compiled(backend, width=24, made_with=("these rules",), threads=2):
    graph = parse(CHAIN.format(width=width))
    with closing(CpuKernelObjects(backend.cpu, backend.cache, made_with, threads)) as objects:
        lowered = lower(graph, backend.generator, scalars={}, named={"b": "b"}, objects=objects)
        return lowered, objects.finished()


def test_objects_are_those_of_one_thread_in_the_order_of_kernels(backend):
    lowered, images = compiled(backend)
    modules = [backend.generator.module_text([kernel.code]) for kernel in lowered.kernels]
    assert images == [compiler.compile_ir(text, backend.cpu) for text in modules]


def test_a_net_with_one_layer_changed_compiles_only_that(backend, emitted):
    first, _ = compiled(backend)
    assert len(emitted) == len(first.kernels)
    emitted.clear()
    second, images = compiled(backend, width=40)
    assert len(emitted) == 1
    assert len(images) == len(second.kernels)


def test_a_known_kernel_is_neither_scheduled_nor_printed(backend, monkeypatch):
    wanted, images = compiled(backend)

    def refuse(*arguments):
        raise AssertionError("scheduled although cached")

    monkeypatch.setattr(type(backend.generator), "choose", refuse)
    monkeypatch.setattr(type(backend.generator), "print_kernel", refuse)
    again, found = compiled(backend)
    assert (again.plan, found) == (wanted.plan, images)


def test_its_stages_are_made_when_asked_for(backend):
    wanted, _ = compiled(backend)
    again, _ = compiled(backend)
    assert [k.code for k in again.kernels] == [k.code for k in wanted.kernels]
    assert again.text == wanted.text


def test_other_rules_make_the_same_text_and_find_its_object(backend, emitted):
    compiled(backend)
    emitted.clear()
    compiled(backend, made_with=("other rules",))
    compiled(backend, made_with=None)
    assert emitted == []


def test_a_launch_whose_object_is_gone_is_made_again(backend, emitted):
    _, images = compiled(backend)
    for path in backend.cache.folder.glob("??/*.bin"):
        if path.stat().st_size > 500:
            path.unlink()
    emitted.clear()
    assert compiled(backend)[1] == images
    assert len(emitted) == len(images)


@pytest.mark.slow
def test_a_schedule_that_a_search_chose_has_an_object_of_its_own(backend, emitted):
    graph = parse(CHAIN.format(width=24))
    compiled(backend)
    emitted.clear()

    def chooser(kernel):
        others = (v.schedule for v in backend.generator.variants(kernel) if not isinstance(v, OnlyVariant))
        next(others)
        return next(others, None)

    with closing(CpuKernelObjects(backend.cpu, backend.cache, ("these rules",), 1)) as objects:
        lower(graph, backend.generator, scalars={}, named={"b": "b"}, objects=objects, chooser=chooser)
        objects.finished()
    assert emitted


def test_what_llvm_refuses_is_an_error(backend, monkeypatch):
    monkeypatch.setattr(type(backend.generator), "module_text", lambda *_: "define x")
    with pytest.raises(RuntimeError, match="expected type"):
        compiled(backend)


def test_an_error_on_the_way_gives_up_what_waits(backend, monkeypatch, emitted):
    def interrupted(objects):
        raise KeyboardInterrupt

    monkeypatch.setattr(CpuKernelObjects, "finished", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compiled(backend, threads=1)
    monkeypatch.undo()
    assert compiled(backend)[1]


@pytest.mark.slow
def test_an_llvmlite_with_another_interface_compiles_under_its_lock(backend, monkeypatch):
    wanted = compiled(backend)[1]
    backend.cache.clear()
    monkeypatch.setattr(compiler, "EMIT", "LLVMPY_EmitSomehow")
    compiler._emit.cache_clear()
    try:
        assert compiler._emit() is None
        assert compiled(backend)[1] == wanted
        with pytest.raises(RuntimeError):
            compiler.compile_ir("define void @f( {", backend.cpu)
    finally:
        monkeypatch.undo()
        compiler._emit.cache_clear()


@pytest.fixture
def canonical(backend):
    """The kernels of the chain."""
    lowered = lower(parse(CHAIN.format(width=24)), backend.generator, scalars={}, named={"b": "b"})
    return [kernel.canonical for kernel in lowered.kernels]


@pytest.fixture
def eager_workers(monkeypatch):
    monkeypatch.setattr(kernel_objects, "KERNELS_PER_WORKER", 1)


def objects_of(backend, threads=2):
    return closing(CpuKernelObjects(backend.cpu, backend.cache, generator(), threads))


def job(backend, kernels, parent=None, package=None):
    """The file that a worker reads, behind the path of modules."""
    file = io.BytesIO()
    pickle.dump(package or generator(), file)
    parent = parent or os.getppid()
    pickle.dump(kernel_objects._WorkerJob(kernels, backend.cpu, backend.cache, generator(), parent), file)
    file.seek(0)
    return file


def known(backend, kernels):
    with objects_of(backend) as objects:
        return [objects.known(kernel) is not None for kernel in kernels]


@pytest.mark.parametrize("threads", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_workers_compile_what_the_cache_lacks(backend, canonical, eager_workers, threads):
    with objects_of(backend, threads) as objects:
        objects.expect(canonical)
        assert len(objects._workers) == min(threads - 1, len(canonical))
        assert [worker.wait(60) for worker in objects._workers] == [0] * len(objects._workers)
        assert all(objects.known(kernel) for kernel in canonical)
        theirs = objects.finished()
    backend.cache.clear()
    assert theirs == compiled(backend, made_with=generator())[1]


def test_a_plan_with_workers_is_the_plan_without(backend, eager_workers):
    with_workers = compiled(backend, made_with=generator(), threads=4)
    backend.cache.clear()
    alone = compiled(backend, made_with=generator(), threads=1)
    assert (with_workers[0].plan, with_workers[1]) == (alone[0].plan, alone[1])


def test_no_worker_starts_for_few_kernels_one_thread_or_known_ones(backend, canonical, eager_workers, monkeypatch):
    def workers(threads):
        with objects_of(backend, threads) as objects:
            objects.expect(canonical)
            return len(objects._workers)

    assert workers(threads=1) == 0
    monkeypatch.setattr(kernel_objects, "KERNELS_PER_WORKER", len(canonical) + 1)
    assert workers(threads=2) == 0
    monkeypatch.setattr(kernel_objects, "KERNELS_PER_WORKER", 1)
    compiled(backend, made_with=generator(), threads=1)
    assert workers(threads=2) == 0


def test_workers_end_with_the_compilation(backend, canonical, eager_workers):
    with objects_of(backend) as objects:
        objects.expect(canonical)
    assert all(worker.returncode is not None for worker in objects._workers)


def test_a_worker_that_is_killed_loses_nothing(backend, canonical, eager_workers):
    with objects_of(backend) as objects:
        objects.expect(canonical)
        for worker in objects._workers:
            worker.kill()
        for kernel in canonical:
            if objects.known(kernel) is None:
                objects.start(kernel)
        theirs = objects.finished()
    assert theirs == compiled(backend)[1]


@pytest.mark.parametrize("executable", [None, "", "/nowhere/python"])
def test_a_program_that_cannot_start_workers_compiles_alone(backend, canonical, eager_workers, monkeypatch, executable):
    monkeypatch.setattr(sys, "executable", executable)
    with objects_of(backend) as objects:
        objects.expect(canonical)
        assert objects._workers == []


def test_a_frozen_program_is_not_started_again(backend, canonical, eager_workers, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with objects_of(backend) as objects:
        objects.expect(canonical)
        assert objects._workers == []


def test_a_worker_stops_at_a_kernel_that_another_process_has_begun(backend, canonical):
    with objects_of(backend) as objects:
        objects.start(canonical[1])
        objects.finished()
    kernel_objects.work(job(backend, canonical))
    assert known(backend, canonical[:2]) == [True, True]
    assert not any(known(backend, canonical[2:]))


def test_a_worker_stops_when_its_parent_has_ended(backend, canonical):
    kernel_objects.work(job(backend, canonical, parent=1 << 30))
    assert not any(known(backend, canonical))


def test_a_worker_of_another_version_keeps_nothing(backend, canonical):
    kernel_objects.work(job(backend, canonical, package=(*generator()[:-1], "other files")))
    assert not any(known(backend, canonical))


def test_a_worker_leaves_out_what_it_cannot_compile(backend, canonical):
    broken = replace(canonical[0], kernel=canonical[0].kernel.with_(body=()), generator=None)
    kernel_objects.work(job(backend, [broken, *canonical[1:]]))
    assert all(known(backend, canonical[1:]))
