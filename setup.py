"""Only what pyproject.toml cannot say: the extensions and how they are compiled.

BLACKJACK_DEBUG=1 builds with bounds, overflow and None checks, with assertions and with traps on
undefined behaviour in C (the suite's memory-safety run); the default build has none of them. Both keep
their files apart, so that one never picks up what the other compiled.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("BLACKJACK_DEBUG") == "1"
BUILD = "build/debug" if DEBUG else "build"
CORE = Path("src/blackjack_core")

# Every .pyx is a module of its own; hand-written C that one is linked with is named here. Code for
# one instruction set says so in its own file, by function attributes: there are no flags per file.
C_SOURCES: dict[str, str] = {
    "simulate": "_sim_*.c",
    "dealer": "_dealer_*.c",
    "pairs": "_pairs_*.c",
    "stream": "_rows.c",
}

# What only makes tables, once a game, is compiled in half the time.
COLD = {"automaton", "bench", "boxes", "rows", "ruleset"}

if sys.platform == "win32":
    FLAGS = ["/O2"]
    LINK: list[str] = []
else:
    QUIET = "-Wno-unused-function"  # Cython writes helpers that it then does without
    # Undefined behaviour (overflow, shifts, indexes of fixed arrays) ends a debug build's process.
    TRAPS = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    FLAGS = ["-O1", "-g", *TRAPS] if DEBUG else ["-O2", "-g0", "-fno-tree-slp-vectorize", QUIET]
    LINK = [] if DEBUG or sys.platform == "darwin" else ["-Wl,--strip-all"]

# Where processes are forked, a second one need not run this file again.
CYTHON_JOBS = (os.cpu_count() or 1) if sys.platform == "linux" and sys.version_info < (3, 14) else 0


def headers(pyx: Path) -> list[str]:
    """What a module is made from besides what Cython looks after: all headers, where it takes any."""
    texts = [f.read_text(encoding="utf-8") for f in (pyx, pyx.with_suffix(".pxd")) if f.exists()]
    return sorted(map(str, CORE.glob("*.h"))) if any('.h"' in text for text in texts) else []


extensions = [
    Extension(
        f"blackjack_core.{pyx.stem}",
        [str(pyx), *sorted(map(str, CORE.glob(C_SOURCES.get(pyx.stem, "no C"))))],
        depends=headers(pyx),
        extra_compile_args=FLAGS,
        extra_link_args=LINK,
        define_macros=[] if DEBUG else [("CYTHON_WITHOUT_ASSERTIONS", "1")],
    )
    # the one that takes longest first: the others are compiled beside it
    for pyx in sorted(CORE.glob("*.pyx"), key=lambda pyx: (pyx.stem not in C_SOURCES, pyx))
]


class BuildExt(build_ext):
    """The C files of one extension are compiled side by side, as the extensions are.

    The kernels (hand-written, `_*.c`) are optimised harder than what Cython writes, which gains
    nothing from it but takes half as long again to compile; COLD modules less.
    """

    def build_extensions(self) -> None:
        compile_all = self.compiler.compile

        def compile_one(source: str, extra_postargs: list[str], **options: Any) -> list[str]:
            name = Path(source).stem
            level = "-O3" if name.startswith("_") else "-O1" if name in COLD else "-O2"
            flags = [level if f == "-O2" else f for f in extra_postargs]
            return compile_all([source], extra_postargs=flags, **options)

        def compile_each(sources: list[str], **options: Any) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                objects = pool.map(lambda c: compile_one(c, **options), sources)
                return [name for names in objects for name in names]

        self.compiler.compile = compile_each
        super().build_extensions()


setup(
    cmdclass={"build_ext": BuildExt},
    ext_modules=cythonize(
        extensions,
        build_dir=f"{BUILD}/cython",
        nthreads=CYTHON_JOBS,
        compiler_directives={
            "language_level": "3",
            "boundscheck": DEBUG,
            "wraparound": DEBUG,
            "initializedcheck": DEBUG,
            "nonecheck": DEBUG,
            "overflowcheck": DEBUG,
            "cdivision": not DEBUG,
            "embedsignature": False,
            "binding": True,
            "freethreading_compatible": True,
        },
    ),
    options={
        "build": {"build_base": BUILD},
        "build_ext": {"parallel": os.cpu_count() or 1},
    },
)
