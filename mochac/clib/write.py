"""Writes the files of a library, and builds it if there is a C compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from mochac.clib.library_text import LibraryText
from mochac.codegen.templates import template
from mochac.errors import MochacError, OptionError
from mochac.inspect.dump import dump
from mochac.runtime.cpu.compiler import arch as host_arch
from mochac.runtime.support.log import LOG, ensure_handler

FILES = {
    "{name}.h": "library.h.j2",
    "{name}.c": "library.c.j2",
    "{name}_threads.h": "threads.h.j2",
    "{name}_threads.c": "threads.c.j2",
    "example.c": "example.c.j2",
    "example.py": "example.py.j2",
    "Makefile": "Makefile.j2",
    "CMakeLists.txt": "CMakeLists.txt.j2",
    "README.md": "README.md.j2",
}
"""Files of a library, and their templates."""
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
        for file, frame in FILES.items():
            (directory / file.format(name=name)).write_text(template(f"c/{frame}").render(source.context))
        (directory / EXPLAINED).write_text(source.explained)
    except OSError as error:
        rule = f"build: {directory} cannot be written"
        raise OptionError(rule, got=str(error.strerror or error)) from None
    for plan in source.plans if dumps else ():
        folder = directory / DUMP / str(plan.backend.cpu.name)
        folder.mkdir(parents=True, exist_ok=True)
        dump(plan.compiled.lowered(), plan.backend, folder / plan.of.name)
    _make(directory, name, source.context["arch"])
    return directory


def _make(directory: Path, name: str, arch: str) -> None:
    """Build the libraries, if this machine has what it takes."""
    tools = _tools(arch)
    if shutil.which("make") is None or not all(map(shutil.which, tools.values())):
        LOG.info("%s: no make and C compiler for %s here: run make in %s where there are", name, arch, directory)
        return
    command = ["make", "-C", str(directory), *(f"{tool}={path}" for tool, path in tools.items()), "libraries"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        rule = f"build: make failed in {directory}"
        raise MochacError(rule, details=made.stderr.strip().splitlines()[-12:])


def _tools(arch: str) -> dict[str, str]:
    """The C compiler and archiver for an architecture, by their names in the Makefile."""
    if arch != host_arch():
        return {"CC": f"{arch}-linux-gnu-gcc", "AR": f"{arch}-linux-gnu-ar"}
    return {"CC": os.environ.get("CC", "cc"), "AR": os.environ.get("AR", "ar")}
