"""Reads the logs of a large job with Dask: workers read the logs, summaries are merged as a tree, the report is made here.

    from dask.distributed import Client
    from nccl_analyze import dask
    report = dask.analyze("/shared/logs/", client=Client("tcp://scheduler:8786"), expect="ranks=1024")

The report is that of nccl_analyze.read() on the same paths, byte for byte, whatever the number of workers and the order
in which they end. The logs of a worker that dies go to others, and a summary that comes twice counts once. Workers need
this package, and see the logs under the names that they have here.
"""
from __future__ import annotations

import glob
import importlib
import os
from typing import Any, Iterable, NamedTuple, Union

from nccl_analyze import _library
from nccl_analyze._analyzer import Error, Path, _array, _listed, _warn
from nccl_analyze._report import Report
from nccl_analyze._summary import Collector, merge

try:
    _bag: Any = importlib.import_module("dask.bag")
except ImportError as error:
    raise ImportError(f"nccl_analyze.dask needs Dask: {error}; install Debian's python3-distributed, or dask[distributed] "
                      "with pip") from error


def analyze(*paths: Union[Path, Iterable[Path]], client: Any = None, files_per_task: int = 16, **options: Any) -> Report:
    """Returns the report on the logs, as nccl_analyze.read() does. The options are those of merge(); for the other
    arguments, errors and warnings see summary()."""
    return merge(summary(*paths, client=client, files_per_task=files_per_task), **options)


def summary(*paths: Union[Path, Iterable[Path]], client: Any = None, files_per_task: int = 16) -> bytes:
    """Returns the summary of logs, which merge() turns into a report.

    The paths are those of nccl_analyze.read(); `**` in a pattern stands for any folders. `client` is a Client of
    dask.distributed; without it Dask takes the one that is open, or starts processes on this machine. Raises Error if
    nothing could be read; warns (InputWarning) of each part that could not be read, and the report says so too.
    """
    lister = Collector()
    array = _array(_expanded(path) for listed in paths for path in _listed(listed))
    files = lister._text(_library.library.nccl_analyze_list, *array).split(b"\0")[:-1]
    parts = _bag.from_sequence(files, partition_size=files_per_task).map(_read)
    item = parts.reduction(_merged, _merged, split_every=16)
    part: _Part = item.compute() if client is None else client.compute(item).result()
    if not part.is_read:
        raise Error(part.notices[0])
    whole = _merged([_Part(lister.summary(), lister._notices(), False), part])
    _warn(whole.notices)
    return whole.summary


class _Part(NamedTuple):
    """What a task returns."""
    summary: bytes
    notices: list[str]
    is_read: bool  # whether there was a log among its files


def _read(file: bytes) -> _Part:
    """A file that is no log, or that this worker cannot read, is no failure of the whole."""
    collector = Collector()
    try:
        collector.read(file)
    except Error as error:
        return _Part(collector.summary(), [str(error)], False)
    return _Part(collector.summary(), collector._notices(), True)


def _merged(parts: Iterable[_Part]) -> _Part:
    listed = list(parts)
    collector = Collector()
    collector.merge(part.summary for part in listed)
    return _Part(collector.summary(), [notice for part in listed for notice in part.notices],
                 any(part.is_read for part in listed))


def _expanded(path: bytes) -> list[bytes]:
    """The files that a pattern with `**` names; the path itself if it has none, or if nothing matches."""
    return (sorted(glob.glob(path, recursive=True)) if b"**" in path else []) or [path]
