"""Runs the tests of one file with a program: run_python_test.py BINARY FILE [CLASS[.TEST] ...]"""
import importlib
import pathlib
import sys
import unittest

import program


def main(binary, file, *names):
    program.BINARY = str(pathlib.Path(binary).resolve())
    path = pathlib.Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    unittest.main(importlib.import_module(path.stem), argv=[path.name, *names])


if __name__ == "__main__":
    main(*sys.argv[1:])
