"""`mochac convert` of a Python file to an ONNX model."""

import numpy as np
import onnxruntime
import pytest

from mochac import compile
from mochac.tools.cli.userfile import load

NET = """\
import numpy as np
from mochac import *

scale = DataTransformers.Scale(0.5)
data = MemoryDataLayer(data=[np.zeros((8, 5))], batch_size=4, tops=["data"], transformers=[("data", scale)])
net = Net("halves", [data, InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])])
"""


@pytest.mark.parametrize(("options", "factor"), [([], 1.0), (["--no-transformers"], 0.5)])
def test_the_model_takes_raw_data_unless_transformers_are_left_out(mochac, tmp_path, monkeypatch, options, factor):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(NET)
    assert mochac("convert", "net.py", "net.onnx", *options) == (0, "wrote net.onnx\n", "")
    session = onnxruntime.InferenceSession("net.onnx")
    x = np.random.default_rng(0).standard_normal((4, 5)).astype(np.float32)
    (found,) = session.run(None, {session.get_inputs()[0].name: factor * x})
    with compile(load("net.py").net) as program:
        np.testing.assert_allclose(found, program.predict(x), rtol=1e-4, atol=1e-5)
