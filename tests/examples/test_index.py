"""examples/README.md names every example, and every folder says what it is."""

from examples.running import EXAMPLES


def test_every_example_is_listed():
    page = (EXAMPLES / "README.md").read_text()
    found = [p.name for p in EXAMPLES.iterdir() if p.suffix == ".py" or any(p.glob("*.py"))]
    assert sorted(name for name in found if f"({name}" not in page) == []


def test_every_folder_has_a_readme():
    folders = [p for p in EXAMPLES.iterdir() if any(p.glob("*.py"))]
    assert sorted(p.name for p in folders if not (p / "README.md").exists()) == []
