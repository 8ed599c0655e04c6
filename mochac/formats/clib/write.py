"""Writes the files of a library, and builds it if there is a C compiler."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mochac.base.errors import MochacError, OptionError
from mochac.base.support.log import LOG, ensure_handler
from mochac.codegen.templates import template
from mochac.formats.clib import page
from mochac.formats.clib.library_text import LibraryText
from mochac.formats.clib.toolchains import Toolchain
from mochac.inspect.dump import dump

FILES = {
    "{name}.h": "library.h.j2",
    "{name}.c": "library.c.j2",
    "example.c": "example.c.j2",
    "Makefile": "Makefile.j2",
    "CMakeLists.txt": "CMakeLists.txt.j2",
    "README.md": "README.md.j2",
}
"""Files of every library, and their templates."""
THREAD_FILES = {"{name}_threads.h": "threads.h.j2", "{name}_threads.c": "threads.c.j2"}
"""Files of libraries whose instances threads share."""
HOSTED_FILES = {"example.py": "example.py.j2"}
"""Files of libraries for an operating system."""
OBJECTS, EXPLAINED, DUMP = "objects", "explain.txt", "dump"


def write_library(source: LibraryText, directory: Path, dumps: bool = False) -> Path:
    """Write all files, and with `dumps` every stage of every plan; returns the directory.

    Raises:
        OptionError: the directory cannot be written. MochacError: the C compiler refuses the frame.
    """
    ensure_handler()
    name = source.context["name"]
    try:
        objects = directory / OBJECTS
        objects.mkdir(parents=True, exist_ok=True)
        for old in objects.glob("*.o"):
            old.unlink()
        for file, image in source.objects.items():
            (objects / file).write_bytes(image)
        for file, frame in _files(source.context).items():
            (directory / file.format(name=name)).write_text(template(frame).render(source.context))
        (directory / EXPLAINED).write_text(source.explained)
    except OSError as error:
        rule = f"build: {directory} cannot be written"
        raise OptionError(rule, got=str(error.strerror or error)) from None
    for plan in source.plans if dumps else ():
        folder = directory / DUMP / str(plan.backend.cpu.name)
        folder.mkdir(parents=True, exist_ok=True)
        dump(plan.compiled.lowered(), plan.backend, folder / plan.of.name)
    _make(directory, name, source.context["toolchain"])
    return directory


def _files(context: Mapping[str, Any]) -> dict[str, str]:
    """Templates by files, both with their folders."""
    groups = {"threads": THREAD_FILES, "hosted": HOSTED_FILES}
    own = {**FILES, **{file: frame for name, group in groups.items() if context[name] for file, frame in group.items()}}
    pages = page.FILES if context["page"] else {}
    return {file: f"c/{frame}" for file, frame in own.items()} | {f: f"page/{frame}" for f, frame in pages.items()}


def _make(directory: Path, name: str, tools: Toolchain) -> None:
    """Build the libraries, if this machine has what it takes."""
    missing = "make" if shutil.which("make") is None else tools.missing
    if missing:
        package = f" (on Debian: apt install {tools.package})" if tools.package and missing != "make" else ""
        LOG.info("%s: there is no %s here%s: run make in %s where there is", name, missing, package, directory)
        return
    command = ["make", "-C", str(directory), f"CC={tools.compiler}", f"AR={tools.archiver}", "libraries"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        rule = f"build: make failed in {directory}"
        raise MochacError(rule, details=made.stderr.strip().splitlines()[-12:])
