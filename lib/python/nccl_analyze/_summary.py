"""Summaries hold what a report needs of logs, so that logs are read where they are and only summaries travel."""
from __future__ import annotations

import os
from typing import Callable, Iterable, Iterator, Optional, Union

from nccl_analyze import _library
from nccl_analyze._analyzer import Analyzer, Error, Path, Words, _array, _warn, _warned
from nccl_analyze._report import Report

_c = _library.library

# A path, or bytes: the log or the summary itself.
Source = Union[str, "os.PathLike[str]", bytes]


class Collector(Analyzer):
    """Collects logs and summaries as one summary."""

    def __init__(self, *, job: Optional[str] = None, step: Optional[str] = None, node: Optional[str] = None,
                 select: Words = None, ignore: Words = None, expect: Words = None, profile: Optional[Path] = None,
                 rules: Union[Path, Iterable[Path], None] = None, baseline: Optional[Path] = None) -> None:
        super().__init__(select=select, ignore=ignore, expect=expect, profile=profile, rules=rules, baseline=baseline)
        self._set(format="summary", job=job, step=step, node=node)
        self.missed: list[str] = []  # what could not be read beside bytes that could

    def merge(self, summaries: Iterable[Union[Source, Iterable[Source]]]) -> None:
        """Merges summaries. Raises Error if there is none to merge; of damaged ones among others it takes notice."""
        listed = list(_flat(summaries))
        paths = [one for one in listed if not isinstance(one, bytes)]
        texts = [one for one in listed if isinstance(one, bytes)]
        failed = self._run_paths(_c.nccl_analyze_merge, paths) if paths or not texts else []
        for number, text in enumerate(texts, 1):
            try:
                self._run(_c.nccl_analyze_merge_bytes, b"summary %d" % number, text, len(text))
            except Error as error:
                failed.append(error)
        if failed and len(failed) == len(texts) + bool(paths or not texts):
            raise failed[0]

    def read_logs(self, logs: Iterable[Union[Source, Iterable[Source]]], name: str) -> None:
        """Reads files, and bytes as the pieces of a file called `name`. Raises Error if there is nothing to read."""
        listed = list(_flat(logs))
        paths = [one for one in listed if not isinstance(one, bytes)]
        texts = [one for one in listed if isinstance(one, bytes)]
        failed = self._run_paths(_c.nccl_analyze_read, paths) if paths or not texts else []
        if failed and not texts:
            raise failed[0]
        for text in texts:
            self.feed(name, text)

    def _run_paths(self, function: Callable[..., int], paths: Iterable[Path]) -> list[Error]:
        """Returns the error if none of the paths could be read, of which the library then keeps no notice."""
        try:
            self._run(function, *_array(paths))
        except Error as error:
            self.missed.append(f"error: {error}")
            return [error]
        return []

    def summary(self) -> bytes:
        """Ends all sources and returns their summary."""
        return self._text(_c.nccl_analyze_summary)


def summary(*logs: Union[Source, Iterable[Source]], name: str = "<data>", job: Optional[str] = None,
            step: Optional[str] = None, node: Optional[str] = None) -> bytes:
    """Returns the summary of logs, as `nccl-analyze --format summary` writes it.

    A text or a path names a file, folder or archive; bytes are a log in memory, or its pieces, for whose file `name`
    stands. `job`, `step` and `node` say what the summary is of: without them the job is $SLURM_JOB_ID and the node
    $SLURMD_NODENAME or this machine. Raises Error if there is nothing to read at all; warns (InputWarning) of each part that could not be
    read, and the summary says so too.
    """
    collector = Collector(job=job, step=step, node=node)
    collector.read_logs(logs, name)
    whole = collector.summary()
    _warn(collector.missed + collector._notices())
    return whole


def merge_summaries(*summaries: Union[Source, Iterable[Source]]) -> bytes:
    """Merges summaries into one, as `nccl-analyze merge --format summary` does: in any order and grouping the bytes are
    the same, and a summary that is there twice counts once. For arguments, errors and warnings see merge()."""
    collector = Collector()
    collector.merge(summaries)
    whole = collector.summary()
    _warn(collector.missed + collector._notices())
    return whole


def merge(*summaries: Union[Source, Iterable[Source]], select: Words = None, ignore: Words = None,
          expect: Words = None, profile: Optional[Path] = None, rules: Union[Path, Iterable[Path], None] = None,
          baseline: Optional[Path] = None) -> Report:
    """Returns the report on summaries, which is that on all their logs at once, as `nccl-analyze merge` does.

    Bytes are a summary; a text or a path names a file or folder of summaries. Raises Error if none could be merged;
    warns (InputWarning) of damaged ones among others, and of what the writers of the summaries could not read. The
    options are those of Analyzer; rules of a site with patterns are not evaluated on summaries.
    """
    collector = Collector(select=select, ignore=ignore, expect=expect, profile=profile, rules=rules, baseline=baseline)
    collector.merge(summaries)
    _warn(collector.missed)
    return _warned(collector.finish())


def _flat(sources: Iterable[Union[Source, Iterable[Source]]]) -> Iterator[Source]:
    for one in sources:
        if isinstance(one, (str, bytes, os.PathLike)):
            yield one
        elif isinstance(one, (bytearray, memoryview)):
            yield bytes(one)
        else:
            yield from one
