"""Folders of images, in one subfolder for each class."""

from __future__ import annotations

import os

FORMATS = {
    "BMP": ".bmp", "GIF": ".gif", "JPEG": ".jpg .jpeg", "PNG": ".png", "PPM": ".ppm .pgm .pbm", "TIFF": ".tif .tiff",
    "WEBP": ".webp",
}  # fmt: skip
"""Supported image formats, by Pillow's names, and their suffixes. Others are refused: for some of them, whatever a
file's suffix, Pillow starts other programs (Ghostscript)."""
SUFFIXES = frozenset(" ".join(FORMATS.values()).split())
"""Files with other suffixes are ignored."""


def class_folders(folder: str | os.PathLike[str]) -> list[str]:
    """The names of the subfolders, sorted, without hidden ones; none if there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return sorted(e.name for e in entries if _is_folder(e) and not e.name.startswith("."))
    except OSError:
        return []


def images_below(folder: str) -> list[str]:
    """Paths of all images in a folder and its subfolders, sorted. Links are followed, but every folder is entered once,
    by its own path where it has one below `folder`."""
    found: list[str] = []
    entered: set[tuple[int, int]] = set()
    folders, links = [folder], list[str]()
    while folders or links:
        place = folders.pop() if folders else links.pop(0)
        try:
            status = os.stat(place)
            with os.scandir(place) as entries:
                inside = [] if (status.st_dev, status.st_ino) in entered else sorted(entries, key=lambda e: e.name)
        except OSError:  # removed meanwhile, or not to be read
            continue
        entered.add((status.st_dev, status.st_ino))
        for entry in inside:
            if _is_folder(entry):
                (links if entry.is_symlink() else folders).append(entry.path)
            elif entry.name[0] != "." and os.path.splitext(entry.name)[1].lower() in SUFFIXES:
                found.append(entry.path)
    return sorted(found)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder, or a link to one; False for links that lead in a circle."""
    try:
        return entry.is_dir()
    except OSError:
        return False
