#pragma once
// Recognises the settings of NCCL and its plugins in `env` of a manifest. They stay, because a diagnosis needs them.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether the name is a prefix of NCCL, RCCL, PyTorch, aws-ofi-nccl or libfabric, followed by the rest of the name of
/// a documented setting of any of them. Settings whose value is a host, file or command do not count.
bool is_documented_setting(std::string_view name);

/// Whether the value of such a setting tells nothing about its owner: it consists of numbers, NCCL's own words, and
/// names of interfaces and cards.
bool is_harmless_value(std::string_view value);

}  // namespace nccl_analyze::redact
