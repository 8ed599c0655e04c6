"""The names a user may type: found, suggested when misspelt, and known to type checkers."""

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import public_names
import pytest
from patience import HANG_S

import mochac

STUB = Path(mochac.__file__).with_suffix(".pyi")


def test_the_stub_is_up_to_date(request):
    if request.config.getoption("--update-golden"):
        STUB.write_text(public_names.render())
    assert STUB.read_text() == public_names.render(), "make golden rewrites mochac/__init__.pyi"


def test_every_name_leads_somewhere():
    assert [name for name in mochac.__all__ if getattr(mochac, name, None) is None] == []


PACKAGES = [module.name for module in pkgutil.walk_packages(mochac.__path__, "mochac.") if module.ispkg]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_of_a_package_can_be_imported(package):
    """Names that are loaded when they are first used, too: nobody reads the table of their modules before."""
    exec(f"from {package} import *", names := {})
    assert set(getattr(importlib.import_module(package), "__all__", [])) <= set(names)


@pytest.mark.parametrize(
    ("name", "tail"),
    [
        ("Adm", "; did you mean 'Adam'?"),
        ("InnerProductLyer", "; did you mean 'InnerProductLayer'?"),
        ("complie", "; did you mean 'compile'?"),
        ("xyzzy", ""),
        ("__wrapped__", ""),
    ],
)
def test_unknown_names(name, tail):
    with pytest.raises(AttributeError) as caught:
        getattr(mochac, name)
    assert str(caught.value) == f"module 'mochac' has no attribute {name!r}{tail}"


USER = """
from mochac import *
import mochac

reveal_type(Net)
reveal_type(mochac.Adam().beta1)
InnerProductLayer(name="ip", output_dim="ten")
mochac.Adm
"""


@pytest.mark.slow
def test_a_type_checker_knows_the_names(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{STUB.parents[1]}"]}}')
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "user.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S, check=False).stdout
    assert 'Type of "Net" is "type[Net]"' in said
    assert 'Type of "mochac.Adam().beta1" is "float"' in said
    assert "output_dim" in said and '"Adm" is not a known attribute' in said
    assert "2 errors" in said
