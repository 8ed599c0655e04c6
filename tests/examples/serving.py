"""A server of files that can resume, for the tests of scripts that download."""

import http.server
from pathlib import Path


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, from any first byte; `asked` collects the Range headers."""

    asked: list[str] = []  # noqa: RUF012 - one server a test

    def do_GET(self):
        path = Path(self.directory) / self.path.lstrip("/")
        if not path.exists():
            return self.send_error(404)
        body, start = path.read_bytes(), 0
        if wanted := self.headers.get("Range"):
            self.asked.append(wanted)
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        if start and start >= len(body):
            return self.send_error(416)
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self.wfile.write(body[start:])

    def log_message(self, *args):
        pass
