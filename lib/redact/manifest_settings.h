#pragma once
// Knows the settings of NCCL and its plugins in `env` of a manifest, for which those who help ask first.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether NCCL, a plugin of it, PyTorch or libfabric documents a setting of this name, and its value names no machine.
bool is_documented_setting(std::string_view name);

/// Whether the value of such a setting tells nothing about its owner: it consists of numbers, words of NCCL's own,
/// interfaces and cards.
bool is_harmless_value(std::string_view value);

}  // namespace nccl_analyze::redact
