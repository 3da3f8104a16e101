#pragma once
/// What switches GPUDirect RDMA on, for each kind of network.

#include <string_view>

namespace nccl_analyze::gdr_fix {

inline constexpr std::string_view base =
    R"(1. **Module, bare metal and Kubernetes nodes**: `lsmod | grep nvidia_peermem` on the *host* (containers cannot load
   it); `modprobe nvidia-peermem`, after the NIC's driver (DOCA-OFED, MLNX_OFED or inbox rdma-core) is loaded. The GPU
   operator does it with `driver.rdma.enabled=true`.
2. **DMA-BUF instead of the module**: open kernel modules of the GPU driver, Linux 5.12 or later, CUDA 11.7, NCCL 2.13;
   then `GPU Direct RDMA Enabled for HCA` without any module. `NCCL_DMABUF_ENABLE=0` must not be set.
3. **Distance**: `nvidia-smi topo -m` shows PIX or PXB between GPU and NIC on machines made for it. PHB, NODE or SYS:
   the NIC is on another root complex; `NCCL_NET_GDR_LEVEL=PHB` (or SYS) allows it, and a benchmark says whether it
   is faster. Virtual machines show a flat topology: give NCCL the provider's file (`NCCL_TOPO_FILE`).
4. **Settings**: `NCCL_NET_GDR_LEVEL` unset; a value in lower case is ignored silently.
5. **GPUs that cannot**: GeForce, and most instance types with PCIe GPUs. Then this is as good as it gets.
6. Afterwards the connections say `via NET/IB/0/GDRDMA`.)";

inline constexpr std::string_view efa =
    R"(1. **The node**: `cat /sys/class/infiniband/*/device/p2p` names the provider of GPU memory; empty means that the
   EFA driver found none (2.6 and later; older ones have no such file). Then take an EFA driver and an NVIDIA driver
   that fit each other: the EFA installer's current release, or the accelerated AMI of EKS, which brings both. An empty
   `lsmod | grep peermem` proves nothing: the driver asks for `efa_nv_peermem` when it needs it, and nvidia-peermem has
   no part in EFA.
2. **The image**: `fi_info -p efa -c FI_HMEM` in the container must list endpoints; if `fi_info -p efa` alone does and
   this does not, its libfabric knows no GPU memory. Take libfabric and aws-ofi-nccl of the installer's release.
3. `FI_EFA_USE_DEVICE_RDMA=1` for old libfabric on p4d; unset for current ones.
4. `OFI_NCCL_DISABLE_GDR_REQUIRED_CHECK=1` only makes the plugin go on without it.)";

inline constexpr std::string_view amd =
    R"(1. **Driver, on the host**: `ls -d /sys/kernel/mm/memory_peers/amdkfd` or `grep ib_register_peer_memory_client
   /proc/kallsyms` must show something: RCCL needs one of them. If neither is there, load the NIC's driver (DOCA-OFED or
   MLNX_OFED) before amdgpu.
2. **DMA-BUF instead**: RCCL uses it only when told to, `NCCL_DMABUF_ENABLE=1` on all ranks, and only on a kernel with
   it: `grep -E 'CONFIG_(PCI_P2PDMA|DMABUF_MOVE_NOTIFY)' /boot/config-$(uname -r)` should say `=y` twice.
3. **Distance**: `rocm-smi --showtopo` shows GPUs and NUMA nodes, `lspci -tv` the switches; a NIC on another root
   complex is too far by default. `NCCL_NET_GDR_LEVEL=PHB` (or SYS) allows it, and a benchmark says whether it is faster.
4. **Settings**: `NCCL_NET_GDR_LEVEL` unset; a value in lower case is ignored silently.
5. Afterwards the connections say `via NET/IB/0/GDRDMA`.)";

inline constexpr std::string_view libfabric =
    R"(1. `fi_info -p PROVIDER -c FI_HMEM` in the container must list endpoints, with the provider that the log names (`cxi`
   on Slingshot). If `fi_info -p PROVIDER` alone does and this does not, its libfabric was built without GPU memory: take
   the fabric vendor's libfabric, and aws-ofi-nccl built with it.
2. Distance: `nvidia-smi topo -m` shows PIX or PXB between GPU and NIC on machines made for it; `NCCL_NET_GDR_LEVEL=PHB`
   (or SYS) allows more, and a benchmark says whether it is faster.
3. Afterwards the connections say `GDRDMA`.)";

inline constexpr std::string_view omni_path =
    R"(1. Over verbs Omni-Path has no GPUDirect RDMA: its driver (`hfi1`) takes no part in the kernel's modules for it. It needs
   the host fabric suite built for GPUs (`modinfo hfi1` names it) and a plugin above Libfabric (aws-ofi-nccl with the
   provider opx or psm2), not NCCL's own `NET/IB`.
2. Without these, data goes through host memory, and that is as good as it gets.)";

}  // namespace nccl_analyze::gdr_fix
