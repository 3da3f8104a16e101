#pragma once
// The hosts and processes that a source has shown, to tell a host's name from what stuck to it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nccl_analyze/line.h"

namespace nccl_analyze {

class KnownOrigins {
 public:
  KnownOrigins() = default;
  KnownOrigins(const KnownOrigins& other);
  KnownOrigins& operator=(const KnownOrigins& other) {
    KnownOrigins copy(other);
    std::swap(hosts_, copy.hosts_);  // moves no element
    std::swap(by_host_, copy.by_host_);
    recent_.fill(nullptr);
    changes_ = copy.changes_;
    learned_.clear();
    return *this;
  }

  /// What a host's name means, and whether nothing that is told later can change it, nor telling it again.
  struct Meaning {
    std::string_view host;
    bool settled = false;
  };

  /// Takes note of an intact record's origin. A host that is new for its pid means one that has spoken often with this
  /// pid and is its end, or ends with it. No host's name begins with `-`, `.` or `_`: of such a one the beginning was
  /// lost, whatever the pid. The view lives as long as this object and `origin`.
  Meaning take(const Origin& origin);

  /// From now on remembers what it learns, until keep() or undo().
  void try_out() { trying_ = true; }
  void keep() {
    trying_ = false;
    learned_.clear();
  }
  /// Forgets what was learned since try_out(); names that take() gave since then are void.
  void undo();

  bool has(const Origin& origin) const { return find(origin) != nullptr; }

  /// Whether the origin is known so well that to take note of it changes nothing.
  bool is_settled(const Origin& origin) const {
    const Hosts::value_type* const known = find(origin);
    return known != nullptr && known->second.lines >= often;
  }

  /// How often something was learned: as long as it stays, so does every answer.
  std::uint64_t changes() const { return changes_; }

  /// Beyond a limit no more origins are taken note of: that one is not known says nothing then.
  bool full() const { return hosts_.size() >= max_known; }

  /// Length of what stands before a known host at the end of `text`; npos when no known host ends it.
  std::size_t before_known_host(std::string_view text) const;

 private:
  static constexpr std::size_t max_known = 4096;
  static constexpr std::uint32_t often = 4;   ///< Lines that make a host credible.
  static constexpr std::size_t min_host = 3;  ///< Shorter names fit anywhere.
  struct Known {
    std::string host;
    std::uint32_t lines = 0;
  };
  using Hosts = std::unordered_multimap<std::int64_t, Known>;  ///< By pid; never moves its elements.
  static std::size_t recent_slot(const Origin& origin);
  Hosts::value_type* find(const Origin& origin) const;
  Hosts::value_type* add(const Origin& origin);
  void forget(const Hosts::value_type& known);
  std::string_view mended_host(const Origin& origin) const;

  Hosts hosts_;
  std::unordered_multimap<std::size_t, Hosts::value_type*> by_host_;  ///< By hash.
  mutable std::array<Hosts::value_type*, 1024> recent_{};             ///< By pid and the end of the host.
  std::uint64_t changes_ = 0;
  bool trying_ = false;
  std::vector<Hosts::value_type*> learned_;  ///< One line more of each.
};

}  // namespace nccl_analyze
