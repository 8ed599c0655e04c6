"""Templates of generated code: Jinja2 files in mochac/templates, a folder for each backend."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mochac.base.escaping import c_string, comment, markdown, markup, script

if TYPE_CHECKING:
    import jinja2

FOLDER = Path(__file__).parents[1] / "templates"


@cache
def template(name: str) -> jinja2.Template:
    """A template by its path in mochac/templates, such as "cuda/module.cu.j2"; undefined variables are errors."""
    import jinja2  # imported here, since it takes 20 ms and most programs need no template

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(comment=comment, c_string=c_string, markdown=markdown, markup=markup, script=script)
    return environment.get_template(name)
