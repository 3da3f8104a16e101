#pragma once
/// The inputs of --follow: finds files and parses the bytes that are appended to them.

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

#include "cli/live/tail.h"
#include "input/inputs.h"
#include "input/logging.h"
#include "input/reading.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {

class FollowedInputs {
 public:
  /// Throws Failure on an input that cannot be followed.
  FollowedInputs(std::vector<std::string> paths, const RecordSink& sink, Log& log);

  /// Lists the files that the paths name now, and records which of them are new, have grown or were replaced.
  void list_files();
  /// Whether list_files() may find something; standard input and pipes are listed only once.
  bool lists_files() const { return lists_files_; }
  /// Adds the descriptors that poll(2) must wait for.
  void add_polled(std::vector<pollfd>& polled) const;
  /// Reads one block of each input that has bytes, so that no input delays another. `polled`: the result of poll(2).
  /// Throws Failure on a packed input that the user named.
  void read(std::span<const pollfd> polled);
  /// Whether the last read() got bytes, so that there may be more.
  bool busy() const { return busy_; }
  /// Whether more bytes may arrive.
  bool open() const;
  std::uint64_t records() const { return records_; }
  std::vector<OpenSource> so_far() const;
  /// Ends all sources. The functions above must not be called afterwards, except so_far().
  void finish();
  /// Passes all sources to the sink, and returns the number of sources, lines and failures.
  ReadCounts send_sources_to_sink() const;

 private:
  /// An input with its parser.
  struct Followed {
    explicit Followed(const Input& input) : path(input.path), tail(input) {}
    std::string path;
    Tail tail;
    std::optional<Parser> parser;  ///< Set when the first bytes have been read.
    SourceId source{};
    std::uint64_t last_look = 0;  ///< The last listing that contained its file.
    std::uint64_t last_read = 0;  ///< The last read() that got bytes.
    std::uint64_t held_back = 0;  ///< The last listing after which it was held back as a possible copy.
    int times_held_back = 0;
    bool is_named = false;  ///< Whether the user named it, and not only its folder or a pattern.
    bool is_new = false;    ///< Whether it appeared after the first listing.
    bool ended = false, skipped = false, failed = false;
  };
  using What = Tail::ReadResult::What;

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
  /// Describes the source if its first bytes show that it is no log; empty for a log. Throws Failure on a packed file
  /// that the user named.
  std::string describe_non_log(const Followed& one, std::string_view bytes) const;
  /// Whether the file is a copy that a rotation made of another followed file, or may still become such a copy. The
  /// latter is true for at most max_held_back listings.
  bool hold_back(Followed& one);
  Tail::Copy is_rotated_copy(const std::string& path) const;
  void close_least_recent();

  std::vector<std::string> paths_;
  const RecordSink& sink_;
  Log& log_;
  std::unique_ptr<char[]> buffer_;
  std::vector<std::unique_ptr<Followed>> followed_;
  std::unordered_map<std::string, Followed*> by_path_;
  std::map<FileId, Followed*> by_content_;  ///< The files of the last listing.
  std::vector<Followed*> open_files_;
  std::size_t max_open_;
  std::set<std::string> told_;  ///< Messages that were printed.
  std::uint64_t look_number_ = 0, read_number_ = 0, records_ = 0;
  std::uint32_t sources_ = 0;
  std::vector<ReadFailure> unreadable_;
  std::size_t passed_over_ = 0;
  bool lists_files_ = false, busy_ = false;
};

}  // namespace nccl_analyze
