// Rows of aws-ofi-nccl, the network plugin for libfabric and EFA.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row ofi_rows[] = {
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
    row<OfiStarted>("NET/OFI Using aws-ofi-nccl {version:word}", "", "", "NET/OFI Using aws-ofi-nccl 1.5.0aws"),
    row<OfiCallFailed>("NET/OFI {operation}. RC: {code}, ERROR: {error}", "1.7", "",
                       "NET/OFI Couldn't open a fabric provider. RC: -61, ERROR: No data available"),
    row<OfiCallFailed>("NET/OFI {operation}. RC: {code}, Error: {error}", "1.7", "",
                       "NET/OFI Unable to register memory (type = 2) for device 0. RC: -14, Error: Bad address"),
    row<OfiCallFailed>("NET/OFI {operation}; RC: {code}, Error: {error}", "1.7", "",
                       "NET/OFI fi_read failed; RC: -22, Error: Invalid argument"),
    row<OfiCallFailed>("NET/OFI {operation} with RC: {code}, ERROR: {error}", "1.7", "",
                       "NET/OFI Call to fi_getname() failed with RC: -22, ERROR: Invalid argument"),
    row<OfiCallFailed>("NET/OFI {operation:OFI fi_getinfo() call} failed: {error}", "1.9.2", "",
                       "NET/OFI OFI fi_getinfo() call failed: No data available"),
    row<OfiProtocolChosen>(
        "NET/OFI Using transport protocol {protocol:word}{( ({chosen_by:user set|platform set}))}", "1.7", "",
        "NET/OFI Using transport protocol SENDRECV\nNET/OFI Using transport protocol SENDRECV (user set)"),
    row<OfiProtocolFailed>("NET/OFI Failed to initialize {protocol:word} protocol", "1.7", "",
                           "NET/OFI Failed to initialize sendrecv protocol"),
    row<OfiSupportReported>("NET/OFI Support for {feature:global registrations|DMA-BUF registrations}: {state:word}",
                            "1.13.2", "", "NET/OFI Support for DMA-BUF registrations: true"),
    row<OfiPlatformSelected>("NET/OFI {part:Plugin|Tuner} selected platform: {platform}", "1.21.1", "",
                             "NET/OFI Plugin selected platform: AWS"),
    row<OfiGdrDisabled>("NET/OFI GDR disabled on GDR-supported instance type {platform}", "1.7", "",
                        "NET/OFI GDR disabled on GDR-supported instance type p4d.24xlarge"),
    row<OfiNicGrouped>("NET/OFI NIC group {group} device #{device} {bus:word}", "1.7", "",
                       "NET/OFI NIC group 0 device #1 0000:18:00.0"),
    row<PlatformReported>("NET/OFI {:Region|Model} base Tuner is chosen for platform: {platform}", "1.13.2", "",
                          "NET/OFI Region base Tuner is chosen for platform: p5.48xlarge"),
    row<PlatformReported>(
        "NET/OFI NCCL_OFI_TUNER_TYPE is Internal, Fall back to NCCL's tuner for platform : {platform}", "1.13.2", "",
        "NET/OFI NCCL_OFI_TUNER_TYPE is Internal, Fall back to NCCL's tuner for platform : p5.48xlarge"),
    row<OfiRequestFailed>(
        "NET/OFI Request {:hex} completed with error. RC: {code}. Error: {provider_error} ({error}). Completed length: "
        "{length}",
        "1.16.3", "1.16.3",
        "NET/OFI Request 0x7f1e completed with error. RC: 103. Error: 15 (Unresponsive receiver). Completed length: 0"),
    row<OfiRequestFailed>("NET/OFI Request {:hex} completed with error. RC: {code}. Flags: {:int}. Error: "
                          "{provider_error} ({error}). Completed length: {length}",
                          "1.21.1", "",
                          "NET/OFI Request 0x7f1e completed with error. RC: 103. Flags: 1024. Error: 15 (Unresponsive "
                          "receiver). Completed length: 0"),
    row<OfiRequestFailed>(
        "NET/OFI Remote write completed with error. RC: {code}. Error: {provider_error} ({error}). Completed length: "
        "{length}",
        "1.16.3", "1.16.3",
        "NET/OFI Remote write completed with error. RC: 103. Error: 15 (Unresponsive receiver). Completed length: 0"),
    row<OfiRequestFailed>("NET/OFI Remote write completed with error. RC: {code}. Flags: {:int}. Error: "
                          "{provider_error} ({error}). Completed length: {length}",
                          "1.21.1", "",
                          "NET/OFI Remote write completed with error. RC: 103. Flags: 1024. Error: 15 (Unresponsive "
                          "receiver). Completed length: 0"),
    row<OfiRequestFailed>("NET/OFI Request {:hex} completed with error. RC: {code}. Error: {provider_error} ({error}). "
                          "Completed length: {length}, Request: {:text}",
                          "1.13.2", "1.16.3",
                          "NET/OFI Request 0x7f1e completed with error. RC: 103. Error: 15 (Unresponsive receiver). "
                          "Completed length: 0, Request: { dev: 0, size: 4096, state: PENDING, direction: SEND }"),
    row<OfiRequestFailed>("NET/OFI Request {:hex} completed with error. RC: {code}. Error: {error}. Completed length: "
                          "{length}, Request: {:text}",
                          "1.7", "1.9.2",
                          "NET/OFI Request 0x7f1e completed with error. RC: 103. Error: Unresponsive receiver. "
                          "Completed length: 0, Request: { dev: 0, size: 4096, state: PENDING, direction: SEND }"),
    row<OfiRequestFailed>(
        "NET/OFI Request {:hex} ({:text}) completed with error: err: {code}, flags: {:int}, prov_errno: "
        "{provider_error}, strerror: {error}, len: {length}",
        "1.21.1", "",
        "NET/OFI Request 0x7f1e ({ dev: 0, size: 4096, state: PENDING, type: SEND }) completed with error: err: 103, "
        "flags: 1024, prov_errno: 4101, strerror: Unresponsive receiver (unreachable by EFA device), len: 0"),
    row<OfiNoted>("NET/OFI {detail}", "1.7", "", "NET/OFI Setting provider_filter to efa"),
};

}  // namespace

const Family ofi_family{"ofi", ofi_rows};

}  // namespace nccl_analyze
