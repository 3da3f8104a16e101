#pragma once
// Notices that a log is newest first, as logcli, gcloud, Kibana and Grafana print it unless they are told otherwise.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/timestamp.h"

namespace nccl_analyze {

/// Counts the steps between the times of lines that follow one another.
class TimeOrder {
 public:
  void add(Timestamp time);
  /// Whether nearly all steps lead back. Interleaved processes, whose times differ a little, are no reason to say so.
  bool newest_first() const;

 private:
  std::size_t back_ = 0, forward_ = 0;
  Timestamp first_, last_;
};

/// Judges a source by the lines of its first 64 KiB. A JSON document of several lines has its own order.
class OrderProbe {
 public:
  static constexpr std::size_t size = std::size_t{1} << 16;
  /// Adds bytes; only the first ones count.
  void take(std::string_view bytes) {
    if (head_.size() < size) head_.append(bytes.substr(0, size - head_.size()));
  }
  bool full() const { return head_.size() == size; }
  /// Judges the bytes so far. `ended`: whether they are the whole source.
  bool newest_first(bool ended) const;

 private:
  std::string head_;
};

}  // namespace nccl_analyze
