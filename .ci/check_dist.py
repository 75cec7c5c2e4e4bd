"""The sdist holds what is in git and nothing generated; the wheel holds what the package needs."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

# In git, but of no use to who builds from the sdist.
NOT_IN_SDIST = (".github/", ".gitignore")
# In the sdist, but made there.
MADE = ("PKG-INFO", "setup.cfg", "src/blackjack_engine.egg-info/")
# In src, but not in a wheel.
NOT_IN_WHEEL = (".pyx", ".c", ".pxi")


def tracked() -> set[str]:
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True)
    return {name for name in listed.stdout.splitlines() if not name.startswith(NOT_IN_SDIST)}


def sdist_names(path: Path) -> set[str]:
    with tarfile.open(path) as tar:
        names = {m.name.partition("/")[2] for m in tar.getmembers() if m.isfile()}
    return {name for name in names if not name.startswith(MADE)}


def differences(what: str, expected: set[str], got: set[str]) -> list[str]:
    return [f"{what} lacks {name}" for name in sorted(expected - got)] + [
        f"{what} has {name}" for name in sorted(got - expected)
    ]


def check_wheel(path: Path, sources: set[str]) -> list[str]:
    with zipfile.ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    compiled = {name for name in names if name.endswith((".so", ".pyd"))}
    modules = {name.partition(".")[0] for name in compiled}
    expected_modules = {
        name.removeprefix("src/").removesuffix(".pyx")
        for name in sources
        if name.startswith("src/") and name.endswith(".pyx")
    }
    expected = {
        name.removeprefix("src/")
        for name in sources
        if name.startswith("src/") and not name.endswith(NOT_IN_WHEEL)
    }
    found = differences(path.name, expected_modules, modules)
    return found + differences(path.name, expected, names - compiled)


def main(folder: str) -> int:
    [sdist] = Path(folder).glob("*.tar.gz")
    got = sdist_names(sdist)
    problems: list[str] = []
    if Path(".git").exists():
        problems += differences(sdist.name, tracked(), got)
    for wheel in Path(folder).glob("*.whl"):
        problems += check_wheel(wheel, got)
    print("\n".join(problems) or f"{sdist.name}: {len(got)} files, as in git; wheels complete")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
