"""Round files: a round as text, read, replayed and written.

Lives here: strict reading of JSON and JSON Lines, `replay` of a record on the compiled round, the
records of rounds that were played. Not here: what happens to cards and chips (blackjack_core.round),
printing (blackjack.cli.replay), where a table's record comes from (blackjack.table).

Amounts. A record that does not name `rounding` is settled exactly: an amount that does not come out
whole is a ratio such as `"15/2"`. The round itself deals in integers, so its bets are scaled: each
amount of a box is in proportion to the box's bet, and a box that bets `Rules.exact_unit` gets whole
amounts only.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NoReturn

from blackjack.actions import ACTION_SETS, ACTIONS, OUTCOMES, Action
from blackjack.cards import CARDS, CardsLike, cards_text, parse_cards
from blackjack.errors import REASONS, BlackjackError, HistoryError, IllegalAction
from blackjack.rules import TABLE_FIELDS, Rules
from blackjack_core.round import Round
from blackjack_core.ruleset import RuleSet
from blackjack_core.shoe import Shoe

__all__ = [
    "load_json",
    "parse_record",
    "read_records",
    "record_of",
    "record_text",
    "replay",
    "replay_lines",
]

MAX_BET: Final = 2**53
MAX_BOXES: Final = 64
_MAX_SCALED: Final = 2**55  # what a box may bet inside so that a double still fits
_TOO_LARGE: Final = "bets: too large to settle exactly in parts under these rules"
_CACHED_RULES: Final = 512
_DONE: Final = 3

_TEXTS: Final = tuple(card.text for card in CARDS)
_OUTCOMES: Final = tuple(str(outcome) for outcome in OUTCOMES)
_LEGAL: Final = tuple(sorted(map(str, actions)) for actions in ACTION_SETS)
_CODES: Final = {str(action): action.code for action in ACTIONS}
_ACTION: Final = re.compile(r"([a-z_]+)(?::([0-9]{1,17}))?", re.ASCII)
_DECIDING: Final = ("rules", "bets", "cards", "actions")


# ---------------------------------------------------------------- reading


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise HistoryError(f"the key {twice!r} is there twice")
    return result


def _no_constant(name: str) -> NoReturn:
    raise HistoryError(f"{name} is no JSON number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def _decode(data: str | bytes) -> str:
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HistoryError(f"not UTF-8: byte {error.start}") from None
    except AttributeError:
        raise HistoryError(f"expected JSON as text, got {_brief(data)}") from None
    return text.removeprefix("\ufeff").strip(" \t\r\n")


def load_json(data: str | bytes) -> object:
    """Strict JSON: UTF-8, every key once, no NaN.

    >>> load_json('{"decks": 6}')
    {'decks': 6}
    >>> load_json('{"decks": 6, "decks": 8}')
    Traceback (most recent call last):
    blackjack.errors.HistoryError: the key 'decks' is there twice

    Raises:
        HistoryError: it is not, with what is wrong.
    """
    text = _decode(data)
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise HistoryError(f"not JSON: {error}") from None
    except RecursionError:
        raise HistoryError("not a round: nested too deeply") from None
    except HistoryError:
        raise
    except ValueError as error:  # a number of more digits than Python reads
        raise HistoryError(f"not a round: {error}") from None


def parse_record(data: str | bytes) -> dict[str, Any]:
    """One record from its JSON text.

    >>> parse_record('{"id": 1, "rules": "romanian"}')["rules"]
    'romanian'

    Raises:
        HistoryError: the text is no JSON object.
    """
    value = load_json(data)
    if not isinstance(value, dict):
        raise HistoryError("expected a JSON object")
    return value


Entry = tuple[int, dict[str, Any] | HistoryError]


def _is_collection(value: object) -> bool:
    """A list of records, or an object that holds some under `rounds`."""
    return isinstance(value, list) or (
        isinstance(value, dict) and isinstance(value.get("rounds"), list) and "cards" not in value
    )


def _expand(value: object) -> Iterator[Entry]:
    """The records of a whole document, numbered from 1."""
    items = value if isinstance(value, list) else [value]
    nested = any(_is_collection(item) for item in items)
    records: list[object] = []
    for item in items:
        if _is_collection(item):
            records += item["rounds"] if isinstance(item, dict) else [item]
        elif not nested or not isinstance(item, dict) or any(k in item for k in _DECIDING):
            records.append(item)  # among others that hold rounds, one without any is a remark
    for number, item in enumerate(records, 1):
        if isinstance(item, dict):
            yield number, item
        else:
            yield number, HistoryError("expected a JSON object")


def _line(number: int, line: str | bytes) -> Entry:
    try:
        return number, parse_record(line)
    except HistoryError as error:
        return number, error


def _blank(line: str | bytes, *, bom: bool = False) -> bool:
    """Nothing but white space (and, in the first line that counts, a byte order mark)."""
    if isinstance(line, bytes):
        return not (line.removeprefix(b"\xef\xbb\xbf") if bom else line).strip(b" \t\r\n")
    return not (line.removeprefix("\ufeff") if bom else line).strip(" \t\r\n")


def read_records(lines: Iterable[str] | Iterable[bytes] | str | bytes) -> Iterator[Entry]:
    """The records of a file as (number, record or what is wrong with it), read lazily.

    JSON Lines are numbered by line; blank lines are skipped. One JSON document over many lines (a
    record, a list of them, or objects with a list of them under `rounds`) is read too and numbered
    by record.

    >>> list(read_records('{"id": "a"}\\n\\n{"id": "b"}\\n'))
    [(1, {'id': 'a'}), (3, {'id': 'b'})]
    """
    if isinstance(lines, str):
        lines = lines.split("\n")
    elif isinstance(lines, bytes):
        lines = lines.split(b"\n")
    elif not isinstance(lines, Iterable):
        raise HistoryError(f"expected lines of text, got {_brief(lines)}")
    numbered: Iterator[tuple[int, str | bytes]] = enumerate(lines, 1)
    number, line = next((n for n in numbered if not _blank(n[1], bom=True)), (0, ""))
    if not number:
        return
    try:
        value = load_json(line)
    except HistoryError as error:
        rest = list(numbered)
        document = _document([line, *(text for _, text in rest)])
        if document is not None:
            yield from _expand(document)
            return
        yield number, error
        numbered = iter(rest)
    else:
        if not _is_collection(value):
            yield _line(number, line)
        else:
            after = next((n for n in numbered if not _blank(n[1])), None)
            if after is None:
                yield from _expand(value)
                return
            yield number, HistoryError("expected a JSON object")
            yield _line(*after)
    for number, line in numbered:
        if not _blank(line):
            yield _line(number, line)


def _document(lines: list[str | bytes]) -> object:
    """All the lines as one JSON value, or None."""
    if not any(not _blank(line) for line in lines[1:]):
        return None
    try:
        joined = b"\n".join(x.encode("utf-8") if isinstance(x, str) else x for x in lines)
        value = load_json(joined)
    except (HistoryError, UnicodeEncodeError):
        return None
    return value if isinstance(value, list | dict) else None


# ---------------------------------------------------------------- the fields of a record

_rules_by_text: dict[str, tuple[Rules, bool]] = {}
_compiled: dict[tuple[str, int], RuleSet] = {}


def _read_rules(value: object) -> tuple[str, Rules, bool]:
    """(cache key, rules, whether they name a rounding)."""
    if isinstance(value, str):
        key = value
    elif isinstance(value, Mapping):
        try:
            key = json.dumps(value)
        except (TypeError, ValueError, RecursionError):
            raise HistoryError("rules: expected plain JSON values") from None
    else:
        raise HistoryError(f"rules: expected a preset's name or an object, got {_brief(value)}")
    found = _rules_by_text.get(key)
    if found is None:
        try:
            found = Rules.from_dict(value), isinstance(value, Mapping) and "rounding" in value
        except BlackjackError as error:
            raise HistoryError(f"rules: {error}") from error
        if len(_rules_by_text) >= _CACHED_RULES:
            _rules_by_text.clear()
            _compiled.clear()
        _rules_by_text[key] = found
    return key, *found


def _rule_set(key: str, rules: Rules, boxes: int) -> RuleSet:
    """Compiled for exactly the record's boxes: the table's own number is a limit of the table."""
    found = _compiled.get((key, boxes))
    if found is None:
        found = RuleSet(**{**rules.compiled.fields, "boxes": boxes})
        _compiled[key, boxes] = found
    return found


def _brief(value: object) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def _read_bets(value: object) -> list[int]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_BOXES:
        raise HistoryError(f"bets: expected 1 to {MAX_BOXES} amounts, got {_brief(value)}")
    for bet in value:
        if isinstance(bet, bool) or not isinstance(bet, int) or not 0 <= bet <= MAX_BET:
            raise HistoryError(f"bets: expected whole amounts from 0 to 2**53, got {_brief(bet)}")
    if not any(value):
        raise HistoryError("bets: expected a bet on some box")
    return list(value)


def _read_cards(value: object) -> bytes:
    if not isinstance(value, str):
        raise HistoryError(f"cards: expected text such as 'As Td', got {_brief(value)}")
    try:
        return bytes(card.code for card in parse_cards(value))
    except BlackjackError as error:
        raise HistoryError(f"cards: {error}") from error


def _read_actions(value: object) -> list[tuple[int, int]]:
    """(code, part named or 0) of each action."""
    if not isinstance(value, list | tuple):
        raise HistoryError(f"actions: expected a list of names, got {_brief(value)}")
    result = []
    for number, item in enumerate(value, 1):
        code = _CODES.get(item) if isinstance(item, str) else None
        part = 0
        if code is None:
            match = _ACTION.fullmatch(item) if isinstance(item, str) else None
            code = _CODES.get(match[1]) if match else None
            if code is None or match is None or match[2] is None:
                raise HistoryError(f"action {number}: there is no action {_brief(item)}")
            part = int(match[2])
            if not 0 < part <= 8 * MAX_BET:
                raise HistoryError(f"action {number}: expected an amount, got {_brief(item)}")
        result.append((code, part))
    return result


# ---------------------------------------------------------------- replaying


def _check_exact(rules: Rules, bets: Sequence[int], actions: Sequence[tuple[int, int]]) -> None:
    """Where the rules name "exact", refuse bets and parts that may not come out whole."""
    unit = rules.exact_unit
    if any(bet % unit for bet in bets):
        raise HistoryError(f"bets: expected multiples of {unit} where rounding is 'exact'")
    charlie = 1 if rules.charlie_cards is None else rules.charlie_pays.denominator
    for number, (code, part) in enumerate(actions, 1):
        unit = rules.insurance_pays.denominator if ACTIONS[code] is Action.INSURANCE else charlie
        if part % unit:
            raise HistoryError(
                f"action {number}: expected a multiple of {unit} where rounding is 'exact', got {part}"
            )


def _scale(
    rules: Rules, bets: Sequence[int], parts: Sequence[int]
) -> tuple[list[int], int, int, bool]:
    """How to settle exactly: (bets inside, numerator, denominator, each box by its own bet).

    An amount inside times the numerator (the box's bet where each goes by its own) over the
    denominator is the caller's amount.
    """
    unit = rules.exact_unit
    if not parts:
        return [unit if bet else 0 for bet in bets], 1, unit, True
    common = math.gcd(*bets, *parts)
    scaled = [bet // common * unit for bet in bets]
    if max(scaled) > _MAX_SCALED or max(parts) // common * unit >= 2**63:
        raise HistoryError(_TOO_LARGE)
    return scaled, common, unit, False


def _at_limit(round_: Round, boxes: int) -> bool:
    """Whether some stake has reached what the round doesn't double any more."""
    return any(
        round_.hand_state(box, hand)[0] > _MAX_SCALED
        for box in range(boxes)
        for hand in range(round_.hand_count(box))
    )


def _amount(units: int, per: int) -> int | str:
    """units / per as an int, or as a ratio in text."""
    whole, rest = divmod(units, per)
    return str(Fraction(units, per)) if rest else whole


def _apply(round_: Round, number: int, code: int, amount: int) -> None:
    """One action of a record, or the HistoryError that says why not."""
    try:
        reason = round_.apply(code, amount)
    except LookupError:
        raise HistoryError(f"action {number} ({ACTIONS[code]}): the cards do not suffice") from None
    if reason:
        cause = IllegalAction(ACTIONS[code], REASONS[reason], ACTION_SETS[round_.legal])
        raise HistoryError(f"action {number}: {cause}") from cause


def _boxes(
    round_: Round, bets: Sequence[int], factor: int, per: int, own: bool
) -> tuple[list[dict[str, Any]], int]:
    """Every box's part of the answer, and the net of all in units of 1 / per."""
    answers: list[dict[str, Any]] = []
    total = 0
    for box, bet in enumerate(bets):
        f = bet if own else factor
        _, insurance, insurance_returned = round_.box_state(box)
        staked, returned = insurance, insurance_returned
        hands = []
        for hand in range(round_.hand_count(box)):
            stake, back, _, _, outcome, *_ = round_.hand_state(box, hand)
            staked += stake
            returned += back
            hands.append(
                {
                    "cards": " ".join([_TEXTS[code] for code in round_.hand_cards(box, hand)]),
                    "bet": _amount(stake * f, per),
                    "outcome": _OUTCOMES[outcome],
                    "returned": _amount(back * f, per),
                }
            )
        net = (returned - staked) * f
        total += net
        answers.append(
            {
                "hands": hands,
                "insurance": _amount(insurance * f, per),
                "insurance_returned": _amount(insurance_returned * f, per),
                "staked": _amount(staked * f, per),
                "returned": _amount(returned * f, per),
                "net": _amount(net, per),
            }
        )
    return answers, total


@dataclass(slots=True)
class OpenRecord:
    """A record that has been read and dealt; its actions are still to be taken.

    An amount inside times `factor` (the box's bet where `own`) over `per` is the record's amount.
    """

    rules: Rules
    bets: list[int]
    actions: list[tuple[int, int]]
    shoe: Shoe
    round: Round
    factor: int
    per: int
    own: bool

    def inside(self, part: int) -> int:
        """A part that the record names, as the round takes it."""
        return part * self.per // self.factor

    def play(self) -> Iterator[tuple[int, int, int]]:
        """(number, action's code, part) before each action is taken; legal ones only, to the end."""
        round_ = self.round
        for number, (code, part) in enumerate(self.actions, 1):
            if not round_.legal:
                raise HistoryError(f"action {number} ({ACTIONS[code]}): the round is over")
            yield number, code, part
            _apply(round_, number, code, self.inside(part))
        if round_.phase != _DONE:
            legal_now = ", ".join(_LEGAL[round_.legal])
            raise HistoryError(
                f"actions: the round goes on after {len(self.actions)} of them: box {round_.box}, "
                f"hand {round_.turn_hand} must decide ({legal_now})"
            )
        if not self.own and self.per > 1 and _at_limit(round_, len(self.bets)):
            # the round refused to double what the record's units may double
            raise HistoryError(_TOO_LARGE)


def open_record(record: Mapping[str, Any]) -> OpenRecord:
    """Read a record and deal its cards."""
    if not isinstance(record, Mapping):
        raise HistoryError(f"expected a record as an object, got {_brief(record)}")
    missing = [name for name in _DECIDING if name not in record]
    if missing:
        raise HistoryError(f"the record has no {', '.join(missing)}")
    key, rules, rounded = _read_rules(record["rules"])
    bets = _read_bets(record["bets"])
    cards = _read_cards(record["cards"])
    actions = _read_actions(record["actions"])
    if rounded and rules.rounding != "exact":
        scaled, factor, per, own = bets, 1, 1, False
    else:
        if rounded:
            _check_exact(rules, bets, actions)
        scaled, factor, per, own = _scale(rules, bets, [part for _, part in actions if part])
    shoe = Shoe(cards)
    round_ = Round(_rule_set(key, rules, len(bets)), shoe)
    try:
        round_.start(scaled)
    except LookupError:
        raise HistoryError("cards: too few to deal the round") from None
    return OpenRecord(rules, bets, actions, shoe, round_, factor, per, own)


def replay(record: Mapping[str, Any]) -> dict[str, Any]:
    """Play a record again: its legal actions, cards and amounts, as docs/api.md describes them.

    >>> answer = replay({"rules": "las_vegas", "bets": [10], "cards": "As 9c Kh", "actions": []})
    >>> answer["boxes"][0]["hands"][0]["outcome"], answer["net"]
    ('blackjack', 15)

    Raises:
        HistoryError: the record is malformed, cut short, too long, or no legal round.
    """
    opened = open_record(record)
    round_ = opened.round
    legal = [list(_LEGAL[round_.legal]) for _ in opened.play()]
    boxes, net = _boxes(round_, opened.bets, opened.factor, opened.per, opened.own)
    return {
        "legal": legal,
        "dealer": " ".join([_TEXTS[code] for code in round_.dealer()]),
        "cards_used": len(opened.shoe.round_cards()),
        "net": _amount(net, opened.per),
        "boxes": boxes,
    }


def _id(record: Mapping[str, Any], number: int) -> int | float | str:
    value: object = record.get("id")
    if value is None:
        return number
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise HistoryError(f"id: expected text or a number, got {_brief(value)}")


def replay_lines(lines: Iterable[str] | Iterable[bytes] | str | bytes) -> Iterator[dict[str, Any]]:
    """The answer to every record of a file, in order: `{"id": ..., "error": ...}` where one fails.

    >>> [a.get("error") for a in replay_lines('{"rules": "macau"}')]
    ['the record has no bets, cards, actions']
    """
    for number, record in read_records(lines):
        yield answer(number, record)


def answer(number: int, record: dict[str, Any] | HistoryError) -> dict[str, Any]:
    """The answer to one entry of `read_records`, whatever is wrong with it."""
    name: int | float | str = number
    try:
        if isinstance(record, HistoryError):
            raise record
        name = _id(record, number)
        return {"id": name, **replay(record)}
    except HistoryError as error:
        return {"id": name, "error": str(error)}
    except Exception as error:  # noqa: BLE001  one strange record must not silence the others
        return {"id": name, "error": f"unexpected {type(error).__name__}: {error}"}


# ---------------------------------------------------------------- writing


def rules_of(
    rules: Rules, bets: Iterable[int] = (), parts: Iterable[int] = ()
) -> str | dict[str, object]:
    """Rules as a record has them: a preset's name where one says it all, else what differs.

    Rounding is named where it could matter to these bets, so that a replay settles alike; the
    table's other limits are not part of a round.

    >>> rules_of(Rules.preset("romanian"), [4]), rules_of(Rules.preset("romanian"), [5])
    ('romanian', {'preset': 'romanian', 'rounding': 'down'})
    """
    unit = rules.exact_unit
    exact = all(bet % unit == 0 for bet in bets) and all(part % unit == 0 for part in parts)
    rounding: dict[str, object] = {} if exact else {"rounding": rules.rounding}
    name = rules.name
    if name is not None:
        return {"preset": name, **rounding} if rounding else name
    differ = Rules().diff(rules)
    fields = {k: theirs for k, (_, theirs) in differ.items() if k not in TABLE_FIELDS}
    return {**fields, **rounding}


def record_of(
    rules: Rules,
    bets: Sequence[int],
    cards: CardsLike,
    actions: Iterable[Action | str | tuple[Action, int | None]],
    *,
    id: str | int | None = None,  # noqa: A002  the record's own word
) -> dict[str, Any]:
    """A round that was played, as a record that replays to the same settlement.

    `cards` are those dealt, in order; an action with a part is (action, amount) or its text.

    >>> record_of(Rules.preset("las_vegas"), [10], "As 9c Ks", [])
    {'rules': 'las_vegas', 'bets': [10], 'cards': 'As 9c Ks', 'actions': []}
    """
    names = []
    for action in actions:
        name, part = action if isinstance(action, tuple) else (action, None)
        names.append(str(name) if part is None else f"{name}:{part}")
    parts = [part for _, part in _read_actions(names) if part]
    head: dict[str, Any] = {} if id is None else {"id": id}
    return {
        **head,
        "rules": rules_of(rules, bets, parts),
        "bets": list(bets),
        "cards": cards_text(parse_cards(cards)),
        "actions": names,
    }


def record_text(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON, without the line's end.

    >>> record_text({"id": 1, "bets": [5]})
    '{"id": 1, "bets": [5]}'
    """
    try:
        return json.dumps(record, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise HistoryError(f"expected a record of plain JSON values: {error}") from None
