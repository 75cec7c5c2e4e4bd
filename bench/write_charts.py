"""Write docs/charts.md: the best charts of the five houses, as the command `chart` prints them.

Run it after a change of a house, of the analyzer or of the drawing; a test holds the page to it.

    python bench/write_charts.py
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from blackjack.cli import main
from blackjack.presets import HOUSES

PAGE = Path(__file__).parents[1] / "docs" / "charts.md"
HEAD = """# The charts of the five houses

The best total-dependent chart of each, computed by the exact analyzer for the very rules, off the top of a full
shoe: what `python -m blackjack chart HOUSE` prints. With `--html`, `--svg` or `--png` it is a page to print, with
`--text` a file for `--strategy`; `--exceptions` lists the hands whose exact cards are better played in another way.
This page is written by `python bench/write_charts.py`.
"""


def printed(house: str) -> str:
    """What the command prints without colours."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = main(["chart", house, "--no-color"])
    assert status == 0
    return out.getvalue()


def text() -> str:
    """The page."""
    parts = [f"## `{house}`\n\n```text\n{printed(house)}```\n" for house in HOUSES]
    return "\n".join([HEAD, *parts])


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
