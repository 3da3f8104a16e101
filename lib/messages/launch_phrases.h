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
    {"launch-failed", "Current node has no GPU available",
     "ValueError: Current node has no GPU available. current_node_resource={'CPU': 64.0}. vLLM engine cannot start "
     "without GPU.",
     PrintedBy::anyone},
    {"launch-failed", "Ray does not allocate any GPUs on the driver node",
     "ValueError: Ray does not allocate any GPUs on the driver node. Consider adjusting the Ray placement group.",
     PrintedBy::anyone},
    {"launch-failed", "cannot be larger than the number of available GPUs",
     "ValueError: Tensor parallel size (16) cannot be larger than the number of available GPUs (8).",
     PrintedBy::anyone},
    {"launch-failed", "Assertion failed: mpiSize ==",
     "RuntimeError: [TensorRT-LLM][ERROR] Assertion failed: mpiSize == tp * pp (/src/tensorrt_llm/runtime/"
     "worldConfig.cpp:80)",
     PrintedBy::anyone},
    {"launch-failed", "MPI_ERR_SPAWN", "mpi4py.MPI.Exception: MPI_ERR_SPAWN: could not spawn processes",
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
    // Open MPI and PMIx before any program of the job runs.
    {"launch-failed", " cannot be selected", "PML ucx cannot be selected", PrintedBy::anyone, "pml "},
    {"launch-failed", "selected pml ",
     "[worker-1:4711] [[28110,1],1] selected pml ob1, but peer [[28110,1],0] on worker-0 selected pml ucx",
     PrintedBy::anyone, "but peer"},
    {"launch-failed", "Local abort before MPI_INIT completed",
     "[worker-1:4711] Local abort before MPI_INIT completed completed successfully, but am not able to aggregate error "
     "messages",
     PrintedBy::anyone},
    {"launch-failed", "failed for some reason; your parallel process is",
     "It looks like orte_init failed for some reason; your parallel process is", PrintedBy::anyone},
    {"launch-failed", "A requested component was not found",
     "A requested component was not found, or was unable to be opened.", PrintedBy::anyone},
    {"launch-failed", "Bad request from",
     "slurmstepd: error: mpi/pmix_v3: _dmdx_req: worker-1 [1]: pmixp_dmdx.c:321: Bad request from worker-0: nspace "
     "\"slurm.pmix.77.0\" has only 2 ranks, asked for 2",
     PrintedBy::anyone, "nspace"},
    {"launch-failed", "Fatal error in PMPI_Init",
     "Abort(1090831) on node 1 (rank 1 in comm 0): Fatal error in PMPI_Init: Other MPI error, error stack:",
     PrintedBy::anyone},
    {"launch-failed", "A sequential map was requested", "A sequential map was requested, but not enough node entries",
     PrintedBy::anyone},
    // The dynamic linker; NCCL's own library has a rule of its own.
    {"launch-failed", "error while loading shared libraries",
     "./all_reduce_perf: error while loading shared libraries: libmpi.so.40: cannot open shared object file: No such "
     "file or directory",
     PrintedBy::anyone, "", "libnccl.so|librccl.so"},
    // Slurm and its containers.
    {"launch-failed", "HSA_NO_SCRATCH_RECLAIM=1",
     "[FATAL ERROR]: HSA_NO_SCRATCH_RECLAIM=1 must be set to avoid performance degradation with the current HIP "
     "configuration.",
     PrintedBy::anyone, "fatal error"},
    {"launch-failed", "Prolog failure on node", "srun: error: Prolog failure on node worker-1", PrintedBy::anyone},
    {"launch-failed", "Task launch for",
     "srun: error: Task launch for StepId=77.0 failed on node worker-1: Socket timed out on send/recv operation",
     PrintedBy::anyone, "failed on node"},
    {"launch-failed", "Unable to create step for job",
     "srun: error: Unable to create step for job 77: More processors requested than permitted", PrintedBy::anyone},
    {"launch-failed", "Unable to layout tasks on given cpus",
     "srun: error: Application launch failed: Unable to layout tasks on given cpus", PrintedBy::anyone},
    {"launch-failed", "was unable to complete a TCP connection",
     "A process or daemon was unable to complete a TCP connection", PrintedBy::anyone},
    {"launch-failed", "failed to create user namespace",
     "slurmstepd: error: pyxis:     enroot-nsenter: failed to create user namespace: Permission denied",
     PrintedBy::anyone},
    {"launch-failed", "launch failed: Plugin initialization failed",
     "srun: error: task 0 launch failed: Plugin initialization failed", PrintedBy::anyone},
    {"launch-failed", "enroot-switchroot: failed to execute",
     "slurmstepd: error: pyxis:     enroot-switchroot: failed to execute: /bin/bash: No such file or directory",
     PrintedBy::anyone},
    // The kubelet.
    {"launch-failed", "Allocate failed due to",
     "Pod was rejected: Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: "
     "8, Available: 7, "
     "which is unexpected",
     PrintedBy::anyone},
    {"launch-failed", "error adding container to network",
     "Failed to create pod sandbox: plugin type=\"multus\" failed (add): [job/worker-1:rdma-net]: error adding "
     "container to network \"rdma-net\": failed to create macvlan: device or resource busy",
     PrintedBy::anyone},
    {"launch-failed", "can't start new thread", "RuntimeError: can't start new thread", PrintedBy::anyone},
};

}  // namespace nccl_analyze
