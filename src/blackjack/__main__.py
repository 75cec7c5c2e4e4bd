"""`python -m blackjack`: the command line (blackjack.cli)."""

from __future__ import annotations

import sys

from blackjack.cli import main

if __name__ == "__main__":
    sys.exit(main())
