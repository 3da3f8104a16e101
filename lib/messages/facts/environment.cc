// Rows of settings: environment variables, communicator configuration, rejected values.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row environment_rows[] = {
    row<EnvSet>("{variable:word} set by environment to {value}", "2.4.2", "",
                "NCCL_SOCKET_IFNAME set by environment to ^docker0,lo"),
    row<EnvSet>("{variable:NCCL_SOCKET_IFNAME|NCCL_IB_HCA|NCCL_OOB_NET_IFNAME} set to {value}", "2.6.4", "",
                "NCCL_IB_HCA set to mlx5"),
    row<EnvSet>("TUNER/Plugin: {variable:NCCL_TUNER_PLUGIN} set to {value}", "2.21.5", "",
                "TUNER/Plugin: NCCL_TUNER_PLUGIN set to libnccl-tuner.so"),
    row<EnvRejected>("Invalid value {value} for {variable:word}, using default {used}.", "2.4.2", "",
                     "Invalid value 99999999999999999999 for NCCL_BUFFSIZE, using default -2."),
    row<EnvRejected>("Invalid value {value} for {variable:NCCL_RAS_TIMEOUT_FACTOR}, using default {:int}.{:int}.",
                     "2.31.2", "", "Invalid value x for NCCL_RAS_TIMEOUT_FACTOR, using default 1.5."),
    row<EnvRejected>("Invalid value {value} for {variable:NCCL_PLUGIN_P2P}, using default", "", "",
                     "Invalid value rdma for NCCL_PLUGIN_P2P, using default"),
    row<CommConfigSet>("Comm config {key} set to {value}", "2.17.1", "", "Comm config Blocking set to 1"),
};

}  // namespace

const Family environment_family{"environment", environment_rows};

}  // namespace nccl_analyze
