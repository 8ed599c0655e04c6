"""What every part of the runtime uses: log, random streams, aligned and managed arrays, memory, signals, times."""
