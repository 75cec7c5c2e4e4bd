"""The file that type checkers check also runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from type_checks import public_api


@pytest.mark.parametrize(
    "check",
    [
        public_api.rules,
        public_api.cards,
        public_api.table,
        public_api.strategies,
        public_api.exactly,
    ],
    ids=lambda f: f.__name__,
)
def test_the_public_face_is_what_it_is_typed_as(check: Callable[[], None]) -> None:
    check()
