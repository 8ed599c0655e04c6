"""Names in C for what has any text as its name in a net."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from functools import cache

from mochac.base.escaping import RESERVED_IN_C, identifiers
from mochac.codegen.templates import FOLDER

TAKEN = frozenset(
    "net n loss results given_ made_ predict_samples train_on evaluate_samples block bytes code i memory library check "
    "array address size begin np ctypes print str size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t "
    "uint64_t intptr_t uintptr_t ptrdiff_t".split()
)
"""Names inside of the functions that take blobs and of the examples; types of standard headers."""
INCLUDED = frozenset(
    "abort abs atexit atof atoi atol atoll bsearch calloc clearerr div exit fclose feof ferror fflush fgetc fgetpos "
    "fgets fopen fprintf fputc fputs fread free freopen fscanf fseek fsetpos ftell fwrite getc getchar getenv gets "
    "index labs ldiv llabs lldiv main malloc mblen mbtowc memchr memcmp memcpy memmove memset perror printf putc "
    "putchar puts qsort rand random read realloc remove rename rewind rindex scanf select setbuf setvbuf sprintf "
    "srand sscanf strcat strchr strcmp strcpy strlen strstr strtod strtok strtol system time tmpfile tmpnam ungetc "
    "wctomb write".split()
)
"""Functions of the headers that programs include beside a library's."""
PYTHON = frozenset(keyword.kwlist)
"""Keywords of Python: one of the examples is in Python."""
HEADERS = frozenset(
    "aio alloca arpa assert complex cpuid cpio ctype dirent dlfcn elf errno fcntl features fenv float fmtmsg "
    "fnmatch ftw glob grp iconv immintrin inttypes iso646 langinfo libgen limits link locale malloc math memory "
    "monetary mqueue ndbm netdb nl_types omp poll pthread pwd regex sched search semaphore setjmp signal spawn "
    "stdalign stdarg stdatomic stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string strings stropts "
    "syslog tar termios tgmath threads time trace uchar ulimit unistd utime utmpx values wchar wctype wordexp "
    "xmmintrin".split()
)
"""Headers of C and POSIX, which a library's header of the same name could hide."""
TARGETS = frozenset(
    "all clean help install package test example objects libraries edit_cache rebuild_cache index page worker".split()
)
"""Targets of make and CMake, and files of a library."""
MATHEMATICS = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma "
    "fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint "
    "lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt "
    "tan tanh tgamma trunc y0 y1 yn".split()
)
"""Functions of math.h."""
MAX_CHARACTERS = 60
"""Maximum length of a library's name; names of its files and symbols are longer."""
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
    """A library's name in C for any text; names of its functions begin with it.

    >>> identifier("LeNet-5 (small)"), identifier("2 moons"), identifier("double"), identifier("string")
    ('lenet_5_small', 'net_2_moons', 'net_double', 'net_string')
    """
    name = re.sub(r"[^a-z0-9]+", "_", text.lower())[:MAX_CHARACTERS].strip("_")
    if not name:
        return "net"
    groups = (RESERVED_IN_C, PYTHON, INCLUDED, HEADERS, TARGETS, MATHEMATICS, frame_names())
    taken = name.endswith("_t") or any(name in group for group in groups)
    return name if name[0].isalpha() and not taken else f"net_{name}"


def arguments(texts: Iterable[str]) -> dict[str, str]:
    """Distinct names of parameters of functions, by text.

    >>> arguments(["data", "a-b", "a_b", "int", "n", "memcpy"])
    {'data': 'data', 'a-b': 'a_b', 'a_b': 'a_b_2', 'int': 'int_', 'n': 'n_2', 'memcpy': 'memcpy_2'}
    """
    return identifiers(texts, TAKEN | PYTHON | INCLUDED | frame_names())
