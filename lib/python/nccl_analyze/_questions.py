"""Questions that need no analysis of a log: what changed between two runs, what a rule or a line means."""
from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from typing import Iterable, Union

from nccl_analyze import _library
from nccl_analyze._analyzer import Analyzer, Path, Words, _c_text, _warn
from nccl_analyze._report import Diff

_c = _library.library


@dataclass
class Rule:
    """What a rule reports, why, and what to do."""
    id: str  # NCA301
    name: str  # net-plugin-failed
    severity: str  # error, warning, info
    title: str
    explanation: str  # Markdown
    fix: str  # Markdown


def diff(old: Path, new: Path, *, ignore: Words = None) -> Diff:
    """Compares two runs of a job, each a log, folder, archive, summary or JSON report, as `nccl-analyze diff` does.

    `ignore`: topics to leave out, such as "init-time". Raises Error if a run shows nothing to compare; warns
    (InputWarning) of each part that could not be read.
    """
    analyzer = Analyzer(ignore=ignore)
    handle = ctypes.c_void_p()
    analyzer._run(_c.nccl_analyze_diff, _c_text(old), _c_text(new), ctypes.byref(handle))
    compared = Diff(handle)
    _warn(compared.notices)
    return compared


def explain(what: str, *, rules: Union[Path, Iterable[Path], None] = None) -> str:
    """Explains a rule (id, number or name), a family (NCA3) or a pasted line of a log, as `nccl-analyze explain` does.
    `rules`: files with rules of the site. Raises Error if no rule has the name."""
    return _explained(what, "text", rules).decode(errors="replace")


def rules(what: str = "", *, rules: Union[Path, Iterable[Path], None] = None) -> list[Rule]:
    """Returns the rules: all, one (id, number or name), or a family (NCA3). `rules`: files with rules of the site.
    Raises Error if no rule has the name."""
    return [Rule(**{name: one[name] for name in Rule.__dataclass_fields__})
            for one in json.loads(_explained(what, "json", rules))["rules"]]


def _explained(what: str, format: str, rules: Union[Path, Iterable[Path], None]) -> bytes:
    return Analyzer(rules=rules)._text(_c.nccl_analyze_explain, _c_text(what), format.encode())
