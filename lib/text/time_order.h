#pragma once
// Detects that a log is newest first, which is the default order of logcli, gcloud, Kibana and Grafana.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/timestamp.h"

namespace nccl_analyze {

/// Counts the steps forward and back between the times of consecutive lines.
class TimeOrder {
 public:
  void add(Timestamp time);
  /// Whether nearly all steps lead back: at least three, and at least eight for each step forward. A few steps back are
  /// not enough, because the times of interleaved processes differ a little.
  bool newest_first() const;

 private:
  std::size_t back_ = 0, forward_ = 0;
  Timestamp first_, last_;
};

/// Determines the order of a source from the lines of its first 64 KiB. A JSON document of several lines is never
/// newest first, because its lines are not in the order of time.
class OrderProbe {
 public:
  static constexpr std::size_t size = std::size_t{1} << 16;
  /// Adds bytes of the source; those after the first 64 KiB are ignored.
  void take(std::string_view bytes) {
    if (head_.size() < size) head_.append(bytes.substr(0, size - head_.size()));
  }
  bool full() const { return head_.size() == size; }
  /// Whether the bytes so far are newest first. `ended`: whether they are the whole source.
  bool newest_first(bool ended) const;

 private:
  std::string head_;
};

}  // namespace nccl_analyze
