"""Reads NCCL_DEBUG=INFO logs of a GPU job: what the job is, whether it is healthy, what is wrong and what to do.

    import nccl_analyze
    report = nccl_analyze.read("logs/")
    print(report.verdict.headline)
    pandas.DataFrame(report.ranks)
"""
from nccl_analyze._analyzer import Analyzer, Error, InputWarning, loads, read
from nccl_analyze._library import version as _version
from nccl_analyze._redaction import Redaction, redact
from nccl_analyze._report import (Check, Communicator, Edge, Evidence, Finding, Host, Process, Rank, Report, Step, Suspect,
                                  Verdict)

__all__ = ["Analyzer", "Check", "Communicator", "Edge", "Error", "Evidence", "Finding", "Host", "InputWarning",
           "Process", "Rank", "Redaction", "Report", "Step", "Suspect", "Verdict", "loads", "read", "redact"]
__version__ = _version()
