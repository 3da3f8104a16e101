#pragma once
// Reads what the dynamic loader says about a library that it could not load.

#include <string_view>

namespace nccl_analyze {

/// Why a library that is there cannot be loaded: a library that it needs is too old or missing, no loaded library has a
/// symbol that it uses, or its file is damaged or of another machine. `none`: the error does not say that it is there.
enum class LoaderFault { none, version, library, symbol, file };

struct LoaderError {
  LoaderFault fault = LoaderFault::none;
  /// The library that is at fault, as printed: the one that is too old or missing, or the damaged file.
  std::string_view library;
  std::string_view needed;  ///< The version of symbols that is missing: FABRIC_1.7.
};

/// Reads an error of dlopen() for a plugin. `plugin`: the names that NCCL tried, if they are known.
LoaderError read_loader_error(std::string_view reason, std::string_view plugin);

}  // namespace nccl_analyze
