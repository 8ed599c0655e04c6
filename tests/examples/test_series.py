"""examples/series on a small budget."""

import re

import pytest
from examples.running import copied, run


@pytest.mark.slow
def test_it_comes_near_to_last_years_course(tmp_path):
    pytest.importorskip("statsmodels")
    out = run("forecast.py", "--max-iter", 150, "--threads", 1, cwd=copied("series", tmp_path))
    ((said, course),) = re.findall(r"error ([\d.]+) ppm, of last year's course ([\d.]+)", out)
    assert float(said) < 1.0
    assert float(course) == 0.668
