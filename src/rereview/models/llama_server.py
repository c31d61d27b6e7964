"""The child process of the embedded model: a llama.cpp server on loopback, until its input ends.

Run as `python -m rereview.models.llama_server WEIGHTS TOKENS THREADS`; the key is the first line of the
input, so that no list of processes shows it. The address is the one line of the output.
"""

from __future__ import annotations

import sys
from importlib import import_module

FREE_PORT = 0


def main() -> None:
    """Serve; whatever llama.cpp has to say goes to the error stream."""
    weights, tokens, threads = sys.argv[1:4]
    key = sys.stdin.readline().strip()
    llama = import_module("xllamacpp")
    options = llama.CommonParams()
    options.model.path = weights
    options.n_ctx = int(tokens)
    options.n_parallel = 1
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = int(threads)
    options.hostnames, options.port, options.api_keys = ["127.0.0.1"], FREE_PORT, [key]
    options.ui = options.warmup = False
    server = llama.Server(options)
    print(server.listening_address, flush=True)  # noqa: T201 - the parent reads it
    sys.stdin.read()


if __name__ == "__main__":
    main()
