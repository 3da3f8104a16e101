"""The functions of libnccl_analyze_c, whose header nccl_analyze.h describes them. ctypes releases the interpreter's lock
during each call."""
from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_void_p
from typing import Callable

API_VERSION = 3  # of nccl_analyze.h, which this package was written for
NAME = "libnccl_analyze_c.so.0"

OK, FAILED, NO_MEMORY, MISUSE, STOPPED = range(5)

# Name: the type of the result, the types of the arguments. Handles and texts that are freed are void pointers.
_FUNCTIONS = {
    "api_version": (c_int, []),
    "version": (c_char_p, []),
    "new": (c_void_p, []),
    "free": (None, [POINTER(c_void_p)]),
    "set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "feed": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "end": (c_int, [c_void_p, c_char_p]),
    "read": (c_int, [c_void_p, POINTER(c_char_p), c_size_t]),
    "stop": (None, [c_void_p]),
    "look": (c_int, [c_void_p, POINTER(c_void_p)]),
    "finish": (c_int, [c_void_p, POINTER(c_void_p)]),
    "summary": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "merge": (c_int, [c_void_p, POINTER(c_char_p), c_size_t]),
    "merge_bytes": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "list": (c_int, [c_void_p, POINTER(c_char_p), c_size_t, POINTER(c_void_p), POINTER(c_size_t)]),
    "diff": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p)]),
    "explain": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "notice_so_far": (c_char_p, [c_void_p, c_size_t]),
    "error": (c_char_p, [c_void_p]),
    "report_free": (None, [POINTER(c_void_p)]),
    "notice": (c_char_p, [c_void_p, c_size_t]),
    "render": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "text_free": (None, [POINTER(c_void_p)]),
    "redaction_new": (c_void_p, [c_int]),
    "redaction_free": (None, [POINTER(c_void_p)]),
    "redaction_use": (c_int, [c_void_p, c_char_p]),
    "redaction_survey": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "redaction_rewrite": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(c_void_p), POINTER(c_size_t)]),
    "redaction_end": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "redaction_name": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "redaction_table": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "redaction_error": (c_char_p, [c_void_p]),
}


def _path() -> str:
    """The library that $NCCL_ANALYZE_LIBRARY names, the one of this package, or the one that the dynamic linker finds."""
    own = pathlib.Path(__file__).with_name(NAME)
    return os.environ.get("NCCL_ANALYZE_LIBRARY") or str(own if own.exists() else NAME)


def _load() -> ctypes.CDLL:
    path = _path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"nccl_analyze needs its library {NAME}: {error}; install it, or set NCCL_ANALYZE_LIBRARY to "
                          "its path") from error
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, f"nccl_analyze_{name}", None)
        if function is None:
            raise ImportError(f"{path} has no nccl_analyze_{name}: install the library of the same version as this package")
        function.restype, function.argtypes = result, arguments
    if library.nccl_analyze_api_version() < API_VERSION:
        raise ImportError(f"{path} is older than this package: install both from the same version")
    return library


library = _load()


def text_of(make: Callable[..., int], check: Callable[[int], None]) -> bytes:
    """The text that `make` sets through the addresses of a text and of its size. `check` raises what its status says."""
    text, size = c_void_p(), c_size_t()
    check(make(ctypes.byref(text), ctypes.byref(size)))
    try:
        return ctypes.string_at(text, size.value)
    finally:
        library.nccl_analyze_text_free(ctypes.byref(text))


def version() -> str:
    text: bytes = library.nccl_analyze_version()
    return text.decode()
