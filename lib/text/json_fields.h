#pragma once
// The keys under which collectors and stores keep a log line, and where it comes from.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// What a JSON object says of where its log lines come from. Empty: nothing.
struct JsonFields {
  std::string pod, container;
  std::string time;  ///< As printed; numbers since 1970 are in microseconds, with 16 digits.
  /// Sets the field that a member with this dotted path names, unless a better key has set it.
  void set(std::string_view path, std::string_view value);
  /// Sets the fields that are empty; the time only if `with_time`.
  void fill(const JsonFields& from, bool with_time);

 private:
  bool guessed_pod_ = false;  ///< Whether the pod is the name of a log stream, which any other name replaces.
};

/// Whether the member with this dotted path is the log line.
bool is_line_path(std::string_view path);

/// Whether the member with this dotted path is the time of an entry.
bool is_time_path(std::string_view path);

/// Whether the text is a number since 1970 in seconds or smaller units.
bool is_epoch(std::string_view text);

/// A time since 1970 in seconds, milliseconds, microseconds or nanoseconds as microseconds; other texts unchanged.
std::string as_time(std::string_view text);

}  // namespace nccl_analyze
