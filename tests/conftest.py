"""What all tests share: their own compile cache, so that no test depends on what another run left behind."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def _own_compile_cache(tmp_path_factory):
    """A fresh cache per session, unless the caller names one."""
    if "MOCHAC_CACHE_DIR" not in os.environ:
        os.environ["MOCHAC_CACHE_DIR"] = str(tmp_path_factory.mktemp("compile-cache"))
        yield
        del os.environ["MOCHAC_CACHE_DIR"]
    else:
        yield
