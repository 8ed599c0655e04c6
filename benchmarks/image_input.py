"""Images from a folder, in batches: ImageFolderLayer beside PyTorch's DataLoader, in images a second.

Run `python benchmarks/image_input.py [--rounds 5] [--workers N] [--record]`. It writes JPEG files of two sizes to a
temporary folder. In every round each contender reads all of them once, augmented, and makes float32 batches; there is
no training. PyTorch's data set does what torchvision's transforms do, with Pillow and tensors.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from contest import report
from PIL import Image

from mochac import Augment, DataTransformers, ImageFolderLayer
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import open_source

INTRO = """# Images from a folder

Images a second that ImageFolderLayer and PyTorch's DataLoader decode, augment and put into batches, without training:
medians over rounds in which all contenders read the same files in turn. Written by
`python benchmarks/image_input.py --record`.
"""
MEAN, STD = (125.0, 123.0, 114.0), (63.0, 62.0, 67.0)
HEAD = ("contender", "images/s", "least to most")


@dataclass(frozen=True)
class Files:
    """A set of files.

    Attributes:
        shape: (height, width) of the files. size: height and width in a batch.
        crop: cut out parts at random and resize them; else move the image by up to 4 pixels.
    """

    title: str
    count: int
    shape: tuple[int, int]
    size: int
    crop: bool


SETS = (
    Files("32 x 32, moved by up to 4 pixels, mirrored", 3000, (32, 32), 32, False),
    Files("500 x 375, random parts resized to 224 x 224, mirrored", 300, (375, 500), 224, True),
)
BATCH = 50

Pass = Callable[[], int]
"""Reads all images once; returns how many."""


def main(argv: Sequence[str] | None = None) -> int:
    """Both sets of files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes of the contenders that have any")
    parser.add_argument("--share", type=float, default=1.0, help="of the files")
    parser.add_argument("--record", action="store_true", help="write results/image_input.md")
    options = parser.parse_args(argv)
    sections = [f"{report.circumstances()}."]
    for files in SETS:
        with tempfile.TemporaryDirectory() as folder:
            write(files, Path(folder), int(files.count * options.share))
            found = measure(files, folder, options)
        rows = [[name, f"{statistics.median(r):.0f}", f"{min(r):.0f} to {max(r):.0f}"] for name, r in found.items()]
        note = f"{os.cpu_count()} CPUs. {options.rounds} rounds; a pass of the workers includes starting them."
        sections.append(f"### {files.title}\n\n{report.table(HEAD, rows)}\n\n{note}")
        print(f"{sections[-1]}\n", flush=True)
    if options.record:
        path = report.record("image_input", INTRO, "\n\n".join(sections))
        print(f"written: {path}")
    return 0


def write(files: Files, folder: Path, count: int) -> None:
    """Smooth random pictures, which compress about as photographs do."""
    rng = np.random.default_rng(0)
    for k in range(count):
        place = folder / f"class{k % 10}"
        place.mkdir(exist_ok=True)
        coarse = rng.integers(0, 256, (files.shape[0] // 4, files.shape[1] // 4, 3), np.uint8)
        Image.fromarray(coarse).resize(files.shape[::-1], Image.Resampling.BICUBIC).save(place / f"{k}.jpg", quality=90)


def measure(files: Files, folder: str, options: argparse.Namespace) -> dict[str, list[float]]:
    """Images a second by contender, of each round."""
    found: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        for name, one in contenders(files, folder, options.workers):
            begin = time.perf_counter()
            n = one()
            found.setdefault(name, []).append(n / (time.perf_counter() - begin))
    return found


def contenders(files: Files, folder: str, workers: int) -> Iterator[tuple[str, Pass]]:
    """All of them, made anew."""
    for n in (0, workers):
        feed = mochac_feed(files, folder, n)
        how = f"{n} workers" if n else "threads"
        yield f"mochac, {how}", lambda feed=feed: drained(feed)
        if not files.crop:
            yield f"mochac, {how}, later epochs", lambda feed=feed: drained(feed)
        feed.close()
    try:
        import torch  # noqa: F401
    except ImportError:
        print("PyTorch is not installed", file=sys.stderr)
        return
    for n in (0, workers):
        yield f"PyTorch DataLoader, num_workers={n}", torch_pass(files, folder, n)


def mochac_feed(files: Files, folder: str, workers: int) -> Feed:
    """What a training reads from."""
    first = Augment.RandomResizedCrop() if files.crop else Augment.RandomCrop(pad=4)
    layer = ImageFolderLayer(
        folder=folder,
        size=files.size,
        batch_size=BATCH,
        workers=workers,
        augment=(first, Augment.RandomFlip()),
        transformers=[("data", DataTransformers.Normalize(mean=MEAN, std=STD))],
    )
    return Feed([open_source(layer)])


def drained(feed: Feed) -> int:
    """One pass: whatever has been read ahead belongs to it."""
    done = 0
    while done < feed.n_samples:
        n = feed.wait(-(-feed.n_samples // BATCH))
        feed.release(n)
        done += n * BATCH
    return done


def torch_pass(files: Files, folder: str, workers: int) -> Pass:
    """A pass through PyTorch's DataLoader."""
    import torch

    paths = sorted(Path(folder).glob("*/*.jpg"))
    mean, std = (torch.tensor(v).reshape(3, 1, 1) for v in (MEAN, STD))
    crop = Augment.RandomResizedCrop()
    draw = np.random.default_rng(1)

    class Folder(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return len(paths)

        def __getitem__(self, k: int) -> tuple[torch.Tensor, int]:
            with paths[k].open("rb") as file:
                image = Image.open(file).convert("RGB")
            if files.crop:
                top, left, height, width = crop.box(image.height, image.width, draw)
                box, size = (left, top, left + width, top + height), (files.size, files.size)
                image = image.crop(tuple(map(int, box))).resize(size, Image.Resampling.BILINEAR)
            else:
                padded = Image.new("RGB", (image.width + 8, image.height + 8))
                padded.paste(image, (4, 4))
                x, y = random.randrange(9), random.randrange(9)
                image = padded.crop((x, y, x + files.size, y + files.size))
            if random.random() < 0.5:
                image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            pixels = torch.from_numpy(np.array(image)).permute(2, 0, 1).contiguous().float()
            return pixels.sub_(mean).div_(std), int(paths[k].parent.name[-1])

    loader = torch.utils.data.DataLoader(Folder(), batch_size=BATCH, shuffle=True, num_workers=workers)

    def run() -> int:
        torch.set_num_threads(1)
        return sum(len(labels) for _, labels in loader)

    return run


if __name__ == "__main__":
    raise SystemExit(main())
