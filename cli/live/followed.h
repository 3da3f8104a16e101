#pragma once
/// The inputs of --follow: finds them, and parses what is appended to them.

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/input/inputs.h"
#include "cli/input/reading.h"
#include "cli/live/tail.h"
#include "cli/logging.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// A source that has not ended, with its counts so far.
struct SourceSoFar {
  SourceId source{};
  std::string name;
  const ParseStats* stats = nullptr;
};

class FollowedInputs {
 public:
  /// Throws Failure on an input that cannot be followed.
  FollowedInputs(std::vector<std::string> paths, const RecordSink& sink, Log& log);

  /// Lists the files that the paths name now, and notes which of them are new, have grown or were replaced.
  void list_files();
  /// Whether list_files() may find something: standard input and pipes are only listed once.
  bool lists_files() const { return lists_files_; }
  /// Adds what poll(2) must wait for.
  void add_polled(std::vector<pollfd>& polled) const;
  /// Reads a block of each input that has bytes, so that no input delays another. `polled`: the answer of poll(2).
  /// Throws Failure on an input that was named and is packed.
  void read(std::span<const pollfd> polled);
  /// Whether the last read() got bytes, so that there may be more.
  bool busy() const { return busy_; }
  /// Whether an input may still bring bytes.
  bool open() const;
  std::uint64_t records() const { return records_; }
  std::vector<SourceSoFar> so_far() const;
  /// Ends all sources. The functions above must not be called afterwards, except so_far().
  void finish();
  /// Passes all sources to the sink.
  ReadCounts send_sources_to_sink() const;

 private:
  /// An input with its parser.
  struct Followed {
    explicit Followed(const Input& input) : path(input.path), tail(input) {}
    std::string path;
    Tail tail;
    std::optional<Parser> parser;  ///< From the first bytes on.
    SourceId source{};
    std::uint64_t last_look = 0;  ///< The last look that found its content.
    std::uint64_t last_read = 0;  ///< The last read() that got bytes.
    std::uint64_t held_back = 0;  ///< The last look at which it might still become a copy.
    int times_held_back = 0;
    bool is_named = false;  ///< By the user, not found in a folder or by a wildcard.
    bool is_new = false;    ///< It appeared after the first look.
    bool ended = false, passed_over = false, failed = false;
  };
  using What = Tail::Got::What;

  void note_all(const InputList& list);
  void note(const Input& found);
  void add(const Input& found);
  void tell(const InputList& list);
  void message(void (Log::*level)(std::string_view), const std::string& sentence);
  void fail(ReadFailure failure);
  std::string name_of(const Followed& one) const;
  static bool is_ready(const Followed& one, std::span<const pollfd> polled);
  void read(Followed& one);
  void take(Followed& one, std::string_view bytes);
  void begin(Followed& one);
  void end(Followed& one, int error);
  /// What the source is if its first bytes show that it is no log; empty for logs. Throws Failure on a packed file.
  std::string what_else_it_is(const Followed& one, std::string_view bytes) const;
  /// Whether the file is a copy that a rotation made of another followed file, or may become one.
  bool hold_back(Followed& one);
  Tail::Copy is_rotated_copy(const std::string& path) const;
  void make_room();

  std::vector<std::string> paths_;
  const RecordSink& sink_;
  Log& log_;
  std::unique_ptr<char[]> buffer_;
  std::vector<std::unique_ptr<Followed>> followed_;
  std::unordered_map<std::string, Followed*> by_path_;
  std::map<FileId, Followed*> by_content_;  ///< As of the last look.
  std::vector<Followed*> open_files_;
  std::size_t max_open_;
  std::set<std::string> told_;  ///< Messages about paths.
  std::uint64_t look_number_ = 0, read_number_ = 0, records_ = 0;
  std::uint32_t sources_ = 0;
  std::vector<ReadFailure> unreadable_;
  std::size_t passed_over_ = 0;
  bool lists_files_ = false, busy_ = false;
};

}  // namespace nccl_analyze
