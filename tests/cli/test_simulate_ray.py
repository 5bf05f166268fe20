"""`ddz simulate --engine ray`: the same games, on a cluster of its own or on one that runs already."""

import importlib.util
import os
import socket
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .stage import Ddz
from .test_simulate import games

if importlib.util.find_spec("ray") is None:
    if os.environ.get("DDZ_PEERS") == "required":
        pytest.fail("Ray is not installed: pip install '.[ray]'", pytrace=False)
    pytest.skip("Ray is not installed: pip install '.[ray]'", allow_module_level=True)

COMMAND = ["simulate", "--games", 12, "--bots", "random,simple,random", "--seed", 8]


def simulated(ddz: Ddz, db: Path, *how: object, env: dict[str, str] | None = None) -> None:
    done = ddz.apart(*COMMAND, "--db", db, *how, env=env)
    assert done.err == "", "Ray says nothing that nobody asked for"
    assert done.out.splitlines()[0].startswith("12 games of seed 8, ")
    assert "lines audited: 12, with a fault: 0; findings besides: 0" in ddz("audit", "--all", "--db", db).out


def test_a_cluster_of_its_own(ddz: Ddz, tmp_path: Path) -> None:
    simulated(ddz, tmp_path / "ray.db", "--engine", "ray", "-j", 2)
    simulated(ddz, tmp_path / "here.db", "-j", 1)
    assert games(ddz, "--db", tmp_path / "ray.db") == games(ddz, "--db", tmp_path / "here.db")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a cluster that listens to this machine alone."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--port={port}", "--node-ip-address=127.0.0.1", "--num-cpus=2", "--include-dashboard=false", "--block"]
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    with (tmp_path / "ray.log").open("wb") as log:
        process = subprocess.Popen(
            [str(Path(sysconfig.get_path("scripts")) / "ray"), "start", "--head", *options],
            stdout=log,
            stderr=log,
            env=environment,
        )
        try:
            until = time.monotonic() + 90
            while "will now block" not in (tmp_path / "ray.log").read_text("utf-8"):
                assert process.poll() is None, (tmp_path / "ray.log").read_text("utf-8")
                assert time.monotonic() < until
                time.sleep(0.2)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


@pytest.mark.long
def test_a_cluster_that_runs_already(ddz: Ddz, tmp_path: Path, cluster: str) -> None:
    without_passwords = {"RAY_AUTH_MODE": "disabled"}
    for name in ("one.db", "two.db"):
        simulated(ddz, tmp_path / name, "--engine", "ray", "--address", cluster, "-j", 2, env=without_passwords)
    simulated(ddz, tmp_path / "here.db", "-j", 1)
    assert games(ddz, "--db", tmp_path / "two.db") == games(ddz, "--db", tmp_path / "here.db")


def test_a_cluster_that_is_not_there(ddz: Ddz, tmp_path: Path) -> None:
    done = ddz(*COMMAND, "--engine", "ray", "--address", "127.0.0.1:1", code=2)
    assert "ddz: no Ray cluster answers at 127.0.0.1:1: " in done.err
    assert ddz(*COMMAND, "--db", tmp_path / "games.db").code == 0, "and nothing stands in the way of another try"
