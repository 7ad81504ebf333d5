"""Clusters that are there already: Ray by its address, Spark by `spark-submit`.

`make test-engines` installs both. Each is a command as one would type it, on this machine alone.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.sync_world import command, environment

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

from tests.test_datasets import DOCUMENTS, all_rows, expected, write_parquet

SCRIPTS = Path(sys.executable).parent
ASKED = ("dataset", "in", "OUT", "-q", "--engine")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        write_parquet(f"in/{number}.parquet", DOCUMENTS[number * 100 : number * 100 + 100])
    return tmp_path


@pytest.fixture
def ray_address() -> Iterator[str]:
    """A head node of Ray, bound to this machine, as an administrator starts one."""
    if find_spec("ray") is None or not hasattr(os, "killpg"):
        pytest.skip("needs ray (make test-engines)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Sockets have short names.
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:
        options = ["--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats"]
        head = subprocess.Popen(
            [SCRIPTS / "ray", "start", "--head", "--block", "--node-ip-address=127.0.0.1",
             f"--port={port}", f"--temp-dir={folder}", *options],
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            end = time.monotonic() + 180
            while not answers(port):
                assert head.poll() is None, head.communicate()[0]
                assert time.monotonic() < end, "Ray does not start"
                time.sleep(0.2)
            yield f"127.0.0.1:{port}"
        finally:
            os.killpg(head.pid, signal.SIGTERM)
            try:
                head.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                os.killpg(head.pid, signal.SIGKILL)
                head.communicate()


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def test_a_cluster_of_ray_by_its_address(ray_address: str) -> None:
    done = subprocess.run(
        command(*ASKED, "ray"),
        env=environment() | {"RAY_ADDRESS": ray_address},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert all_rows() == expected(DOCUMENTS[:400])


def test_a_job_of_spark_submit() -> None:
    """The job of docs/engines/spark.md."""
    if find_spec("pyspark") is None or shutil.which("java") is None:
        pytest.skip("needs pyspark and Java (make test-engines)")
    Path("job.py").write_text("from spanwise.doors.cli import main\n\nmain()\n")
    done = subprocess.run(
        [SCRIPTS / "spark-submit", "--master", "local[2,4]", "--conf",
         "spark.driver.bindAddress=127.0.0.1", "--conf", "spark.driver.host=127.0.0.1",
         "--conf", "spark.ui.enabled=false", "job.py", *ASKED, "spark"],
        env=environment() | {"PYSPARK_PYTHON": sys.executable},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert all_rows() == expected(DOCUMENTS[:400])
