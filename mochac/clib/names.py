"""Names in C for what has any text as its name in a net."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from mochac.codegen.templates import FOLDER

KEYWORDS = frozenset(
    "alignas alignof and asm auto bitand bitor bool break case catch char class compl const constexpr continue "
    "decltype default delete do double else enum explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not nullptr operator or private protected public register restrict return short "
    "signed sizeof static struct switch template this thread_local throw true try typedef typeid typename union "
    "unsigned using virtual void volatile while xor".split()
)
"""Of C99 and of C++."""
TAKEN = frozenset("net n loss results given_ made_ predict_samples train_on evaluate_samples".split())
"""Names that the functions that take blobs use themselves."""
INCLUDED = frozenset(
    "abort abs atexit atof atoi atol atoll bsearch calloc clearerr div exit fclose feof ferror fflush fgetc "
    "fgetpos fgets fopen fprintf fputc fputs fread free freopen fscanf fseek fsetpos ftell fwrite getc getchar "
    "getenv gets index labs ldiv llabs lldiv main malloc mblen mbtowc memchr memcmp memcpy memmove memset perror "
    "printf putc putchar puts qsort rand random read realloc remove rename rewind rindex scanf select setbuf "
    "setvbuf sprintf srand sscanf strcat strchr strcmp strcpy strlen strstr strtod strtok strtol system time "
    "tmpfile tmpnam ungetc wctomb write".split()
)
"""Functions of the headers that programs include beside a library's."""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARED = re.compile(
    r"^(?:static|typedef|extern|HIDDEN|\}|struct|enum)\W[^\n]*?\b(?!enum|struct)([a-z]\w*)(?=\(|\[|;| \{| =)",
    re.MULTILINE,
)


@cache
def frame_names() -> frozenset[str]:
    """What the C code of every library declares; the pool of threads is a file of its own."""
    texts = [COMMENT.sub("", path.read_text()) for path in sorted((FOLDER / "c").glob("*.c.j2"))]
    return frozenset(name for text in texts for name in DECLARED.findall(text))


def identifier(text: str) -> str:
    """A name in C for any text.

    >>> identifier("LeNet-5 (small)"), identifier("2 moons"), identifier("double")
    ('lenet_5_small', 'net_2_moons', 'net_double')
    """
    words = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    if not words:
        return "net"
    taken = words in KEYWORDS or words in INCLUDED or words in frame_names()
    return words if words[0].isalpha() and not taken else f"net_{words}"


def arguments(texts: Iterable[str]) -> dict[str, str]:
    """Distinct names of parameters of functions, by text.

    >>> arguments(["data", "a-b", "a_b", "int", "n"])
    {'data': 'data', 'a-b': 'a_b', 'a_b': 'a_b_', 'int': 'int_', 'n': 'n_'}
    """
    names: dict[str, str] = {}
    for text in texts:
        name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "blob"
        name = f"blob_{name}" if name[0].isdigit() else name
        while name in KEYWORDS or name in TAKEN or name in names.values():
            name += "_"
        names[text] = name
    return names
