#pragma once
// The table of phrases of launchers, container runtimes and the system, which tell that the processes of a job could
// not be started. They are more specific than those of phrase_table.h.

#include "messages/phrases.h"

namespace nccl_analyze {

constexpr Phrase launch_phrases[] = {
    {"launch-failed", "ssh: connect to host", "ssh: connect to host worker-1 port 22: Connection refused",
     PrintedBy::anyone},
    {"launch-failed", "ssh: Could not resolve hostname",
     "ssh: Could not resolve hostname worker-1: Name or service not known", PrintedBy::anyone},
    {"launch-failed", "Host key verification failed", "Host key verification failed.", PrintedBy::anyone},
    {"launch-failed", "Permission denied (publickey", "root@worker-1: Permission denied (publickey,password).",
     PrintedBy::anyone, "", "git@|github|gitlab"},
    {"launch-failed", "ssh exited with exit code 255", "pdsh@node-1: worker-1: ssh exited with exit code 255",
     PrintedBy::anyone},
    {"launch-failed", "was not reachable via ssh",
     "RuntimeError: Using hostfile at /job/hostfile but host=worker-1 was not reachable via ssh.", PrintedBy::anyone},
    {"launch-failed", "unable to reliably start one or more daemons",
     "ORTE was unable to reliably start one or more daemons.", PrintedBy::anyone},
    {"launch-failed", "orted: command not found", "bash: orted: command not found", PrintedBy::anyone},
    {"launch-failed", "prted: command not found", "bash: line 1: prted: command not found", PrintedBy::anyone},
    {"launch-failed", "not enough slots available", "There are not enough slots available in the system to satisfy",
     PrintedBy::anyone},
    {"launch-failed", "mca_btl_tcp_endpoint",
     "[worker-1][[463,1],0][btl_tcp_endpoint.c:803:mca_btl_tcp_endpoint_complete_connect] connect() to 10.0.4.12 "
     "failed: Connection refused (111)",
     PrintedBy::anyone, "failed"},
    {"launch-failed", "Open MPI failed to TCP connect",
     "WARNING: Open MPI failed to TCP connect to a peer MPI process.", PrintedBy::anyone},
    {"launch-failed", "No available node types can fulfill",
     "Error: No available node types can fulfill resource request {'node:10.0.4.12': 0.001, 'GPU': 1.0}.",
     PrintedBy::anyone},
    {"launch-failed", "exceeds the total number of available GPUs in the placement group",
     "ValueError: The number of required GPUs exceeds the total number of available GPUs in the placement group.",
     PrintedBy::anyone},
    {"launch-failed", "pyxis: container start failed",
     "slurmstepd: error: pyxis: container start failed with error "
     "code: 1",
     PrintedBy::anyone},
    {"launch-failed", "pyxis: failed to import docker image", "slurmstepd: error: pyxis: failed to import docker image",
     PrintedBy::anyone},
    {"launch-failed", "Command not found: nvidia-container-cli",
     "slurmstepd: error: pyxis:     [ERROR] Command not found: nvidia-container-cli", PrintedBy::anyone},
    {"launch-failed", "nvidia-container-cli: ", "nvidia-container-cli: mount error: file creation failed",
     PrintedBy::anyone, "error", "mismatch"},
    {"launch-failed", "could not select device driver",
     "docker: Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]].",
     PrintedBy::anyone},
    {"launch-failed", "Resource temporarily unavailable",
     "Unhandled exception: N5boost10wrapexcept. what(): thread: Resource temporarily unavailable [system:11]",
     PrintedBy::anyone, "thread: |pthread|thread creation|blas|fork|rlimit_nproc", "socket|call to|accept"},
    {"launch-failed", "can't start new thread", "RuntimeError: can't start new thread", PrintedBy::anyone},
};

}  // namespace nccl_analyze
