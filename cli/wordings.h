#pragma once
/// Groups wordings that no row of the message table matches, so that each group can become a row.

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

/// Limits that bound the memory on hostile input.
struct WordingLimits {
  std::size_t wordings = 10'000;    ///< Groups; lines with further wordings are only counted.
  std::size_t bytes = 600;          ///< Bytes kept of one wording.
  std::size_t versions = 16;        ///< Versions kept for one wording.
  std::size_t waiting = 1'000'000;  ///< Processes of a source, plus wordings whose process has no version yet.
};

class Wordings {
 public:
  explicit Wordings(WordingLimits limits = {}) : limits_(limits) {}

  void add(const Record& record);
  /// Ends a source. Wordings whose process has printed no version get the version that the source printed without a
  /// prefix; without one, their version is unknown. `places` maps line numbers in the order of reading to line numbers
  /// in the source.
  void end_source(SourceId source, std::string_view name, const LinePlaces& places = {});

  bool empty() const { return groups_.empty() && not_grouped_ == 0; }
  /// Writes two lines for each group: count, versions and wording, then the place and text of its first line. The most
  /// frequent groups come first; equally frequent ones are sorted by wording. The output is safe for a terminal.
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
  /// A process of the current source: host, pod, pid.
  using Sender = std::tuple<std::string, std::string, std::int64_t>;
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
  struct Named {
    std::string name;
    LinePlaces places;
  };
  std::map<std::uint32_t, Named> names_;  ///< Names of the sources that contain the first line of a group.
  bool first_of_source_ = false;          ///< Whether the current source contains the first line of a group.
  std::map<Sender, Known> senders_;
  std::string bare_version_;  ///< The version in a line without a prefix; used for processes that print no version.
  std::size_t waiting_ = 0;
};

}  // namespace nccl_analyze
