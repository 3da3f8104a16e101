#pragma once
// The table of failure phrases of libraries that GPUs use beside NCCL: NVSHMEM, and what frameworks do with multicast
// and CUDA IPC by themselves.

#include "messages/phrases.h"

namespace nccl_analyze {

constexpr Phrase device_library_phrases[] = {
    // Multicast over NVLink, which FlashInfer, TensorRT-LLM and Transformer Engine use by themselves.
    {"nvls-failed", "does not support multicasting",
     "RuntimeError: [SymmDeviceMemory] Device does not support multicasting.", PrintedBy::anyone, "devicememory"},
    {"nvls-failed", "does not support comm+GEMM overlap",
     "AssertionError: CUDA device, driver and/or toolkit version does not support comm+GEMM overlap with CUDA "
     "Multicast. Launch app with UB_SKIPMC=1 to try CUDA IPC instead.",
     PrintedBy::anyone},
    // PyTorch takes the memory of another process by its file descriptor.
    {"p2p-failed", "pidfd_getfd: Operation not permitted", "RuntimeError: pidfd_getfd: Operation not permitted",
     PrintedBy::anyone},
    // The signal handler of TensorRT-LLM, and the frame below it.
    {"process-died", "in ncclCommWindowRegister", "  File \"<unknown>\", line 0, in ncclCommWindowRegister",
     PrintedBy::anyone, "<unknown>"},
    {"process-died", "Segfault encountered", "!!!!!!! Segfault encountered !!!!!!!", PrintedBy::anyone},
    // NVSHMEM, from which DeepEP has its traffic. Its macros print the place in its own code before the words.
    {"nvshmem-failed", "Fatal IPC Failure",
     "/opt/nvshmem/src/host/mem/mem_heap.cpp:exchange_heap_memory_handle:775: Fatal IPC Failure", PrintedBy::anyone},
    {"nvshmem-failed", "IPC failure: ", "IPC failure: Sending data over socket failed: No such file or directory",
     PrintedBy::anyone, "socket"},
    {"nvshmem-failed", "NVSHMEM API called before",
     "/opt/nvshmem/src/host/team/team.cu:nvshmem_team_split_strided:63: NVSHMEM API called before NVSHMEM "
     "initialization has completed",
     PrintedBy::anyone},
    {"nvshmem-failed", "nvshmem initialization failed, exiting",
     "/opt/nvshmem/src/host/init/init.cu:nvshmemi_check_state_and_init:1200: nvshmem initialization failed, exiting",
     PrintedBy::anyone},
    {"nvshmem-failed", "Unable to initialize any transports",
     "/opt/nvshmem/src/host/transport/transport.cpp:nvshmemi_transport_init:294: Unable to initialize any transports. "
     "returning error.",
     PrintedBy::anyone},
    {"nvshmem-failed", "non-zero status:",
     "/opt/nvshmem/src/modules/transport/ibrc/ibrc.cpp:418: non-zero status: 22 ibv_modify_qp failed",
     PrintedBy::anyone, "nvshmem|/ibrc.cpp|/ibgda.cpp|/ibdevx.cpp"},
    {"nvshmem-failed", "NULL value",
     "/opt/nvshmem/src/modules/transport/ibgda/ibgda.cpp:2414: NULL value Unable to create ah.", PrintedBy::anyone,
     "nvshmem|/ibrc.cpp|/ibgda.cpp|/ibdevx.cpp"},
    {"nvshmem-failed", "neither nv_peer_mem, or nvidia_peermem",
     "/opt/nvshmem/src/modules/transport/ibgda/ibgda.cpp:nvshmemt_init:4559: neither nv_peer_mem, or nvidia_peermem "
     "detected. Skipping transport.",
     PrintedBy::anyone},
    {"nvshmem-failed", "is not enumerated as an mlx5 device",
     "WARN: device erdma_0 is not enumerated as an mlx5 device. Skipping...", PrintedBy::anyone},
    {"nvshmem-failed", "init failed for transport:",
     "/opt/nvshmem/src/host/transport/transport.cpp:nvshmemi_transport_init:282: init failed for transport: IBGDA",
     PrintedBy::anyone},
};

}  // namespace nccl_analyze
