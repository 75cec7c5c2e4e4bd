"""Every public name of the installed package has a type that a checker can see.

Asks basedpyright (on PATH, with the environment's python) and prints what is not known. The command
line's own modules are left out: they are run, not called.
"""

from __future__ import annotations

import json
import subprocess
import sys


def main(package: str) -> int:
    command = ["basedpyright", "--ignoreexternal", "--outputjson", "--verifytypes", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)["typeCompleteness"]
    exported = [
        s
        for s in report["symbols"]
        if s["isExported"] and not s["name"].startswith(f"{package}.cli")
    ]
    unknown = [s["name"] for s in exported if not (s["isTypeKnown"] or s["isTypeAmbiguous"])]
    if len(exported) < 100:
        print(f"expected to see the whole package, got {len(exported)} names")
        return 1
    for name in unknown:
        print(f"no known type: {name}")
    print(
        f"{len(exported) - len(unknown)} of {len(exported)} public names of {package} have a known type"
    )
    return bool(unknown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
