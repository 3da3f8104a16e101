#include "redact/manifest_settings.h"

#include <algorithm>
#include <array>
#include <string>

#include "redact/bytes.h"
#include "redact/forms.h"
#include "redact/vocabulary.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::array<std::string_view, 5> prefixes = {"NCCL_", "RCCL_", "TORCH_NCCL_", "OFI_NCCL_", "FI_"};

/// Names of settings without their prefix. Settings whose value is a host, a file or a command are left out.
constexpr std::string_view documented =
    " ALGO ALLOC_P2P_NET_LL_BUFFERS ASYNC_ERROR_HANDLING AVOID_RECORD_STREAMS BLOCKING_WAIT BUFFSIZE "
    "CHECKS_DISABLE CHECK_POINTERS COLLNET_ENABLE COLLNET_NODE_THRESHOLD COMM_BLOCKING "
    "COMM_SPLIT_SHARE_RESOURCES CREATE_THREAD_CONTEXT CROSS_NIC CTA_POLICY CUDA_EVENT_CACHE "
    "CUDA_GRAPH_MIXING_SUPPORT CUMEM_ENABLE CUMEM_HOST_ENABLE DEBUG DEBUG_SUBSYS DESYNC_DEBUG DISABLE_INTRA "
    "DMABUF_ENABLE DUMP_ON_TIMEOUT EFA_ENABLE_SHM_TRANSFER EFA_FORK_SAFE EFA_SET_CUDA_SYNC_MEMOPS "
    "EFA_USE_DEVICE_RDMA EFA_USE_HUGE_PAGE ENABLE_MONITORING ENABLE_TIMING GDRCOPY_ENABLE GRAPH_REGISTER "
    "HEARTBEAT_TIMEOUT_SEC IB_ADAPTIVE_ROUTING IB_ADDR_FAMILY IB_AR_THRESHOLD IB_DATA_DIRECT IB_DISABLE "
    "IB_ECE_ENABLE IB_FIFO_TC IB_GID_INDEX IB_HCA IB_MERGE_NICS IB_MERGE_VFS IB_PCI_RELAXED_ORDERING IB_PKEY "
    "IB_QPS_PER_CONNECTION IB_RETRY_CNT IB_RETURN_ASYNC_EVENTS IB_ROCE_VERSION_NUM IB_SL IB_SPLIT_DATA_ON_QPS "
    "IB_TC IB_TIMEOUT IB_USE_INLINE IGNORE_CPU_AFFINITY LAUNCH_MODE LAUNCH_ORDER_IMPLICIT LL128_BUFFSIZE "
    "LL_BUFFSIZE LOCAL_REGISTER LOG_LEVEL MAX_CTAS MAX_NCHANNELS MAX_NRINGS MAX_P2P_NCHANNELS MIN_CTAS "
    "MIN_NCHANNELS MIN_NRINGS MIN_P2P_NCHANNELS MNNVL_ENABLE MSCCL_ENABLE NCHANNELS_PER_NET_PEER NET "
    "NETDEVS_POLICY NET_DISABLE_INTRA NET_FORCE_FLUSH NET_GDR_C2C NET_GDR_LEVEL NET_GDR_READ NET_MERGE_LEVEL "
    "NET_SHARED_BUFFERS NET_SHARED_COMMS NSOCKS_PERTHREAD NTHREADS NVB_DISABLE NVLSTREE_MAX_CHUNKSIZE "
    "NVLS_ENABLE NVLS_NCHANNELS OOB_NET_ENABLE P2P_DIRECT_DISABLE P2P_DISABLE P2P_LEVEL P2P_LL_THRESHOLD "
    "P2P_NET_CHUNKSIZE P2P_NVL_CHUNKSIZE P2P_PCI_CHUNKSIZE P2P_PXN_LEVEL PROTO PROTOCOL PROVIDER PXN_C2C "
    "PXN_DISABLE RAS_ENABLE RAS_TIMEOUT_FACTOR RETHROW_CUDA_ERRORS RUNTIME_CONNECT SET_STACK_SIZE "
    "SET_THREAD_NAME SHM_DISABLE SHM_USE_CUDA_MEMCPY SINGLE_RING_THRESHOLD SOCKET_FAMILY SOCKET_IFNAME "
    "SOCKET_NTHREADS SOCKET_RETRY_CNT SOCKET_RETRY_SLEEP_MSEC THREAD_THRESHOLDS TRACE_BUFFER_SIZE "
    "TREE_THRESHOLD USE_COMM_NONBLOCKING WIN_ENABLE WIN_STRIDE WORK_FIFO_BYTES ";

bool is_harmless_token(std::string_view token) {
  if (end_of(token, 0, is_digit) == token.size()) return form_of(token) == Form::harmless;
  const std::string word = lowered(token);
  return is_interface(word) || is_common_word(word) || is_among(std::array{"lo", "true", "false", "yes", "no"}, word);
}

}  // namespace

bool is_documented_setting(std::string_view name) {
  const auto names = [&](std::string_view prefix) {
    if (!name.starts_with(prefix) || name.find(' ') != name.npos) return false;
    return documented.find(" " + std::string(name.substr(prefix.size())) + " ") != documented.npos;
  };
  return std::ranges::any_of(prefixes, names);
}

bool is_harmless_value(std::string_view value) {
  constexpr std::string_view signs = ",:^=;";
  constexpr std::size_t longest = 256;
  if (value.size() > longest) return false;
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = std::min(value.find_first_of(signs, at), value.size());
    if (end > at && !is_harmless_token(value.substr(at, end - at))) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace nccl_analyze::redact
