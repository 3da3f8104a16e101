#pragma once
/// Events of the versions and settings of a process.

#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// The version of the library.
struct VersionPrinted {
  static constexpr std::string_view name = "version_printed";
  std::string_view library = "NCCL";  ///< NCCL or RCCL.
  std::string_view version;
  std::string_view toolkit;  ///< The version of CUDA or HIP that the library was built with, not the driver's version.
  NCCL_ANALYZE_FIELDS(VersionPrinted, library, version, toolkit)
};

/// The version of the CUDA driver.
struct DriverVersionPrinted {
  static constexpr std::string_view name = "driver_version_printed";
  int driver = -1;  ///< 1000·major + 10·minor
  NCCL_ANALYZE_FIELDS(DriverVersionPrinted, driver)
};

/// Two ranks of a communicator have different versions of NCCL (2.23.4+), each as 10000·major + 100·minor + patch.
struct VersionMismatched {
  static constexpr std::string_view name = "version_mismatched";
  int rank = -1, version = -1, other_rank = -1, other_version = -1;
  NCCL_ANALYZE_FIELDS(VersionMismatched, rank, version, other_rank, other_version)
};

/// A variable that NCCL read from the environment or from a configuration file; the message does not distinguish them.
struct EnvSet {
  static constexpr std::string_view name = "env_set";
  std::string_view variable;
  std::string_view value;
  NCCL_ANALYZE_FIELDS(EnvSet, variable, value)
};

/// A variable whose value NCCL rejected.
struct EnvRejected {
  static constexpr std::string_view name = "env_rejected";
  std::string_view variable;
  std::string_view value;
  std::string_view used;  ///< The value that NCCL uses instead; empty when not printed.
  NCCL_ANALYZE_FIELDS(EnvRejected, variable, value, used)
};

/// A field of ncclConfig_t that the program set for a communicator.
struct CommConfigSet {
  static constexpr std::string_view name = "comm_config_set";
  std::string_view key;
  std::string_view value;
  NCCL_ANALYZE_FIELDS(CommConfigSet, key, value)
};

/// A setting of the kernel or the environment whose absence RCCL warns about.
struct HostSettingMissing {
  static constexpr std::string_view name = "host_setting_missing";
  std::string_view setting;
  NCCL_ANALYZE_FIELDS(HostSettingMissing, setting)
};

}  // namespace nccl_analyze
