#pragma once
// Reads the value of a hole: numbers, choices, lists. Each scan returns where the value ends, or nullptr.

#include <string_view>

#include "messages/row.h"

namespace nccl_analyze {

bool begins_with(const char* at, const char* end, std::string_view literal);

/// `text` and `after` are those of the hole (alternatives, or what stands around an optional number).
const char* scan(Shape shape, std::string_view text, std::string_view after, const char* at, const char* end,
                 Capture& capture);

}  // namespace nccl_analyze
