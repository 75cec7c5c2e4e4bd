"""Rounds one by one in columns, for research and training: cards, actions, outcomes, net.

Lives here: `play_rounds`, `RoundStream` and the columns they fill. Not here: sums over rounds
(blackjack.simulation), replaying a written round (blackjack.history).

A stream is made of chunks, each with its own random streams keyed by seed and chunk number, and a chunk's
rounds are dealt at several tables in turn. A column ends where its owner wants; that changes nothing about
the rounds.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from blackjack import _simulation_slow as slow
from blackjack._arguments import function, one_of, seed_number, whole
from blackjack._capacity import round_capacity
from blackjack._simulation_compiled import box_tables
from blackjack._simulation_jobs import GENERATORS, ROUND, Callable_
from blackjack.actions import ACTIONS
from blackjack.errors import ArgumentError
from blackjack.history import record_of, record_text
from blackjack.rules import Rules, RulesLike
from blackjack.strategy import Strategy, StrategyPlan, named
from blackjack_core.round import Round
from blackjack_core.shoe import Shoe
from blackjack_core.stream import GENERAL_STREAM, LANES, STREAM, Rows, fill

if TYPE_CHECKING:
    from io import TextIOBase

    from typing_extensions import Buffer

    from blackjack_core.boxes import BoxTables

__all__ = ["RoundColumns", "RoundStream", "play_rounds"]

_BATCH: Final = 1 << 16
CHUNK_ROUNDS: Final = 1 << 20
"""Rounds of a chunk of the compiled stream: a part of what the stream is."""
_SKIP: Final = 1 << 12
_FORMATS: Final[dict[str, tuple[Literal["B", "i"], int]]] = {
    "cards": ("B", 1),
    "n_cards": ("B", 1),
    "actions": ("B", 1),
    "n_actions": ("B", 1),
    "outcomes": ("B", 1),
    "n_hands": ("B", 1),
    "net": ("i", 4),
}


class RoundColumns:
    """Room for so many rounds, column by column, in buffers of the caller or of its own.

    The columns, one row per round (`shape` tells how wide): `cards` (codes, rank * 4 + suit, in dealt
    order) and `n_cards`; `actions` (codes, in the order taken) and `n_actions`; `outcomes` (codes, by
    hand, box after box) and `n_hands`; `net` (int32, in 1/`unit` of a bet, all boxes together).
    What is behind a row's count is undefined.

    Args:
        rules: the game.
        capacity: rounds there is room for.
        boxes: boxes with a bet.
        buffers: writable, contiguous buffers for some columns (NumPy arrays, `array`, `mmap`, shared
            memory); the others are made here.

    Raises:
        ArgumentError: a buffer does not fit; the text says what was expected.
    """

    def __init__(
        self,
        rules: Rules,
        capacity: int,
        *,
        boxes: int = 1,
        buffers: Mapping[str, Buffer] | None = None,
    ) -> None:
        whole("capacity", capacity, 1)
        self.rules = rules
        self.boxes = boxes
        self.unit = rules.exact_unit
        self.capacity = capacity
        self.count = 0
        """Rounds in it, from the last `fill`."""
        self.first = 0
        """The number of its first round in the stream."""
        most = round_capacity(rules, boxes)
        if rules.shoe_size is not None:
            most = min(most, rules.shoe_size)
        hands = boxes * rules.max_hands
        widths = {"cards": most, "actions": most + 2 * hands, "outcomes": hands}
        self._views: dict[str, memoryview] = {}
        self._width: dict[str, int] = {}
        given = dict(buffers or {})
        for name, (kind, size) in _FORMATS.items():
            width = widths.get(name, 1)
            self._width[name] = width
            room = capacity * width * size
            buffer = given.pop(name, None)
            view = memoryview(bytearray(room) if buffer is None else buffer)
            if view.readonly or not view.c_contiguous or view.nbytes != room:
                raise ArgumentError(
                    f"{name}: expected a writable contiguous buffer of {room} bytes "
                    f"({capacity} x {width} x {size}), got {view.nbytes} bytes"
                )
            if buffer is not None and view.itemsize != size:
                raise ArgumentError(f"{name}: expected items of {size} bytes, got {view.itemsize}")
            self._views[name] = view.cast("B").cast(kind)
        if given:
            raise ArgumentError(f"expected columns {', '.join(_FORMATS)}, got {', '.join(given)}")

    @property
    def shape(self) -> dict[str, tuple[int, ...]]:
        """The shape of each column: (capacity,) or (capacity, width)."""
        return {
            name: (self.capacity, width)
            if name in ("cards", "actions", "outcomes")
            else (self.capacity,)
            for name, width in self._width.items()
        }

    def __len__(self) -> int:
        return self.count

    @property
    def all(self) -> dict[str, Any]:
        """Every column's items, as `flat` gives them."""
        return dict(self._views)

    def flat(self, name: str) -> memoryview:
        """A column's items one after another, row by row, all of the capacity."""
        return self._views[name]

    def __getitem__(self, name: str) -> Any:
        """A column's rounds: a NumPy array on the same memory, or without NumPy a memoryview."""
        view, shape = self._views[name], (self.count, *self.shape[name][1:])
        size = self.count * self._width[name]
        try:
            import numpy as np
        except ImportError:
            part = view[:size]
            return part.cast("B").cast(_FORMATS[name][0], shape) if self.count else part
        return np.frombuffer(view, dtype=np.dtype(view.format))[:size].reshape(shape)

    # ------------------------------------------------------------ rounds as records

    def _row(self, name: str, index: int) -> bytes:
        width = self._width[name]
        return bytes(
            self._views[name][index * width : index * width + self._views["n_" + name][index]]
        )

    def record(self, index: int) -> dict[str, Any]:
        """A round as a round file's object, named by its number in the stream.

        Raises:
            IndexError: there is no such round.
        """
        if not 0 <= index < self.count:
            raise IndexError(f"expected a round from 0 to {self.count - 1}, got {index}")
        return record_of(
            self.rules,
            [self.unit] * self.boxes,
            self._row("cards", index),
            [ACTIONS[code] for code in self._row("actions", index)],
            id=self.first + index,
        )

    def records(self) -> Iterator[dict[str, Any]]:
        """Every round as a round file's object."""
        return (self.record(i) for i in range(self.count))

    def write(self, file: TextIOBase) -> None:
        """Append the rounds to a round file (JSON Lines)."""
        file.writelines(record_text(record) + "\n" for record in self.records())


class _Player(Protocol):
    """Plays a stream's chunks into columns."""

    path: str
    stream: str
    chunk_rounds: int
    tables: int

    def start(self, chunk: int) -> None:
        """Begin with a chunk's first round."""

    def fill(self, into: RoundColumns, at: int, rounds: int) -> None:
        """Write the chunk's next rounds, a multiple of `tables`, from row `at` on."""


class _SlowPlayer:
    """The true round, in Python."""

    tables = 1

    def __init__(
        self, rules: Rules, strategy: Strategy | Callable_, seed: int, boxes: int, rng: str
    ) -> None:
        self.args = (rules, seed, boxes, rng)
        self.stream = f"{slow.STREAM}/{rng}"
        self.chunk_rounds = slow.CHUNK_ROUNDS
        if isinstance(strategy, Strategy):
            self.path = "round"
            self.choose = slow.by_plan(strategy.compile(rules))
        else:
            self.path = "callable"
            self.choose = slow.by_callable(strategy, rules)

    def start(self, chunk: int) -> None:
        rules, seed, boxes, rng = self.args
        self.game = slow.Game(rules, slow.chunk_source(seed, chunk, rng), boxes)

    def fill(self, into: RoundColumns, at: int, rounds: int) -> None:
        game = self.game
        for row in range(at, at + rounds):
            game.play(self.choose)
            outcomes = bytes(
                game.round.hand_state(box, hand)[4]
                for box in range(game.boxes)
                for hand in range(game.round.hand_count(box))
            )
            net = sum(back - staked for staked, back in game.round.totals()[: game.boxes])
            put(into, row, "cards", game.shoe.round_cards(), "n_cards")
            put(into, row, "actions", bytes(game.actions), "n_actions")
            put(into, row, "outcomes", outcomes, "n_hands")
            into.flat("net")[row] = net


class _CompiledPlayer:
    """The tables of the game, in C."""

    path = "compiled"
    tables = LANES

    def __init__(self, rules: Rules, tables: BoxTables, seed: int, rng: str) -> None:
        self.args = (tables, seed, rng)
        self.cards = rules.shoe_cards
        self.stream = f"{STREAM}/{rng}"
        self.chunk_rounds = CHUNK_ROUNDS

    def start(self, chunk: int) -> None:
        tables, seed, rng = self.args
        self.rows = Rows(tables, self.cards, slow.chunk_source(seed, chunk, rng, STREAM))

    def fill(self, into: RoundColumns, at: int, rounds: int) -> None:
        self.rows.fill(first=at, rounds=rounds, **into.all)


class _GeneralPlayer:
    """The true round, in C: for the few games that have no tables."""

    path = "general"
    tables = 1

    def __init__(self, rules: Rules, plan: StrategyPlan, seed: int, boxes: int, rng: str) -> None:
        self.args = (rules, seed, rng)
        self.stream = f"{GENERAL_STREAM}/{rng}"
        self.chunk_rounds = slow.CHUNK_ROUNDS
        self.rule_set = rules.replace(boxes=boxes).compiled
        self.plan: dict[str, Any] = {
            "unit": rules.exact_unit,
            "boxes": boxes,
            "depth": slow.shuffle_depth(rules, boxes),
            "burn": rules.burn,
            "capacity": round_capacity(rules, boxes),
            "chart": plan.play,
            "offers": plan.offers,
            "exact": plan.exact,
            "split_by_rank": plan.split_by_rank,
        }

    def start(self, chunk: int) -> None:
        rules, seed, rng = self.args
        source = slow.chunk_source(seed, chunk, rng, GENERAL_STREAM)
        shoe = Shoe(rules.shoe_cards, source, infinite=rules.decks is None)
        self.round, self.fresh = Round(self.rule_set, shoe), True

    def fill(self, into: RoundColumns, at: int, rounds: int) -> None:
        fill(self.round, fresh=self.fresh, first=at, rounds=rounds, **self.plan, **into.all)
        self.fresh = False


def put(into: RoundColumns, row: int, name: str, items: bytes, count: str) -> None:
    """Write a row of a wide column and its count."""
    width = into.shape[name][1]
    into.flat(name)[row * width : row * width + len(items)] = items
    into.flat(count)[row] = len(items)


class RoundStream:
    """An endless stream of rounds, told by its seed.

    >>> stream = RoundStream("las_vegas", seed=7)
    >>> columns = stream.columns(100)
    >>> stream.fill(columns), stream.fill(columns), columns.first
    (100, 100, 100)

    Args:
        rules: the game, or a preset's name.
        strategy: `"chart"`, `"optimal"`, `"published"`, a `Strategy`, or a function asked at every decision (slow).
        seed: 0 to 2**64 - 1; without one it is drawn, and `seed` tells.
        boxes: boxes with a bet of one each.
        rng: "xoshiro256++" or "chacha20".
        isa: "round" plays the true round in Python, slowly; a stream of its own.

    Attributes:
        path: what plays: "compiled" (by tables), "general" (the true round in C, for the few games that
            have no tables), or in Python "round" or "callable".
        stream: the name of the random streams; with the seed it fixes every card.
        tables: round i is dealt at table i % `tables`, from the shoe that round i - `tables` left there.
        chunk_rounds: after so many rounds every table begins with a fresh shuffle.
    """

    def __init__(
        self,
        rules: RulesLike,
        strategy: Strategy | str | Callable_ = "chart",
        *,
        seed: int | None = None,
        boxes: int = 1,
        rng: str = "xoshiro256++",
        isa: str | None = None,
    ) -> None:
        self.rules = Rules.of(rules)
        self.seed = secrets.randbits(64) if seed is None else seed_number(seed)
        one_of("a generator", rng, GENERATORS)
        self.boxes = boxes
        self._player = _player(self.rules, strategy, self.seed, boxes, rng, isa)
        self.path, self.stream = self._player.path, self._player.stream
        self.tables, self.chunk_rounds = self._player.tables, self._player.chunk_rounds
        self._at = 0  # the next round's number
        self._kept = 0  # rounds played, but not handed out: the last ones of _scratch

    def columns(self, capacity: int, **buffers: Buffer) -> RoundColumns:
        """Columns for so many rounds of this stream, on the caller's buffers where given."""
        return RoundColumns(self.rules, capacity, boxes=self.boxes, buffers=buffers)

    @cached_property
    def _scratch(self) -> RoundColumns:
        return self.columns(self.tables)

    def seek(self, number: int) -> None:
        """Go on with the round of this number."""
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ValueError(f"expected the number of a round, got {number!r}")
        skip = number % self.chunk_rounds
        self._at, self._kept = number - skip, 0
        unwanted = self.columns(min(skip, _SKIP) or 1)
        while self._at < number:
            self.fill(unwanted, number - self._at)

    def fill(self, columns: RoundColumns, rounds: int | None = None) -> int:
        """Fill columns with the next rounds (as many as fit by default); how many."""
        want = columns.capacity if rounds is None else min(rounds, columns.capacity)
        columns.first, columns.count = self._at, want
        row = 0
        while row < want:
            take = min(self._kept, want - row)
            if take:
                self._copy(columns, row, self.tables - self._kept, take)
                self._kept -= take
            else:
                chunk, played = divmod(self._at, self.chunk_rounds)
                if not played:
                    self._player.start(chunk)
                take = min(want - row, self.chunk_rounds - played)
                take -= take % self.tables
                if take:
                    self._player.fill(columns, row, take)  # straight into the caller's memory
                else:
                    self._player.fill(self._scratch, 0, self.tables)
                    self._kept = self.tables
            row += take
            self._at += take
        return want

    def _copy(self, columns: RoundColumns, row: int, skip: int, take: int) -> None:
        for name in _FORMATS:
            width = columns._width[name]  # noqa: SLF001  its own class's neighbour
            part = self._scratch.flat(name)[skip * width : (skip + take) * width]
            columns.flat(name)[row * width : (row + take) * width] = part


def _player(
    rules: Rules,
    strategy: Strategy | str | Callable_,
    seed: int,
    boxes: int,
    rng: str,
    isa: str | None,
) -> _Player:
    if isa not in (None, ROUND):
        raise ArgumentError(f"expected isa to be None or {ROUND!r}, got {isa!r}")
    whole("boxes", boxes, 1)
    if isinstance(strategy, str):
        strategy = named(strategy, rules)
    elif not isinstance(strategy, Strategy):
        function("strategy", strategy)
    if isinstance(strategy, Strategy) and isa != ROUND:
        plan = strategy.compile(rules)
        tables = box_tables(rules, plan, boxes)
        if tables is None:
            return _GeneralPlayer(rules, plan, seed, boxes, rng)
        return _CompiledPlayer(rules, tables, seed, rng)
    return _SlowPlayer(rules, strategy, seed, boxes, rng)


def play_rounds(
    rules: RulesLike,
    strategy: Strategy | str | Callable_ = "chart",
    *,
    rounds: int,
    seed: int | None = None,
    batch: int = _BATCH,
    out: RoundColumns | None = None,
    **options: Any,
) -> Iterator[RoundColumns]:
    """Rounds in batches of columns.

    >>> for batch in play_rounds("romanian", rounds=250, seed=7, batch=100):
    ...     print(len(batch), batch.first, len(batch["net"]))
    100 0 100
    100 100 100
    50 200 50

    Args:
        rules: the game, or a preset's name.
        strategy: as `RoundStream` takes it.
        rounds: how many.
        seed: 0 to 2**64 - 1.
        batch: rounds a batch; no matter for the rounds themselves.
        out: columns to be filled again and again; without them every batch has its own.
        **options: `boxes`, `rng`, `isa`, as `RoundStream` takes them.
    """
    left = whole("rounds", rounds, 0)
    whole("batch", batch, 1)
    stream = RoundStream(rules, strategy, seed=seed, **options)
    while left > 0:
        columns = stream.columns(min(batch, left)) if out is None else out
        left -= stream.fill(columns, left)
        yield columns
