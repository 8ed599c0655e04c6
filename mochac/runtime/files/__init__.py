"""Files: read safely, written whole or not at all, locked, cached."""
