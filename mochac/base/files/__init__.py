"""Files: safe reading, atomic writing, locks, and the compile cache."""
