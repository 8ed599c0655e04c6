"""Where NVIDIA's libraries are found: in wheels of either layout, else through the loader."""

import importlib.util
from types import SimpleNamespace

import pytest

from mochac.runtime.cuda import libraries
from mochac.runtime.cuda.libraries import installed
from mochac.runtime.cuda.libraries.library import CUBLAS_LT, CUDNN, load, wheel_file


@pytest.fixture
def wheels(tmp_path, monkeypatch):
    """A folder in the place of site-packages/nvidia, and a function that puts a file into it."""
    find = importlib.util.find_spec
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec if name == "nvidia" else find(name))

    def put(path):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"not a library")
        return str(tmp_path / path)

    return put


@pytest.mark.parametrize("path", ["cu13/lib/libcublasLt.so.13", "cublas/lib/libcublasLt.so.12"])
def test_in_wheels_of_either_layout(wheels, path):
    assert wheel_file(CUBLAS_LT) == ""
    put = wheels(path)
    assert wheel_file(CUBLAS_LT) == put
    assert "cublas" in installed()


def test_cudnn_takes_its_library_and_the_package_that_calls_it(monkeypatch):
    """The frontend alone, which is pure Python, is no cuDNN."""
    there = {"library": False, "package": True}
    monkeypatch.setattr(libraries, "find_library", lambda name: "")
    monkeypatch.setattr(libraries, "wheel_file", lambda names: "found" if there["library"] and names == CUDNN else "")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: there["package"] or None)
    assert installed() == ()
    there["library"] = True
    assert installed() == ("cudnn",)
    there["package"] = False
    assert installed() == ()


def test_the_newer_one_of_two(wheels):
    wheels("cublas/lib/libcublasLt.so.12")
    newer = wheels("cu13/lib/libcublasLt.so.13")
    assert wheel_file(CUBLAS_LT) == newer


def test_what_cannot_be_loaded_is_told(wheels):
    path = wheels("cu13/lib/libnothing.so.1")
    with pytest.raises(OSError) as failed:
        load(["libnothing.so.1"])
    assert str(failed.value).startswith(f"{path}: file too short; libnothing.so.1: cannot open shared object file")
