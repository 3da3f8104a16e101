#pragma once
/// Whether the report is coloured.

#include <functional>

namespace nccl_analyze {

enum class ColorChoice { automatic, always, never };

/// Looks up an environment variable; nullptr when it is not set.
using Environment = std::function<const char*(const char*)>;

/// The option decides; left to `automatic`: NO_COLOR over CLICOLOR_FORCE over CLICOLOR over "is it a terminal".
bool use_color(ColorChoice choice, bool terminal, const Environment& environment);

}  // namespace nccl_analyze
