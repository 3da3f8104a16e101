#pragma once
/// Wordings that no row of the table knows, grouped so that each can become a row.

#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

struct Record;

struct WordingLimits {
  std::size_t wordings = 10'000;    ///< Lines of further ones are counted, not grouped.
  std::size_t bytes = 600;          ///< Of one wording.
  std::size_t versions = 16;        ///< Of one wording.
  std::size_t waiting = 1'000'000;  ///< Processes of a source, and their wordings, whose version is still to come.
};

class Wordings {
 public:
  explicit Wordings(WordingLimits limits = {}) : limits_(limits) {}

  void add(const Record& record);
  /// No more records of this source come: processes that printed no version never will.
  void end_source(SourceId source, std::string_view name);

  bool empty() const { return groups_.empty() && not_grouped_ == 0; }
  /// One entry of two lines each, most frequent first, then by wording: count, versions and wording; then the first
  /// place and what stands there. Safe for a terminal.
  void write(std::ostream& out) const;

 private:
  struct LowerVersion {
    bool operator()(const std::string& a, const std::string& b) const;
  };
  struct Group {
    std::uint64_t count = 0;
    std::set<std::string, LowerVersion> versions;
    bool unknown_version = false, more_versions = false;
    LineRef first;
    std::string example;
  };
  using Entry = std::pair<const std::string, Group>;
  /// A process of the source at hand: host, pod, pid.
  using Speaker = std::tuple<std::string, std::string, std::int64_t>;
  struct Known {
    std::string version;
    std::set<Entry*> waiting;
  };

  void note_version(const Record& record, std::string version);
  void add_version(Group& group, const std::string& version) const;
  static std::string versions_of(const Group& group);

  WordingLimits limits_;
  std::unordered_map<std::string, Group> groups_;
  std::uint64_t not_grouped_ = 0;
  std::map<std::uint32_t, std::string> names_;  ///< Of the sources that an entry names.
  bool first_of_source_ = false;                ///< An entry names the source at hand.
  std::map<Speaker, Known> speakers_;
  std::string bare_version_;  ///< Of a line without prefix: for all that print no other.
  std::size_t waiting_ = 0;
};

}  // namespace nccl_analyze
