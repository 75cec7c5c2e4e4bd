"""Run cibuildwheel (its settings are in pyproject.toml) on the one sdist in a folder.

On Windows too, which is why this is no shell script. With `--list` it only prints what it would build.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

VERSION = "cibuildwheel>=4,<5"


def main(folder: str, *options: str) -> int:
    [sdist] = Path(folder).glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", VERSION], check=True)
    more = ["--print-build-identifiers"] if "--list" in options else []
    command = [
        sys.executable,
        "-m",
        "cibuildwheel",
        "--output-dir",
        "wheelhouse",
        *more,
        str(sdist),
    ]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
