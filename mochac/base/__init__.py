"""What every room uses: errors, records, registries, locks, options, hints, files, the log, charts."""
