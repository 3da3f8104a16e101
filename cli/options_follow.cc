// The options of --follow.

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "cli/options_parts.h"

namespace nccl_analyze {
namespace {

/// Parses `30s`, `1.5m` or `2h`; a number without a unit is seconds. Empty if the text is no duration.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{{{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}}};
  constexpr double most = 1e6 * 3600;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view word(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto unit = std::ranges::find(units, word, &std::pair<std::string_view, double>::first);
  if (error != std::errc() || unit == units.end() || !(number >= 0 && number * unit->second <= most))
    return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(number * unit->second * 1000));
}

}  // namespace

void add_follow(CLI::App& app, Options& options) {
  app.add_flag("--follow", options.follow,
               "Read on while the inputs are written and tell what changes; the report comes at the end or on Ctrl-C");
  app.add_option_function<std::string>(
         "--stall",
         [&options](const std::string& text) {
           const auto duration = parse_duration(text);
           if (!duration)
             throw CLI::ValidationError("--stall", text + " is no duration: write 90s, 5m or 1h, 0 for never");
           options.stall = *duration;
         },
         "With --follow: say what the job waits for when no NCCL line comes for so long (60s)")
      ->type_name("TIME");
}

}  // namespace nccl_analyze
