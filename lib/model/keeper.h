#pragma once
// Keeps within a budget what a report quotes: lines, incidents, unknown wordings. Repeats are folded.

#include <string>
#include <unordered_map>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze::draft {

class Keeper {
 public:
  explicit Keeper(const ModelLimits& limits) : limits_(limits) {}

  /// Where the record stands; its text is kept while its kind of event has room.
  LineRef quote(const Record& record);
  void add_incident(Incident&& incident, const Record& record);
  void add_unrecognized(const Record& record);
  template <class Visit>
  void visit_incidents(Visit&& visit) {
    for (Incident& incident : incidents_) visit(incident);
  }
  static std::string hex(std::uint64_t value);

  /// Moves what was kept into the model, sorted.
  void finish(Model& model);

 private:
  void keep_text(const Record& record);

  ModelLimits limits_;
  std::vector<std::size_t> quoted_;  ///< By index of the event.
  std::vector<Quote> quotes_;
  std::vector<Incident> incidents_;
  std::unordered_map<std::string, std::size_t> incident_index_;
  std::unordered_map<std::string, std::size_t> sample_index_;
  std::vector<Sample> samples_;
  std::uint64_t dropped_ = 0;
};

}  // namespace nccl_analyze::draft
