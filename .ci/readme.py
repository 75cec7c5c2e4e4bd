"""Print the README's two commands, one a line: the blocks marked ```sh before the first section."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def commands(text: str) -> list[str]:
    head = text.split("\n## ", maxsplit=1)[0]
    return [
        block.strip() for block in re.findall(r"^```sh\n(.*?)^```", head, re.MULTILINE | re.DOTALL)
    ]


if __name__ == "__main__":
    found = commands(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if len(found) != 2 or any("\n" in command for command in found):
        sys.exit(f"expected two commands of one line in the README's head, got {found}")
    print("\n".join(found))
