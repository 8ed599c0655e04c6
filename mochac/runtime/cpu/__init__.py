"""The CPU backend: compiles LLVM text to objects, loads them, and runs plans on a team of worker threads."""
