#pragma once
// The settings of NCCL and its plugins in `env` of a manifest: those who help ask for them first.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether NCCL, a plugin of it, libfabric or PyTorch documents a setting of this name, whose value names no machine.
bool is_documented_setting(std::string_view name);

/// Whether the value of such a setting tells nothing about its owner: numbers, words of NCCL's own, interfaces, cards.
bool is_harmless_value(std::string_view value);

}  // namespace nccl_analyze::redact
