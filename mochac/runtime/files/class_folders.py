"""Folders of images, in one subfolder for each class."""

from __future__ import annotations

import os

SUFFIXES = frozenset(".jpg .jpeg .png .bmp .gif .ppm .pgm .pbm .tif .tiff .webp".split())
"""Endings of files that are images; other files are left alone."""


def class_folders(folder: str | os.PathLike[str]) -> list[str]:
    """The names of the subfolders, sorted, without hidden ones; none if there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return sorted(e.name for e in entries if e.is_dir() and not e.name.startswith("."))
    except OSError:
        return []


def images_below(folder: str) -> list[str]:
    """Paths of all images in a folder and its subfolders, sorted."""
    return sorted(
        os.path.join(place, name)
        for place, _, names in os.walk(folder, followlinks=True)
        for name in names
        if name[0] != "." and os.path.splitext(name)[1].lower() in SUFFIXES
    )
