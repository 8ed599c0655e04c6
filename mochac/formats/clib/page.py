"""The web page of a WebAssembly library: what it draws, and what its module of JavaScript knows of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mochac.base.errors import MochacError, OptionError, UnsupportedError
from mochac.formats.clib.request import Request
from mochac.nets.declared import FeedInfo
from mochac.nets.layers.base import DataLayer

FILES = {
    "{name}.js": "module.js.j2",
    "worker.js": "worker.js.j2",
    "index.html": "index.html.j2",
    "page.js": "page.js.j2",
}
"""Files of a page, and their templates."""
GIVEN_BYTES, MOST_CLASSES = 255.0, 100


def check_page(request: Request, missing: str, package: str) -> None:
    """Refuse a page for another target, for inputs that are not drawings, or if tools are missing.

    Args:
        missing: a command that this machine lacks; "": none.
    """
    target = request.cpus[0].name
    if request.cpus[0].info.arch != "wasm32":
        raise OptionError("build: a page needs WebAssembly", expected="wasm32 or wasm32-simd", got=target)
    if missing:
        hint = f"on Debian: apt install {package}; without page=, build() writes sources to link elsewhere"
        raise MochacError(f"build: a page needs {missing}, which is not on this machine's PATH", hint=hint)


def page_context(
    request: Request, feeds: Mapping[str, FeedInfo], context: Mapping[str, Any], statistics: Sequence[str]
) -> dict[str, Any]:
    """Variables of the page's templates, in addition to the library's.

    Args:
        context: the library's variables.
        statistics: names of the results of evaluate().

    Raises:
        UnsupportedError: the net predicts something else than classes of images of one channel.
    """
    tops = {row["name"]: row["top"] for row in context["inputs"]}
    predicts = [tops[name] for name in context["predict_arguments"]]
    side_y, side_x = _sides(request, predicts)
    source = feeds[predicts[0]].layer
    transformed = source.transformers if isinstance(source, DataLayer) else ()
    kinds = ("predict", "step", "test") if request.solver is not None else ("predict",)
    outputs = zip(request.outputs, context["outputs"], strict=True)
    about = {
        "net": request.net.name,
        "name": request.name,
        "real": context["real"],
        "bytes": context["instance_bytes"],
        "alignment": context["alignment"],
        "batch": context.get("samples", 0),
        "inputs": [{"name": row["top"], "elems": row["elems"]} for row in context["inputs"]],
        "outputs": [{"name": blob, "elems": row["elems"]} for blob, row in outputs],
        "statistics": list(statistics),
        **{kind: [tops[name] for name in context[f"{kind}_arguments"]] for kind in kinds},
    }  # fmt: skip
    white = GIVEN_BYTES if any(top == predicts[0] for top, _ in transformed) else 1.0
    return {"about": about, "side_x": side_x, "side_y": side_y, "white": white}


def _sides(request: Request, predicts: Sequence[str]) -> tuple[int, int]:
    """Height and width of the drawings that a net takes."""
    shape = list(request.net.blobs[predicts[0]].shape[1:])
    image = shape[1:] if len(shape) == len((1, "height", "width")) and shape[0] == 1 else shape
    classes = list(request.net.blobs[request.outputs[0]].shape[1:])
    if len(predicts) > 1 or len(image) != len(("height", "width")) or len(request.outputs) != 1:
        rule = "build: a page draws images of one channel, and shows one output"
        got = " ".join(f"{top} {request.net.blobs[top].shape[1:]}" for top in (*predicts, *request.outputs))
        raise UnsupportedError(rule, expected="an input (1, height, width) or (height, width)", got=got)
    if len(classes) != 1 or max(classes) > MOST_CLASSES:
        rule = f"build: a page shows the classes of output {request.outputs[0]!r}"
        raise UnsupportedError(rule, expected=f"a row of at most {MOST_CLASSES} numbers", got=str(classes))
    if request.solver is not None and not _learns(request):
        rule = "build: a page trains on drawings and their classes"
        expected = "a second top of data layers, of one number"
        got = " ".join(request.net.data_tops)
        raise UnsupportedError(rule, expected=expected, got=got)
    height, width = image
    return height, width


def _learns(request: Request) -> bool:
    tops = request.net.data_tops
    return len(tops) == len(("image", "label"))
