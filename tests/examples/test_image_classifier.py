"""examples/image-classifier on a small budget: pictures, training, the same accuracy from files, and its script."""

import re

import pytest
from examples.running import copied, run


@pytest.mark.slow
def test_it_trains_and_names_pictures(tmp_path):
    for package in ("google.protobuf", "PIL", "sklearn"):
        pytest.importorskip(package, reason=f"the example needs {package}")
    folder = copied("image-classifier", tmp_path)
    first = run("image-classifier/image_classifier.py", "--max-iter", 150, cwd=tmp_path)
    accuracy = float(re.search(r"^test accuracy ([\d.]+)%$", first, re.MULTILINE)[1])
    right, of = map(int, re.search(r"^(\d+) of (\d+) test images", first, re.MULTILINE).groups())
    assert (of, accuracy) == (297, round(100 * right / of, 2))  # the deploy net over PNG files = the test net over HDF5
    assert accuracy > 85
    again = run("image_classifier.py", "data/pictures/0000.png", cwd=folder)
    assert re.fullmatch(r"0000.png: zero [\d.]+%, \w+ [\d.]+%, \w+ [\d.]+%\n", again)
    run("-m", "mochac", "convert", "data/mean.binaryproto", "data/mean.h5", cwd=folder)
    run("-m", "mochac", "convert", "digits_solver.prototxt", "digits.py", "--data", "data", cwd=folder)
    assert "conv1" in run("-c", "import digits; print(digits.solver, digits.conv1)", cwd=folder)
