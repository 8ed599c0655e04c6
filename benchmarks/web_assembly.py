"""Predictions of LeNet for one sample by WebAssembly in Node.js, beside onnxruntime-web on one thread.

Run `npm install onnxruntime-web` in some folder, then `python benchmarks/web_assembly.py FOLDER`. All get the same
image and the same weights, in bursts in turns in one process; the times are the least of each.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from small_machines import lenet

import mochac

TARGETS = ("wasm32", "wasm32-simd")
SCRIPT = """
import { readFileSync } from "fs";
const [modules, dist] = process.argv.slice(2);
const ort = await import(`${dist}/ort.wasm.mjs`);
ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmBinary = readFileSync(`${dist}/ort-wasm-simd-threaded.wasm`);
const session = await ort.InferenceSession.create(new Uint8Array(readFileSync(`${modules}/lenet.onnx`)));
const x = Float32Array.from({ length: 784 }, (_, k) => Math.sin(k));
const feeds = { [session.inputNames[0]]: new ort.Tensor("float32", x, [1, 1, 28, 28]) };
const calls = { "onnxruntime-web": () => session.run(feeds) };
for (const target of TARGETS) {
  const { Net } = await import(`${modules}/${target}/lenet.js`);
  const net = await Net.from(readFileSync(`${modules}/${target}/lenet.wasm`));
  calls[target] = () => net.predict({ data: x });
}
const theirs = (await session.run(feeds))[session.outputNames[0]].data, ours = calls["wasm32-simd"]().out;
console.log("outputs differ by", Math.max(...ours.map((value, k) => Math.abs(value - theirs[k]))));
const least = {};
for (let round = 0; round < 150; round++) {
  for (const [name, call] of Object.entries(calls)) {
    const begin = performance.now();
    for (let k = 0; k < 20; k++) { await call(); }
    least[name] = Math.min(least[name] ?? Infinity, (performance.now() - begin) / 20);
  }
}
for (const [name, ms] of Object.entries(least)) {
  console.log(`${name}: ${ms.toFixed(3)} ms, ${(ms / least["onnxruntime-web"]).toFixed(2)} of onnxruntime-web`);
}
""".replace("TARGETS", str(list(TARGETS)))


def main() -> None:
    """Build the libraries and the model, and run the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where node_modules/onnxruntime-web is")
    dist = parser.parse_args().folder.resolve() / "node_modules" / "onnxruntime-web" / "dist"
    net = lenet()
    with tempfile.TemporaryDirectory() as place, mochac.compile(net) as program:
        for target in TARGETS:
            folder = mochac.build(net, Path(place) / target, targets=[target], params=program.params, page=True)
            (folder / "package.json").write_text('{"type": "module"}')
        mochac.onnx.save(program, Path(place) / "lenet.onnx")
        (Path(place) / "run.mjs").write_text(SCRIPT)
        subprocess.run(["node", "run.mjs", place, str(dist)], cwd=place, check=True)


if __name__ == "__main__":
    main()
