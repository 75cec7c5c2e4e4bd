"""Simulations: results, merging, splitting the work, executors, checkpoints. Played on the true round.

Not here: the compiled simulator against the true round (test_simulation_compiled), the command line.
"""

from __future__ import annotations

import json
import math
import pickle
import random
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from blackjack import _simulation_slow as slow
from blackjack._simulation_jobs import Job, Spec, run_job
from blackjack._simulation_run import in_order
from blackjack._simulation_sums import Sums
from blackjack.actions import Action
from blackjack.errors import IllegalAction
from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import Rules
from blackjack.simulation import Progress, Simulation, SimulationResult, simulate
from blackjack.strategy import Situation, Strategy
from sim_walk import check_sums

ROUND: dict[str, Any] = {"isa": "round", "seed": 5}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "CHUNK_ROUNDS", 100)
    monkeypatch.setattr(slow, "CHUNK_SHOES", 4)


def play(rounds: float | None = 1050, **options: Any) -> SimulationResult:
    return simulate(options.pop("rules", "las_vegas"), rounds=rounds, **{**ROUND, **options})


# ---------------------------------------------------------------- what a result says


@pytest.mark.parametrize("name", HOUSES)
def test_every_house(name: str) -> None:
    result = play(300, rules=name)
    assert (result.rounds, result.path, result.isa) == (300, "round", "round")
    check_sums(result)
    assert result.rules == PRESETS[name].fingerprint
    assert abs(result.ev) < 6 * result.stderr + 0.01


def test_several_boxes() -> None:
    result = play(200, rules="continental", boxes=3)
    check_sums(result)
    assert sum(result.hands.values()) == 600
    assert math.isclose(result.ev, result.net / (2 * 3 * 200))
    assert any(row[0].startswith("p") for row in result.starts)


def test_figures() -> None:
    result = play(1000, bet=10)
    nets = [v / result.unit for v, n in result.values.items() for _ in range(n)]
    mean = sum(nets) / 1000
    sd = math.sqrt(sum((x - mean) ** 2 for x in nets) / 999)
    assert math.isclose(result.ev, mean)
    assert result.edge == -result.ev
    assert math.isclose(result.sd, sd)
    assert math.isclose(result.stderr, sd / math.sqrt(1000))
    low, high = result.interval(0.95)
    assert math.isclose(high - low, 2 * 1.959964 * result.stderr, rel_tol=1e-6)
    assert result.total_net == Fraction(result.net * 10, result.unit)
    assert result.seed == 5
    assert result.rounds_per_second > 0
    assert "rounds" in str(result)
    with pytest.raises(ValueError, match="confidence"):
        result.interval(1.5)


def test_no_rounds() -> None:
    result = play(0)
    assert result.rounds == 0
    assert math.isnan(result.ev)
    assert math.isnan(result.stderr)
    assert result.to_dict()["ev"] is None
    one = play(1)
    assert math.isnan(one.stderr)
    assert one.rounds == 1


def test_detail_off() -> None:
    plain, full = play(500, detail=False), play(500)
    assert plain.starts == ()
    assert plain.net == full.net
    assert plain.values == full.values
    with pytest.raises(ValueError, match="detail"):
        plain + full


def test_dict_and_tables() -> None:
    result = play(500)
    again = SimulationResult.from_dict(json.loads(json.dumps(result.to_dict())))
    assert again == result
    assert again.seconds == result.seconds
    assert pickle.loads(pickle.dumps(result)) == result
    starts = result.table("starts")
    assert sum(starts["boxes"]) == 500
    assert len(starts["ev"]) == len(result.starts)
    for name in ("values", "outcomes", "hands", "dealer"):
        (_, counts) = result.table(name).values()
        assert sum(counts) >= 500
    with pytest.raises(ValueError, match="expected starts"):
        result.table("nothing")  # type: ignore[arg-type]


def test_known_round() -> None:
    """A blackjack, a lost double and their sums by hand."""
    rules = Rules.preset("las_vegas")
    sums = Sums()
    game = slow.Game(rules, slow.chunk_source(1, 0, "chacha20"))
    game.play(slow.by_plan(Strategy.published(rules).compile(rules)))
    net = game.tally(sums, detail=True)
    assert sums.scalars[:3] == [1, net, net * net]
    assert sums.scalars[3] % game.unit == 0
    assert sums.scalars[5] == len(game.shoe.round_cards())


# ---------------------------------------------------------------- the same wherever it runs


def test_same_seed_same_integers() -> None:
    first = play()
    assert play() == first
    assert hash(first.sources) == hash(first.sources)
    assert play(seed=6) != first
    assert play(rng="chacha20") != first
    assert first.stream == "bj-round-1/xoshiro256++"
    assert first.sources == ((5, 0, 11),)
    assert simulate("las_vegas", rounds=10).seed != simulate("las_vegas", rounds=10).seed


class Shuffled(Executor):
    """Answers late, in a random order, now and then twice not at all: a bad network."""

    def __init__(self, lose: int = 0, error: Callable[[], Exception] | None = None) -> None:
        self.random = random.Random(3)
        self.waiting: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []
        self.lose, self.error = lose, error or (lambda: OSError("the worker is gone"))
        self.most = self.submitted = 0
        self.lock = threading.Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert not kwargs
        assert len(pickle.dumps((fn, args))) < 10_000
        future: Future[Any] = Future()
        with self.lock:
            self.submitted += 1
            self.waiting.append((future, fn, pickle.loads(pickle.dumps(args))))
            self.most = max(self.most, len(self.waiting))
        threading.Timer(0.001, self.answer).start()
        return future

    def answer(self) -> None:
        with self.lock:
            at = self.random.randrange(len(self.waiting))
            future, fn, args = self.waiting.pop(at)
            lost = self.lose > 0
            self.lose -= lost
        if not future.set_running_or_notify_cancel():
            return
        if lost:
            future.set_exception(self.error())
            return
        try:
            future.set_result(fn(*args))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)


def test_any_order_any_batch() -> None:
    first = play()
    for batch in (1, 3, 50):
        assert play(executor=Shuffled(), batch=batch) == first


def test_window_is_bounded() -> None:
    executor = Shuffled()
    play(6000, executor=executor, workers=2)
    assert executor.submitted == 60
    assert executor.most <= 8


def test_lost_chunks_are_played_again_and_counted_once() -> None:
    executor = Shuffled(lose=3)
    assert play(executor=executor) == play()
    assert executor.submitted == 11 + 3


def test_a_chunk_that_is_always_lost() -> None:
    with pytest.raises(OSError, match="gone"):
        play(executor=Shuffled(lose=10**9))


def test_broken_pool_is_replaced() -> None:
    pools: list[Shuffled] = []

    def make() -> Executor:
        pools.append(Shuffled(lose=0 if pools else 5, error=lambda: BrokenExecutor("broken")))
        return pools[-1]

    assert play(executor=make) == play()
    assert len(pools) == 2
    with pytest.raises(BrokenExecutor):  # one that is not ours to replace
        play(executor=Shuffled(lose=1, error=lambda: BrokenExecutor("broken")))


class Silent(Shuffled):
    """Never answers its first job."""

    def answer(self) -> None:
        if self.submitted == 1:
            with self.lock:
                self.waiting.clear()
            self.submitted += 1
            return
        if self.waiting:
            super().answer()


def test_a_job_without_an_answer_is_sent_again() -> None:
    assert play(100, executor=Silent(), timeout=0.05) == play(100)
    executor = Shuffled()
    executor.answer = lambda: None  # type: ignore[method-assign]
    with pytest.raises(TimeoutError, match="chunk 0"):
        play(100, executor=executor, timeout=0.01)


def wrong(now: Situation) -> Action:
    return Action.SURRENDER


def test_an_error_ends_it_and_cancels_the_rest() -> None:
    executor = Shuffled()
    with pytest.raises(IllegalAction):
        play(100_000, strategy=wrong, isa=None, executor=executor)
    assert executor.submitted < 70


def test_leaving_early_cancels_the_rest() -> None:
    spec = Spec(Rules(), Strategy.published(Rules()), 1, isa="round")
    executor = Shuffled()
    jobs = (Job(i, i + 1, 100) for i in range(10_000))
    with closing(in_order(spec, jobs, executor=executor, window=8)) as parts:
        job, sums = next(parts)
    assert job == Job(0, 1, 100)
    assert sums == run_job(spec, job)
    assert executor.submitted < 20


def test_processes() -> None:
    with ProcessPoolExecutor(2) as pool:
        # worker processes have their own chunk size: ask for what does not hang on it
        result = simulate("romanian", rounds=60, executor=pool, **ROUND)
    assert result == simulate("romanian", rounds=60, **ROUND)


# ---------------------------------------------------------------- parts and sums


def test_parts_add_up() -> None:
    whole = play(1000)
    parts = [play(200, first_chunk=first) for first in (4, 0, 8, 2, 6)]
    total = parts[0]
    for part in parts[1:]:
        total += part
    assert total == whole
    assert total.seconds == pytest.approx(sum(p.seconds for p in parts))


def test_what_does_not_add_up() -> None:
    first = play(200)
    with pytest.raises(ValueError, match="different rounds"):
        first + play(100, first_chunk=1)
    with pytest.raises(ValueError, match="one game"):
        first + play(200, rules="romanian")
    both = first + play(200, seed=6)
    assert both.seed is None
    assert both.rounds == 400
    assert len(both.sources) == 2
    with pytest.raises(TypeError):
        first + 1  # type: ignore[operator]


def test_sums_do_not_overflow() -> None:
    sums = Sums()
    one = run_job(Spec(Rules(), Strategy.published(Rules()), 1, isa="round"), Job(0, 1, 100))
    for _ in range(60):  # doubling 60 times: 10**20 rounds
        one.add(one)
    sums.add(one)
    assert sums.rounds == 100 * 2**60
    assert Sums.from_json(json.loads(json.dumps(sums.to_json()))) == sums
    assert 0 < sums.error(2, 1) < 1e-9


# ---------------------------------------------------------------- how long


def test_whole_shoes() -> None:
    rules = Rules(decks=1, shuffle={"fewer_than": 22})
    result = simulate(rules, shoes=9, **ROUND)
    assert result.shoes == 9
    assert result.sources == ((5, 0, 3),)
    check_sums(result)
    assert simulate(rules, shoes=9, executor=Shuffled(), **ROUND) == result
    every = simulate(rules.replace(shuffle="every_round"), shoes=9, **ROUND)
    assert every.rounds == every.shoes == 9


def test_until_an_error() -> None:
    result = simulate("las_vegas", until_error=0.05, **ROUND)
    assert result.stderr <= 0.05
    assert play(result.rounds - 100).stderr > 0.05
    # stops at the same chunk wherever it runs
    assert (
        simulate("las_vegas", until_error=0.05, executor=Shuffled(), workers=7, **ROUND) == result
    )
    assert play(200, until_error=0.05).rounds == 200


def test_rounds_may_be_a_whole_float() -> None:
    assert play(1e2).rounds == 100


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({}, "rounds, shoes or until_error"),
        ({"rounds": 1, "shoes": 1}, "not both"),
        ({"rounds": -1}, "rounds"),
        ({"rounds": 1.5}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"shoes": 1.0}, "shoes"),
        ({"until_error": 0}, "until_error"),
        ({"until_error": math.nan}, "until_error"),
        ({"rounds": 1, "seed": -1}, "seed"),
        ({"rounds": 1, "seed": 2**64}, "seed"),
        ({"rounds": 1, "workers": 0}, "workers"),
        ({"rounds": 1, "rng": "dice"}, "dice"),
        ({"rounds": 1, "bet": 0}, "bet"),
        ({"rounds": 1, "bet": 1.0}, "bet"),
        ({"rounds": 1, "boxes": 0}, "boxes"),
        ({"rounds": 1, "strategy": "best"}, "'best'"),
        ({"rounds": 1, "strategy": 3}, "got 3"),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        simulate("las_vegas", **options)


# ---------------------------------------------------------------- watching


def test_progress() -> None:
    seen: list[Progress] = []
    result = play(1050, progress=seen.append, every=0.0)
    assert [p.result.rounds for p in seen] == [*range(100, 1001, 100), 1050, 1050]
    assert seen[-1].fraction == 1.0
    assert seen[0].goal == 1050
    assert seen[-1].result == result
    assert all(p.rate > 0 for p in seen)


def test_stopped_in_the_middle(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.json"
    simulation = Simulation("las_vegas", rounds=1050, checkpoint=file, every=0.0, **ROUND)
    with closing(iter(simulation)) as steps:
        for now in steps:
            if now.result.rounds == 400:
                break
    assert simulation.result == play(400)
    assert play(1050, checkpoint=file) == play(1050)


# ---------------------------------------------------------------- checkpoints


def test_going_on_from_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.json"
    first = play(450, checkpoint=file)
    assert first == play(450)
    assert json.loads(file.read_text())["done"] == 4  # full chunks only
    again = Simulation("las_vegas", rounds=1050, checkpoint=file, isa="round")
    assert again.result == play(400)  # the seed too is the checkpoint's
    for _ in again:
        pass
    assert again.result == play(1050)
    assert play(1050, checkpoint=file) == play(1050)
    assert list(tmp_path.iterdir()) == [file]


def test_a_checkpoint_of_something_else(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.json"
    play(300, checkpoint=file)
    for other in ({"seed": 6}, {"rules": "romanian"}, {"boxes": 2}, {"detail": False}):
        with pytest.raises(ValueError, match="another simulation"):
            play(300, checkpoint=file, **other)
    with pytest.raises(ValueError, match="more than is asked"):
        play(200, checkpoint=file)
    file.write_text("{}")
    with pytest.raises(ValueError, match="expected a checkpoint"):
        play(300, checkpoint=file)
    file.write_text("what")
    with pytest.raises(ValueError, match="expected a checkpoint"):
        play(300, checkpoint=file)


def test_an_error_leaves_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.json"
    with pytest.raises(OSError, match="gone"):
        play(100_000, executor=Shuffled(lose=10**9), checkpoint=file)
    assert play(300, checkpoint=file) == play(300)


# ---------------------------------------------------------------- callables


def ask(now: Situation) -> Action:
    if now.offer:
        return Action.DECLINE
    if now.pair == "8" and Action.SPLIT in now.legal:
        return Action.SPLIT
    return Action.HIT if now.total < 17 else Action.STAND


@pytest.mark.parametrize("rules", ["goldfishka", "romanian", "las_vegas"])
def test_callable_decision_by_decision(rules: str) -> None:
    asked = play(300, rules=rules, strategy=ask, isa=None)
    compiled = play(300, rules=rules, strategy=Strategy.from_callable(ask))
    assert asked.path == "callable"
    assert asked.strategy.endswith("ask")
    assert (asked.net, asked.values, asked.starts) == (
        compiled.net,
        compiled.values,
        compiled.starts,
    )
