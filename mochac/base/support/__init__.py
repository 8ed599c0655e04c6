"""What every part of the runtime uses: logging, random streams, aligned and managed arrays, memory, signals, times."""
