#pragma once
/// What aws-ofi-nccl prints.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

struct OfiStarted {
  static constexpr std::string_view name = "ofi_started";
  std::string_view version;  ///< aws-ofi-nccl
  NCCL_ANALYZE_FIELDS(OfiStarted, version)
};

struct OfiLibfabricUsed {
  static constexpr std::string_view name = "ofi_libfabric_used";
  std::string_view version;
  NCCL_ANALYZE_FIELDS(OfiLibfabricUsed, version)
};

struct OfiProviderMissing {
  static constexpr std::string_view name = "ofi_provider_missing";
  NCCL_ANALYZE_FIELDS(OfiProviderMissing)
};

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

/// Any other message of aws-ofi-nccl; a WARN is a step of a failure.
struct OfiNoted {
  static constexpr std::string_view name = "ofi_noted";
  std::string_view detail;
  NCCL_ANALYZE_FIELDS(OfiNoted, detail)
};

/// A libfabric call, or what aws-ofi-nccl did with it.
struct OfiCallFailed {
  static constexpr std::string_view name = "ofi_call_failed";
  std::string_view operation;
  int code = -1;  ///< libfabric, negative errno
  std::string_view error;
  NCCL_ANALYZE_FIELDS(OfiCallFailed, operation, code, error)
};

struct OfiRequestFailed {
  static constexpr std::string_view name = "ofi_request_failed";
  int code = -1;
  int provider_error = -1;
  std::string_view error;
  std::int64_t length = -1;
  NCCL_ANALYZE_FIELDS(OfiRequestFailed, code, provider_error, error, length)
};

struct OfiProtocolChosen {
  static constexpr std::string_view name = "ofi_protocol_chosen";
  std::string_view protocol;   ///< SENDRECV or RDMA
  std::string_view chosen_by;  ///< `user set`, `platform set` or empty
  NCCL_ANALYZE_FIELDS(OfiProtocolChosen, protocol, chosen_by)
};

struct OfiProtocolFailed {
  static constexpr std::string_view name = "ofi_protocol_failed";
  std::string_view protocol;
  NCCL_ANALYZE_FIELDS(OfiProtocolFailed, protocol)
};

struct OfiSupportReported {
  static constexpr std::string_view name = "ofi_support_reported";
  std::string_view feature;
  std::string_view state;  ///< true or false
  NCCL_ANALYZE_FIELDS(OfiSupportReported, feature, state)
};

/// The code for a platform, not an instance type.
struct OfiPlatformSelected {
  static constexpr std::string_view name = "ofi_platform_selected";
  std::string_view part;  ///< Plugin or Tuner
  std::string_view platform;
  NCCL_ANALYZE_FIELDS(OfiPlatformSelected, part, platform)
};

/// The instance type has GPUDirect RDMA, and it does not work.
struct OfiGdrDisabled {
  static constexpr std::string_view name = "ofi_gdr_disabled";
  std::string_view platform;
  NCCL_ANALYZE_FIELDS(OfiGdrDisabled, platform)
};

/// NICs that stand for one rail of the RDMA protocol.
struct OfiNicGrouped {
  static constexpr std::string_view name = "ofi_nic_grouped";
  int group = -1, device = -1;
  std::string_view bus;
  NCCL_ANALYZE_FIELDS(OfiNicGrouped, group, device, bus)
};

}  // namespace nccl_analyze
