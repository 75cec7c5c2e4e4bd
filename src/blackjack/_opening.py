"""What a table opens with: a shoe and players, or what an earlier one saved.

Lives here: which words shuffle the shoe, who sits down with what, the seal of a saved text. Not here: the
table.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from blackjack._arguments import byte_text, seed_number
from blackjack.cards import CardsLike, parse_cards
from blackjack.errors import ArgumentError, BetError
from blackjack.rules import Rules
from blackjack.wallet import checked_balance
from blackjack_core.rng import Source
from blackjack_core.shoe import Shoe

PLAYER = "player"
"""The name of the one player of a private table that names none."""


def make_shoe(
    rules: Rules, seed: int | None, key: bytes | None, words: bytes | None, cards: CardsLike | None
) -> Shoe:
    given = [
        n
        for n, v in (("seed", seed), ("key", key), ("words", words), ("cards", cards))
        if v is not None
    ]
    if len(given) > 1:
        raise ArgumentError(
            f"expected at most one of seed, key, words and cards, got {' and '.join(given)}"
        )
    if cards is not None:
        return Shoe(bytes(c.code for c in parse_cards(cards)))
    if seed is not None:
        source = Source(seed=seed_number(seed))
    elif words is not None:
        source = Source(data=byte_text("words", words))
    else:
        source = Source(key=os.urandom(32) if key is None else byte_text("key", key, 32))
    return Shoe(rules.shoe_cards, source, infinite=rules.decks is None)


def make_players(
    rules: Rules, balance: int | None, players: Mapping[str, int | None] | None
) -> tuple[list[str], list[int | None]]:
    if players is None:
        return [PLAYER], [checked_balance(balance)]
    if balance is not None:
        raise ArgumentError("expected either balance or players, got both")
    if not isinstance(players, Mapping) or not all(isinstance(n, str) for n in players):
        raise ArgumentError(f"expected players as names with balances, got {players!r}")
    if rules.private and len(players) != 1:
        raise BetError(f"expected one player at a private table, got {len(players)}")
    if len(players) > rules.boxes:
        raise BetError(f"expected at most {rules.boxes} players, one per box, got {len(players)}")
    return list(players), [checked_balance(b) for b in players.values()]


def sealed(text: str) -> str:
    """A saved object's JSON with a check sum of what it says: damage is found, forgery is not."""
    import json

    kept = json.loads(text)
    return json.dumps({**kept, "check": _check_sum(kept)})


def unsealed(text: str) -> dict[str, Any]:
    """What `sealed` sealed, texts of bytes as bytes.

    Raises:
        ValueError: it was damaged. TypeError, KeyError: it is something else.
    """
    import json

    kept = json.loads(text)
    check = kept.pop("check")
    if check != _check_sum(kept):
        raise ValueError("its check sum is another")
    found: dict[str, Any] = json.loads(
        json.dumps(kept), object_hook=lambda d: bytes.fromhex(d["hex"]) if set(d) == {"hex"} else d
    )
    return found


def _check_sum(kept: object) -> str:
    import hashlib
    import json

    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
