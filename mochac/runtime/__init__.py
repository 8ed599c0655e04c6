"""Running plans: backends, data, files, training; a folder each, with ranks of their own (CONTRIBUTING.md)."""
