"""Builds never_bust.pyx against the installed blackjack-engine: `python setup.py build_ext --inplace`."""

from __future__ import annotations

from Cython.Build import cythonize
from setuptools import Extension, setup

import blackjack_core

setup(
    name="never_bust",
    ext_modules=cythonize(
        [
            Extension(
                "never_bust",
                ["never_bust.pyx"],
                include_dirs=[blackjack_core.get_include()],
            )
        ]
    ),
)
