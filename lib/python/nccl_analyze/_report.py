"""The report: its writers, and its tables as lists of small objects, which pandas.DataFrame takes as they are."""
from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Optional

from nccl_analyze import _library

_c = _library.library


@dataclass
class Verdict:
    status: str  # ok, warning, error, or unknown where the log cannot prove that the job is healthy
    headline: str
    outcome: str = "unknown"  # completed, failed, hung, running, or unknown
    outcome_lines: list[dict[str, int]] = field(default_factory=list)  # the lines that show it: source, line

    def __str__(self) -> str:
        return f"{self.status.upper()}  {self.headline}"


@dataclass
class Evidence:
    """A line that proves a finding."""
    source: str
    line: int
    text: Optional[str]
    meaning: Optional[str] = None  # what the message of the line means, Markdown


@dataclass
class Suspect:
    """Whom to look at first. What no line tells is None."""
    rank: Optional[int]
    host: Optional[str]
    pod: Optional[str]
    container: Optional[str]
    pid: Optional[int]
    gpu: Optional[int]
    why: Optional[str]
    inferred: bool  # from missing lines


@dataclass
class Step:
    """What to do about a finding."""
    text: str  # Markdown
    command: Optional[str]  # for a shell, or lines of a manifest
    because: Optional[str]  # the fact of this log that demands the step
    reference: Optional[str]  # release notes, issues


@dataclass
class Finding:
    rule: str  # NCA301
    name: str  # net-plugin-failed
    severity: str  # error, warning, info
    stage: str  # where the fault stands between root cause and symptom
    title: str
    message: str  # this case, with its numbers
    ranks: str  # "0-3,7"
    hosts: list[str]
    communicators: list[int]
    suspects: list[Suspect]
    evidence: list[Evidence]
    evidence_count: int  # `evidence` holds the first of them
    explanation: str  # Markdown
    fix: str  # the steps as a list of Markdown
    steps: list[Step]  # most likely first; what this log excludes is left out
    consequence: bool  # whether another finding explains it
    consequences: list[Finding]  # what it explains


@dataclass
class Rank:
    """A rank of a communicator. Indices are those of Report.communicators and Report.processes."""
    communicator: int
    rank: Optional[int]
    host: Optional[str]
    pod: Optional[str]
    container: Optional[str]
    pid: Optional[int]
    gpu: Optional[int]
    bus_id: Optional[str]
    state: str  # started, complete, failed, aborted, destroyed
    phase: str  # how far its initialisation came
    init_seconds: Optional[float]
    last_call: Optional[str]  # AllReduce
    last_call_number: Optional[int]
    process: Optional[int]


@dataclass
class Edge:
    """A connection from one rank to another in one channel."""
    communicator: int
    channel: int
    connection: int
    from_rank: int
    to_rank: int
    from_host: Optional[str]
    to_host: Optional[str]
    kind: str  # P2P, SHM, NET, COLLNET: the first word of the transport
    transport: str  # P2P/CUMEM, NET/IB
    gdrdma: bool
    device: Optional[int]
    proxy_rank: Optional[int]
    shared: bool
    read: bool


@dataclass
class Communicator:
    index: int
    comm_id: Optional[str]
    name: Optional[str]
    parent: Optional[int]
    created_by: Optional[str]
    nranks: Optional[int]
    nnodes: Optional[int]
    ranks_with_log: int
    channels: Optional[int]
    inside: Optional[str]  # how bytes travel inside a host
    between: Optional[str]  # and between hosts
    gdr: Optional[bool]
    nvls: Optional[bool]
    connections: int
    rings: int


@dataclass
class Host:
    index: int
    name: Optional[str]
    pod: Optional[str]
    container: Optional[str]
    processes: int
    gpus: int
    nics: int
    numa_nodes: Optional[int]
    cpu: Optional[str]
    nvlink: Optional[str]
    worst_gpu_path: Optional[str]
    network_ends: int
    gdrdma_ends: int


@dataclass
class Process:
    index: int
    host: Optional[str]
    pid: Optional[int]
    pod: Optional[str]
    container: Optional[str]
    library: Optional[str]  # NCCL, RCCL
    version: Optional[str]
    cuda: Optional[str]
    driver: Optional[str]
    network: Optional[str]
    interface: Optional[str]  # of the bootstrap
    address: Optional[str]
    platform: Optional[str]
    env: dict[str, str]  # the settings that its log shows
    # Where `version` is None and the places in NCCL's source that messages name tell it: library, versions, places,
    # matched, lines. Likely, not proven.
    version_inferred: Optional[dict[str, Any]] = None


@dataclass
class Check:
    check: str
    status: str  # pass, fail, unknown
    detail: str


class Rendered:
    """What Report and Diff share: texts in several formats, and notices. It does not change."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle = handle

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            _c.nccl_analyze_report_free(ctypes.byref(self._handle))

    def __str__(self) -> str:
        return self.to_text()

    def render(self, format: str) -> str:
        """The report in a format of the program: json, text, markdown, html; on a job also ranks, trace, junit, sarif,
        github, prometheus, otlp."""
        def check(status: int) -> None:
            if status == _library.MISUSE:
                raise ValueError(f"there is no format {format!r}")
            if status != _library.OK:
                raise MemoryError("no memory for the report")
        text = _library.text_of(lambda *text: int(_c.nccl_analyze_render(self._handle, format.encode(), *text)), check)
        return text.decode(errors="replace")

    def to_text(self) -> str:
        return self.render("text")

    def to_markdown(self) -> str:
        """The report for a ticket."""
        return self.render("markdown")

    def to_html(self) -> str:
        """The report as a page of its own."""
        return self.render("html")

    def to_json(self) -> str:
        """The report as JSON, whose keys report.v1.schema.json describes, those of a difference diff.v1.schema.json."""
        return self.render("json")

    def to_dict(self) -> dict[str, Any]:
        """The JSON as dictionaries and lists, with more facts than the tables of this class. It is the report's own:
        whoever changes it changes the tables that are still to be made."""
        return self._json

    @cached_property
    def _json(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.to_json())
        return document

    @cached_property
    def notices(self) -> list[str]:
        """What could not be read or was left out."""
        notices: list[str] = []
        while (text := _c.nccl_analyze_notice(self._handle, len(notices))) is not None:
            notices.append(text.decode(errors="replace"))
        return notices


class Report(Rendered):
    """The report on a job. read(), loads(), merge() and Analyzer make it."""

    def __repr__(self) -> str:
        return (f"<nccl_analyze.Report: {self.verdict}; findings: {len(self.findings)}, ranks: {len(self.ranks)}, "
                f"hosts: {len(self.hosts)}>")

    def _repr_html_(self) -> str:
        return self.render("html-fragment")

    @cached_property
    def verdict(self) -> Verdict:
        return Verdict(**self._json["verdict"])

    @cached_property
    def findings(self) -> list[Finding]:
        """Root causes first."""
        sources = [source["name"] for source in self._json["input"]["sources"]]
        return [_finding(one, sources) for one in self._json["findings"]]

    @cached_property
    def checks(self) -> list[Check]:
        return [_row(Check, one) for one in self._json["checks"]]

    @cached_property
    def ranks(self) -> list[Rank]:
        """The ranks of all communicators whose logs are in the input."""
        return [_row(Rank, one, last_call=(one["last_call"] or {}).get("operation"),
                     last_call_number=(one["last_call"] or {}).get("number")) for one in self._json["ranks"]]

    @cached_property
    def edges(self) -> list[Edge]:
        hosts = {(rank.communicator, rank.rank): rank.host for rank in self.ranks}
        return [_row(Edge, one, communicator=comm["index"], from_rank=one["from"], to_rank=one["to"],
                     from_host=hosts.get((comm["index"], one["from"])), to_host=hosts.get((comm["index"], one["to"])),
                     kind=one["transport"].partition("/")[0])
                for comm in self._json["communicators"] for one in comm["connections"]]

    @cached_property
    def communicators(self) -> list[Communicator]:
        paths = {path["communicator"]: path for path in self._json["paths"]}
        return [_row(Communicator, {**paths[one["index"]], **one}, ranks_with_log=len(one["ranks"]),
                     connections=len(one["connections"]), rings=len(one["rings"]))
                for one in self._json["communicators"]]

    @cached_property
    def hosts(self) -> list[Host]:
        return [_row(Host, one, **{key: len(one[key]) for key in ("processes", "gpus", "nics")})
                for one in self._json["hosts"]]

    @cached_property
    def processes(self) -> list[Process]:
        return [_row(Process, {"version_inferred": None, **one, **one["bootstrap"]}) for one in self._json["processes"]]


@dataclass
class Change:
    """A fact that differs between two runs."""
    topic: str  # network, settings, versions, init-time …
    what: str  # NCCL_IB_HCA
    old: Optional[str]  # None: no line prints the setting, or there is no such finding
    new: Optional[str]
    ranks: Optional[str]  # "0-3,7"; None for a fact of the whole job
    every_rank: bool  # whether these are all ranks that both runs show
    outside: bool  # whether the fact is of processes outside the largest communicator
    hosts: list[str]  # the hosts of these ranks in the new run, if each changed with all its ranks
    old_line: Optional[str]  # worker-0.log:27
    new_line: Optional[str]


class Diff(Rendered):
    """The difference of two runs. diff() makes it."""

    def __repr__(self) -> str:
        return f"<nccl_analyze.Diff: {self.headline}; changes: {len(self.changes)}>"

    @cached_property
    def same(self) -> bool:
        """Whether there is no change; what only one run shows does not count."""
        return bool(self._json["same"])

    @cached_property
    def headline(self) -> str:
        """The first change in one line."""
        return str(self._json["headline"])

    @cached_property
    def changes(self) -> list[Change]:
        """Causes before their effects, else likeliest to matter first."""
        return [_row(Change, one) for one in self._json["changes"]]


def _row(kind: Any, values: dict[str, Any], /, **more: Any) -> Any:
    """An object of the class `kind` from those values that it has members for; `more` goes before `values`."""
    return kind(**{name: more[name] if name in more else values[name] for name in kind.__dataclass_fields__})


def _finding(one: dict[str, Any], sources: list[str]) -> Finding:
    evidence = [Evidence(sources[line["source"]], line["line"], line["text"], line.get("meaning")) for line in one["evidence"]]
    finding: Finding = _row(Finding, one, evidence=evidence, ranks=one["ranks"] or "",
                            steps=[_row(Step, step) for step in one["steps"]],
                            suspects=[_row(Suspect, suspect) for suspect in one["suspects"]],
                            consequences=[_finding(other, sources) for other in one["consequences"]])
    return finding
