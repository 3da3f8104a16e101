"""Reads NCCL_DEBUG=INFO logs of a GPU job: what the job is, whether it is healthy, what is wrong and what to do.

    import nccl_analyze
    report = nccl_analyze.read("logs/")
    print(report.verdict.headline)
    pandas.DataFrame(report.ranks)
"""
from nccl_analyze._analyzer import Analyzer, Error, InputWarning, loads, read
from nccl_analyze._library import version as _version
from nccl_analyze._questions import Rule, diff, explain, rules
from nccl_analyze._redaction import Redaction, redact
from nccl_analyze._report import (Change, Check, Communicator, Diff, Edge, Evidence, Finding, Host, Process, Rank, Report,
                                  Step, Suspect, Verdict)
from nccl_analyze._summary import merge, merge_summaries, summary

__all__ = ["Analyzer", "Change", "Check", "Communicator", "Diff", "Edge", "Error", "Evidence", "Finding", "Host",
           "InputWarning", "Process", "Rank", "Redaction", "Report", "Rule", "Step", "Suspect", "Verdict", "diff",
           "explain", "loads", "merge", "merge_summaries", "read", "redact", "rules", "summary"]
__version__ = _version()
