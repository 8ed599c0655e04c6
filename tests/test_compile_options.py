"""CompileOptions: the record that compile(), explain(), dump() and the command line share."""

import inspect
from argparse import ArgumentParser
from dataclasses import fields

import numpy as np
import pytest

import mochac
from mochac.api.compiler import compile, dump, explain
from mochac.base.errors import OptionError
from mochac.base.options import CompileOptions
from mochac.tools.cli.command import compile_arguments, compile_options

DEFAULTS = {field.name: field.default for field in fields(CompileOptions)}


@pytest.mark.parametrize("function", [compile, explain, dump])
def test_keywords_of_the_public_functions_are_its_fields(function):
    parameters = inspect.signature(function).parameters
    given = {
        name: p.default
        for name, p in parameters.items()
        if name not in ("net", "params", "directory", "many", "ranks", "unknown")
    }
    assert given == {name: DEFAULTS[name] for name in given}
    if function is compile:
        assert set(given) == {*DEFAULTS} - {"target"}


def test_values_are_brought_into_one_form():
    options = CompileOptions(dtype=np.float64, keep="ip", libraries=["cudnn", "cublas", "cudnn"], seed=np.int64(3))
    assert (options.dtype, options.keep, options.libraries) == ("float64", ("ip",), ("cublas", "cudnn"))
    assert type(options.seed) is int
    assert options == CompileOptions(dtype="float64", keep=["ip"], libraries=("cublas", "cudnn"), seed=3)


@pytest.mark.parametrize("function", [compile, explain])
def test_all_refuse_with_one_message(function):
    net = mochac.Net("n", [mochac.InputLayer(name="x", shape=(2, 3))])
    with pytest.raises(OptionError) as error:
        function(net, dtype="float16")
    with pytest.raises(OptionError) as same:
        CompileOptions(dtype="float16")
    assert str(error.value) == str(same.value)


def test_the_command_line_has_the_defaults():
    parser = ArgumentParser()
    compile_arguments(parser)
    assert compile_options(parser.parse_args(["net.py"])) == CompileOptions()
    args = parser.parse_args(["net.py", "--libraries", "cudnn", "--nondeterministic", "--device", "1"])
    assert compile_options(args) == CompileOptions(libraries=("cudnn",), deterministic=False, device=1)
    args = parser.parse_args(["net.py", "--convolutions", "direct"])
    assert compile_options(args) == CompileOptions(convolutions="direct")


@pytest.mark.parametrize("option", ["mode", "dtype", "tune", "precision", "convolutions"])
@pytest.mark.parametrize("value", [np.arange(2), ["direct"], 3, {}])
def test_a_choice_of_another_type_is_out_of_range(option, value):
    with pytest.raises(OptionError, match=rf"^{option} is out of range\n"):
        CompileOptions(**{option: value})
