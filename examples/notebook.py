# Cells of a notebook (VS Code, Spyder and jupytext read them): what the job is, who is slow, which paths the bytes take.
# It reads the logs that $LOGS names.

# %%
import os

import nccl_analyze
import pandas as pd

report = nccl_analyze.read(os.environ.get("LOGS", "logs/"))
report  # a notebook shows the verdict and the findings

# %% Verdict and findings
print(report.verdict)
findings = pd.DataFrame(report.findings, columns=["rule", "name", "severity", "ranks", "message"])
print(findings.to_string(index=False, max_colwidth=60))

# %% Whom to look at first
suspects = pd.DataFrame([suspect for finding in report.findings for suspect in finding.suspects])
if not suspects.empty:
    print(suspects[["rank", "host", "pod", "pid", "gpu", "why"]].drop_duplicates().to_string(index=False))

# %% The slowest ranks to initialise
ranks = pd.DataFrame(report.ranks, columns=["communicator", "rank", "host", "gpu", "state", "init_seconds"])
print(ranks.nlargest(5, "init_seconds").to_string(index=False))

# %% Connections by transport, inside a host and between hosts
edges = pd.DataFrame(report.edges, columns=["from_host", "to_host", "transport", "gdrdma"])
where = (edges.from_host == edges.to_host).map({True: "inside a host", False: "between hosts"})
print(pd.crosstab(edges.transport, where))

# %% Settings that differ between processes
settings = pd.DataFrame([process.env for process in report.processes])
differing = settings.loc[:, settings.nunique(dropna=False) > 1]
print(differing.drop_duplicates().to_string(index=False) if not differing.empty else "all processes have equal settings")

# %% A page to share
page = report.to_html()
print(f"report.to_html() is a page of {len(page) // 1024} KiB")
