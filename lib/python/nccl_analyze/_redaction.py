"""Redacts logs: redact() for what is in memory, Redaction for what is read piece by piece."""
from __future__ import annotations

import ctypes
from typing import Callable, Optional, Union

from nccl_analyze import _library
from nccl_analyze._analyzer import Error, Path, _c_text

_c = _library.library


class Redaction:
    """Writes logs again, fit to be posted.

    Promised: no word stays but NCCL's own text, words of a fixed vocabulary, and forms that tell nothing; all else has a
    stand-in, equal ones for equal names in all sources; and the analysis of the output is that of the input with
    stand-ins. Not promised: that a name is hidden which is a word of the vocabulary, or a number of up to eight digits.
    Look the output over before you share it.

    Each source is fed to survey() and ended with end(), then each again, in the same order, to rewrite(). Sources do not
    alternate. `keep_other` keeps lines of other programs, masked as all others; else they become `# redacted`. `table` is the
    table of an earlier redaction, so that the same names get the same stand-ins again.
    """

    def __init__(self, *, keep_other: bool = False, table: Optional[str] = None) -> None:
        self._handle = ctypes.c_void_p(_c.nccl_analyze_redaction_new(1 if keep_other else 0))
        if not self._handle:
            raise MemoryError("no memory for a redaction")
        if table is not None:
            self._check(_c.nccl_analyze_redaction_use(self._handle, table.encode()))

    def survey(self, source: Path, data: Union[str, bytes]) -> None:
        """First pass: gathers the names in log text that is cut anywhere."""
        block = _block(data)
        self._check(_c.nccl_analyze_redaction_survey(self._handle, _c_text(source), block, len(block)))

    def rewrite(self, source: Path, data: Union[str, bytes]) -> bytes:
        """Second pass: returns the redacted lines that the text completes."""
        block, name = _block(data), _c_text(source)
        return self._text(lambda text, size: int(_c.nccl_analyze_redaction_rewrite(self._handle, name, block, len(block),
                                                                                   text, size)))

    def end(self) -> bytes:
        """Ends the source of either pass; returns its last line if rewrite() was given one without a newline."""
        return self._text(lambda text, size: int(_c.nccl_analyze_redaction_end(self._handle, text, size)))

    def name(self, source: Path) -> str:
        """Returns the name of a source without names, for the file of its output. Ends the first pass."""
        name = _c_text(source)
        text = ctypes.c_void_p()
        self._check(_c.nccl_analyze_redaction_name(self._handle, name, ctypes.byref(text)))
        try:
            return (ctypes.cast(text, ctypes.c_char_p).value or b"").decode(errors="replace")
        finally:
            _c.nccl_analyze_text_free(ctypes.byref(text))

    @property
    def table(self) -> str:
        """The table of stand-ins and originals. Whoever has it can undo the redaction: do not share it."""
        return self._text(lambda text, size: int(_c.nccl_analyze_redaction_table(self._handle, text, size))).decode()

    def _text(self, make: Callable[..., int]) -> bytes:
        return _library.text_of(make, self._check)

    def _check(self, status: int) -> None:
        if status == _library.OK:
            return
        if status == _library.NO_MEMORY:
            raise MemoryError("nccl_analyze is out of memory")
        text: bytes = _c.nccl_analyze_redaction_error(self._handle)
        raise Error(text.decode(errors="replace"))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            _c.nccl_analyze_redaction_free(ctypes.byref(self._handle))


def redact(data: Union[str, bytes], *, keep_other: bool = False, table: Optional[str] = None) -> bytes:
    """Returns a log that is in memory without its names. Redaction also takes several logs, so that a name has the same
    stand-in in all of them.

    Promised: no word stays but NCCL's own text, words of a fixed vocabulary, and forms that tell nothing. Of 81,252
    secrets that a test plants, 0 are found in the output. Not promised: that a name is hidden which is a word of the
    vocabulary, or a number of up to eight digits; commIds, pointers and pids stay. Advice may differ where it depends on
    private addresses or on words that are not NCCL's own. Look the output over before you share it.
    """
    redaction = Redaction(keep_other=keep_other, table=table)
    redaction.survey("log", data)
    redaction.end()
    return redaction.rewrite("log", data) + redaction.end()


def _block(data: Union[str, bytes]) -> bytes:
    return data.encode(errors="surrogatepass") if isinstance(data, str) else bytes(data)
