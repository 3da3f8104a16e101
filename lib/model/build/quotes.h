#pragma once
// Keeps what reports quote, within limits: lines, incidents and unrecognised messages. Repetitions are only counted.

#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::builder {

class Quotes {
 public:
  explicit Quotes(const ModelLimits& limits) : limits_(limits) {}

  /// Returns the position of the record and keeps its text, so that reports can quote it. The text is kept for the
  /// first ModelLimits::max_quotes_per_event records of each kind of event.
  LineRef quote(const Record& record) {
    std::size_t& quoted = quoted_[record.event.index()];
    if (quoted < limits_.max_quotes_per_event) {
      ++quoted;
      keep_text(record);
    }
    return record.at;
  }
  /// Adds a quote regardless of the limit.
  void add(Quote&& quote) { quotes_.push_back(std::move(quote)); }
  void add_incident(Incident&& incident, const Record& record);
  /// Removes what the previous record added if this record is the same message with its continuation: a wrapped line
  /// yields two records, one without and one with the rest of the message.
  void take_back(const Record& record);
  void add_unrecognized(const Record& record);
  template <class Visit>
  void visit_incidents(Visit&& visit) {
    for (Incident& incident : incidents_) visit(incident);
  }

  /// Moves everything into the model: quotes sorted by line, samples by count, incidents in order of appearance.
  void finish(Model& model);

 private:
  void keep_text(const Record& record);

  ModelLimits limits_;
  std::array<std::size_t, std::variant_size_v<Event>> quoted_{};  ///< Number of quotes, indexed by Event::index().
  std::vector<Quote> quotes_;
  std::vector<Incident> incidents_;
  std::unordered_map<std::string, std::size_t> incident_index_;
  std::string key_;  ///< Key of the latest incident in incident_index_.
  /// The incident of the latest call of add_incident(), for take_back().
  struct Newest {
    std::string key, message;  ///< Key in incident_index_; empty if the line is NCCL's, or was dropped.
    LineRef at;
    bool made = false;
  } newest_;
  std::unordered_map<std::string, std::size_t> sample_index_;
  std::vector<Sample> samples_;
  std::uint64_t dropped_ = 0;
};

}  // namespace nccl_analyze::builder
