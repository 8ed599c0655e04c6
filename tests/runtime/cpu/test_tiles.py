"""Which code may use tile registers: that of programs, where the CPU has them and the system grants them."""

from dataclasses import replace

import pytest

from mochac.base.options import Options
from mochac.runtime.cpu import backend, cpuinfo
from mochac.runtime.cpu.backend import CpuBackend, target_of
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import FEATURE, has_tiles, host_cpu, named_cpu

SAPPHIRE_RAPIDS = CpuInfo("sapphirerapids", f"+avx512f,+avx512bf16,{FEATURE}", 64, "x86_64")


@pytest.mark.parametrize("granted", [True, False])
def test_the_system_must_grant_them(granted, monkeypatch):
    monkeypatch.setattr(cpuinfo, "granted", lambda: granted)
    assert has_tiles(SAPPHIRE_RAPIDS) is granted
    assert not has_tiles(replace(SAPPHIRE_RAPIDS, features="+avx512f,+avx512bf16"))
    assert has_tiles(named_cpu("sapphirerapids")) and not has_tiles(named_cpu("znver4"))


def test_asking_is_safe_on_any_machine():
    assert cpuinfo.granted() in (True, False)
    if FEATURE not in host_cpu().features.split(","):
        assert not has_tiles(host_cpu())


def test_programs_in_float32_do_not_ask(monkeypatch):
    """Once it has granted them, Linux wants larger stacks for signals."""
    asked = list[bool]()
    monkeypatch.setattr(cpuinfo, "granted", lambda: asked.append(True) or True)
    monkeypatch.setattr(backend, "host_cpu", lambda name=None: SAPPHIRE_RAPIDS)
    assert not CpuBackend().generator.target.tiles and asked == []
    assert CpuBackend(precision="bfloat16").generator.target.tiles and asked


def test_plans_with_and_without_them_are_kept_apart():
    how = {"cpu": named_cpu("sapphirerapids"), "precision": "bfloat16"}
    own, without = CpuBackend(**how), CpuBackend(**how, tiles=False)
    assert own.generator.target.tiles and not without.generator.target.tiles
    assert own.versions != without.versions


def test_a_cpu_that_this_machine_only_stands_for_gets_none(monkeypatch):
    """MOCHAC_CPU names a CPU whose code is to run here."""
    monkeypatch.setattr(backend, "host_cpu", lambda name=None: named_cpu("sapphirerapids") if name else PLAIN)
    assert target_of(named_cpu("sapphirerapids"), tiles=True).tiles
    found = CpuBackend(replace(Options.from_env(), cpu="sapphirerapids"), precision="bfloat16")
    assert found.cpu.name == "sapphirerapids" and not found.generator.target.tiles


PLAIN = replace(SAPPHIRE_RAPIDS, features="+avx512f,+avx512bf16")
