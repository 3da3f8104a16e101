// Lists the summaries again and again, because a shared file system does not notify one node of another node's writes.

#include "cli/live/merge_follow.h"

#include <malloc.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "input/failure.h"
#include "input/inputs.h"
#include "input/interrupts.h"
#include "input/merging.h"
#include "model/summary/summary_parts.h"
#include "nccl_analyze/summary.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

using Clock = LiveReporter::Clock;

/// The pause between two scans of all files is at least scan_pause, and at least rest_after_scan times as long as the
/// listing, because ten thousand files on a server take a while to list. Reading what is new does not count: nothing is
/// read twice.
constexpr std::chrono::milliseconds scan_pause{500};
constexpr int rest_after_scan = 10;
/// The pause after judging the job, as a multiple of the time that the judging took. It is none beyond the shortest
/// one, because a summary that comes while the job is judged waits for the end, for the pause and for the next judging,
/// and because this program runs on a node of its own.
constexpr int rest_after_judging = 0;
constexpr std::size_t max_named = 8;

/// Makes glibc return large blocks to the system when they are freed. Each judging takes hundreds of megabytes and
/// frees them; glibc would keep ever larger blocks and tear them, so that the second judging of 100,000 ranks took 60
/// MB more. It keeps blocks of less than a megabyte, and some megabytes at the end of its memory, because reading a
/// summary takes half a megabyte and frees it: returned each time, this took half of the time of reading.
void return_large_blocks() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 24);
#endif
}

/// Identifies a version of a file: at least one of these values changes when the file is replaced.
struct FileVersion {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0, seconds = 0, nanoseconds = 0;
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

std::optional<FileVersion> stamp_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileVersion{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

/// A file with summaries.
struct Member {
  std::optional<FileVersion> stamp;  ///< The version of the file that was read last.
  Summary summary;                   ///< The last content without damage.
  std::string wrong;                 ///< The error of the last read; empty if there was none.
  bool wrong_told = false, late_told = false;
  Clock::time_point changed;
};

class Merger {
 public:
  Merger(const std::vector<std::string>& paths, const MergeFollowOptions& following, Log& log)
      : paths_(paths), stall_(following.messages.stall), log_(log) {
    if (paths.empty() || std::ranges::count(paths, "-") != 0)
      throw Failure("merge --follow reads files and folders, which nodes replace: name them");
    if (!following.messages.any()) return;
    return_large_blocks();
    MessageOptions messages = following.messages;
    messages.rest = rest_after_judging;
    live_.emplace([this, &following] { return following.snapshot(merged()); }, std::move(messages), log);
  }

  ReadCounts follow(Summary& into) {
    {
      Interrupts interrupts({SIGINT, SIGTERM});
      bool interrupted = false;
      while (!interrupted && !(live_ && live_->done())) {
        scan();
        if (live_) live_->tick();
        interrupted = wait(interrupts);
      }
      if (live_) live_->finish(interrupted ? "signal" : "until", interrupts);
      live_.reset();
    }
    into = merged();
    log_summary_origins(into, log_);
    ReadCounts counts;
    counts.sources = static_cast<std::uint32_t>(members_.size());
    counts.nccl_lines = into.stats().nccl_lines;
    for (auto& [path, member] : members_) {
      tell_damage(member);
      counts.failures += member.wrong.empty() ? 0U : 1U;
    }
    return counts;
  }

 private:
  /// Waits for the next scan or message; true if a signal arrived.
  bool wait(Interrupts& interrupts) const {
    pollfd polled{interrupts.descriptor(), POLLIN, 0};
    const Clock::time_point until = live_ ? std::min(next_scan_, live_->due()) : next_scan_;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    ::poll(&polled, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
    return interrupts.take();
  }

  void scan() {
    const Clock::time_point start = Clock::now();
    if (start < next_scan_) return;
    reading_ = {};
    const InputList list = list_inputs_and_copies(paths_);
    for (const std::string& sentence : list.failures)
      if (told_.insert(sentence).second) log_.warn(sentence + "; it is looked for again");
    for (const Input& input : list.inputs) look_at(input);
    forget_removed(list);
    if (live_) tell_late();
    const Clock::time_point end = Clock::now();
    next_scan_ = end + std::max<Clock::duration>(scan_pause, (end - start - reading_) * rest_after_scan);
  }

  void look_at(const Input& input) {
    const std::optional<FileVersion> stamp = stamp_of(input.path);
    if (!stamp) return;
    const auto [place, is_new] = members_.try_emplace(input.path);
    Member& member = place->second;
    if (member.stamp == stamp) return tell_damage(member);
    member.stamp = stamp;
    member.changed = Clock::now();
    // Only a replaced summary shows that the others are due; a new summary does not.
    if (!is_new) replaced_ = member.changed;
    member.late_told = false;
    read(input, member);
    if (live_) live_->note_records();
  }

  void read(const Input& input, Member& member) {
    Summary whole;
    member.wrong.clear();
    member.wrong_told = false;
    const Clock::time_point start = Clock::now();
    read_summary_input(input, {.read = [&](Summary one) { whole.merge(std::move(one)); },
                               .failed = [&](const std::string& sentence) { member.wrong = sentence; },
                               .wait = [](int) { return true; }});
    reading_ += Clock::now() - start;
    if (member.wrong.empty()) member.summary = std::move(whole);
  }

  /// Warns once of a damaged summary. Called if the summary is unchanged at the next scan, because it may have been
  /// read while it was written, and at the end.
  void tell_damage(Member& member) {
    if (member.wrong.empty() || std::exchange(member.wrong_told, true)) return;
    log_.warn(member.wrong + "; what it held before counts");
  }

  /// Forgets summaries that were removed. Both the inputs of a list and the members are sorted by path.
  void forget_removed(const InputList& list) {
    const std::size_t before = members_.size();
    std::erase_if(members_, [&](const auto& member) {
      return !std::ranges::binary_search(list.inputs, member.first, {}, &Input::path);
    });
    if (live_ && members_.size() != before) live_->note_records();
  }

  /// Reports summaries that were not replaced for the time of --stall, while others were. Each is reported once until
  /// it is replaced.
  void tell_late() {
    const Clock::time_point now = Clock::now();
    if (stall_.count() == 0 || !replaced_ || now - *replaced_ > stall_) return;
    std::size_t late = 0;
    std::string names;
    for (auto& [path, member] : members_) {
      if (member.late_told || now - member.changed <= stall_) continue;
      member.late_told = true;
      if (++late <= max_named) append_item(names, name_of(path, member));
    }
    if (late == 0) return;
    if (late > max_named) names += " and " + std::to_string(late - max_named) + " more";
    live_->say("no new summary for " + std::to_string(stall_.count() / 1000) +
               " s, while others are replaced: " + names);
  }

  static std::string name_of(const std::string& path, const Member& member) {
    const std::vector<SummarySignature> signatures = signatures_of(member.summary);
    return signatures.size() == 1 && !signatures.front().writer.node.empty()
               ? signatures.front().writer.node.str() + " (" + path + ")"
               : path;
  }

  Summary merged() const {
    Summary all;
    for (const auto& [path, member] : members_) all.merge(SummaryParts::copy_of(member.summary));
    return all;
  }

  const std::vector<std::string>& paths_;
  std::chrono::milliseconds stall_;
  Log& log_;
  std::map<std::string, Member> members_;  ///< The summaries by path.
  std::set<std::string> told_;             ///< Messages that were printed.
  std::optional<LiveReporter> live_;
  Clock::time_point next_scan_;
  Clock::duration reading_{};                  ///< The time that the scan has spent on reading.
  std::optional<Clock::time_point> replaced_;  ///< When a summary was replaced last.
};

}  // namespace

ReadCounts follow_summaries(const std::vector<std::string>& paths, Summary& into, const MergeFollowOptions& following,
                            Log& log) {
  return Merger(paths, following, log).follow(into);
}

}  // namespace nccl_analyze
