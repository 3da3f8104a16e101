#pragma once
/// Decides whether the report is coloured.

#include <functional>

namespace nccl_analyze {

enum class ColorChoice { automatic, always, never };

/// Looks up an environment variable; nullptr when it is not set.
using Environment = std::function<const char*(const char*)>;

/// Whether to colour the report. With `automatic`, NO_COLOR overrides CLICOLOR_FORCE, which overrides CLICOLOR; without
/// these variables a terminal gets colours unless TERM is `dumb`.
bool use_color(ColorChoice choice, bool terminal, const Environment& environment);

}  // namespace nccl_analyze
