"""An ONNX model as a Python file that users can read, change and train: `mochac convert model.onnx net.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mochac.base.escaping import docstring
from mochac.base.files.onnx.read import read_model
from mochac.formats.onnx.loading import converted, net_of
from mochac.nets.source import TAKEN, expression, list_statement, statement, variables
from mochac.runtime.data.model_file import save_model


def onnx_script(
    source: Path, target: Path, batch_axis: int | None = 0, extents: Mapping[str, int] | None = None,
    trained: Sequence[str] = (),
) -> list[Path]:  # fmt: skip
    """Write the net to `target`, and its parameters to an HDF5 file beside it; returns the paths.

    Args:
        batch_axis, extents, trained: as in mochac.onnx.load.

    Raises: as mochac.onnx.load.
    """
    loaded = converted(read_model(source), str(source), batch_axis=batch_axis, extents=extents, trained=trained)
    net = net_of(loaded, str(source))
    model = target.with_suffix(".h5")
    names = variables([layer.name for layer in net.layers], TAKEN)
    lines = [f'"""{docstring(net.name)}, converted from the ONNX model {docstring(source.name)}."""', ""]
    lines += ["import mochac", "from mochac import *", ""]
    lines += [statement(name, layer) for name, layer in zip(names, net.layers, strict=True)]
    lines += ["", list_statement(f"net = Net({expression(net.name)}, [", names, "])"), "", ""]
    lines += ['if __name__ == "__main__":']
    dtype = "" if loaded.dtype == "float32" else f', dtype="{loaded.dtype}"'
    lines += [f"    program = mochac.compile(net{dtype})", f"    program.load({expression(model.name)})", ""]
    target.write_text("\n".join(lines), encoding="utf-8")
    save_model(model, loaded.arrays)
    return [target, model]
