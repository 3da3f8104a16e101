#pragma once
// The range of lines in which each rank of a process existed. Lines that name no communicator are attributed by these
// ranges.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nccl_analyze/containers.h"

namespace nccl_analyze::builder {

/// Refers to a rank of a communicator under construction.
struct RankRef {
  Index comm = -1;  ///< -1 = none.
  Index slot = -1;  ///< Index in CommState::comm.ranks.
  bool operator==(const RankRef&) const = default;
};

/// The lifetime of one rank, in line numbers of the source of its process.
struct Lifetime {
  static constexpr std::uint64_t open = ~std::uint64_t{0};

  RankRef ref;                 ///< Empty after forget().
  std::uint64_t started = 0;   ///< First line that is known to belong to the rank, usually Init START.
  std::uint64_t ended = open;  ///< Line of the destroy, of the abort, or of the reuse of the communicator pointer.
};

/// Lifetimes of the ranks of one process, numbered in the order of their starts. A long job creates and destroys tens
/// of thousands of communicators in one process, so lookups do not scan all lifetimes.
class Lifetimes {
 public:
  bool empty() const { return all_.empty(); }
  const Table<Lifetime>& all() const { return all_; }

  Index begin(RankRef ref, std::uint64_t line) {
    if (all_.empty()) all_.reserve(3);  // A process has seldom more, and growing one by one takes longer.
    all_.push_back({ref, line, Lifetime::open});
    ++open_;
    return static_cast<Index>(all_.size() - 1);
  }
  void end(Index number, std::uint64_t line) {
    Lifetime& life = at(number);
    if (life.ended == Lifetime::open) --open_;
    life.ended = line;
  }
  void begin_earlier(Index number, std::uint64_t line) { at(number).started = std::min(at(number).started, line); }
  /// Ends the lifetime of a rank that was merged into another rank, and clears `ref`.
  void forget(Index number) {
    end(number, 0);
    at(number).ref = {};
  }
  /// Returns the rank of the only open lifetime; empty if no lifetime is open, or several are.
  RankRef only_open() {
    if (open_ != 1) return {};
    while (at(first_open_).ended != Lifetime::open) ++first_open_;
    return at(first_open_).ref;
  }
  /// Moves the start of the newest lifetime back to `line`, if it belongs to `ref`.
  void begin_last_earlier(RankRef ref, std::uint64_t line) {
    if (!all_.empty() && all_.back().ref == ref) begin_earlier(static_cast<Index>(all_.size() - 1), line);
  }

  /// Reassigns lifetimes after communicator `from` was merged into the communicator of `to`.
  void move(Index from, RankRef to) {
    for (Lifetime& life : all_)
      if (life.ref.comm == from) life.ref = to;
  }
  void take(Lifetimes& other) {
    all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    open_ += other.open_;
    other = {};
  }

 private:
  Lifetime& at(Index number) { return all_[number]; }

  Table<Lifetime> all_;
  Index open_ = 0;
  Index first_open_ = 0;  ///< No lifetime with a lower number is open.
};

}  // namespace nccl_analyze::builder
