"""Where the tests of examples find real MNIST, and a server of files for those that download."""

import functools
import http.server
import os
import threading
from pathlib import Path

import pytest
from examples.serving import Ranges


@pytest.fixture(scope="session")
def mnist():
    """The folder of the four idx.gz files: $MOCHAC_DATA/mnist, else ../shared/data/mnist beside the checkout."""
    beside = Path(__file__).parents[3] / "shared/data"
    folder = Path(os.environ.get("MOCHAC_DATA") or beside) / "mnist"
    if not (folder / "train-images-idx3-ubyte.gz").exists():
        pytest.skip("no MNIST: set MOCHAC_DATA to a folder that has mnist/train-images-idx3-ubyte.gz and the others")
    return folder


@pytest.fixture
def serve():
    """serve(folder): its address, until the test ends."""
    servers = []

    def start(folder):
        handler = functools.partial(Ranges, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    Ranges.asked.clear()
    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
