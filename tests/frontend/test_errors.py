"""Messages: their form, exceptions that carry several, environment variables."""

from __future__ import annotations

import inspect
import os
import pickle
import pwd
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import mochac
from mochac.base import errors
from mochac.base.errors import InternalError, MochacError, NetError, OptionError, ShapeError, combined, message
from mochac.base.options import Options

CLASSES = [c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__]


def test_the_whole_form():
    assert message(
        "ShapeError",
        layer="conv2",
        type="Convolution",
        rule="kernel does not fit its input",
        expected="height + 2*pad >= kernel",
        got="4 + 2*0 < 5",
        details=["bottom 'pool1': f32[64,20,4,4] (batch, channels, height, width), from layer 'pool1', lenet.py:14"],
        hint="pad=(1, 1), or a kernel of at most (4, 4)",
        at="lenet.py:18",
    ) == (
        "ShapeError: layer 'conv2' (Convolution): kernel does not fit its input\n"
        "  expected  height + 2*pad >= kernel,  got  4 + 2*0 < 5\n"
        "  bottom 'pool1': f32[64,20,4,4] (batch, channels, height, width), from layer 'pool1', lenet.py:14\n"
        "  hint: pad=(1, 1), or a kernel of at most (4, 4)\n"
        "  at lenet.py:18"
    )


def test_parts_left_out_leave_nothing():
    assert message(rule="no") == "no"
    assert message("NetError", rule="no", got="3") == "NetError: no\n  got  3"


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_every_class_says_causes_and_survives_pickling(cls):
    assert issubclass(cls, MochacError)
    assert len(cls.__doc__) > 80
    assert ">>> " in cls.__doc__
    error = cls("rule", layer="ip1", hint="fix it")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.report, again.layer) == (cls, error.report, "ip1")
    assert error.report.startswith(f"{cls.__name__}: layer 'ip1': rule\n")


def test_combined_keeps_a_single_error_and_its_class():
    one = ShapeError("a")
    assert combined([one], "net 'n'") is one
    assert type(combined([one, ShapeError("b")], "net 'n'")) is ShapeError
    mixed = combined([one, NetError("b", hint="c")], "net 'n'")
    assert type(mixed) is NetError
    assert mixed.problems[0] is one
    assert str(mixed) == "net 'n' has 2 problems\n  1. ShapeError: a\n  2. NetError: b\n       hint: c"


def test_internal_errors_say_how_to_reproduce():
    assert str(InternalError("no", reproduce="mochac replay dump/")).endswith(
        "  this is a bug in mochac; reproduce:  mochac replay dump/"
    )


def test_options_have_defaults():
    options = Options.from_env({"HOME": "/nowhere"})
    assert (options.backend, options.cache, options.threads, options.verify) == ("auto", True, None, False)
    assert (options.debug, options.check, options.cpu, options.data) == (0, "", "", None)
    assert (options.cache_dir, options.cuda_device) == (Path("/nowhere/.cache/mochac"), None)


def test_options_are_read_from_the_environment():
    options = Options.from_env(
        {
            "MOCHAC_BACKEND": "cpu",
            "MOCHAC_CACHE_DIR": "cache",
            "MOCHAC_CACHE": "0",
            "MOCHAC_THREADS": " 3 ",
            "MOCHAC_VERIFY": "1",
            "MOCHAC_DEBUG": "5",
            "MOCHAC_CHECK": "nan",
            "MOCHAC_CPU": "skylake-avx512",
            "MOCHAC_CUDA_DEVICE": "1",
            "MOCHAC_CUDA_NVTX": "1",
            "MOCHAC_CUDA_STREAMS": "2",
            "MOCHAC_CUDA_TIME_CALLS": "0",
            "MOCHAC_CUDA_WATCH": "1",
            "MOCHAC_PERF": "on",
            "MOCHAC_RESIDENT": "off",
            "MOCHAC_DATA": "data",
        }
    )
    assert options == Options(
        backend="cpu",
        cache_dir=Path("cache"),
        cache=False,
        threads=3,
        verify=True,
        debug=5,
        check="nan",
        cpu="skylake-avx512",
        cuda_device=1,
        cuda_nvtx=True,
        cuda_streams=2,
        cuda_time_calls=False,
        cuda_watch=True,
        perf=True,
        resident=False,
        data=Path("data"),
    )


def test_the_cache_follows_xdg():
    assert Options.from_env({"XDG_CACHE_HOME": "/x"}).cache_dir == Path("/x/mochac")
    assert Options.from_env({"XDG_CACHE_HOME": "x", "HOME": "/nowhere"}).cache_dir == Path("/nowhere/.cache/mochac")
    account = Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert Options.from_env({"XDG_CACHE_HOME": "./x", "HOME": "y"}).cache_dir == account / ".cache" / "mochac"
    assert Options.from_env({"XDG_CACHE_HOME": "/x", "MOCHAC_CACHE_DIR": "y"}).cache_dir == Path("y")
    assert Options.from_env({"XDG_CACHE_HOME": "", "HOME": "/nowhere"}).cache_dir == Path("/nowhere/.cache/mochac")


def test_the_cache_of_a_user_without_a_home_is_no_other_users(monkeypatch):
    account = pwd.getpwuid(os.getuid())
    assert Options.from_env({}).cache_dir == Path(account.pw_dir) / ".cache" / "mochac"

    def no_account(user):
        raise KeyError(user)

    monkeypatch.setattr(pwd, "getpwuid", no_account)
    assert Options.from_env({}).cache_dir == Path(tempfile.gettempdir()) / f"mochac-{os.geteuid()}"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MOCHAC_THREADS", "0", "an integer from 1 to 4096"),
        ("MOCHAC_THREADS", "two", "an integer from 1 to 4096"),
        ("MOCHAC_DEBUG", "6", "an integer from 0 to 5"),
        ("MOCHAC_CUDA_DEVICE", "1024", "an integer from 0 to 1023"),
        ("MOCHAC_CUDA_DEVICE", "-1", "an integer from 0 to 1023"),
        ("MOCHAC_CUDA_STREAMS", "33", "an integer from 1 to 32"),
        ("MOCHAC_CACHE", "maybe", "0 or 1"),
        ("MOCHAC_VERIFY", "2", "0 or 1"),
        ("MOCHAC_CHECK", "inf", "nan"),
    ],
)
def test_bad_variables_are_named(name, value, words):
    with pytest.raises(OptionError) as caught:
        Options.from_env({name: value})
    assert name in str(caught.value)
    assert words in str(caught.value)
    assert f"got  {value!r}" in str(caught.value)


def test_import_loads_nothing_heavy():
    code = "import sys, mochac; print([m for m in ('numpy', 'h5py', 'llvmlite', 'jinja2') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names():
    assert {"ConvolutionLayer", "Net", "Neurons", "XavierInitializer", "SGD", "OptionError"} <= set(mochac.__all__)
    assert set(mochac.__all__) <= set(dir(mochac))
    assert [name for name in mochac.__all__ if getattr(mochac, name, None) is None] == []
    assert mochac.ConvolutionLayer is mochac.ConvolutionLayer
    with pytest.raises(AttributeError, match="no attribute 'ConvLayer'"):
        _ = mochac.ConvLayer
