"""The compiled engine: cards, shoe, hands, the round. Integers and bytes in, integers and bytes out.

Lives here: everything that happens to cards and chips. Not here: names, text, amounts' meaning, tables
of several players; those are in `blackjack`, which this package never imports.
"""

from __future__ import annotations


def get_include() -> str:
    """The folder of the C headers that `cimport blackjack_core...` needs, for `Extension(include_dirs=...)`.

    >>> from pathlib import Path
    >>> (Path(get_include()) / "_sim.h").is_file()
    True
    """
    return __path__[0]
