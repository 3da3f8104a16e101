// Passes the bytes of an input on to a sink, but holds the first bytes back until they show the order of the lines.

#include "input/newest_first.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "input/backwards.h"
#include "input/descriptor.h"
#include "input/failure.h"
#include "input/own_output.h"
#include "input/temporary_file.h"
#include "text/time_order.h"

namespace nccl_analyze {
namespace {

/// Reads up to `size` bytes at an offset of a file. Returns how many it read; 0 at the end and on an error.
std::size_t read_at(int descriptor, char* to, std::size_t size, std::uint64_t offset) {
  ssize_t count = 0;
  do {
    count = ::pread(descriptor, to, size, static_cast<off_t>(offset));
  } while (count < 0 && errno == EINTR);
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

class OrderedReading {
 public:
  OrderedReading(const Input& input, const SourceSink& sink) : sink_(sink), path_(input.path) {}

  void begin(std::string_view name) {
    name_ = name;
    state_ = State::undecided;
    head_.clear();
    sink_.begin(name);
  }

  bool bytes(std::string_view bytes) {
    switch (state_) {
      case State::undecided:
        head_ += bytes;
        return head_.size() < OrderProbe::size || decide(false);
      case State::as_is:
        return sink_.bytes(bytes);
      case State::spooled:
        return spool_->append(bytes) || give_up(bytes);
      case State::file:
        return false;
    }
    return false;
  }

  void end() {
    if (state_ == State::undecided) decide(true);
    if (state_ == State::spooled) turn(spool_->descriptor());
    if (state_ == State::file) turn(file_->number());
    spool_.reset();
    file_.reset();
    sink_.end();
  }

 private:
  enum class State : std::uint8_t {
    undecided,
    as_is,    ///< The source is passed on as it is read.
    spooled,  ///< The source is copied to a temporary file.
    file      ///< The source is a file, which is then read from its end.
  };

  bool decide(bool ended) {
    OrderProbe probe;
    probe.take(head_);
    const std::string head = std::exchange(head_, {});
    state_ = State::as_is;
    if (own_output(head).kind != OwnOutput::none || !probe.newest_first(ended))
      return head.empty() || sink_.bytes(head);
    if (is_plain_file(head)) {
      state_ = State::file;
      return false;
    }
    spool_.emplace();
    if (spool_->create() && spool_->append(head)) {
      state_ = State::spooled;
      return true;
    }
    return give_up(head);
  }

  /// Whether the input is a regular file that begins with these bytes, and not a packed file that contains them.
  bool is_plain_file(std::string_view head) {
    file_.emplace(path_);
    struct stat status {};
    std::string same(head.size(), '\0');
    const bool is_file = path_ != "-" && file_->open() && ::fstat(file_->number(), &status) == 0 &&
                         S_ISREG(status.st_mode) &&
                         read_at(file_->number(), same.data(), same.size(), 0) == same.size();
    return is_file && same == head;
  }

  /// Reports that the source cannot be reversed, and passes on the bytes in the temporary file, then `more`.
  bool give_up(std::string_view more) {
    const std::string sentence = describe("cannot write to", TemporaryFile::folder()) + "; " + name_ +
                                 " is newest first and is read in this order; set TMPDIR to a folder with room for it";
    sink_.failed({name_, "it is newest first, and there is no room to turn it", sentence});
    state_ = State::as_is;
    std::string block(OrderProbe::size, '\0');
    std::size_t count = 0;
    for (std::uint64_t at = 0; (count = read_at(spool_->descriptor(), block.data(), block.size(), at)) > 0; at += count)
      if (!sink_.bytes({block.data(), count})) return false;
    return sink_.bytes(more);
  }

  void turn(int descriptor) {
    struct stat status {};
    const std::uint64_t size = ::fstat(descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    const ReverseReader::ReadAt read = [descriptor](char* to, std::size_t count, std::uint64_t offset) {
      return read_at(descriptor, to, count, offset);
    };
    ReverseReader lines(read, size);
    lines.pass([&](std::string_view text) { return sink_.wait(descriptor) && sink_.bytes(text); });
    if (sink_.reversed) sink_.reversed(lines.places());
  }

  const SourceSink& sink_;
  const std::string path_;
  std::string name_;
  State state_ = State::undecided;
  std::string head_;
  std::optional<Descriptor> file_;
  std::optional<TemporaryFile> spool_;
};

}  // namespace

void read_log_input(const Input& input, const SourceSink& sink) {
  OrderedReading reading(input, sink);
  SourceSink ordered = sink;
  ordered.begin = [&](std::string_view name) { reading.begin(name); };
  ordered.bytes = [&](std::string_view bytes) { return reading.bytes(bytes); };
  ordered.end = [&] { reading.end(); };
  read_input(input, ordered);
}

void add_reversal(ParseStats& stats, const LinePlaces& places) {
  stats.reversed = 1;
  stats.places = LinePlaces::through(stats.places, places);
}

}  // namespace nccl_analyze
