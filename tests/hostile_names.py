"""Names that break formats which take them for something else; every writer of mochac gets all of them."""

LONG = "n" * 300
HOSTILE = (
    # of paths
    "/conv1/Gemm", "a//b", "a/b", "./a", "a/./b", ".", "..", "../../etc/passwd", "/", "a/", "~", "C:\\nets\\", "a\\",
    "solver_slots/x", "training_memory/x", "solver_slots", "data/0", "value", "iteration",
    # a dataset where another name needs a group
    "g___weight", "g___weight/h", "g",
    # comments, quotes and directives of C
    "*/ int hidden = 1; /*", "// x", "/*", "*/", "/*/", "end??/", "??/", "??'", "??)", 'say "hi"', "it's", "`id`",
    "#include <x>",
    "%:include", "L'x'", "\\u0041", "\\x41", "a\\\\", ";", "{", "}", "__LINE__", "defined",
    # words of C, C++ and Python, macros, functions, types
    "NULL", "EOF", "I", "linux", "unix", "errno", "stdin", "int", "class", "template", "lambda", "None", "free",
    "memcpy",
    "printf", "size_t", "int64_t", "real", "net", "n", "loss", "block", "array", "HIDDEN", "F32", "print", "self",
    "main",
    # case and punctuation that identifiers lose
    "Case", "case", "CASE", "a-b", "a_b", "a.b", "A_B", "1", "2nd", "_", "__", "-", "---", "",
    # mochac's own, in graphs, statistics, files and Python
    "lr", "momentum", "step", "n_valid", "first_batch", "total_loss", "obj_val", "iter", "fill", "cast", "add", "True",
    "-1",
    "every_n_iter.3", "total of loss", "count of loss", "__metadata__", "data", "label", "weight", "a.weight", "x.new",
    # templates, make, CMake, shells, formats
    "$(shell id)", "${CMAKE_BINARY_DIR}", "$@", "%s", "%n%d", "%(x)s", "{0}", "{{ 7 * 7 }}", "{% raw %}", "$HOME",
    "!x", "| x",
    "&& x", "%", "%2F", "a%2F%2Fb", "100%", "@x", "^", "-o x",
    # markup, and terminals' own
    "<script>alert(1)</script>", "</title>", "</script>", "a<b>&amp;c", "&lt;", "]]>", "<!--", "-->",
    "[bold]x[/bold]", "$x^$", "_x",
    "| a | b |", "[x](javascript:y)", "**x**",
    # Unicode: combining, right to left, other digits, a byte order mark, signs beyond 16 bits
    "é", "e\u0301", "日本語", "שלום", "a\u202eb", "\u200b", "\ufeffx", "١٢", "ﬁ", "ß", "😀", "\u00a0", "\u3000x",
    # spaces and lengths
    " ", "  a  b  ", "a b", LONG, LONG + "2", "é" * 150,
)  # fmt: skip
"""Names that a net may have; "" is left out by `names`."""
REFUSED = (
    "a\0b",
    "a\nb",
    "a\r\nb",
    "\x1b[31mred\x1b[0m",
    "a\tb",
    "\x7f",
    "\x85",
    "a\u2028b",
    "\u2029",
    "\ud800",
    "a\udc80",
)
"""Names that no net may have."""


def names() -> list[str]:
    """All names that are legal, each once."""
    return [name for name in dict.fromkeys(HOSTILE) if name]
