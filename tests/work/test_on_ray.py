"""Work by Ray: the contract of the engines, and a whole simulation, on a local cluster of two workers."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from services.tables import AT

from ddz.errors import Unreadable, WorkerDied
from ddz.log.stores import open_log
from ddz.services.audit_log import audit_log
from ddz.simulation import plan, shards, simulate
from ddz.work.engines import Here, engine_named
from ddz.work.on_ray import Ray

sys.path.append(str(Path(__file__).parent))  # so do the workers find the work, by the name of its module
import engine_work

if importlib.util.find_spec("ray") is None:
    if os.environ.get("DDZ_PEERS") == "required":
        pytest.fail("Ray is not installed: pip install '.[ray]'", pytrace=False)
    pytest.skip("Ray is not installed: pip install '.[ray]'", allow_module_level=True)


@pytest.fixture(scope="module")
def ray() -> Iterator[Ray]:
    """A local cluster for all tests here: to begin one takes seconds."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(Path(__file__).parent))  # where its workers find `engine_work`
        with Ray(2) as engine:
            yield engine


class Lent:
    """The cluster, for a run that does not end it."""

    def __init__(self, ray: Ray) -> None:
        self.unordered = ray.unordered

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_every_task_is_answered_once(ray: Ray):
    assert sorted(ray.unordered(engine_work.doubled, range(9))) == [2 * number for number in range(9)]
    assert list(ray.unordered(engine_work.doubled, [])) == []


def test_tasks_are_drawn_only_as_workers_are_free(ray: Ray):
    drawn: list[int] = []
    for done, _ in enumerate(ray.unordered(engine_work.doubled, (drawn.append(n) or n for n in range(9)))):
        assert len(drawn) <= done + 2
    assert len(drawn) == 9


def test_a_slow_task_holds_up_no_other(ray: Ray):
    assert list(ray.unordered(engine_work.slow_if_odd, [1, 0, 2, 4, 6])) == [0, 2, 4, 6, 1]


def test_what_work_raises_comes_out(ray: Ray):
    with pytest.raises(ValueError, match="no 3"):
        list(ray.unordered(engine_work.refused, [3]))


def test_a_worker_that_dies_is_told(ray: Ray):
    with pytest.raises(WorkerDied, match="a worker of Ray died: WorkerCrashedError"):
        list(ray.unordered(engine_work.die, [9]))
    assert list(ray.unordered(engine_work.doubled, [4])) == [8], "and takes no other with it"


def test_work_that_is_not_found_there_is_told(ray: Ray):
    with pytest.raises(WorkerDied, match=r"could not do its work: .*No module named 'nowhere'"):
        list(ray.unordered(engine_work.Unfindable(), [1]))


def test_the_same_games_as_without_ray(ray: Ray, tmp_path: Path):
    games = []
    for name, engine, jobs in (("ray", Lent(ray), 2), ("here", Here(), 1)):
        made = plan.new(plan.PlanRequest(games=12, seed=7, bots=("random",)), 0)
        (tmp_path / name).mkdir()
        tally = simulate.play(tmp_path / name, made, engine, jobs, lambda: AT, os.urandom, lambda *_: None)
        assert (tally.games, tally.given_up) == (12, ())
        found = {}
        for path, _ in shards.shards_of(tmp_path / name):
            with closing(open_log(path, create=False)) as log:
                audited = audit_log(log)
                assert audited.ok
                assert audited.head == tally.heads[path]
                for line in log.lines():
                    opened, *others = log.history(line.game)
                    found[opened.nonce] = others
        games.append(found)
    assert len(games[0]) == 12
    assert games[0] == games[1]


def test_a_cluster_that_is_not_there(ray: Ray):  # noqa: ARG001  # not at the same time
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1"):
        with pytest.raises(Unreadable, match=f"no Ray cluster answers at {address}"), engine_named("ray", 2, address):
            pass
