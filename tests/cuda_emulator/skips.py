"""needs_gxx: the mark of tests that build emulated CUDA code; without g++ they are skipped, and conftest.py says so."""

import pytest
from toolchain import compiler

needs_gxx = pytest.mark.skipif(compiler() is None, reason="no g++ on PATH: the CUDA emulator cannot be built")
