// aws-ofi-nccl: libfabric and EFA.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row rows[] = {
    row<OfiStarted>("NET/OFI Initializing aws-ofi-nccl {version:word}", "1.7", "",
                    "NET/OFI Initializing aws-ofi-nccl 1.16.2"),
    row<OfiLibfabricUsed>("NET/OFI Using Libfabric version {version:word}", "1.7", "",
                          "NET/OFI Using Libfabric version 2.1"),
    row<OfiProviderMissing>("NET/OFI No eligible providers were found", "1.7", "",
                            "NET/OFI No eligible providers were found"),
    row<OfiProviderSelected>("NET/OFI Selected provider is {provider}, fabric is {fabric} (found {nics} nics)",
                             "1.13.2", "", "NET/OFI Selected provider is efa, fabric is efa-direct (found 4 nics)"),
    row<OfiProviderSelected>("NET/OFI Selected Provider is {provider} (found {nics} nics)", "1.7", "1.13.2",
                             "NET/OFI Selected Provider is efa (found 4 nics)"),
    row<PlatformReported>(
        "NET/OFI NCCL_OFI_TUNER is not available for platform : {platform}, Fall back to NCCL's tuner", "1.9.2", "",
        "NET/OFI NCCL_OFI_TUNER is not available for platform : g6e.8xlarge, Fall back to NCCL's "
        "tuner"),
    row<PlatformReported>("NET/OFI Running on {platform:word} platform, {:text}", "1.7", "",
                          "NET/OFI Running on p4d.24xlarge platform, Setting NCCL_TOPO_FILE environment variable to "
                          "/opt/p4d-24xl-topo.xml"),
    row<OfiNoted>("NET/OFI {detail}", "1.7", "", "NET/OFI Setting provider_filter to efa"),
};

}  // namespace

const Family ofi_family{"ofi", rows};

}  // namespace nccl_analyze
