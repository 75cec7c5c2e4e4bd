"""Only what pyproject.toml cannot say: the extensions and how they are compiled.

BLACKJACK_DEBUG=1 builds with bounds, overflow and None checks and C assertions (the suite's
memory-safety run); the default build has none of them.
"""
from __future__ import annotations

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("BLACKJACK_DEBUG") == "1"
MODULES = ("rng", "hand", "shoe", "round")

if sys.platform == "win32":
    FLAGS = ["/O2"]
    LINK: list[str] = []
else:
    FLAGS = ["-O1", "-g"] if DEBUG else ["-O3", "-g0", "-fno-tree-slp-vectorize"]
    LINK = [] if DEBUG or sys.platform == "darwin" else ["-Wl,--strip-all"]

extensions = [
    Extension(
        f"blackjack_core.{name}",
        [f"src/blackjack_core/{name}.pyx"],
        extra_compile_args=FLAGS,
        extra_link_args=LINK,
        define_macros=[] if DEBUG else [("CYTHON_WITHOUT_ASSERTIONS", "1")],
    )
    for name in MODULES
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/cython-debug" if DEBUG else "build/cython",
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
    )
)
