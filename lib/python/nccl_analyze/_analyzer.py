"""Reads logs: read() for paths, loads() for what is in memory, Analyzer for what arrives piece by piece."""
from __future__ import annotations

import ctypes
import os
import threading
import warnings
from typing import Any, Callable, Iterable, Optional, Union

from nccl_analyze import _library
from nccl_analyze._report import Report

_c = _library.library

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Words = Union[str, Iterable[str], None]


class Error(Exception):
    """The work could not be done: nothing to read, or a wrong option. The message is one line: what, where, what to do."""


class InputWarning(UserWarning):
    """A part of the input could not be read or was left out; Report.notices lists the same sentences."""


class Analyzer:
    """Collects the logs of one job. Its methods may be called from several threads; they wait for each other.

    The options are those of the program: `select` and `ignore` are rules by id, prefix of ids (NCA3) or name, `expect`
    expectations such as "ranks=16", `profile` the name or the file of a profile, `rules` files with rules of the site,
    `baseline` a good run to compare with: a log, folder, archive, summary or JSON report.
    """

    def __init__(self, *, select: Words = None, ignore: Words = None, expect: Words = None,
                 profile: Optional[Path] = None, rules: Union[Path, Iterable[Path], None] = None,
                 baseline: Optional[Path] = None) -> None:
        self._handle = ctypes.c_void_p(_c.nccl_analyze_new())
        if not self._handle:
            raise MemoryError("no memory for an analyzer")
        self._set(select=select, ignore=ignore, expect=expect, profile=profile, rules=rules, baseline=baseline)

    def feed(self, source: str, data: Union[str, bytes]) -> None:
        """Parses log text of a source (a file, a pod, a stream), cut anywhere; sources may alternate."""
        block = data.encode(errors="surrogatepass") if isinstance(data, str) else bytes(data)
        self._check(_c.nccl_analyze_feed(self._handle, _c_text(source), block, len(block)))

    def end(self, source: str) -> None:
        """Ends a source and frees its parser; finish() ends the others."""
        self._check(_c.nccl_analyze_end(self._handle, _c_text(source)))

    def read(self, *paths: Union[Path, Iterable[Path]]) -> None:
        """Reads files, folders and archives. Raises Error if there is nothing to read at all. Ctrl-C ends the reading."""
        self._run(_c.nccl_analyze_read, *_array(paths))

    def look(self) -> Report:
        """Returns the report on the log so far."""
        return self._report(_c.nccl_analyze_look)

    def finish(self) -> Report:
        """Ends all sources and returns the report on the whole log; the analyzer is then of no use."""
        return self._report(_c.nccl_analyze_finish)

    def _set(self, **options: Union[Path, Iterable[Path], None]) -> None:
        for option, values in options.items():
            for value in _listed(values):
                self._check(_c.nccl_analyze_set(self._handle, option.encode(), value))

    def _run(self, function: Callable[..., int], *arguments: Any) -> None:
        self._check(self._interruptible(lambda: function(self._handle, *arguments)))

    def _text(self, function: Callable[..., int], *arguments: Any) -> bytes:
        """The text that a function of the analyzer sets through its last two arguments."""
        return _library.text_of(
            lambda *text: self._interruptible(lambda: function(self._handle, *arguments, *text)), self._check)

    def _report(self, make: Callable[..., int]) -> Report:
        handle = ctypes.c_void_p()
        self._run(make, ctypes.byref(handle))
        return Report(handle)

    def _notices(self) -> list[str]:
        """What could not be read or was left out so far."""
        notices: list[str] = []
        while (text := _c.nccl_analyze_notice_so_far(self._handle, len(notices))) is not None:
            notices.append(text.decode(errors="replace"))
        return notices

    def _interruptible(self, call: Callable[[], int]) -> int:
        """Runs a long call in a thread of its own if this is the main thread, because Python handles Ctrl-C there and
        only between two steps of its interpreter. Ctrl-C then ends the reading."""
        if threading.current_thread() is not threading.main_thread():
            return call()
        status = []
        worker = threading.Thread(target=lambda: status.append(call()), name="nccl_analyze", daemon=True)
        worker.start()
        try:
            worker.join()
        except BaseException:
            _c.nccl_analyze_stop(self._handle)
            worker.join()
            raise
        return status[0]

    def _check(self, status: int) -> None:
        if status == _library.OK:
            return
        if status == _library.NO_MEMORY:
            raise MemoryError("nccl_analyze is out of memory")
        text: bytes = _c.nccl_analyze_error(self._handle)
        raise Error(text.decode(errors="replace") or "the reading was stopped")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            _c.nccl_analyze_free(ctypes.byref(self._handle))


def read(*paths: Union[Path, Iterable[Path]], select: Words = None, ignore: Words = None, expect: Words = None,
         profile: Optional[Path] = None, rules: Union[Path, Iterable[Path], None] = None,
         baseline: Optional[Path] = None) -> Report:
    """Reads files, folders and archives (.gz .zst .xz .bz2 .lz4 .tar .zip) and returns the report on the job.

    Raises Error if there is nothing to read at all, or for a wrong option; warns (InputWarning) of each part that could
    not be read. The options are those of Analyzer.
    """
    analyzer = Analyzer(select=select, ignore=ignore, expect=expect, profile=profile, rules=rules, baseline=baseline)
    analyzer.read(*paths)
    return _warned(analyzer.finish())


def loads(data: Union[str, bytes], name: str = "<data>", *, select: Words = None, ignore: Words = None,
          expect: Words = None, profile: Optional[Path] = None,
          rules: Union[Path, Iterable[Path], None] = None, baseline: Optional[Path] = None) -> Report:
    """Returns the report on a log that is in memory. `name` stands for its file in evidence; the options are those of
    Analyzer."""
    analyzer = Analyzer(select=select, ignore=ignore, expect=expect, profile=profile, rules=rules, baseline=baseline)
    analyzer.feed(name, data)
    return analyzer.finish()


def _warned(report: Report) -> Report:
    """Warns the caller of a public function of the report's notices."""
    _warn(report.notices, stacklevel=4)
    return report


def _warn(notices: Iterable[str], stacklevel: int = 3) -> None:
    for notice in notices:
        warnings.warn(notice, InputWarning, stacklevel=stacklevel)


def _array(paths: Iterable[Union[Path, Iterable[Path]]]) -> tuple[Any, int]:
    """Paths, and lists of paths, as an array for C and its size."""
    listed = [path for one in paths for path in _listed(one)]
    if not listed:
        raise Error("name at least one file or folder to read")
    return (ctypes.c_char_p * len(listed))(*listed), len(listed)


def _listed(values: Union[Path, Iterable[Path], None]) -> list[bytes]:
    """One value or several as texts for C."""
    if values is None:
        return []
    return [_c_text(value) for value in ([values] if isinstance(values, (str, bytes, os.PathLike)) else values)]


def _c_text(text: Path) -> bytes:
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError("a name holds a zero byte")
    return encoded
