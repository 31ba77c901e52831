"""`selfimprintd serve`: start and stop of the daemon, as one function to read from top to bottom."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import importlib.metadata
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

from anyio import CapacityLimiter
from selfimprint.synx.uncollected import uncollected

from selfimprintd.clock import make_clock
from selfimprintd.config import Config, ConfigError, load_config
from selfimprintd.exits import Exit
from selfimprintd.facade import DaemonFacade
from selfimprintd.guard import Admission, Asgi, Guard
from selfimprintd.instants import BadTime
from selfimprintd.passphrase import PassphraseError, ask_passphrase, read_passphrase_file
from selfimprintd.paths import Paths, make_private, write_private
from selfimprintd.problems import problem_of
from selfimprintd.serve import Server, Sockets, harden_process, open_sockets
from selfimprintd.tokens import BadTokens, TokenFile

Build = Callable[[Config], DaemonFacade]

log = logging.getLogger("selfimprintd")

_BLAS_THREADS = "OPENBLAS_NUM_THREADS"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="selfimprintd", description="The daemon that keeps the memory.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="run in the foreground until SIGTERM or Ctrl-C")
    serve.add_argument("--home", help="directory of everything (default: the XDG directories)")
    serve.add_argument("--passphrase-file", type=Path, help="file that holds the passphrase")
    serve.add_argument("--verbose", action="store_true", help="log each request (never its content)")
    args = parser.parse_args(argv)
    try:
        return run(args.home, args.passphrase_file, verbose=args.verbose, build=lambda config: _wiring()(config))
    except (ConfigError, BadTokens, BadTime, PassphraseError, PermissionError) as error:
        print(f"selfimprintd: {error}", file=sys.stderr)
        return Exit.SETUP
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except OSError as error:
        print(f"selfimprintd: {error.filename or 'a file'}: {error.strerror}; make room or mend it", file=sys.stderr)
        return Exit.SETUP
    except Exception as error:
        problem = problem_of(error)
        if problem is None:
            raise
        print(f"selfimprintd: {problem.kind.title}: {problem.detail or problem.kind.detail}", file=sys.stderr)
        return Exit.of_status(problem.status)


def _wiring() -> Build:
    """The composition root, and numpy with it, whose BLAS gets one thread (read when it is loaded): a second one takes
    a third off a product of 20,000 vectors, and then spins for longer than the product took."""
    is_chosen = _BLAS_THREADS in os.environ
    os.environ.setdefault(_BLAS_THREADS, "1")
    with uncollected():  # a seventh of the time of loading it all goes into looking for garbage
        build: Build = importlib.import_module("selfimprintd.wiring").build
        importlib.import_module("selfimprintd.app")
    if not is_chosen:
        del os.environ[_BLAS_THREADS]  # not for the embedder's process, where every core counts
    return build


def run(home: str | None, passphrase_file: Path | None, *, verbose: bool, build: Build) -> int:
    """The daemon's whole life: settings, tokens, sockets, memory, serving, and the same backwards."""
    _log_to_stderr(verbose)
    harden_process()
    signal.signal(signal.SIGTERM, _interrupt)  # until the loop handles it: a start that is broken off cleans up too
    config = load_config(home)
    paths = config.paths
    tokens = _tokens(paths)
    config = _with_secret(config, passphrase_file)
    for directory in (paths.data, paths.state, paths.runtime):
        make_private(directory)
    sockets = open_sockets(config.listen)
    try:
        daemon = build(config)
        try:
            asyncio.run(serve(config, daemon, tokens, sockets))
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough; the stop has its own deadline
            stopped_well = _stop_in_time(daemon, config.limits.stop_seconds / 2)
    finally:
        for sock in sockets.all:
            sock.close()
        for leftover in (paths.daemon_file, sockets.unix_path if sockets.unix else None):
            if leftover is not None:
                leftover.unlink(missing_ok=True)
    log.info("stopped")
    return Exit.OK if stopped_well else Exit.UNEXPECTED


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


async def serve(config: Config, daemon: DaemonFacade, tokens: TokenFile, sockets: Sockets) -> None:
    """Answer requests until asked to stop."""
    server = make_server(config, daemon, tokens, sockets)

    def ready() -> None:
        write_daemon_file(config.paths, sockets)
        unix = sockets.unix_path or "no Unix socket"
        log.info("ready on http://%s:%d and %s", config.listen.host, sockets.port, unix)

    server.on_ready = ready
    await server.serve(sockets=sockets.all)


def make_server(config: Config, daemon: DaemonFacade, tokens: TokenFile, sockets: Sockets) -> Server:
    """The routes, the guard around them, and the server around that."""
    from selfimprintd.app import create_app  # both here: a wrong setting is told before the web framework is loaded
    from selfimprintd.door import Doors

    limits, stopping = config.limits, asyncio.Event()
    doors = Doors(
        daemon=daemon,
        clock=make_clock(config),
        timezone=config.timezone,
        limits=limits,
        stopping=stopping,
        quick=CapacityLimiter(limits.threads),
        slow=CapacityLimiter(limits.slow_threads),
    )
    admission = Admission(
        hosts=literal_hosts(config.listen.host, sockets.port),
        unix_hosts=frozenset({"localhost"}),
        origins=frozenset(),
        find=tokens.find,
        locked=lambda: daemon.health().get("status") == "locked",
        monotonic=time.monotonic,
        limits=limits,
    )
    app = cast(Asgi, create_app(doors, version()))
    return Server(Guard(app, admission), limits, stopping)


def literal_hosts(host: str, port: int) -> frozenset[str]:
    """The Host headers that are us (R3): no name that a foreign DNS answer could point here."""
    name = f"[{host}]" if ":" in host else host
    return frozenset({f"{name}:{port}", f"localhost:{port}"})


def version() -> str:
    try:
        return importlib.metadata.version("selfimprint")
    except importlib.metadata.PackageNotFoundError:
        return "0"


def write_daemon_file(paths: Paths, sockets: Sockets) -> None:
    about = {
        "pid": os.getpid(),
        "port": sockets.port,
        "socket": str(sockets.unix_path) if sockets.unix else "",
        "version": version(),
    }
    write_private(paths.daemon_file, json.dumps(about).encode() + b"\n")


def _tokens(paths: Paths) -> TokenFile:
    tokens = TokenFile(paths.tokens)
    if not tokens.tokens:
        raise ConfigError("there is no memory here yet; run: selfimprint init")
    return tokens


def _with_secret(config: Config, passphrase_file: Path | None) -> Config:
    """The config with what opens the vault: the key file's path, or a passphrase from a file or the terminal."""
    if config.unlock.key_file is not None and passphrase_file is None:
        return config
    source = passphrase_file or config.unlock.passphrase_file
    passphrase = read_passphrase_file(source) if source else ask_passphrase("Passphrase: ")
    return replace(config, unlock=replace(config.unlock, key_file=None, passphrase=passphrase))


def _stop_in_time(daemon: DaemonFacade, seconds: float) -> bool:
    """Stop the memory and say whether it went well; past the time leave it: the journal holds what was acknowledged."""

    def give_up() -> None:
        log.error("the memory did not stop in time; the journal holds everything acknowledged")
        logging.shutdown()
        os._exit(Exit.UNEXPECTED)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    try:
        daemon.stop()
    except Exception as error:  # told by kind and code only: the message may quote what was stored
        log.error("the memory failed to stop: %s (%s)", type(error).__name__, getattr(error, "code", "no code"))
        return False
    finally:
        timer.cancel()
    return True


def _log_to_stderr(verbose: bool) -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("selfimprintd.access").setLevel(logging.INFO if verbose else logging.WARNING)
    for name in ("uvicorn.error", "uvicorn.access", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # their messages may quote a request


if __name__ == "__main__":
    sys.exit(main())
