"""WebAssembly: what Node.js and a browser compute, the page, and what is refused."""

import json
import shutil
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from browser import chromium
from nets import digits, lenet, mlp
from patience import HANG_S

import mochac
from mochac import SGD, Adam, MochacError, OptionError, Solver, UnsupportedError
from mochac.formats.clib.build import build
from mochac.formats.clib.request import toolchain
from mochac.runtime.cpu.cpuinfo import named_cpu

TARGETS = ("wasm32", "wasm32-simd")
lacking = toolchain(named_cpu("wasm32")).missing
needs_clang = pytest.mark.skipif(bool(lacking), reason=f"NO {lacking} HERE")
STEPS, BATCH = 5, 4
NODE = """
import { readFileSync } from "fs";
const [folder, given] = process.argv.slice(2);
const { Net } = await import(`${folder}/lenet_small.js`);
const net = await Net.from(readFileSync(`${folder}/lenet_small.wasm`));
const { x, y } = JSON.parse(readFileSync(given));
const said = { losses: [] };
const part = (values, each, k) => Float32Array.from(values.slice(each * k, each * (k + 1)));
for (let k = 0; k < STEPS; k++) {
  said.losses.push(net.step({ data: part(x, 784 * BATCH, k), label: part(y, BATCH, k) }));
  if (k === 1) {
    const state = net.saveState();
    net.step({ data: part(x, 784 * BATCH, 0), label: part(y, BATCH, 0) });
    net.load(state);
  }
}
said.out = Array.from(net.predict({ data: Float32Array.from(x.slice(0, 784 * 7)) }).ip2);
said.statistics = net.evaluate({ data: part(x, 784 * BATCH, 0), label: part(y, BATCH, 0) });
for (const given of [{ data: part(x, 784 * BATCH, 0) }, { data: part(x, 784, 0), label: part(y, 1, 0) }]) {
  try { net.step(given); } catch (error) { (said.errors ??= []).push(error.message); }
}
console.log(JSON.stringify(said));
""".replace("STEPS", str(STEPS)).replace("BATCH", str(BATCH))
VISIT = """<!doctype html><title>visit</title><iframe id="page" width="900" height="900" src="index.html"></iframe>
<script type="module">
import { Net } from "./lenet_small.js";
const frame = document.getElementById("page"), pause = (ms) => new Promise((done) => setTimeout(done, ms));
const said = {};
try {
  const { x } = await (await fetch("given.json")).json();
  said.out = Array.from((await Net.load()).predict({ data: Float32Array.from(x.slice(0, 784)) }).ip2);
  const inside = () => frame.contentDocument;
  while (!inside()?.body?.dataset.ready) { await pause(20); }
  const draw = (points) => {
    const paper = inside().getElementById("paper"), box = paper.getBoundingClientRect();
    const at = (kind, [x, y]) => paper.dispatchEvent(new frame.contentWindow.PointerEvent(kind,
      { bubbles: true, clientX: box.left + x, clientY: box.top + y }));
    at("pointerdown", points[0]);
    points.forEach((point) => at("pointermove", point));
    at("pointerup", points.at(-1));
  };
  const shapes = { 1: [[140, 40], [140, 240]], 7: [[60, 60], [220, 60], [120, 240]] };
  const press = (text) => [...inside().querySelectorAll("button")].find((b) => b.textContent === text).click();
  for (let k = 0; k < 6; k++) {
    for (const label of [1, 7]) {
      press("Clear");
      draw(shapes[label]);
      press(`It is ${label}`);
      while (Number(inside().body.dataset.learned ?? 0) < 2 * k + (label === 1 ? 1 : 2)) {
        if (inside().getElementById("said").textContent.includes("before")) { throw inside().getElementById("said"); }
        await pause(20);
      }
    }
  }
  said.best = [1, 7].map((label) => { press("Clear"); draw(shapes[label]); return inside().body.dataset.best; });
  said.status = inside().getElementById("said").textContent;
  said.title = inside().title;
} catch (error) { said.error = error.textContent ?? String(error); }
await fetch("said", { method: "POST", body: JSON.stringify(said) });
</script>"""


def given(folder: Path) -> Path:
    x, y = digits()
    path = folder / "given.json"
    path.write_text(
        json.dumps({"x": np.ravel(x[: BATCH * STEPS]).tolist(), "y": np.ravel(y[: BATCH * STEPS]).tolist()})
    )
    return path


@needs_clang
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="NO node HERE")
@pytest.mark.parametrize("target", TARGETS)
def test_in_node(target, tmp_path):
    """Steps, a checkpoint, predictions and statistics are those of Python."""
    net, (x, y) = lenet(batch=BATCH), digits()
    build(net, tmp_path, SGD(0.01, momentum=0.9), targets=[target], page=True)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "run.js").write_text(NODE)
    command = ["node", "run.js", str(tmp_path), str(given(tmp_path))]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    with mochac.compile(net) as program:
        Solver(SGD(0.01, momentum=0.9)).init_solve(program)
        rows = [slice(BATCH * k, BATCH * (k + 1)) for k in range(STEPS)]
        assert np.allclose(said["losses"], [program.step(data=x[r], label=y[r]) for r in rows], rtol=1e-5)
        assert np.allclose(said["out"], np.ravel(program.predict(x[:7])), rtol=1e-5, atol=1e-5)
        measured = program.evaluate(data=x[:BATCH], label=y[:BATCH])
    assert np.isclose(said["statistics"]["loss"], measured["loss"], rtol=1e-5)
    assert said["errors"] == [
        "input label: expected a multiple of 1 numbers, got undefined",
        f"step: expected {BATCH} samples, got 1",
    ]


class Folder(SimpleHTTPRequestHandler):
    """Serves a folder, and takes what a page posts."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

    def do_POST(self) -> None:
        self.server.said.append(self.rfile.read(int(self.headers["Content-Length"])))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()
        self.server.posted.set()  # type: ignore[attr-defined]

    def log_message(self, *_: object) -> None:
        pass


def visited(folder: Path) -> dict:
    """What the page of a visitor posts."""
    (folder / "visit.html").write_text(VISIT)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Folder, directory=str(folder))) as server:
        server.said, server.posted = [], threading.Event()  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        fixed = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
        url = f"http://127.0.0.1:{server.server_address[1]}/visit.html"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        browser = subprocess.Popen([chromium(), *fixed, "--remote-debugging-port=0", url], **quiet)
        try:
            assert server.posted.wait(HANG_S), "the page posted nothing"  # type: ignore[attr-defined]
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
        return json.loads(server.said[0])  # type: ignore[attr-defined]


@needs_clang
@pytest.mark.slow
@pytest.mark.skipif(not chromium(), reason="NO chromium HERE")
@pytest.mark.parametrize("target", TARGETS)
def test_in_a_browser(target, tmp_path):
    """Draws ones and sevens on the page, says what they are, and the page learns them from a net that knows nothing."""
    net, (x, _) = lenet(batch=BATCH), digits()
    build(net, tmp_path, Adam(0.001), targets=[target], page=True)
    given(tmp_path)
    said = visited(tmp_path)
    assert "error" not in said, said
    with mochac.compile(net) as program:
        assert np.allclose(said["out"], np.ravel(program.predict(x[:1])), rtol=1e-5, atol=1e-5)
    assert said["best"] == ["1", "7"] and said["title"] == "LeNet small" and said["status"].endswith("; learned")


def test_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MochacError) as refused:
        build(lenet(), tmp_path / "page", targets=["wasm32"], page=True)
    assert str(refused.value) == (
        "build: a page needs clang, which is not on this machine's PATH\n"
        "  hint: on Debian: apt install clang lld; without page=, build() writes sources to link elsewhere"
    )


@needs_clang
def test_pages_that_are_refused(tmp_path):
    with pytest.raises(OptionError, match="a page needs WebAssembly"):
        build(lenet(), tmp_path, targets=["native"], page=True)
    with pytest.raises(UnsupportedError, match="a page draws images of one channel") as refused:
        build(mlp(), tmp_path, targets=["wasm32"], page=True)
    assert "expected  an input (1, height, width) or (height, width),  got  data (6,) ip2 (2,)" in str(refused.value)
