#pragma once
/// Events of aws-ofi-nccl, the network plugin for libfabric and EFA.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// The plugin was loaded.
struct OfiStarted {
  static constexpr std::string_view name = "ofi_started";
  std::string_view version;  ///< Version of aws-ofi-nccl.
  NCCL_ANALYZE_FIELDS(OfiStarted, version)
};

/// The version of libfabric.
struct OfiLibfabricUsed {
  static constexpr std::string_view name = "ofi_libfabric_used";
  std::string_view version;
  NCCL_ANALYZE_FIELDS(OfiLibfabricUsed, version)
};

/// libfabric offers no provider that the plugin can use.
struct OfiProviderMissing {
  static constexpr std::string_view name = "ofi_provider_missing";
  NCCL_ANALYZE_FIELDS(OfiProviderMissing)
};

/// The libfabric provider that the plugin uses, and the number of NICs found for it.
struct OfiProviderSelected {
  static constexpr std::string_view name = "ofi_provider_selected";
  std::string_view provider;
  std::string_view fabric;
  int nics = -1;
  NCCL_ANALYZE_FIELDS(OfiProviderSelected, provider, fabric, nics)
};

/// The cloud instance type or platform that a plugin recognised.
struct PlatformReported {
  static constexpr std::string_view name = "platform_reported";
  std::string_view platform;
  NCCL_ANALYZE_FIELDS(PlatformReported, platform)
};

/// Any other message of the plugin. At level WARN, the message reports a failure.
struct OfiNoted {
  static constexpr std::string_view name = "ofi_noted";
  std::string_view detail;
  NCCL_ANALYZE_FIELDS(OfiNoted, detail)
};

/// A libfabric call failed.
struct OfiCallFailed {
  static constexpr std::string_view name = "ofi_call_failed";
  std::string_view operation;  ///< As printed: `fi_read failed`, `Unable to register memory (…)`, …
  int code = -1;               ///< The return value of libfabric, a negative errno.
  std::string_view error;
  NCCL_ANALYZE_FIELDS(OfiCallFailed, operation, code, error)
};

/// A send or receive request completed with an error.
struct OfiRequestFailed {
  static constexpr std::string_view name = "ofi_request_failed";
  int code = -1;            ///< The error number of libfabric.
  int provider_error = -1;  ///< The provider's own error number.
  std::string_view error;
  std::int64_t length = -1;
  NCCL_ANALYZE_FIELDS(OfiRequestFailed, code, provider_error, error, length)
};

/// The transport protocol that the plugin uses.
struct OfiProtocolChosen {
  static constexpr std::string_view name = "ofi_protocol_chosen";
  std::string_view protocol;   ///< SENDRECV or RDMA
  std::string_view chosen_by;  ///< `user set`, `platform set` or empty
  NCCL_ANALYZE_FIELDS(OfiProtocolChosen, protocol, chosen_by)
};

/// A transport protocol that could not be initialised.
struct OfiProtocolFailed {
  static constexpr std::string_view name = "ofi_protocol_failed";
  std::string_view protocol;
  NCCL_ANALYZE_FIELDS(OfiProtocolFailed, protocol)
};

/// Whether the provider supports a feature.
struct OfiSupportReported {
  static constexpr std::string_view name = "ofi_support_reported";
  std::string_view feature;
  std::string_view state;  ///< true or false
  NCCL_ANALYZE_FIELDS(OfiSupportReported, feature, state)
};

/// The plugin selected its platform-specific code, for example for AWS. `platform` is not an instance type.
struct OfiPlatformSelected {
  static constexpr std::string_view name = "ofi_platform_selected";
  std::string_view part;  ///< Plugin or Tuner
  std::string_view platform;
  NCCL_ANALYZE_FIELDS(OfiPlatformSelected, part, platform)
};

/// GPUDirect RDMA does not work, although the instance type supports it.
struct OfiGdrDisabled {
  static constexpr std::string_view name = "ofi_gdr_disabled";
  std::string_view platform;
  NCCL_ANALYZE_FIELDS(OfiGdrDisabled, platform)
};

/// A NIC of a group that the RDMA protocol uses as one device; each NIC of the group is a rail.
struct OfiNicGrouped {
  static constexpr std::string_view name = "ofi_nic_grouped";
  int group = -1, device = -1;
  std::string_view bus;
  NCCL_ANALYZE_FIELDS(OfiNicGrouped, group, device, bus)
};

}  // namespace nccl_analyze
