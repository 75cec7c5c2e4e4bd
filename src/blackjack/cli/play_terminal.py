"""The terminal of the game: what it can do, keys and lines in, text out.

Lives here: `Terminal`. Not here: what is written (play_screen), what a key means (play_session).

A terminal with colour is drawn screen by screen and read key by key. Anything else (a pipe, NO_COLOR,
TERM=dumb, --no-color) is plain: text goes by, and a line is read at a time.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

__all__ = ["Terminal", "latin", "shows_colour", "width_of"]

_STYLES: Final = {
    "red": "31",
    "green": "32",
    "yellow": "33",
    "bold": "1",
    "dim": "2",
    "turn": "1;33",
}
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")
_NAMED_KEYS: Final = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "back",
    "\x08": "back",
    "\x04": "end",
    "\x1b": "escape",
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "up",
    "\x1b[D": "down",
}
# Keys of a Russian keyboard by their place, so that nobody has to switch it.
_PLACES: Final = str.maketrans("йцукенгшщзфывапролдячсмить", "qwertyuiopasdfghjklzxcvbnm")


def latin(key: str) -> str:
    """A typed letter as the Latin one on the same key, in lower case.

    >>> latin("Р"), latin("S")
    ('h', 's')
    """
    return key.lower().translate(_PLACES)


def width_of(text: str) -> int:
    """How many columns a text takes, styles not counted."""
    return len(_ESCAPES.sub("", text))


def shows_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colour that the user wants."""
    dumb = os.environ.get("TERM", "dumb") == "dumb" and "WT_SESSION" not in os.environ
    return stream.isatty() and not os.environ.get("NO_COLOR") and not dumb


class Terminal:
    """Standard input and output, as good as they are.

    Attributes:
        colour: whether styles are written.
        keys: whether single keys are read and the screen is drawn anew each time.
        unicode: whether suits and lines can be written.
    """

    def __init__(self, *, colour: bool = True) -> None:
        for stream in (sys.stdin, sys.stdout):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self._in: TextIO = sys.stdin
        self._out: TextIO = sys.stdout
        self.colour = colour and shows_colour(self._out)
        self.keys = self.colour and self._in.isatty()
        self.unicode = self.can_write("┌│♠▶░")
        self._cbreak = False

    def can_write(self, text: str) -> bool:
        """Whether the output's encoding has these characters."""
        try:
            text.encode(self._out.encoding or "ascii")
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    @property
    def size(self) -> tuple[int, int]:
        """(columns, rows) to draw on; plain output has all the rows it wants."""
        columns, rows = shutil.get_terminal_size((80, 24))
        return max(columns, 40), rows if self.keys else 10_000

    def style(self, text: str, name: str) -> str:
        """The text in a style, where there is colour."""
        return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if self.colour and name else text

    # ------------------------------------------------------------ out

    def show(self, lines: Iterable[str]) -> None:
        """A whole screen: it replaces the last one, or goes by after it."""
        text = "\n".join(lines)
        self._out.write(f"\x1b[H\x1b[2J{text}\n" if self.keys else f"\n{text}\n")
        self._out.flush()

    def write(self, text: str) -> None:
        """More text, as it is."""
        self._out.write(text)
        self._out.flush()

    @contextmanager
    def screen(self) -> Iterator[None]:
        """Take the screen over for as long as this lasts, and give it back as it was."""
        if not self.keys:
            yield
            return
        with _key_by_key(self._in) as self._cbreak:
            self.write("\x1b[?1049h")
            try:
                yield
            finally:
                self.write("\x1b[?1049l")
        self._cbreak = False

    # ------------------------------------------------------------ in

    def line(self, prompt: str) -> str | None:
        """A line, or None at the end of input."""
        if self._cbreak:
            return self._edited_line(prompt)
        self.write(prompt)
        line = self._in.readline()
        if not line:
            self.write("\n")
            return None
        if not self._in.isatty():
            self.write(line if line.endswith("\n") else line + "\n")
        return line.strip()

    def key(self) -> str:
        """One key: a character, or "enter", "back", "up", "down", "escape", "end"."""
        self._out.flush()
        if sys.platform == "win32":
            return _windows_key()
        return _unix_key(self._in.fileno())

    def _edited_line(self, prompt: str) -> str | None:
        self.write(prompt)
        text = ""
        while (key := self.key()) != "enter":
            if key == "end":
                return None
            if key == "escape":
                text = ""
                break
            if key == "back" and text:
                text = text[:-1]
                self.write("\b \b")
            elif len(key) == 1 and key.isprintable():
                text += key
                self.write(key)
        self.write("\n")
        return text.strip()


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    @contextmanager
    def _key_by_key(stream: TextIO) -> Iterator[bool]:
        yield True

    def _windows_key() -> str:
        key = msvcrt.getwch()
        if key in ("\x00", "\xe0"):
            return {"H": "up", "P": "down", "M": "up", "K": "down"}.get(msvcrt.getwch(), "escape")
        if key == "\x03":
            raise KeyboardInterrupt
        return "end" if key == "\x1a" else _NAMED_KEYS.get(key, key)

else:
    import termios
    import tty

    @contextmanager
    def _key_by_key(stream: TextIO) -> Iterator[bool]:
        """Keys come as they are pressed, unechoed; Ctrl-C still interrupts."""
        before = termios.tcgetattr(stream.fileno())
        tty.setcbreak(stream.fileno(), termios.TCSADRAIN)
        try:
            yield True
        finally:
            termios.tcsetattr(stream.fileno(), termios.TCSADRAIN, before)

    def _unix_key(fd: int) -> str:
        data = os.read(fd, 1)
        if not data:
            return "end"
        if data == b"\x1b":
            while len(data) < 3 and select.select([fd], [], [], 0.05)[0]:
                data += os.read(fd, 1)
        while data[0] >= 0xC0 and len(data) < 4:
            try:
                data.decode()
                break
            except UnicodeDecodeError:
                data += os.read(fd, 1)
        key = data.decode(errors="replace")
        return _NAMED_KEYS.get(key, "escape" if key.startswith("\x1b") else key)
