#pragma once
// Finds the releases of NCCL and RCCL that print a given file and line. Warnings and error traces name the line of the
// macro that printed them, which moves with almost every release.

#include <bitset>
#include <span>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// A place that a message names. `file` is printed with any part of its path: `net.cc`, `transport/net.cc` or
/// `/build/src/transport/net.cc`.
struct CodePlace {
  std::string_view file;
  int line = 0;
  bool is_trace = false;  ///< Whether an error trace names the place, and not a warning.
};

/// Reads release_places.tsv, which update_places.py explains. Nothing is decoded before find(), and then only the rows
/// of the files that are asked for, because most logs print their version and never need the table.
class ReleasePlaces {
 public:
  struct Release {
    std::string_view project;  ///< NCCL or RCCL
    std::string_view name;     ///< The name in the table: the version, or the release of ROCm.
    std::string_view version;  ///< The version that the library prints.
  };
  /// Indices into releases(). Releases beyond the size of the set are ignored.
  using Set = std::bitset<256>;
  struct Found {
    bool is_known = false;  ///< Whether the table has this file. It has no files of plugins and programs.
    Set releases;           ///< The releases that print a message at this place.
  };

  /// `table` must outlive this object.
  explicit ReleasePlaces(std::string_view table);
  const std::vector<Release>& releases() const { return releases_; }
  /// Returns the answers in the order of `places`. Reads the table once.
  std::vector<Found> find(std::span<const CodePlace> places) const;

 private:
  Set set_of(std::string_view project, std::string_view names) const;

  std::string_view rows_;
  std::vector<Release> releases_;
};

/// The content of release_places.tsv, which the build embeds.
extern const std::string_view release_places;

}  // namespace nccl_analyze
