// Rows of faults within a host: CUDA, memory, GPUs, shared memory, P2P, NVLink, and the error trace that follows.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row fault_rows[] = {
    row<CudaFailed>(
        "{({:word}:{:int} )}Cuda failure {({code} )}'{error}'", "2.4.2", "",
        "Cuda failure 'an illegal memory access was encountered'\nCuda failure 719 'unspecified launch "
        "failure'\ninit.cc:331 Cuda failure 'driver shutting down'\ninit.cc:331 Cuda failure 4 'driver shutting down'"),
    row<AllocationFailed>("Failed to {what:CUDA malloc|CUDA calloc async|CUDA calloc|CUDA host alloc|malloc} {bytes} "
                          "bytes",
                          "2.4.2", "", "Failed to CUDA calloc async 72 bytes"),
    row<DuplicateGpuDetected>("Duplicate GPU detected : rank {rank} and rank {other_rank} both on CUDA device {bus_id}",
                              "2.5.6", "2.29.7",
                              "Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 101c0"),
    row<SharedMemoryFailed>("Error: failed to extend {path:word} to {bytes} bytes{(, error: {error} ({code}))}",
                            "2.4.2", "",
                            "Error: failed to extend /dev/shm/nccl-KzmV5D to 9637892 bytes, error: No space left on "
                            "device (28)\nError: failed to extend /dev/shm/nccl-KzmV5D to 9637892 bytes"),
    row<SharedMemoryFailed>("Error: failed to create shared memory file {path:word}, error {error} ({code})", "2.22.3",
                            "",
                            "Error: failed to create shared memory file /dev/shm/nccl-XXXXXX, error Permission denied "
                            "(13)"),
    row<SharedMemoryFailed>("Error: Could not map {path:word} size {bytes}, error: {error} ({code})", "2.22.3", "",
                            "Error: Could not map /dev/shm/nccl-KzmV5D size 9637892, error: Cannot allocate memory "
                            "(12)"),
    row<SharedMemoryFailed>(
        "Error while {:creating|attaching to} shared memory segment {path:word} (size {bytes}){(, error: {error} "
        "({code}))}",
        "2.4.2", "",
        "Error while creating shared memory segment /dev/shm/nccl-KzmV5D (size 9637888), error: No space left on "
        "device (28)\nError while creating shared memory segment /dev/shm/nccl-KzmV5D (size 9637888)"),
    row<P2pUnusable>(
        "P2P is disabled between {between:NVLINK} connected GPUs {gpu} and {other_gpu}. This should not be "
        "the case given their connectivity, and is probably due to a hardware issue. If you still want to "
        "proceed, you can set NCCL_IGNORE_DISABLED_P2P=1.",
        "2.12.7", "",
        "P2P is disabled between NVLINK connected GPUs 1 and 0. This should not be the case given their "
        "connectivity, and is probably due to a hardware issue. If you still want to proceed, you can set "
        "NCCL_IGNORE_DISABLED_P2P=1."),
    row<P2pUnusable>("P2P is disabled between connected GPUs {gpu} and {other_gpu}. You can repress this message with "
                     "NCCL_IGNORE_DISABLED_P2P=1.",
                     "2.12.7", "",
                     "P2P is disabled between connected GPUs 1 and 0. You can repress this message with "
                     "NCCL_IGNORE_DISABLED_P2P=1."),
    row<P2pFailed>("failed to peer with device {detail}", "2.4.2", "",
                   "failed to peer with device 1(=1c000): 217 peer access is not supported between these two devices"),
    row<P2pFailed>("cudaIpcGetMemHandle failed : {detail}", "2.12.7", "",
                   "cudaIpcGetMemHandle failed : invalid argument"),
    row<P2pFailed>("peer query failed between {detail}", "2.4.2", "",
                   "peer query failed between dev 0(=1b000) and dev 1(=1c000)"),
    row<P2pFailed>("Could not enable P2P between {detail}", "2.6.4", "",
                   "Could not enable P2P between dev 0(=1b000) and dev 1(=1c000)"),
    row<NvlsFailed>(
        "Failed to bind NVLink SHARP (NVLS) Multicast memory of size {bytes} : CUDA error {code} '{error}'.{( "
        "Proceeding without NVLS support.)}",
        "2.27.3", "",
        "Failed to bind NVLink SHARP (NVLS) Multicast memory of size 2097152 : CUDA error 401 'the operation cannot be "
        "performed in the present state'. Proceeding without NVLS support.\nFailed to bind NVLink SHARP (NVLS) "
        "Multicast memory of size 2097152 : CUDA error 401 'the operation cannot be performed in the present state'."),
    row<TopologyFileFailed>("Could not open XML {:topology|graph} file {path} : {error}", "2.6.4", "",
                            "Could not open XML topology file /nonexistent/topo.xml : No such file or directory"),
    row<ErrorPropagated>("{({file:word}:{line} )}-> {result}{( [{thread}])}{( ({:text}))}", "2.4.2", "",
                         "init.cc:345 -> 5\ngroup.cc:73 -> 5 [Async thread]\nmisc/socket.cc:64 -> 2 (Connection "
                         "refused)\n-> 5\n-> 5 [Async thread]\n-> 2 (Connection refused)"),
    row<ServiceClosed>("[Service thread] Connection closed by localRank {local_rank}", "2.12.7", "",
                       "[Service thread] Connection closed by localRank 6"),
    row<ProxyFailed>("[Proxy Service {:int}] Failed to execute operation {detail}", "2.12.7", "",
                     "[Proxy Service 3] Failed to execute operation Connect from rank 3, retcode 3"),
    row<ProxyFailed>("[Service thread] Error encountered progressing {detail}", "2.17.1", "",
                     "[Service thread] Error encountered progressing operation=Connect, res=3, closing connection"),
    row<ProxyFailed>("[Service thread] Could not receive type from {detail}", "2.12.7", "",
                     "[Service thread] Could not receive type from localRank 1, res=3, closed=0"),
    row<DuplicateGpuDetected>("Multiple ranks detected using the same GPU on this node. Set "
                              "NCCL_MULTI_RANK_GPU_ENABLE=1 to enable this configuration.",
                              "2.30.3", "2.30.4",
                              "Multiple ranks detected using the same GPU on this node. Set "
                              "NCCL_MULTI_RANK_GPU_ENABLE=1 to enable this configuration."),
    row<DuplicateGpuDetected>("Multiple Ranks are using the same GPU/Partition. Set NCCL_MULTI_RANK_GPU_ENABLE=1 to "
                              "enable this configuration.",
                              "2.30.7", "",
                              "Multiple Ranks are using the same GPU/Partition. Set NCCL_MULTI_RANK_GPU_ENABLE=1 to "
                              "enable this configuration."),
    row<MnnvlFailed>("MNNVL is {problem:not supported} on this system", "2.20.3", "2.24.3",
                     "MNNVL is not supported on this system"),
    row<MnnvlFailed>(
        "MNNVL (cliqueSize {clique_size}) is available but {problem:not supported} on this system. Check the "
        "{check:IMEX configuration}.",
        "2.25.1", "2.26.6",
        "MNNVL (cliqueSize 8) is available but not supported on this system. Check the IMEX configuration."),
    row<MnnvlFailed>(
        "MNNVL (cliqueSize {clique_size}) is available but {problem:not working} on this system. Check the {check:IMEX "
        "channel configuration|IMEX configuration} ({:text}). Set NCCL_MNNVL_ENABLE=0 to ignore this issue.",
        "2.27.3", "",
        "MNNVL (cliqueSize 8) is available but not working on this system. Check the IMEX channel configuration "
        "(/dev/nvidia-caps-imex-channels). Set NCCL_MNNVL_ENABLE=0 to ignore this issue."),
    row<KernelMemoryExceeded>(
        "{(cudaArch {compute_capability} )}{:ncclMaxSharedMem|dynamic smem} {needed} exceeds device/fn maxSharedMem "
        "{available}",
        "2.25.1", "",
        "ncclMaxSharedMem 82240 exceeds device/fn maxSharedMem 79856\ncudaArch 1200 ncclMaxSharedMem 114880 exceeds "
        "device/fn maxSharedMem 101376\ncudaArch 1210 dynamic smem 114880 exceeds device/fn maxSharedMem 101376"),
    row<FabricReported>(
        "MNNVL busId {bus_id} fabric UUID {uuid_high}.{uuid_low} cliqueId {clique} state {state} healthMask {health}",
        "2.20.3", "",
        "MNNVL busId 0x1b000 fabric UUID 4d8c9a1b2c3d4e5f.9a1b2c3d4e5f6071 cliqueId 0x7ffe state 3 healthMask 0x0"),
    row<P2pFailed>("hipIpcGetMemHandle failed : {detail}", "", "", "hipIpcGetMemHandle failed : invalid argument"),
    row<Hinted>("HINT: {detail}", "2.30.7", "",
                "HINT: In many cases this error occurs when the NCCL_IB_TIMEOUT is set too short."),
    row<HostSettingMissing>(
        "Missing \"{setting}\" from {:kernel command line|environment} which can lead to {:text}", "", "",
        "Missing \"iommu=pt\" from kernel command line which can lead to system instablity or hang!"),
    row<HostSettingMissing>("NUMA auto balancing enabled which can lead to variability in the RCCL performance! "
                            "Disable by \"sudo sysctl {setting}\"",
                            "", "",
                            "NUMA auto balancing enabled which can lead to variability in the RCCL performance! "
                            "Disable by \"sudo sysctl kernel.numa_balancing=0\""),
};

}  // namespace

const Family fault_family{"fault", fault_rows};

}  // namespace nccl_analyze
