#pragma once
// When the ranks of a process lived.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nccl_analyze/containers.h"

namespace nccl_analyze::builder {

/// A rank of a communicator under construction.
struct RankRef {
  Index comm = -1;  ///< -1 = none.
  Index slot = -1;  ///< In its comm.ranks.
  bool operator==(const RankRef&) const = default;
};

struct Life {
  static constexpr std::uint64_t open = ~std::uint64_t{0};

  RankRef ref;                 ///< None when the life was forgotten.
  std::uint64_t started = 0;   ///< Line of Init START.
  std::uint64_t ended = open;  ///< Line of destroy or abort.
};

/// Lives of one process, numbered in the order in which they began. A long job makes and destroys tens of thousands in
/// one process, so that no lookup walks all of them.
class Lives {
 public:
  bool empty() const { return all_.empty(); }
  const Table<Life>& all() const { return all_; }

  Index begin(RankRef ref, std::uint64_t line) {
    all_.push_back({ref, line, Life::open});
    ++open_;
    return static_cast<Index>(all_.size() - 1);
  }
  void end(Index number, std::uint64_t line) {
    Life& life = at(number);
    if (life.ended == Life::open) --open_;
    life.ended = line;
  }
  void begin_earlier(Index number, std::uint64_t line) { at(number).started = std::min(at(number).started, line); }
  /// Ends a life whose rank turned out to be another one.
  void forget(Index number) {
    end(number, 0);
    at(number).ref = {};
  }
  /// The rank of the only open life; none when no life is open, or several are.
  RankRef only_open() {
    if (open_ != 1) return {};
    while (at(first_open_).ended != Life::open) ++first_open_;
    return at(first_open_).ref;
  }
  /// Moves the start of the last life back, if it is of `ref`.
  void begin_last_earlier(RankRef ref, std::uint64_t line) {
    if (!all_.empty() && all_.back().ref == ref) begin_earlier(static_cast<Index>(all_.size() - 1), line);
  }

  /// Moves the lives in a communicator to the rank of the communicator that took it over.
  void move(Index from, RankRef to) {
    for (Life& life : all_)
      if (life.ref.comm == from) life.ref = to;
  }
  void take(Lives& other) {
    all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    open_ += other.open_;
    other = {};
  }

 private:
  Life& at(Index number) { return all_[number]; }

  Table<Life> all_;
  Index open_ = 0;
  Index first_open_ = 0;  ///< No life before it is open.
};

}  // namespace nccl_analyze::builder
