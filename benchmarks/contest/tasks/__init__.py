"""One net a file, as TASK; contest/task.py finds them by name."""
