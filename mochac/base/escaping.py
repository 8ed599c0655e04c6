r"""Escaping of names and other text from users and files, for every format that they are written to.

Names of nets, layers, blobs, parameters, statistics and files may contain any character that `fault_of` accepts. Text
that goes elsewhere (C, CUDA, HTML, SVG, HDF5, file names, logs) goes through a function of this file. Escapes are
Python's (`\x1b`), or those of URLs (`%2F`) in names of datasets, and can be decoded.

`template` returns the Jinja2 files of mochac/templates, with these functions as filters.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Container, Iterable
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jinja2

RESERVED_IN_C = frozenset(
    # C11 and C23
    "alignas alignof auto bool break case char const constexpr continue default do double else enum extern false float "
    "for goto if inline int long nullptr register restrict return short signed sizeof static static_assert struct "
    "switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while asm "
    # C++
    "and and_eq bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl concept "
    "const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept "
    "not not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template this throw "
    "try typeid typename using virtual wchar_t xor xor_eq "
    # macros of headers, and of GNU C for the system that it compiles for
    "assert complex errno i386 imaginary linux noreturn offsetof stderr stdin stdout unix main".split()
)
"""Words that cannot name a variable, function or type in C or C++."""
_HIDDEN = re.compile(r"[^ -~]")
_SPLITTING = frozenset("Cc Cs Zl Zp".split())
"""Unicode categories that names cannot contain: control characters, halves of surrogate pairs, line separators."""
_IN_WORD = re.compile(r"[\s%\[\](),:{}=#\"\\]")
_PYTHONS = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
_IN_COMMENT = re.compile(r"\\|(?<=\*)/|(?<=/)\*|(?<=\?)\?")
_IN_FILE_NAME = re.compile(r"[^\w.+-]", re.ASCII)
_ESCAPE = re.compile(rb"%([0-9A-F]{2})")
MAX_FILE_NAME = 120
"""Maximum bytes of a name inside a file name, which has at most 255."""


def fault_of(name: str) -> str:
    """Why a text cannot be a name; "" if it can.

    >>> fault_of("/conv1/Gemm"), fault_of("a\\nb")
    ('', "a name cannot contain the character '\\\\n'")
    """
    bad = next((c for c in name if unicodedata.category(c) in _SPLITTING), "")
    if bad == "\0":
        return "a name cannot contain the character NUL"
    if "\ud800" <= bad <= "\udfff":
        return "a name must be valid Unicode"
    return f"a name cannot contain the character {bad!r}" if bad else ""


def visible(text: str, keep: str = "") -> str:
    """Text for terminals, logs and one-line formats: characters that are not printable (control characters, ANSI
    escapes, changes of the writing direction) are escaped as in Python.

    Args:
        keep: characters to leave as they are, such as line ends.

    >>> visible("caf\\xe9 \\x1b[31mred\\u202e"), visible("a\\nb", keep="\\n") == "a\\nb"
    ('café \\\\x1b[31mred\\\\u202e', True)
    """
    if text.isprintable():
        return text
    return _HIDDEN.sub(lambda c: c[0] if c[0].isprintable() or c[0] in keep else _escape(c[0]), text)


@lru_cache(maxsize=65536)
def word(name: str) -> str:
    """A name in the text of kernels and schedules: delimiters such as spaces and brackets, and numbers, are escaped.

    >>> word("conv1.conv+relu1"), word("%(x) s"), word("12"), unword(word("%(x) s"))
    ('conv1.conv+relu1', '\\\\x25\\\\x28x\\\\x29\\\\x20s', '\\\\x312', '%(x) s')
    """
    text = visible(_IN_WORD.sub(lambda c: _escape(c[0]), name))
    return text if not text.lstrip("-").isdigit() and text not in ("True", "False") else _escape(text[0]) + text[1:]


def unword(text: str) -> str:
    """The name that `word` has escaped."""
    return _PYTHONS.sub(lambda c: chr(int(c[1] or c[2] or c[3], 16)), text) if "\\" in text else text


def markup(text: str) -> str:
    """Text for HTML, SVG and XML, which cannot contain control characters.

    >>> markup('a<b & "c"\\x1b')
    'a&lt;b &amp; &quot;c&quot;\\\\x1b'
    """
    text = visible(text, keep="\n\t")
    for special, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(special, entity)
    return text


def comment(text: str) -> str:
    """Text for a comment in C, CUDA C, LLVM IR, assembly, Make or Python: one line that does not end the comment, begin
    another one, or continue on the next line.

    >>> comment("a */ b"), comment("end??/"), comment("c:\\\\"), comment("/conv1/Gemm")
    ('a *\\\\x2f b', 'end?\\\\x3f/', 'c:\\\\x5c', '/conv1/Gemm')
    """
    return visible(_IN_COMMENT.sub(lambda c: _escape(c[0]), text))


def c_string(text: str) -> str:
    """The inside of a string literal of C, whose bytes are those of the text in UTF-8.

    >>> c_string('say "hi"??/'), c_string("\\xe9")
    ('say \\\\"hi\\\\"\\\\?\\\\?/', '\\\\303\\\\251')
    """
    return "".join(f"\\{chr(b)}" if b in b'\\"?' else chr(b) if 32 <= b < 127 else f"\\{b:03o}" for b in text.encode())


def script(value: Any) -> str:
    """A value as JSON that is also JavaScript, in a file or inside of a <script> element: ASCII without `<`, `>`, `&`.

    >>> script({"net": "</script>", "n": [1, "\xe9"]})
    '{"net": "\\\\u003c/script\\\\u003e", "n": [1, "\\\\u00e9"]}'
    """
    text = json.dumps(value)
    for special in "<>&":
        text = text.replace(special, f"\\u{ord(special):04x}")
    return text


def docstring(text: str) -> str:
    """The inside of a docstring in triple quotes, on one line.

    >>> docstring('a net" "" of C:\\\\nets')
    'a net\\\\" \\\\"\\\\" of C:\\\\\\\\nets'
    """
    return visible(text).replace("\\", "\\\\").replace('"', '\\"')


def dot_string(text: str) -> str:
    """A string in Graphviz's language, with its quotes."""
    return '"' + visible(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def dot_label(text: str) -> str:
    """Text in the label of a Graphviz record."""
    return re.sub(r'([\\{}|<>"])', r"\\\1", visible(text))


def markdown(text: str) -> str:
    """Text in a paragraph of Markdown, without links and HTML.

    >>> markdown("LeNet-5 [see](x) `|` <b>")
    'LeNet-5 \\\\[see\\\\](x) \\\\`\\\\|\\\\` \\\\<b\\\\>'
    """
    return re.sub(r"([\\`*\[\]<>|&!~$])", r"\\\1", visible(text))


def identifier(text: str, empty: str = "blob") -> str:
    """The nearest name of a variable in C. Macros are written in capitals.

    >>> identifier("conv1.dw"), identifier("2nd"), identifier("for"), identifier("NULL"), identifier("日本", "v")
    ('conv1_dw', 'blob_2nd', 'for_', 'NULL_', 'v')
    """
    name = words(text, empty)
    name = f"{empty}_{name}" if name[0].isdigit() else name
    macro = name == "I" or (len(name) > 1 and name == name.upper())
    return f"{name}_" if macro or name in RESERVED_IN_C else name


def identifiers(texts: Iterable[str], taken: Collection[str] = (), empty: str = "blob") -> dict[str, str]:
    """Distinct names of variables in C, by text; close to the texts.

    Args:
        taken: names that are already used.
        empty: name for a text without letters and digits; prefix of names that would begin with a digit.

    >>> identifiers(["data", "a-b", "a_b", "int", "NULL", "2nd"])
    {'data': 'data', 'a-b': 'a_b', 'a_b': 'a_b_2', 'int': 'int_', 'NULL': 'NULL_', '2nd': 'blob_2nd'}
    """
    return _distinct(texts, lambda text: identifier(text, empty), taken)


def constants(texts: Iterable[str]) -> dict[str, str]:
    """Distinct suffixes for names of macros and enumerators in C, by text: capitals, digits and underscores.

    >>> constants(["loss", "Loss", "test-accuracy", "é"])
    {'loss': 'LOSS', 'Loss': 'LOSS_2', 'test-accuracy': 'TEST_ACCURACY', 'é': '_'}
    """
    return _distinct(texts, lambda text: re.sub(r"\W", "_", text, flags=re.ASCII).upper(), ())


def words(text: str, empty: str = "") -> str:
    """The letters and digits of a text, with underscores between them; `empty` if there are none.

    >>> words("conv1.dw"), words("日本", "v")
    ('conv1_dw', 'v')
    """
    return re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or empty


def file_name(text: str) -> str:
    """A part of a file name: what is not a letter, digit or one of `_.+-` becomes `_`; long ones end in a digest.

    >>> file_name("conv1.conv+a/b"), len(file_name("x" * 300))
    ('conv1.conv+a_b', 120)
    """
    name = _IN_FILE_NAME.sub("_", text)
    if len(name) <= MAX_FILE_NAME:
        return name
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{name[: MAX_FILE_NAME - len(digest) - 1]}-{digest}"


def unused(name: str, taken: Container[str], joint: str = "_") -> str:
    """The name if it is not taken, else the name with the first number from 2 on that makes it unique.

    >>> unused("x", {"y"}), unused("x", {"x", "x_2"}), unused("x", {"x"}, "-")
    ('x', 'x_3', 'x-2')
    """
    new, k = name, 2
    while new in taken:
        new, k = f"{name}{joint}{k}", k + 1
    return new


def quoted(name: str) -> str:
    """A name that is one component of a path, as in URLs; `unquoted` is the inverse.

    >>> quoted("a//b"), quoted("."), quoted("50%"), quoted("ip1___weight")
    ('a%2F%2Fb', '%2E', '50%25', 'ip1___weight')
    """
    if name == ".":
        return "%2E"
    return re.sub("[%/\0]", lambda c: f"%{ord(c[0]):02X}", name) or "%"


def unquoted(name: str) -> str:
    """The name that `quoted` has escaped.

    >>> unquoted("a%2F%2Fb"), unquoted(quoted("")), unquoted(quoted("%2F"))
    ('a//b', '', '%2F')
    """
    if name == "%":
        return ""
    return _ESCAPE.sub(lambda c: bytes([int(c[1], 16)]), name.encode()).decode("utf-8", "replace")


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _distinct(texts: Iterable[str], near: Callable[[str], str], taken: Collection[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        names[text] = unused(near(text), {*taken, *names.values()})
    return names


TEMPLATES = Path(__file__).parents[1] / "templates"


@cache
def template(name: str) -> jinja2.Template:
    """A template by its path in mochac/templates, such as "cuda/module.cu.j2"; undefined variables are errors."""
    import jinja2  # imported here, since it takes 20 ms and most programs need no template

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(comment=comment, c_string=c_string, markdown=markdown, markup=markup, script=script)
    return environment.get_template(name)
