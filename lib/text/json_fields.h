#pragma once
// The keys under which collectors and stores keep a log line and its origin.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// The origin of log lines according to a JSON object. An empty member is not known.
struct JsonFields {
  std::string pod, container;
  std::string time;  ///< The time as printed; a number, which counts from 1970, becomes 16 digits (microseconds).
  /// Sets the field for the member with this dotted path. Keeps a value that is already set, except that a key for pods
  /// replaces a pod from the name of a log stream. Ignores empty values and those over 256 bytes.
  void set(std::string_view path, std::string_view value);
  /// Sets the fields that are empty to those of `from`, the time only if `with_time`. A pod from a key in `from` also
  /// replaces a pod from the name of a log stream.
  void fill(const JsonFields& from, bool with_time);

 private:
  bool guessed_pod_ = false;  ///< Whether the pod is from the name of a log stream; a key for pods overrides it.
};

/// Whether the member with this dotted path is the log line.
bool is_line_path(std::string_view path);

/// Whether the member with this dotted path is the time of an entry.
bool is_time_path(std::string_view path);

/// Whether the text may be a time since 1970, in seconds or smaller units: a number of at least ten digits.
bool is_epoch(std::string_view text);

/// Converts a time since 1970 in seconds, milliseconds, microseconds or nanoseconds to microseconds. Returns other
/// texts unchanged.
std::string as_time(std::string_view text);

}  // namespace nccl_analyze
