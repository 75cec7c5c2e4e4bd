"""The command line: `python -m blackjack COMMAND`, and `blackjack` as a script.

Lives here: the list of commands and the dispatch, which imports only the module of the command that
was asked for. Not here: what a command does. Each has a module in this package with two functions:
`configure(parser)` adds its arguments, `run(args) -> int` does the work and returns the exit status.
Status 2 is wrong usage (raise `UsageError`), 1 a check that failed, 130 an interrupt.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from typing import Final

__all__ = ["COMMANDS", "UsageError", "main"]

COMMANDS: Final[dict[str, str]] = {
    "play": "play a house in the terminal",
    "rules": "the rules of a house, in words or as a file",
    "presets": "the houses there are",
    "replay": "play recorded rounds again",
    "simulate": "play very many rounds and measure",
    "ev": "the exact expected value of a game or of one decision",
    "edge": "the house's edge, for people, of one house or several",
    "chart": "the strategy chart of a house",
    "compare": "what each rule is worth, against a base or house against house",
    "grade": "what each decision of recorded rounds cost",
    "verify": "check recorded rounds and shoes",
    "fairness": "commit to a shuffle and check it afterwards",
    "serve": "a table for another program, one JSON object a line",
}
"""Every command and what it is for; one whose module is not installed is not offered."""

_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141


class UsageError(Exception):
    """The command line asks for something that makes no sense; the text says what is wrong."""


def _offered(command: str) -> bool:
    return importlib.util.find_spec(f"{__name__}.{command}") is not None


def _program() -> str:
    # under `python -m` the name of the file that runs says nothing to a person
    name = os.path.basename(sys.argv[0]) if sys.argv else ""  # noqa: PTH119  pathlib is slow to load
    return "python -m blackjack" if name in ("__main__.py", "-m", "") else name


def _overview() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_program(),
        usage="%(prog)s COMMAND ...",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Blackjack, exactly: play it, replay it, measure it.",
        epilog="commands:\n"
        + "\n".join(f"  {name:<10} {what}" for name, what in COMMANDS.items() if _offered(name))
        + "\n\nCOMMAND --help tells more about one.",
    )
    parser.add_argument("--version", action="store_true", help="print the version and leave")
    return parser


def _dispatch(argv: Sequence[str]) -> int:
    if not argv or argv[0].startswith("-"):
        parser = _overview()
        if argv and parser.parse_args(argv).version:
            from importlib.metadata import version

            print(version("blackjack-engine"))
            return 0
        parser.print_help(sys.stdout if argv else sys.stderr)
        return 0 if argv else 2
    name, *rest = argv
    if name not in COMMANDS or not _offered(name):
        offered = ", ".join(command for command in COMMANDS if _offered(command))
        raise UsageError(f"there is no command {name!r}; there are {offered}")
    module = importlib.import_module(f"{__name__}.{name}")
    parser = argparse.ArgumentParser(
        prog=f"{_program()} {name}",
        description=(module.__doc__ or "").split("\n")[0],
        allow_abbrev=False,
    )
    module.configure(parser)
    return int(module.run(parser.parse_args(rest)))


def _open_streams() -> None:
    """Standard streams that the caller has closed read and write nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status.

    Args:
        argv: the words after the program's name; those of the process by default.
    """
    _open_streams()
    try:
        status = _dispatch(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except UsageError as error:
        print(f"{_program()}: {error}", file=sys.stderr)
        return 2
    except SystemExit as stop:  # argparse has printed its message
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has left; keep the interpreter from flushing into the closed pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except OSError as error:
        print(f"{_program()}: {error}", file=sys.stderr)
        return 1
    return status
