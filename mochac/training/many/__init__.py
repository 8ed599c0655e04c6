"""Training many nets at once: what is trained, which nets share a compiled step, blocks of nets, and their turns."""
