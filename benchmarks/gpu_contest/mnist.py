"""LeNet on MNIST until 99 % of the test digits are right: seconds from the start of the process; gpu.py runs it.

MOCHAC_DATA names the folder that holds mnist/ with the four files of the dataset.
"""

import time

begin = time.perf_counter()

import gzip  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

import mochac  # noqa: E402
from gpu_contest.tasks import TASKS  # noqa: E402
from gpu_contest.with_mochac import lenet  # noqa: E402
from mochac import SGD, AccuracyLayer, LRPolicy, MemoryDataLayer, MomPolicy, Net, SoftmaxLossLayer  # noqa: E402


def idx(name: str) -> np.ndarray:
    raw = gzip.open(os.path.join(os.environ["MOCHAC_DATA"], "mnist", name)).read()
    shape = [int.from_bytes(raw[4 + 4 * k : 8 + 4 * k], "big") for k in range(raw[3])]
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def data(part: str, batch: int, shuffle: bool) -> MemoryDataLayer:
    images, labels = idx(f"{part}-images-idx3-ubyte.gz"), idx(f"{part}-labels-idx1-ubyte.gz")
    scaled = images[:, None].astype(np.float32) / 255
    scaled.flags.writeable = False  # it will not change, and may stay on the device from one train() to the next
    return MemoryDataLayer(name="in", data=[scaled, labels], batch_size=batch, tops=["data", "label"], shuffle=shuffle)


body = lenet(TASKS["lenet-64"])
judge = AccuracyLayer(name="accuracy", bottoms=["ip2", "label"])
net = Net("train", [data("train", 64, True), *body, SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"])])
program = mochac.compile(net, backend="cuda")
test = mochac.compile(Net("test", [data("t10k", 1000, False), *body, judge]), backend="cuda", params=program.params)
found = []
for epoch in range(1, 9):
    method = SGD(lr_policy=LRPolicy.Fixed(0.02 * 0.7**epoch), mom_policy=MomPolicy.Fixed(0.9))
    program.train(method, max_iter=938, verbose=0)
    right = test.evaluate()["accuracy-accuracy"]
    found.append([epoch, right, time.perf_counter() - begin])
    Path(sys.argv[1]).write_text(json.dumps(found))
    print(f"epoch {epoch}: {right:.4f} after {time.perf_counter() - begin:.2f} s", flush=True)
    if right >= 0.99:
        break
