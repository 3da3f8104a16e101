// Waits in one thread for bytes, signals and the time of the next message, whichever comes first.

#include "cli/live/follow.h"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/failure.h"
#include "cli/input/unpack.h"
#include "cli/live/interrupts.h"
#include "cli/live/tail.h"
#include "cli/logging.h"

namespace nccl_analyze {
namespace {

using Clock = Live::Clock;

constexpr std::size_t block_size = std::size_t{256} << 10U;
/// The interval at which files are checked for growth.
constexpr std::chrono::milliseconds file_pause{250};

/// An input with its parser.
struct Followed {
  Followed(const Input& input, SourceId number, const Parser::Sink& sink)
      : name(input.path == "-" ? "<stdin>" : input.path), tail(input.path), source(number), parser(number, sink) {}
  std::string name;
  Tail tail;
  SourceId source;
  Parser parser;
  bool ended = false;
};

class Follower {
 public:
  Follower(const InputList& list, const RecordSink& sink, const Following& following, Log& log)
      : sink_(sink), log_(log), buffer_(std::make_unique_for_overwrite<char[]>(block_size)) {
    if (!list.failures.empty()) throw Failure(list.failures.front());
    for (const Input& input : list.inputs)
      followed_.push_back(std::make_unique<Followed>(input, SourceId{static_cast<std::uint32_t>(followed_.size())},
                                                     [this](const Record& record) {
                                                       ++records_;
                                                       sink_.record(record);
                                                     }));
    if (following.tell) live_.emplace([this, &following] { return following.look(so_far()); }, following.stall);
  }

  ReadCounts follow() {
    {
      Interrupts interrupts({SIGINT, SIGTERM});
      while (!interrupts.take() && sink_.wanted() && wait(interrupts)) {
        read_all();
        if (live_) live_->tick();
      }
    }
    live_.reset();
    ReadCounts counts{.failures = failures_};
    for (const auto& one : followed_) {
      if (!one->ended) one->parser.finish();
      counts.nccl_lines += one->parser.stats().nccl_lines;
      sink_.source_read(one->source, one->name, one->parser.stats());
      ++counts.sources;
    }
    return counts;
  }

 private:
  std::vector<SourceSoFar> so_far() const {
    std::vector<SourceSoFar> sources;
    for (const auto& one : followed_) sources.push_back({one->source, one->name, &one->parser.stats()});
    return sources;
  }

  /// Waits until there is something to do; false if every input has ended.
  bool wait(const Interrupts& interrupts) {
    std::vector<pollfd> polled = {{interrupts.descriptor(), POLLIN, 0}};
    Clock::time_point until = live_ ? live_->due() : Clock::time_point::max();
    bool open = false;
    for (const auto& one : followed_) {
      if (one->ended) continue;
      open = true;
      if (one->tail.is_file())
        until = std::min(until, busy_ ? Clock::now() : Clock::now() + file_pause);
      else
        polled.push_back({one->tail.descriptor(), POLLIN, 0});
    }
    if (!open) return false;
    int timeout = -1;
    if (until != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
      timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
    }
    ::poll(polled.data(), polled.size(), timeout);
    ready_ = std::move(polled);
    return true;
  }

  /// Whether poll(2) reported bytes or the end of the input. Files always count as ready.
  bool is_ready(const Followed& one) const {
    return one.tail.is_file() || std::ranges::any_of(ready_, [&](const pollfd& polled) {
             return polled.fd == one.tail.descriptor() && polled.revents != 0;
           });
  }

  /// Reads one block of each input, so that no input delays another.
  void read_all() {
    busy_ = false;
    const std::uint64_t before = records_;
    for (const auto& one : followed_)
      if (!one->ended && is_ready(*one)) read(*one);
    if (live_ && records_ != before) live_->note_records();
  }

  void read(Followed& one) {
    const Tail::Got got = one.tail.read(buffer_.get(), block_size);
    switch (got.what) {
      case Tail::Got::What::bytes:
        busy_ = true;
        if (one.parser.stats().bytes == 0 && looks_packed(got.bytes))
          throw Failure(one.name +
                        " is packed, and --follow reads text: unpack it on the way in, or leave --follow out");
        one.parser.feed(got.bytes);
        return;
      case Tail::Got::What::restarted:
        one.parser.finish();  // The new file does not continue the last line.
        busy_ = true;
        return;
      case Tail::Got::What::ended:
        if (got.error != 0) {
          ++failures_;
          log_.error(describe("cannot read", one.name, got.error));
        }
        one.parser.finish();
        one.ended = true;
        return;
      case Tail::Got::What::nothing:
        return;
    }
  }

  const RecordSink& sink_;
  Log& log_;
  std::vector<std::unique_ptr<Followed>> followed_;
  std::optional<Live> live_;
  std::unique_ptr<char[]> buffer_;
  std::vector<pollfd> ready_;
  std::uint64_t records_ = 0;
  std::size_t failures_ = 0;
  bool busy_ = false;  ///< The last round read bytes, so files may contain more.
};

}  // namespace

ReadCounts follow_inputs(const InputList& list, const RecordSink& sink, const Following& following, Log& log) {
  return Follower(list, sink, following, log).follow();
}

}  // namespace nccl_analyze
