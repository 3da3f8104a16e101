#pragma once
/// Versions and settings of a process.

#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

struct VersionPrinted {
  static constexpr std::string_view name = "version_printed";
  std::string_view library = "NCCL";  ///< or RCCL
  std::string_view version;
  std::string_view toolkit;  ///< CUDA version that NCCL was built with, not the driver's.
  NCCL_ANALYZE_FIELDS(VersionPrinted, library, version, toolkit)
};

struct DriverVersionPrinted {
  static constexpr std::string_view name = "driver_version_printed";
  int driver = -1;  ///< 1000·major + 10·minor
  NCCL_ANALYZE_FIELDS(DriverVersionPrinted, driver)
};

/// 2.23.4+: two libnccl in one communicator. Codes are 10000·major + 100·minor + patch.
struct VersionMismatched {
  static constexpr std::string_view name = "version_mismatched";
  int rank = -1, version = -1, other_rank = -1, other_version = -1;
  NCCL_ANALYZE_FIELDS(VersionMismatched, rank, version, other_rank, other_version)
};

/// A variable that NCCL read, from the environment or a configuration file (NCCL does not tell which).
struct EnvSet {
  static constexpr std::string_view name = "env_set";
  std::string_view variable;
  std::string_view value;
  NCCL_ANALYZE_FIELDS(EnvSet, variable, value)
};

struct EnvRejected {
  static constexpr std::string_view name = "env_rejected";
  std::string_view variable;
  std::string_view value;
  std::string_view used;  ///< What NCCL uses instead.
  NCCL_ANALYZE_FIELDS(EnvRejected, variable, value, used)
};

struct CommConfigSet {
  static constexpr std::string_view name = "comm_config_set";
  std::string_view key;
  std::string_view value;
  NCCL_ANALYZE_FIELDS(CommConfigSet, key, value)
};

/// RCCL looks at the kernel and the environment of the host.
struct HostSettingMissing {
  static constexpr std::string_view name = "host_setting_missing";
  std::string_view setting;
  NCCL_ANALYZE_FIELDS(HostSettingMissing, setting)
};

}  // namespace nccl_analyze
