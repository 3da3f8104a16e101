#pragma once
// Parses JSON of any origin, with limits.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string_view>

namespace nccl_analyze::evidence {

/// Parses a document, without members that no reader needs and without values nested more than 16 levels deep. Each
/// object with members gets its place in the text (place_of() in json_values.h). Empty if the text is no JSON or has
/// more than 4 million values without those left out. The time is linear in the size of the text.
std::optional<nlohmann::json> parse_json(std::string_view text);

/// Returns the keys of the members that parse_json() skips at any depth, because they may hold secrets, source code or
/// long lists of individual timings.
std::span<const std::string_view> unread_members();

}  // namespace nccl_analyze::evidence
